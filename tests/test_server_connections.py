"""Connections that are not yet, or no longer, of use to anybody."""

import asyncio
import contextlib
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import httpx
import pytest
from conftest import Served
from sockets import asking, opened, site

from cagnotte.server import door
from cagnotte.server.limits import Limits

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
PROGRAM = str(Path(sys.executable).with_name("cagnotte"))
HALF = b"GET / HT"
GET = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests and readers have to be quick."""
    monkeypatch.setattr(door, "SLOWEST", 0.3)
    monkeypatch.setattr(door, "UNREAD", 0.3)


@contextlib.asynccontextmanager
async def connected(url: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
    yield reader, writer
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()


async def ended(reader: asyncio.StreamReader) -> bytes:
    """What comes before the other side ends it."""
    told = b""
    with contextlib.suppress(ConnectionError):
        while piece := await asyncio.wait_for(reader.read(10_000), 5):
            told += piece
    return told


@pytest.mark.parametrize("begun", [b"", HALF, HALF + b"TP/1.1\r\nX-Slow: ", GET + HALF])
async def test_B269_a_request_that_does_not_come_is_not_waited_for(hurried: None, begun: bytes) -> None:
    """Nor one that comes a letter at a time, or after another."""
    async with site() as place, connected(place.url) as (reader, writer):

        async def drip() -> None:
            while begun.endswith(b": "):
                await asyncio.sleep(0.05)
                writer.write(b"x")

        first, half = begun[: -len(HALF)], begun[-len(HALF) :]
        writer.write(first)
        await asyncio.sleep(0.1 if first else 0)
        writer.write(half)
        dripping = asyncio.create_task(drip())
        began = time.monotonic()
        assert (await ended(reader)).startswith(b"HTTP/1.1 200" if GET in begun else b"")
        assert time.monotonic() - began < 4
        dripping.cancel()


async def test_a_page_that_is_idle_and_a_table_that_is_quiet_are_not_cut_off(hurried: None) -> None:
    async with site() as place, connected(place.url) as (reader, writer):
        table = await opened(place.url, "fan-tan", ["open"] * 3)
        async with table.host() as ann:
            for _ in range(3):
                writer.write(GET)
                assert (await reader.read(1000)).startswith(b"HTTP/1.1 200")
                await asyncio.sleep(0.4)
            await ann.say("ping")
            await ann.hear("pong")


async def test_B269_an_answer_that_is_not_read_is_not_kept_for_long(hurried: None) -> None:
    asked = b"GET /api/locale/fr HTTP/1.1\r\nHost: a\r\n\r\n"
    many = 400
    async with site() as place:
        async with connected(place.url) as (reader, writer):
            writer.write(asked + asked.replace(b"Host", b"Connection: close\r\nHost"))
            length = len(await ended(reader)) // 2
        with socket.create_connection(("127.0.0.1", int(place.url.rpartition(":")[2]))) as silent:
            silent.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                silent.send(asked * many)
            await asyncio.sleep(2)
            read = 0
            with contextlib.suppress(OSError):
                while piece := silent.recv(1_000_000):
                    read += len(piece)
                    await asyncio.sleep(0.001)
        assert 0 < read < many * length / 2


async def test_B269_pings_that_are_never_read_do_not_pile_up() -> None:
    """Each is answered by itself, so a flood of them would fill the memory of the server."""
    async with site() as place:
        table = await opened(place.url, "fan-tan", ["open"] * 3)
        async with table.host() as ann, connected(place.url) as (reader, writer):
            upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
            writer.write(f"GET /ws/{table.table} HTTP/1.1\r\nHost: a\r\n{upgrade}{key}".encode())
            await reader.readuntil(b"\r\n\r\n")
            writer.write((b"\x89\xfd" + bytes(4) + b"x" * 125) * 2000)
            assert len(await ended(reader)) < 2000 * 127 / 10
            for _ in range(5):
                await (await ann.socket.ping())
            await ann.say("ping")
            await ann.hear("pong")


async def test_B147_an_address_has_only_so_many_connections() -> None:
    """Sockets of tables are counted apart; what is closed is forgotten."""
    async with site(limits=Limits(connections_of_address=4)) as place, contextlib.AsyncExitStack() as stack:
        table = await opened(place.url, "fan-tan", ["open"] * 3)
        for _ in range(6):
            await stack.enter_async_context(table.guest())
        held = [await stack.enter_async_context(connected(place.url)) for _ in range(4)]
        async with connected(place.url) as (reader, _):
            assert await ended(reader) == b""
        held[0][1].close()
        await asyncio.sleep(0.1)
        async with connected(place.url) as (reader, writer):
            writer.write(GET)
            assert (await reader.read(1000)).startswith(b"HTTP/1.1 200")


@pytest.fixture
def crowd() -> Iterator[list[socket.socket]]:
    """Connections that say nothing."""
    made: list[socket.socket] = []
    yield made
    for each in made:
        each.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there it has no such bound")
async def test_a_server_without_files_for_more_goes_on_with_those_whom_it_has(
    serve: Callable[..., Served], crowd: list[socket.socket]
) -> None:
    """It asks for as many as it may have, and keeps some for its own."""
    few = ["bash", "-c", f'ulimit -n 200; ulimit -Sn 64; exec "{PROGRAM}" serve "$@"', "bash"]
    place = serve(command=few)
    table = await opened(place.url, "fan-tan", ["steady"] * 2)
    async with table.host() as ann, asking(place.url) as client:
        assert (await client.get("/healthz")).status_code == 200
        for _ in range(250):
            crowd.append(socket.create_connection(("127.0.0.1", int(place.url.rpartition(":")[2]))))
        assert (await client.get("/healthz")).status_code == 200
        assert "<title>" in (await client.get("/")).text
        assert len((await client.get("/api/games")).json()["games"]) == 5
        await ann.play(2)
        with pytest.raises(httpx.TransportError):
            async with asking(place.url) as other:
                await other.get("/healthz")
        while crowd:
            crowd.pop().close()
        await asyncio.sleep(0.2)
        async with asking(place.url) as other:
            assert (await other.get("/healthz")).status_code == 200
    place.stop()
    told = place.log.read_text("utf-8").splitlines()
    assert set(told) <= {"ERROR asyncio: no more connections: too many open files"}


async def test_an_answer_in_two_pieces_does_not_wait_for_the_first_to_be_acknowledged(
    serve: Callable[..., Served],
) -> None:
    took: list[float] = []
    async with asking(serve().url) as client:
        for _ in range(21):
            began = time.monotonic()
            await client.get("/api/games")
            took.append(time.monotonic() - began)
    assert sorted(took)[5] < 0.03, took
