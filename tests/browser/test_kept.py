"""What a person may know is on the page alone: not in its title or address, nor in what the browser keeps."""

import json
import re
from typing import Any

import pytest
from company import at_seat, opened, tell
from conftest import Visit
from person import keep, play, table

from cagnotte.cards import PACK

CARD = re.compile(r"(?<![\w-])(10|[A2-9TJQK])([SHDC]|[♠♥♦♣])(?![\w-])")

# All that outlives a look at the page, or that others than its person may see of it.
KEPT = """async () => {
  const kept = {
    title: document.title, address: location.href, history: JSON.stringify(history.state), name: window.name,
    cookie: document.cookie, local: { ...localStorage }, session: { ...sessionStorage }, told: window.told,
    asked: performance.getEntriesByType("resource").map(({ name }) => name),
    caches: {}, databases: (await indexedDB.databases?.())?.map(({ name }) => name) ?? [],
  };
  for (const name of await caches.keys()) {
    kept.caches[name] = (await (await caches.open(name)).keys()).map(({ url }) => url);
  }
  return kept;
}"""
# What is said outside of the page, where it may be.
TELLS = """window.told = [];
window.Notification = class { constructor(...all) { window.told.push(JSON.stringify(all)); } close() {} };
window.Notification.permission = "granted";
Object.defineProperty(Document.prototype, "hidden", { get: () => true });"""


def cards_kept(kept: dict[str, Any]) -> list[str]:
    """The cards in what is kept, but for what is the same whoever plays."""
    seats = json.loads(kept["local"].pop("cagnotte.seats"))
    assert all(one.keys() <= {"table", "token", "game", "at", "seats"} for one in seats)
    return [found[0] for found in CARD.finditer(json.dumps(kept, ensure_ascii=False))]


@pytest.mark.parametrize("game", ["fan-tan", "fear"])
def test_C4_no_card_is_in_the_title_the_address_or_what_the_browser_keeps(visit: Visit, game: str) -> None:
    """B113: through a good part of a sitting, with notifications on, at each thing that is asked."""
    rules = {"stake": 9} if game == "fear" else {}  # nobody is out so soon
    page = table(visit, game, rules=rules, script=TELLS, forgive="WebSocket")
    keep(page, notify=True)
    for n, _ in enumerate(play(page)):
        assert cards_kept(page.evaluate(KEPT)) == []
        if n == 12:
            break
    assert n == 12


def test_the_pattern_finds_each_card_in_what_is_kept() -> None:
    for card in PACK:
        kept = {"local": {"cagnotte.seats": "[]", "x": f"{card}"}, "title": card.label()}
        assert len(cards_kept(kept)) == 2


def test_F3_what_is_drawn_of_a_card_face_down_is_the_same_for_each(visit: Visit) -> None:
    page = table(visit, "fear")
    for _ in play(page, ".spread-out[data-mine=true] .place[data-up=false]"):
        pass
    down = page.locator(".place[data-up=false]").evaluate_all(
        "all => all.map((one, n) => one.outerHTML.replace(/-?\\d+/g, '#'))"
    )
    assert len(down) > 40
    assert {*down} == {down[0]}
    assert not CARD.search(down[0])


def test_no_link_takes_away_a_seat_that_a_browser_holds(visit: Visit) -> None:
    """Else a tap would have somebody lose his seat, or sit in another's. Where none is left it serves."""
    made = opened(visit, "fan-tan", ["person", "person", "steady"], ["Ann", "Bo"])
    tokens = [one["token"] for one in made["seats"]]
    page = at_seat(visit, made, 0)
    for link in ("nonsense", tokens[1]):
        page.goto(f"/t/{made['table']}?{link[:3]}#seat={link}")
        tell(page, "while (net.update.value?.table.me !== 0) await new Promise((on) => setTimeout(on, 25))")
        assert tokens[0] in page.evaluate("localStorage.getItem('cagnotte.seats')")
        assert "#" not in page.url
    tell(page, "net.send({ type: 'leave' })")
    other = at_seat(visit, {**made, "seats": [{"seat": 0, "token": "void"}]}, 0)
    other.goto(f"/t/{made['table']}?2#seat={tokens[1]}")
    tell(other, "while (net.update.value?.table.me !== 1) await new Promise((on) => setTimeout(on, 25))")
