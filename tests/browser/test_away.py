"""Whoever is away, and the stand-in that plays for him: what the others read, and he himself."""

import json
import re

import pytest
from conftest import Visit
from looks import faults
from person import asked, press, stage, turn
from playwright.sync_api import WebSocketRoute, expect

AWAY = """
  Object.assign(u.view, { actor: 1, moves: [] });
  Object.assign(u.table.seats[1], { name: "Bo", kind: "person", here: false, stand_in: false });
  u.table.waiting = { for: [1], what: "act", until: v.until, of: 20000 };
"""
DID = """
  const did = (stand_in, kind = "laid", seat = 0) => ({ kind, seat, card: "8S", say: "So.", stand_in });
"""
SAYS = {
    "en": "Bo is away: a stand-in plays when the time is out.",
    "fr": "Bo n’est pas là : un remplaçant va jouer.",
}


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("game", ["fan-tan", "fear"])
def test_the_prompt_says_that_a_stand_in_comes(visit: Visit, lang: str, game: str) -> None:
    page = turn(visit, game, width=320, locale=lang)
    stage(page, AWAY, until=9000)
    said = page.locator(".prompt p").first
    expect(said).to_have_text(SAYS[lang].replace(" :", "\u00a0:"))
    if lang == "en":
        stage(page, AWAY + "u.table.seats[1].stand_in = true", until=900)
        expect(said).to_have_text("Bo is away: a stand-in plays.")
        stage(page, AWAY, until=None)  # nobody comes while no time runs
        expect(said).not_to_contain_text("stand-in")
        stage(page, AWAY + "u.table.seats[1].here = true", until=9000)
        expect(said).not_to_contain_text("stand-in")


def test_a_shared_screen_says_so_too(visit: Visit) -> None:
    page = turn(visit, "fan-tan", width=1920)
    page.goto(page.url + "/screen")

    page.locator(".screen .now").wait_for()
    stage(page, AWAY, until=9000)
    expect(page.locator(".now")).to_contain_text(SAYS["en"])


def test_who_comes_back_reads_once_how_many_turns_were_played_for_him(visit: Visit, axe: str) -> None:
    page = turn(visit, "fan-tan")
    note = page.locator(".note")
    stage(page, DID + "u.log = [did(true), did(false), did(true), did(true, 'passed'), did(true, 'laid', 1)]")
    expect(note).to_have_text("While you were away, a stand-in played 2 turns for you.")
    assert faults(page, axe) == []
    stage(page, "delete u.log; u.table.watching = 1")  # it stays while others come and play
    expect(note).to_have_count(1)
    note.get_by_role("button", name="Close").click()
    stage(page, DID + "u.log = [did(true), did(false), did(true), did(true, 'passed')]")
    expect(note).to_have_count(0)
    stage(page, DID + "u.log = [did(true), did(false), did(true), did(true, 'passed'), did(true)]")
    expect(note).to_have_text("While you were away, a stand-in played 1 turn for you.")
    page.keyboard.press("Shift")
    stage(page, "u.view.moves = ['pass']")
    page.locator(".prompt .pass").click()
    expect(note).to_have_count(0)


def lent(socket: WebSocketRoute) -> None:
    """The server, by which all that this page's player did was done by a stand-in."""
    server = socket.connect_to_server()

    def to_page(text: str | bytes) -> None:
        told = json.loads(text)
        for event in told.get("log", ()):
            if event.get("seat") == told["table"]["me"] and event["kind"] in ("laid", "passed", "pack_cut"):
                event["stand_in"] = True
        socket.send(json.dumps(told))

    server.on_message(to_page)


def test_who_loads_the_page_again_is_not_told_again(visit: Visit) -> None:
    """Of the turns that a stand-in played for him: also while his own next is still to come."""
    page = turn(visit, "fan-tan")
    press(page, asked(page))
    asked(page)
    page.route_web_socket(re.compile("/ws/"), lent)
    page.evaluate("localStorage.removeItem('cagnotte.stood')")  # as if he had been away meanwhile
    page.reload()
    expect(page.locator(".note")).to_have_text(re.compile("a stand-in played [0-9]+ turns? for you"))
    page.reload()
    asked(page)
    expect(page.locator(".note")).to_have_count(0)


def test_that_somebody_is_away_is_heard_once_for_each_time_he_goes(visit: Visit) -> None:
    page = turn(visit, "fan-tan")
    heard = page.locator("[role=log].sr p", has_text="a stand-in")
    live = "delete u.log;" + AWAY
    stage(page, "")
    stage(page, live, until=9000)
    expect(heard).to_have_text([SAYS["en"]])
    stage(page, live + "u.table.seats[1].stand_in = true", until=900)
    stage(page, live + "u.view.actor = 2; u.table.seats[2].kind = 'bot'", until=900)
    stage(page, live + "u.table.seats[1].stand_in = true", until=900)
    expect(heard).to_have_count(1)
    stage(page, live + "u.table.seats[1].here = true", until=900)
    stage(page, live, until=9000)
    expect(heard).to_have_text([SAYS["en"]] * 2)


LAST = """
  u.view.places = u.view.places.map((card, at) => (at === 3 ? null : (card ?? "2C")));
  u.view.moves = ["turn 3"];
"""
OTHERS = "Object.assign(u.view, { actor: 1, moves: [] }); u.table.seats[1].name = 'Bo'"
LAST_SAID = {
    "en": ("The last card: it is the fear.", "Bo turns over the last card: it is the fear."),
    "fr": (
        "La dernière carte\u00a0: c’est la peur.",
        "Bo retourne la dernière carte\u00a0: c’est la peur.",
    ),
}


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_F8_the_last_card_face_down_is_said_to_be_the_fear(visit: Visit, lang: str) -> None:
    page, (mine, other) = turn(visit, "fear", locale=lang), LAST_SAID[lang]
    said = page.locator(".prompt p").first
    expect(said).not_to_have_text(mine)
    stage(page, LAST)
    expect(said).to_have_text(mine)
    stage(page, LAST + OTHERS)
    expect(said).to_have_text(other)
