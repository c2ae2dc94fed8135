"""A stand-in's moves are told as its own: at the table, in words, and when the deal is told again."""

from typing import Any

import pytest
from wire import Wire

from cagnotte.core import Seat
from cagnotte.entries import Played
from cagnotte.table import Table
from cagnotte.table_terms import Here, Leave, Update
from cagnotte.tales import story, story_json
from cagnotte.telling import table_json, update

DEEDS = ("laid", "passed", "turned", "named", "pack_cut")


def started(*seats: str) -> Wire:
    """A table where all are there and cards are in hand."""
    persons = [seat for seat, kind in enumerate(seats) if kind == "person"]
    wire = Wire.open(players=len(seats), seats=seats).here(*persons)
    wire.deal()
    return wire


def said(wire: Wire, told: Update) -> list[dict[str, Any]]:
    """What a browser is told of it: the log where there is one, else the news."""
    told_json = update(told, table_json(wire.table, "t", wire.now), wire.table.names, "en")
    events: list[dict[str, Any]] = told_json.get("log") or told_json["events"]
    return events


def stood(wire: Wire, viewer: Seat | None) -> list[dict[str, Any]]:
    return [event for event in said(wire, wire.table.look(viewer, log=True)) if event.get("stand_in")]


def on(wire: Wire) -> None:
    """The next move, of whoever is to act and is there."""
    if wire.person() and wire.actor in wire.table.there.present:
        wire.act(wire.actor)
    else:
        wire.wait(21)


def until(wire: Wire, seat: Seat) -> None:
    """The others play until it is this seat's turn."""
    while wire.actor != seat:
        on(wire)


def test_everybody_is_told_that_a_stand_in_acted_and_for_whom() -> None:
    wire = started("person", "person", "person")
    until(wire, 1)
    wire.tell(Here(1, False))
    wire.heard.clear()
    wire.wait(21)
    assert isinstance(wire.entries[-1], Played) and wire.entries[-1].stand_in
    news = {told.viewer: said(wire, told) for told in wire.heard[-3:]}
    for viewer in (None, 0, 2):
        [deed] = [event for event in news[viewer] if event.get("stand_in")]
        assert deed["seat"] == 1 and deed["kind"] in ("laid", "passed")
        assert deed["say"].startswith("The stand-in ") and deed["say"].endswith(" for Bo.")
        assert stood(wire, viewer) == [deed]
    wire.tell(Here(1, True))
    [deed] = stood(wire, 1)
    assert deed["say"].endswith(" for you.")
    until(wire, 1)
    wire.act(1)
    assert stood(wire, 1) == [deed]


def test_whose_time_is_out_is_told_of_alike_and_who_left_too() -> None:
    wire = started("person", "person", "person")
    until(wire, 1)
    wire.wait(91)
    assert len(stood(wire, None)) == 1
    until(wire, 2)
    wire.tell(Leave(2))
    wire.wait(2)
    assert [event["seat"] for event in stood(wire, None)] == [1, 2]


def test_the_moves_of_a_bot_in_its_own_seat_are_its_own() -> None:
    wire = started("person", "steady", "steady")
    until(wire, 1)
    wire.wait(1.2)
    assert isinstance(wire.entries[-1], Played) and wire.entries[-1].stand_in
    assert stood(wire, None) == [] and wire.table.stood == set()


@pytest.mark.parametrize("game", ["fan-tan", "fear"])
def test_the_marks_are_the_same_after_a_restart(game: str) -> None:
    wire = Wire.open(game, 3, ["person", "person", "person"]).here(0, 1, 2)
    wire.tell(Here(1, False))
    for _ in range(40):
        on(wire)
    assert wire.table.stood and Table.restore(wire.entries) == wire.table


@pytest.mark.parametrize("game", ["fan-tan", "fear"])
def test_a_deal_told_again_says_what_the_log_said_of_a_stand_in(game: str) -> None:
    """For who was away in one deal and there in the next, and for who left; not for a bot of its own."""
    rules: dict[str, Any] = {"stake": 1} if game == "fear" else {"deals": 2}
    wire = Wire.open(game, 4, ["person", "person", "person", "steady"], **rules).here(0, 1, 2)
    wire.tell(Here(1, False))
    heard: list[str] = []
    while wire.table.state == "playing":
        if len(wire.table.events) > 60:
            wire.tell(Here(1, True))
            if wire.table.chairs[2].kind == "person":
                wire.tell(Leave(2))
        wire.heard.clear()
        on(wire)
        for told in wire.heard:
            if told.viewer is None:
                heard += [event["say"] for event in said(wire, told) if event["kind"] in DEEDS]
    whole = story(wire.entries)
    again = [story_json(whole, n, "en") for n in range(1, len(whole.tales) + 1)]
    events = [event for each in again for frame in each["frames"] for event in frame["events"]]
    assert [event["say"] for event in events if event["kind"] in DEEDS] == heard
    assert {event["seat"] for event in events if event.get("stand_in")} == {1, 2}
