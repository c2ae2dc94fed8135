"""What a player reads when an action is refused: the clause, and one sentence that names what is wrong."""

from __future__ import annotations

import pickle

import pytest
from situations import PACK, Sitting, deal, spread, turn

import cagnotte
from cagnotte import fear
from cagnotte.core import Cut, Shuffle


def refusal(sitting: Sitting, text: str) -> tuple[str | None, str]:
    """The clause and the sentence with which the actor's action is refused."""
    kept = pickle.dumps(sitting.state)
    with pytest.raises(cagnotte.Illegal) as caught:
        cagnotte.play(sitting.game, sitting.state, cagnotte.parse(sitting.game, text))
    assert pickle.dumps(sitting.state) == kept
    return caught.value.clause, caught.value.message


def test_wrong_kinds_of_actions_are_told_what_is_due() -> None:
    empty, shuffled = Sitting("fan-tan", 4), Sitting("fan-tan", 4).do("chance draw 3 JS")
    cut = Sitting("fan-tan", 4).do("chance draw 3 JS", "chance shuffle " + " ".join(PACK))
    assert refusal(empty, "7S") == ("T2", "7S is refused: the first dealer is to be drawn")
    assert refusal(shuffled, "cut 9") == ("T3", "cut 9 is refused: the pack is to be shuffled")
    assert refusal(cut, "pass") == ("T3", "pass is refused: the pack is to be cut")
    assert refusal(deal("fan-tan", {}), "cut 9") == ("T8", "cut 9 is refused: a card is to be laid, or pass")
    begun, opened = Sitting("fear", 3), Sitting("fear", 3).do("chance dealer 0")
    assert refusal(begun, "turn 1") == ("F12", "turn 1 is refused: the dealer is to be drawn")
    assert refusal(opened, "turn 1") == ("F3", "turn 1 is refused: the pack is to be shuffled")
    packed = opened.do("chance shuffle " + " ".join(PACK))
    assert refusal(packed, "turn 1") == ("F3", "turn 1 is refused: the pack is to be cut")
    assert refusal(spread(3), "turn 1") == ("F4", "turn 1 is refused: the fear is to be named")
    named = spread(3).do("0 fear AS")
    assert refusal(named, "fear 2S") == ("F6", "fear 2S is refused: a card is to be turned over")
    over = turn(spread(2, stake=1).do("0 fear AS"), [0])
    assert refusal(over, "turn 1") == ("F11", "turn 1 is refused: the game is over")
    finished = deal("fan-tan", {}, deals=1).finish()
    assert refusal(finished, "pass") == ("T15", "pass is refused: the sitting is over")


def test_a_long_action_is_quoted_in_part() -> None:
    sitting = deal("fan-tan", {})
    with pytest.raises(cagnotte.Illegal) as caught:
        cagnotte.play(sitting.game, sitting.state, Shuffle(cagnotte.PACK))
    quoted = ("shuffle " + " ".join(PACK))[:40]
    assert caught.value.message == f"{quoted} is refused: a card is to be laid, or pass"
    with pytest.raises(cagnotte.Illegal) as caught:
        cagnotte.play(spread(3).game, spread(3).state, Shuffle(cagnotte.PACK))
    assert caught.value.message == f"{quoted} is refused: the fear is to be named"


def test_T8_T7_cards_that_do_not_fit() -> None:
    sitting = deal("fan-tan", {0: "7S 9S AD", 1: "8S"})
    assert refusal(sitting, "9S") == ("T7", "9S cannot be laid on the empty table")
    assert refusal(sitting, "8S") == ("T8", "8S is not in your hand")
    assert refusal(sitting, "pass") == ("T10", "pass is refused while you can lay a card, such as 7S")
    assert refusal(sitting.do("0 7S"), "9S") == ("T8", "9S is not in your hand")
    honour = deal("fan-tan", {0: "7S 9S AD", 1: "8S"}, passing="honour")
    honour.do("0 7S", "1 pass", "2 pass", "3 pass")
    assert refusal(honour, "9S") == ("T8", "9S does not fit: 8S has to lie there first")
    assert refusal(honour, "AD") == ("T8", "AD does not fit: 2D has to lie there first")


def test_T10_the_card_that_could_be_laid_is_the_first_in_the_order_of_the_pack() -> None:
    sitting = deal("earl-of-coventry", {0: "KC 4H 3S"})
    assert refusal(sitting, "pass")[1].endswith("such as 3S")
    only = deal("fan-tan", {0: "7C 7D", 1: "7S 7H"})
    assert refusal(only, "pass")[1].endswith("such as 7D")


def test_N1_the_first_card_is_a_five_or_a_nine() -> None:
    sitting = deal("five-or-nine", {0: "5S 7S"})
    assert refusal(sitting, "7S") == ("N1", "7S cannot be laid on the empty table")


def test_P2_P3_P4_one_suit_upward() -> None:
    sitting = deal("play-or-pay", {0: "8S KS 2H", 1: "9S 8H TS", 2: "QS", 3: "QD"}, passing="honour")
    sitting.do("0 8S")
    assert refusal(sitting, "TS") == ("P3", "TS does not fit: the next card is 9S")
    assert refusal(sitting, "8H") == ("P2", "8H does not fit: the next card is 9S")
    more = deal("play-or-pay", {0: " ".join(PACK[:12]) + " 2H", 1: "KS 4D"}, passing="honour")
    for card in PACK[:11]:
        more.do(f"0 {card}", "1 pass", "2 pass", "3 pass")
    more.do("0 QS", "1 KS")
    assert more.phase == "open"
    assert refusal(more, "pass") == ("P4", "whoever completes a suit begins another: pass is refused")
    assert refusal(more, "KS") == ("P4", "KS is not in your hand")
    assert refusal(more, "cut 9") == ("P4", "cut 9 is refused: a new suit is to be begun")


def test_E3_the_bonus_card() -> None:
    sitting = deal("earl-of-coventry", {0: "7S 7H", 1: "7D", 2: "7C 8C"}, passing="honour")
    sitting.do("0 7S", "1 7D", "2 pass", "3 pass", "0 7H", "1 pass", "2 7C")
    assert (sitting.phase, sitting.actor) == ("bonus", 2)
    assert refusal(sitting, "8C") == ("E3", "8C does not fit any of the three other suits")
    assert refusal(sitting, "KS") == ("E3", "KS is not in your hand")
    assert refusal(sitting, "cut 9") == ("E3", "cut 9 is refused: a bonus card is to be laid, or pass")


def test_F4_F6_cards_and_places_of_fear() -> None:
    sitting = turn(spread(3).do("0 fear KC"), [0, 5])
    assert refusal(sitting, "turn 5") == ("F6", "the card in place 5 is face up already")
    assert refusal(sitting, "turn 52") == ("F6", "there is no place 52")
    sitting.do(f"{sitting.actor} turn 51")
    assert refusal(sitting, "fear AS") == ("F4", "AS is not face down")
    assert refusal(sitting, "fear KC") == ("F4", "KC is not face down")
    named = spread(3).do("0 fear KC")
    with pytest.raises(cagnotte.Illegal, match="there is no place -1"):
        cagnotte.play(named.game, named.state, fear.TurnOver(-1))


def test_C1_C2_packs_and_texts() -> None:
    fan_tan, game = Sitting("fan-tan", 4).do("chance draw 3 JS"), Sitting("fear", 3).do("chance dealer 0")
    for sitting in (fan_tan, game):
        pack = " ".join(PACK)
        assert refusal(sitting, "shuffle " + pack[:-3]) == ("C1", "a pack has 52 cards, not 51")
        assert refusal(sitting, "shuffle " + pack + " 9D") == ("C1", "9D is there twice")
        assert refusal(sitting, "shuffle " + pack.replace("TC", "X")) == ("C2", "'X' is not a card")
        assert refusal(sitting, "cut 1 0") == (
            "C2",
            "'cut 1 0' is not a card" if sitting is fan_tan else "'cut 1 0' is not a move of this game",
        )
        assert refusal(sitting, "cut x") == ("C2", "'x' is not a number")
        assert refusal(sitting, "cut 00009") == ("C2", "'00009' is not a number")
    for text in ("turn  5", " turn 5", "turn 5 ", "turn\t5", "TURN 5", "turn", "turn five", "", "x" * 90):
        assert refusal(game, text)[0] == "C2"
        assert len(refusal(game, text)[1]) < 60
    for text in ("draw  0 JS", " pass", "pass ", "PASS", "lay 7S", "7 S", "", "fear JS"):
        assert refusal(fan_tan, text)[0] == "C2"


def test_T3_F3_cuts() -> None:
    fan_tan = Sitting("fan-tan", 4).do("chance draw 3 JS", "chance shuffle " + " ".join(PACK))
    game = Sitting("fear", 3).do("chance dealer 0", "chance shuffle " + " ".join(PACK))
    said = "a cut leaves at least five cards in each packet: {} does not"
    for at in (-1, 0, 4, 48, 52):
        with pytest.raises(cagnotte.Illegal) as caught:
            cagnotte.play(fan_tan.game, fan_tan.state, Cut(at))
        assert (caught.value.clause, caught.value.message) == ("T3", said.format(at))
    for at in (-1, 0, 52):
        with pytest.raises(cagnotte.Illegal) as caught:
            cagnotte.play(game.game, game.state, Cut(at))
        assert (caught.value.clause, caught.value.message) == (
            "F3",
            f"a cut leaves a card in each packet: {at} does not",
        )


def test_T2_F12_seats_that_are_not_there() -> None:
    assert refusal(Sitting("fan-tan", 4), "draw 4 JS") == ("T2", "there is no seat 4")
    assert refusal(Sitting("fear", 4), "dealer 4") == ("F12", "there is no seat 4")
    assert refusal(Sitting("fan-tan", 4), "draw 3 7S") == ("T2", "the draw ends with the first jack")
    assert refusal(Sitting("fan-tan", 4), "draw 3 JH JS") == ("T2", "the draw ends with the first jack")
    assert refusal(Sitting("fan-tan", 4), "draw 3 7S 7S JS") == ("C1", "7S is there twice")
