"""The layout on integers, against the rules said of sets of cards as texts (T7, T8, N1, E1-E3, P1-P4)."""

from __future__ import annotations

import ast
import inspect
import operator
import random
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cagnotte import layout

RANKS = "A23456789TJQK"
SUITS = "SHDC"
CARDS = [rank + suit for suit in SUITS for rank in RANKS]
EVERY = set(CARDS)


def bits(cards: Iterable[str]) -> int:
    return sum(1 << CARDS.index(card) for card in cards)


def cards(bits: int) -> set[str]:
    assert 0 <= bits < 1 << 52
    return {card for place, card in enumerate(CARDS) if bits >> place & 1}


def rank_of(rank: str) -> set[str]:
    return {rank + suit for suit in SUITS}


# The rules, said a second time.


def beside(card: str) -> set[str]:
    """The cards of the suit one rank above and below; the ace and the king have one neighbour."""
    at = RANKS.index(card[0])
    return {RANKS[i] + card[1] for i in (at - 1, at + 1) if 0 <= i < 13}


def fits(laid: set[str], starts: set[str]) -> set[str]:
    """T8: a start card that is not laid, or a card that continues a suit's sequence."""
    going_on = set()
    for suit in SUITS:
        row = [RANKS.index(card[0]) for card in laid if card[1] == suit]
        if row:
            going_on |= {RANKS[i] + suit for i in (min(row) - 1, max(row) + 1) if 0 <= i < 13}
    return going_on | (starts - laid)


def fits_upward(laid: set[str], first: dict[str, str]) -> set[str]:
    """P2, P3: the one card that goes on in the suit begun; any card not laid when all begun are complete."""
    for suit in SUITS:
        length = sum(card[1] == suit for card in laid)
        if 0 < length < 13:
            return {RANKS[(RANKS.index(first[suit]) + length) % 13] + suit}
    return EVERY - laid


def rows(start: str) -> list[str]:
    """Every row that can grow from a start rank: nothing, or an unbroken run that holds it."""
    at = RANKS.index(start)
    return ["", *(RANKS[low : high + 1] for low in range(at + 1) for high in range(at, 13))]


def layouts(start: str) -> Iterator[set[str]]:
    """Every row of every suit, beside three rows of other suits drawn at random."""
    dice, all_rows = random.Random(start), rows(start)
    for suit, row in product(SUITS, all_rows):
        table = {other: dice.choice(all_rows) for other in SUITS} | {suit: row}
        yield {rank + other for other, ranks in table.items() for rank in ranks}


@pytest.mark.parametrize("start", RANKS)
def test_T8_a_card_fits_that_begins_a_suit_or_continues_a_sequence(start: str) -> None:
    """Fan Tan with start 7, Five or Nine with 5 and 9, Earl of Coventry with any."""
    starts = rank_of(start)
    for laid in layouts(start):
        assert cards(layout.playable(bits(laid), bits(starts), 0)) == fits(laid, starts)


def test_T8_all_pairs_of_rows() -> None:
    starts = rank_of("7")
    for spades, clubs in product(rows("7"), repeat=2):
        laid = {rank + "S" for rank in spades} | {rank + "C" for rank in clubs}
        assert cards(layout.playable(bits(laid), bits(starts), 0)) == fits(laid, starts)


@pytest.mark.parametrize("opening", [rank_of("7"), rank_of("5") | rank_of("9"), EVERY])
def test_T7_N1_E1_on_the_empty_table_the_opening_cards_fit(opening: set[str]) -> None:
    assert cards(layout.playable(0, bits(opening), 0)) == opening


def test_T7_N1_E1_the_first_card_fixes_the_start_cards() -> None:
    for place, card in enumerate(CARDS):
        for opening in (rank_of(card[0]), EVERY):
            assert cards(layout.starts_after(place, 0, bits(opening), 0)) == rank_of(card[0])
        for laid in ({"7S"}, {"KC"}, EVERY):
            assert cards(layout.starts_after(place, bits(laid), bits(rank_of("7")), 0)) == rank_of("7")


def test_P1_P4_in_play_or_pay_any_card_begins_a_suit_always() -> None:
    for place in range(52):
        for laid in (0, 1, layout.SUIT):
            assert layout.starts_after(place, laid, layout.ALL, 1) == layout.ALL


def upward(suits: str, length: int, first: dict[str, str]) -> set[str]:
    """A table of Play or Pay: suits whole but for the last of them, which has so many cards."""
    laid = set()
    for suit in suits:
        many = length if suit == suits[-1] else 13
        laid |= {RANKS[(RANKS.index(first[suit]) + i) % 13] + suit for i in range(many)}
    return laid


@pytest.mark.parametrize("suits", ["S", "C", "HS", "SC", "DHC", "CDHS"])
def test_P2_P3_one_suit_upward_around_the_corner(suits: str) -> None:
    dice = random.Random(suits)
    for start, length in product(RANKS, range(1, 14)):
        first = {suit: dice.choice(RANKS) for suit in SUITS} | {suits[-1]: start}
        laid = upward(suits, length, first)
        assert cards(layout.playable(bits(laid), layout.ALL, 1)) == fits_upward(laid, first)


def test_P1_any_card_may_come_first() -> None:
    assert cards(layout.playable(0, layout.ALL, 1)) == EVERY


def test_P3_the_example_from_8() -> None:
    row = "89TJQKA234567"
    for i in range(1, 13):
        assert cards(layout.playable(bits(rank + "D" for rank in row[:i]), layout.ALL, 1)) == {row[i] + "D"}
    whole = bits(rank + "D" for rank in row)
    assert cards(layout.playable(whole, layout.ALL, 1)) == EVERY - rank_set("D")


def rank_set(suit: str) -> set[str]:
    return {rank + suit for rank in RANKS}


@given(st.sets(st.sampled_from(CARDS)))
def test_T8_E2_neighbours_do_not_wrap(some: set[str]) -> None:
    assert cards(layout.neighbours(bits(some))) == set().union(*(beside(card) for card in some))


@given(st.sampled_from(CARDS), st.sets(st.sampled_from(CARDS)))
def test_masks_are_ranks_and_suits(card: str, laid: set[str]) -> None:
    place = CARDS.index(card)
    assert cards(layout.rank_mask(place)) == rank_of(card[0])
    assert cards(layout.suit_mask(place)) == rank_set(card[1])
    laid = laid | {card}
    for table in (laid, laid | rank_set(card[1])):
        assert layout.completes(bits(table), place) == int(rank_set(card[1]) <= table)  # P4


def test_N3_E4_the_rank_is_fixed_when_the_start_cards_have_one() -> None:
    for rank in RANKS:
        assert layout.one_rank(bits(rank_of(rank))) == 1
    for one, other in product(RANKS, repeat=2):
        if one != other:
            assert layout.one_rank(bits(rank_of(one) | rank_of(other))) == 0
    assert layout.one_rank(layout.ALL) == 0


@pytest.mark.parametrize("start", RANKS)
def test_E3_the_bonus_card_goes_on_one_of_the_three_other_sequences(start: str) -> None:
    starts = rank_of(start)
    begun = 0
    for laid in layouts(start):
        all_begun = starts <= laid
        assert layout.all_begun(bits(laid), bits(starts)) == int(all_begun)
        if all_begun:
            begun += 1
            for suit in SUITS:
                others = {card for card in fits(laid, starts) if card[1] != suit}
                assert cards(layout.bonus(bits(laid), CARDS.index(start + suit))) == others
    assert begun > 5
    assert layout.all_begun(layout.ALL, layout.ALL) == 0  # no rank is fixed in Play or Pay


# What the module promises to those who compile it.

FUNCTIONS: dict[str, Callable[..., int]] = dict(inspect.getmembers(layout, inspect.isfunction))


def test_layout_is_functions_of_ints_and_nothing_else() -> None:
    tree = ast.parse(inspect.getsource(layout))
    for node in tree.body:
        match node:
            case ast.Expr(ast.Constant(str())):  # the docstring
                pass
            case ast.Assign([ast.Name(name)]):
                assert name.isupper() and type(getattr(layout, name)) is int
            case ast.FunctionDef(decorator_list=[]):
                arguments = [*node.args.args, *node.args.kwonlyargs]
                for annotation in [argument.annotation for argument in arguments] + [node.returns]:
                    assert isinstance(annotation, ast.Name) and annotation.id == "int"
                assert not node.args.defaults and node.args.vararg is None and node.args.kwarg is None
            case _:
                raise AssertionError(f"line {node.lineno} is neither a constant nor a function")
    allowed = (
        ast.Module, ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.If, ast.IfExp,
        ast.Expr, ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.Call, ast.Name, ast.Constant,
        ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop,
    )  # fmt: skip
    for part in ast.walk(tree):
        assert isinstance(part, allowed), f"line {getattr(part, 'lineno', 0)}: {type(part).__name__}"
        if isinstance(part, ast.Call):
            assert isinstance(part.func, ast.Name) and part.func.id in FUNCTIONS


class Int64(int):
    """An int that knows when it has outgrown 64 bits."""


def _checked(name: str, arity: int) -> Callable[..., Int64]:
    function = getattr(operator, name.strip("_"), None) or getattr(operator, f"{name.strip('_')}_")

    def method(*operands: int) -> Int64:
        value = function(*map(int, operands))
        assert -(2**63) <= value < 2**63, f"{name}{operands}"
        return Int64(value)

    def reflected(self: int, other: int) -> Int64:
        return method(other, self)

    setattr(Int64, f"__{name.strip('_')}__", method)
    if arity == 2:
        setattr(Int64, f"__r{name.strip('_')}__", reflected)
    return method


for _name in ("and_", "or_", "xor", "lshift", "rshift", "add", "sub", "mul", "floordiv", "mod"):
    _checked(_name, 2)
for _name in ("invert", "neg"):
    _checked(_name, 1)


def test_int64_is_wide_enough_at_every_step() -> None:
    """Tried with all functions on the largest, the smallest and many other sets."""
    dice = random.Random(64)
    sets = [0, 1, layout.ALL, layout.ACES, layout.KINGS, layout.SUIT, 1 << 51]
    sets += [dice.getrandbits(52) for _ in range(200)]
    assert type(Int64(3) & 5) is type(5 << Int64(3)) is type(~Int64(3)) is Int64
    with pytest.raises(AssertionError):
        Int64(1) << 63
    for name, function in FUNCTIONS.items():
        parameters = list(inspect.signature(function).parameters)
        for value in sets:
            arguments: dict[str, Any] = {}
            for parameter in parameters:
                card = parameter in ("card", "fourth")
                arguments[parameter] = Int64(dice.randrange(52) if card else dice.choice(sets))
            sweep = next(p for p in parameters if p not in ("fourth", "one_suit"))
            arguments[sweep] = Int64(value.bit_length() % 52 if sweep == "card" else value)
            if "one_suit" in arguments:
                arguments["one_suit"] = Int64(value & 1)
            result = function(**arguments)
            assert 0 <= result <= layout.ALL, name
            assert result == function(**{key: int(argument) for key, argument in arguments.items()})
