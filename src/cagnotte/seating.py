"""The chairs of a table, who is host, how it goes, and what is said at it; nothing of what is played."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from cagnotte.attendance import GRACE, HOST_GRACE, Attendance
from cagnotte.core import Illegal, Seat, quoted
from cagnotte.entries import (
    Branched,
    Chosen,
    Entry,
    Filled,
    Forgot,
    Freed,
    Hosted,
    Left,
    Paused,
    Removed,
    Renamed,
    Said,
    Started,
    Took,
)
from cagnotte.locale import LANGUAGES
from cagnotte.locale.tell import called
from cagnotte.names import alike, clean, clean_line
from cagnotte.table_terms import (
    BOT_NAMES,
    CHOICES,
    CLOCK,
    LINES,
    REACTIONS,
    REST,
    REST_AGAIN,
    STAND_IN,
    Chair,
    Choose,
    Fill,
    Forget,
    Input,
    Leave,
    PassOn,
    Pause,
    PutBot,
    React,
    Remove,
    Rename,
    Say,
    Sit,
    Start,
)


class Leads(NamedTuple):
    """Where secrets lead: to the seats that they prove, and to those that were left during this sitting."""

    owners: dict[str, Seat]
    formers: dict[str, Seat]


@dataclass(slots=True, kw_only=True)
class Seating:
    """Who sits where, and what a person or the host may wish; a `Table` adds the play."""

    chairs: list[Chair]
    host: Seat | None = None
    state: str = "lobby"  # playing, over
    pace: str = "normal"
    clock: int = CLOCK
    listed: bool = False  # among the open tables
    onlookers: bool = True  # may watch
    muted: bool = False
    paused: bool = False
    rester: Seat | None = None  # who paused it
    chat: list[Said] = field(default_factory=list)
    beside: Branched | None = None  # during this sitting
    played: set[str] = field(default_factory=set)  # the secrets of all who began a sitting, there or gone
    forgetters: set[str] = field(default_factory=set)  # and of who would have the table deleted
    there: Attendance = field(default_factory=Attendance, compare=False)
    leads: Leads = field(default_factory=lambda: Leads({}, {}), compare=False)  # another when it changes

    # Wishes: each comes to entries or raises Illegal.

    def _wish(self, now: float, given: Input) -> list[Entry]:
        match given:
            case Sit():
                return self._sit(given)
            case Rename(seat, name):
                named = self._person(seat)
                new = self._new_name(name, named)
                return [Renamed(named, new)] if new != self.chairs[named].name else []
            case Leave(seat):
                left = self._person(seat)
                heir = [Hosted(self._heir(left))] if left == self.host else []
                return [Freed(left) if self.state == "lobby" else Left(left), *heir]
            case Say(seat, text):
                speaker = self._speaker(seat)
                return [Said(speaker, self.chairs[speaker].name, clean_line(text))]
            case React(seat, what):
                speaker = self._speaker(seat)
                check_choice(what, REACTIONS)
                return [Said(speaker, self.chairs[speaker].name, react=what)]
            case Forget(secret):
                return self._forget(secret or "")
            case Pause(seat, on):
                return self._pause(now, self._person(seat), on)
        return self._wish_of_host(given)

    def _wish_of_host(self, given: Input) -> list[Entry]:
        match given:
            case Choose(seat, what, value):
                self._host(seat)
                check_choice(value, CHOICES[what])
                return [Chosen(what, value)] if value != getattr(self, what) else []
            case PutBot(seat, other, level):
                self._host(seat, "lobby")
                if other not in (free := self._seats("open")):
                    raise _taken(other) if free else NO_SEAT
                return bots({other: level}, self.names)
            case Fill(seat, level):
                self._host(seat, "lobby")
                return [*bots(dict.fromkeys(self._seats("open"), level), self.names), Started()]
            case Start(seat):
                self._host(seat, "lobby")
                if free := self._seats("open"):
                    raise Illegal(None, "seats are still free: {free}", free=len(free))
                return [Started()]
            case Remove(seat, other):
                self._host(seat)
                if other == seat or not self._may_go(other):
                    raise Illegal(None, "there is nobody to let go in seat {seat}", seat=other + 1)
                return [Freed(other) if self.state == "lobby" else Removed(other)]
            case PassOn(seat, other):
                self._host(seat)
                if other not in self._seats("person"):
                    raise Illegal(None, "there is nobody to be host in seat {seat}", seat=other + 1)
                return [Hosted(other)] if other != seat else []
        raise AssertionError(given)

    def _sit(self, sit: Sit) -> list[Entry]:
        if self.seat_of(sit.former) is not None:
            raise Illegal(None, "you have a seat at this table")
        free, own = self._seats("open"), self.former_seat(sit.former)
        if self.state == "over":
            free += self._seats("bot")
        elif self.state == "playing":  # nobody may see two hands
            if own is None:
                raise Illegal(None, "the sitting has begun: you may watch, and sit down when it is over")
            if sit.seat not in (None, own):
                raise Illegal(None, "you left a seat of this sitting: only that one is yours")
            free = [own]
        if not free:
            raise NO_SEAT
        first = own if own is not None and own in free else free[0]
        seat = first if sit.seat is None else sit.seat
        if seat not in free:
            raise _taken(seat)
        name = sit.name if sit.name or own is None else self.chairs[own].name
        former = sit.former if sit.former in self.played else None
        took = Took(seat, self._new_name(name, seat, sit.former), sit.secret, former or "")
        return [took, Hosted(seat)] if self.host is None else [took]

    def _forget(self, secret: str) -> list[Entry]:
        seat = self.seat_of(secret)
        if secret not in self.keepers:
            self._person(seat)
            raise Illegal(None, "only those who have played here can have it deleted")
        if self.state == "playing" and self.there.present:
            raise Illegal(None, "a table is deleted only when nothing is being played")
        return [Forgot(seat, secret)] if secret not in self.forgetters else []

    def _may_go(self, seat: Seat) -> bool:
        """Whether somebody sits there who can be let go; in a sitting, also who left and could come back."""
        if not 0 <= seat < len(self.chairs):
            return False
        chair = self.chairs[seat]
        return chair.kind == "person" or bool(chair.former) or (self.state == "lobby" and chair.kind == "bot")

    def _pause(self, now: float, seat: Seat, on: bool) -> list[Entry]:
        self._only("playing")
        free = self.anybody_may_go_on
        long = not on and free is not None and now >= free
        if seat != self.host and self.host in self.there.present and not long:
            raise ONLY_HOST
        ended = self.there.ended
        if on and not self.paused and ended is not None and now < ended + REST_AGAIN:
            raise Illegal(None, "the last pause was ended by others: wait a minute before the next")
        return [Paused(on, seat)] if on != self.paused else []

    @property
    def anybody_may_go_on(self) -> float | None:
        """From when any person may end the pause; at once where one was ended so before. None without one.

        All pauses of a sitting count together: nobody gains by ending his own and beginning another.
        """
        rests = self.there.rests
        patience = max(0.0, REST - self.there.rested) if self.there.ended is None else 0.0
        return None if not self.paused or rests is None else rests + patience

    def _speaker(self, seat: Seat | None) -> Seat:
        speaker = self._person(seat)
        if self.muted:
            raise Illegal(None, "the host has turned off the chat of this table")
        if len(self.chat) >= LINES:
            raise Illegal(None, "enough has been said at this table: open another to talk on")
        return speaker

    # The books.

    def _book(self, now: float, entry: Entry) -> None:
        match entry:
            case Took(seat, name, secret, former):
                before = former or (self.chairs[seat].former if self.state == "playing" else None)
                if before in self.played:  # he has another secret now, and has not asked by it
                    self.played = self.played - {before} | {secret}
                self.chairs[seat] = Chair("person", name, secret=secret)
                if self.state != "playing":  # or else he has come back, and owes what he owed
                    self.there.idle.discard(seat)
            case Filled(seat, name, level):
                self.chairs[seat] = Chair("bot", name, level)
            case Freed(seat):
                self.chairs[seat] = Chair()
                self.there.lose(now, seat)
            case Left(seat):
                self._replace(now, seat, self.chairs[seat].secret)
            case Removed(seat):
                self._replace(now, seat, "")
            case Renamed(seat, name):
                self.chairs[seat] = replace(self.chairs[seat], name=name)
            case Hosted(host):
                self.host = host
            case Chosen(what, value):
                check_choice(value, CHOICES[what])
                setattr(self, what, value)
                if what == "clock":  # nobody's time is over because another is chosen
                    self.there.fresh(now)
            case Paused(on, seat):
                if not on and seat != self.rester:
                    self.there.ended = now
                self.paused, self.rester = on, seat if on else None
                if seat is not None:  # whoever does that is there
                    self.there.idle.discard(seat)
                self.there.pause(now, on)
            case Said():
                self.chat.append(entry)
            case Branched():
                self.beside = entry
            case Forgot(seat, secret):
                chair = Chair() if seat is None else self.chairs[seat]
                self.forgetters.add(secret or chair.secret or chair.former or "")
            case _:
                raise AssertionError(entry)
        self._index()

    def _index(self) -> None:
        """Note where each secret leads, anew only where that changed: until then all sockets know it."""
        chairs = [*enumerate(self.chairs)][::-1]
        leads = Leads(
            {chair.secret: seat for seat, chair in chairs if chair.secret},
            {chair.former: seat for seat, chair in chairs if chair.former},
        )
        if leads != self.leads:
            self.leads = leads

    def _replace(self, now: float, seat: Seat, former: str | None) -> None:
        """A bot plays on for who is gone, at once; no wait begins anew for who comes and goes."""
        self.chairs[seat] = Chair("bot", self.chairs[seat].name, STAND_IN, former=former)
        self.there.lose(now, seat)

    def _replace_those_who_left(self) -> None:
        """A new sitting: a bot in the seat of somebody who is gone is a bot like any other."""
        for seat, chair in enumerate(self.chairs):
            if chair.former is not None:
                self.chairs[seat] = Chair("bot", _bot_names(self.names)[0], chair.level)
        self._index()

    # Who is who.

    @property
    def names(self) -> list[str]:
        """By seat; empty where nobody sits yet."""
        return [chair.name for chair in self.chairs]

    @property
    def free(self) -> int:
        """How many seats one may take in the lobby."""
        return len(self._seats("open")) if self.state == "lobby" else 0

    @property
    def keepers(self) -> set[str]:
        """Whose secrets have a say before the table is deleted: those who played, or before that who sits."""
        return set(self.leads.owners) if self.state == "lobby" else self.played

    @property
    def forgotten(self) -> bool:
        """Whether all of them would have it deleted."""
        return bool(self.forgetters) and self.forgetters >= self.keepers

    def seat_of(self, secret: str | None) -> Seat | None:
        """The seat that this secret proves."""
        return self.leads.owners.get(secret or "")

    def former_seat(self, secret: str | None) -> Seat | None:
        """The seat that whoever knows this secret left during this sitting, and may come back to."""
        return self.leads.formers.get(secret or "")

    def stands_in(self, now: float, seat: Seat) -> bool:
        """Whether a bot plays for the person of this seat."""
        if self.chairs[seat].kind != "person":
            return self.chairs[seat].former is not None
        away = self.there.away(seat, GRACE)
        return seat in self.there.idle or (away is not None and now >= away)

    def _seats(self, kind: str) -> list[Seat]:
        return [seat for seat, chair in enumerate(self.chairs) if chair.kind == kind]

    def _host_due(self) -> float | None:
        """When another becomes host, if the host stays away."""
        return None if self.host is None else self.there.away(self.host, HOST_GRACE)

    def _heir(self, host: Seat) -> Seat | None:
        """Who is host after this one: the next person clockwise who is there, or else any."""
        persons = sorted(self._seats("person"), key=lambda seat: (seat - host) % len(self.chairs))
        others = [seat for seat in persons if seat != host]
        there = [seat for seat in others if seat in self.there.present]
        return next(iter(there or others), None)

    # Who may do what.

    def _person(self, seat: Seat | None) -> Seat:
        if seat is None or self.chairs[seat].kind != "person":
            raise Illegal(None, "you have no seat at this table")
        return seat

    def _host(self, seat: Seat | None, state: str | None = None) -> None:
        if self._person(seat) != self.host:
            raise ONLY_HOST
        if state:
            self._only(state)

    def _only(self, state: str) -> None:
        if self.state != state:
            raise Illegal(None, _ONLY[state])

    def _new_name(self, name: str, seat: Seat, former: str | None = None) -> str:
        new = clean(name)
        for other, chair in enumerate(self.chairs):
            own = other == seat or (former is not None and chair.former == former)
            if not own and _confused(chair.name, new):
                raise Illegal(None, "somebody named {name} is at this table", name=new)
        return new


ONLY_HOST: Final = Illegal(None, "only the host may do that")
NO_SEAT: Final = Illegal(None, "no seat is free at this table")
_ONLY: Final = {
    "lobby": "the sitting has begun",
    "playing": "nothing is being played",
    "over": "the sitting is not over",
}


def bots(levels: dict[Seat, str], taken: Sequence[str]) -> list[Entry]:
    """A bot of this level in each of these seats, under a name that nobody has."""
    names = _bot_names(taken)
    return [Filled(seat, name, level) for (seat, level), name in zip(levels.items(), names, strict=False)]


def _bot_names(taken: Sequence[str]) -> list[str]:
    return [name for name in BOT_NAMES if not any(alike(name, other) for other in taken)]


def _confused(one: str, other: str) -> bool:
    """Whether a reader of any language could take one for the other: a guest without a name is a word."""
    return any(alike(called(one, lang), called(other, lang)) for lang in LANGUAGES)


def _taken(seat: Seat) -> Illegal:
    return Illegal(None, "seat {seat} is taken", seat=seat + 1)


def check_choice(value: int | str, choices: Sequence[int | str]) -> None:
    """Raises Illegal for what is not among these."""
    if value not in choices:
        known = ", ".join(map(str, choices))
        raise Illegal(None, "{value} is not to be chosen: {choices}", value=quoted(value), choices=known)
