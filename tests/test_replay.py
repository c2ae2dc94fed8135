"""What is told again of a sitting: all of what is over, nothing of what is not, and luck that adds up."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sittings import FAMILY, PLAYERS, Choose, Table, game_of, steps, tables
from test_golden import FILES, sitting_of

from cagnotte import record
from cagnotte.cards import CARD, PACK
from cagnotte.core import Cut, Illegal, Shuffle, Shuffled, replay
from cagnotte.entries import Entry, Filled, Opened, Played, Renamed, Started, Took
from cagnotte.fantan_terms import Draw, Laid, Offended, Shown
from cagnotte.games import GAMES, chosen_rules
from cagnotte.tales import Tale, frames, luck, story, story_json, tales

NAMES = ("Ann", "Bo", "Cy", "Di", "Eve")


def played(
    game: Any, seed: str | random.Random, seats: Sequence[Choose] | None = None
) -> list[tuple[int, str]]:
    """A whole sitting, by those who do anything that is legal unless others are named."""
    rng = random.Random(seed) if isinstance(seed, str) else seed
    party = seats or [PLAYERS["anything"]] * game.players
    return [(game.actor(before), str(action)) for before, action, _, _ in steps(game, party, rng)]


def log(game: Any, *sittings: Sequence[tuple[int, str]]) -> list[Entry]:
    """The log of a table at which these sittings were played, as far as they go."""
    names = [NAMES[seat % 5] + " " * (seat // 5) + str(seat // 5 or "") for seat in range(game.players)]
    entries: list[Entry] = [Opened(game.name, game.players, dict(chosen_rules(game)))]
    entries += [Took(0, names[0], "secret")]
    entries += [Filled(seat, name, "steady") for seat, name in enumerate(names) if seat]
    for moves in sittings:
        entries += [Started(), *(Played(actor, move) for actor, move in moves)]
    return entries


@pytest.mark.parametrize("name", GAMES)
def test_B099_B151_nothing_is_told_before_it_is_over(name: str) -> None:
    """At every step of a sitting what is told are the deals that are over then, in the very same words."""
    passing, rules = ("", {"stake": 1}) if name == "fear" else ("honour", {"deals": 2, "chips": 12})
    game = game_of(name, passing, 5 if name == "fear" else 3, **rules)
    moves = played(game, name)
    whole = story(log(game, moves))
    told = {n: json.dumps(story_json(whole, n, "fr")) for n in range(1, len(whole.tales) + 1)}
    ends, at = [], 0
    for tale in whole.tales:
        at += len(tale.moves)
        ends.append(len(moves) if name == "fear" else at)
    assert at == len(moves)
    for step in range(len(moves)):
        over = sum(end <= step for end in ends)
        assert tales(game, [move for _, move in moves[:step]]) == list(whole.tales[:over])
        if step % 30 and step not in ends:
            continue
        now = story(log(game, moves[:step]))
        for n in range(1, over + 1):
            again = json.loads(told[n]) | {"over": False, "deals": list(range(1, over + 1))}
            assert story_json(now, n, "fr") == again
        for beyond in (0, over + 1):
            with pytest.raises(Illegal):
                story_json(now, beyond, "fr")
        with pytest.raises(Illegal):
            now.record()
    assert record.check(whole.record()).plain()["over"]


@settings(max_examples=25)
@given(tables(FAMILY))
def test_T10_T14_the_hands_of_a_deal_are_the_cards_laid_and_those_shown(table: Table) -> None:
    game, seats, rng = table
    for tale in tales(game, [move for _, move in played(game, rng, seats)]):
        film = list(frames(game, tale))
        events = [frame.told for frame in film]
        [shown] = [event.hands for told in events for event in told if isinstance(event, Shown)]
        hands = [set(hand) for hand in shown]
        for frame, told in reversed(list(zip(film, events, strict=True))):
            if frame.view.phase in ("play", "bonus", "open"):
                assert [set(hand) for hand in frame.hands] == hands
                assert [len(hand) for hand in frame.hands] == list(frame.view.counts)
            for event in told:
                if isinstance(event, Laid):
                    hands[event.seat].add(event.card)
        assert sum(map(len, hands)) == 52
        for frame in film:
            assert frame.view.seat is None and not frame.view.hand and not frame.view.moves
            assert not any(isinstance(event, Offended) for event in frame.told)
            assert all(event.cards == () for event in frame.told if isinstance(event, Shuffled))
        assert sum(tale.before) == sum(tale.after) == sum(game.start().bank.stacks)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_B159_a_sitting_of_long_ago_is_told_as_it_went(file: Any) -> None:
    kept = sitting_of(file.read_text("utf-8"))
    moves = [tuple(move.split(" ", 1)) for move in kept.moves]
    played = [(-1 if actor == "chance" else int(actor), move) for actor, move in moves]
    told = story(log(kept.start(), played))
    assert kept.result is not None and list(told.tales[-1].after) == kept.result["stacks"]
    assert told.record().moves == kept.moves and told.record().result == kept.result
    assert [each.after for each in told.tales[:-1]] == [each.before for each in told.tales[1:]]


def test_a_table_of_several_sittings_each_with_the_names_of_its_time() -> None:
    game = game_of("fan-tan", "", 3, deals=1)
    one, other = (played(game, seed) for seed in ("one", "other"))
    entries = [*log(game, one), Renamed(1, "Zoe"), Started(), *(Played(*move) for move in other)]
    assert story(entries).table.names == ["Ann", "Zoe", "Cy"]
    assert (story(entries, 1).table.names, story(entries, 1).count) == (["Ann", "Bo", "Cy"], 2)
    assert story(entries[:-1]).number == 1  # of the second nothing is over yet
    for missing in (0, 3):
        with pytest.raises(Illegal):
            story(entries, missing)
    with pytest.raises(Illegal):
        story(log(game))


# Luck.


@pytest.mark.slow
@settings(max_examples=12)
@given(tables(FAMILY), st.integers(0, 2**32))
def test_luck_adds_up_to_nothing_and_is_the_same_for_all(table: Table, seed: int) -> None:
    game, seats, rng = table
    told = tales(game, [move for _, move in played(game, rng, seats)])
    for tale in told[:1]:
        chances = luck(game, tale)
        assert chances is not None and abs(sum(chances)) < 0.02 * game.players
        random.seed(seed)
        assert luck(game, tale) == chances
        assert all(chances[seat] == 0 for seat in range(game.players) if seat not in tale.dealt.playing)


def test_luck_is_with_the_better_hand() -> None:
    """Everyone holds a whole suit: nobody passes, and eldest goes out when the others have a card left."""
    game = game_of("fan-tan", "", 4, deals=1)
    hands = [list(PACK[13 * suit : 13 * suit + 13]) for suit in (3, 0, 1, 2)]
    pack = [hands[(at + 1) % 4].pop() for at in range(52)]
    state = replay(game, [Draw(0, (CARD["JS"],)), Shuffle(tuple(pack[26:] + pack[:26])), Cut(26)])
    tale = Tale(None, 0, (), state, game.start().bank.stacks, ())
    assert luck(game, tale) == (-2, 6, -2, -2)  # an ante and a chip for that card (T4, T14)


def test_F6_in_fear_all_is_luck() -> None:
    game = game_of("fear", "", 4, stake=1)
    for tale in tales(game, [move for _, move in played(game, "luck")]):
        assert luck(game, tale) is None and all(frame.hands == () for frame in frames(game, tale))


def test_who_sits_a_deal_out_is_not_among_those_who_played_it() -> None:
    """T15; in Fear all are in when a game begins."""
    game = game_of("earl-of-coventry", "forbidden", 5, deals=9, chips=10)
    whole = story(log(game, played(game, "0")))
    assert any(0 in tale.before for tale in whole.tales)
    for n, tale in enumerate(whole.tales, 1):
        assert story_json(whole, n, "en")["playing"] == [
            seat for seat, chips in enumerate(tale.before) if chips
        ]
    fear = game_of("fear", "", 5, stake=1)
    assert story_json(story(log(fear, played(fear, "fear"))), 1, "en")["playing"] == [*range(5)]
