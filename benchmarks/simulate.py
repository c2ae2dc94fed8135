"""How fast deals are simulated: `python benchmarks/simulate.py [--rounds 5]`.

Each figure is held against the interpreted engine, which plays with the same bots in the same run: the rates
are the best of some rounds in which both take turns, in processor time. Then one thread against two, and
whole commands from the shell, by the clock. It fails where a ratio falls short, and where ten million deals
take more than 20 seconds the first time, or 10 from then on. What the clock says means something on an idle
machine only, so the load is told beside it.
"""

import argparse
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import cagnotte
from cagnotte.core import CHANCE, play
from cagnotte.fantan_terms import VARIANTS
from cagnotte.players import LEVELS, anyhow
from cagnotte.study import engine, kernel, simulate
from cagnotte.study.simulate import Simulation

PROGRAM: Final = str(Path(sys.executable).with_name("cagnotte"))
DEALS: Final = {False: 60, True: 50_000}  # a round, interpreted and compiled
LEAST: Final = {"fan-tan": 300, "five-or-nine": 80, "earl-of-coventry": 80, "play-or-pay": 80}
STEADY: Final = 100
BOTH: Final = 1.8
MILLIONS: Final = "10000000"
SECONDS: Final = {"first, compiling": 20, "then": 10, "with --out": math.inf}  # from the shell, at the most


def load() -> str:
    return f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "load unknown"


def bare(game: Any, deals: int) -> None:
    """Random deals as fast as the engine can: legal moves and dice, without views."""
    single, rng = engine.single(game), random.Random(1)
    for _ in range(deals):
        state = single.start()
        while (actor := single.actor(state)) is not None:
            legal = single.legal(state)
            action = single.draw(state, rng) if actor == CHANCE else rng.choice(legal)
            state, _ = play(single, state, action)


def seen(game: Any, deals: int) -> None:
    """Deals of steady bots, each asked with its view."""
    single, rng = engine.single(game), random.Random(1)
    for _ in range(deals):
        state = single.start()
        while (actor := single.actor(state)) is not None:
            if actor == CHANCE:
                action = single.draw(state, rng)
            else:
                action = LEVELS["steady"](single.view(state, actor), (), rng)
            state, _ = play(single, state, action)


def spent(work: Callable[[], Any]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def ratio(game: Any, level: str, rounds: int) -> tuple[float, float]:
    """Deals/s compiled and interpreted, the best of some rounds."""
    interpret = bare if LEVELS[level] is anyhow else seen
    bots, slow, fast = [level] * game.players, [], []
    kernel.rows(game, bots, 1, 0, 1)
    for number in range(rounds):
        slow.append(DEALS[False] / spent(lambda: interpret(game, DEALS[False])))
        fast.append(DEALS[True] / spent(partial(kernel.rows, game, bots, 1, number, DEALS[True])))
    return max(fast), max(slow)


def clocked(threads: int, deals: int) -> tuple[float, float, float]:
    """Deals/s of so many threads by the clock and in processor time, and how busy or ready the threads were.

    A thread that waits for a core, which another program has, is ready; one that waits for another thread is
    not. Linux tells; elsewhere they count as busy as the clock says.
    """
    simulation = Simulation("fan-tan", ("random",) * 4, seed="1")
    with simulate.threads(threads) as crew:
        batches = crew.play(simulation, deals, keep=False)
        done = -next(batches).tally.deals
        before, used, began = scheduled(), time.process_time(), time.perf_counter()
        done += deals
        for _ in batches:
            pass
        passed, used = time.perf_counter() - began, time.process_time() - used
        ready = scheduled() - before if before else used
    return done / passed, done / used, min(ready / passed / threads, 1.0)


def scheduled() -> float:
    """Seconds for which the threads of this process had a core or waited for one; 0 where nobody tells."""
    total = 0
    for stat in Path("/proc/self/task").glob("*/schedstat"):
        ran, waited, _ = map(int, stat.read_text().split())
        total += ran + waited
    return total / 1e9


def shell(cache: str, *arguments: str) -> tuple[float, float]:
    """Seconds of ten million deals of Fan Tan from the shell, and the most memory in MB."""
    asked = ["simulate", "fan-tan", "--deals", MILLIONS, "--bots", "random", "--seed", "1", *arguments]
    env = os.environ | {"XDG_CACHE_HOME": cache, "LOCALAPPDATA": cache}
    began = time.perf_counter()
    process = subprocess.Popen([PROGRAM, *asked], env=env, stdout=subprocess.DEVNULL)
    usage: Any = os.wait4(process.pid, 0)[2] if hasattr(os, "wait4") else process.wait()
    return time.perf_counter() - began, getattr(usage, "ru_maxrss", 0) / 1024


def main() -> int:
    """Print a line for each figure; 1 when one falls short of what is promised."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--deals", type=int, default=4_000_000, help="for one core against all")
    asked = parser.parse_args()
    short = 0

    def judge(what: str, found: float, least: float, more: str) -> None:
        nonlocal short
        short += found < least
        mark = f"  LESS THAN {least:g}" if found < least else ""
        print(f"{what:26} {found:7.1f} times  {more}{mark}", flush=True)

    print(load())
    for name in VARIANTS:
        for level in kernel.COMPILED:
            fast, slow = ratio(cagnotte.game(name, 4), level, asked.rounds)
            least = STEADY if level == "steady" else LEAST[name]
            judge(f"{name} {level}", fast / slow, least, f"{fast:11,.0f}/s against {slow:7,.0f}/s")
    fast, slow = ratio(cagnotte.game("fear", 6), "random", asked.rounds)
    judge("fear", fast / slow, LEAST["play-or-pay"], f"{fast:11,.0f}/s against {slow:7,.0f}/s")
    cores = os.cpu_count() or 1
    if cores > 1:
        one, two = (max(clocked(n, asked.deals) for _ in range(3)) for n in (1, 2))
        fair = 2 * two[2] * two[1] / one[1]  # what the clock would say of two idle cores
        what = f"{two[0]:11,.0f}/s against {one[0]:9,.0f}/s by the clock, {load()}"
        judge("two threads against one", max(two[0] / one[0], fair), BOTH, what)
    with tempfile.TemporaryDirectory() as cache:
        for what, most in SECONDS.items():
            out = ("--out", str(Path(cache, "rows.parquet"))) if what == "with --out" else ()
            seconds, memory = shell(cache, *out)
            short += seconds > most
            mark = f"  MORE THAN {most}" if seconds > most else ""
            told = f"{seconds:.1f} s, {memory:.0f} MB, {load()}{mark}"
            print(f"{MILLIONS} deals from the shell, {what}: {told}", flush=True)
    return min(short, 1)


if __name__ == "__main__":
    sys.exit(main())
