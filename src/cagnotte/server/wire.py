"""Messages between the server and a browser."""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from cagnotte import telling
from cagnotte.core import Illegal, Seat
from cagnotte.languages import TAGS
from cagnotte.server import measure
from cagnotte.server.answers import HURRIED
from cagnotte.table import Table
from cagnotte.table_terms import Update

Lang = Annotated[str, Meta(pattern=rf"^({'|'.join(TAGS)})\Z")]
Secret = Annotated[str, Meta(max_length=64)]
Name = Annotated[str, Meta(max_length=200)]
Small = Annotated[int, Meta(ge=0, le=1000)]
Version = Annotated[int, Meta(ge=0, le=2**53)]

# What a browser says; "he" is the person at it.


class Hello(Struct, tag="hello"):
    """Who opened the socket: the token of a seat if he has one, and his language.

    `also` has the tokens of further seats of this browser, which is passed round. A `screen` is one that
    all share.
    """

    token: Secret | None = None
    lang: Lang = "en"
    also: Annotated[list[Secret], Meta(max_length=32)] = []
    screen: bool = False


class As(Struct, tag="as"):
    """He would see the table from another seat of this browser, or as an onlooker does."""

    seat: Small | None


class Sit(Struct, tag="sit"):
    """He would take this seat, or any."""

    name: Name
    seat: Small | None = None


class Rename(Struct, tag="name"):
    """He would have another name."""

    name: Name


class Fill(Struct, tag="fill"):
    """Bots of this level shall take the open seats, and the sitting begin."""

    level: Name


class Start(Struct, tag="start"):
    """The sitting shall begin."""


class PutBot(Struct, tag="bot"):
    """A bot of this level shall take an open seat."""

    seat: Small
    level: Name


class Remove(Struct, tag="remove"):
    """Whoever sits there shall go."""

    seat: Small


class PassOn(Struct, tag="host"):
    """The person in this seat shall be host."""

    seat: Small


class Leave(Struct, tag="leave"):
    """He gives up his seat."""


class Act(Struct, tag="act"):
    """A move by its text, made in sight of version `seen`; sent again under the same id it counts once."""

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    seen: Version
    move: Annotated[str, Meta(max_length=32)]


class Go(Struct, tag="go"):
    """He has seen enough of the settlement, at version `seen`."""

    seen: Version


class Pace(Struct, tag="pace"):
    """The table shall go at another pace."""

    value: Name


class Clock(Struct, tag="clock"):
    """A move shall take at most so many seconds; 0 is without end."""

    value: Small


class Listed(Struct, tag="listed"):
    """The table shall be among the open tables, or not."""

    on: bool


class Onlookers(Struct, tag="onlookers"):
    """Others may watch, or not."""

    on: bool


class Mute(Struct, tag="mute"):
    """Nobody shall talk at this table, or everybody may."""

    on: bool


class Pause(Struct, tag="pause"):
    """The table shall rest, or go on."""

    on: bool


class Say(Struct, tag="say"):
    """He says a line to all."""

    text: str


class React(Struct, tag="react"):
    """He shows all what he thinks of it."""

    what: Name


class Share(Struct, tag="share"):
    """What his browser adds to the next shuffle, whose secret has this commitment."""

    commitment: Secret
    share: Secret


class Hint(Struct, tag="hint"):
    """He would hear what to play, and why."""


class Beside(Struct, tag="beside"):
    """Out of this game, he would open another table beside it."""


class Again(Struct, tag="again"):
    """Another sitting shall begin."""


class Speak(Struct, tag="lang"):
    """He would be told everything in this language."""

    value: Lang


class Ping(Struct, tag="ping"):
    """Is anybody there?"""


Message = (
    Hello | As | Sit | Rename | PutBot | Fill | Start | Remove | PassOn | Leave | Act | Go | Share | Hint
    | Pace | Clock | Listed | Onlookers | Mute | Pause | Say | React | Beside | Again | Speak | Ping
)  # fmt: skip


class NewTable(Struct):
    """What is posted to open a table."""

    game: Name
    players: Small | None = None
    rules: dict[Name, bool | int | str] = {}
    seats: Annotated[list[Name], Meta(max_length=64)] | None = None
    name: Name = ""
    names: Annotated[list[Name], Meta(max_length=64)] | None = None
    pace: Name = "normal"
    clock: Small | None = None  # as is usual; without end for several persons at one device
    listed: bool = False
    onlookers: bool = True
    lang: Lang = "en"


_message = msgspec.json.Decoder(Message)
_new_table = msgspec.json.Decoder(NewTable)


def read(text: str) -> Message | None:
    """The message that a browser sent, or None for what is none."""
    try:
        return _message.decode(text)
    except (ValueError, RecursionError):  # DecodeError and ValidationError are ValueErrors
        return None


def read_new_table(body: bytes) -> NewTable | None:
    """The table that a browser wants, or None for what is none."""
    try:
        return _new_table.decode(body)
    except (ValueError, RecursionError):
        return None


def write(**values: Any) -> bytes:
    """A message to a browser: text in UTF-8, which takes the same room whatever letters are in it."""
    return msgspec.json.encode(values)


# What a browser is told: `telling` in writing.


def refused(illegal: Illegal, lang: str, move_id: str | None = None) -> bytes:
    """A refusal, in the browser's language."""
    _count(illegal)
    return write(**telling.refused(illegal, lang, move_id))


def bye(code: str, illegal: Illegal, lang: str) -> bytes:
    """The last word on a socket."""
    _count(illegal)
    return write(**telling.bye(code, illegal, lang))


def _count(illegal: Illegal) -> None:
    if illegal is HURRIED or illegal is telling.UNREAD:
        measure.refused["limit" if illegal is HURRIED else "unread"] += 1


def update(told: Update, around: dict[str, Any], names: Sequence[str], lang: str, *whose: Any) -> bytes:
    """An update for its viewer, in his language; `whose` are the seat that he left, and all of his device."""
    return Telling(told, around, names).text(lang, *whose)


class Telling:
    """An update as the sockets of its viewer are told it: what several are told is written once."""

    def __init__(self, told: Update, around: dict[str, Any], names: Sequence[str]) -> None:
        self._given = told, around, names
        self._alike: dict[tuple[str, bool], dict[str, Any]] = {}  # all but the table
        self._texts: dict[Any, bytes] = {}

    def text(self, lang: str, former: Seat | None, also: Sequence[Seat]) -> bytes:
        """In this language, for one who left a seat, and whose device has these."""
        key = lang, former, tuple(also)
        if key not in self._texts:
            alike = lang, len(also) < 2
            if alike not in self._alike:
                self._alike[alike] = _parts(telling.update(*self._given, *key), "table")
            told = self._alike[alike]
            self._texts[key] = write(**told | {"table": told["table"] | {"former": former, "also": also}})
        return self._texts[key]


def table_json(table: Table, *around: Any) -> dict[str, Any]:
    """The table around the game as all see it, its larger parts written out once for all."""
    return _parts(telling.table_json(table, *around))


def _parts(told: dict[str, Any], *but: str) -> dict[str, Any]:
    """The same, its larger parts written, but for these."""
    large = (name for name, value in told.items() if type(value) in (dict, list) and name not in but)
    return told | {name: msgspec.Raw(msgspec.json.encode(told[name])) for name in large}
