"""Shuffles that players can check: the construction, its spread, and the proof in a record."""

import hashlib
import hmac
import json
import random
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Run
from hypothesis import given as examples
from hypothesis import strategies as st
from wire import Wire, start

from cagnotte import record
from cagnotte.cards import PACK
from cagnotte.core import CHANCE, Illegal, play
from cagnotte.fairness import Dice, Proof, commitment, verify
from cagnotte.games import GAMES, choose
from cagnotte.players import bot
from cagnotte.record import Fault, Record
from cagnotte.table_terms import SHARING, Fill, Go, Leave, Remove, Share, Sit
from cagnotte.tales import story, story_json
from cagnotte.telling import table_json

SOME = st.binary(min_size=32, max_size=32).map(bytes.hex)
SHARES = st.dictionaries(st.integers(0, 25), SOME, max_size=6)


def proven(name: str = "fan-tan", seed: int = 1, **rules: Any) -> Record:
    """A sitting of bots whose moves of chance come from secrets and shares."""
    game, rng = choose(name, 4, rules), random.Random(seed)
    state, moves, proofs = game.start(), [], []
    while (actor := game.actor(state)) is not None:
        if actor == CHANCE:
            shares = {seat: rng.randbytes(32).hex() for seat in range(4) if rng.random() < 0.7}
            proofs.append(proof := Proof(rng.randbytes(32).hex(), shares))
            action = game.draw(state, Dice(proof))
        else:
            action = bot("random")(game.view(state, actor), [], rng)
        state, _ = play(game, state, action)
        moves.append(f"{record.actor_name(actor)} {action}")
    extra = {"proof": [proof.plain() for proof in proofs]}
    return Record(name, ("Ann", "Bo", "Cy", "Di"), tuple(moves), rules, record.result(game, state), extra)


def numbers(secret: str, shares: dict[int, str], bounds: list[int]) -> list[int]:
    """The construction as the document tells it, written again."""
    stream = b"".join(
        hmac.new(
            bytes.fromhex(secret),
            bytes([0] * 7 + [count])
            + b"".join(bytes([seat]) + bytes.fromhex(shares[seat]) for seat in sorted(shares)),
            hashlib.sha256,
        ).digest()
        for count in range(40)
    )
    found, at = [], 0
    for bound in bounds:
        while (word := int(stream[at : at + 8].hex(), 16)) >= 2**64 // bound * bound:
            at += 8
        found.append(word % bound)
        at += 8
    return found


@examples(SOME, SHARES)
def test_T3_the_pack_follows_as_the_document_says(secret: str, shares: dict[int, str]) -> None:
    pack = list(PACK)
    for last, other in zip(range(51, 0, -1), numbers(secret, shares, list(range(52, 1, -1))), strict=True):
        pack[last], pack[other] = pack[other], pack[last]
    assert Dice(Proof(secret, shares)).sample(PACK, 52) == pack


@examples(SOME, SOME, st.integers(0, 25))
def test_T3_whoever_adds_something_changes_the_pack(secret: str, share: str, seat: int) -> None:
    alone, together = (Dice(Proof(secret, shares)).sample(PACK, 52) for shares in ({}, {seat: share}))
    assert alone != together
    assert sorted(together) == sorted(PACK)


def test_a_number_that_would_favour_the_small_ones_is_left_out() -> None:
    dice = Dice(Proof("00" * 32))
    dice._words = iter([2**64 - 1, 2**64 - 2, 5])
    assert dice.randrange(3) == 2  # 2**64 - 1 is divisible by 3, and so is no number of the last, short round
    dice._words = iter([2**64 - 1, 7])
    assert dice.randrange(5) == 2


@pytest.mark.parametrize("name", GAMES)
def test_T3_the_shuffles_of_a_sitting_are_verified(name: str) -> None:
    made = record.parse(str(proven(name, **({} if name == "fear" else {"deals": 2}))))
    proofs = list(verify(made).values())
    assert len(proofs) == sum(move.startswith("chance") for move in made.moves) > 1
    assert all(
        one and one.commitment == hashlib.sha256(bytes.fromhex(one.secret)).hexdigest() for one in proofs
    )
    record.check(made)


def spoilt(change: str) -> Record:
    made = proven(deals=1)
    proofs: list[Any] = json.loads(json.dumps(made.extra["proof"]))
    moves = list(made.moves)
    match change:
        case "no proof":
            return replace(made, extra={})
        case "too few":
            proofs.pop()
        case "too many":
            proofs.append(proofs[0])
        case "no hex":
            proofs[0]["secret"] = "zz" * 32
        case "another secret":
            proofs[1]["secret"] = "ab" * 32
        case "another promise":
            proofs[1] |= {"secret": "ab" * 32, "commitment": commitment("ab" * 32)}
        case "another share":
            proofs[1]["shares"]["0"] = "cd" * 32
        case "a share of nobody":
            proofs[1]["shares"]["4"] = "cd" * 32
        case "a share that is none":
            proofs[1]["shares"]["0"] = 7
        case "shares that are none":
            proofs[1]["shares"] = []
        case "no object":
            proofs[0] = 1
    return replace(made, moves=tuple(moves), extra={"proof": proofs})


@pytest.mark.parametrize(
    ("change", "move", "message"),
    [
        ("no proof", None, "this record holds no proof of its shuffles: a sitting at a server has one, "),
        ("too few", 2, "there is no proof of this move"),
        ("too many", None, "there are more proofs than moves of chance: 1 too many"),
        ("no hex", 1, '"secret" must be 32 bytes in hexadecimal'),
        ("another secret", 2, "the proof is false: its secret is not the one that was promised"),
        ("another promise", 2, "this does not follow from its proof: one of the two was changed"),
        ("another share", 2, "this does not follow from its proof: one of the two was changed"),
        ("a share of nobody", 2, "a share of '4', which is no seat"),
        ("a share that is none", 2, "the share of seat 0 must be 32 bytes in hexadecimal"),
        ("shares that are none", 2, '"shares" must be an object'),
        ("no object", 1, "there is no proof of this move"),
    ],
)
def test_T3_a_proof_that_does_not_fit_is_refused(change: str, move: int | None, message: str) -> None:
    with pytest.raises(Fault) as fault:
        verify(spoilt(change))
    assert fault.value.move == move and fault.value.message.startswith(message)


@pytest.mark.parametrize("drawn", [True, False])
def test_F12_a_dealer_who_was_not_drawn_is_told_as_not_proved(tmp_path: Path, run: Run, drawn: bool) -> None:
    """He follows from a game before, says the record; where it proves nothing at all it is not verified."""
    made, path = proven("fear"), tmp_path / "r.json"
    proofs = [made.extra["proof"][0] if drawn else None, *made.extra["proof"][1:]]
    path.write_text(str(replace(made, extra={"proof": proofs})), "utf-8")
    but = (
        ""
        if drawn
        else " but for move 1 (a dealer who was not drawn, as after another game, F12: not proved)"
    )
    done = run("verify", str(path))
    assert done.code == 0 and f": verified{but}, fear; " in done.out
    some = f"{len(proofs) - (not drawn)} shuffles and draws follow each from their secret and the shares"
    assert some in done.out and "whoever saw these commitments before the deals" in done.out
    told = json.loads(run("verify", "--json", str(path)).out)
    assert told["unproved"] == ([] if drawn else [1]) and len(told["proofs"]) == len(proofs) - (not drawn)
    for nothing in ([], [None]):
        with pytest.raises(Fault, match="there is nothing to verify"):
            verify(replace(made, moves=made.moves[:1], result=None, extra={"proof": nothing}))


# At a table.


def given(wire: Wire, *seats: int) -> None:
    """These seats add to the next shuffle what their browsers would."""
    assert wire.table.proof is not None
    for seat in seats:
        assert wire.tell(Share(seat, wire.table.proof.commitment, f"{seat:02x}" * 32)) == []


@pytest.mark.parametrize("name", ["fan-tan", "fear"])
def test_T3_whoever_is_there_adds_to_each_shuffle_and_nobody_waits_for_the_others(name: str) -> None:
    rules: dict[str, Any] = {"stake": 1} if name == "fear" else {"deals": 2}
    wire = Wire.open(name, 4, ["person", "open", "person", "steady"], sealed="07" * 32, **rules).here(0, 2)
    given(wire, 2)
    wire.tell(Fill(0, "steady"))
    assert wire.table.due == wire.now + SHARING
    given(wire, 0)  # nobody else is there who might
    assert wire.table.due == wire.now
    while wire.table.state == "playing":
        if wire.table.play.phase == "play" and not wire.table.shares:
            given(wire, 0, 2)
        elif wire.person() and (wait := wire.table.wait()) and wait.what != "go":
            wire.act(wire.actor)
        else:
            wire.wait(30)
            for seat in (0, 2):
                wire.tell(Go(seat, wire.table.version))
    proofs = wire.table.proofs
    assert next(sorted(proof.shares) for proof in proofs if proof) == [0, 2]
    assert proofs[0] is not None and proofs[0].secret == "07" * 32
    secrets = {proof.secret for proof in proofs if proof}
    assert len(secrets) == len(proofs) > 1 and wire.table.sealed not in secrets
    made = record.parse(str(story(wire.entries).record()))
    assert list(verify(made).values()) == proofs
    assert wire.restored() == wire.table


def test_a_share_counts_once_for_the_shuffle_that_it_was_meant_for() -> None:
    wire = start(Wire.company(sealed="07" * 32))
    while wire.table.play.phase != "play":
        wire.deal()
    before = len(wire.entries)
    assert wire.table.proof is not None
    now = wire.table.proof.commitment
    assert wire.tell(Share(1, commitment("07" * 32), "aa" * 32)) == []  # that one is over
    assert wire.tell(Share(1, now, "bb" * 32)) == wire.tell(Share(1, now, "cc" * 32)) == []
    assert wire.table.shares == {1: "bb" * 32} and len(wire.entries) == before
    for wrong in ("", "bb" * 31, "BB" * 32, "zz" * 32, "bb" * 33):
        assert wire.refusal(Share(2, now, wrong)) == "a share is 32 bytes in hexadecimal"
    assert wire.refusal(Share(None, now, "dd" * 32)) == "you have no seat at this table"


def test_a_share_goes_with_whoever_leaves_his_seat_and_the_next_has_his_own() -> None:
    """Else one who leaves could have chosen what counts as the share of another."""
    wire = Wire.open("fan-tan", 3, ["person", "open", "open"], sealed="07" * 32).here(0)
    assert wire.table.proof is not None
    now = wire.table.proof.commitment
    for name, goes in (("Eve", Leave(1)), ("Di", Remove(0, 1))):
        wire.tell(Sit(name, name, 1))
        wire.tell(Share(1, now, "ee" * 32))
        assert wire.table.shares == {1: "ee" * 32}
        wire.tell(goes)
        assert wire.table.shares == {}
    wire.tell(Sit("Bo", "bo", 1))
    wire.tell(Share(1, now, "bb" * 32))
    assert wire.table.shares == {1: "bb" * 32}


def test_of_a_secret_nothing_is_told_but_its_hash_before_its_deal_is_over() -> None:
    wire = start(Wire.company(sealed="07" * 32))
    while wire.table.play.phase != "play":
        wire.deal()
    sealed, used = wire.table.sealed, wire.table.proofs[-1]
    assert sealed and used
    told = json.dumps(table_json(wire.table, "t", 0.0)) + str(wire.heard)
    assert commitment(sealed) in told
    assert not any(secret in told for secret in (sealed, used.secret))
    with pytest.raises(Illegal):
        story(wire.entries).tale()


def test_a_table_of_before_goes_on_and_its_next_shuffles_are_proven() -> None:
    wire = start(Wire.company(deals=2))
    while wire.table.state == "playing":
        if wire.person() and (wait := wire.table.wait()) and wait.what != "go":
            wire.act(wire.actor)
        else:
            wire.wait(30)
            for seat in range(4):
                wire.tell(Go(seat, wire.table.version))
    assert wire.table.proofs[0] is None and all(wire.table.proofs[1:])
    with pytest.raises(Fault, match="there is no proof of this move"):
        verify(story(wire.entries).record())
    told = story_json(story(wire.entries), 1, "en", moves=False)["proofs"]
    assert [one["move"].split()[0] for one in told] == ["shuffle"]


# How evenly.


def even(found: Counter[Any], kinds: int) -> bool:
    """Whether so many kinds are as often as chance would have it: chi-square, at the one in 100,000."""
    expected = found.total() / kinds
    square = sum((found[kind] - expected) ** 2 for kind in found) / expected + expected * (kinds - len(found))
    freedom = kinds - 1
    most = freedom * (1 - 2 / (9 * freedom) + 4.265 * (2 / (9 * freedom)) ** 0.5) ** 3  # Wilson and Hilferty
    return bool(square < most)


@pytest.mark.slow
def test_B257_every_card_comes_to_every_place_alike_and_nobody_deals_first_more_often() -> None:
    """A smaller run of benchmarks/spread.py, from one secret after another."""
    where: list[Counter[int]] = [Counter() for _ in range(52)]
    pairs: Counter[tuple[Any, Any]] = Counter()
    dealers: Counter[int] = Counter()
    game = choose("fan-tan", 5, {})
    for n in range(5_000):
        dice = Dice(Proof(hashlib.sha256(b"%d" % n).hexdigest(), {0: hashlib.sha256(b"share").hexdigest()}))
        pack = dice.sample(PACK, 52)
        for place, card in enumerate(pack):
            where[place][PACK.index(card)] += 1
        pairs[pack[0], pack[1]] += 1
        draw = game.draw(game.start(), Dice(Proof(hashlib.sha256(b"draw %d" % n).hexdigest())))
        state, _ = play(game, game.start(), draw)
        dealers[state.dealer] += 1
    assert all(even(one, 52) for one in where)
    assert even(pairs, 52 * 51)
    assert even(dealers, 5)


def test_a_lopsided_spread_is_seen() -> None:
    assert not even(Counter({0: 1150, 1: 1000, 2: 850}), 3)
    assert not even(Counter({0: 1000, 1: 1000}), 3)
    assert even(Counter({0: 1010, 1: 1000, 2: 990}), 3)


DOCUMENT = (ROOT / "docs/fairness.md").read_text("utf-8")


@pytest.fixture(scope="module")
def program() -> dict[str, Any]:
    """The program of the document, which knows nothing of this package."""
    names: dict[str, Any] = {}
    exec(DOCUMENT.split("```python\n")[1].split("```")[0], names)
    return names


def test_the_program_of_the_document_verifies_a_record(program: dict[str, Any]) -> None:
    made = proven("five-or-nine", 5, deals=2)
    moves = [move.split()[2:] for move in made.moves if move.startswith("chance shuffle")]
    proofs = made.extra["proof"][1:]
    assert [program["pack"](proof["secret"], proof["shares"]) for proof in proofs] == moves


def test_the_values_of_the_document_are_those_of_both(program: dict[str, Any]) -> None:
    secret = bytes(range(32)).hex()
    assert f"{secret}`, whose commitment is\n`{commitment(secret)}`" in DOCUMENT
    assert f"the first word is `{next(program['words'](secret, {})):x}`" in DOCUMENT
    rows = re.findall(r"^\| (none|0: .*?) \| (.*) \|$", DOCUMENT, re.MULTILINE)
    assert len(rows) == 3
    for shares, cards in rows:
        given = {int(seat): 32 * byte for seat, byte in re.findall(r"(\d): 32 × `(..)`", shares)}
        assert Dice(Proof(secret, given)).sample(PACK, 52) == [program_card(each) for each in cards.split()]
        assert program["pack"](secret, given) == cards.split()


def program_card(text: str) -> Any:
    return next(card for card in PACK if str(card) == text)
