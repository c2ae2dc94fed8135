"""How many ways there are to play on ("perft"): golden numbers, and numbers known in closed form.

A golden number was found by the engine and by the naive second implementation; on a mismatch the split by
first move is printed, so that one can descend to the move where they part.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import comb, factorial
from typing import Any

import pytest
from sittings import FAMILY, Game, game_of

import cagnotte
from cagnotte import fantan, fear, layout
from cagnotte import fantan_terms as terms
from cagnotte.cards import PACK, Card
from cagnotte.core import Bank, Cut, Shuffle, perft


def deal(game: Game, step: int) -> Any:
    """The first deal, or spread, of a pack in steps of so many cards; 53 is prime, so none comes twice."""
    pack = tuple(PACK[(place + 1) * step % 53 - 1] for place in range(52))
    first = fear.Dealer(0) if game.name == "fear" else terms.Draw(0, (Card(11, "S"),))
    return cagnotte.replay(game, [first, Shuffle(pack), Cut(20)])


def later(game: Game, step: int, turns: int) -> Any:
    """A position of that deal: after so many turns in which the first legal move was made."""
    state = deal(game, step)
    for _ in range(turns):
        state, _ = cagnotte.play(game, state, game.legal(state)[0])
    return state


def split(game: Game, state: Any, depth: int) -> str:
    """The count below each first move, as chess programs print it."""
    lines = []
    for action in game.legal(state):
        after, _ = cagnotte.play(game, state, action)
        lines.append(f"{action}: {perft(game, after, depth - 1)}")
    return "\n".join(lines)


# By game, passing, players, step of the pack and turns played: the counts at depth 1, 2, 3, …
GOLDEN: dict[tuple[str, str, int, int, int], list[int]] = {
    ("fan-tan", "forbidden", 4, 20, 0): [1, 2, 2, 4, 6, 12, 18, 36, 66, 132, 242, 484],
    ("fan-tan", "forbidden", 3, 5, 40): [1, 1, 2, 2, 2, 3, 3, 3, 4, 5, 6, 7],
    ("fan-tan", "honour", 5, 33, 0): [1, 2, 4, 8, 24, 54, 114, 245, 586, 1499],
    ("fan-tan", "fined", 4, 12, 30): [4, 5, 12, 26, 95, 186, 402, 801],
    ("five-or-nine", "forbidden", 4, 20, 0): [2, 2, 4, 4, 12, 12, 36, 36, 114, 114, 361, 361],
    ("five-or-nine", "forbidden", 3, 5, 40): [1, 3, 3, 3, 7, 8, 9, 16, 17, 18, 22, 23],
    ("five-or-nine", "honour", 5, 33, 0): [3, 6, 14, 37, 101, 231, 582, 1415],
    ("five-or-nine", "fined", 4, 12, 30): [3, 10, 23, 39, 93, 312, 686, 1364],
    ("earl-of-coventry", "forbidden", 4, 20, 0): [13, 14, 26, 28, 72, 78, 203, 263, 609, 930],
    ("earl-of-coventry", "forbidden", 3, 5, 18): [2, 3, 5, 12, 31, 40, 86, 214, 275, 500, 1250],
    ("earl-of-coventry", "honour", 5, 33, 0): [12, 33, 87, 233, 594, 1274],
    ("earl-of-coventry", "fined", 4, 12, 9): [4, 12, 27, 40, 125, 380, 932],
    ("play-or-pay", "forbidden", 3, 5, 16): [1, 1, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12],
    ("play-or-pay", "honour", 5, 33, 0): [12, 24, 42, 63, 88, 120, 158, 204, 259, 325, 414, 521],
    ("play-or-pay", "fined", 4, 12, 27): [2, 2, 2, 3, 13, 13, 17, 25, 46, 53, 66, 93],
}


@pytest.mark.parametrize("position", GOLDEN)
def test_T8_T9_T10_the_ways_to_play_on(position: tuple[str, str, int, int, int]) -> None:
    name, passing, players, step, turns = position
    game = game_of(name, passing, players, deals=1)
    state = later(game, step, turns)
    for depth, number in enumerate(GOLDEN[position], 1):
        counted = perft(game, state, depth)
        assert counted == number, f"depth {depth}: {counted}, not {number}\n{split(game, state, depth)}"


def test_the_split_is_printed_when_a_number_is_wrong() -> None:
    game = cagnotte.game("fan-tan", 4)
    state = deal(game, 20)
    for depth in (1, 4):
        counts = [int(line.split(": ")[1]) for line in split(game, state, depth).splitlines()]
        assert sum(counts) == perft(game, state, depth)


# Fear: with r cards face down, r places may be turned and r cards named, whatever lies where.


@cache
def turning(down: int, depth: int) -> int:
    """Ways to go on by turning one of so many face-down cards, nobody running out of chips (F6, F7)."""
    if depth == 0 or down == 0:  # F10: chance shuffles
        return 1
    return (down - 1) * turning(down - 1, depth - 1) + naming(down - 1, depth - 1)


@cache
def naming(down: int, depth: int) -> int:
    """Ways to go on after the fear was turned, or before the first: two or more may be named (F4, F8)."""
    if depth == 0 or down < 2:
        return turning(down, depth)
    return down * turning(down, depth - 1)


@pytest.mark.parametrize("down", [1, 2, 3, 4])
def test_F6_F7_F8_ways_through_the_last_places_of_a_spread(down: int) -> None:
    game = cagnotte.game("fear", 3, stake=10)
    state = deal(game, 3)
    few = replace(state, down=bytes(place < down for place in range(52)))
    for depth in range(2 * down + 2):
        assert perft(game, few, depth) == (naming(down, depth) if down > 1 else 1)


def test_F6_F7_ways_from_a_whole_spread() -> None:
    game = cagnotte.game("fear", 6)
    assert [perft(game, deal(game, 11), depth) for depth in (1, 2)] == [52, 52 * 52]
    assert naming(52, 3) == 52 * 52 * 51
    named, _ = cagnotte.play(game, deal(game, 11), fear.Name(PACK[7]))
    assert [perft(game, named, depth) for depth in (1, 2)] == [52, 52 * 51]


# The Fan Tan family: each player holds a whole suit, so that nobody is in another's way.


def whole_suits(game: Game, laid: int = layout.SUIT << 39) -> Any:
    """Spades, hearts and diamonds each in one hand, and seat 0 to act; clubs lie on the table."""
    return terms.State(
        bank=Bank((50, 50, 50)),
        phase="play",
        actor=0,
        dealer=2,
        deal=1,
        playing=(0, 1, 2),
        hands=tuple(layout.SUIT << 13 * suit for suit in range(3)),
        laid=laid,
        starts=layout.ALL if game.name == "play-or-pay" else layout.rank_mask(6),
        order=tuple(PACK[39:]),
    )


def orders(cards: int) -> int:
    """Ways to lay so many cards of a suit that begins with its 7: six above, six below (T8)."""
    return sum(comb(cards - 1, above) for above in range(7) if 0 <= cards - 1 - above <= 6) if cards else 1


def test_T8_a_whole_suit_can_be_laid_in_924_orders() -> None:
    assert orders(13) == comb(12, 6) == 924
    assert [orders(cards) for cards in range(1, 9)] == [1, 2, 4, 8, 16, 32, 64, 126]


def test_T8_three_whole_suits_are_laid_independently() -> None:
    game = cagnotte.game("fan-tan", 3)
    state = whole_suits(game)
    for depth in range(13):
        expected = 1
        for seat in range(3):
            expected *= orders((depth + 2 - seat) // 3)
        assert perft(game, state, depth) == expected


def test_T10_with_false_passes_each_turn_has_one_way_more() -> None:
    """Everyone may always lay or pass, so at first there are two ways, then up to three."""
    game = cagnotte.game("fan-tan", 3, passing="honour")

    def ways(cards: int, turns: int) -> int:
        """Ways of one player through so many turns, with so many cards of his suit laid."""
        if turns == 0:
            return 1
        return ways(cards, turns - 1) + (2 if cards else 1) * ways(cards + 1, turns - 1)

    for depth in range(10):
        expected = 1
        for seat in range(3):
            expected *= ways(0, (depth + 2 - seat) // 3)
        assert perft(game, whole_suits(game), depth) == expected


def test_P3_within_a_suit_of_play_or_pay_there_is_one_way() -> None:
    game = cagnotte.game("play-or-pay", 3)
    state = whole_suits(game)
    assert [perft(game, state, depth) for depth in range(1, 38)] == [
        13
    ] * 37  # all but the last card of spades
    state, _ = cagnotte.play(game, state, terms.LAY[4])
    for _ in range(36):
        assert len(game.legal(state)) == 1
        state, _ = cagnotte.play(game, state, game.legal(state)[0])
    assert state.hands[0].bit_count() == 0 or state.phase == "over" or len(game.legal(state)) == 1


def test_E3_after_the_fourth_start_card_one_more_or_none() -> None:
    """Seat 0 lays the fourth 7; of the three other sequences he holds six next cards, and he may decline."""
    game = cagnotte.game("earl-of-coventry", 3)
    sevens = layout.rank_mask(6)
    beside = layout.neighbours(sevens)
    spade = fantan.BIT[6]
    others = layout.ALL & ~sevens & ~beside
    state = replace(
        whole_suits(game),
        laid=sevens & ~spade,
        starts=sevens,
        order=tuple(card for card in PACK if card.rank == 7 and card.suit != "S"),
        hands=(beside | spade, others & layout.SUIT, others & ~layout.SUIT),
    )
    assert len(game.legal(state)) == 7
    state, _ = cagnotte.play(game, state, terms.LAY[6])
    assert state.phase == "bonus" and perft(game, state, 1) == 6 + 1
    after, _ = cagnotte.play(game, state, terms.PASS)
    assert after.actor == 1


def test_T3_F3_ways_to_cut() -> None:
    for name in cagnotte.GAMES:
        game = cagnotte.game(name)
        first = fear.Dealer(0) if name == "fear" else terms.Draw(0, (Card(11, "S"),))
        state = cagnotte.replay(game, [first, Shuffle(PACK)])
        assert perft(game, state, 1) == (51 if name == "fear" else 43)
        assert perft(game, game.start(), 1) == perft(game, game.start(), 5) == 1  # chance is to act


def test_F8_the_last_places_in_any_order() -> None:
    """Turned in any order with a fear that comes last: down! ways, of which the closed form counts all."""
    assert turning(1, 1) == 1
    for down in range(2, 8):
        assert turning(down, 2 * down) > factorial(down) / down
    assert {name for name, *_ in GOLDEN} == set(FAMILY)
