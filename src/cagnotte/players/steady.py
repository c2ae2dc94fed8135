"""The steady player: a sensible heuristic for the Fan Tan family that reckons with its own hand only.

Three things decide. A card is worth laying for the foreign cards that must still fall before the farthest
own card behind it can go, and costs what it opens to others alone; so king and ace wait, as moves that open
nothing. The rank that opens the suits is the one that brings the own cards nearest. In Play or Pay whoever
lays the last card of a suit leads the next, so a suit is led with the card above an own one.

`ways` decides, and what it reckons with is also the reason that is given: each move comes as a `Hint`.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cagnotte.cards import PACK, Card
from cagnotte.fantan import bits_of
from cagnotte.fantan_terms import LAY, PASS, Lay
from cagnotte.layout import SUIT
from cagnotte.players import ways

# The cards of others that a way opens, and the rank of the farthest own one behind them or `ways.NONE`.
Way = tuple[int, int]
NOTHING: Final = [(0, ways.NONE)]  # the ways of a king or an ace


@dataclass(frozen=True, slots=True)
class Hint:
    """A move, or None where any will do, and why: a key of the catalogue and the values for its text."""

    action: Any
    key: str
    values: Mapping[str, Any]


def steady(view: Any, told: Sequence[Any], rng: random.Random) -> Any:
    """The best move by these rules of thumb; it never passes wrongly (T10).

    Fear, and the cut, leave nothing to skill: there any move will do.
    """
    if view.phase not in ("play", "bonus", "open"):
        return rng.choice(view.moves)
    card = _choice(view, bits_of(view.hand), _lays(view))
    return PASS if card == ways.NONE else LAY[card]


def best(view: Any) -> Hint | None:
    """The best move with its reason; None where nothing is left to skill."""
    if view.phase not in ("play", "bonus", "open"):
        return None
    hand, lays = bits_of(view.hand), _lays(view)
    card = _choice(view, hand, lays)
    if card == ways.NONE:
        if view.phase == "bonus":
            return Hint(PASS, "hint.decline" if lays else "hint.nothing", {})
        broke = not view.stacks[view.seat] and view.rules["debt"] == "off"
        return Hint(PASS, "hint.pass", {"n": 0 if broke else 1})
    lay = LAY[card]
    if len(view.hand) == 1:
        return _lay(lay, "hint.wins")
    if len(lays) == 1:
        return _lay(lay, "hint.only")
    if view.game == "play-or-pay":
        return _why_lead(lay, hand)
    if view.starts[0].rank == view.starts[-1].rank:
        return _why_lay(lay, lays, hand, view.starts[0].rank - 1)
    if len({each.card.rank for each in lays}) > 1:
        return _lay(lay, "hint.begin")
    return _why_lay(lay, lays, hand, lay.card.rank - 1)


def _lays(view: Any) -> list[Lay]:
    return [move for move in view.moves if type(move) is Lay]


def _choice(view: Any, hand: int, lays: Sequence[Lay]) -> int:
    fits, starts = bits_of([lay.card for lay in lays]), bits_of(view.starts)
    return ways.choice(hand, fits, starts, view.game == "play-or-pay", view.phase == "bonus")


def _lay(lay: Lay, key: str, **values: object) -> Hint:
    return Hint(lay, key, {"card": lay.card, **values})


def _why_lay(lay: Lay, lays: Sequence[Lay], hand: int, start: int) -> Hint:
    """For the way that it opens to own cards, or since it gives others least."""
    opened = _ways(lay.card.index, hand, start)
    foreign, own = max(opened, key=lambda way: (way[1] != ways.NONE, way[0]))
    if own == ways.NONE:
        return _lay(lay, "hint.least", n=sum(cards for cards, _ in opened))
    far = _card(lay.card, own)
    waiting = next((other.card for other in lays if _ways(other.card.index, hand, start) == NOTHING), None)
    if waiting:
        return _lay(lay, "hint.keep", n=foreign, far=far, keep=waiting)
    return _lay(lay, "hint.way", n=foreign, far=far)


def _ways(card: int, hand: int, start: int) -> list[Way]:
    """The ways that a card opens: upward, downward, or from a start card both."""
    suit, rank = divmod(card, 13)
    cards, opened = hand >> 13 * suit & SUIT, []
    if rank >= start:
        opened.append(ways.up(cards, rank))
    if rank <= start:
        opened.append(ways.down(cards, rank))
    return opened


def _why_lead(lay: Lay, hand: int) -> Hint:
    """For a suit that ends with an own card, or for the longest (P3)."""
    alone = ways.one_suited(hand)
    keeps, own, nearest = ways.lead(lay.card.index, hand, alone)
    if keeps or alone:
        far = _card(lay.card, (lay.card.rank - 2 - nearest) % 13)
        return _lay(lay, "hint.lead.last" if keeps else "hint.lead.alone", far=far)
    return _lay(lay, "hint.lead.longest", n=own)


def _card(card: Card, rank: int) -> Card:
    """The card of this suit whose rank counts from 0."""
    return PACK[card.index - card.rank + 1 + rank]
