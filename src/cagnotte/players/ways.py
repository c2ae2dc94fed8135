"""What the steady player reckons with: the ways that a card opens, and which card he lays.

Plain functions of ints, as in `layout`, so that the same file is interpreted for the bot and its hints and
compiled for simulation. Cards are numbers from 0 to 51, or sets of them as bits; ranks count from 0. A way
is a pair: the cards of others that it opens, and the rank of the farthest own one behind them, or NONE.
"""

from cagnotte.layout import SUIT, one_rank, rank_mask

NONE = -1


def up(cards: int, rank: int) -> tuple[int, int]:
    """The way upward from this rank, for a hand with these cards of the suit."""
    above = cards >> rank + 1
    if above:
        return above.bit_length() - above.bit_count(), rank + above.bit_length()
    return 12 - rank, NONE


def down(cards: int, rank: int) -> tuple[int, int]:
    """The way downward from this rank, for a hand with these cards of the suit."""
    below = cards & (1 << rank) - 1
    if below:
        lowest = (below & -below).bit_length() - 1
        return rank - lowest - below.bit_count(), lowest
    return rank, NONE


def worth(card: int, hand: int, start: int) -> int:
    """What a card is worth on the ways that it opens: upward, downward, or from a start card both.

    Two points for each foreign card between this and the farthest own one on each way. On a way without own
    cards, one point off for each card that it opens, the card itself included.
    """
    rank = card % 13
    cards = hand >> card - rank & SUIT
    points = 0
    if rank >= start:
        foreign, own = up(cards, rank)
        points += -1 - foreign if own == NONE else 2 * foreign
    if rank <= start:
        foreign, own = down(cards, rank)
        points += -1 - foreign if own == NONE else 2 * foreign
    return points


def cost(start: int, hand: int) -> int:
    """What a start rank costs, on all ways from its four cards.

    Two points for each foreign card before the farthest own one on each way, a foreign start card with them.
    On a way without own cards each of them costs a point.
    """
    points = 0
    for suit in range(4):
        cards = hand >> 13 * suit & SUIT
        first = 1 - (cards >> start & 1)
        foreign, own = up(cards, start)
        points += foreign if own == NONE else 2 * (foreign + first)
        foreign, own = down(cards, start)
        points += foreign if own == NONE else 2 * (foreign + first)
    return points


def one_suited(hand: int) -> int:
    """Whether all cards of a hand are of one suit: 1 or 0."""
    for suit in range(4):
        if hand & ~(SUIT << 13 * suit) == 0:
            return 1
    return 0


def lead(card: int, hand: int, alone: int) -> tuple[int, int, int]:
    """Whether the suit's last card is an own one, how many are, and how soon the farthest goes (P3).

    With one suit alone in hand there is nothing left to lead for, and only the own last card counts.
    """
    rank = card % 13
    cards = hand >> card - rank & SUIT
    # The card led is the lowest bit, the suit's last the highest.
    turned = (cards >> rank | cards << 13 - rank) & SUIT
    return 0 if alone else turned >> 12, cards.bit_count(), -turned.bit_length()


def best_start(fits: int, hand: int) -> int:
    """Of the ranks of these cards the one that brings the hand nearest."""
    best, least = NONE, 0
    for rank in range(13):
        if fits & rank_mask(rank):
            costs = cost(rank, hand)
            if best == NONE or costs < least:
                best, least = rank, costs
    return best


def best_lay(fits: int, hand: int, start: int) -> int:
    """Of these cards the one of the most worth."""
    best, most = NONE, 0
    while fits:
        card = (fits & -fits).bit_length() - 1
        points = worth(card, hand, start)
        if best == NONE or points > most:
            best, most = card, points
        fits &= fits - 1
    return best


def best_lead(fits: int, hand: int) -> int:
    """Of these cards the lead of a suit whose last card is an own one, or of the longest (P3)."""
    alone = one_suited(hand)
    best, most = NONE, (0, 0, 0)
    while fits:
        card = (fits & -fits).bit_length() - 1
        found = lead(card, hand, alone)
        if best == NONE or found > most:
            best, most = card, found
        fits &= fits - 1
    return best


def choice(hand: int, fits: int, starts: int, one_suit: int, bonus: int) -> int:
    """The card of the hand that the steady player lays of those that fit, or NONE: he passes.

    `bonus` is 1 where a bonus card is offered: that only opens doors, and to decline is free (E3), so it is
    laid to win or not at all.
    """
    fits &= hand
    if fits and hand & (hand - 1) == 0:
        return hand.bit_length() - 1
    if bonus or fits == 0:
        return NONE
    if fits & (fits - 1) == 0:
        return fits.bit_length() - 1
    if one_suit:
        return best_lead(fits, hand)
    if one_rank(starts):  # what opens the suits is settled
        return best_lay(fits, hand, (starts & SUIT).bit_length() - 1)
    start = best_start(fits, hand)
    return best_lay(fits & rank_mask(start), hand, start)
