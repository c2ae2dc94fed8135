"""The keyboard at the table: the focus leads to the move, and keys of a single letter."""

from typing import Any

import pytest
from conftest import Visit
from looks import faults
from person import keep, sent, stage, turn
from playwright.sync_api import Page, expect

OTHERS = "Object.assign(u.view, { actor: 1, moves: [] })"
# It is this player's turn, and all that he can do is one card of his hand, or to pass.
MINE = "Object.assign(u.view, { actor: 0, phase: 'play', price: 1 });"
LAY = MINE + "Object.assign(u.view, { fine: 1, moves: [u.view.hand.at(-2), 'pass'] })"
PASS = MINE + "Object.assign(u.view, { fine: 0, moves: ['pass'] })"


def at_table(visit: Visit, **options: Any) -> Page:
    page = turn(visit, "fan-tan", width=1440, **options)
    stage(page, OTHERS)
    page.keyboard.press("Shift")
    return page


def test_at_ones_turn_the_focus_goes_to_a_card_that_fits_or_else_to_the_pass(visit: Visit) -> None:
    page = at_table(visit)
    page.locator(".held").first.focus()
    stage(page, LAY)
    expect(page.locator(".held[data-fits=true]")).to_be_focused()
    page.keyboard.press("Home")  # he looks through his hand, and somebody comes to watch
    expect(page.locator(".held").first).to_be_focused()
    stage(page, OTHERS)
    stage(page, PASS)
    expect(page.locator(".prompt .pass")).to_be_focused()
    stage(page, OTHERS)  # the button does nothing now
    expect(page.locator(".held[tabindex='0']")).to_be_focused()
    stage(page, LAY)
    expect(page.locator(".held[data-fits=true]")).to_be_focused()


def test_the_focus_is_found_from_nowhere_but_only_for_who_uses_keys(visit: Visit) -> None:
    page = at_table(visit)
    page.evaluate("document.activeElement.blur()")
    stage(page, LAY)
    expect(page.locator(".held[data-fits=true]")).to_be_focused()
    page.locator(".table").click(position={"x": 5, "y": 300})
    page.evaluate("document.activeElement.blur()")
    stage(page, OTHERS)
    stage(page, LAY)
    assert page.evaluate("document.activeElement === document.body")


def test_the_focus_is_never_taken_from_what_is_read_or_written(visit: Visit) -> None:
    page = at_table(visit)
    for what in (".ticker", ".lines", ".to-settings", ".sort"):
        stage(page, OTHERS)
        page.locator(what).first.focus()
        stage(page, LAY)
        expect(page.locator(what).first).to_be_focused()
    stage(page, OTHERS)
    page.locator(".to-settings").click()
    page.keyboard.press("Tab")
    stage(page, LAY)
    assert page.evaluate("Boolean(document.activeElement.closest('dialog'))")


def test_P_passes_from_the_table_and_only_from_there(visit: Visit) -> None:
    page = turn(visit, "fan-tan", width=1440)
    moves = sent(page)
    stage(page, PASS)
    page.locator(".to-settings").focus()
    page.keyboard.press("p")
    page.locator(".held").first.focus()
    page.keyboard.press("Control+p")
    keep(page, keys=False)
    page.keyboard.press("p")
    assert moves() == []
    keep(page, keys=True)
    page.keyboard.press("p")
    assert moves() == ["pass"]


def test_a_pass_that_is_fined_is_asked_once_more_and_P_is_no_answer(visit: Visit) -> None:
    page = turn(visit, "fan-tan", width=1440, rules={"passing": "fined"})
    moves = sent(page)
    stage(page, LAY)
    page.locator(".held").first.focus()
    page.keyboard.press("p")
    expect(page.locator(".prompt .btn.primary")).to_be_focused()
    expect(page.locator(".prompt .btn.primary")).to_have_text("Lay a card")
    page.keyboard.press("p")
    expect(page.locator(".prompt .btn")).to_have_count(2)
    assert moves() == []


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_question_mark_lists_the_keys_and_the_settings_tell_so(visit: Visit, axe: str, lang: str) -> None:
    page = turn(visit, "fan-tan", width=1440, locale=lang)
    page.locator(".held").first.focus()
    page.keyboard.press("?")
    expect(page.locator("dialog .keys dt")).to_have_count(5)
    assert faults(page, axe) == []
    page.keyboard.press("Escape")
    expect(page.locator(".held").first).to_be_focused()
    page.locator(".to-settings").click()
    page.get_by_role("checkbox", name="P passes" if lang == "en" else "P passe").uncheck()
    page.keyboard.press("Escape")
    page.locator(".held").first.focus()
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_have_count(0)


@pytest.mark.parametrize("where", ["h1", ".to-settings"])
def test_a_question_mark_lists_the_keys_before_a_card_has_the_focus(visit: Visit, where: str) -> None:
    page = turn(visit, "fan-tan", width=1440)
    page.locator(where).first.focus()
    page.keyboard.press("?")
    expect(page.locator("dialog[open] .keys dt")).to_have_count(5)


def test_the_focus_comes_back_from_the_list_of_the_keys_each_time(visit: Visit) -> None:
    """Also when the button it was on is gone meanwhile: then it is in the hand."""
    page = turn(visit, "fan-tan", width=1440)
    page.locator(".held").nth(1).focus()
    for _ in range(6):
        page.keyboard.press("?")
        page.locator("dialog[open]").wait_for()
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
        expect(page.locator(".held").nth(1)).to_be_focused()
    stage(page, PASS)
    page.locator(".prompt .pass").focus()
    page.keyboard.press("?")
    page.locator("dialog[open]").wait_for()
    stage(page, OTHERS)
    page.keyboard.press("Escape")
    expect(page.locator(".held[tabindex='0']")).to_be_focused()


def test_a_touch_screen_alone_is_offered_no_keys(visit: Visit) -> None:
    page = visit("/", is_mobile=True, has_touch=True)
    page.locator(".to-settings").click()
    expect(page.get_by_role("checkbox", name="Large figures")).to_be_visible()
    offered = page.get_by_role("checkbox", name="Keys at the table")
    assert offered.count() == int(
        page.evaluate("matchMedia('(any-hover: hover), (any-pointer: fine)').matches")
    )


def test_at_fear_the_focus_goes_to_the_next_card_face_down(visit: Visit) -> None:
    page = turn(visit, "fear", width=1440)
    stage(page, OTHERS)
    page.keyboard.press("Shift")
    page.locator(".place").nth(4).focus()
    up = "u.view.places = u.view.places.map((card, at) => (at < 6 ? '2C' : at < 9 ? null : card))"
    stage(page, f"{up}; Object.assign(u.view, {{ actor: 0, moves: ['turn 6', 'turn 7', 'turn 8'] }})")
    expect(page.locator(".place").nth(6)).to_be_focused()
