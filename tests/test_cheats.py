"""What a cheat would try, with the source at hand; docs/security.md says what is stopped, and by what."""

import json
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from wire import NAMES, Wire

import cagnotte
from cagnotte import record
from cagnotte.attendance import GRACE
from cagnotte.core import Seat
from cagnotte.players import bot
from cagnotte.table_terms import (
    BOT_NAMES,
    REST,
    Act,
    Fill,
    Go,
    Here,
    Leave,
    PassOn,
    Pause,
    Rename,
    Sit,
    Start,
)
from cagnotte.terminal.records import check, prove, show

CLOCK: Final = 30
WAITS: Final = (0.5, 2, 5, 9, 14, 19, 29, 59, 299)  # seconds: just less than what a clever one would wait for


class Griefer:
    """Two seats of four that try anything to make the others wait, at any time; those act and go at once."""

    def __init__(self, seed: int, seats: tuple[Seat, Seat]) -> None:
        self.dice = random.Random(seed)
        self.wire = Wire.company(chosen={"clock": CLOCK}, deals=2)
        self.wire.tell(Start(0))
        self.seats = seats
        self.left: dict[Seat, str | None] = {}
        self.since, self.moved = self.wire.now, self.wire.table.moved

    def longest(self) -> float:
        """The longest that the others waited for a move, in a sitting."""
        longest = 0.0
        for n in range(3000):
            if self.wire.table.state != "playing":
                break
            self._others()
            if self._went_on():
                longest = max(longest, self.wire.now - self.since)
                self.since, self.moved = self.wire.now, self.wire.table.moved
                continue
            self._try(n, self.dice.choice(self.seats))
        return longest

    def _went_on(self) -> bool:
        return self.wire.table.moved != self.moved

    def _others(self) -> None:
        table = self.wire.table
        for seat in {*range(4)} - {*self.seats}:
            self.wire.tell(Pause(seat, False))
            self.wire.tell(Go(seat, table.version))
            if not table.paused and table.state == "playing" and table.game.actor(table.play) == seat:
                self.wire.act(seat, self.dice.choice(self.wire.moves()))

    def _try(self, n: int, seat: Seat) -> None:
        wire, chair = self.wire, self.wire.table.chairs[seat]
        match self.dice.randrange(11):
            case 0 | 1:
                wire.tell(Here(seat, bool(self.dice.randrange(2))))
            case 2 if chair.kind == "person":
                self.left[seat] = chair.secret
                wire.tell(Leave(seat))
            case 3:
                wire.tell(Sit(NAMES[seat], f"secret {n}", None, self.left.get(seat)))
            case 4:
                wire.tell(Pause(seat, bool(self.dice.randrange(2))))
            case 5:
                for on in (True, False, True):
                    wire.tell(Pause(seat, on))
                    self._wait(REST - 1 if on else 0.0)
            case 6:
                tried = Rename(seat, f"X {n}"), Go(seat, 10**6), Act(seat, 0, None, "pass")
                wire.tell(tried[self.dice.randrange(3)])
            case 7:
                wire.tell(PassOn(seat, self.dice.choice(self.seats)))
            case _:
                self._wait(self.dice.choice(WAITS))

    def _wait(self, seconds: float) -> None:
        end = self.wire.now + seconds
        while self.wire.now < end and not self._went_on():
            self.wire.wait(min(1.0, end - self.wire.now))
            self._others()


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "most"), [((2, 3), CLOCK + GRACE), ((0, 2), REST + CLOCK + GRACE)])
def test_B123_nobody_holds_up_a_table_whatever_two_of_four_try(seats: tuple[Seat, Seat], most: float) -> None:
    """Longer than a turn and the time to be away only by a pause, which only a host may begin."""
    waits = [Griefer(seed, seats).longest() for seed in range(30)]
    assert CLOCK <= max(waits) <= most + 2.0


@pytest.mark.parametrize("name", ["Guest 2", "guest 2", "Anonyme 2", "ANONYME 2", "#2", "Guest\u00a02"])
def test_B129_nobody_is_called_as_a_guest_without_a_name_is(name: str) -> None:
    """Who is stored as `#2` is told of by a word of each reader's language."""
    wire = Wire.open(players=3, seats=["person", "open", "open"])
    wire.tell(Sit("#2", "bo"))
    assert wire.refusal(Sit(name, "cy")).startswith("somebody named")
    wire.tell(Sit("Guest 3", "cy"))
    assert wire.refusal(Rename(2, name)).startswith("somebody named")
    assert wire.refusal(Rename(1, "#3")).startswith("somebody named")


def test_B129_no_bot_is_called_as_somebody_there_looks() -> None:
    first, second = BOT_NAMES[:2]
    wire = Wire.open(players=3, seats=["person", "open", "open"])
    wire.tell(Sit(first.replace("a", "\u0430").replace("A", "\u0410"), "bo"))
    wire.tell(Fill(0, "steady"))
    assert [chair.name for chair in wire.table.chairs if chair.kind == "bot"] == [second]


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("look", [check, prove, partial(show, lang="en")], ids=["check", "verify", "show"])
def test_no_record_moves_the_cursor_of_whoever_looks_at_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], look: Callable[..., int], as_json: bool
) -> None:
    """A record comes from anybody; names, rules, moves and proofs in it may hold what a terminal obeys."""
    evil = "\x1b[2J\x9b31m\u202e\x07\u2028\r"
    made = record.new(cagnotte.game("fan-tan", 3, deals=1), "ABC", [bot("steady")] * 3, random.Random(1))
    sound = json.loads(str(made))
    spoilt = {
        "players": [evil + name for name in "ABC"],
        "game": evil,
        "rules": {evil: evil},
        "moves": [*made.moves[:3], f"0 {evil}"],
        "result": {"stacks": evil},
        "cagnotte": evil,
        "proof": [{"secret": "00" * 32, "shares": {evil: "0"}}],
    }
    for key, value in spoilt.items():
        path = tmp_path / "record.json"
        path.write_text(json.dumps(sound | {key: value}), "utf-8")
        look([str(path)], as_json=as_json)
        said = "".join(capsys.readouterr())
        assert said and all(char == "\n" or char.isprintable() for char in said), key
