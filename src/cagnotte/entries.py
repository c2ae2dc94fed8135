"""The entries in the log of a table: all that lasts of it. What it is follows from them, in their order."""

from dataclasses import asdict, dataclass
from typing import Any, Final

from cagnotte.core import Seat


@dataclass(frozen=True, slots=True)
class Opened:
    """A table was opened for this game, with these house rules, and to go as its host chose."""

    game: str
    players: int
    rules: dict[str, int | str]
    pace: str = "normal"
    clock: int = 90
    listed: bool = False
    onlookers: bool = True


@dataclass(frozen=True, slots=True)
class Took:
    """A person took a seat; of the secret that proves it, and of the one he had, only a hash is kept."""

    seat: Seat
    name: str
    secret: str
    former: str = ""


@dataclass(frozen=True, slots=True)
class Filled:
    """A bot sits there."""

    seat: Seat
    name: str
    level: str


@dataclass(frozen=True, slots=True)
class Freed:
    """A seat is open again, before a sitting began."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Left:
    """A person left during a sitting; a bot plays on, and nobody else may take the seat before it ends."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Removed:
    """The host let a person go who had sat down to play; a bot plays on, and the secret is void."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Renamed:
    """A person has another name."""

    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class Hosted:
    """Who is host now."""

    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Chosen:
    """The host would have the table go so: one of CHOICES, and its value."""

    what: str
    value: int | str | bool


@dataclass(frozen=True, slots=True)
class Paused:
    """The table rests, or goes on; who wished it so, where that was noted."""

    on: bool
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """A line of the chat, or one of the REACTIONS, under the name that the person had then."""

    seat: Seat
    name: str
    text: str = ""
    react: str | None = None


@dataclass(frozen=True, slots=True)
class Branched:
    """A person who was out opened another table beside this one."""

    seat: Seat
    table: str


@dataclass(frozen=True, slots=True)
class Forgot:
    """A person would have the table deleted, with all that was played at it; once it was by his seat."""

    seat: Seat | None
    secret: str = ""


@dataclass(frozen=True, slots=True)
class Started:
    """A sitting begins."""


@dataclass(frozen=True, slots=True)
class Played:
    """A move, by the text of the record; `stand_in` when a bot acted for a person."""

    actor: Seat
    move: str
    move_id: str | None = None
    stand_in: bool = False


@dataclass(frozen=True, slots=True)
class Sealed:
    """The secret of the next shuffle or draw, of which only the hash is shown before its deal is over."""

    secret: str


@dataclass(frozen=True, slots=True)
class Drew:
    """What chance drew: it follows from the secret that was sealed, and the shares by seat (T3)."""

    move: str
    shares: dict[str, str]


Entry = (
    Opened | Took | Filled | Freed | Left | Removed | Renamed | Hosted
    | Chosen | Paused | Said | Branched | Forgot | Started | Played | Sealed | Drew
)  # fmt: skip
ENTRIES: Final[dict[str, type[Entry]]] = {kind.__name__.lower(): kind for kind in Entry.__args__}


def plain(entry: Entry) -> dict[str, Any]:
    """An entry as JSON values.

    >>> plain(Freed(2))
    {'kind': 'freed', 'seat': 2}
    """
    return {"kind": type(entry).__name__.lower(), **asdict(entry)}
