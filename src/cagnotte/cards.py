"""The pack of 52 and its notation (C1, C2)."""

from dataclasses import dataclass, field
from functools import cache
from typing import Final, Self

from cagnotte.languages import catalogue_file

SUITS: Final = "SHDC"
RANKS: Final = "A23456789TJQK"
SYMBOLS: Final = "♠♥♦♣"


@cache
def letters(lang: str) -> str:
    """The letters by which a text in this language writes the suits, in the order of `SUITS` (C2)."""
    return "".join(catalogue_file(lang)[f"suit.{suit}.letter"] for suit in SUITS)


@cache
def ranks(lang: str) -> str:
    """The letters by which it writes the ranks, with `T` for the ten."""
    return "".join(catalogue_file(lang).get(f"rank.{rank}", rank) for rank in RANKS)


@dataclass(frozen=True, slots=True)
class Card:
    """A card by rank (1 the ace, which is low, to 13 the king) and suit (C1).

    >>> Card(7, "S"), str(Card(10, "H"))
    (Card(rank=7, suit='S'), 'TH')
    """

    rank: int
    suit: str
    index: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if type(self.rank) is not int or not 1 <= self.rank <= 13 or self.suit not in tuple(SUITS):
            raise ValueError(f"no card has rank {self.rank!r} and suit {self.suit!r}")
        object.__setattr__(self, "index", 13 * SUITS.index(self.suit) + self.rank - 1)

    def __str__(self) -> str:
        return RANKS[self.rank - 1] + self.suit

    def __lt__(self, other: "Card") -> bool:
        return self.index < other.index

    @classmethod
    def parse(cls, text: str, lang: str = "en") -> Self:
        """The card a text names; ValueError when it names none (C2).

        Ranks and suits are read as `lang` writes them, and French ranks also before a suit's symbol, which
        leaves no doubt.

        >>> str(Card.parse("10h")), str(Card.parse("VP", "fr")), str(Card.parse("D♠"))
        ('TH', 'JS', 'QS')
        """
        card = text.strip().removesuffix("\ufe0f").upper().replace("10", "T", 1)
        if len(card) == 2:
            symbol = SYMBOLS.find(card[1])
            suit = symbol if symbol >= 0 else letters(lang).find(card[1])
            rank = ranks(lang).find(card[0])
            if rank < 0:  # any text may well hold English ranks; a symbol vouches for French ones
                rank = ranks("fr" if symbol >= 0 else "en").find(card[0])
            if rank >= 0 and suit >= 0:
                return cls(rank + 1, SUITS[suit])
        raise ValueError(f"{text[:20]!r} is not a card")

    def label(self, lang: str = "en") -> str:
        """The card as people read it: `10♥`, and `V♠` in French.

        >>> Card(11, "S").label("fr")
        'V♠'
        """
        rank = "10" if self.rank == 10 else ranks(lang)[self.rank - 1]
        return rank + SYMBOLS[SUITS.index(self.suit)]


PACK: Final[tuple[Card, ...]] = tuple(Card(rank, suit) for suit in SUITS for rank in range(1, 14))
CARD: Final[dict[str, Card]] = {str(card): card for card in PACK}
