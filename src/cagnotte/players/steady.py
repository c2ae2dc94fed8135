"""The steady player: a sensible heuristic for the Fan Tan family that reckons with its own hand only."""

import random
from collections.abc import Sequence
from typing import Any

from cagnotte.fantan_terms import Lay


def steady(view: Any, told: Sequence[Any], rng: random.Random) -> Any:
    """The card that needs the most foreign cards to fall before the farthest own one can go.

    Fear, and the cut, leave nothing to skill: there any move will do. It never passes wrongly (T10).
    """
    lays = [move for move in view.moves if type(move) is Lay]
    if not lays:
        return rng.choice(view.moves)
    if len(lays) == 1:
        return lays[0]
    hand = sum([1 << card.index for card in view.hand])
    return max(lays, key=lambda lay: _worth(lay.card.index, hand))


def _worth(index: int, hand: int) -> int:
    suit, rank = index // 13 * 13, index % 13
    above = (hand >> suit & 8191) >> rank + 1
    return above.bit_length() - above.bit_count()
