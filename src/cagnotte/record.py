"""Records of sittings, one JSON object each: read, checked, replayed and made."""

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final, NoReturn

from cagnotte.core import CHANCE, Game, Illegal, Seat, play, quoted
from cagnotte.games import choose, chosen_rules

VERSION: Final = 1
KNOWN: Final = ("cagnotte", "game", "rules", "players", "moves", "result")
LONGEST: Final = 8 * 2**20  # bytes of one record, ten times what 50,000 moves take; a longer one is not read
DEEPEST: Final = 50  # lists and objects inside each other
Bot = Callable[[Any, Sequence[Any], random.Random], Any]


class Fault(ValueError):
    """What is wrong with a record, at which move (counted from 1; None when at none), by which clause."""

    def __init__(self, move: int | None, clause: str | None, message: str) -> None:
        super().__init__(message)
        self.move = move
        self.clause = clause
        self.message = message

    def __reduce__(self) -> tuple[type["Fault"], tuple[int | None, str | None, str]]:
        return Fault, (self.move, self.clause, self.message)


@dataclass(frozen=True, slots=True)
class Record:
    """One sitting, as far as it went; moves are texts, an actor and his action."""

    game: str
    players: tuple[str, ...]
    moves: tuple[str, ...] = ()
    rules: dict[str, Any] = field(default_factory=dict)
    result: dict[str, Any] | None = None
    extra: dict[str, Any] = field(default_factory=dict)  # keys of others, kept

    def start(self) -> Game[Any]:
        """The game of this record; raises Fault for one that cannot be."""
        try:
            return choose(self.game, len(self.players), self.rules)
        except Illegal as illegal:
            raise Fault(None, illegal.clause, illegal.message) from None

    def __str__(self) -> str:
        head: dict[str, Any] = {"cagnotte": VERSION, "game": self.game, "rules": self.rules}
        head |= {"players": self.players, "moves": self.moves}
        if self.result is not None:
            head["result"] = self.result
        return json.dumps(head | self.extra, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Where a legal record leads."""

    game: Game[Any]
    state: Any
    moves: int

    def plain(self) -> dict[str, Any]:
        """What `record check --json` prints of it."""
        game, state = self.game, self.state
        bank, actor = game.bank(state), game.actor(state)
        return {
            "ok": True,
            "game": game.name,
            "moves": self.moves,
            "deals": game.dealt(state),
            "stacks": list(bank.stacks),
            "pool": bank.pool,
            "over": actor is None,
            "winners": list(game.winners(state)),
            "legal": None if actor == CHANCE else [str(action) for action in game.legal(state)],
        }


def _no_number(name: str) -> NoReturn:
    raise Fault(None, None, f"not a record: {name} is not a number")


_DECODER: Final = json.JSONDecoder(parse_constant=_no_number)
_LINE: Final = re.compile(rb"[^\n]*\n|[^\n]+")
_BLANK: Final = b" \t\r\n\xef\xbb\xbf"  # the last three: a byte order mark


def parse(text: str) -> Record:
    """The record that this JSON text holds; raises Fault."""
    try:
        value = _DECODER.decode(text)
    except RecursionError:
        raise Fault(None, None, "not a record: nested too deeply") from None
    except Fault:
        raise
    except ValueError as error:  # also a number of too many digits
        message = error.msg if isinstance(error, json.JSONDecodeError) else "a number is too long"
        raise Fault(None, None, f"not a record: not JSON ({message})") from None
    return _record(value)


def _record(value: Any) -> Record:
    def need(right: bool, message: str) -> None:
        if not right:
            raise Fault(None, None, f"not a record: {message}")

    need(isinstance(value, dict), "not a JSON object")
    version = value.get("cagnotte")
    need(type(version) is int, 'the key "cagnotte" with the version is missing')
    need(version == VERSION, f"version {version!r:.20} is not known here, {VERSION} is")
    for key, kind, name in (("game", str, "a text"), ("players", list, "a list"), ("moves", list, "a list")):
        need(isinstance(value.get(key), kind), f'"{key}" must be {name}')
    for key in ("players", "moves"):
        need(all(isinstance(item, str) for item in value[key]), f'"{key}" must be a list of texts')
    rules, result = value.get("rules", {}), value.get("result")
    need(isinstance(rules, dict), '"rules" must be an object')
    need(result is None or isinstance(result, dict), '"result" must be an object')
    extra = {key: kept for key, kept in value.items() if key not in KNOWN}
    need(_shallow([rules, result, extra], DEEPEST), "nested too deeply")
    return Record(value["game"], tuple(value["players"]), tuple(value["moves"]), rules, result, extra)


def _shallow(value: Any, levels: int) -> bool:
    """Whether a value can be written, and quoted, without running into Python's own limit."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels > 0 and all(_shallow(item, levels - 1) for item in inner)


def read(stream: Iterable[bytes]) -> Iterator[tuple[int, Record | Fault]]:
    """The records of a file, each with the line on which it begins, one at a time.

    A file holds a record on each line, or one record over several lines. No more of it is read, or held in
    memory, than the next record needs.
    """
    lines = _lines(stream)
    first = next(((n, line) for n, line in enumerate(lines, 1) if line.strip(_BLANK)), None)
    if first is None:
        yield 1, Fault(None, None, "not a record: the file is empty")
        return
    begin, line = first
    parsed = _read_line(line)
    if isinstance(parsed, Fault) and line.lstrip(_BLANK).startswith(b"{"):
        rest, last = _until_the_next(lines)  # perhaps one record over several lines
        if not _begins(last):
            yield begin, _read_line(line + rest)
            return
        lines = chain((found[0] for found in _LINE.finditer(rest)), lines)
    yield begin, parsed
    for number, line in enumerate(lines, begin + 1):
        if line.strip(_BLANK):
            yield number, _read_line(line)


def _lines(stream: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a stream; of a line that is too long no more than is needed to know it."""
    readline = getattr(stream, "readline", None)
    if readline is None:
        yield from stream
        return
    while line := readline(LONGEST + 1):
        yield line
        while len(line) > LONGEST and not line.endswith(b"\n"):
            line = readline(LONGEST + 1)


def _until_the_next(lines: Iterator[bytes]) -> tuple[bytes, bytes]:
    """Lines up to one on which a record begins, or to where one record would be too long; and the last."""
    rest, line = bytearray(), b""
    for line in lines:
        rest += line
        if _begins(line) or len(rest) > LONGEST:
            break
    return bytes(rest), line


def _begins(line: bytes) -> bool:
    """Whether a record begins here that has its line for itself; one over several lines has its key below."""
    return line.startswith(b'{"')


def _read_line(line: bytes) -> Record | Fault:
    try:
        if len(line) > LONGEST:
            raise Fault(None, None, f"not a record: longer than {LONGEST} bytes")
        return parse(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return Fault(None, None, "not a record: not UTF-8 text")
    except Fault as fault:
        return fault


def steps(record: Record) -> Iterator[tuple[Game[Any], Any, Any, list[Any]]]:
    """Replay move by move: the game, the state after the move, its action, what happened; raises Fault."""
    game = record.start()
    state = game.start()
    for number, text in enumerate(record.moves, 1):
        try:
            action = _action(game, state, text)
            state, events = play(game, state, action)
        except Illegal as illegal:
            raise Fault(number, illegal.clause, illegal.message) from None
        yield game, state, action, events


def _action(game: Game[Any], state: Any, text: str) -> Any:
    """The action of the actor that this text names; raises Illegal."""
    actor, _, words = text.partition(" ")
    due = game.actor(state)
    if due is not None and actor != actor_name(due):  # when the sitting is over, the game itself says so
        raise Illegal(
            game.turn_clause(state),
            "{actor} is not to act, but {due}",
            actor=quoted(actor),
            due=actor_name(due),
        )
    return game.parse(words)


def actor_name(actor: Seat) -> str:
    """An actor as a record writes it."""
    return "chance" if actor == CHANCE else str(actor)


def check(record: Record) -> Outcome:
    """Replay the whole record; raises Fault for what is not legal, and for a wrong result."""
    game = record.start()
    state = game.start()
    for step in steps(record):
        state = step[1]
    outcome = Outcome(game, state, len(record.moves))
    if record.result is not None:
        if game.actor(state) is not None:
            raise Fault(None, None, "there is a result, but the sitting is not over")
        for key, true in result(game, state).items():
            if key in record.result and repr(record.result[key]) != repr(true):  # as True == 1
                raise Fault(None, None, f"the result says {key} {record.result[key]!r:.80}, but it is {true}")
    return outcome


def result(game: Game[Any], state: Any) -> dict[str, Any]:
    """The result of a sitting that is over, as a record holds it."""
    return {"stacks": list(game.bank(state).stacks), "winners": list(game.winners(state))}


def new(game: Game[Any], names: Sequence[str], bots: Sequence[Bot], rng: random.Random) -> Record:
    """A whole sitting played by these bots, one a seat; each sees its view and what it was told."""
    state = game.start()
    moves: list[str] = []
    told: list[list[Any]] = [[] for _ in bots]
    while (actor := game.actor(state)) is not None:
        if actor == CHANCE:
            action = game.draw(state, rng)
        else:
            action = bots[actor](game.view(state, actor), told[actor], rng)
        state, events = play(game, state, action)
        moves.append(f"{actor_name(actor)} {action}")
        for seat, heard in enumerate(told):
            heard += [event for event in (game.redact(e, seat) for e in events) if event is not None]
    return Record(game.name, tuple(names), tuple(moves), dict(chosen_rules(game)), result(game, state))
