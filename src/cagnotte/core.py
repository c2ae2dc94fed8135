"""What a game is: actors, actions, events, chips, and the ways to play one through.

An action is what somebody asks for, an event is what then happens. `decide` knows the rules and refuses with
`Illegal`; `evolve` keeps the books and never refuses. Chance is an actor like any other.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any, Final, Protocol, TypeVar

from cagnotte.cards import CARD, PACK, Card

Seat = int
CHANCE: Final = -1  # the actor of a draw or a shuffle
POOL: Final = -2  # the account in the middle of the table


class Illegal(ValueError):
    """An action that the rules refuse: the clause, and a sentence made of a template and its values.

    The template is English and is the key under which a translation is found.
    """

    def __init__(self, clause: str | None, template: str, **values: object) -> None:
        super().__init__(template.format(**values))
        self.clause = clause
        self.template = template
        self.values = values

    @property
    def message(self) -> str:
        return str(self)

    def __reduce__(self) -> tuple[Callable[..., "Illegal"], tuple[Any, ...]]:
        return _illegal, (self.clause, self.template, self.values)


def _illegal(clause: str | None, template: str, values: dict[str, object]) -> Illegal:
    return Illegal(clause, template, **values)


# Actions that both families know; each family adds its own.


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Chance orders the pack, top card first (T3, F3)."""

    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return "shuffle " + " ".join(map(str, self.cards))


@dataclass(frozen=True, slots=True)
class Cut:
    """The top `at` cards go under the rest (T3, F3)."""

    at: int

    def __str__(self) -> str:
        return f"cut {self.at}"


# Events that both families know.


@dataclass(frozen=True, slots=True)
class FirstDealer:
    """Who deals first in the sitting (T2, F12)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The pack was shuffled; viewers are told that, and no card."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PackCut:
    """A seat cut the pack after its top `at` cards."""

    seat: Seat
    at: int


@dataclass(frozen=True, slots=True)
class Paid:
    """Chips went from one account to another, with the clause that asks for it.

    An account is a seat or POOL. `chips` is less than `due` when the payer had no more (C3).
    """

    payer: Seat
    payee: Seat
    chips: int
    due: int
    clause: str


@dataclass(frozen=True, slots=True)
class Turn:
    """Who is to act, and for what; None when the sitting is over."""

    actor: Seat | None
    phase: str


@dataclass(frozen=True, slots=True)
class Over:
    """The sitting is over: the seats that won it, and everyone's chips.

    `early` is told where deals are left that fewer than three can pay for (T15).
    """

    winners: tuple[Seat, ...]
    stacks: tuple[int, ...]
    early: bool = False


@dataclass(frozen=True, slots=True)
class Bank:
    """The chips of a sitting: stacks by seat, and the pool; their sum never changes (C3)."""

    stacks: tuple[int, ...]
    pool: int = 0
    debt: bool = False

    def owe(self, payer: Seat, payee: Seat, due: int, clause: str) -> Paid:
        """What a payment comes to: a player who cannot pay in full pays what he has (C3)."""
        have = self.pool if payer == POOL else self.stacks[payer]
        short = have < due and not (self.debt and payer != POOL)
        return Paid(payer, payee, max(have, 0) if short else due, due, clause)

    def after(self, paid: Paid) -> "Bank":
        """The bank after this payment."""
        stacks, pool = list(self.stacks), self.pool
        if paid.payer == POOL:
            pool -= paid.chips
        else:
            stacks[paid.payer] -= paid.chips
        if paid.payee == POOL:
            pool += paid.chips
        else:
            stacks[paid.payee] += paid.chips
        return Bank(tuple(stacks), pool, self.debt)

    def settle(self, dues: Iterable[tuple[Seat, Seat, int, str]]) -> tuple[list[Paid], "Bank"]:
        """The payments for these dues (payer, payee, chips, clause) in order, and the bank after them."""
        bank, payments = self, []
        for due in dues:
            payments.append(paid := bank.owe(*due))
            bank = bank.after(paid)
        return payments, bank


S = TypeVar("S")


def changed(state: S, **changes: Any) -> S:
    """A copy of a frozen value without slots, with these fields changed.

    Does what `dataclasses.replace` does, in a fifth of the time: the engine does little else.
    """
    copy = object.__new__(type(state))
    fields = copy.__dict__
    fields.update(state.__dict__)
    fields.update(changes)
    return copy


class Game(Protocol[S]):
    """The rules of one game with its house rules: functions from values to values."""

    @property
    def name(self) -> str: ...
    @property
    def players(self) -> int: ...
    @property
    def house_rules(self) -> dict[str, int | str]:
        """All house rules by name, defaults included."""
        ...

    def start(self) -> S:
        """The state in which a sitting begins."""
        ...

    def actor(self, state: S) -> Seat | None:
        """CHANCE, a seat, or None when the sitting is over."""
        ...

    def legal(self, state: S) -> Sequence[Any]:
        """The actions open to the seat that is to act, never empty; empty for chance and at the end."""
        ...

    def draw(self, state: S, rng: random.Random) -> Any:
        """Chance's action, drawn with these dice."""
        ...

    def decide(self, state: S, action: Any) -> Iterable[Any]:
        """The events that the action of the actor brings about; raises Illegal and changes nothing."""
        ...

    def evolve(self, state: S, event: Any) -> S:
        """The state after this event."""
        ...

    def view(self, state: S, seat: Seat | None) -> Any:
        """All that this seat may know; None is an onlooker."""
        ...

    def redact(self, event: Any, seat: Seat | None) -> Any:
        """What this seat is told of an event, or None when nothing."""
        ...

    def parse(self, text: str) -> Any:
        """The action that a text of the record names; raises Illegal."""
        ...

    def winners(self, state: S) -> tuple[Seat, ...]:
        """The seats that won the sitting; empty while it goes on."""
        ...

    def dealt(self, state: S) -> int:
        """How many times the pack was dealt or spread so far."""
        ...

    def bank(self, state: S) -> Bank:
        """The chips of the sitting."""
        ...

    def turn_clause(self, state: S) -> str:
        """The clause by which the actor, and nobody else, is to act."""
        ...


def play(game: Game[S], state: S, action: Any) -> tuple[S, list[Any]]:
    """The state after the actor's action, and what happened; raises Illegal, and then nothing did."""
    check_values(action)
    events = list(game.decide(state, action))
    evolve = game.evolve
    for event in events:
        state = evolve(state, event)
    return state, events


def parse(game: Game[S], text: str) -> Any:
    """The action that a text names; `str(action)` is its inverse. Raises Illegal."""
    if not isinstance(text, str):
        raise Illegal("C2", "{text} is not a move of this game", text=quoted(text))
    return game.parse(text)


def replay(game: Game[S], actions: Iterable[Any]) -> S:
    """The state after these actions from the start of a sitting; raises Illegal."""
    state = game.start()
    for action in actions:
        state, _ = play(game, state, action)
    return state


def playout(game: Game[S], state: S, rng: random.Random) -> tuple[S, list[Any]]:
    """Play on at random to the end of the sitting; the last state and the actions."""
    actions = []
    while (actor := game.actor(state)) is not None:
        action = game.draw(state, rng) if actor == CHANCE else rng.choice(game.legal(state))
        state, _ = play(game, state, action)
        actions.append(action)
    return state, actions


def perft(game: Game[S], state: S, depth: int) -> int:
    """How many sequences of so many legal actions there are from here, stopping where chance is to act."""
    if depth == 0 or game.actor(state) in (CHANCE, None):
        return 1
    return sum(perft(game, play(game, state, action)[0], depth - 1) for action in game.legal(state))


# What comes from outside, in the library as well as in a text.


class Quoted(str):
    """What somebody wrote, in quotes: each language has its own."""


def quoted(value: object, most: int = 20) -> str:
    """A value of whoever asks, as a refusal names it: short, and whatever it is."""
    if isinstance(value, str):
        return Quoted(repr(value[:most]) + "…" * (len(value) > most))
    try:
        text = repr(value)
    except Exception:  # a number of too many digits, or what cannot be shown
        text = type(value).__name__
    return text[:most] + "…" * (len(text) > most)


def check_values(action: object) -> None:
    """Refuse an action that holds what is no number or no card; equal is not enough, as True is to 1."""
    kind: Any = type(action)
    for name, right in _values(kind):
        value = getattr(action, name)
        if right is int:
            if type(value) is not int or value.bit_length() > 63:
                raise Illegal("C2", "{text} is not a number", text=quoted(value))
        elif right is Card:
            _check_card(value)
        else:
            if type(value) is not tuple:
                raise Illegal("C2", "{text} is not a card", text=quoted(value))
            for card in value:
                _check_card(card)


def _check_card(value: object) -> None:
    if type(value) is not Card:
        raise Illegal("C2", "{text} is not a card", text=quoted(value))


@cache
def _values(kind: type) -> tuple[tuple[str, Any], ...]:
    """The fields of an action that hold numbers and cards, with what each holds."""
    held = fields(kind) if is_dataclass(kind) else ()
    return tuple((each.name, each.type) for each in held if each.type in (int, Card, tuple[Card, ...]))


def check_seat(seat: Seat | None, players: int) -> None:
    """Refuse a viewer who has no seat; None is an onlooker (C4)."""
    if seat is not None and (type(seat) is not int or not 0 <= seat < players):
        raise Illegal("C4", "there is no seat {seat}", seat=quoted(seat))


def read_number(text: str) -> int:
    """A whole number written in plain digits; raises Illegal."""
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        raise Illegal("C2", "{text} is not a number", text=quoted(text))
    return int(text)


def read_card(text: str) -> Card:
    """A card in its notation (C2); raises Illegal."""
    card = CARD.get(text)
    if card is None:
        try:
            card = Card.parse(text)
        except ValueError:
            raise Illegal("C2", "{text} is not a card", text=quoted(text)) from None
    return card


def read_cards(words: Sequence[str]) -> tuple[Card, ...]:
    """Cards in their notation (C2); raises Illegal."""
    return tuple(CARD.get(word) or read_card(word) for word in words)


def check_pack(cards: Sequence[Card]) -> None:
    """Refuse what is not the whole pack of 52 different cards (C1)."""
    check_no_twice(cards)
    if len(cards) != len(PACK):
        raise Illegal("C1", "a pack has 52 cards, not {n}", n=len(cards))


def check_no_twice(cards: Sequence[Card]) -> None:
    """Refuse a card that is there twice (C1)."""
    if len(set(cards)) != len(cards):
        twice = next(card for i, card in enumerate(cards) if card in cards[:i])
        raise Illegal("C1", "{card} is there twice", card=twice)
