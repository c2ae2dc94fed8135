"""The odds of Fear in the terminal: by seat, how long it lasts, what follows, and which stake to take."""

import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from cagnotte.core import Illegal
from cagnotte.locale import number, percent, say
from cagnotte.study.odds import PACK, Chances, Length, Pace, chances, length, stakes
from cagnotte.terminal.console import Console

BAR: Final = 24  # cells
QUANTILES: Final = (0.5, 0.9)
ALIKE: Final = 1e-9  # chances that differ by less are equal

Stakes = list[tuple[int, Length, bool]]  # as `study.odds.stakes` finds them


@dataclass(frozen=True)
class Odds:
    """A position, and what is known of it."""

    chips: tuple[int, ...]
    down: int
    pace: Pace
    win: Chances
    fractions: tuple[Any, ...]  # where they were asked for
    length: Length

    @property
    def fresh(self) -> bool:
        """Whether a game begins: then the last in the order of play is the dealer."""
        return self.down == PACK and len(set(self.chips)) == 1 < len(self.chips)


def show(
    chips: Sequence[int], down: int, pace: Pace, rational: bool, lang: str, as_json: bool = False
) -> int:
    """Tell the odds of a position; raises Illegal."""
    with _reckoning(lang):
        found = chances(chips, down)
        fractions = chances(chips, down, rational=True).win if rational else ()
        odds = Odds(tuple(chips), down, pace, found, fractions, length(chips, down))
        insights = () if as_json else list(_insights(odds, lang))
    if as_json:
        print(json.dumps(_listed(odds)))
        return 0
    console = Console()
    for line in (_title(odds, lang), "", *_seats(odds, lang), "", *_lengths(odds, lang), ""):
        console.line(line)
    for sentence in insights:
        console.say(sentence)
    if fractions:
        console.line(f"\n{say(lang, 'term.fractions')}")
    for place, each in enumerate(fractions, 1):
        console.say(f"{place}: {each}")
    return 0


def plan(players: int, minutes: int, pace: Pace, lang: str, as_json: bool = False) -> int:
    """Tell which stake so many players should take who have so many minutes; raises Illegal."""
    found: Stakes = []
    fault: Illegal | None = None  # what is known all the same is told
    with _reckoning(lang) as tell:
        try:
            for each in stakes(players, minutes, pace):
                found.append(each)
                tell(f"{say(lang, 'ui.odds.stake')} {len(found) + 1}")
        except Illegal as illegal:
            fault = illegal
    if fault and not found:
        raise fault
    best = max((stake for stake, _, fits in found if fits), default=None)
    if as_json:
        listed = [
            {"stake": stake, **_minutes(lasting, pace), "exact": lasting.exact, "games": lasting.games}
            | {"intervals": None if lasting.exact else _minutes_intervals(lasting, pace)}
            for stake, lasting, _ in found
        ]
        print(json.dumps({"players": players, "minutes": minutes, "stake": best, "stakes": listed}))
    else:
        console = Console()
        for line in _planned(found, pace, lang):
            console.line(line)
        if dice := next(((stake, lasting.games) for stake, lasting, _ in found if not lasting.exact), None):
            console.say(say(lang, "ui.odds.plan.dice", n=dice[0], games=dice[1]))
        console.line()
        console.say(_advice(found, best, minutes, pace, lang))
    if fault:
        raise fault
    return 0


def _planned(found: Stakes, pace: Pace, lang: str) -> Iterator[str]:
    word = partial(say, lang)
    rows = [[f"{stake}", *_minutes_told(lasting, pace, lang)] for stake, lasting, _ in found]
    yield from _table([[word("ui.odds.stake"), *_heads(lang)], *rows])
    yield _pace(pace, lang)


def _advice(found: Stakes, best: int | None, minutes: int, pace: Pace, lang: str) -> str:
    if best is None:
        return say(lang, "ui.odds.plan.none", minutes=minutes)
    last = found[best - 1][1]
    within = _whole(lang, last.minutes(last.quantile(0.9), pace))
    return say(lang, "ui.odds.plan.stake", n=best, minutes=minutes, within=within)


@contextmanager
def _reckoning(lang: str) -> Iterator[Callable[[str], None]]:
    """A line on stderr for as long as it takes, where that is a terminal; yields what tells how far it is."""
    text = say(lang, "term.reckoning") if sys.stderr.isatty() else ""

    def tell(what: str) -> None:
        if text:
            print(f"\r{text} {what}".rstrip(), end="", file=sys.stderr, flush=True)

    tell("")
    try:
        yield tell
    finally:
        if text:
            print(f"\r{'':79}\r", end="", file=sys.stderr, flush=True)


def _listed(odds: Odds) -> dict[str, Any]:
    """The values of `--json`: those up to `exact` are promised, and there `hands` are spreads."""
    ends = {f"{part}": odds.length.quantile(part) for part in QUANTILES}
    found = {
        "win": [float(each) for each in odds.win.win],
        "cards": odds.length.cards,
        "hands": odds.length.mean_spreads,
        "exact": odds.win.exact,
        "chips": odds.chips,
        "down": odds.down,
        "margins": [odds.win.margin(place) for place in range(len(odds.chips))],
        "games": odds.win.games,
        "quantiles": ends,
        "hands_quantiles": {part: odds.length.spreads(cards) for part, cards in ends.items()},
        "distribution": {"cards": odds.length.chance, "hands": odds.length.by_spreads()},
        **_minutes(odds.length, odds.pace),
        "intervals": None if odds.length.exact else _intervals(odds.length, odds.pace),
    }
    return found | ({"fractions": [str(each) for each in odds.fractions]} if odds.fractions else {})


def _minutes(lasting: Length, pace: Pace) -> dict[str, dict[str, float]]:
    within = {f"{part}": lasting.minutes(lasting.quantile(part), pace) for part in QUANTILES}
    return {"minutes": {"mean": lasting.mean_minutes(pace), **within}}


def _intervals(lasting: Length, pace: Pace) -> dict[str, Any]:
    """From, to, with 95 % confidence, by the names of the figures that they are of."""
    around = {f"{part}": lasting.around(part) for part in QUANTILES}
    return {
        "cards": _interval(lasting.cards, lasting.margin()),
        "hands": _interval(lasting.mean_spreads, lasting.margin(lasting.spreads)),
        "quantiles": around,
        "hands_quantiles": {part: [*map(lasting.spreads, ends)] for part, ends in around.items()},
        **_minutes_intervals(lasting, pace),
    }


def _minutes_intervals(lasting: Length, pace: Pace) -> dict[str, dict[str, list[float]]]:
    within = {f"{part}": [lasting.minutes(end, pace) for end in lasting.around(part)] for part in QUANTILES}
    mean = _interval(lasting.mean_minutes(pace), _minutes_margin(lasting, pace))
    return {"minutes": {"mean": mean, **within}}


def _interval(mean: float, off: float) -> list[float]:
    return [mean - off, mean + off]


def _minutes_margin(lasting: Length, pace: Pace) -> float:
    return lasting.margin(lambda cards: lasting.minutes(cards, pace))


# For people.


def _title(odds: Odds, lang: str) -> str:
    word, found = partial(say, lang), odds.win
    down = word("ui.odds.down", n=odds.down)
    how = word("ui.odds.exact") if found.exact else word("ui.odds.simulated", n=found.games)
    return f"{say(lang, 'game.fear')} · {word('ui.odds.players', n=len(odds.chips))} · {down}\n{how}"


def _seats(odds: Odds, lang: str) -> Iterator[str]:
    """A line for each, in the order of play."""
    word, last = partial(say, lang), len(odds.chips)
    most = max(map(float, odds.win.win))
    rows = []
    for place, (chips, part) in enumerate(zip(odds.chips, odds.win.win, strict=True), 1):
        deals = place == last and odds.fresh
        who = word("ui.odds.seat.dealer") if deals else word("ui.odds.seat.first") if place == 1 else ""
        off = max(0.01, 100 * odds.win.margin(place - 1))  # is never told to be nothing
        margin = "" if odds.win.exact else f"± {number(lang, off, 2)}"
        bar = "█" * max(1, round(BAR * float(part) / most)) if part else ""
        rows.append(
            [
                f"{place}",
                who,
                say(lang, "chips", n=chips),
                _chance(lang, float(part), odds.win.exact),
                margin,
                bar,
            ]
        )
    yield word("ui.odds.order")
    yield from _table(rows, left=(1, 2, 5))


def _lengths(odds: Odds, lang: str) -> Iterator[str]:
    """Cards, spreads and minutes: on average, and within which half and nine tenths of all games end."""
    word, lasting = partial(say, lang), odds.length
    ends = [(lasting.quantile(part), *lasting.around(part)) for part in QUANTILES]
    rows = [[word("ui.odds.length"), *_heads(lang)]]
    figures: tuple[tuple[str, float, Callable[[int], int]], ...] = (
        ("ui.odds.cards", lasting.cards, lambda cards: cards),
        ("ui.odds.spreads", lasting.mean_spreads, lasting.spreads),
    )
    for name, mean, figure in figures:
        told = [_figure(lang, mean, lasting.margin(figure), 1)]
        for end in ends:
            value, low, high = map(figure, end)
            told.append(_figure(lang, value, max(high - value, value - low)))
        rows.append([word(name), *told])
    rows.append([word("ui.odds.minutes"), *_minutes_told(lasting, odds.pace, lang)])
    yield from _table(rows)
    yield _pace(odds.pace, lang)


def _minutes_told(lasting: Length, pace: Pace, lang: str) -> Iterator[str]:
    """On average, and within which half and nine tenths of all games end."""
    yield _figure(lang, lasting.mean_minutes(pace), _minutes_margin(lasting, pace))
    for part in QUANTILES:
        value, low, high = (
            lasting.minutes(end, pace) for end in (lasting.quantile(part), *lasting.around(part))
        )
        yield _figure(lang, value, max(high - value, value - low))


def _figure(lang: str, value: float, off: float, digits: int = 0) -> str:
    """A figure, and how far off it may be where it may, rounded up."""
    told = number(lang, value, digits) if digits else _whole(lang, value)
    return f"{told} ± {number(lang, math.ceil(off * 10**digits) / 10**digits, digits)}" if off else told


def _whole(lang: str, value: float) -> str:
    """As a whole number; what is not nothing is never told to be."""
    return say(lang, "ui.odds.under", part=number(lang, 1)) if 0 < value < 0.5 else number(lang, value)


def _chance(lang: str, part: float, exact: bool) -> str:
    """In per cent; what is not nothing is never told to be, as what dice never brought may not be."""
    least = 0.001
    if part < least / 2 and (part or not exact):
        return say(lang, "ui.odds.under", part=percent(lang, least))
    return percent(lang, part)


def _heads(lang: str) -> list[str]:
    word = partial(say, lang)
    return [word("ui.odds.mean"), word("ui.odds.half"), word("ui.odds.nine")]


def _pace(pace: Pace, lang: str) -> str:
    card, spread = (
        number(lang, each, len(f"{each:g}".partition(".")[2])) for each in (pace.card, pace.spread)
    )
    return say(lang, "ui.odds.pace", card=card, spread=spread)


def _insights(odds: Odds, lang: str) -> Iterator[str]:
    """What follows from it, in words."""
    word, players = partial(say, lang), len(odds.chips)
    if players == 1:
        return
    win = [float(each) for each in odds.win.win]
    told = partial(_chance, lang, exact=odds.win.exact)
    yield word("ui.odds.say.choice", n=odds.down)
    last = (odds.down - 1) % players + 1
    yield word(
        "ui.odds.say.last.dealer" if last == players and odds.fresh else "ui.odds.say.last", place=last
    )
    if not odds.fresh:
        if odds.down < PACK:
            yield word("ui.odds.say.under-way")
    else:
        best, worst = max(win), min(win)
        if _equal(win):
            yield word("ui.odds.say.equal", n=players, part=told(best))
        else:
            values = {"best": win.index(best) + 1, "worst": win.index(worst) + 1}
            yield word(
                "ui.odds.say.seats",
                **values,
                high=told(best),
                low=told(worst),
            )
            part, share = told(win[-1]), percent(lang, 1 / players)
            yield word("ui.odds.say.dealer", part=part, share=share)
    yield from _compared(odds, lang)


def _equal(win: Sequence[float]) -> bool:
    return max(win) - min(win) < ALIKE


def _compared(odds: Odds, lang: str) -> Iterator[str]:
    """What another stake would change; and by how much what dice told in these sentences may be off."""
    known = [(odds.win, odds.length)]
    if odds.fresh:
        stake = 2 if odds.chips[0] == 1 else 1
        other = (stake,) * len(odds.chips)
        found = chances(other), length(other)
        known.append(found)
        parts, lasting = found[0].win, found[1]
        yield say(
            lang,
            "ui.odds.say.stake.equal" if _equal(parts) else "ui.odds.say.stake",
            n=stake,
            high=_chance(lang, max(parts), found[0].exact),
            low=_chance(lang, min(parts), found[0].exact),
            other=_whole(lang, lasting.cards),
            cards=_whole(lang, odds.length.cards),
        )
    dice = [(win, lasting) for win, lasting in known if not win.exact]
    if dice and odds.fresh:
        off = max(win.error for win, _ in dice)
        cards = max(lasting.margin() for _, lasting in dice)
        values = {
            "part": percent(lang, math.ceil(1e4 * off) / 1e4, 2),
            "cards": number(lang, math.ceil(cards)),
        }
        key = "ui.odds.say.dice.other" if odds.win.exact else "ui.odds.say.dice"
        yield say(lang, key, n=dice[0][0].games, **values)


def _table(rows: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> Iterator[str]:
    """Rows with their columns one below the other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.ljust(width) if at in left else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
            if width
        ]
        yield "  ".join(cells).rstrip()
