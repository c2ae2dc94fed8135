"""Fan Tan and its variants Five or Nine, Earl of Coventry and Play or Pay (T, N, E, P)."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cagnotte import layout
from cagnotte.cards import PACK, SUITS, Card
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
    check_no_twice,
    check_pack,
    check_seat,
    read_card,
    read_cards,
    read_number,
)
from cagnotte.fantan_terms import (
    CUTS,
    LAY,
    PASS,
    Deal,
    Dealt,
    DealWon,
    Declined,
    Draw,
    Drew,
    Exposed,
    Laid,
    Lay,
    Offence,
    Offended,
    Pass,
    Passed,
    Rules,
    Shown,
    State,
    View,
)

JACK: Final = 11
FINE: Final = 3  # chips that each is due for an offence (T11, T12)
BIT: Final = tuple(1 << index for index in range(52))


def cards_of(bits: int) -> tuple[Card, ...]:
    """The cards of a set, in the order of the pack."""
    return tuple([PACK[index] for index in _indices(bits)])


def bits_of(cards: Iterable[Card]) -> int:
    """The set of these cards."""
    return sum([BIT[card.index] for card in cards])


def _indices(bits: int) -> list[int]:
    indices = []
    while bits:
        low = bits & -bits
        indices.append(low.bit_length() - 1)
        bits ^= low
    return indices


def _price(state: State, seat: Seat) -> Paid:
    """What a pass costs: a chip to the pool (T9)."""
    return state.bank.owe(seat, POOL, 1, "T9")


def _starts(state: State, withheld: int) -> int:
    """The start cards among those withheld, where one rank alone begins the suits (N3, E4, P5)."""
    return withheld & state.starts if layout.one_rank(state.starts) else 0


@dataclass(frozen=True)
class FanTan:
    """The game: a sitting from the draw for the first dealer to the last settlement."""

    rules: Rules
    house_rules: dict[str, int | str] = field(compare=False)

    @property
    def name(self) -> str:
        return self.rules.name

    @property
    def players(self) -> int:
        return self.rules.players

    def start(self) -> State:
        return State(Bank((self.rules.chips,) * self.rules.players, 0, self.rules.debt))  # T1

    def actor(self, state: State) -> Seat | None:
        return state.actor

    def winners(self, state: State) -> tuple[Seat, ...]:
        return state.winners

    def bank(self, state: State) -> Bank:
        return state.bank

    def turn_clause(self, state: State) -> str:
        return "T7" if state.phase == "play" else _CLAUSE[state.phase]

    def dealt(self, state: State) -> int:
        return state.deal - (state.phase in ("shuffle", "cut"))

    # What may be done.

    def legal(self, state: State) -> Sequence[Any]:
        phase, seat = state.phase, state.actor
        if phase == "cut":
            return CUTS
        if seat is None or seat == CHANCE:
            return ()
        lays: list[Any] = [LAY[index] for index in _indices(self._fitting(state) & state.hands[seat])]
        if phase == "bonus" or (phase == "play" and (not lays or self.rules.passing != "forbidden")):
            lays.append(PASS)
        return lays

    def _fitting(self, state: State) -> int:
        if state.phase == "bonus":
            return layout.bonus(state.laid, state.order[-1].index)
        return layout.playable(state.laid, state.starts, self.rules.one_suit)

    def draw(self, state: State, rng: random.Random) -> Draw | Shuffle:
        if state.phase == "shuffle":
            return Shuffle(tuple(rng.sample(PACK, 52)))
        pack = rng.sample(PACK, 52)
        until = next(i for i, card in enumerate(pack) if card.rank == JACK) + 1
        return Draw(rng.randrange(self.rules.players), tuple(pack[:until]))

    # What then happens.

    def decide(self, state: State, action: Any) -> list[Any]:
        phase = state.phase
        if phase in ("play", "bonus", "open"):
            if type(action) is Lay:
                return self._lay(state, action.card)
            if type(action) is Pass:
                return self._pass(state)
        elif phase == "draw" and type(action) is Draw:
            return self._draw(action)
        elif phase == "shuffle" and type(action) is Shuffle:
            check_pack(action.cards)
            return [Shuffled(action.cards), Turn(self._beside(state, state.dealer, -1), "cut")]  # T3
        elif phase == "cut" and type(action) is Cut:
            return self._cut(state, action.at)
        raise Illegal(_CLAUSE[phase], _EXPECTED[phase], action=str(action)[:40])

    def _draw(self, draw: Draw) -> list[Any]:  # T2
        players = self.rules.players
        if not 0 <= draw.seat < players:
            raise Illegal("T2", "there is no seat {seat}", seat=draw.seat)
        check_no_twice(draw.cards)
        jacks = [i for i, card in enumerate(draw.cards) if card.rank == JACK]
        if not jacks or jacks[0] != len(draw.cards) - 1:
            raise Illegal("T2", "the draw ends with the first jack")
        dealer = (draw.seat + jacks[0]) % players
        return [
            Drew(draw.seat, draw.cards),
            FirstDealer(dealer),
            Deal(1, dealer, tuple(range(players))),
            Turn(CHANCE, "shuffle"),
        ]

    def _cut(self, state: State, at: int) -> list[Any]:
        if not 5 <= at <= 47:
            raise Illegal("T3", "a cut leaves at least five cards in each packet: {at} does not", at=at)
        assert state.actor is not None
        pack, playing = state.pack[at:] + state.pack[:at], state.playing
        eldest = self._beside(state, state.dealer, 1)
        first = playing.index(eldest)
        order = playing[first:] + playing[:first]
        hands: list[tuple[Card, ...]] = [()] * self.rules.players
        for i, seat in enumerate(order):
            hands[seat] = cards_of(bits_of(pack[i :: len(order)]))  # T5
        counts = tuple(map(len, hands))
        antes, bank = state.bank.settle((seat, POOL, 1, "T4") for seat in order)
        extra = [seat for seat in order if self.rules.extra_ante and counts[seat] < max(counts)]
        extras, _ = bank.settle((seat, POOL, 1, "T6") for seat in extra)
        dealt = Dealt(tuple(hands), counts)
        return [PackCut(state.actor, at), *antes, dealt, *extras, Turn(eldest, "play")]  # T7

    def _lay(self, state: State, card: Card) -> list[Any]:
        seat, bit = state.actor, BIT[card.index]
        assert seat is not None
        if not state.hands[seat] & bit:
            raise Illegal(_CLAUSE[state.phase], "{card} is not in your hand", card=card)
        if not self._fitting(state) & bit:
            raise self._misfit(state, card)
        if state.hands[seat] == bit:
            return [Laid(seat, card), *self._settlement(state, seat)]
        exposed = [o for o in state.offences if o.seat == seat and o.withheld & bit]  # T10: it is laid now
        events = [Laid(seat, card), *self._exposure(state.bank, exposed)[0]]
        laid, starts = state.laid | bit, state.starts
        if self.rules.bonus and state.phase == "play" and bit & starts and layout.all_begun(laid, starts):
            events.append(Turn(seat, "bonus"))  # E3
        elif self.rules.one_suit and layout.completes(laid, card.index):
            events.append(Turn(seat, "open"))  # P4
        else:
            events.append(Turn(self._beside(state, seat, 1), "play"))
        return events

    def _pass(self, state: State) -> list[Any]:
        seat = state.actor
        assert seat is not None
        turn = Turn(self._beside(state, seat, 1), "play")
        if state.phase == "bonus":
            return [Declined(seat), turn]  # E3: without payment, and no offence
        if state.phase == "open":
            raise Illegal("P4", "whoever completes a suit begins another: pass is refused")
        withheld = self._fitting(state) & state.hands[seat]
        if withheld and self.rules.passing == "forbidden":
            card = cards_of(withheld)[0]
            raise Illegal("T10", "pass is refused while you can lay a card, such as {card}", card=card)
        paid = _price(state, seat)
        events: list[Any] = [Passed(seat), paid]
        if withheld:
            offence = self._offence(state, seat, withheld)
            if self.rules.passing == "honour":
                events.append(Offended(offence))
            else:
                events += self._exposure(state.bank.after(paid), [offence])[0]
        return [*events, turn]

    def _offence(self, state: State, seat: Seat, withheld: int) -> Offence:
        starts = _starts(state, withheld)
        dues = [(POOL, FINE)]  # once, however many cards were withheld (T11, T12)
        for start in _indices(starts):  # suits S H D C, the lower neighbour first (T11)
            for beside in _indices(layout.neighbours(BIT[start])):
                holder = next(s for s in state.playing if state.hands[s] & BIT[beside])
                if holder != seat:
                    dues.append((holder, FINE))
        return Offence(seat, withheld, "T11" if starts else "T12", tuple(dues))

    def _exposure(self, bank: Bank, offences: Sequence[Offence]) -> tuple[list[Any], Bank]:
        """The fines for these offences, oldest first (T13), and the bank after them."""
        events: list[Any] = []
        for offence in offences:
            fines, bank = bank.settle((offence.seat, to, due, offence.clause) for to, due in offence.dues)
            events += [Exposed(offence.seat, offence.clause, offence), *fines]
        return events, bank

    def _settlement(self, state: State, winner: Seat) -> list[Any]:
        """What follows once the winner has laid his last card (T14)."""
        rules = self.rules
        left = [0 if seat == winner else hand for seat, hand in enumerate(state.hands)]
        fines, bank = self._exposure(state.bank, state.offences)  # T10: before the losers pay
        events = [Shown(tuple(map(cards_of, left))), *fines]
        if rules.pay_left:
            at = state.playing.index(winner)
            losers = state.playing[at + 1 :] + state.playing[:at]
            payments, bank = bank.settle((seat, POOL, left[seat].bit_count(), "T14") for seat in losers)
            events += payments
        taken = bank.owe(POOL, winner, bank.pool, "T14")
        bank = bank.after(taken)
        events += [taken, DealWon(winner, taken.chips)]
        playing = tuple(s for s in range(rules.players) if bank.stacks[s] > 0 or rules.debt)  # T15
        if state.deal == rules.deals or len(playing) < 3:
            best = max(bank.stacks)
            winners = tuple(s for s in range(rules.players) if bank.stacks[s] == best)
            return [*events, Over(winners, bank.stacks, state.deal < rules.deals), Turn(None, "over")]
        assert state.dealer is not None
        dealer = next(
            s for i in range(rules.players) if (s := (state.dealer + 1 + i) % rules.players) in playing
        )
        return [*events, Deal(state.deal + 1, dealer, playing), Turn(CHANCE, "shuffle")]

    def _misfit(self, state: State, card: Card) -> Illegal:
        """Why a card that is in hand does not fit."""
        if state.phase == "bonus":
            return Illegal("E3", "{card} does not fit any of the three other suits", card=card)
        if self.rules.one_suit:
            due = cards_of(self._fitting(state))[0]
            clause = "P3" if card.suit == due.suit else "P2"
            return Illegal(clause, "{card} does not fit: the next card is {due}", card=card, due=due)
        if not state.laid:
            clause = "N1" if self.rules.name == "five-or-nine" else "T7"
            return Illegal(clause, "{card} cannot be laid on the empty table", card=card)
        start = cards_of(state.starts)[0]
        step = 1 if card.rank < start.rank else -1
        due = PACK[card.index + step]
        return Illegal("T8", "{card} does not fit: {due} has to lie there first", card=card, due=due)

    def _beside(self, state: State, seat: Seat | None, step: int) -> Seat:
        """The nearest neighbour who plays this deal: to the left with step 1, to the right with -1 (T15)."""
        playing = state.playing
        assert seat is not None
        return playing[(playing.index(seat) + step) % len(playing)]

    # The books.

    def evolve(self, state: State, event: Any) -> State:
        return _EVOLVE[type(event)](self, state, event)

    # What a viewer may know.

    def view(self, state: State, seat: Seat | None) -> View:
        check_seat(seat, self.rules.players)
        mine = seat is not None and seat == state.actor
        return View(
            game=self.rules.name,
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
            deal=state.deal,
            deals=self.rules.deals,
            playing=state.playing,
            hand=cards_of(state.hands[seat]) if seat is not None and state.hands else (),
            laid={suit: tuple([card for card in state.order if card.suit == suit]) for suit in SUITS},
            counts=tuple(hand.bit_count() for hand in state.hands) or (0,) * self.rules.players,
            starts=cards_of(state.starts),
            shown=state.shown,
            price=_price(state, seat).chips if seat is not None and state.phase == "play" else 0,
            fine=self._fine(state, seat) if mine and seat is not None else 0,
        )

    def _fine(self, state: State, seat: Seat) -> int:
        """What a pass would be fined in all, as far as its own hand and chips say: not who is to get it."""
        hand = state.hands[seat] if state.phase == "play" else 0
        withheld = self._fitting(state) & hand
        if not withheld or self.rules.passing == "forbidden":
            return 0
        beside = (layout.neighbours(BIT[start]) & ~hand for start in _indices(_starts(state, withheld)))
        due = FINE * (1 + sum(cards.bit_count() for cards in beside))
        bank = state.bank.after(_price(state, seat))
        return bank.owe(seat, POOL, due, "T11").chips  # of what the pass leaves (C3)

    def redact(self, event: Any, seat: Seat | None) -> Any:
        match event:
            case Shuffled():
                return Shuffled(())
            case Dealt(hands, counts):
                return Dealt(tuple([hand if s == seat else () for s, hand in enumerate(hands)]), counts)
            case Offended():
                return None
            case Exposed(offender, clause):
                return Exposed(offender, clause, None)
            case (
                Laid() | Turn() | Passed() | Declined() | Paid() | PackCut() | Drew() | FirstDealer() | Deal()
                | Shown() | DealWon() | Over()
            ):  # fmt: skip
                return event
        raise AssertionError(f"nobody said who may know of {event}")

    def parse(self, text: str) -> Any:
        match text.split(" "):
            case ["pass"]:
                return PASS
            case ["cut", at]:
                return Cut(read_number(at))
            case ["shuffle", *cards]:
                return Shuffle(read_cards(cards))
            case ["draw", seat, *cards]:
                return Draw(read_number(seat), read_cards(cards))
        return LAY[read_card(text).index]


_CLAUSE: Final = {
    "draw": "T2",
    "shuffle": "T3",
    "cut": "T3",
    "play": "T8",
    "bonus": "E3",
    "open": "P4",
    "over": "T15",
}
_EXPECTED: Final = {
    "draw": "{action} is refused: the first dealer is to be drawn",
    "shuffle": "{action} is refused: the pack is to be shuffled",
    "cut": "{action} is refused: the pack is to be cut",
    "play": "{action} is refused: a card is to be laid, or pass",
    "bonus": "{action} is refused: a bonus card is to be laid, or pass",
    "open": "{action} is refused: a new suit is to be begun",
    "over": "{action} is refused: the sitting is over",
}

# How each event changes the books.


def _laid(game: FanTan, state: State, event: Laid) -> State:
    card = event.card
    hands = list(state.hands)
    hands[event.seat] &= ~BIT[card.index]
    return changed(
        state,
        hands=tuple(hands),
        laid=state.laid | BIT[card.index],
        starts=layout.starts_after(card.index, state.laid, state.starts, game.rules.one_suit),
        order=(*state.order, card),
    )


def _dealt(game: FanTan, state: State, event: Dealt) -> State:
    return changed(state, hands=tuple(map(bits_of, event.hands)), pack=(), starts=game.rules.opening)


def _shuffled(game: FanTan, state: State, event: Shuffled) -> State:
    return changed(state, pack=event.cards, hands=(), laid=0, starts=0, order=(), shown=())


def _exposed(game: FanTan, state: State, event: Exposed) -> State:
    if event.offence not in state.offences:  # a fine paid at once never was in the books (T10, fined)
        return state
    at = state.offences.index(event.offence)  # each is settled once (T13)
    return changed(state, offences=state.offences[:at] + state.offences[at + 1 :])


def _same(game: FanTan, state: State, event: Any) -> State:
    return state


_EVOLVE: Final[dict[type, Callable[[FanTan, State, Any], State]]] = {
    Laid: _laid,
    Turn: lambda game, state, event: changed(state, actor=event.actor, phase=event.phase),
    Paid: lambda game, state, event: changed(state, bank=state.bank.after(event)),
    Passed: _same,
    Declined: _same,
    Offended: lambda game, state, event: changed(state, offences=(*state.offences, event.offence)),
    Exposed: _exposed,
    Drew: _same,
    FirstDealer: _same,
    Deal: lambda game, state, event: changed(
        state, deal=event.number, dealer=event.dealer, playing=event.playing
    ),
    Shuffled: _shuffled,
    PackCut: _same,
    Dealt: _dealt,
    Shown: lambda game, state, event: changed(state, shown=event.hands),
    DealWon: _same,
    Over: lambda game, state, event: changed(state, winners=event.winners),
}
