"""All tables: those in memory, and those that rest in the store."""

import asyncio
import contextlib
import logging
import math
import random
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final

from cagnotte.fairness import Dice, Proof, new_secret
from cagnotte.server import measure
from cagnotte.server.codes import new_id, read_code, read_id
from cagnotte.server.limits import DAY, Buckets, Limits, Turns
from cagnotte.server.logs import about, log, place
from cagnotte.server.rooms import Room
from cagnotte.server.store import Damaged, Store, Unknown, Unstored
from cagnotte.table import Table
from cagnotte.table_terms import Entered

SWEEP: Final = 30.0  # seconds between looks at what may be let go
NOTE: Final = 1.0  # seconds between notes that a table is awake


class Hall:
    """The tables by their ids: loaded when somebody asks for one, let go of when nobody is at it for long."""

    def __init__(
        self,
        store: Store,
        limits: Limits = Limits(),  # noqa: B008
        clock: Callable[[], float] = time.monotonic,
        dice: random.Random | None = None,
        throw: Callable[[Proof], random.Random] = Dice,
    ) -> None:
        """`dice` are the system's, and secrets come from them; shuffles from `throw`."""
        self.store = store
        self.limits = limits
        self.clock = clock
        self.dice = dice or secrets.SystemRandom()
        self.throw = throw
        self.started = time.time()
        self.stopped: float | None = None  # the server before, while a table was awake; seconds since 1970
        self.rooms: dict[str, Room] = {}
        self.turns = Turns()  # in the loop
        self.loads = Turns()
        self.entries = Buckets(limits.entries, limits.entries_per_second, clock)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._noted = -math.inf  # when a table was last seen awake

    async def begin(self) -> None:
        """Learn when the server stopped, and look after the tables from now on."""
        with contextlib.suppress(Unstored):
            self.stopped = await self.store.noted()
        self.spawn(self.tend())
        self.spawn(self.watch())

    async def end(self) -> None:
        """Note when the server stops, so that every clock goes on from there; and stop all."""
        if self.clock() - self._noted < 3 * NOTE:
            await self._note()
        self.close()

    async def watch(self) -> None:
        """While a table is awake note it, in case the server is killed; for ever."""
        while True:
            if any(room.awake for room in self.rooms.values()):
                self._noted = self.clock()
                await self._note()
            await asyncio.sleep(NOTE)

    async def _note(self) -> None:
        with contextlib.suppress(Unstored):
            await self.store.note(time.time())

    def seal(self) -> str:
        """The secret of a shuffle to come."""
        return new_secret(self.dice)

    def spawn(self, work: Any) -> None:
        """Do this besides; it ends with the hall at the latest."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def open(self, table: Table, entered: list[Entered]) -> Room:
        """Store a new table, and have it here."""
        id = new_id()
        await self.store.append(id, 1, [each.entry for each in entered])
        room = self.rooms[id] = Room(id, await self._code(id), table, self)
        measure.happened["opened"] += 1
        about(id, "opened")
        return room

    async def room(self, id: str, address: str = "") -> Room:
        """A table by its id, in any case, for one at this address; raises Unknown or Damaged."""
        known = read_id(id)
        if known is None:
            raise Unknown(id)
        if known not in self.rooms:
            table = await self.loads.once(known, address, lambda: self._load(known))
            code = await self._code(known)
            if known not in self.rooms:
                self.rooms[known] = Room(known, code, table, self)
                about(known, "loaded")
        room = self.rooms[known]
        room.used = self.clock()
        return room

    async def _code(self, id: str) -> str:
        code = await self.store.code(id)
        if code is None:
            raise Unknown(id)
        return code

    async def find(self, text: str) -> str | None:
        """The id of the table with this room code, or with this id."""
        if code := read_code(text):
            return await self.store.find(code, self.limits.codes_hold)
        id = read_id(text)
        return id if id and await self.store.code(id) else None

    async def is_free(self, id: str, address: str) -> bool:
        """Whether one may sit down at this table and wait for the first sitting."""
        try:
            table = (await self.room(id, address)).table
        except (Unknown, Damaged, Unstored):
            return False
        return table.free > 0

    def listed(self) -> Iterator[Room]:
        """The tables which their hosts show to all, where somebody waits for more; the last opened first.

        Nobody fills the list: of each address only so many are in it.
        """
        shares: Counter[str] = Counter()
        for room in reversed(self.rooms.values()):
            table = room.table
            if table.listed and table.free and table.there.present:
                shares[room.payer] += 1
                if shares[room.payer] <= self.limits.listed_of_address:
                    yield room

    async def load(self, id: str, address: str) -> Table:
        """A table as it is stored, one at a time; raises Unknown, Damaged or Unstored."""
        async with self.loads.alone(address):
            return await self._load(id)

    async def _load(self, id: str) -> Table:
        try:
            entries, times = await self.store.log(id)
            if not entries:
                raise Unknown(id)
            table = await asyncio.to_thread(Table.restore, entries, self._before(times))
            if table.forgotten:  # and was to be deleted when the server was stopped
                await self.forget(id)
                raise Unknown(id)
            return table
        except (Unknown, Unstored):
            raise
        except Exception as error:
            about(id, "is damaged and is left alone", place(error), logging.ERROR)
            raise Damaged(id) from error

    def _before(self, times: list[float]) -> list[float] | None:
        """These times as seconds from when the server stopped; None where a table was played at since."""
        if self.stopped is None or times[-1] >= self.started:
            return None
        stopped = max(self.stopped, times[-1])
        return [min(0.0, at - stopped) for at in times]

    async def forget(self, id: str) -> None:
        """Delete a table for good; raises Unstored."""
        await self.store.delete(id)
        self.rooms.pop(id, None)
        about(id, "deleted")

    async def tend(self) -> None:
        """Let go of tables that nobody is at, and delete what is too old; for ever."""
        deleted = -math.inf
        while True:
            if self.clock() - deleted > DAY / 24:
                deleted = self.clock()
                with contextlib.suppress(Unstored):
                    rooms = tuple(self.rooms)
                    gone = await self.store.expire(self.limits.lobby, self.limits.sitting, rooms)
                    log.info("tables deleted for their age: %d", gone)
            await self.store.fold()
            self.sweep()
            await asyncio.sleep(SWEEP)

    def sweep(self) -> None:
        """Let go of tables that nobody is at."""
        old = self.clock() - self.limits.unload
        for id, room in list(self.rooms.items()):
            if not room.lines and room.used < old and not room.lock.locked():
                room.stop()
                del self.rooms[id]
                about(id, "let go of")

    def close(self) -> None:
        """Stop every clock, and whatever is under way."""
        for room in self.rooms.values():
            room.stop()
        for task in list(self._tasks):
            task.cancel()
