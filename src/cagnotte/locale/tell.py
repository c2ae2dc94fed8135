"""Events told in words: the one place where what happened becomes a sentence."""

from collections.abc import Iterable, Sequence
from typing import Any

from cagnotte.cards import Card
from cagnotte.core import POOL, FirstDealer, Over, PackCut, Paid, Seat, Shuffled, Turn
from cagnotte.fantan_terms import Deal, Dealt, DealWon, Declined, Drew, Exposed, Laid, Passed, Shown
from cagnotte.fear import Gathered, Named, Out, Spread, Turned, Won
from cagnotte.locale import say


def called(name: str, lang: str) -> str:
    """What a person is called in a language: by name, or as one without, who has a number for it.

    >>> called("Ann", "fr"), called("#1", "fr"), called("#2", "en")
    ('Ann', 'Anonyme', 'Guest 2')
    """
    nth = name.removeprefix("#") if name.startswith("#") else ""
    if not (nth.isdecimal() and nth.isascii()):
        return name
    return say(lang, "ui.name.none") if nth == "1" else say(lang, "ui.name.nth", nth=nth)


def is_deed(event: Any) -> bool:
    """Whether this is what somebody did, and not what followed: a stand-in may have done it for him."""
    deeds = (Laid, Passed, Declined, PackCut, Turned, Named)
    return isinstance(event, deeds) and event.seat is not None


def tell(event: Any, names: Sequence[str], lang: str, me: Seat | None = None, stood: bool = False) -> str:
    """What happened, as a sentence for the player in seat `me`; empty when nobody needs to be told.

    What `stood` is told as done by a stand-in for whoever has the seat.

    >>> tell(Paid(1, POOL, 1, 1, "T9"), ["Ann", "Bo"], "en")
    'Bo pays 1 chip to the pool for passing.'
    """
    return _Told(names, lang, me, stood and is_deed(event)).event(event)


def spoken(lang: str, card: Card) -> str:
    """A card in full words.

    >>> spoken("fr", Card(7, "S"))
    'sept de pique'
    """
    rank, suit = say(lang, f"rank.{str(card)[0]}.spoken"), say(lang, f"suit.{card.suit}")
    return say(lang, "card.spoken", rank=rank, suit=suit)


class _Told:
    """Sentences for one reader."""

    def __init__(self, names: Sequence[str], lang: str, me: Seat | None, stood: bool) -> None:
        self.names, self.lang, self.me = [called(name, lang) for name in names], lang, me
        self.by = ".stand_in" if stood else ""

    def event(self, event: Any) -> str:
        kind = type(event).__name__
        match event:
            case FirstDealer(seat) | Passed(seat) | Declined(seat) | Out(seat) | Gathered(seat) | Won(seat):
                return self.about(seat, kind)
            case Shuffled() | Spread():
                return self.say(kind)
            case Turn(actor, phase):
                return self.turn(actor, phase)
            case Paid():
                return self.paid(event)
            case Over(winners, stacks, early):
                why = [self.say("Over.early")] if early else []
                return " ".join([*why, self.over(winners, stacks)])
            case PackCut(seat, at):
                return self.about(seat, kind, at=at)
            case Drew(seat, cards):
                return self.about(seat, kind, cards=self.cards(cards))
            case Deal(number, dealer, playing):
                told = self.about(dealer, kind, number=number)
                out = [self.who(seat) for seat in range(len(self.names)) if seat not in playing]
                return " ".join([told, self.say("Deal.out", names=", ".join(out))] if out else [told])
            case Dealt(_, counts):
                dealt = [(seat, count) for seat, count in enumerate(counts) if count]
                even = len({count for _, count in dealt}) == 1
                return self.say(kind) if even else self.say("Dealt.counts", counts=self.each("count", dealt))
            case Laid(seat, card):
                return self.about(seat, kind, card=self.the(card))
            case Exposed(seat, clause):
                return self.about(seat, f"Exposed.{clause}")
            case Shown(hands):
                left = [(seat, self.cards(hand)) for seat, hand in enumerate(hands) if hand]
                return self.say(kind, hands=self.each("holds", left))
            case DealWon(seat, chips):
                return self.about(seat, kind, chips=self.chips(chips))
            case Named():
                words = {"card": event.card, "spoken": spoken(self.lang, event.card)}
                return (
                    self.say("Named.last", **words)
                    if event.seat is None
                    else self.about(event.seat, kind, **words)
                )
            case Turned(seat, _, card, fear):
                return self.about(seat, "Turned.fear" if fear else kind, card=self.the(card))
        raise AssertionError(f"nobody said how to tell {event}")

    def turn(self, actor: Seat | None, phase: str) -> str:
        """Whose turn it is, told to him only when it is an ordinary one."""
        ordinary = phase in ("play", "turn")
        if actor is None or actor < 0 or (ordinary and actor != self.me):
            return ""
        return self.about(actor, f"Turn.{phase}")

    def paid(self, paid: Paid) -> str:
        """A payment with its reason; of one who has too little, what he owes as well (C3)."""
        chips, due = self.chips(paid.chips), self.chips(paid.due)
        if paid.payer == POOL:
            return self.about(paid.payee, "Taken", chips=chips)  # T14, F11
        verb = "Paid" if paid.chips == paid.due else "Owed"
        if paid.payee == POOL:
            why = say(self.lang, f"why.{paid.clause}", n=paid.due)
            return self.about(paid.payer, f"{verb}.pool", n=paid.chips, chips=chips, due=due, why=why)
        if paid.payee == self.me:  # T11
            return self.say(f"{verb}.mine", name=self.who(paid.payer), n=paid.chips, chips=chips, due=due)
        payee = self.who(paid.payee)
        return self.about(paid.payer, f"{verb}.seat", payee=payee, n=paid.chips, chips=chips, due=due)

    def over(self, winners: Sequence[Seat], stacks: Sequence[int]) -> str:
        """Who won the sitting, and everybody's chips, the most first."""
        seats = sorted(range(len(stacks)), key=lambda seat: -stacks[seat])
        ranking = self.each("holds", ((seat, stacks[seat]) for seat in seats))
        if len(winners) == 1:
            return self.about(winners[0], "Over", stacks=ranking)
        *some, last = map(self.who, winners)
        shared = say(self.lang, "list.and", some=", ".join(some), last=last)
        return self.say("Over.share", names=shared, stacks=ranking)

    def about(self, seat: Seat, key: str, **values: object) -> str:
        """A text about a seat: `key.you` when it is the reader's, with `stand_in` where one acted for it."""
        key += self.by
        return self.say(f"{key}.you" if seat == self.me else key, name=self.names[seat], **values)

    def say(self, key: str, **values: object) -> str:
        return say(self.lang, f"tell.{key}", **values)

    def each(self, key: str, values: Iterable[tuple[Seat, object]]) -> str:
        return ", ".join(self.say(key, name=self.who(seat), value=value) for seat, value in values)

    def who(self, seat: Seat) -> str:
        return self.say("you") if seat == self.me else self.names[seat]

    def chips(self, n: int) -> str:
        return say(self.lang, "chips", n=n)

    def the(self, card: Card) -> str:
        """The card with its article, which in French depends on the rank."""
        key = {1: "the.A", 12: "the.Q"}.get(card.rank, "the")
        return say(self.lang, key, card=card)

    def cards(self, cards: Iterable[Card]) -> str:
        return " ".join(card.label(self.lang) for card in cards)
