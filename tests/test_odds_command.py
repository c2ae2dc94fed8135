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
from cagnotte.terminal import odds as terminal


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
    out = run("odds", "fear", "--chips", "1,1,1", "--down", "2", "--rational", "--lang", "en").out
    assert out.endswith("As fractions:\n1: 1/4\n2: 0\n3: 3/4\n")


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
    intervals = found["intervals"]
    for name in ("cards", "hands"):
        assert intervals[name][0] < found[name] < intervals[name][1]
    for name in ("quantiles", "hands_quantiles", "minutes"):
        for part, (low, high) in intervals[name].items():
            assert low <= found[name][part] <= high
    out = run("odds", "fear", "--players", "12", "--stake", "10")[1]
    assert "1,000,000 games were played with dice" in out
    for name in ("Cards", "Spreads", "Minutes"):
        assert re.search(rf"^{name} +[\d,.]+ ± [\d.]+ ", out, re.MULTILINE), name
    assert "These figures come from 1,000,000 games" in plain(out)
    out = plain(run("odds", "fear", "--players", "26", "--stake", "1")[1])
    assert "These odds are exact." in out
    assert "The figures of the other stake come from 1,000,000 games" in out
    assert "These figures come from" not in out


@pytest.mark.slow
def test_the_planner_says_which_stakes_were_played_with_dice(run: Run) -> None:
    pytest.importorskip("numba")
    asked = ("odds", "fear", "--players", "22", "--minutes", "60")
    found = json.loads(run(*asked, "--json")[1])
    assert [each["exact"] for each in found["stakes"]] == [True, False, False]
    assert found["stakes"][0]["intervals"] is None
    low, high = found["stakes"][1]["intervals"]["minutes"]["mean"]
    assert low < found["stakes"][1]["minutes"]["mean"] < high
    out = run(*asked)[1]
    assert "1,000,000 games each were played with dice from a stake of 2 on" in out
    assert re.search(r"^1 +[\d.]+ +[\d.]+", out, re.MULTILINE) and re.search(r"^2 +\d+ ± ", out, re.MULTILINE)


def test_what_is_exact_has_no_interval(run: Run) -> None:
    assert json.loads(run("odds", "fear", "--json")[1])["intervals"] is None
    assert "±" not in run("odds", "fear")[1]


def test_where_seats_are_equal_it_says_so(run: Run) -> None:
    """Also where those of the other stake are."""
    out = plain(run("odds", "fear", "--players", "2", "--stake", "1", "--lang", "en")[1])
    assert "The 2 seats are equal: each wins 50.0% of all games." in out
    assert "not equal" not in out and "The dealer acts last" not in out
    assert "With a stake of 2 chips the best seat" in out
    out = plain(run("odds", "fear", "--players", "2", "--stake", "2", "--lang", "en")[1])
    assert "With a stake of 1 chip all seats are equal, and a game takes 27 cards" in out


def test_what_is_not_nothing_is_not_told_to_be(run: Run) -> None:
    """And of half a card or a minute it is said that it is."""
    out = run("odds", "fear", "--chips", "1,1", "--down", "1", "--lang", "en")[1]
    assert re.search(r"^Minutes +under 1 +under 1 +under 1$", out, re.MULTILINE)
    assert terminal._chance("en", 0.0001, exact=True) == terminal._chance("en", 0.0, exact=False)
    assert terminal._chance("en", 0.0001, exact=True) == "under 0.1%"
    assert terminal._chance("en", 0.0, exact=True) == "0.0%"


def test_a_game_under_way_is_said_to_be_one(run: Run) -> None:
    said = "This is a game under way"
    assert said in run("odds", "fear", "--down", "7", "--lang", "en")[1]
    assert said not in run("odds", "fear", "--lang", "en")[1]


def test_a_pace_is_written_as_other_numbers_are(run: Run) -> None:
    out = plain(run("odds", "fear", "--pace", "3599,0.25", "--lang", "en").out)
    assert "At 3,599 s for a card, and 0.25 s" in out


def test_without_numpy_the_planner_tells_what_it_knows(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    code, out, err = run("odds", "fear", "--players", "12", "--minutes", "50", "--json", complaints=1)
    assert (code, [each["stake"] for each in json.loads(out)["stakes"]]) == (1, [1])
    assert err.startswith("cagnotte: an exact answer for so many positions needs numpy: ")


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
        pytest.param(
            "--players 26 --stake 10 --rational",
            1,
            "up to 1,040,000 positions: these are more than 20,000,000",
            marks=pytest.mark.slow,
        ),
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


@pytest.mark.parametrize("asked, stakes", [("--players 5", ()), ("--players 9 --minutes 20", (2, 3))])
def test_who_waits_at_a_terminal_reads_why(
    asked: str, stakes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for module in (cli, commands):
        monkeypatch.setattr(module, "speak", lambda lang: None)
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    monkeypatch.setattr(sys, "stderr", said := Terminal())
    assert cli.main(["odds", "fear", *asked.split(), "--lang", "en"]) == 0
    shown = said.getvalue().split("\r")
    assert (shown[1], shown[-2:]) == ("Reckoning…", [" " * 79, ""])
    assert shown[2:-2] == [f"Reckoning… Stake {n}" for n in stakes]


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
