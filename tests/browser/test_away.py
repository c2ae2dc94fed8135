"""Whoever is away, and the stand-in that plays for him: what the others read, and he himself."""

import pytest
from looks import faults
from person import Visit, stage, turn
from playwright.sync_api import expect

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
    expect(page.locator(".now")).to_have_text(SAYS["en"])


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
    stage(page, DID + "u.log = [did(true), did(true), did(true)]")
    expect(note).to_have_text("While you were away, a stand-in played 1 turn for you.")
    page.keyboard.press("Shift")
    stage(page, "u.view.moves = ['pass']")
    page.locator(".prompt .pass").click()
    expect(note).to_have_count(0)


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
