"""Connections, whatever is said on them: how many, how long they may take, what they may cost."""

import asyncio
from collections import Counter
from typing import Any, ClassVar, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from cagnotte.server.limits import Bucket
from cagnotte.server.pages import network

SLOWEST: Final = 10.0  # seconds that a request may take to arrive …
UNREAD: Final = 60.0  # … and an answer until it is read on
PINGS: Final = (60, 1.0)  # that a socket may send at once, and a second from then on
SPARE: Final = 100  # files that the program itself may open
WANTED: Final = 65_536  # files that it would like to open, most of them connections


class Door(H11Protocol):
    """HTTP as uvicorn speaks it; whoever does not get on with his request or his answer is cut off."""

    most = 10_000  # connections in all
    of_address: int | None = None  # that are not sockets of tables
    held: ClassVar[Counter[str]] = Counter()
    _late: asyncio.TimerHandle | None = None
    _from: str | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let in, unless there are too many already."""
        super().connection_made(transport)
        address = network(self.client[0]) if self.client else ""
        crowded = self.of_address is not None and self.held[address] >= self.of_address
        if crowded or len(self.connections) > self.most:
            return transport.abort()
        self._from = address
        self.held[address] += 1
        self._by(SLOWEST)

    def data_received(self, data: bytes) -> None:
        """A piece of a request, which has to be whole in time."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._by(None)
        elif self._late is None:
            self._by(SLOWEST)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """From now on it is a socket, and counted as one."""
        self._gone()
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        """More waits than is read."""
        super().pause_writing()
        self._by(UNREAD)

    def resume_writing(self) -> None:
        """It is read on."""
        super().resume_writing()
        self._by(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._gone()
        super().connection_lost(exc)

    def _by(self, seconds: float | None) -> None:
        """Cut it off after so long, or no longer."""
        if self._late is not None:
            self._late.cancel()
        self._late = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)

    def _gone(self) -> None:
        self._by(None)
        if self._from is not None:
            self.held[self._from] -= 1
            if not self.held[self._from]:
                del self.held[self._from]
            self._from = None


class Wire(WebSocketsSansIOProtocol):
    """A socket as uvicorn speaks it; the pings that it answers by itself are counted."""

    _pings: Bucket | None = None

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


def door(of_address: int | None) -> type[Any]:
    """A door of one server, with as many connections as the system lets it have."""
    return type("Door", (Door,), {"most": _files() - SPARE, "of_address": of_address, "held": Counter()})


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
