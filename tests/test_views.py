"""A view, whole: every field, for the player to act, for another, and for an onlooker."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from situations import PACK, Sitting, deal, spread, turn

import cagnotte
from cagnotte import fantan_terms as terms
from cagnotte import fear
from cagnotte.cards import CARD, Card
from cagnotte.core import CHANCE
from cagnotte.fantan_terms import CUTS, LAY, PASS


def cards(text: str) -> tuple[Card, ...]:
    return tuple(CARD[word] for word in text.split())


HOUSE = {"chips": 50, "deals": 8, "passing": "forbidden", "extra_ante": "on", "pay_left": "on", "debt": "off"}
NOTHING = {"S": (), "H": (), "D": (), "C": ()}
SEVENS = cards("7S 7H 7D 7C")


def test_a_view_of_fan_tan() -> None:
    hands = {0: "7S 8S AH 2H 3H 4H 5H 6H", 1: "7H 6S", 2: "7D", 3: "7C"}
    sitting = deal("fan-tan", hands, passing="honour").do("0 7S", "1 pass", "2 pass", "3 pass", "0 8S")
    hand = sitting.hand(1)
    seen: dict[str, Any] = {
        "game": "fan-tan",
        "rules": HOUSE | {"passing": "honour"},
        "actor": 1,
        "phase": "play",
        "stacks": (49, 48, 48, 48),
        "pool": 7,
        "dealer": 3,
        "over": False,
        "winners": (),
        "deal": 1,
        "deals": 8,
        "playing": (0, 1, 2, 3),
        "laid": NOTHING | {"S": cards("7S 8S")},
        "counts": (11, 13, 13, 13),
        "starts": SEVENS,
        "shown": (),
    }
    others: dict[str, Any] = {"moves": (), "fine": 0}
    in_hand = tuple(CARD[card] for card in PACK if card in hand)
    moves = (*(LAY[CARD[card].index] for card in ("6S", "9S", "7H")), PASS)
    assert sitting.view(1) == terms.View(seat=1, hand=in_hand, moves=moves, price=1, fine=9, **seen)
    held = tuple(CARD[card] for card in PACK if card in sitting.hand(3))
    assert len(held) == 13 and sitting.view(3) == terms.View(seat=3, hand=held, price=1, **others, **seen)
    assert sitting.view(None) == terms.View(seat=None, hand=(), price=0, **others, **seen)


@pytest.mark.parametrize("passing", ["forbidden", "honour", "fined"])
def test_T11_T12_the_price_of_a_wrong_pass_is_told_to_whom_it_concerns(passing: str) -> None:
    """Three to the pool, three for each neighbour of a seven that he does not hold, and not to whom."""
    for hand, fine in (("7S", 9), ("7S 6S", 6), ("7S 6S 8S", 3), ("7S 7H", 15)):
        sitting = deal("fan-tan", {0: f"{hand} AS 2S", 1: "7D", 2: "7C"}, passing=passing)
        told = [(sitting.view(seat).price, sitting.view(seat).fine) for seat in (0, 1, None)]
        assert told == [(1, 0 if passing == "forbidden" else fine), (1, 0), (0, 0)]
        if passing == "fined":
            assert sum(chips for *_, chips, clause in sitting.do("0 pass").paid if clause != "T9") == fine


@pytest.mark.parametrize(
    ("chips", "debt", "fine"), [(9, "off", 8), (3, "off", 2), (1, "off", 0), (1, "on", 9)]
)
def test_C3_the_fine_that_is_told_is_what_the_pass_leaves(chips: int, debt: str, fine: int) -> None:
    sitting = deal("fan-tan", {0: "7S AS 2S", 1: "7D", 2: "7C"}, passing="fined", debt=debt)
    bank = replace(sitting.state.bank, stacks=(chips, 49, 49, 49))
    sitting.state = replace(sitting.state, bank=bank)
    assert sitting.view(0).fine == fine
    assert sum(chips for *_, chips, clause in sitting.do("0 pass").paid if clause != "T9") == fine


def test_T11_no_fine_is_told_where_no_pass_is_false() -> None:
    """E3: a bonus card may be declined, whatever would fit."""
    sitting = deal("earl-of-coventry", {0: "AS KS"}, passing="fined")
    laid = ["2S", "3S", "4S", "5S", "6S", "7S", "7H", "7D", "7C"]
    bits, starts = (sum(1 << CARD[card].index for card in of) for of in (laid, laid[5:]))
    order = tuple(CARD[card] for card in laid)
    offered = replace(sitting.state, phase="bonus", laid=bits, starts=starts, order=order)
    assert "AS" in map(str, sitting.game.view(offered, 0).moves)
    assert sitting.game.view(offered, 0).fine == 0


def test_C3_the_price_of_a_pass_is_what_one_has() -> None:
    for chips, debt, price in ((1, "off", 1), (0, "off", 0), (0, "on", 1)):
        sitting = deal("fan-tan", {}, debt=debt)
        bank = replace(sitting.state.bank, stacks=(chips, 49, 49, 49))
        assert sitting.game.view(replace(sitting.state, bank=bank), 0).price == price


def test_a_view_before_the_deal_and_after_it() -> None:
    start = Sitting("play-or-pay", 3, deals=2)
    seen: dict[str, Any] = {
        "game": "play-or-pay",
        "rules": HOUSE | {"chips": 100, "deals": 2},
        "hand": (),
        "over": False,
        "winners": (),
        "deals": 2,
        "laid": NOTHING,
        "counts": (0, 0, 0),
        "starts": (),
        "shown": (),
        "price": 0,
        "fine": 0,
    }
    begin = seen | {"stacks": (100, 100, 100), "pool": 0, "actor": CHANCE, "moves": (), "seat": 2}
    assert start.view(2) == terms.View(phase="draw", dealer=None, deal=0, playing=(), **begin)
    start.do("chance draw 0 9S JD")
    assert start.view(2) == terms.View(phase="shuffle", dealer=1, deal=1, playing=(0, 1, 2), **begin)
    start.do("chance shuffle " + " ".join(PACK))
    assert start.view(0) == terms.View(
        **begin | {"actor": 0, "moves": CUTS, "seat": 0}, phase="cut", dealer=1, deal=1, playing=(0, 1, 2)
    )
    view = start.do("0 cut 20").view(2)
    assert start.state.pack == ()
    assert (view.starts, view.counts, view.actor) == (tuple(map(CARD.get, PACK)), (17, 17, 18), 2)
    after = start.finish().view(None)
    assert (after.phase, after.deal, after.dealer) == ("shuffle", 2, 2)
    assert sum(map(len, after.shown)) + sum(map(len, after.laid.values())) == 52
    assert after.counts == tuple(map(len, after.shown))
    assert start.state.pack == ()
    bank = start.state.bank
    start.do("chance shuffle " + " ".join(PACK))
    assert start.state == terms.State(
        bank, phase="cut", actor=1, dealer=2, deal=2, playing=(0, 1, 2), pack=cagnotte.PACK
    )
    assert start.view(2).shown == () and start.view(2).laid == NOTHING and start.view(2).starts == ()


def test_a_view_when_all_is_over() -> None:
    view = deal("earl-of-coventry", {}, deals=1).finish().view(1)
    assert (view.over, view.actor, view.phase, view.moves, view.pool) == (True, None, "over", (), 0)
    assert view.winners == tuple(s for s, chips in enumerate(view.stacks) if chips == max(view.stacks))
    assert len(view.starts) == 4 and len(view.hand) == view.counts[1] == len(view.shown[1])


@pytest.mark.parametrize("seat", [0, 2, None])
def test_a_view_of_fear(seat: int | None) -> None:
    """Seat 2 turned an ace, seat 1 the fear, and is to name; then all is over."""
    sitting = turn(spread(3, stake=1).do("0 fear 3S"), [0, 2])
    up = tuple(CARD[card] if place in (0, 2) else None for place, card in enumerate(PACK))
    seen: dict[str, Any] = {
        "game": "fear",
        "rules": {"stake": 1},
        "seat": seat,
        "actor": 1,
        "phase": "name",
        "moves": (),
        "stacks": (1, 0, 1),
        "pool": 1,
        "dealer": 0,
        "over": False,
        "winners": (),
        "spread": 1,
        "places": up,
        "fear": None,
    }
    assert sitting.view(seat) == fear.View(**seen)
    down = tuple(fear.NAME[place] for place in range(52) if place not in (0, 2))
    assert sitting.view(1) == fear.View(**seen | {"seat": 1, "moves": down})
    sitting.do("1 fear KC")
    turned = seen | {"actor": 0, "phase": "turn", "fear": CARD["KC"]}
    if seat == 0:
        turned["moves"] = tuple(fear.TURN_OVER[place] for place in range(52) if place not in (0, 2))
    assert sitting.view(seat) == fear.View(**turned)
    sitting.do("0 turn 51")
    over: dict[str, Any] = {"actor": None, "phase": "over", "moves": (), "stacks": (0, 0, 3), "pool": 0}
    over |= {"over": True, "winners": (2,), "fear": None, "places": (*up[:51], CARD["KC"])}
    assert sitting.view(seat) == fear.View(**turned | over)


def test_a_view_of_fear_before_the_spread() -> None:
    sitting = Sitting("fear", 7)
    view = sitting.view(3)
    assert (view.places, view.fear, view.spread, view.dealer, view.phase) == ((), None, 0, None, "dealer")
    sitting.do("chance dealer 6", "chance shuffle " + " ".join(PACK))
    view = sitting.view(0)
    assert (view.places, view.phase, view.dealer, view.moves) == ((), "cut", 6, fear.CUTS)
    assert view.rules == {"stake": 1} and view.stacks == (1,) * 7
    assert sitting.do("0 cut 20").state.pack == ()


def test_F10_a_new_spread_begins_anew() -> None:
    """B003: nothing of the spread before is left but chips, pool and who gathered."""
    sitting = turn(spread(3, stake=9).do("0 fear KC"), range(52))
    bank, dealer = sitting.state.bank, sitting.state.dealer
    sitting.do("chance shuffle " + " ".join(PACK))
    expected = fear.State(bank, phase="cut", actor=(dealer + 1) % 3, dealer=dealer, spread=1)
    assert sitting.state == replace(expected, pack=cagnotte.PACK)
