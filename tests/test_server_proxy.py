"""Below a path of a proxy, with a certificate of its own, and from addresses that only a proxy may name."""

import asyncio
import contextlib
import ssl
import subprocess
import sys
from asyncio import sslproto
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import httpx
import pytest
from conftest import ROOT, Served
from sockets import Player, asking, opened, site
from websockets.exceptions import InvalidStatus

from cagnotte.server import door
from cagnotte.server.limits import Limits
from cagnotte.server.pages import Guard
from cagnotte.server.tls import HELD, context

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
PROGRAM = str(Path(sys.executable).with_name("cagnotte"))
CERTIFICATE, KEY = ROOT / "tests/data/certificate.pem", ROOT / "tests/data/key.pem"
HOST = "cards.example"


@contextlib.asynccontextmanager
async def proxied(url: str, *lines: str) -> AsyncIterator[str]:
    """A proxy that adds such header lines to the first request of each connection; its address."""
    port = int(url.split(":")[2].partition("/")[0])
    added = "".join(f"{line}\r\n" for line in lines).encode()
    tasks: set[asyncio.Task[None]] = set()

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError), contextlib.closing(writer):
            while piece := await reader.read(65536):
                writer.write(piece)
                await writer.drain()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner, outer = await asyncio.open_connection("127.0.0.1", port)
        outer.write((await reader.readuntil(b"\r\n")) + added)
        tasks.update((asyncio.create_task(pump(reader, outer)), asyncio.create_task(pump(inner, writer))))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield url.replace(f":{port}", f":{server.sockets[0].getsockname()[1]}")
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0)  # connections are closed a moment later


# Who is believed.


async def test_B211_only_a_proxy_at_a_trusted_address_is_believed() -> None:
    said = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": HOST, "Origin": f"https://{HOST}"}
    for proxies, believed in ((["127.0.0.0/8"], True), (["192.0.2.0/24", "::1"], False), ([], False)):
        async with site(guard=Guard(proxies=proxies)) as place, asking(place.url) as client:
            body = {"game": "fear", "name": "Ann"}
            answer = await client.post("/api/tables", json=body, headers=said)
            assert answer.status_code == (201 if believed else 403)
            table = await opened(place.url)
            if believed:
                await (await table.host(headers=said).come()).go()
            else:
                with pytest.raises(InvalidStatus):
                    await table.host(headers=said).come()


async def test_B147_of_a_chain_of_proxies_the_last_who_is_none_asks() -> None:
    """What a stranger wrote before them counts for nothing."""
    guard = Guard(proxies=["127.0.0.1", "192.0.2.0/24", "2001:db8::/32"])
    chains = (
        "203.0.113.1",
        "198.51.100.{n}, 203.0.113.1",
        "203.0.113.1, 192.0.2.9",
        "x, 203.0.113.1:77, 2001:db8::7",
    )
    limits = Limits(tables=len(chains), tables_per_second=0.0)
    async with site(guard=guard, limits=limits) as place, asking(place.url) as client:
        for n, chain in enumerate((*chains, *chains)):
            headers = {"X-Forwarded-For": chain.format(n=n)}
            answer = await client.post("/api/tables", json={"game": "fear", "name": "Ann"}, headers=headers)
            assert answer.status_code == (201 if n < len(chains) else 429)


async def test_a_proxy_has_the_connections_of_all_and_others_their_own() -> None:
    limits = Limits(connections_of_address=2)
    for proxies, more in ((["127.0.0.1"], True), (["192.0.2.1"], False)):
        async with (
            site(guard=Guard(proxies=proxies), limits=limits) as place,
            contextlib.AsyncExitStack() as stack,
        ):
            answers = []
            for _ in range(4):
                client = await stack.enter_async_context(asking(place.url))
                with contextlib.suppress(Exception):
                    answers.append((await client.get("/healthz")).status_code)
            assert len(answers) == (4 if more else 2)


# Below a path.


async def test_a_whole_site_below_a_path() -> None:
    """Through a proxy that hands the path on as it is."""
    guard = Guard(proxies=["127.0.0.1"])
    lines = (f"X-Forwarded-Host: {HOST}", "X-Forwarded-Proto: https", "X-Forwarded-For: 203.0.113.9")
    async with site(guard=guard, base="/games/cards") as place, proxied(place.url, *lines) as url:
        assert url.endswith("/games/cards")
        table = await opened(url, "fan-tan", ["steady"] * 2)
        async with table.host(headers={"Origin": f"https://{HOST}"}) as ann, asking(url) as client:
            await ann.play(2)
            assert {line.address for room in place.hall.rooms.values() for line in room.lines} == {
                "203.0.113.9"
            }
            page = await client.get(f"/t/{table.table}")
            names = page.text.split('"')
            assert any(name.startswith("../static/") for name in names)
            assert not any(name.startswith(("../../", "/")) for name in names if "static" in name)
            assert "home" in (await client.get("/")).text
            script = next(
                name for name in names if name.startswith("../static/") and name.endswith("main.js")
            )
            answer = await client.get(script.removeprefix(".."))
            assert answer.status_code == 200 and "immutable" in answer.headers["cache-control"]
            for path in ("/healthz", "/sw.js", "/api/games", "/mine", "/api/offline"):
                assert (await client.get(path)).status_code == 200, path
        async with asking(url.removesuffix("/games/cards")) as client:
            for path in ("/", "/api/games", "/games", "/games/cardsharp", "/healthz"):
                assert (await client.get(path)).status_code == 404
            answer = await client.get("/games/cards")
            assert answer.status_code == 307 and answer.headers["location"].endswith("/games/cards/")


# Encrypted.


async def test_a_table_over_tls(tmp_path: Path) -> None:
    async with site(tls=context(CERTIFICATE, KEY)) as place:
        trusting = ssl.create_default_context(cafile=str(CERTIFICATE))
        async with asking(place.url, verify=trusting) as client:
            body = {
                "game": "fan-tan",
                "name": "Ann",
                "pace": "once",
                "seats": ["person", *["steady"] * 2],
                "players": 3,
            }
            origin = {"Origin": place.url}
            answer = await client.post("/api/tables", json=body, headers=origin)
            assert answer.status_code == 201
            assert (
                await client.post(
                    "/api/tables", json=body, headers={"Origin": place.url.replace("https", "http")}
                )
            ).status_code == 403
            async with Player(
                place.url, answer.json()["table"], answer.json()["token"], headers=origin, tls=trusting
            ) as ann:
                await ann.play(3)


async def test_B269_an_encrypted_connection_holds_little_of_what_is_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of asyncio's own each held 0.7 MB."""
    held = []

    class Watched(door.Door):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            held.append(transport.get_write_buffer_limits()[1])
            super().connection_made(transport)

    monkeypatch.setattr(door, "Door", Watched)
    async with site(tls=context(CERTIFICATE, KEY)) as place:
        trusting = ssl.create_default_context(cafile=str(CERTIFICATE))
        async with asking(place.url, verify=trusting) as client:
            assert (await client.get("/healthz")).status_code == 200
    assert held == [HELD] and sslproto.SSLProtocol.max_size < 65_536


async def test_a_handshake_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """And counts as a connection of its address."""
    monkeypatch.setattr(door, "SLOWEST", 0.3)
    tls, limits = context(CERTIFICATE, KEY), Limits(connections_of_address=2)
    async with site(tls=tls, limits=limits) as place:
        port = int(place.url.rpartition(":")[2])
        silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
        more, other = await asyncio.open_connection("127.0.0.1", port)
        with contextlib.suppress(ConnectionError):
            assert await asyncio.wait_for(more.read(), 0.2) == b""
        for reader, _ in silent:
            with contextlib.suppress(ConnectionError):
                assert await asyncio.wait_for(reader.read(), 5) == b""
        trusting = ssl.create_default_context(cafile=str(CERTIFICATE))
        async with asking(place.url, verify=trusting) as client:
            for _ in range(2):
                assert (await client.get("/healthz")).status_code == 200
        plain, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            assert b"HTTP" not in await asyncio.wait_for(plain.read(), 5)
        for closing in (other, writer, *(writer for _, writer in silent)):
            closing.close()
            with contextlib.suppress(OSError):
                await closing.wait_closed()


async def test_serve_with_a_certificate_below_a_path(serve: Callable[..., Served]) -> None:
    place = serve("--certificate", str(CERTIFICATE), "--key", str(KEY), "--base-path", "cards/")
    assert place.url.startswith("https://127.0.0.1:") and place.url.endswith("/cards")
    trusting = ssl.create_default_context(cafile=str(CERTIFICATE))
    async with asking(place.url, verify=trusting) as client:
        assert (await client.get("/healthz")).json() == {"ok": True}


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--certificate", "none.pem"], 1, "none.pem"),
        (["--certificate", str(CERTIFICATE)], 1, "certificate.pem"),
        (["--certificate", str(KEY), "--key", str(KEY)], 1, "key.pem"),
        (["--key", str(KEY)], 2, "--certificate"),
        (["--proxy", "cards.example"], 2, "cards.example"),
        (["--proxy", "192.0.2.7/24"], 2, "192.0.2.7/24"),
        (["--base-path", "/a b"], 2, "/a b"),
        (["--base-path", "/../x"], 2, "/../x"),
        (["--metrics-token", "none"], 1, "none"),
        (["--metrics-token", "two lines"], 1, "two lines"),
        (["--metrics-token", "no ascii"], 1, "no ascii"),
        (["--origin", "cards.example"], 2, "cards.example"),
        (["--origin", "x y"], 2, "x y"),
        (["--origin", "https://cards.example/table"], 2, "/table"),
        (["--origin", "https://cards.example:x"], 2, ":x"),
        (["--origin", "null"], 2, "null"),
    ],
)
def test_what_cannot_be_served_so_is_told_in_a_line(
    tmp_path: Path, arguments: list[str], code: int, said: str
) -> None:
    (tmp_path / "two lines").write_text("one\ntwo\n")
    (tmp_path / "no ascii").write_text("é\n", "utf-8")
    command = [
        PROGRAM,
        "serve",
        "--no-browser",
        "--port",
        "0",
        "--database",
        str(tmp_path / "db"),
        *arguments,
    ]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=30, cwd=tmp_path)
    assert (ended.returncode, ended.stdout) == (code, "")
    assert ended.stderr.count("\n") == 1 and said in ended.stderr


async def test_an_encrypted_connection_is_one(tmp_path: Path) -> None:
    limits = Limits(opens=3, opens_per_second=0.0)
    async with site(tls=context(CERTIFICATE, KEY), limits=limits) as place:
        answers = []
        for _ in range(4):
            async with asking(
                place.url, verify=ssl.create_default_context(cafile=str(CERTIFICATE))
            ) as client:
                with contextlib.suppress(httpx.TransportError):
                    answers.append((await client.get("/healthz")).status_code)
        assert answers == [200] * 3
