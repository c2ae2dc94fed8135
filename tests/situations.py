"""Situations for tests: sittings brought to a point with chosen hands, and what then happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import cagnotte

PACK = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
FAMILY = ["fan-tan", "five-or-nine", "earl-of-coventry", "play-or-pay"]
POOL = "pool"
SPADES = " ".join(PACK[:13])


class Sitting:
    """A sitting moved on by the moves of a record, with what the last ones made happen."""

    def __init__(self, name: str, players: int, **rules: Any) -> None:
        self.game: Any = cagnotte.game(name, players=players, **rules)
        self.state: Any = self.game.start()
        self.events: list[Any] = []

    def do(self, *moves: str) -> Sitting:
        self.events = []
        for move in moves:
            who, _, action = move.partition(" ")
            assert self.actor == (cagnotte.CHANCE if who == "chance" else int(who)), move
            self.state, events = cagnotte.play(self.game, self.state, cagnotte.parse(self.game, action))
            self.events += events
        return self

    def refusal(self, action: str) -> str | None:
        """The clause with which the actor's action is refused."""
        with pytest.raises(cagnotte.Illegal) as caught:
            cagnotte.play(self.game, self.state, cagnotte.parse(self.game, action))
        assert caught.value.message
        clause: str | None = caught.value.clause
        return clause

    @property
    def actor(self) -> int | None:
        seat: int | None = self.game.actor(self.state)
        return seat

    @property
    def moves(self) -> set[str]:
        return {str(action) for action in self.game.legal(self.state)}

    def view(self, seat: int | None = None) -> Any:
        return self.game.view(self.state, seat)

    @property
    def stacks(self) -> list[int]:
        return list(self.view().stacks)

    @property
    def phase(self) -> str:
        return str(self.view().phase)

    @property
    def paid(self) -> list[tuple[int | str, int | str, int, str]]:
        """Who paid whom how much and why, in order."""
        paid = [event for event in self.events if type(event).__name__ == "Paid"]
        return [(party(e.payer), party(e.payee), e.chips, e.clause) for e in paid]

    def happened(self, name: str) -> list[Any]:
        return [event for event in self.events if type(event).__name__ == name]

    def finish(self) -> Sitting:
        """Play the deal to its end: the first card that fits, or a pass."""
        events: list[Any] = []
        while self.phase in ("play", "bonus", "open"):
            moves = sorted(self.moves - {"pass"}) or ["pass"]
            events += self.do(f"{self.actor} {moves[0]}").events
        self.events = events
        return self

    def hand(self, seat: int) -> set[str]:
        return {str(card) for card in self.view(seat).hand}


def party(who: int) -> int | str:
    return "pool" if who < 0 else who


def shuffle(dealt: Sequence[str], at: int) -> str:
    """The shuffle which, cut at `at`, is dealt in this order."""
    return " ".join(["chance shuffle", *dealt[52 - at :], *dealt[: 52 - at]])


def deal_order(hands: dict[int, str], order: Sequence[int]) -> list[str]:
    """The order of the pack that gives these hands to the seats, eldest first; other cards as they come."""
    wanted = {seat: cards.split() for seat, cards in hands.items()}
    rest = [card for card in PACK if not any(card in cards for cards in wanted.values())]
    dealt = []
    for i in range(52):
        seat = order[i % len(order)]
        dealt.append(wanted[seat].pop(0) if wanted.get(seat) else rest.pop(0))
    assert not any(wanted.values())
    return dealt


def deal(name: str, hands: dict[int, str], players: int = 4, **rules: Any) -> Sitting:
    """A first deal with these hands; seat 0 is eldest, the last seat deals, the one before it cuts."""
    sitting = Sitting(name, players, **rules)
    dealt = deal_order(hands, range(players))
    return sitting.do(f"chance draw {players - 1} JS", shuffle(dealt, 20), f"{players - 2} cut 20")


def spread(players: int, dealer: int = 0, **rules: Any) -> Sitting:
    """A first spread of Fear: places 0 to 51 hold the pack in order, AS 2S … KC."""
    sitting = Sitting("fear", players, **rules)
    cutter = (dealer + 1) % players
    return sitting.do(f"chance dealer {dealer}", shuffle(PACK, 30), f"{cutter} cut 30")


def turn(sitting: Sitting, places: Sequence[int]) -> Sitting:
    """Whoever is to act turns these places over, one after the other."""
    for place in places:
        sitting.do(f"{sitting.actor} turn {place}")
    return sitting
