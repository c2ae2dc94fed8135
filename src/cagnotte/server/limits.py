"""How much may be asked: a bucket of tokens that fills again with time; and whose turn it is."""

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, Final, TypeVar
from weakref import WeakValueDictionary

DAY: Final = 86400.0
FEW: Final = 8  # long answers that an address is sent at a time …
READ: Final = 3.0  # … and the seconds after which one that is not read counts no more

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one address, socket or table may ask of us."""

    tables: int = 100  # that an address may open at once …
    tables_per_second: float = 0.2  # … and from then on
    codes: int = 20  # that an address may look up at once …
    codes_per_second: float = 1 / 3  # … and from then on
    codes_of_site: int = 5  # so many times as much, all addresses of an IPv6 site (48 bits) together
    codes_hold: float = 8 * DAY  # seconds that a code finds a table which nobody touches
    opens: int = 1000  # connections, also of sockets, that an address may open at once …
    opens_per_second: float = 50.0  # … and from then on
    asks: int = 500  # requests of an address at once, the page's own files aside …
    asks_per_second: float = 50.0  # … and from then on
    files: int = 10_000  # the page's own files that an address may ask for at once …
    files_per_second: float = 100.0  # … and from then on
    tales: int = 60  # deals and records that an address may ask for at once …
    tales_per_second: float = 2.0  # … and from then on
    lines: int = 5  # of chat that a person may say at once …
    lines_per_second: float = 0.5  # … and from then on
    wishes: int = 60  # that an address, or a seat, may enter in the log of a table at once, moves aside …
    wishes_per_second: float = 0.5  # … and from then on
    entries: int = 100_000  # in the logs of all tables of an address at once …
    entries_per_second: float = 50.0  # … and from then on its tables play no faster, each …
    rest: float = 20.0  # … waiting for so many seconds at most
    messages: int = 60  # of a socket at once …
    messages_per_second: float = 20.0  # … and from then on
    told: int = 250_000  # bytes of a table's state that a socket may ask for at once …
    told_per_second: float = 80_000.0  # … and from then on it is answered no faster
    onlookers: int = 250  # sockets that see a table without a seat …
    onlookers_of_address: int = 50  # … and of one address
    listed_of_address: int = 5  # open tables whose host is at this address
    sockets_of_seat: int = 20
    sockets_of_address: int = 1000
    connections_of_address: int = 1000  # besides its sockets
    hello: float = 10.0  # seconds until a socket says who it is
    silence: float = DAY / 2  # seconds until a socket that says nothing has to come again
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
        self._fill()
        if self.left < 1:
            return False
        self.left -= 1
        return True

    @property
    def empty(self) -> bool:
        """Whether there is none to take."""
        self._fill()
        return self.left < 1

    def owe(self, weight: float, most: float = math.inf) -> float:
        """Take so much, even if there is less; the seconds, these at most, until nothing is owed any more."""
        self._fill()
        self.left = max(self.left - weight, -most * self.rate)
        return max(0.0, -self.left / self.rate)

    @property
    def full(self) -> bool:
        """Whether as many as ever may be taken."""
        self._fill()
        return self.left >= self.size

    def _fill(self) -> None:
        now = self.clock()
        self.left = min(self.size, self.left + (now - self.seen) * self.rate)
        self.seen = now


class Buckets:
    """A bucket for each address; full ones are forgotten, those that were not used for long first."""

    def __init__(self, size: int, rate: float, clock: Callable[[], float]) -> None:
        self._new = partial(Bucket, size, rate, clock)
        self._buckets: dict[str, Bucket] = {}

    def take(self, address: str) -> bool:
        """Take one from the bucket of this address, if there is one."""
        taken = self._of(address).take()
        self._forget()
        return taken

    def owe(self, address: str, weight: float, most: float) -> float:
        """Take so much from it, even if there is less; the seconds, these at most, until nothing is owed."""
        owed = self._of(address).owe(weight, most)
        self._forget()
        return owed

    def _of(self, address: str) -> Bucket:
        bucket = self._buckets.pop(address) if address in self._buckets else self._new()
        self._buckets[address] = bucket
        return bucket

    def _forget(self) -> None:
        for oldest in [*islice(self._buckets, 2)]:  # more than come: so they never pile up
            if self._buckets[oldest].full:
                del self._buckets[oldest]

    def empty(self, address: str) -> bool:
        """Whether there is none to take for this address."""
        return address in self._buckets and self._buckets[address].empty


class Turns:
    """What one address wants waits behind itself, so that others wait for one thing of it and not for all."""

    def __init__(self) -> None:
        self._all = asyncio.Semaphore(1)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._few: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._wanted: dict[Hashable, asyncio.Future[Any]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def round(self, address: str) -> None:
        """Wait for a round of the loop in which nothing else of this address goes on from here."""
        async with self._of(address):
            await asyncio.sleep(0)  # others are heard between any two, however many come at once

    @asynccontextmanager
    async def few(self, address: str) -> AsyncIterator[None]:
        """While this lasts, but no longer than that, only a few others of this address do."""
        places = self._few.setdefault(address, asyncio.Semaphore(FEW))
        await places.acquire()
        mine = [places]

        def free() -> None:
            while mine:
                mine.pop().release()

        late = asyncio.get_running_loop().call_later(READ, free)
        try:
            yield
        finally:
            late.cancel()
            free()

    @asynccontextmanager
    async def alone(self, address: str) -> AsyncIterator[None]:
        """While this lasts nothing else has a turn; the next is another address's, if it waits for one."""
        async with self._of(address), self._all:
            yield

    async def once(self, what: Hashable, address: str, work: Callable[[], Awaitable[T]]) -> T:
        """What comes of this, alone, and once for all who want it: in the first turn that any of them has.

        So nobody waits longer for what another wanted before; and it is done, whoever of them goes.
        """
        if what not in self._wanted:
            self._wanted[what] = asyncio.get_running_loop().create_future()
        made: asyncio.Future[T] = self._wanted[what]
        task = asyncio.create_task(self._make(what, made, address, work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(made)

    async def _make(
        self, what: Hashable, made: "asyncio.Future[T]", address: str, work: Callable[[], Awaitable[T]]
    ) -> None:
        async with self.alone(address):
            if made.done():
                return
            try:
                made.set_result(await work())
            except Exception as error:
                made.set_exception(error)
            del self._wanted[what]  # whoever asks from now on wants what is so by now

    def _of(self, address: str) -> asyncio.Lock:
        return self._locks.setdefault(address, asyncio.Lock())
