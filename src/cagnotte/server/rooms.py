"""Live tables: their sockets, clocks, shuffles and bots around `Table`."""

import asyncio
import contextlib
import hashlib
import logging
import math
import random
import secrets
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from cagnotte.core import Illegal, Seat
from cagnotte.players import anyhow, bot
from cagnotte.server import wire
from cagnotte.server.limits import DAY, Limits
from cagnotte.server.store import Damaged, Store, Unstored
from cagnotte.table import Table
from cagnotte.table_terms import (
    Act,
    Done,
    Draw,
    Drawn,
    Entered,
    Here,
    Input,
    Refused,
    Seated,
    Sit,
    StandIn,
    Tick,
    Update,
)

LETTERS: Final = "23456789bcdfghjkmnpqrstvwxz"  # no vowels, and none that looks like another
CODE: Final = 10  # letters of a table's id: 47 bits
BACKLOG: Final = 200  # messages that may wait for a slow reader
SWEEP: Final = 30.0  # seconds between looks at what may be let go
AGAIN: Final = 5.0  # seconds before a table that failed is tried again
UNSTORED: Final = Illegal(None, "this could not be stored: try again")
OURS: Final = Illegal(None, "this could not be done: the fault is ours")

log = logging.getLogger("cagnotte")


def hashed(token: str) -> str:
    """What is kept of a seat's secret."""
    return hashlib.sha256(token.encode()).hexdigest()


class Line:
    """One socket at a table, with what it waits to send; one that reads too slowly is cut off."""

    def __init__(self, lang: str, token: str | None) -> None:
        self.lang = lang
        self.secret = hashed(token) if token else None
        self.token: str | None = None  # for a seat that is being taken
        self.out: asyncio.Queue[str | None] = asyncio.Queue()

    def send(self, text: str) -> None:
        """Have this sent after what already waits; too much of that, and the socket is cut off."""
        if self.out.qsize() < BACKLOG:
            self.out.put_nowait(text)
        else:
            self.close()

    def close(self) -> None:
        """Send nothing more than what waits."""
        self.out.put_nowait(None)


class Room:
    """A table in memory. All that happens to it happens one after another."""

    def __init__(self, id: str, table: Table, hall: "Hall") -> None:
        self.id = id
        self.table = table
        self.hall = hall
        self.lines: set[Line] = set()
        self.lock = asyncio.Lock()
        self.timer: asyncio.TimerHandle | None = None
        self.sound = True  # what is in memory is what is stored
        self.used = hall.clock()

    def seat(self, line: Line) -> Seat | None:
        """The seat whose secret this socket knows."""
        return self.table.seat_of(line.secret)

    # What sockets ask; nobody is shown anything that is not stored.

    async def join(self, line: Line) -> None:
        """A socket is at the table: its first update, and word to the others."""
        async with self.lock:
            if (seat := self.seat(line)) is not None:
                await self._feed(Here(seat, True), None)
            self.lines.add(line)
            self._show(line, with_log=True)

    async def part(self, line: Line) -> None:
        """A socket is gone."""
        async with self.lock:
            self.lines.discard(line)
            seat = self.seat(line)
            if seat is not None and all(self.seat(other) != seat for other in self.lines):
                await self._feed(Here(seat, False), None)
            self.used = self.hall.clock()

    async def hear(self, line: Line, make: Callable[[Seat | None], Input]) -> None:
        """What a socket asks for, made from its seat."""
        async with self.lock:
            await self._feed(make(self.seat(line)), line)

    async def sit(self, line: Line, name: str, seat: Seat | None) -> None:
        """A socket would take this seat, or any; its secret is made here and told to it alone."""
        async with self.lock:
            line.token = secrets.token_urlsafe(18)
            await self._feed(Sit(name, hashed(line.token), seat, line.secret), line)

    async def speak(self, line: Line, lang: str) -> None:
        """A socket wants another language."""
        async with self.lock:
            line.lang = lang
            self._show(line, with_log=True)

    async def refuse(self, line: Line, illegal: Illegal) -> None:
        """Tell a socket why not, and how the table stands."""
        async with self.lock:
            self._refuse(line, illegal)

    async def tick(self) -> None:
        """The time that the table waited for has come."""
        async with self.lock:
            await self._feed(Tick(), None)

    # What follows.

    async def _feed(self, given: Input, line: Line | None) -> None:
        """Tell the table, store, and tell the sockets; then what the table asks for, until it waits."""
        move_id = given.move_id if isinstance(given, Act) else None
        if not self.sound:
            await self._restore()
        if not self.sound:
            return self._refuse(line, UNSTORED, move_id)
        try:
            then = await self._step(given, line)
            while then is not None:
                then = await self._step(then, None)
            self._wind()
        except Exception as error:  # whatever it is, the table goes on from what is stored
            ours = not isinstance(error, Unstored)
            log.error("table %s: %s", self.id, _place(error) if ours else error)
            self.sound = False
            await self._restore()
            self._refuse(line, OURS if ours else UNSTORED, move_id)

    async def _step(self, given: Input, line: Line | None) -> Input | None:
        """What the table makes of this, stored and told; what it asks for next."""
        outputs = self.table.receive(self.hall.clock(), given)
        entered = [output for output in outputs if isinstance(output, Entered)]
        if entered:
            await self.hall.store.append(self.id, entered[0].version, [each.entry for each in entered])
        then: Input | None = None
        for output in outputs:
            match output:
                case Seated(seat):
                    assert line is not None and line.token is not None
                    line.secret = hashed(line.token)
                    line.send(wire.write(type="seated", seat=seat, token=line.token))
                case Done(move_id):
                    if line is not None:
                        line.send(wire.write(type="done", id=move_id))
                case Refused(illegal, move_id):
                    if line is None:
                        log.error("table %s: it refused itself: %s", self.id, illegal.template)
                    self._refuse(line, illegal, move_id)
                case Draw():
                    then = Drawn(self.table.game.draw(self.table.play, self.hall.dice))
                case StandIn(seat, level):
                    then = self._stand_in(seat, level)
        self._tell([output for output in outputs if isinstance(output, Update)])
        return then

    def _stand_in(self, seat: Seat, level: str) -> Act:
        table = self.table
        view, told = table.game.view(table.play, seat), table.told(seat)
        try:
            action = bot(level)(view, told, random.Random(secrets.randbits(64)))
            table.game.decide(table.play, action)
        except Exception as error:  # a bot that fails does not stop a table
            log.error("table %s: the bot %s failed: %s", self.id, level, _place(error))
            action = anyhow(view, told, self.hall.dice)
        return Act(seat, table.version, None, str(action), True)

    def _tell(self, updates: Sequence[Update]) -> None:
        """Each update to the sockets of its viewer."""
        lines: dict[Seat | None, list[Line]] = {}
        for line in self.lines if updates else ():
            lines.setdefault(self.seat(line), []).append(line)
        around = wire.table_json(self.table, self.id, self.hall.clock()) if lines else {}
        names = self.table.names
        for told in updates:
            texts: dict[tuple[str, Seat | None], str] = {}
            for line in lines.get(told.viewer, ()):
                key = line.lang, self.table.former_seat(line.secret)
                if key not in texts:
                    texts[key] = wire.update(told, around, names, *key)
                line.send(texts[key])

    def _show(self, line: Line, with_log: bool = False) -> None:
        """The latest state, for one socket; for one that was not there, with the log of the deal."""
        if self.sound:
            told = self.table.look(self.seat(line), log=with_log)
            around = wire.table_json(self.table, self.id, self.hall.clock())
            former = self.table.former_seat(line.secret)
            line.send(wire.update(told, around, self.table.names, line.lang, former))

    def _refuse(self, line: Line | None, illegal: Illegal, move_id: str | None = None) -> None:
        if line is not None:
            line.send(wire.refused(illegal, line.lang, move_id))
            self._show(line)

    async def _restore(self) -> None:
        """Begin again from what is stored."""
        try:
            self.table = await self.hall.load(self.id)
            for seat in sorted({seat for line in self.lines if (seat := self.seat(line)) is not None}):
                self.table.receive(self.hall.clock(), Here(seat, True))
            self.sound = True
            for line in self.lines:
                self._show(line, with_log=True)
        except Exception as error:
            log.error("table %s: cannot be restored: %s", self.id, _place(error))
            self.sound = False
        self._wind(AGAIN)

    # The clock.

    def _wind(self, least: float = 0.0) -> None:
        """Be called when the table next wants a tick, and not before so many seconds."""
        self.stop()
        due = self.table.due if self.sound else self.hall.clock()
        if due is not None:
            wait = max(least, due - self.hall.clock())
            self.timer = asyncio.get_running_loop().call_later(wait, self._ring)

    def _ring(self) -> None:
        self.timer = None
        self.hall.spawn(self.tick())

    def stop(self) -> None:
        """Forget when the table wants its next tick."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class Unknown(Exception):
    """There is no such table."""


class Hall:
    """All tables: those in memory, and those that rest in the store."""

    def __init__(
        self,
        store: Store,
        limits: Limits = Limits(),  # noqa: B008
        clock: Callable[[], float] = time.monotonic,
        dice: random.Random | None = None,
    ) -> None:
        self.store = store
        self.limits = limits
        self.clock = clock
        self.dice = dice or secrets.SystemRandom()
        self.rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Any) -> None:
        """Do this besides; it ends with the hall at the latest."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def open(self, table: Table, entered: list[Entered]) -> str:
        """Store a new table; its id."""
        id = "".join(secrets.choice(LETTERS) for _ in range(CODE))
        await self.store.append(id, 1, [each.entry for each in entered])
        self.rooms[id] = Room(id, table, self)
        return id

    async def room(self, id: str) -> Room:
        """A table by its id, in any case; raises Unknown or Damaged."""
        id = id.lower()
        if len(id) != CODE or not set(id) <= set(LETTERS):
            raise Unknown(id)
        if id not in self.rooms:
            if id not in self._loading:
                self._loading[id] = asyncio.create_task(self.load(id))
                self._loading[id].add_done_callback(lambda _: self._loading.pop(id))
            table = await asyncio.shield(self._loading[id])
            self.rooms.setdefault(id, Room(id, table, self))
        room = self.rooms[id]
        room.used = self.clock()
        return room

    async def load(self, id: str) -> Table:
        """A table as it is stored; raises Unknown, Damaged or Unstored."""
        try:
            entries = await self.store.read(id)
            if not entries:
                raise Unknown(id)
            return await asyncio.to_thread(Table.restore, entries)
        except (Unknown, Unstored):
            raise
        except Exception as error:
            log.error("table %s is damaged and is left alone: %s", id, _place(error))
            raise Damaged(id) from error

    async def tend(self) -> None:
        """Let go of tables that nobody is at, and delete what is too old; for ever."""
        deleted = -math.inf
        while True:
            if self.clock() - deleted > DAY / 24:
                deleted = self.clock()
                with contextlib.suppress(Unstored):
                    await self.store.expire(self.limits.lobby, self.limits.sitting, tuple(self.rooms))
            self.sweep()
            await asyncio.sleep(SWEEP)

    def sweep(self) -> None:
        """Let go of tables that nobody is at."""
        old = self.clock() - self.limits.unload
        for id, room in list(self.rooms.items()):
            if not room.lines and room.used < old and not room.lock.locked():
                room.stop()
                del self.rooms[id]

    def close(self) -> None:
        """Stop every clock, and whatever is under way."""
        for room in self.rooms.values():
            room.stop()
        for task in list(self._tasks):
            task.cancel()


def _place(error: Exception) -> str:
    """A fault of ours for the log: its kind and where it was raised, since its text might hold cards."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    return " ".join([type(error).__name__, *(f"{Path(at.filename).name}:{at.lineno}" for at in last)])
