"""For every clause of C and F a situation that shows it."""

from __future__ import annotations

import pytest
from situations import FAMILY, PACK, POOL, SPADES, Sitting, deal, party, shuffle, spread, turn

import cagnotte

# C. Common to all


@pytest.mark.parametrize("name", ["fear", *FAMILY])
def test_C1_the_pack_is_52_cards(name: str) -> None:
    sitting = Sitting(name, 5).do("chance dealer 0" if name == "fear" else "chance draw 0 JS")
    assert sitting.refusal(" ".join(["shuffle", *PACK[:51]])) == "C1"
    assert sitting.refusal(" ".join(["shuffle", *PACK[:51], "AS"])) == "C1"
    assert sitting.refusal(" ".join(["shuffle", *PACK, "AS"])) == "C1"


def test_C1_the_ace_is_low() -> None:
    game = cagnotte.game("fan-tan")
    ranks = [cagnotte.parse(game, f"{rank}S").card.rank for rank in "A23456789TJQK"]
    assert ranks == list(range(1, 14))


def test_C2_notation() -> None:
    game = cagnotte.game("fan-tan")
    for text, written in [
        ("7S", "7S"),
        ("10H", "TH"),
        ("TH", "TH"),
        ("7♠", "7S"),
        ("10♥", "TH"),
        ("A♦", "AD"),
    ]:
        assert str(cagnotte.parse(game, text)) == written
    for text in ["1S", "7X", "11S", "77S", "", "S", "7"]:
        with pytest.raises(cagnotte.Illegal) as caught:
            cagnotte.parse(game, text)
        assert caught.value.clause == "C2"


def test_C2_french_cards_where_the_text_is_french_or_a_symbol_leaves_no_doubt() -> None:
    french = {"VP": "JS", "DC": "QH", "RK": "KD", "10T": "TC", "AP": "AS", "7K": "7D"}
    assert {text: str(cagnotte.Card.parse(text, "fr")) for text in french} == french
    for text, written in [("V♠", "JS"), ("D♥", "QH"), ("R♦", "KD"), ("J♣", "JC")]:
        assert str(cagnotte.parse(cagnotte.game("fan-tan"), text)) == written
    for text in ["VP", "RK", "10T", "AP", "7K", "DC"]:
        with pytest.raises(ValueError):
            cagnotte.Card.parse(text)


@pytest.mark.parametrize("text", ["draw 2 3D 9S JH", "cut 23", "7S", "pass", " ".join(["shuffle", *PACK])])
def test_C2_a_fan_tan_move_is_the_text_of_its_action(text: str) -> None:
    assert str(cagnotte.parse(cagnotte.game("fan-tan"), text)) == text


@pytest.mark.parametrize("text", ["dealer 3", "cut 23", "fear JS", "turn 51", " ".join(["shuffle", *PACK])])
def test_C2_a_fear_move_is_the_text_of_its_action(text: str) -> None:
    assert str(cagnotte.parse(cagnotte.game("fear"), text)) == text


def test_C3_who_cannot_pay_in_full_pays_what_he_has_in_the_order_of_the_clause() -> None:
    sitting = deal("fan-tan", {0: "7S", 1: "6S", 2: "8S", 3: "7H 7D 7C"}, chips=10, passing="fined").do(
        "0 pass"
    )
    paid = sitting.happened("Paid")
    assert [(party(e.payee), e.chips, e.due) for e in paid] == [
        (POOL, 1, 1),
        (POOL, 3, 3),
        (1, 3, 3),
        (2, 2, 3),
    ]
    assert sitting.stacks == [0, 12, 11, 9]
    sitting.do("1 pass", "2 pass", "3 pass", "0 pass")
    assert sitting.stacks[0] == 0


def test_C3_debt_lets_a_stack_go_below_zero() -> None:
    sitting = deal(
        "fan-tan", {0: "7S", 1: "6S", 2: "8S", 3: "7H 7D 7C"}, chips=10, passing="fined", debt="on"
    ).do("0 pass")
    assert sitting.stacks == [-1, 12, 12, 9]
    assert sum(sitting.stacks) + sitting.view().pool == 40


def test_C3_a_short_loser_pays_for_some_of_the_cards_left() -> None:
    sitting = deal("play-or-pay", {0: SPADES}, chips=15).finish()
    assert [p for p in sitting.paid if p[3] == "T14"] == [
        (1, POOL, 2, "T14"),
        (2, POOL, 2, "T14"),
        (3, POOL, 2, "T14"),
        (POOL, 0, 46, "T14"),
    ]


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize("passing", ["forbidden", "fined", "honour"])
def test_C4_every_change_of_a_stack_is_a_payment_with_its_clause(name: str, passing: str) -> None:
    sitting = deal(name, {}, passing=passing, deals=1)
    before = [sitting.game.view(sitting.game.start(), None).stacks[0]] * 4
    first = sitting.paid
    if passing != "forbidden":
        sitting.do("0 pass", "1 pass")
        first += sitting.paid
    for payer, payee, chips, clause in first + sitting.finish().paid:
        assert clause in {"T4", "T6", "T9", "T11", "T12", "T14"}
        if isinstance(payer, int):
            before[payer] -= chips
        if isinstance(payee, int):
            before[payee] += chips
    assert sitting.stacks == before
    assert sitting.view().pool == 0


def test_C4_a_seat_is_not_sent_what_it_may_not_know() -> None:
    sitting = deal("fan-tan", {0: "7S", 1: "6S", 2: "8S"}, passing="honour")
    dealt = sitting.happened("Dealt")[0]
    shuffled = Sitting("fan-tan", 4).do("chance draw 3 JS", shuffle(PACK, 20)).happened("Shuffled")[0]
    for seat in range(4):
        told = str(sitting.game.redact(dealt, seat)) + str(sitting.game.redact(shuffled, seat))
        for other in {0, 1, 2, 3} - {seat}:
            assert not any(card in told for card in sitting.hand(other))
    sitting.do("0 pass")
    assert sitting.happened("Offended")
    for event in sitting.happened("Offended"):
        assert all(sitting.game.redact(event, seat) is None for seat in (None, 1, 2, 3))


# F. Fear


def test_F1_two_to_twenty_six_players() -> None:
    assert [len(Sitting("fear", players).stacks) for players in (2, 5, 12, 26)] == [2, 5, 12, 26]
    for players in (1, 27):
        with pytest.raises(cagnotte.Illegal) as caught:
            cagnotte.game("fear", players=players)
        assert caught.value.clause == "F1"


def test_F2_two_chips_up_to_six_players_one_from_seven() -> None:
    assert [Sitting("fear", players).stacks[0] for players in (2, 5, 6, 7, 12, 26)] == [2, 2, 2, 1, 1, 1]
    assert Sitting("fear", 7, stake=10).stacks == [10] * 7
    for stake in (0, 11):
        with pytest.raises(cagnotte.Illegal):
            cagnotte.game("fear", players=5, stake=stake)


def test_F3_the_left_neighbour_cuts_and_the_pack_is_spread() -> None:
    sitting = Sitting("fear", 5).do("chance dealer 4", " ".join(["chance shuffle", *PACK]))
    assert sitting.actor == 0
    assert sitting.refusal("cut 0") == sitting.refusal("cut 52") == "F3"
    assert len(sitting.moves) == 51
    sitting.do("0 cut 1")
    assert list(sitting.view().places) == [None] * 52
    sitting.do("4 fear AS", "3 turn 0", "2 turn 51")
    places = sitting.view().places
    assert (str(places[0]), str(places[51])) == ("2S", "AS")


def test_F4_the_dealer_names_a_card_that_is_face_down() -> None:
    sitting = spread(5)
    assert (sitting.actor, sitting.phase) == (0, "name")
    assert sitting.moves == {f"fear {card}" for card in PACK}
    assert str(sitting.do("0 fear JS").view().fear) == "JS"


def test_F4_a_card_already_face_up_cannot_be_named() -> None:
    sitting = spread(5).do("0 fear 3S", "4 turn 0", "3 turn 1", "2 turn 2")
    assert (sitting.actor, sitting.phase) == (2, "name")
    assert sitting.refusal("fear AS") == sitting.refusal("fear 3S") == "F4"
    assert sitting.moves == {f"fear {card}" for card in PACK[3:]}


def test_F5_B025_play_goes_to_the_right_from_the_dealers_right() -> None:
    sitting = spread(5, dealer=2).do("2 fear KC")
    order = []
    for place in range(6):
        order.append(sitting.actor)
        turn(sitting, [place])
    assert order == [1, 0, 4, 3, 2, 1]


def test_F6_a_card_turned_stays_face_up_in_its_place() -> None:
    sitting = spread(5).do("0 fear KC", "4 turn 17")
    assert str(sitting.view().places[17]) == PACK[17]
    assert sitting.refusal("turn 17") == sitting.refusal("turn 52") == "F6"
    assert sitting.moves == {f"turn {place}" for place in range(52) if place != 17}


def test_F7_who_turns_the_fear_pays_one_and_names_the_next() -> None:
    sitting = spread(5).do("0 fear 2S", "4 turn 0")
    assert sitting.paid == []
    sitting.do("3 turn 1")
    assert sitting.paid == [(3, POOL, 1, "F7")]
    assert (sitting.actor, sitting.phase, sitting.view().fear) == (3, "name", None)
    sitting.do("3 fear JS")
    assert (sitting.actor, sitting.phase, sitting.stacks, sitting.view().pool) == (
        2,
        "turn",
        [2, 2, 2, 1, 2],
        1,
    )


def test_F8_he_names_even_when_that_was_his_last_chip() -> None:
    sitting = spread(3, stake=1).do("0 fear AS", "2 turn 0")
    assert (sitting.actor, sitting.phase, sitting.stacks) == (2, "name", [1, 1, 0])
    assert sitting.do("2 fear 2S").actor == 1


def test_F8_the_last_card_face_down_is_the_fear_without_being_named() -> None:
    sitting = turn(spread(3).do("0 fear QC"), range(51))
    assert sitting.paid == [(0, POOL, 1, "F7")]
    assert (sitting.actor, sitting.phase, str(sitting.view().fear)) == (2, "turn", "KC")
    assert sitting.moves == {"turn 51"}
    assert sitting.do("2 turn 51").paid == [(2, POOL, 1, "F7")]


def test_F8_nothing_is_named_when_the_52nd_card_was_the_fear() -> None:
    sitting = turn(spread(3).do("0 fear KC"), range(52))
    assert sitting.paid == [(2, POOL, 1, "F7")]
    assert (sitting.actor, sitting.phase) == (cagnotte.CHANCE, "shuffle")


def test_F9_play_skips_a_player_without_chips() -> None:
    sitting = spread(4, stake=1).do("0 fear 2S", "3 turn 0", "2 turn 1", "2 fear KC")
    order = []
    for place in range(2, 8):
        order.append(sitting.actor)
        turn(sitting, [place])
    assert order == [1, 0, 3, 1, 0, 3]


def test_F10_who_turned_the_last_card_gathers_and_names_chips_or_no_chips() -> None:
    sitting = turn(spread(3, stake=1).do("0 fear KC"), range(52))
    assert (sitting.stacks, sitting.view().dealer) == ([1, 1, 0], 2)
    sitting.do(" ".join(["chance shuffle", *PACK]), "0 cut 26")
    assert (sitting.actor, sitting.phase) == (2, "name")
    assert list(sitting.view().places) == [None] * 52
    sitting.do("2 fear AS")
    assert sitting.actor == 1


def test_F10_B023_the_player_to_his_right_with_chips_begins() -> None:
    sitting = spread(4, stake=1).do("0 fear AS", "3 turn 0", "3 fear KC")
    while sitting.phase == "turn":
        turn(sitting, [sitting.view().places.index(None)])
    assert (sitting.view().dealer, sitting.stacks) == (0, [0, 1, 1, 0])
    sitting.do(" ".join(["chance shuffle", *PACK]), "1 cut 26", "0 fear AS")
    assert sitting.actor == 2


def test_F11_the_game_ends_at_once_when_one_player_has_chips() -> None:
    sitting = spread(3, stake=1).do("0 fear AS", "2 turn 0", "2 fear 2S").do("1 turn 1")
    assert sitting.paid == [(1, POOL, 1, "F7"), (POOL, 0, 3 - 1, "F11")]
    view = sitting.view()
    assert (sitting.actor, view.over, list(view.winners)) == (None, True, [0])
    assert (sitting.stacks, view.pool, view.places.count(None)) == ([3, 0, 0], 0, 50)
    with pytest.raises(cagnotte.Illegal) as caught:
        cagnotte.play(sitting.game, sitting.state, cagnotte.parse(sitting.game, "turn 2"))
    assert caught.value.clause == "F11"


def test_F11_the_52nd_card_can_end_the_game() -> None:
    sitting = turn(spread(2, stake=1).do("0 fear KC"), range(52))
    assert (sitting.actor, sitting.stacks, sitting.view().winners) == (None, [0, 2], (1,))
    assert sitting.happened("Won") and sitting.happened("Over")


def test_F12_any_seat_may_be_drawn_to_deal_and_a_sitting_is_one_game() -> None:
    for dealer in range(5):
        assert spread(5, dealer=dealer).actor == dealer
    assert Sitting("fear", 5).refusal("dealer 5") == "F12"
    sitting = spread(2, stake=1).do("0 fear AS", "1 turn 0")
    assert (sitting.phase, sitting.actor) == ("over", None)


def test_F13_a_neighbour_without_chips_still_cuts() -> None:
    sitting = spread(4, stake=1).do("0 fear 3S", "3 turn 0", "2 turn 1", "1 turn 2", "1 fear KC")
    while sitting.phase == "turn":
        turn(sitting, [sitting.view().places.index(None)])
    assert (sitting.view().dealer, sitting.stacks) == (0, [0, 0, 1, 1])
    assert sitting.do(" ".join(["chance shuffle", *PACK])).actor == 1
