"""A table of one person and bots without a server: what `server.rooms` is for many, without I/O and a clock.

It runs where there is no network, in the person's own browser, and says what a server would say.
"""

import json
import random
from collections.abc import Iterable, Mapping
from typing import Any, Final

from cagnotte.core import Illegal, Seat
from cagnotte.entries import ENTRIES, Entry, plain
from cagnotte.fairness import new_secret
from cagnotte.games import choose
from cagnotte.locale import LANGUAGES
from cagnotte.players import bot
from cagnotte.table import Table
from cagnotte.table_terms import (
    Act,
    Again,
    Choose,
    Done,
    Draw,
    Entered,
    Go,
    Here,
    Input,
    Leave,
    Pause,
    React,
    Refused,
    Rename,
    Say,
    Seated,
    Share,
    Sit,
    StandIn,
    Tick,
    Update,
)
from cagnotte.tales import luck, story, story_json
from cagnotte.telling import UNREAD, Json, hint, refused, table_json, update

OWN: Final = "alone"  # whoever has the browser has the seat


class Alone:
    """One person's table. What it is told is answered in `out`, once the new `entries` are stored."""

    def __init__(self, id: str, table: Table, dice: random.Random, lang: str = "en") -> None:
        self.id = id
        self.table = table
        self.dice = dice
        self.lang = lang
        self.entries: list[Json] = []
        self.out: list[Json] = []

    @classmethod
    def open(cls, id: str, wanted: Mapping[str, Any], dice: random.Random) -> "Alone":
        """A new table as it is asked of a server; where others could sit, bots do. Raises Illegal."""
        game = choose(wanted["game"], wanted.get("players"), wanted.get("rules") or {})
        asked = wanted.get("seats") or ["open"] * game.players
        seats = ["person", *("steady" if level in ("person", "open") else level for level in asked[1:])]
        for level in seats[1:]:
            bot(level)
        persons, sealed = [(wanted["name"], OWN)], new_secret(dice)
        table, entered = Table.open(game, seats, persons, sealed, pace=wanted.get("pace", "normal"))
        alone = cls(id, table, dice, wanted.get("lang", "en"))
        alone.entries = [plain(each.entry) for each in entered]
        return alone

    @classmethod
    def restore(cls, id: str, entries: Iterable[Json], dice: random.Random) -> "Alone":
        """The table that these stored entries make; raises whatever is wrong with them."""
        return cls(id, Table.restore(map(_entry, entries)), dice)

    def taken(self) -> tuple[list[Json], list[Json]]:
        """What is to be stored, and what is to be said after that."""
        entries, out, self.entries, self.out = self.entries, self.out, [], []
        return entries, out

    @property
    def due(self) -> float | None:
        """When the table wants a tick."""
        return self.table.due

    def tick(self, now: float) -> None:
        """The time that the table waited for has come."""
        self._feed(now, Tick())

    def part(self, now: float) -> None:
        """Nobody looks any longer: the table sleeps."""
        if (seat := self.seat) is not None:
            self._feed(now, Here(seat, False))
        self.out.clear()

    def hear(self, now: float, message: Mapping[str, Any]) -> None:
        """A message of the browser, as a server would hear it."""
        seat = self.seat
        match message:
            case {"type": "hello", "lang": str(lang)}:
                if seat is not None:
                    self._feed(now, Here(seat, True))
                self.out.clear()
                self._speak(now, lang)
            case {"type": "lang", "value": str(lang)}:
                self._speak(now, lang)
            case {"type": "ping"}:
                self.out.append({"type": "pong"})
            case {"type": "act", "id": str(id), "seen": int(seen), "move": str(move)}:
                self._feed(now, Act(seat, seen, id, move))
            case {"type": "go", "seen": int(seen)}:
                self._feed(now, Go(seat, seen))
            case {"type": "share", "commitment": str(commitment), "share": str(share)}:
                self._feed(now, Share(seat, commitment, share))
            case {"type": "hint"}:
                self._hint(now)
            case {"type": ("pace" | "clock") as what, "value": str(value) | int(value)}:
                self._feed(now, Choose(seat, what, value))
            case {"type": ("listed" | "onlookers") as what, "on": bool(on)}:
                self._feed(now, Choose(seat, what, on))
            case {"type": "mute", "on": bool(on)}:
                self._feed(now, Choose(seat, "muted", on))
            case {"type": "say", "text": str(text)}:
                self._feed(now, Say(seat, text))
            case {"type": "react", "what": str(what)}:
                self._feed(now, React(seat, what))
            case {"type": "pause", "on": bool(on)}:
                self._feed(now, Pause(seat, on))
            case {"type": "name", "name": str(name)}:
                self._feed(now, Rename(seat, name))
            case {"type": "again"}:
                self._feed(now, Again(seat))
            case {"type": "leave"}:
                self._feed(now, Leave(seat))
            case {"type": "sit", "name": str(name)}:
                self._feed(now, Sit(name, OWN, None, OWN))
            case _:
                self.out.append(refused(UNREAD, self.lang))

    @property
    def seat(self) -> Seat | None:
        """The person's seat, while he has not left."""
        return self.table.seat_of(OWN)

    def _feed(self, now: float, given: Input) -> None:
        then: Input | None = given
        while then is not None:
            then = self._step(now, then)

    def _step(self, now: float, given: Input) -> Input | None:
        """What the table makes of this, and what it asks for next."""
        then: Input | None = None
        for output in self.table.receive(now, given):
            match output:
                case Entered(_, entry):
                    self.entries.append(plain(entry))
                case Seated(seat):
                    self.out.append({"type": "seated", "seat": seat, "token": OWN})
                case Done(move_id):
                    self.out.append({"type": "done", "id": move_id})
                case Refused(illegal, move_id):
                    self._refuse(now, illegal, move_id)
                case Draw():
                    then = self.table.draw(self.dice)
                case StandIn(seat, level):
                    view, told = self.table.game.view(self.table.play, seat), self.table.told(seat)
                    action = bot(level)(view, told, random.Random(self.dice.getrandbits(64)))
                    then = Act(seat, self.table.version, None, str(action), True)
                case Update() if output.viewer == self.seat:
                    self._tell(now, output)
        return then

    def _speak(self, now: float, lang: str) -> None:
        self.lang = lang if lang in LANGUAGES else self.lang
        self._tell(now, self.table.look(self.seat, log=True))

    def _hint(self, now: float) -> None:
        try:
            self.out.append(hint(self.table, self.seat, self.lang))
        except Illegal as illegal:
            self._refuse(now, illegal)

    def _refuse(self, now: float, illegal: Illegal, move_id: str | None = None) -> None:
        self.out.append(refused(illegal, self.lang, move_id))
        self._tell(now, self.table.look(self.seat))

    def _tell(self, now: float, told: Update) -> None:
        table, seats = self.table, [] if self.seat is None else [self.seat]
        around = table_json(table, self.id, now)
        self.out.append(update(told, around, table.names, self.lang, table.former_seat(OWN), seats))


class Desk:
    """The tables of one browser, which asks and is answered in JSON texts; times are in seconds."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.tables: dict[str, Alone] = {}

    def open(self, id: str, wanted: str) -> str:
        """A new table, as it is asked of a server; an answer of its own when the rules refuse it."""
        asked = json.loads(wanted)
        try:
            self.tables[id] = Alone.open(id, asked, self.dice)
        except Illegal as illegal:
            return _text({"refused": refused(illegal, asked.get("lang", "en"))})
        return self._answer(id)

    def restore(self, id: str, entries: str) -> None:
        """A table as it was stored."""
        self.tables[id] = Alone.restore(id, json.loads(entries), self.dice)

    def forget(self, id: str) -> None:
        """What is stored is all there is of this table."""
        self.tables.pop(id, None)

    def hear(self, id: str, now: float, message: str) -> str:
        """A message to a table."""
        self.tables[id].hear(now, json.loads(message))
        return self._answer(id)

    def tick(self, id: str, now: float) -> str:
        """The time that a table waited for has come."""
        self.tables[id].tick(now)
        return self._answer(id)

    def part(self, id: str, now: float) -> str:
        """Nobody looks at a table any longer."""
        self.tables[id].part(now)
        return self._answer(id)

    def replay(self, entries: str, asked: str) -> str:
        """What `api/replay` or `api/record` tells of a table, from its stored entries."""
        query = json.loads(asked)
        lang = query.get("lang", "en")
        try:
            told = story([*map(_entry, json.loads(entries))], query.get("sitting"))
            if query.get("what") == "record":
                return str(told.record(lang))
            number, tale = told.tale(query.get("deal"))
            me = told.table.seat_of(OWN) if query.get("you") == "on" else None
            values = story_json(told, number, lang, query.get("frames") != "off", me)
            return _text(values | {"luck": luck(told.table.game, tale)})
        except Illegal as illegal:
            return _text({"refused": refused(illegal, lang)})

    def _answer(self, id: str) -> str:
        entries, out = self.tables[id].taken()
        return _text({"entries": entries, "out": [*map(_text, out)], "due": self.tables[id].due})


def _entry(values: Json) -> Entry:
    return ENTRIES[values["kind"]](**{name: value for name, value in values.items() if name != "kind"})


def _text(values: Json) -> str:
    """As the server writes it."""
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))
