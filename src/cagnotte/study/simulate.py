"""Many deals: a row for each, and what they come to, on all cores of this machine or on a cluster.

Deal i of a seed is the same wherever and whenever it is played, so that a run may be parted at will. Each
deal stands alone: everybody sits down to it with the same chips, and seats are counted from eldest.
"""

import asyncio
import logging
import os
import signal
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from importlib.metadata import version
from itertools import zip_longest
from math import ceil, inf, isfinite, sqrt
from multiprocessing import active_children, connection, get_context, parent_process
from struct import Struct
from threading import Thread
from typing import Any, Final

from cagnotte.core import Game, Illegal
from cagnotte.games import Value, choose
from cagnotte.guests import Pressed, aside, bot
from cagnotte.study import LEAST, SURE, dice, engine, kernel, student
from cagnotte.study.extras import need

SECONDS: Final = 0.3  # that a batch is to take
BEGIN: Final = {True: 20_000, False: 20}  # deals of the first batches, compiled and not
MOST: Final = 2**18  # deals of a batch: 8 MB of rows
PATIENCE = 10.0  # seconds for a scheduler, and its first worker, to be there
GREETING: Final = Struct("<Q")  # with which a scheduler begins: how many bytes follow
LONGEST: Final = 2**20  # bytes that a greeting may have
LOOK: Final = 0.2  # seconds, between looks whether it is enough and whether somebody is still there
COUNTED: Final = ("turns", "passes", "spreads", "pool")  # of these all values are counted


@dataclass(frozen=True)
class Simulation:
    """What is to be played: a game with house rules, and bots by name from eldest; raises Illegal."""

    game: str
    bots: tuple[str, ...]
    rules: dict[str, Value] = field(default_factory=dict)
    seed: str = ""

    def __post_init__(self) -> None:
        _ = self.table
        for name in self.bots:
            bot(name)
        if "deals" in self.rules:
            raise Illegal(None, "each deal stands alone: there is no house rule deals here")

    @cached_property
    def table(self) -> Game[Any]:
        """The game."""
        return choose(self.game, len(self.bots), self.rules)

    @property
    def key(self) -> int:
        """What the dice follow from."""
        return int.from_bytes(blake2b(self.seed.encode(), digest_size=8).digest()) & dice.BELOW

    @property
    def columns(self) -> list[str]:
        """What a row holds."""
        return kernel.columns(self.table)

    @property
    def compiled(self) -> bool:
        """Whether all bots have a compiled form; otherwise the engine plays."""
        return all(name in kernel.COMPILED for name in self.bots)

    def rows(self, first: int, count: int) -> Any:
        """So many rows from this number on, an array of int16 with a line for each; raises Illegal."""
        if self.compiled:
            return kernel.rows(self.table, self.bots, self.key, first, count)
        players = [bot(name) for name in self.bots]
        made = engine.rows(self.table, players, self.key, first, count)
        return need("numpy").array(made, "int16").reshape(count, len(self.columns))


@dataclass(slots=True)
class Tally:
    """What rows come to, in whole numbers: the same in whatever order they are joined."""

    columns: list[str]
    deals: int = 0
    sums: list[int] = field(default_factory=list)
    squares: list[int] = field(default_factory=list)
    wins: list[int] = field(default_factory=list)  # by seat
    taken: list[int] = field(default_factory=list)  # chips of the pools that a seat won
    counts: dict[str, list[int]] = field(default_factory=dict)  # by value, of the columns COUNTED

    @classmethod
    def of(cls, columns: list[str], rows: Any) -> "Tally":
        """The tally of these rows."""
        numpy = need("numpy")
        lines = numpy.ascontiguousarray(rows.T)
        by_name = dict(zip(columns, lines, strict=True))
        seats = sum(name.startswith("chips_") for name in columns)
        winner, pool = by_name["winner"], by_name["pool"]
        squares = [int(numpy.multiply(line, line, dtype="int32").sum(dtype="int64")) for line in lines]
        return cls(
            columns,
            len(rows),
            [int(line.sum(dtype="int64")) for line in lines],
            squares,
            numpy.bincount(winner, minlength=seats).tolist(),
            numpy.bincount(winner, pool, seats).astype("int64").tolist(),
            {name: numpy.bincount(by_name[name]).tolist() for name in COUNTED if name in by_name},
        )

    def join(self, other: "Tally") -> None:
        """Those of other rows too."""
        self.deals += other.deals
        for name in ("sums", "squares", "wins", "taken"):
            setattr(self, name, _added(getattr(self, name), getattr(other, name)))
        for name, counts in other.counts.items():
            self.counts[name] = _added(self.counts.get(name, []), counts)

    def mean(self, column: str) -> float:
        """The mean of a column."""
        return self.sums[self.columns.index(column)] / self.deals

    def interval(self, column: str) -> float:
        """How far that mean may be off, up or down, with 95 % confidence; infinite for too few deals."""
        at, n = self.columns.index(column), self.deals
        if n < LEAST:
            return inf
        spread = (self.squares[at] - self.sums[at] ** 2 / n) / (n - 1)
        return student(n) * sqrt(max(spread, 0.0) / n)

    def won(self, seat: int) -> tuple[float, float, float]:
        """The part of the deals that a seat won, and Wilson's 95 % interval of it."""
        n, part = self.deals, self.wins[seat] / self.deals
        middle = (part + SURE**2 / (2 * n)) / (1 + SURE**2 / n)
        half = SURE / (1 + SURE**2 / n) * sqrt(part * (1 - part) / n + (SURE / (2 * n)) ** 2)
        return part, max(middle - half, 0.0), min(middle + half, 1.0)

    def pays(self, seat: int) -> float:
        """What a deal costs a seat: chips that go into the pool."""
        return self.taken[seat] / self.deals - self.mean(f"chips_{seat}")

    def quantile(self, column: str, part: float) -> int:
        """The least value that this part of the deals does not exceed."""
        reached = 0
        for value, count in enumerate(self.counts[column]):
            reached += count
            if reached >= part * self.deals:
                return value
        return len(self.counts[column]) - 1


def _added(these: Sequence[int], those: Sequence[int]) -> list[int]:
    return [one + other for one, other in zip_longest(these, those, fillvalue=0)]


@dataclass(frozen=True, slots=True)
class Batch:
    """Some deals by number, from the first: their tally, their rows where they were asked for, the time."""

    first: int
    tally: Tally
    rows: Any
    seconds: float


def work(simulation: Simulation, first: int, count: int, keep: bool) -> Batch:
    """Play one batch; any process that has the library can."""
    began = time.perf_counter()
    rows = simulation.rows(first, count)
    tally = Tally.of(simulation.columns, rows)
    return Batch(first, tally, rows if keep else None, time.perf_counter() - began)


# Who plays it.


@dataclass(frozen=True)
class Crew:
    """Those who play batches: how many at once, how to give them one, and what to do while nothing comes."""

    hands: int
    submit: Callable[..., Any]
    look: Callable[[], None] = lambda: None
    cancel: Callable[[Any], object] = lambda future: future.cancel()

    def play(
        self, simulation: Simulation, deals: int, keep: bool, enough: Callable[[], bool] = lambda: False
    ) -> Iterator[Batch]:
        """All batches in the order of their numbers, until it is enough; raises Illegal.

        No more are under way than keep everybody busy, so that memory does not grow with `deals`.
        """
        waiting: deque[Any] = deque()
        first, size = 0, BEGIN[simulation.compiled]
        try:
            while (first < deals or waiting) and not enough():
                while first < deals and len(waiting) < 2 * self.hands:
                    fair = ceil((deals - first) / self.hands)  # at the end there is something for everybody
                    count = min(size, max(fair, size // 4), deals - first)
                    waiting.append(self.submit(work, simulation, first, count, keep))
                    first += count
                batch: Batch | None = result_of(waiting[0], LOOK)
                if not batch:
                    self.look()
                    continue
                waiting.popleft()
                wanted = batch.tally.deals * SECONDS / max(batch.seconds, 1e-6)
                size = max(1, min(int(wanted), 4 * size, MOST))
                yield batch
        finally:
            for future in waiting:
                self.cancel(future)


def result_of(future: Any, patience: float | None = None) -> Any:
    """What came of work that was submitted, None after so many seconds; raises Illegal if a process died."""
    try:
        return future.result(patience)
    except TimeoutError:
        return None
    except BrokenExecutor:
        raise Illegal(None, "a process that was playing has died") from None


@contextmanager
def threads(count: int) -> Iterator[Crew]:
    """Threads of this process, for what is compiled."""
    with ThreadPoolExecutor(count) as pool:
        yield Crew(count, pool.submit)


@contextmanager
def processes(count: int) -> Iterator[Crew]:
    """Processes of this machine, for bots that are interpreted; at the end they end, whatever they do."""
    others = active_children()
    with ProcessPoolExecutor(count, get_context("spawn"), _begin) as pool:
        try:
            with _unheard():
                begun = [pool.submit(_here) for _ in range(count)]
            for each in begun:
                result_of(each)
            # Those that end with their work fail in it: what is cancelled cannot, and Python would complain.
            yield Crew(count, pool.submit, cancel=lambda future: None)
        finally:
            for child in active_children():
                if child not in others:
                    child.kill()


def _begin() -> None:
    """A process begins to play: Ctrl-C is for the one who gives out the work, and it ends with him."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    aside.__enter__()  # once for all: it has nothing to say itself


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent
    connection.wait([parent.sentinel])
    os._exit(1)


def _here() -> None:
    """A process that began has begun."""


@contextmanager
def _unheard() -> Iterator[None]:
    """Processes that begin here do not hear Ctrl-C before they are told so; this one hears it afterwards."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows, where they hear it all the same
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # which they inherit
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ours() -> str:
    """The version of this program."""
    return version("cagnotte")


def answers(address: str, enough: Callable[[], bool]) -> bool:
    """Whether a scheduler is there: one that is greets whoever comes, with the length of its greeting first.

    Whatever else answers may send what Dask takes for a length of exabytes, or nothing for ever. Behind
    `tls` nobody speaks first. Raises Pressed when it is enough.
    """
    scheme, _, rest = address.partition("://")
    host, _, port = rest.rpartition(":")
    end, heard = time.monotonic() + PATIENCE, b""
    try:
        with socket.create_connection((host.strip("[]"), int(port)), PATIENCE) as line:
            line.settimeout(LOOK)
            while scheme == "tcp" and len(heard) < GREETING.size:
                if enough():
                    raise Pressed
                try:
                    more = line.recv(GREETING.size - len(heard))
                except TimeoutError:
                    if time.monotonic() > end:
                        return False
                    continue
                if not more:
                    return False
                heard += more
    except (OSError, ValueError, OverflowError):
        return False
    return scheme != "tcp" or GREETING.unpack(heard)[0] < LONGEST


@contextmanager
def cluster(
    address: str,
    tell: Callable[[str], None] = lambda line: None,
    enough: Callable[[], bool] = lambda: False,
) -> Iterator[Crew]:
    """The workers of a Dask scheduler; those that die are replaced by others. Raises Illegal.

    `tell` is given a line when there is none of them, which is no fault: others may come. Raises Pressed when
    it is enough before there is one.
    """
    distributed = need("distributed")
    if not answers(address, enough):
        raise Illegal(None, "no scheduler answers at {address}", address=address)
    try:
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise Illegal(None, "no scheduler answers at {address}", address=address) from error
    with _closing(client):

        def anybody() -> Any:
            with suppress(OSError):
                return client.sync(client.scheduler.ncores, callback_timeout=5 * LOOK)

        end, told = time.monotonic() + PATIENCE, False
        while not anybody():
            if enough():
                raise Pressed
            if time.monotonic() > end:
                raise Illegal(None, "the scheduler at {address} has no workers", address=address)
            if not told:
                tell("the scheduler has no workers: waiting for one")
            told = True
            time.sleep(LOOK)
        for worker, theirs in client.run(version, "cagnotte", on_error="return").items():
            if theirs != ours():  # one without it would end without a word
                raise Illegal(
                    None, "the worker at {worker} lacks Cagnotte {version}", worker=worker, version=ours()
                )
        deserted = False

        def look() -> None:
            nonlocal deserted
            with suppress(*lost):
                here = client.sync(client.scheduler.ncores, callback_timeout=LOOK)
                if not here and not deserted:
                    tell("no worker is left: waiting for one (Ctrl-C gives what is done)")
                deserted = not here

        lost = (distributed.CancelledError, OSError)

        def gone() -> Illegal:
            return Illegal(None, "the scheduler at {address} is gone", address=address)

        class Future:
            def __init__(self, *task: Any) -> None:
                try:
                    self.future = client.submit(*task, pure=False)
                except Exception as error:  # Dask closes its client when the scheduler goes
                    raise gone() from error
                # Fetched however long that takes: a Dask future that is waited for in vain drops what came.
                coming, loop = client.gather(self.future, asynchronous=True), client.loop.asyncio_loop
                self.coming = asyncio.run_coroutine_threadsafe(coming, loop)

            def cancel(self) -> None:
                with suppress(Exception):  # as there
                    self.future.cancel()

            def result(self, patience: float | None = None) -> Any:
                try:
                    return self.coming.result(patience)
                except (Illegal, TimeoutError):
                    raise
                except lost as error:
                    raise gone() from error
                except distributed.KilledWorker as error:
                    raise Illegal(None, "whatever worker plays these deals dies") from error
                except Exception as error:  # such as a library that it lacks
                    why = f"{type(error).__name__}: {error}"[:200]
                    raise Illegal(None, "a worker cannot play: {why}", why=why) from error

        yield Crew(max(1, sum(client.nthreads().values())), Future, look)


@contextmanager
def _closing(client: Any) -> Iterator[None]:
    """Close it at the end, whoever is still there; what it logs until then is nothing for the reader."""
    before = logging.root.manager.disable
    logging.disable()
    try:
        yield
    finally:
        with suppress(Exception):
            client.close(timeout=PATIENCE / 5)
        logging.disable(before)


# What it came to.


def rules(simulation: Simulation) -> dict[str, Value]:
    """All house rules, also those that were not named."""
    return {name: value for name, value in simulation.table.house_rules.items() if name != "deals"}


def summary(simulation: Simulation, tally: Tally) -> dict[str, Any]:
    """What is known now, as plain values; intervals are from, to, with 95 % confidence, None for too few."""
    game = simulation.table

    def mean(name: str, column: str) -> dict[str, Any]:
        middle, off = tally.mean(column), tally.interval(column)
        return {name: middle, f"{name}_interval": [middle - off, middle + off] if isfinite(off) else None}

    seats = []
    for seat in range(game.players):
        won, least, most = tally.won(seat)
        seats.append(
            {"bot": simulation.bots[seat], **mean("chips", f"chips_{seat}")}
            | {"wins": won, "wins_interval": [least, most], "pays": tally.pays(seat)}
        )
        for what in ("passes", "left") if game.name != "fear" else ():
            seats[-1] |= mean(what, f"{what}_{seat}")
    found: dict[str, Any] = {"game": game.name, "rules": rules(simulation), "bots": [*simulation.bots]}
    found |= {"seed": simulation.seed, "compiled": simulation.compiled, "deals": tally.deals}
    found |= {"players": game.players, "seats": seats, "passes": 0.0}
    for column in ("turns", "passes", "spreads", "pool", "left"):
        if column in tally.columns:
            found |= mean(column, column)
    if game.name != "fear":
        found["left"] = sum(tally.mean(f"left_{seat}") for seat in range(game.players))
    low, high = tally.quantile("turns", 0.05), tally.quantile("turns", 0.95)
    return found | {"turns_middle_90": [low, high]}
