"""What people say at the table: as it was typed, to whom it should, and never in the way of the game."""

import time
from typing import Any

import pytest
from company import PLAYS, Frames, at_seat, opened, play, start, tell
from conftest import Visit
from looks import faults, sideways
from playwright.sync_api import Page, expect

FIELD = ".talk .saying input"
BUBBLES = """[...document.querySelectorAll(".bubble")].filter((one) => !one.hidden).map((one) =>
  [one.offsetLeft, one.offsetTop, one.offsetLeft + one.offsetWidth, one.offsetTop + one.offsetHeight])"""


def two(visit: Visit, widths: tuple[int, int] = (1440, 390), **options: Any) -> tuple[Page, Page]:
    """Ann and Bo at a table of Fan Tan that has begun."""
    made = opened(visit, "fan-tan", ["person", "person", "steady"], ["Ann", "Bo"], pace="slow")
    ann, bo = (at_seat(visit, made, seat, width=width, **options) for seat, width in enumerate(widths))
    start(ann)
    bo.locator(".table").wait_for()
    return ann, bo


def say(page: Page, text: str) -> None:
    page.locator(FIELD).fill(text)
    page.locator(FIELD).press("Enter")


def sheet(page: Page) -> None:
    page.locator(".talk-button").click()
    page.get_by_role("dialog").wait_for()


def lines(page: Page) -> list[str]:
    return [" ".join(text.split()) for text in page.locator(".said li").all_inner_texts()]


def test_B135_a_line_is_shown_as_it_was_typed(visit: Visit) -> None:
    """No markup, no links; counted while the sheet is closed, in a bubble by the seat, and said once."""
    ann, bo = two(visit)
    heard = "document.querySelector('[role=log]').innerText.split('Ann: ').length - 1"
    bo.evaluate("window.near = []")
    typed = "<<a>h1>X <scr<script>ipt> https://example.org &amp; *b*"
    say(ann, typed)
    expect(bo.locator(".bubble")).to_have_text(typed)
    place, line, seat = (
        bo.locator(what).bounding_box() for what in (".bubble", ".middle", ".ring [data-seat='0']")
    )
    assert (
        place and seat and line and 0 <= place["y"] - line["y"] - line["height"] < 12
    )  # pool and log are read
    assert seat["x"] < place["x"] + place["width"] / 2 < seat["x"] + seat["width"]
    expect(bo.locator(".talk-button .unread")).to_have_text("1")
    expect(bo.locator(".talk-button")).to_have_accessible_name("Chat, 1 new message")
    assert bo.evaluate(heard) == 1
    sheet(bo)
    assert lines(bo) == [f"Ann {typed}"] == lines(ann)
    for page in (ann, bo):
        assert page.locator(".said li :not(b, span)").count() == 0
    expect(ann.locator(".bubble")).to_have_count(0)
    bo.keyboard.press("Escape")
    expect(bo.locator(".talk-button .unread")).to_have_count(0)
    expect(bo.locator(".talk-button")).to_be_focused()
    bo.reload()
    bo.locator(".table").wait_for()
    assert bo.evaluate(heard) == 0
    sheet(bo)
    assert lines(bo) == [f"Ann {typed}"]


@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 664), (844, 390)])
def test_what_neighbours_say_at_once_is_all_read(visit: Visit, width: int, height: int) -> None:
    """No bubble lies over another or sticks out, also once a phone is turned; without room the oldest go."""
    made = opened(visit, "fan-tan", ["person"] * 4, ["Ann", "Bo", "Cy", "Di"], pace="slow")
    ann, bo, cy, di = (at_seat(visit, made, seat, width=844) for seat in range(4))
    di.set_viewport_size({"width": width, "height": height})
    start(ann)
    di.locator(".table").wait_for()

    def apart() -> int:
        boxes = di.evaluate(BUBBLES)
        for at, (left, top, right, bottom) in enumerate(boxes):
            assert left >= 0 and top >= 0 and right <= di.viewport_size["width"], boxes  # type: ignore[index]
            assert bottom <= di.viewport_size["height"], boxes  # type: ignore[index]
            for other in boxes[at + 1 :]:
                apart = other[0] >= right or other[2] <= left or other[1] >= bottom or other[3] <= top
                assert apart, boxes
        return len(boxes)

    for text in ("good evening to all of you at this table", "W" * 150):
        for page, name in ((ann, "Ann"), (bo, "Bo"), (cy, "Cy")):
            tell(page, f"net.send({{ type: 'say', text: '{name} {text}' }})")
            di.locator(".bubble", has_text=f"{name} {text[:9]}").wait_for()
            apart()
        assert apart() >= (3 if "good" in text and height > 400 else 1)
        expect(di.locator(".bubble", has_text=f"Cy {text[:9]}")).to_be_visible()
    di.set_viewport_size({"width": height, "height": width})
    di.wait_for_timeout(100)
    assert apart()


@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 664), (768, 1024)])
def test_a_bubble_lies_over_no_seat_but_its_own(visit: Visit, width: int, height: int) -> None:
    """One that has to give way to another seat says whose it is, and no other does."""
    made = opened(visit, "fear", ["person", "person", *["steady"] * 9], ["Ann", "Bo"], pace="slow")
    ann, bo = (at_seat(visit, made, seat, width=width) for seat in (0, 1))
    ann.set_viewport_size({"width": width, "height": height})
    start(ann)
    over = """() => {
      const bubble = document.querySelector(".bubble").getBoundingClientRect();
      return [...document.querySelectorAll(".seat:not([data-seat='1'])")].filter((one) => {
        const seat = one.getBoundingClientRect();
        const beside = seat.right <= bubble.left || seat.left >= bubble.right;
        return !beside && seat.bottom > bubble.top && seat.top < bubble.bottom;
      }).length;
    }"""
    for text in ("hello", "good evening to all of you at this table"):
        tell(bo, f"net.send({{ type: 'say', text: '{text}' }})")
        bubble = ann.locator(".bubble", has_text=text)
        bubble.wait_for()
        assert ann.evaluate(over) == 0
        rows = "all => new Set(all.map(one => one.offsetTop)).size"
        several = ann.locator(".ring .seat").evaluate_all(rows) > 1
        expect(bubble).to_have_text(f"Bo {text}" if several else text)


def test_B139_too_much_is_refused_and_nobody_s_reading_is_disturbed(visit: Visit) -> None:
    ann, bo = two(visit, (1440, 320))
    ann.locator(FIELD).fill("👩‍👩‍👧" * 200)
    expect(ann.locator("#too-long")).to_be_empty()
    pasted = "one.value = 'x'.repeat(1e6); one.dispatchEvent(new Event('input', { bubbles: true }))"
    ann.locator(FIELD).evaluate(f"one => {{ {pasted} }}")  # not every driver fills in as much
    expect(ann.locator("#too-long")).to_have_text("At most 200 characters: 999,800 too many.")
    ann.locator(FIELD).press("Enter")
    ann.locator(FIELD).fill("")
    expect(ann.locator("#too-long")).to_be_empty()
    sheet(bo)
    for page in (ann, bo, ann, bo, ann, bo):
        say(page, "W" * 199)
    expect(bo.locator(".said li")).to_have_count(6)
    assert sideways(bo) <= 0
    assert bo.locator(".said ol").evaluate("one => one.scrollWidth - one.clientWidth") <= 0
    at_end = "one => one.scrollTop + one.clientHeight > one.scrollHeight - 4"
    assert bo.locator(".said ol").evaluate(at_end)
    bo.locator(".said ol").evaluate("one => one.scrollTo(0, 10)")
    expect(bo.locator(".newest")).to_be_visible()
    say(ann, "one more")
    expect(bo.locator(".said li")).to_have_count(7)
    assert bo.locator(".said ol").evaluate("one => one.scrollTop") == 10
    bo.locator(".newest").click()
    assert bo.locator(".said ol").evaluate(at_end)
    expect(bo.locator(".newest")).to_have_count(0)


def test_what_is_said_too_fast_is_not_lost(visit: Visit) -> None:
    """B075: the refusal is shown, and the line stands in the field again."""
    ann, _ = two(visit)
    for n in range(6):
        say(ann, f"line {n}")
    expect(ann.locator(".talk").get_by_role("alert")).to_be_visible()
    expect(ann.locator(FIELD)).to_have_value("line 5")
    assert ann.locator(".note").count() == 0


def test_a_sign_too_many_brings_back_no_line_that_was_said(visit: Visit) -> None:
    """The reason stands in the sheet, where he looks who made it."""
    _, bo = two(visit)
    sheet(bo)
    say(bo, "hello")
    expect(bo.locator(".said li")).to_have_count(1)
    for _ in range(6):
        bo.get_by_role("button", name="Applause").click()
    reason = bo.get_by_role("dialog").get_by_role("alert")
    expect(reason).to_contain_text("at once")
    expect(bo.locator(FIELD)).to_have_value("")
    assert reason.evaluate(
        "one => { const { x, y } = one.getBoundingClientRect();"
        " return one.contains(document.elementFromPoint(x + 5, y + 8)); }"
    )
    assert bo.locator(".note").count() == 0


def test_a_note_is_seen_in_the_dialog_that_is_open(visit: Visit) -> None:
    _, bo = two(visit)
    sheet(bo)
    tell(bo, "net.send({ type: 'pause', on: true })")
    expect(bo.get_by_role("dialog").locator(".note")).to_contain_text("Only the host may do that.")
    note, body = (bo.get_by_role("dialog").locator(what).bounding_box() for what in (".note", ".body"))
    assert note and body and body["y"] + body["height"] <= note["y"]
    bo.keyboard.press("Escape")
    expect(bo.locator(".table .note")).to_contain_text("Only the host may do that.")


def test_B179_no_key_of_the_table_works_while_one_types(visit: Visit) -> None:
    made = opened(visit, "fan-tan", ["person", "person", "steady"], ["Ann", "Bo"], pace="slow")
    page = at_seat(visit, made, 0, width=1440)
    frames = Frames(page)
    page.reload()
    start(page)
    page.locator(FIELD).focus()
    page.wait_for_timeout(300)
    before = len(frames.all)
    for key in "abcdefghijklmnopqrstuvwxyz0123456789 .,?!+-":
        page.keyboard.press(key)
    for key in ("Escape", "ArrowLeft", "ArrowUp", "Home", "End", "Space", "Backspace"):
        page.keyboard.press(key)
    expect(page.locator(FIELD)).to_have_value("abcdefghijklmnopqrstuvwxyz0123456789 .,?!+-")
    expect(page.locator(FIELD)).to_be_focused()
    assert [frame for way, frame in frames.all[before:] if way == "said" and frame["type"] != "ping"] == []
    assert page.get_by_role("dialog").count() == 0


def test_quick_signs_have_words(visit: Visit) -> None:
    ann, bo = two(visit)
    names = ["Applause", "Ha ha", "Wow", "Oops", "I'm thinking", "Love it", "Hurry up, please", "Well played"]
    buttons = ann.get_by_role("group", name="Quick reactions").get_by_role("button")
    expect(buttons).to_have_count(len(names))
    for button, name in zip(buttons.all(), names, strict=True):
        expect(button).to_have_accessible_name(name.replace("'", "’"))
    ann.get_by_role("button", name="Well played").click()
    expect(bo.locator(".bubble .sign")).to_be_visible()
    expect(bo.locator(".talk-button .unread")).to_have_count(0)
    sheet(bo)
    expect(bo.locator(".said li")).to_have_text(["Ann Well played"])
    for each in bo.locator(".reactions .btn, .saying .btn, .hearing summary").all():
        each.scroll_into_view_if_needed()  # which waits until it no longer moves
        box = each.bounding_box()
        assert box and min(box["width"], box["height"]) >= 44


def test_one_may_be_muted_for_oneself_and_all_for_the_table(visit: Visit) -> None:
    ann, bo = two(visit, (1440, 1440))
    bo.locator(".hearing summary").click()
    bo.get_by_label("Show what Ann says (seat 1)").uncheck()
    say(ann, "not for Bo")
    expect(ann.locator(".said li")).to_have_count(1)
    say(bo, "hello")
    expect(bo.locator(".said li")).to_have_text(["Bo hello"])
    assert bo.locator(".bubble").count() == 0 and "not for Bo" not in bo.inner_text("body")
    bo.reload()
    expect(bo.locator(".said li")).to_have_text(["Bo hello"])
    bo.locator(".hearing summary").click()
    bo.get_by_label("Show what Ann says (seat 1)").check()
    expect(bo.locator(".said li")).to_have_text(["Ann not for Bo", "Bo hello"])
    bo.get_by_label("nowhere").check()
    expect(bo.locator(".said li, .saying, .reactions")).to_have_count(0)
    bo.get_by_label("beside their seats").check()
    expect(bo.get_by_label("Turn the chat off for the whole table")).to_have_count(0)
    ann.locator(".hearing summary").click()
    ann.get_by_label("Turn the chat off for the whole table").check()
    expect(bo.locator(".talk")).to_contain_text("The host has turned the chat off.")
    expect(bo.locator(".saying, .reactions")).to_have_count(0)
    ann.get_by_label("Turn the chat off for the whole table").uncheck()
    expect(bo.locator(".saying")).to_be_visible()


def out(*pages: Page) -> Page:
    """The page of the first who is out of a game of Fear."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        for page in pages:
            if page.locator(".me [data-absent=out]").count():
                return page
        pages[0].wait_for_timeout(30)
    raise AssertionError("nobody is out")


def test_B141_who_is_out_may_talk_and_who_looks_on_may_not(visit: Visit) -> None:
    """As docs/table.md says, also after a reload."""
    seats = ["person", "person", *["steady"] * 8]  # so that somebody else is still in
    made = opened(visit, "fear", seats, ["Ann", "Bo"], rules={"stake": 1})
    ann, bo = (at_seat(visit, made, seat, width=1440, script=PLAYS) for seat in (0, 1))
    onlooker = visit(f"/t/{made['table']}", width=1440)
    start(ann)
    for page in (ann, bo):
        play(page)
    page = out(ann, bo)
    page.reload()
    say(page, "I watch")
    onlooker.reload()
    expect(onlooker.locator(".said li")).to_contain_text(["I watch"])
    expect(onlooker.locator(".talk")).to_contain_text("Only those at the table can write.")
    expect(onlooker.locator(".saying, .reactions")).to_have_count(0)


def test_nobody_to_talk_to_no_chat(visit: Visit) -> None:
    made = opened(visit, "fan-tan", ["person", "steady", "steady"], ["Ann"], pace="slow")
    page = at_seat(visit, made, 0, width=1440)
    page.locator(".table").wait_for()
    assert page.locator(".talk, .talk-button").count() == 0


@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("fr", "dark")])
def test_axe_finds_nothing_in_the_chat(visit: Visit, axe: str, lang: str, scheme: str) -> None:
    ann, bo = two(visit, (1440, 320), locale=lang, color_scheme=scheme)
    say(ann, "x" * 150)
    tell(ann, "net.send({ type: 'react', what: 'heart' })")
    expect(bo.locator(".bubble")).to_be_visible()
    assert faults(bo, axe) == []
    sheet(bo)
    bo.locator(".hearing summary").click()
    ann.locator(".hearing summary").click()
    bo.locator(FIELD).fill("y" * 300)
    assert sideways(bo) <= 0
    for page in (ann, bo):
        assert faults(page, axe) == []
