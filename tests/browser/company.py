"""Several people at one table: their pages, and a page that plays by itself."""

import json
from typing import Any

import pytest
from conftest import Visit
from playwright.sync_api import Page


def module(name: str) -> str:
    """The address of one of the page's modules, as an expression for the page."""
    return f"document.querySelector('script[src$=\"/main.js\"]').src.replace('main.js', '{name}.js')"


# Presses what is asked for next, as a person would, while `window.plays` says so.
PLAYS = """let pressed = "", again = 0;
setInterval(() => {
  const press = (selector) => {
    const one = document.querySelector(selector);
    if (!one || one.getAttribute("aria-disabled") === "true") return false;
    const what = `${selector} ${document.querySelector(".table")?.dataset.version}`;
    if (what === pressed && Date.now() < again) return true; // the answer is on its way
    [pressed, again] = [what, Date.now() + 500];
    if (selector.startsWith(".held")) window.laid = [...(window.laid ?? []), one.dataset.held];
    one.click();
    return true;
  };
  if (!window.plays?.() || document.querySelector(".prompt .again")) return;
  if (press(".prompt .go") || press(".cover .btn")) return;
  if (document.querySelector(".table")?.dataset.settled !== "true") return;
  if (press(".cut .btn") || press(".named") || press(".prompt .any")) return;
  if (press(".spread-out[data-mine=true] .place[data-up=false]")) return;
  if (!document.querySelector(".hand[data-mine=true]")) return;
  press(".held[data-fits=true]") || press(".prompt .pass") || press(".actions .btn");
}, 20);"""
# What the page itself waits less than two seconds for takes a tenth of them: here are no fingers to mind.
HASTE = """const later = setTimeout;
window.setTimeout = (what, ms = 0, ...all) => later(what, ms < 2000 ? ms / 10 : ms, ...all);"""


def opened(visit: Visit, game: str, seats: list[str], names: list[str], **new: Any) -> dict[str, Any]:
    """A new table with these persons and bots, as the server answers, `seats` with their tokens."""
    body = {"game": game, "players": len(seats), "seats": seats, "names": names, "pace": "once", "lang": "en"}
    return visit.opened(**body | new) | {"game": game}


def at_seat(visit: Visit, made: dict[str, Any], *seats: int, script: str = "", **options: Any) -> Page:
    """The page of whoever holds one of these seats; of several, one phone passed round."""
    own = [one for one in made["seats"] if one["seat"] in seats]
    held = {"table": made["table"], "token": own[0]["token"], "game": made["game"], "at": 1}
    if len(own) > 1:
        held["seats"] = own
    keep = f"localStorage.setItem('cagnotte.seats', JSON.stringify([{json.dumps(held)}]));"
    page = visit(f"/t/{made['table']}", script=keep + script, **options)
    tell(page, "while (!net.update.value) await new Promise((on) => setTimeout(on, 25))")
    return page


def tell(page: Page, script: str) -> Any:
    """Run a script in the page with `net`, its line to the server."""
    return promised(page, f"import({module('net')}).then(async (net) => {{ {script} }})")


def promised(page: Page, expression: str) -> Any:
    """What a promise in the page brings; `evaluate` alone would wait for one for ever, this a minute."""
    late = "new Promise((_, fail) => setTimeout(() => fail(new Error('this took a minute')), 60000))"
    return page.evaluate(f"Promise.race([{expression}, {late}])")


def play(page: Page, until: str = ".prompt .again") -> None:
    """Let the page play by itself until that is there."""
    page.evaluate("until => window.plays = () => !document.querySelector(until)", until)


def start(page: Page) -> None:
    """Begin, as the host does."""
    tell(page, "net.send({ type: 'start' })")
    page.locator(".table").wait_for()


def cut_off(page: Page) -> None:
    """Take the network away, and let the page notice; a skip where the driver leaves it the socket it has."""
    page.context.set_offline(True)
    lost = """net.retry();
      const soon = () => new Promise((on) => setTimeout(on, 100));
      for (let i = 0; i < 100 && net.status.value === "live"; i++) await soon();
      return net.status.value !== "live";"""
    if not tell(page, lost):
        pytest.skip("this browser's driver leaves open sockets open")


# Notes within the page what goes over its sockets: not every driver of a browser shows it.
NOTES = """window.spoken = [];
window.WebSocket = class extends WebSocket {
  constructor(...to) {
    super(...to);
    this.addEventListener("message", ({ data }) => window.spoken.push(["heard", JSON.parse(data)]));
  }
  send(data) {
    window.spoken.push(["said", JSON.parse(data)]);
    super.send(data);
  }
};"""


class Frames:
    """What a page hears and says on its sockets since it last loaded, which it has to do after this."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.add_init_script(NOTES)

    @property
    def all(self) -> list[tuple[str, dict[str, Any]]]:
        return [(way, frame) for way, frame in self.page.evaluate("window.spoken")]

    def updates(self) -> list[dict[str, Any]]:
        return [frame for way, frame in self.all if way == "heard" and frame["type"] == "update"]

    def said(self, kind: str) -> list[dict[str, Any]]:
        return [frame for way, frame in self.all if way == "said" and frame["type"] == kind]
