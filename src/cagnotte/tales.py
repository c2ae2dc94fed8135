"""A sitting told again: its deals that are over, move by move, and what the cards alone gave to whom.

Once a deal is over its hands are public: every card was laid, or shown at the end (T10, T14). A card of Fear
that nobody turned up stays face down for ever; and since all its spreads are one game, none is told before
the sitting is over.
"""

import random
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cagnotte.cards import Card
from cagnotte.core import CHANCE, Game, Illegal, Seat, play
from cagnotte.entries import Drew, Entry, Played, Started
from cagnotte.fantan import cards_of
from cagnotte.fantan_terms import DealWon
from cagnotte.fear import Gathered, Won
from cagnotte.games import chosen_rules
from cagnotte.locale.tell import called
from cagnotte.players import anyhow, steady
from cagnotte.record import Record, actor_name, result
from cagnotte.table import Table
from cagnotte.telling import Json, event_json, view_json

ENDS: Final = (DealWon, Gathered, Won)
PLAYOUTS: Final = 24
WAVERING: Final = 4  # in a playout one move in so many is any that fits


@dataclass(frozen=True, slots=True)
class Tale:
    """A deal, or a spread of Fear, that is over: the state before it, and its moves."""

    begin: Any
    past: int  # how many events of the sitting came before
    moves: tuple[str, ...]
    dealt: Any  # the state in which its cards were in hand
    before: tuple[int, ...]  # stacks by seat, before the antes
    after: tuple[int, ...]

    @property
    def drawn(self) -> list[str]:
        """The moves of chance among its moves."""
        return [move for move in self.moves if move.startswith(("draw ", "dealer ", "shuffle "))]


@dataclass(frozen=True, slots=True)
class Frame:
    """A move and what followed: as an onlooker was told and saw it, and everybody's hand after it."""

    actor: Seat
    move: str  # empty for chance
    told: tuple[Any, ...]
    view: Any
    hands: tuple[tuple[Card, ...], ...]
    stood: bool = False  # whether a stand-in made the move


def tales(game: Game[Any], moves: Iterable[str]) -> list[Tale]:
    """The deals of a sitting that are over, in order, from the texts of its moves; raises Illegal."""
    begin = state = dealt = game.start()
    past = happened = 0
    made: list[str] = []
    found: list[Tale] = []
    for text in moves:
        number = game.dealt(state)
        state, events = play(game, state, game.parse(text))
        happened += len(events)
        made.append(text)
        if game.dealt(state) > number:
            dealt = state
        if any(isinstance(event, ENDS) for event in events):
            before, after = game.bank(begin).stacks, game.bank(state).stacks
            found.append(Tale(begin, past, tuple(made), dealt, before, after))
            begin, past, made = state, happened, []
    return found if game.name != "fear" or game.actor(state) is None else []


def frames(game: Game[Any], tale: Tale, stood: Container[int] = ()) -> Iterator[Frame]:
    """A deal move by move; `stood` are the events of the sitting that came of a stand-in's moves."""
    state, happened = tale.begin, tale.past
    for text in tale.moves:
        actor = game.actor(state)
        assert actor is not None
        state, events = play(game, state, game.parse(text))
        told = tuple([news for event in events if (news := game.redact(event, None)) is not None])
        hands = tuple(map(cards_of, getattr(state, "hands", ())))
        move = "" if actor == CHANCE else text
        yield Frame(actor, move, told, game.view(state, None), hands, happened in stood)
        happened += len(events)


def luck(game: Game[Any], tale: Tale) -> tuple[float, ...] | None:
    """The chips that each seat would on average have won with these cards if all had played alike.

    All play as `steady` does, but now and then lay any card that fits, so that no playout is like another.
    The dice depend on the cards only: whoever asks, and whenever, is told the same. In Fear all is
    luck: None.
    """
    if game.name == "fear":
        return None
    rng = random.Random(f"{tale.dealt.hands}")
    won = [0] * game.players
    for _ in range(PLAYOUTS):
        state = tale.dealt
        while state.phase in ("play", "bonus", "open"):
            bot = steady if rng.randrange(WAVERING) else anyhow
            state, _ = play(game, state, bot(game.view(state, state.actor), (), rng))
        for seat, chips in enumerate(game.bank(state).stacks):
            won[seat] += chips - tale.before[seat]
    return tuple([round(chips / PLAYOUTS, 2) for chips in won])


@dataclass(frozen=True, slots=True)
class Story:
    """A sitting of a table, the `number`th of `count`; the table is as it was at its last move."""

    table: Table
    number: int
    count: int
    moves: tuple[Played, ...]
    tales: tuple[Tale, ...]

    def tale(self, deal: int | None = None) -> tuple[int, Tale]:
        """A deal that is over, with its number: this one, or the last; raises Illegal."""
        number = len(self.tales) if deal is None else deal
        if not 1 <= number <= len(self.tales):
            raise Illegal(None, "this can be looked at again once it is over")
        return number, self.tales[number - 1]

    def record(self, lang: str = "en") -> Record:
        """The record of the sitting when it is over, its guests called in this language; raises Illegal."""
        game, state = self.table.game, self.table.play
        if game.actor(state) is not None:
            raise Illegal(None, "the sitting is not over")
        moves = tuple([f"{actor_name(each.actor)} {each.move}" for each in self.moves])
        rules, proofs = dict(chosen_rules(game)), self.table.proofs
        extra = {"proof": [proof and proof.plain() for proof in proofs]} if any(proofs) else {}
        names = tuple([called(name, lang) for name in self.table.names])
        return Record(game.name, names, moves, rules, result(game, state), extra)

    def proofs(self, number: int) -> list[Json]:
        """The draws and shuffles of a deal that is over, where there are proofs of them (T3)."""
        first = sum(len(tale.drawn) for tale in self.tales[: number - 1])
        moves = self.tales[number - 1].drawn
        proofs = self.table.proofs[first : first + len(moves)]
        return [{"move": move, **proof.plain()} for move, proof in zip(moves, proofs, strict=True) if proof]


def story(entries: Sequence[Entry], number: int | None = None) -> Story:
    """A sitting from the log of its table: this one, or the last of which a deal is over; raises Illegal."""
    begins = [at for at, entry in enumerate(entries) if isinstance(entry, Started)]
    sought = len(begins) if number is None else number
    if not 1 <= sought <= len(begins):
        raise Illegal(None, "no such sitting was played at this table")
    begin, end = [*begins, len(entries)][sought - 1 : sought + 1]
    last = max((at for at in range(begin, end) if isinstance(entries[at], Played | Drew)), default=begin)
    table = Table.restore(entries[: last + 1])
    moves = tuple([played for entry in entries[begin:end] if (played := _played(entry))])
    told = tales(table.game, [each.move for each in moves])
    if not told and number is None and sought > 1:
        return story(entries, sought - 1)
    return Story(table, sought, len(begins), moves, tuple(told))


def _played(entry: Entry) -> Played | None:
    if isinstance(entry, Drew):
        return Played(CHANCE, entry.move)
    return entry if isinstance(entry, Played) else None


def story_json(story: Story, deal: int | None, lang: str, moves: bool = True, me: Seat | None = None) -> Json:
    """What is told of a deal to the player in seat `me`, without its luck; the moves may be left out.

    Raises Illegal.
    """
    number, tale = story.tale(deal)
    table = story.table
    names = table.names
    film = frames(table.game, tale, table.stood) if moves else ()
    return {
        "game": table.game.name,
        "players": table.game.players,
        "names": [called(name, lang) for name in names],
        "me": me,
        "rules": table.game.house_rules,
        "sitting": story.number,
        "sittings": story.count,
        "deals": list(range(1, len(story.tales) + 1)),
        "deal": number,
        "over": table.game.actor(table.play) is None,
        "playing": list(getattr(tale.dealt, "playing", range(table.game.players))),  # in Fear all begin
        "before": list(tale.before),
        "result": list(tale.after),
        "proofs": story.proofs(number),
        "frames": [_frame_json(frame, names, lang, me) for frame in film],
    }


def _frame_json(frame: Frame, names: Sequence[str], lang: str, me: Seat | None) -> Json:
    return {
        "actor": "chance" if frame.actor == CHANCE else frame.actor,
        "move": frame.move,
        "events": [event_json(event, names, lang, me, frame.stood) for event in frame.told],
        "view": view_json(frame.view),
        "hands": [[str(card) for card in hand] for hand in frame.hands],
    }
