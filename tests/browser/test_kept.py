"""What a person may know is on the page alone: not in its title or address, nor in what the browser keeps."""

import json
import re
from typing import Any

import pytest
from company import at_seat, module, opened, promised, tell
from conftest import Visit
from looks import faults
from person import keep, play, table
from playwright.sync_api import expect

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


BROUGHT = "This link gave you a seat. Whoever sent it has the same seat, and can see its cards."
SEATS = "JSON.parse(localStorage.getItem('cagnotte.seats') ?? '[]')"


def test_a_link_to_a_seat_says_who_else_has_it_and_outlives_a_reload(visit: Visit, axe: str) -> None:
    """The secret is out of the address at once, and held when the server has proved it."""
    made = opened(visit, "fan-tan", ["person", "open", "steady"], ["Eve"])
    offer = {"table": made["table"], "token": made["seats"][0]["token"]}
    page = visit(f"/t/{made['table']}#seat={offer['token']}")
    expect(page.get_by_text(BROUGHT)).to_be_visible()
    assert "#" not in page.url and faults(page, axe) == []
    page.reload()
    tell(page, "while (net.update.value?.table.me !== 0) await new Promise((on) => setTimeout(on, 25))")
    expect(page.get_by_text(BROUGHT)).to_have_count(0)
    other = visit(f"/t/{made['table']}")  # as a link leaves it that no server has answered yet
    other.evaluate("offered => history.replaceState({ offered }, '')", offer)
    assert other.evaluate(SEATS) == []
    other.reload()
    expect(other.get_by_text(BROUGHT)).to_be_visible()
    assert [one["token"] for one in other.evaluate(SEATS)] == [offer["token"]]


def test_links_and_new_tables_push_no_seat_out_that_is_played(visit: Visit) -> None:
    """What no server has proved is not held at all; of many, one of a sitting that is over goes first."""
    made = opened(visit, "fan-tan", ["person", "person", "steady"], ["Ann", "Bo"])
    own = {"table": made["table"], "token": made["seats"][0]["token"], "game": "fan-tan", "at": 1}
    over = [{"table": f"bbbbbbb{n}", "token": "t", "game": "fear", "over": True} for n in range(200, 399)]
    page = visit(script=f"localStorage.setItem('cagnotte.seats', '{json.dumps([*over, own])}');")
    for n, link in enumerate(("222222222b", made["table"], "222222222c")):
        page.goto(f"/t/{link}?{n}#seat=evil")
        met = (
            "net.update.value?.table.me !== 0" if link == made["table"] else "net.bye.value?.code !== 'gone'"
        )
        tell(page, f"while ({met}) await new Promise((on) => setTimeout(on, 25))")
        held = page.evaluate(SEATS)
        assert len(held) == 200 and held[-1]["token"] == own["token"] and "evil" not in json.dumps(held)
    promised(page, f"import({module('keep')}).then(({{ holdSeat }}) => holdSeat('cccccccc22', 't', 'fear'))")
    tables = [one["table"] for one in page.evaluate(SEATS)]
    assert tables == ["cccccccc22", *[one["table"] for one in over[:-1]], own["table"]]
