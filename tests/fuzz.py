"""Nonsense without end: `.venv/bin/python -m tests.fuzz [--inputs 1000000] [--only NAME] [--seed 1]`.

Each target takes dice, tries some inputs that follow from them, and raises where the program did what it
never may: another exception than its own, a table that is stuck, a log line. Seed and round do it again.
"""

import argparse
import asyncio
import contextlib
import json
import logging
import random
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, Final, get_args

sys.path.insert(0, str(Path(__file__).parent))

from sockets import ASSETS, Opened, opened, site, taken

from cagnotte import fairness, players, record
from cagnotte.games import GAMES, choose
from cagnotte.server import wire
from cagnotte.server.app import Site
from cagnotte.server.hall import Hall
from cagnotte.server.hearing import hear
from cagnotte.server.limits import Limits
from cagnotte.server.line import Line, hashed
from cagnotte.server.pages import Guard
from cagnotte.server.rooms import Room
from cagnotte.server.store import Store
from cagnotte.table import Table

Target = Callable[[random.Random], Awaitable[int]]
LOOSE: Final = Limits(
    lines=10**6, tables=10**6, wishes=10**6, asks=10**6, codes=10**6, connections_of_address=10**6
)
SLOW: Final = 2.0  # seconds that one input may take

# What nobody means.

ODD: Final[tuple[Any, ...]] = (
    None, True, False, 0, 1, -1, 25, 51, 52, 1000, 1001, 2**31, 2**53, 2**63, 2**64, 10**30, 0.5, -0.0,
    1e308, "", " ", "\0", "x", "7S", "JS", "pass", "cut 3", "turn 9", "draw", "draw 0 7S", "shuffle",
    "person", "open", "steady", "en", "fr", "__class__", "\u202e", "\ud7ff", "é" * 20, "💥",
    "9" * 400, "x" * 300, [], {}, [[]], [None], {"": 0}, {"type": "act"}, [0] * 50, ["person"] * 30,
)  # fmt: skip
BITS = [
    b"\0",
    b"\xff",
    b"{",
    b"}",
    b"[",
    b"]",
    b'"',
    b"\\",
    b"\\u0000",
    b"\\ud800",
    b":",
    b",",
    b"null",
]
BITS += [
    b"NaN",
    b"1e999",
    b"-",
    b"9" * 50,
    b"\r\n",
    b"\n",
    b"\xc3",
    b"\xf0\x9f\x92\xa5",
    b"[" * 100,
    b'{"a":' * 60,
]


def spoiled(dice: random.Random, data: bytes) -> bytes:
    """The same with a few bytes changed, left out, put in or told twice."""
    for _ in range(dice.choice((1, 1, 2, 5))):
        at, to = sorted((dice.randint(0, len(data)), dice.randint(0, len(data))))
        bit = dice.choice([*BITS, bytes([dice.randrange(256)]), data[at:to]])
        data = dice.choice(
            (data[:at] + bit + data[at:], data[:at] + bit + data[at + len(bit) :], data[:at] + data[to:])
        )
    return data


def twisted(dice: random.Random, value: Any) -> Any:
    """The same with something in it that does not belong there."""
    odd = dice.choice(ODD)
    if isinstance(value, dict) and value and dice.random() < 0.8:
        key = dice.choice([*value])
        without: Any = {name: each for name, each in value.items() if name != key}
        wrong: Any = value | {key: twisted(dice, value[key])}
        return dice.choice((without, wrong, value | {str(odd)[:9]: odd}))
    if isinstance(value, list) and value and dice.random() < 0.8:
        at, to = dice.randrange(len(value)), dice.randrange(len(value))
        before, one, after = value[:at], value[at], value[at + 1 :]
        others = [*before, twisted(dice, one), *after]
        return dice.choice(
            (others, before, before + after, [*before, one, one, *after], [*before, value[to], *after])
        )
    return odd


# Messages.


def message(dice: random.Random, moves: list[str], version: int) -> dict[str, Any]:
    """One that a browser might send."""
    kind = dice.choice(get_args(wire.Message))
    said: dict[str, Any] = {"type": kind.__struct_config__.tag}
    usual: dict[str, list[Any]] = {
        "token": [None, "token 0", "token 1", "wrong"],
        "also": [[], ["token 2"]],
        "lang": ["en", "fr"],
        "seat": [None, 0, 1, 2, 3, 4],
        "name": ["Ann", "Eve", "\u202eeve", "<b>", ""],
        "level": ["steady", "random", "nobody"],
        "id": [str(dice.randrange(50))],
        "seen": [version, version, version, 0, version - 1, version + 1],
        "move": [*moves, *moves, "pass", "7S", "cut 3"],
        "on": [True, False],
        "text": ["hello", "<script>", "x" * 201, ""],
        "what": ["👏", "<img>"],
        "commitment": ["", "0" * 64],
        "share": ["ab" * 16, "zz"],
        "screen": [True, False],
    }
    values: dict[str, list[Any]] = {
        "pace": ["once", "slow", "warp"],
        "clock": [0, 15, 30, 7],
        "lang": ["en", "fr", "de"],
    }
    for field in kind.__struct_fields__:
        choices: list[Any] = values[said["type"]] if field == "value" else usual[field]
        said[field] = dice.choice(choices)
    return said


async def messages(dice: random.Random) -> int:
    """What is no message reads as none, and what is none raises nothing."""
    for _ in range(200):
        said = message(dice, ["7S"], 3)
        if dice.random() < 0.6:
            said = twisted(dice, said)
        text = json.dumps(said).encode()
        if dice.random() < 0.6:
            text = spoiled(dice, text)
        wire.read(text.decode("utf-8", "replace"))
        wire.read_new_table(text)
    return 400


async def tables(dice: random.Random) -> int:
    """Whatever those at a table say: it stays sound, is stored as it is, and goes on."""
    now = [1000.0]
    store = Store(None)
    store.open()
    hall = Hall(store, LOOSE, lambda: now[0], random.Random(dice.random()))
    talk = Site(hall, ASSETS, Guard())
    players = dice.randint(2, 5)
    game = choose(dice.choice([*GAMES]), max(players, 3), {})
    tokens = [f"token {seat}" for seat in range(game.players)]
    persons = [(f"Ann {seat}", hashed(token)) for seat, token in enumerate(tokens)]
    kinds = ["person"] * game.players
    try:
        room = await hall.open(*Table.open(game, kinds, persons, hall.seal(), pace="once", clock=15))
        lines = [Line("en", token) for token in (*tokens, None, "wrong")]
        for line in lines:
            await room.join(line)
        for n in range(120):
            line = dice.choice(lines)
            moves = [str(move) for move in room.table.game.legal(room.table.play)] if room.table.play else []
            said = message(dice, moves[:30], room.table.version)
            if room.table.state == "lobby" and n == 5:
                said, line = {"type": "start"}, lines[0]
            if dice.random() < 0.15:
                said = twisted(dice, said)
            await hear(room, line, wire.read(json.dumps(said)), talk.opened)
            if dice.random() < 0.3:
                now[0] += dice.choice((0.1, 1.0, 20.0, 400.0))
                await room.tick()
            assert room.sound
            for each in lines:
                taken(each)
            lines = [line if not line.closed else await _again(room, line) for line in lines]
        await _same(room, store)
        await _goes_on(room, now)
    finally:
        hall.close()
        store.close()
    return 120


async def _again(room: Room, gone: Line) -> Line:
    line = Line(gone.lang, None)
    line.secrets, line.secret = gone.secrets, gone.secret
    await room.join(line)
    return line


async def _same(room: Room, store: Store) -> None:
    async with room.lock:  # or its timer goes on meanwhile
        stored = Table.restore(await store.read(room.id))
    for seat in (None, *range(room.table.game.players)):
        one, other = stored.look(seat, log=True), room.table.look(seat, log=True)
        assert (one.version, one.view, one.events) == (other.version, other.view, other.events)


async def _goes_on(room: Room, now: list[float]) -> None:
    """While somebody is there, time brings a sitting on, unless its clock has no end."""
    table = room.table
    if table.state != "playing" or not table.there.present or table.clock == 0:
        return
    before = table.version
    for _ in range(8):
        now[0] += 400.0
        await room.tick()
    assert room.table.version > before or room.table.due is None, "the table is stuck"


# Records.


async def records(dice: random.Random) -> int:
    """What is no record is a fault of it, and is found to be one soon."""
    name = dice.choice([*GAMES])
    game = choose(name, dice.choice((None, 3, 4)), {"deals": 1} if name != "fear" else {})
    names = [f"P{n}" for n in range(game.players)]
    text = str(record.new(game, names, [players.bot("random")] * game.players, dice))
    plain = json.loads(text)
    proof = {"secret": "ab" * 32, "shares": {"0": "cd" * 16}, "cards": [], "move": 1}
    for _ in range(20):
        values = twisted(dice, plain | dice.choice(({}, {"proof": [proof]}, {"proof": dice.choice(ODD)})))
        data = json.dumps(values).encode()
        if dice.random() < 0.4:
            data = spoiled(dice, data)
        began = time.monotonic()
        for _, found in record.read([line + b"\n" for line in data.split(b"\n")]):
            with contextlib.suppress(record.Fault):
                if isinstance(found, record.Record):
                    record.check(found)
            with contextlib.suppress(record.Fault):
                if isinstance(found, record.Record):
                    fairness.verify(found)
        assert time.monotonic() - began < SLOW
    return 20


# What comes in at the door.


KEY: Final = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
REQUESTS: Final = [
    b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /api/rules/fear?lang=fr HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n",
    b"GET /api/codes/222222?lang=fr HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /api/replay/2345678923?sitting=2&deal=3 HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a\r\n\r\n",
    b"GET /static/x/js/main.js HTTP/1.1\r\nHost: a\r\nRange: bytes=0-9\r\nIf-None-Match: *\r\n\r\n",
    b"GET /t/2 HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.1, ::1\r\nX-Forwarded-Host: b\r\n\r\n",
    b'POST /api/tables HTTP/1.1\r\nHost: a\r\nContent-Length: 30\r\n\r\n{"game":"fear","name":"Eve"}  ',
    b'POST /api/tables HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"ga\r\n0\r\n\r\n',
    b"GET /ws/%s HTTP/1.1\r\nHost: a\r\n" + KEY + b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
]


def frames(dice: random.Random) -> bytes:
    """Frames of a socket, whole, in parts, masked or not, of lengths that they have not."""
    made = b""
    for _ in range(dice.randint(1, 6)):
        data = json.dumps(message(dice, ["7S"], 3)).encode()
        mask = dice.choice((0x80, 0x80, 0x80, 0))
        head = dice.choice((0x81, 0x81, 0x01, 0x80, 0x82, 0x88, 0x89, 0x8A, 0xC1, 0x83, dice.randrange(256)))
        length = dice.choice((len(data), len(data), 0, 125, 126, 127)) & 127
        size = {126: len(data).to_bytes(2, "big"), 127: dice.choice((2**63, 2**40, 9)).to_bytes(8, "big")}
        made += bytes([head, mask | length]) + size.get(length, b"") + (bytes(4) if mask else b"") + data
    return made


class Door:
    """A site whose door is beaten at, and a table at which somebody plays meanwhile."""

    def __init__(self) -> None:
        self.stack = contextlib.AsyncExitStack()
        self.table: Opened | None = None

    async def __call__(self, dice: random.Random) -> int:
        """Whatever bytes come: they are answered or cut off, and the site goes on."""
        if self.table is None:
            guard = Guard(proxies=["127.0.0.1"])
            place = await self.stack.enter_async_context(site(limits=LOOSE, guard=guard))
            self.table = await opened(place.url, "fan-tan", ["steady"] * 2, pace="slow", clock=0)
        where = int(self.table.url.rpartition(":")[2])
        await asyncio.gather(*(self._one(dice, where, self.table.table.encode()) for _ in range(20)))
        async with self.table.host() as ann:
            await ann.say("ping")
            await ann.hear("pong")
        return 20

    async def _one(self, dice: random.Random, port: int, table: bytes) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        request = dice.choice(REQUESTS).replace(b"%s", table)
        if dice.random() < 0.6:
            request = spoiled(dice, request)
        if dice.random() < 0.5:
            said = frames(dice)
            request += spoiled(dice, said) if dice.random() < 0.5 else said
        with contextlib.suppress(OSError):
            writer.write(request)
            if dice.random() < 0.5:
                writer.write_eof()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(reader.read(100_000), dice.choice((0.01, 0.1)))
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    async def close(self) -> None:
        await self.stack.aclose()


class Silent(logging.Handler):
    """A log to which nothing may be said."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, entry: logging.LogRecord) -> None:
        text = self.format(entry)
        if not text.startswith(("Invalid HTTP request", "Unsupported upgrade request", "Invalid UTF-8")):
            self.said.append(text)


@contextlib.contextmanager
def silence() -> Iterator[Silent]:
    """Whatever is logged meanwhile."""
    handler = Silent()
    logging.getLogger().addHandler(handler)
    try:
        yield handler
    finally:
        logging.getLogger().removeHandler(handler)


async def run(name: str, seed: str, inputs: int) -> int:
    """Try about so many inputs of a target; how many there were. Raises at the first fault."""
    door = Door()
    targets: dict[str, Target] = {"messages": messages, "tables": tables, "records": records, "door": door}
    tried, n = 0, 0
    try:
        with silence() as log:
            while tried < inputs:
                try:
                    tried += await targets[name](random.Random(f"{name} {seed} {n}"))
                    assert not log.said, log.said[0]
                except Exception as error:
                    error.add_note(f"target {name}, seed {seed}, round {n}")
                    raise
                n += 1
    finally:
        await door.close()
    return tried


PARTS: Final = {"messages": 0.7, "tables": 0.2, "records": 0.05, "door": 0.05}  # of all inputs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--seed", default="1")
    asked = parser.parse_args()
    for name, part in PARTS.items() if asked.only is None else [(asked.only, 1.0)]:
        began = time.monotonic()
        tried = asyncio.run(run(name, asked.seed, int(asked.inputs * part)))
        print(f"{name}: {tried} inputs in {time.monotonic() - began:.0f} s, no fault", flush=True)


if __name__ == "__main__":
    main()
