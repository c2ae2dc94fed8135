"""Who is at a table, and since when: what a table knows and does not store."""

from dataclasses import dataclass, field
from typing import Final

from cagnotte.core import Seat

GRACE: Final = 20.0  # seconds that a person may be away before a bot acts for him
HOST_GRACE: Final = 60.0  # seconds after which another person becomes host


@dataclass(slots=True)
class Attendance:
    """The persons present, by seat, and the times (seconds) from which waits are counted.

    The table sleeps while nobody is present; what happened before it woke counts for nothing.
    """

    present: set[Seat] = field(default_factory=set)
    gone: dict[Seat, float] = field(default_factory=dict)  # since when
    came: dict[Seat, float] = field(default_factory=dict)  # when, for those present
    woke: float = 0.0
    begun: float = 0.0  # when the present wait began
    joined: float | None = None  # since when in it two were there, whoever came and went after that
    rests: float | None = None  # since when the table is paused
    rested: float = 0.0  # seconds of the pauses before, in this sitting
    ended: float | None = None  # when somebody ended another's pause, in this sitting
    idle: set[Seat] = field(default_factory=set)  # let a turn go by, and did not act since
    went: set[Seat] = field(default_factory=set)  # have seen enough of the settlement

    def come(self, now: float, seat: Seat) -> None:
        """A person is there: the first wakes the table."""
        self.present.add(seat)
        self.came[seat] = now
        if len(self.present) == 1:
            self.woke = now
            self.idle.clear()
            if self.rests is not None:
                self.rests = now
            self.fresh(now)
        elif self.joined is None:
            self.joined = now if self.rests is None else self.rests

    def lose(self, now: float, seat: Seat) -> None:
        """A person is no longer seen, or has left."""
        self.present.discard(seat)
        self.went.discard(seat)
        self.gone[seat] = now

    def company(self, seat: Seat) -> float | None:
        """Since when another is there to be kept waiting; whoever reloads his own page gains nothing."""
        return min((self.came[other] for other in self.present if other != seat), default=None)

    def moved(self, now: float) -> None:
        """Something was played."""
        self.fresh(now)
        self.went.clear()

    def fresh(self, now: float) -> None:
        """A wait begins, or begins anew; in a pause it has its whole time left."""
        self.begun = now if self.rests is None else self.rests
        self.joined = self.begun if len(self.present) > 1 else None

    def pause(self, now: float, on: bool) -> None:
        """The table rests, or goes on with as much time as was left."""
        if on:
            self.rests = now
        elif self.rests is not None:
            rested = now - self.rests
            self.rested += rested
            self.begun = min(now, self.begun + rested)
            if self.joined is not None:
                self.joined = min(now, self.joined + rested)
            self.came = {seat: min(now, came + rested) for seat, came in self.came.items()}
            self.rests = None

    def away(self, seat: Seat, grace: float) -> float | None:
        """When this seat will have been empty for so long; None for a person who is there, or in a sleep."""
        if seat in self.present or not self.present:
            return None
        return max(self.gone.get(seat, 0.0), self.woke) + grace
