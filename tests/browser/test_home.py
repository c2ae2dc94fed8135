"""Home in a real browser: from the five games to cards, in both languages, by anybody on any screen."""

import contextlib
import json
import re
import socket
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from conftest import Served
from looks import faults, sideways
from playwright.sync_api import Browser, Page, expect

GAMES = ["fear", "fan-tan", "five-or-nine", "earl-of-coventry", "play-or-pay"]
NO_STORAGE = """Object.defineProperty(window, "localStorage", {
    get() { throw new DOMException("blocked", "SecurityError") } })"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("lang", "game", "play"), [("en", "Fear", "Play now"), ("fr", "La Peur", "Jouer maintenant")]
)
def test_home_is_in_the_language_of_the_browser(
    visit: Callable[..., Page], axe: str, lang: str, game: str, play: str, scheme: str
) -> None:
    page = visit(locale=f"{lang}-CA", color_scheme=scheme)
    expect(page.locator("html")).to_have_attribute("lang", lang)
    assert page.locator(".tile a").count() == 5
    assert faults(page, axe) == []
    page.get_by_role("link", name=game, exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(game)
    expect(page.get_by_role("button", name=play)).to_be_visible()
    page.locator("summary").click()
    page.get_by_role("radio").nth(3).check()  # one phone passed round asks for most
    assert faults(page, axe) == []


def test_another_language_is_chosen_and_remembered(visit: Callable[..., Page]) -> None:
    page = visit(locale="de")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.get_by_role("combobox", name="Language").select_option("fr")
    expect(page.get_by_role("heading", name="Cinq vieux jeux, une cagnotte")).to_be_visible()
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "fr")


@pytest.mark.parametrize("width", [320, 390, 768, 1440, 1920])
def test_nothing_is_wider_than_the_screen(visit: Callable[..., Page], width: int) -> None:
    """B163."""
    page = visit(width=width, locale="fr")
    assert sideways(page) <= 0
    for game in GAMES:
        page.goto(f"/?game={game}")
        page.locator("summary").click()
        assert sideways(page) <= 0
        page.get_by_role("button", name="Règles", exact=True).click()
        page.locator(".prose").wait_for()
        assert sideways(page) <= 0


def test_a_wrong_address_leads_home(visit: Callable[..., Page]) -> None:
    page = visit("/no/such/place", forgive="404", locale="fr")
    expect(page.locator("h1")).to_have_text("Il n’y a rien ici")
    page.get_by_role("link", name="Tous les jeux").click()
    expect(page.locator(".tiles")).to_be_visible()


@pytest.mark.parametrize("game", GAMES)
def test_two_clicks_lead_to_cards_in_two_seconds(visit: Callable[..., Page], game: str) -> None:
    page = visit()
    took = []
    for _ in range(2):  # a machine that is busy for once is no fault of the page
        begun = time.monotonic()
        page.locator(f'a[href$="?game={game}"]').click()
        page.get_by_role("button", name="Play now").click()
        page.wait_for_url(re.compile("/t/[a-z0-9]+$"))
        page.locator(".page-table .card").first.wait_for()
        took.append(time.monotonic() - begun)
        page.goto("/")
    assert min(took) < 2


def test_a_double_tap_makes_one_table(visit: Callable[..., Page]) -> None:
    page = visit("/?game=fear")
    made: list[str] = []
    page.on("request", lambda request: made.append(request.url) if request.method == "POST" else None)
    page.get_by_role("button", name="Play now").dblclick()
    page.locator(".page-table").wait_for()
    assert len(made) == 1


def asked_for(page: Page) -> dict[str, Any]:
    """Press Play now; gives the table that is asked for. The page tells it: not every driver does."""
    page.evaluate("""() => {
      const real = fetch;
      window.fetch = (to, how) => {
        if (how?.method === "POST") window.posted = how.body;
        return real(to, how);
      };
    }""")
    page.get_by_role("button", name="Play now").click()
    return dict(json.loads(page.wait_for_function("() => window.posted").json_value()))


def test_only_house_rules_that_differ_are_sent(visit: Callable[..., Page]) -> None:
    page = visit("/?game=fan-tan")
    page.locator("summary").click()
    page.get_by_label("Deals in a sitting").fill("2000")
    page.get_by_label("Deals in a sitting").press("Tab")
    expect(page.get_by_label("Deals in a sitting")).to_have_value("100")
    page.get_by_text("You are believed when you pass").click()
    page.get_by_label(re.compile("fewer cards puts one more")).uncheck()
    page.get_by_label(re.compile("fewer cards puts one more")).check()
    expect(page.locator("summary")).to_contain_text("2 changed")
    page.get_by_role("radio", name="5").check()
    sent = asked_for(page)
    assert sent["rules"] == {"deals": 100, "passing": "honour"}
    assert sent["players"] == len(sent["seats"]) == 5


def test_what_the_server_will_not_do_is_said(visit: Callable[..., Page]) -> None:
    page = visit("/?game=fan-tan", forgive="status of 429")
    refusal = json.dumps({"clause": None, "message": "Enough tables for now."})
    page.route("**/api/tables", lambda route: route.fulfill(status=429, body=refusal))
    page.get_by_role("button", name="Play now").click()
    expect(page.get_by_role("alert").filter(has_text="Enough tables for now.")).to_be_visible()


def test_the_rules_open_and_give_the_focus_back(visit: Callable[..., Page], axe: str) -> None:
    page = visit("/?game=earl-of-coventry", width=1440)
    asked = page.get_by_role("button", name="Rules", exact=True)
    asked.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Earl of Coventry")
    expect(dialog.locator("#E3")).to_be_attached()
    assert faults(page, axe) == []
    page.keyboard.press("Escape")
    expect(dialog).not_to_be_attached()
    expect(asked).to_be_focused()


def test_the_rules_tell_the_very_table_that_is_filled_in(visit: Callable[..., Page]) -> None:
    """First what is special, in short: the usual rest is folded away."""
    page = visit("/?game=fan-tan")
    open, dialog = page.get_by_role("button", name="Rules", exact=True), page.get_by_role("dialog")
    for players in ("3", "5"):
        page.locator(".pick label", has_text=re.compile(f"^{players}$")).click()
        open.click()
        deals = page.locator("#rule-deals").input_value()
        expect(dialog.get_by_text(f"The sitting is {deals} deals.")).to_be_visible()
        expect(dialog.locator(".tag")).to_have_count(0)
        dialog.get_by_role("button", name="Close").click()
    page.locator("summary").click()
    page.get_by_text("You are believed when you pass").click()
    page.get_by_role("button", name="Read the rules").click()
    special = dialog.get_by_text("You are believed when you pass")
    expect(special).to_contain_text("changed")
    pictures = dialog.locator(".how").bounding_box()
    assert pictures and special.bounding_box()["y"] < pictures["y"]  # type: ignore[index]
    rest = dialog.locator(".at-table").get_by_text("Nobody goes below zero")
    expect(rest).to_be_hidden()
    dialog.locator("summary").click()
    expect(rest).to_be_visible()


# What of a form is covered by something else once it has been scrolled to the end of the window.
COVERED = """() => [...document.querySelectorAll(".make details :is(input, label, button)")].filter((one) => {
  const part = one.closest("label") ?? one;
  if (!part.getClientRects().length) return false;
  part.scrollIntoView({ block: "end", behavior: "instant" });
  const { left, top, width, height } = part.getBoundingClientRect();
  return !document.elementFromPoint(left + width / 2, top + height / 2)?.closest("details");
}).map((one) => one.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("size", [(320, 568), (390, 664), (1440, 900)])
def test_open_house_rules_are_covered_by_nothing(visit: Callable[..., Page], size: tuple[int, int]) -> None:
    page = visit("/?game=fan-tan")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    play = page.get_by_role("button", name="Play now")
    assert play.evaluate("one => one.getBoundingClientRect().bottom <= innerHeight")  # it is there at once
    page.locator("summary").click()
    assert page.evaluate(COVERED) == []


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_sign_of_what_is_folded_stands_beside_its_words(visit: Callable[..., Page], lang: str) -> None:
    page = visit("/?game=fan-tan", width=320, locale=lang)
    page.get_by_role("button", name={"en": "Rules", "fr": "Règles"}[lang], exact=True).click()
    above = page.locator("dialog summary").evaluate("""(one) => {
      const words = document.createRange();
      words.selectNodeContents(one);
      return words.getBoundingClientRect().top - one.getBoundingClientRect().top;
    }""")
    assert above < 16


def test_settings_are_kept(visit: Callable[..., Page], axe: str) -> None:
    page = visit()
    page.get_by_role("button", name="Settings").click()
    assert faults(page, axe) == []
    page.get_by_label("Four colours").check()
    page.get_by_role("radio", name="Quick").check()
    page.get_by_role("button", name="Close").click()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-suits", "4")
    expect(page.locator("html")).to_have_attribute("data-pace", "quick")


def test_one_can_play_where_storage_is_blocked(visit: Callable[..., Page]) -> None:
    """B069: the seat outlives a reload, and nothing is blank."""
    page = visit("/?game=fear", script=NO_STORAGE)
    page.get_by_role("button", name="Play now").click()
    page.locator(".page-table .card").first.wait_for()
    page.reload()
    page.locator(".page-table .card").first.wait_for()
    expect(page.get_by_text("You are watching", exact=True)).to_have_count(0)


@pytest.mark.parametrize("code", ["nonesuch", "%3Cscript%3E", "zzzzzzzzzz"])
def test_a_table_that_never_was_is_explained_with_a_way_on(
    visit: Callable[..., Page], axe: str, code: str
) -> None:
    """B149."""
    page = visit(f"/t/{code}")
    expect(page.get_by_role("heading", name="There is no such table")).to_be_visible()
    assert faults(page, axe) == []
    page.get_by_role("link", name="All games").click()
    expect(page.get_by_role("heading", name="Five old games, one pool")).to_be_focused()


@pytest.mark.parametrize(
    ("tag", "lang", "hour"), [("en-GB", None, "15:05"), ("en-US", None, "3:05 PM"), ("en-US", "fr", "15:05")]
)
def test_hours_are_written_as_the_browser_does(
    visit: Callable[..., Page], tag: str, lang: str | None, hour: str
) -> None:
    """Where its language is that of the page; else as the language does."""
    script = f"""
      Date.now = () => Date.UTC(2026, 0, 2, 16);
      const seat = {{ table: "k3v9q2m8zz", token: "t", game: "fear", at: Date.UTC(2026, 0, 2, 15, 5) }};
      localStorage.setItem("cagnotte.seats", JSON.stringify([seat]));
      localStorage.setItem("cagnotte.settings", JSON.stringify({{ lang: {json.dumps(lang)} }}));"""
    page = visit(locale=tag, timezone_id="UTC", script=script)
    expect(page.locator(".resume a .muted")).to_have_text(hour)


def test_back_and_forth_in_the_history(visit: Callable[..., Page]) -> None:
    page = visit()
    page.get_by_role("link", name="Fan Tan", exact=True).click()
    page.get_by_role("button", name="Play now").click()
    page.locator(".page-table").wait_for()
    page.go_back()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    page.go_back()
    expect(page.locator(".tile a")).to_have_count(5)
    expect(page.get_by_role("heading", name="Back to your seat")).to_be_visible()
    page.locator(".resume a").click()
    page.locator(".page-table .card").first.wait_for()


def test_what_was_chosen_last_is_chosen_again(visit: Callable[..., Page]) -> None:
    page = visit("/?game=fan-tan")
    page.get_by_role("radio", name="One phone").check()
    page.get_by_role("radio", name="5", exact=True).check()
    page.get_by_label("Name of player 2").fill("Bo")
    page.reload()
    expect(page.get_by_role("radio", name="One phone")).to_be_checked()
    expect(page.get_by_role("radio", name="5", exact=True)).to_be_checked()
    expect(page.get_by_label("Name of player 2")).to_have_value("Bo")
    sent = asked_for(page)
    assert sent["seats"] == ["person"] * 3 + ["steady"] * 2
    assert sent["names"] == ["#1", "Bo", "#3"]
    assert sent["clock"] == 0


def test_spoilt_choices_do_no_harm(visit: Callable[..., Page]) -> None:
    page = visit()
    spoilt = {
        "way": "x",
        "names": 7,
        "fan-tan": {"players": 99, "rules": {"deals": "many", "debt": "?"}, "persons": 0},
    }
    page.evaluate("kept => localStorage.setItem('cagnotte.choices', JSON.stringify(kept))", spoilt)
    page.goto("/?game=fan-tan")
    page.get_by_role("button", name="Play now").click()
    page.locator(".page-table .card").first.wait_for()


def test_a_big_screen_opens_a_table_without_a_seat(visit: Callable[..., Page]) -> None:
    page = visit("/?game=fear", width=1920)
    page.get_by_role("radio", name="Big screen").check()
    page.get_by_role("button", name="Open it on this screen").click()
    page.wait_for_url(re.compile("/t/[a-z0-9]+/screen$"))
    expect(page.get_by_role("heading", name="Take your phone")).to_be_visible()


# Taps everything in a form that is no way to sit, and tells what moved by that.
MOVES = """async () => {
  const drawn = () => new Promise((done) => setTimeout(done));
  const all = () => [...document.querySelectorAll(".make :is(input, button, summary, legend, label)")];
  const place = (one) => {
    const { left, top, right } = one.getBoundingClientRect();
    return [left, top, right].map((edge) => Math.round(edge)).join();
  };
  const found = [];
  const tap = async (one) => {
    const kept = all().map((other) => [other, place(other)]);
    one.click();
    await drawn();
    const grows = ["players", "persons"].includes(one.getAttribute("aria-controls") ?? one.name);
    const names = grows && document.querySelector(".names");
    const below = (other) => names && other.compareDocumentPosition(names) & Node.DOCUMENT_POSITION_PRECEDING;
    for (const [other, was] of kept)
      if (other.isConnected && place(other) !== was && !below(other))
        found.push([one.outerHTML.slice(0, 90), other.outerHTML.slice(0, 90), was, place(other)].join(" | "));
  };
  const chosen = (selector) => all().filter((one) => one.matches(selector));
  for (const one of chosen("[type=radio]:not([name=way]), [type=checkbox]")) await tap(one);
  for (const one of chosen(".step button")) {
    for (let n = 0; n < 9 && one.getAttribute("aria-disabled") !== "true"; n++) await tap(one);
    for (let n = 0; n < 2; n++) await tap(one.closest(".step").querySelector("button"));
  }
  return [...new Set(found)];
}"""


TOP = "one => one.getBoundingClientRect().top + scrollY"


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("game", GAMES)
def test_nothing_in_a_form_moves_when_a_value_changes(
    visit: Callable[..., Page], game: str, lang: str
) -> None:
    """A tap that follows would go astray."""
    page = visit(f"/?game={game}", locale=lang)
    page.locator("summary").click()
    for width in (320, 390, 768):
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate("scrollTo(0, 0)")  # at its end a page that grows shorter is moved by the browser
        for way in range(4):
            radio = page.locator(".ways input").nth(way)
            before = page.locator(".ways").evaluate(TOP)
            radio.evaluate("one => one.click()")
            expect(radio).to_be_checked()
            assert page.locator(".ways").evaluate(TOP) == before
            assert page.evaluate(MOVES) == [], (width, way)


# What anybody needs, on every page of the way in.

SMALL = """() => [...document.querySelectorAll("button, a.btn, input, select, summary")].filter((one) => {
  const box = (one.closest("label.choice, .pick label") ?? one).getBoundingClientRect();
  return box.width && (box.width < 43.5 || box.height < 43.5);
}).map((one) => one.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("path", ["/", "/?game=fear", "/?game=fan-tan", "/join"])
def test_targets_are_large_and_large_text_fits(visit: Callable[..., Page], path: str) -> None:
    """WCAG 1.4.4 and 2.5.5: also with letters twice as large."""
    page = visit(path, locale="fr")
    for summary in page.locator("summary").all():
        summary.click()
    assert page.evaluate(SMALL) == []
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert sideways(page) <= 0
    page.get_by_role("button", name="Réglages").click()
    page.get_by_role("dialog").wait_for()
    assert sideways(page) <= 0
    page.evaluate("document.documentElement.style.fontSize = ''")
    assert page.evaluate(SMALL) == []


def test_B181_no_english_shows_in_the_french_pages(visit: Callable[..., Page]) -> None:
    page = visit(locale="fr", forgive="status of 404")
    english, french = (
        page.evaluate(f"fetch('/api/locale/{lang}').then(found => found.json())") for lang in ("en", "fr")
    )
    differing = {text for key, text in english.items() if text != french.get(key)}
    foreign = differing - {*french.values(), "", english["lang.name"]}
    for path in ("/", "/?game=fear", "/?game=play-or-pay", "/join?code=zz", "/t/zz"):
        page.goto(path)
        page.locator("h1").first.wait_for()
        for summary in page.locator("summary").all():
            summary.click()
        page.get_by_role("button", name="Réglages").click()
        page.get_by_role("dialog").wait_for()
        shown = page.evaluate(
            """() => [...document.querySelectorAll("body *")].flatMap((one) => !one.checkVisibility() ? [] : [
              ...[...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data),
              one.ariaLabel ?? "", one.title ?? "", one.placeholder ?? ""]).map((text) => text.trim())"""
        )
        assert foreign & set(shown) == set(), path
        assert foreign.isdisjoint({page.title()})


# Below another folder.


@pytest.fixture
def proxied(serve: Callable[..., Served]) -> Iterator[str]:
    """The address of our server behind a proxy that strips /games/table from every request."""
    host, _, port = serve().url.removeprefix("http://").partition(":")

    class Proxy(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with socket.create_connection((host, int(port))) as server:
                back = threading.Thread(target=self.pour, args=(server, self.request), daemon=True)
                back.start()
                self.pour(self.request, server)
                back.join(5)

        def pour(self, source: socket.socket, target: socket.socket) -> None:
            with contextlib.suppress(OSError):
                while data := source.recv(65536):
                    if b" /games/table/" in data.partition(b"\r\n")[0]:
                        data = data.replace(b" /games/table/", b" /", 1)
                    target.sendall(data)
                target.shutdown(socket.SHUT_WR)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Proxy) as proxy:
        proxy.daemon_threads = True
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{proxy.server_address[1]}/games/table/"
        proxy.shutdown()


def test_B209_all_of_it_works_below_a_prefix(browser: Browser, proxied: str) -> None:
    page = browser.new_page(locale="en")
    failed: list[str] = []
    page.on("response", lambda answer: failed.append(answer.url) if answer.status >= 400 else None)
    page.goto(proxied)
    page.get_by_role("link", name="Fan Tan", exact=True).click()
    page.get_by_role("button", name="Play now").click()
    page.locator(".page-table .card").first.wait_for()
    assert re.fullmatch(re.escape(proxied) + r"t/\w+", page.url)
    table = page.url
    for path in (table, table + "/screen", proxied + "join"):
        page.goto(path)
        page.locator("h1").first.wait_for()
    page.get_by_role("link", name="All games").click()
    expect(page.locator(".tile a")).to_have_count(5)
    assert page.url == proxied
    page.close()
    assert failed == []
