"""Matches from the command line: how far they are, and who is better."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, permutations
from math import inf, isfinite
from typing import Any, Final

from cagnotte.core import Illegal
from cagnotte.study.match import FIXED, Match, Mean, Result
from cagnotte.terminal import INTERRUPTED
from cagnotte.terminal.simulation import Progress, cores, how_it_ended, so_far, stopping
from cagnotte.terminal.text import clean, counted, fit

NAME: Final = 28  # columns for the name of a bot


def run(match: Match, deals: int, as_json: bool) -> int:
    """Play a match and tell who is better; the exit code. Raises Illegal."""
    progress, result = Progress(deals), match.begin()
    fault: Illegal | None = None
    with stopping() as stopped:
        try:
            for result in match.play(deals, min(cores(), deals), stopped):
                progress.tell(result.blocks)
        except Illegal as illegal:
            fault = illegal  # what is done so far is told all the same
        interrupted = stopped()
    seconds = progress.end()
    if fault and not result.blocks:
        raise fault
    if as_json:
        print(
            json.dumps(plain(match, result) | {"seconds": seconds} | how_it_ended(deals, interrupted, fault))
        )
    else:
        for line in told(match, result, seconds, deals, interrupted):
            print(clean(line))
    if fault:
        raise fault
    return INTERRUPTED if interrupted else 0


def each(match: Match, bots: Sequence[str], deals: int, as_json: bool) -> int:
    """One of each bot against a table of each other, as a table; the exit code. Raises Illegal."""
    pairs, others = list(permutations(bots, 2)), len(match.bots) - 1
    progress, chips = Progress(deals * len(pairs)), {}
    fault: Illegal | None = None
    with stopping() as stopped:
        for number, (one, other) in enumerate(pairs):
            if stopped() or fault:
                break
            played = replace(match, bots=(one, *[other] * others))
            result = played.begin()
            try:
                for result in played.play(deals, min(cores(), deals), stopped):
                    progress.tell(number * deals + result.blocks)
            except Illegal as illegal:
                fault = illegal
            chips[one, other] = result.scores[0].chips
        interrupted = stopped()
    progress.end()
    if fault and not any(mean.n for mean in chips.values()):
        raise fault
    if as_json:
        found = [
            {"bot": one, "against": other, "deals": mean.n, **_plain(mean, "chips")}
            for (one, other), mean in chips.items()
        ]
        ended = how_it_ended(deals, interrupted, fault)
        print(json.dumps(_about(match) | {"each": found} | ended))
    else:
        for line in _table(match, bots, deals, chips, interrupted):
            print(clean(line))
    if fault:
        raise fault
    return INTERRUPTED if interrupted else 0


def plain(match: Match, result: Result) -> dict[str, Any]:
    """A result as JSON values; an interval is from, to, with 95 % confidence, or null for too few deals."""
    scores = {score.bot: score for score in result.scores}
    bots = [
        {"bot": name, **_plain(scores[name].chips, "chips"), **_plain(scores[name].wins, "wins")}
        | {"seconds": scores[name].seconds / max(1, scores[name].decisions)}
        for name in match.bots
    ]
    leads = [
        {"bot": one, "over": other, **_plain(mean, "chips")}
        | {"needed": mean.needed if isfinite(mean.needed) else None}
        for (one, other), mean in result.leads.items()
    ]
    found = {"deals": result.blocks, "seatings": len(match.seatings), "bots": bots, "leads": leads}
    return _about(match) | found


def _about(match: Match) -> dict[str, Any]:
    rules = {name: value for name, value in match.table.house_rules.items() if name not in FIXED}
    return {"game": match.game, "rules": rules, "seed": match.seed, "players": len(match.bots)}


def _plain(mean: Mean, name: str) -> dict[str, Any]:
    off = mean.interval
    around = [mean.mean - off, mean.mean + off] if isfinite(off) else None
    return {name: mean.mean, f"{name}_interval": around}


def told(match: Match, result: Result, seconds: float, asked: int, interrupted: bool) -> Iterator[str]:
    """Lines for a reader: each bot, the best first, and whether one is better for sure."""
    seatings = len(match.seatings)
    yield _heading(match)
    plays = result.blocks * seatings
    yield (
        f"{so_far(result.blocks, 'deal', asked, interrupted)}, each with"
        f" {counted(seatings, 'seating')} ({plays:,} in all) in {seconds:.1f} s"
    )
    if not result.blocks:
        return
    yield ""
    yield f"{fit('bot', NAME)}{'chips a deal':>14}{'':11}{'wins':>6}{'':12}{'a decision':>12}"
    best = sorted(result.scores, key=lambda score: -score.chips.mean)
    for score in best:
        wins, took = score.wins, 1e6 * score.seconds / max(1, score.decisions)
        yield (
            f"{fit(score.bot, NAME)}{score.chips.mean:+14.3f} {_off(score.chips.interval):<10}"
            f"{100 * wins.mean:6.2f} % {_off(100 * wins.interval):<10}{took:9,.1f} µs"
        )
    yield ""
    for first, second in pairwise(best):
        yield _verdict(first.bot, second.bot, result.leads[first.bot, second.bot], result.blocks)


def _heading(match: Match) -> str:
    rules = "".join(f", {name} {value}" for name, value in match.rules.items())
    return f"{match.game}, {len(match.bots)} players{rules}, seed {match.seed}"


def _off(interval: float) -> str:
    return f"±{interval:.3f}" if isfinite(interval) else ""


def _verdict(first: str, second: str, lead: Mean, blocks: int) -> str:
    if not lead.mean:
        return f"{first} and {second} came to the same"
    by = f"{first} leads {second} by {lead.mean:.3f} chips a deal {_off(lead.interval)}".rstrip()
    if lead.interval == inf:
        return f"{by}: too few deals to know"
    if lead.needed > blocks:
        return f"{by}: not sure; if it is so, about {lead.needed:,.0f} deals show it"
    return f"{by}: sure, from about {counted(round(lead.needed), 'deal')} on"


def _table(
    match: Match, bots: Sequence[str], deals: int, chips: dict[tuple[str, str], Mean], interrupted: bool
) -> Iterator[str]:
    players = len(match.bots)
    done, wanted = sum(mean.n for mean in chips.values()), deals * len(bots) * (len(bots) - 1)
    yield _heading(match)
    part = "" if done == wanted else f": {so_far(done, 'deal', wanted, interrupted)}"
    yield f"{counted(deals, 'deal')} for each pair, each with {counted(players, 'seating')}{part}"
    yield f"chips a deal of one, by row, against {players - 1} of another, by column (±95 %)"
    yield ""
    names = [fit(bot, NAME).rstrip() for bot in bots]
    width = max(18, *(len(name) + 2 for name in names))
    yield " " * width + "".join(f"{name:>{width}}" for name in names)
    for one, name in zip(bots, names, strict=True):
        line = ["·" if other == one else _lead(chips.get((one, other))) for other in bots]
        yield f"{name:{width}}" + "".join(f"{text:>{width}}" for text in line)


def _lead(mean: Mean | None) -> str:
    return f"{mean.mean:+.3f} {_off(mean.interval)}" if mean and mean.n else "not played"
