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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from cagnotte.core import Illegal, Seat
from cagnotte.fear import View
from cagnotte.guests import undisturbed
from cagnotte.study import SURE
from cagnotte.study.extras import has, need

PACK: Final = 52
MOST_PLAYERS: Final = 26  # F1
MOST_CHIPS: Final = 10  # F2
MOST: Final = 20_000_000  # positions up to which the odds are reckoned, and not simulated
WHOLE: Final = 2_500  # ways to hold the chips up to which no library is needed …
RATIONAL: Final = 20_000  # … and up to which fractions are had
GAMES: Final = {True: 1_000_000, False: 20_000}  # simulated beyond, with numba and without
SLICE: Final = 50_000  # of these that are played between two looks whether Ctrl-C was pressed
DICE: Final = (17901790, 20102010)  # as they lie at first
TAIL: Final = 1e-15  # games that last longer than this part of all do not count
ROUNDED: Final = 2.0**-53  # what rounding a number changes of it at most
LCM: Final = math.lcm(*range(1, PACK + 1))

Chips = tuple[int, ...]  # of those still in, from the player to act on


@dataclass(frozen=True, slots=True)
class Chances:
    """The chance of each to win, from the player to act on in the order of play.

    `error` is how far off each may be: for sure where `exact`, else of the widest interval of 95 %, after
    so many `games` played with dice.
    """

    win: tuple[Any, ...]
    exact: bool
    error: float
    games: int = 0

    def margin(self, place: int) -> float:
        """How far off the chance of this place may be: its interval of 95 % where it is not exact."""
        p = self.win[place]
        return SURE * math.sqrt(max(p * (1 - p), 1 / self.games) / self.games) if self.games else self.error


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds for a card, with naming the fear, and for gathering, shuffling and spreading the pack."""

    card: float = 4
    spread: float = 60


@dataclass(frozen=True, slots=True)
class Length:
    """How long a game still lasts: the chance, by t, of just t cards more, with `down` face down now."""

    chance: tuple[float, ...]
    down: int
    games: int = 0  # played with dice; none where it is exact

    @property
    def exact(self) -> bool:
        return not self.games

    def spreads(self, cards: int) -> int:
        """How many spreads of the pack so many cards come from, the present one included."""
        return 1 + max(0, math.ceil((cards - self.down) / PACK))

    @property
    def cards(self) -> float:
        """How many cards are turned, on average."""
        return math.fsum(t * p for t, p in enumerate(self.chance))

    @property
    def mean_spreads(self) -> float:
        """How many spreads of the pack that takes, on average."""
        return math.fsum(self.spreads(t) * p for t, p in enumerate(self.chance))

    def by_spreads(self) -> tuple[float, ...]:
        """The chance, by n, that it takes just n spreads of the pack."""
        chances = [0.0] * (1 + self.spreads(len(self.chance) - 1))
        for cards, chance in enumerate(self.chance):
            chances[self.spreads(cards)] += chance
        return tuple(chances)

    def minutes(self, cards: int, pace: Pace) -> float:
        """Minutes for so many cards. A whole pack is still to be spread; another is for each 52 cards."""
        return self._minutes(cards, self.spreads(cards), pace)

    def mean_minutes(self, pace: Pace) -> float:
        """Minutes that it takes on average."""
        return self._minutes(self.cards, self.mean_spreads, pace)

    def _minutes(self, cards: float, spreads: float, pace: Pace) -> float:
        return (cards * pace.card + (spreads - (self.down < PACK)) * pace.spread) / 60

    def quantile(self, part: float) -> int:
        """The least number of cards within which this part of all games is over."""
        reached = 0.0
        for t, p in enumerate(self.chance):
            reached += p
            if reached >= part - 1e-12:
                return t
        return len(self.chance) - 1

    def margin(self, figure: Callable[[int], float] = float) -> float:
        """How far off the mean of a figure of the cards may be: its interval of 95 %; 0 where it is exact."""
        if not self.games:
            return 0.0
        mean = math.fsum(figure(t) * p for t, p in enumerate(self.chance))
        square = math.fsum((figure(t) - mean) ** 2 * p for t, p in enumerate(self.chance))
        return SURE * math.sqrt(square / self.games)

    def around(self, part: float) -> tuple[int, int]:
        """The interval of 95 % of a quantile: what it may be, since so many games may be chance."""
        off = SURE * math.sqrt(part * (1 - part) / self.games) if self.games else 0.0
        return self.quantile(part - off), self.quantile(part + off)


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
            raise _too_many(f"more than {MOST:,}")
        won, _, games = _simulated(start, down)
        shares = tuple(each / games for each in won)
        return Chances(shares, False, SURE * math.sqrt(max(p * (1 - p) for p in shares) / games), games)
    ways = sum(map(len, levels))
    if rational and ways > RATIONAL:
        raise _too_many(f"{ways * PACK:,}")
    if rational or ways <= WHOLE:
        win = _whole(levels, start, down)
        return Chances(win if rational else tuple(map(float, win)), True, 0.0 if rational else ROUNDED)
    # Only positive numbers are added, 52 to a sum, and each sum is divided once: for each chip in play.
    return Chances(_floating(levels, start, down), True, sum(start) * (PACK + 1) * ROUNDED)


def length(chips: Sequence[int], down: int = PACK) -> Length:
    """How long a game from this position lasts; `chips` and `down` as for `chances`. Raises Illegal.

    >>> round(length([2] * 5).cards, 2)
    113.72
    """
    start = _checked(chips, down)
    levels = _levels(start)
    if levels is None:
        _, lasted, games = _simulated(start, down)
        most = max(t for t, n in enumerate(lasted) if n)
        return Length(tuple(n / games for n in lasted[: most + 1]), down, games)
    return Length(_lasting(levels, start, down), down)


def stakes(players: int, minutes: float, pace: Pace) -> Iterator[tuple[int, Length, bool]]:
    """For each stake how long a game lasts, and whether nine games of ten are over within so many minutes.

    It ends with the first stake for which they are not. Raises Illegal.
    """
    for stake in range(1, MOST_CHIPS + 1):
        lasting = length((stake,) * players)
        fits = lasting.minutes(lasting.quantile(0.9), pace) <= minutes
        yield stake, lasting, fits
        if not fits:
            return


# At a table.


@dataclass(frozen=True, slots=True)
class Position:
    """The seats still in, from the one that turns next, their chips, and how many cards lie face down."""

    seats: tuple[Seat, ...]
    chips: Chips
    down: int


def position(view: View) -> Position | None:
    """Where the game stands; None before there is a dealer, when no order is known, and when it is over.

    Whoever names turns no card then, and whoever deals a new spread names: play goes on to his right (F5,
    F7, F10).
    """
    seat = view.actor if view.phase in ("name", "turn") else view.dealer
    if seat is None or view.over:
        return None
    players = len(view.stacks)
    first = seat if view.phase == "turn" else seat - 1
    seats = ((first - i) % players for i in range(players))
    living = tuple(seat for seat in seats if view.stacks[seat])
    return Position(living, tuple(view.stacks[seat] for seat in living), view.places.count(None) or PACK)


def at_table(view: View, reckon: Callable[[Chips, int], Sequence[Any]]) -> tuple[Any, ...]:
    """The chance of each seat to win, by `reckon`, which gives those of a position's chips and cards down."""
    seats = range(len(view.stacks))
    if view.over:
        return tuple(int(seat in view.winners) for seat in seats)
    found = position(view)
    if found is None:  # any seat may be drawn (F12), and all have the same stake (F2)
        return (Fraction(1, len(seats)),) * len(seats)
    win = dict(zip(found.seats, reckon(found.chips, found.down), strict=True))
    return tuple(win.get(seat, 0) for seat in seats)


def _checked(chips: Sequence[int], down: int) -> Chips:
    start = tuple(chips)
    if not 1 <= len(start) <= MOST_PLAYERS:
        raise Illegal("F1", "there are up to 26 players, not {n}", n=len(start))
    if not 1 <= min(start) <= max(start) <= MOST_CHIPS:
        raise Illegal("F2", "each player still in has from 1 to 10 chips")
    if not 1 <= down <= PACK:
        raise Illegal("F6", "from 1 to 52 cards lie face down, not {n}", n=down)
    return start


# The ways to hold the chips.


def _too_many(these: str) -> Illegal:
    most = f"{RATIONAL * PACK:,}"
    return Illegal(
        None, "fractions are reckoned for up to {n} positions: these are {these}", n=most, these=these
    )


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
            if (ways + len(level)) * PACK > MOST:
                return None
        ways += len(level)
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
    np = need("numpy", exactly=True)
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
    paid = [ways[_paid(chips)] if len(chips) > 1 else i for chips, i in ways.items()]
    quick = len(ways) > WHOLE or has("numpy")
    step, add = _quick_step(onward, paid) if quick else (_step(onward, paid), math.fsum)
    here: Any = [0.0] * len(ways)
    here[ways[start]] = 1.0
    ended = []
    while True:
        ended.append(math.fsum(here[i] for i in single))
        for i in single:
            here[i] = 0.0
        if add(here) < TAIL:
            return tuple(ended)
        here = step(here, (down - len(ended)) % PACK + 1)


Step = Callable[[Any, int], Any]


def _step(onward: list[int], paid: list[int]) -> Step:
    """One card more, with r face down before it."""

    def step(here: list[float], r: int) -> list[float]:
        after = [0.0] * len(here)
        for chance, on, down in zip(here, onward, paid, strict=True):
            after[on] += chance * (r - 1) / r
            after[down] += chance / r
        return after

    return step


def _quick_step(onward: list[int], paid: list[int]) -> tuple[Step, Callable[[Any], float]]:
    """The same for many ways at a time, and how they are added up."""
    np = need("numpy", exactly=True)
    on, down, ways = np.array(onward), np.array(paid), len(onward)

    def step(here: Any, r: int) -> Any:
        here = np.asarray(here)
        return np.bincount(on, here * ((r - 1) / r), ways) + np.bincount(down, here / r, ways)

    return step, np.sum


# Where there are too many positions.


@lru_cache(maxsize=2)
def _simulated(start: Chips, down: int) -> tuple[list[int], list[int], int]:
    """Of how many games: those won by each, in the order of play, and those that so many cards ended."""
    won, lasted = [0] * len(start), [0] * (PACK * sum(start) + 1)
    if not has("numba"):
        _games(list(start), down, GAMES[False], *DICE, won, lasted)
        return won, lasted, GAMES[False]
    np, play = need("numpy"), need("numba").njit(cache=True)(_games)
    counts, dice = (np.array(won), np.array(lasted)), DICE
    with undisturbed():
        play(np.array(start), down, 0, *dice, *counts)  # is compiled, or fetched
    for done in range(0, GAMES[True], SLICE):
        dice = play(np.array(start), down, min(SLICE, GAMES[True] - done), *dice, *counts)
    return counts[0].tolist(), counts[1].tolist(), GAMES[True]


def _games(start: Any, down: int, games: int, one: int, other: int, won: Any, lasted: Any) -> tuple[int, int]:
    """Play so many games and count them: whole numbers only, always the same, compiled where numba is.

    The dice are two multiplicative generators joined (L'Ecuyer 1988): no number is above 2**47. They are
    given as they stand, and returned as they stand then.
    """
    chips, order = start.copy(), start.copy()
    for _ in range(games):
        players = len(start)
        for place in range(players):
            chips[place], order[place] = start[place], place
        r, turned, at = down, 0, 0
        while players > 1:
            one = one * 40014 % 2147483563
            other = other * 40692 % 2147483399
            die = one - other if one > other else one - other + 2147483562
            fear = die % r  # it is any of the cards face down with equal chance
            turned += fear + 1
            r = r - fear - 1 if r > fear + 1 else 52
            at = (at + fear) % players
            payer = order[at]
            chips[payer] -= 1
            if chips[payer]:
                at += 1
            else:
                players -= 1
                for place in range(at, players):
                    order[place] = order[place + 1]
        won[order[0]] += 1
        lasted[turned] += 1
    return one, other
