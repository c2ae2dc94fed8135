"""The routes of what was played: deals told again, records of sittings, and tables to be forgotten."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from cagnotte.core import Illegal
from cagnotte.server.answers import DAMAGED, FOREIGN, GONE, HURRIED, answer, language, refused
from cagnotte.server.hall import Hall
from cagnotte.server.limits import Buckets, Turns
from cagnotte.server.line import Asker, hashed
from cagnotte.server.pages import Guard
from cagnotte.server.rooms import OURS, UNSTORED
from cagnotte.server.store import Damaged, Unknown, Unstored
from cagnotte.tales import Story, Tale, luck, story, story_json

KEPT: Final = 10_000  # deals whose luck is remembered
AT_HAND: Final = 8  # sittings
CLOSED: Final = Illegal(None, "only those who sit at this table may see that")

T = TypeVar("T")
Luck = tuple[float, ...] | None
Tell = Callable[[str, Story, str], Awaitable[Response]]


class Tales:
    """What these routes share; they reckon in a thread, one at a time, so that no table waits for them."""

    def __init__(self, hall: Hall, guard: Guard) -> None:
        self.hall = hall
        self.guard = guard
        self.asked = Buckets(hall.limits.tales, hall.limits.tales_per_second, hall.clock)
        self._turns = Turns()
        self._stories: dict[tuple[str, int | None], tuple[int, Story]] = {}  # and of how long a log
        self._lucks: dict[tuple[str, int, int], Luck] = {}

    async def replay(self, request: Request) -> Response:
        """A deal that is over, move by move with all hands, and its luck; with `frames=off` not the moves.

        With `you=on` whoever proves to have sat there is told of as `you`.
        """

        async def tell(id: str, told: Story, lang: str) -> Response:
            asked, address = request.query_params, self.guard.address(request)
            number, tale = told.tale(_number(asked.get("deal")))
            moves = asked.get("frames") != "off"
            me = told.table.seat_of(hashed(_token(request))) if asked.get("you") == "on" else None
            values = await self._reckon(address, lambda: story_json(told, number, lang, moves, me))
            return answer(values | {"luck": await self._luck(address, (id, told.number, number), told, tale)})

        return await self._answer(request, tell)

    async def record(self, request: Request) -> Response:
        """The record of a sitting that is over, to be kept as a file."""

        async def tell(id: str, told: Story, lang: str) -> Response:
            record = told.record(lang)
            name = f"{record.game}-{id}-{told.number}.json"
            head = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-cache"}
            return Response(f"{record}\n", headers=head, media_type="application/json")

        return await self._answer(request, tell)

    async def forget(self, request: Request) -> Response:
        """Somebody who sits at a table would have it deleted: whether it is, or how many have asked."""
        lang, address = language(request), self.guard.address(request)
        if not self.guard.allows(request):
            return refused(403, lang, FOREIGN)
        if not self.asked.take(address):
            return refused(429, lang, HURRIED)
        return await _answered(lang, self._forget(request, lang, Asker(_token(request), address)))

    async def _forget(self, request: Request, lang: str, asker: Asker) -> Response:
        room = await self.hall.room(request.path_params["table"], asker.address)
        await room.forget(asker)
        if (why := asker.refused) is not None:
            return refused({HURRIED: 429, UNSTORED: 503, OURS: 500}.get(why, 409), lang, why)
        asked, persons = room.table.forgetters & room.table.keepers, room.table.keepers
        return answer({"deleted": room.gone, "asked": len(asked), "persons": len(persons)})

    async def _answer(self, request: Request, tell: Tell) -> Response:
        """What is told of the sitting that is asked for, if whoever asks may see it."""
        lang = language(request)
        if not self.asked.take(self.guard.address(request)):
            return refused(429, lang, HURRIED)
        return await _answered(lang, self._told(request, lang, tell))

    async def _told(self, request: Request, lang: str, tell: Tell) -> Response:
        address = self.guard.address(request)
        room = await self.hall.room(request.path_params["table"], address)
        async with room.lock:  # else it may be ahead of what is stored
            table, length = room.table, room.table.version if room.sound else 0
        secret = hashed(_token(request))
        if not table.onlookers and table.seat_of(secret) is None and table.former_seat(secret) is None:
            return refused(403, lang, CLOSED)
        sitting = _number(request.query_params.get("sitting"))
        return await tell(room.id, await self._story(room.id, sitting, length, address), lang)

    async def _story(self, id: str, sitting: int | None, version: int, address: str) -> Story:
        """A sitting, as it is once so many entries are stored; raises Unstored where there are fewer.

        When a deal is settled all at its table ask for the same, which is worked out once.
        """
        if told := self._known(id, sitting, version):
            return told
        for _ in range(2):  # what others asked for may have been read before the last was stored
            length, made = await self._turns.once((id, sitting), address, lambda: self._make(id, sitting))
            if length >= version:
                return made
        raise Unstored(f"{version} entries are known, and {length} stored")

    async def _make(self, id: str, sitting: int | None) -> tuple[int, Story]:
        """A sitting from the log of its table, and how long that is."""
        entries = await self.hall.store.read(id)
        told = await asyncio.to_thread(story, entries, sitting)
        self._stories[id, sitting] = len(entries), told
        if len(self._stories) > AT_HAND:
            del self._stories[next(iter(self._stories))]
        return len(entries), told

    def _known(self, id: str, sitting: int | None, version: int) -> Story | None:
        """What is at hand of a sitting, where it was made from a log of this length, or of a greater one."""
        length, told = self._stories.get((id, sitting), (0, None))
        if told is None or length < version:
            return None
        self._stories[id, sitting] = self._stories.pop((id, sitting))  # the last to be let go
        return told

    async def _luck(self, address: str, key: tuple[str, int, int], told: Story, tale: Tale) -> Luck:
        if key not in self._lucks:
            self._lucks[key] = await self._reckon(address, lambda: luck(told.table.game, tale))
            if len(self._lucks) > KEPT:
                del self._lucks[next(iter(self._lucks))]
        return self._lucks[key]

    async def _reckon(self, address: str, work: Callable[[], T]) -> T:
        async with self._turns.alone(address):
            return await asyncio.to_thread(work)


async def _answered(lang: str, work: Awaitable[Response]) -> Response:
    """What this answers, or why it cannot."""
    try:
        return await work
    except Unknown:
        return refused(404, lang, GONE)
    except Damaged:
        return refused(500, lang, DAMAGED)
    except Unstored:
        return refused(503, lang, UNSTORED)
    except Illegal as illegal:
        return refused(404, lang, illegal)


def _token(request: Request) -> str:
    """The secret that a request tells, if any."""
    return request.headers.get("authorization", "").removeprefix("Bearer ")


def _number(text: str | None) -> int | None:
    """A number as it was asked for; what is none is 0, which nothing is counted as."""
    if text is None:
        return None
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
