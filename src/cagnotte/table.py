"""One table without I/O and without a clock: seats, turns, waits, stand-ins, versions.

All that lasts is a log of entries; what follows from them is the same after a restart. Who is there, and
since when a wait lasts, is not stored: a table where nobody is present sleeps, and whoever is to act when it
wakes has a fresh turn.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cagnotte.attendance import GRACE, HOST_GRACE, Attendance
from cagnotte.core import CHANCE, FirstDealer, Game, Illegal, Seat, Shuffled, play
from cagnotte.games import choose, chosen_rules
from cagnotte.names import alike, clean
from cagnotte.table_terms import (
    BOT_NAMES,
    IDLE,
    MOST,
    PACES,
    STAND_IN,
    Act,
    Again,
    Chair,
    Done,
    Draw,
    Drawn,
    Entered,
    Entry,
    Fill,
    Filled,
    Freed,
    Go,
    Here,
    Hosted,
    Input,
    Leave,
    Left,
    Opened,
    Output,
    Pace,
    Paced,
    Played,
    Refused,
    Remove,
    Rename,
    Renamed,
    Seated,
    Sit,
    StandIn,
    Start,
    Started,
    Tick,
    Took,
    Update,
    Wait,
)


@dataclass(slots=True)
class Table:
    """A table, made by `open` or `restore` only; `receive` tells it everything that happens.

    Two tables are equal when they come from the same entries.
    """

    game: Game[Any]
    pace: str
    chairs: list[Chair]
    state: str = "lobby"  # playing, over
    host: Seat | None = None
    version: int = 1  # how many entries there are
    moved: int = 0  # the version of the last move
    play: Any = None  # the state of the sitting
    dealer: Seat | None = None  # who dealt first in this sitting
    events: list[Any] = field(default_factory=list)  # of this sitting, as nobody is told them
    log_from: int = 0  # where among them the present deal begins
    ids: dict[tuple[Seat, str], str] = field(default_factory=dict)  # moves played, by seat and move id
    there: Attendance = field(default_factory=Attendance, compare=False)
    _told: dict[Seat, tuple[int, list[Any]]] = field(default_factory=dict, compare=False)

    @classmethod
    def open(
        cls, game: Game[Any], seats: Sequence[str], name: str, secret: str, pace: str = "normal"
    ) -> tuple["Table", list[Entered]]:
        """A new table, its host in seat 0, the others open or a level of bot; full, it begins at once."""
        if len(seats) != game.players or seats[0] != "person" or "person" in seats[1:]:
            raise Illegal(None, "seats are told for each player, the host's first")
        opened = Opened(game.name, game.players, chosen_rules(game), _pace(pace))
        table = cls._of(opened)
        host = clean(name)
        levels = {seat: level for seat, level in enumerate(seats) if level not in ("person", "open")}
        entries = [Took(0, host, secret), Hosted(0), *_bots(levels, [host])]
        if "open" not in seats:
            entries.append(Started())
        return table, [Entered(1, opened), *(table._enter(0.0, entry) for entry in entries)]

    @classmethod
    def restore(cls, entries: Iterable[Entry]) -> "Table":
        """The table that these entries make; raises whatever is wrong with them."""
        opened, *others = entries
        assert isinstance(opened, Opened)
        table = cls._of(opened)
        for entry in others:
            table._enter(0.0, entry)
        return table

    @classmethod
    def _of(cls, opened: Opened) -> "Table":
        chairs = [Chair() for _ in range(opened.players)]
        return cls(choose(opened.game, opened.players, opened.rules), _pace(opened.pace), chairs)

    # What happens.

    def receive(self, now: float, given: Input) -> list[Output]:
        """What follows from what the table is told at this time (seconds of any clock that goes forward).

        Store what was entered before anybody is told the rest.
        """
        try:
            return self._receive(now, given)
        except Illegal as illegal:
            return [Refused(illegal, given.move_id if isinstance(given, Act) else None)]

    def _receive(self, now: float, given: Input) -> list[Output]:
        answer: list[Output] = []
        entries: list[Entry] = []
        match given:
            case Tick():
                return self._tick(now)
            case Here(seat, present):
                if present == (seat in self.there.present) or self.chairs[seat].kind != "person":
                    return []
                (self.there.come if present else self.there.lose)(now, seat)
            case Go():
                if not self._goes(given):
                    return []
            case Drawn(action):
                entries = [Played(CHANCE, str(action))]
            case Act():
                entries = self._act(given)
                answer = [Done(given.move_id)] if given.move_id else []
                if not entries:
                    return answer
            case Sit():
                entries = self._sit(given)
                answer = [Seated(entry.seat) for entry in entries if isinstance(entry, Took)]
            case _:
                entries = self._change(given)
                if not entries:
                    return []
        if entries and self.version >= MOST and not isinstance(given, Act | Drawn):
            raise Illegal(None, "this table has lasted too long: open another")
        return self._tell(now, entries, answer)

    def _tell(self, now: float, entries: Sequence[Entry], answer: Sequence[Output]) -> list[Output]:
        """Enter these, and tell everybody."""
        since = 0 if any(isinstance(entry, Started) for entry in entries) else len(self.events)
        entered = [self._enter(now, entry) for entry in entries]
        for seated in answer:
            if isinstance(seated, Seated):
                self.there.come(now, seated.seat)
        return [*entered, *answer, *self.updates(since)]

    def _change(self, given: Input) -> list[Entry]:
        """The entries that a wish comes to, other than to sit or to move; raises Illegal."""
        match given:
            case Rename(seat, name):
                named = self._person(seat)
                new = self._new_name(name, named)
                return [Renamed(named, new)] if new != self.chairs[named].name else []
            case Pace(seat, pace):
                self._host(seat)
                return [Paced(_pace(pace))] if pace != self.pace else []
            case Fill(seat, level):
                self._host(seat, "lobby")
                levels = {seat: level for seat, chair in enumerate(self.chairs) if chair.kind == "open"}
                return [*_bots(levels, self.names), Started()]
            case Start(seat):
                self._host(seat, "lobby")
                if free := sum(chair.kind == "open" for chair in self.chairs):
                    raise Illegal(None, "seats are still free: {free}", free=free)
                return [Started()]
            case Remove(seat, other):
                self._host(seat, "lobby")
                if other == seat or not 0 <= other < len(self.chairs) or self.chairs[other].kind == "open":
                    raise Illegal(None, "there is nobody to let go in seat {seat}", seat=other + 1)
                return [Freed(other)]
            case Leave(seat):
                left = self._person(seat)
                heir = [Hosted(self._heir(left))] if left == self.host else []
                return [Freed(left) if self.state == "lobby" else Left(left), *heir]
            case Again(seat):
                self._person(seat)
                self._only("over")
                if self.game.name == "fear" and self.dealer is not None:  # F12: one seat to the right
                    return [Started(), Played(CHANCE, f"dealer {(self.dealer - 1) % len(self.chairs)}")]
                return [Started()]
        raise AssertionError(given)

    def _sit(self, sit: Sit) -> list[Entry]:
        if self.seat_of(sit.former) is not None:
            raise Illegal(None, "you have a seat at this table")
        kinds = [chair.kind for chair in self.chairs]
        free = [seat for seat, kind in enumerate(kinds) if kind == "open"]
        if self.state == "over":
            free += [seat for seat, kind in enumerate(kinds) if kind == "bot"]
        elif self.state == "playing":  # nobody may see two hands
            own = self.former_seat(sit.former)
            if own is None:
                raise Illegal(None, "the sitting has begun: you may watch, and sit down when it is over")
            if sit.seat not in (None, own):
                raise Illegal(None, "you left a seat of this sitting: only that one is yours")
            free = [own]
        if not free:
            raise Illegal(None, "no seat is free at this table")
        seat = free[0] if sit.seat is None else sit.seat
        if seat not in free:
            raise Illegal(None, "seat {seat} is taken", seat=seat + 1)
        took = Took(seat, self._new_name(sit.name, seat, sit.former), sit.secret)
        return [took, Hosted(seat)] if self.host is None else [took]

    def _act(self, act: Act) -> list[Entry]:
        """The move as an entry, or none when it was played before."""
        seat = act.seat if act.stand_in else self._person(act.seat)
        assert seat is not None
        move = str(self.game.parse(act.move))
        if act.move_id is not None and (seat, act.move_id) in self.ids:
            if self.ids[seat, act.move_id] != move:
                raise Illegal(None, "another move was sent under this id")
            return []
        self._only("playing")
        if not self.moved <= act.seen <= self.version:
            raise Illegal(None, "the table has moved on: look again")
        if seat != self.game.actor(self.play):
            raise Illegal(None, "it is not your turn")
        if not act.stand_in:
            self.there.idle.discard(seat)
        return [Played(seat, move, act.move_id, act.stand_in)]

    def _goes(self, go: Go) -> bool:
        """Whether the table waited for this; one who goes too late is not refused."""
        seat, wait = self._person(go.seat), self.wait()
        if wait is None or wait.what != "go" or seat not in wait.seats or go.seen < self.moved:
            return False
        self.there.went.add(seat)
        self.there.idle.discard(seat)
        return True

    def _tick(self, now: float) -> list[Output]:
        host_due = self._host_due()
        if host_due is not None and now >= host_due:
            assert self.host is not None
            return self._tell(now, [Hosted(self._heir(self.host))], ())
        wait = self.wait()
        if wait is None or wait.due is None or now < wait.due:
            return []
        actor = self.game.actor(self.play)
        assert actor is not None
        if actor == CHANCE:
            return [Draw()]
        if actor in self.there.present:
            self.there.idle.add(actor)
        chair = self.chairs[actor]
        return [StandIn(actor, chair.level or STAND_IN)]

    # The books.

    def _enter(self, now: float, entry: Entry) -> Entered:
        """Enter this in the books; raises Illegal for a move that is none, and then nothing is entered."""
        match entry:
            case Took(seat, name, secret):
                self.chairs[seat] = Chair("person", name, secret=secret)
            case Filled(seat, name, level):
                self.chairs[seat] = Chair("bot", name, level)
            case Freed(seat):
                self.chairs[seat] = Chair()
                self.there.lose(now, seat)
            case Left(seat):
                chair = self.chairs[seat]
                self.chairs[seat] = Chair("bot", chair.name, STAND_IN, former=chair.secret)
                self.there.lose(now, seat)
                self.there.begun = now
            case Renamed(seat, name):
                self.chairs[seat] = replace(self.chairs[seat], name=name)
            case Hosted(host):
                self.host = host
            case Paced(pace):
                self.pace = pace
            case Started():
                self.state = "playing"
                self._replace_those_who_left()
                self.play = self.game.start()
                self.events, self.log_from, self._told = [], 0, {}
                self._moved(now)
            case Played():
                self._play(now, entry)
            case Opened():
                raise AssertionError("a table is opened once")
        self.version += 1
        return Entered(self.version, entry)

    def _replace_those_who_left(self) -> None:
        """A new sitting: a bot in the seat of somebody who left is a bot like any other."""
        for seat, chair in enumerate(self.chairs):
            if chair.former is not None:
                self.chairs[seat] = Chair("bot", _bot_names(self.names)[0], chair.level)

    def _play(self, now: float, played: Played) -> None:
        assert played.actor == self.game.actor(self.play)
        self.play, events = play(self.game, self.play, self.game.parse(played.move))
        for event in events:
            if type(event) is Shuffled:
                self.log_from = len(self.events)
            elif type(event) is FirstDealer:
                self.dealer = event.seat
            self.events.append(event)
        if played.move_id is not None:
            self.ids[played.actor, played.move_id] = played.move
        if self.game.actor(self.play) is None:
            self.state = "over"
        self._moved(now)

    def _moved(self, now: float) -> None:
        self.moved = self.version + 1
        self.there.moved(now)

    # Waits.

    def wait(self) -> Wait | None:
        """Whom the table waits for; None when nothing is being played."""
        if self.state != "playing":
            return None
        actor, tempo, there = self.game.actor(self.play), PACES[self.pace], self.there
        assert actor is not None
        begun = there.begun
        due: float | None = None
        seats: tuple[Seat, ...] = (actor,)
        if actor == CHANCE:
            between = self.play.phase == "shuffle" and self.game.dealt(self.play) > 0
            seats = tuple(sorted(there.present - there.went)) if between else ()
            what, due = "go", begun + (tempo.go if seats else 0.0)
        else:
            what = "cut" if self.play.phase == "cut" else "act"
            if self.chairs[actor].kind == "bot":
                due = begun + tempo.bot
            elif actor not in there.present:
                due = max(there.away(actor, GRACE) or 0.0, begun + tempo.bot)
            elif len(there.present) > 1:
                due = max(begun, there.company) + (IDLE if actor in there.idle else tempo.turn)
        return Wait(seats, what, due if there.present else None)

    def _host_due(self) -> float | None:
        """When another becomes host, if the host stays away."""
        return None if self.host is None else self.there.away(self.host, HOST_GRACE)

    def _heir(self, host: Seat) -> Seat | None:
        """Who is host after this one: the next person clockwise who is there, or else any."""
        players = len(self.chairs)
        others = [(host + step) % players for step in range(1, players)]
        persons = [seat for seat in others if self.chairs[seat].kind == "person"]
        there = [seat for seat in persons if seat in self.there.present]
        return next(iter(there or persons), None)

    @property
    def due(self) -> float | None:
        """When the table wants a Tick; None when nothing happens by itself."""
        wait = self.wait()
        times = (wait.due if wait else None, self._host_due())
        return min((time for time in times if time is not None), default=None)

    def stands_in(self, now: float, seat: Seat) -> bool:
        """Whether a bot plays for the person of this seat."""
        if self.chairs[seat].kind != "person":
            return self.chairs[seat].former is not None
        away = self.there.away(seat, GRACE)
        return seat in self.there.idle or (away is not None and now >= away)

    # What a viewer may know.

    def updates(self, since: int) -> list[Update]:
        """For all who are there and the onlookers: what each may know of the events from `since` on (C4)."""
        return [self.look(viewer, since) for viewer in (None, *sorted(self.there.present))]

    def look(self, viewer: Seat | None, since: int | None = None, log: bool = False) -> Update:
        """All that this viewer may know now; with the log of the present deal for one who comes."""
        news = () if since is None else self._redacted(viewer, since)
        view = None if self.play is None else self.game.view(self.play, viewer)
        past = self._redacted(viewer, self.log_from) if log else None
        return Update(viewer, self.version, news, view, past)

    def told(self, seat: Seat) -> list[Any]:
        """All that this seat was told in this sitting."""
        seen, told = self._told.get(seat, (0, []))
        told.extend(self._redacted(seat, seen))
        self._told[seat] = len(self.events), told
        return told

    def _redacted(self, viewer: Seat | None, since: int) -> tuple[Any, ...]:
        told = [self.game.redact(event, viewer) for event in self.events[since:]]
        return tuple([event for event in told if event is not None])

    # Who may do what.

    @property
    def names(self) -> list[str]:
        """By seat; empty where nobody sits yet."""
        return [chair.name for chair in self.chairs]

    def seat_of(self, secret: str | None) -> Seat | None:
        """The seat that this secret proves."""
        return next((s for s, chair in enumerate(self.chairs) if secret and chair.secret == secret), None)

    def former_seat(self, secret: str | None) -> Seat | None:
        """The seat that whoever knows this secret left during this sitting, and may come back to."""
        return next((s for s, chair in enumerate(self.chairs) if secret and chair.former == secret), None)

    def _person(self, seat: Seat | None) -> Seat:
        if seat is None or self.chairs[seat].kind != "person":
            raise Illegal(None, "you have no seat at this table")
        return seat

    def _host(self, seat: Seat | None, state: str | None = None) -> None:
        if self._person(seat) != self.host:
            raise Illegal(None, "only the host may do that")
        if state:
            self._only(state)

    def _only(self, state: str) -> None:
        if self.state != state:
            raise Illegal(None, _ONLY[state])

    def _new_name(self, name: str, seat: Seat, former: str | None = None) -> str:
        new = clean(name)
        for other, chair in enumerate(self.chairs):
            own = other == seat or (former is not None and chair.former == former)
            if alike(chair.name, new) and not own:
                raise Illegal(None, "somebody named {name} is at this table", name=new)
        return new


_ONLY = {
    "lobby": "the sitting has begun",
    "playing": "nothing is being played",
    "over": "the sitting is not over",
}


def _bots(levels: dict[Seat, str], taken: Sequence[str]) -> list[Entry]:
    names = _bot_names(taken)
    return [Filled(seat, name, level) for (seat, level), name in zip(levels.items(), names, strict=False)]


def _bot_names(taken: Sequence[str]) -> list[str]:
    return [name for name in BOT_NAMES if name.casefold() not in map(str.casefold, taken)]


def _pace(pace: str) -> str:
    if pace not in PACES:
        raise Illegal(None, "{pace} is not a pace: {paces}", pace=repr(pace)[:20], paces=", ".join(PACES))
    return pace
