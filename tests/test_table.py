"""One table over a fake wire: seats, turns, waits, stand-ins, versions, and the log that it follows from."""

import random
import re
import unicodedata
from dataclasses import replace
from typing import Any

import pytest
from conftest import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from wire import NAMES, Wire, start

import cagnotte
from cagnotte.attendance import GRACE, HOST_GRACE
from cagnotte.core import CHANCE, Illegal
from cagnotte.entries import Drew, Hosted, Played, Started, plain
from cagnotte.games import GAMES
from cagnotte.names import LINE, alike, clean
from cagnotte.server import wire as server_wire
from cagnotte.server.codes import CODE_LETTERS
from cagnotte.server.limits import DAY, Limits
from cagnotte.table import Table
from cagnotte.table_terms import (
    CHOICES,
    CLOCK,
    IDLE,
    LEAST,
    LINES,
    PACES,
    PAST,
    REST,
    SHARING,
    SHOWN,
    Act,
    Again,
    Branch,
    Choose,
    Done,
    Fill,
    Go,
    Here,
    Input,
    Leave,
    PassOn,
    Pause,
    PutBot,
    React,
    Refused,
    Remove,
    Rename,
    Say,
    Seated,
    Sit,
    Start,
    Tick,
    Update,
)

ANN = ("Ann", "secret 0")
FAN_TAN_FAMILY = [name for name in GAMES if name != "fear"]


def finish(wire: Wire, seconds: float = 5000) -> Wire:
    """To the end of the sitting by the clock alone."""
    wire.wait(seconds)
    assert wire.table.state == "over"
    return wire


# The log.


PENDING = {
    "fear": {"cut", "name", "turn"},
    "earl-of-coventry": {"cut", "play", "bonus"},
    "play-or-pay": {"cut", "play", "open"},
}


@pytest.mark.parametrize("game", GAMES)
def test_what_is_restored_is_the_table_after_every_entry(game: str) -> None:
    wire = Wire.company(game, 5, **({} if game == "fear" else {"deals": 2, "passing": "honour"}))
    start(wire)
    wire.tell(Leave(2))
    wire.tell(Rename(3, "Dee"))
    wire.tell(Sit("Cyrus", "another", None, "secret 2"))
    stages = {}  # one for each phase in each stretch of the log
    while wire.table.state != "over":
        table, length = wire.table, len(wire.entries)
        now = length, repr(table.play), repr(table.chairs), table.moved
        stages[table.play and table.play.phase, length // 20] = now
        wire.wait(1)
    assert PENDING.get(game, {"cut", "play"}) <= {phase for phase, _ in stages}
    for length, play, chairs, moved in stages.values():
        table = Table.restore(wire.entries[:length])
        assert (repr(table.play), repr(table.chairs), table.moved) == (play, chairs, moved)
    assert wire.restored() == wire.table
    assert [plain(entry)["kind"] for entry in wire.entries[:3]] == ["opened", "took", "hosted"]


def test_a_move_that_was_none_makes_the_log_unreadable() -> None:
    wire = start(Wire.company())
    with pytest.raises(Illegal):
        Table.restore([*wire.entries, Played(wire.actor, "KS" if "KS" not in wire.moves() else "QS")])
    with pytest.raises(AssertionError):
        Table.restore([*wire.entries, Played((wire.actor + 1) % 4, "7S")])
    with pytest.raises(AssertionError):
        Table.restore([*wire.entries, wire.entries[0]])


# Moves.


def test_B071_one_move_by_two_sockets_of_a_seat_is_played_once() -> None:
    wire = start(Wire.company("fear", 5))
    wire.act(wire.actor)  # names the fear
    seat, seen, played = wire.actor, wire.table.version, len(wire.entries)
    first = wire.tell(Act(seat, seen, "a", "turn 17"))
    assert first[1] == Done("a")
    assert wire.refusal(Act(seat, seen, "b", "turn 17")) == "the table has moved on: look again"
    assert wire.tell(Act(seat, seen, "a", "turn 17")) == [Done("a")]
    assert wire.refusal(Act(seat, seen, "a", "turn 18")) == "another move was sent under this id"
    assert wire.refusal(Act((seat - 1) % 5, seen, "c", "turn 17")) == "the table has moved on: look again"
    assert len(wire.entries) == played + 1


def test_a_move_sent_again_after_a_restart_is_not_played_again() -> None:
    wire = start(Wire.company("fear", 5))
    wire.act(wire.actor)
    seat, seen = wire.actor, wire.table.version
    wire.tell(Act(seat, seen, "a", "turn 17"))
    wire.table = wire.restored()
    assert wire.tell(Act(seat, seen, "a", "turn 17")) == [Done("a")]


def test_B001_a_card_that_was_laid_is_not_laid_again() -> None:
    """In the same words, under another id, and as of now: hand, chips and turn stay as they are."""
    wire = start(Wire.company())
    while wire.moves() == ["pass"]:
        wire.act(wire.actor)
    first = Act(seat := wire.actor, wire.table.version, "a", card := wire.moves()[0])
    wire.tell(first)
    while wire.actor != seat:
        wire.act(wire.actor)
    before = wire.table.play
    assert wire.tell(first) == [Done("a")]  # its answer once more
    assert wire.refusal(replace(first, move_id="b")) == "the table has moved on: look again"
    assert card in wire.refusal(replace(first, move_id="b", seen=wire.table.version))
    assert wire.table.play == before and wire.actor == seat


def test_B015_whoever_is_gone_with_his_last_card_has_won() -> None:
    """His chips are at his seat, also after a restart, and no other seat is to act."""
    wire = start(Wire.company(deals=1))
    while wire.table.state != "over":
        seat, pool = wire.actor, wire.table.play.bank.pool
        last = wire.table.play.hands[seat].bit_count() == 1 and wire.moves() != ["pass"]
        wire.act(seat)
        wire.tell(Leave(seat) if last else Here(seat, False))
        if not last:
            wire.tell(Here(seat, True))
    stacks = wire.table.play.bank.stacks
    assert last and wire.table.play.winners == (seat,) and stacks[seat] > 50 + pool - 4
    assert sum(stacks) == 200 and wire.restored().play == wire.table.play
    assert Seated(seat) in wire.tell(Sit("", "back", None, f"secret {seat}"))
    assert wire.table.look(seat).view.stacks == stacks


def test_B073_of_twenty_moves_at_once_one_is_played() -> None:
    wire = start(Wire.company("fear", 5))
    wire.act(wire.actor)
    seat, seen = wire.actor, wire.table.version
    answers = [wire.tell(Act(seat, seen, str(place), f"turn {place}")) for place in range(20)]
    assert sum(Done(str(i)) in answer for i, answer in enumerate(answers)) == 1
    assert sum(isinstance(answer[0], Refused) for answer in answers) == 19


def test_B075_a_stale_move_is_refused_and_news_of_no_move_makes_none_stale() -> None:
    wire = start(Wire.company())
    seat, seen = wire.actor, wire.table.version
    wire.tell(Rename((seat + 1) % 4, "Zoe"))
    assert wire.refusal(Act(seat, wire.table.version + 1, "a", "7S")) == "the table has moved on: look again"
    assert wire.refusal(Act(seat, seen - 1, "a", "7S")) == "the table has moved on: look again"
    assert Done("a") in wire.act(seat, id="a", seen=seen)


def test_B055_nobody_acts_for_another_or_for_chance() -> None:
    wire = start(Wire.company("fear", 5))
    assert wire.table.play.phase == "name"
    for seat in set(range(5)) - {wire.actor}:
        assert wire.refusal(Act(seat, wire.table.version, "a", "turn 17")) == "it is not your turn"
    assert wire.refusal(Act(None, wire.table.version, "a", "turn 17")) == "you have no seat at this table"
    assert "the fear is to be named" in wire.refusal(Act(wire.actor, wire.table.version, "a", "dealer 2"))
    pack = " ".join(map(str, cagnotte.PACK))
    assert "is to be named" in wire.refusal(Act(wire.actor, wire.table.version, "a", f"shuffle {pack}"))


def test_an_illegal_move_is_refused_with_its_clause() -> None:
    wire = start(Wire.company())
    [refused] = wire.act(wire.actor, "pass" if wire.moves() != ["pass"] else "AS")
    assert isinstance(refused, Refused) and refused.illegal.clause in ("T10", "T8", "T7")


# Seats.


def test_B079_one_free_seat_is_taken_once() -> None:
    wire = Wire.open(seats=["person", "open", "steady", "steady"])
    wire.tell(Here(0, True))
    answers = [wire.tell(Sit(f"Guest {i}", f"guest {i}")) for i in range(20)]
    assert [Seated(1) in answer for answer in answers] == [True] + [False] * 19
    assert all(isinstance(answer[0], Refused) for answer in answers[1:])
    assert wire.refusal(Sit("Zoe", "zoe", 1)) == "no seat is free at this table"


def test_a_seat_is_chosen_by_number() -> None:
    wire = Wire.open(seats=["person", "open", "open", "open"])
    assert Seated(2) in wire.tell(Sit("Cy", "secret 2", 2))
    assert wire.refusal(Sit("Di", "secret 3", 2)) == "seat 3 is taken"
    assert wire.refusal(Sit("Di", "secret 3", 77)) == "seat 78 is taken"
    assert wire.refusal(Sit("Cy again", "secret 4", 3, former="secret 2")) == "you have a seat at this table"
    assert wire.table.seat_of("secret 2") == 2 and wire.table.seat_of("secret 4") is None


@pytest.mark.parametrize("on_turn", [True, False])
def test_B027_whoever_leaves_comes_back_to_the_same_seat_hand_and_chips(on_turn: bool) -> None:
    """B029, B031, B081."""
    wire = start(Wire.company())
    seat = wire.actor if on_turn else (wire.actor + 2) % 4
    for time in range(2):
        hand, stacks = wire.table.play.hands[seat], wire.table.play.bank.stacks
        wire.tell(Leave(seat))
        assert wire.table.seat_of(f"secret {seat}") is None
        assert wire.table.chairs[seat].level == "steady" and wire.table.stands_in(wire.now, seat)
        secret = f"secret {seat}" if time == 0 else "back"
        assert wire.table.former_seat(secret) == seat
        assert Seated(seat) in wire.tell(Sit(NAMES[seat], "back" if time == 0 else "again", None, secret))
        assert (wire.table.play.hands[seat], wire.table.play.bank.stacks) == (hand, stacks)
        assert not wire.table.stands_in(wire.now, seat)
    assert wire.restored() == wire.table


def test_B041_whoever_left_takes_no_other_seat_in_this_sitting() -> None:
    wire = start(Wire.company())
    wire.tell(Leave(1))
    wire.tell(Leave(3))
    other = "you left a seat of this sitting: only that one is yours"
    begun = "the sitting has begun: you may watch, and sit down when it is over"
    assert wire.refusal(Sit("Bo", "new", 3, "secret 1")) == other
    assert wire.refusal(Sit("Bo", "new", 3)) == begun
    assert wire.refusal(Sit("Zoe", "new")) == begun
    finish(wire)
    assert Seated(3) in wire.tell(Sit("Bo", "new", 3, "secret 1"))
    wire.tell(Again(0))
    assert wire.table.former_seat("secret 1") is None
    assert [chair.name for chair in wire.table.chairs] == ["Ann", "Agathe", "Cy", "Bo"]


@pytest.mark.parametrize("name", ["Bo", "#2"])
def test_whoever_comes_back_and_says_no_name_is_called_as_before(name: str) -> None:
    """And sits where he sat, also when the sitting is over; a number is a name like any other."""
    wire = start(Wire.company(deals=1))
    wire.tell(Rename(1, name))
    wire.tell(Leave(0))
    for over in (False, True):
        wire.tell(Leave(1))
        if over:
            finish(wire)
        assert Seated(1) in wire.tell(Sit("", "secret 1", None, "secret 1"))
        assert wire.table.chairs[1].name == name and wire.restored() == wire.table
    assert wire.refusal(Sit("", "new")) == "a name needs a letter, a digit or a sign that can be seen"


def test_B263_leaving_revokes_the_secret() -> None:
    wire = start(Wire.company())
    seat = wire.actor
    wire.tell(Leave(seat))
    assert (
        wire.refusal(Act(seat, wire.table.version, "a", wire.moves()[0])) == "you have no seat at this table"
    )
    assert wire.refusal(Leave(seat)) == "you have no seat at this table"


def test_in_the_lobby_a_seat_that_is_left_is_free_again() -> None:
    wire = Wire.company()
    wire.tell(Leave(1))
    assert wire.refusal(Start(0)) == "seats are still free: 1"
    wire.tell(Remove(0, 2))
    assert wire.refusal(Start(0)) == "seats are still free: 2"
    assert Seated(1) in wire.tell(Sit("Zoe", "zoe"))
    wire.tell(Fill(0, "random"))
    assert wire.table.state == "playing" and wire.table.chairs[2].level == "random"
    assert wire.restored() == wire.table


def test_B273_only_the_host_lets_go_fills_starts_and_sets_the_pace() -> None:
    wire = Wire.company()
    for seat, why in ((1, "only the host may do that"), (None, "you have no seat at this table")):
        for hosts in (Remove(seat, 2), Fill(seat, "steady"), Start(seat), Choose(seat, "pace", "quick")):
            assert wire.refusal(hosts) == why
    for seated in (Rename(None, "Zoe"), Leave(None), Again(None), Go(None, 0)):
        assert wire.refusal(seated) == "you have no seat at this table"
    for other in (0, 9):
        assert wire.refusal(Remove(0, other)) == f"there is nobody to let go in seat {other + 1}"
    assert wire.refusal(Choose(0, "pace", "warp")).startswith("'warp' is not to be chosen")
    assert wire.refusal(Again(0)) == "the sitting is not over"
    start(wire)
    assert wire.refusal(Start(0)) == "the sitting has begun"


def test_B033_nobody_waits_for_whoever_left_after_acting() -> None:
    wire = start(Wire.company())
    seat = wire.actor
    wire.act(seat)
    wire.tell(Leave(seat))
    while wire.actor != seat:
        wire.act(wire.actor)
    wait = wire.table.wait()
    assert wait is not None and wait.due == wire.now + PACES["normal"].bot


def test_B125_a_turn_is_played_at_once_when_its_owner_leaves() -> None:
    wire = start(Wire.company())
    seat = wire.actor
    wire.wait(30)
    wire.tell(Leave(seat))
    wire.wait(PACES["normal"].bot)
    assert wire.actor != seat


def test_a_table_of_nobody_but_bots_goes_to_sleep_and_its_people_may_come_back() -> None:
    wire = start(Wire.company())
    for seat in range(4):
        wire.tell(Leave(seat))
    assert wire.table.host is None and wire.table.due is None
    assert Seated(2) in wire.tell(Sit("Cy", "back", None, "secret 2"))
    assert wire.table.host == 2 and wire.table.due is not None
    wire.wait(30)
    assert wire.actor == 2


# Names.


# Drawn as nothing.
BLANK = (
    "\u034f\u115f\u1160\u17b5\u180b\u180e\u2800\u3164\ufe00\ufe0f\uffa0\ufffc\U000e0100"
    "\U00013441\U00016fe4\U0001d159"
)


def test_B131_a_name_must_be_seen() -> None:
    wire = Wire.open(seats=["person", "open", "open", "open"])
    for name in ("", "   ", "\u200b\u202e", "\n\t", "\u0301", "\u200d\u200d", "\x00", *BLANK):
        assert "a name needs" in wire.refusal(Sit(name, "bo"))
    with pytest.raises(Illegal):
        Wire.open(seats=["open", "person"])
    with pytest.raises(Illegal, match="a name needs"):
        Table.open(cagnotte.game("fan-tan"), ["person"] + ["steady"] * 3, [(" ", "secret")])


def test_B129_nobody_takes_a_name_that_looks_the_same() -> None:
    wire = Wire.open(seats=["person", "open", "open", "open"])
    for name in (
        "ann",
        "ANN ",
        "A\u200dnn",
        "Ann\ufe0f",
        "\uff21nn",
        *("A" + blank + "nn" for blank in BLANK),
    ):
        assert wire.refusal(Sit(name, "bo")).startswith("somebody named")
    wire.tell(Sit("\u2764\ufe0f", "bo"))
    assert wire.refusal(Sit("\u2764", "cy")).startswith("somebody named")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "\u0410nn"),  # the Cyrillic A
        ("Bo", "\u0412\u043e"),
        ("Cy", "\u0421\u0443"),
        ("Eve", "\u0395v\u0435"),  # Greek and Cyrillic
        ("Bill", "BiII"),
        ("Ida", "lda"),
        ("Di 1", "Di l"),
        ("BOB", "B0B"),
    ],
)
def test_B129_nobody_takes_a_name_of_letters_that_look_the_same(one: str, other: str) -> None:
    wire = Wire.open(seats=["person", "open", "open", "open"])
    wire.tell(Rename(0, one))
    assert wire.refusal(Sit(other, "bo")).startswith("somebody named")


def test_names_that_one_can_tell_apart_are_two() -> None:
    for one, other in (
        ("Ali", "All"),
        ("Eli", "Ell"),
        ("\u0410\u043d\u043d\u0430", "Anna"),
        ("Zo\u00e9", "Zoe"),
    ):
        assert not alike(one, other)


def test_B133_a_name_keeps_the_joiners_of_its_letters() -> None:
    for name in ("\u0dc1\u0dca\u200d\u0dbb\u0dd3", "\u2764\ufe0f\u200d\U0001f525", "\U0001f44d\U0001f3fd"):
        assert clean(name) == name


def test_B133_a_name_is_cut_by_grapheme() -> None:
    assert clean("x" * 10_000) == "x" * 20
    assert clean("W" * 200) == "W" * 20
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert clean(family * 64) == family * 20
    assert clean("\U0001f1eb\U0001f1f7" * 30) == "\U0001f1eb\U0001f1f7" * 20
    assert len(clean("a" + "\u0302" * 40)) < 12
    assert clean("e\u0301" * 30) == "é" * 20
    assert clean("A\u202enn\u2066 \u00a0 Lee\u0000") == "Ann Lee"
    assert clean("<scr<script>ipt>") == "<scr<script>ipt>"  # B135: shown as it is
    assert unicodedata.is_normalized("NFC", clean("Zoe\u0308"))


def test_B265_the_name_of_somebody_who_is_away_gives_nobody_his_seat() -> None:
    """B129, B137: a seat is told by its number and proved by its secret."""
    wire = start(Wire.company())
    wire.tell(Here(1, False))
    assert "the sitting has begun" in wire.refusal(Sit("Bo", "thief", 1))
    assert wire.refusal(Rename(2, "bo")) == "somebody named bo is at this table"
    assert "a name needs" in wire.refusal(Rename(2, "\u202e"))
    wire.tell(Rename(2, "  Cyrus  the Great and Good  "))
    assert wire.table.chairs[2].name == "Cyrus the Great and"
    assert wire.tell(Rename(2, "Cyrus the Great and")) == []


# Who is there.


def test_B035_the_host_passes_to_another_who_is_there() -> None:
    """B037: before the sitting as well."""
    for wire in (Wire.company(), start(Wire.company())):
        wire.tell(Here(0, False))
        wire.tell(Here(1, False))
        wire.wait(59)
        assert wire.table.host == 0
        wire.wait(2)
        assert wire.table.host == 2
        assert wire.restored() == wire.table


def test_B039_a_host_who_comes_back_soon_is_still_the_host() -> None:
    wire = start(Wire.company())
    wire.tell(Here(0, False))
    wire.wait(50)
    wire.tell(Here(0, True))
    wire.wait(100)
    assert wire.table.host == 0 and sum(chair.name == "Ann" for chair in wire.table.chairs) == 1


def test_a_host_who_leaves_passes_at_once() -> None:
    wire = Wire.company()
    wire.tell(Here(1, False))
    wire.tell(Leave(0))
    assert wire.table.host == 2
    wire = Wire.open(seats=["person", "open", "open", "open"])
    wire.tell(Leave(0))
    assert wire.table.host is None
    wire.tell(Sit("Bo", "bo"))
    assert wire.table.host == 0


def test_B043_no_bot_plays_while_no_person_is_there() -> None:
    wire = Wire.open()
    assert wire.table.due is None
    wire.tell(Here(0, True))
    wire.deal()
    wire.tell(Here(0, False))
    before = len(wire.entries)
    assert wire.table.due is None
    wire.wait(10_000)
    assert len(wire.entries) == before
    wire.tell(Here(0, True))
    wire.wait(30)
    assert wire.person() and len(wire.entries) > before


def test_B047_a_bot_acts_for_whoever_is_away_and_hands_back_at_once() -> None:
    """Steady acts once he was away for 20 s, never passes wrongly, and every fine has its line in the log."""
    wire = start(Wire.company(passing="fined"))
    seat = wire.actor
    wire.tell(Here(seat, False))
    wire.wait(19)
    assert wire.actor == seat and not wire.table.stands_in(wire.now, seat)
    wire.wait(2)
    assert wire.actor != seat and wire.table.stands_in(wire.now, seat)
    assert wire.entries[-1] == Played(seat, str(getattr(wire.entries[-1], "move", "")), None, True)
    while wire.actor != seat:
        wire.act(wire.actor)
    wire.tell(Here(seat, True))
    wire.wait(80)  # he is back, and has his time
    assert wire.actor == seat and not wire.table.stands_in(wire.now, seat)
    wire.tell(Here(seat, False))
    wire.wait(25)
    assert wire.actor != seat
    while wire.actor != seat:
        wire.act(wire.actor)
    wire.wait(PACES["normal"].bot)  # away for long: at the pace of a bot
    assert wire.actor != seat
    assert "Exposed" not in {type(event).__name__ for event in wire.table.events}


@pytest.mark.parametrize("game", GAMES)
def test_B123_every_wait_ends(game: str) -> None:
    """Persons who are there and never do a thing: the cut, the naming, the bonus card, the next deal."""
    rules: dict[str, Any] = {"stake": 1} if game == "fear" else {"deals": 2}
    wire = Wire.company(game, 5, **rules)
    wire.tell(Start(0))
    waits = set()
    for _ in range(5000):
        if (wait := wire.table.wait()) is None:
            break
        assert wait.due is not None and wait.due - max(wire.now, wait.begun) <= 90
        assert wait.begun <= wire.now + sum(SHOWN.values()) * PACES[wire.table.pace].step
        waits.add((wire.table.play.phase, wait.what, wait.seats != ()))
        wire.wait(max(0.0, wait.due - wire.now))
    assert wire.table.state == "over"
    assert {("cut", "cut", True), ("shuffle", "go", game != "fear")} <= waits | {("shuffle", "go", False)}
    assert {
        entry.stand_in for entry in wire.entries if isinstance(entry, Played) and entry.actor != CHANCE
    } == {True}


def test_nobody_who_keeps_no_one_waiting_is_hurried() -> None:
    wire = Wire.open()
    wire.tell(Here(0, True))
    wire.deal()
    wire.wait(30)
    assert wire.person() and wire.table.due is None
    wire.wait(100_000)
    assert wire.person()


def test_whoever_lets_a_turn_go_by_has_less_time_until_he_acts() -> None:
    wire = start(Wire.company())
    seat = wire.actor
    wire.wait(91)
    assert wire.actor != seat and wire.table.stands_in(wire.now, seat)
    while wire.actor != seat:
        wire.act(wire.actor)
    assert wire.table.due == wire.now + 10
    wire.act(seat)
    assert not wire.table.stands_in(wire.now, seat)
    while wire.actor != seat:
        wire.act(wire.actor)
    assert wire.table.due == wire.now + 90


def test_B111_after_a_restart_whoever_is_to_act_has_a_fresh_turn() -> None:
    """B119: and the turn ends though nobody moves."""
    wire = start(Wire.company())
    seat = wire.actor
    wire.wait(82)
    wire.table = wire.restored()
    wire.now += 10_000
    assert wire.table.due is None
    for other in range(4):
        wire.tell(Here(other, True))
    assert wire.table.due == wire.now + 90
    wire.wait(90)
    assert wire.actor != seat


def test_B127_after_a_restart_a_turn_goes_on_with_what_was_left() -> None:
    """B119: it has its end, and the downtime counts for nobody."""
    wire = start(Wire.company())
    seat = wire.actor
    wire.wait(50)
    wire.restart()
    for other in range(4):
        wire.tell(Here(other, True))
        wire.now += 1
    assert wire.table.due == wire.now - 1 + 40 and wire.waits.begun == wire.now - 1 - 50
    wire.wait(38)
    assert wire.actor == seat and not wire.table.stands_in(wire.now, seat)
    wire.wait(1)
    assert wire.actor != seat and wire.table.stands_in(wire.now, seat)


@pytest.mark.parametrize("used", [88, 89.9])
def test_B127_nobodys_turn_ends_while_his_browser_is_coming_back(used: float) -> None:
    wire = start(Wire.company())
    wire.wait(used)
    wire.restart(3)
    others = [seat for seat in range(4) if seat != wire.actor]
    wire.here(*others)
    assert wire.table.due == wire.now + GRACE  # no bot acts for him sooner
    wire.now += 4
    wire.here(wire.actor)
    assert wire.table.due == wire.now + LEAST
    due = wire.table.due
    wire.now += 2
    for seat in (wire.actor, *others[1:]):  # nor does it begin anew for who reloads his page
        wire.tell(Here(seat, False))
        wire.tell(Here(seat, True))
    assert wire.table.due == due


def test_B127_whoever_comes_later_after_a_restart_is_new_company() -> None:
    wire = start(Wire.company())
    seat, other = wire.actor, (wire.actor + 1) % 4
    wire.wait(50)
    wire.restart()
    wire.here(seat)
    assert wire.waits.due is None
    wire.now += GRACE
    wire.here(other)
    assert wire.waits.due == wire.now + 90
    wire = start(Wire.company())
    wire.wait(50)
    wire.restart()
    wire.here(seat)
    wire.act(seat)  # and then another's turn, which is new
    wire.here(other)
    assert wire.waits.due == wire.now + 90


def test_B127_what_had_slept_when_the_server_stopped_is_as_if_it_slept_on() -> None:
    wire = start(Wire.company())
    wire.wait(50)
    for seat in range(4):
        wire.tell(Here(seat, False))
    wire.now += 500
    wire.restart()
    wire.here(*range(4))
    assert wire.table.due == wire.now + 90


def test_B127_a_pause_and_what_was_left_before_it_outlast_a_restart() -> None:
    wire = start(Wire.company())
    guest = 1 if wire.table.host == 0 else 0
    wire.wait(30)
    wire.tell(Pause(0, True))
    wire.wait(100)
    wire.restart()
    wire.here(guest)
    assert wire.table.anybody_may_go_on == wire.now + REST - 100
    wire.now += 3
    wire.here(*({*range(4)} - {guest}))
    wire.wait(50)
    assert wire.table.due is None
    wire.tell(Pause(0, False))
    assert wire.waits.due == wire.now + 60
    wire.restart()  # and what the pause took counts still
    wire.here(*range(4))
    wire.tell(Pause(0, True))
    assert wire.table.anybody_may_go_on == pytest.approx(wire.now + REST - 153)


@pytest.mark.parametrize("used", [4, 11])
def test_B127_a_settlement_is_looked_at_no_longer_for_a_restart(used: float) -> None:
    wire = start(Wire.company(deals=2))
    while wire.actor != CHANCE:
        wire.act(wire.actor)
    wire.wait(used)
    wire.restart()
    wire.here(*range(4))
    assert wire.table.due == wire.now + max(12 - used, LEAST)


def test_B067_coming_and_going_changes_neither_the_log_nor_the_clock() -> None:
    wire = start(Wire.company())
    before, due = list(wire.entries), wire.table.due
    wire.now += 5
    for _ in range(5):
        wire.tell(Here(wire.actor, False))
        wire.tell(Here(wire.actor, True))
    assert (wire.entries, wire.table.due) == (before, due)
    assert wire.tell(Here(wire.actor, True)) == []


def test_B123_nobody_gains_time_by_reloading_the_page() -> None:
    wire = start(Wire.open(seats=["person", "person", "steady", "steady"]).here(0, 1))
    while not wire.person():
        wire.wait(0.1)
    seat, due = wire.actor, wire.table.due
    assert due is not None
    wire.now = due - 10
    wire.tell(Here(seat, False))
    wire.tell(Here(seat, True))
    assert wire.table.due == due
    wire.wait(10)
    assert wire.actor != seat and wire.table.stands_in(wire.now, seat)
    wire.tell(Here(seat, False))
    wire.tell(Here(seat, True))
    while wire.actor != seat:
        wire.act(wire.actor) if wire.person() else wire.wait(0.1)
    assert (wait := wire.table.wait()) is not None and wait.due == wait.begun + IDLE


@pytest.mark.parametrize(("pace", "game"), [("slow", "fan-tan"), ("quick", "fear"), ("once", "fan-tan")])
def test_a_turn_has_its_whole_time_once_the_page_has_shown_what_comes_before_it(pace: str, game: str) -> None:
    """At a slow pace draw, shuffle, cut and deal take longer than a short clock has to spare."""
    wire = Wire.company(game, chosen={"pace": pace, "clock": 15})
    wire.tell(Start(0))
    wire.wait(SHARING)  # the draw, which is told of, and the shuffle after it
    wire.wait(SHARING)
    assert wire.table.play.phase == "cut" and wire.table.due == wire.waits.begun + 15
    step, shuffled = PACES[pace].step, 17.2 if game == "fan-tan" else 6  # steps, from the draw on
    assert wire.waits.begun - wire.now == pytest.approx(step * shuffled - 2 * SHARING if step else -SHARING)
    wire.wait(wire.table.due - wire.now - 1)
    wire.act(wire.actor)
    assert wire.table.due == wire.waits.begun + 15
    assert wire.waits.begun - wire.now == pytest.approx(step * (7.6 if game == "fan-tan" else 5))


def test_a_pause_or_a_restart_takes_nothing_of_a_turn_that_has_not_begun() -> None:
    wire = Wire.company(chosen={"pace": "slow", "clock": 15})
    wire.tell(Start(0))
    wire.wait(2 * SHARING)
    left = wire.waits.begun - wire.now
    assert left > 3
    wire.tell(Pause(0, True))
    wire.wait(1)
    wire.tell(Pause(0, False))
    assert wire.waits.begun == wire.now + left - 1  # the pages went on showing
    wire.wait(left + 1)
    used = wire.now - wire.waits.begun
    wire.tell(Pause(0, True))
    wire.wait(30)
    wire.tell(Pause(0, False))
    assert wire.now - wire.waits.begun == pytest.approx(used)
    wire.restart(100)
    wire.here(0, 1, 2, 3)
    assert wire.now - wire.waits.begun == pytest.approx(used)


def test_the_table_knows_how_long_a_page_shows_how_a_deal_begins() -> None:
    page = (ROOT / "src/cagnotte/server/static/js/stage.js").read_text("utf-8")

    def numbers(name: str) -> dict[str, float]:
        found = re.search(f"const {name} = {{?(.*?)[}};]", page, re.DOTALL)
        assert found is not None
        return {key: float(n) for key, n in re.findall(r"(\w*):? ?\b([\d.]+)", found[1])}

    steps, lasts, cards = numbers("STEP"), numbers("LASTS"), numbers("DRAWN_ONE_BY_ONE")[""]
    assert {pace: 1000 * tempo.step for pace, tempo in PACES.items()} == steps
    for name, n in SHOWN.items():
        kind = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
        assert n == pytest.approx(lasts[kind] * (cards if kind == "drew" else 1)), name


@pytest.mark.parametrize("what", ["person", "bot", "go"])
def test_B123_nobody_holds_up_a_table_by_leaving_and_coming_back(what: str) -> None:
    """Neither a turn of another, nor of a bot, nor his own, nor the next deal."""
    wire = start(Wire.open(seats=["person", "person", "steady", "steady"], deals=2).here(0, 1))
    while what != ("go" if wire.actor == CHANCE else "person" if wire.person() else "bot"):
        wire.act(wire.actor) if wire.person() else wire.wait(0.1)
    for guest in (0, 1) if what == "person" else (1,):
        before, secret, begin = wire.table.moved, f"secret {guest}", max(wire.now, wire.waits.begun)
        while wire.table.moved == before:
            wire.tell(Leave(guest))
            wire.tell(Sit(NAMES[guest], secret + "!", None, secret))
            secret += "!"
            wire.wait(0.5)
            assert wire.now - begin < 95


def test_B045_zero_delay_bots_never_stop_a_table() -> None:
    for seed in range(10):
        wire = Wire.open("fear", 12, chosen={"pace": "once"}, seed=seed)
        wire.tell(Here(0, True))
        while wire.table.state != "over":
            wire.wait(1)
            if wire.table.state == "playing" and wire.person():
                wire.act(0)
            wire.tell(Go(0, wire.table.version))
        assert [update.version for update in wire.heard] == sorted(update.version for update in wire.heard)


@pytest.mark.parametrize(("players", "stake"), [(5, 2), (6, 2), (9, 1), (12, 1)])
def test_a_quick_game_of_fear_takes_a_minute(players: int, stake: int) -> None:
    """With a person who answers as fast as a bot, until it is over for him or for all; on average."""
    took = []
    for seed in range(8):
        wire = Wire.open("fear", players, chosen={"pace": "quick"}, seed=seed, stake=stake).here(0)
        start(wire)
        begun = wire.now
        while wire.table.state != "over" and wire.now < begun + 600:
            wire.wait(PACES["quick"].bot)
            if wire.table.state == "playing" and wire.person():
                wire.act(0)
            wire.tell(Go(0, wire.table.version))
        took.append(wire.now - begun)
    assert sum(took) / len(took) <= 60, took


# From deal to deal, and again.


def settled(wire: Wire) -> Wire:
    if wire.table.state == "lobby":
        start(wire)
    while wire.table.play.deal < 2:
        if wire.person():
            wire.act(wire.actor)
        else:
            wire.wait(PACES[wire.table.pace].bot)
    return wire


def test_the_next_deal_waits_for_everyone_or_for_the_pause() -> None:
    wire = settled(Wire.company())
    seen, wait = wire.table.version, wire.table.wait()
    assert wait is not None and (wait.seats, wait.what) == ((0, 1, 2, 3), "go")
    wire.tell(Go(0, seen))
    wire.tell(Go(2, seen - 1))  # of another settlement
    wire.tell(Go(0, seen))
    wait = wire.table.wait()
    assert wait is not None and wait.seats == (1, 2, 3)
    wire.tell(Here(3, False))
    wire.tell(Go(1, seen))
    wire.tell(Go(2, seen))
    assert wire.table.due == wire.table.there.begun + SHARING
    wire.wait(SHARING)
    assert wire.table.play.phase == "cut"
    assert wire.tell(Go(1, seen)) == []
    wire = settled(Wire.company())
    wire.wait(11)
    assert wire.table.play.phase == "shuffle"
    wire.wait(1)
    assert wire.table.play.phase == "cut"


@pytest.mark.parametrize(("sealed", "seconds"), [(None, 0.0), ("5" * 64, SHARING)])
def test_a_shuffle_that_was_not_sealed_waits_for_no_shares(sealed: str | None, seconds: float) -> None:
    """As at a table from before shuffles were."""
    wire = Wire.company(sealed=sealed)
    wire.tell(Start(0))
    assert wire.actor == CHANCE and wire.table.due == wire.now + seconds


@pytest.mark.parametrize("pace", PACES)
def test_who_is_alone_with_bots_reads_a_settlement_as_long_as_he_likes(pace: str) -> None:
    """Whatever the pace; once another comes, the pause begins with him."""
    wire = settled(Wire.open(seats=["person", "person", "steady", "steady"], chosen={"pace": pace}).here(0))
    wait = wire.table.wait()
    assert wait is not None and (wait.seats, wait.what, wait.due) == ((0,), "go", None)
    wire.wait(10_000)
    assert wire.table.play.phase == "shuffle"
    wire.tell(Here(1, True))
    wait = wire.table.wait()
    assert wait is not None and wait.due == wire.now + PACES[pace].go
    wire.tell(Here(1, False))
    assert wire.table.due is None or wire.table.due > wire.now
    wire.tell(Go(0, wire.table.version))
    wire.wait(0)
    assert wire.table.play.phase == "cut"


def test_nobody_hurries_through_a_settlement_sooner_than_at_the_quick_pace() -> None:
    assert min(tempo.go for tempo in PACES.values()) == PACES["quick"].go


def test_whoever_comes_in_the_first_deal_is_told_of_the_draw_as_well() -> None:
    wire = start(Wire.company())
    log = [type(event).__name__ for event in wire.table.look(1, log=True).log or ()]
    assert log.index("Drew") < log.index("FirstDealer") < log.index("Shuffled")
    settled(wire).wait(12.5)
    log = [type(event).__name__ for event in wire.table.look(1, log=True).log or ()]
    assert "Drew" not in log and log.count("Shuffled") == 1


def test_when_fear_is_played_again_the_deal_passes_to_the_right() -> None:
    """F12, B013, and T2: the first dealer of Fan Tan is drawn anew."""
    wire = start(Wire.company("fear", 5, stake=1))
    first = wire.table.dealer
    finish(wire)
    assert first is not None
    for game in range(1, 4):
        assert sorted(wire.table.play.bank.stacks) == [0, 0, 0, 0, 5]
        wire.tell(Again(1))
        assert wire.table.play.bank.stacks == (1,) * 5
        assert wire.entries[-2:] == [Started(), Played(CHANCE, f"dealer {(first - game) % 5}")]
        assert wire.table.dealer == (first - game) % 5 and wire.restored() == wire.table
        finish(wire)
    wire = finish(start(Wire.company(deals=1)))
    wire.tell(Again(3))
    assert wire.entries[-1] == Started() and wire.table.play.phase == "draw"
    wire.wait(SHARING)
    assert any(isinstance(entry, Drew) and entry.move.startswith("draw") for entry in wire.entries[-6:])


def test_a_new_sitting_tells_its_own_events_only() -> None:
    wire = finish(start(Wire.company(deals=1)))
    wire.heard.clear()
    wire.tell(Again(0))
    assert wire.heard and all(update.events == () for update in wire.heard)
    assert wire.table.told(1) == []


def test_a_bots_seat_may_be_taken_once_the_sitting_is_over() -> None:
    wire = Wire.open(deals=1, chosen={"pace": "once"})
    wire.tell(Here(0, True))
    while wire.table.state != "over":
        wire.wait(1)
        if wire.table.state == "playing" and wire.person():
            wire.act(0)
    assert Seated(1) in wire.tell(Sit("Bo", "bo"))
    wire.tell(Again(1))
    assert wire.table.state == "playing" and wire.table.chairs[1].kind == "person"


def test_a_table_does_not_grow_for_ever() -> None:
    wire = Wire.company()
    wire.table.version = 50_000
    assert wire.refusal(Rename(0, "Zoe")) == "this table has lasted too long: open another"


@given(st.sampled_from(list(GAMES)), st.integers(0, 2**32))
@settings(max_examples=60)
def test_nothing_that_a_table_is_told_breaks_it(game: str, seed: int) -> None:
    """Wishes and moves of anybody in any order: the log makes the same table, and chips are kept."""
    dice = random.Random(seed)
    rules: dict[str, Any] = (
        {} if game == "fear" else {"deals": 1, "passing": dice.choice(("fined", "honour"))}
    )
    wire = Wire.open(game, 4, ["person", "open", "open", "steady"], seed=seed, **rules)
    table = wire.table
    secrets = [f"secret {i}" for i in range(6)]
    for step in range(150):
        seat = dice.choice((None, 0, 1, 2, 3))
        secret, former = dice.choice(secrets), dice.choice((None, *secrets))
        wishes: list[Input] = [
            Sit(dice.choice(NAMES), f"{secret} {step}", dice.choice((None, 0, 1, 2, 3, 9)), former),
            Here(dice.randrange(4), dice.random() < 0.7),
            Here(0, True),
            Act(seat, table.version - dice.randrange(2), dice.choice((None, "a", str(step))), "pass"),
            dice.choice((Leave(seat), Rename(seat, dice.choice(NAMES)), Remove(seat, dice.randrange(5)))),
            dice.choice((Start(seat), Fill(seat, "random"), Again(seat), PutBot(seat, 1, "random"))),
            dice.choice((PassOn(seat, dice.randrange(5)), Pause(seat, True), Pause(seat, False))),
            Choose(seat, what := dice.choice(list(CHOICES)), dice.choice(CHOICES[what])),
            dice.choice((Say(seat, "hello"), React(seat, "clap"), Branch(seat, "t"))),
            Go(seat, table.version),
            Tick(),
        ]
        if table.state == "playing" and (moves := wire.moves()):
            acting = Act(wire.actor, table.version, str(step), dice.choice(moves))
            wishes += [acting, acting, replace(acting, seat=seat)]
        wire.tell(dice.choice(wishes))
        wire.wait(dice.choice((0.0, 0.0, 1.0, 30.0, 100.0)))
        if table.play is not None:
            bank = table.game.bank(table.play)
            assert sum(bank.stacks) + bank.pool == sum(table.game.bank(table.game.start()).stacks)
        if table.state == "playing" and not table.paused and table.clock:
            others = len(table.there.present - {wire.actor}) - (wire.actor == CHANCE)
            assert table.due is not None or others < 1  # somebody waits, and not for ever
    assert wire.restored() == table


# What viewers are told.


def test_every_viewer_is_told_what_is_for_him() -> None:
    """B091: own hand, and counts of the others."""
    wire = start(Wire.company())
    told: list[Update] = wire.table.updates(0)
    assert [update.viewer for update in told] == [None, 0, 1, 2, 3]
    hands = [dict(zip(("seat", "hand"), (update.viewer, update.view.hand), strict=True)) for update in told]
    assert [len(hand["hand"]) for hand in hands] == [0, 13, 13, 13, 13]
    for update in told:
        assert "Shuffled(cards=())" in repr(update.events) and update.view.seat == update.viewer
    log = wire.table.look(1, log=True).log
    assert log is not None
    names = [type(event).__name__ for event in log]
    assert [name for name in names if name != "Turn"][:4] == ["Drew", "FirstDealer", "Deal", "Shuffled"]


@pytest.mark.parametrize(("game", "players"), [("fear", 12), ("fan-tan", 5)])
def test_B197_what_each_is_told_of_a_move_is_short_and_does_not_grow(game: str, players: int) -> None:
    wire = start(Wire.company(game, players, **({} if game == "fear" else {"deals": 4})))
    lengths: list[int] = []
    while wire.table.state == "playing" and len(wire.entries) < 300:
        wire.heard.clear()
        wire.wait(30)
        told = [server_wire.update(one, {}, wire.table.names, "en", None, ()) for one in wire.heard]
        lengths += map(len, told)
    early, late = lengths[: len(lengths) // 3], lengths[-len(lengths) // 3 :]
    assert len(lengths) > 600 and max(lengths) < 2500
    assert sum(late) / len(late) < 1.25 * sum(early) / len(early)


def test_the_sitting_begins_with_the_first_who_comes() -> None:
    table, entered = Table.open(cagnotte.game("fear", 6), ["person", *["random"] * 5], [ANN])
    assert (
        table.state == "playing" and isinstance(entered[-1].entry, Started) and Hosted(0) == entered[2].entry
    )
    names = [chair.name for chair in table.chairs]
    assert len(set(names)) == 6
    with pytest.raises(Illegal, match="seats are told"):
        Table.open(cagnotte.game("fear", 6), ["person"] * 6, [ANN])
    with pytest.raises(Illegal, match="is not to be chosen"):
        Table.open(cagnotte.game("fear", 6), ["person", *["random"] * 5], [ANN], pace="warp")


def test_bots_take_no_name_that_is_taken() -> None:
    table, _ = Table.open(cagnotte.game("fear", 26), ["person", *["random"] * 25], [("agathe", "secret")])
    assert len({chair.name.casefold() for chair in table.chairs}) == 26


def test_the_page_about_the_table_tells_the_times_that_are_kept() -> None:
    page = (ROOT / "docs/table.md").read_text("utf-8")
    rows = re.findall(r"^\| (\w+) \| ([\d.]+) s \| ([\d.]+) s \|$", page, re.MULTILINE)
    assert {pace: list(map(float, times)) for pace, *times in rows} == {
        pace: [tempo.bot, tempo.go] for pace, tempo in PACES.items()
    }
    said = " ".join(page.split())
    none, *clocks, last = CHOICES["clock"]
    assert f"{', '.join(map(str, clocks))} or {last} s, or no end" in said and none == 0
    assert f"{CLOCK} s unless the host chooses" in said
    assert f"has {IDLE:.0f} s for a turn" in said and f"after {REST:.0f} s anybody may go on" in said
    assert f"at least {LEAST:.0f} s, as soon as those are back who come within {GRACE:.0f} s" in said
    assert f"no open page for {GRACE:.0f} s" in said and f"away for {HOST_GRACE:.0f} s" in said
    limits = Limits()
    assert limits.lobby == DAY and f"after {limits.sitting / DAY:.0f} days" in said
    assert f"at most {LINE} letters" in said and f"keeps {LINES:,} lines" in said
    assert f"the last {PAST} lines" in said and CODE_LETTERS in page
