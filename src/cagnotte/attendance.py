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
    woke: float = 0.0
    company: float = 0.0  # since when two persons are there
    begun: float = 0.0  # when the present wait began
    rests: float | None = None  # since when the table is paused
    idle: set[Seat] = field(default_factory=set)  # present, and let a turn go by
    went: set[Seat] = field(default_factory=set)  # have seen enough of the settlement

    def come(self, now: float, seat: Seat) -> None:
        """A person is there: the first wakes the table, with the second each has company."""
        self.present.add(seat)
        if len(self.present) == 1:
            self.woke = now
            self.fresh(now)
        elif len(self.present) == 2:
            self.company = now

    def lose(self, now: float, seat: Seat) -> None:
        """A person is no longer seen, or has left."""
        for those in (self.present, self.idle, self.went):
            those.discard(seat)
        self.gone[seat] = now

    def moved(self, now: float) -> None:
        """Something was played."""
        self.fresh(now)
        self.went.clear()

    def fresh(self, now: float) -> None:
        """A wait begins, or begins anew."""
        self.begun = now
        if self.rests is not None:
            self.rests = now

    def pause(self, now: float, on: bool) -> None:
        """The table rests, or goes on with as much time as was left."""
        if on:
            self.rests = now
        elif self.rests is not None:
            rested = now - self.rests
            self.begun, self.company = min(now, self.begun + rested), min(now, self.company + rested)
            self.rests = None

    def away(self, seat: Seat, grace: float) -> float | None:
        """When this seat will have been empty for so long; None for a person who is there, or in a sleep."""
        if seat in self.present or not self.present:
            return None
        return max(self.gone.get(seat, 0.0), self.woke) + grace
