"""The routes: the page, the tables, and the socket of a table."""

import asyncio
import contextlib
import secrets
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from cagnotte import games, telling
from cagnotte.core import Illegal
from cagnotte.locale import LANGUAGES, catalogue, refusal, rules_html
from cagnotte.players import LEVELS
from cagnotte.server import wire
from cagnotte.server.limits import Bucket, Buckets
from cagnotte.server.pages import Assets, Guard, Headed
from cagnotte.server.rooms import UNSTORED, Hall, Line, Room, Unknown, hashed
from cagnotte.server.store import Damaged, Unstored
from cagnotte.table import Table
from cagnotte.table_terms import Act, Again, Fill, Go, Leave, Pace, Remove, Rename, Start

BODY: Final = 4096  # bytes of a request, or of a message
SLOWEST: Final = 10.0  # seconds that a request may take to arrive
UNREAD: Final = Illegal(None, "this message was not understood")
HURRIED: Final = Illegal(None, "too much was asked at once: wait a little")
GONE: Final = Illegal(None, "there is no such table: it may have been cleared away")
DAMAGED: Final = Illegal(None, "this table is damaged and cannot be opened")


class Site:
    """What the routes share."""

    def __init__(self, hall: Hall, assets: Assets, guard: Guard) -> None:
        self.hall = hall
        self.assets = assets
        self.guard = guard
        limits = hall.limits
        self.opened = Buckets(limits.tables, limits.tables_per_second, hall.clock)
        self.sockets: Counter[str] = Counter()  # by address

    # Pages and what they read.

    async def index(self, request: Request) -> Response:
        """The one page, whatever it shows."""
        return HTMLResponse(self.assets.page(request.url.path), headers={"Cache-Control": "no-cache"})

    async def games(self, request: Request) -> Response:
        """The games and their house rules, the bots, the paces."""
        return _json(telling.games_json(list(LEVELS), self.assets.version))

    async def locale(self, request: Request) -> Response:
        """All texts of a language."""
        lang = request.path_params["lang"]
        return _json(catalogue(lang)) if lang in LANGUAGES else _refused(404, "en", UNREAD)

    async def rules(self, request: Request) -> Response:
        """The rules of a game, in the language asked for."""
        try:
            lang = request.query_params.get("lang", "en")
            return _json({"html": rules_html(request.path_params["game"], lang)})
        except KeyError:
            return _refused(404, "en", UNREAD)

    async def healthz(self, request: Request) -> Response:
        """Whether anything is still stored, for whatever watches over the server."""
        alive = self.hall.store.alive
        return _json({"ok": alive, "tables": len(self.hall.rooms)}, 200 if alive else 503)

    # Tables.

    async def open(self, request: Request) -> Response:
        """A new table, for whoever asks from our own page."""
        lang = "en"
        try:
            body = await _body(request)
            new = None if body is None else wire.read_new_table(body)
            if new is None:
                return _refused(400, lang, UNREAD)
            lang = new.lang
            if not self.guard.allows(request):
                return _refused(403, lang, Illegal(None, "this page may not ask that"))
            if not self.opened.take(self.guard.address(request)):
                return _refused(429, lang, HURRIED)
            token = secrets.token_urlsafe(18)
            id = await self.hall.open(*_new(new, token))
        except Illegal as illegal:
            return _refused(400, lang, illegal)
        except Unstored:
            return _refused(503, lang, UNSTORED)
        return _json({"table": id, "seat": 0, "token": token}, 201)

    async def socket(self, socket: WebSocket) -> None:
        """One browser at one table."""
        if not self.guard.allows(socket):
            await socket.close()  # not accepted: 403
            return
        await socket.accept()
        address = self.guard.address(socket)
        self.sockets[address] += 1
        try:
            if self.sockets[address] > self.hall.limits.sockets_of_address:
                await _bye(socket, "closed", "en", HURRIED)
            else:
                await self._talk(socket)
        except (WebSocketDisconnect, TimeoutError):
            pass
        finally:
            self.sockets[address] -= 1
            if not self.sockets[address]:
                del self.sockets[address]

    async def _talk(self, socket: WebSocket) -> None:
        limits = self.hall.limits
        rate = Bucket(limits.messages, limits.messages_per_second, self.hall.clock)
        async with asyncio.timeout(limits.hello):
            while not isinstance(hello := wire.read(await _text(socket)), wire.Hello):
                if not rate.take():
                    return await _bye(socket, "closed", "en", HURRIED)
                await socket.send_text(wire.refused(UNREAD, "en"))
        line = Line(hello.lang, hello.token)
        try:
            room = await self.hall.room(socket.path_params["table"])
        except Unknown:
            return await _bye(socket, "gone", line.lang, GONE)
        except Damaged:
            return await _bye(socket, "closed", line.lang, DAMAGED)
        except Unstored:
            return await socket.close(1013)  # the browser tries again
        if len(room.lines) >= limits.sockets_at_table:
            return await _bye(socket, "closed", line.lang, HURRIED)
        writer = asyncio.create_task(_write(socket, line))
        try:
            await room.join(line)
            while True:
                text = await _text(socket)
                if not rate.take():
                    line.send(wire.bye("closed", HURRIED, line.lang))
                    break
                await self._hear(room, line, wire.read(text))
        finally:
            line.close()
            await room.part(line)
            await asyncio.wait({writer}, timeout=1.0)
            writer.cancel()

    async def _hear(self, room: Room, line: Line, message: wire.Message | None) -> None:
        def ask(given: Any) -> Any:
            return room.hear(line, given)

        match message:
            case wire.Ping():
                line.send(wire.write(type="pong"))
            case wire.Speak(value=lang):
                await room.speak(line, lang)
            case wire.Sit(name=name, seat=wanted):
                await room.sit(line, name, wanted)
            case wire.Act(id=id, seen=seen, move=move):
                await ask(lambda seat: Act(seat, seen, id, move))
            case wire.Go(seen=seen):
                await ask(lambda seat: Go(seat, seen))
            case wire.Rename(name=name):
                await ask(lambda seat: Rename(seat, name))
            case wire.Fill(level=level) if level not in LEVELS:
                await room.refuse(line, _no_bot(level))
            case wire.Fill(level=level):
                await ask(lambda seat: Fill(seat, level))
            case wire.Start():
                await ask(Start)
            case wire.Remove(seat=other):
                await ask(lambda seat: Remove(seat, other))
            case wire.Leave():
                await ask(Leave)
            case wire.Pace(value=pace):
                await ask(lambda seat: Pace(seat, pace))
            case wire.Again():
                await ask(Again)
            case _:
                await room.refuse(line, UNREAD)


def app(hall: Hall, assets: Assets, guard: Guard) -> Starlette:
    """The whole site as an ASGI application; the store is opened and closed around it."""
    site = Site(hall, assets, guard)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        hall.spawn(hall.tend())
        yield
        hall.close()

    pages = ("/", "/mine", "/join", "/t/{table}", "/t/{table}/replay", "/t/{table}/screen")
    routes = [
        *(Route(page, site.index) for page in pages),
        Route("/healthz", site.healthz),
        Route("/api/games", site.games),
        Route("/api/locale/{lang}", site.locale),
        Route("/api/rules/{game}", site.rules),
        Route("/api/tables", site.open, methods=["POST"]),
        WebSocketRoute("/ws/{table}", site.socket),
        Mount("/static/{version}", assets),
    ]
    middleware = [Middleware(Headed), Middleware(GZipMiddleware, minimum_size=1000)]
    made = Starlette(routes=routes, middleware=middleware, lifespan=lifespan)
    made.router.redirect_slashes = False
    return made


def _new(new: wire.NewTable, token: str) -> tuple[Table, list[Any]]:
    game = games.choose(new.game, new.players, new.rules)
    seats = new.seats or ["person"] + ["open"] * (game.players - 1)
    for level in seats:
        if level not in ("person", "open", *LEVELS):
            raise _no_bot(level)
    return Table.open(game, seats, new.name, hashed(token), new.pace)


def _no_bot(level: str) -> Illegal:
    return Illegal(None, "{bot} is not a bot: {levels}", bot=repr(level)[:30], levels=", ".join(LEVELS))


async def _text(socket: WebSocket) -> str:
    """The next message; what is no text reads as an empty one."""
    message = await socket.receive()
    if message["type"] != "websocket.receive":
        raise WebSocketDisconnect(message.get("code", 1005))
    return message.get("text") or ""


async def _write(socket: WebSocket, line: Line) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
        while (text := await line.out.get()) is not None:
            await socket.send_text(text)
        await socket.close()


async def _bye(socket: WebSocket, code: str, lang: str, illegal: Illegal) -> None:
    await socket.send_text(wire.bye(code, illegal, lang))
    await socket.close()


async def _body(request: Request) -> bytes | None:
    """What was sent, or None when it is too much, or breaks off."""
    body = b""
    with contextlib.suppress(ClientDisconnect, TimeoutError):
        async with asyncio.timeout(SLOWEST):
            async for chunk in request.stream():
                body += chunk
                if len(body) > BODY:
                    return None
            return body
    return None


def _json(values: Any, status: int = 200) -> Response:
    return Response(
        msgspec.json.encode(values), status, {"Cache-Control": "no-cache"}, media_type="application/json"
    )


def _refused(status: int, lang: str, illegal: Illegal) -> Response:
    return _json({"clause": illegal.clause, "message": refusal(lang, illegal)}, status)
