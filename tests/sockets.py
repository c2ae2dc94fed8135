"""A site on a free port of this machine, and those who sit at its tables over real sockets."""

import asyncio
import json
import random
import ssl
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from cagnotte import table
from cagnotte.fairness import Dice, Proof
from cagnotte.server.app import app
from cagnotte.server.hall import Hall
from cagnotte.server.limits import Limits
from cagnotte.server.line import Line
from cagnotte.server.pages import Assets, Guard
from cagnotte.server.serve import _listen, configured
from cagnotte.server.store import Store
from cagnotte.table_terms import PACES, Tempo

PATIENCE = 10.0  # seconds that an answer may take
ASSETS = Assets()


@dataclass
class Site:
    """A running site: its address, and what is behind it."""

    url: str
    hall: Hall


@asynccontextmanager
async def site(
    database: Path | None = None,
    limits: Limits = Limits(),  # noqa: B008
    clock: Callable[[], float] = time.monotonic,
    dice: random.Random | None = None,
    throw: Callable[[Proof], random.Random] = Dice,
    guard: Guard | None = None,
    patience: float = 5.0,
    network: Callable[[], str | None] = lambda: None,
    base: str = "",
    token: str | None = None,
    tls: ssl.SSLContext | None = None,
) -> AsyncIterator[Site]:
    """A site in this very loop, with its store in a file or in memory; at once is at once there."""
    once, PACES["once"] = PACES["once"], Tempo(0.0, 0.05, 0.0)
    sharing, vars(table)["SHARING"] = vars(table)["SHARING"], 0.0
    store = Store(database, patience)
    store.open()
    hall = Hall(store, limits, clock, dice, throw)
    listening = _listen("127.0.0.1", 0)
    made = app(hall, ASSETS, guard or Guard(), network, base, token)
    server = uvicorn.Server(configured(made, tls))
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        while not server.started:
            await asyncio.sleep(0.01)
        scheme = "http" if tls is None else "https"
        yield Site(f"{scheme}://127.0.0.1:{listening.getsockname()[1]}{base}", hall)
    finally:
        server.should_exit = True
        await serving
        store.close()
        PACES["once"], vars(table)["SHARING"] = once, sharing


def asking(url: str, verify: Any = False, **options: Any) -> httpx.AsyncClient:
    """A client; one that need not verify anything is made a hundred times as fast."""
    return httpx.AsyncClient(base_url=url, trust_env=False, timeout=PATIENCE, verify=verify, **options)


async def opened(url: str, game: str = "fan-tan", seats: Iterable[str] = (), **wanted: Any) -> "Opened":
    """A new table of Ann's; all other seats are open unless they are told."""
    body: dict[str, Any] = {"game": game, "name": "Ann", "pace": "once", **wanted}
    if taken := list(seats):
        body |= {"seats": ["person", *taken], "players": 1 + len(taken)}
    async with asking(url) as client:
        answer = await client.post("/api/tables", json=body)
    assert answer.status_code == 201, answer.text
    return Opened(url, **answer.json())


@dataclass
class Opened:
    """A table that was opened."""

    url: str
    table: str
    code: str = ""
    seat: int | None = None
    token: str | None = None
    seats: list[dict[str, Any]] = field(default_factory=list)

    def host(self, **options: Any) -> "Player":
        return Player(self.url, self.table, self.token, **options)

    def guest(self, token: str | None = None, **options: Any) -> "Player":
        return Player(self.url, self.table, token, **options)

    async def company(self, players: int) -> list["Player"]:
        """The host and others in all the other seats, connected; the host has begun."""
        host = await self.host().come()
        company = [host, *[await self.guest().come() for _ in range(players - 1)]]
        for player, name in zip(company[1:], ("Bo", "Cy", "Di", "Eve", "Fay"), strict=False):
            await player.sit(name)
        await host.say("start")
        for player in company:
            await player.until(lambda update: update["table"]["state"] == "playing")
        return company


@dataclass
class Player:
    """A browser at a table: what it was sent, and what it says."""

    url: str
    table: str
    token: str | None = None
    lang: str = "en"
    also: list[str] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    frames: list[str] = field(default_factory=list)
    update: dict[str, Any] = field(default_factory=dict)
    moves: int = 0
    tls: ssl.SSLContext | None = None

    async def open(self) -> Self:
        """Connect, and say nothing."""
        address = f"{self.url.replace('http', 'ws')}/ws/{self.table}"
        self.socket: ClientConnection = await connect(
            address,
            proxy=None,
            compression=None,
            ping_interval=None,
            additional_headers=self.headers,
            ssl=self.tls,
        )
        return self

    async def come(self) -> Self:
        """Connect, say who this is, and hear how the table stands."""
        await self.open()
        await self.say("hello", token=self.token, lang=self.lang, also=self.also)
        await self.hear("update")
        return self

    async def go(self) -> None:
        """Close the socket, and read what stands before the answer to that: unread it would take 10 s."""
        closing = asyncio.create_task(self.socket.close())
        with suppress(ConnectionClosed):
            while True:
                await self.socket.recv()
        await closing

    async def back(self) -> Self:
        await self.go()
        return await self.come()

    async def __aenter__(self) -> Self:
        return await self.come()

    async def __aexit__(
        self, kind: type | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.go()

    async def send(self, text: str | bytes) -> None:
        await self.socket.send(text)

    async def say(self, type: str, **values: Any) -> None:
        await self.send(json.dumps({"type": type, **values}))

    async def read(self) -> dict[str, Any]:
        """The next message; an update is kept."""
        text = await asyncio.wait_for(self.socket.recv(), PATIENCE)
        assert isinstance(text, str)
        self.frames.append(text)
        message: dict[str, Any] = json.loads(text)
        if message["type"] == "update":
            self.update = message
        elif message["type"] == "seated":
            self.token = message["token"]
        return message

    async def hear(self, *types: str) -> dict[str, Any]:
        """The next message of one of these types."""
        while (message := await self.read())["type"] not in types:
            pass
        return message

    async def until(self, test: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The update, this or a later one, that passes."""
        while not test(self.update):
            await self.hear("update")
        return self.update

    async def reach(self, version: int) -> dict[str, Any]:
        """The first update of this version or a later one."""
        return await self.until(lambda update: bool(update["version"] >= version))

    async def closed(self) -> int:
        """Read on until the socket is closed; the code."""
        try:
            while True:
                await self.read()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006

    async def sit(self, name: str, seat: int | None = None) -> dict[str, Any]:
        await self.say("sit", name=name, seat=seat)
        answer = await self.hear("seated", "refused")
        await self.hear("update")
        return answer

    async def act(
        self, move: str | None = None, id: str | None = None, seen: int | None = None
    ) -> dict[str, Any]:
        """Send a move, this one or the first there is; the answer, once the state after it is known too."""
        self.moves += 1
        id, move, seen = id or f"move {self.moves}", move or self.choice, seen or self.version
        await self.say("act", id=id, move=move, seen=seen)
        answer = await self.hear("done", "refused")
        if answer["type"] == "refused":
            await self.hear("update")
        else:
            await self.reach(seen + 1)
        return answer

    @property
    def version(self) -> int:
        return int(self.update["version"])

    @property
    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = self.update["view"]
        return view

    @property
    def mine(self) -> bool:
        """Whether it is this seat's turn."""
        return bool(self.update["view"] and (self.view["moves"] or self.view.get("cuts")))

    @property
    def choice(self) -> str:
        view = self.view
        return str(view["moves"][0]) if view["moves"] else f"cut {view['cuts'][0]}"

    async def play(self, moves: int = 10**6) -> None:
        """Play so many moves, always the first that is legal, while others play; or to the end."""
        while self.update["view"] is None or not self.view["over"]:
            waiting = self.update["table"]["waiting"]
            if self.mine:
                if moves == 0:
                    return
                moves -= 1
                await self.act()
                continue
            if waiting and waiting["what"] == "go":
                await self.say("go", seen=self.version)
            await self.hear("update")


def taken(line: Line) -> list[dict[str, Any]]:
    """All that waits for a socket, taken as if it were sent; of type `end` is that it is closed."""
    told = [line.out.get_nowait() for _ in range(line.out.qsize())]
    line._weigh(-sum(len(text or b"") for text in told))
    return [json.loads(text or '{"type":"end"}') for text in told]


async def together(company: Sequence[Player]) -> Player:
    """Wait until it is the turn of one of these, and everybody knows the latest; who it is."""
    while True:
        version = max(player.version for player in company)
        for player in company:
            await player.reach(version)
        for player in company:
            if player.mine and all(other.version == player.version for other in company):
                return player
        if all(other.version == version for other in company):
            await company[0].hear("update")
