"""Connections, whatever is said on them: how many, how long they may take, what they may cost."""

import asyncio
import ssl
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any, ClassVar, Final, cast

import h11
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from cagnotte.server import measure
from cagnotte.server.addresses import bare, network
from cagnotte.server.limits import Bucket, Buckets, Limits, Turns
from cagnotte.server.proxy import trusted
from cagnotte.server.tls import Handshake

SLOWEST: Final = 10.0  # seconds that a request may take to arrive …
UNREAD: Final = 60.0  # … and an answer until it is read on, …
LEAVING: Final = 5.0  # … or, on a socket, once it is told to go
PINGS: Final = (60, 1.0)  # that a socket may send at once, and a second from then on; so parts of messages
HEAD: Final = 16_384  # bytes that a request has before its body, about, and in it …
LINES: Final = 100  # … and headers
PART: Final = 65_536  # bytes of an answer that are sent at a time
PIECE: Final = 512  # bytes of a socket that are read at a time: a few make a message
AFTERWARDS: Final = 8192  # bytes that are read of a socket once it is told to go
SPARE: Final = 100  # files that the program itself may open
WANTED: Final = 65_536  # files that it would like to open, most of them connections


class Gate:
    """How many connections and requests an address may have; who comes through a proxy is not its address."""

    def __init__(self, limits: Limits, clock: Callable[[], float], proxies: Sequence[str]) -> None:
        self.most = limits.connections_of_address
        self.opens = Buckets(limits.opens, limits.opens_per_second, clock)
        self.asks = Buckets(limits.asks, limits.asks_per_second, clock)
        self.files = Buckets(limits.files, limits.files_per_second, clock)
        self.is_proxy = trusted(proxies)
        self.held: Counter[str] = Counter()

    def hold(self, address: str) -> None:
        """One connection more."""
        self.held[address] += 1

    def let_go(self, address: str) -> None:
        """One connection less."""
        self.held[address] -= 1
        if not self.held[address]:
            del self.held[address]

    def lets_in(self, peer: str) -> bool:
        """Whether this peer may have another connection; one who asks without end is not even read."""
        address = network(peer)
        if self.is_proxy(bare(peer)):
            return True
        free = self.held[address] < self.most and not self.asks.empty(address)
        return free and self.opens.take(address)


class Paced:
    """Begins one request of an address at a time; answers what it asks in excess in a line, and hangs up.

    A long answer goes out in parts, each once the one before is on its way, and one of an address at a time.
    """

    def __init__(
        self, app: ASGIApp, gate: Gate, turns: Turns, files: str, told: tuple[str, ...] = ()
    ) -> None:
        """The paths of the page's own files, of this version, begin with `files`.

        Below `told` each answer is made for one who asks, and may be long: an address has a few at a time.
        """
        self.app = app
        self.gate = gate
        self.turns = turns
        self.of_files = files
        self.told = told

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let it through in its turn, or not."""
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        client = HTTPConnection(scope).client
        address = network(client.host) if client else ""
        await self.turns.round(address)
        buckets = self.gate.files if scope["path"].startswith(self.of_files) else self.gate.asks
        if buckets.take(address):
            few = self.turns.few(address) if scope["path"].startswith(self.told) else nullcontext()
            async with few:
                return await self.app(scope, receive, self._in_parts(scope, address, send))
        measure.refused["requests"] += 1
        if scope["type"] == "websocket":
            return await send({"type": "websocket.close", "code": 1013})  # not accepted: 403
        await Response(status_code=429, headers=SLOWLY)(scope, receive, send)

    def _in_parts(self, scope: Scope, address: str, send: Send) -> Send:
        async def parted(message: Message) -> None:
            if message["type"] != "http.response.body":
                return await send(message)
            body = b"" if scope["method"] == "HEAD" else message.get("body", b"")
            last = max(0, len(body) - 1) // PART * PART
            for at in range(0, last, PART):
                await send({"type": message["type"], "body": body[at : at + PART], "more_body": True})
                await self.turns.round(address)
            await send({**message, "body": body[last:]})

        return parted


SLOWLY: Final = {"Retry-After": "5", "Connection": "close"}


class Requests(h11.Connection):
    """Requests as h11 reads them, but none that are too large, nor in chunks: each letter may be one."""

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """What has come; raises RemoteProtocolError for what is no request."""
        event = super().next_event()
        if type(event) is h11.Request:
            lengths = [int(value) for name, value in event.headers if name == b"content-length"]
            chunks = any(name == b"transfer-encoding" for name, _ in event.headers)
            if chunks or len(event.headers) > LINES or max(lengths, default=0) > HEAD:
                raise h11.RemoteProtocolError("there is too much of this request, or no length")
        return event


class Closing:
    """A transport that, once it is to be closed, does not wait for ever until all before that is read."""

    def __init__(self, transport: asyncio.Transport, seconds: float) -> None:
        self._transport = transport
        self._seconds = seconds

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def close(self) -> None:
        """Close it, or cut it off."""
        if not self._transport.is_closing():
            self._transport.close()
            asyncio.get_running_loop().call_later(self._seconds, self._transport.abort)


class Timed(asyncio.Protocol):
    """A connection that is cut off where something takes too long."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _late: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """More waits than is read."""
        super().pause_writing()
        self._by(UNREAD)

    def resume_writing(self) -> None:
        """It is read on."""
        super().resume_writing()
        self._by(None)

    def eof_received(self) -> bool:
        """Nothing more is said: what waits may still be read, for a while."""
        super().eof_received()
        self.transport.close()
        # Else asyncio would close its own, without an end; what is encrypted it closes in any case.
        return self.transport.get_extra_info("sslcontext") is None

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._by(None)
        super().connection_lost(exc)

    def _by(self, seconds: float | None) -> None:
        """Cut it off after so long, or no longer."""
        if self._late is not None:
            self._late.cancel()
        self._late = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)


class Door(Timed, H11Protocol):  # type: ignore[misc]  # uvicorn says nothing at an end
    """HTTP as uvicorn speaks it; whoever does not get on with his request or his answer is cut off."""

    most = 10_000  # connections in all
    gate: ClassVar[Gate]
    _from: str | None = None
    is_let_in = False  # it was asked for already

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.conn = Requests(h11.SERVER, HEAD)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let in, unless there are too many already."""
        super().connection_made(cast(asyncio.Transport, Closing(transport, UNREAD)))
        peer = self.client[0] if self.client else ""
        if len(self.connections) > self.most or not (self.is_let_in or self.gate.lets_in(peer)):
            return transport.abort()
        self._from = network(peer)
        self.gate.hold(self._from)
        self._by(SLOWEST)

    def data_received(self, data: bytes) -> None:
        """A piece of a request, which has to be whole in time."""
        for at in range(0, len(data), HEAD):
            super().data_received(data[at : at + HEAD])
            if self.transport.is_closing() or self.transport.get_protocol() is not self:  # a socket's
                return
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._by(None)
        elif self._late is None:
            self._by(SLOWEST)

    def on_response_complete(self) -> None:
        """It was answered, perhaps before all of it came, and what came after it is looked at."""
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY and self._late is None:
            self._by(SLOWEST)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """From now on it is a socket, and counted as one once it is answered, which has to be soon.

        There is none with a body, before HTTP/1.1, or where websockets, more strict, cannot read the request.
        """
        if event.http_version != b"1.1" or b"content-length" in dict(event.headers):
            return self.send_400_response("A socket is asked for in HTTP/1.1, without a body.")
        super().handle_websocket_upgrade(event)
        socket = cast(Socket, self.transport.get_protocol())
        socket.answered = self._gone
        self._by(SLOWEST)
        if not socket.handshake_initiated:
            self.send_400_response("A socket is asked for in lines that are shorter, and of letters.")

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._gone()
        super().connection_lost(exc)

    def _gone(self) -> None:
        self._by(None)
        if self._from is not None:
            self.gate.let_go(self._from)
            self._from = None


class Socket(Timed, WebSocketsSansIOProtocol):  # type: ignore[misc]
    """A socket as uvicorn speaks it, read a little at a time; pings and parts of messages are counted.

    All that is sent is text, given as bytes.
    """

    _pings: Bucket | None = None
    _afterwards = 0

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._unread = bytearray()
        self.conn.send_binary = self.conn.send_text  # type: ignore[method-assign]
        self.answered: Callable[[], None] = lambda: None  # called once its handshake is, or it is gone

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A request came that asks for a socket."""
        super().connection_made(cast(asyncio.Transport, Closing(cast(asyncio.Transport, transport), LEAVING)))

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self.answered()
        super().connection_lost(exc)

    async def send(self, message: Any) -> None:
        """Send this, and wait until it is taken; whoever does not read the end is cut off."""
        if message["type"] == "websocket.close":
            self.loop.call_later(LEAVING, self.transport.abort)
        await super().send(message)
        self.answered()
        await self.writable.wait()

    def handle_parser_exception(self) -> None:
        """Say what was wrong with a frame, or cut off who sends one before he has an answer."""
        if self.conn.close_sent is None:
            return self.transport.abort()
        super().handle_parser_exception()

    def data_received(self, data: bytes) -> None:
        """Thousands of messages fit into one piece: they are taken apart as they are heard."""
        self._unread += data
        self._read_on()

    async def receive(self) -> Any:
        """The next message; then those behind it can be read."""
        message = await super().receive()
        self._read_on()
        return message

    def _read_on(self) -> None:
        while self._unread and not (self.read_paused or self.transport.is_closing()):
            piece = bytes(self._unread[:PIECE])
            del self._unread[:PIECE]
            self._afterwards += len(piece) if self.close_sent else 0
            if self._afterwards > AFTERWARDS:
                self._unread.clear()
                return self.transport.pause_reading()
            super().data_received(piece)

    def handle_cont(self, event: Frame) -> None:
        """Put it to the message of which it is a part, or cut off who sends too many."""
        self._count()
        super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer it, or cut off who sends too many."""
        self._count()
        if not self.transport.is_closing():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Take it for an answer, or cut off who sends too many."""
        self._count()
        super().handle_pong(event)

    def _count(self) -> None:
        if self._pings is None:
            self._pings = Bucket(*PINGS, self.loop.time)
        if not self._pings.take():
            self.transport.abort()


def door(gate: Gate, tls: ssl.SSLContext | None = None) -> Callable[..., asyncio.Protocol]:
    """A door of one server, with as many connections as the system lets it have; encrypted or not."""
    made = type("Door", (Door,), {"most": _files() - SPARE, "gate": gate})
    return made if tls is None else lambda **given: Handshake(made(**given), tls, SLOWEST)


def _files() -> int:
    """How many files may be open at a time, once as many are asked for as the system gives."""
    try:
        import resource
    except ImportError:  # Windows, where there is no such bound
        return WANTED
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unbound = resource.RLIM_INFINITY
    wanted = WANTED if hard == unbound else min(WANTED, hard)
    if soft != unbound and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return WANTED if soft == unbound else soft
