"""What is counted for whoever runs the server: never by table, seat or address, nor anything of a game."""

import asyncio
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)  # seconds
LOOK: Final = 0.5  # seconds between looks at how late the loop is


class Histogram:
    """How often something took how long, in seconds."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        """It took so long once."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.sum += seconds

    def lines(self, name: str) -> Iterator[str]:
        """As Prometheus reads it."""
        totals = [*accumulate(self.counts)]
        for bound, total in zip([*map(str, BOUNDS), "+Inf"], totals, strict=True):
            yield f'{name}_bucket{{le="{bound}"}} {total}'
        yield f"{name}_sum {self.sum:.6f}"
        yield f"{name}_count {totals[-1]}"


happened: Final[Counter[str]] = Counter(opened=0, moves=0, unstored=0, faults=0)
refused: Final[Counter[str]] = Counter(requests=0, limit=0, unread=0)
commits: Final = Histogram()
lag: Final = Histogram()
WHAT: Final = {
    "opened": "Tables that were opened.",
    "moves": "Moves that were stored, those of bots as well.",
    "unstored": "Commits that failed.",
    "faults": "Faults of the program: see its log.",
}


async def watch() -> None:
    """See how late the loop is; for ever."""
    while True:
        due = time.monotonic() + LOOK
        await asyncio.sleep(LOOK)
        lag.add(max(0.0, time.monotonic() - due))


def text(tables: int, sockets: int) -> str:
    """All of it in the text form of Prometheus."""
    return "".join(f"{line}\n" for line in _lines(tables, sockets))


def _lines(tables: int, sockets: int) -> Iterator[str]:
    yield from _named("cagnotte_tables", "gauge", "Tables in memory.")
    yield f"cagnotte_tables {tables}"
    yield from _named("cagnotte_sockets", "gauge", "Sockets that are open.")
    yield f"cagnotte_sockets {sockets}"
    for name, what in WHAT.items():
        yield from _named(f"cagnotte_{name}_total", "counter", what)
        yield f"cagnotte_{name}_total {happened[name]}"
    yield from _named("cagnotte_refused_total", "counter", "What was refused, but for what the rules forbid.")
    for why, times in refused.items():
        yield f'cagnotte_refused_total{{why="{why}"}} {times}'
    yield from _named("cagnotte_commit_seconds", "histogram", "Until entries are on the disk.")
    yield from commits.lines("cagnotte_commit_seconds")
    yield from _named("cagnotte_lag_seconds", "histogram", "How late the loop is for what is due.")
    yield from lag.lines("cagnotte_lag_seconds")


def _named(name: str, kind: str, what: str) -> tuple[str, str]:
    return f"# HELP {name} {what}", f"# TYPE {name} {kind}"
