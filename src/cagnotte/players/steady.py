"""The steady player: a sensible heuristic for the Fan Tan family that reckons with its own hand only.

Three things decide. A card is worth laying for the foreign cards that must still fall before the farthest
own card behind it can go, and costs what it opens to others alone; so king and ace wait, as moves that open
nothing. The rank that opens the suits is the one that brings the own cards nearest. In Play or Pay whoever
lays the last card of a suit leads the next, so a suit is led with the card above an own one.

What decides is also the reason that is given: each move comes as a `Hint`.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cagnotte.cards import PACK, Card
from cagnotte.fantan import PASS, Lay, bits_of
from cagnotte.layout import SUIT

SUITS: Final = (0, 13, 26, 39)  # the place of each suit's ace among the bits of a hand
# The cards of others that a way opens, and the rank of the farthest own one behind them.
Way = tuple[int, int | None]


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
    found = best(view)
    return rng.choice(view.moves) if found is None else found.action


def best(view: Any) -> Hint | None:
    """The best move with its reason; None where nothing is left to skill."""
    if view.phase not in ("play", "bonus", "open"):
        return None
    lays = [move for move in view.moves if type(move) is Lay]
    if len(view.hand) == 1 and lays:
        return _lay(lays[0], "hint.wins")
    if view.phase == "bonus":  # the bonus card only opens doors, and to decline is free (E3): so win or wait
        return Hint(PASS, "hint.decline" if lays else "hint.nothing", {})
    if not lays:
        broke = not view.stacks[view.seat] and view.rules["debt"] == "off"
        return Hint(PASS, "hint.pass", {"n": 0 if broke else 1})
    if len(lays) == 1:
        return _lay(lays[0], "hint.only")
    hand = bits_of(view.hand)
    if view.game == "play-or-pay":
        return _best_lead(lays, hand)
    ranks = sorted({lay.card.rank - 1 for lay in lays})
    if view.starts[0].rank == view.starts[-1].rank:  # what opens the suits is settled
        return _best_lay(lays, hand, view.starts[0].rank - 1)
    start = min(ranks, key=lambda rank: _cost(_ways_from(rank, hand)))
    found = _best_lay([lay for lay in lays if lay.card.rank - 1 == start], hand, start)
    return found if len(ranks) == 1 else _lay(found.action, "hint.begin")


def _lay(lay: Lay, key: str, **values: object) -> Hint:
    return Hint(lay, key, {"card": lay.card, **values})


def _best_lay(lays: Sequence[Lay], hand: int, start: int) -> Hint:
    """The lay of the most worth: for the way that it opens to own cards, or since it gives others least."""
    ways = {lay: _ways(lay.card.index, hand, start) for lay in lays}
    lay = max(lays, key=lambda lay: _worth(ways[lay]))
    foreign, own = max(ways[lay], key=lambda way: (way[1] is not None, way[0]))
    if own is None:
        return _lay(lay, "hint.least", n=sum(opened for opened, _ in ways[lay]))
    far, waiting = _card(lay.card, own), [lay for lay in lays if ways[lay] == [(0, None)]]
    if waiting:
        return _lay(lay, "hint.keep", n=foreign, far=far, keep=waiting[0].card)
    return _lay(lay, "hint.way", n=foreign, far=far)


def _worth(ways: Sequence[Way]) -> int:
    """Two points for each foreign card between this and the farthest own one on each way that it opens.

    On a way without own cards, one point off for each card that it opens, the card itself included.
    """
    return sum([-1 - foreign if own is None else 2 * foreign for foreign, own in ways])


def _cost(ways: Sequence[Way]) -> int:
    """What a start rank costs: two points for each foreign card before the farthest own one on each way.

    On a way without own cards each of them costs a point.
    """
    return sum([foreign if own is None else 2 * foreign for foreign, own in ways])


def _ways(index: int, hand: int, start: int) -> list[Way]:
    """The ways that a card opens: upward, downward, or from a start card both."""
    suit, rank = divmod(index, 13)
    cards, ways = hand >> 13 * suit & SUIT, []
    if rank >= start:
        ways.append(_up(cards, rank))
    if rank <= start:
        ways.append(_down(cards, rank))
    return ways


def _ways_from(start: int, hand: int) -> list[Way]:
    """All ways from the start cards of this rank; before own cards a foreign start card must fall as well."""
    ways = []
    for suit in SUITS:
        cards = hand >> suit & SUIT
        first = 1 - (cards >> start & 1)
        for foreign, own in (_up(cards, start), _down(cards, start)):
            ways.append((foreign if own is None else foreign + first, own))
    return ways


def _up(cards: int, rank: int) -> Way:
    above = cards >> rank + 1
    if above:
        return above.bit_length() - above.bit_count(), rank + above.bit_length()
    return 12 - rank, None


def _down(cards: int, rank: int) -> Way:
    below = cards & (1 << rank) - 1
    if below:
        lowest = (below & -below).bit_length() - 1
        return rank - lowest - below.bit_count(), lowest
    return rank, None


def _best_lead(lays: Sequence[Lay], hand: int) -> Hint:
    """The lead of a suit whose last card is an own one, or of the longest (P3).

    With one suit alone in hand there is nothing left to lead for, and only the own last card counts.
    """
    alone = any(not hand & ~(SUIT << suit) for suit in SUITS)
    leads = {lay: _lead(lay.card.index, hand, alone) for lay in lays}
    lay = max(lays, key=lambda lay: leads[lay])
    keeps, own, nearest = leads[lay]
    if keeps or alone:
        far = _card(lay.card, (lay.card.rank - 2 - nearest) % 13)
        return _lay(lay, "hint.lead.last" if keeps else "hint.lead.alone", far=far)
    return _lay(lay, "hint.lead.longest", n=own)


def _lead(index: int, hand: int, alone: bool) -> tuple[bool, int, int]:
    """Whether the suit's last card is an own one, how many are, and how soon the farthest goes (P3)."""
    suit, rank = divmod(index, 13)
    cards = hand >> 13 * suit & SUIT
    # The card led is the lowest bit, the suit's last the highest.
    turned = (cards >> rank | cards << 13 - rank) & SUIT
    return not alone and bool(turned >> 12), cards.bit_count(), -turned.bit_length()


def _card(card: Card, rank: int) -> Card:
    """The card of this suit whose rank counts from 0."""
    return PACK[card.index - card.rank + 1 + rank]
