"""Around the play: the host's controls, clock and pause, onlookers, the chat, and the table beside."""

import unicodedata

import pytest
from wire import NAMES, Wire, start

import cagnotte
from cagnotte.attendance import HOST_GRACE
from cagnotte.core import CHANCE, Illegal
from cagnotte.entries import Branched, Chosen, Filled, Hosted, Opened, Played, Removed, Said, plain
from cagnotte.names import LINE, clean_line
from cagnotte.table import Table
from cagnotte.table_terms import (
    CHOICES,
    CLOCK,
    IDLE,
    LINES,
    MOST,
    PACES,
    PAST,
    REACTIONS,
    REST,
    REST_AGAIN,
    Act,
    Again,
    Branch,
    Choose,
    Done,
    Fill,
    Here,
    Input,
    Leave,
    PassOn,
    Pause,
    PutBot,
    React,
    Remove,
    Rename,
    Say,
    Seated,
    Sit,
    Start,
)
from cagnotte.telling import table_json

ONLY_HOST = "only the host may do that"
NO_SEAT = "you have no seat at this table"


def chat(wire: Wire) -> list[str]:
    return [said.text or f"*{said.react}*" for said in wire.table.chat]


# Opening.


def test_a_table_with_every_seat_open_is_hosted_by_the_first_who_sits() -> None:
    """A screen that all share opened it."""
    wire = Wire.open(seats=["open"] * 4)
    assert wire.table.host is None and wire.table.state == "lobby" and wire.table.due is None
    assert Seated(2) in wire.tell(Sit("Cy", "secret 2", 2))
    wire.tell(Sit("Ann", "secret 0", 0))
    assert wire.table.host == 2
    wire.tell(Fill(2, "steady"))
    assert wire.table.state == "playing" and wire.restored() == wire.table


def test_several_persons_are_seated_at_once_and_the_first_is_host() -> None:
    wire = Wire.open(seats=["steady", "person", "open", "person"])
    assert [chair.name for chair in wire.table.chairs] == ["Agathe", "Bo", "", "Di"]
    assert wire.table.host == 1 and [wire.table.seat_of(f"secret {seat}") for seat in (1, 3)] == [1, 3]
    full = Wire.open(seats=["person"] * 4).here(0, 1, 2, 3)
    full.deal()
    assert full.table.state == "playing" and full.restored() == full.table


@pytest.mark.parametrize(
    ("seats", "persons"),
    [
        (["steady"] * 4, []),
        (["person"] * 4, [("Ann", "a")]),
        (["open"] * 4, [("Ann", "a")]),
        (["open"] * 3, []),
        (["person", "person", "open", "open"], [("Ann", "a"), ("ann ", "b")]),
        (["person", "person", "open", "open"], [("Ann", "a"), ("", "b")]),
    ],
)
def test_B131_a_table_of_nobody_or_with_names_that_are_none_is_not_opened(
    seats: list[str], persons: list[tuple[str, str]]
) -> None:
    with pytest.raises(Illegal):
        Table.open(cagnotte.game("fan-tan"), seats, persons)


def test_an_old_log_is_of_a_table_with_the_usual_choices() -> None:
    table = Table.restore([Opened("fan-tan", 4, {})])
    assert (table.pace, table.clock, table.listed, table.onlookers) == ("normal", 90, False, True)
    for wrong in (Chosen("pace", "warp"), Chosen("clock", 7), Chosen("stakes", 3)):
        with pytest.raises((Illegal, KeyError)):
            Table.restore([Opened("fan-tan", 4, {}), wrong])


# The host.


def test_B273_the_host_alone_has_the_table_his_way() -> None:
    wire = Wire.company()
    wishes: list[Input] = [Choose(1, what, values[0]) for what, values in CHOICES.items()]
    wishes += [PutBot(1, 2, "steady"), PassOn(1, 1), Remove(1, 0)]
    assert {wire.refusal(wish) for wish in wishes} == {ONLY_HOST}
    wishes = [Choose(None, "clock", 30), Pause(None, True), PassOn(None, 0)]
    assert {wire.refusal(wish) for wish in wishes} == {NO_SEAT}
    for what, values in CHOICES.items():
        for value in values:
            wire.tell(Choose(0, what, value))
            assert getattr(wire.table, what) == value and wire.restored() == wire.table
        assert wire.tell(Choose(0, what, values[-1])) == []
    assert wire.refusal(Choose(0, "clock", 7)) == "7 is not to be chosen: 0, 15, 30, 60, 90, 180"


def test_a_bot_takes_one_open_seat_once() -> None:
    wire = Wire.open(seats=["person", "open", "open", "open"]).here(0)
    wire.tell(PutBot(0, 2, "random"))
    assert wire.entries[-1] == Filled(2, "Agathe", "random") and wire.table.state == "lobby"
    assert wire.refusal(PutBot(0, 2, "steady")) == "seat 3 is taken"
    assert wire.refusal(PutBot(0, 99, "steady")) == "seat 100 is taken"
    wire.tell(PutBot(0, 1, "steady"))
    wire.tell(PutBot(0, 3, "steady"))
    assert len({*wire.table.names}) == 4
    assert wire.refusal(PutBot(0, 3, "steady")) == "no seat is free at this table"
    wire.tell(Remove(0, 2))
    assert Seated(2) in wire.tell(Sit("Cy", "secret 2"))
    start(wire)
    assert wire.refusal(PutBot(0, 1, "steady")) == "the sitting has begun"


@pytest.mark.parametrize("on_turn", [True, False])
def test_B031_B125_one_who_is_let_go_is_replaced_at_once_and_the_sitting_goes_on(on_turn: bool) -> None:
    wire = start(Wire.company(players=5))
    wire.tell(PassOn(0, host := (wire.actor + 1) % 5))
    seat = wire.actor if on_turn else (wire.actor + 3) % 5
    hand, bank = wire.table.play.hands[seat], wire.table.play.bank
    wire.wait(30)
    wire.tell(Remove(host, seat))
    assert wire.entries[-1] == Removed(seat)
    assert (wire.table.play.hands[seat], wire.table.play.bank) == (hand, bank)
    assert wire.table.chairs[seat].level == "steady" and wire.table.stands_in(wire.now, seat)
    if on_turn:
        wire.wait(PACES["normal"].bot)
        assert wire.actor != seat
    assert wire.table.state == "playing" and wire.restored() == wire.table


def test_B263_the_secret_of_one_who_is_let_go_is_void_until_the_sitting_is_over() -> None:
    """B129: it is told by its seat who goes."""
    wire = start(Wire.company(deals=1, chosen={"pace": "once"}))
    wire.tell(Remove(0, 2))
    assert wire.table.seat_of("secret 2") is None and wire.table.former_seat("secret 2") is None
    assert "the sitting has begun" in wire.refusal(Sit("Cy", "new", 2, "secret 2"))
    assert wire.refusal(Act(2, wire.table.version, "a", "pass")) == NO_SEAT
    assert wire.refusal(Remove(0, 2)) == "there is nobody to let go in seat 3"
    wire.tell(Leave(3))
    wire.tell(Remove(0, 3))  # nor may he come back who left of himself
    assert wire.table.former_seat("secret 3") is None
    wire.wait(5000)
    assert wire.table.state == "over"
    assert wire.table.names == ["Ann", "Bo", "Cy", "Di"]
    assert Seated(2) in wire.tell(Sit("Cy", "new", 2, "secret 2"))
    wire.tell(Remove(0, 2))
    wire.tell(Again(0))
    assert wire.table.names == ["Ann", "Bo", "Agathe", "Basile"] and wire.restored() == wire.table


def test_the_host_makes_another_person_host() -> None:
    wire = Wire.open(seats=["person", "open", "steady", "open"]).here(0)
    wire.tell(Sit("Bo", "secret 1", 1))
    for seat in (2, 3, 9):
        assert wire.refusal(PassOn(0, seat)) == f"there is nobody to be host in seat {seat + 1}"
    assert wire.tell(PassOn(0, 0)) == []
    wire.tell(PassOn(0, 1))
    assert wire.table.host == 1 and wire.refusal(Fill(0, "steady")) == ONLY_HOST
    wire.tell(Fill(1, "steady"))
    wire.tell(PassOn(1, 0))
    assert wire.entries[-1] == Hosted(0) and wire.restored() == wire.table


def test_B037_a_listed_table_is_not_left_to_wait_for_a_host_who_is_gone() -> None:
    wire = Wire.open(seats=["person", "open", "open", "open"], chosen={"listed": True}).here(0)
    for seat in (1, 2):
        wire.tell(Sit(NAMES[seat], f"secret {seat}"))
    wire.tell(Here(0, False))
    wire.wait(HOST_GRACE)
    assert wire.table.host == 1
    wire.tell(Remove(1, 0))
    wire.tell(Fill(1, "steady"))
    assert wire.table.state == "playing"


# The clock.


@pytest.mark.parametrize("clock", CHOICES["clock"])
def test_B123_the_clock_is_the_hosts_and_ends_every_turn_or_none(clock: int) -> None:
    wire = start(Wire.company(chosen={"clock": clock}))
    seat = wire.actor
    assert wire.table.due == (wire.now + clock if clock else None)
    wire.wait(clock or 10_000)
    assert (wire.actor == seat) == (clock == 0)
    while clock and wire.actor != seat:
        wire.act(wire.actor)
    assert not clock or wire.table.due == wire.now + min(clock, IDLE)  # who let one turn go by


def test_a_wait_tells_how_long_it_lasts_in_all() -> None:
    wire = start(Wire.company(chosen={"clock": 60}))
    wire.wait(45)
    wait = wire.table.wait()
    assert wait is not None and wait.due is not None
    assert wait.due - wait.begun == pytest.approx(60) and wait.due - wire.now == 15


def test_another_clock_begins_the_turn_anew() -> None:
    wire = start(Wire.company())
    wire.wait(80)
    wire.tell(Choose(0, "clock", 15))
    assert wire.table.due == wire.now + 15
    wire.tell(Choose(0, "clock", 0))
    assert wire.table.due is None
    seat = wire.actor
    wire.tell(Here(seat, False))
    wire.wait(25)
    assert wire.actor != seat  # whoever is away holds nobody up all the same


# A pause.


def test_nothing_moves_in_a_pause_and_no_time_runs() -> None:
    wire = start(Wire.company())
    seat = wire.actor
    wire.wait(50)
    wire.tell(Pause(0, True))
    assert wire.table.paused and wire.table.due is None and wire.tell(Pause(0, True)) == []
    assert wire.refusal(Act(seat, wire.table.version, "a", wire.moves()[0])) == "the table is paused"
    wire.tell(Say(1, "tea"))
    wire.wait(100)
    assert wire.actor == seat and wire.restored() == wire.table
    wire.tell(Pause(0, False))
    assert wire.table.due == wire.now + 40
    assert wire.act(seat)[1:] and wire.actor != seat
    assert wire.restored() == wire.table


def test_no_bot_plays_and_no_deal_begins_in_a_pause() -> None:
    wire = Wire.open(chosen={"pace": "quick"}).here(0)
    wire.deal()
    wire.tell(Pause(0, True))
    before = len(wire.entries)
    wire.wait(1000)
    assert len(wire.entries) == before
    wire.tell(Here(0, False))
    wire.wait(1000)
    wire.tell(Here(0, True))
    assert wire.table.due is None
    wire.tell(Pause(0, False))
    wire.wait(100)
    assert wire.person()


def test_a_move_that_was_played_before_the_pause_is_still_answered() -> None:
    wire = start(Wire.company())
    seat, seen, move = wire.actor, wire.table.version, wire.moves()[0]
    wire.act(seat, move, "a", seen)
    wire.tell(Pause(0, True))
    assert wire.tell(Act(seat, seen, "a", move)) == [Done("a")]


def test_all_see_who_paused_and_from_when_anybody_may_go_on() -> None:
    wire = start(Wire.company())
    assert table_json(wire.table, "t", wire.now)["rest"] is None
    wire.tell(Pause(0, True))
    wire.wait(100)
    assert table_json(wire.table, "t", wire.now)["rest"] == {"by": 0, "free": 1000 * (REST - 100)}
    wire.wait(1000)
    assert table_json(wire.table, "t", wire.now)["rest"] == {"by": 0, "free": 0}
    assert wire.restored() == wire.table
    wire.tell(Pause(0, False))
    assert table_json(wire.table, "t", wire.now)["rest"] is None


def test_whoever_pauses_is_there_himself() -> None:
    """He let a turn go by, and a bot stood in for him: no longer."""
    wire = start(Wire.company())
    while wire.actor != 0:
        wire.act(wire.actor)
    wire.wait(CLOCK)
    assert wire.table.stands_in(wire.now, 0)
    wire.tell(Pause(0, True))
    assert not wire.table.stands_in(wire.now, 0)


def test_nobody_holds_up_a_table_by_a_pause() -> None:
    wire = start(Wire.company())
    assert wire.refusal(Pause(1, True)) == ONLY_HOST
    wire.tell(Pause(0, True))
    assert wire.refusal(Pause(1, False)) == ONLY_HOST
    wire.wait(REST)
    wire.tell(Pause(1, False))
    assert not wire.table.paused
    assert wire.refusal(Pause(1, True)) == ONLY_HOST
    assert "wait a minute" in wire.refusal(Pause(0, True))
    wire.wait(REST_AGAIN)
    wire.tell(Pause(0, True))
    assert table_json(wire.table, "t", wire.now)["rest"] == {"by": 0, "free": 0}
    wire.tell(Pause(1, False))  # at once, this time
    assert "wait a minute" in wire.refusal(Pause(0, True))
    wire.tell(PassOn(0, 2))
    assert "wait a minute" in wire.refusal(Pause(2, True))  # nor does another for him
    assert wire.restored() == wire.table and wire.restored().there.ended is not None


def test_whoever_ends_his_own_pause_may_pause_again() -> None:
    wire = start(Wire.company())
    for _ in range(3):
        wire.tell(Pause(0, True))
        wire.wait(REST / 4)
        assert wire.refusal(Pause(1, False)) == ONLY_HOST
        wire.tell(Pause(0, False))
    wire.tell(Here(0, False))  # while he is away, others do
    wire.tell(Pause(2, True))
    wire.tell(Pause(2, False))
    wire.tell(Pause(2, True))
    assert wire.table.paused
    wire.wait(HOST_GRACE)
    assert wire.table.host == 1
    wire.tell(Pause(1, False))
    assert not wire.table.paused and wire.restored() == wire.table


def test_nobody_holds_up_a_table_by_ending_his_pause_and_pausing_again() -> None:
    wire = start(Wire.company())
    for left in (REST, 1.0):
        wire.tell(Pause(0, True))
        assert table_json(wire.table, "t", wire.now)["rest"] == {"by": 0, "free": 1000 * left}
        assert wire.refusal(Pause(1, False)) == ONLY_HOST
        wire.wait(left - 1)
        wire.tell(Pause(0, False))
    wire.tell(Pause(0, True))
    wire.wait(1.0)
    wire.tell(Pause(1, False))
    assert not wire.table.paused and wire.restored() == wire.table


def test_another_sitting_is_paused_as_the_first_was() -> None:
    wire = start(Wire.company(deals=1, chosen={"pace": "once"}))
    wire.tell(Pause(0, True))
    wire.wait(REST)
    wire.tell(Pause(1, False))
    wire.wait(10_000)
    wire.tell(Again(0))
    wire.deal()
    wire.tell(Pause(0, True))
    assert wire.refusal(Pause(1, False)) == ONLY_HOST


def test_nobody_makes_a_pause_longer_by_leaving_or_by_another_clock() -> None:
    wire = start(Wire.company())
    wire.tell(Pause(0, True))
    for n, clock in enumerate((30, 60, 30)):
        wire.wait(REST / 4)
        wire.tell(Leave(2))
        wire.tell(Sit("Cy", f"secret 2{'!' * (n + 1)}", None, f"secret 2{'!' * n}"))
        wire.tell(Choose(0, "clock", clock))
    wire.wait(REST / 4)
    wire.tell(Pause(1, False))
    assert not wire.table.paused
    assert wire.table.due == wire.now + 30  # another clock, and a fresh turn


def test_a_table_pauses_only_what_is_played() -> None:
    wire = Wire.company(deals=1, chosen={"pace": "once"})
    assert wire.refusal(Pause(0, True)) == "nothing is being played"
    start(wire)
    wire.wait(5000)
    assert wire.refusal(Pause(0, True)) == "nothing is being played"


# Onlookers.


def test_where_nobody_may_watch_nobody_without_a_seat_is_told_what_is_said() -> None:
    """B155; that he is shown nothing of a sitting is the room's business."""
    wire = start(Wire.company(chosen={"onlookers": False}))
    wire.tell(Say(1, "hello"))
    assert [update.viewer for update in wire.heard[-5:] if update.chat] == [0, 1, 2, 3]
    assert wire.table.look(None, log=True).chat == () and len(wire.table.look(2, log=True).chat) == 1
    wire.tell(Choose(0, "onlookers", True))
    assert len(wire.table.look(None, log=True).chat) == 1


# The chat.


def test_what_is_said_is_told_once_to_all_and_kept() -> None:
    wire = Wire.company()
    wire.heard.clear()
    wire.tell(Say(1, "  well\nplayed "))
    wire.tell(React(2, "clap"))
    assert wire.entries[-2:] == [Said(1, "Bo", "well played"), Said(2, "Cy", react="clap")]
    assert [(update.viewer, update.chat) for update in wire.heard if update.viewer == 3] == [
        (3, ((1, Said(1, "Bo", "well played")),)),
        (3, ((2, Said(2, "Cy", react="clap")),)),
    ]
    wire.tell(Rename(1, "Bob"))
    assert wire.heard[-1].chat == ()
    wire.table = wire.restored()
    assert [said.name for _, said in wire.table.look(None, log=True).chat] == ["Bo", "Cy"]
    assert plain(wire.entries[-2]) == {"kind": "said", "seat": 2, "name": "Cy", "text": "", "react": "clap"}


def test_B141_who_is_out_may_talk_and_onlookers_may_not() -> None:
    wire = start(Wire.company("fear", 5, stake=1))
    while 0 not in wire.table.play.bank.stacks:
        wire.wait(1)
    out = wire.table.play.bank.stacks.index(0)
    assert wire.table.state == "playing"
    wire.table = wire.restored()
    wire.here(*range(5)).tell(Say(out, "alas"))
    assert chat(wire) == ["alas"]
    assert wire.refusal(Say(None, "boo")) == wire.refusal(React(None, "clap")) == NO_SEAT


def test_B139_a_line_is_short_and_one_line() -> None:
    wire = Wire.company()
    for text in ("x" * (LINE + 1), "x\n" * 150, "\U0001f600" * 900, "ab " * 100):
        assert wire.refusal(Say(0, text)) == f"a line of chat has at most {LINE} letters"
    for text in ("", " \n\t", "\u202e\u200b", "\u0301", "\u2800" * 5):
        assert wire.refusal(Say(0, text)) == "there is nothing to read in this line"
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    for text in ("x" * LINE, family * LINE, "un été à\u00a0la plage ; 7\u202f€ ?"):
        wire.tell(Say(0, text))
        assert unicodedata.is_normalized("NFC", wire.table.chat[-1].text)
    assert chat(wire) == ["x" * LINE, family * LINE, "un été à la plage ; 7 € ?"]


def test_B135_a_line_is_kept_as_it_was_typed() -> None:
    for text in ("<<a>h1>X", "<scr<script>ipt>", "&lt;b&gt; {n} %s \\u202e", "https://x.test/?a=1&b"):
        assert clean_line(text) == text
    assert clean_line("a\u202eb\u2066c\x00d\x1be\ud800f") == "abcdef"
    assert len(clean_line("Z" + "\u0335" * 400)) < 12  # no line climbs over the others


def test_a_reaction_is_one_of_a_few() -> None:
    wire = Wire.company()
    for what in REACTIONS:
        wire.tell(React(0, what))
    assert chat(wire) == [f"*{what}*" for what in REACTIONS]
    assert wire.refusal(React(0, "spit")).startswith("'spit' is not to be chosen: clap, laugh")


def test_the_host_turns_the_chat_off_and_on() -> None:
    wire = Wire.company()
    wire.tell(Choose(0, "muted", True))
    for wish in (Say(1, "hello"), React(0, "clap")):
        assert wire.refusal(wish) == "the host has turned off the chat of this table"
    wire.tell(Choose(0, "muted", False))
    wire.tell(Say(1, "hello"))
    assert chat(wire) == ["hello"]


def test_a_flood_of_talk_ends_before_the_table_does() -> None:
    wire = start(Wire.company())
    for n in range(LINES):
        wire.table.receive(wire.now, Say(0, str(n)))
    assert "enough has been said" in wire.refusal(Say(1, "more")) and wire.table.version < MOST / 10
    assert "enough has been said" in wire.refusal(React(1, "clap"))
    told = wire.table.look(1, log=True).chat
    assert [n for n, _ in told] == [*range(LINES - PAST + 1, LINES + 1)]
    assert told[-1][1].text == str(LINES - 1)
    assert wire.table.receive(wire.now, Act(wire.actor, wire.table.version, "a", wire.moves()[0]))


def test_talk_makes_no_move_stale() -> None:
    wire = start(Wire.company())
    seat, seen = wire.actor, wire.table.version
    wire.tell(Say((seat + 1) % 4, "7S!"))
    assert Done("a") in wire.act(seat, id="a", seen=seen)


def test_a_pause_ends_however_long_the_table_has_lasted() -> None:
    wire = start(Wire.company())
    wire.tell(Pause(0, True))
    wire.table.version = MOST
    outputs = wire.table.receive(wire.now, Pause(0, False))
    assert not wire.table.paused and outputs
    assert wire.table.receive(wire.now, Pause(0, True))[0] != outputs[0] and not wire.table.paused


def test_a_secret_is_looked_up_without_looking_at_others() -> None:
    """An update asks it for every socket, and a device may know many."""

    class Counted(str):
        compared = 0

        def __eq__(self, other: object) -> bool:
            Counted.compared += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    wire = Wire.company("fear", 12)
    wire.tell(Start(0))
    wire.tell(Leave(3))
    wire.tell(Remove(0, 4))
    assert [wire.table.seat_of(f"secret {seat}") for seat in (0, 3, 4, 11)] == [0, None, None, 11]
    assert [wire.table.former_seat(f"secret {seat}") for seat in (0, 3, 4)] == [None, 3, None]
    for nobody in (None, "", Counted("secret 12")):
        assert wire.table.seat_of(nobody) is None and wire.table.former_seat(nobody) is None
    assert Counted.compared == 0


def test_a_full_table_is_played_to_its_end_and_may_be_left(monkeypatch: pytest.MonkeyPatch) -> None:
    wire = start(Wire.company("fan-tan", 5, deals=2))
    monkeypatch.setattr("cagnotte.table.MOST", wire.table.version)
    assert "lasted too long" in wire.refusal(Rename(0, "Zoe"))
    wire.tell(Leave(1))
    wire.tell(Remove(0, 2))
    assert "lasted too long" in wire.refusal(Sit("Bo", "another", 1, "secret 1"))
    wire.act(wire.actor) if wire.person() else None
    wire.tell(Leave(0))
    assert wire.table.host == 3
    wire.wait(10_000)
    assert wire.table.state == "over" and wire.restored() == wire.table
    assert "lasted too long" in wire.refusal(Again(3))


# Beside a game of Fear.


def out_of(wire: Wire) -> int:
    """Somebody who is out while others play on."""
    while 0 not in wire.table.play.bank.stacks:
        wire.wait(1)
    return int(wire.table.play.bank.stacks.index(0))


def test_whoever_is_out_of_fear_opens_a_table_beside_it() -> None:
    wire = start(Wire.company("fear", 5, stake=1, chosen={"pace": "quick", "clock": 15, "listed": True}))
    nobody = "whoever is out of a game of Fear opens another table beside it"
    assert wire.refusal(Branch(0, "t")) == nobody
    out = out_of(wire)
    other, entered = wire.table.another(wire.table.check_out(out), "new secret", "ab" * 32)
    assert other.game == wire.table.game and other.names == [NAMES[out], "", "", "", ""] and other.host == 0
    assert (other.pace, other.clock, other.listed, other.state) == ("quick", 15, False, "lobby")
    assert other.seat_of("new secret") == 0 and len(entered) == 4
    wire.tell(Branch(out, "t"))
    assert wire.table.beside == Branched(out, "t") and wire.restored() == wire.table
    playing = next(seat for seat, chips in enumerate(wire.table.play.bank.stacks) if chips)
    assert wire.refusal(Branch(playing, "u")) == nobody
    assert wire.refusal(Branch(None, "u")) == NO_SEAT
    wire.wait(5000)
    assert wire.refusal(Branch(out, "u")) == "nothing is being played"
    wire.tell(Again(0))
    assert wire.table.beside is None and wire.restored() == wire.table


def test_nobody_is_out_of_fan_tan() -> None:
    wire = start(Wire.company("fan-tan"))
    assert "out of a game of Fear" in wire.refusal(Branch(0, "t"))


def test_what_is_said_tells_no_card_of_itself() -> None:
    """Nothing enters the chat but what persons say."""
    wire = start(Wire.company(deals=1))
    wire.wait(5000)
    assert wire.table.state == "over" and wire.table.chat == []
    assert {type(entry).__name__ for entry in wire.entries if not isinstance(entry, Played)} <= {
        "Opened", "Took", "Hosted", "Started", "Sealed", "Drew"
    }  # fmt: skip
    assert any(entry.actor == CHANCE for entry in wire.entries if isinstance(entry, Played))
