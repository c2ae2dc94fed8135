"""How a bot does against others: chips and wins a deal, on duplicate deals.

    python benchmarks/strength.py steady random --deals 20000

Each shuffle is played with the bot in every seat in turn against the same rivals with the same dice, which
takes most of the luck out; the 95 % intervals are over shuffles. Everybody
has chips enough to pay all he owes.
"""

import argparse
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import cagnotte
from cagnotte.cards import CARD
from cagnotte.core import Cut, Seat, Shuffle
from cagnotte.fantan import VARIANTS, Draw
from cagnotte.players import LEVELS, Bot, bot

CHIPS = 1000


@dataclass
class Mean:
    """A mean with its 95 % interval."""

    n: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        self.n += 1
        self.total += value
        self.squares += value * value

    def __str__(self) -> str:
        mean = self.total / self.n
        return f"{mean:+.3f} ±{1.96 * sqrt((self.squares / self.n - mean * mean) / self.n):.3f}"


def deal(game: Any, pack: Sequence[Any], bots: Sequence[Bot], seed: int) -> tuple[Any, list[float]]:
    """The end of one deal of this pack by seat 0, and the mean seconds that each seat took to decide."""
    state = cagnotte.replay(game, (Draw(0, (CARD["JS"],)), Shuffle(tuple(pack)), Cut(26)))
    dice = [random.Random(seed + seat) for seat in range(game.players)]
    spent: list[list[float]] = [[] for _ in bots]
    while (seat := game.actor(state)) is not None:
        view = game.view(state, seat)
        began = time.process_time()
        action = bots[seat](view, (), dice[seat])
        if len(view.moves) > 1:
            spent[seat].append(time.process_time() - began)
        state, _ = cagnotte.play(game, state, action)
    return state, [sum(times) / max(1, len(times)) for times in spent]


def measure(game: Any, hero: Bot, rivals: Bot, shuffles: int, seed: int) -> tuple[Mean, Mean, Mean, float]:
    """Chips and wins of the hero over all seats, his chips as eldest, and his seconds a decision."""
    rng, players = random.Random(seed), game.players
    chips, wins, eldest, seconds = Mean(), Mean(), Mean(), 0.0
    for number in range(shuffles):
        pack = rng.sample(cagnotte.PACK, 52)
        gained: dict[Seat, int] = {}
        won = 0
        for seat in range(players):
            bots = [hero if s == seat else rivals for s in range(players)]
            state, spent = deal(game, pack, bots, number * players)
            gained[seat] = game.bank(state).stacks[seat] - CHIPS
            seconds += spent[seat]
            won += not state.hands[seat]
        chips.add(sum(gained.values()) / players)
        wins.add(won / players)
        eldest.add(gained[1])
    return chips, wins, eldest, seconds / shuffles / players


def main() -> None:
    parser = argparse.ArgumentParser(description="Chips and wins a deal of a bot against equal rivals.")
    parser.add_argument("hero", metavar="BOT", help=f"{', '.join(LEVELS)}, or package.module:function")
    parser.add_argument("rivals", metavar="RIVALS", help="the bot in all other seats")
    parser.add_argument("--game", choices=list(VARIANTS), help="default: all four")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument(
        "--deals", type=int, default=20_000, help="deals of each game; each shuffle makes one a seat"
    )
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    print(f"{asked.hero} against {asked.players - 1} {asked.rivals}, {asked.deals} deals, seed {asked.seed}")
    for name in [asked.game] if asked.game else VARIANTS:
        game = cagnotte.game(name, asked.players, chips=CHIPS, deals=1)
        shuffles = asked.deals // asked.players
        chips, wins, eldest, seconds = measure(game, bot(asked.hero), bot(asked.rivals), shuffles, asked.seed)
        print(f"{name:17} chips {chips}  wins {wins}  chips as eldest {eldest}  {1e6 * seconds:.1f} µs each")


if __name__ == "__main__":
    main()
