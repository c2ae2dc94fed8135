"""For every clause of T a situation that shows it, the worked example of the source among them."""

from __future__ import annotations

from typing import Any

import pytest
from situations import FAMILY, PACK, POOL, SPADES, Sitting, deal, deal_order, shuffle

import cagnotte

# T. Fan Tan


@pytest.mark.parametrize("name", FAMILY)
def test_T1_three_to_five_players_with_equal_chips(name: str) -> None:
    for players in (3, 4, 5):
        chips = 100 if name == "play-or-pay" else 50
        assert Sitting(name, players).stacks == [chips] * players
    for players in (2, 6):
        with pytest.raises(cagnotte.Illegal) as caught:
            cagnotte.game(name, players=players)
        assert caught.value.clause == "T1"


def test_T2_the_first_jack_deals_and_the_deal_passes_to_the_left() -> None:
    sitting = Sitting("fan-tan", 4).do("chance draw 2 3D 9S 4C JH")
    assert sitting.view().dealer == 1
    sitting.do(shuffle(deal_order({2: SPADES}, [2, 3, 0, 1]), 20), "0 cut 20").finish()
    assert sitting.view().dealer == 2


@pytest.mark.parametrize(
    "draw", ["draw 0 3D 9S", "draw 0 JD 9S", "draw 0 JD JS", "draw 4 JS", "draw 0 3D 3D JS"]
)
def test_T2_a_draw_ends_with_its_only_jack(draw: str) -> None:
    assert Sitting("fan-tan", 4).refusal(draw) in {"T2", "C1"}


def test_T3_the_right_neighbour_cuts_and_leaves_five_cards_in_each_packet() -> None:
    sitting = Sitting("fan-tan", 4).do("chance draw 0 JS", shuffle(PACK, 20))
    assert sitting.actor == 3
    assert sitting.moves == {f"cut {at}" for at in range(5, 48)}
    assert sitting.refusal("cut 4") == sitting.refusal("cut 48") == "T3"


def test_T4_each_antes_one_chip() -> None:
    sitting = deal("fan-tan", {})
    assert sitting.paid == [(0, POOL, 1, "T4"), (1, POOL, 1, "T4"), (2, POOL, 1, "T4"), (3, POOL, 1, "T4")]
    assert (sitting.stacks, sitting.view().pool) == ([49] * 4, 4)


def test_T5_the_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    sitting = Sitting("fan-tan", 4).do("chance draw 1 JS", " ".join(["chance shuffle", *PACK]), "0 cut 5")
    dealt = PACK[5:] + PACK[:5]
    assert [sitting.hand(seat) for seat in (2, 3, 0, 1)] == [set(dealt[i::4]) for i in range(4)]


@pytest.mark.parametrize(
    ("players", "counts", "payers"),
    [(3, (18, 17, 17), [1, 2]), (4, (13, 13, 13, 13), []), (5, (11, 11, 10, 10, 10), [2, 3, 4])],
)
def test_T6_fewer_cards_cost_one_more_chip(players: int, counts: tuple[int, ...], payers: list[int]) -> None:
    sitting = deal("fan-tan", {}, players)
    assert tuple(sitting.view().counts) == counts
    assert sitting.paid[players:] == [(seat, POOL, 1, "T6") for seat in payers]
    assert sitting.view().pool == players + len(payers)
    assert deal("fan-tan", {}, players, extra_ante="off").view().pool == players


def test_T7_eldest_begins_to_the_left_and_only_with_a_7() -> None:
    sitting = deal("fan-tan", {0: "7S 7H 6S AS KC"})
    assert (sitting.actor, sitting.moves) == (0, {"7S", "7H"})
    assert sitting.refusal("6S") == "T7"
    assert sitting.do("0 7S").actor == 1


def test_T8_the_worked_example_of_the_source() -> None:
    hands = {1: "6S 8S 7D 7H 7C AS", 2: "KC", 0: "7S"}
    sitting = deal("fan-tan", hands).do("0 7S")
    assert sitting.moves == {"6S", "8S", "7D", "7H", "7C"}
    sitting = deal("fan-tan", {0: "7S", 1: "7D", 2: "6S 8S 6D 8D 7H 7C 5S"}).do("0 7S", "1 7D")
    assert sitting.moves == {"6S", "8S", "6D", "8D", "7H", "7C"}
    assert "5S" in deal("fan-tan", {0: "7S", 1: "7D", 2: "6S", 3: "5S"}).do("0 7S", "1 7D", "2 6S").moves


def test_T8_up_to_the_king_and_down_to_the_ace_without_wrap() -> None:
    sitting = deal("fan-tan", {0: "7S 9S TS JS QS KS 6S 5S 4S 3S 2S AS 8H", 1: "8S 7H 7D 7C"})
    assert sitting.do("0 7S").refusal("9S") == "T8"  # he does not hold it
    sitting.do("1 8S")
    assert sitting.moves == {"pass"}
    sitting.do("2 pass", "3 pass")
    assert sitting.moves == {"6S", "9S"}
    assert sitting.refusal("AS") == sitting.refusal("8H") == sitting.refusal("TS") == "T8"
    assert [str(card) for card in sitting.view().laid["S"]] == ["7S", "8S"]


def test_T8_the_sequence_goes_on_from_both_ends() -> None:
    sitting = deal("fan-tan", {0: SPADES, 1: "7H 7D 7C 6H 6D 6C 8H 8D 8C 9H 9D 9C TH"})
    for card in ["7S", "8S", "6S", "9S", "5S", "TS"]:
        sitting.do(f"0 {card}")
        while sitting.actor != 0:
            moves = sorted(sitting.moves)
            sitting.do(f"{sitting.actor} {moves[0]}")
    assert {"4S", "JS"} == sitting.moves
    assert [str(card) for card in sitting.view().laid["S"]] == ["7S", "8S", "6S", "9S", "5S", "TS"]


def test_T9_who_lays_no_card_passes_and_pays_one() -> None:
    sitting = deal("fan-tan", {0: "7S", 1: "AS 2S 3S 4S KS QS JS TS AH 2H 3H 4H KH"}).do("0 7S")
    assert sitting.moves == {"pass"}
    assert sitting.do("1 pass").paid == [(1, POOL, 1, "T9")]
    assert sitting.actor == 2


def test_T10_a_pass_while_able_is_refused() -> None:
    sitting = deal("fan-tan", {0: "7S"})
    assert "pass" not in sitting.moves
    assert sitting.refusal("pass") == "T10"
    with pytest.raises(cagnotte.Illegal, match="7S"):
        cagnotte.play(sitting.game, sitting.state, cagnotte.parse(sitting.game, "pass"))


def test_T10_fined_at_once() -> None:
    sitting = deal("fan-tan", {0: "7S", 1: "6S", 2: "8S", 3: "7H 7D 7C"}, passing="fined")
    assert "pass" in sitting.moves
    sitting.do("0 pass")
    assert sitting.paid == [(0, POOL, 1, "T9"), (0, POOL, 3, "T11"), (0, 1, 3, "T11"), (0, 2, 3, "T11")]
    assert sitting.actor == 1  # T13: the pass stands


def test_T10_on_honour_the_withheld_card_brings_it_to_light() -> None:
    hands = {0: "7S 7H", 1: "6S 8H", 2: "8S", 3: "6H 7D"}
    sitting = deal("fan-tan", hands, passing="honour").do("0 pass")
    assert sitting.paid == [(0, POOL, 1, "T9")]
    sitting.do("1 pass", "2 pass", "3 7D")
    assert sitting.do("0 7H").paid == [
        (0, POOL, 3, "T11"),
        (0, 1, 3, "T11"),
        (0, 2, 3, "T11"),
        (0, 3, 3, "T11"),
        (0, 1, 3, "T11"),
    ]
    sitting.do("1 pass", "2 pass", "3 pass")
    assert sitting.do("0 7S").paid == []  # T13: settled once


def test_T10_on_honour_another_card_brings_nothing_to_light() -> None:
    hands = {0: "7S 8D", 1: "6S", 2: "8S", 3: "7D"}
    sitting = deal("fan-tan", hands, passing="honour").do("0 pass", "1 pass", "2 pass", "3 7D")
    assert sitting.do("0 8D").paid == []
    assert sitting.happened("Exposed") == []


def test_T10_on_honour_any_card_withheld_at_that_pass_brings_it_to_light() -> None:
    hands = {0: "7S 8D", 1: "6S", 2: "8S", 3: "7D"}
    sitting = deal("fan-tan", hands, passing="honour").do("0 pass", "1 pass", "2 pass", "3 7D", "0 pass")
    sitting.do("1 pass", "2 pass", "3 pass")
    # 8D was withheld at the second pass only, so the first stays hidden until 7S is laid
    assert sitting.do("0 8D").paid == [(0, POOL, 3, "T11"), (0, 1, 3, "T11"), (0, 2, 3, "T11")]
    sitting.do("1 pass", "2 pass", "3 pass")
    assert sitting.do("0 7S").paid == [(0, POOL, 3, "T11"), (0, 1, 3, "T11"), (0, 2, 3, "T11")]


def test_T10_on_honour_fines_are_paid_before_the_losers_pay() -> None:
    hands = {0: SPADES, 1: "7H 7D 7C", 2: "6H 6D 6C", 3: "8H 8D 8C"}
    sitting = deal("fan-tan", hands, passing="honour", chips=1000, deals=1)
    for card in ["7S", "8S", "9S", "TS", "JS", "QS", "KS", "6S", "5S", "4S", "3S", "2S"]:
        sitting.do(f"0 {card}", "1 pass", "2 pass", "3 pass")
    sitting.do("0 AS")
    fine = [(1, POOL, 3, "T11"), *[(1, 2, 3, "T11"), (1, 3, 3, "T11")] * 3]
    assert sitting.paid == [
        *fine * 12,
        (1, POOL, 13, "T14"),
        (2, POOL, 13, "T14"),
        (3, POOL, 13, "T14"),
        (POOL, 0, 4 + 12 * 3 + 12 * 3 + 39, "T14"),
    ]
    assert len(sitting.happened("Exposed")) == 12


def test_T11_three_to_the_pool_and_three_to_each_neighbour() -> None:
    sitting = deal("fan-tan", {0: "7D", 1: "7S 7H 7C", 3: "6D", 2: "8D"}, passing="fined").do("0 pass")
    assert sitting.paid == [(0, POOL, 1, "T9"), (0, POOL, 3, "T11"), (0, 3, 3, "T11"), (0, 2, 3, "T11")]


def test_T11_one_player_holding_both_gets_six() -> None:
    sitting = deal("fan-tan", {0: "7S", 2: "6S 8S", 3: "7H 7D 7C"}, passing="fined").do("0 pass")
    assert sitting.stacks == [49 - 10, 49, 49 + 6, 49]


def test_T11_the_offender_pays_nothing_for_a_neighbour_that_he_holds() -> None:
    sitting = deal("fan-tan", {0: "7S 6S", 1: "8S", 3: "7H 7D 7C"}, passing="fined").do("0 pass")
    assert sitting.paid == [(0, POOL, 1, "T9"), (0, POOL, 3, "T11"), (0, 1, 3, "T11")]
    sitting = deal("fan-tan", {0: "7S 6S 8S", 3: "7H 7D 7C"}, passing="fined").do("0 pass")
    assert sitting.paid == [(0, POOL, 1, "T9"), (0, POOL, 3, "T11")]


def test_T11_two_sevens_withheld_pool_once() -> None:
    hands = {0: "7C 7H", 1: "6H 8C", 2: "8H", 3: "6C 7S 7D"}
    sitting = deal("fan-tan", hands, passing="fined").do("0 pass")
    assert sitting.paid == [
        (0, POOL, 1, "T9"),
        (0, POOL, 3, "T11"),
        (0, 1, 3, "T11"),  # 6H
        (0, 2, 3, "T11"),  # 8H
        (0, 3, 3, "T11"),  # 6C
        (0, 1, 3, "T11"),  # 8C
    ]


def test_T11_four_sevens_withheld() -> None:
    hands = {0: "7S 7H 7D 7C", 1: "6S 6H 6D 6C 8S 8H 8D 8C"}
    sitting = deal("fan-tan", hands, passing="fined").do("0 pass")
    assert sitting.stacks == [50 - 1 - 1 - 3 - 24, 49 + 24, 49, 49]


def test_T11_a_seven_withheld_with_other_cards_is_one_offence() -> None:
    hands = {0: "7S", 1: "7H 6S 8S", 2: "6H 7D", 3: "8H 7C"}
    sitting = deal("fan-tan", hands, passing="fined").do("0 7S").do("1 pass")
    assert sitting.paid == [(1, POOL, 1, "T9"), (1, POOL, 3, "T11"), (1, 2, 3, "T11"), (1, 3, 3, "T11")]


def test_T12_other_cards_withheld_cost_three_to_the_pool() -> None:
    hands = {0: "7S", 1: "6S 8S", 2: "7H 7D 7C"}
    sitting = deal("fan-tan", hands, passing="fined").do("0 7S").do("1 pass")
    assert sitting.paid == [(1, POOL, 1, "T9"), (1, POOL, 3, "T12")]


def test_T13_several_offences_are_settled_oldest_first_and_once() -> None:
    hands = {0: "7S 8D", 1: "6S", 2: "8S", 3: "7D"}
    sitting = deal("fan-tan", hands, passing="honour").do("0 pass", "1 pass", "2 pass", "3 7D", "0 pass")
    sitting.do("1 pass", "2 pass", "3 pass")
    fine = [(0, POOL, 3, "T11"), (0, 1, 3, "T11"), (0, 2, 3, "T11")]
    assert sitting.do("0 7S").paid == fine * 2
    sitting.do("1 pass", "2 pass", "3 pass")
    assert sitting.do("0 8D").paid == []


def test_T13_the_winner_too_settles_what_is_outstanding() -> None:
    hands = {0: SPADES, 1: "7H 7D 7C", 2: "6H 6D 6C", 3: "8H 8D 8C"}
    sitting = deal("fan-tan", hands, passing="honour", chips=1000, pay_left="off")
    for card in ["7S", "8S", "9S", "TS", "JS", "QS", "KS", "6S", "5S", "4S", "3S", "2S"]:
        sitting.do(f"0 {card}", "1 pass", "2 pass", "3 pass")
    sitting.do("0 pass", "1 pass", "2 pass", "3 pass").do("0 AS")
    fine = [(1, POOL, 3, "T11"), *[(1, 2, 3, "T11"), (1, 3, 3, "T11")] * 3]
    pool = 4 + 12 * 3 + 1 + 3 + 13 * 3 + 3
    assert sitting.paid == [*fine * 12, (0, POOL, 3, "T12"), *fine, (POOL, 0, pool, "T14")]


def test_T14_the_losers_pay_for_each_card_left_and_the_winner_takes_the_pool() -> None:
    sitting = deal("play-or-pay", {0: SPADES}).finish()
    assert sitting.paid[-4:] == [
        (1, POOL, 13, "T14"),
        (2, POOL, 13, "T14"),
        (3, POOL, 13, "T14"),
        (POOL, 0, 4 + 36 + 39, "T14"),
    ]
    assert (sitting.stacks, sitting.view().pool) == ([178, 74, 74, 74], 0)
    assert sitting.happened("DealWon")[0].seat == 0


def test_T14_clockwise_from_the_winners_left() -> None:
    sitting = deal("play-or-pay", {2: SPADES, 0: "AH"}, deals=1)
    sitting = Sitting("play-or-pay", 4).do("chance draw 1 JS")
    sitting.do(shuffle(deal_order({2: SPADES}, [2, 3, 0, 1]), 20), "0 cut 20").finish()
    assert [payer for payer, _, _, clause in sitting.paid if clause == "T14"] == [3, 0, 1, POOL]


def test_T14_cards_left_cost_nothing_without_pay_left() -> None:
    sitting = deal("play-or-pay", {0: SPADES}, pay_left="off").finish()
    assert sitting.paid[-1] == (POOL, 0, 40, "T14")
    assert sitting.stacks == [139, 87, 87, 87]


def test_T14_a_real_deal_ends_with_the_last_card() -> None:
    sitting = deal("fan-tan", {0: SPADES, 1: "7H 7D 7C"})
    counts = {}
    while sitting.phase == "play":
        counts = dict(enumerate(sitting.view().counts))
        actor = sitting.actor
        sitting.do(f"{actor} {sorted(sitting.moves - {'pass'} or {'pass'})[0]}")
    losers = [(actor + i) % 4 for i in (1, 2, 3)] if actor is not None else []
    assert [p for p in sitting.paid if p[0] != POOL] == [(s, POOL, counts[s], "T14") for s in losers]


def test_B009_T14_nobody_plays_after_the_last_card() -> None:
    """Also where the next has one card, and it fits."""
    spades = [rank + "S" for rank in "789TJQK65432A"]
    hearts = [rank + "H" for rank in "789TJQK65432A"]
    sitting = deal("fan-tan", {0: " ".join(spades), 1: " ".join(hearts)})
    for mine, his in zip(spades[:-1], hearts[:-1], strict=True):
        sitting.do(f"0 {mine}", f"1 {his}")
        while sitting.actor != 0:
            sitting.do(f"{sitting.actor} {sorted(sitting.moves - {'pass'} or {'pass'})[0]}")
    left, before, pool = sitting.view().counts, sitting.stacks, sitting.view().pool
    assert left[:2] == (1, 1)
    sitting.do("0 AS")
    assert [paid[:3] for paid in sitting.paid[:-1]] == [(seat, POOL, left[seat]) for seat in (1, 2, 3)]
    assert sitting.stacks[0] == before[0] + pool + sum(left[1:]) and len(sitting.happened("Laid")) == 1
    assert sitting.phase == "shuffle" and sum(sitting.stacks) == 200


@pytest.mark.parametrize("players", [3, 4, 5])
def test_T15_two_deals_for_each_player_or_as_agreed(players: int) -> None:
    assert Sitting("fan-tan", players).view().rules["deals"] == 2 * players
    sitting = deal("fan-tan", {}, players, deals=1).finish()
    view = sitting.view()
    assert (sitting.actor, sitting.phase, view.over) == (None, "over", True)
    assert list(view.winners) == [s for s in range(players) if view.stacks[s] == max(view.stacks)]
    with pytest.raises(cagnotte.Illegal) as caught:
        cagnotte.play(sitting.game, sitting.state, cagnotte.parse(sitting.game, "pass"))
    assert caught.value.clause == "T15"


def test_T15_equal_chips_share_the_place() -> None:
    sitting = deal("play-or-pay", {0: SPADES}, deals=2).finish()
    sitting.do(shuffle(deal_order({1: SPADES}, [1, 2, 3, 0]), 20), "3 cut 20").finish()
    assert sitting.stacks == [152, 152, 48, 48]
    assert list(sitting.view().winners) == [0, 1]


def broke(**rules: Any) -> Sitting:
    """A first deal that takes all chips from seat 0, who is next to deal, and is won by another."""
    hands = {0: "7S AS KS AH KH AD KD AC KC 2H 2D 2C QH", 1: "6S", 2: "8S"}
    sitting = deal("fan-tan", hands, chips=10, passing="fined", **rules).do("0 pass").finish()
    assert sitting.happened("DealWon")[0].seat != 0
    return sitting


def test_T15_without_chips_one_sits_out_as_dealer_cutter_and_player() -> None:
    sitting = broke()
    assert (sitting.stacks[0], sitting.phase) == (0, "shuffle")
    assert sitting.view().dealer == 1
    sitting.do(" ".join(["chance shuffle", *PACK]))
    assert sitting.actor == 3
    sitting.do("3 cut 20")
    assert sitting.actor == 2
    assert list(sitting.view().playing) == [1, 2, 3]
    assert list(sitting.view().counts) == [0, 17, 18, 17]
    assert sitting.paid == [
        (2, POOL, 1, "T4"),
        (3, POOL, 1, "T4"),
        (1, POOL, 1, "T4"),
        (3, POOL, 1, "T6"),
        (1, POOL, 1, "T6"),
    ]
    order = []
    for _ in range(4):
        order.append(sitting.actor)
        sitting.do(f"{sitting.actor} pass")
    assert order == [2, 3, 1, 2]


def test_T15_with_debt_nobody_sits_out() -> None:
    sitting = broke(debt="on")
    assert sitting.stacks[0] < 0
    assert sitting.view().dealer == 0
    sitting.do(" ".join(["chance shuffle", *PACK]), "3 cut 20")
    assert list(sitting.view().counts) == [13] * 4


def test_T15_the_sitting_ends_when_fewer_than_three_can_ante() -> None:
    sitting = deal("play-or-pay", {0: SPADES}, chips=10).finish()
    assert (sitting.stacks, sitting.phase) == ([40, 0, 0, 0], "over")
    assert [over.early for over in sitting.happened("Over")] == [True]
    assert list(sitting.view().winners) == [0]
    sitting = deal("play-or-pay", {0: SPADES}, chips=10, debt="on").finish()
    assert sitting.phase == "shuffle"


def test_T15_two_left_with_chips_are_too_few() -> None:
    hands = {0: "7S AS KS AH KH AD KD AC KC 2H 2D 2C QH 2S QD QC 3H 3D", 1: "6S", 2: "8S"}
    sitting = deal("fan-tan", hands, 3, chips=10, passing="fined").do("0 pass").finish()
    assert sitting.stacks[0] == 0
    assert sitting.phase == "over"
