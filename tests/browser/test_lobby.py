"""The waiting room in a real browser: invitations, seats, and coming back to them."""

import re
from collections.abc import Callable

import pytest
from looks import faults, sideways
from playwright.sync_api import Page, expect

Visit = Callable[..., Page]


def invite(visit: Visit, game: str = "fan-tan", name: str = "Ann", **options: object) -> Page:
    """A host in the waiting room of a new table."""
    page = visit(f"/?game={game}", **options)
    page.locator("#name").fill(name)
    page.locator(".acts button").nth(1).click()
    page.locator(".lobby").wait_for()
    return page


def sit(visit: Visit, host: Page, name: str = "Bo", **options: object) -> Page:
    """A guest who opened the host's link and took a seat."""
    page = visit(path_of(host), **options)
    page.locator("#name").fill(name)
    page.locator("form .primary").click()
    page.locator(".chair.own").wait_for()
    return page


def path_of(page: Page) -> str:
    return re.sub(r"https?://[^/]+", "", page.url)


def seats(page: Page) -> list[str]:
    return [" ".join(text.split()) for text in page.locator(".chair .name").all_inner_texts()]


def reopened(page: Page) -> Page:
    """The same table in a new tab of the same browser, the old tab closed."""
    url, context = page.url, page.context
    page.close()
    again = context.new_page()
    again.goto(url)
    return again


def at_cards(page: Page) -> None:
    """The game has begun, and one plays in it."""
    page.get_by_role("region", name="Table").wait_for()
    expect(page.get_by_text("You are watching")).to_have_count(0)


def test_a_friend_opens_the_link_sits_down_and_both_play(visit: Visit) -> None:
    host = invite(visit)
    link = host.get_by_label("Invite your friends with this link")
    assert link.input_value() == host.url
    guest = sit(visit, host)
    expect(host.locator(".chair .name")).to_have_text(["Ann", "Bo", "Open", "Open"])
    assert seats(guest) == seats(host)
    expect(guest.get_by_text("Ann will start the game")).to_be_visible()
    expect(guest.get_by_role("button", name="Let Ann go")).to_have_count(0)
    host.get_by_role("button", name="Fill up and start").click()
    for page in (host, guest):
        at_cards(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_host_and_guest_see_a_faultless_page(visit: Visit, axe: str, lang: str, scheme: str) -> None:
    host = invite(visit, locale=lang, color_scheme=scheme)
    assert faults(host, axe) == []
    guest = visit(path_of(host), locale=lang, color_scheme=scheme)
    guest.locator(".chair .btn").first.wait_for()
    assert faults(guest, axe) == []
    guest.locator("form .primary").click()
    guest.locator(".chair.own").wait_for()
    assert faults(guest, axe) == []
    guest.locator(".bar .icon").click()
    guest.get_by_role("dialog").wait_for()
    assert faults(guest, axe) == []


@pytest.mark.parametrize("width", [320, 390, 768, 1440, 1920])
def test_twelve_long_names_fit(visit: Visit, width: int) -> None:
    """B133."""
    host = invite(visit, "fear", "W" * 20, width=width)
    assert sideways(host) <= 0
    guest = sit(visit, host, "👩‍👩‍👧‍👦" + "m" * 9, width=width)
    expect(guest.locator(".chair.own .name")).to_have_text("👩‍👩‍👧‍👦" + "m" * 9)
    assert sideways(guest) <= 0
    assert sideways(host) <= 0


def test_markup_in_a_name_is_text(visit: Visit) -> None:
    """B135."""
    host = invite(visit, name="<b>Ann</b>")
    expect(host.locator(".chair.own .name")).to_have_text("<b>Ann</b>")


def test_one_comes_back_to_the_same_seat(visit: Visit) -> None:
    """B039, B057: one entry for each, and the host is still host."""
    host = invite(visit)
    guest = sit(visit, host)
    guest, host = reopened(guest), reopened(host)
    for page in (host, guest):
        expect(page.locator(".chair .name")).to_have_text(["Ann", "Bo", "Open", "Open"])
    expect(guest.locator(".chair.own .name")).to_have_text("Bo")
    host.reload()
    host.get_by_role("button", name="Fill up and start").click()
    for page in (host, guest):
        at_cards(page)
    guest = reopened(guest)
    at_cards(guest)


def test_a_game_that_starts_while_one_is_cut_off_is_joined(visit: Visit) -> None:
    """B057: the page finds back by itself, without a reload."""
    host = invite(visit)
    guest = sit(visit, host, forgive="WebSocket|Failed to load resource")
    guest.evaluate("window.stayed = true")
    guest.context.set_offline(True)
    drop(guest)
    expect(guest.get_by_text("Connection lost")).to_be_visible()
    host.get_by_role("button", name="Fill up and start").click()
    guest.context.set_offline(False)
    at_cards(guest)
    expect(guest.get_by_text("Connection lost")).to_have_count(0)
    assert guest.evaluate("window.stayed")


def drop(page: Page) -> None:
    """Let the page notice at once that its line is dead."""
    modules = page.evaluate("document.querySelector('script[type=module]').src.replace('main.js', '')")
    page.evaluate(f"import('{modules}net.js').then((net) => net.retry())")


def test_the_host_lets_somebody_go(visit: Visit) -> None:
    host = invite(visit)
    guest = sit(visit, host)
    host.get_by_role("button", name="Let Bo go").click()
    expect(guest.locator(".chair.own")).to_have_count(0)
    guest.get_by_role("button", name="Sit here seat 3").click()
    expect(host.locator(".chair .name")).to_have_text(["Ann", "Open", "Bo", "Open"])


def test_a_name_is_changed_unless_another_has_it(visit: Visit) -> None:
    host = invite(visit)
    guest = sit(visit, host)
    guest.get_by_role("button", name="Change your name").click()
    guest.locator("#name").fill("Ann")
    guest.get_by_role("button", name="Keep this name").click()
    expect(guest.get_by_role("alert").filter(has_text="Ann")).to_be_visible()
    guest.get_by_role("button", name="Change your name").click()
    guest.locator("#name").fill("Cy")
    guest.get_by_role("button", name="Keep this name").click()
    expect(host.locator(".chair .name")).to_have_text(["Ann", "Cy", "Open", "Open"])


def test_names_are_asked_for_and_not_demanded(visit: Visit) -> None:
    host = invite(visit, name="")
    for _ in range(2):
        sit(visit, host, "")
    expect(host.locator(".chair .name")).to_have_text(["Guest", "Guest 2", "Guest 3", "Open"])


def test_who_leaves_frees_the_seat(visit: Visit) -> None:
    host = invite(visit)
    guest = sit(visit, host)
    guest.get_by_role("button", name="Settings").click()
    guest.get_by_role("button", name="Leave the table").click()
    guest.get_by_role("button", name="Leave", exact=True).click()
    expect(guest.get_by_role("heading", name="Five old games, one pool")).to_be_visible()
    expect(guest.get_by_role("heading", name="Back to your seat")).to_have_count(0)
    expect(host.locator(".chair .name")).to_have_text(["Ann", "Open", "Open", "Open"])


def test_a_private_link_brings_the_seat_to_another_device(visit: Visit) -> None:
    """B061: both show the same seat."""
    host = invite(visit)
    host.get_by_role("button", name="Settings").click()
    private = host.get_by_label("Your seat on another device").input_value()
    phone = visit(private)
    expect(phone.locator(".chair.own .name")).to_have_text("Ann")
    assert "seat=" not in phone.url
    expect(host.locator(".chair.own .name")).to_have_text("Ann")


def test_a_code_is_taken_in_any_case_and_with_spaces(visit: Visit) -> None:
    host = invite(visit)
    code = path_of(host).rpartition("/")[2].upper()
    guest = visit()
    guest.get_by_label("Has somebody invited you?").fill(f" {code[:4]} {code[4:]} ")
    guest.get_by_role("button", name="Join").click()
    expect(guest.get_by_role("button", name="Take a seat")).to_be_visible()
    guest.go_back()
    guest.get_by_label("Has somebody invited you?").fill(host.url)
    guest.keyboard.press("Enter")
    expect(guest.get_by_role("button", name="Take a seat")).to_be_visible()


def test_all_of_it_goes_by_keyboard(visit: Visit) -> None:
    """B173: from home to a seat and a start, with the focus always somewhere."""
    page = visit()
    page.get_by_role("link", name="Fan Tan", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Fan Tan")).to_be_focused()
    reach(page, "Invite friends")
    page.keyboard.press("Enter")
    page.locator(".lobby").wait_for()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    reach(page, "Fill up and start")
    page.keyboard.press("Enter")
    at_cards(page)


def reach(page: Page, name: str) -> None:
    """Press Tab until the button of this name has the focus."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == name:
            return
    raise AssertionError(f"Tab does not reach {name}")


def test_comings_are_said_once(visit: Visit) -> None:
    """B169."""
    host = invite(visit)
    sit(visit, host)
    expect(host.get_by_role("log").filter(has_text="Bo has taken a seat.")).to_have_count(1)
    said = host.locator("[role=log].sr p").all_inner_texts()
    assert said == ["Bo has taken a seat."]


def test_who_leaves_a_game_may_come_back_to_the_seat(visit: Visit) -> None:
    host = invite(visit)
    guest = sit(visit, host)
    host.get_by_role("button", name="Fill up and start").click()
    at_cards(guest)
    guest.get_by_role("button", name="Settings").click()
    guest.get_by_role("button", name="Leave the table").click()
    guest.get_by_role("button", name="Leave", exact=True).click()
    guest.get_by_role("link", name="Fan Tan").first.click()
    guest.get_by_role("button", name="Back to my seat").click()
    expect(guest.get_by_role("button", name="Back to my seat")).to_have_count(0)
    at_cards(guest)


def test_an_onlooker_is_told_so(visit: Visit) -> None:
    """B171: a full table is watched, not entered."""
    host = invite(visit)
    host.get_by_role("button", name="Fill up and start").click()
    host.locator(".page-table").wait_for()
    other = visit(path_of(host))
    expect(other.get_by_text("You are watching")).to_be_visible()
