"""How fast the engine plays and `record check` reads: `python benchmarks/engine.py [--sittings 10000]`.

Every figure is the best of some rounds in processor time, on one core, and is also told as a ratio to a fixed
loop of plain Python run just before, so that figures of different machines can be compared.
"""

import argparse
import random
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import cagnotte
from cagnotte import players, record
from cagnotte.core import CHANCE, play
from cagnotte.games import choose

WAYS = ("forbidden", "fined", "honour")


def reference() -> float:
    """Steps/s of a fixed loop with what the engine does most: integers, tuples, small objects, calls."""

    def step(state: tuple[int, ...], bit: int) -> tuple[int, ...]:
        return (*state[1:], state[0] ^ bit)

    steps = 20_000
    state: tuple[int, ...] = (1, 2, 3, 4)
    begin = time.process_time()
    for number in range(steps):
        state = step(state, 1 << number % 52)
    return steps / (time.process_time() - begin)


def best(work: Callable[[], int], rounds: int) -> tuple[float, float]:
    """Moves/s in the best of some rounds, and its ratio to the reference loop run beside it."""
    found = []
    for _ in range(rounds):
        standard = reference()
        begin = time.process_time()
        moves = work()
        found.append((moves / (time.process_time() - begin), standard))
    rate = max(rate for rate, _ in found)
    return rate, rate / max(standard for _, standard in found)


def random_play(game: Any, moves: int) -> Callable[[], int]:
    """Play legal moves at random, sitting after sitting: `legal`, `decide` and `evolve`."""

    def work() -> int:
        rng, played = random.Random(1), 0
        while played < moves:
            state = game.start()
            while (actor := game.actor(state)) is not None:
                action = game.draw(state, rng) if actor == CHANCE else rng.choice(game.legal(state))
                state, _ = play(game, state, action)
                played += 1
        return played

    return work


def write(file: Path, sittings: int) -> None:
    """A file of records of all games with their usual house rules, played by random bots."""
    rng, made = random.Random(2), []
    for number in range(min(sittings, 200)):  # so many different ones; then they come again
        game = cagnotte.game(list(cagnotte.GAMES)[number % 5])
        names = [f"P{seat}" for seat in range(game.players)]
        sitting = record.new(game, names, [players.LEVELS["random"]] * game.players, rng)
        made.append(f"{sitting}\n")
    with file.open("w", encoding="utf-8") as stream:
        stream.writelines(islice(cycle(made), sittings))


def check(file: Path, most: int | None = None) -> int:
    """Read and check every record, or the first so many; how many moves they had."""
    moves = 0
    with file.open("rb") as stream:
        for _, found in islice(record.read(stream), most):
            assert isinstance(found, record.Record)
            moves += record.check(found).moves
    return moves


def peak(work: Callable[[], Any]) -> float:
    """Megabytes of Python objects at the most, beyond those there before."""
    tracemalloc.start()
    work()
    memory = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return memory / 1e6


def engine(moves: int, rounds: int) -> Iterator[tuple[str, float, float]]:
    """Random play of every game with every way of passing: what, moves/s, ratio."""
    for name in cagnotte.GAMES:
        for passing in WAYS if name != "fear" else (None,):
            game = choose(name, None, {"passing": passing} if passing else {})
            yield f"{name} {passing or ''}", *best(random_play(game, moves), rounds)


def main() -> int:
    """Print a line for each figure; 1 when one falls short of what is promised."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=5_000, help="in each round of random play")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--sittings", type=int, default=10_000, help="in the file for record check")
    asked = parser.parse_args()
    short = 0

    def tell(what: str, rate: float, ratio: float, least: int) -> None:
        nonlocal short
        short += rate < least
        mark = f"  less than {least:,}" if rate < least else ""
        print(f"{what:40} {rate:9,.0f} moves/s  {ratio:.4f} of the reference{mark}", flush=True)

    for what, rate, ratio in engine(asked.moves, asked.rounds):
        tell(what, rate, ratio, 50_000)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "sittings.jsonl")
        write(file, asked.sittings)
        size = file.stat().st_size / 1e6
        rate, ratio = best(lambda: check(file), 1)
        tell(f"record check, {asked.sittings:,} sittings, {size:.0f} MB", rate, ratio, 20_000)
        few, more = peak(lambda: check(file, 20)), peak(lambda: check(file, 200))
        print(f"memory of record check: {few:.2f} MB for 20 sittings, {more:.2f} MB for 200")
    return min(short, 1)


if __name__ == "__main__":
    sys.exit(main())
