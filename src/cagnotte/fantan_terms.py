"""The terms of Fan Tan and its variants: rules, actions, events, state and view."""

from dataclasses import dataclass
from typing import Any, Final

from cagnotte import layout
from cagnotte.cards import PACK, RANKS, Card
from cagnotte.core import CHANCE, Bank, Cut, Seat


@dataclass(frozen=True, slots=True)
class Rules:
    """The five fields that tell the games apart, then the house rules."""

    name: str
    opening: int  # the cards that may be laid on the empty table, as layout's bits (T7, N1, E1, P1)
    one_suit: bool  # one suit after another, upward and around the corner (P2-P4)
    bonus: bool  # a card more for the fourth start card (E3)
    usual_chips: int  # T1

    players: int = 4
    chips: int = 50
    deals: int = 8
    passing: str = "forbidden"  # or "fined", "honour" (T10)
    extra_ante: bool = True  # T6
    pay_left: bool = True  # T14
    debt: bool = False  # C3


# Actions.


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance deals cards face up from a seat on, clockwise, until one gets a jack (T2)."""

    seat: Seat
    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return f"draw {self.seat} " + " ".join(map(str, self.cards))


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay a card (T8)."""

    card: Card

    def __str__(self) -> str:
        return str(self.card)


@dataclass(frozen=True, slots=True)
class Pass:
    """Lay no card (T9), or decline the bonus card (E3)."""

    def __str__(self) -> str:
        return "pass"


LAY: Final = tuple(Lay(card) for card in PACK)
PASS: Final = Pass()
CUTS: Final = tuple(Cut(at) for at in range(5, 48))  # T3

# Events.


@dataclass(frozen=True, slots=True)
class Drew:
    """The cards dealt face up until the jack (T2)."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal begins: its number from 1, its dealer, and the seats that play it, clockwise (T15)."""

    number: int
    dealer: Seat
    playing: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """The hands by seat; a viewer is told his own, and of every other only the count (T5)."""

    hands: tuple[tuple[Card, ...], ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Laid:
    """A seat laid a card (T8)."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat laid no card (T9)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Declined:
    """A seat laid no bonus card (E3)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Offence:
    """A pass by a seat able to lay: what it withheld (bits), and whom it owes how much for it (T11, T12)."""

    seat: Seat
    withheld: int
    clause: str
    dues: tuple[tuple[Seat, int], ...]


@dataclass(frozen=True, slots=True)
class Offended:
    """An offence that nobody knows of yet (T10, honour)."""

    offence: Offence


@dataclass(frozen=True, slots=True)
class Exposed:
    """A pass of this seat turns out an offence; what was withheld stays with the bookkeeper (T11, T12)."""

    seat: Seat
    clause: str
    offence: Offence | None


@dataclass(frozen=True, slots=True)
class Shown:
    """The deal is over, and what is left in hand is shown, by seat (T10, T14)."""

    hands: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class DealWon:
    """Who laid his last card, and the pool he takes (T14)."""

    seat: Seat
    chips: int


@dataclass(frozen=True)  # without slots: see core.changed
class State:
    """A sitting at one moment; states that differ only in the order of what was laid are not equal."""

    bank: Bank
    phase: str = "draw"  # then shuffle, cut, play (bonus E3, open P4), and at last over
    actor: Seat | None = CHANCE
    dealer: Seat | None = None
    deal: int = 0
    playing: tuple[Seat, ...] = ()
    pack: tuple[Card, ...] = ()  # shuffled and not yet cut
    hands: tuple[int, ...] = ()  # by seat, as layout's bits
    laid: int = 0
    starts: int = 0
    order: tuple[Card, ...] = ()  # the cards laid, in that order
    offences: tuple[Offence, ...] = ()  # not yet come to light (honour)
    shown: tuple[tuple[Card, ...], ...] = ()  # what was left in hand, until the next shuffle
    winners: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """All that a seat, or an onlooker (seat None), may know."""

    game: str
    rules: dict[str, int | str]
    seat: Seat | None
    actor: Seat | None
    phase: str
    moves: tuple[Any, ...]  # open to this seat; empty when another is to act
    stacks: tuple[int, ...]
    pool: int
    dealer: Seat | None
    over: bool
    winners: tuple[Seat, ...]
    deal: int
    deals: int
    playing: tuple[Seat, ...]
    hand: tuple[Card, ...]
    laid: dict[str, tuple[Card, ...]]  # for each suit, in the order laid
    counts: tuple[int, ...]  # cards held by each seat
    starts: tuple[Card, ...]  # the cards that can begin a suit's sequence
    shown: tuple[tuple[Card, ...], ...]  # by seat, once a deal is over
    price: int  # chips that a pass would cost this seat (T9)
    fine: int  # chips that it would owe besides, when it is to act with a card that fits (T11, T12)


def _rank(rank: str) -> int:
    return layout.rank_mask(RANKS.index(rank))


# The four games (T7, N1, E1, P1).
VARIANTS: Final[dict[str, Rules]] = {
    rules.name: rules
    for rules in (
        Rules("fan-tan", _rank("7"), one_suit=False, bonus=False, usual_chips=50),
        Rules("five-or-nine", _rank("5") | _rank("9"), one_suit=False, bonus=False, usual_chips=50),
        Rules("earl-of-coventry", layout.ALL, one_suit=False, bonus=True, usual_chips=50),
        Rules("play-or-pay", layout.ALL, one_suit=True, bonus=False, usual_chips=100),
    )
}
