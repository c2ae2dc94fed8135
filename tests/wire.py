"""A table over a fake wire: a log in a list, a clock that one sets, dice that one knows."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import cagnotte
from cagnotte.core import Seat
from cagnotte.entries import Entry
from cagnotte.players import bot
from cagnotte.table import Table
from cagnotte.table_terms import (
    Act,
    Draw,
    Entered,
    Here,
    Input,
    Output,
    Refused,
    Seated,
    Sit,
    StandIn,
    Start,
    Tick,
    Update,
    Wait,
)

NAMES = ("Ann", "Bo", "Cy", "Di", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo", "Kay", "Lou")


@dataclass
class Wire:
    """What a server does around a table, without a server."""

    table: Table
    entries: list[Entry]
    dice: random.Random
    now: float = 1000.0
    heard: list[Update] = field(default_factory=list)
    times: list[float] = field(default_factory=list)  # of the entries

    @classmethod
    def open(
        cls,
        game: str = "fan-tan",
        players: int = 4,
        seats: Sequence[str] | None = None,
        chosen: Mapping[str, Any] = MappingProxyType({}),
        seed: int = 0,
        sealed: str | None = None,
        **rules: object,
    ) -> "Wire":
        """A table of Ann's, with steady bots unless told otherwise; persons have the secret of their seat."""
        wanted = seats or ["person", *["steady"] * (players - 1)]
        persons = [(NAMES[seat], f"secret {seat}") for seat, kind in enumerate(wanted) if kind == "person"]
        table, entered = Table.open(cagnotte.game(game, players, **rules), wanted, persons, sealed, **chosen)
        wire = cls(table, [each.entry for each in entered], random.Random(seed))
        wire.times = [wire.now] * len(entered)
        return wire

    @classmethod
    def company(cls, game: str = "fan-tan", players: int = 4, **options: object) -> "Wire":
        """A table where persons have taken every seat, and its host begins."""
        wire = cls.open(game, players, ["person", *["open"] * (players - 1)], **options)  # type: ignore[arg-type]
        wire.tell(Here(0, True))
        for seat in range(1, players):
            assert Seated(seat) in wire.tell(Sit(NAMES[seat], f"secret {seat}"))
        return wire

    def here(self, *seats: Seat) -> "Wire":
        """These persons are there."""
        for seat in seats:
            self.tell(Here(seat, True))
        return self

    def tell(self, given: Input) -> list[Output]:
        """Tell the table this, and what it asks for until it waits; what it answered to this."""
        first = outputs = self.table.receive(self.now, given)
        while True:
            then: Input | None = None
            for output in outputs:
                match output:
                    case Entered(version, entry):
                        self.entries.append(entry)
                        self.times.append(self.now)
                        assert version == len(self.entries)
                    case Update():
                        self.heard.append(output)
                    case Draw():
                        then = self.table.draw(self.dice)
                    case StandIn(seat, level):
                        view = self.table.game.view(self.table.play, seat)
                        action = bot(level)(view, self.table.told(seat), self.dice)
                        then = Act(seat, self.table.version, None, str(action), True)
            if then is None:
                return first
            outputs = self.table.receive(self.now, then)
            assert not any(isinstance(output, Refused) for output in outputs)

    def refusal(self, given: Input) -> str:
        """Why the table refuses this; it must, and nothing may change."""
        before = len(self.entries)
        outputs = self.tell(given)
        assert len(outputs) == 1 and isinstance(outputs[0], Refused), outputs
        assert len(self.entries) == before
        return outputs[0].illegal.message

    def act(
        self, seat: Seat, move: str | None = None, id: str | None = None, seen: int | None = None
    ) -> list[Output]:
        """A person's move: this one, or the first that is legal."""
        seen = self.table.version if seen is None else seen
        return self.tell(Act(seat, seen, id, move or self.moves()[0]))

    def wait(self, seconds: float) -> None:
        """Let time pass, with a tick whenever the table wants one."""
        end = self.now + seconds
        while (due := self.table.due) is not None and due <= end:
            self.now = max(self.now, due)
            self.tell(Tick())
        self.now = end

    def deal(self) -> None:
        """Until somebody is to act who is not to cut, and has been shown his cards."""
        while self.table.play is None or self.table.play.phase in ("draw", "dealer", "shuffle", "cut"):
            self.wait(1)
            if self.table.play.phase == "cut" and self.person():
                self.act(self.actor)
        self.now = max(self.now, self.waits.begun)

    @property
    def actor(self) -> Seat:
        actor = self.table.game.actor(self.table.play)
        assert actor is not None
        return actor

    @property
    def waits(self) -> Wait:
        wait = self.table.wait()
        assert wait is not None
        return wait

    def person(self) -> bool:
        """Whether a person is to act."""
        return self.actor >= 0 and self.table.chairs[self.actor].kind == "person"

    def moves(self) -> list[str]:
        return [str(action) for action in self.table.game.legal(self.table.play)]

    def restored(self) -> Table:
        return Table.restore(self.entries)

    def restart(self, seconds: float = 10_000.0) -> None:
        """The server stops, and is started again after so long, with another clock."""
        self.table = Table.restore(self.entries, [at - self.now for at in self.times])
        assert self.table == self.restored() and self.table.due is None
        self.now += seconds
        self.times = [at + seconds for at in self.times]


def start(wire: Wire) -> Wire:
    """Its host begins, and somebody is to play."""
    wire.tell(Start(0))
    wire.deal()
    return wire
