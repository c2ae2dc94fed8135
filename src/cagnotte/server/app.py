"""The routes: the page, the tables, and the socket of a table."""

import asyncio
import contextlib
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable
from itertools import islice
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from cagnotte import games, telling
from cagnotte.core import Illegal, Seat
from cagnotte.locale import LANGUAGES, best_language, catalogue, rules_html
from cagnotte.players import LEVELS
from cagnotte.server import measure, offline, wire
from cagnotte.server.addresses import network as network_of
from cagnotte.server.answers import DAMAGED, FOREIGN, GONE, HURRIED, answer, language, refused
from cagnotte.server.door import SLOWEST, Gate, Paced
from cagnotte.server.hall import Hall
from cagnotte.server.hearing import hear, no_bot
from cagnotte.server.limits import Bucket, Buckets
from cagnotte.server.line import NOT_STORED, SILENT, UNSAID, Line, Waiting, hashed
from cagnotte.server.pages import Assets, Guard, Headed, lasting
from cagnotte.server.proxy import Forwarded
from cagnotte.server.rooms import UNSTORED
from cagnotte.server.store import Damaged, Unknown, Unstored
from cagnotte.server.tales import Tales
from cagnotte.table import SEATS, Table
from cagnotte.table_terms import CLOCK

LISTED: Final = 50  # tables at most
BODY: Final = 4096  # bytes of a request, or of a message
LONGEST: Final = 200  # letters of a wrong address that is answered with our page …
DEEPEST: Final = 10  # … and slashes in it
PASSED: Final = {"x-forwarded-for", "forwarded", "via", "x-real-ip"}  # a proxy handed it on
NO_CODE: Final = Illegal(None, "no table has this code: look at it again")


class Site:
    """What the routes share."""

    def __init__(
        self,
        hall: Hall,
        assets: Assets,
        guard: Guard,
        network: Callable[[], str | None] = lambda: None,
        token: str | None = None,
        base: str = "",
    ) -> None:
        self.hall = hall
        self.base = base
        self.token = token  # for the metrics
        self.network = network
        self.assets = assets
        self.guard = guard
        limits = hall.limits
        self.opened = Buckets(limits.tables, limits.tables_per_second, hall.clock)
        self.codes = Buckets(limits.codes, limits.codes_per_second, hall.clock)
        times = limits.codes_of_site
        self.codes_of_site = Buckets(times * limits.codes, times * limits.codes_per_second, hall.clock)
        self.sockets: Counter[str] = Counter()  # by address …
        self.waiting = Waiting()  # … and what waits for them
        self.written: dict[str, bytes] = {}  # answers that stay as they are

    # Pages and what they read.

    async def index(self, request: Request) -> Response:
        """The one page, whatever it shows."""
        lang = best_language(request.headers.get("accept-language"))
        path = request.url.path.removeprefix(request.scope.get("root_path", ""))
        page = self.assets.page(path, request.url.query, lang)
        return HTMLResponse(page, headers={"Cache-Control": "no-cache"})

    async def nowhere(self, request: Request, _: Exception) -> Response:
        """Our page, which says that there is nothing, to a person who comes to a wrong address."""
        path = request.url.path.removeprefix(self.base)
        near = len(path) <= LONGEST and path.count("/") <= DEEPEST  # the page names its files from there
        ours = near and path.startswith("/") and not path.startswith(("/api/", "/static/", "/ws/"))
        if not ours or request.method != "GET" or "text/html" not in request.headers.get("accept", ""):
            return Response("Not Found", 404)
        page = self.assets.page(path, lang=best_language(request.headers.get("accept-language")))
        return HTMLResponse(page, 404, headers={"Cache-Control": "no-cache"})

    async def games(self, request: Request) -> Response:
        """The games, their house rules, the bots, the paces; and where others reach this page."""
        network = self.network() if self.guard.here(request) else None
        return answer(telling.games_json(list(LEVELS), self.assets.version) | {"network": network})

    async def locale(self, request: Request) -> Response:
        """All texts of a language."""
        lang = request.path_params["lang"]
        if lang not in LANGUAGES:
            return refused(404, "en", telling.UNREAD)
        return await self._lasting(request, f"locale {lang}", catalogue, lang)

    async def rules(self, request: Request) -> Response:
        """The rules of a game, in the language asked for."""
        try:
            game, lang = request.path_params["game"], request.query_params.get("lang", "en")
            html = rules_html(game, lang)
        except KeyError:
            return refused(404, "en", telling.UNREAD)
        return await self._lasting(request, f"rules {game} {lang}", lambda: {"html": html})

    async def _lasting(self, request: Request, what: str, make: Callable[..., Any], *given: Any) -> Response:
        """What is the same for all, and as long as we run: written once."""
        if what not in self.written:
            self.written[what] = msgspec.json.encode(make(*given))
        return await lasting(self.written[what], request.headers, {"Cache-Control": "no-cache"})

    async def healthz(self, request: Request) -> Response:
        """Whether anything is still stored, for whatever watches over the server."""
        alive = self.hall.store.alive
        return answer({"ok": alive}, 200 if alive else 503)

    async def metrics(self, request: Request) -> Response:
        """Figures for Prometheus: to a program on this machine, or to one that has the token."""
        said = request.headers.get("authorization", "").encode()
        knows = self.token is not None and secrets.compare_digest(said, f"Bearer {self.token}".encode())
        if not knows and not (self.guard.local(request) and not PASSED & {*request.headers}):
            return Response(status_code=403)
        told = measure.text(len(self.hall.rooms), self.sockets.total())
        return Response(told, media_type="text/plain; version=0.0.4")

    # Tables.

    async def open(self, request: Request) -> Response:
        """A new table, for whoever asks from our own page."""
        lang = "en"
        try:
            body = await _body(request)
            new = None if body is None else wire.read_new_table(body)
            if new is None:
                return refused(400, lang, telling.UNREAD)
            lang = new.lang
            if not self.guard.allows(request):
                return refused(403, lang, FOREIGN)
            if not self.opened.take(self.guard.address(request)):
                return refused(429, lang, HURRIED)
            table, entered, tokens = _new(new, self.hall.seal())
            room = await self.hall.open(table, entered)
        except Illegal as illegal:
            return refused(400, lang, illegal)
        except Unstored:
            return refused(503, lang, UNSTORED)
        seats = [{"seat": seat, "token": token} for seat, token in tokens.items()]
        first = seats[0] if seats else {"seat": None, "token": None}
        return answer({"table": room.id, "code": room.code, **first, "seats": seats}, 201)

    async def code(self, request: Request) -> Response:
        """The table that has this room code."""
        lang = language(request)
        address = self.guard.address(request)
        if not (self.codes.take(address) and self.codes_of_site.take(network_of(address, 48))):
            return refused(429, lang, HURRIED)
        try:
            id = await self.hall.find(request.path_params["code"])
        except Unstored:
            return refused(503, lang, UNSTORED)
        return refused(404, lang, NO_CODE) if id is None else answer({"table": id})

    async def listed(self, request: Request) -> Response:
        """The tables that anybody may join."""
        rooms = islice(self.hall.listed(), LISTED)
        return answer({"tables": [telling.open_json(room.table, room.id, room.code) for room in rooms]})

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
                await self._talk(socket, address)
        except WebSocketDisconnect:
            pass
        finally:
            self.sockets[address] -= 1
            if not self.sockets[address]:
                del self.sockets[address]

    async def _talk(self, socket: WebSocket, address: str) -> None:
        limits = self.hall.limits
        rate = Bucket(limits.messages, limits.messages_per_second, self.hall.clock)
        try:
            async with asyncio.timeout(limits.hello):
                while not isinstance(hello := wire.read(await _text(socket)), wire.Hello):
                    if not rate.take():
                        return await _bye(socket, "closed", "en", HURRIED)
                    await socket.send_bytes(wire.refused(telling.UNREAD, "en"))
        except TimeoutError:
            return await socket.close(*UNSAID)
        line = Line(hello.lang, hello.token, hello.also, address, hello.screen, self.waiting)
        try:
            room = await self.hall.room(socket.path_params["table"], address)
        except Unknown:
            return await _bye(socket, "gone", line.lang, GONE)
        except Damaged:
            return await _bye(socket, "closed", line.lang, DAMAGED)
        except Unstored:
            return await socket.close(*NOT_STORED)  # the browser tries again
        told = Bucket(limits.told, limits.told_per_second, self.hall.clock)
        writer = asyncio.create_task(_write(socket, line))
        leaving: list[asyncio.Task[None]] = []
        line.hang_up = lambda: leaving.append(asyncio.create_task(_leave(socket, line)))
        try:
            await room.join(line)
            while True:
                try:
                    async with asyncio.timeout(limits.silence):
                        text = await _text(socket)
                except TimeoutError:
                    return line.close(SILENT)
                if line.closed:
                    break
                if not rate.take():
                    line.send(wire.bye("closed", HURRIED, line.lang))
                    break
                await self.hall.turns.round(address)
                await hear(room, line, wire.read(text), self.opened)
                await line.answered(told)
        finally:
            line.close()
            await room.part(line)
            await asyncio.wait({writer}, timeout=1.0)
            writer.cancel()


def app(
    hall: Hall,
    assets: Assets,
    guard: Guard,
    network: Callable[[], str | None] = lambda: None,
    base: str = "",
    token: str | None = None,
) -> Starlette:
    """The whole site as an ASGI application; the store is opened and closed around it.

    `network` gives its address for others on the network of this machine, if it listens to them. `base` is
    the path below which all of it is, such as `/cards`; with `token` other machines may read the metrics.
    Its `state.gate` is for the door.
    """
    site, tales = Site(hall, assets, guard, network, token, base), Tales(hall, guard)

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await hall.begin()
        hall.spawn(measure.watch())
        yield
        await hall.end()

    pages = ("/", "/mine", "/odds", "/join", "/t/{table}", "/t/{table}/replay", "/t/{table}/screen")
    routes = [
        *(Route(page, site.index) for page in pages),
        Route("/healthz", site.healthz),
        Route("/metrics", site.metrics),
        Route("/api/games", site.games),
        Route("/api/locale/{lang}", site.locale),
        Route("/api/rules/{game}", site.rules),
        Route("/api/codes/{code}", site.code),
        Route("/api/open", site.listed),
        Route("/api/tables", site.open, methods=["POST"]),
        Route("/api/replay/{table}", tales.replay),
        Route("/api/record/{table}", tales.record),
        Route("/api/forget/{table}", tales.forget, methods=["POST"]),
        WebSocketRoute("/ws/{table}", site.socket),
        *offline.routes(assets),
        Mount("/static/{version}", assets),
    ]
    gate = Gate(hall.limits, hall.clock, guard.proxies)
    middleware = [
        Middleware(Forwarded, proxies=guard.proxies),
        Middleware(Headed, guard=guard),
        Middleware(
            Paced,
            gate=gate,
            turns=hall.turns,
            files=f"{base}/static/{assets.version}/",
            told=(f"{base}/api/replay/", f"{base}/api/record/"),
        ),
        Middleware(GZipMiddleware, minimum_size=1000),
    ]
    below = [Mount(base, routes=routes), Route(base, _to_base)] if base else routes
    made = Starlette(
        routes=below, middleware=middleware, lifespan=lifespan, exception_handlers={404: site.nowhere}
    )
    made.router.redirect_slashes = False
    made.state.gate = gate
    return made


async def _to_base(request: Request) -> Response:
    """The page names its files from where it stands, so it stands below its own path."""
    return RedirectResponse(f"{request.url.path}/")


def _new(new: wire.NewTable, sealed: str) -> tuple[Table, list[Any], dict[Seat, str]]:
    """The table that is wanted, and the tokens of its persons by seat."""
    game = games.choose(new.game, new.players, new.rules)
    seats = new.seats or ["person"] + ["open"] * (game.players - 1)
    for level in seats:
        if level not in ("person", "open", *LEVELS):
            raise no_bot(level)
    tokens = {seat: secrets.token_urlsafe(18) for seat, kind in enumerate(seats) if kind == "person"}
    names = ([new.name] if tokens else []) if new.names is None else new.names
    if len(names) != len(tokens):
        raise SEATS
    persons = [*zip(names, map(hashed, tokens.values()), strict=True)]
    clock = (0 if len(persons) > 1 else CLOCK) if new.clock is None else new.clock
    chosen = {"pace": new.pace, "clock": clock, "listed": new.listed, "onlookers": new.onlookers}
    return *Table.open(game, seats, persons, sealed, **chosen), tokens


async def _text(socket: WebSocket) -> str:
    """The next message; what is no text reads as an empty one."""
    message = await socket.receive()
    if message["type"] != "websocket.receive":
        raise WebSocketDisconnect(message.get("code", 1005))
    return message.get("text") or ""


async def _write(socket: WebSocket, line: Line) -> None:
    try:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
            while (text := await line.next()) is not None:
                await socket.send_bytes(text)
    finally:
        line.gone()
    await _leave(socket, line)


async def _leave(socket: WebSocket, line: Line) -> None:
    """Say why; whoever does not read that either is cut off soon."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
        await socket.close(*line.end)


async def _bye(socket: WebSocket, code: str, lang: str, illegal: Illegal) -> None:
    await socket.send_bytes(wire.bye(code, illegal, lang))
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
