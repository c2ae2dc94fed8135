"""How evenly shuffles, first dealers and seats fall: `python benchmarks/spread.py [--draws 1000000]`.

Packs of checkable shuffles, each from a secret and a share of its own, through chi-square tests: each card in
each place, pairs of neighbours, who deals first in games of several sizes, who gets the first card.
"""

import argparse
import hashlib
import os
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from cagnotte.core import play
from cagnotte.fairness import Dice, Proof
from cagnotte.games import choose

BATCH = 2_000
GAMES = [("fan-tan", 3), ("fan-tan", 4), ("fan-tan", 5), ("fear", 5), ("fear", 12)]
Found = dict[str, Counter[Any]]


def proof(what: str, number: int) -> Proof:
    """Secrets and shares that are all different, and the same in every run."""
    secret, share = (
        hashlib.sha256(f"{what} {number} {of}".encode()).hexdigest() for of in ("secret", "share")
    )
    return Proof(secret, {number % 5: share})


def counted(begin: int, end: int) -> Found:
    """What the draws of these numbers gave."""
    found: Found = {}

    def count(what: str, kind: Any) -> None:
        found.setdefault(what, Counter())[kind] += 1

    games = [(name, players, choose(name, players, {})) for name, players in GAMES]
    for number in range(begin, end):
        pack = Dice(proof("pack", number)).sample(range(52), 52)
        for place, card in enumerate(pack):
            count("a card in a place", (place, card))
        count("the first two cards", (pack[0], pack[1]))
        count("the last two cards", (pack[50], pack[51]))
        name, players, game = games[number % len(games)]
        state, _ = play(game, game.start(), action := game.draw(game.start(), Dice(proof("draw", number))))
        count(f"who deals first, {name}, {players} players", state.dealer)
        if name == "fan-tan":
            count(f"who gets the first card, {players} players", action.seat)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--draws", type=int, default=1_000_000)
    draws = parser.parse_args().draws
    found: Found = {}
    begins = range(0, draws, BATCH)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for part in pool.map(counted, begins, [min(begin + BATCH, draws) for begin in begins]):
            for what, counts in part.items():
                found.setdefault(what, Counter()).update(counts)
    kinds = {"a card in a place": 52 * 52, "the first two cards": 52 * 51, "the last two cards": 52 * 51}
    wrong = 0
    for what, counts in sorted(found.items()):
        many = kinds.get(what) or int(what.split(", ")[-1].split()[0])
        freedom = 51 * 51 if what == "a card in a place" else many - 1
        expected = counts.total() / many
        square = sum(n * n for n in counts.values()) / expected - counts.total()
        # The cube root of chi-square is nearly normal (Wilson and Hilferty).
        z = ((square / freedom) ** (1 / 3) - 1 + 2 / (9 * freedom)) / (2 / (9 * freedom)) ** 0.5
        wrong += abs(z) > 4
        print(f"{what}: {counts.total():,} over {many:,} kinds, chi-square {square:,.1f}, z {z:+.2f}")
    print(f"{draws:,} shuffles and draws; {wrong} of {len(found)} tests beyond 4 standard deviations")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
