"""Live tables: their sockets, clocks, shuffles and bots around `Table`."""

import asyncio
import hashlib
import logging
import random
import secrets
import time
from collections.abc import Callable
from typing import Any, Final

from cagnotte.core import Illegal, Seat
from cagnotte.locale import refusal
from cagnotte.players import bot
from cagnotte.server import wire
from cagnotte.server.limits import Limits
from cagnotte.server.store import Damaged, Store, Unstored
from cagnotte.table import Table
from cagnotte.table_terms import (
    Act,
    Done,
    Draw,
    Drawn,
    Here,
    Input,
    Record,
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
AGAIN: Final = 5.0  # seconds before a table that failed is tried again

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
        self.idle_since = hall.clock()

    def seat(self, line: Line) -> Seat | None:
        return self.table.seat_of(line.secret)

    async def join(self, line: Line) -> None:
        """A socket is at the table: its first update, and word to the others."""
        async with self.lock:
            seat = self.seat(line)
            if seat is not None and seat not in self.table.present:
                await self._feed(Here(seat, True), None)
            self.lines.add(line)
            self.show(line, log=True)

    async def part(self, line: Line) -> None:
        """A socket is gone."""
        async with self.lock:
            self.lines.discard(line)
            seat = self.seat(line)
            if seat is not None and all(self.seat(other) != seat for other in self.lines):
                await self._feed(Here(seat, False), None)
            self.idle_since = self.hall.clock()

    async def hear(self, line: Line, make: Callable[[Seat | None], Input]) -> None:
        """What a socket asks for, made from its seat."""
        async with self.lock:
            await self._feed(make(self.seat(line)), line)

    async def sit(self, line: Line, name: str, seat: Seat | None) -> None:
        token = secrets.token_urlsafe(18)
        async with self.lock:
            line.token = token
            await self._feed(Sit(name, hashed(token), seat, line.secret), line)

    def show(self, line: Line, log: bool = False) -> None:
        """The latest state, for one socket."""
        self._send_update(line, self.table.look(self.seat(line), log=log), {})

    async def tick(self) -> None:
        async with self.lock:
            await self._feed(Tick(), None)

    async def _feed(self, given: Input, line: Line | None) -> None:
        """Tell the table, store, and tell the sockets; then what the table asks for, until it waits."""
        try:
            next: Input | None = given
            while next is not None:
                next = await self._step(next, line)
                line = None
            self._wind()
        except (Unstored, Damaged) as error:
            log.error("table %s: not stored: %s", self.id, error)
            self._refuse(line, Illegal(None, "this could not be stored: try again"), None)
            await self._restore()
        except Exception as error:  # whatever it is, the table goes on from what was stored
            at = error.__traceback__
            while at is not None and at.tb_next is not None:
                at = at.tb_next
            where = f"{at.tb_frame.f_code.co_filename}:{at.tb_lineno}" if at else "?"
            log.error("table %s: %s at %s", self.id, type(error).__name__, where)  # its text may hold cards
            self._refuse(line, Illegal(None, "this could not be done: the fault is ours"), None)
            await self._restore()

    async def _step(self, given: Input, line: Line | None) -> Input | None:
        outputs = self.table.receive(self.hall.clock(), given)
        records = [output for output in outputs if isinstance(output, Record)]
        if records:
            await self.hall.store.append(self.id, records[0].version, [record.entry for record in records])
        next: Input | None = None
        texts: dict[tuple[Seat | None, str], str] = {}
        for output in outputs:
            match output:
                case Seated(seat):
                    assert line is not None and line.token is not None
                    line.secret = hashed(line.token)
                    line.send(wire.write(type="seated", seat=seat, token=line.token))
                case Done(move_id):
                    if line:
                        line.send(wire.write(type="done", id=move_id))
                case Refused(illegal, move_id):
                    if line is None:
                        log.error("table %s: refused by itself: %s", self.id, illegal.template)
                    self._refuse(line, illegal, move_id)
                case Update():
                    for other in self.lines:
                        if self.seat(other) == output.viewer:
                            self._send_update(other, output, texts)
                case Draw():
                    next = Drawn(self.table.game.draw(self.table.play, self.hall.dice))
                case StandIn(seat, level, person):
                    next = self._stand_in(seat, level, person)
        return next

    def _stand_in(self, seat: Seat, level: str, person: bool) -> Act:
        table = self.table
        view, told = table.game.view(table.play, seat), table.told(seat)
        try:
            action = bot(level)(view, told, random.Random(secrets.randbits(64)))
            table.game.decide(table.play, action)
        except Exception as error:  # a bot that fails does not stop a table
            log.error("table %s: the bot %s failed: %s", self.id, level, type(error).__name__)
            action = self.hall.dice.choice(view.moves)
        return Act(seat, table.version, None, str(action), True)

    def _send_update(self, line: Line, told: Update, texts: dict[tuple[Seat | None, str], str]) -> None:
        former = self.table.former_seat(line.secret)
        if former is not None or (text := texts.get((told.viewer, line.lang))) is None:
            now = self.hall.clock()
            text = wire.update(told, self.table, self.id, line.lang, now, former)
            if former is None:
                texts[told.viewer, line.lang] = text
        line.send(text)

    def _refuse(self, line: Line | None, illegal: Illegal, move_id: str | None) -> None:
        if line is None:
            return
        message = refusal(line.lang, illegal)
        line.send(wire.write(type="refused", id=move_id, clause=illegal.clause, message=message))
        self.show(line)

    def refuse(self, line: Line, illegal: Illegal) -> None:
        self._refuse(line, illegal, None)

    async def _restore(self) -> None:
        """Begin again from what is stored."""
        try:
            table = Table.restore(await self.hall.store.read(self.id))
        except Exception as error:
            log.error("table %s: cannot be restored: %s", self.id, type(error).__name__)
            self.timer = asyncio.get_running_loop().call_later(AGAIN, self._ring)
            return
        self.table = table
        for line in self.lines:
            if (seat := self.seat(line)) is not None:
                table.receive(self.hall.clock(), Here(seat, True))
        for line in self.lines:
            self.show(line, log=True)
        self._wind(AGAIN)

    # The clock.

    def _wind(self, least: float = 0.0) -> None:
        """Be called when the table next wants a tick."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        due = self.table.due
        if due is not None:
            wait = max(least, due - self.hall.clock())
            self.timer = asyncio.get_running_loop().call_later(wait, self._ring)

    def _ring(self) -> None:
        self.timer = None
        self.hall.spawn(self.tick())

    def stop(self) -> None:
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
        self._loading: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def open(self, table: Table, records: list[Record]) -> str:
        """Store a new table; its id."""
        id = "".join(secrets.choice(LETTERS) for _ in range(CODE))
        await self.store.append(id, 1, [record.entry for record in records])
        self.rooms[id] = Room(id, table, self)
        return id

    async def room(self, id: str) -> Room:
        """A table by its id, in any case; raises Unknown or Damaged."""
        id = id.lower()
        if len(id) != CODE or not set(id) <= set(LETTERS):
            raise Unknown(id)
        async with self._loading.setdefault(id, asyncio.Lock()):
            try:
                if id not in self.rooms:
                    self.rooms[id] = Room(id, await self._load(id), self)
                return self.rooms[id]
            finally:
                self._loading.pop(id, None)

    async def _load(self, id: str) -> Table:
        entries = await self.store.read(id)
        if not entries:
            raise Unknown(id)
        try:
            return Table.restore(entries)
        except Exception as error:
            log.error("table %s is damaged and is left alone: %s", id, type(error).__name__)
            raise Damaged(id) from error

    def sweep(self) -> None:
        """Let go of tables that nobody is at."""
        old = self.clock() - self.limits.unload
        for id, room in list(self.rooms.items()):
            if not room.lines and room.idle_since < old and not room.lock.locked():
                room.stop()
                del self.rooms[id]

    async def close(self) -> None:
        for room in self.rooms.values():
            room.stop()
        for task in list(self._tasks):
            task.cancel()
