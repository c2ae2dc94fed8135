"""The same sitting twice, with two cards exchanged that a viewer cannot see: all that he is sent is the same.

Both worlds have the same sealed secrets, tokens and codes; only the pack differs. What is compared is each
frame and each answer over HTTP, byte for byte, in their order, after each thing that anybody does: moves,
refusals, hints, languages, reconnects, seats left and taken again, a restart, a fault. A world ends where the
exchange would have made another story, or is told: when a hand with one of the two cards is shown.
"""

import json
import logging
import random
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final

import httpx
import pytest
from sittings import FAMILY, PASSING
from sockets import ASSETS

import cagnotte
from cagnotte.cards import PACK, Card
from cagnotte.core import CHANCE, Illegal, Paid
from cagnotte.entries import Drew, Entry, Played, Sealed
from cagnotte.fantan import FanTan, cards_of
from cagnotte.fantan_terms import DealWon, Shown
from cagnotte.fear import NAME, Fear, Turned
from cagnotte.players import LEVELS, bot
from cagnotte.server import measure, rooms, wire
from cagnotte.server.app import Site, app
from cagnotte.server.hall import Hall
from cagnotte.server.hearing import hear
from cagnotte.server.limits import Limits
from cagnotte.server.line import Line
from cagnotte.server.pages import Guard
from cagnotte.server.rooms import Room
from cagnotte.server.serve import configured
from cagnotte.server.store import Store
from cagnotte.table import Table

pytestmark = pytest.mark.anyio

MANY: Final = 10**6
FREE: Final = Limits(
    asks=MANY, tales=MANY, wishes=MANY, codes=MANY, lines=MANY
)  # how much may be asked is another test
NAMES: Final = ("Ann", "Bo", "Cy", "Di", "Eve", "Fay", "Gil", "Hal")
ALSO: Final = ("onlooker", "guest", "screen", "device")
Op = tuple[str, str, Any]  # what is done, by whom, and with what


@dataclass(frozen=True)
class Exchange:
    """Two cards that change places in one of the shuffles of a sitting, the first being 0."""

    shuffle: int
    one: Card
    other: Card


class Stacked(random.Random):
    """Dice that fall the same in both worlds, but for the two cards that are exchanged."""

    def __init__(self, seed: int, game: str, exchange: Exchange | None) -> None:
        super().__init__(seed)
        self.exchange = exchange
        self.shuffles = 0 if game == "fear" else -1  # the draw for the dealer throws a pack as well

    def sample(self, population: Any, k: int, *, counts: Any = None) -> Any:
        drawn = super().sample(population, k, counts=counts)
        if self.exchange and self.shuffles == self.exchange.shuffle:
            drawn = exchanged(drawn, self.exchange)
        self.shuffles += 1
        return drawn


def exchanged(cards: Any, exchange: Exchange) -> list[Card]:
    """These cards, with the two in each other's place."""
    there = {exchange.one: exchange.other, exchange.other: exchange.one}
    return [there.get(card, card) for card in cards]


@dataclass
class World:
    """A table with all who look at it, on a clock that stands still, and what each of them was sent."""

    game: str
    rules: dict[str, Any]
    seats: list[str]
    seed: int
    exchange: Exchange | None = None
    forced: list[str | None] = field(default_factory=list)  # what the bots of the other world did
    now: float = 1000.0
    sent: list[dict[str, list[str]]] = field(default_factory=list)  # after each op, to whom
    public: list[Any] = field(default_factory=list)  # after each op
    bots: list[str | None] = field(default_factory=list)
    lines: dict[str, Line] = field(default_factory=dict)
    tokens: dict[int, str] = field(default_factory=dict)
    log: list[Entry] = field(default_factory=list)  # as it is stored at the end

    async def open(self) -> None:
        stacked = Stacked(self.seed, self.game, self.exchange)
        store = Store(None)
        store.open()
        self.hall = Hall(store, FREE, lambda: self.now, random.Random(self.seed), lambda _: stacked)
        self.site = Site(self.hall, ASSETS, Guard())
        transport = httpx.ASGITransport(app(self.hall, ASSETS, Guard()))
        self.client = httpx.AsyncClient(transport=transport, base_url="http://cards.example")
        names = [name for name, kind in zip(NAMES, self.seats, strict=False) if kind == "person"]
        body = {"game": self.game, "players": len(self.seats), "rules": self.rules, "seats": self.seats}
        body |= {"names": names, "clock": 30, "pace": "normal", "listed": True}
        answer = await self.client.post("/api/tables", json=body)
        assert answer.status_code == 201, answer.text
        made = answer.json()
        self.id, self.code = made["table"], made["code"]
        self.tokens = {each["seat"]: each["token"] for each in made["seats"]}
        self.entered: list[Entry] = []
        self.happened = 0
        append = store.append

        async def noted(table: str, first: int, entries: Any) -> None:
            await append(table, first, entries)
            self.entered += entries

        store.append = noted  # type: ignore[method-assign]

    async def close(self) -> None:
        await self.client.aclose()
        self.hall.close()
        self.hall.store.close()

    @property
    def table(self) -> Any:
        return self.hall.rooms[self.id].table

    @property
    def viewers(self) -> list[str]:
        return [*(f"seat {seat}" for seat in self.tokens), *ALSO]

    def holds(self, viewer: str) -> set[int]:
        """The seats of which this viewer is told."""
        if viewer == "device":
            return {*list(self.tokens)[:2]}
        kind, _, seat = viewer.partition(" ")
        return {int(seat)} if kind in ("seat", "bot") else set()

    def line(self, viewer: str) -> Line:
        if viewer == "device":
            first, second = [*self.tokens.values()][:2]
            return Line("en", None, [first, second], "192.0.2.9")
        token = next((self.tokens[seat] for seat in self.holds(viewer)), None)
        return Line("fr" if viewer == "guest" else "en", token, (), "192.0.2.1", viewer == "screen")

    async def do(self, op: Op) -> None:
        """One thing that somebody does, and what all are sent of it, or may read in log and metrics."""
        self.sent.append({})
        self.bots.append(None)
        counted = {**measure.happened, **measure.refused}
        kind, who, what = op
        room = await self.hall.room(self.id)
        match kind:
            case "join" if who not in self.lines:
                self.lines[who] = self.line(who)
                await room.join(self.lines[who])
            case "part" if who in self.lines:
                await room.part(self.lines.pop(who))
            case "say" if who in self.lines:
                line = self.lines[who]
                await hear(room, line, wire.read(what), self.site.opened)
                self._note(who, f"owes {line.owes}")
                line.owes = 0
            case "http":
                await self._http(who, what)
            case "tick":
                self.now = max(self.now, room.table.due or 0.0) + what
                await room.tick()
            case "restart":
                await self._restart(room)
            case "fault":
                await room._restore()
        for viewer, line in self.lines.items():
            while not line.out.empty():
                self._note(viewer, (await line.next() or b"closed").decode())
            if len(line.secrets) == 1 and line.token and viewer.startswith("seat"):
                self.tokens[int(viewer[5:])] = line.token
        for viewer in self.viewers:
            due = self.table.due
            self._note(viewer, "due never" if due is None else f"due in {due - self.now:.3f}")
        told = {**measure.happened, **measure.refused}
        self._note("metrics", f"{ {what: told[what] - counted.get(what, 0) for what in told} }")
        self.public.append(self._public())

    def emit(self, record: logging.LogRecord) -> bool:
        """A line of the log is as what somebody is sent."""
        self._note("log", record.getMessage())
        return True

    def _note(self, viewer: str, text: str) -> None:
        self.sent[-1].setdefault(viewer, []).append(text)

    async def _http(self, who: str, path: str) -> None:
        token = next((self.tokens[seat] for seat in sorted(self.holds(who)) if seat in self.tokens), None)
        head = {"authorization": f"Bearer {token}"} if token else {}
        answer = await self.client.get(path, headers=head)
        headers = [f"{name}: {value}" for name, value in answer.headers.items()]
        self._note(who, f"{answer.status_code} {headers} {answer.text}")

    async def _restart(self, room: Room) -> None:
        """As after `kill -9`: all come back to what is stored."""
        there = [*self.lines]
        self.lines.clear()
        del self.hall.rooms[room.id]
        room = await self.hall.room(self.id)
        self.happened = min(self.happened, len(room.table.events))
        for viewer in there:
            self.lines[viewer] = self.line(viewer)
            await room.join(self.lines[viewer])

    def _public(self) -> list[Any]:
        """What the rules make public of this: the entries but for the pack, payments, and cards shown."""
        entries, self.entered = self.entered, []
        events = self.table.events
        new, self.happened = events[min(self.happened, len(events)) :], len(events)
        shown = [event for event in new if isinstance(event, Paid | Shown | Turned)]
        return [Drew("", each.shares) if isinstance(each, Drew) else each for each in entries] + shown

    def ask(self, level: str) -> Callable[..., Any]:
        """A bot whose view and tidings are noted; it does what it did in the other world."""

        def asked(view: Any, told: Any, rng: random.Random) -> Any:
            self._note(f"bot {view.seat}", f"{view} {told}")
            at = len(self.sent) - 1
            text = self.forced[at] if at < len(self.forced) else None
            action = self.table.game.parse(text) if text else None
            if action not in view.moves:
                action = bot(level)(view, told, rng)
            self.bots[-1] = str(action)
            return action

        return asked


async def played(world: World, ops: Iterable[Op]) -> list[Op]:
    """Do all this in a world, and give what was done."""
    dice = random.Random(world.seed)
    given: list[Op] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rooms, "SOON", 1e6)  # no update comes by the clock alone
        patch.setattr(rooms, "LEVELS", {level: world.ask(level) for level in LEVELS})
        patch.setattr(Room, "_wind", lambda room, least=0.0: None)  # it is ticked by hand
        patch.setattr(secrets, "token_urlsafe", lambda n: dice.randbytes(n).hex()[:24])
        patch.setattr(secrets, "choice", dice.choice)
        patch.setattr(secrets, "randbits", dice.getrandbits)
        await world.open()
        log = logging.getLogger("cagnotte")
        log.addFilter(world.emit)
        patch.setattr(log, "level", logging.DEBUG)
        try:
            for op in ops:
                await world.do(op)
                given.append(op)
            world.log = await world.hall.store.read(world.id)
        finally:
            log.removeFilter(world.emit)
            await world.close()
    return given


# What is done.


def story(world: World, dice: random.Random, most: int) -> Iterator[Op]:
    """Play, and everything that may be asked beside it; until the sitting is over."""
    for viewer in world.viewers:
        yield "join", viewer, None
    due: deque[Op] = deque()
    for _ in range(most):
        table = world.table
        if table.state != "playing":
            return
        if due:
            yield due.popleft()
            continue
        if dice.random() < 0.4:
            due += beside(world, dice)
            continue
        actor, view = table.game.actor(table.play), None
        there = actor != CHANCE and f"seat {actor}" in world.lines and table.chairs[actor].kind == "person"
        if there and dice.random() < 0.95:
            view = table.game.view(table.play, actor)
            passes = [move for move in view.moves if str(move) == "pass"]
            move = dice.choice(passes if passes and dice.random() < 0.3 else view.moves)
            yield act(f"seat {actor}", str(move), table.version, dice)
        elif table.due is None:
            yield ("say", host(world), json.dumps({"type": "pause", "on": False})) if table.paused else (
                "join", dice.choice(world.viewers), None
            )  # fmt: skip
        else:
            yield "tick", "", dice.random()


def act(viewer: str, move: str, seen: int, dice: random.Random, id: str = "") -> Op:
    message = {"type": "act", "id": id or f"{dice.getrandbits(32)}", "seen": seen, "move": move}
    return "say", viewer, json.dumps(message)


def host(world: World) -> str:
    return f"seat {world.table.host}"


def beside(world: World, dice: random.Random) -> list[Op]:
    """Something that is no move of whoever is to act, or one that is refused."""
    table, who = world.table, dice.choice(world.viewers)

    def say(viewer: str, **message: Any) -> Op:
        return "say", viewer, json.dumps(message)

    match dice.randrange(16):
        case 0 | 1:  # each a card that may be held, or not, in turn and out of turn
            cards = dice.sample(PACK, 6)
            return [act(who, str(card), table.version - (n % 2), dice) for n, card in enumerate(cards)]
        case 2:
            wrong = dice.choice(["pass", "cut 3", "cut 26", "turn 7", "turn 60", f"fear {dice.choice(PACK)}"])
            return [act(who, wrong, table.version, dice), act(who, f"shuffle {PACK[0]}", table.version, dice)]
        case 3:
            return [say(who, type="hint"), say(who, type="hello", token=None)]
        case 4:
            return [say(who, type="lang", value=dice.choice(["en", "fr"]))]
        case 5:
            return [say(who, type="as", seat=dice.choice([0, 1, 2, None]))]
        case 6:
            return [say(who, type="go", seen=table.version), ("say", who, "{"), say(who, type="ping")]
        case 7:
            return [say(who, type="name", name=dice.choice(NAMES)), say(who, type="say", text="well played")]
        case 8:
            share, promised = dice.randbytes(32).hex(), table.proof and table.proof.commitment
            return [say(who, type="share", commitment=promised or share, share=share)]
        case 9 | 10:
            return [("part", who, None), ("tick", "", 0.1), ("join", who, None)]
        case 11:
            if who == "device" or world.holds(who) & {table.host}:
                return []
            return [say(who, type="leave"), ("tick", "", 0.1), say(who, type="sit", name="Zoe")]
        case 12:
            pause = [say(host(world), type="pause", on=on) for on in (True, False)]
            return [pause[0], act(who, "pass", table.version, dice), pause[1]]
        case 13:
            return [("restart" if dice.random() < 0.5 else "fault", "", None)]
        case 14:
            others = [say(who, type=kind, seat=1) for kind in ("remove", "host")]
            wishes = [say(who, type="clock", value=60), say(who, type="start"), say(who, type="beside")]
            return [*(others if who != host(world) else []), *wishes]
    id, code = world.id, world.code
    paths = [f"/api/replay/{id}", f"/api/replay/{id}?deal={dice.randrange(4)}&lang=fr", f"/api/record/{id}"]
    paths += [f"/api/replay/{id}?frames=off", f"/api/codes/{code}", "/api/open", f"/t/{id}", "/healthz"]
    return [("http", who, path) for path in dice.sample(paths, 4)]


# Which cards are exchanged, and where that would make another story.


def replay(game: Any, moves: Sequence[str]) -> Iterator[tuple[Any, list[Any]]]:
    """The state after each move, and what is public of it; as far as all are legal."""
    state = game.start()
    for text in moves:
        try:
            state, events = cagnotte.play(game, state, game.parse(text))
        except Illegal:
            return
        yield state, [event for event in events if isinstance(event, Paid | Shown | Turned)]


def choose(game: Any, log: Sequence[Entry], dice: random.Random) -> tuple[Exchange, set[int], list[str]]:
    """An exchange that matters and leaves the story as it is, its hands, and secrets kept till then."""
    moves = [entry.move for entry in log if isinstance(entry, Played | Drew)]
    sealed = [entry.secret for entry in log if isinstance(entry, Sealed)]
    here = [*replay(game, moves)]
    shuffles = [at for at, move in enumerate(moves) if move.startswith("shuffle") and at + 8 < len(moves)]
    most, found = -1, (Exchange(0, PACK[0], PACK[0]), set[int]())
    for _ in range(40):
        number = dice.randrange(len(shuffles))
        at = shuffles[number]
        dealt, _ = here[at + 1]
        holders = [] if game.name == "fear" else dice.sample(dealt.playing, 2)
        cards = [dice.choice(cards_of(dealt.hands[seat])) for seat in holders] or dice.sample(PACK, 2)
        exchange = Exchange(number, cards[0], cards[1])
        pack = exchanged(game.parse(moves[at]).cards, exchange)
        there = replay(game, [*moves[:at], f"shuffle {' '.join(map(str, pack))}", *moves[at + 1 :]])
        pairs = [*zip(here, there, strict=False)][at + 1 :]
        same = next((n for n, ((_, one), (_, other)) in enumerate(pairs) if one != other), len(pairs))
        matters = sum(_differ(game, one, other) for (one, _), (other, _) in pairs[:same])
        if same + 10 * min(matters, 5) > most:
            most, found = same + 10 * min(matters, 5), (exchange, {*holders})
    return *found, sealed[found[0].shuffle + 1 :]


def _differ(game: Any, one: Any, other: Any) -> bool:
    """Whether what may be done is not the same, or a wrong pass was in one of them only."""
    wrong = getattr(one, "offences", ()), getattr(other, "offences", ())
    return wrong[0] != wrong[1] or {*game.legal(one)} != {*game.legal(other)}


async def compare(game: str, rules: dict[str, Any], seats: list[str], seed: int, most: int = 150) -> int:
    """Compare what all are sent who may not know of the exchange; how often others were sent something else.

    In Fear, where nobody may know of it: how much was done after the spread.
    """
    dice = random.Random(f"{game} {rules} {seed}")
    here = World(game, rules, seats, seed)
    ops = await played(here, story(here, dice, most))
    exchange, holders, kept = choose(cagnotte.game(game, len(seats), **rules), here.log, dice)
    there = World(game, rules, seats, seed, exchange, here.bots)
    await played(there, ops)
    begun = told = 0
    for op, sent, other, public, too in zip(
        ops, here.sent, there.sent, here.public, there.public, strict=True
    ):
        if public != too:
            break
        begun += any(isinstance(each, Drew) for each in public)
        for viewer in sent.keys() | other.keys():
            if here.holds(viewer) & holders:
                told += sent.get(viewer) != other.get(viewer)
            else:
                assert sent.get(viewer) == other.get(viewer), f"{viewer} after {op}"
            for text in sent.get(viewer, ()):
                assert not any(secret in text for secret in kept), f"{viewer} after {op}"
        told += not holders and begun > exchange.shuffle + 1
    return told


def under_rules() -> Iterator[tuple[str, dict[str, Any], list[str]]]:
    """All games with each value of each house rule, and any values of two switches together."""
    for name in FAMILY:
        for number, passing in enumerate(PASSING):
            for on, too in product((True, False), repeat=2):
                rules = {"passing": passing, "extra_ante": on, "pay_left": too, "debt": on == too}
                rules |= {"chips": (10, 50, 17)[number], "deals": 3}
                yield name, rules, [*["person"] * (3 + (number + too) % 2), *["steady"] * (1 - (on and too))]
    for stake, persons in product((1, 2, 10), (2, 4)):
        yield "fear", {"stake": stake}, [*["person"] * persons, "steady"]


FOUR: Final = ["person", "person", "person", "steady"]


@pytest.mark.parametrize("game", ["fear", *FAMILY])
@pytest.mark.parametrize("passing", PASSING)
async def test_C4_no_byte_on_the_wire_tells_two_worlds_apart(
    game: str, passing: str, caplog: pytest.LogCaptureFixture
) -> None:
    """B083, B091: of each game a short sitting."""
    rules = {} if game == "fear" else {"passing": passing}
    assert await compare(game, rules, FOUR, PASSING.index(passing), 70) >= 10
    assert [record for record in caplog.records if record.levelno > logging.INFO] == []


@pytest.mark.slow
@pytest.mark.parametrize(("game", "rules", "seats"), [*under_rules()])
async def test_C4_no_byte_under_any_house_rule(
    game: str, rules: dict[str, Any], seats: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    assert await compare(game, rules, seats, 11, 250) >= 10
    assert [record for record in caplog.records if record.levelno > logging.INFO] == []


# Whether a leak would be found.


def told_of_offences(patch: pytest.MonkeyPatch) -> None:
    redact = FanTan.redact
    patch.setattr(FanTan, "redact", lambda game, event, seat: redact(game, event, seat) or DealWon(0, 1))


def named_by_place(patch: pytest.MonkeyPatch) -> None:
    def legal(game: Fear, state: Any) -> Any:
        down = [card for card, hidden in zip(state.places, state.down, strict=True) if hidden]
        return [NAME[card.index] for card in down] if state.phase == "name" else usual(game, state)

    usual = Fear.legal
    patch.setattr(Fear, "legal", legal)


def longer_by_a_hand(patch: pytest.MonkeyPatch) -> None:
    update = wire.table_json
    patch.setattr(wire, "table_json", lambda table, *around: update(table, *around) | {"pad": padding(table)})


def padding(table: Any) -> str:
    hands = getattr(table.play, "hands", ()) or (0,)
    return " " * (int(hands[0]) % 97)


def logged_by_a_hand(patch: pytest.MonkeyPatch) -> None:
    receive = Table.receive

    def telling(table: Any, now: float, given: Any) -> Any:
        logging.getLogger("cagnotte").debug("a hand of %s", len(padding(table)))
        return receive(table, now, given)

    patch.setattr(Table, "receive", telling)


def slower_by_a_hand(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Table, "due", property(lambda table: 1e4 + len(padding(table))))


@pytest.mark.parametrize(
    ("leak", "game"),
    [
        (told_of_offences, "fan-tan"),
        (named_by_place, "fear"),
        (longer_by_a_hand, "fan-tan"),
        (slower_by_a_hand, "fan-tan"),
        (logged_by_a_hand, "fan-tan"),
    ],
)
async def test_a_leak_is_found(
    leak: Callable[[pytest.MonkeyPatch], None], game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    leak(monkeypatch)
    with pytest.raises(AssertionError, match="after"):
        for seed in range(6):
            await compare(game, {} if game == "fear" else {"passing": "honour"}, FOUR, seed)


# What is not in the bytes.


def test_C4_a_bot_takes_no_longer_for_many_cards_than_for_one() -> None:
    """So little time of the processor that nobody hears it over a network: the pace is that of the table."""
    game, dice = cagnotte.game("earl-of-coventry"), random.Random(5)
    state, took = game.start(), dict[int, float]()
    while len(took) < 6:
        actor = game.actor(state)
        if actor is None:
            state = game.start()
        elif actor == CHANCE:
            state, _ = cagnotte.play(game, state, game.draw(state, dice))
        else:
            view = game.view(state, actor)
            if view.phase == "play":
                took[len(view.moves)] = min(_seconds(view) for _ in range(9))
            state, _ = cagnotte.play(game, state, dice.choice(view.moves))
    assert max(took.values()) - min(took.values()) < 0.002


def _seconds(view: Any) -> float:
    begun = time.perf_counter()
    bot("steady")(view, (), random.Random(1))
    return time.perf_counter() - begun


def test_nothing_that_is_secret_is_packed_with_what_another_chose() -> None:
    """The length of what is packed would tell what it holds."""
    site = app(Hall(Store(None)), ASSETS, Guard())
    assert configured(site).ws_per_message_deflate is False
