"""Known values that must come out: exactly, or by simulation within four standard errors."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from math import comb, sqrt
from typing import Any

import pytest
from sittings import FAMILY, PLAYERS, dealt, shuffled, steps

import cagnotte
from cagnotte import fantan_terms as terms
from cagnotte import fear
from cagnotte.cards import PACK
from cagnotte.core import CHANCE, Cut, Turn, playout


def near(observed: float, expected: float, error: float) -> bool:
    return abs(observed - expected) <= 4 * error


# Fear.


def spread(game: Any, state: Any, rng: random.Random) -> Iterator[fear.Turned]:
    """The cards turned in one hand of Fear played at random, from its shuffle or its naming on."""
    while True:
        actor = game.actor(state)
        action = game.draw(state, rng) if actor == CHANCE else rng.choice(game.legal(state))
        state, events = cagnotte.play(game, state, action)
        yield from (event for event in events if isinstance(event, fear.Turned))
        if any(isinstance(event, fear.Gathered) for event in events):
            return


def test_F6_each_face_down_card_is_the_fear_with_the_same_chance() -> None:
    """Exact: over all orders of four face-down cards, the next card turned is the fear in one of four."""
    game = cagnotte.game("fear", 3)
    whole = dealt(game, random.Random(2))
    down = (0, 20, 33, 51)
    fears = 0
    for order in permutations(down):
        places = list(whole.places)
        for place, origin in zip(down, order, strict=True):
            places[place] = whole.places[origin]
        state = replace(whole, places=tuple(places), down=bytes(place in down for place in range(52)))
        state, _ = cagnotte.play(game, state, fear.Name(whole.places[33]))
        for place in down:
            _, events = cagnotte.play(game, state, fear.TurnOver(place))
            fears += events[0].fear
    assert Fraction(fears, 24 * 4) == Fraction(1, 4)


def test_F6_F7_F8_the_kth_card_is_the_fear_with_chance_1_in_53_minus_k_and_a_hand_costs_4_538_chips() -> None:
    expected = [1 / (53 - k) for k in range(1, 53)]
    cost = sum(expected)
    assert round(cost, 3) == 4.538
    hands, rng = 300, random.Random(53)
    game = cagnotte.game("fear", 12, stake=10)
    state = dealt(game, rng)
    found: Counter[int] = Counter()
    paid = []
    for _ in range(hands):
        fears = [k for k, turned in enumerate(spread(game, state, rng), 1) if turned.fear]
        found.update(fears)
        paid.append(len(fears))
        assert fears[-1] == 52  # F8: whoever turns the 52nd card always pays
    for k, chance in enumerate(expected, 1):
        assert near(found[k] / hands, chance, sqrt(chance * (1 - chance) / hands)), k
    variance = sum(chance * (1 - chance) for chance in expected)
    assert near(sum(paid) / hands, cost, sqrt(variance / hands))


Odds = tuple[float, ...]  # chance to win by seat in the order of play, then the cards turned on average


def fear_odds(players: int, stake: int) -> Odds:
    """The exact odds from the rules: a state is the chips from the player to act on, and the cards down."""
    odds: dict[tuple[tuple[int, ...], int], Odds] = {}

    def go_on(chips: tuple[int, ...], down: int) -> Odds:
        """After somebody turned a card; the chips are still told from him on."""
        if sum(map(bool, chips)) == 1:  # F11
            return (*(float(chip > 0) for chip in chips), 0.0)
        by = next(i for i in range(1, players) if chips[i])  # F7, F9
        *wins, cards = odds[chips[by:] + chips[:by], down or 52]  # F10
        return (*wins[-by:], *wins[:-by], cards)

    tables = [chips for chips in product(range(stake + 1), repeat=players) if chips[0] and any(chips[1:])]
    for total in range(2, players * stake + 1):
        for down in range(1, 53):
            for chips in tables:
                if sum(chips) == total:
                    ways = [(1 / down, go_on((chips[0] - 1, *chips[1:]), down - 1))]
                    if down > 1:
                        ways.append((1 - 1 / down, go_on(chips, down - 1)))
                    sums = [sum(chance * way[i] for chance, way in ways) for i in range(players + 1)]
                    odds[chips, down] = (*sums[:-1], sums[-1] + 1)
    return odds[(stake,) * players, 52]


def test_F5_F11_seats_of_fear_for_five_with_two_chips() -> None:
    *wins, cards = fear_odds(5, 2)
    assert [round(chance, 4) for chance in wins] == [0.1883, 0.1080, 0.2386, 0.2346, 0.2304]
    assert round(cards, 3) == 113.717
    assert round(sum(wins), 12) == 1


def fear_games(players: int, stake: int, games: int, seed: int) -> tuple[list[int], list[int]]:
    """Games won by seat in the order of play, and the cards turned in each game, as the engine plays them."""
    game, rng = cagnotte.game("fear", players, stake=stake), random.Random(seed)
    won, cards = [0] * players, []
    for _ in range(games):
        state, actions = playout(game, game.start(), rng)
        first = (actions[0].seat - 1) % players  # F5: the dealer's right begins
        won[(first - state.winners[0]) % players] += 1
        cards.append(sum(isinstance(action, fear.TurnOver) for action in actions))
    return won, cards


_MANY = pytest.param(5, 2, 4000, marks=pytest.mark.slow)


@pytest.mark.parametrize(("players", "stake", "games"), [(5, 2, 300), (3, 1, 500), _MANY])
def test_F5_F11_the_engine_plays_fear_by_these_odds(players: int, stake: int, games: int) -> None:
    *wins, mean = fear_odds(players, stake)
    won, cards = fear_games(players, stake, games, seed=1790)
    for seat, chance in enumerate(wins):
        assert near(won[seat] / games, chance, sqrt(chance * (1 - chance) / games)), seat
    variance = sum((n - mean) ** 2 for n in cards) / games
    assert near(sum(cards) / games, mean, sqrt(variance / games))


# Fan Tan.


@pytest.mark.parametrize(("players", "percent"), [(3, 17), (4, 30), (5, 37)])
def test_T7_eldest_often_holds_no_seven(players: int, percent: int) -> None:
    """Exact: he holds a full share of the pack, none of it one of four; and so does the engine deal."""
    hand = -(-52 // players)
    chance = comb(48, hand) / comb(52, hand)
    assert round(100 * chance) == percent
    game, rng, deals = cagnotte.game("fan-tan", players), random.Random(players), 800
    state = game.start()
    state, _ = cagnotte.play(game, state, game.draw(state, rng))
    none = 0
    for _ in range(deals):
        cut, _ = cagnotte.play(game, state, shuffled(rng))
        ready, _ = cagnotte.play(game, cut, Cut(rng.randrange(5, 48)))
        assert ready.hands[ready.actor].bit_count() == hand
        none += not ready.hands[ready.actor] & ready.starts
    assert near(none / deals, chance, sqrt(chance * (1 - chance) / deals))


def turns(name: str, deals: int, seed: int) -> list[int]:
    """How many cards and passes there were in each deal of random legal play by four."""
    game = cagnotte.game(name, 4, deals=deals, debt="on")
    counted = [0]
    seats = [PLAYERS["random"]] * 4
    for _, action, events, _ in steps(game, seats, random.Random(seed)):
        counted[-1] += isinstance(action, (terms.Lay, terms.Pass))
        if any(isinstance(event, terms.DealWon) for event in events):
            counted.append(0)
    return counted[:-1]


@pytest.mark.parametrize(("name", "mean"), [("fan-tan", 52), ("play-or-pay", 104)])
def test_T14_P4_how_long_a_deal_of_random_play_lasts(name: str, mean: int) -> None:
    counted = turns(name, 60, 1)
    average = sum(counted) / len(counted)
    error = sqrt(sum((n - average) ** 2 for n in counted)) / len(counted)
    assert len(counted) == 60 and error < 2
    assert near(average, mean, error)


# Chance.


def test_B255_a_shuffle_leaves_one_card_in_its_place_on_average() -> None:
    rng, shuffles = random.Random(255), 2000
    game = cagnotte.game("fan-tan")
    state = game.evolve(game.start(), Turn(CHANCE, "shuffle"))
    fixed = [sum(map(cagnotte.Card.__eq__, game.draw(state, rng).cards, PACK)) for _ in range(shuffles)]
    assert near(sum(fixed) / shuffles, 1, 1 / sqrt(shuffles))


@pytest.mark.parametrize("name", [*FAMILY, "fear"])
def test_T2_F12_every_seat_is_as_likely_to_deal_first(name: str) -> None:
    game, rng, draws = cagnotte.game(name, 5), random.Random(name), 1500
    start = game.start()
    dealers = Counter(cagnotte.play(game, start, game.draw(start, rng))[0].dealer for _ in range(draws))
    for seat in range(5):
        assert near(dealers[seat] / draws, 0.2, sqrt(0.2 * 0.8 / draws))
