"""Fear, La Peur, 1790 (F)."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Any, Final

from cagnotte.cards import PACK, Card
from cagnotte.core import (
    CHANCE,
    POOL,
    Bank,
    Cut,
    FirstDealer,
    Illegal,
    Over,
    PackCut,
    Paid,
    Seat,
    Shuffle,
    Shuffled,
    Turn,
    changed,
    check_pack,
    check_seat,
    quoted,
    read_card,
    read_cards,
    read_number,
)


@dataclass(frozen=True, slots=True)
class Rules:
    """The house rules: 2 to 26 players (F1) with the same stake of 1 to 10 chips each (F2)."""

    players: int = 6
    stake: int = 2


# Actions.


@dataclass(frozen=True, slots=True)
class Dealer:
    """Chance, or the table's custom, says who deals (F12)."""

    seat: Seat

    def __str__(self) -> str:
        return f"dealer {self.seat}"


@dataclass(frozen=True, slots=True)
class Name:
    """Name the fear, a card that is still face down (F4, F7)."""

    card: Card

    def __str__(self) -> str:
        return f"fear {self.card}"


@dataclass(frozen=True, slots=True)
class TurnOver:
    """Turn over the face-down card in this place (F6)."""

    place: int

    def __str__(self) -> str:
        return f"turn {self.place}"


NAME: Final = tuple(Name(card) for card in PACK)
TURN_OVER: Final = tuple(TurnOver(place) for place in range(52))
CUTS: Final = tuple(Cut(at) for at in range(1, 52))  # F3
ALL_DOWN: Final = bytes([1] * 52)

# Events.


@dataclass(frozen=True, slots=True)
class Spread:
    """The pack lies face down in 52 places; viewers are told that, and no card (F3)."""

    number: int
    places: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """The fear is this card: a seat named it, or (None) it is the last one face down (F4, F7, F8)."""

    seat: Seat | None
    card: Card


@dataclass(frozen=True, slots=True)
class Turned:
    """A seat turned over the card in this place (F6), and whether it was the fear (F7)."""

    seat: Seat
    place: int
    card: Card
    fear: bool


@dataclass(frozen=True, slots=True)
class Out:
    """A seat has no more chips and turns no card for the rest of the game (F9)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Gathered:
    """All cards are up: who turned the last one gathers them and deals (F10)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Won:
    """Only this seat has chips: it takes the pool (F11)."""

    seat: Seat
    chips: int


@dataclass(frozen=True)  # without slots: see core.changed
class State:
    """A game of Fear at one moment."""

    bank: Bank
    phase: str = "dealer"  # then shuffle, cut, name, turn, and at last over
    actor: Seat | None = CHANCE
    dealer: Seat | None = None
    spread: int = 0  # how many times the pack was spread
    pack: tuple[Card, ...] = ()  # shuffled and not yet cut
    places: tuple[Card, ...] = ()
    down: bytes = b""  # by place: 1 while the card there is face down
    fear: Card | None = None
    winners: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """All that a seat, or an onlooker (seat None), may know: everything but the face-down cards."""

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
    spread: int
    places: tuple[Card | None, ...]  # None is a face-down card; empty when nothing is spread
    fear: Card | None


@dataclass(frozen=True)
class Fear:
    """The game: a sitting is one game, of as many spreads of the pack as it needs (F12, F10)."""

    rules: Rules
    house_rules: dict[str, int | str] = field(compare=False)

    @property
    def name(self) -> str:
        return "fear"

    @property
    def players(self) -> int:
        return self.rules.players

    def start(self) -> State:
        return State(Bank((self.rules.stake,) * self.rules.players))  # F2

    def actor(self, state: State) -> Seat | None:
        return state.actor

    def winners(self, state: State) -> tuple[Seat, ...]:
        return state.winners

    def bank(self, state: State) -> Bank:
        return state.bank

    def turn_clause(self, state: State) -> str:
        return "F5" if state.phase == "turn" else _CLAUSE[state.phase]

    def dealt(self, state: State) -> int:
        return state.spread

    # What may be done.

    def legal(self, state: State) -> Sequence[Any]:
        match state.phase:
            case "turn":
                return list(compress(TURN_OVER, state.down))  # F6
            case "name":
                # In the order of the pack: the order of the places would tell where they lie.
                return [NAME[index] for index in sorted(card.index for card in _face_down(state))]  # F4
            case "cut":
                return CUTS
        return ()

    def draw(self, state: State, rng: random.Random) -> Dealer | Shuffle:
        if state.phase == "shuffle":
            return Shuffle(tuple(rng.sample(PACK, 52)))
        return Dealer(rng.randrange(self.rules.players))

    # What then happens.

    def decide(self, state: State, action: Any) -> list[Any]:
        match state.phase, action:
            case "turn", TurnOver(place):
                return self._turn(state, place)
            case "name", Name(card):
                assert state.actor is not None
                if card not in _face_down(state):
                    raise Illegal("F4", "{card} is not face down", card=card)
                return [Named(state.actor, card), Turn(_right(state.bank, state.actor), "turn")]  # F5, F7
            case "cut", Cut(at):
                return self._cut(state, at)
            case "shuffle", Shuffle(cards):
                assert state.dealer is not None
                check_pack(cards)
                return [Shuffled(cards), Turn((state.dealer + 1) % self.rules.players, "cut")]  # F3, F13
            case "dealer", Dealer(seat):
                if not 0 <= seat < self.rules.players:
                    raise Illegal("F12", "there is no seat {seat}", seat=seat)
                return [FirstDealer(seat), Turn(CHANCE, "shuffle")]
        raise Illegal(_CLAUSE[state.phase], _EXPECTED[state.phase], action=str(action)[:40])

    def _cut(self, state: State, at: int) -> list[Any]:
        if not 1 <= at <= 51:
            raise Illegal("F3", "a cut leaves a card in each packet: {at} does not", at=at)
        assert state.actor is not None
        places = state.pack[at:] + state.pack[:at]
        spread = Spread(state.spread + 1, places)
        return [PackCut(state.actor, at), spread, Turn(state.dealer, "name")]  # F4, F10: chips or no chips

    def _turn(self, state: State, place: int) -> list[Any]:
        seat, bank = state.actor, state.bank
        assert seat is not None
        if not 0 <= place < 52:
            raise Illegal("F6", "there is no place {place}", place=place)
        if not state.down[place]:
            raise Illegal("F6", "the card in place {place} is face up already", place=place)
        card = state.places[place]
        feared = card == state.fear
        events: list[Any] = [Turned(seat, place, card, feared)]
        if feared:
            paid = bank.owe(seat, POOL, 1, "F7")
            bank = bank.after(paid)
            events.append(paid)
            if not bank.stacks[seat]:
                events.append(Out(seat))  # F9
            living = [s for s, chips in enumerate(bank.stacks) if chips]
            if len(living) == 1:  # F11: at once
                return [*events, *self._end(bank, living[0])]
        down = _turned(state.down, place)
        left = down.count(1)
        if not left:
            return [*events, Gathered(seat), Turn(CHANCE, "shuffle")]  # F10
        if feared and left > 1:
            return [*events, Turn(seat, "name")]  # F7, and F8: also after the last chip
        if feared:
            events.append(Named(None, state.places[down.index(1)]))  # F8
        return [*events, Turn(_right(bank, seat), "turn")]

    def _end(self, bank: Bank, winner: Seat) -> list[Any]:
        taken = bank.owe(POOL, winner, bank.pool, "F11")
        stacks = bank.after(taken).stacks
        return [taken, Won(winner, taken.chips), Over((winner,), stacks), Turn(None, "over")]

    # The books.

    def evolve(self, state: State, event: Any) -> State:
        return _EVOLVE[type(event)](state, event)

    # What a viewer may know.

    def view(self, state: State, seat: Seat | None) -> View:
        check_seat(seat, self.rules.players)
        mine = seat is not None and seat == state.actor
        return View(
            game="fear",
            rules=self.house_rules,
            seat=seat,
            actor=state.actor,
            phase=state.phase,
            moves=tuple(self.legal(state)) if mine else (),
            stacks=state.bank.stacks,
            pool=state.bank.pool,
            dealer=state.dealer,
            over=state.phase == "over",
            winners=state.winners,
            spread=state.spread,
            places=tuple(
                [None if down else card for card, down in zip(state.places, state.down, strict=True)]
            ),
            fear=state.fear,
        )

    def redact(self, event: Any, seat: Seat | None) -> Any:
        match event:
            case Shuffled():
                return Shuffled(())
            case Spread(number):
                return Spread(number, ())
            case (
                Turned()
                | Turn()
                | Paid()
                | Named()
                | Out()
                | PackCut()
                | Gathered()
                | Won()
                | FirstDealer()
                | Over()
            ):
                return event
        raise AssertionError(f"nobody said who may know of {event}")

    def parse(self, text: str) -> Any:
        match text.split(" "):
            case ["turn", place]:
                return TurnOver(read_number(place))
            case ["fear", card]:
                return NAME[read_card(card).index]
            case ["cut", at]:
                return Cut(read_number(at))
            case ["shuffle", *cards]:
                return Shuffle(read_cards(cards))
            case ["dealer", seat]:
                return Dealer(read_number(seat))
        raise Illegal("C2", "{text} is not a move of this game", text=quoted(text))


def _face_down(state: State) -> Iterator[Card]:
    return compress(state.places, state.down)


def _turned(down: bytes, place: int) -> bytes:
    return down[:place] + b"\0" + down[place + 1 :]


def _right(bank: Bank, seat: Seat) -> Seat:
    """The next player to the right with chips (F5, F7, F9); the seat itself when no other has any."""
    players = len(bank.stacks)
    return next(s for i in range(1, players + 1) if bank.stacks[s := (seat - i) % players])


_CLAUSE: Final = {"dealer": "F12", "shuffle": "F3", "cut": "F3", "name": "F4", "turn": "F6", "over": "F11"}
_EXPECTED: Final = {
    "dealer": "{action} is refused: the dealer is to be drawn",
    "shuffle": "{action} is refused: the pack is to be shuffled",
    "cut": "{action} is refused: the pack is to be cut",
    "name": "{action} is refused: the fear is to be named",
    "turn": "{action} is refused: a card is to be turned over",
    "over": "{action} is refused: the game is over",
}


def _same(state: State, event: Any) -> State:
    return state


# How each event changes the books.
_EVOLVE: Final[dict[type, Callable[[State, Any], State]]] = {
    Turned: lambda state, event: changed(
        state,
        down=_turned(state.down, event.place),
        fear=None if event.fear else state.fear,  # face up, it frightens nobody (F4)
    ),
    Turn: lambda state, event: changed(state, actor=event.actor, phase=event.phase),
    Paid: lambda state, event: changed(state, bank=state.bank.after(event)),
    Named: lambda state, event: changed(state, fear=event.card),
    Out: _same,
    FirstDealer: lambda state, event: changed(state, dealer=event.seat),
    Shuffled: lambda state, event: changed(state, pack=event.cards, places=(), down=b"", fear=None),
    PackCut: _same,
    Spread: lambda state, event: changed(
        state, spread=event.number, pack=(), places=event.places, down=ALL_DOWN
    ),
    Gathered: lambda state, event: changed(state, dealer=event.seat),
    Won: _same,
    Over: lambda state, event: changed(state, winners=event.winners),
}
