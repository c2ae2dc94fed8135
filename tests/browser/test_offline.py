"""Without a server: the page still opens and says what works, and one plays alone against bots."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from company import promised
from conftest import Served, beforehand
from looks import faults, sideways
from person import play
from playwright.sync_api import Browser, BrowserContext, Page, expect

# What complains in the console when there is no network.
AWAY = r"ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED|FAILED)|Failed to load resource"

# A short sitting at a quick table.
CHOSEN = """
  localStorage.setItem("cagnotte.settings", JSON.stringify({ pace: "once" }));
  const few = { "fan-tan": { players: 3, rules: { deals: 2 } }, fear: { players: 5 } };
  localStorage.setItem("cagnotte.choices", JSON.stringify(few));
"""


@pytest.fixture
def phone(browser: Browser, serve: Callable[..., Served]) -> Iterator[Callable[..., tuple[Page, Served]]]:
    """`phone()` opens home on a phone that keeps the shell, and with `engine` what plays alone."""
    contexts: list[BrowserContext] = []
    faulty: list[str] = []

    def open(engine: bool = True, **options: Any) -> tuple[Page, Served]:
        served = serve()
        wanted = {"viewport": {"width": 390, "height": 664}, "locale": "en", **options}
        contexts.append(context := browser.new_context(base_url=served.url, **wanted))
        context.add_init_script(beforehand(CHOSEN))
        page = context.new_page()
        page.on("pageerror", lambda error: faulty.append(str(error)))
        page.goto("/")
        page.locator("h1[tabindex]").first.wait_for()
        page.evaluate("navigator.serviceWorker.register('sw.js').then(() => null)")  # not when it is idle
        promised(page, "navigator.serviceWorker.ready.then(() => null)")
        if engine:
            page.get_by_role("button", name=re.compile("Settings|Réglages")).click()
            page.get_by_role("button", name=re.compile("Keep for offline|Garder hors ligne")).click()
            page.get_by_text(re.compile("^Ready: you can|^C’est prêt")).wait_for()
        return page, served

    yield open
    for context in contexts:
        context.close()
    assert faulty == []


def test_the_odds_need_no_server_once_they_were_seen(browser: Browser, serve: Callable[..., Served]) -> None:
    """However short the visit was: what else keeps the shell, after a while, is held off here."""
    served = serve()
    context = browser.new_context(base_url=served.url, locale="en")
    context.add_init_script(
        "const later = setTimeout; setTimeout = (then, ms) => ms > 9999 || later(then, ms);"
    )
    page = context.new_page()
    page.goto("/odds?players=5&stake=2")
    expect(page.locator(".seats-of tbody tr")).to_have_count(5)
    promised(page, "navigator.serviceWorker.ready.then(() => null)")
    served.kill()
    page.goto("/odds?players=4&stake=2")
    expect(page.locator(".seats-of tbody tr")).to_have_count(4)
    expect(page.locator(".planner .answer")).to_contain_text("take a stake of")
    context.close()


def alone(page: Page, game: str) -> str:
    """Open a table without a server; its id."""
    page.goto(f"/?game={game}")
    page.locator("form .btn.primary").click()
    page.wait_for_url(re.compile("/t/alone-"), timeout=60_000)
    page.locator(".table").wait_for(timeout=60_000)
    return page.url.rpartition("/")[2]


def test_home_opens_without_a_server_and_says_plainly_what_works(phone: Any, axe: str) -> None:
    """B215 besides: whatever is shown offline is of one version, and nothing of a table is kept."""
    page, served = phone(engine=False, locale="fr")
    served.kill()
    page.goto("/")
    expect(page.get_by_role("heading", name="Le serveur est injoignable")).to_be_visible()
    expect(
        page.get_by_text("lire les règles, calculer les chances à La Peur et revoir vos séances")
    ).to_be_visible()
    expect(page.get_by_text("jouer avec des amis, les liens")).to_be_visible()
    assert faults(page, axe) == [] and sideways(page) <= 0
    page.goto("/?game=fan-tan")
    page.get_by_role("button", name="Règles").click()
    expect(page.get_by_role("dialog")).to_contain_text("T9")
    kept = page.evaluate("""async () => {
      const names = await caches.keys();
      const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return all.flat().map(({ url }) => new URL(url).pathname);
    }""")
    assert not [path for path in kept if re.match(r"/(ws|api/(tables|codes|open|replay|record))", path)]
    assert not [path for path in kept if path.startswith("/python/")], "nothing of it before somebody asks"


@pytest.mark.parametrize("engine", [False, True])
def test_without_a_server_home_offers_only_what_can_be_opened(phone: Any, engine: bool) -> None:
    page, served = phone(engine)
    page.evaluate("""
      const at = (table) => ({ table, token: "t", game: "fear", at: Date.now() });
      localStorage.setItem("cagnotte.seats", JSON.stringify(["abc", "abd", "abe", "alone-1"].map(at)));""")
    page.goto("/")
    expect(page.locator(".resume a")).to_have_count(3)
    expect(page.get_by_role("link", name="Join", exact=True)).to_be_visible()
    served.kill()
    page.goto("/")
    expect(page.get_by_role("heading", name="The server cannot be reached")).to_be_visible()
    expect(page.locator(".resume a")).to_have_count(int(engine))
    if engine:
        assert (page.locator(".resume a").get_attribute("href") or "").endswith("/t/alone-1")
    expect(page.get_by_role("link", name="Join", exact=True)).to_have_count(0)
    page.goto("/?game=fan-tan")
    begin = page.locator("form .btn.primary")
    expect(begin).to_have_attribute("aria-disabled", str(not engine).lower())
    begin.click(force=True)
    if engine:
        expect(begin).to_have_text("Getting ready…")
        page.wait_for_url(re.compile("/t/alone-"), timeout=60_000)
    else:
        expect(page.locator("form .failed")).to_have_count(0)


@pytest.mark.parametrize("game", ["fear", "fan-tan"])
def test_a_whole_sitting_alone_without_a_network_also_after_a_reload(phone: Any, game: str) -> None:
    page, served = phone()
    page.context.set_offline(True)
    served.kill()
    table = alone(page, game)
    for count, _ in enumerate(play(page)):
        if count in (3, 20):
            version = int(page.locator(".table").get_attribute("data-version") or 0)
            page.reload()
            page.locator(".table").wait_for(timeout=60_000)
            assert int(page.locator(".table").get_attribute("data-version") or 0) >= version
            assert page.url.endswith(table)
    expect(page.locator(".places-won li")).not_to_have_count(0)
    page.goto("/")
    expect(page.locator(f'a[href$="{table}"]')).to_be_visible()


def test_the_worker_tells_what_the_server_tells(phone: Any) -> None:
    """The same entries give the same words, byte for byte, in this browser's Python and in the server's."""
    page, served = phone()
    page.goto("/?game=earl-of-coventry")
    page.locator("form .btn.primary").click()
    page.locator(".table").wait_for()
    for count, _ in enumerate(play(page)):
        if count == 6:
            break
    table, token = page.evaluate(
        "(({ table, token }) => [table, token])(JSON.parse(localStorage['cagnotte.seats'])[0])"
    )
    page.goto("/")
    theirs = page.evaluate(
        """([table, token]) => new Promise((resolve, reject) => {
          const socket = new WebSocket(`${location.origin.replace("http", "ws")}/ws/${table}`);
          socket.onopen = () => socket.send(JSON.stringify({ type: "hello", token, lang: "fr" }));
          socket.onmessage = ({ data }) => resolve(data);
          socket.onclose = reject;
        })""",
        [table, token],
    )
    with sqlite3.connect(served.database) as base:
        rows = base.execute("SELECT entry FROM entries WHERE table_id = ? ORDER BY seq", (table,)).fetchall()
    entries = [json.loads(text) for (text,) in rows][: json.loads(theirs)["version"]]
    for entry in entries:
        if entry["kind"] == "took":
            entry["secret"] = "alone"
    ours = page.evaluate(
        """async (entries) => {
          const { python, rules, version } = await (await fetch("api/offline")).json();
          await new Promise((resolve) => {
            const asked = indexedDB.open("cagnotte", 1);
            asked.onupgradeneeded = () => asked.result.createObjectStore("entries");
            asked.onsuccess = () => {
              const writing = asked.result.transaction("entries", "readwrite");
              entries.forEach((entry, n) => writing.objectStore("entries").add(entry, ["alone-1", n]));
              writing.oncomplete = resolve;
            };
          });
          const worker = new Worker(`static/${version}/worker.js`, { type: "module" });
          const at = (path) => new URL(path, location.href).href;
          return new Promise((resolve) => {
            worker.onmessage = ({ data }) => {
              if (data.what === "say") resolve(data.text);
              else worker.postMessage({ what: "hear", id: "alone-1", text: '{"type":"hello","lang":"fr"}' });
            };
            worker.postMessage({ what: "begin", python: at(python), rules: at(rules) });
          });
        }""",
        entries,
    )
    assert _plain(ours) == _plain(theirs)


def _plain(text: str) -> str:
    """Without what only a server knows: id and code, who watches and shuffles, how long it still waits."""
    text = re.sub(r'"id":"[\w-]+","code":"\w*"', '"id":"","code":""', text)
    text = re.sub(r'"shares":\[[\d,]*\]', '"shares":[]', text)
    return re.sub(r'"watching":\d+', '"watching":0', re.sub(r'"until":(\d+|null)', '"until":0', text))


def test_B215_an_update_of_the_server_takes_over_cleanly(phone: Any) -> None:
    """The page that outlived it is of one piece, and the next visit has the new one, online and off."""
    page, served = phone(engine=False)
    old = page.evaluate("caches.keys()")
    # The server of tomorrow: its worker names another version.
    page.context.route(
        "**/sw.js",
        lambda route: route.fulfill(
            body=route.fetch().text().replace('VERSION = "', 'VERSION = "x'), content_type="text/javascript"
        ),
    )
    page.context.route(
        "**/api/offline",
        lambda route: route.fulfill(
            json={**(answer := route.fetch().json()), "version": f"x{answer['version']}"}
        ),
    )
    page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.update())")
    page.wait_for_function(
        "old => caches.keys().then((now) => now.length === 1 && now[0] !== old[0])", arg=old
    )
    page.context.unroute_all(behavior="wait")
    served.kill()
    page.goto("/")
    expect(page.locator("h1[tabindex]").first).to_be_visible()
