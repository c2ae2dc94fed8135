"""The steady player: a sensible heuristic for the Fan Tan family that reckons with its own hand only.

Three things decide. A card is worth laying for the foreign cards that must still fall before the farthest
own card behind it can go, and costs what it opens to others alone; so king and ace wait, as moves that open
nothing. The rank that opens the suits is the one that brings the own cards nearest. In Play or Pay whoever
lays the last card of a suit leads the next, so a suit is led with the card above an own one.
"""

import random
from collections.abc import Sequence
from typing import Any, Final

from cagnotte.fantan import PASS, Lay, bits_of
from cagnotte.layout import SUIT

SUITS: Final = (0, 13, 26, 39)  # the place of each suit's ace among the bits of a hand


def steady(view: Any, told: Sequence[Any], rng: random.Random) -> Any:
    """The best move by these rules of thumb; it never passes wrongly (T10).

    Fear, and the cut, leave nothing to skill: there any move will do.
    """
    lays = [move for move in view.moves if type(move) is Lay]
    if not lays:
        return rng.choice(view.moves)
    if view.phase == "bonus":  # the bonus card only opens doors, and to decline is free (E3): so win or wait
        return PASS if len(view.hand) > 1 else lays[0]
    if len(lays) == 1:
        return lays[0]
    hand = bits_of(view.hand)
    if view.game == "play-or-pay":
        alone = any(not hand & ~(SUIT << suit) for suit in SUITS)
        return max(lays, key=lambda lay: _lead(lay.card.index, hand, alone))
    start, last = view.starts[0].rank, view.starts[-1].rank
    if start == last:
        return max(lays, key=lambda lay: _worth(lay.card.index, hand, start - 1))
    start = min(sorted({lay.card.rank for lay in lays}), key=lambda rank: _cost(rank - 1, hand))
    return max(
        (lay for lay in lays if lay.card.rank == start),
        key=lambda lay: _worth(lay.card.index, hand, start - 1),
    )


def _worth(index: int, hand: int, start: int) -> int:
    """Two points for each foreign card between this and the farthest own one on each way that it opens.

    On a way without own cards, one point off for each card that it opens, the card itself included.
    """
    suit, rank = divmod(index, 13)
    cards, worth = hand >> 13 * suit & SUIT, 0
    if rank >= start:
        above = cards >> rank + 1
        worth += 2 * (above.bit_length() - above.bit_count()) if above else rank - 13
    if rank <= start:
        below = cards & (1 << rank) - 1
        worth += 2 * (rank - _lowest(below) - below.bit_count()) if below else -1 - rank
    return worth


def _cost(start: int, hand: int) -> int:
    """What a start rank costs: two points for each foreign card before the farthest own one on each way.

    A foreign start card counts as well, and on a way without own cards each of them costs a point.
    """
    cost = 0
    for suit in SUITS:
        cards = hand >> suit & SUIT
        above, below, foreign = cards >> start + 1, cards & (1 << start) - 1, 1 - (cards >> start & 1)
        cost += 2 * (above.bit_length() - above.bit_count() + foreign) if above else 12 - start
        cost += 2 * (start - _lowest(below) - below.bit_count() + foreign) if below else start
    return cost


def _lead(index: int, hand: int, alone: bool) -> tuple[bool, int, int]:
    """Whether the suit's last card is an own one, how many are, and how soon the farthest of them goes (P3).

    With this suit `alone` in hand there is nothing left to lead for, and only the last counts.
    """
    suit, rank = divmod(index, 13)
    cards = hand >> 13 * suit & SUIT
    turned = (
        cards >> rank | cards << 13 - rank
    ) & SUIT  # the card led is the lowest bit, its last the highest
    return not alone and bool(turned >> 12), cards.bit_count(), -turned.bit_length()


def _lowest(cards: int) -> int:
    return (cards & -cards).bit_length() - 1
