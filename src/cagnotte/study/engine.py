"""The deals of `kernel` in the engine: with bots that have no compiled form, and again, move by move.

The engine's seats are numbered around the table, those of a row from eldest in the order of play: the dealer
sits last, so that in the Fan Tan family they are the same, and in Fear, which runs to the right, reversed.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from cagnotte.cards import CARD, PACK
from cagnotte.core import CHANCE, Cut, Game, Seat, Shuffle, play
from cagnotte.fantan_terms import LAY, PASS, DealWon, Draw, Lay, Passed
from cagnotte.fear import NAME, TURN_OVER, Dealer, Won
from cagnotte.players import Bot
from cagnotte.study import kernel, whole

HALF: Final = 26  # where the pack is cut, which was put together to come out as it should


def single(game: Game[Any]) -> Game[Any]:
    """The same game, whose sitting is one deal."""
    made: Any = game
    return game if game.name == "fear" else replace(made, rules=replace(made.rules, deals=1))


def rows(game: Game[Any], bots: Sequence[Bot], key: int, first: int, count: int) -> list[list[int]]:
    """The rows of so many deals by number, as of `kernel.rows`, played by these bots from eldest.

    In the Fan Tan family the packs are those of the kernel, whatever a bot would cut. Raises Illegal for a
    bot at fault.
    """
    return [_row(game, bots, key, number) for number in range(first, first + count)]


def _row(game: Game[Any], bots: Sequence[Bot], key: int, number: int) -> list[int]:
    if game.name == "fear":
        chance = random.Random(f"{key} {number}")
        return row(game, bots, f"{key} {number}", lambda: Shuffle(tuple(chance.sample(PACK, len(PACK)))))
    return row(game, bots, f"{key} {number}", lambda: _uncut(kernel.pack(key, number)))


def row(game: Game[Any], bots: Sequence[Bot], seed: str, shuffle: Callable[[], Shuffle]) -> list[int]:
    """The row of one deal that these bots play from eldest, by shuffles that are cut in the middle.

    The dice of a place follow from the seed, whoever sits there. Raises Illegal for a bot at fault.
    """
    throws = [random.Random(f"{seed} {seat}") for seat in range(game.players)]
    told: list[list[Any]] = [[] for _ in bots]

    def choose(state: Any, events: Sequence[Any]) -> Any:
        for seat, heard in enumerate(told):
            heard += [news for event in events if (news := game.redact(event, seat)) is not None]
        actor = game.actor(state)
        if state.phase == "cut":
            return Cut(HALF)
        if actor == CHANCE:
            return shuffle()
        assert actor is not None
        return bots[_place(game, actor)](game.view(state, actor), told[actor], throws[actor])

    return played(game, choose)[0]


def again(game: Game[Any], bots: Sequence[str], key: int, number: int) -> tuple[list[int], list[Any]]:
    """A deal of the kernel in the engine: the row that it comes to there, and its actions; raises Illegal."""
    moves = iter(kernel.moves(game, bots, key, number))

    def choose(state: Any, events: Sequence[Any]) -> Any:
        match state.phase:
            case "shuffle" if game.name == "fear":
                return _uncut([next(moves) for _ in range(len(PACK))])
            case "shuffle":
                return _uncut(kernel.pack(key, number))
            case "cut":
                return Cut(HALF)
            case "name":
                return NAME[next(moves)]
            case "turn":
                return TURN_OVER[next(moves)]
        card = next(moves)
        return PASS if card == whole.PASS else LAY[card]

    found = played(game, choose)
    assert next(moves, None) is None, "the kernel went on"
    return found


def played(game: Game[Any], choose: Callable[[Any, Sequence[Any]], Any]) -> tuple[list[int], list[Any]]:
    """The row and the actions of one deal, in which `choose` acts from the shuffle on.

    It is given the state, and what has happened since it was last asked.
    """
    game, fear = single(game), game.name == "fear"
    first = Dealer(0) if fear else Draw(game.players - 1, (CARD["JS"],))
    state, events = play(game, game.start(), first)
    actions: list[Any] = [first]
    turns, passes, start, bonus = 0, [0] * game.players, 0, whole.NO_BONUS
    while (actor := game.actor(state)) is not None:
        phase = state.phase
        turns += phase in ("turn", "play", "bonus", "open")
        action = choose(state, events)
        state, events = play(game, state, action)
        actions.append(action)
        if isinstance(action, Lay):
            start = start or action.card.rank
        if phase == "bonus":
            won = any(isinstance(event, DealWon) for event in events)
            bonus = whole.DECLINED if action == PASS else whole.WON if won else whole.TAKEN
        if actor != CHANCE:
            passes[_place(game, actor)] += any(type(event) is Passed for event in events)
    seats = [_place(game, seat) for seat in range(game.players)]
    begun, ended = game.bank(game.start()).stacks, game.bank(state).stacks
    end = next(event for event in events if isinstance(event, DealWon | Won))
    found = {"winner": _place(game, end.seat), "turns": turns, "pool": end.chips}
    if fear:
        found |= {"spreads": state.spread, "left": state.down.count(1)}
    else:
        found |= {"passes": sum(passes), "start": start, "bonus": bonus}
    for place, seat in enumerate(seats):
        found[f"chips_{place}"] = ended[seat] - begun[seat]
        found[f"passes_{place}"] = passes[place]
        found[f"left_{place}"] = 0 if fear else state.hands[seat].bit_count()
    return [found[column] for column in kernel.columns(game)], actions


def _place(game: Game[Any], seat: Seat) -> Seat:
    """The engine's seat of one counted from eldest, and the other way about."""
    return game.players - 1 - seat if game.name == "fear" else seat


def _uncut(dealt: Sequence[int]) -> Shuffle:
    """The pack that, once it is cut, is dealt in this order."""
    return Shuffle(tuple(PACK[card] for card in (*dealt[-HALF:], *dealt[:-HALF])))
