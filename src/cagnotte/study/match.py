"""Bots against each other on duplicate deals: the same cards for every seating, which takes most luck out.

A block is one deal of the pack, played once with each seating of the bots; what a bot won in it, on average
over its seats, is one value. The intervals are over blocks. All have chips enough for what they owe, and the
dice of a seat in a block are the same whoever sits there.
"""

import random
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations
from math import ceil, inf, sqrt
from typing import Any, Final

from cagnotte.cards import PACK
from cagnotte.core import Game, Illegal, Shuffle
from cagnotte.games import choose
from cagnotte.guests import bot
from cagnotte.players import Bot
from cagnotte.study import LEAST, SURE, engine, kernel, student
from cagnotte.study.simulate import LOOK, Crew, processes, result_of

CHIPS: Final = 1000  # which nobody loses in a deal
FIXED: Final = ("chips", "deals", "debt")  # rules that a match leaves no choice of
BATCH: Final = 5  # blocks that a process plays before it tells


@dataclass(slots=True)
class Mean:
    """A mean over blocks, with its 95 % interval."""

    n: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        """One block more."""
        self.n += 1
        self.total += value
        self.squares += value * value

    def join(self, other: "Mean") -> None:
        """The blocks of another too."""
        self.n += other.n
        self.total += other.total
        self.squares += other.squares

    @property
    def mean(self) -> float:
        """Their mean."""
        return self.total / self.n if self.n else 0.0

    @property
    def spread(self) -> float:
        """Their standard deviation."""
        if self.n < 2:
            return inf
        return sqrt(max(0.0, self.squares - self.total**2 / self.n) / (self.n - 1))

    @property
    def interval(self) -> float:
        """How far the mean may be off, up or down, with 95 % confidence; infinite for too few blocks."""
        if self.n < LEAST:
            return inf
        return student(self.n) * self.spread / sqrt(self.n)

    @property
    def needed(self) -> float:
        """How many blocks it takes, or would have, until the interval leaves out 0; infinite for too few."""
        if self.n < LEAST or not self.mean:
            return inf
        return max(LEAST, ceil((SURE * self.spread / self.mean) ** 2))


@dataclass(slots=True)
class Score:
    """What one bot did: chips and wins a deal, and the seconds it took for a decision that it had."""

    bot: str
    chips: Mean = field(default_factory=Mean)
    wins: Mean = field(default_factory=Mean)
    decisions: int = 0
    seconds: float = 0.0

    def join(self, other: "Score") -> None:
        """The same bot in other blocks."""
        self.chips.join(other.chips)
        self.wins.join(other.wins)
        self.decisions += other.decisions
        self.seconds += other.seconds


@dataclass(slots=True)
class Result:
    """A match so far: a score for each bot that differs, and the lead of each over each other, in chips."""

    scores: list[Score]
    leads: dict[tuple[str, str], Mean]
    blocks: int = 0

    def join(self, other: "Result") -> None:
        """Other blocks of the same match."""
        self.blocks += other.blocks
        for mine, theirs in zip(self.scores, other.scores, strict=True):
            mine.join(theirs)
        for pair, lead in self.leads.items():
            lead.join(other.leads[pair])


@dataclass(frozen=True)
class Match:
    """A bot for each seat of a game, and the dice; raises Illegal for what cannot be.

    `play` yields the result so far, again and again. Each deal stands alone, with chips enough for all.
    """

    game: str
    bots: tuple[str, ...]
    rules: dict[str, Any] = field(default_factory=dict)
    seed: str = ""

    def __post_init__(self) -> None:
        if self.game == "fear":
            raise Illegal(None, "Fear leaves nothing to skill: see cagnotte odds fear")
        fixed = next((rule for rule in FIXED if rule in self.rules), None)
        if fixed:
            raise Illegal(
                None, "a match is of deals that stand alone: there is no house rule {rule}", rule=fixed
            )
        _ = self.table
        for name in self.bots:
            bot(name)

    @cached_property
    def table(self) -> Game[Any]:
        """The game."""
        return choose(self.game, len(self.bots), self._rules)

    @property
    def _rules(self) -> dict[str, Any]:
        return {**self.rules, "chips": CHIPS, "deals": 1}

    @cached_property
    def seatings(self) -> list[tuple[str, ...]]:
        """All ways to seat the bots that differ."""
        return sorted(set(permutations(self.bots)))

    def begin(self) -> Result:
        """The result of no block."""
        names = list(dict.fromkeys(self.bots))
        pairs = {(one, other): Mean() for one in names for other in names if one != other}
        return Result([Score(name) for name in names], pairs)

    def blocks(self, numbers: Sequence[int]) -> Result:
        """The result of these blocks, by number: the same whoever plays them, and when."""
        result, game = self.begin(), self.table
        for number in numbers:
            self._block(game, number, result)
        return result

    def play(
        self, deals: int, cores: int = 1, enough: Callable[[], bool] = lambda: False
    ) -> Iterator[Result]:
        """The result so far, after each few of so many deals, until it is enough; raises Illegal."""
        batches = [range(first, min(first + BATCH, deals)) for first in range(0, deals, BATCH)]
        so_far = self.begin()
        with processes(cores) if cores > 1 else nullcontext(Crew(1, _at_once)) as crew:
            waiting: deque[Any] = deque()
            for batch in [*batches, None]:
                if batch:
                    waiting.append(crew.submit(self.blocks, batch))
                while waiting and (batch is None or len(waiting) > 2 * crew.hands):
                    if found := result_of(waiting[0], LOOK):
                        waiting.popleft()
                        so_far.join(found)
                        yield so_far
                    if enough():
                        return

    def _block(self, game: Game[Any], number: int, result: Result) -> None:
        seed = f"{self.seed} {number}"
        shuffle = Shuffle(tuple(random.Random(seed).sample(PACK, len(PACK))))
        chips: dict[str, list[int]] = {score.bot: [] for score in result.scores}
        wins: dict[str, list[bool]] = {score.bot: [] for score in result.scores}
        bots = {score.bot: _timed(score) for score in result.scores}
        for seating in self.seatings:
            row = engine.row(game, [bots[name] for name in seating], seed, lambda: shuffle)
            found = dict(zip(kernel.columns(game), row, strict=True))
            for seat, name in enumerate(seating):
                chips[name].append(found[f"chips_{seat}"])
                wins[name].append(found["winner"] == seat)
        for score in result.scores:
            score.chips.add(sum(chips[score.bot]) / len(chips[score.bot]))
            score.wins.add(sum(wins[score.bot]) / len(wins[score.bot]))
        for (one, other), lead in result.leads.items():
            lead.add(sum(chips[one]) / len(chips[one]) - sum(chips[other]) / len(chips[other]))
        result.blocks += 1


def _at_once(work: Callable[..., Result], *given: Any) -> "Future[Result]":
    done: Future[Result] = Future()
    done.set_result(work(*given))
    return done


def _timed(score: Score) -> Bot:
    """The bot of this score, whose time for each decision that it has goes to it."""
    asked = bot(score.bot)

    def timed(view: Any, told: Sequence[Any], rng: random.Random) -> Any:
        began = time.process_time()
        action = asked(view, told, rng)
        if len(view.moves) > 1:
            score.seconds += time.process_time() - began
            score.decisions += 1
        return action

    return timed
