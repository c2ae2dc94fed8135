"""How much may be asked: a bucket of tokens that fills again with time."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

DAY: Final = 86400.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What one address, socket or table may ask of us."""

    tables: int = 100  # that an address may open at once …
    tables_per_second: float = 0.2  # … and from then on
    codes: int = 20  # that an address may look up at once …
    codes_per_second: float = 1 / 3  # … and from then on
    tales: int = 60  # deals and records that an address may ask for at once …
    tales_per_second: float = 2.0  # … and from then on
    lines: int = 5  # of chat that a person may say at once …
    lines_per_second: float = 0.5  # … and from then on
    messages: int = 60  # of a socket at once …
    messages_per_second: float = 20.0  # … and from then on
    sockets_at_table: int = 250  # that see it without a seat
    sockets_of_seat: int = 20
    sockets_of_address: int = 1000
    hello: float = 10.0  # seconds until a socket says who it is
    unload: float = 300.0  # seconds that a table without sockets stays in memory
    lobby: float = DAY  # seconds after which a table where nothing began is deleted
    sitting: float = 90 * DAY  # seconds after which any other is


class Bucket:
    """So many at once, and so many a second from then on."""

    def __init__(self, size: int, rate: float, clock: Callable[[], float]) -> None:
        self.size = size
        self.rate = rate
        self.clock = clock
        self.left = float(size)
        self.seen = clock()

    def take(self) -> bool:
        """Take one, if there is one."""
        now = self.clock()
        self.left = min(self.size, self.left + (now - self.seen) * self.rate)
        self.seen = now
        if self.left < 1:
            return False
        self.left -= 1
        return True

    @property
    def full(self) -> bool:
        """Whether as many as ever may be taken."""
        return self.left + (self.clock() - self.seen) * self.rate >= self.size


class Buckets:
    """A bucket for each address; full ones are forgotten."""

    def __init__(self, size: int, rate: float, clock: Callable[[], float]) -> None:
        self._new = partial(Bucket, size, rate, clock)
        self._buckets: dict[str, Bucket] = {}

    def take(self, address: str) -> bool:
        """Take one from the bucket of this address, if there is one."""
        if len(self._buckets) > 1000:
            self._buckets = {each: bucket for each, bucket in self._buckets.items() if not bucket.full}
        return self._buckets.setdefault(address, self._new()).take()
