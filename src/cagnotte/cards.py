"""The pack of 52 and its notation (C1, C2)."""

from dataclasses import dataclass, field
from typing import Final, Self

SUITS: Final = "SHDC"
RANKS: Final = "A23456789TJQK"
SYMBOLS: Final = "♠♥♦♣"

# How a text in a language writes the ranks and, by a letter, the suits (C2).
_RANKS: Final = {"en": RANKS, "fr": "A23456789TVDR"}
LETTERS: Final = {"en": SUITS, "fr": "PCKT"}


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

        French ranks and suits are read when `lang` is "fr", and French ranks also before a suit's symbol,
        which leaves no doubt.

        >>> str(Card.parse("10h")), str(Card.parse("VP", "fr")), str(Card.parse("D♠"))
        ('TH', 'JS', 'QS')
        """
        card = text.strip().removesuffix("\ufe0f").upper().replace("10", "T", 1)
        if len(card) == 2:
            symbol = SYMBOLS.find(card[1])
            suit = symbol if symbol >= 0 else LETTERS[lang].find(card[1])
            rank = _RANKS[lang].find(card[0])
            if rank < 0:  # French text may well hold English ranks; a symbol vouches for French ones
                rank = _RANKS["fr" if symbol >= 0 else "en"].find(card[0])
            if rank >= 0 and suit >= 0:
                return cls(rank + 1, SUITS[suit])
        raise ValueError(f"{text[:20]!r} is not a card")

    def label(self, lang: str = "en") -> str:
        """The card as people read it: `10♥`, and `V♠` in French.

        >>> Card(11, "S").label("fr")
        'V♠'
        """
        rank = "10" if self.rank == 10 else _RANKS[lang][self.rank - 1]
        return rank + SYMBOLS[SUITS.index(self.suit)]


PACK: Final[tuple[Card, ...]] = tuple(Card(rank, suit) for suit in SUITS for rank in range(1, 14))
CARD: Final[dict[str, Card]] = {str(card): card for card in PACK}
