"""A second, slow and obvious implementation of the five games, written from the rules to check the engine.

It shares nothing with the engine: cards are texts like "7S", hands are lists, stacks are a list.
"""

from __future__ import annotations

from typing import Any

RANKS = "A23456789TJQK"  # C1: low to high, the ace is low
SUITS = "SHDC"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
SYMBOLS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
FAMILY = ("fan-tan", "five-or-nine", "earl-of-coventry", "play-or-pay")

Party = int | str  # a seat, "pool" or "chance"
Offence = tuple[int, list[str], list[tuple[Party, int]], str]  # who, cards withheld, what he owes, clause


class Refused(Exception):
    """A move against the rules, with the clause that it breaks; None where the rules have none."""

    def __init__(self, clause: str | None) -> None:
        super().__init__(clause)
        self.clause = clause


def demand(held: bool, clause: str | None) -> None:
    if not held:
        raise Refused(clause)


def read_card(text: str) -> str:
    """C2: `7S`, `10H` as `TH`, `7♠`; French ranks where a symbol leaves no doubt."""
    rank, suit = text[:-1], text[-1:]
    if suit in SYMBOLS:
        suit = SYMBOLS[suit]
        rank = {"V": "J", "D": "Q", "R": "K"}.get(rank, rank)
    rank = {"10": "T"}.get(rank, rank)
    demand(rank + suit in PACK, "C2")
    return rank + suit


def read_number(text: str) -> int:
    demand(text.isascii() and text.isdigit() and len(text) <= 3, "C2")
    return int(text)


def house_rules(game: str, players: int, chosen: dict[str, Any]) -> dict[str, Any]:
    """All house rules of a sitting, or a refusal with the clause of the first that is wrong."""
    demand(game == "fear" or game in FAMILY, None)
    if game == "fear":
        demand(2 <= players <= 26, "F1")
        rules: dict[str, Any] = {"stake": 2 if players <= 6 else 1}  # F2
        ranges = {"stake": range(1, 11)}
        clauses = {"stake": "F2"}
    else:
        demand(3 <= players <= 5, "T1")
        rules = {
            "chips": 100 if game == "play-or-pay" else 50,  # T1
            "deals": 2 * players,  # T15
            "passing": "forbidden",  # T10
            "extra_ante": "on",  # T6
            "pay_left": "on",  # T14
            "debt": "off",  # C3
        }
        ranges = {"chips": range(10, 1001), "deals": range(1, 101)}
        clauses = {
            "chips": "T1",
            "deals": "T15",
            "passing": "T10",
            "extra_ante": "T6",
            "pay_left": "T14",
            "debt": "C3",
        }
    for name, value in chosen.items():
        demand(name in rules, None)
        if name in ranges:
            demand(type(value) is int and value in ranges[name], clauses[name])
        elif name == "passing":
            demand(value in ("forbidden", "fined", "honour"), clauses[name])
        else:
            demand(value in ("on", "off"), clauses[name])
        rules[name] = value
    return rules


class Naive:
    """One sitting, moved on by the texts of a record."""

    def __init__(self, game: str, players: int, rules: dict[str, Any]) -> None:
        self.rules = house_rules(game, players, rules)
        self.game = game
        self.players = players
        self.stacks = [self.rules["stake" if game == "fear" else "chips"]] * players  # F2, T1
        self.pool = 0
        self.deals = 0  # packs dealt or spread
        self.phase = "dealer" if game == "fear" else "draw"
        self.actor: Party | None = "chance"
        self.dealer: int | None = None
        self.pack: list[str] = []
        self.winners: list[int] = []
        self.paid: list[tuple[Party, Party, int, int, str]] = []  # C4: payments of the last move
        # Fear
        self.places: list[str] = []
        self.up: list[bool] = []
        self.fear: str | None = None
        # the Fan Tan family
        self.playing: list[int] = []
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.laid: dict[str, list[str]] = {suit: [] for suit in SUITS}
        self.start: str | None = None  # the rank of the start cards, once fixed
        self.bonus_suit = ""
        self.offences: list[Offence] = []

    # what both families do

    def pay(self, payer: Party, payee: Party, due: int, clause: str) -> None:
        chips = due
        if isinstance(payer, int):
            if self.rules.get("debt") != "on":
                chips = min(due, self.stacks[payer])  # C3: he pays what he has
            self.stacks[payer] -= chips
        else:
            self.pool -= chips
        if isinstance(payee, int):
            self.stacks[payee] += chips
        else:
            self.pool += chips
        self.paid.append((payer, payee, chips, due, clause))

    def due_clause(self) -> str:
        """The clause that says what is to happen now, broken by whoever does something else."""
        fear = self.game == "fear"
        return {
            "draw": "T2",
            "dealer": "F12",
            "shuffle": "F3" if fear else "T3",
            "cut": "F3" if fear else "T3",
            "name": "F4",
            "turn": "F6",
            "play": "T8",
            "bonus": "E3",
            "open": "P4",
            "over": "F11" if fear else "T15",
        }[self.phase]

    def apply(self, text: str) -> None:
        """Play one move, `ACTOR ACTION`; raises Refused and changes nothing when it is against the rules."""
        actor, _, action = text.partition(" ")
        if self.actor is not None and actor != str(self.actor):
            raise Refused({"T8": "T7", "F6": "F5"}.get(self.due_clause(), self.due_clause()))
        kind, numbers, cards = self.read(action.split(" "))
        self.paid = []
        match kind, self.phase:
            case "draw", "draw":
                self.draw(numbers[0], cards)
            case "dealer", "dealer":
                demand(numbers[0] < self.players, "F12")
                self.dealer = numbers[0]
                self.phase = "shuffle"
            case "shuffle", "shuffle":
                demand(len(cards) == 52 and set(cards) == set(PACK), "C1")
                self.pack = cards
                self.gather()
                self.phase = "cut"
                self.actor = self.cutter()
            case "cut", "cut":
                self.cut(numbers[0])
            case "fear", "name":
                self.name(cards[0])
            case "turn", "turn":
                self.turn(numbers[0])
            case "lay", ("play" | "bonus" | "open"):
                self.lay(cards[0])
            case "pass", ("play" | "bonus" | "open"):
                self.pass_()
            case _:
                raise Refused(self.due_clause())

    def read(self, words: list[str]) -> tuple[str, list[int], list[str]]:
        """An action's kind, numbers and cards; only the words of this game are known."""
        match words:
            case ["draw", seat, *cards] if self.game != "fear":
                return "draw", [read_number(seat)], [read_card(card) for card in cards]
            case ["dealer", seat] if self.game == "fear":
                return "dealer", [read_number(seat)], []
            case ["shuffle", *cards]:
                return "shuffle", [], [read_card(card) for card in cards]
            case ["cut", at]:
                return "cut", [read_number(at)], []
            case ["fear", card] if self.game == "fear":
                return "fear", [], [read_card(card)]
            case ["turn", place] if self.game == "fear":
                return "turn", [read_number(place)], []
            case ["pass"] if self.game != "fear":
                return "pass", [], []
            case [card] if self.game != "fear":
                return "lay", [], [read_card(card)]
        raise Refused("C2")

    def gather(self) -> None:
        """All cards leave the table and the hands."""
        self.places, self.up, self.fear = [], [], None
        self.hands = [[] for _ in range(self.players)]
        self.laid = {suit: [] for suit in SUITS}

    def cutter(self) -> int:
        assert self.dealer is not None
        if self.game == "fear":
            return (self.dealer + 1) % self.players  # F3, F13: on his left, chips or no chips
        return self.next_playing(self.dealer, -1)  # T3: on his right

    def cut(self, at: int) -> None:
        if self.game == "fear":
            demand(1 <= at <= 51, "F3")
        else:
            demand(5 <= at <= 47, "T3")
        self.pack = self.pack[at:] + self.pack[:at]
        self.deals += 1
        if self.game == "fear":
            self.spread()
        else:
            self.deal()

    def legal(self) -> list[str] | None:
        """The texts of the moves possible now, without the actor; None when chance is to act."""
        if self.actor == "chance":
            return None
        if self.phase == "cut":
            return [f"cut {at}" for at in (range(1, 52) if self.game == "fear" else range(5, 48))]
        if self.phase == "name":
            down = set(self.face_down())
            return [f"fear {card}" for card in PACK if card in down]  # F4
        if self.phase == "turn":
            return [f"turn {place}" for place in range(52) if not self.up[place]]  # F6
        if self.phase == "over":
            return []
        fitting = self.fitting()
        may_pass = (
            self.phase == "bonus"  # E3: he may always decline
            or not fitting  # T9
            or (self.phase == "play" and self.rules["passing"] != "forbidden")  # T10, P4
        )
        return fitting + (["pass"] if may_pass else [])

    # Fear

    def face_down(self) -> list[str]:
        return [card for card, up in zip(self.places, self.up, strict=True) if not up]

    def spread(self) -> None:
        self.places = list(self.pack)  # F3
        self.up = [False] * 52
        self.phase = "name"
        self.actor = self.dealer  # F4, F10: chips or no chips

    def name(self, card: str) -> None:
        demand(card in self.face_down(), "F4")
        self.fear = card
        self.next_to_turn()

    def next_to_turn(self) -> None:
        """F5, F7, F9: the next seat to the right of who acted that has chips."""
        assert isinstance(self.actor, int)
        seat = (self.actor - 1) % self.players
        while self.stacks[seat] == 0:
            seat = (seat - 1) % self.players
        self.actor = seat
        self.phase = "turn"

    def turn(self, place: int) -> None:
        demand(0 <= place < 52 and not self.up[place], "F6")
        assert isinstance(self.actor, int)
        self.up[place] = True
        was_fear = self.places[place] == self.fear
        if was_fear:
            self.fear = None
            self.pay(self.actor, "pool", 1, "F7")
            with_chips = [seat for seat in range(self.players) if self.stacks[seat] > 0]
            if len(with_chips) == 1:  # F11: at once
                self.pay("pool", with_chips[0], self.pool, "F11")
                self.winners = with_chips
                self.phase = "over"
                self.actor = None
                return
        left = self.face_down()
        if not left:  # F10: who turned the last card gathers
            self.dealer = self.actor
            self.phase = "shuffle"
            self.actor = "chance"
        elif was_fear and len(left) > 1:
            self.phase = "name"  # F7, F8: even when that was his last chip
        else:
            if was_fear:
                self.fear = left[0]  # F8: the last card is the fear without being named
            self.next_to_turn()

    # the Fan Tan family

    def draw(self, seat: int, cards: list[str]) -> None:
        """T2: face up, one at a time around the table, until a jack."""
        demand(seat < self.players, "T2")
        demand(len(set(cards)) == len(cards), "C1")
        demand(len(cards) > 0 and cards[-1][0] == "J", "T2")
        demand(all(card[0] != "J" for card in cards[:-1]), "T2")
        self.dealer = (seat + len(cards) - 1) % self.players
        self.playing = self.can_play()
        self.phase = "shuffle"

    def can_play(self) -> list[int]:
        """T15: who has no chips when a deal begins sits it out, unless there is debt."""
        return [seat for seat in range(self.players) if self.rules["debt"] == "on" or self.stacks[seat] > 0]

    def next_playing(self, seat: int, step: int) -> int:
        """T15: left and right mean the nearest neighbour who plays."""
        seat = (seat + step) % self.players
        while seat not in self.playing:
            seat = (seat + step) % self.players
        return seat

    def in_order(self, first: int) -> list[int]:
        """Those who play, clockwise from a seat."""
        around = [(first + i) % self.players for i in range(self.players)]
        return [seat for seat in around if seat in self.playing]

    def deal(self) -> None:
        assert self.dealer is not None
        eldest = self.next_playing(self.dealer, 1)  # T5
        for seat in self.in_order(eldest):
            self.pay(seat, "pool", 1, "T4")
        seat = eldest
        for card in self.pack:
            self.hands[seat].append(card)
            seat = self.next_playing(seat, 1)
        most = max(len(hand) for hand in self.hands)
        if self.rules["extra_ante"] == "on":
            for seat in self.in_order(eldest):
                if len(self.hands[seat]) < most:
                    self.pay(seat, "pool", 1, "T6")
        self.start = "7" if self.game == "fan-tan" else None
        self.offences = []
        self.phase = "play"
        self.actor = eldest  # T7

    def fault(self, card: str) -> str | None:
        """The clause that forbids laying this card now; None when it fits."""
        rank, suit = card[0], card[1]
        row = self.laid[suit]
        empty = not any(self.laid.values())
        if self.game == "play-or-pay":
            for other in SUITS:
                if 0 < len(self.laid[other]) < 13:  # the suit that must be completed
                    if suit != other:
                        return "P2"
                    after = RANKS[(RANKS.index(row[-1][0]) + 1) % 13]  # P3: upward, from king to ace
                    return None if rank == after else "P3"
            return None  # P1, P4: any card
        if self.phase == "bonus" and suit == self.bonus_suit:
            return "E3"  # on one of the three other sequences
        misfit = self.due_clause()  # T8, E3
        if empty:
            if self.game == "fan-tan":
                return None if rank == "7" else "T7"
            if self.game == "five-or-nine":
                return None if rank in "59" else "N1"
            return None  # E1
        assert self.start is not None
        if not row:
            return None if rank == self.start else misfit
        at, begin = RANKS.index(rank), RANKS.index(self.start)
        if at > begin:
            return None if RANKS[at - 1] + suit in row else misfit  # up to the king
        if at < begin:
            return None if RANKS[at + 1] + suit in row else misfit  # down to the ace
        return misfit

    def fitting(self) -> list[str]:
        """The cards of the player to act that he may lay, in the order of the pack."""
        assert isinstance(self.actor, int)
        return [card for card in PACK if card in self.hands[self.actor] and self.fault(card) is None]

    def lay(self, card: str) -> None:
        assert isinstance(self.actor, int)
        seat = self.actor
        demand(card in self.hands[seat], self.due_clause())
        clause = self.fault(card)
        if clause is not None:
            raise Refused(clause)
        suit = card[1]
        if not any(self.laid.values()):
            self.start = card[0]  # N1, E1
        self.hands[seat].remove(card)
        self.laid[suit].append(card)
        if not self.hands[seat]:
            self.win(seat)
            return
        for offence in list(self.offences):  # T10 honour: a withheld card comes to light
            if offence[0] == seat and card in offence[1]:
                self.settle(offence)
        rows = [self.laid[s] for s in SUITS]
        if self.game == "earl-of-coventry" and all(rows) and card[0] == self.start:
            self.phase = "bonus"  # E3: he has laid the fourth start card
            self.bonus_suit = suit
        elif self.game == "play-or-pay" and len(self.laid[suit]) == 13:
            self.phase = "open"  # P4
        else:
            self.phase = "play"
            self.actor = self.next_playing(seat, 1)  # T7

    def pass_(self) -> None:
        assert isinstance(self.actor, int)
        seat = self.actor
        if self.phase == "bonus":  # E3: he declines, without payment or offence
            self.phase = "play"
            self.actor = self.next_playing(seat, 1)
            return
        demand(self.phase != "open", "P4")
        withheld = self.fitting()
        if withheld and self.rules["passing"] == "forbidden":
            raise Refused("T10")
        self.pay(seat, "pool", 1, "T9")  # T13: the passing chip first
        if withheld:
            self.offences.append(self.offence(seat, withheld))
            if self.rules["passing"] == "fined":
                self.settle(self.offences[-1])
        self.actor = self.next_playing(seat, 1)

    def offence(self, seat: int, withheld: list[str]) -> Offence:
        """Who withheld which cards, the payments that he owes for it and the clause."""
        owed: list[tuple[Party, int]] = [("pool", 3)]  # T11, T12: once
        starts = []
        if self.game != "play-or-pay" and self.start is not None:  # P5, N3, E4
            starts = [card for card in withheld if card[0] == self.start]
        for suit in SUITS:  # T11: suits S H D C, in a suit the lower neighbour first
            if not any(card[1] == suit for card in starts):
                continue
            at = RANKS.index(starts[0][0])
            for neighbour in (at - 1, at + 1):
                if not 0 <= neighbour < 13:
                    continue  # E4: an ace or a king has one neighbour
                for holder in range(self.players):
                    if RANKS[neighbour] + suit in self.hands[holder] and holder != seat:
                        owed.append((holder, 3))
        return seat, withheld, owed, "T11" if starts else "T12"

    def settle(self, offence: Offence) -> None:
        """T13: each offence once."""
        seat, _, owed, clause = offence
        for payee, chips in owed:
            self.pay(seat, payee, chips, clause)
        self.offences.remove(offence)

    def win(self, winner: int) -> None:
        for offence in list(self.offences):  # T10, T13: at the latest now, oldest first
            self.settle(offence)
        if self.rules["pay_left"] == "on":  # T14
            for seat in self.in_order((winner + 1) % self.players):
                if self.hands[seat]:
                    self.pay(seat, "pool", len(self.hands[seat]), "T14")
        self.pay("pool", winner, self.pool, "T14")
        if self.deals == self.rules["deals"] or len(self.can_play()) < 3:  # T15
            self.winners = [seat for seat in range(self.players) if self.stacks[seat] == max(self.stacks)]
            self.phase = "over"
            self.actor = None
            return
        assert self.dealer is not None
        self.playing = self.can_play()
        self.dealer = self.next_playing(self.dealer, 1)  # T2
        self.phase = "shuffle"
        self.actor = "chance"


def replay(record: dict[str, Any]) -> dict[str, Any]:
    """Replay a record from its first move; the first fault is told by its move and clause."""
    try:
        sitting = Naive(record["game"], len(record["players"]), record.get("rules", {}))
    except Refused as refused:
        return {"ok": False, "move": None, "clause": refused.clause}
    for number, text in enumerate(record["moves"], 1):
        try:
            sitting.apply(text)
        except Refused as refused:
            return {"ok": False, "move": number, "clause": refused.clause}
    told = {
        "ok": True,
        "moves": len(record["moves"]),
        "deals": sitting.deals,
        "stacks": sitting.stacks,
        "pool": sitting.pool,
        "over": sitting.phase == "over",
        "winners": sitting.winners,
        "legal": sitting.legal(),
        "actor": sitting.actor,
        "hands": sitting.hands,
        "laid": sitting.laid,
    }
    result = record.get("result")
    if result is not None:
        wrong = any(result.get(key, told[key]) != told[key] for key in ("stacks", "winners"))
        if wrong or not told["over"]:
            return {"ok": False, "move": None, "clause": None}
    return told
