"""Whether compiled deals are the engine's, chip for chip: `python benchmarks/equal.py [--deals 10000]`.

For each game, number of players and choice of house rules so many deals are played by the kernel and again in
the engine, move by move; every column of the row must be the same, and the engine must take every move. The
seats are steady, random, or both in turn. Prints a line for each of these settings.
"""

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from typing import Any

import cagnotte
from cagnotte.fantan_terms import VARIANTS
from cagnotte.study import engine, kernel

KEY = 1790
BATCH = 500
ON_OFF = ("on", "off")
SEATINGS = (("random",), ("steady",), ("steady", "random"), ("random", "random", "steady"))
Setting = tuple[str, int, dict[str, Any]]


def settings() -> Iterator[Setting]:
    """Games, players and house rules; short stacks, with which debt and C3 come to bear, and long ones."""
    for name, players in product(VARIANTS, (3, 4, 5)):
        for extra_ante, pay_left in product(ON_OFF, ON_OFF):
            rules = {"extra_ante": extra_ante, "pay_left": pay_left}
            yield name, players, rules
            yield from ((name, players, rules | {"chips": 10, "debt": debt}) for debt in ON_OFF)
        for passing in ("fined", "honour"):  # these bots never pass wrongly
            yield name, players, {"passing": passing}
    for players, stake in product((2, 3, 5, 6, 7, 12), (1, 2, 3)):
        yield "fear", players, {"stake": stake}
    yield from (("fear", players, {"stake": stake}) for players, stake in ((2, 10), (26, 1)))


def wrong(setting: Setting, first: int, deals: int) -> list[str]:
    """What differs in these deals."""
    name, players, rules = setting
    game = cagnotte.game(name, players, **rules)
    found = []
    for number in range(first, first + deals):
        seating = SEATINGS[number % len(SEATINGS)]
        bots = [seating[seat % len(seating)] for seat in range(players)]
        [row] = kernel.rows(game, bots, KEY, number, 1).tolist()
        try:
            other, _ = engine.again(game, bots, KEY, number)
        except cagnotte.Illegal as illegal:
            found.append(f"{setting} deal {number} {bots}: {illegal.message} ({illegal.clause})")
            continue
        if row != other:
            found.append(f"{setting} deal {number} {bots}: {row} compiled, {other} in the engine")
    return found


def main() -> int:
    """Compare; 1 when anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=10_000, help="of each game, players and house rules")
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    differ, starts = 0, range(0, asked.deals, BATCH)
    sizes = [min(BATCH, asked.deals - first) for first in starts]
    with ProcessPoolExecutor(asked.processes) as pool:
        for setting in settings():
            found = [
                line for lines in pool.map(wrong, [setting] * len(starts), starts, sizes) for line in lines
            ]
            name, players, rules = setting
            said = ", ".join(f"{rule} {value}" for rule, value in rules.items())
            print(f"{name}, {players} players, {said}: {len(found)} of {asked.deals:,} differ", flush=True)
            print(*found[:3], sep="\n", end="\n" if found else "")
            differ += len(found)
    return min(differ, 1)


if __name__ == "__main__":
    sys.exit(main())
