"""The odds of Fear: known values, exact against approximate and against games played, and what is refused."""

import math
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib import import_module
from itertools import product
from types import ModuleType
from typing import Any

import pytest

import cagnotte
import cagnotte.cards
from cagnotte.core import CHANCE, Illegal
from cagnotte.fear import TurnOver
from cagnotte.study import extras, odds
from cagnotte.study.odds import MOST, PACK, Chances, Pace, at_table, chances, length, position, stakes

POSITIONS = [
    ((2,) * 5, 52),
    ((1, 1, 1), 1),
    ((3, 1), 2),
    ((1, 3), 7),
    ((2, 1, 3), 31),
    ((1, 2, 2, 1), 52),
    ((4, 4), 51),
    ((1,) * 9, 18),
    ((5,), 52),
]
known = pytest.mark.parametrize(("chips", "down"), POSITIONS)


@cache
def slowly(chips: tuple[int, ...], down: int) -> tuple[Fraction, ...]:
    """The chances as the rules say them, a card at a time."""
    if len(chips) == 1:
        return (Fraction(1),)
    paid = chips[1:] + ((chips[0] - 1,) if chips[0] > 1 else ())
    feared = slowly(paid, down - 1 or PACK)
    if len(paid) < len(chips):
        feared = (*feared, Fraction(0))
    calm = slowly(chips[1:] + chips[:1], down - 1) if down > 1 else feared
    after = [(one + (down - 1) * other) / down for one, other in zip(feared, calm, strict=True)]
    return (after[-1], *after[:-1])


@cache
def lasting(chips: tuple[int, ...], down: int, cards: int) -> float:
    """The chance that the game ends with just this card from now, as the rules say it."""
    if len(chips) == 1 or not cards:
        return float(len(chips) == 1 and not cards)
    paid = chips[1:] + ((chips[0] - 1,) if chips[0] > 1 else ())
    feared = lasting(paid, down - 1 or PACK, cards - 1)
    calm = lasting(chips[1:] + chips[:1], down - 1, cards - 1) if down > 1 else 0
    return (feared + (down - 1) * calm) / down


@pytest.fixture
def lacking(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """`lacking("numpy")` makes libraries look as if they were not installed."""
    odds._simulated.cache_clear()

    def lack(*libraries: str) -> None:
        def load(name: str) -> ModuleType:
            if name in libraries:
                raise ImportError(name)
            return import_module(name)

        monkeypatch.setattr(extras, "import_module", load)

    return lack


# The chances.


def test_five_players_with_two_chips() -> None:
    """F5: the first to act is at the dealer's right."""
    assert [round(each, 4) for each in chances([2] * 5).win] == [0.1883, 0.1080, 0.2386, 0.2346, 0.2304]


@known
def test_the_rules_say_the_same(chips: tuple[int, ...], down: int) -> None:
    exact = chances(chips, down, rational=True)
    assert exact.win == slowly(chips, down)
    assert (sum(exact.win), exact.exact, exact.error) == (1, True, 0)


@known
@pytest.mark.parametrize("whole", [0, 2500], ids=["numpy", "whole numbers"])
def test_floats_are_as_near_as_they_say(
    chips: tuple[int, ...], down: int, whole: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numpy")
    monkeypatch.setattr(odds, "WHOLE", whole)
    found = chances(chips, down)
    assert found.exact
    for each, exact in zip(found.win, chances(chips, down, rational=True).win, strict=True):
        assert abs(Fraction(each) - exact) <= Fraction(found.error)


@pytest.mark.slow
def test_floats_are_as_near_as_they_say_where_there_are_many_positions() -> None:
    pytest.importorskip("numpy")
    for chips in ((2,) * 11, (4,) * 5, (3, 1, 2, 3, 1, 3, 2)):
        found = chances(chips)
        exact = chances(chips, rational=True).win
        assert sum(exact) == 1
        assert max(abs(Fraction(a) - b) for a, b in zip(found.win, exact, strict=True)) <= found.error < 1e-12


def test_the_last_card_face_down_is_the_fear() -> None:
    """F8: whoever must turn it pays."""
    assert chances([1, 1], 1, rational=True).win == (0, 1)
    assert chances([1, 1, 1], 2, rational=True).win == (Fraction(1, 4), 0, Fraction(3, 4))


# The length.


@known
def test_the_length_is_what_the_rules_say(chips: tuple[int, ...], down: int) -> None:
    found = length(chips, down)
    assert found.exact and math.fsum(found.chance) == pytest.approx(1, abs=1e-12)
    for cards in (*range(0, 60), 75, 104, 105):
        here = found.chance[cards] if cards < len(found.chance) else 0.0
        assert here == pytest.approx(lasting(chips, down, cards), abs=1e-14)


def test_a_length_without_numpy_is_the_same(lacking: Callable[..., None]) -> None:
    quick = length((2, 1, 3), 31).chance
    lacking("numpy")
    assert length((2, 1, 3), 31).chance == pytest.approx(quick, abs=1e-15)


def test_a_game_that_is_over_lasts_no_longer() -> None:
    over = length([3])
    assert (over.chance, over.cards, over.mean_spreads, over.quantile(0.9)) == ((1.0,), 0, 1, 0)


def test_quantiles_spreads_and_minutes() -> None:
    found = length([2] * 5)
    assert round(found.cards, 4) == 113.7173
    assert sum(found.chance[: found.quantile(0.5)]) < 0.5 <= sum(found.chance[: found.quantile(0.5) + 1])
    assert [found.spreads(cards) for cards in (0, 1, 52, 53, 104, 105)] == [1, 1, 1, 2, 2, 3]
    assert [length([2, 2], 3).spreads(cards) for cards in (3, 4, 55, 56)] == [1, 2, 2, 3]
    assert found.minutes(53, Pace(4, 60)) == (53 * 4 + 2 * 60) / 60  # a whole pack has still to be spread
    assert length([2, 2], 3).minutes(4, Pace(5, 30)) == (4 * 5 + 30) / 60
    mean = sum(found.minutes(t, Pace()) * p for t, p in enumerate(found.chance))
    assert found.mean_minutes(Pace()) == pytest.approx(mean)


def test_each_spread_costs_a_chip_so_a_game_ends() -> None:
    """F8, F11."""
    for chips in ((2,) * 5, (10, 10), (1,) * 26):
        assert len(length(chips).chance) - 1 <= PACK * (sum(chips) - 1)


def test_games_of_the_engine_are_as_likely_and_as_long() -> None:
    """F5, F7, F9, F10, F11."""
    games, rng, players = 400, random.Random(1790), 5
    won, cards = [0] * players, []
    for _ in range(games):
        game = cagnotte.game("fear", players=players, stake=2)
        state, dealer, turned = game.start(), -1, 0
        while (actor := game.actor(state)) is not None:
            action = game.draw(state, rng) if actor == CHANCE else rng.choice(game.legal(state))
            turned += isinstance(action, TurnOver)
            state, _ = cagnotte.play(game, state, action)
            dealer = state.dealer if dealer < 0 else dealer
        won[(dealer - 1 - state.winners[0]) % players] += 1
        cards.append(turned)
    for p, n in zip(chances([2] * players).win, won, strict=True):
        assert abs(n / games - p) < 4 * math.sqrt(p * (1 - p) / games)
    found = length([2] * players)
    second = sum(t * t * p for t, p in enumerate(found.chance))
    deviation = math.sqrt((second - found.cards**2) / games)
    assert abs(sum(cards) / games - found.cards) < 4 * deviation


# Exact, or with dice.


def test_no_chance_that_dice_told_is_sure() -> None:
    """Also where a seat won none of the games, or all."""
    assert Chances((0.0, 1.0), False, 0.0, 1000).margin(0) > 0.001


@pytest.mark.parametrize("without", [(), ("numba",)], ids=["numba", "plain"])
def test_dice_agree_with_what_is_exact(
    without: tuple[str, ...], lacking: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    exact, long = chances((2, 1, 3, 2), 31), length((2, 1, 3, 2), 31)
    lacking(*without)
    monkeypatch.setattr(odds, "MOST", 0)
    found, lasted = chances((2, 1, 3, 2), 31), length((2, 1, 3, 2), 31)
    games = odds.GAMES[extras.has("numba")]
    assert not found.exact and not lasted.exact
    assert (found.games, lasted.games, sum(found.win)) == (games, games, pytest.approx(1))
    assert max(found.margin(place) for place in range(4)) == found.error
    for place, p in enumerate(exact.win):
        assert abs(found.win[place] - p) < 4 / 1.96 * found.margin(place)
    deviation = math.sqrt(sum((t - long.cards) ** 2 * p for t, p in enumerate(long.chance)) / games)
    assert abs(lasted.cards - long.cards) < 4 * deviation


def test_compiled_dice_are_the_plain_ones(
    lacking: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr(odds, "GAMES", {True: 500, False: 500})
    compiled = odds._simulated((2, 1, 10), 31)
    odds._simulated.cache_clear()
    lacking("numba")
    assert odds._simulated((2, 1, 10), 31) == compiled


@pytest.mark.slow
def test_what_has_up_to_20_million_positions_is_exact_and_nothing_else() -> None:
    """Every number of players and every stake of the rules (F1, F2); counted where there are not too many."""
    exact = 0
    for players, stake in product(range(2, 27), range(1, 11)):
        ways = sum(stake**living for living in range(1, players + 1)) if stake > 1 else players
        if ways * PACK <= MOST:
            exact += 1
            if ways < 20_000:
                levels = odds._levels((stake,) * players)
                assert levels is not None and sum(map(len, levels)) == ways
        elif ways * PACK <= 10 * MOST or players == 26:
            assert odds._levels((stake,) * players) is None
    assert exact == 89


def test_without_numpy_what_is_small_works_and_what_is_large_says_what_to_install(
    lacking: Callable[..., None],
) -> None:
    lacking("numpy", "numba")
    assert chances([2] * 8).exact and length([2] * 8).exact
    for reckon in (chances, length):
        with pytest.raises(Illegal, match=r"numpy: .*pip install .*\[study\]'"):
            reckon([2] * 12)


# What is refused.


@pytest.mark.parametrize(
    ("chips", "down", "clause"),
    [
        ([], 52, "F1"),
        ([1] * 27, 52, "F1"),
        ([1, 0], 52, "F2"),
        ([1, -1], 52, "F2"),
        ([11, 1], 52, "F2"),
        ([1, 1], 0, "F6"),
        ([1, 1], 53, "F6"),
    ],
)
def test_what_is_no_position_is_refused(chips: list[int], down: int, clause: str) -> None:
    for reckon in (chances, length):
        with pytest.raises(Illegal) as refused:
            reckon(chips, down)
        assert refused.value.clause == clause


def test_fractions_of_too_many_positions_are_refused() -> None:
    for chips in ([2] * 15, [10] * 12):
        with pytest.raises(Illegal, match="fractions"):
            chances(chips, rational=True)


# The planner.


def test_the_largest_stake_with_which_nine_games_of_ten_end_in_time() -> None:
    found = list(stakes(9, 20, Pace(4, 60)))
    assert [(stake, fits) for stake, _, fits in found] == [(1, True), (2, False)]
    for stake, lasting, fits in found:
        assert lasting.chance == length([stake] * 9).chance
        within = sum(p for t, p in enumerate(lasting.chance) if lasting.minutes(t, Pace(4, 60)) <= 20)
        assert (within >= 0.9) == fits
    assert [fits for _, _, fits in stakes(26, 1, Pace())] == [False]
    assert [stake for stake, _, fits in stakes(2, 600, Pace()) if fits] == list(range(1, 11))


# At a table.


def exactly(chips: tuple[int, ...], down: int) -> tuple[Fraction, ...]:
    return slowly(chips, down)


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("stake", [1, 2])
def test_a_move_changes_no_chance_on_average(players: int, stake: int) -> None:
    """F4 to F11: what is named, cut or chosen changes nothing, and the turn of a card only by what it is."""
    game = cagnotte.game("fear", players=players, stake=stake)
    for seed in range(6):
        rng = random.Random(seed)
        state, phases = game.start(), set()
        while (actor := game.actor(state)) is not None:
            view = game.view(state, None)
            phases.add(view.phase)
            before = at_table(view, exactly)
            assert sum(before) == 1
            if view.phase == "dealer":
                drawn = [cagnotte.play(game, state, game.parse(f"dealer {s}"))[0] for s in range(players)]
                assert mean(game, drawn) == before
            elif view.phase == "turn":
                expect_the_same(game, state, before, rng.choice(game.legal(state)))
            action = game.draw(state, rng) if actor == CHANCE else rng.choice(game.legal(state))
            state, _ = cagnotte.play(game, state, action)
            if view.phase in ("shuffle", "cut", "name"):
                assert at_table(game.view(state, None), exactly) == before
        assert phases == {"dealer", "shuffle", "cut", "name", "turn"}
        assert at_table(game.view(state, None), exactly)[state.winners[0]] == 1
        assert position(game.view(state, None)) is None


def mean(game: Any, states: list[Any]) -> tuple[Fraction, ...]:
    """The chances of each seat over these states, all as likely."""
    found = [at_table(game.view(state, None), exactly) for state in states]
    return tuple(Fraction(sum(each), len(states)) for each in zip(*found, strict=True))


def expect_the_same(game: Any, state: Any, before: tuple[Fraction, ...], action: TurnOver) -> None:
    """Turn the card in a place when it is each of those face down: the chances are the same on average."""
    after = []
    for place, card in enumerate(state.places):
        if state.down[place]:
            places = list(state.places)
            places[place], places[action.place] = places[action.place], card
            after.append(cagnotte.play(game, replace(state, places=tuple(places)), action)[0])
    assert mean(game, after) == before


def test_the_order_of_play_at_a_table() -> None:
    """F5, F7, F10: it begins at the dealer's right, and after a new name at the right of whoever named."""
    game = cagnotte.game("fear", players=4, stake=1)
    state = game.start()
    assert position(game.view(state, None)) is None
    deck = " ".join(map(str, cagnotte.cards.PACK))
    for move in ("dealer 2", f"shuffle {deck}", "cut 51"):
        state, _ = cagnotte.play(game, state, game.parse(move))
        found = position(game.view(state, None))
        assert found is not None
        assert (found.seats, found.chips, found.down) == ((1, 0, 3, 2), (1, 1, 1, 1), 52)
    for move, seats, down in [
        (f"fear {state.places[0]}", (1, 0, 3, 2), 52),
        ("turn 5", (0, 3, 2, 1), 51),
        ("turn 0", (3, 2, 1), 50),  # seat 0 pays his last chip, and names
        (f"fear {state.places[1]}", (3, 2, 1), 50),
    ]:
        state, _ = cagnotte.play(game, state, game.parse(move))
        found = position(game.view(state, None))
        assert found is not None
        assert (found.seats, found.down) == (seats, down)
