"""The terms of a table: its entries, what it is told, what it answers."""

from dataclasses import asdict, dataclass
from typing import Any, Final

from cagnotte.core import Illegal, Seat

# Entries: all that lasts of a table. What it is follows from them, in their order.


@dataclass(frozen=True, slots=True)
class Opened:
    """A table was opened for this game, with these house rules."""

    game: str
    players: int
    rules: dict[str, int | str]
    pace: str


@dataclass(frozen=True, slots=True)
class Took:
    """A person took a seat; of the secret that proves it only a hash is kept."""

    seat: Seat
    name: str
    secret: str


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
class Renamed:
    """A person has another name."""

    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class Hosted:
    """Who is host now."""

    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Paced:
    """The table goes at this pace, one of PACES."""

    pace: str


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


Entry = Opened | Took | Filled | Freed | Left | Renamed | Hosted | Paced | Started | Played
ENTRIES: Final[dict[str, type[Entry]]] = {
    kind.__name__.lower(): kind
    for kind in (Opened, Took, Filled, Freed, Left, Renamed, Hosted, Paced, Started, Played)
}


def plain(entry: Entry) -> dict[str, Any]:
    """An entry as JSON values.

    >>> plain(Freed(2))
    {'kind': 'freed', 'seat': 2}
    """
    return {"kind": type(entry).__name__.lower(), **asdict(entry)}


# What a table is told. `seat` is the seat of whoever asks, None for an onlooker.


@dataclass(frozen=True, slots=True)
class Sit:
    """Somebody would take a seat: this one, or any. `former` is the secret of a seat he had before."""

    name: str
    secret: str
    seat: Seat | None = None
    former: str | None = None


@dataclass(frozen=True, slots=True)
class Rename:
    """A person wants another name."""

    seat: Seat | None
    name: str


@dataclass(frozen=True, slots=True)
class Fill:
    """The host puts bots of this level into the open seats and begins."""

    seat: Seat | None
    level: str


@dataclass(frozen=True, slots=True)
class Start:
    """The host begins, once no seat is open."""

    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Remove:
    """The host frees another's seat before the sitting begins."""

    seat: Seat | None
    other: Seat


@dataclass(frozen=True, slots=True)
class Leave:
    """A person gives up his seat."""

    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Act:
    """A move by its text, made in sight of version `seen`; the same `move_id` is never played twice."""

    seat: Seat | None
    seen: int
    move_id: str | None
    move: str
    stand_in: bool = False


@dataclass(frozen=True, slots=True)
class Go:
    """A person has seen enough of the settlement."""

    seat: Seat | None
    seen: int


@dataclass(frozen=True, slots=True)
class Pace:
    """The host wants another pace."""

    seat: Seat | None
    pace: str


@dataclass(frozen=True, slots=True)
class Again:
    """Another sitting with the same seats and rules."""

    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Here:
    """A person came, or was lost sight of."""

    seat: Seat
    present: bool


@dataclass(frozen=True, slots=True)
class Drawn:
    """What chance drew, when the table asked for it."""

    action: Any


@dataclass(frozen=True, slots=True)
class Tick:
    """Time went by."""


Input = Sit | Rename | Fill | Start | Remove | Leave | Act | Go | Pace | Again | Here | Drawn | Tick

# What a table answers.


@dataclass(frozen=True, slots=True)
class Entered:
    """This is entry number `version` now: store it before anybody is told."""

    version: int
    entry: Entry


@dataclass(frozen=True, slots=True)
class Update:
    """For a viewer (None: the onlookers): what happened, and all that he may know now."""

    viewer: Seat | None
    version: int
    events: tuple[Any, ...]
    view: Any
    log: tuple[Any, ...] | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """For whoever asked: why not."""

    illegal: Illegal
    move_id: str | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """For whoever asked: his move is played, or was before."""

    move_id: str


@dataclass(frozen=True, slots=True)
class Seated:
    """For whoever asked: his seat."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance is to act: draw, and say what with Drawn."""


@dataclass(frozen=True, slots=True)
class StandIn:
    """A bot of this level is to act for this seat: ask it, and say what with Act."""

    seat: Seat
    level: str


Output = Entered | Update | Refused | Done | Seated | Draw | StandIn

# What a table is.


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat at the table and who is in it: a person by his secret, a bot, or nobody yet."""

    kind: str = "open"  # or person, bot
    name: str = ""
    level: str | None = None
    secret: str | None = None
    former: str | None = None  # the secret of who left it during this sitting


@dataclass(frozen=True, slots=True)
class Tempo:
    """Seconds until a bot acts, until the next deal begins by itself, and of a turn that others wait for."""

    bot: float
    go: float
    turn: float


@dataclass(frozen=True, slots=True)
class Wait:
    """Whom a table waits for, for what, and until when; no end when nobody else is kept waiting."""

    seats: tuple[Seat, ...]
    what: str  # act, cut, go
    due: float | None


PACES: Final = {
    "slow": Tempo(2.5, 20, 180),
    "normal": Tempo(1.1, 12, 90),
    "quick": Tempo(0.35, 6, 45),
    "once": Tempo(0.02, 0.5, 45),
}
IDLE: Final = 10.0  # seconds that he has for his next turns once he let one go by
STAND_IN: Final = "steady"  # who plays for a person
MOST: Final = 50_000  # entries of a table, after which only moves are taken

BOT_NAMES: Final = (
    "Agathe", "Basile", "Clarisse", "Damien", "Élise", "Firmin", "Gisèle", "Hector", "Irène", "Jules",
    "Léonie", "Marcel", "Noémie", "Octave", "Pauline", "Quentin", "Rosalie", "Simon", "Thérèse", "Urbain",
    "Victoire", "Xavier", "Yvonne", "Zacharie", "Apolline", "Barnabé",
)  # fmt: skip
