"""Records: read whatever is in the file, each fault in one line with its move and its clause."""

from __future__ import annotations

import io
import json
import pickle
import random
import threading
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, repeat
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sittings import MODES, Table, game_of, steps, tables

import cagnotte
from cagnotte import core, players, record
from cagnotte import fantan_terms as terms
from cagnotte.core import CHANCE
from cagnotte.record import Fault, Record

NAMES = ("Ann", "Bo", "Cy", "Di", "Eve", *(f"P{seat}" for seat in range(5, 26)))


def made(name: str, seed: int = 1, seats: int | None = None, **rules: Any) -> Record:
    game = cagnotte.game(name, seats, **rules)
    bots = [players.LEVELS["random"]] * game.players
    return record.new(game, NAMES[: game.players], bots, random.Random(seed))


FAN_TAN = made("fan-tan", deals=1)
FEAR = made("fear")


def plain(sitting: Record, **changes: Any) -> dict[str, Any]:
    """The record as JSON, with some keys changed; None takes a key away."""
    value: dict[str, Any] = json.loads(str(sitting))
    return {key: item for key, item in (value | changes).items() if item is not None}


def fault_of(value: Any) -> Fault:
    """The fault of this JSON text or value, found while it is read or while it is checked."""
    text = value if isinstance(value, str) else json.dumps(value)
    with pytest.raises(Fault) as caught:
        record.check(record.parse(text))
    fault = caught.value
    assert fault.message == str(fault) and "\n" not in fault.message and 0 < len(fault.message) < 300
    assert pickle.loads(pickle.dumps(fault)).__reduce__() == fault.__reduce__()
    return fault


def lines(text: str | bytes) -> list[tuple[int, Record | Fault]]:
    return list(record.read(io.BytesIO(text.encode() if isinstance(text, str) else text)))


# A record and its text.


@settings(max_examples=12)
@given(tables())
def test_a_sitting_of_any_game_is_a_record_that_is_right_at_every_move(table: Table) -> None:
    """B233: also with fines, debts, players who sit out, several deals; and so is every beginning of it."""
    game, seats, rng = table
    moves, plays = [], list(steps(game, seats, rng))
    for before, action, _, _ in plays:
        actor = game.actor(before)
        moves.append(f"{'chance' if actor == CHANCE else actor} {action}")
    chosen = {name: value for name, value in game.house_rules.items()}
    whole = Record(game.name, NAMES[: game.players], tuple(moves), chosen)
    outcome = record.check(record.parse(str(whole)))
    assert (outcome.game, outcome.state, outcome.moves) == (game, plays[-1][3], len(moves))
    stop = rng.randrange(len(moves))
    begun = record.check(replace(whole, moves=whole.moves[:stop]))
    assert begun.state == plays[stop][0] and begun.moves == stop
    result = record.result(game, plays[-1][3])
    assert record.check(replace(whole, result=result)).plain() == outcome.plain()


@pytest.mark.parametrize(("name", "passing"), MODES)
def test_new_makes_records_that_are_right(name: str, passing: str) -> None:
    game = game_of(name, passing)
    for seed in range(2):
        rules = {"deals": 1 + seed, "passing": passing, "chips": 20} if passing else {}
        sitting = made(name, seed, 3 + seed, **rules)
        outcome = record.check(record.parse(str(sitting)))
        assert outcome.plain()["over"] and sitting.result == record.result(outcome.game, outcome.state)
        defaults = cagnotte.game(name, 3 + seed).house_rules
        assert sitting.rules == {key: value for key, value in rules.items() if value != defaults[key]}
        assert sitting.players == NAMES[: 3 + seed] and sitting.game == game.name
    assert made(name, 5) == made(name, 5) != made(name, 6)


def test_B235_bots_are_called_and_never_copied() -> None:
    """A bot may hold what cannot be copied; each is asked on its own seat, and told what it may know."""
    game = cagnotte.game("fan-tan", 3, deals=1)

    class Locked:
        def __init__(self, seat: int) -> None:
            self.seat, self.lock, self.turns, self.heard = seat, threading.Lock(), 0, 0

        def __call__(self, view: Any, told: Any, rng: random.Random) -> Any:
            assert view.seat == self.seat == view.actor
            [*dealt] = (event for event in told if isinstance(event, terms.Dealt))
            assert all(not hand for event in dealt for s, hand in enumerate(event.hands) if s != self.seat)
            assert len(dealt) == (0 if view.phase == "cut" else 1) and isinstance(told[0], terms.Drew)
            assert all(event.hands[self.seat] for event in dealt)
            assert told[-1] == core.Turn(self.seat, view.phase)
            assert None not in told and len(told) > self.heard
            self.heard = len(told)
            self.turns += 1
            with self.lock:
                return rng.choice(view.moves)

    bots = [Locked(seat) for seat in range(3)]
    sitting = record.new(game, NAMES[:3], bots, random.Random(1))
    assert sum(bot.turns for bot in bots) == sum(not move.startswith("chance") for move in sitting.moves)


def test_a_record_and_its_text_are_the_same() -> None:
    for sitting in (FAN_TAN, FEAR, made("play-or-pay", deals=1, passing="honour")):
        assert record.parse(str(sitting)) == sitting
        assert list(json.loads(str(sitting))) == ["cagnotte", "game", "rules", "players", "moves", "result"]
    bare = replace(FAN_TAN, result=None)
    assert "result" not in json.loads(str(bare)) and record.parse(str(bare)) == bare
    named = replace(FAN_TAN, players=("Zoë", "李", "Ann \u2660", 'Bo "x"'))
    assert "Zoë" in str(named) and record.parse(str(named)) == named


def test_unknown_keys_are_kept() -> None:
    value = {"zeit": 12, **plain(FAN_TAN), "clock": {"x": [None, 1.5, "é"]}, "": []}
    kept = record.parse(json.dumps(value))
    assert kept.extra == {"zeit": 12, "clock": {"x": [None, 1.5, "é"]}, "": []}
    assert json.loads(str(kept)) == value
    assert record.check(kept).plain()["over"]


def test_what_is_not_said_is_the_default() -> None:
    empty = record.parse('{"cagnotte": 1, "game": "fear", "players": ["Ann", "Bo"], "moves": []}')
    assert (empty.rules, empty.result, empty.extra, empty.moves) == ({}, None, {}, ())
    assert record.check(empty).plain() == {
        "ok": True,
        "game": "fear",
        "moves": 0,
        "deals": 0,
        "stacks": [2, 2],
        "pool": 0,
        "over": False,
        "winners": [],
        "legal": None,
    }


def test_where_a_record_leads() -> None:
    """The moves possible now are told without their actor; none when the sitting is over."""
    assert record.check(FAN_TAN).plain()["legal"] == []
    cut = record.check(replace(FAN_TAN, moves=FAN_TAN.moves[:2], result=None)).plain()
    assert cut["legal"] == [f"cut {at}" for at in range(5, 48)]
    assert (cut["deals"], cut["over"], cut["moves"]) == (0, False, 2)
    for sitting in (FAN_TAN, FEAR):
        for stop, move in enumerate(sitting.moves):
            legal = record.check(replace(sitting, moves=sitting.moves[:stop], result=None)).plain()["legal"]
            actor, _, action = move.partition(" ")
            assert legal is None if actor == "chance" else action in legal


# What is wrong while it is read: never a move, never a clause.

UNREADABLE: dict[str, Any] = {
    "not a record: not JSON (Expecting value)": "noise",
    "not a record: not JSON (Extra data)": str(FAN_TAN) + str(FAN_TAN),
    "not a record: not JSON (Unterminated string starting at)": '{"cagnotte',
    "not a record: not JSON (Expecting property name enclosed in double quotes)": "{",
    "not a record: nested too deeply": '{"x": ' * 100_000,
    "not a record: not JSON (a number is too long)": '{"cagnotte": ' + "1" * 5000 + "}",
    "not a record: NaN is not a number": '{"cagnotte": NaN}',
    "not a record: -Infinity is not a number": '{"x": [-Infinity]}',
    "not a record: not a JSON object": "[]",
    'not a record: the key "cagnotte" with the version is missing': {},
    "not a record: version 2 is not known here, 1 is": plain(FAN_TAN, cagnotte=2),
    "not a record: version 0 is not known here, 1 is": plain(FAN_TAN, cagnotte=0),
    f"not a record: version {'9' * 20} is not known here, 1 is": plain(FAN_TAN, cagnotte=10**100 - 1),
    'not a record: "game" must be a text': plain(FAN_TAN, game=1),
    'not a record: "players" must be a list': plain(FAN_TAN, players=None),
    'not a record: "moves" must be a list': plain(FAN_TAN, moves="0 cut 20"),
    'not a record: "players" must be a list of texts': plain(FAN_TAN, players=["Ann", "Bo", 3]),
    'not a record: "moves" must be a list of texts': plain(FAN_TAN, moves=[["0 cut 20"]]),
    'not a record: "rules" must be an object': plain(FAN_TAN, rules=[]),
    'not a record: "result" must be an object': plain(FAN_TAN, result=7),
}


@pytest.mark.parametrize("message", UNREADABLE)
def test_what_is_no_record(message: str) -> None:
    fault = fault_of(UNREADABLE[message])
    assert (fault.message, fault.move, fault.clause) == (message, None, None)


@pytest.mark.parametrize("text", ["null", "true", "7", '"x"', "[{}]", "[1]", ""])
def test_other_json_is_no_record(text: str) -> None:
    assert fault_of(text).message.startswith("not a record: not ")


@pytest.mark.parametrize("version", ["1", 1.0, True, [1], None])
def test_the_version_is_a_number(version: Any) -> None:
    assert "version is missing" in fault_of(plain(FAN_TAN, cagnotte=version)).message


@pytest.mark.parametrize("key", ["rules", "result", "comment"])
def test_deep_nesting_anywhere_is_one_fault(key: str) -> None:
    """Also where the text is just shallow enough to be read, but what follows goes a little deeper."""
    within = 48 - (key == "comment")
    for depth in (5, 30, within, within + 1, 90, 500, 900, *range(960, 1000)):
        nested = f'{{"cagnotte": 1, "{key}": {{"chips": {"[" * depth}{"]" * depth}}}'
        text = f'{nested}, "game": "fan-tan", "players": ["Ann", "Bo", "Cy"], "moves": []}}'
        if depth <= within and key == "comment":
            assert record.parse(str(record.parse(text))) == record.parse(text)
        elif depth <= within:
            assert not fault_of(text).message.startswith("not a record")
        else:
            assert fault_of(text).message == "not a record: nested too deeply"


@settings(max_examples=40)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text("ab7S"), st.lists, max_leaves=5))
def test_any_value_under_any_key_is_a_fault_or_a_record(value: Any) -> None:
    for key in ("game", "rules", "players", "moves", "result"):
        try:
            record.check(record.parse(json.dumps(plain(FAN_TAN) | {key: value})))
        except Fault as fault:
            assert len(fault.message) < 300 and fault.message.isprintable()


# What is wrong with the game: a clause, and no move.


@pytest.mark.parametrize(
    ("clause", "said", "changes"),
    [
        (None, "'bridge' is not a game", {"game": "bridge"}),
        ("T1", "fan-tan is for 3 to 5 players, not 2", {"players": ["Ann", "Bo"]}),
        ("T1", "fan-tan is for 3 to 5 players, not 6", {"players": list(NAMES[:6])}),
        ("T1", "fan-tan is for 3 to 5 players, not 0", {"players": []}),
        (None, "'stake' is not a house rule of fan-tan", {"rules": {"stake": 2}}),
        (None, "'name' is not a house rule of fan-tan", {"rules": {"name": "fear"}}),
        (None, "'players' is not a house rule of fan-tan", {"rules": {"players": 4}}),
        (None, "'' is not a house rule of fan-tan", {"rules": {"": 4}}),
        ("T1", "chips is 10 to 1000, not 9", {"rules": {"chips": 9}}),
        ("T1", "chips is 10 to 1000, not 1001", {"rules": {"chips": 1001}}),
        ("T1", "chips is 10 to 1000, not 50.0", {"rules": {"chips": 50.0}}),
        ("T1", "chips is 10 to 1000, not True", {"rules": {"chips": True}}),
        ("T1", "chips is 10 to 1000, not '-50'", {"rules": {"chips": "-50"}}),
        ("T1", "chips is 10 to 1000, not None", {"rules": {"chips": None}}),
        ("T1", f"chips is 10 to 1000, not {'9' * 20}", {"rules": {"chips": int("9" * 4000)}}),
        ("T1", f"chips is 10 to 1000, not '{'9' * 20}'…", {"rules": {"chips": "9" * 5000}}),
        ("T15", "deals is 1 to 100, not 0", {"rules": {"deals": 0}}),
        ("T10", "passing is forbidden, fined, honour, not 'maybe'", {"rules": {"passing": "maybe"}}),
        ("T10", "passing is forbidden, fined, honour, not False", {"rules": {"passing": False}}),
        ("T6", "extra_ante is on, off, not 1", {"rules": {"extra_ante": 1}}),
        ("T14", "pay_left is on, off, not []", {"rules": {"pay_left": []}}),
        ("C3", "debt is on, off, not {}", {"rules": {"debt": {}}}),
    ],
)
def test_a_game_that_cannot_be(clause: str | None, said: str, changes: dict[str, Any]) -> None:
    fault = fault_of(plain(FAN_TAN, **changes))
    assert (fault.move, fault.clause) == (None, clause)
    assert fault.message.startswith(said)


@pytest.mark.parametrize("seats", [1, 27])
def test_F1_fear_is_for_2_to_26(seats: int) -> None:
    fault = fault_of(plain(FEAR, players=["Ann"] * seats))
    assert (fault.clause, fault.message) == ("F1", f"fear is for 2 to 26 players, not {seats}")


def test_house_rules_may_be_texts_or_truth_values() -> None:
    rules = {"chips": "0060", "deals": "2", "extra_ante": False, "debt": True, "pay_left": "off"}
    game = Record("fan-tan", NAMES[:3], rules=rules).start()
    assert game.house_rules == {
        "chips": 60,
        "deals": 2,
        "passing": "forbidden",
        "extra_ante": "off",
        "pay_left": "off",
        "debt": "on",
    }


# What is wrong with a move: its number, and a clause.


def seat_of(sitting: Record, number: int) -> str:
    return sitting.moves[number - 1].split(" ")[0]


PACK = " ".join(map(str, cagnotte.PACK))
CUT, NAMER, FIRST = (seat_of(FAN_TAN, 3), seat_of(FEAR, 4), seat_of(FEAR, 5))
ILLEGAL = [
    # the pack: B019, a card twice, and a pack of 51
    (FAN_TAN, 2, "chance shuffle " + PACK.replace("4H", "5H"), "C1", "5H is there twice"),
    (FEAR, 2, "chance shuffle " + PACK.replace("4H", "5H"), "C1", "5H is there twice"),
    (FAN_TAN, 2, "chance shuffle " + PACK[:-3], "C1", "a pack has 52 cards, not 51"),
    (FEAR, 2, "chance shuffle", "C1", "a pack has 52 cards, not 0"),
    (FEAR, 2, "chance shuffle " + PACK + " AS", "C1", "AS is there twice"),
    # what cannot be read
    (FAN_TAN, 2, "chance shuffle " + PACK.replace("4H", "5X"), "C2", "'5X' is not a card"),
    (FAN_TAN, 2, "chance shuffle  " + PACK, "C2", "'' is not a card"),
    (FAN_TAN, 3, f"{CUT} cut -7", "C2", "'-7' is not a number"),
    (FAN_TAN, 3, f"{CUT} cut ٧", "C2", "'٧' is not a number"),
    (FAN_TAN, 3, f"{CUT} cut {'7' * 5000}", "C2", f"'{'7' * 20}'… is not a number"),
    (FAN_TAN, 3, f"{CUT} cut", "C2", "'cut' is not a card"),
    (FAN_TAN, 3, f"{CUT} cut 20 20", "C2", "'cut 20 20' is not a card"),
    (FEAR, 4, f"{NAMER} fear 1S", "C2", "'1S' is not a card"),
    (FEAR, 5, f"{FIRST} 7S", "C2", "'7S' is not a move of this game"),
    (FEAR, 5, FIRST, "C2", "'' is not a move of this game"),
    (FEAR, 5, f"{FIRST} {'x' * 99}", "C2", f"'{'x' * 20}'… is not a move of this game"),
    # who is not to act, by what is to be done
    (FAN_TAN, 1, "0 draw 0 JS", "T2", "'0' is not to act, but chance"),
    (FAN_TAN, 2, "1 shuffle " + PACK, "T3", "'1' is not to act, but chance"),
    (FAN_TAN, 3, "chance cut 20", "T3", f"'chance' is not to act, but {CUT}"),
    (FAN_TAN, 4, "9 7S", "T7", f"'9' is not to act, but {seat_of(FAN_TAN, 4)}"),
    (FAN_TAN, 4, "", "T7", f"'' is not to act, but {seat_of(FAN_TAN, 4)}"),
    (FAN_TAN, 4, "x" * 99, "T7", f"'{'x' * 20}'… is not to act, but {seat_of(FAN_TAN, 4)}"),
    (FEAR, 1, "5 dealer 5", "F12", "'5' is not to act, but chance"),
    (FEAR, 3, "-1 cut 3", "F3", f"'-1' is not to act, but {seat_of(FEAR, 3)}"),
    (FEAR, 4, "chance fear JS", "F4", f"'chance' is not to act, but {NAMER}"),
    (FEAR, 5, f"0{FIRST} turn 0", "F5", f"'0{FIRST}' is not to act, but {FIRST}"),
    # what is not allowed
    (FAN_TAN, 1, "chance draw 4 JS", "T2", "there is no seat 4"),
    (FAN_TAN, 1, "chance draw 0 JS 7S", "T2", "the draw ends with the first jack"),
    (FAN_TAN, 1, "chance draw 0", "T2", "the draw ends with the first jack"),
    (FAN_TAN, 1, "chance draw 0 7S 7S JS", "C1", "7S is there twice"),
    (FAN_TAN, 3, f"{CUT} cut 4", "T3", "a cut leaves at least five cards in each packet: 4 does not"),
    (FAN_TAN, 3, f"{CUT} cut 48", "T3", "a cut leaves at least five cards in each packet: 48 does not"),
    (FAN_TAN, 3, f"{CUT} pass", "T3", "pass is refused: the pack is to be cut"),
    (FEAR, 1, "chance dealer 6", "F12", "there is no seat 6"),
    (FEAR, 3, seat_of(FEAR, 3) + " cut 0", "F3", "a cut leaves a card in each packet: 0 does not"),
    (FEAR, 3, seat_of(FEAR, 3) + " cut 52", "F3", "a cut leaves a card in each packet: 52 does not"),
    (FEAR, 4, f"{NAMER} turn 3", "F4", "turn 3 is refused: the fear is to be named"),
    (FEAR, 5, f"{FIRST} turn 52", "F6", "there is no place 52"),
    (FEAR, 5, f"{FIRST} fear JS", "F6", "fear JS is refused: a card is to be turned over"),
]


@pytest.mark.parametrize(("sitting", "number", "move", "clause", "message"), ILLEGAL)
def test_an_illegal_move(sitting: Record, number: int, move: str, clause: str, message: str) -> None:
    fault = fault_of(plain(sitting, moves=[*sitting.moves[: number - 1], move], result=None))
    assert (fault.move, fault.clause, fault.message) == (number, clause, message)
    after = plain(sitting, moves=[*sitting.moves[: number - 1], move, *sitting.moves[number:]])
    assert fault_of(after).move == number


def test_T8_T10_a_card_of_another_and_a_false_pass() -> None:
    number = next(n for n, move in enumerate(FAN_TAN.moves, 1) if n > 20 and not move.endswith("pass"))
    seat, card = FAN_TAN.moves[number - 1].split()
    head = FAN_TAN.moves[: number - 1]
    fault = fault_of(plain(FAN_TAN, moves=[*head, f"{seat} pass"], result=None))
    assert (fault.move, fault.clause) == (number, "T10")
    assert fault.message.startswith("pass is refused while you can lay a card, such as ")
    laid = FAN_TAN.moves[3].split()[1]
    fault = fault_of(plain(FAN_TAN, moves=[*head, f"{seat} {laid}"], result=None))
    assert (fault.move, fault.clause, fault.message) == (number, "T8", f"{laid} is not in your hand")
    assert (
        record.check(replace(FAN_TAN, moves=(*head, f"{seat} {card.lower()}"), result=None)).moves == number
    )


@pytest.mark.parametrize(("sitting", "clause"), [(FAN_TAN, "T15"), (FEAR, "F11")])
def test_a_move_after_the_end(sitting: Record, clause: str) -> None:
    for move in ("0 pass", "chance shuffle " + PACK, "0 cut 20", "0 turn 3"):
        fault = fault_of(plain(sitting, moves=[*sitting.moves, move]))
        assert fault.move == len(sitting.moves) + 1
        assert fault.clause == clause or "is not a" in fault.message


def test_a_result_is_checked() -> None:
    result = FAN_TAN.result
    assert result is not None
    stacks, winners = result["stacks"], result["winners"]
    for part in ({"stacks": stacks}, {"winners": winners}, {}, {"comment": "close"}):
        assert record.check(replace(FAN_TAN, result=part)).plain()["over"]
    wrong = [stacks[0] + 1, *stacks[1:]]
    for part, message in (
        ({"stacks": wrong}, f"the result says stacks {wrong}, but it is {stacks}"),
        ({"winners": [4]}, f"the result says winners [4], but it is {winners}"),
        ({"stacks": stacks, "winners": []}, f"the result says winners [], but it is {winners}"),
        ({"stacks": None}, f"the result says stacks None, but it is {stacks}"),
        ({"stacks": stacks[:-1]}, f"the result says stacks {stacks[:-1]}, but it is {stacks}"),
        (
            {"winners": list(map(float, winners))},  # equal is not enough, as true is to 1
            f"the result says winners {list(map(float, winners))}, but it is {winners}",
        ),
        ({"stacks": "x" * 999}, f"the result says stacks '{'x' * 79}, but it is {stacks}"),
    ):
        fault = fault_of(plain(FAN_TAN, result=part))
        assert (fault.move, fault.clause, fault.message) == (None, None, message)


def test_a_sitting_in_progress_has_no_result() -> None:
    for stop in (0, 1, 5, len(FAN_TAN.moves) - 1):
        fault = fault_of(plain(FAN_TAN, moves=list(FAN_TAN.moves[:stop])))
        assert fault.message == "there is a result, but the sitting is not over"
        assert fault.move is None


def test_steps_come_one_at_a_time_until_the_fault() -> None:
    moves = FAN_TAN.moves[:6]
    told = []
    with pytest.raises(Fault) as caught:
        for game, state, action, events in record.steps(replace(FAN_TAN, moves=(*moves, "nonsense"))):
            told.append((state, str(action), events[-1].actor == game.actor(state)))
    assert caught.value.move == 7 and caught.value.__suppress_context__
    assert [text for _, text, _ in told] == [move.partition(" ")[2] for move in moves]
    assert all(right for _, _, right in told)
    assert told[-1][0] == record.check(replace(FAN_TAN, moves=moves, result=None)).state


# Files.

ONE, TWO = str(FAN_TAN), str(FEAR)
PRETTY = json.dumps(plain(FAN_TAN), indent=1)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (ONE, [(1, FAN_TAN)]),
        (ONE + "\n", [(1, FAN_TAN)]),
        (f"{ONE}\n{TWO}\n", [(1, FAN_TAN), (2, FEAR)]),
        (f"{ONE}\r\n{TWO}\r\n", [(1, FAN_TAN), (2, FEAR)]),
        (f"\ufeff{ONE}\n{TWO}", [(1, FAN_TAN), (2, FEAR)]),
        (f"\n  \n{ONE}\n\n \t{TWO}\n\n", [(3, FAN_TAN), (5, FEAR)]),
        (PRETTY, [(1, FAN_TAN)]),
        (f"\ufeff\n{PRETTY}\n", [(2, FAN_TAN)]),
        (f"\ufeff{PRETTY}\n", [(1, FAN_TAN)]),
        (f" \t{PRETTY}", [(1, FAN_TAN)]),
        (f"{ONE}\n\ufeff\n{TWO}", [(1, FAN_TAN), (3, FEAR)]),
        (PRETTY.replace("\n", "\r\n") + "\r\n\r\n", [(1, FAN_TAN)]),
        (json.dumps(plain(FAN_TAN), indent=0), [(1, FAN_TAN)]),
        (f"  \n\n{PRETTY}", [(3, FAN_TAN)]),
    ],
)
def test_files_of_records(text: str, found: list[tuple[int, Record]]) -> None:
    assert lines(text) == found


def faults_of(stream: Iterable[bytes]) -> list[tuple[int, str]]:
    """The faults of a file with their lines, and where its records are."""
    return [(n, item.message if isinstance(item, Fault) else item.game) for n, item in record.read(stream)]


def faults(text: str | bytes) -> list[tuple[int, str]]:
    return faults_of(io.BytesIO(text.encode() if isinstance(text, str) else text))


def test_a_fault_on_a_line_does_not_hide_other_lines() -> None:
    older = ONE.replace('{"cagnotte": 1', '{"cagnotte": 2')
    unknown = "not a record: version 2 is not known here, 1 is"
    cut_off = "not a record: not JSON (Invalid control character at)"
    assert faults(f"{ONE}\nnoise\n{TWO}") == [
        (1, "fan-tan"),
        (2, "not a record: not JSON (Expecting value)"),
        (3, "fear"),
    ]
    assert faults(f"{older}\n{ONE}\n{TWO}\n") == [(1, unknown), (2, "fan-tan"), (3, "fear")]
    assert faults(f"\n{ONE[:200]}\n{ONE}\n\n{TWO}") == [(2, cut_off), (3, "fan-tan"), (5, "fear")]
    assert faults(f"{older}\n{older}\n") == [(1, unknown), (2, unknown)]
    assert faults(older) == faults(older + "\n") == [(1, unknown)]
    assert faults(f"{ONE}\n{ONE[:200]}\n") == [(1, "fan-tan"), (2, cut_off)]


def test_two_pretty_records_are_one_fault() -> None:
    assert faults(f"{PRETTY}\n{PRETTY}\n") == [(1, "not a record: not JSON (Extra data)")]


@pytest.mark.parametrize("text", ["", "\n", "\r\n \t\n", "\ufeff"])
def test_an_empty_file(text: str) -> None:
    [(line, found)] = lines(text)
    assert line == 1 and isinstance(found, Fault) and found.message == "not a record: the file is empty"


@pytest.mark.parametrize(
    "noise", [b"\xff\xfe{\x00", b"\x89PNG\r\n", b'{"cagnotte": "\xe9"}', ONE.encode("utf-16")]
)
def test_what_is_not_utf_8(noise: bytes) -> None:
    assert faults(noise)[0] == (1, "not a record: not UTF-8 text")


def test_a_name_may_be_half_a_character() -> None:
    """JSON can say what UTF-8 cannot; it is kept and can be written again."""
    text = json.dumps(plain(FAN_TAN, players=["\ud83d", "Bo", "Cy", "Di"]))
    sitting = record.parse(text)
    assert sitting.players[0] == "\ud83d" and record.check(sitting).plain()["over"]
    assert record.parse(json.dumps(json.loads(str(sitting)))) == sitting


@pytest.mark.parametrize("begin", [b"", b"{", b'{"cagnotte": 1, "moves": ["'])
@pytest.mark.parametrize("line", [100, 8_000_000])
def test_eight_megabytes_of_noise(begin: bytes, line: int) -> None:
    noise = random.Random(line).randbytes(line).replace(b"\n", b"?") + b"\n"
    file = begin + noise * (8_000_000 // line)
    number, first = next(record.read(io.BytesIO(file)))
    assert number == 1 and isinstance(first, Fault)
    assert first.message == "not a record: not UTF-8 text"


def test_a_record_may_not_be_longer_than_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "LONGEST", len(ONE))
    longer = ONE.replace("[", "[ ", 1)
    too_long = f"not a record: longer than {len(ONE)} bytes"
    assert lines(ONE) == [(1, FAN_TAN)]
    assert faults(f"{ONE}\n{longer}")[0] == (1, too_long)  # the end of a line counts
    assert faults("x" * len(ONE) + "\n[]\n") == [(1, too_long), (2, "not a record: not a JSON object")]
    monkeypatch.setattr(record, "LONGEST", len(ONE) + 1)
    assert faults(f"{ONE}\n{longer}") == [(1, "fan-tan"), (2, "fan-tan")]
    too_long = f"not a record: longer than {len(longer)} bytes"
    assert faults(f"{ONE}\n{longer} ") == [(1, "fan-tan"), (2, too_long)]
    assert faults(f"{ONE}\n{longer * 9}\n{ONE}") == [(1, "fan-tan"), (2, too_long), (3, "fan-tan")]
    assert faults(PRETTY) == [(1, too_long)]
    monkeypatch.setattr(record, "LONGEST", len(PRETTY))
    assert faults(PRETTY) == [(1, "fan-tan")]


def test_a_long_first_record_hides_no_other() -> None:
    """The rest of a file is not swallowed while it is seen whether the first record has several lines."""
    head = ONE[:100]
    file = "\n".join([head, *[ONE] * 50, "noise", ONE])
    found = lines(file)
    assert len(found) == 53
    assert [number for number, item in found if isinstance(item, Fault)] == [1, 52]


class Watched(io.BytesIO):
    """A file of which is known how much was asked of it."""

    asked: list[int]

    def readline(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        self.asked.append(size)
        return super().readline(size)

    def __next__(self) -> bytes:
        raise AssertionError("read without a limit")


def test_no_more_is_asked_of_a_file_than_a_record_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that is too long is passed over in parts, and the line after it is read."""
    monkeypatch.setattr(record, "LONGEST", len(ONE) + 1)
    long = "x" * (3 * len(ONE))
    for end in ("", "\n"):
        for begin in (ONE, long):
            file = Watched("\n".join([begin, long, TWO[:9], ONE]).encode() + end.encode())
            file.asked = []
            found = list(record.read(file))
            assert [number for number, _ in found] == [1, 2, 3, 4]
            assert found[3][1] == FAN_TAN and [type(item) for _, item in found[1:3]] == [Fault, Fault]
            assert set(file.asked) == {len(ONE) + 2}
            assert len(file.asked) <= 4 + 3 * 2 + 1


def test_how_much_of_a_record_over_several_lines_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to the limit, and then the record is too long; the first line is at fault, and no other is named."""
    first, line = b"{\n", b" " * 99 + b"\n"
    monkeypatch.setattr(record, "LONGEST", 1000)
    file = Endless([first, line])
    assert faults_of(file) == [(1, "not a record: longer than 1000 bytes")]
    assert file.read == 1 + 11
    closed = first + line * 9 + b"}" + b" " * 97
    assert len(closed) == 1000
    assert faults(closed) == [(1, 'not a record: the key "cagnotte" with the version is missing')]
    assert faults(closed + b" ") == [(1, "not a record: longer than 1000 bytes")]


class Endless:
    """A file of the same lines without end, of which is known how much was read."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self.lines = list(lines)
        self.read = 0

    def __iter__(self) -> Iterator[bytes]:
        while True:
            self.read += 1
            yield self.lines[min(self.read, len(self.lines)) - 1]


@pytest.mark.parametrize("first", [ONE, ONE[:100], ONE.replace(": 1", ": 2", 1), "{", "noise"])
def test_records_are_read_one_at_a_time(first: str) -> None:
    """Whatever comes first, a file is read no further than is needed for the records that are asked for."""
    if first == "{":
        file = Endless([b"{\n", ONE.encode() + b"\n"])
    else:
        file = Endless([first.encode() + b"\n", ONE.encode() + b"\n"])
    reading = record.read(file)
    for number in range(1, 20):
        assert next(reading)[0] == number
        assert file.read <= number + 1


def peak(work: Callable[[], Any]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("first", [TWO, TWO[:-1]])
def test_memory_does_not_grow_with_the_file(first: str) -> None:
    def judge(many: int) -> None:
        file = (line.encode() for line in (first + "\n", *[TWO + "\n"] * many))
        for number, found in record.read(file):
            if isinstance(found, Record) and number % 50 == 0:
                record.check(found)

    judge(50)
    many = 300
    assert peak(lambda: judge(many)) < peak(lambda: judge(50)) + (many - 50) * len(TWO) / 5


@pytest.mark.parametrize("line", [b"{\n", b"\n", b"[],\n"])
@pytest.mark.parametrize("end", [b"", ONE.encode()])
def test_no_more_is_held_in_memory_than_a_record_may_have(
    monkeypatch: pytest.MonkeyPatch, line: bytes, end: bytes
) -> None:
    """Short lines would take twenty times as much, one by one, as together."""
    assert record.LONGEST <= 8 * 2**20  # of which lists in lists make some 200 MB
    monkeypatch.setattr(record, "LONGEST", 500_000)
    many = 600_000 // len(line) if not end else 400_000 // len(line)
    found: list[tuple[int, Record | Fault]] = []
    assert (
        peak(lambda: found.append(next(record.read(chain([b"{\n"], repeat(line, many), [end]))))) < 3_000_000
    )
    assert found[0][0] == 1 and isinstance(found[0][1], Fault)
