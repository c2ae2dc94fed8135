"""One table without I/O and without a clock: seats, turns, waits, stand-ins, versions.

All that lasts is a log of entries; what follows from them is the same after a restart. Who is there is not
stored: a table where nobody is present sleeps, and whoever is to act when it wakes has a fresh turn. Only
where the server stopped meanwhile, and it is known when, the turn goes on with what was left of it.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import Any, Final

from cagnotte.attendance import GRACE
from cagnotte.core import CHANCE, FirstDealer, Game, Illegal, Seat, Shuffled, play
from cagnotte.entries import (
    Branched,
    Drew,
    Entry,
    Freed,
    Hosted,
    Left,
    Opened,
    Played,
    Removed,
    Sealed,
    Started,
    Took,
)
from cagnotte.fairness import HEX, Dice, Proof, new_secret
from cagnotte.games import choose, chosen_rules
from cagnotte.seating import Seating, bots, check_choice
from cagnotte.table_terms import (
    CHOICES,
    IDLE,
    LEAST,
    MOST,
    PACES,
    PAST,
    SHARING,
    SHOWN,
    STAND_IN,
    Act,
    Again,
    Branch,
    Chair,
    Done,
    Draw,
    Drawn,
    Entered,
    Forget,
    Go,
    Here,
    Input,
    Leave,
    Output,
    Pause,
    Refused,
    Remove,
    Seated,
    Share,
    StandIn,
    Tick,
    Update,
    Wait,
)

SEATS: Final = Illegal(None, "seats are told for each player, and a name for each person")
NONE: Final[frozenset[int]] = frozenset()
LASTED: Final = Illegal(None, "this table has lasted too long: open another")


@dataclass(slots=True, kw_only=True)
class Table(Seating):
    """A table, made by `open`, `restore` or `replay` only; `receive` tells it everything that happens.

    Two tables are equal when they come from the same entries.
    """

    game: Game[Any]
    version: int = 1  # how many entries there are
    moved: int = 0  # the version of the last move
    sittings: int = 0  # begun, with this one
    play: Any = None  # the state of the sitting
    dealer: Seat | None = None  # who dealt first in this sitting
    events: list[Any] = field(default_factory=list)  # of this sitting, as nobody is told them
    log_from: int = 0  # where among them the present deal begins; the first does with the draw
    stood: set[int] = field(default_factory=set)  # which of them came of the moves of a stand-in
    ids: dict[tuple[Seat, str], str] = field(default_factory=dict)  # moves played, by seat and move id
    sealed: str | None = None  # the secret of the next shuffle or draw
    proofs: list[Proof | None] = field(default_factory=list)  # of what chance did in this sitting
    shares: dict[Seat, str] = field(default_factory=dict, compare=False)  # what will be added to the secret
    _told: dict[Seat, tuple[int, list[Any]]] = field(default_factory=dict, compare=False)

    @classmethod
    def open(
        cls,
        game: Game[Any],
        seats: Sequence[str],
        persons: Sequence[tuple[str, str]],
        sealed: str | None = None,
        **chosen: Any,
    ) -> tuple["Table", list[Entered]]:
        """A new table: each seat is open, a level of bot, or of the next person by name and secret.

        The first person is host; full, the sitting begins at once. `sealed` is the secret of the first draw,
        `chosen` are some of CHOICES.
        """
        taken = [seat for seat, kind in enumerate(seats) if kind == "person"]
        free = "open" in seats
        if len(seats) != game.players or len(taken) != len(persons) or not (taken or free):
            raise SEATS
        opened = Opened(game.name, game.players, chosen_rules(game), **chosen)
        table = cls._of(opened)
        entered = [Entered(1, opened)]

        def enter(entry: Entry) -> None:
            entered.append(table._enter(0.0, entry))

        if sealed:
            enter(Sealed(sealed))
        for seat, (name, secret) in zip(taken, persons, strict=True):
            enter(Took(seat, table._new_name(name, seat), secret))
            if table.host is None:
                enter(Hosted(seat))
        levels = {seat: level for seat, level in enumerate(seats) if level not in ("person", "open")}
        for entry in (*bots(levels, table.names), *(() if free else (Started(),))):
            enter(entry)
        return table, entered

    @classmethod
    def restore(cls, entries: Iterable[Entry], times: Sequence[float] | None = None) -> "Table":
        """The table that these entries make; raises whatever is wrong with them.

        `times` are those of the entries in seconds from when the server stopped, so not above 0; with them
        the wait of then goes on.
        """
        *_, table = cls.replay(entries, times)
        if times is not None:
            table._resume()
        return table

    @classmethod
    def replay(cls, entries: Iterable[Entry], times: Sequence[float] | None = None) -> Iterator["Table"]:
        """The same table after each of these entries; raises whatever is wrong with one."""
        opened, *others = entries
        assert isinstance(opened, Opened)
        yield (table := cls._of(opened))
        for entry, at in zip(others, repeat(0.0) if times is None else times[1:], strict=False):
            table._enter(at, entry)
            yield table

    @classmethod
    def _of(cls, opened: Opened) -> "Table":
        chosen = {what: getattr(opened, what) for what in ("pace", "clock", "listed", "onlookers")}
        for what, value in chosen.items():
            check_choice(value, CHOICES[what])
        game = choose(opened.game, opened.players, opened.rules)
        return cls(game=game, chairs=[Chair() for _ in range(opened.players)], **chosen)

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
            case Share():
                self._take_share(given)
                return []
            case Drawn(action, secret):
                entries = [self._drawn(str(action)), *([Sealed(secret)] if secret else [])]
            case Act():
                entries = self._act(given)
                answer = [Done(given.move_id)] if given.move_id else []
                if not entries:
                    return answer
            case _:
                entries = self._change(now, given)
                if not entries:
                    return []
                answer = [Seated(entry.seat) for entry in entries if isinstance(entry, Took)]
        if self.version >= MOST and entries and not _lasts(given):
            raise LASTED
        return self._tell(now, entries, answer)

    def _tell(self, now: float, entries: Sequence[Entry], answer: Sequence[Output]) -> list[Output]:
        """Enter these, and tell everybody."""
        since = 0 if any(isinstance(entry, Started) for entry in entries) else len(self.events)
        said = len(self.chat)
        entered = [self._enter(now, entry) for entry in entries]
        for seated in answer:
            if isinstance(seated, Seated):
                self.there.come(now, seated.seat)
        return [*entered, *answer, *self.updates(since, said)]

    def _change(self, now: float, given: Input) -> list[Entry]:
        """The entries that a wish comes to, other than to move; raises Illegal."""
        match given:
            case Again(seat):
                self._person(seat)
                self._only("over")
                if self.game.name == "fear" and self.dealer is not None:  # F12: one seat to the right
                    return [Started(), Played(CHANCE, f"dealer {(self.dealer - 1) % len(self.chairs)}")]
                return [Started()]
            case Branch(seat, table):
                return [Branched(self.check_out(seat), table)]
        return self._wish(now, given)

    def check_out(self, seat: Seat | None) -> Seat:
        """The seat of a person who has lost his last chip while others play on; raises Illegal."""
        out = self._person(seat)
        self._only("playing")
        if self.game.name != "fear" or self.game.bank(self.play).stacks[out]:
            raise Illegal("F9", "whoever is out of a game of Fear opens another table beside it")
        if self.version >= MOST:
            raise LASTED
        return out

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
        if self.paused:
            raise Illegal(None, "the table is paused")
        if not self.moved <= act.seen <= self.version:
            raise Illegal(None, "the table has moved on: look again")
        if seat != self.game.actor(self.play):
            raise Illegal(None, "it is not your turn")
        if not act.stand_in:
            self.there.idle.discard(seat)
        return [Played(seat, move, act.move_id, act.stand_in)]

    def _take_share(self, given: Share) -> None:
        """Whoever comes too late, or twice, is not refused: that shuffle is as it is."""
        seat = self._person(given.seat)
        if HEX.fullmatch(given.share) is None:
            raise Illegal("T3", "a share is 32 bytes in hexadecimal")
        if self.proof is not None and given.commitment == self.proof.commitment:
            self.shares.setdefault(seat, given.share)

    @property
    def proof(self) -> Proof | None:
        """What the next shuffle or draw will come from, as things stand; None where none is promised."""
        return None if self.sealed is None else Proof(self.sealed, self.shares)

    def draw(self, rng: random.Random, dice: Callable[[Proof], random.Random] = Dice) -> Drawn:
        """What chance does, as the proof has it; `rng` gives the secret of the next time."""
        action = self.game.draw(self.play, rng if self.proof is None else dice(self.proof))
        return Drawn(action, new_secret(rng))

    def _drawn(self, move: str) -> Entry:
        if self.sealed is None:
            return Played(CHANCE, move)
        return Drew(move, {str(seat): self.shares[seat] for seat in sorted(self.shares)})

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

    def another(self, seat: Seat, secret: str, sealed: str) -> tuple["Table", list[Entered]]:
        """A table of the same kind, with the person of this seat as its host and all other seats open."""
        seats = ["person", *["open"] * (self.game.players - 1)]
        chosen = {"pace": self.pace, "clock": self.clock, "onlookers": self.onlookers}
        return Table.open(self.game, seats, [(self.chairs[seat].name, secret)], sealed, **chosen)

    # The books.

    def _enter(self, now: float, entry: Entry) -> Entered:
        """Enter this in the books; raises Illegal for a move that is none, and then nothing is entered."""
        match entry:
            case Started():
                self.state = "playing"
                self.sittings += 1
                self._replace_those_who_left()
                self.forgetters.clear()
                self.played |= self.leads.owners.keys()
                self.play, self.beside = self.game.start(), None
                self.there.ended, self.there.rested = None, 0.0
                self.events, self.log_from, self._told, self.proofs = [], 0, {}, []
                self.stood = set()
                self._moved(now)
            case Sealed(secret):
                self.sealed, self.shares = secret, {}
            case Drew(move, shares):
                assert self.sealed is not None
                self._play(now, Played(CHANCE, move))
                self.proofs.append(Proof(self.sealed, {int(seat): share for seat, share in shares.items()}))
                self.sealed, self.shares = None, {}
            case Played():
                self._play(now, entry)
                if entry.actor == CHANCE:
                    self.proofs.append(None)
            case _:
                if isinstance(entry, Took | Freed | Left | Removed):
                    self.shares.pop(entry.seat, None)  # it was of who sat there, and goes with him
                self._book(now, entry)
        self.version += 1
        return Entered(self.version, entry)

    def _play(self, now: float, played: Played) -> None:
        assert played.actor == self.game.actor(self.play)
        self.play, events = play(self.game, self.play, self.game.parse(played.move))
        if played.stand_in and self._is_lent(played.actor):
            self.stood.update(range(len(self.events), len(self.events) + len(events)))
        for event in events:
            if type(event) is Shuffled and any(type(each) is Shuffled for each in self.events):
                self.log_from = len(self.events) - 2  # with what made somebody dealer, and chance's turn
            elif type(event) is FirstDealer:
                self.dealer = event.seat
            self.events.append(event)
        if not played.stand_in:
            self.forgetters.discard(self.chairs[played.actor].secret)  # whoever plays on wishes it no longer
        if played.move_id is not None:
            self.ids[played.actor, played.move_id] = played.move
        if self.game.actor(self.play) is None:
            self.state = "over"
        self._moved(now, self._showing(events))

    def _is_lent(self, seat: Seat) -> bool:
        """Whether a bot that acts here stands in for a person, there or gone."""
        return self.chairs[seat].kind == "person" or self.chairs[seat].former is not None

    def _showing(self, events: Sequence[Any]) -> float:
        """Seconds that a page takes at most, at the pace of the table, to show how a deal begins."""
        kinds = {type(event).__name__ for event in events}
        return PACES[self.pace].step * sum(SHOWN.get(kind, 0.0) for kind in kinds)

    def _moved(self, now: float, showing: float = 0.0) -> None:
        self.moved = self.version + 1
        self.there.moved(now, showing)

    # Waits.

    def wait(self) -> Wait | None:
        """Whom the table waits for; None when nothing is being played."""
        if self.state != "playing":
            return None
        actor = self.game.actor(self.play)
        assert actor is not None
        wait = self._wait_for_chance() if actor == CHANCE else self._wait_for(actor)
        return wait if self.there.present and not self.paused else replace(wait, due=None)

    def _wait_for_chance(self) -> Wait:
        """It draws at once, but for what is added to a shuffle, and for who still looks at a settlement."""
        there, begun, due = self.there, self.there.begun, None
        seats = tuple(sorted(there.present - there.went)) if self._settled else ()
        if not seats:
            shared = self.sealed is None or there.present <= self.shares.keys()
            due = begun if shared else begun + SHARING
        elif there.joined is not None and len(there.present) > 1:
            begun = max(begun, there.joined)
            due = begun + PACES[self.pace].go
        return Wait(seats, "go", begun, due)

    def _wait_for(self, actor: Seat) -> Wait:
        """A bot has its pace; a person his clock while others wait, once his page can have shown all."""
        there, begun, due, bot = self.there, self.there.begun, None, PACES[self.pace].bot
        if self.chairs[actor].kind == "bot":
            due = begun + bot
        elif actor not in there.present:
            due = max(there.away(actor, GRACE) or 0.0, begun + bot)
        elif (company := there.company(actor)) is not None and self.clock:
            begun = max(begun, company, there.shown)
            due = begun + (min(IDLE, self.clock) if actor in there.idle else self.clock)
        return Wait((actor,), "cut" if self.play.phase == "cut" else "act", begun, due)

    @property
    def _settled(self) -> bool:
        """Whether a deal is over and the next has not begun."""
        return self.play.phase == "shuffle" and self.game.dealt(self.play) > 0

    def _resume(self) -> None:
        """The server stopped at time 0: the present wait goes on, unless the table was asleep by then."""
        if self.state != "playing":
            return
        actor, go, there = self.game.actor(self.play), PACES[self.pace].go, self.there
        assert actor is not None
        person = actor != CHANCE and self.chairs[actor].kind == "person"
        begun = max(there.begun, there.shown) if person else there.begun
        if not self.paused and -begun > max(self.clock, go):
            return
        whole = self.clock if person else go if self._settled else 0.0
        there.resume(begun, max(0.0, whole - LEAST))

    @property
    def due(self) -> float | None:
        """When the table wants a Tick; None when nothing happens by itself."""
        wait = self.wait()
        times = (wait.due if wait else None, self._host_due())
        return min((time for time in times if time is not None), default=None)

    # What a viewer may know.

    def updates(self, since: int, said: int | None = None) -> list[Update]:
        """For all who are there and the onlookers, what each may know of the events from `since` on (C4).

        With it go the lines of chat from `said` on.
        """
        return [self.look(viewer, since, said) for viewer in (None, *sorted(self.there.present))]

    def look(
        self, viewer: Seat | None, since: int | None = None, said: int | None = None, log: bool = False
    ) -> Update:
        """All that this viewer may know now; with the log of the present deal for one who comes."""
        news, stood = ((), NONE) if since is None else self._redacted(viewer, since)
        view = None if self.play is None else self.game.view(self.play, viewer)
        past, past_stood = self._redacted(viewer, self.log_from) if log else (None, NONE)
        first = max(0, len(self.chat) - PAST) if log else len(self.chat) if said is None else said
        heard = self.chat[first:] if self.onlookers or viewer is not None else []
        chat = tuple(enumerate(heard, first + 1))
        return Update(viewer, self.version, news, view, past, chat, stood, past_stood)

    def told(self, seat: Seat) -> list[Any]:
        """All that this seat was told in this sitting."""
        seen, told = self._told.get(seat, (0, []))
        told.extend(self._redacted(seat, seen)[0])
        self._told[seat] = len(self.events), told
        return told

    def _redacted(self, viewer: Seat | None, since: int) -> tuple[tuple[Any, ...], frozenset[int]]:
        """The events that he may know of, and the places among them of what came of a stand-in's moves."""
        all = enumerate(self.events[since:], since)
        told = [(event, n) for n, each in all if (event := self.game.redact(each, viewer)) is not None]
        stood = [place for place, (_, n) in enumerate(told) if n in self.stood] if self.stood else ()
        return tuple([event for event, _ in told]), frozenset(stood)


def _lasts(given: Input) -> bool:
    """Whether this is taken of however old a table: a move, and what ends a pause, a seat or the table."""
    ends = isinstance(given, Pause) and not given.on
    return ends or isinstance(given, Act | Drawn | Leave | Remove | Forget)
