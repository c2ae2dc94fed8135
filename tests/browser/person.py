"""A person at a table in a real browser: what is asked, and what the page might be sent."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from company import Frames
from conftest import Visit
from playwright.sync_api import Page

# Waits in the page until a test of it gives something, so many ms at most; brings what it gave.
SOON = """const soon = async (test, ms) => {
    for (const end = performance.now() + ms; ; await new Promise((on) => setTimeout(on, 10))) {
      const found = test();
      if (found || performance.now() > end) return found;
    }
  };"""
# What the page asks of its player, as the selector of what may be pressed, once it is his turn.
ASKED = f"""(ms) => {{
  {SOON}
  const of = (selector) => document.querySelector(selector) && selector;
  return soon(() => {{
    if (of(".prompt .again")) return "over";
    if (of(".prompt .go")) return ".prompt .go";
    if (document.querySelector(".table")?.dataset.settled !== "true") return null;
    return of(".cut .btn") ?? of(".named") ?? of(".spread-out[data-mine=true] .place[data-up=false]")
      ?? (of(".hand[data-mine=true]") && (of(".held[data-fits=true]") ?? ".actions .btn"));
  }}, ms);
}}"""
# Presses something, and tells whether anything came of it; the table may have gone on by itself.
PRESS = f"""(selector) => {{
  {SOON}
  const version = () => document.querySelector(".table")?.dataset.version;
  const before = version();
  document.querySelector(selector)?.click();
  return soon(() => version() !== before || !document.querySelector(selector), 3000);
}}"""


def table(visit: Visit, game: str, players: int = 4, pace: str = "once", **options: Any) -> Page:
    """The page of a new table with bots in all other seats; `rules` are house rules, `seats` who sits."""
    rules, seats = options.pop("rules", {}), options.pop("seats", ["person"] + ["steady"] * (players - 1))
    lang = options.get("locale", "en")
    made = visit.opened(
        game=game, players=players, rules=rules, seats=seats, name="Ann", pace=pace, lang=lang
    )
    held = json.dumps({"table": made["table"], "token": made["token"], "game": game})
    seat = f"JSON.stringify([{{ ...{held}, at: Date.now() }}])"
    keep = f"localStorage.getItem('cagnotte.seats') ?? localStorage.setItem('cagnotte.seats', {seat});"
    page = visit(f"/t/{made['table']}", script=keep + options.pop("script", ""), **options)
    page.locator(".table").wait_for()
    return page


def asked(page: Page, seconds: float = 20) -> str:
    """What the page asks for next."""
    what = page.evaluate(ASKED, 1000 * seconds)
    assert what, "nothing is asked of the player"
    return str(what)


def press(page: Page, what: str) -> None:
    """Press it until something comes of it, as a person would."""
    assert any(page.evaluate(PRESS, what) for _ in range(10)), f"nothing comes of {what}"


def play(page: Page, until: str = "over") -> Iterator[str]:
    """Play on with whatever is asked, until that is asked; gives each thing asked before it is pressed."""
    while (what := asked(page)) != until:
        assert what != "over"
        yield what
        press(page, what)


def turn(visit: Visit, game: str, **options: Any) -> Page:
    """A table at which it is this player's turn to lay or to turn over a card."""
    page = table(visit, game, **options)
    for _ in range(40):
        what = asked(page)
        if what.startswith((".held", ".spread-out", ".actions")):
            return page
        press(page, what)
    raise AssertionError("no turn came")


def a_turn_to_lay(visit: Visit, **options: Any) -> Page:
    page = table(visit, "fan-tan", **options)
    for what in play(page, ".held[data-fits=true]"):
        assert what != "over"
    return page


def sent(page: Page) -> Callable[[], list[str]]:
    """Load the page again; gives what tells the moves that it sent since then."""
    frames = Frames(page)
    page.reload()
    page.locator(".table").wait_for()
    return lambda: [act["move"] for act in frames.said("act")]


def stage(page: Page, change: str, **values: Any) -> None:
    """Show the page what it might be sent: `change` works on a copy `u` of the latest update, with `v`."""
    script = f"""async (v) => {{
      const at = (name) => new URL(name, document.querySelector('script[type=module]').src).href;
      const {{ update }} = await import(at("net.js"));
      const u = structuredClone(update.value);
      Object.assign(u, {{ events: [], log: u.log ?? [], version: u.version + 1 }});
      {change};
      update.value = u;
    }}"""
    page.evaluate(script, values)
    page.wait_for_timeout(50)


def keep(page: Page, **settings: Any) -> None:
    """Set some of the person's own settings."""
    page.evaluate(
        """async (settings) => {
      const main = document.querySelector("script[type=module]").src;
      const { set } = await import(new URL("keep.js", main).href);
      set(settings);
    }""",
        settings,
    )
