"""Bots of others: whatever they do, the program says so in a line, and its output stays its own."""

import os
import random
import signal
import subprocess
import sys
import time
import weakref
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import Run

from cagnotte import guests, record
from cagnotte.core import Illegal
from cagnotte.guests import Pressed, bot, pressing

PROGRAM = str(Path(sys.executable).with_name("cagnotte"))
GUESTS = """
import os, sys, time

class Mute(Exception):
    def __str__(self): raise SystemExit(0)
class Odd:
    def __eq__(self, other): raise ValueError("no")
class Blank:
    def __repr__(self): raise SystemExit(0)
class Every:
    def __eq__(self, other): return True

def leaves(view, told, rng): sys.exit(0)
def ends(view, told, rng): raise GeneratorExit
def presses(view, told, rng): raise KeyboardInterrupt
def mute(view, told, rng): raise Mute
def odd(view, told, rng): return Odd()
def blank(view, told, rng): return Blank()
def every(view, told, rng): return Every()
def waits(view, told, rng): time.sleep(60)
def slow(view, told, rng): time.sleep(0.02); return rng.choice(view.moves)

played = 0
def late(view, told, rng):
    global played
    played += 1
    if played > 3000: sys.exit(0)
    return rng.choice(view.moves)

print("PRINTED")
def prints(view, told, rng):
    print("PRINTED")
    os.write(1, b"PRINTED")
    sys.stdout.close()
    os.close(1)
    return rng.choice(view.moves)
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a module of guests, where Python finds it."""
    (tmp_path / "guests_of_ours.py").write_text(GUESTS)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "guests_of_ours", raising=False)
    return tmp_path


def begin(home: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [PROGRAM, *arguments],
        cwd=home,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("leaves", "failed: SystemExit: 0"),
        ("ends", "failed: GeneratorExit"),
        ("presses", "failed: KeyboardInterrupt"),
        ("mute", "failed: Mute"),
        ("odd", "failed: ValueError: no"),
        ("blank", "failed: SystemExit: 0"),
    ],
)
def test_whatever_a_guest_does_is_its_own_fault(home: Path, name: str, why: str) -> None:
    guest = bot(f"guests_of_ours:{name}")
    with pytest.raises(Illegal) as illegal:
        guest(SimpleNamespace(moves=("one", "other")), (), random.Random(1))
    assert illegal.value.message == f"the bot 'guests_of_ours:{name}' {why}"


def test_what_is_equal_to_a_move_is_that_move(home: Path) -> None:
    view: Any = SimpleNamespace(moves=("one", "other"))
    assert bot("guests_of_ours:every")(view, (), random.Random(1)) == "one"


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import sys; sys.exit(0)", "SystemExit: 0"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("class Mute(Exception):\n    def __str__(self): raise ValueError\nraise Mute", "Mute"),
    ],
)
def test_a_guest_that_cannot_be_loaded_is_named(home: Path, run: Run, code: str, why: str) -> None:
    (home / "unready.py").write_text(code)
    for command in ("simulate", "match", "record new", "play"):
        code_, out, err = run(*command.split(), "fan-tan", "--bots", "unready:bot")
        assert (code_, out) == (2, "")
        assert f"the bot 'unready:bot' cannot be loaded: {why} (see" in err


def test_what_a_guest_prints_goes_to_stderr(home: Path) -> None:
    out, err = begin(home, "record", "new", "fear", "--bots", "guests_of_ours:prints").communicate(timeout=60)
    [(_, made)] = record.read([out.encode()])
    assert isinstance(made, record.Record), out
    assert "PRINTED\nPRINTED" in err


def test_a_deal_of_a_guest_that_stops_is_told_as_far_as_it_came(
    home: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cagnotte.terminal.match.cores", lambda: 1)
    asked = (
        "fan-tan",
        "--bots",
        "guests_of_ours:late,random,random,random",
        "--deals",
        "1000",
        "--seed",
        "7",
    )
    for each in ((), ("--each",)):
        monkeypatch.delitem(sys.modules, "guests_of_ours", raising=False)
        code, out, err = run("match", *asked, *each)
        assert code == 1 and "guests_of_ours:late" in out
        assert err == "cagnotte: the bot 'guests_of_ours:late' failed: SystemExit: 0\n"


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="a console's Ctrl-C is not sent to a process alone there")
def test_ctrl_c_is_none_of_a_guests_faults(home: Path) -> None:
    process = begin(home, "record", "new", "fan-tan", "--bots", "guests_of_ours:waits")
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=30) == ("", "PRINTED\n")
    assert process.returncode == 130


def test_ctrl_c_at_whatever_moment_leaves_stdout_as_it_was() -> None:
    for moment in range(1, 60):  # lines of the guard, at each of which the signal may come
        before, steps = sys.stdout, iter(range(moment))

        def trace(frame: Any, event: str, value: object, steps: Any = steps) -> Any:
            if frame.f_code.co_filename == guests.__file__ and next(steps, None) is None:
                sys.settrace(None)
                raise Pressed
            return trace

        with suppress(Pressed), pressing():
            sys.settrace(trace)
            guests._guarded(int)
            sys.settrace(None)
        assert sys.stdout is before and guests.aside.number is None


# The processes in which they play.


def of_session(number: int) -> list[int]:
    """The processes that are left of a session."""
    asked = ["ps", "-eo", "pid,sid,stat"]
    lines = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()[1:]
    found = [line.split() for line in lines]
    return [int(pid) for pid, session, state in found if int(session) == number and state[0] != "Z"]


def until_they_play(process: subprocess.Popen[str]) -> None:
    """Two cores begin as many processes, and a tracker of what they share."""
    end = time.monotonic() + 60
    while len(of_session(process.pid)) < 3:
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.1)
    time.sleep(3)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize("command", ["match", "simulate"])
def test_ctrl_c_twice_ends_at_once_whatever_a_guest_does(home: Path, command: str) -> None:
    process = begin(home, command, "fan-tan", "--bots", "guests_of_ours:waits,random")
    until_they_play(process)
    for _ in range(4):
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.2)
    out, err = process.communicate(timeout=5)
    assert process.returncode in (130, -signal.SIGINT) and set(err.split()) == {"PRINTED"}
    asked = {"match": "1,000", "simulate": "100,000"}[command]
    assert not out or f"0 deals of {asked} (interrupted)" in out  # as far as the first has come
    assert of_session(process.pid) == []


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_processes_end_with_the_one_who_gives_out_the_work(home: Path, number: signal.Signals) -> None:
    process = begin(home, "match", "fan-tan", "--bots", "guests_of_ours:slow,random", "--deals", "100000")
    until_they_play(process)
    process.send_signal(number)
    _, err = process.communicate(timeout=10)
    assert process.returncode == (-9 if number == signal.SIGKILL else 143)
    if number == signal.SIGTERM:  # else the tracker says what it tidied
        assert set(err.split()) == {"PRINTED"}
    end = time.monotonic() + 10
    while left := of_session(process.pid):
        assert time.monotonic() < end, left
        time.sleep(0.1)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is a signal elsewhere")
def test_ctrl_c_is_not_dropped_where_python_drops_what_is_raised(capsys: pytest.CaptureFixture[str]) -> None:
    class Thing:
        pass

    thing = Thing()
    watched = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT))
    with pytest.raises(guests.Pressed), guests.pressing():
        del thing
        time.sleep(10)
    assert watched() is None and capsys.readouterr() == ("", "")


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is a signal elsewhere")
def test_ctrl_c_waits_while_nothing_may_be_disturbed() -> None:
    done = []
    with pytest.raises(guests.Pressed), guests.pressing():
        with guests.undisturbed(), guests.undisturbed():
            signal.raise_signal(signal.SIGINT)
            done.append("inside")
        done.append("after")
    assert done == ["inside"]


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is a signal elsewhere")
def test_ctrl_c_twice_does_not_wait() -> None:
    code = (
        "import signal, time\n"
        "from cagnotte.guests import pressing, undisturbed\n"
        "with pressing(), undisturbed():\n"
        "    signal.raise_signal(signal.SIGINT), signal.raise_signal(signal.SIGINT), print('on')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
