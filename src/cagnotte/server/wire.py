"""Messages between the server and a browser, and values of the game as JSON."""

import re
from collections.abc import Sequence
from dataclasses import fields
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from cagnotte.cards import PACK, Card
from cagnotte.core import CHANCE, POOL, Illegal, Seat
from cagnotte.games import GAMES
from cagnotte.locale import refusal
from cagnotte.locale.tell import tell
from cagnotte.table import Table
from cagnotte.table_terms import PACES, Update

Lang = Literal["en", "fr"]
Secret = Annotated[str, Meta(max_length=64)]
Name = Annotated[str, Meta(max_length=200)]
Small = Annotated[int, Meta(ge=0, le=1000)]
Version = Annotated[int, Meta(ge=0, le=2**53)]

# What a browser says; "he" is the person at it.


class Hello(Struct, tag="hello"):
    """Who opened the socket: the token of a seat if he has one, and his language."""

    token: Secret | None = None
    lang: Lang = "en"


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


class Remove(Struct, tag="remove"):
    """This seat shall be freed."""

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


class Again(Struct, tag="again"):
    """Another sitting shall begin."""


class Speak(Struct, tag="lang"):
    """He would be told everything in this language."""

    value: Lang


class Ping(Struct, tag="ping"):
    """Is anybody there?"""


Message = Hello | Sit | Rename | Fill | Start | Remove | Leave | Act | Go | Pace | Again | Speak | Ping


class NewTable(Struct):
    """What is posted to open a table."""

    game: Name
    players: Small | None = None
    rules: dict[Name, bool | int | str] = {}
    seats: Annotated[list[Name], Meta(max_length=64)] | None = None
    name: Name = ""
    pace: Name = "normal"
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


def write(**values: Any) -> str:
    """A message to a browser."""
    return msgspec.json.encode(values).decode()


# What a browser is told.


def refused(illegal: Illegal, lang: str, move_id: str | None = None) -> str:
    """A refusal, in the browser's language."""
    return write(type="refused", id=move_id, clause=illegal.clause, message=refusal(lang, illegal))


def bye(code: str, illegal: Illegal, lang: str) -> str:
    """The last word on a socket."""
    return write(type="bye", code=code, message=refusal(lang, illegal))


def update(told: Update, around: dict[str, Any], names: Sequence[str], lang: str, former: Seat | None) -> str:
    """An update for its viewer, in his language; `around` is the table as `table_json` tells it to all."""

    def events(given: tuple[Any, ...]) -> list[dict[str, Any]]:
        return [event_json(event, names, lang, told.viewer) for event in given]

    log = {} if told.log is None else {"log": events(told.log)}
    return write(
        type="update",
        version=told.version,
        events=events(told.events),
        view=None if told.view is None else view_json(told.view),
        table=around | {"me": told.viewer, "former": former},
        **log,
    )


def event_json(event: Any, names: Sequence[str], lang: str, me: Seat | None) -> dict[str, Any]:
    """An event with its sentence; names are those by seat."""
    kind, told = _told(type(event))
    values = {name: _account(name, getattr(event, name)) for name in told}
    return {"kind": kind, **values, "say": tell(event, names, lang, me)}


def view_json(view: Any) -> dict[str, Any]:
    """A view; the moves of a cut, which are many, are told as the least and the most."""
    values = {name: _account(name, getattr(view, name)) for name in _told(type(view))[1]}
    if view.phase == "cut" and view.moves:
        values |= {"moves": [], "cuts": [view.moves[0].at, view.moves[-1].at]}
    return values


def table_json(table: Table, id: str, now: float) -> dict[str, Any]:
    """The table around the game as all see it; its larger parts are written out once for all."""
    wait = table.wait()
    left = None if wait is None or wait.due is None else max(0, round(1000 * (wait.due - now)))
    waiting = wait and wait.seats and {"for": wait.seats, "what": wait.what, "until": left}
    seats = [
        {
            "name": chair.name,
            "kind": chair.kind,
            "level": chair.level,
            "here": chair.kind == "bot" or seat in table.there.present,
            "stand_in": table.stands_in(now, seat),
        }
        for seat, chair in enumerate(table.chairs)
    ]
    return {
        "id": id,
        "game": table.game.name,
        "players": table.game.players,
        "rules": _written(table.game.house_rules),
        "state": table.state,
        "host": table.host,
        "pace": table.pace,
        "seats": _written(seats),
        "waiting": _written(waiting or None),
    }


def games_json(bots: list[str], version: str) -> dict[str, Any]:
    """The catalogue of games; a default that depends on the number of players is told for each."""

    def default(rule: Any, seats: range) -> Any:
        by_players = {n: rule.default(n) for n in seats}
        values = set(by_players.values())
        return values.pop() if len(values) == 1 else {str(n): value for n, value in by_players.items()}

    games = [
        {
            "name": listing.name,
            "players": [listing.seats[0], listing.seats[-1], listing.players],
            "usual": [listing.usual[0], listing.usual[-1]],
            "rules": [
                {
                    "name": rule.name,
                    "clause": rule.clause,
                    "values": {"min": rule.values[0], "max": rule.values[-1]}
                    if isinstance(rule.values, range)
                    else rule.values,
                    "default": default(rule, listing.seats),
                }
                for rule in listing.rules
            ],
        }
        for listing in GAMES.values()
    ]
    return {"games": games, "bots": bots, "paces": list(PACES), "version": version}


def _written(values: Any) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(values))


_ACTORS: Final = {CHANCE: "chance", POOL: "pool"}
_CARDS: Final = tuple(map(str, PACK))
_SIMPLE: Final = {int, str, bool}


def _account(name: str, value: Any) -> Any:
    """A field's value as JSON, where the pool and chance are told by name."""
    if name in ("actor", "payer", "payee") and value in _ACTORS:
        return _ACTORS[value]
    return _plain(value)


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind is Card:
        return _CARDS[value.index]
    if kind is tuple:
        return [_plain(each) for each in value]
    if kind is dict:
        return {key: _plain(each) for key, each in value.items()}
    if value is None or kind in _SIMPLE:
        return value
    return str(value)  # an action, as the record writes it


_TOLD: Final[dict[type, tuple[str, tuple[str, ...]]]] = {}


def _told(kind: type) -> tuple[str, tuple[str, ...]]:
    """The name of an event or a view and its fields; an offence stays with the bookkeeper."""
    if kind in _TOLD:
        return _TOLD[kind]
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower()
    told = _TOLD[kind] = (name, tuple(field.name for field in fields(kind) if field.name != "offence"))
    return told
