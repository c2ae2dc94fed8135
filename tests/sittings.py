"""Sittings for the tests: every game, any number of players, any house rules, several kinds of players."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hypothesis import strategies as st

import cagnotte
from cagnotte import fantan_terms as terms
from cagnotte import players
from cagnotte.core import CHANCE, Shuffle
from cagnotte.games import GAMES

FAMILY = ("fan-tan", "five-or-nine", "earl-of-coventry", "play-or-pay")
PASSING = ("forbidden", "fined", "honour")
MODES = [("fear", ""), *[(name, passing) for name in FAMILY for passing in PASSING]]

Game = Any  # the tests look into states and views of both families
Choose = Callable[[Any, random.Random], Any]
Table = tuple[Game, Sequence[Choose], random.Random]


def game_of(name: str, passing: str, players: int | None = None, **rules: Any) -> Game:
    """The game with this way of passing; Fear has none."""
    return cagnotte.game(name, players, **({"passing": passing} if passing else {}), **rules)


def anything(view: Any, rng: random.Random) -> Any:
    return rng.choice(view.moves)


def passing_often(view: Any, rng: random.Random) -> Any:
    """Passes in three of five turns in which it may, rightly or wrongly."""
    return terms.PASS if terms.PASS in view.moves and rng.random() < 0.6 else rng.choice(view.moves)


def bot(level: str) -> Choose:
    return lambda view, rng: players.LEVELS[level](view, (), rng)


PLAYERS: dict[str, Choose] = {
    "anything": anything,
    "passing often": passing_often,
    **{level: bot(level) for level in players.LEVELS},
}

_FEW: dict[str, tuple[Any, ...]] = {"chips": (10, 11, 17, 50), "deals": (1, 2, 3), "stake": (1, 1, 2)}


@st.composite
def games(draw: st.DrawFn, names: Sequence[str] = tuple(GAMES)) -> Game:
    """Any game for any number of players with any house rules, but sittings of few deals and few chips."""
    entry = GAMES[draw(st.sampled_from(names))]
    seats = draw(st.sampled_from(entry.seats))
    rules = {
        rule.name: draw(st.sampled_from(_FEW.get(rule.name, tuple(rule.values)))) for rule in entry.rules
    }
    return cagnotte.game(entry.name, seats, **rules)


@st.composite
def tables(draw: st.DrawFn, names: Sequence[str] = tuple(GAMES)) -> Table:
    """A game, someone on each of its seats, and dice."""
    game = draw(games(names))
    kinds = draw(st.lists(st.sampled_from(sorted(PLAYERS)), min_size=1, max_size=5))
    seats = [PLAYERS[kinds[seat % len(kinds)]] for seat in range(game.players)]
    return game, seats, random.Random(draw(st.integers(0, 2**32)))


def choose(game: Game, state: Any, seats: Sequence[Choose], rng: random.Random) -> Any:
    """The next action: chance's, or that of the player on the seat that is to act."""
    actor = game.actor(state)
    return game.draw(state, rng) if actor == CHANCE else seats[actor](game.view(state, actor), rng)


def steps(
    game: Game, seats: Sequence[Choose], rng: random.Random, state: Any = None
) -> Iterator[tuple[Any, Any, list[Any], Any]]:
    """A sitting step by step: the state before, the action, what happened, the state after."""
    before = game.start() if state is None else state
    while game.actor(before) is not None:
        action = choose(game, before, seats, rng)
        after, events = cagnotte.play(game, before, action)
        yield before, action, events, after
        before = after


def shuffled(rng: random.Random) -> Shuffle:
    return Shuffle(tuple(rng.sample(cagnotte.PACK, 52)))


def dealt(game: Game, rng: random.Random) -> Any:
    """A state at which the first deal, or the first spread, is to be played."""
    state = game.start()
    while not game.dealt(state):
        state, _ = cagnotte.play(game, state, choose(game, state, [anything] * game.players, rng))
    return state


def parties(game: Game) -> list[int | None]:
    """Everyone who may look on: the seats, and an onlooker."""
    return [*range(game.players), None]
