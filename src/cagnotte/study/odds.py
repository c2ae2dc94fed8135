"""The exact odds of Fear, and how long it lasts, from any position (F5-F11).

With r cards face down the card turned is the fear with chance 1/r, whatever was turned, named or chosen
before. So a position is r, and the chips of those still in, from the player to act on in the order of play;
it has two successors. The last card face down is always the fear: each spread costs a chip at least, and a
game has an end.

Let S(c, r) be r times the chances to win. Then S(c, r) is S(c, r - 1) with the first player gone to the end,
plus the chances once he has paid: reckoned upward by the chips in play, and by r, that is a few additions a
position. In whole numbers, over powers of lcm(1 … 52), it is exact.
"""

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from cagnotte.core import Illegal
from cagnotte.study.extras import has, need

PACK: Final = 52
MOST: Final = 20_000_000  # positions up to which the odds are reckoned, and not simulated
WHOLE: Final = 2_500  # ways to hold the chips up to which no library is needed …
RATIONAL: Final = 20_000  # … and up to which fractions are had
GAMES: Final = 20_000  # simulated beyond
TAIL: Final = 1e-15  # games that last longer than this part of all do not count
LCM: Final = math.lcm(*range(1, PACK + 1))
TOO_MANY: Final = Illegal(None, "fractions are reckoned for up to {n} positions", n=RATIONAL * PACK)

Chips = tuple[int, ...]  # of those still in, from the player to act on


@dataclass(frozen=True, slots=True)
class Chances:
    """The chance of each to win, from the player to act on in the order of play.

    `error` is how far off each may be: for sure where `exact`, else with 95 % confidence.
    """

    win: tuple[Any, ...]
    exact: bool
    error: float


@dataclass(frozen=True, slots=True)
class Length:
    """How long a game still lasts: the chance, by t, of just t cards more, with `down` face down now."""

    chance: tuple[float, ...]
    down: int
    exact: bool

    def spreads(self, cards: int) -> int:
        """How many spreads of the pack so many cards come from, the present one included."""
        return 1 + max(0, math.ceil((cards - self.down) / PACK))

    @property
    def cards(self) -> float:
        """How many cards are turned, on average."""
        return math.fsum(t * p for t, p in enumerate(self.chance))

    @property
    def hands(self) -> float:
        """How many spreads of the pack that takes, on average."""
        return math.fsum(self.spreads(t) * p for t, p in enumerate(self.chance))

    def minutes(self, cards: float, a_card: float, a_spread: float) -> float:
        """Minutes for so many cards, at so many seconds for a card and for another spread of the pack."""
        return (cards * a_card + (self.spreads(math.ceil(cards)) - 1) * a_spread) / 60

    def quantile(self, part: float) -> int:
        """The least number of cards within which this part of all games is over."""
        reached = 0.0
        for t, p in enumerate(self.chance):
            reached += p
            if reached >= part - 1e-12:
                return t
        return len(self.chance) - 1


def chances(chips: Sequence[int], down: int = PACK, rational: bool = False) -> Chances:
    """Each one's chance to win, from the player to act on; as fractions on request. Raises Illegal.

    `chips` are those of the players still in, in the order of play; `down` cards lie face down. The dealer
    of a new spread is the last of them, or has no chips (F5, F10).

    >>> [round(each, 4) for each in chances([2] * 5).win]
    [0.1883, 0.108, 0.2386, 0.2346, 0.2304]
    >>> chances([1, 1], 1, rational=True).win
    (Fraction(0, 1), Fraction(1, 1))
    """
    start = _checked(chips, down)
    levels = _levels(start)
    if levels is None:
        if rational:
            raise TOO_MANY
        return _simulated_chances(start, down)
    ways = sum(map(len, levels))
    if rational and ways > RATIONAL:
        raise TOO_MANY
    if rational or ways <= WHOLE:
        win = _whole(levels, start, down)
        return Chances(win if rational else tuple(map(float, win)), True, 0.0 if rational else 2.0**-53)
    # Only positive numbers are added, 52 to a sum, and each sum is divided once: for each chip in play.
    return Chances(_floating(levels, start, down), True, sum(start) * (PACK + 1) * 2.0**-53)


def length(chips: Sequence[int], down: int = PACK) -> Length:
    """How long a game from this position lasts; `chips` and `down` as for `chances`. Raises Illegal.

    >>> round(length([2] * 5).cards, 2)
    113.72
    """
    start = _checked(chips, down)
    levels = _levels(start)
    if levels is None:
        return _simulated_length(start, down)
    return Length(_lasting(levels, start, down), down, True)


def _checked(chips: Sequence[int], down: int) -> Chips:
    start = tuple(chips)
    if not start or min(start) < 1:
        raise Illegal("F9", "each player still in has a chip at least")
    if not 1 <= down <= PACK:
        raise Illegal("F6", "from 1 to 52 cards lie face down, not {n}", n=down)
    return start


# The ways to hold the chips.


def _onward(chips: Chips) -> Chips:
    return chips[1:] + chips[:1]


def _paid(chips: Chips) -> Chips:
    """Once the first player has paid for the fear (F7); without a chip he is out (F9)."""
    return chips[1:] + ((chips[0] - 1,) if chips[0] > 1 else ())


def _levels(start: Chips) -> list[dict[Chips, int]] | None:
    """All ways to hold the chips that can come, numbered, by the chips in play: the most last.

    None where they make too many positions.
    """
    levels: list[dict[Chips, int]] = []
    here: Iterable[Chips] = [start]
    ways = 0
    while here:
        level: dict[Chips, int] = {}
        for chips in here:
            while chips not in level:
                level[chips] = len(level)
                chips = _onward(chips)
        ways += len(level)
        if ways * PACK > MOST:
            return None
        levels.append(level)
        here = [_paid(chips) for chips in level if len(chips) > 1]
    return levels[::-1]


def _whole(levels: list[dict[Chips, int]], start: Chips, down: int) -> tuple[Fraction, ...]:
    """The chances in whole numbers: those with s chips in play are parts of LCM**s."""
    below: dict[Chips, list[list[int]]] = {}  # by r; at 0 as at 52: the pack is spread again (F10)
    for level in levels:
        sums: dict[Chips, list[list[int]]] = {chips: [[0] * len(chips)] for chips in level}
        wins: dict[Chips, list[list[int]]] = {chips: [[]] for chips in level}
        for r in range(1, PACK + 1):
            for chips in level:
                if len(chips) == 1:
                    wins[chips].append([LCM ** chips[0]])  # F11
                    continue
                paid = _paid(chips)
                after = below[paid][(r - 1) or PACK]
                if len(paid) < len(chips):
                    after = [*after, 0]
                total = [a + b for a, b in zip(sums[_onward(chips)][r - 1], after, strict=True)]
                total.insert(0, total.pop())
                sums[chips].append(total)
                wins[chips].append([each * (LCM // r) for each in total])
        below = wins
    whole = LCM ** sum(start)
    return tuple(Fraction(each, whole) for each in below[start][down])


def _floating(levels: list[dict[Chips, int]], start: Chips, down: int) -> tuple[float, ...]:
    """The same for many positions at a time, in floating point: arrays by r, way and player."""
    np = need("numpy")
    players = len(start)
    under: dict[Chips, int] = {}
    below = np.zeros((PACK + 1, 0, players))
    for level in levels:
        ways = len(level)
        wins = np.zeros((PACK + 1, ways, players))
        sizes = np.array([len(chips) for chips in level])
        single = sizes == 1
        wins[:, single, 0] = 1.0  # F11
        many = np.flatnonzero(~single)
        ones = [chips for chips in level if len(chips) > 1]
        onward = np.array([level[_onward(chips)] for chips in ones], dtype=np.intp)
        paid = np.array([under[_paid(chips)] for chips in ones], dtype=np.intp)
        last = sizes[many] - 1  # where the first player stands then
        rows = np.arange(len(many))
        sums = np.zeros((ways, players))
        for r in range(1, PACK + 1) if len(many) else ():
            total = sums[onward] + below[(r - 1) or PACK, paid]
            sums[many, 0] = total[rows, last]
            # Whoever paid his last chip has no place in `paid`, and nothing stands there.
            sums[many, 1:] = np.where(np.arange(1, players) <= last[:, None], total[:, :-1], 0.0)
            wins[r] = sums / r
            wins[r, single, 0] = 1.0
        below, under = wins, level
    return tuple(map(float, below[down, under[start]]))


# How long it lasts: the chance of each way to hold the chips, card by card.


def _lasting(levels: list[dict[Chips, int]], start: Chips, down: int) -> tuple[float, ...]:
    """By t, the chance that the game is over with just the t-th card from now."""
    ways = {chips: i for i, chips in enumerate(chips for level in levels for chips in level)}
    single = [i for chips, i in ways.items() if len(chips) == 1]  # F11
    onward = [ways[_onward(chips)] for chips in ways]
    paid = [ways[_paid(chips) or chips] for chips in ways]
    step = _quick_step(onward, paid) if has("numpy") else _step(onward, paid)
    here: Any = [0.0] * len(ways)
    here[ways[start]] = 1.0
    ended = []
    while True:
        ended.append(math.fsum(here[i] for i in single))
        for i in single:
            here[i] = 0.0
        left = math.fsum(here)
        if left < TAIL:
            return tuple(ended)
        here = step(here, (down - len(ended)) % PACK + 1)


def _step(onward: list[int], paid: list[int]) -> Callable[[Any, int], Any]:
    """One card more, with r face down before it."""

    def step(here: list[float], r: int) -> list[float]:
        after = [0.0] * len(here)
        for chance, on, down in zip(here, onward, paid, strict=True):
            after[on] += chance * (r - 1) / r
            after[down] += chance / r
        return after

    return step


def _quick_step(onward: list[int], paid: list[int]) -> Callable[[Any, int], Any]:
    """The same for many ways at a time."""
    np = need("numpy")
    on, down, ways = np.array(onward), np.array(paid), len(onward)

    def step(here: Any, r: int) -> Any:
        here = np.asarray(here)
        return np.bincount(on, here * ((r - 1) / r), ways) + np.bincount(down, here / r, ways)

    return step


# Where there are too many positions.


def _games(start: Chips, down: int) -> Iterator[tuple[int, int]]:
    """The winner, by place in the order of play, and the cards turned, of so many games; always the same."""
    rng = random.Random(f"{start} {down}")
    for _ in range(GAMES):
        chips, places, r, turned = list(start), list(range(len(start))), down, 0
        while len(chips) > 1:
            fear = rng.randrange(r)  # the fear is any of the cards face down with equal chance
            payer = fear % len(chips)
            turned += fear + 1
            r = r - fear - 1 or PACK
            chips = chips[payer + 1 :] + chips[: payer + 1]
            places = places[payer + 1 :] + places[: payer + 1]
            chips[-1] -= 1
            if not chips[-1]:
                del chips[-1], places[-1]
        yield places[0], turned


def _simulated_chances(start: Chips, down: int) -> Chances:
    won = Counter(place for place, _ in _games(start, down))
    win = tuple(won[place] / GAMES for place in range(len(start)))
    return Chances(win, False, 1.96 * math.sqrt(max(p * (1 - p) for p in win) / GAMES))


def _simulated_length(start: Chips, down: int) -> Length:
    lasted = Counter(turned for _, turned in _games(start, down))
    return Length(tuple(lasted[t] / GAMES for t in range(max(lasted) + 1)), down, False)
