"""For every clause of N, E and P a situation that shows it."""

from __future__ import annotations

from typing import Any

import pytest
from situations import PACK, POOL, SPADES, Sitting, deal

# N. Five or Nine


def test_N1_the_first_card_is_a_5_or_a_9_and_fixes_the_start_cards() -> None:
    """B005."""
    sitting = deal("five-or-nine", {0: "5S 9H 7S 7H", 1: "5H 9D 4S 6S 7D", 2: "5D 5C 9S 9C"})
    assert sitting.moves == {"5S", "9H"}
    assert sitting.refusal("7S") == "N1"
    sitting.do("0 5S")
    assert sitting.moves == {"5H", "4S", "6S"}
    sitting = deal("five-or-nine", {0: "9H", 1: "9D 8H TH 5S", 2: "9S 9C"}).do("0 9H")
    assert sitting.moves == {"9D", "8H", "TH"}


def test_N2_who_holds_none_passes_and_whoever_lays_first_fixes_it() -> None:
    sitting = deal("five-or-nine", {1: "5S 5H 5D", 2: "9S 9H 5C", 3: "9D 9C"})
    assert sitting.moves == {"pass"}
    assert sitting.do("0 pass").paid == [(0, POOL, 1, "T9")]
    sitting.do("1 5D")
    assert {"9S", "9H", "5C"} & sitting.moves == {"5C"}


def test_N3_a_withheld_start_card_once_the_rank_is_fixed() -> None:
    hands = {0: "5S", 1: "5H", 2: "4H", 3: "6H"}
    sitting = deal("five-or-nine", hands, passing="fined").do("0 5S").do("1 pass")
    assert sitting.paid == [(1, POOL, 1, "T9"), (1, POOL, 3, "T11"), (1, 2, 3, "T11"), (1, 3, 3, "T11")]
    hands = {0: "9S", 1: "9H", 2: "8H", 3: "TH"}
    sitting = deal("five-or-nine", hands, passing="fined").do("0 9S").do("1 pass")
    assert sitting.paid == [(1, POOL, 1, "T9"), (1, POOL, 3, "T11"), (1, 2, 3, "T11"), (1, 3, 3, "T11")]


def test_N3_before_the_rank_is_fixed_T12() -> None:
    hands = {0: "5S 9H", 1: "4S", 2: "6S"}
    sitting = deal("five-or-nine", hands, passing="fined").do("0 pass")
    assert sitting.paid == [(0, POOL, 1, "T9"), (0, POOL, 3, "T12")]


# E. Earl of Coventry


def test_E1_the_first_card_may_be_any_and_its_rank_fixes_the_start_cards() -> None:
    """B005."""
    sitting = deal("earl-of-coventry", {0: "QS", 1: "QH QD JS KS JH AC 2C 3C 4C 5C 6C 7C 8C"})
    assert sitting.moves == sitting.hand(0)
    assert sitting.do("0 QS").moves == {"QH", "QD", "JS", "KS"}
    assert sitting.refusal("JH") == "T8"


def test_E2_from_an_ace_only_up_and_from_a_king_only_down() -> None:
    sitting = deal("earl-of-coventry", {0: "AS", 1: "2S KS 3S QS", 2: "AH AD AC"}).do("0 AS")
    assert sitting.moves == {"2S"}
    sitting = deal("earl-of-coventry", {0: "KS", 1: "AS QS 2S JS", 2: "KH KD KC"}).do("0 KS")
    assert sitting.moves == {"QS"}


def fourth(**rules: Any) -> Sitting:
    """Seat 3 is about to lay the fourth start card, a 5."""
    hands = {0: "5S", 1: "5H", 2: "5D", 3: "5C 4S 6S 6C 4C 7S"}
    return deal("earl-of-coventry", hands, **rules).do("0 5S", "1 5H", "2 5D")


def test_E3_the_fourth_start_card_gives_one_more_card_on_another_sequence() -> None:
    sitting = fourth().do("3 5C")
    assert (sitting.actor, sitting.phase) == (3, "bonus")
    assert {"4S", "6S", "6C", "4C", "7S", "pass"} & sitting.moves == {"4S", "6S", "pass"}
    assert sitting.refusal("6C") == "E3"
    assert sitting.refusal("7S") == "E3"
    sitting.do("3 6S")
    assert (sitting.actor, sitting.phase) == (0, "play")  # one bonus card, not more


@pytest.mark.parametrize("passing", ["forbidden", "fined", "honour"])
def test_E3_declined_without_payment_or_offence(passing: str) -> None:
    sitting = fourth(passing=passing, deals=1).do("3 5C", "3 pass")
    assert sitting.paid == []
    assert sitting.actor == 0
    assert sitting.happened("Offended") == []
    sitting.finish()
    assert not {"T11", "T12"} & {clause for _, _, _, clause in sitting.paid}


def test_E3_the_choice_is_put_also_when_he_can_only_decline() -> None:
    hands = {0: "5S 4S 6S", 1: "5H 4H 6H", 2: "5D 4D 6D", 3: "5C"}
    sitting = deal("earl-of-coventry", hands).do("0 5S", "1 5H", "2 5D", "3 5C")
    assert (sitting.actor, sitting.phase, sitting.moves) == (3, "bonus", {"pass"})


def test_E3_the_first_three_start_cards_give_nothing() -> None:
    assert fourth().actor == 3
    assert fourth().phase == "play"


def last_cards(kept: str) -> Sitting:
    """Seat 0 lays 5S and all else but the cards kept; the others lay 5H and 5D and then pass."""
    cards = [f"{rank}S" for rank in "5432A6789TJQ"] + ["5C"]
    sitting = deal("earl-of-coventry", {0: " ".join(cards), 1: "5H", 2: "5D"}, passing="honour", chips=1000)
    sitting.do("0 5S", "1 5H", "2 5D", "3 pass")
    for card in [card for card in cards[1:] if card not in kept.split()]:
        sitting.do(f"0 {card}", "1 pass", "2 pass", "3 pass")
    return sitting


def test_E3_the_bonus_card_may_win() -> None:
    sitting = last_cards("QS 5C").do("0 5C")
    assert sitting.moves == {"QS", "pass"}
    sitting.do("0 QS")
    assert sitting.happened("DealWon")[0].seat == 0
    assert sitting.phase == "shuffle"


def test_E3_a_fourth_start_card_that_wins_has_no_bonus() -> None:
    sitting = last_cards("5C").do("0 5C")
    assert sitting.happened("DealWon")[0].seat == 0
    assert sitting.phase == "shuffle"


def test_E3_the_bonus_card_brings_an_offence_to_light() -> None:
    hands = {0: "5S 4C 6C", 1: "5H", 2: "5D", 3: "5C 6S"}
    sitting = deal("earl-of-coventry", hands, passing="honour").do("0 5S", "1 5H", "2 pass", "3 pass")
    sitting.do("0 pass", "1 pass", "2 5D")
    sitting.do("3 5C")
    assert sitting.paid == [(3, POOL, 3, "T11"), (3, 0, 3, "T11"), (3, 0, 3, "T11")]
    assert sitting.do("3 6S").paid == []


def test_E3_only_the_bonus_card_was_withheld() -> None:
    hands = {0: "5S 5D", 1: "5H", 3: "5C 6S", 2: "4C 6C"}
    sitting = deal("earl-of-coventry", hands, passing="honour").do("0 5S", "1 5H", "2 pass", "3 pass", "0 5D")
    sitting.do("1 pass", "2 pass").do("3 5C")
    assert sitting.paid == [(3, POOL, 3, "T11"), (3, 2, 3, "T11"), (3, 2, 3, "T11")]
    assert sitting.phase == "bonus"


def test_E4_a_withheld_ace_or_king_has_one_neighbour() -> None:
    sitting = (
        deal("earl-of-coventry", {0: "AS", 1: "AH", 2: "2H AD", 3: "KH AC"}, passing="fined")
        .do("0 AS")
        .do("1 pass")
    )
    assert sitting.paid == [(1, POOL, 1, "T9"), (1, POOL, 3, "T11"), (1, 2, 3, "T11")]
    sitting = (
        deal("earl-of-coventry", {0: "KS", 1: "KH", 2: "AH KD", 3: "QH KC"}, passing="fined")
        .do("0 KS")
        .do("1 pass")
    )
    assert sitting.paid == [(1, POOL, 1, "T9"), (1, POOL, 3, "T11"), (1, 3, 3, "T11")]


def test_E4_a_withheld_start_card_between_two_neighbours() -> None:
    sitting = (
        deal("earl-of-coventry", {0: "TS TH", 1: "TD", 2: "JD TC", 3: "9D"}, passing="fined")
        .do("0 TS")
        .do("1 pass")
    )
    assert sitting.paid == [(1, POOL, 1, "T9"), (1, POOL, 3, "T11"), (1, 3, 3, "T11"), (1, 2, 3, "T11")]


def test_E4_before_the_rank_is_fixed_T12() -> None:
    sitting = deal("earl-of-coventry", {}, passing="fined").do("0 pass")
    assert sitting.paid == [(0, POOL, 1, "T9"), (0, POOL, 3, "T12")]


# P. Play or Pay


def test_P1_the_first_card_may_be_any() -> None:
    sitting = deal("play-or-pay", {})
    assert sitting.moves == sitting.hand(0)


def test_P2_its_suit_must_be_completed_first() -> None:
    sitting = deal("play-or-pay", {0: "8S", 1: "9S 8H"}).do("0 8S")
    assert sitting.moves == {"9S"}
    assert sitting.refusal("8H") == "P2"


def test_P3_upward_only_turning_the_corner() -> None:
    sitting = deal("play-or-pay", {0: SPADES, 1: "AH"})
    assert sitting.do("0 8S", "1 pass", "2 pass", "3 pass").moves == {"9S"}
    assert sitting.refusal("7S") == sitting.refusal("TS") == "P3"
    for card in ["9S", "TS", "JS", "QS", "KS", "AS", "2S", "3S", "4S", "5S", "6S"]:
        sitting.do(f"0 {card}", "1 pass", "2 pass", "3 pass")
    assert sitting.moves == {"7S"}


def opening(**rules: Any) -> Sitting:
    """Seat 1 has just laid the thirteenth spade, 8S to 7S."""
    sitting = deal("play-or-pay", {0: " ".join(PACK[7:13] + PACK[:6]), 1: "7S"}, **rules)
    for card in ["8S", "9S", "TS", "JS", "QS", "KS", "AS", "2S", "3S", "4S", "5S"]:
        sitting.do(f"0 {card}", "1 pass", "2 pass", "3 pass")
    return sitting.do("0 6S", "1 7S")


@pytest.mark.parametrize("passing", ["forbidden", "fined", "honour"])
def test_P4_the_thirteenth_card_begins_a_new_suit_at_once(passing: str) -> None:
    sitting = opening(passing=passing)
    assert (sitting.actor, sitting.phase) == (1, "open")
    assert sitting.moves == sitting.hand(1)
    assert len(sitting.moves) == 12
    assert sitting.refusal("pass") == "P4"
    card = sorted(sitting.moves)[0]
    assert sitting.do(f"1 {card}").actor == 2
    assert sitting.phase == "play"


def test_P4_a_thirteenth_card_that_wins_begins_nothing() -> None:
    sitting = deal("play-or-pay", {0: SPADES}, deals=1).finish()
    assert (sitting.phase, sitting.happened("DealWon")[0].seat) == ("over", 0)


def test_P4_the_card_that_begins_a_suit_may_win() -> None:
    hands = {0: "AS 2S 4S 5S 6S 7S 8S 9S TS JS QS KS 5H", 1: "3S"}
    sitting = deal("play-or-pay", hands).do(
        "0 AS", "1 pass", "2 pass", "3 pass", "0 2S", "1 3S", "2 pass", "3 pass"
    )
    for card in ["4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS"]:
        sitting.do(f"0 {card}", "1 pass", "2 pass", "3 pass")
    assert sitting.do("0 KS").moves == {"5H"}
    sitting.do("0 5H")
    assert (sitting.phase, sitting.happened("DealWon")[0].seat) == ("shuffle", 0)


def test_P5_a_false_pass_is_T12() -> None:
    sitting = deal("play-or-pay", {0: "8S", 1: "9S", 2: "7S"}, passing="fined").do("0 pass")
    assert sitting.paid == [(0, POOL, 1, "T9"), (0, POOL, 3, "T12")]
    sitting.do("1 9S", "2 pass").do("3 pass")
    assert sitting.paid == [(3, POOL, 1, "T9")]
    hands = {0: "8S", 1: "9S", 2: "TS 7S"}
    sitting = deal("play-or-pay", hands, passing="fined").do("0 8S").do("1 pass")
    assert sitting.paid == [(1, POOL, 1, "T9"), (1, POOL, 3, "T12")]


def test_P5_at_the_start_of_a_deal_a_pass_is_forbidden_by_T10() -> None:
    assert deal("play-or-pay", {}).refusal("pass") == "T10"
