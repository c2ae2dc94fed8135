"""Many deals from the command line: how far it is, what it came to, and where it is kept."""

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from math import isfinite
from pathlib import Path
from typing import Any, Final

from cagnotte.core import Illegal
from cagnotte.guests import Pressed, undisturbed
from cagnotte.study import simulate
from cagnotte.study.extras import need
from cagnotte.study.plots import draw
from cagnotte.study.rows import writing
from cagnotte.study.simulate import Simulation, Tally
from cagnotte.terminal import INTERRUPTED
from cagnotte.terminal.text import clean, counted, fit

BAR: Final = 24  # cells
STACKS: Final = ("chips", "stake")  # the house rules that say what everybody sits down with
# The columns of the whole table, in the Fan Tan family and in Fear.
WORDS: Final = {
    "turns": ("moves", "cards turned"),
    "passes": ("passes", ""),
    "spreads": ("", "spreads"),
    "pool": ("pool at the end", "pool at the end"),
    "left": ("", "cards face down"),
}


class Progress:
    """A line on stderr that says how far it is, where that is a terminal."""

    def __init__(self, deals: int) -> None:
        self.deals, self.began, self.told = deals, time.monotonic(), 0.0
        self.shown = sys.stderr.isatty()

    def tell(self, done: int) -> None:
        """So many are done."""
        now = time.monotonic()
        if not self.shown or now - self.told < 0.1:
            return
        self.told = now
        rate = done / max(now - self.began, 1e-9)
        bar = "=" * (BAR * done // self.deals)
        left = _spell((self.deals - done) / rate) if rate else "?"
        line = f"[{bar:{BAR}}] {100 * done // self.deals:3} %  {done:,} deals, {rate:,.0f}/s, {left} left"
        print(f"\r{fit(line, 79)}", end="", file=sys.stderr, flush=True)

    def say(self, line: str) -> None:
        """A line that stays."""
        self._wipe()
        print(f"cagnotte: {line}", file=sys.stderr, flush=True)

    def end(self) -> float:
        """Wipe the line; the seconds that it took."""
        self._wipe()
        return time.monotonic() - self.began

    def _wipe(self) -> None:
        if self.shown and self.told:
            print(f"\r{'':79}\r", end="", file=sys.stderr, flush=True)


def _spell(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return (
        f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
    )


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def stopping() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed; pressed twice it ends things at once, and pressed again changes nothing."""
    pressed = False

    def press(number: int, frame: object) -> None:
        nonlocal pressed
        if pressed:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            raise Pressed
        pressed = True

    before = signal.signal(signal.SIGINT, press)
    try:
        yield lambda: pressed
    finally:
        if signal.getsignal(signal.SIGINT) is press:
            signal.signal(signal.SIGINT, before)


def run(
    simulation: Simulation,
    deals: int,
    as_json: bool,
    out: Path | None,
    plot: Path | None,
    scheduler: str | None,
) -> int:
    """Play so many deals and tell what they came to; the exit code. Raises Illegal, OSError."""
    # The cluster's extra has all that the others have.
    wanted = {
        "distributed": scheduler,
        "numpy": True,
        "numba": simulation.compiled,
        "pyarrow": out,
        "matplotlib": plot,
    }
    about = {"game": simulation.game, "bots": ",".join(simulation.bots), "seed": simulation.seed}
    about["rules"] = json.dumps(simulate.rules(simulation))
    progress, tally = Progress(deals), Tally(simulation.columns)
    fault: Exception | None = None  # what is done so far is told all the same
    with stopping() as stopped:
        for library, is_wanted in wanted.items():
            if is_wanted and not stopped():
                need(library)
        if scheduler:
            crew = simulate.cluster(scheduler, progress.say, stopped)
        else:
            crew = (simulate.threads if simulation.compiled else simulate.processes)(min(cores(), deals))
        file = writing(out, simulation.columns, about) if out else nullcontext()
        try:
            with file as rows, crew as players:
                try:
                    for batch in players.play(simulation, deals, out is not None, stopped):
                        if rows:
                            rows.add(batch.first, batch.rows)
                        tally.join(batch.tally)
                        progress.tell(tally.deals)
                except Illegal as illegal:
                    fault = illegal
        except OSError as error:  # of the file, which is lost then
            fault = error
        interrupted = stopped()
    seconds = progress.end()
    if fault and not tally.deals:
        raise fault
    if not tally.deals:
        if not as_json:
            print(so_far(0, "game" if simulation.game == "fear" else "deal", deals, interrupted))
        return INTERRUPTED
    found = simulate.summary(simulation, tally) | {"seconds": seconds}
    found |= how_it_ended(deals, interrupted, fault)
    if as_json:
        print(json.dumps(found, ensure_ascii=False))
    else:
        for line in told(simulation, tally, seconds, deals, interrupted):
            print(clean(line))
    if plot:
        sys.stdout.flush()  # whatever comes
        with undisturbed():
            draw(simulation, tally, plot)
    if fault:
        raise fault
    return INTERRUPTED if interrupted else 0


def told(
    simulation: Simulation, tally: Tally, seconds: float, asked: int, interrupted: bool
) -> Iterator[str]:
    """Lines for a reader: each seat, then the whole table."""
    game, fear, n = simulation.table, simulation.game == "fear", tally.deals
    deals = so_far(n, "game" if fear else "deal", asked, interrupted)
    chips = game.bank(game.start()).stacks[0]
    rules = "".join(f", {name} {value}" for name, value in simulation.rules.items() if name not in STACKS)
    yield f"{game.name}, {game.players} players with {counted(chips, 'chip')} each{rules}"
    how = "compiled" if simulation.compiled else "in the engine"
    yield f"{deals} in {seconds:.1f} s ({n / seconds:,.0f}/s, {how}), seed {simulation.seed}"
    yield ""
    more = "" if fear else "  passes  cards left"
    yield f"seat{'':14}{'chips':>8} ±{'':8}{'wins':>8} (95 %){'':11}pays{more}"
    for seat, bot in enumerate(simulation.bots):
        mean, off = tally.mean(f"chips_{seat}"), tally.interval(f"chips_{seat}")
        won, low, high = (100 * part for part in tally.won(seat))
        line = f"{fit(f'{seat + 1}' if fear else f'{seat + 1} {bot}', 18)}{mean:+8.3f} {_off(off)}"
        line += f"{won:8.2f} % ({low:5.2f} to {high:5.2f}){tally.pays(seat):8.2f}"
        if not fear:
            line += f"{tally.mean(f'passes_{seat}'):8.2f}{tally.mean(f'left_{seat}'):12.2f}"
        yield line
    yield ""
    for column, name in WORDS.items():
        if column in tally.columns:
            line = f"{fit(name[fear], 18)}{tally.mean(column):8.3f} {_off(tally.interval(column))}"
            if column in tally.counts and n > 1:
                low, high = (tally.quantile(column, part) for part in (0.05, 0.95))
                line += f"  {low} to {high}: the middle 90 %"
            yield line.rstrip()


def how_it_ended(asked: int, interrupted: bool, fault: Exception | None) -> dict[str, Any]:
    """For programs: how much was asked for, and whether it ended before it was all done, and why."""
    why = fault.message if isinstance(fault, Illegal) else str(fault) if fault else None
    return {"asked": asked, "interrupted": interrupted or fault is not None, "fault": why}


def so_far(done: int, what: str, asked: int, interrupted: bool) -> str:
    """How many are done, and of how many where not all are.

    >>> so_far(2000, "deal", 2000, False), so_far(1, "deal", 2000, True)
    ('2,000 deals', '1 deal of 2,000 (interrupted)')
    """
    if done == asked:
        return counted(done, what)
    return f"{counted(done, what)} of {asked:,}{' (interrupted)' if interrupted else ''}"


def _off(interval: float) -> str:
    return f"±{interval:<7.3f}" if isfinite(interval) else " " * 8
