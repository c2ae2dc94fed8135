"""Matches of bots on duplicate deals."""

import random
from collections.abc import Sequence
from math import inf
from typing import Any

import pytest

from cagnotte.core import Illegal
from cagnotte.fantan import VARIANTS
from cagnotte.study.match import LEAST, Match, Mean, Result

TWO = ("steady", "random", "random", "random")


def last(match: Match, deals: int, processes: int = 1) -> Result:
    *_, result = match.play(deals, processes)
    return result


def told_of_himself(view: Any, told: Sequence[Any], rng: random.Random) -> Any:
    """A bot that looks at what it is told: all that was laid, and no hand but its own."""
    laid = [event.card for event in told if type(event).__name__ == "Laid"]
    assert sorted(laid) == sorted(card for suit in view.laid.values() for card in suit)
    dealt = [event.hands for event in told if type(event).__name__ == "Dealt"]
    assert [[bool(hand) for hand in hands] for hands in dealt] == [
        [seat == view.seat for seat in range(len(view.stacks))]
    ]
    return rng.choice(view.moves)


def failing(view: Any, told: Sequence[Any], rng: random.Random) -> Any:
    raise RuntimeError("no idea")


@pytest.mark.parametrize("game", VARIANTS)
def test_every_seating_is_played_and_what_one_wins_others_lose(game: str) -> None:
    match = Match(game, ("steady", "random", "random"), {"passing": "fined"})
    assert len(match.seatings) == 3
    result = last(match, 4)
    steady, others = result.scores
    assert result.blocks == 4
    assert steady.chips.total + 2 * others.chips.total == pytest.approx(0)
    assert steady.wins.total + 2 * others.wins.total == pytest.approx(4)
    assert result.leads["steady", "random"].mean == pytest.approx(steady.chips.mean - others.chips.mean)


def test_four_that_differ_have_24_seatings() -> None:
    names = ("steady", "random", f"{__name__}:told_of_himself", "cagnotte.players:anyhow")
    assert len(Match("fan-tan", names).seatings) == 24


def test_luck_is_taken_out() -> None:
    """The same bot under two names gains nothing, whatever the cards and the dice are."""
    alike = last(Match("fan-tan", ("random", "cagnotte.players:anyhow", "steady")), 10)
    assert alike.leads["random", "cagnotte.players:anyhow"].mean == 0
    assert alike.scores[0].wins.total == alike.scores[1].wins.total


def test_the_same_blocks_come_to_the_same_wherever_they_are_played() -> None:
    match = Match("play-or-pay", TWO, seed=7)
    one = last(match, 7)
    two = match.blocks(range(3, 7))
    two.join(match.blocks(range(3)))
    for alone, joined in zip(one.scores, two.scores, strict=True):
        assert alone.chips.total == pytest.approx(joined.chips.total)
        assert alone.decisions == joined.decisions


@pytest.mark.slow
def test_two_processes_play_the_same_match() -> None:
    match = Match("earl-of-coventry", TWO, seed=3)
    one, two = last(match, 12), last(match, 12, processes=2)
    assert [score.chips.total for score in one.scores] == pytest.approx(
        [score.chips.total for score in two.scores]
    )


def test_steady_beats_random() -> None:
    result = last(Match("fan-tan", TWO), 40)
    lead = result.leads["steady", "random"]
    assert lead.mean - lead.interval > 0
    assert lead.needed < 40


def test_a_bot_sees_what_it_was_told_and_no_more() -> None:
    assert last(Match("earl-of-coventry", (f"{__name__}:told_of_himself", "random", "random")), 2).blocks == 2


def test_an_interval_wants_blocks_enough() -> None:
    mean = Mean()
    assert mean.interval == mean.spread == mean.needed == inf
    for value in range(LEAST):
        mean.add(value % 2)
    assert mean.mean == 0.5
    assert mean.interval == pytest.approx(1.96 * 0.5085 / LEAST**0.5, rel=1e-3)


@pytest.mark.parametrize(
    ("match", "why"),
    [
        (("fear", ("random",) * 5), "Fear leaves nothing to skill"),
        (("fan-tan", ("random",) * 2), "3 to 5 players"),
        (("fan-tan", ("random", "random", "nobody")), "nobody"),
        (("whist", ("random",) * 4), "whist"),
        (("fan-tan", ("random",) * 4, {"passing": "never"}), "passing"),
    ],
)
def test_what_cannot_be_is_refused(match: Any, why: str) -> None:
    with pytest.raises(Illegal, match=why):
        Match(*match)


def test_a_bot_that_fails_is_named() -> None:
    with pytest.raises(Illegal, match="failing' failed: RuntimeError: no idea"):
        last(Match("fan-tan", (f"{__name__}:failing", "random", "random")), 1)
