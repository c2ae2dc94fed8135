"""The exact odds of Fear beside games played: `python benchmarks/odds.py [--games 4000000] [--seed 1790]`.

First time and memory of the largest settings, each in a process of its own on one core. Then, for fifteen
settings, each seat's exact chance and the exact mean length against so many games, played here a card at a
time by a kernel that shares no line with `cagnotte.study.odds`; it fails where a seat is 4 standard errors
off, and where one of those for which a second is promised takes longer.
"""

import argparse
import math
import resource
import subprocess
import sys
import time
from typing import Any

import numba
import numpy as np

from cagnotte.study.odds import chances, length

LARGE = [(12, 2), (6, 3), (17, 2), (9, 4)]
PROMISED = [(12, 2), (6, 3)]  # in less than a second of one core
SETTINGS = [
    (2, 1), (2, 10), (3, 2), (3, 7), (4, 1), (4, 2), (4, 4), (5, 2),
    (6, 2), (6, 3), (7, 3), (9, 1), (12, 1), (12, 2), (26, 1),
]  # fmt: skip
FAR = 4.0  # standard errors


@numba.njit(cache=True)
def play(players: int, stake: int, games: int, seed: int, won: Any, sums: Any) -> None:
    """Games as the rules have them: a card at a time, by seats in a ring, the fear where chance put it."""
    np.random.seed(seed)
    chips = np.empty(players, np.int64)
    for _ in range(games):
        chips[:] = stake
        living, seat, cards, down = players, 0, 0, 52
        fear = np.random.randint(down)  # so many cards are turned before it
        while living > 1:
            while not chips[seat]:  # F9
                seat = (seat + 1) % players
            cards += 1
            down -= 1
            if fear:
                fear -= 1
            else:
                chips[seat] -= 1  # F7
                living -= not chips[seat]
                if not down:
                    down = 52  # F10
                fear = np.random.randint(down)
            seat = (seat + 1) % players
        for each in range(players):
            if chips[each]:
                won[each] += 1
        sums[0] += cards
        sums[1] += cards * cards


def compare(players: int, stake: int, games: int, seed: int) -> tuple[float, float]:
    """The largest |z| over all seats, and the z of the mean length."""
    won, sums = np.zeros(players, np.int64), np.zeros(2)
    play(players, stake, games, seed, won, sums)
    exact, lasting = chances((stake,) * players), length((stake,) * players)
    assert exact.exact and lasting.exact
    z = max(abs(n / games - p) / math.sqrt(p * (1 - p) / games) for n, p in zip(won, exact.win, strict=True))
    mean = sums[0] / games
    return z, (mean - lasting.cards) / math.sqrt((sums[1] / games - mean**2) / games)


def measure(players: int, stake: int) -> None:
    """What the exact odds of a setting take; meant for a process of its own."""
    begin = time.process_time()
    found = chances((stake,) * players)
    odds = time.process_time() - begin
    lasting = length((stake,) * players)
    both = time.process_time() - begin
    assert found.exact and lasting.exact
    assert both < 1 or (players, stake) not in PROMISED, f"{players} × {stake} took {both:.2f} s"
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{players:3} × {stake:<2}   chances {odds:5.2f} s   length {both - odds:5.2f} s   {memory:4.0f} MB"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=4_000_000)
    parser.add_argument("--seed", type=int, default=1790)
    parser.add_argument("--measure", type=int, nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.measure:
        measure(*asked.measure)
        return 0
    for setting in LARGE:
        command = [sys.executable, __file__, "--measure", *map(str, setting)]
        subprocess.run(command, check=True)
    farthest = 0.0
    for number, (players, stake) in enumerate(SETTINGS):
        z, of_length = compare(players, stake, asked.games, asked.seed + number)
        farthest = max(farthest, z)
        print(f"{players:3} × {stake:<2}   largest |z| of a seat {z:.2f}   z of the length {of_length:+.2f}")
    seats = sum(players for players, _ in SETTINGS)
    print(f"{asked.games:,} games of each: the largest |z| over {seats} seats is {farthest:.2f}")
    return int(farthest >= FAR)


if __name__ == "__main__":
    sys.exit(main())
