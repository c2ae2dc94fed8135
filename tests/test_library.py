"""The library as INTERFACE.md promises it (section 4), and what may be relied on beside."""

from __future__ import annotations

import copy
import inspect
import multiprocessing
import pickle
import random
from typing import Any

import pytest
from sittings import FAMILY, MODES, PASSING, anything, dealt, game_of, parties, steps

import cagnotte
from cagnotte import core, fear, players, record
from cagnotte import fantan_terms as terms
from cagnotte.games import GAMES, choose, chosen_rules

COMMON = {"game", "seat", "actor", "moves", "stacks", "pool", "dealer"}


def test_the_names_that_are_promised() -> None:
    for name in ("game", "play", "parse", "Illegal", "CHANCE", "Card", *cagnotte.__all__):
        assert hasattr(cagnotte, name)
    assert set(cagnotte.__all__) <= set(dir(cagnotte))
    assert tuple(GAMES) == ("fear", "fan-tan", "five-or-nine", "earl-of-coventry", "play-or-pay")


@pytest.mark.parametrize("name", GAMES)
def test_a_sitting_as_the_interface_says(name: str) -> None:
    game = cagnotte.game(name, players=4, **({"deals": 1} if name in FAMILY else {}))
    state = game.start()
    rng = random.Random(1)
    while (actor := game.actor(state)) is not None:
        legal = game.legal(state)
        action = game.draw(state, rng) if actor == cagnotte.CHANCE else legal[0]
        assert cagnotte.parse(game, str(action)) == action
        state, events = cagnotte.play(game, state, action)
        assert isinstance(events, list) and events
        for seat in parties(game):
            view = game.view(state, seat)
            assert all(hasattr(view, key) for key in COMMON)
            if name == "fear":
                assert len(view.places) in (0, 52)
                assert view.fear is None or isinstance(view.fear, cagnotte.Card)
            else:
                assert set(view.laid) == set("SHDC") and len(view.counts) == 4
                assert isinstance(view.hand, tuple)
    assert game.legal(state) == () and len(game.winners(state)) >= 1


def test_an_illegal_action_raises_with_a_clause() -> None:
    game = cagnotte.game("fan-tan")
    state = dealt(game, random.Random(1))
    with pytest.raises(cagnotte.Illegal) as caught:
        cagnotte.play(game, state, cagnotte.parse(game, "cut 7"))
    refusal = caught.value
    assert (refusal.clause, refusal.message) == ("T8", "cut 7 is refused: a card is to be laid, or pass")
    assert (refusal.template, refusal.values) == (
        "{action} is refused: a card is to be laid, or pass",
        {"action": "cut 7"},
    )
    for copied in (pickle.loads(pickle.dumps(refusal)), copy.copy(refusal)):
        assert (
            type(copied) is cagnotte.Illegal and vars(copied) == vars(refusal) and str(copied) == str(refusal)
        )


# Which games there can be.


def test_a_game_has_its_defaults() -> None:
    for name, entry in GAMES.items():
        game = cagnotte.game(name)
        assert (game.name, game.players) == (name, entry.players)
        assert chosen_rules(game) == {}
        assert game.house_rules == {rule.name: rule.default(game.players) for rule in entry.rules}
        for seats in entry.seats:
            assert cagnotte.game(name, seats).players == seats
    usual = [(cagnotte.game(name, 4).house_rules["chips"]) for name in FAMILY]
    assert usual == [50, 50, 50, 100]  # T1
    assert [cagnotte.game("fan-tan", seats).house_rules["deals"] for seats in (3, 4, 5)] == [6, 8, 10]  # T15
    assert [cagnotte.game("fear", seats).house_rules["stake"] for seats in (2, 6, 7, 26)] == [
        2,
        2,
        1,
        1,
    ]  # F2
    assert (list(GAMES["fear"].usual), list(GAMES["fear"].seats)) == ([*range(5, 13)], [*range(2, 27)])  # F1


def test_house_rules_by_keyword() -> None:
    rules: dict[str, Any] = dict(
        chips=70, deals=3, passing="fined", extra_ante="off", pay_left=False, debt=True
    )
    for name in FAMILY:
        game: Any = cagnotte.game(name, 5, **rules)
        assert game.house_rules == rules | {"pay_left": "off", "debt": "on"}
        assert chosen_rules(game) == game.house_rules
        assert game.rules.chips == 70 and game.rules.deals == 3 and game.rules.passing == "fined"
        assert (game.rules.extra_ante, game.rules.pay_left, game.rules.debt) == (False, False, True)
        assert game.start().bank == core.Bank((70,) * 5, 0, True)
        assert choose(name, 5, rules) == game
    assert cagnotte.game("fear", 3, stake="10").house_rules == {"stake": 10}
    assert chosen_rules(cagnotte.game("fan-tan", chips=50, passing="honour")) == {"passing": "honour"}
    for passing in PASSING:
        assert cagnotte.game("fan-tan", passing=passing).house_rules["passing"] == passing


@pytest.mark.parametrize("name", ["bridge", "", "Fan-Tan", None, 7, ["fear"], {}, "x" * 999])
def test_a_game_that_is_none(name: Any) -> None:
    with pytest.raises(cagnotte.Illegal) as caught:
        cagnotte.game(name)
    assert caught.value.clause is None and len(caught.value.message) < 130
    assert caught.value.message.endswith(
        " is not a game: fear, fan-tan, five-or-nine, earl-of-coventry, play-or-pay"
    )


@pytest.mark.parametrize("count", [2, 6, 0, -1, True, 4.0, "4", [4], 10**100])
def test_T1_a_number_of_players_that_cannot_be(count: Any) -> None:
    with pytest.raises(cagnotte.Illegal) as caught:
        cagnotte.game("fan-tan", count)
    assert caught.value.clause == "T1"
    shown = repr(count) if count != 10**100 else f"1{19 * '0'}…"
    assert caught.value.message == f"fan-tan is for 3 to 5 players, not {shown}"


def test_an_unknown_house_rule() -> None:
    with pytest.raises(cagnotte.Illegal) as caught:
        cagnotte.game("fear", passing="honour")
    assert str(caught.value) == "'passing' is not a house rule of fear: stake"
    assert caught.value.clause is None
    with pytest.raises(cagnotte.Illegal, match="is not a house rule"):
        choose("fear", 4, {"players": 4})


# Values.


def test_games_are_values() -> None:
    same = [cagnotte.game("fan-tan", 4), cagnotte.game("fan-tan", players=4, chips=50)]
    assert same[0] == same[1] and hash(same[0]) == hash(same[1])
    assert cagnotte.game("fan-tan", 4, debt=True) not in same
    assert len({cagnotte.game(name, 4) for name in GAMES}) == 5


@pytest.mark.parametrize(("name", "passing"), MODES[::2])
def test_states_and_events_cannot_be_changed(name: str, passing: str) -> None:
    game = game_of(name, passing, 3)
    for _, action, events, state in steps(game, [anything] * 3, random.Random(3)):
        for value in (state, action, *events, game, state.bank):
            field = next(iter(inspect.get_annotations(type(value))), None)
            if field is not None:
                with pytest.raises(AttributeError):
                    setattr(value, field, None)
        hash(state)
        if state.phase == "shuffle":
            break


def go_on(parcel: bytes) -> bytes:
    """Play on where another process left off."""
    game, state, bots, seed = pickle.loads(parcel)
    rng, moves = random.Random(seed), []
    while (actor := game.actor(state)) is not None:
        if actor == cagnotte.CHANCE:
            action = game.draw(state, rng)
        else:
            action = bots[actor](game.view(state, actor), (), rng)
        state, _ = cagnotte.play(game, state, action)
        moves.append(str(action))
    return pickle.dumps((moves, state))


def test_B219_a_fresh_process_goes_on_alike() -> None:
    """Game, state and bots go by pickle to a spawned process, which plays them to the same end."""
    rng, parcels = random.Random(219), []
    for name, passing in MODES:
        game = game_of(name, passing, 4, **({"deals": 1} if passing else {"stake": 1}))
        states = [before for before, *_ in steps(game, [anything] * 4, rng)]
        bots = [players.LEVELS["steady"], players.LEVELS["random"]] * 2
        parcels += [pickle.dumps((game, state, bots, 9)) for state in rng.sample(states, 2)]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        elsewhere = pool.map(go_on, parcels)
    for parcel, there in zip(parcels, elsewhere, strict=True):
        assert pickle.loads(there) == pickle.loads(go_on(parcel))


# Texts of moves.


def test_parse_reads_every_move_of_a_game_and_no_other() -> None:
    words = [str(action) for action in (*terms.LAY, terms.PASS, *terms.CUTS, *fear.NAME, *fear.TURN_OVER)]
    words += ["dealer 3", "draw 2 7S JH", "shuffle " + " ".join(map(str, cagnotte.PACK))]
    fan_tan, game = cagnotte.game("fan-tan"), cagnotte.game("fear")
    for word in words:
        read = []
        for each in (fan_tan, game):
            try:
                assert str(cagnotte.parse(each, word)) == word
                read.append(each.name)
            except cagnotte.Illegal as illegal:
                assert illegal.clause == "C2"
        both = word.startswith(("cut", "shuffle"))
        only_fear = word.startswith(("fear", "turn", "dealer"))
        assert read == (["fan-tan", "fear"] if both else ["fear"] if only_fear else ["fan-tan"])


def test_C2_moves_may_be_written_as_people_write_cards() -> None:
    game, fan_tan = cagnotte.game("fear"), cagnotte.game("fan-tan")
    for text in ("10H", "th", "10♥", "T♥"):
        assert cagnotte.parse(fan_tan, text) == terms.LAY[22]
        assert cagnotte.parse(game, f"fear {text}") == fear.NAME[22]
        assert cagnotte.parse(fan_tan, f"draw 0 {text} J♠").cards[0] == cagnotte.PACK[22]


def test_playout_and_perft_stop_where_they_should() -> None:
    game = cagnotte.game("fear", 2, stake=1)
    end, actions = cagnotte.playout(game, game.start(), random.Random(4))
    assert cagnotte.perft(game, end, 3) == 1 and cagnotte.playout(game, end, random.Random(1)) == (end, [])
    assert cagnotte.replay(game, actions) == end
    with pytest.raises(cagnotte.Illegal):
        cagnotte.replay(game, [*actions, fear.TurnOver(0)])


def test_every_text_of_a_record_can_be_said_in_one_line() -> None:
    for name in GAMES:
        game = game_of(name, "", 3, **({"deals": 1} if name in FAMILY else {}))
        bots = [players.LEVELS["random"]] * 3
        sitting = record.new(game, ("Ann", "Bo", "Cy"), bots, random.Random(8))
        assert all(move.isascii() and move.isprintable() for move in sitting.moves)
        assert "\n" not in str(sitting)
