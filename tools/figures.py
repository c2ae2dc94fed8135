"""docs/numbers.md: what is known of each game, in figures and pictures, all of them reckoned by this program.

    .venv/bin/python -m tools.figures [--deals 1000000 | --page]

Each figure is a mean and how far it may be off with 95 % confidence; those of Fear are exact. They lie in
docs/numbers/numbers.json, from which the page and its pictures are written. Takes a few minutes.
"""

import argparse
import json
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any, Final

from cagnotte.cards import RANKS
from cagnotte.fantan_terms import VARIANTS
from cagnotte.study import SURE
from cagnotte.study.extras import need
from cagnotte.study.odds import Pace, chances, length
from cagnotte.study.plots import AMBER, BLUE, FELT, INK, PAPER, SOFT, STYLE, named
from cagnotte.study.simulate import Crew, Simulation, Tally, threads
from cagnotte.terminal.simulation import cores

ROOT: Final = Path(__file__).resolve().parent.parent
PLAYERS: Final = (3, 4, 5)
BOTS: Final = ("steady", "random")
FEAR: Final = {1: range(2, 13), 2: range(2, 13), 3: range(2, 9)}  # by stake, the players told of
PACE: Final = Pace()  # of a game of Fear
MIDDLE: Final = "the middle 90 %"
RULES: Final = {"T6": "fan-tan", "T9": "fan-tan", "T14": "fan-tan", "E3": "earl-of-coventry"}
SEATS: Final = ("game", "players", "eldest", "2nd", "3rd", "4th", "5th")
HOUSE: Final = {"pay_left off": "pay_left", "extra_ante off": "extra_ante"}  # what was played without
Pair = list[float]  # a mean, and how far it may be off


def main() -> int:
    """Play, and write the page anew."""
    parser = argparse.ArgumentParser(description="Write docs/numbers.md anew.")
    parser.add_argument("--deals", type=int, default=1_000_000, help="of each game, players, bot and rule")
    parser.add_argument("--page", action="store_true", help="write the page of the figures that are there")
    asked = parser.parse_args()
    folder = ROOT / "docs" / "numbers"
    if asked.page:
        found = json.loads((folder / "numbers.json").read_text(encoding="utf-8"))
    else:
        found = reckon(asked.deals, told=lambda line: print(line, file=sys.stderr))
        (folder / "numbers.json").write_text(json.dumps(found) + "\n", encoding="utf-8")
    (ROOT / "docs" / "numbers.md").write_text("\n".join(page(found)) + "\n", encoding="utf-8")
    draw(found, folder)
    return 0


# What is reckoned.


def reckon(deals: int, told: Any = lambda line: None, players: Sequence[int] = PLAYERS) -> dict[str, Any]:
    """All figures, from so many deals each; the same for the same number."""
    found: dict[str, Any] = {"deals": deals, "games": {}, "fear": fear()}
    with threads(cores()) as crew:
        for game in VARIANTS:
            found["games"][game] = {}
            for count in players:
                told(f"{game}, {count} players")
                found["games"][game][str(count)] = family(crew, game, count, deals)
    return found


def family(crew: Crew, game: str, players: int, deals: int) -> dict[str, Any]:
    """The figures of one game of the Fan Tan family with so many players."""
    found: dict[str, Any] = {bot: seats(crew, game, players, deals, bot) for bot in BOTS}
    found["pay_left off"] = seats(crew, game, players, deals, "steady", pay_left="off")
    if 52 % players:  # T6
        found["extra_ante off"] = seats(crew, game, players, deals, "steady", extra_ante="off")
    return found


def seats(crew: Crew, game: str, players: int, deals: int, bot: str, **rules: str) -> dict[str, Any]:
    """What a table of one bot comes to, by seat from eldest, and by the rank laid first."""
    simulation = Simulation(game, (bot,) * players, dict(rules), "numbers")
    tally = Tally(simulation.columns)
    by_start: dict[int, Tally] = {}
    bonus = [0, 0, 0, 0]
    for batch in crew.play(simulation, deals, keep=True):
        tally.join(batch.tally)
        columns = dict(zip(simulation.columns, batch.rows.T, strict=True))
        for rank in range(1, 14):
            chosen = batch.rows[columns["start"] == rank]
            if len(chosen):
                of_rank = by_start.setdefault(rank, Tally(simulation.columns))
                of_rank.join(Tally.of(simulation.columns, chosen))
        for what in range(4):
            bonus[what] += int((columns["bonus"] == what).sum())
    found: dict[str, Any] = {
        name: [_pair(tally, f"{name}_{seat}") for seat in range(players)]
        for name in ("chips", "passes", "left")
    }
    found["wins"] = [_part(tally.wins[seat], deals) for seat in range(players)]
    found |= {name: _pair(tally, name) for name in ("turns", "pool")}
    found["long"] = [tally.quantile("turns", part) for part in (0.05, 0.95)]
    if len(by_start) > 1 and not simulation.table.rules.one_suit:  # type: ignore[attr-defined]
        found["start"] = {
            str(rank): {
                "part": _part(of.deals, deals),
                "chips": _pair(of, "chips_0"),
                "wins": _part(of.wins[0], of.deals),
            }
            for rank, of in sorted(by_start.items())
        }
    if any(bonus[1:]):
        found["bonus"] = {
            "offered": _part(sum(bonus[1:]), deals),
            "laid": _part(bonus[2] + bonus[3], deals),
            "won": _part(bonus[3], deals),
        }
    return found


def _pair(tally: Tally, column: str) -> Pair:
    return [round(tally.mean(column), 5), round(tally.interval(column), 5)]


def _part(count: int, of: int) -> Pair:
    part = count / of
    return [round(part, 6), round(SURE * max(part * (1 - part) / of, 1 / of**2) ** 0.5, 6)]


def fear() -> dict[str, Any]:
    """The exact figures of Fear, by stake and players; chances from the first to turn to the dealer."""
    found: dict[str, Any] = {}
    for stake, counts in FEAR.items():
        found[str(stake)] = {}
        for players in counts:
            lasting = length([stake] * players)
            found[str(stake)][str(players)] = {
                "win": [round(float(part), 5) for part in chances([stake] * players).win],
                "cards": round(lasting.cards, 3),
                "spreads": round(lasting.mean_spreads, 4),
                "minutes": round(lasting.mean_minutes(PACE), 1),
                "middle 90": [lasting.quantile(0.05), lasting.quantile(0.95)],
            }
    return found


def ante(table: dict[str, Any], players: int) -> dict[str, Any]:
    """What the extra ante is worth (T6): chips of those with a card less, without it and with it; a fair one.

    Where k players pay e chips, each wins k e of them back in his share w of the deals; so the ante is fair
    where without it he is ahead by e (1 - k w).
    """
    without, short = table["extra_ante off"], range(52 % players, players)
    share = sum(without["wins"][seat][0] for seat in short) / len(short)
    ahead = [
        _mean([without["chips"][seat] for seat in short]),
        _mean([table["steady"]["chips"][seat] for seat in short]),
    ]
    scale = 1 - len(short) * share
    return {
        "short": len(short),
        "without": ahead[0],
        "with": ahead[1],
        "fair": [each / scale for each in ahead[0]],
    }


def _mean(pairs: Sequence[Pair]) -> Pair:
    return [sum(pair[at] for pair in pairs) / len(pairs) for at in (0, 1)]  # at the most


# What is written.


def page(found: dict[str, Any]) -> Iterator[str]:
    """The lines of docs/numbers.md."""
    games = found["games"]
    yield "# The games in numbers"
    yield ""
    yield from _text(
        f"""All of these figures come from `.venv/bin/python -m tools.figures`. Those of Fear are exact. The
        others are means over {found["deals"]:,} deals each, and ± is how far a mean may be off with 95
        % confidence. Each deal stands alone, with the usual chips and, unless it is said, the usual
        house rules. Seats are counted from eldest, who sits on the dealer's left and plays first, so the
        dealer is the last. `steady` and `random` are bots, here at every seat; neither ever passes
        wrongly, so that `passing` makes no difference, and with full stacks nor does `debt`."""
    )
    yield "## Which seat is best?"
    yield ""
    yield "![Chips that each seat wins a deal, four steady players, in the four games](numbers/seats.svg)"
    yield ""
    yield from _seats(games)
    yield from _lengths(games)
    yield from _costs(games)
    yield from _rules(games)
    yield from _antes(games)
    yield from _starts(games)
    yield from _bonus(games)
    yield from _fear(found["fear"])


def _text(words: str) -> Iterator[str]:
    words = re.sub("|".join(rf"\b{clause}\b" for clause in RULES), _linked, " ".join(words.split()))
    yield from wrap(words, 119, break_long_words=False, break_on_hyphens=False)
    yield ""


def _linked(clause: re.Match[str]) -> str:
    """A clause of the rules, with the page it is on."""
    return f"[{clause[0]}](rules/{RULES[clause[0]]}.en.md)"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""


def _seats(games: Any) -> Iterator[str]:
    yield from _text(
        """Chips won a deal, seat by seat, and in brackets the part of all deals that it wins. Between
        players who know what they do the lead can be worth more than a card: in Earl of Coventry and in
        Play or Pay eldest is best off by far, also where he holds a card more than others. With four
        players it is best to be last in Fan Tan, where the first card is a seven for all, and in Five or
        Nine. Between random players little of that is left."""
    )
    for bot in BOTS:
        rows = []
        for game, tables in games.items():
            for players, table in tables.items():
                own = table[bot]
                cells = [
                    f"{_signed(chips)} ({100 * wins[0]:.1f} %)"
                    for chips, wins in zip(own["chips"], own["wins"], strict=True)
                ]
                chips, wins = (max(pair[1] for pair in own[name]) for name in ("chips", "wins"))
                off = [f"±{chips:.3f}", f"±{100 * wins:.1f} %"]
                rows.append([named(game), players, *cells, *["·"] * (5 - len(cells)), *off])
        yield f"All `{bot}`:"
        yield ""
        yield from _table([*SEATS, "chips may be off by", "wins may be off by"], rows)


def _lengths(games: Any) -> Iterator[str]:
    yield "## How long is a deal?"
    yield ""
    yield from _text(
        f"""Moves of all players, passes included; {MIDDLE} of the deals that were played leaves out the
        5 % that are shortest, and the 5 % that are longest."""
    )
    rows = []
    for game, tables in games.items():
        for players, table in tables.items():
            cells = []
            for bot in BOTS:
                own = table[bot]
                cells += [_with(own["turns"]), f"{own['long'][0]} to {own['long'][1]}"]
            rows.append([named(game), players, *cells])
    yield from _table(["game", "players", "`steady`", MIDDLE, "`random`", MIDDLE], rows)


def _costs(games: Any) -> Iterator[str]:
    yield "## What does it cost?"
    yield ""
    yield from _text(
        """Chips that a `steady` seat pays in a deal for passes (T9) and for cards left (T14), on average
        over the seats, and what the winner takes. In Play or Pay it is the passes that fill the pool."""
    )
    rows = []
    for game, tables in games.items():
        for players, table in tables.items():
            own = table["steady"]
            costs = (_mean(own["passes"]), _mean(own["left"]), own["pool"])
            rows.append([named(game), players, *map(_with, costs)])
    yield from _table(["game", "players", "passes", "cards left", "the winner takes"], rows)


def _rules(games: Any) -> Iterator[str]:
    yield "## What do the house rules change?"
    yield ""
    yield from _text(
        """Chips won a deal without `pay_left`, where losers pay nothing for their cards (T14), and without
        `extra_ante`, where a card less costs nothing more (T6); all are `steady`. These are the same
        deals as above, and a `steady` bot plays the same cards whatever they cost: so only what is paid
        changes, and moves, passes, cards left and wins are those above. What the best or worst seat wins
        or loses is first with the rule, then without it."""
    )
    for name, rule in HOUSE.items():
        rows = []
        for game, tables in games.items():
            for players, table in tables.items():
                if name in table:
                    own, off = table["steady"], table[name]
                    cells = [_with(chips, signed=True) for chips in off["chips"]]
                    most = " → ".join(_with(max(map(_far, each["chips"]))) for each in (own, off))
                    rows.append(
                        [named(game), players, *cells, *["·"] * (5 - len(cells)), most, _with(off["pool"])]
                    )
        yield f"Without `{rule}`:"
        yield ""
        yield from _table([*SEATS, "largest seat advantage", "the winner takes"], rows)


def _far(pair: Pair) -> Pair:
    """How far from nothing it is."""
    return [abs(pair[0]), pair[1]]


def _antes(games: Any) -> Iterator[str]:
    yield "## What is the extra ante worth?"
    yield ""
    yield from _text(
        """With three or five players some have a card less, and pay a chip more for it (T6). Chips that
        one of them wins a deal, without that ante and with it, and the ante that would be fair, at
        which all with a card less win nothing on average. It takes from those who lose already: between
        `steady` players eldest, who has a card more but leads, is the one to pay, and a fair ante is
        below nothing in all but one of these games."""
    )
    rows = []
    for game, tables in games.items():
        for players, table in tables.items():
            if "extra_ante off" in table:
                worth = ante(table, int(players))
                cells = [_with(worth[name], signed=name != "fair") for name in ("without", "with", "fair")]
                rows.append([named(game), players, str(worth["short"]), *cells])
    yield from _table(
        ["game", "players", "with a card less", "without", "with a chip more", "a fair extra ante"], rows
    )


def _starts(games: Any) -> Iterator[str]:
    yield "## Which rank to begin with?"
    yield ""
    yield from _text(
        """In Five or Nine and in Earl of Coventry the first card laid decides which rank begins every
        suit. How often eldest begins with it, and what he wins then, with four `random` players, who
        begin with any card that may be laid: so these figures are of the rank, not of a hand that a
        good player would choose it for. Ranks in the middle are worth more, since cards leave on both
        sides."""
    )
    yield "![Chips that eldest wins, by the rank that he lays first](numbers/starts.svg)"
    yield ""
    for game in ("five-or-nine", "earl-of-coventry"):
        start = games[game]["4"]["random"]["start"]
        rows = []
        for rank, of in start.items():
            cells = [_percent(of["part"]), _with(of["chips"], signed=True), _percent(of["wins"])]
            rows.append([RANKS[int(rank) - 1], *cells])
        yield f"{named(game)}:"
        yield ""
        yield from _table(["first rank", "of all deals", "chips of eldest", "deals he wins"], rows)


def _bonus(games: Any) -> Iterator[str]:
    yield "## How often does the bonus card win?"
    yield ""
    yield from _text(
        """Whoever lays the fourth start card of Earl of Coventry may lay one card more (E3). In how many
        of all deals it comes to that, a card is laid, and that card is the last of his hand. That is
        hardly ever: all four start cards lie there long before a hand is at its end. `steady` lays it
        only to win, and so never does."""
    )
    rows = []
    for players, table in games["earl-of-coventry"].items():
        for bot in BOTS:
            bonus = table[bot]["bonus"]
            cells = [_percent(bonus[name], 2) for name in ("offered", "laid", "won")]
            rows.append([players, f"`{bot}`", *cells])
    yield from _table(["players", "bots", "it comes to that", "laid", "it wins"], rows)


def _fear(stakes: Any) -> Iterator[str]:
    yield "## Fear"
    yield ""
    yield from _text(
        """Nobody's choice matters, and yet the seats are not equal: exact chances to win with one, two or
        three chips each, from the first to turn a card to the dealer. [odds.md](odds.md) says why, and
        `cagnotte odds fear` tells any position."""
    )
    yield "![Chances to win at Fear by seat, two chips each, five to twelve players](numbers/fear.svg)"
    yield ""
    rows = []
    for stake, tables in stakes.items():
        for players, own in tables.items():
            win = own["win"]
            ends = [win.index(max(win)), win.index(min(win))]
            places = [_place(seat, len(win)) if len({*win}) > 1 else "either" for seat in ends]
            cells = [f"{place}: {100 * win[seat]:.2f} %" for place, seat in zip(places, ends, strict=True)]
            rows.append([stake, players, f"{100 / len(win):.1f} %", *cells, f"{100 * win[-1]:.2f} %"])
    head = ["chips each", "players", "even", "the best seat", "the worst seat", "the dealer"]
    yield from _table(head, rows)
    yield from _text(
        f"""How long a game lasts: cards turned, spreads of the pack, and minutes at {PACE.card:.0f} seconds a
        card and {PACE.spread:.0f} to shuffle and spread; {MIDDLE} leaves out the 5 % of all games that are
        shortest, and the 5 % that are longest."""
    )
    rows = []
    for stake, tables in stakes.items():
        for players, own in tables.items():
            low, high = own["middle 90"]
            cells = [f"{own['cards']:.1f}", f"{low} to {high}", f"{own['spreads']:.2f}"]
            rows.append([stake, players, *cells, f"{own['minutes']:.0f}"])
    yield from _table(["chips each", "players", "cards", MIDDLE, "spreads", "minutes"], rows)


def _place(seat: int, players: int) -> str:
    return "the dealer" if seat == players - 1 else "the first" if not seat else f"seat {seat + 1}"


def _signed(pair: Pair) -> str:
    return f"{pair[0]:+.2f}".replace("-", "−")


def _percent(pair: Pair, digits: int = 1) -> str:
    part, off = (100 * value for value in pair)
    return f"{part:.{digits}f} % ±{max(off, 0.5 / 10**digits):.{digits}f}"


def _with(pair: Pair, signed: bool = False) -> str:
    return f"{pair[0]:{'+' if signed else ''}.2f} ±{max(pair[1], 0.005):.2f}".replace("-", "−")


# What is drawn.


def draw(found: dict[str, Any], folder: Path) -> None:
    """The pictures of the page."""
    matplotlib, figures = need("matplotlib"), need("matplotlib.figure")
    games = found["games"]
    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        figure = figures.Figure(figsize=(10, 3.2), layout="constrained")
        for axes, game in zip(figure.subplots(1, 4, sharey=True), VARIANTS, strict=True):
            chips = games[game]["4"]["steady"]["chips"]
            _bars(axes, [str(seat + 1) for seat in range(4)], chips, named(game))
            axes.set_xlabel("seat from eldest")
        figure.axes[0].set_ylabel("chips a deal")
        _headed(figure, "Chips that each seat wins, four players, all steady; whiskers: 95 % intervals")
        figure.savefig(folder / "seats.svg", metadata={"Date": None})

        figure = figures.Figure(figsize=(10, 3.4), layout="constrained")
        wide, narrow = figure.subplots(1, 2, width_ratios=(5, 1), sharey=True)
        for axes, game in ((wide, "earl-of-coventry"), (narrow, "five-or-nine")):
            start = games[game]["4"]["random"]["start"]
            ranks = [RANKS[int(rank) - 1] for rank in start]
            _bars(axes, ranks, [of["chips"] for of in start.values()], named(game))
            axes.set_xlabel("rank laid first")
        wide.set_ylabel("chips of eldest")
        _headed(figure, "Chips that eldest wins, four players, all random; whiskers: 95 % intervals")
        figure.savefig(folder / "starts.svg", metadata={"Date": None})

        figure = figures.Figure(figsize=(10, 4.6), layout="constrained")
        for axes, players in zip(figure.subplots(2, 4, sharey=True).flat, range(5, 13), strict=True):
            win = [100 * part for part in found["fear"]["2"][str(players)]["win"]]
            colours = [
                AMBER if seat == players - 1 else BLUE if not seat else FELT for seat in range(players)
            ]
            axes.bar(range(1, players + 1), win, width=0.7, color=colours)
            axes.axhline(100 / players, color=INK, linewidth=1, linestyle=(0, (5, 3)))
            axes.set_title(f"{players} players", fontsize=10)
            axes.set_xticks([1, players], ["first", "dealer"])
            axes.tick_params(length=0)
            axes.grid(axis="y")
        for axes in figure.axes[::4]:
            axes.set_ylabel("per cent")
        _headed(figure, "Chances to win, two chips each; the dashed line is an equal share")
        figure.savefig(folder / "fear.svg", metadata={"Date": None})


def _headed(figure: Any, text: str) -> None:
    """What it shows, above it."""
    figure.suptitle(text, fontsize=10, color=SOFT, x=0.02, ha="left")


def _bars(axes: Any, names: Sequence[str], pairs: Sequence[Pair], title: str) -> None:
    axes.bar(range(len(names)), [pair[0] for pair in pairs], width=0.66, color=FELT)
    off = [pair[1] for pair in pairs]
    axes.errorbar(range(len(names)), [pair[0] for pair in pairs], yerr=off, fmt="none", ecolor=INK, capsize=4)
    for at, (mean, reach) in enumerate(pairs):
        edge, above = mean + (reach if mean >= 0 else -reach), mean >= 0
        axes.annotate(
            f"{mean:+.2f}".replace("-", "−"), (at, edge), (0, 5 if above else -5), textcoords="offset points",
            ha="center", va="bottom" if above else "top", fontsize=9,
            bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1},
        )  # fmt: skip
    axes.set_xticks(range(len(names)), names)
    axes.tick_params(length=0)
    axes.axhline(0, color=SOFT, linewidth=1)
    axes.margins(y=0.2)
    axes.grid(axis="y")
    axes.set_title(title)


if __name__ == "__main__":
    sys.exit(main())
