"""How honest players fare beside one hostile client. Needs Linux, whose machines have many addresses.

A server of its own; in another process 500 honest sockets play at 125 tables, one move a table about every
two seconds; a third process does its worst from one other address. Told for each attack: how many ms honest
moves took from `act` to `done`, what the server says of the 99th of a hundred commits and of its loop
(bounds, in seconds), and the MB of memory that it has at the end. It fails where the 99th of a hundred
honest moves takes longer than 100 ms, and twice as long as beside nobody, or where an honest socket is lost.
"""

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import os
import random
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

SEATS = 4
WORST = 0.1  # seconds, p99, that an honest move may take
WHAT = "beside one who floods with"
PROGRAM = str(Path(sys.executable).with_name("cagnotte"))
FROM = "127.0.9.9"  # the hostile one
PLAIN: dict[str, Any] = {"proxy": None, "compression": None, "ping_interval": None}
LOST = (OSError, WebSocketException, httpx.HTTPError, asyncio.TimeoutError)


def asking(address: str) -> httpx.AsyncClient:
    """A client at this address."""
    transport = httpx.AsyncHTTPTransport(local_address=address, trust_env=False)
    return httpx.AsyncClient(transport=transport, timeout=60)


async def ask(url: str, table: int) -> dict[str, Any]:
    body = {"game": "fan-tan", "players": SEATS, "seats": ["person"] * SEATS, "pace": "quick"}
    body |= {"names": ["Ann", "Bo", "Cy", "Di"], "clock": 0, "rules": {"deals": 20}}
    async with asking(f"127.0.1.{table % 250}") as client:
        answer = await client.post(f"{url}/api/tables", json=body)
    return dict(answer.raise_for_status().json())


class Honest:
    """A socket of one seat: it plays when it is its turn, and notes how long that took."""

    pause = 1.0, 3.0  # seconds before a move, from and to

    def __init__(self, url: str, table: str, token: str, took: list[float], address: str) -> None:
        self.address = f"{url.replace('http', 'ws')}/ws/{table}"
        self.token = token
        self.took = took
        self.local = (address, 0)
        self.lost = 0

    async def run(self) -> None:
        while True:
            try:
                async with connect(
                    self.address,
                    proxy=None,
                    compression=None,
                    ping_interval=None,
                    local_addr=self.local,
                ) as socket:
                    await socket.send(json.dumps({"type": "hello", "token": self.token}))
                    if self.token == "":
                        return
                    await self.play(socket)
            except LOST:
                self.lost += 1
                await asyncio.sleep(0.3)

    async def play(self, socket: ClientConnection) -> None:
        sent: dict[str, float] = {}
        async for text in socket:
            told = msgspec.json.decode(text)
            if told["type"] == "done" and told["id"] in sent:
                self.took.append(time.monotonic() - sent.pop(told["id"]))
            if told["type"] != "update" or told["view"] is None:
                continue
            view, waiting = told["view"], told["table"]["waiting"]
            if view["moves"] or view.get("cuts"):
                await asyncio.sleep(random.uniform(*self.pause))
                id = os.urandom(8).hex()
                sent[id] = time.monotonic()
                move = view["moves"][0] if view["moves"] else f"cut {view['cuts'][0]}"
                await socket.send(
                    json.dumps({"type": "act", "id": id, "seen": told["version"], "move": move})
                )
            elif waiting and waiting["what"] == "go":
                await socket.send(json.dumps({"type": "go", "seen": told["version"]}))
            elif told["table"]["state"] == "lobby" and told["table"]["me"] == told["table"]["host"]:
                await socket.send(json.dumps({"type": "start"}))
            elif told["table"]["state"] == "over" and told["table"]["me"] == told["table"]["host"]:
                await socket.send(json.dumps({"type": "again"}))


async def honest(url: str, count: int, rounds: Any) -> None:
    """Play until told to stop; at each word of `rounds` say how long the moves since the last one took."""
    took: list[float] = []
    players = []
    for n in range(count // SEATS):
        table = await ask(url, n)
        for seat in table["seats"]:
            players.append(Honest(url, table["table"], seat["token"], took, f"127.0.1.{n % 250}"))
    tasks = [asyncio.create_task(player.run()) for player in players]
    while await asyncio.to_thread(rounds.recv):
        rounds.send((list(took), sum(player.lost for player in players)))
        took.clear()
    for task in tasks:
        task.cancel()


# The hostile one's worst.

GET = "GET {} HTTP/1.1\r\nHost: {}\r\n{}\r\n"


async def raw(url: str, text: bytes, many: int, connections: int, pause: float = 0.0) -> None:
    """So many connections that send this over and over, and read what comes."""
    host = url.removeprefix("http://")

    async def one() -> None:
        while True:
            with contextlib.suppress(*LOST):
                name, _, port = host.rpartition(":")
                reader, writer = await asyncio.open_connection(name, int(port), local_addr=(FROM, 0))
                try:
                    while True:
                        writer.write(text * many)
                        await writer.drain()
                        if not await reader.read(1_000_000):
                            break
                        await asyncio.sleep(pause)
                finally:
                    writer.close()
            await asyncio.sleep(0.001)

    await asyncio.gather(*(one() for _ in range(connections)))


async def sockets(url: str, table: str, messages: list[str], connections: int, rate: float) -> None:
    """So many sockets at a table that say these at this rate, and come again when they are closed."""

    async def one() -> None:
        while True:
            with contextlib.suppress(*LOST):
                async with connect(
                    f"{url.replace('http', 'ws')}/ws/{table}",
                    proxy=None,
                    compression=None,
                    local_addr=(FROM, 0),
                ) as socket:
                    await socket.send('{"type":"hello"}')
                    reading = asyncio.create_task(read(socket))
                    try:
                        while True:
                            await socket.send(random.choice(messages))
                            await asyncio.sleep(1 / rate)
                    finally:
                        reading.cancel()
            await asyncio.sleep(0.01)

    await asyncio.gather(*(one() for _ in range(connections)))


async def read(socket: ClientConnection) -> None:
    with contextlib.suppress(*LOST):
        async for _ in socket:
            pass


async def deaf(url: str) -> None:
    """Sockets that ask for the whole of a large table, all of letters of four bytes, and read nothing."""
    async with asking(FROM) as client:
        table = (await client.post(f"{url}/api/tables", json=EMOJI)).json()
    tokens = [seat["token"] for seat in table["seats"]]
    line = json.dumps({"type": "say", "text": FACE * 190}, ensure_ascii=False)
    address = f"{url.replace('http', 'ws')}/ws/{table['table']}"

    async def talk(token: str) -> None:
        async with connect(address, **PLAIN, max_size=None, local_addr=(FROM, 0)) as talking:
            for text in (json.dumps({"type": "hello", "token": token}), *[line] * 5, '{"type":"ping"}'):
                await talking.send(text)
            while '"pong"' not in str(await talking.recv()):
                pass

    await asyncio.gather(*map(talk, tokens))
    key = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    key += "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    host = url.removeprefix("http://")
    name, _, port = host.rpartition(":")
    loop = asyncio.get_running_loop()

    async def one(token: str) -> None:
        frames = [json.dumps({"type": "hello", "token": token}), *['{"type":"lang","value":"fr"}'] * 50]
        while True:
            with contextlib.suppress(*LOST), socket.socket() as silent:
                silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                silent.setblocking(False)
                silent.bind((FROM, 0))
                await loop.sock_connect(silent, (name, int(port)))
                await loop.sock_sendall(silent, GET.format(f"/ws/{table['table']}", host, key).encode())
                if b" 101 " in await loop.sock_recv(silent, 1000):  # what comes before it is not heard
                    await loop.sock_sendall(silent, b"".join(map(frame, frames)))
                    await asyncio.sleep(30)
            await asyncio.sleep(0.1)

    await asyncio.gather(*(one(tokens[n % len(tokens)]) for n in range(200)))


def frame(text: str) -> bytes:
    """A masked text frame, its mask nought."""
    data = text.encode()
    assert len(data) < 126
    return bytes([0x81, 0x80 | len(data), 0, 0, 0, 0]) + data


async def opening(url: str) -> None:
    async with asking(FROM) as client:

        async def one() -> None:
            while True:
                with contextlib.suppress(*LOST):
                    body = {"game": "fear", "name": "Eve", "seats": ["person"] + ["steady"] * 5, "players": 6}
                    await client.post(f"{url}/api/tables", json=body)

        await asyncio.gather(*(one() for _ in range(20)))


class Hasty(Honest):
    """One who plays as fast as he can."""

    pause = 0.0, 0.0


DEVICE = {"game": "fear", "players": 26, "seats": ["person"] * 26, "rules": {"stake": 10}, "pace": "once"}
DEVICE |= {"names": [f"{chr(65 + seat)}zu {seat}" for seat in range(26)], "clock": 0}
FACE = "\N{GRINNING FACE}" + 4 * "\N{EMOJI MODIFIER FITZPATRICK TYPE-1-2}"  # is one letter
EMOJI = DEVICE | {"names": [f"{chr(65 + seat)}zu {seat} {FACE[0]}" for seat in range(26)]}
BOTS = {"game": "fear", "players": 12, "seats": ["person"] + ["steady"] * 11, "rules": {"stake": 10}}
BOTS |= {"name": "Eve", "pace": "once"}


async def hasty(url: str, tables: int, body: dict[str, Any], crowd: int) -> None:
    """Tables that play as fast as they can, each before a crowd that knows some of its seats, or none."""

    async def listen(address: str, tokens: list[str]) -> None:
        while True:
            with contextlib.suppress(*LOST):
                async with connect(address, **PLAIN, local_addr=(FROM, 0)) as socket:
                    known = random.sample(tokens, random.randrange(len(tokens) + 1))
                    hello = {"type": "hello", "token": known[0] if known else None, "also": known[1:]}
                    await socket.send(json.dumps(hello))
                    await read(socket)
            await asyncio.sleep(0.2)

    async def play() -> None:
        async with asking(FROM) as client:
            table = (await client.post(f"{url}/api/tables", json=body)).json()
        tokens = [seat["token"] for seat in table["seats"]]
        players = [Hasty(url, table["table"], token, [], FROM) for token in tokens]
        listeners = [listen(players[0].address, tokens) for _ in range(crowd)]
        await asyncio.gather(*(player.run() for player in players), *listeners)

    await asyncio.gather(*(play() for _ in range(tables)))


async def bodies(url: str, connections: int) -> None:
    """Requests with a body that nobody reads and that never ends."""
    host = url.removeprefix("http://")
    name, _, port = host.rpartition(":")
    head = GET.format("/healthz", host, f"Content-Length: {10**14}\r\n").encode()

    async def one() -> None:
        while True:
            with contextlib.suppress(*LOST):
                reader, writer = await asyncio.open_connection(name, int(port), local_addr=(FROM, 0))
                writer.write(head)
                await reader.read(1000)
                while True:
                    writer.write(b"x" * 65_536)
                    await writer.drain()
            await asyncio.sleep(0.1)

    await asyncio.gather(*(one() for _ in range(connections)))


WISHES = ['{"type":"lang","value":"fr"}', '{"type":"lang","value":"en"}', '{"type":"as","seat":null}']
WISHES += ['{"type":"sit","name":"Eve"}', '{"type":"act","id":"a","seen":1,"move":"7S"}', '{"type":"hint"}']


def attacks(url: str, table: str, static: str) -> dict[str, Callable[[], Awaitable[None]]]:
    host = url.removeprefix("http://")

    def get(path: str, more: str = "") -> bytes:
        return GET.format(path, host, more).encode()

    def nothing() -> Awaitable[None]:
        return asyncio.sleep(3600)

    return {
        "nothing": nothing,
        "GET /healthz, 1,000 connections": lambda: raw(url, get("/healthz"), 1, 1000),
        "GET / in pipelines of 50": lambda: raw(url, get("/"), 50, 100),
        "GET the rules, unpacked": lambda: raw(url, get("/api/rules/fear?lang=fr"), 10, 100),
        "GET a script, 1,000 connections": lambda: raw(url, get(static), 1, 1000),
        "GET codes": lambda: raw(url, get("/api/codes/222222"), 10, 100),
        "connections that send nonsense": lambda: raw(url, b"\0" * 100, 1, 500),
        "half requests": lambda: raw(url, b"GET / HTTP/1.1\r\nX: ", 1, 500, 1.0),
        "tables": lambda: opening(url),
        "sockets that come and go": lambda: sockets(url, table, ["x"], 100, 1000.0),
        "sockets that say nonsense": lambda: sockets(url, table, ["x" * 4000, "[" * 2000], 50, 19.0),
        "sockets that wish for all there is": lambda: sockets(url, table, WISHES, 50, 19.0),
        "sockets that do not read": lambda: deaf(url),
        "bodies that never end": lambda: bodies(url, 300),
        "100 tables of bots": lambda: hasty(url, 100, BOTS, 0),
        "8 tables of bots, 69 sockets each": lambda: hasty(url, 8, BOTS, 68),
        "a table of 26 seats, 300 sockets": lambda: hasty(url, 1, DEVICE, 300),
        "a table of 26 seats, 900 sockets": lambda: hasty(url, 1, DEVICE, 900),
    }


async def told(coroutine: Awaitable[None]) -> None:
    await coroutine


def _hostile(url: str, table: str, static: str, name: str) -> None:
    _files()
    asyncio.run(told(attacks(url, table, static)[name]()))


def _honest(url: str, count: int, rounds: Any) -> None:
    _files()
    asyncio.run(honest(url, count, rounds))


def _files() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 20_000), hard))


def measured(url: str) -> dict[str, dict[str, int]]:
    """What the server has counted: by histogram, how often something took at most so long."""
    text = httpx.get(f"{url}/metrics", trust_env=False, timeout=30).text
    found: dict[str, dict[str, int]] = {"commit": {}, "lag": {}}
    for name, bound, count in re.findall(r'cagnotte_(\w+)_seconds_bucket\{le="(.+)"\} (\d+)', text):
        found[name][bound] = int(count)
    return found


def bounds(before: dict[str, dict[str, int]], after: dict[str, dict[str, int]]) -> list[str]:
    """The bound of the bucket in which the 99th of a hundred is, for each histogram."""
    told = []
    for name, counts in after.items():
        grown = {bound: count - before[name][bound] for bound, count in counts.items()}
        told.append(next(bound for bound, count in grown.items() if count >= 0.99 * grown["+Inf"]))
    return told


def memory(process: int) -> float:
    """The MB that it has."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def share(took: list[float], part: float) -> float:
    return sorted(took)[int(len(took) * part)] * 1000 if took else float("nan")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--sockets", type=int, default=500)
    parser.add_argument("--only", default="", help="a part of the names of attacks")
    asked = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    slow, quiet = 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        options = ["--no-browser", "--port", "0", "--database", f"{folder}/tables.db"]
        server = subprocess.Popen([PROGRAM, "serve", *options], stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        found = re.search(r"http://[\d.:]+", server.stdout.readline())
        assert found
        url = found[0]
        page = httpx.get(url, trust_env=False).text
        script = re.search(r'"(static/[^"]+/js/main\.js)"', page)
        assert script
        table = asyncio.run(ask(url, 0))["table"]
        here, there = context.Pipe()
        playing = context.Process(target=_honest, args=(url, asked.sockets, there), daemon=True)
        playing.start()
        time.sleep(5 + asked.sockets / 50)
        print(f"{asked.sockets} honest sockets; milliseconds from act to done")
        heads = ("moves", "p50", "p99", "most", "lost", "commit", "lag", "MB")
        print("{:38} {:>6} {:>6} {:>6} {:>6} {:>5} {:>7} {:>7} {:>5}".format(WHAT, *heads))
        try:
            for name in attacks(url, table, script[1]):
                if asked.only not in name:
                    continue
                hostile = context.Process(
                    target=_hostile, args=(url, table, "/" + script[1], name), daemon=True
                )
                hostile.start()
                time.sleep(4)
                counted = measured(url)
                here.send(True)
                _, before = here.recv()
                time.sleep(asked.seconds)
                here.send(True)
                took, lost = here.recv()
                held = memory(server.pid)
                hostile.kill()
                commit, lag = bounds(counted, measured(url))
                hostile.join()
                p50, p99, most = share(took, 0.5), share(took, 0.99), max(took, default=9.999) * 1000
                figures = f"{p50:6.1f} {p99:6.1f} {most:6.1f} {lost - before:5} {commit:>7} {lag:>7}"
                print(f"{name:38} {len(took):6} {figures} {held:5.0f}", flush=True)
                quiet = p99 if name == "nothing" else quiet
                slow += not p99 <= max(WORST * 1000, 2 * quiet) or lost > before
                time.sleep(2)
            here.send(False)
        finally:
            playing.kill()
            server.terminate()
            server.wait(10)
    print("too slow beside some" if slow else "as fast as need be beside all of them")
    return int(bool(slow))


if __name__ == "__main__":
    sys.exit(main())
