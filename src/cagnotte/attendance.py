"""Who is at a table, and since when: what a table knows and does not store."""

from dataclasses import dataclass, field
from math import inf
from typing import Final

from cagnotte.core import Seat

GRACE: Final = 20.0  # seconds that a person may be away before a bot acts for him, also after a restart
HOST_GRACE: Final = 60.0  # seconds after which another person becomes host


@dataclass(slots=True)
class Attendance:
    """The persons present, by seat, and the times (seconds) from which waits are counted.

    The table sleeps while nobody is present; what happened before it woke counts for nothing. A restart of
    the server is no sleep: once `resume` was called, whoever is back within GRACE was there all along.
    """

    present: set[Seat] = field(default_factory=set)
    gone: dict[Seat, float] = field(default_factory=dict)  # since when
    came: dict[Seat, float] = field(default_factory=dict)  # when, for those present
    woke: float = 0.0
    spent: float | None = None  # seconds of the present wait that were over when the server stopped
    begun: float = 0.0  # when the present wait began
    shown: float = -inf  # when a page has shown what was played
    joined: float | None = None  # since when in it two were there, whoever came and went after that
    rests: float | None = None  # since when the table is paused
    rested: float = 0.0  # seconds of the pauses before, in this sitting
    ended: float | None = None  # when somebody ended another's pause, in this sitting
    idle: set[Seat] = field(default_factory=set)  # let a turn go by, and did not act since
    went: set[Seat] = field(default_factory=set)  # have seen enough of the settlement

    def come(self, now: float, seat: Seat) -> None:
        """A person is there: the first wakes the table."""
        self.present.add(seat)
        if len(self.present) == 1:
            self._wake(now)
        if self.spent is not None and now < self.woke + GRACE and seat not in self.gone:
            if self.rests is None:
                self.begun = now - self.spent
            self.came[seat] = self.begun
        else:
            self.came[seat] = now
        if len(self.present) > 1 and self.joined is None:
            self.joined = self.came[seat] if self.rests is None else self.rests

    def _wake(self, now: float) -> None:
        self.woke = now
        self.idle.clear()
        if self.spent is None:
            self.rests = None if self.rests is None else now
            self.fresh(now)
        else:  # times before were counted from the stop
            self.rests = None if self.rests is None else self.rests + now
            self.ended = None if self.ended is None else self.ended + now
            self.begun = (now if self.rests is None else self.rests) - self.spent
        self.shown = self.begun

    def resume(self, begun: float, most: float) -> None:
        """The server stopped at time 0, in a wait that began then; at most so much of it shall be over."""
        self.spent = max(0.0, min((self.rests or 0.0) - begun, most))
        self.gone.clear()

    def lose(self, now: float, seat: Seat) -> None:
        """A person is no longer seen, or has left."""
        self.present.discard(seat)
        self.went.discard(seat)
        self.gone[seat] = now
        if not self.present:
            self.spent = None

    def company(self, seat: Seat) -> float | None:
        """Since when another is there to be kept waiting; whoever reloads his own page gains nothing."""
        return min((self.came[other] for other in self.present if other != seat), default=None)

    def moved(self, now: float, showing: float = 0.0) -> None:
        """Something was played, which a page shows for so many seconds, after what it shows already."""
        self.fresh(now)
        self.shown = max(self.shown, now) + showing
        self.went.clear()

    def fresh(self, now: float) -> None:
        """A wait begins, or begins anew; in a pause it has its whole time left."""
        self.spent = None
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
            self.shown = max(self.shown, min(now, self.shown + rested))
            if self.joined is not None:
                self.joined = min(now, self.joined + rested)
            self.came = {seat: min(now, came + rested) for seat, came in self.came.items()}
            self.rests = None

    def away(self, seat: Seat, grace: float) -> float | None:
        """When this seat will have been empty for so long; None for a person who is there, or in a sleep."""
        if seat in self.present or not self.present:
            return None
        return max(self.gone.get(seat, 0.0), self.woke) + grace
