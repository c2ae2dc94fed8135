"""The odds of Fear in the terminal: by seat, how long it lasts, what follows, and which stake to take."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from cagnotte.locale import number, percent, say
from cagnotte.study.odds import PACK, Chances, Length, Pace, chances, length, stakes
from cagnotte.terminal.console import Console

BAR: Final = 24  # cells
QUANTILES: Final = (0.5, 0.9)


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
    for place, each in enumerate(fractions, 1):
        console.say(f"{place}: {each}")
    return 0


def plan(players: int, minutes: int, pace: Pace, lang: str, as_json: bool = False) -> int:
    """Tell which stake so many players should take who have so many minutes; raises Illegal."""
    with _reckoning(lang):
        found = list(stakes(players, minutes, pace))
    best = max((stake for stake, _, fits in found if fits), default=None)
    if as_json:
        each = [{"stake": stake, **_minutes(lasting, pace)} for stake, lasting, _ in found]
        print(json.dumps({"players": players, "minutes": minutes, "stake": best, "stakes": each}))
        return 0
    console, word = Console(), partial(say, lang)
    rows = [
        [f"{stake}", *(f"{each:.0f}" for each in _minutes(lasting, pace)["minutes"].values())]
        for stake, lasting, _ in found
    ]
    heads = [word("ui.odds.stake"), *_heads(lang)]
    for line in _table([heads, *rows]):
        console.line(line)
    console.line(_pace(pace, lang))
    console.line()
    if best is None:
        console.say(word("ui.odds.plan.none", minutes=minutes))
    else:
        last = found[best - 1][1]
        within = f"{last.minutes(last.quantile(0.9), pace):.0f}"
        console.say(word("ui.odds.plan.stake", n=best, minutes=minutes, within=within))
    return 0


@contextmanager
def _reckoning(lang: str) -> Iterator[None]:
    """A line on stderr for as long as it takes, where that is a terminal."""
    text = say(lang, "term.reckoning") if sys.stderr.isatty() else ""
    print(text, end="", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        if text:
            print(f"\r{'':{len(text)}}\r", end="", file=sys.stderr, flush=True)


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
    }
    return found | ({"fractions": [str(each) for each in odds.fractions]} if odds.fractions else {})


def _minutes(lasting: Length, pace: Pace) -> dict[str, dict[str, float]]:
    within = {f"{part}": lasting.minutes(lasting.quantile(part), pace) for part in QUANTILES}
    return {"minutes": {"mean": lasting.mean_minutes(pace), **within}}


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
        rows.append([f"{place}", who, say(lang, "chips", n=chips), percent(lang, float(part)), margin, bar])
    yield word("ui.odds.order")
    yield from _table(rows, left=(1, 2, 5))


def _lengths(odds: Odds, lang: str) -> Iterator[str]:
    """Cards, spreads and minutes: on average, and within which half and nine tenths of all games end."""
    word, lasting = partial(say, lang), odds.length
    ends = [lasting.quantile(part) for part in QUANTILES]
    minutes = [lasting.mean_minutes(odds.pace), *(lasting.minutes(end, odds.pace) for end in ends)]
    rows = [
        [word("ui.odds.length"), *_heads(lang)],
        [word("ui.odds.cards"), number(lang, lasting.cards, 1), *(number(lang, end) for end in ends)],
        [
            word("ui.odds.spreads"),
            number(lang, lasting.mean_spreads, 1),
            *map(str, map(lasting.spreads, ends)),
        ],
        [word("ui.odds.minutes"), *(number(lang, each) for each in minutes)],
    ]
    yield from _table(rows)
    yield _pace(odds.pace, lang)


def _heads(lang: str) -> list[str]:
    word = partial(say, lang)
    return [word("ui.odds.mean"), word("ui.odds.half"), word("ui.odds.nine")]


def _pace(pace: Pace, lang: str) -> str:
    return say(lang, "ui.odds.pace", card=f"{pace.card:g}", spread=f"{pace.spread:g}")


def _insights(odds: Odds, lang: str) -> Iterator[str]:
    """What follows from it, in words."""
    word, players = partial(say, lang), len(odds.chips)
    if players == 1:
        return
    win = [float(each) for each in odds.win.win]
    yield word("ui.odds.say.choice", n=odds.down)
    last = (odds.down - 1) % players + 1
    yield word(
        "ui.odds.say.last.dealer" if last == players and odds.fresh else "ui.odds.say.last", place=last
    )
    if not odds.fresh:
        return
    best, worst = max(win), min(win)
    values = {"best": win.index(best) + 1, "worst": win.index(worst) + 1}
    yield word("ui.odds.say.seats", **values, high=percent(lang, best), low=percent(lang, worst))
    yield word("ui.odds.say.dealer", part=percent(lang, win[-1]), share=percent(lang, 1 / players))
    other = 2 if odds.chips[0] == 1 else 1
    with_other = (other,) * players
    parts, cards = chances(with_other).win, length(with_other).cards
    yield word(
        "ui.odds.say.stake",
        n=other,
        high=percent(lang, max(parts)),
        low=percent(lang, min(parts)),
        other=number(lang, cards),
        cards=number(lang, odds.length.cards),
    )


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
