"""The terms of a table: what it is told, what it answers, and what there is to choose."""

from dataclasses import dataclass
from typing import Any, Final

from cagnotte.core import Illegal, Seat
from cagnotte.entries import Entry, Said

# What a table is told. `seat` is the seat of whoever asks, None for an onlooker.


@dataclass(frozen=True, slots=True)
class Sit:
    """Somebody would take a seat: this one, or any. `former` is the secret of a seat he had before.

    Without a seat that is his own, if he left one in this sitting, and without a name so is the name.
    """

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
class PutBot:
    """The host puts a bot of this level into an open seat."""

    seat: Seat | None
    other: Seat
    level: str


@dataclass(frozen=True, slots=True)
class Remove:
    """The host lets somebody go: the seat is free, or a bot plays on in it."""

    seat: Seat | None
    other: Seat


@dataclass(frozen=True, slots=True)
class PassOn:
    """The host makes another person host."""

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
class Choose:
    """The host would have the table go so: one of CHOICES, and its value."""

    seat: Seat | None
    what: str
    value: int | str | bool


@dataclass(frozen=True, slots=True)
class Pause:
    """The table shall rest, or go on."""

    seat: Seat | None
    on: bool


@dataclass(frozen=True, slots=True)
class Say:
    """A person says a line to all."""

    seat: Seat | None
    text: str


@dataclass(frozen=True, slots=True)
class React:
    """A person shows all one of the REACTIONS."""

    seat: Seat | None
    what: str


@dataclass(frozen=True, slots=True)
class Branch:
    """This table was opened beside this one, for a person who is out."""

    seat: Seat | None
    table: str


@dataclass(frozen=True, slots=True)
class Forget:
    """Whoever has this secret would have the table deleted, with all that was played at it."""

    secret: str | None


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
    """What chance drew, when the table asked for it, and the secret of the next time."""

    action: Any
    secret: str = ""


@dataclass(frozen=True, slots=True)
class Share:
    """What a seat adds to the next shuffle, whose secret has this commitment (T3)."""

    seat: Seat | None
    commitment: str
    share: str


@dataclass(frozen=True, slots=True)
class Tick:
    """Time went by."""


Input = (
    Sit | Rename | PutBot | Fill | Start | Remove | PassOn | Leave | Act | Go | Choose | Pause | Say | React
    | Branch | Forget | Again | Here | Drawn | Share | Tick
)  # fmt: skip

# What a table answers.


@dataclass(frozen=True, slots=True)
class Entered:
    """This is entry number `version` now: store it before anybody is told."""

    version: int
    entry: Entry


@dataclass(frozen=True, slots=True)
class Update:
    """For a viewer (None: the onlookers): what happened and was said, and all that he may know now.

    `stood` and `log_stood` are the places, in `events` and `log`, of what came of a stand-in's moves.
    """

    viewer: Seat | None
    version: int
    events: tuple[Any, ...]
    view: Any
    log: tuple[Any, ...] | None = None
    chat: tuple[tuple[int, Said], ...] = ()  # by number
    stood: frozenset[int] = frozenset()
    log_stood: frozenset[int] = frozenset()


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
    former: str | None = None  # the secret of who left it during this sitting; empty when he was let go


@dataclass(frozen=True, slots=True)
class Tempo:
    """Seconds until a bot acts, until the next deal begins by itself, and of a step of what a page shows."""

    bot: float
    go: float
    step: float


@dataclass(frozen=True, slots=True)
class Wait:
    """Whom a table waits for, for what, and from when until when; no end when nobody else is kept waiting."""

    seats: tuple[Seat, ...]
    what: str  # act, cut, go
    begun: float = 0.0
    due: float | None = None


PACES: Final = {
    "slow": Tempo(2.5, 20, 0.45),
    "normal": Tempo(1.1, 12, 0.28),
    "quick": Tempo(0.35, 6, 0.12),
    "once": Tempo(0.02, 6, 0.0),
}
# Steps that a page takes at most to show how a deal begins, by the kind of event.
SHOWN: Final = {
    "Drew": 11.2,
    "FirstDealer": 3.0,
    "Shuffled": 3.0,
    "PackCut": 2.0,
    "Dealt": 4.0,
    "Spread": 3.0,
    "Paid": 1.6,
}
CHOICES: Final[dict[str, tuple[int | str, ...]]] = {
    "pace": tuple(PACES),
    "clock": (0, 15, 30, 60, 90, 180),  # seconds of a move that others wait for; 0 is without end
    "listed": (False, True),
    "onlookers": (False, True),
    "muted": (False, True),
}
REACTIONS: Final = ("clap", "laugh", "wow", "oops", "think", "heart", "hurry", "well_played")
CLOCK: Final = 90  # seconds of a move, unless the host chooses
IDLE: Final = 10.0  # seconds that he has for his next turns once he let one go by
LEAST: Final = 5.0  # seconds of a turn that are left after a restart, however much was over
REST: Final = 300.0  # seconds of pauses in a sitting after which any person may end them …
REST_AGAIN: Final = 60.0  # … and then until there may be another
SHARING: Final = 0.3  # seconds that a shuffle waits for what those who are there add to it
STAND_IN: Final = "steady"  # who plays for a person
MOST: Final = 50_000  # entries of a table, after which only moves are taken
LINES: Final = 2_000  # lines of chat that a table keeps, after which nobody talks
PAST: Final = 100  # lines of chat that somebody who comes is told

BOT_NAMES: Final = (
    "Agathe", "Basile", "Clarisse", "Damien", "Élise", "Firmin", "Gisèle", "Hector", "Irène", "Jules",
    "Léonie", "Marcel", "Noémie", "Octave", "Pauline", "Quentin", "Rosalie", "Simon", "Thérèse", "Urbain",
    "Victoire", "Xavier", "Yvonne", "Zacharie", "Apolline", "Barnabé",
)  # fmt: skip
