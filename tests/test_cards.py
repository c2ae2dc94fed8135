"""The pack and its notation (C1, C2)."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cagnotte.cards import CARD, PACK, Card

# Every card by its three names, written out by hand as far as a hand goes.
ENGLISH = dict(zip("A23456789TJQK", range(1, 14), strict=True))
FRENCH = dict(zip("A23456789TVDR", range(1, 14), strict=True))
SUITS = {"S": "P♠", "H": "C♥", "D": "K♦", "C": "T♣"}


def test_C1_the_pack_has_thirteen_ranks_in_four_suits() -> None:
    assert len(set(PACK)) == 52
    assert [card.index for card in PACK] == list(range(52))
    assert [str(card) for card in PACK[:13]] == [
        "AS",
        "2S",
        "3S",
        "4S",
        "5S",
        "6S",
        "7S",
        "8S",
        "9S",
        "TS",
        "JS",
        "QS",
        "KS",
    ]
    assert [card.suit for card in PACK[::13]] == ["S", "H", "D", "C"]


def test_C1_the_ace_is_low() -> None:
    assert Card(1, "S") < Card(2, "S") < Card(13, "S") < Card(1, "H")
    assert not Card(2, "S") < Card(1, "S") and not Card(2, "S") < Card(2, "S")
    assert sorted(reversed(PACK)) == list(PACK)


@pytest.mark.parametrize("card", PACK)
def test_C2_a_card_is_read_as_it_is_written(card: Card) -> None:
    assert Card.parse(str(card)) == card == CARD[str(card)]
    for name, rank in ENGLISH.items():
        if rank == card.rank:
            for text in {name, name.lower(), name.replace("T", "10")}:
                for suit in (
                    card.suit,
                    card.suit.lower(),
                    SUITS[card.suit][1],
                    SUITS[card.suit][1] + "\ufe0f",
                ):
                    assert Card.parse(f" {text}{suit} ") == card
    for name, rank in FRENCH.items():
        if rank == card.rank:
            assert Card.parse(name + SUITS[card.suit][0], "fr") == card
            assert Card.parse(name.lower() + SUITS[card.suit][0].lower(), "fr") == card
            assert Card.parse(name + SUITS[card.suit][1]) == card  # a symbol leaves no doubt
            assert Card.parse(name + SUITS[card.suit][1], "fr") == card


def test_C2_text_that_is_french_may_hold_english_ranks() -> None:
    assert Card.parse("JP", "fr") == Card(11, "S")
    assert Card.parse("KT", "fr") == Card(13, "C")
    assert Card.parse("10K", "fr") == Card(10, "D")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7",
        "S",
        "7X",
        "1S",
        "0S",
        "11S",
        "7SS",
        "77S",
        "S7",
        "10",
        "1010S",
        "VS",
        "7P",
        "♠7",
        "♠♠",
        "7 S",
        "-7S",
    ],
)
def test_C2_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        Card.parse(text)


@pytest.mark.parametrize("text", ["7S", "7H", "TTT", "VX", "♠K"])
def test_C2_french_text_has_french_suits(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        Card.parse(text, "fr")


@given(st.text(st.sampled_from("A10789TJQKVDRSHDCPKshdct♠♥♦♣\ufe0fßſ٧é- \t\0\ud800"), max_size=6))
def test_C2_any_text_is_a_card_or_refused_in_a_short_line(text: str) -> None:
    for lang in ("en", "fr"):
        try:
            assert Card.parse(text, lang) in PACK
        except ValueError as error:
            assert str(error) == f"{text!r} is not a card"


def test_C2_a_long_text_is_quoted_in_part() -> None:
    with pytest.raises(ValueError, match=r"^'xxxxxxxxxxxxxxxxxxxx' is not a card$"):
        Card.parse("x" * 10_000)


def test_C2_people_read_symbols_and_their_own_court_cards() -> None:
    assert [PACK[i].label() for i in (0, 9, 10, 24, 38, 51)] == ["A♠", "10♠", "J♠", "Q♥", "K♦", "K♣"]
    assert [PACK[i].label("fr") for i in (0, 9, 10, 24, 38, 51)] == ["A♠", "10♠", "V♠", "D♥", "R♦", "R♣"]
    for card in PACK:
        for lang in ("en", "fr"):
            assert Card.parse(card.label(lang), lang) == card == Card.parse(card.label(lang))


@pytest.mark.parametrize(
    ("rank", "suit"),
    [
        *((0, "S"), (14, "S"), (-1, "H"), (7, "X"), (7, ""), (7, "SH"), (7, "s")),
        *((7.0, "S"), (True, "S"), ("7", "S"), (None, "S"), (7, None), (7, 1), (7, ["S"])),
    ],
)
def test_C1_there_are_no_other_cards(rank: Any, suit: Any) -> None:
    with pytest.raises(ValueError, match="no card has rank"):
        Card(rank, suit)


def test_a_card_is_a_value() -> None:
    for card in PACK:
        copy = pickle.loads(pickle.dumps(card))
        assert copy == card and hash(copy) == hash(card) and copy.index == card.index
        assert eval(repr(card)) == card
