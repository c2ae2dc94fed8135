"""`cagnotte odds fear`: what it tells, in both languages and as JSON, and one line for whatever is wrong."""

import io
import json
import math
import os
import re
import signal
import sys
from importlib import import_module
from types import ModuleType

import pytest
from conftest import Run
from insights import of_five, plain

from cagnotte import cli, commands
from cagnotte.study import extras, odds
from cagnotte.study.odds import chances, length


def test_what_is_promised_as_json(run: Run) -> None:
    code, out, err = run("odds", "fear", "--players", "5", "--stake", "2", "--json")
    found, lasting = json.loads(out), length([2] * 5)
    assert (code, err) == (0, "")
    assert found["win"] == list(chances([2] * 5).win)
    assert (found["cards"], found["hands"], found["exact"]) == (lasting.cards, lasting.mean_spreads, True)
    assert found["quantiles"] == {"0.5": lasting.quantile(0.5), "0.9": lasting.quantile(0.9)}


def test_json_tells_how_often_a_game_takes_so_many_cards_and_hands(run: Run) -> None:
    for asked, chips, down in (((), [2] * 6, 52), (("--chips", "1,2,1", "--down", "7"), [1, 2, 1], 7)):
        found, lasting = json.loads(run("odds", "fear", *asked, "--json").out), length(chips, down)
        cards, hands = found["distribution"]["cards"], found["distribution"]["hands"]
        assert cards == list(lasting.chance)
        assert (sum(cards), sum(hands)) == (pytest.approx(1), pytest.approx(1))
        assert math.fsum(n * p for n, p in enumerate(hands)) == pytest.approx(found["hands"])
        assert hands[0] == 0 and hands[1] == pytest.approx(math.fsum(cards[: down + 1]))
        for part in ("0.5", "0.9"):
            n = found["hands_quantiles"][part]
            assert math.fsum(hands[:n]) < float(part) <= math.fsum(hands[: n + 1])


def test_players_and_stake_are_those_of_the_rules_unless_told(run: Run) -> None:
    """F2."""
    assert json.loads(run("odds", "fear", "--json")[1])["chips"] == [2] * 6
    assert json.loads(run("odds", "fear", "--players", "7", "--json")[1])["chips"] == [1] * 7


def test_from_any_position_and_in_fractions(run: Run) -> None:
    found = json.loads(run("odds", "fear", "--chips", "1,1,1", "--down", "2", "--rational", "--json")[1])
    assert (found["win"], found["fractions"]) == ([0.25, 0.0, 0.75], ["1/4", "0", "3/4"])
    assert "3/4" in run("odds", "fear", "--chips", "1,1,1", "--down", "2", "--rational")[1]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_people_read_seats_length_and_what_follows(run: Run, lang: str) -> None:
    _, out, _ = run("odds", "fear", "--players", "5", "--lang", lang)
    seats = re.findall(r"^(\d)  .*?(\d+[.,]\d)\u00a0?%", out, re.MULTILINE)
    assert [float(part.replace(",", ".")) for _, part in seats] == [18.8, 10.8, 23.9, 23.5, 23.0]
    assert ("donneur" if lang == "fr" else "dealer") in out
    assert out.count("\n") > 18 and "{" not in out
    assert all(sentence in plain(out) for sentence in of_five(lang))


@pytest.mark.slow
def test_what_is_simulated_says_so_with_its_interval(run: Run) -> None:
    pytest.importorskip("numba")
    found = json.loads(run("odds", "fear", "--players", "12", "--stake", "10", "--json")[1])
    assert not found["exact"] and found["games"] > 0 and max(found["margins"]) < 0.001
    assert "dice" in run("odds", "fear", "--players", "12", "--stake", "10")[1]


@pytest.mark.slow
def test_a_stake_for_the_time_that_there_is(run: Run) -> None:
    found = json.loads(run("odds", "fear", "--players", "9", "--minutes", "20", "--json")[1])
    assert (found["stake"], [each["stake"] for each in found["stakes"]]) == (1, [1, 2])
    assert (
        json.loads(run("odds", "fear", "--players", "9", "--minutes", "20", "--pace", "2,30", "--json")[1])[
            "stake"
        ]
        == 3
    )
    assert json.loads(run("odds", "fear", "--players", "26", "--minutes", "1", "--json")[1])["stake"] is None
    assert "stake of 1 chip" in run("odds", "fear", "--players", "9", "--minutes", "20")[1]
    assert (
        "mise de 1 ne suffit pas"
        in run("odds", "fear", "--players", "26", "--minutes", "1", "--lang", "fr")[1]
    )


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ("--players 1", 2, "2 to 26 players"),
        ("--players 27", 2, "2 to 26 players"),
        ("--stake 11", 2, "stake is 1 to 10"),
        ("--stake 0", 2, "stake is 1 to 10"),
        ("--chips 0,1", 2, "from 1 to 10"),
        ("--chips -1,2", 2, "'-1,2' is not NUMBER,NUMBER,… from 1 to 10"),
        ("--chips 2", 2, "2 to 26 players"),
        (f"--chips {','.join('1' * 27)}", 2, "2 to 26 players"),
        ("--chips 1,1 --down 0", 2, "from 1 to 52"),
        ("--chips 1,1 --down 53", 2, "from 1 to 52"),
        ("--minutes 20 --down 7", 2, "--down"),
        ("--minutes 20 --rational", 2, "--rational"),
        ("--players 26 --stake 10 --rational", 1, "fractions are reckoned for up to 1,040,000 positions"),
        ("--chips 1,x", 2, "NUMBER,NUMBER"),
        ("--chips 1,1 --stake 2", 2, "--chips"),
        ("--minutes 20 --stake 2", 2, "--minutes"),
        ("--pace 4", 2, "SECONDS,SECONDS"),
    ],
)
def test_what_is_wrong_is_one_line(run: Run, arguments: str, code: int, says: str) -> None:
    done, out, err = run("odds", "fear", *arguments.split())
    assert (done, out, err.count("\n")) == (code, "", 1)
    assert says in err


@pytest.mark.parametrize("more", [(), ("--minutes", "20")])
def test_so_few_players_are_unusual(run: Run, more: tuple[str, ...]) -> None:
    """F1."""
    done = run("odds", "fear", "--players", "3", *more)
    assert (done.code, done.err.count("\n")) == (0, 1) and "with 3 it is unusual" in done.err
    assert run("odds", "fear", "--players", "5", *more).err == ""
    assert run("odds", "fear", "--chips", "1,2,1").err == ""  # three are left of more


def test_the_dealer_is_anybody(run: Run) -> None:
    assert not re.search(r"\b(he|his|him)\b", run("odds", "fear", "--lang", "en").out, re.IGNORECASE)


@pytest.mark.parametrize("asked", [("--players", "5"), ("--players", "9", "--minutes", "20")])
def test_who_waits_at_a_terminal_reads_why(asked: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for module in (cli, commands):
        monkeypatch.setattr(module, "speak", lambda lang: None)
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    monkeypatch.setattr(sys, "stderr", said := Terminal())
    assert cli.main(["odds", "fear", *asked, "--lang", "en"]) == 0
    wiped = " " * len("Reckoning…")
    assert said.getvalue() == f"Reckoning…\r{wiped}\r"


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is a signal elsewhere")
@pytest.mark.parametrize("library", ["numpy", "numba"])
def test_ctrl_c_while_a_library_is_loaded_waits_for_it_and_ends(
    run: Run, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    """Numba drops what is raised in its callbacks."""
    pytest.importorskip("numba")
    loaded = []

    def load(name: str) -> ModuleType:
        if name == library:
            signal.raise_signal(signal.SIGINT)
            loaded.append(name)
        return import_module(name)

    odds._simulated.cache_clear()
    monkeypatch.setattr(extras, "import_module", load)
    assert run("odds", "fear", "--players", "26", "--stake", "10") == (130, "", "")
    assert loaded == [library]
