"""The rule of the Fan Tan layout: which cards fit (T7, T8, N1, E1-E3, P1-P4).

A set of cards is an int below 2**52 with bit `13 * suit + rank - 1` for each card, suits in the order
S H D C. Everything here is plain functions of such ints, without containers, classes or exceptions, so that
the same file can be interpreted and compiled. Keep it so; int64 must be wide enough at every step.

`starts` are the cards that can begin a suit's sequence: the game's opening cards on an empty table, then the
four cards of the rank that was laid first (T8, N1, E1). `one_suit` (1 or 0) is Play or Pay.
"""

ALL = (1 << 52) - 1
ACES = 1 | 1 << 13 | 1 << 26 | 1 << 39
KINGS = ACES << 12
SUIT = (1 << 13) - 1


def rank_mask(card: int) -> int:
    """The four cards of the rank of this card, given by its number 0 to 51."""
    return ACES << card % 13


def suit_mask(card: int) -> int:
    """The thirteen cards of the suit of this card, given by its number 0 to 51."""
    return SUIT << card // 13 * 13


def neighbours(cards: int) -> int:
    """The cards one rank above or below any of these, in the same suit and without wrap (T8, E2)."""
    return (cards << 1 & ~ACES | cards >> 1 & ~KINGS) & ALL


def one_rank(starts: int) -> int:
    """Whether the rank of the start cards is fixed: 1 or 0 (N3, E4)."""
    spades = starts & SUIT
    return 1 if spades & (spades - 1) == 0 else 0


def playable(laid: int, starts: int, one_suit: int) -> int:
    """The cards that fit the layout, whoever holds them.

    Each suit's sequence is unbroken and, without `one_suit`, holds its start card; so the cards next to those
    laid are just those that continue a sequence (T8).
    """
    if one_suit:
        # A sequence turns the corner from king to ace (P3), so the card after its last is the only card
        # not yet laid that stands above a laid one; a complete suit has none (P2, P4).
        above = ((laid & ~KINGS) << 1 | (laid & KINGS) >> 12) & ~laid
        return above if above else ALL & ~laid
    return (neighbours(laid) | starts) & ~laid


def starts_after(card: int, laid: int, starts: int, one_suit: int) -> int:
    """The start cards once this card is laid: the first card on the table fixes their rank (T7, N1, E1).

    Whoever lays it does so, and a player who cannot leaves it to the next (N2). `laid` is what lay there
    before it. With `one_suit` any card may begin a suit, always (P1, P4).
    """
    return starts if laid or one_suit else rank_mask(card)


def all_begun(laid: int, starts: int) -> int:
    """Whether all four start cards lie on the table: 1 or 0 (E3)."""
    return 1 if one_rank(starts) and laid & starts == starts else 0


def bonus(laid: int, fourth: int) -> int:
    """The cards that fit after the fourth start card (by number): those of the other three suits (E3)."""
    return neighbours(laid) & ~laid & ~suit_mask(fourth)


def completes(laid: int, card: int) -> int:
    """Whether the suit of this card (by number, itself laid) lies there whole: 1 or 0 (P4)."""
    suit = suit_mask(card)
    return 1 if laid & suit == suit else 0
