"""The waiting room in a real browser: invitations, seats, and coming back to them."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from camera import decoded
from company import Frames, cut_off
from conftest import Served, Visit
from looks import faults, resize, sideways
from person import turn
from playwright.sync_api import Browser, Page, expect


def invite(visit: Visit, game: str = "fan-tan", name: str = "Ann", **options: Any) -> Page:
    """A host in the waiting room of a new table."""
    page = visit(f"/?game={game}", **options)
    page.locator("#name").fill(name)
    page.get_by_role("radio").nth(1).check()  # with friends
    page.locator(".acts .btn").click()
    page.locator(".lobby").wait_for()
    return page


def sit(visit: Visit, host: Page, name: str = "Bo", **options: Any) -> Page:
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
    expect(page.get_by_text("You are watching", exact=True)).to_have_count(0)


def test_a_friend_opens_the_link_sits_down_and_both_play(visit: Visit) -> None:
    host = invite(visit)
    link = host.get_by_label("Link to this table")
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
    guest.locator(".bar .icon").last.click()
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
    cut_off(guest)
    expect(guest.get_by_text("Connection lost")).to_be_visible()
    host.get_by_role("button", name="Fill up and start").click()
    guest.context.set_offline(False)
    at_cards(guest)
    expect(guest.get_by_text("Connection lost")).to_have_count(0)
    assert guest.evaluate("window.stayed")


def test_the_host_lets_somebody_go(visit: Visit) -> None:
    host = invite(visit)
    guest = sit(visit, host)
    host.bring_to_front()  # a window behind another has no focus in every browser
    host.get_by_role("button", name="Let Bo go").click()
    host.get_by_role("button", name="No", exact=True).click()
    expect(host.get_by_role("button", name="Let Bo go")).to_be_focused()
    host.keyboard.press("Enter")
    host.get_by_role("button", name="Let go").click()
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


def test_a_name_is_typed_with_its_spaces(visit: Visit) -> None:
    """Letter by letter, as people do."""
    page = visit("/?game=fan-tan")
    page.locator("#name").press_sequentially("Ann Lee 2")
    expect(page.locator("#name")).to_have_value("Ann Lee 2")
    page.reload()
    expect(page.locator("#name")).to_have_value("Ann Lee 2")


def test_names_are_asked_for_and_not_demanded(visit: Visit) -> None:
    host = invite(visit, name="")
    for _ in range(2):
        sit(visit, host, "")
    expect(host.locator(".chair .name")).to_have_text(["Guest", "Guest 2", "Guest 3", "Open"])


def test_each_reads_in_his_language_who_gave_no_name(visit: Visit) -> None:
    host = invite(visit, name="", locale="fr")
    guest = sit(visit, host, "")
    expect(host.locator(".chair .name")).to_have_text(["Anonyme", "Anonyme 2", "Libre", "Libre"])
    expect(guest.locator(".chair .name")).to_have_text(["Guest", "Guest 2", "Open", "Open"])
    expect(guest.get_by_text("Guest will start the game")).to_be_visible()
    guest.get_by_role("button", name="Change your name").click()
    guest.get_by_role("button", name="Keep this name").click()
    expect(guest.get_by_role("button", name="Keep this name")).to_have_count(0)
    expect(guest.locator(".chair.own .name")).to_have_text("Guest 2")
    host.get_by_role("button", name="Compléter et commencer").click()
    for page, names in ((host, {"Anonyme 2"}), (guest, {"Guest"})):
        at_cards(page)
        page.wait_for_function(
            "names => names.every(one => document.body.innerText.includes(one))", arg=[*names]
        )
    assert "Anonyme" not in guest.locator("body").inner_text()
    assert "#" not in guest.locator("body").inner_text() + host.locator("body").inner_text()


def test_who_leaves_frees_the_seat(visit: Visit) -> None:
    host = invite(visit)
    guest = sit(visit, host)
    guest.get_by_text("Your seat", exact=True).click()
    guest.get_by_role("button", name="Leave the table").click()
    guest.get_by_role("button", name="Leave", exact=True).click()
    expect(guest.get_by_role("heading", name="Five old games, one pool")).to_be_visible()
    expect(guest.get_by_role("heading", name="Back to your seat")).to_have_count(0)
    expect(host.locator(".chair .name")).to_have_text(["Ann", "Open", "Open", "Open"])


def test_a_private_link_brings_the_seat_to_another_device(visit: Visit) -> None:
    """B061: both show the same seat."""
    host = invite(visit)
    host.get_by_text("Your seat", exact=True).click()
    private = host.get_by_label("Your seat on another device").input_value()
    phone = visit(private)
    expect(phone.locator(".chair.own .name")).to_have_text("Ann")
    assert "seat=" not in phone.url
    expect(host.locator(".chair.own .name")).to_have_text("Ann")


def test_a_code_is_taken_in_any_case_and_with_spaces(visit: Visit) -> None:
    """B143."""
    host = invite(visit)
    code = "".join(host.locator(".room-code b").all_inner_texts())
    assert re.fullmatch("[23456789FHKLMRTX]{6}", code)
    guest = visit()
    for typed in (f" {code[:3]} {code[3:]} ", f"{code[:2]}-{code[2:]}".lower(), host.url):
        link, field = guest.locator(".to-join"), guest.get_by_label("Has somebody invited you?")
        expect(link.or_(field).locator("visible=true")).to_be_visible()
        if not field.is_visible():  # a wide page has it at once
            link.click()
        field.fill(typed)
        guest.keyboard.press("Enter")
        expect(guest.get_by_role("button", name="Take a seat")).to_be_visible()
        guest.goto("/")
    guest.goto(f"/join?code={code.lower()}")
    expect(guest.get_by_role("button", name="Take a seat")).to_be_visible()


def test_B149_a_code_that_leads_nowhere_is_explained(visit: Visit, axe: str) -> None:
    page = visit("/join?code=zzz", forgive="status of (404|429)")
    expect(page.get_by_role("alert").filter(has_text="No table has this code")).to_be_visible()
    assert faults(page, axe) == []
    page.route("**/api/codes/*", lambda route: route.fulfill(status=429, body="{}"))
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("alert").filter(has_text="Too many codes")).to_be_visible()
    page.get_by_role("link", name="All games").click()
    expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_B149_running_full_and_finished_tables_say_so_with_a_way_on(visit: Visit) -> None:
    host = invite(visit, "fear")
    for seat in range(2, 7):
        host.get_by_role("button", name=f"Put a bot on seat {seat}").click()
        expect(host.locator(".chair.open")).to_have_count(6 - seat)
    other = visit(path_of(host))
    expect(other.get_by_text("All seats are taken")).to_be_visible()
    expect(other.get_by_role("link", name="Open a table of your own")).to_be_visible()
    host.get_by_role("button", name="Start").click()
    expect(other.get_by_text("This game is under way")).to_be_visible()
    played(host)
    expect(other.get_by_text("This game is over. Take a seat")).to_be_visible()
    other.get_by_role("status").get_by_role("button", name="Take a seat").click()
    expect(other.get_by_text("This game is over")).to_have_count(0)
    late = visit(path_of(host))
    expect(late.get_by_text("This game is over. Take a seat")).to_be_visible()


def played(page: Page) -> None:
    """Play whatever may be played, at once, until the game is over."""
    modules = page.evaluate("document.querySelector('script[src*=main]').src.replace('main.js', '')")
    page.evaluate(
        f"""import('{modules}net.js').then(async ({{ act, go, send, update }}) => {{
        send({{ type: "pace", value: "once" }});
        while (update.value?.table.state === "playing") {{
          const {{ view, table }} = update.value;
          if (table.waiting?.what === "go") go();
          else if (view?.cuts) act("cut 26");
          else if (view?.moves.length) act(view.moves[0]);
          await new Promise((on) => setTimeout(on, 20));
        }} }})"""
    )


def test_a_seat_and_what_may_be_done_with_it_are_in_one_line(visit: Visit) -> None:
    """But for a long name, which is beside its number and above the buttons, and is not cut."""
    host = invite(visit)
    sit(visit, host, "Benedict")
    sit(visit, host, "Maximiliane-Wilhelmina")
    beside = """(chair) => {
      const parts = [".disc", ".name", ".btn:last-child"].map((one) => chair.querySelector(one));
      const [disc, name, act] = parts.map((one) => one.getBoundingClientRect());
      return [act.top < disc.bottom && act.bottom > disc.top, name.left > disc.right, name.height];
    }"""
    for width, height in [(320, 568), (390, 664), (1440, 900), (1920, 1080)]:
        host.set_viewport_size({"width": width, "height": height})
        short, long, *open = [chair.evaluate(beside) for chair in host.locator(".chair:not(.own)").all()]
        assert short[:2] == [True, True] and short[2] <= 28, width
        assert long[1] and long[2] <= 52, width
        assert open and all(one[:2] == [True, True] for one in open), width


def test_the_invitation_has_a_code_for_eyes_ears_and_cameras(visit: Visit) -> None:
    host = invite(visit, color_scheme="dark")
    expect(host.get_by_role("img", name=re.compile("Table code: (. ){5}.$"))).to_be_visible()
    camera = host.get_by_role("img", name=re.compile("QR code"))
    expect(camera).to_be_visible()
    modules = int((camera.get_attribute("viewBox") or "").split()[-1])
    path = camera.locator("path").get_attribute("d") or ""
    starts = [tuple(map(int, at)) for at in re.findall(r"M(\d+) (\d+)", path)]
    assert min(min(at) for at in starts) == 4  # the quiet zone
    assert max(y for _, y in starts) == modules - 5
    expect(camera.locator("rect")).to_have_attribute("fill", "#fff")
    dark = [[False] * (modules - 8) for _ in range(modules - 8)]
    for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1", path):
        for right in range(int(width)):
            dark[int(y) - 4][int(x) - 4 + right] = True
    assert decoded(dark) == host.get_by_label("Link to this table").input_value()


def test_the_host_fills_up_with_the_level_that_he_chose(visit: Visit) -> None:
    host = invite(visit)
    frames = Frames(host)
    host.reload()
    host.locator("#bots").select_option("random")
    host.get_by_role("button", name="Fill up and start").click()
    at_cards(host)
    assert [fill["level"] for fill in frames.said("fill")] == ["random"]


def test_the_link_leads_from_another_device_to_the_table(
    browser: Browser, serve: Callable[..., Served]
) -> None:
    """Also where the page is at an address of this machine, if the server listens to its network."""
    page = browser.new_page(
        base_url=serve("--host", "0.0.0.0").url.replace("0.0.0.0", "127.0.0.1"), locale="en"
    )
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text))
    network = page.request.get("/api/games").json()["network"]
    if network is None:
        pytest.skip("this machine has no network")
    page.goto("/?game=fan-tan")
    page.get_by_role("radio").nth(1).check()
    page.locator(".acts .btn").click()
    link = page.get_by_label("Link to this table").input_value()
    assert link == network + "t/" + page.url.rpartition("/")[2]
    expect(page.get_by_text(f"To be typed at {network.split('/')[2]},")).to_be_visible()
    expect(page.get_by_text("on this computer only")).to_have_count(0)
    page.goto(f"{page.url}/screen")
    expect(page.locator(".address")).to_have_text(f"{network.split('/')[2]}/join")
    guest = browser.new_page(locale="en")
    guest.on("console", lambda said: complaints.append(said.text))
    guest.goto(link)
    guest.locator("form .primary").click()
    guest.locator(".chair.own").wait_for()
    for one in (page, guest):
        one.close()
    assert complaints == []


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "on this computer only"), ("fr", "que sur cet ordinateur")]
)
def test_a_link_that_works_here_only_says_so(visit: Visit, lang: str, said: str) -> None:
    host = invite(visit, locale=lang)
    expect(host.locator(".invite").get_by_text(said)).to_be_visible()
    expect(host.locator(".invite code")).to_have_text("--host 0.0.0.0")
    host.goto(f"{host.url}/screen")
    expect(host.locator(".come").get_by_text(said)).to_be_visible()


@pytest.mark.own_server
def test_open_tables_are_listed_if_the_host_likes(visit: Visit, axe: str) -> None:
    host = invite(visit)
    host.get_by_text("Table settings").click()
    host.get_by_label("Show this table among the open tables").check()
    guest = visit()
    expect(guest.get_by_role("heading", name="Open tables")).to_be_visible()
    expect(guest.locator(".tables li")).to_contain_text("3 of 4 seats free")
    assert faults(guest, axe) == []
    guest.get_by_role("link", name="Join Fan Tan, Ann").click()
    guest.locator("form .primary").click()
    guest.locator(".chair.own").wait_for()
    expect(guest.get_by_text("Anybody can find this table")).to_be_visible()
    expect(guest.get_by_text("Ann is the host.")).to_be_visible()


# What is wider than the box that it stands in, or than the screen.
BEYOND = """() => [...document.querySelectorAll(":is(main, dialog) :is(h1, h2, h3, p, label, span, b, a)")]
  .filter((one) => one.checkVisibility() && !one.childElementCount && !one.closest(".sr, .picture, table"))
  .filter((one) => {
    const text = document.createRange();
    text.selectNodeContents(one);
    const box = (one.closest(".panel, .chair, .btn, dialog") ?? document.body).getBoundingClientRect();
    const { left, right } = text.getBoundingClientRect();
    return left < Math.max(0, box.left) - 1 || right > Math.min(innerWidth, box.right) + 1;
  }).map((one) => one.outerHTML.slice(0, 120))"""


@pytest.mark.own_server
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_letters_twice_as_large_fit(visit: Visit, lang: str) -> None:
    """WCAG 1.4.4: in the waiting room, its rules, and at home beside the open tables."""
    host = invite(visit, locale=lang)
    for fold in host.locator("summary").all():
        fold.click()
    host.locator(".choice").first.click()
    guest = visit(path_of(host), locale=lang)
    other = visit(locale=lang)
    other.locator(".tables").wait_for()
    reading = visit("/?game=earl-of-coventry", locale=lang)
    reading.locator(".about .btn").click()
    reading.locator(".prose").wait_for()
    for page in (host, guest, other, reading):
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        for width in (320, 390):
            resize(page, width, 664)
            assert sideways(page) <= 0, (page.url, width)
            assert page.evaluate(BEYOND) == [], (page.url, width)


def test_the_host_sets_the_table_and_passes_it_on(visit: Visit, axe: str) -> None:
    """In the waiting room and while it plays; pausing stops everything."""
    host = invite(visit)
    guest = sit(visit, host)
    host.get_by_text("Table settings").click()
    host.get_by_role("radio", name="30 s").check()
    expect(guest.get_by_text("Each move may take 30 s")).to_be_visible()
    host.get_by_role("button", name="Fill up and start").click()
    for page in (host, guest):
        at_cards(page)
    host.get_by_role("button", name="This table").click()
    expect(host.get_by_text("The game is under way: whoever comes now can watch")).to_be_visible()
    host.get_by_role("button", name="Pause").click()
    menu = host.get_by_role("dialog")
    expect(menu.get_by_role("button", name="Go on")).to_be_visible()
    assert faults(host, axe) == []
    menu.get_by_role("button", name="Go on").click()
    host.get_by_role("button", name="Make Bo the host").click()
    host.get_by_role("button", name="Pass it on").click()
    expect(host.get_by_text("Bo is the host.")).to_be_visible()
    guest.get_by_role("button", name="This table").click()
    expect(guest.get_by_role("button", name="Pause")).to_be_visible()
    guest.get_by_role("button", name="Let Ann go").click()
    guest.get_by_role("button", name="Let go").click()
    host.keyboard.press("Escape")
    expect(host.get_by_text("You are watching", exact=True)).to_be_visible()


def test_all_of_it_goes_by_keyboard(visit: Visit) -> None:
    """B173: from home to a seat and a start, with the focus always somewhere."""
    page = visit()
    page.get_by_role("link", name="Fan Tan", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Fan Tan")).to_be_focused()
    for _ in range(20):
        if page.evaluate("document.activeElement.name") == "way":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    reach(page, "Open the table")
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
    guest.get_by_role("button", name="This table").click()
    guest.get_by_role("button", name="Leave the table").click()
    guest.get_by_role("button", name="Leave", exact=True).click()
    guest.goto(path_of(host))
    guest.set_viewport_size({"width": 320, "height": 568})
    expect(guest.get_by_text("A stand-in is playing in your seat.")).to_be_visible()
    assert sideways(guest) <= 0
    guest.get_by_role("button", name="Close").click()
    guest.get_by_role("button", name="Back to my seat").click()
    expect(guest.get_by_role("button", name="Back to my seat")).to_have_count(0)
    at_cards(guest)


def test_home_leads_back_to_the_seat_that_one_left(visit: Visit) -> None:
    """One tap, and he plays again: no onlooker's view on the way."""
    page = turn(visit, "fan-tan")
    hand = page.locator(".held").evaluate_all("all => all.map(one => one.dataset.held)")
    page.get_by_role("button", name="This table").click()
    page.get_by_role("button", name="Leave the table").click()
    page.get_by_role("button", name="Leave", exact=True).click()
    page.get_by_role("heading", name="Back to your seat").wait_for()
    page.locator(".resume a").click()
    page.locator(".hand").wait_for()
    assert set(page.locator(".held").evaluate_all("all => all.map(one => one.dataset.held)")) <= set(hand)
    expect(page.locator(".notes .note")).to_have_count(0)
    page.reload()
    page.locator(".hand").wait_for()


def test_who_comes_back_is_called_as_before(visit: Visit) -> None:
    """On a device where he has set no name, by the button at the table and from home."""
    host = invite(visit)
    host.get_by_text("Your seat", exact=True).click()
    phone = visit(host.get_by_label("Your seat on another device").input_value())
    guest = sit(visit, host)
    host.get_by_role("button", name="Fill up and start").click()
    for way in ("Back to my seat", "home"):
        at_cards(phone)
        phone.get_by_role("button", name="This table").click()
        phone.get_by_role("button", name="Leave the table").click()
        phone.get_by_role("button", name="Leave", exact=True).click()
        phone.get_by_role("heading", name="Back to your seat").wait_for()
        if way == "home":
            phone.locator(".resume a").click()
        else:
            phone.goto(path_of(host))
            phone.get_by_role("button", name="Close").click()
            phone.get_by_role("button", name=way).click()
        expect(phone.locator(".hand[data-mine=true], .prompt").first).to_be_visible()
        expect(guest.locator(".ring [data-seat='0'] .who")).to_have_text(re.compile("^AnnD?$"))  # D: deals


def test_an_onlooker_is_told_so(visit: Visit) -> None:
    """B171: a full table is watched, not entered."""
    host = invite(visit)
    host.get_by_role("button", name="Fill up and start").click()
    host.locator(".page-table").wait_for()
    other = visit(path_of(host))
    expect(other.get_by_text("You are watching", exact=True)).to_be_visible()
