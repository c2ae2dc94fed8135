"""Matches of bots on duplicate deals."""

import random
import re
from collections.abc import Sequence
from math import inf, sqrt
from typing import Any

import pytest
from conftest import Run

from cagnotte.core import Illegal
from cagnotte.fantan_terms import VARIANTS
from cagnotte.study import LEAST
from cagnotte.study.match import Match, Mean, Result
from cagnotte.terminal import match as terminal

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
    match = Match("play-or-pay", TWO, seed="7")
    one = last(match, 7)
    two = match.blocks(range(3, 7))
    two.join(match.blocks(range(3)))
    for alone, joined in zip(one.scores, two.scores, strict=True):
        assert alone.chips.total == pytest.approx(joined.chips.total)
        assert alone.decisions == joined.decisions


@pytest.mark.slow
def test_two_processes_play_the_same_match() -> None:
    match = Match("earl-of-coventry", TWO, seed="3")
    one, two = last(match, 12), last(match, 12, processes=2)
    assert [score.chips.total for score in one.scores] == pytest.approx(
        [score.chips.total for score in two.scores]
    )


def test_steady_beats_random() -> None:
    result = last(Match("fan-tan", TWO), 40)
    lead = result.leads["steady", "random"]
    assert lead.mean - lead.interval > 0
    assert lead.needed < 40


def test_nothing_is_sure_before_anything_is() -> None:
    mean = Mean()
    for _ in range(100):
        mean.add(1.0)
    assert mean.needed == LEAST


def test_a_bot_sees_what_it_was_told_and_no_more() -> None:
    assert last(Match("earl-of-coventry", (f"{__name__}:told_of_himself", "random", "random")), 2).blocks == 2


def test_an_interval_wants_blocks_enough() -> None:
    mean = Mean()
    assert mean.interval == mean.spread == mean.needed == inf
    for value in range(LEAST):
        assert mean.needed == inf  # as many as would be known are too few to know
        mean.add(value % 2)
    assert mean.needed >= LEAST
    assert mean.mean == 0.5
    assert mean.interval == pytest.approx(3.182 * sqrt(1 / 3) / 2, rel=0.05)  # Student's t, 3 degrees


@pytest.mark.parametrize(
    ("match", "why"),
    [
        (("fear", ("random",) * 5), "Fear leaves nothing to skill"),
        (("fan-tan", ("random",) * 2), "3 to 5 players"),
        (("fan-tan", ("random", "random", "nobody")), "nobody"),
        (("whist", ("random",) * 4), "whist"),
        (("fan-tan", ("random",) * 4, {"passing": "never"}), "passing"),
        (("fan-tan", ("random",) * 4, {"chips": 10}), "there is no house rule chips"),
    ],
)
def test_what_cannot_be_is_refused(match: Any, why: str) -> None:
    with pytest.raises(Illegal, match=why):
        Match(*match)


def test_it_is_enough_when_one_says_so() -> None:
    played: list[int] = []
    for result in Match("fan-tan", TWO).play(1000, enough=lambda: len(played) == 2):
        played.append(result.blocks)
    assert played == [5, 10]


def test_a_bot_that_fails_is_named() -> None:
    with pytest.raises(Illegal, match="failing' failed: RuntimeError: no idea"):
        last(Match("fan-tan", (f"{__name__}:failing", "random", "random")), 1)


def test_the_command_says_who_is_better(run: Run) -> None:
    asked = ["match", "fan-tan", "--bots", "steady,random,random", "--players", "3", "--deals", "40"]
    code, out, _ = run(*asked, "--seed", "7")
    assert code == 0
    assert "fan-tan, 3 players, seed 7\n40 deals, each with 3 seatings (120 in all)" in out
    assert re.search(
        r"steady leads random by [\d.]+ chips a deal ±[\d.]+: sure, from about \d+ deals? on", out
    )
    [found] = run(*asked, "--seed", "7", "--json").json
    assert [each["bot"] for each in found["bots"]] == ["steady", "random", "random"]
    assert (found["deals"], found["asked"], found["interrupted"], found["fault"]) == (40, 40, False, None)
    assert found["players"] == 3 and "passing" in found["rules"]
    assert not {"chips", "deals", "debt"} & found["rules"].keys()
    for each in found["bots"]:
        assert each["chips_interval"][0] < each["chips"] < each["chips_interval"][1]
        assert each["wins_interval"][0] < each["wins"] < each["wins_interval"][1]


@pytest.mark.slow
def test_the_command_plays_each_against_each(run: Run) -> None:
    asked = ["match", "play-or-pay", "--bots", "steady,random", "--players", "3", "--deals", "6", "--each"]
    *_, head, steady, rand = run(*asked).out.splitlines()
    assert head.split() == ["steady", "random"]
    assert re.fullmatch(r"steady +· +\+[\d.]+ ±[\d.]+", steady)
    assert re.fullmatch(r"random +-[\d.]+ ±[\d.]+ +·", rand)
    [found] = run(*asked, "--json").json
    assert (found["asked"], found["players"], found["interrupted"]) == (6, 3, False)
    pairs = [(each["bot"], each["against"]) for each in found["each"]]
    assert pairs == [("steady", "random"), ("random", "steady")]


@pytest.mark.parametrize(
    "asked",
    [
        ["fear"],
        ["fan-tan", "--bots", "nobody"],
        ["fan-tan", "--rule", "debt=on"],
        ["fan-tan", "--deals", "0"],
        ["fan-tan", "--each", "--bots", "steady"],
        ["fan-tan", "--each", "--bots", "steady,steady"],
        ["fan-tan", "--bots", "steady"],
    ],
)
def test_the_command_refuses_in_one_line(asked: list[str], run: Run) -> None:
    assert run("match", *asked).code == 2


def test_what_was_interrupted_says_so() -> None:
    match, lead = Match("fan-tan", ("steady", "random", "random"), seed="7"), Mean()
    for value in (1.0, 2.0, 1.0, 2.0):
        lead.add(value)
    leads = {("steady", "random"): lead, ("random", "steady"): Mean()}
    _, head, *_, steady, rand = terminal._table(match, ("steady", "random"), 100_000, leads, True)
    assert head == "100,000 deals for each pair, each with 3 seatings: 4 deals of 200,000 (interrupted)"
    assert "+1.500 ±" in steady and rand.split() == ["random", "not", "played", "·"]
    result = last(match, 2)
    assert list(terminal.told(match, result, 1.0, 100_000, True))[1].startswith(
        "2 deals of 100,000 (interrupted), "
    )


def test_the_usual_bots_are_two_that_differ(run: Run) -> None:
    [found] = run("match", "fan-tan", "--deals", "4", "--json").json
    assert [each["bot"] for each in found["bots"]] == ["steady", "random"] * 2
    [found] = run("match", "fan-tan", "--deals", "4", "--each", "--json").json
    assert len(found["each"]) == 2


@pytest.mark.parametrize(
    ("command", "without"), [("simulate", ["deals"]), ("match", ["chips", "deals", "debt"])]
)
def test_the_help_lists_no_house_rule_that_is_refused(run: Run, command: str, without: list[str]) -> None:
    listed = re.findall(r"^  (\w+) ", run(command, "--help").out.partition("house rules")[2], re.MULTILINE)
    assert "passing" in listed and not {*without} & {*listed}
    for rule in without:
        assert run(command, "fan-tan", "--rule", f"{rule}=1").code == 2
