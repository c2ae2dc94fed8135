"""What a browser is told, as JSON values: updates, refusals, the table around a game, the catalogue.

Free of I/O and of any library, so that the same lines serve the server and a table in a browser without one.
"""

import re
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Final

from cagnotte.cards import PACK, Card
from cagnotte.core import CHANCE, POOL, Illegal, Seat
from cagnotte.entries import Said
from cagnotte.games import GAMES, chosen_rules
from cagnotte.locale import refusal, say
from cagnotte.locale.tell import is_deed, tell
from cagnotte.players.hint import hint as reckoned
from cagnotte.table import Table
from cagnotte.table_terms import PACES, Update

Json = dict[str, Any]

UNREAD: Final = Illegal(None, "this message was not understood")


def refused(illegal: Illegal, lang: str, move_id: str | None = None) -> Json:
    """A refusal, in the browser's language."""
    return {"type": "refused", "id": move_id, "clause": illegal.clause, "message": refusal(lang, illegal)}


def bye(code: str, illegal: Illegal, lang: str) -> Json:
    """The last word on a socket."""
    return {"type": "bye", "code": code, "message": refusal(lang, illegal)}


def hint(table: Table, seat: Seat | None, lang: str) -> Json:
    """What this seat might play, and why; raises Illegal for one that is not to act."""
    if seat is None or table.state != "playing":
        raise Illegal(None, "it is not your turn")
    found = reckoned(table.game.view(table.play, seat), table.told(seat))
    move, reason = found.action and str(found.action), say(lang, found.key, **found.values)
    return {"type": "hint", "move": move, "say": reason, "version": table.version}


def update(
    told: Update,
    around: Json,
    names: Sequence[str],
    lang: str,
    former: Seat | None = None,
    also: Sequence[Seat] = (),
) -> Json:
    """An update for its viewer, in his language; `around` is what `table_json` tells to all.

    Where a device is passed round, `also` are all its seats, and nobody is told of as "you".
    """
    me = told.viewer if len(also) < 2 else None

    def events(given: tuple[Any, ...], stood: frozenset[int]) -> list[Json]:
        return [event_json(event, names, lang, me, place in stood) for place, event in enumerate(given)]

    log = {} if told.log is None else {"log": events(told.log, told.log_stood)}
    chat = {"chat": [said_json(n, said) for n, said in told.chat]} if told.chat else {}
    return {
        "type": "update",
        "version": told.version,
        "events": events(told.events, told.stood),
        "view": None if told.view is None else view_json(told.view),
        "table": around | {"me": told.viewer, "former": former, "also": list(also)},
        **log,
        **chat,
    }


def said_json(n: int, said: Said) -> Json:
    """A line of the chat: plain text, or a reaction."""
    what = {"react": said.react} if said.react else {"text": said.text}
    return {"n": n, "seat": said.seat, "name": said.name, **what}


def event_json(event: Any, names: Sequence[str], lang: str, me: Seat | None, stood: bool = False) -> Json:
    """An event with its sentence; names are those by seat. What a stand-in did is marked `stand_in`."""
    kind, told = _told(type(event))
    values = {name: _account(name, getattr(event, name)) for name in told}
    mark = {"stand_in": True} if stood and is_deed(event) else {}
    return {"kind": kind, **values, **mark, "say": tell(event, names, lang, me, stood)}


def view_json(view: Any) -> Json:
    """A view; the moves of a cut, which are many, are told as the least and the most."""
    values = {name: _account(name, getattr(view, name)) for name in _told(type(view))[1]}
    if view.phase == "cut" and view.moves:
        values |= {"moves": [], "cuts": [view.moves[0].at, view.moves[-1].at]}
    return values


def table_json(
    table: Table, id: str, now: float, code: str = "", watching: int = 0, screens: int = 0
) -> Json:
    """The table around the game as all see it; `watching` have no seat, `screens` are shared by all."""
    wait, waiting, proof = table.wait(), None, table.proof
    if wait is not None and wait.seats:
        left, length = None, None
        if wait.due is not None:
            left, length = max(0, round(1000 * (wait.due - now))), round(1000 * (wait.due - wait.begun))
        waiting = {"for": wait.seats, "what": wait.what, "until": left, "of": length}
    free = table.anybody_may_go_on
    rest = None if free is None else {"by": table.rester, "free": max(0, round(1000 * (free - now)))}
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
        "code": code,
        "game": table.game.name,
        "players": table.game.players,
        "rules": table.game.house_rules,
        "state": table.state,
        "sitting": table.sittings,
        "host": table.host,
        "pace": table.pace,
        "clock": table.clock,
        "paused": table.paused,
        "rest": rest,
        "muted": table.muted,
        "listed": table.listed,
        "onlookers": table.onlookers,
        "watching": watching,
        "screens": screens,
        "beside": table.beside and {"table": table.beside.table, "by": table.beside.seat},
        "seats": seats,
        "waiting": waiting,
        "next": proof and {"commitment": proof.commitment, "shares": sorted(proof.shares)},
    }


def open_json(table: Table, id: str, code: str) -> Json:
    """A table that wants more players, for a list; its rules where they are not the usual ones."""
    return {
        "table": id,
        "code": code,
        "game": table.game.name,
        "players": table.game.players,
        "free": table.free,
        "host": None if table.host is None else table.chairs[table.host].name,
        "rules": chosen_rules(table.game),
    }


def games_json(bots: Sequence[str], version: str) -> Json:
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
