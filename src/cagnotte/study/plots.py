"""What many deals come to, as a picture: SVG or PNG, in the colours of the house."""

import warnings
from collections.abc import Sequence
from math import isinf
from pathlib import Path
from typing import Any, Final

from cagnotte.locale import say
from cagnotte.study import SURE
from cagnotte.study.extras import naming, need
from cagnotte.study.simulate import Simulation, Tally

PAPER, INK, SOFT, LINE = "#fffdf8", "#1d2420", "#575f57", "#d6cebd"
MANY: Final = 14  # bars that have room for what they say
FELT, BLUE, AMBER = "#1f5f4a", "#1d5aa6", "#c58a2b"
STYLE: Final = {
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "axes.edgecolor": LINE,
    "axes.labelcolor": SOFT,
    "axes.titlecolor": INK,
    "axes.titlelocation": "left",
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlepad": 12,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "text.color": INK,
    "text.parse_math": False,
    "font.size": 10,
    "font.family": "sans-serif",
    "grid.color": LINE,
    "grid.linewidth": 0.6,
    "svg.hashsalt": "cagnotte",
}


def named(game: str) -> str:
    """What this game is called."""
    return say("en", f"game.{game}")


def draw(simulation: Simulation, tally: Tally, path: Path) -> None:
    """Draw the seats and the length into this file; raises Illegal without matplotlib, OSError."""
    matplotlib = need("matplotlib")
    figures: Any = need("matplotlib.figure")
    fear = simulation.game == "fear"
    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        figure = figures.Figure(figsize=(11, 8), layout="constrained")
        figure.get_layout_engine().set(w_pad=0.15, h_pad=0.15, hspace=0.06, wspace=0.05)
        figure.suptitle(_title(simulation, tally), fontsize=11, color=SOFT, x=0.02, ha="left")
        (chips, wins), (costs, length) = figure.subplots(2, 2)
        _chips(chips, simulation, tally)
        _wins(wins, simulation, tally)
        (_spreads if fear else _costs)(costs, simulation, tally)
        _length(length, tally, "Cards turned in a game" if fear else "Moves in a deal")
        for axes in (chips, wins, costs):
            axes.grid(axis="y")
        warnings.simplefilter("ignore")  # of letters that no font here has
        with naming(path):
            figure.savefig(path, dpi=144, metadata={"Date": None} if path.suffix == ".svg" else None)


def _title(simulation: Simulation, tally: Tally) -> str:
    what = ("game" if simulation.game == "fear" else "deal") + "s" * (tally.deals != 1)
    rules = "".join(f", {name.replace('_', ' ')} {value}" for name, value in simulation.rules.items())
    kinds = " and ".join(dict.fromkeys(simulation.bots)) if simulation.game != "fear" else ""
    kinds = f", {'' if ' and ' in kinds else 'all '}{kinds}" if kinds else ""
    return (
        f"{named(simulation.game)} · {len(simulation.bots)} seats{kinds}{rules}\n"
        f"{tally.deals:,} {what} · seed {simulation.seed} · whiskers: 95 % intervals"
    )


def _seats(axes: Any, simulation: Simulation) -> Sequence[int]:
    """A place for each seat, with its bot where they differ."""
    places, bots = range(len(simulation.bots)), simulation.bots
    first = "first to turn" if simulation.game == "fear" else "eldest"
    names = [
        f"{seat + 1}" + (f"\n{bots[seat]}" if len({*bots}) > 1 and len(bots) < 7 else "") for seat in places
    ]
    step = 1 + len(bots) // MANY
    axes.set_xticks(places[::step], names[::step])
    axes.tick_params(length=0)
    axes.set_xlabel(f"seat in the order of play (1 is {first})")
    return places


def _bars(axes: Any, places: Sequence[int], values: Sequence[float], off: Any, form: str) -> None:
    """Bars with whiskers, each with its value beyond the whisker."""
    axes.bar(places, values, width=0.62, color=FELT)
    axes.errorbar(
        places,
        values,
        yerr=off,
        fmt="none",
        ecolor=INK,
        elinewidth=1.4,
        capsize=5 if len(places) <= MANY else 2,
    )
    for i, value in enumerate(values) if len(places) <= MANY else ():
        up = value >= 0
        edge = value + (off[1][i] if up else -off[0][i])
        _label(axes, places[i], edge, format(value, form), up, 9 if len(places) <= 8 else 7)
    axes.margins(y=0.18)


def _label(axes: Any, place: int, edge: float, text: str, above: bool = True, size: int = 9) -> None:
    axes.annotate(
        text.replace("-", "\u2212"), (place, edge), (0, 6 if above else -6), textcoords="offset points",
        ha="center", va="bottom" if above else "top", fontsize=size, zorder=5,
        bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1},
    )  # fmt: skip


def _chips(axes: Any, simulation: Simulation, tally: Tally) -> None:
    places = _seats(axes, simulation)
    off = [0 if isinf(reach := tally.interval(f"chips_{seat}")) else reach for seat in places]
    _bars(axes, places, [tally.mean(f"chips_{seat}") for seat in places], [off, off], "+.2f")
    axes.axhline(0, color=SOFT, linewidth=1)
    axes.set_title("Chips won")
    axes.set_ylabel("chips a game" if simulation.game == "fear" else "chips a deal")


def _wins(axes: Any, simulation: Simulation, tally: Tally) -> None:
    places = _seats(axes, simulation)
    found = [[100 * part for part in tally.won(seat)] for seat in places]
    off = [[won - low for won, low, _ in found], [high - won for won, _, high in found]]
    _bars(axes, places, [won for won, *_ in found], off, ".1f")
    even = 100 / len(places)
    axes.axhline(even, color=AMBER, linewidth=1.4, linestyle=(0, (5, 3)), label=f"even chances: {even:.1f} %")
    axes.legend(frameon=False, loc="upper right", fontsize=9)
    axes.set_title("Games won" if simulation.game == "fear" else "Deals won")
    axes.set_ylabel("per cent")
    _up(axes, max(high for *_, high in found))


def _up(axes: Any, most: float) -> None:
    """From nothing up to this much per cent, with room for what is said above it."""
    axes.set_ylim(0, most * 1.32)
    axes.set_yticks([tick for tick in axes.get_yticks() if 0 <= tick <= min(100, most * 1.32)])


def _costs(axes: Any, simulation: Simulation, tally: Tally) -> None:
    places = _seats(axes, simulation)
    passes = [tally.mean(f"passes_{seat}") for seat in places]
    left = [
        tally.mean(f"left_{seat}") * (simulation.table.house_rules["pay_left"] == "on") for seat in places
    ]
    pays = [tally.pays(seat) for seat in places]
    antes = [paid - passed - kept for paid, passed, kept in zip(pays, passes, left, strict=True)]
    parts = [("ante", antes, AMBER), ("passes", passes, BLUE), ("cards left", left, FELT)]
    if min(antes) < 1 - 1e-9:  # some could not pay in full (C3)
        parts = [("all", pays, FELT)]
    bottom = [0.0] * len(places)
    for name, part, colour in parts:
        axes.bar(places, part, width=0.62, bottom=bottom, color=colour, label=name, edgecolor=PAPER)
        bottom = [below + more for below, more in zip(bottom, part, strict=True)]
    for seat in places:
        _label(axes, seat, pays[seat], f"{pays[seat]:.2f}")
    axes.set_ylim(0, max(pays) * 1.32)
    if len(parts) > 1:
        axes.legend(frameon=False, ncols=3, loc="upper right", fontsize=9)
    axes.set_title("What a deal costs")
    axes.set_ylabel("chips paid to the pool")


def _spreads(axes: Any, simulation: Simulation, tally: Tally) -> None:
    first, last = (tally.quantile("spreads", part) for part in (0.001, 0.999))
    places = range(first, last + 1)
    parts = [100 * tally.counts["spreads"][place] / tally.deals for place in places]
    off = [100 * SURE * (part / 100 * (1 - part / 100) / tally.deals) ** 0.5 for part in parts]
    _bars(axes, places, parts, [off, off], ".1f")
    _up(axes, max(map(sum, zip(parts, off, strict=True))))
    axes.set_xticks(places[:: 1 + len(places) // MANY])
    axes.tick_params(length=0)
    axes.set_title("How often the pack is spread")
    axes.set_xlabel("spreads in a game")
    axes.set_ylabel("per cent of games")


def _length(axes: Any, tally: Tally, title: str) -> None:
    counts = tally.counts["turns"]
    low, high = tally.quantile("turns", 0.001), tally.quantile("turns", 0.999)
    width = max(1, (high - low) // 60)
    edges = range(low, high + 1, width)
    parts = [100 * sum(counts[edge : edge + width]) / tally.deals for edge in edges]
    axes.bar([edge + (width - 1) / 2 for edge in edges], parts, width=width * 0.9, color=FELT)
    mean = tally.mean("turns")
    off = tally.interval("turns")
    label = f"mean {mean:.2f}" + ("" if isinf(off) else f" ± {off:.2f}")
    axes.axvline(mean, color=AMBER, linewidth=1.6, linestyle=(0, (5, 3)), label=label)
    axes.legend(frameon=False, loc="upper right", fontsize=9)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlim(low - width, high + width)
    _up(axes, max(parts))
    axes.set_title(title)
    axes.set_xlabel("how many" + (f", in steps of {width}" if width > 1 else ""))
    axes.set_ylabel("per cent")
