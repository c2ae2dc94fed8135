"""What a server loses when it is killed: `python benchmarks/chaos.py [--fault kill] [--seconds 120]`.

Bots in two other processes play at tables of all games. Meanwhile the server is killed (`kill -9`) and
started again, its disk is full for a while, or another program locks its database, at random instants. Each
bot sends a move until it is told that it was played or refused, as the page does. Afterwards the database
must hold each move that was acknowledged once, none that was refused, and be found sound by `cagnotte data
check`, which counts the chips as well. Needs Linux.
"""

import argparse
import asyncio
import itertools
import json
import random
import re
import resource
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

PROGRAM: Final = str(Path(sys.executable).with_name("cagnotte"))
GAMES: Final = {"fear": 12, "fan-tan": 5, "five-or-nine": 5, "earl-of-coventry": 5, "play-or-pay": 5}
WORST: Final = 2.0  # seconds that a client may be without the table after a kill
FIRST_WAIT: Final = 0.3  # seconds until a client tries again, as in net.js …
SOON: Final = 20  # … and as often, before it waits twice as long each time
LOST: Final = (OSError, WebSocketException, TimeoutError)


# The bots, in processes of their own.


class Bot:
    """One seat: plays anything that is legal, and notes what it was told of each move."""

    def __init__(self, url: str, table: str, seat: int, token: str, rng: random.Random) -> None:
        self.address = f"{url.replace('http', 'ws')}/ws/{table}"
        self.table = table
        self.seat = seat
        self.hello = json.dumps({"type": "hello", "token": token, "lang": "en"})
        self.rng = rng
        self.numbers = itertools.count(1)
        self.pending: dict[str, Any] | None = None
        self.told: dict[str, list[tuple[str, str]]] = {"done": [], "refused": []}  # by id and move
        self.version = 0
        self.back = 0  # how often it was shown less than before
        self.away: list[tuple[float, float]] = []  # from when until when it did not see the table

    async def run(self) -> None:
        tries, lost = 0, 0.0
        while True:
            try:
                async with connect(
                    self.address, proxy=None, compression=None, ping_interval=None, open_timeout=5
                ) as line:
                    await line.send(self.hello)
                    await self.hear(line, await line.recv())
                    if lost:
                        self.away.append((lost, time.monotonic()))
                    tries, lost = 0, 0.0
                    if self.pending:
                        await line.send(json.dumps(self.pending))
                    async for text in line:
                        await self.hear(line, text)
            except LOST:
                pass
            lost = lost or time.monotonic()
            await asyncio.sleep(
                min(5.0, FIRST_WAIT * 2 ** max(0, tries - SOON)) * self.rng.uniform(0.75, 1.25)
            )
            tries += 1

    async def hear(self, line: ClientConnection, text: str | bytes) -> None:
        told = msgspec.json.decode(text)
        if told["type"] in self.told and self.pending and told.get("id") == self.pending["id"]:
            self.told[told["type"]].append((self.pending["id"], self.pending["move"]))
            self.pending = None
        elif told["type"] == "update":
            self.back += told["version"] < self.version
            self.version = told["version"]
            await self.play(line, told)

    async def play(self, line: ClientConnection, told: dict[str, Any]) -> None:
        table, view = told["table"], told["view"] or {}
        moves = [*view.get("moves", ()), *(f"cut {place}" for place in view.get("cuts") or ())]
        if moves and not self.pending:
            await asyncio.sleep(self.rng.uniform(0, 0.05))
            id = f"{self.seat} {next(self.numbers)}"
            self.pending = {"type": "act", "id": id, "seen": told["version"], "move": self.rng.choice(moves)}
            await line.send(json.dumps(self.pending))
        elif table["waiting"] and table["waiting"]["what"] == "go":
            await line.send(json.dumps({"type": "go", "seen": told["version"]}))
        elif table["state"] == "over" and table["host"] == self.seat:
            await line.send(json.dumps({"type": "again"}))


async def crowd(url: str, tables: Sequence[dict[str, Any]], seed: int) -> list[Bot]:
    """Play at these tables until standard input ends."""
    bots = [
        Bot(
            url,
            table["table"],
            each["seat"],
            each["token"],
            random.Random(f"{seed} {table['table']} {each['seat']}"),
        )
        for table in tables
        for each in table["seats"]
    ]
    tasks = [asyncio.create_task(bot.run()) for bot in bots]
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        if task.done():
            task.result()  # raises
        task.cancel()
    return bots


def crowd_main(file: Path) -> int:
    """What `--crowd FILE` does: the bots of these tables; at the end it writes what they were told."""
    told = json.loads(file.read_bytes())
    bots = asyncio.run(crowd(told["url"], told["tables"], told["seed"]))
    json.dump(
        [
            {"table": bot.table, "seat": bot.seat, "told": bot.told, "back": bot.back, "away": bot.away}
            for bot in bots
        ],
        sys.stdout,
    )
    return 0


# The server, and what is done to it.


class Server:
    """`cagnotte serve` on one port and one database, which can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.database = folder / "tables.sqlite"
        self.log = folder / "log"
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = int(free.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        where = ["--port", str(self.port), "--database", str(self.database), "--no-browser"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [PROGRAM, "serve", *where], stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert f":{self.port}/" in line, f"it does not serve: {line}{self.log.read_text()}"

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def fill(self, seconds: float) -> None:
        """Let the files of the server grow by no more than a few pages: that is what a full disk is to it."""
        most = max(file.stat().st_size for file in self.database.parent.iterdir()) + 8192
        self._limit(most)
        time.sleep(seconds)
        self._limit(resource.RLIM_INFINITY)

    def _limit(self, most: int) -> None:
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))

    def lock(self, seconds: float) -> None:
        other = sqlite3.connect(self.database, timeout=60, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        time.sleep(seconds)
        other.execute("ROLLBACK")
        other.close()


def opened(url: str, count: int, seats: int) -> Iterator[dict[str, Any]]:
    names = ["Ann", "Bo", "Cy", "Di", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo", "Kay", "Leo"]
    with httpx.Client(base_url=url, trust_env=False, timeout=30) as client:
        for _, (game, most) in zip(range(count), itertools.cycle(GAMES.items()), strict=False):
            players = max(5 if game == "fear" else 3, min(seats, most))
            body = {"game": game, "players": players, "seats": ["person"] * players, "pace": "once"}
            body |= {"names": names[:players], "clock": 0}
            yield client.post("/api/tables", json=body).raise_for_status().json()


def trouble(server: Server, fault: str, seconds: float, times: int, rng: random.Random) -> list[float]:
    """So many faults, in the mean `seconds / times` after the server came back; when it was killed.

    How long it takes to come back is not counted, or a slow machine would leave it no time to be played at.
    """
    killed = []
    for _ in range(times):
        time.sleep(rng.uniform(0, 2 * seconds / times))
        if fault == "kill":
            killed.append(time.monotonic())
            server.kill()
            server.start()
        elif fault == "full":
            server.fill(rng.uniform(0.1, 2.0))
        else:
            server.lock(rng.uniform(0.1, 8.0))
    time.sleep(2.0)
    return killed


# What came of it.


def judge(database: Path, bots: Sequence[dict[str, Any]]) -> list[str]:
    """Everything that is not as it should be."""
    wrong: list[str] = []
    with sqlite3.connect(database) as base:
        entries = [
            (table, json.loads(entry)) for table, entry in base.execute("SELECT table_id, entry FROM entries")
        ]
    base.close()
    logged = Counter(
        (table, entry["actor"], entry["move_id"], entry["move"])
        for table, entry in entries
        if entry["kind"] == "played" and entry["move_id"]
    )
    ids = Counter((table, seat, id) for table, seat, id, _ in logged.elements())
    wrong += [f"table {table}: a move is there {n} times" for (table, *_), n in ids.items() if n > 1]
    for bot in bots:
        table, seat = bot["table"], bot["seat"]
        wrong += [
            f"table {table}: seat {seat} lost {move}"
            for id, move in bot["told"]["done"]
            if logged[table, seat, id, move] != 1
        ]
        wrong += [
            f"table {table}: {move} of seat {seat} was refused and played"
            for id, move in bot["told"]["refused"]
            if ids[table, seat, id]
        ]
        wrong += [f"table {table}: seat {seat} was shown less than before"] * bool(bot["back"])
    done = subprocess.run(
        [PROGRAM, "data", "check", "--database", str(database)], capture_output=True, text=True
    )
    print(done.stdout, end="")
    return wrong + done.stderr.splitlines()


def downtimes(bots: Sequence[dict[str, Any]], killed: Sequence[float]) -> list[float]:
    """For how long after the last kill each bot that was away did not see its table, each time."""
    return sorted(
        back - max([lost, *(at for at in killed if lost < at < back)])
        for bot in bots
        for lost, back in bot["away"]
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("--fault", choices=("kill", "full", "locked"), default="kill")
    add("--seconds", type=float, default=120)
    add(
        "--times",
        type=int,
        default=None,
        help="faults in that time; default: 200 kills, 40 full disks, 15 locks",
    )
    add("--tables", type=int, default=40)
    add("--seats", type=int, default=12, help="at the most; Fear has room for 12, the others for 5")
    add("--patient", action="store_true", help="a client may be away for longer: the machine is busy")
    add("--seed", type=int, default=1790)
    add("--crowd", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.crowd:
        return crowd_main(asked.crowd)
    times = {"kill": 200, "full": 40, "locked": 15}[asked.fault] if asked.times is None else asked.times
    folder = Path(tempfile.mkdtemp(prefix="chaos-"))
    server = Server(folder)
    server.start()
    tables = list(opened(server.url, asked.tables, asked.seats))
    crowds = []
    for half in (0, 1):
        file = folder / f"crowd-{half}.json"
        file.write_text(json.dumps({"url": server.url, "tables": tables[half::2], "seed": asked.seed}))
        command = [sys.executable, __file__, "--crowd", str(file)]
        crowds.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
    began = time.monotonic()
    try:
        killed = trouble(server, asked.fault, asked.seconds, times, random.Random(asked.seed))
        took = time.monotonic() - began
    finally:
        found = [crowd.communicate()[0] for crowd in crowds]
        server.process.terminate()
        server.process.wait()
    bots = [bot for text in found for bot in json.loads(text)]
    wrong = judge(server.database, bots)
    done, refused = (sum(len(bot["told"][what]) for bot in bots) for what in ("done", "refused"))
    print(f"{len(bots)} bots at {len(tables)} tables, {times} times {asked.fault} in {took:.0f} s")
    print(f"{done} moves acknowledged, {refused} refused; {len(wrong)} things wrong")
    if away := downtimes(bots, killed):
        middle, most = away[len(away) // 2], away[len(away) * 99 // 100]
        print(
            f"without the table {len(away)} times: half of them up to {middle:.2f} s, 99 % {most:.2f} s, ",
            end="",
        )
        print(f"at most {away[-1]:.2f} s")
        if away[-1] > WORST and not asked.patient:
            wrong.append(f"a client was without its table for {away[-1]:.2f} s")
    log = Counter(re.sub(r"\b[0-9a-z]{10}\b", "…", line) for line in server.log.read_text().splitlines())
    print(*(f"log, {n} times: {line}" for line, n in log.most_common(8)), sep="\n")
    print(*wrong[:20], sep="\n", file=sys.stderr)
    if not wrong:
        shutil.rmtree(folder)
    return int(bool(wrong))


if __name__ == "__main__":
    raise SystemExit(main())
