"""Live tables: their clocks, shuffles and bots around `Table`, and who is told what."""

import asyncio
import logging
import math
import random
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from cagnotte import telling
from cagnotte.core import Illegal, Seat
from cagnotte.entries import Drew, Hosted, Played
from cagnotte.players import LEVELS, anyhow
from cagnotte.server import measure, wire
from cagnotte.server.answers import GONE, HURRIED
from cagnotte.server.limits import Buckets
from cagnotte.server.line import Asker, Line, Whose, hashed
from cagnotte.server.logs import about, place
from cagnotte.server.store import Unknown, Unstored
from cagnotte.table import Table
from cagnotte.table_terms import (
    Act,
    Branch,
    Done,
    Draw,
    Entered,
    Forget,
    Go,
    Here,
    Input,
    Refused,
    Seated,
    Share,
    Sit,
    StandIn,
    Tick,
    Update,
)

if TYPE_CHECKING:
    from cagnotte.server.hall import Hall

FIRST: Final = 0.05  # seconds by which a move comes before the end of its turn, where both waited
AGAIN: Final = 1.0  # seconds before a table that failed is tried again, …
LATER: Final = 30.0  # … and twice as long each time, up to these
FEW: Final = 16  # sockets that are told something in a round of the loop
SOON: Final = 1.0  # seconds after which all are told how many watch
UNSTORED: Final = Illegal(None, "this could not be stored: try again")
OURS: Final = Illegal(None, "this could not be done: the fault is ours")
UNWATCHED: Final = Illegal(None, "only those who play see this table")

T = TypeVar("T")


class Room:
    """A table in memory. All that happens to it happens one after another."""

    def __init__(self, id: str, code: str, table: Table, hall: "Hall") -> None:
        self.id = id
        self.code = code
        self.table = table
        self.hall = hall
        self.lines: set[Line] = set()
        self.lock = asyncio.Lock()
        self.timer: asyncio.TimerHandle | None = None
        self.talk = Buckets(hall.limits.lines, hall.limits.lines_per_second, hall.clock)
        self.wishes = Buckets(hall.limits.wishes, hall.limits.wishes_per_second, hall.clock)
        self.hosted = ""  # the address from which its host is there, or was last
        self.rested = -math.inf  # when it may go on
        self.moving = 0  # moves that wait for that
        self.sound = True  # what is in memory is what is stored
        self.again = AGAIN
        self.gone = False  # deleted
        self.recounts = False  # soon
        self.used = hall.clock()

    # Whose sockets there are.

    def whose(self, line: Line) -> Whose:
        """All that this socket's secrets prove."""
        return line.whose(self.table.leads)

    def seat(self, line: Line) -> Seat | None:
        """The seat from which this socket sees the table."""
        return self.whose(line).seat

    def seats(self, line: Line) -> tuple[Seat, ...]:
        """All seats whose secrets this socket knows; there are several where a device is passed round."""
        return self.whose(line).seats

    def admits(self, own: Whose) -> bool:
        """Whether such a socket may see the table: where nobody may watch, a sitting is for those who sit."""
        open = self.table.onlookers or self.table.state != "playing"
        return open or bool(own.seats) or own.former is not None

    def crowded(self, line: Line) -> bool:
        """Whether there is no room for it, at any of its seats; onlookers take none from those who sit."""
        limits, own = self.hall.limits, self.seats(line)
        if own:
            held = Counter(seat for other in self.lines for seat in self.seats(other))
            return max(held[seat] for seat in own) >= limits.sockets_of_seat
        watch = [other.address for other in self.lines if not self.seats(other)]
        return len(watch) >= limits.onlookers or watch.count(line.address) >= limits.onlookers_of_address

    @property
    def payer(self) -> str:
        """The address that waits where its tables cost too much: from where the host is there, or was last.

        Before he came it is another person's; while he is away nobody's debts slow down a table of his.
        """
        return self.hosted or next((line.address for line in self.lines if self.seats(line)), "")

    @property
    def awake(self) -> bool:
        """Whether somebody plays here, so that time runs."""
        return self.sound and self.table.state == "playing" and bool(self.table.there.present)

    @property
    def watching(self) -> tuple[int, int]:
        """How many sockets have no seat: onlookers, and screens that all share."""
        without = [line.screen for line in self.lines if not self.seats(line)]
        return without.count(False), without.count(True)

    # What sockets ask; nobody is shown anything that is not stored.

    async def join(self, line: Line) -> None:
        """A socket is at the table, if there is room: its first update, and word to the others."""
        async with self.lock:
            if self.gone:
                return self._dismiss(line, GONE, "gone")
            if self.crowded(line):
                return self._dismiss(line, HURRIED)
            if not self.admits(self.whose(line)):
                return self._dismiss(line, UNWATCHED)
            for seat in self.seats(line):
                await self._feed(Here(seat, True), None)
            if self.sound:
                line.drop(self.table.leads)
            self.lines.add(line)
            self._charge()
            self._answer(line, with_log=True)
            self._recount(line)

    async def part(self, line: Line) -> None:
        """A socket is gone."""
        async with self.lock:
            if line not in self.lines:
                return
            self.lines.discard(line)
            self._charge()
            here = {seat for other in self.lines for seat in self.seats(other)}
            for seat in self.seats(line):
                if seat not in here:
                    await self._feed(Here(seat, False), None)
            self._recount(line)
            self.used = self.hall.clock()

    async def act(self, line: Line, make: Callable[[Seat | None], Input]) -> None:
        """A move from the seat that a socket is shown; it waits where the table has to rest."""
        self.moving += 1
        try:
            await asyncio.sleep(self.rested - self.hall.clock())
            async with self.lock:
                await self._feed(make(self.seat(line)), line)
        finally:
            self.moving -= 1

    async def hear(self, line: Line, make: Callable[[Seat | None], Input]) -> None:
        """What a socket asks for that is no move, from the seat that it is shown."""
        async with self.lock:
            await self._wish(line, self.seat(line), make)

    async def wish(self, line: Line, make: Callable[[Seat | None], Input]) -> None:
        """The same; where it is shown no seat, from the best that it has."""
        async with self.lock:
            seats = self.seats(line)
            best = self.table.host if self.table.host in seats else next(iter(seats), None)
            seat = self.seat(line)
            await self._wish(line, best if seat is None else seat, make)

    async def forget(self, asker: Asker) -> None:
        """Whoever has played here, or sits here before a sitting, would have the table deleted."""
        async with self.lock:
            await self._wish(asker, self.table.seat_of(asker.secret), lambda _: Forget(asker.secret))

    async def _wish(self, who: Line | Asker, seat: Seat | None, make: Callable[[Seat | None], Input]) -> None:
        """Nobody fills the log: neither one who comes from many addresses, nor many who come from one."""
        whose = [who.address] if seat is None else [who.address, f"seat {seat}"]
        if not all([self.wishes.take(each) for each in whose]):
            return who.refuse(HURRIED)
        await self._feed(make(seat), who)

    async def go(self, line: Line, seen: int) -> None:
        """Whoever is at this socket has seen enough: all of them."""
        async with self.lock:
            for seat in self.seats(line) or (None,):
                await self._feed(Go(seat, seen), line)

    async def chat(self, line: Line, make: Callable[[Seat | None], Input]) -> None:
        """A socket talks to all, if it did not just talk too much."""
        async with self.lock:
            seat = self.seat(line)
            if seat is not None and not self.talk.take(str(seat)):
                return line.refuse(HURRIED)
            await self._feed(make(seat), line)

    async def sit(self, line: Line, name: str, seat: Seat | None) -> None:
        """A socket would take this seat, or any; its secret is made here and told to it alone."""
        async with self.lock:
            line.token = secrets.token_urlsafe(18)
            left = (secret for secret in line.secrets if self.table.former_seat(secret) is not None)
            mine = line.secret if self.seat(line) is not None else next(left, line.secret)
            secret = hashed(line.token)
            await self._wish(line, None, lambda _: Sit(name, secret, seat, mine))

    async def turn(self, line: Line, seat: Seat | None) -> None:
        """A socket would see the table from another of its seats, or as an onlooker."""
        async with self.lock:
            theirs = (secret for secret in line.secrets if self.table.seat_of(secret) == seat)
            secret = None if seat is None else next(theirs, None)
            if seat is not None and secret is None:
                return self._refuse(line, Illegal(None, "seat {seat} is not yours", seat=seat + 1))
            line.look(secret)
            self._answer(line, with_log=True)

    async def share(self, line: Line, commitment: str, share: str) -> None:
        """What a browser adds to the next shuffle, for each of its seats."""
        async with self.lock:
            for seat in self.seats(line) or (None,):
                await self._feed(Share(seat, commitment, share), line)

    async def hint(self, line: Line) -> None:
        """A person would hear what to play, and why."""
        async with self.lock:
            if not self.sound:
                return self._refuse(line, UNSTORED)
            try:
                line.send(wire.write(**telling.hint(self.table, self.seat(line), line.lang)))
            except Illegal as illegal:
                self._refuse(line, illegal)

    async def beside(self, line: Line) -> None:
        """A person who is out opens another table of the same kind, where the others may follow."""
        known = self.table.beside  # which may have to be loaded, after all else that his address wants
        free = known is not None and await self.hall.is_free(known.table, line.address)
        async with self.lock:
            try:
                seat = self.table.check_out(self.seat(line))
                if free or self.table.beside != known:
                    raise Illegal(None, "a table is open beside this one: sit down there")
                token = secrets.token_urlsafe(18)
                room = await self.hall.open(*self.table.another(seat, hashed(token), self.hall.seal()))
            except Illegal as illegal:
                return self._refuse(line, illegal)
            except Unstored:
                return self._refuse(line, UNSTORED)
            await self._feed(Branch(seat, room.id), line)
            line.send(wire.write(type="opened", table=room.id, code=room.code, token=token, seat=0))

    async def speak(self, line: Line, lang: str) -> None:
        """A socket wants another language."""
        async with self.lock:
            line.lang = lang
            self._answer(line, with_log=True)

    async def tick(self) -> None:
        """The time that the table waited for has come; a move that was made while it rested comes first."""
        if self.moving:
            await asyncio.sleep(FIRST)
        async with self.lock:
            await self._feed(Tick(), None)

    # What follows.

    async def _feed(self, given: Input, who: Line | Asker | None) -> None:
        """Tell the table, store, and tell the sockets; then what the table asks for, until it waits."""
        move_id = given.move_id if isinstance(given, Act) else None
        if self.gone:
            return
        if not self.sound:
            await self._restore()
        if self.gone:
            return
        if not self.sound:
            return self._refuse(who, UNSTORED, move_id)
        try:
            then = await self._step(given, who)
            while then is not None:
                then = await self._step(then, None)
            if self.table.forgotten:
                return await self._forget()
            self._wind()
            self.again = AGAIN
        except Exception as error:  # whatever it is, the table goes on from what is stored
            ours = not isinstance(error, Unstored)
            measure.happened["faults" if ours else "unstored"] += 1
            about(self.id, "failed", place(error) if ours else error, logging.ERROR)
            self.sound = False
            await self._restore()
            if not self.gone:
                self._refuse(who, OURS if ours else UNSTORED, move_id)

    async def _step(self, given: Input, who: Line | Asker | None) -> Input | None:
        """What the table makes of this, stored and told; what it asks for next."""
        await self.hall.turns.round(self.payer)
        outputs = self.table.receive(self.hall.clock(), given)
        entered = [output for output in outputs if isinstance(output, Entered)]
        if entered:
            began = time.monotonic()
            await self.hall.store.append(self.id, entered[0].version, [each.entry for each in entered])
            measure.commits.add(time.monotonic() - began)
            measure.happened["moves"] += sum(isinstance(each.entry, Played) for each in entered)
            owed = self.hall.entries.owe(self.payer, len(entered), self.hall.limits.rest)
            if any(isinstance(each.entry, Played | Drew) for each in entered):  # else a chat would hold it up
                self.rested = self.hall.clock() + owed
        then: Input | None = None
        for output in outputs:
            match output:
                case Seated(seat):
                    assert isinstance(who, Line)
                    who.send(wire.write(type="seated", seat=seat, token=who.seated()))
                case Done(move_id):
                    if isinstance(who, Line):
                        who.send(wire.write(type="done", id=move_id))
                case Refused(illegal, move_id):
                    if who is None:
                        about(self.id, "refused itself", illegal.template, logging.ERROR)
                    self._refuse(who, illegal, move_id)
                case Draw():
                    then = self.table.draw(self.hall.dice, self.hall.throw)
                case StandIn(seat, level):
                    then = self._stand_in(seat, level)
        if any(isinstance(each.entry, Hosted) for each in entered):
            self._charge()
        await self._tell([output for output in outputs if isinstance(output, Update)])
        return then

    def _stand_in(self, seat: Seat, level: str) -> Act:
        table = self.table
        view, told = table.game.view(table.play, seat), table.told(seat)
        try:
            action = LEVELS[level](view, told, random.Random(secrets.randbits(64)))
            table.game.decide(table.play, action)
        except Exception as error:  # a bot that fails does not stop a table
            about(self.id, f"the bot {level} failed", place(error), logging.ERROR)
            action = anyhow(view, told, self.hall.dice)
        return Act(seat, table.version, None, str(action), True)

    async def _tell(self, updates: Sequence[Update]) -> None:
        """Each update to the sockets of its viewer; whoever may watch no longer has to go."""
        there: list[tuple[Line, Whose]] = []
        async for line in self._by_few(list(self.lines) if updates else ()):
            own = self.whose(line)
            if self.admits(own):
                there.append((line, own))
            else:
                self.lines.discard(line)
                self._dismiss(line, UNWATCHED)
        around = self._around() if there else {}
        texts = {told.viewer: wire.Telling(told, around, self.table.names) for told in updates}
        async for line, own in self._by_few(there):
            if own.seat in texts:
                line.send(texts[own.seat].text(line.lang, own.former, own.seats))

    async def _by_few(self, all: Iterable[T]) -> AsyncIterator[T]:
        """These, a few in a round of the loop, so that a crowd at one table holds up no other."""
        for n, each in enumerate(all, 1):
            yield each
            if n % FEW == 0:
                await self.hall.turns.round(self.payer)

    def _answer(self, line: Line, with_log: bool = False) -> None:
        """The latest state for a socket that asked for it, which answers for its length."""
        line.owes += self._show(line, with_log)

    def _show(self, line: Line, with_log: bool = False) -> int:
        """The latest state, for one socket; for a new one with the log. Its length in bytes."""
        if not self.sound:
            return 0
        told, own = self.table.look(self.seat(line), log=with_log), self.whose(line)
        text = wire.update(told, self._around(), self.table.names, line.lang, own.former, own.seats)
        line.send(text)
        return len(text)

    def _around(self) -> dict[str, Any]:
        return wire.table_json(self.table, self.id, self.hall.clock(), self.code, *self.watching)

    def _dismiss(self, line: Line, why: Illegal, code: str = "closed") -> None:
        line.send(wire.bye(code, why, line.lang))
        line.close()

    def _charge(self) -> None:
        """Somebody came or went, or is host now."""
        hosts = [line.address for line in self.lines if self.table.host in self.seats(line)]
        if hosts and self.hosted not in hosts:
            self.hosted = hosts[0]

    async def _forget(self) -> None:
        """All who sit here would have it so: the table is deleted, and whoever is at it is told."""
        await self.hall.forget(self.id)
        self._end()

    def _end(self) -> None:
        """The table is deleted, and there is nothing to go on with."""
        self.gone = True
        self.stop()
        for line in self.lines:
            self._dismiss(line, GONE, "gone")
        self.lines.clear()

    def _recount(self, line: Line) -> None:
        """Tell all how many watch, once for many who come and go at a time."""
        if not self.recounts and not self.seats(line):
            self.recounts = True
            self.hall.spawn(self._tell_count())

    async def _tell_count(self) -> None:
        await asyncio.sleep(SOON)
        self.recounts = False
        async with self.lock:
            if self.sound:
                await self._tell(self.table.updates(len(self.table.events)))

    def _refuse(self, who: Line | Asker | None, illegal: Illegal, move_id: str | None = None) -> None:
        if who is not None:
            who.refuse(illegal, move_id)
        if isinstance(who, Line):
            self._answer(who)

    async def _restore(self) -> None:
        """Begin again from what is stored."""
        try:
            self.table = await self.hall.load(self.id, self.payer)
            for seat in sorted({seat for line in self.lines for seat in self.seats(line)}):
                self.table.receive(self.hall.clock(), Here(seat, True))
            self.sound = True
            for line in self.lines:
                self._show(line, with_log=True)
        except Unknown:  # what was begun before is done: all had asked for it
            self.hall.rooms.pop(self.id, None)
            return self._end()
        except Exception as error:
            about(self.id, "cannot be restored", place(error), logging.ERROR)
            self.sound = False
        self._wind(self.again)
        self.again = min(2 * self.again, LATER)

    # The clock.

    def _wind(self, least: float = 0.0) -> None:
        """Be called when the table next wants a tick, and not before so many seconds."""
        self.stop()
        due = self.table.due if self.sound else self.hall.clock()
        if due is not None:
            wait = max(least, max(due, self.rested) - self.hall.clock())
            self.timer = asyncio.get_running_loop().call_later(wait, self._ring)

    def _ring(self) -> None:
        self.timer = None
        self.hall.spawn(self.tick())

    def stop(self) -> None:
        """Forget when the table wants its next tick."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
