"""The command line: what it prints where, its exit codes, and one line for whatever is wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from cagnotte import cli, record, terminal
from cagnotte.games import GAMES
from cagnotte.locale import LANGUAGES
from cagnotte.table_terms import PACES

PROGRAM = str(Path(sys.executable).with_name("cagnotte"))
COMMANDS = [
    [],
    ["serve"],
    ["play"],
    ["record"],
    ["record", "check"],
    ["record", "show"],
    ["record", "new"],
    ["rules"],
    ["verify"],
    ["data"],
    ["data", "backup"],
    ["data", "restore"],
    ["data", "check"],
    ["data", "export"],
    ["simulate"],
    ["match"],
    ["odds"],
]
SITTING: dict[str, Any] = {
    "cagnotte": 1,
    "game": "fan-tan",
    "players": ["Ann", "Bo", "Cy", "Di"],
    "moves": [],
}
PACK = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]


def at_fault(run: Run, text: str | bytes, name: str = "f.jsonl") -> tuple[str, Any]:
    """The line, and the JSON, of a file with one record at fault."""
    Path(name).write_bytes(text.encode() if isinstance(text, str) else text)
    plain, as_json = run("record", "check", name), run("record", "check", "--json", name)
    assert (plain.code, plain.out, as_json.code) == (1, "", 1)
    assert plain.err == as_json.err
    [fault] = as_json.json
    assert fault["ok"] is False
    assert fault["message"] in plain.err
    shown = run("record", "show", name)
    assert shown.code == 1 or "result" in fault["message"]
    return plain.err.rstrip("\n"), fault


# Help and usage.


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_help_with_an_example(run: Run, command: list[str]) -> None:
    done = run(*command, "--help")
    assert (done.code, done.err) == (0, "")
    assert f"example: {' '.join(['cagnotte', *command])} " in done.out


def test_help_lists_what_there_is(run: Run) -> None:
    listed = run("--help").out
    there = ("serve", "play", "record", "rules", "verify", "data", "odds", "simulate", "match")
    assert all(command in listed for command in there)


@pytest.mark.slow
def test_examples_in_help_are_right(run: Run) -> None:
    Path("sittings.jsonl").write_text(run("record", "new", "fear", "--count", "2").out)
    Path("sitting.json").write_text(run("record", "new", "fear").out)
    for command in COMMANDS:
        example = run(*command, "--help").out.split("example: cagnotte ")[-1].split()
        if example[0] not in ("serve", "play", "verify", "data"):
            assert run(*example).code == 0, example
        else:  # has to ask, or to be given files: at least it is understood
            cli._parser().parse_args(example)


def test_the_paces_and_languages_are_those_of_the_table(run: Run) -> None:
    listed = run("play", "--help").out
    assert f"--pace {{{','.join(PACES)}}}" in listed
    assert f"--lang {{{','.join(LANGUAGES)}}}" in listed


def test_help_loads_nothing_that_takes_long() -> None:
    code = "import sys\nfrom cagnotte import cli\ntry: cli.main(['--help'])\nfinally: print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    modules = set(done.stdout.splitlines()[-1].split())
    assert "cagnotte.cli" in modules
    slow = {"asyncio", "json", "markdown_it", "msgspec", "starlette", "uvicorn"}
    ours = {f"cagnotte.{name}" for name in ("locale", "record", "server", "table", "terminal.sitting")}
    assert not modules & (slow | ours)


def test_ctrl_c_while_it_is_being_loaded_says_nothing() -> None:
    code = """
import signal, sys
class Press:
    def find_spec(self, name, *_):
        if name == "cagnotte.commands": signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Press())
from cagnotte.__main__ import main
sys.exit(main())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_version(run: Run) -> None:
    done = run("--version")
    assert (done.code, done.out.split()[0]) == (0, "cagnotte")


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["deal"],
        ["--frobnicate"],
        ["record"],
        ["record", "check"],
        ["record", "check", "--jso", "f"],
        ["rules"],
        ["rules", "bridge"],
        ["rules", "fear", "--lang", "de"],
        ["rules", "fear", "twice"],
        ["record", "new", "bridge"],
        ["record", "new", "fan-tan", "--players", "6"],
        ["record", "new", "fan-tan", "--players", "0"],
        ["record", "new", "fan-tan", "--players", "-3"],
        ["record", "new", "fear", "--players", "27"],
        ["record", "new", "fan-tan", "--players", "four"],
        ["record", "new", "fan-tan", "--rule", "passing"],
        ["record", "new", "fan-tan", "--rule", "passing=maybe"],
        ["record", "new", "fan-tan", "--rule", "deals=0"],
        ["record", "new", "fan-tan", "--rule", f"deals={'9' * 5000}"],
        ["record", "new", "fan-tan", "--rule", "stake=2"],
        ["record", "new", "fan-tan", "--rule", "name=2"],
        ["record", "new", "fan-tan", "--rule", "players=4"],
        ["record", "new", "fan-tan", "--rule", "\x1b[2J\n=4"],
        ["record", "new", "fan-tan", "--bots", "wizard"],
        ["record", "new", "fan-tan", "--bots", ""],
        ["record", "new", "fan-tan", "--bots", "nowhere:bot"],
        ["record", "new", "fan-tan", "--bots", "steady,steady,steady,steady,steady"],
        ["record", "new", "fan-tan", "--count", "-1"],
        ["record", "new", "fan-tan", "--count", "1.5"],
        ["play", "fan-tan", "--people", "Ann,,Bo"],
        ["play", "fan-tan", "--people", "Ann,ann"],
        ["play", "fan-tan", "--people", "A,B,C,D,E,F"],
        ["play", "fan-tan", "--pace", "lightning"],
        ["play", "fan-tan", "--players", "3", "--bots", "steady,steady,steady"],
        ["play", "fan-tan", "\udcff\n\x1b"],
        ["serve", "--port", "65536"],
        ["serve", "--port", "http"],
        ["serve", "--host", ""],
        ["serve", "--host", " "],
        ["serve", "--host", "a..b"],
        ["serve", "--host", "\udcff"],
    ],
    ids=lambda command: " ".join(command)[:40].encode("unicode_escape").decode(),
)  # fmt: skip
def test_wrong_usage_gives_one_line_and_2(run: Run, command: list[str]) -> None:
    done = run(*command)
    assert (done.code, done.out) == (2, "")
    assert "--help)" in done.err
    assert done.err.rstrip("\n").isprintable()


def test_wrong_usage_names_the_help_of_its_command_and_what_a_number_may_be(run: Run) -> None:
    for asked, said in (
        (
            "simulate fear --each",
            "cagnotte simulate: unrecognized arguments: --each (see cagnotte simulate --help)",
        ),
        (
            "record show - --all",
            "cagnotte record show: unrecognized arguments: --all (see cagnotte record show --help)",
        ),
        ("odds fear --players 2.5", "cagnotte odds: argument --players: '2.5' is not a whole number (see"),
        (
            "simulate fear --deals 1e6",
            "argument --deals: '1e6' is not a whole number from 1 to 1000000000000 (see",
        ),
        (f"odds fear --down {'9' * 30}", f"'{'9' * 20}'… is not a whole number from 1 to 52 (see"),
    ):
        done = run(*asked.split())
        assert (done.code, done.out) == (2, "") and said in done.err


def test_F1_an_unusual_number_of_players_is_said_in_one_sentence(run: Run) -> None:
    for players, sentences in {2: 1, 4: 1, 5: 0, 12: 0, 13: 1, 26: 1}.items():
        done = run("record", "new", "fear", "--players", str(players))
        assert done.code == 0
        assert done.err.count("F1") == done.err.count("\n") == sentences
        assert len(done.json[0]["players"]) == players


# Records.


def test_new_records_are_right(run: Run) -> None:
    for name in GAMES:
        made = run("record", "new", name, "--bots", "random,steady", "--count", "3", "--seed", "1790")
        assert (made.code, made.err, len(made.json)) == (0, "", 3)
        assert (
            made.out
            == run("record", "new", name, "--bots", "random,steady", "--count", "3", "--seed", "1790").out
        )
        assert made.out != run("record", "new", name, "--bots", "random,steady", "--count", "3").out
        checked = run("record", "check", "--json", "-", stdin=made.out.encode())
        assert checked.code == 0
        for sitting, outcome in zip(made.json, checked.json, strict=True):
            assert outcome["ok"] is outcome["over"] is True
            assert outcome["game"] == sitting["game"] == name
            assert outcome["moves"] == len(sitting["moves"])
            assert {key: outcome[key] for key in ("stacks", "winners")} == sitting["result"]
            assert outcome["legal"] == []


@pytest.mark.slow
def test_a_seed_may_be_anything_that_can_be_typed(run: Run) -> None:
    seeds = ("", "0", "-1", "é", "\udcff", "\udcff\udcfe", "9" * 5000)
    made = [run("record", "new", "fear", f"--seed={seed}") for seed in seeds]
    assert all(done.code == 0 for done in made) and len({done.out for done in made}) == len(seeds)
    assert run("play", "fear", "--seed", "\udcff").code == 0


def test_new_records_keep_house_rules(run: Run) -> None:
    rules = ("--rule", "passing=fined", "--rule", "deals=1", "--rule", "chips=50")
    [sitting] = run("record", "new", "fan-tan", "--players", "3", *rules).json
    assert sitting["rules"] == {"passing": "fined", "deals": 1}
    assert sitting["players"] == ["Ann", "Bo", "Cy"]


def test_check_says_what_a_record_comes_to(run: Run) -> None:
    made = run("record", "new", "fear", "--seed", "1", "--count", "2")
    Path("f.jsonl").write_text(made.out)
    done = run("record", "check", "f.jsonl")
    assert done.code == 0
    assert [line.split(",")[0] for line in done.out.splitlines()] == ["f.jsonl:1: ok", "f.jsonl:2: ok"]
    assert done.err == "2 records, 0 at fault\n"


@pytest.mark.parametrize(
    ("moves", "legal"),
    [
        ([], None),
        (["chance draw 0 JS"], None),
        (["chance draw 0 JS", "chance shuffle " + " ".join(PACK)], [f"cut {at}" for at in range(5, 48)]),
        (["chance draw 0 JS", "chance shuffle " + " ".join(PACK), "3 cut 26"], ["7S"]),
        (["chance draw 0 JS", "chance shuffle " + " ".join(PACK), "3 cut 26", "1 7S"], ["7H", "8S"]),
    ],
)
def test_check_says_what_may_come_next(run: Run, moves: list[str], legal: list[str] | None) -> None:
    done = run("record", "check", "--json", "-", stdin=json.dumps(SITTING | {"moves": moves}).encode())
    [outcome] = done.json
    assert done.code == 0
    assert outcome["legal"] == legal or sorted(outcome["legal"]) == legal
    assert (outcome["over"], outcome["winners"], outcome["moves"]) == (False, [], len(moves))
    assert {"deals", "stacks", "pool", "game"} <= outcome.keys()


def test_a_record_over_several_lines_is_one(run: Run) -> None:
    text = json.dumps(SITTING, indent=2)
    assert run("record", "check", "-", stdin=text.encode()).code == 0


DRAWN = ["chance draw 0 JS"]
DEALT = [*DRAWN, "chance shuffle " + " ".join(PACK), "3 cut 26"]


@pytest.mark.parametrize(
    ("change", "move", "clause"),
    [
        ({"game": "bridge"}, None, None),
        ({"players": ["Ann", "Bo"]}, None, "T1"),
        ({"rules": {"passing": "perhaps"}}, None, "T10"),
        ({"rules": {"deals": 10**400}}, None, "T15"),
        ({"rules": {"deals": "9" * 5000}}, None, "T15"),
        ({"rules": {"jokers": 2}}, None, None),
        ({"rules": {"name": 2}}, None, None),
        ({"rules": {"players": 2}}, None, None),
        ({"cagnotte": 2}, None, None),
        ({"cagnotte": True}, None, None),
        ({"moves": 7}, None, None),
        ({"moves": ["0 cut 20"]}, 1, "T2"),
        ({"moves": ["chance draw 0 JS QS"]}, 1, "T2"),
        ({"moves": [*DRAWN, "chance shuffle " + " ".join(PACK[:51])]}, 2, "C1"),  # a pack of 51
        ({"moves": [*DRAWN, "chance shuffle " + " ".join(PACK[:51] + PACK[:1])]}, 2, "C1"),  # a card twice
        ({"moves": [*DEALT[:2], "3 cut 4"]}, 3, "T3"),
        ({"moves": [*DEALT[:2], "3 cut " + "9" * 6000]}, 3, "C2"),
        ({"moves": [*DEALT, "1 TH"]}, 4, "T7"),
        ({"moves": [*DEALT, "1 7H"]}, 4, "T8"),
        ({"moves": [*DEALT, "1 pass"]}, 4, "T10"),
        ({"moves": [*DEALT, "1 ZZ"]}, 4, "C2"),
        ({"moves": [*DEALT, "\x1b[2J\u202e\n"]}, 4, "T7"),
        ({"moves": DEALT, "result": {"stacks": [50] * 4}}, None, None),
    ],
    ids=str,
)  # fmt: skip
def test_a_fault_gives_one_line_with_file_move_and_clause(
    run: Run, change: dict[str, Any], move: int | None, clause: str | None
) -> None:
    line, fault = at_fault(run, json.dumps(SITTING | change))
    assert (fault["move"], fault["clause"]) == (move, clause), line
    assert line.startswith("f.jsonl:1:")
    assert move is None or f" move {move} " in line
    assert clause is None or f" ({clause}): " in line
    assert line.isprintable()
    assert len(line) < 300


def test_a_wrong_result_is_a_fault(run: Run) -> None:
    [sitting] = run("record", "new", "fan-tan", "--rule", "deals=1").json
    wrong: list[dict[str, Any]] = [{"stacks": [50, 50, 50, 50]}, {"winners": []}, {"stacks": None}]
    for result in wrong:
        line, fault = at_fault(run, json.dumps(sitting | {"result": sitting["result"] | result}))
        assert fault["move"] is None
        assert "the result says" in line
    assert (
        run("record", "check", "-", stdin=json.dumps(sitting | {"result": {"of": "ours"}}).encode()).code == 0
    )


@pytest.mark.parametrize(
    "noise",
    [
        b"",
        b"\n\n",
        b"null",
        b"[]",
        b"{",
        b"{}",
        b"\x00" * 1000,
        b"\xff\xfe\x00",
        b"\x89PNG\r\n\x1a\n",
        b"1" * 100_000,
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"cagnotte": 1e999}',
        b'{"cagnotte": ' + b"1" * 5000 + b"}",
        b"\n".join(b"%d noise" % line for line in range(1000)),
    ],
    ids=lambda noise: repr(noise[:20]),
)
def test_what_is_no_record_gives_one_line(run: Run, noise: bytes) -> None:
    line, fault = at_fault(run, noise)
    assert line.startswith("f.jsonl:1: not a record") or line.startswith("f.jsonl:3: not a record")
    assert (fault["move"], fault["clause"]) == (None, None)


@pytest.mark.parametrize("begin", [b"", b"{", b'{"cagnotte": 1, "moves": ["'])
def test_ten_megabytes_of_noise_give_one_line(run: Run, begin: bytes) -> None:
    import random

    at_fault(run, begin + random.Random(1).randbytes(10_000_000))


def test_what_cannot_be_opened_gives_one_line(run: Run) -> None:
    Path("folder").mkdir()
    for name in ("folder", "nothing.jsonl", "\udcff", "new\nline"):
        done = run("record", "check", name)
        assert (done.code, done.out) == (1, "")
        assert done.err.rstrip("\n").isprintable()
        assert run("record", "show", name).code == 1
        [fault] = run("record", "check", "--json", name).json
        assert fault["ok"] is False


def test_a_faulty_record_does_not_hide_the_others(run: Run) -> None:
    good = run("record", "new", "fear").out
    Path("a.jsonl").write_text(
        good + json.dumps(SITTING | {"moves": ["0 cut 20"]}) + "\n" + "garbage\n" + good
    )
    outcomes = run("record", "check", "--json", "a.jsonl", "nothing", "-", stdin=good.encode(), complaints=3)
    assert [outcome["ok"] for outcome in outcomes.json] == [True, False, False, True, False, True]
    assert outcomes.code == 1
    places = [outcome["place"] for outcome in outcomes.json]
    assert places == ["a.jsonl:1", "a.jsonl:2", "a.jsonl:3", "a.jsonl:4", "nothing", "stdin:1"]


# What is told.


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_show_tells_every_move_and_the_reason_of_each_payment(run: Run, name: str, lang: str) -> None:
    made = run("record", "new", name, "--bots", "random", "--seed", "2", *RULES.get(name, []))
    Path("f.json").write_text(made.out)
    moves = made.json[0]["moves"]
    told = run("record", "show", "f.json", "--lang", lang)
    assert (told.code, told.err) == (0, "")
    numbers = [int(line[:5]) for line in told.out.splitlines() if line[:5].strip().isdigit()]
    assert numbers == list(range(1, len(moves) + 1))
    assert max(map(len, told.out.splitlines())) <= 100
    as_json = run("record", "show", "f.json", "--lang", lang, "--json").json
    assert [f"{move['actor']} {move['action']}" for move in as_json] == moves
    assert all(move["told"] for move in as_json)
    why = {"en": "for turning up the fear", "fr": "pour avoir retourné la peur"}[lang]
    if name == "fear":
        fear = [move for move in as_json if any("!" in sentence for sentence in move["told"])]
        assert fear
        assert all(why in move["told"][1] for move in fear)


RULES = {name: ["--rule", "deals=1"] for name in GAMES if name != "fear"}


def test_show_tells_what_came_before_a_fault(run: Run) -> None:
    Path("f.json").write_text(json.dumps(SITTING | {"moves": [*DEALT, "1 TH"]}))
    done = run("record", "show", "f.json")
    assert done.code == 1
    assert "Di cuts below card 26." in done.out
    assert done.err == "f.json:1: move 4 (T7): TH cannot be laid on the empty table\n"


def test_names_cannot_play_tricks_with_the_terminal(run: Run) -> None:
    names = ["\x1b[2J", "a\nb", "\u202eevil", "e\u0301" * 200, "\ud800"]
    Path("f.json").write_text(json.dumps(SITTING | {"players": names, "moves": DRAWN}))
    for command in (["show"], ["check"]):
        done = run("record", *command, "f.json")
        assert done.code == 0
        assert all(line.isprintable() for line in done.out.splitlines())
    for command in (["show", "--json"], ["check", "--json"]):
        assert run("record", *command, "f.json").json


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_rules_can_be_read(run: Run, name: str, lang: str) -> None:
    done = run("rules", name, "--lang", lang)
    assert (done.code, done.err) == (0, "")
    assert "C3" in done.out
    assert not any(mark in done.out for mark in ("**", "`", "#", "|"))
    assert max(map(len, done.out.splitlines())) < 80
    [as_json] = run("rules", name, "--lang", lang, "--json").json
    assert as_json["markdown"].startswith("# ")


@pytest.mark.parametrize(
    ("variables", "lang"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "de_DE", "LC_MESSAGES": "fr"}, "fr"),
        ({"LANG": "C"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_is_the_systems(
    run: Run, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], lang: str
) -> None:
    for name in ("LANG", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert run("rules", "fear").out.startswith({"en": "Fear\n", "fr": "La Peur\n"}[lang])


# In the world outside.


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Starts the program itself."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        started.append(subprocess.Popen([PROGRAM, *arguments], cwd=tmp_path, **(pipes | options)))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_a_reader_that_goes_away_is_no_accident(outside: Callable[..., subprocess.Popen[bytes]]) -> None:
    process = outside("record", "new", "fear", "--count", "100000")
    assert process.stdout and process.stderr
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(30) == cli.UNREAD


@pytest.mark.skipif(os.name == "nt", reason="a console's Ctrl-C is not sent to a process alone there")
@pytest.mark.parametrize(
    "command", [["record", "new", "fear", "--count", "100000"], ["play", "fan-tan"]], ids=" ".join
)
def test_ctrl_c_ends_quietly(outside: Callable[..., subprocess.Popen[bytes]], command: list[str]) -> None:
    process = outside(*command)
    assert process.stdout and process.stderr
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.stdout.read()
    assert process.stderr.read() == b""
    assert process.wait(30) == terminal.INTERRUPTED


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device to write to")
def test_a_full_disk_gives_one_line(outside: Callable[..., subprocess.Popen[bytes]]) -> None:
    with open("/dev/full", "wb") as full:
        process = outside("rules", "fear", stdout=full)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (1, b"cagnotte: the output: No space left on device\n")


def test_it_writes_utf_8_whatever_the_locale(outside: Callable[..., subprocess.Popen[bytes]]) -> None:
    odd = os.environ | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}
    out, err = outside("rules", "fear", "--lang", "fr", env=odd).communicate(timeout=30)
    assert (out.decode().splitlines()[0], err) == ("La Peur", b"")
    assert "à" in out.decode()


@pytest.mark.skipif(os.name == "nt", reason="needs a shell of Unix")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_accident(closed: str) -> None:
    shell = f'"{PROGRAM}" rules fear {closed}'
    done = subprocess.run(shell, shell=True, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_bot_of_ones_own_plays(outside: Callable[..., subprocess.Popen[bytes]], tmp_path: Path) -> None:
    (tmp_path / "ours.py").write_text(
        "def last(view, told, rng): return view.moves[-1]\ndef bad(view, told, rng): return None\n"
    )
    env = os.environ | {"PYTHONPATH": str(tmp_path)}
    out, err = outside("record", "new", "fear", "--bots", "ours:last", env=env).communicate(timeout=60)
    [(_, made)] = record.read([out])
    assert isinstance(made, record.Record)
    assert record.check(made).plain()["over"]
    process = outside("record", "new", "fear", "--bots", "ours:bad", env=env)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert err == b"cagnotte: the bot 'ours:bad' asked for None, which is not open to it\n"
