"""One table without I/O and without a clock: seats, turns, waits, stand-ins, versions.

All that lasts is a log of entries; what follows from them is the same after a restart. Who is there, and
since when a wait lasts, is not stored: a table where nobody is present sleeps, and whoever is to act when it
wakes has a fresh turn.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cagnotte.core import CHANCE, FirstDealer, Game, Illegal, Seat, Shuffled, play
from cagnotte.games import chosen_rules, game
from cagnotte.names import clean
from cagnotte.table_terms import (
    BOT_NAMES,
    GRACE,
    HOST_GRACE,
    IDLE,
    PACES,
    STAND_IN,
    Act,
    Again,
    Chair,
    Done,
    Draw,
    Drawn,
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
    Record,
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
    version: int = 0  # how many entries there are
    moved: int = 0  # the version of the last move
    play: Any = None  # the state of the sitting
    dealer: Seat | None = None  # who dealt first in this sitting
    events: list[Any] = field(default_factory=list)  # of this sitting, as nobody is told them
    log_from: int = 0  # where among them the present deal begins
    ids: dict[tuple[Seat, str], str] = field(default_factory=dict)  # moves played, by seat and move id

    # What does not last.
    present: set[Seat] = field(default_factory=set, compare=False)
    gone: dict[Seat, float] = field(default_factory=dict, compare=False)  # since when
    woke: float = field(default=0.0, compare=False)
    company: float = field(default=0.0, compare=False)  # since when two persons are there
    begun: float = field(default=0.0, compare=False)  # when the present wait began
    idle: set[Seat] = field(default_factory=set, compare=False)  # let a turn go by
    went: set[Seat] = field(default_factory=set, compare=False)  # have seen enough of the settlement
    _told: dict[Seat, tuple[int, list[Any]]] = field(default_factory=dict, compare=False)

    @classmethod
    def open(
        cls, game: Game[Any], seats: Sequence[str], name: str, secret: str, pace: str = "normal"
    ) -> tuple["Table", list[Record]]:
        """A new table, its host in seat 0, the others open or a level of bot; full, it begins at once."""
        if len(seats) != game.players or seats[0] != "person" or "person" in seats[1:]:
            raise Illegal(None, "seats are told for each player, the host's first")
        opened = Opened(game.name, game.players, chosen_rules(game), _pace(pace))
        entries: list[Entry] = [Took(0, clean(name), secret), Hosted(0)]
        names = [clean(name)]
        for seat, level in enumerate(seats):
            if level not in ("person", "open"):
                names.append(_bot_name(names))
                entries.append(Filled(seat, names[-1], level))
        if "open" not in seats:
            entries.append(Started())
        table = cls._of(opened)
        return table, [Record(1, opened), *(table._enter(0.0, entry) for entry in entries)]

    @classmethod
    def restore(cls, entries: Iterable[Entry]) -> "Table":
        """The table that these entries make; raises whatever is wrong with them."""
        first, *others = entries
        assert isinstance(first, Opened)
        table = cls._of(first)
        for entry in others:
            table._enter(0.0, entry)
        return table

    @classmethod
    def _of(cls, opened: Opened) -> "Table":
        rules: dict[str, object] = {**opened.rules}
        chairs = [Chair() for _ in range(opened.players)]
        return cls(game(opened.game, opened.players, **rules), _pace(opened.pace), chairs, version=1)

    # What happens.

    def receive(self, now: float, given: Input) -> list[Output]:
        """What follows from what the table is told at this time (seconds, of any clock that goes forward).

        Store the records before anybody is told the rest.
        """
        try:
            return self._receive(now, given)
        except Illegal as illegal:
            return [Refused(illegal, given.move_id if isinstance(given, Act) else None)]

    def _receive(self, now: float, given: Input) -> list[Output]:
        told = len(self.events)
        answer: list[Output] = []
        match given:
            case Tick():
                return self._tick(now)
            case Here(seat, present):
                if not self._see(now, seat, present):
                    return []
                entries: Iterable[Entry] = ()
            case Act():
                entries = self._act(given)
                if given.move_id is not None:
                    answer = [Done(given.move_id)]
                if not entries:
                    return answer
            case Drawn(action):
                entries = [Played(CHANCE, str(action))]
            case Go(seat, seen):
                going = self._person(seat)
                wait = self.wait()
                if wait is None or wait.what != "go" or going not in wait.seats or seen < self.moved:
                    return []  # the table went on already
                self.went.add(going)
                entries = ()
            case Sit():
                entries = self._sit(given)
                answer = [Seated(entry.seat) for entry in entries if isinstance(entry, Took)]
            case _:
                entries = self._change(now, given)
        if not isinstance(given, Here | Drawn | Sit) and given.seat is not None and not _by_bot(given):
            self.idle.discard(given.seat)
        records = [self._enter(now, entry) for entry in entries]
        for seated in answer:
            if isinstance(seated, Seated):
                self._see(now, seated.seat, True)
        fresh = any(isinstance(record.entry, Started) for record in records)
        return [*records, *answer, *self.updates(0 if fresh else told)]

    def _change(self, now: float, given: Input) -> list[Entry]:
        """The entries that a wish comes to, other than to sit or to move; raises Illegal."""
        match given:
            case Rename(seat, name):
                return [Renamed(self._person(seat), self._new_name(name, seat))]
            case Fill(seat, level):
                self._host(seat)
                self._only("lobby")
                names = [chair.name for chair in self.chairs]
                filled: list[Entry] = []
                for other, chair in enumerate(self.chairs):
                    if chair.kind == "open":
                        names.append(name := _bot_name(names))
                        filled.append(Filled(other, name, level))
                return [*filled, Started()]
            case Start(seat):
                self._host(seat)
                self._only("lobby")
                if free := sum(chair.kind == "open" for chair in self.chairs):
                    raise Illegal(None, "seats are still free: {free}", free=free)
                return [Started()]
            case Remove(seat, other):
                self._host(seat)
                self._only("lobby")
                if other == seat or not 0 <= other < len(self.chairs) or self.chairs[other].kind == "open":
                    raise Illegal(None, "there is nobody to let go in seat {seat}", seat=other + 1)
                return [Freed(other)]
            case Leave(seat):
                left = self._person(seat)
                heir = [Hosted(self._heir(left))] if left == self.host else []
                return [Freed(left) if self.state == "lobby" else Left(left), *heir]
            case Pace(seat, pace):
                self._host(seat)
                return [Paced(_pace(pace))]
            case Again(seat):
                self._person(seat)
                self._only("over")
                return self._again()
        raise AssertionError(given)

    def _again(self) -> list[Entry]:
        if self.game.name == "fear" and self.dealer is not None:  # F12: the deal passes one seat to the right
            return [Started(), Played(CHANCE, f"dealer {(self.dealer - 1) % len(self.chairs)}")]
        return [Started()]

    def _sit(self, sit: Sit) -> list[Entry]:
        if self.seat_of(sit.secret) is not None or self.seat_of(sit.former) is not None:
            raise Illegal(None, "you have a seat at this table")
        left = [seat for seat, chair in enumerate(self.chairs) if sit.former and chair.former == sit.former]
        if self.state == "playing":  # whoever left comes back to his own seat, and nobody sees two hands
            if not left:
                raise Illegal(None, "the sitting has begun: you may watch, and sit down when it is over")
            free = left
        else:
            free = [seat for seat, chair in enumerate(self.chairs) if chair.kind == "open"]
            if self.state == "over":
                free += [seat for seat, chair in enumerate(self.chairs) if chair.kind == "bot"]
        seat = sit.seat if sit.seat is not None else next(iter(free), None)
        if seat is None:
            raise Illegal(None, "no seat is free at this table")
        if seat not in free:
            if left and self.state == "playing":
                raise Illegal(None, "you left a seat of this sitting: only that one is yours")
            raise Illegal(None, "seat {seat} is taken", seat=seat + 1)
        name = self._new_name(sit.name, seat)
        return [Took(seat, name, sit.secret), *([Hosted(seat)] if self.host is None else [])]

    def _act(self, act: Act) -> list[Entry]:
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
        return [Played(seat, move, act.move_id, act.stand_in)]

    def _tick(self, now: float) -> list[Output]:
        told = len(self.events)
        host_due = self._host_due()
        if host_due is not None and now >= host_due and self.host is not None:
            return [self._enter(now, Hosted(self._heir(self.host))), *self.updates(told)]
        wait = self.wait()
        if wait is None or wait.due is None or now < wait.due:
            return []
        actor = self.game.actor(self.play)
        if actor == CHANCE:
            return [Draw()]
        assert actor is not None
        chair = self.chairs[actor]
        if actor in self.present:
            self.idle.add(actor)
        return [StandIn(actor, chair.level or STAND_IN, chair.kind == "person")]

    # The books.

    def _enter(self, now: float, entry: Entry) -> Record:
        """Enter this in the books; raises Illegal for a move that is none, and then nothing is entered."""
        match entry:
            case Took(seat, name, secret):
                self.chairs[seat] = Chair("person", name, secret=secret)
            case Filled(seat, name, level):
                self.chairs[seat] = Chair("bot", name, level)
            case Freed(seat):
                self.chairs[seat] = Chair()
                self._forget(seat)
            case Left(seat):
                chair = self.chairs[seat]
                self.chairs[seat] = Chair("bot", chair.name, STAND_IN, former=chair.secret)
                self._forget(seat)
                self.begun = now
            case Renamed(seat, name):
                self.chairs[seat] = replace(self.chairs[seat], name=name)
            case Hosted(host):
                self.host = host
            case Paced(pace):
                self.pace = pace
            case Started():
                self.state = "playing"
                self.chairs = [replace(chair, former=None) for chair in self.chairs]
                self.play = self.game.start()
                self.events, self.log_from, self._told = [], 0, {}
                self._moved(now)
            case Played():
                self._play(now, entry)
            case Opened():
                raise AssertionError("a table is opened once")
        self.version += 1
        return Record(self.version, entry)

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
        self.begun = now
        self.went.clear()

    # Who is there.

    def _see(self, now: float, seat: Seat, present: bool) -> bool:
        """Note who came or was lost sight of; whether that is news."""
        if present == (seat in self.present) or (present and self.chairs[seat].kind != "person"):
            return False
        if present:
            self.present.add(seat)
            if len(self.present) == 1:
                self.woke = self.begun = now
            elif len(self.present) == 2:
                self.company = now
        else:
            self._forget(seat)
            self.gone[seat] = now
        return True

    def _forget(self, seat: Seat) -> None:
        self.present.discard(seat)
        self.idle.discard(seat)
        self.went.discard(seat)

    def _stands_in_from(self, seat: Seat) -> float:
        return max(self.gone.get(seat, 0.0), self.woke) + GRACE

    def stands_in(self, now: float, seat: Seat) -> bool:
        """Whether a bot plays for the person of this seat."""
        chair = self.chairs[seat]
        if chair.kind == "person":
            return seat in self.idle or (seat not in self.present and now >= self._stands_in_from(seat))
        return chair.former is not None

    def _heir(self, host: Seat) -> Seat | None:
        """Who is host after this one: the next person clockwise who is there, or else any."""
        players = len(self.chairs)
        others = [(host + step) % players for step in range(1, players)]
        persons = [seat for seat in others if self.chairs[seat].kind == "person"]
        return next((seat for seat in persons if seat in self.present), persons[0] if persons else None)

    def _host_due(self) -> float | None:
        if self.host is None or self.host in self.present or not self.present:
            return None
        return max(self.gone.get(self.host, 0.0), self.woke) + HOST_GRACE

    # Waits.

    def wait(self) -> Wait | None:
        """Whom the table waits for; None when nothing is being played."""
        if self.state != "playing":
            return None
        actor, tempo = self.game.actor(self.play), PACES[self.pace]
        assert actor is not None
        if actor == CHANCE:
            if self.play.phase != "shuffle" or not self.game.dealt(self.play):
                return Wait((), "act", self._awake(self.begun))
            left = tuple(sorted(self.present - self.went))
            return Wait(left, "go", self._awake(self.begun + (tempo.go if left else 0.0)))
        what = "cut" if self.play.phase == "cut" else "act"
        if self.chairs[actor].kind == "bot":
            due: float | None = self.begun + tempo.bot
        elif actor not in self.present:
            due = max(self._stands_in_from(actor), self.begun + tempo.bot)
        elif len(self.present) > 1:
            due = max(self.begun, self.company) + (IDLE if actor in self.idle else tempo.turn)
        else:
            due = None
        return Wait((actor,), what, self._awake(due))

    def _awake(self, due: float | None) -> float | None:
        return due if self.present else None

    @property
    def due(self) -> float | None:
        """When the table wants a Tick; None when nothing happens by itself."""
        wait = self.wait()
        times = (wait.due if wait else None, self._host_due())
        return min((time for time in times if time is not None), default=None)

    # What a viewer may know.

    def updates(self, since: int) -> list[Update]:
        """For each who is there and for the onlookers, with the events of the sitting from `since` on."""
        return [self.look(viewer, since) for viewer in (None, *sorted(self.present))]

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

    def _host(self, seat: Seat | None) -> None:
        if self._person(seat) != self.host:
            raise Illegal(None, "only the host may do that")

    def _only(self, state: str) -> None:
        if self.state != state:
            raise Illegal(None, _ONLY[state])

    def _new_name(self, name: str, seat: Seat | None) -> str:
        new = clean(name)
        if any(chair.name.casefold() == new.casefold() for s, chair in enumerate(self.chairs) if s != seat):
            raise Illegal(None, "somebody named {name} is at this table", name=new)
        return new


_ONLY = {
    "lobby": "the sitting has begun",
    "playing": "nothing is being played",
    "over": "the sitting is not over",
}


def _bot_name(taken: Sequence[str]) -> str:
    return next(name for name in BOT_NAMES if name not in taken)


def _by_bot(given: Input) -> bool:
    return isinstance(given, Act) and given.stand_in


def _pace(pace: str) -> str:
    if pace not in PACES:
        raise Illegal(None, "{pace} is not a pace: {paces}", pace=repr(pace)[:20], paces=", ".join(PACES))
    return pace
