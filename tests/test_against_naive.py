"""The engine and the naive second implementation walk the same random sittings in step.

CAGNOTTE_EXAMPLES sets how many sittings each test walks.
"""

from __future__ import annotations

import copy
import os
import random
from dataclasses import dataclass
from typing import Any

import naive
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cagnotte
from cagnotte import players, record

EXAMPLES = int(os.environ.get("CAGNOTTE_EXAMPLES", "40"))
walks = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
FULL = " ".join(["shuffle", *naive.PACK])
VOCABULARY = [
    "pass",
    *naive.PACK,
    *(f"fear {card}" for card in naive.PACK),
    *(f"turn {place}" for place in range(54)),
    *(f"cut {at}" for at in (0, 1, 4, 5, 26, 47, 48, 51, 52, 99)),
    *("dealer 0", "dealer 2", "dealer 26", "draw 0 JS", "draw 5 JS", "draw 0 7S", "draw 0", "draw 0 JS JH"),
    *("draw 1 7S 7S JH", FULL, FULL.removesuffix(" KC"), FULL.replace("KC", "AS"), FULL + " KC", "shuffle"),
    *("", "7", "7Z", "1S", "S7", "fear", "fear 1S", "turn", "turn x", "turn -1", "cut x", "cut", "bid 7S"),
    *("shuffle 7S 1S", "draw x JS", "draw 0 1S", "dealer", "dealer x", "pass 7S", "7S 8S", "fold"),
]


@dataclass(frozen=True)
class Plan:
    """A sitting to walk: what it is, and the dice that choose its moves."""

    game: str
    players: int
    rules: dict[str, Any]
    seed: int
    passes: float  # how often a player passes who may also lay


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    game = draw(st.sampled_from(["fear", *naive.FAMILY]))
    if game == "fear":
        players = draw(st.one_of(st.integers(2, 8), st.integers(2, 26)))
        rules = draw(st.fixed_dictionaries({}, optional={"stake": st.integers(1, 10)}))
    else:
        players = draw(st.integers(3, 5))
        on_off = st.sampled_from(["on", "off"])
        house: dict[str, st.SearchStrategy[Any]] = {
            "chips": st.one_of(st.integers(10, 30), st.integers(10, 1000)),
            "deals": st.integers(1, 6),
            "passing": st.sampled_from(["forbidden", "fined", "honour"]),
            "extra_ante": on_off,
            "pay_left": on_off,
            "debt": on_off,
        }
        rules = draw(st.fixed_dictionaries({}, optional=house))
    passes = draw(st.sampled_from([0.02, 0.2, 0.5]))
    return Plan(game, players, rules, draw(st.integers(0, 2**32)), passes)


def choose(mirror: naive.Naive, rng: random.Random, passes: float) -> str:
    """A legal action for whoever is to act."""
    if mirror.actor == "chance":
        pack = rng.sample(naive.PACK, 52)
        if mirror.phase == "shuffle":
            return " ".join(["shuffle", *pack])
        if mirror.phase == "dealer":
            return f"dealer {rng.randrange(mirror.players)}"
        jack = next(i for i, card in enumerate(pack) if card[0] == "J")
        return " ".join(["draw", str(rng.randrange(mirror.players)), *pack[: jack + 1]])
    moves = mirror.legal()
    assert moves
    if moves[-1] == "pass" and len(moves) > 1 and rng.random() > passes:
        moves.pop()
    return rng.choice(moves)


def moves_of(plan: Plan, most: int) -> tuple[list[str], naive.Naive]:
    """The moves of a legal sitting as far as it goes, played by the naive implementation alone."""
    mirror, rng = naive.Naive(plan.game, plan.players, plan.rules), random.Random(plan.seed)
    moves: list[str] = []
    while mirror.actor is not None and len(moves) < most:
        moves.append(f"{mirror.actor} {choose(mirror, rng, plan.passes)}")
        mirror.apply(moves[-1])
    return moves, mirror


def told(game: Any, state: Any) -> dict[str, Any]:
    """All that the two implementations must agree on, as the engine has it."""
    view, actor = game.view(state, None), game.actor(state)
    seen = {
        "actor": "chance" if actor == cagnotte.CHANCE else actor,
        "phase": view.phase,
        "stacks": list(view.stacks),
        "pool": view.pool,
        "dealer": view.dealer,
        "winners": list(view.winners),
        "deals": game.dealt(state),
        "legal": None if actor == cagnotte.CHANCE else [str(action) for action in game.legal(state)],
    }
    if view.game == "fear":
        seen["fear"] = view.fear and str(view.fear)
        seen["places"] = [card and str(card) for card in view.places]
    else:
        hands = [game.view(state, seat).hand for seat in range(game.players)]
        seen["hands"] = [[str(card) for card in hand] for hand in hands]
        seen["shown"] = [[str(card) for card in hand] for hand in view.shown]
        seen["counts"], seen["playing"] = list(view.counts), list(view.playing)
        seen["laid"] = {suit: [str(card) for card in row] for suit, row in view.laid.items()}
    return seen


def known(mirror: naive.Naive) -> dict[str, Any]:
    """All that the two implementations must agree on, as the naive one has it."""
    seen: dict[str, Any] = {
        name: getattr(mirror, name)
        for name in ("actor", "phase", "stacks", "pool", "dealer", "winners", "deals")
    }
    seen["legal"] = mirror.legal()
    if mirror.game == "fear":
        seen["fear"] = mirror.fear
        pairs = zip(mirror.places, mirror.up, strict=True)
        seen["places"] = [card if up else None for card, up in pairs]
    else:
        seen["hands"] = [sorted(hand, key=naive.PACK.index) for hand in mirror.hands]
        seen["laid"] = mirror.laid
        seen["shown"] = seen["hands"] if mirror.phase in ("shuffle", "over") and mirror.deals else []  # T14
        seen["counts"], seen["playing"] = [len(hand) for hand in mirror.hands], mirror.playing
    return seen


def payments(events: list[Any]) -> list[tuple[Any, ...]]:
    paid = [event for event in events if isinstance(event, cagnotte.Paid)]
    accounts = [("pool" if e.payer < 0 else e.payer, "pool" if e.payee < 0 else e.payee) for e in paid]
    return [(*account, e.chips, e.due, e.clause) for account, e in zip(accounts, paid, strict=True)]


def refused_alike(game: Any, state: Any, mirror: naive.Naive) -> None:
    """Whatever else one might ask for is refused by both, with the same clause."""
    legal = mirror.legal() or []
    actor = "chance" if mirror.actor is None else mirror.actor
    for text in VOCABULARY:
        if text in legal or (mirror.actor == "chance" and chance_may(mirror, text)):
            continue
        naively = refused = "accepted"
        try:
            mirror.apply(f"{actor} {text}")
        except naive.Refused as refusal:
            naively = str(refusal.clause)
        try:
            cagnotte.play(game, state, cagnotte.parse(game, text))
        except cagnotte.Illegal as refusal:
            refused = str(refusal.clause)
        assert refused == naively != "accepted", (text, mirror.phase)


def chance_may(mirror: naive.Naive, text: str) -> bool:
    return {
        "dealer": text == "dealer 0"
        or (text in ("dealer 2", "dealer 26") and int(text[7:]) < mirror.players),
        "draw": text == "draw 0 JS",
        "shuffle": text == FULL,
    }[mirror.phase]


@pytest.mark.slow
@walks
@given(plans())
def test_the_two_agree_at_every_step(plan: Plan) -> None:
    game: Any = cagnotte.game(plan.game, players=plan.players, **plan.rules)
    state, rng = game.start(), random.Random(plan.seed)
    mirror = naive.Naive(plan.game, plan.players, plan.rules)
    moves: list[str] = []
    assert {name: game.house_rules[name] for name in mirror.rules} == mirror.rules
    while True:
        seen = known(mirror)
        assert told(game, state) == seen
        seat = len(moves) % plan.players
        open_to = [str(action) for action in game.view(state, seat).moves]
        assert open_to == (seen["legal"] if seat == mirror.actor else [])
        if rng.random() < 0.02 or mirror.phase not in ("play", "turn", "name"):
            refused_alike(game, state, mirror)
            assert known(mirror) == seen
        if mirror.actor is None or len(moves) == 400:
            break
        text = choose(mirror, rng, plan.passes)
        moves.append(f"{mirror.actor} {text}")
        mirror.apply(moves[-1])
        action = cagnotte.parse(game, text)
        assert str(action) == text
        state, events = cagnotte.play(game, state, action)
        assert payments(events) == mirror.paid
    judged_alike(plan, moves)


def check(plan: Plan, moves: list[str], result: dict[str, Any] | None = None) -> dict[str, Any]:
    """What the engine says of a record, in the terms of the naive replay."""
    players = tuple("Ann" for _ in range(plan.players))
    try:
        plain = record.check(record.Record(plan.game, players, tuple(moves), plan.rules, result)).plain()
    except record.Fault as fault:
        assert fault.message
        return {"ok": False, "move": fault.move, "clause": fault.clause}
    return {key: value for key, value in plain.items() if key != "game"}


def replayed(plan: Plan, moves: list[str], result: dict[str, Any] | None = None) -> dict[str, Any]:
    sitting = {"game": plan.game, "players": ["Ann"] * plan.players, "rules": plan.rules, "moves": moves}
    return naive.replay({**sitting, "result": result})


def judged_alike(plan: Plan, moves: list[str], result: dict[str, Any] | None = None) -> dict[str, Any]:
    """What the engine says of a record, which is what the naive replay says of it."""
    checked, naively = check(plan, moves, result), replayed(plan, moves, result)
    told = {key: value for key, value in naively.items() if key in checked}
    assert checked == told
    return checked


def spoiled(moves: list[str], rng: random.Random) -> list[str]:
    """The moves with one fault put in somewhere; now and then they stay legal all the same."""
    at = rng.randrange(len(moves))
    actor, _, action = moves[at].partition(" ")
    words = action.split()
    other = rng.choice(["chance", "0", "1", "2", "3", "4", "25", "26", "-1", "x", ""])
    spoils = [
        [f"{other} {action}"],  # the wrong actor
        [],  # a move left out
        [moves[at]] * 2,  # a move made twice
        [actor],  # an actor who does nothing
        [f"{actor} {rng.choice(VOCABULARY)}"],  # another action
        [" ".join([actor, *rng.sample(words, len(words))])],  # words in another order
        [" ".join([actor, *words[:-1]])],  # a word short
        [" ".join([actor, *words, rng.choice(naive.PACK)])],  # a card more
        [" ".join([actor, *words[:-1], words[0]])],  # a card twice
        [moves[at], rng.choice(moves)],  # a move from elsewhere
    ]
    return moves[:at] + rng.choice(spoils) + moves[at + 1 :]


@walks
@given(plans(), st.integers(1, 120))
def test_the_two_find_the_same_fault_in_a_spoiled_record(plan: Plan, most: int) -> None:
    moves, _ = moves_of(plan, most)
    rng = random.Random(plan.seed)
    for _ in range(8):
        judged_alike(plan, spoiled(moves, rng))


@pytest.mark.parametrize("game", ["fear", *naive.FAMILY])
def test_the_two_agree_on_sittings_of_bots(game: str) -> None:
    for seed, passing in enumerate(["forbidden", "fined", "honour"]):
        rules = {} if game == "fear" else {"passing": passing, "deals": 2}
        plan = Plan(game, 4, rules, seed, 0.0)
        bots = [players.bot(level) for level in ("steady", "random", "steady", "random")]
        names = ["Ann", "Bo", "Cy", "Di"]
        played = record.new(cagnotte.game(game, 4, **rules), names, bots, random.Random(seed))
        assert judged_alike(plan, list(played.moves), played.result)["over"]


def count(mirror: naive.Naive, depth: int) -> int:
    """How many sequences of so many legal moves there are from here, found by trying them all."""
    moves = mirror.legal()
    if depth == 0 or not moves:
        return 1
    total = 0
    for text in moves:
        copied = copy.deepcopy(mirror)
        copied.apply(f"{mirror.actor} {text}")
        total += count(copied, depth - 1)
    return total


@pytest.mark.parametrize(
    ("game", "rules", "played"),
    [
        ("fear", {"stake": 1}, 48),
        *((game, {"passing": passing}, 9) for game in naive.FAMILY for passing in ("forbidden", "honour")),
    ],
)
def test_the_two_count_the_same_sequences_of_moves(game: str, rules: dict[str, Any], played: int) -> None:
    plan = Plan(game, 3, rules, 11, 0.0)
    engine: Any = cagnotte.game(game, players=3, **rules)
    moves, mirror = moves_of(plan, played)
    state = cagnotte.replay(engine, [cagnotte.parse(engine, move.partition(" ")[2]) for move in moves])
    for depth in range(1, 5):
        assert cagnotte.perft(engine, state, depth) == count(mirror, depth)


@pytest.mark.parametrize("game", ["fear", *naive.FAMILY])
def test_the_two_judge_a_result_alike(game: str) -> None:
    plan = Plan(game, 3, {"stake": 1} if game == "fear" else {"deals": 1}, 7, 0.0)
    moves, mirror = moves_of(plan, 2000)
    assert mirror.phase == "over"
    right = {"stacks": mirror.stacks, "winners": mirror.winners}
    wrong = {"stacks": [chips + 1 for chips in mirror.stacks], "winners": mirror.winners}
    for result in (right, wrong, {"winners": [0, 1, 2]}, {"stacks": mirror.stacks}, {}):
        judged_alike(plan, moves, result)
    assert not judged_alike(plan, moves, wrong)["ok"]
    assert not judged_alike(plan, moves[:-1], right)["ok"]
    after = judged_alike(plan, [*moves, "0 cut 20"])
    assert (after["ok"], after["move"]) == (False, len(moves) + 1)


@pytest.mark.parametrize(
    ("game", "players", "rules"),
    [
        ("whist", 4, {}),
        ("fear", 1, {}),
        ("fear", 27, {}),
        ("fear", 5, {"stake": 0}),
        ("fear", 5, {"stake": 11}),
        ("fear", 5, {"chips": 20}),
        ("fan-tan", 2, {}),
        ("fan-tan", 6, {}),
        ("fan-tan", 4, {"stake": 2}),
        ("fan-tan", 4, {"chips": 9}),
        ("five-or-nine", 4, {"chips": 1001}),
        ("five-or-nine", 4, {"chips": 50.0}),
        ("earl-of-coventry", 4, {"deals": 0}),
        ("earl-of-coventry", 4, {"deals": 101}),
        ("play-or-pay", 4, {"passing": "allowed"}),
        ("play-or-pay", 4, {"debt": "maybe"}),
        ("play-or-pay", 4, {"extra_ante": None, "pay_left": "on"}),
    ],
)
def test_the_two_refuse_the_same_headings(game: str, players: int, rules: dict[str, Any]) -> None:
    assert not judged_alike(Plan(game, players, rules, 0, 0.0), [])["ok"]
