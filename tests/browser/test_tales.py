"""A deal once more, and one's own sittings, in a real browser."""

import json
import re
from typing import Any

import pytest
from company import HASTE, PLAYS, module, play, promised
from conftest import ROOT, Visit
from looks import faults, saved, sideways
from person import table
from playwright.sync_api import Page, Route, expect

import cagnotte
from cagnotte import record
from cagnotte.core import FirstDealer
from cagnotte.fairness import Dice, Proof, verify
from cagnotte.locale import number, percent

CARDS = ".hands .smalls [role=img]"
# By how much a choice is narrower than what it says.
CUT = """one => {
  const { offsetWidth } = one;
  Object.assign(one.style, { flex: "none", width: "max-content", maxWidth: "none" });
  const needs = one.offsetWidth;
  one.removeAttribute("style");
  return needs - offsetWidth;
}"""
MINI = "[...document.querySelectorAll('.replay .card')].length"


def sat(visit: Visit, game: str, players: int = 3, **options: Any) -> Page:
    """The page of somebody who has played a sitting to its end."""
    page = table(visit, game, players, script=PLAYS + options.pop("script", ""), **options)
    play(page)
    page.locator(".prompt .again").wait_for(timeout=60_000)
    page.evaluate("window.plays = null")
    return page


def looked_at(page: Page) -> dict[str, Any]:
    """The last deal at the table of a page, which goes there without being loaded again."""
    id = page.url.partition("/t/")[2].partition("/")[0]
    go = f"to => import({module('route')}).then(({{ visit }}) => visit(to))"
    page.evaluate(go, f"t/{id}")
    page.locator(".table").wait_for()
    with page.expect_response("**/api/replay/**") as answer:
        page.evaluate(go, f"t/{id}/replay")
    told: dict[str, Any] = answer.value.json()
    return told


def kept(page: Page, deals: int) -> list[dict[str, Any]]:
    """What the browser keeps of the deals played on it, once it keeps so many."""
    rows = "JSON.parse(localStorage.getItem('cagnotte.tally') ?? '[]')"
    page.wait_for_function(f"() => {rows}.length >= {deals}")
    found: list[dict[str, Any]] = page.evaluate(rows)
    assert len(found) == deals
    return found


def test_from_the_settlement_into_the_deal_and_through_it(visit: Visit, axe: str) -> None:
    """B099 by one seat's view, B151 on the way back; keys, buttons, slider, share, record, what is kept."""
    page = sat(visit, "earl-of-coventry", rules={"deals": 2, "passing": "fined"})  # eldest always lays
    table_id = page.url.rpartition("/")[2]
    rows = kept(page, 2)
    assert [row["deal"] for row in rows] == [1, 2] and rows[1]["place"] and rows[0]["place"] is None
    at_its_end = saved(page, "Download the record")
    assert record.check(record.parse(at_its_end)).plain()["over"]
    page.get_by_role("button", name="This table").click()
    assert saved(page, "Download the record", "dialog") == at_its_end
    page.keyboard.press("Escape")
    page.locator(".settlement a.look").click()
    replay = page.locator(".replay")
    expect(replay).to_have_attribute("data-step", "1")  # all cards are in hand
    expect(page.locator("h1")).to_contain_text("Deal 2")
    expect(page.locator(CARDS)).to_have_count(52)
    assert (
        page.locator(".said").inner_text().count("as the ante") == 3
        and page.locator(".said .clause").count() >= 3
    )
    assert faults(page, axe) == [] and sideways(page) <= 0

    page.keyboard.press("ArrowRight")
    expect(replay).to_have_attribute("data-step", "2")
    expect(page.locator(CARDS)).to_have_count(51)
    page.wait_for_url(f"**/{table_id}/replay?sitting=1&deal=2&step=3")
    expect(page.locator("[role=log] p").last).to_have_text(re.compile("lays the|lay the"))
    expect(page.locator(".hands .cut-name").first).to_have_text("You")
    assert "Ann" not in page.locator(".replay").inner_text()
    page.keyboard.press("Home")
    page.get_by_role("button", name="One step on").click()
    page.get_by_role("button", name="One step on").click()
    page.get_by_role("button", name="One step back").click()
    expect(replay).to_have_attribute("data-step", "1")
    slider = page.get_by_role("slider", name="Step")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(replay).to_have_attribute("data-step", "2")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"Step 3 of \d+: .* lays? the"))

    page.locator(".whose select").select_option(label="only yours")
    shown = page.locator(CARDS).count()
    assert 17 <= shown <= 18 and page.locator(".hands .left").count() == 2
    assert page.evaluate(MINI) == shown + 1  # Ann's, and the card on the table
    page.get_by_role("button", name="Play", exact=True).click()
    expect(replay).to_have_attribute("data-running", "true")
    page.wait_for_function("() => Number(document.querySelector('.replay').dataset.step) > 3")
    page.keyboard.press("End")
    expect(replay).to_have_attribute("data-running", "false")
    expect(page.locator(".settlement")).to_be_visible()
    won = [
        int(re.sub("[^0-9-]", "", text.replace("−", "-")))
        for text in page.locator(".luck tr td:nth-child(2)").all_inner_texts()
    ]
    assert sum(won) == 0 and won[0] == rows[1]["change"]
    assert faults(page, axe) == [] and sideways(page) <= 0

    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("Link to this very moment").input_value()
    assert re.search(rf"/t/{table_id}/replay\?sitting=1&deal=2&step=\d+$", link)
    assert faults(page, axe) == []
    assert record.check(record.parse(saved(page, "Download the record"))).plain()["over"]
    page.keyboard.press("Escape")
    page.get_by_label("Deal to look at").select_option("1")
    expect(page.locator("h1")).to_contain_text("Deal 1")
    page.go_back()
    expect(page.locator("h1")).to_contain_text("Deal 2")
    expect(page.locator(".settlement")).to_be_visible()
    page.get_by_role("link", name="To the table").click()
    expect(page.locator(".table")).to_be_visible()
    expect(page.locator(".replay")).to_have_count(0)

    other = visit("/t/" + link.partition("/t/")[2], width=1440, locale="fr", color_scheme="dark")
    expect(other.locator("h1")).to_contain_text("Donne 2")
    expect(other.locator(".settlement")).to_be_visible()
    assert faults(other, axe) == [] and sideways(other) <= 0
    assert other.evaluate("document.documentElement.scrollHeight <= innerHeight")
    other.set_viewport_size({"width": 320, "height": 568})
    for name in ("deal", None):
        choice = other.locator(f"select[name={name}]" if name else ".whose select")
        assert choice.evaluate(CUT) <= 0 and sideways(other) <= 0


def test_a_game_of_fear_once_more(visit: Visit, axe: str) -> None:
    page = sat(visit, "fear", 5, rules={"stake": 1}, width=320, script=HASTE)
    row = kept(page, 1)[0]
    assert row["luck"] is None and row["deal"] == 0 and row["change"] == (4 if row["place"] == 1 else -1)
    page.evaluate("localStorage.removeItem('cagnotte.tally')")
    page.reload()  # what was forgotten does not come back with the table
    page.locator("a.look").wait_for()
    page.wait_for_timeout(300)
    assert page.evaluate("localStorage.getItem('cagnotte.tally')") is None
    page.locator("a.look").click()
    expect(page.locator(".replay .place")).to_have_count(52)
    expect(page.locator("h1")).to_contain_text(re.compile("Spread 1$"))
    page.get_by_role("button", name="To the beginning").click()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    assert page.locator(".replay .place[data-up=true]").count() >= 1
    assert page.locator(".luck").count() == page.locator(".whose").count() == 0
    assert faults(page, axe) == [] and sideways(page) <= 0


def test_what_is_not_over_is_not_shown(visit: Visit, axe: str) -> None:
    """B151: also when one comes from the table itself."""
    page = table(visit, "play-or-pay", 3, forgive="404")
    page.goto(page.url + "/replay")
    expect(page.get_by_role("alert").filter(has_text="once it is over")).to_be_visible()
    assert faults(page, axe) == []


def test_a_replay_of_a_table_that_is_gone_offers_no_table(visit: Visit) -> None:
    page = visit("/t/zzzzzzzzzz/replay", forgive="404")
    expect(page.get_by_role("alert").filter(has_text="There is no such table")).to_be_visible()
    expect(page.get_by_role("link", name="To the table")).to_have_count(0)
    page.get_by_role("link", name="All games").click()
    expect(page.get_by_role("heading", name="Five old games, one pool")).to_be_visible()


ROWS: list[dict[str, Any]] = [
    {
        "table": f"t{n // 4}",
        "sitting": 1,
        "deal": n % 4 + 1,
        "game": "fan-tan" if n < 12 else "five-or-nine",
        "players": 4,
        "change": (n * 7) % 13 - 5,
        "luck": (n * 5) % 11 - 4.5,
        "place": n % 3 + 1 if n % 4 == 3 else None,
        "at": 1_790_000_000_000 + n * 10**7,
    }
    for n in range(20)
]
KEPT = (
    f"localStorage.getItem('cagnotte.tally') ?? localStorage.setItem('cagnotte.tally', '{json.dumps(ROWS)}');"
)


@pytest.mark.parametrize(
    ("width", "look"),
    [
        (320, {"locale": "fr"}),
        (390, {"color_scheme": "dark"}),
        (1440, {"locale": "fr", "color_scheme": "dark"}),
        (1920, {}),
    ],
)
def test_my_sittings(visit: Visit, axe: str, width: int, look: dict[str, Any]) -> None:
    page = visit("/mine", width=width, script=KEPT, **look)
    assert faults(page, axe) == [] and sideways(page) <= 0
    expect(page.locator(".games h3")).to_have_count(2)
    expect(page.locator("svg[role=img] title")).to_have_count(2)
    page.locator(".plot summary").last.click()
    figures = page.locator(".plot").last.locator("tbody tr")
    expect(figures).to_have_count(20)
    assert faults(page, axe) == [] and sideways(page) <= 0


def test_my_sittings_by_game_kept_as_a_file_and_forgotten(visit: Visit, axe: str) -> None:
    """B259, B261: a deal counts once it is settled, a sitting once it is over; lost ones as well as won."""
    page = visit("/mine", script=KEPT)
    fan_tan = page.locator(".games li", has_text="Fan Tan").inner_text()
    assert re.search(r"Deals\s+12", fan_tan) and re.search(r"Sittings finished\s+3", fan_tan)
    changes = [row["change"] for row in ROWS[:12]]
    assert f"{sum(changes) / 12:+.1f}".removesuffix(".0").replace("-", "−") in fan_tan and "±" in fan_tan
    page.get_by_role("radio", name="Fan Tan").check(force=True)
    expect(page.locator(".plot").first).to_contain_text(f"after {12}")
    assert json.loads(saved(page, "Download all"))["rows"] == ROWS
    page.locator(".sat li").first.get_by_role("button").click()
    expect(page.locator(".sat li")).to_have_count(4)
    page.get_by_role("button", name="Delete everything").click()
    assert faults(page, axe) == []
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.locator(".nothing")).to_be_visible()
    assert page.evaluate("localStorage.getItem('cagnotte.tally')") == "[]"


def test_a_deal_that_one_sat_out_is_none_of_ones_own(visit: Visit) -> None:
    """It counts neither as a deal nor in the mean; the sitting that ends with it is finished all the same."""
    page = visit("/mine")
    told = {
        "game": "earl-of-coventry",
        "sitting": 1,
        "players": 3,
        "rules": {},
        "luck": [0, 0, 0],
        "deals": [1, 2],
    }
    deals = [
        told
        | {"deal": 1, "playing": [0, 1, 2], "before": [10, 10, 10], "result": [0, 20, 10], "over": False},
        told | {"deal": 2, "playing": [1, 2], "before": [0, 20, 10], "result": [0, 25, 5], "over": True},
    ]
    page.route("**/api/replay/**", lambda route: route.fulfill(json=deals["deal=1" not in route.request.url]))
    page.evaluate(
        f"""async () => {{
          const {{ remember }} = await import({module("tally")});
          const table = {{ id: "t", me: 0, also: [] }};
          await remember({{ table, view: {{ stacks: [0, 25, 5], over: true, deal: 2 }}, events: [1] }});
        }}"""
    )
    page.reload()
    earl = page.locator(".games li", has_text="Earl").inner_text()
    assert re.search(r"Deals\s+1\s", earl) and re.search(r"Sittings finished\s+1\s", earl) and "−10" in earl
    expect(page.locator(".plot").first).to_contain_text("after 1 deal")
    expect(page.locator(".sat")).to_contain_text("3 of 3")


@pytest.mark.parametrize(
    ("tag", "day", "chips", "part"),
    [("en-GB", "2 Jan 2026", "1,234.5", "12.3%"), ("fr-FR", "2 janv. 2026", "1\u202f234,5", "12,3\u00a0%")],
)
def test_days_and_numbers_are_written_as_the_browser_does(
    visit: Visit, tag: str, day: str, chips: str, part: str
) -> None:
    """And a percentage is the same here, in the catalogue and in the terminal."""
    row = ROWS[0] | {
        "game": "fear",
        "deal": 0,
        "luck": None,
        "place": 1,
        "change": 1234.5,
        "at": 1767355500000,
    }
    script = f"localStorage.setItem('cagnotte.tally', '{json.dumps([row])}')"
    page = visit("/mine", locale=tag, timezone_id="UTC", script=script)
    expect(page.locator(".sat")).to_contain_text(day)
    expect(page.locator(".games")).to_contain_text(chips)
    text = f"import({module('text')})"
    assert page.evaluate(f"{text}.then(({{ percent }}) => percent(0.1234, 1))") == part
    assert page.evaluate(f"{text}.then(({{ num }}) => num(-1234.5))") == f"−{chips}"
    assert percent(tag[:2], 0.1234) == part and number(tag[:2], -1234.5, 1) == f"−{chips}"


@pytest.mark.parametrize(("lang", "count", "head"), [("en", "1 game", "Game"), ("fr", "1 partie", "Partie")])
def test_a_game_of_fear_is_no_deal_and_few_have_no_spread(
    visit: Visit, lang: str, count: str, head: str
) -> None:
    row = ROWS[0] | {"game": "fear", "deal": 0, "luck": None, "place": 1}
    page = visit(
        "/mine", locale=lang, script=f"localStorage.setItem('cagnotte.tally', '{json.dumps([row])}')"
    )
    expect(page.locator(".plot figcaption")).to_contain_text(count)
    page.locator(".plot summary").click()
    expect(page.locator(".plot thead th").first).to_have_text(head)
    expect(page.locator("main")).not_to_contain_text("±")


def test_my_sittings_where_storage_is_blocked_spoilt_or_full(visit: Visit, axe: str) -> None:
    blocked = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('blocked') } });"
    page = visit("/mine", script=blocked)
    expect(page.locator(".lead")).to_contain_text("lets nothing be kept")
    expect(page.locator(".nothing")).to_be_visible()
    assert faults(page, axe) == []
    page = visit("/mine", script="localStorage.setItem('cagnotte.tally', '[1, {\"table\": 3}, null]');")
    expect(page.locator(".nothing")).to_be_visible()
    filled = KEPT + """
      const set = Storage.prototype.setItem;
      Storage.prototype.setItem = function (key, value) {
        if (value.length > 1500) throw new DOMException("full", "QuotaExceededError");
        set.call(this, key, value);
      };"""  # fmt: skip
    page = visit("/mine", script=filled)
    page.locator(".sat li").last.get_by_role("button").click()  # 16 rows are left, and do not fit
    expect(page.locator(".sat li")).to_have_count(2)
    assert len(json.loads(page.evaluate("localStorage.getItem('cagnotte.tally')"))) == 8


def test_T3_whoever_played_does_the_shuffle_again(visit: Visit, axe: str) -> None:
    """Also who did not; and a proof that does not fit is seen."""
    page = sat(visit, "fan-tan", rules={"deals": 1})
    page.locator(".settlement a.look").click()
    page.get_by_role("button", name="Check the shuffle").click()
    verdicts = page.locator(".fair .verdict")
    expect(verdicts).to_have_text(["Done again in this browser: the same cards."] * 2)
    expect(page.locator(".fair h3")).to_have_text(["The draw for the first dealer", "The shuffle"])
    expect(page.get_by_text("Ann (this browser)")).to_have_count(2)
    expect(page.get_by_text("So nobody could choose the cards.")).to_have_count(2)
    assert len(verify(record.parse(saved(page, "Download the record")))) == 2
    page.locator(".fair summary").last.click()
    expect(page.get_by_text("This page saw it before").last).to_be_visible()
    expect(page.locator(".fair").last.locator(".hash")).to_have_count(3)
    assert faults(page, axe) == [] and sideways(page) <= 0

    game = cagnotte.game("fan-tan", 3)

    def alone(dealer: int) -> dict[str, Any]:
        """A draw to which nobody added, and that gives this dealer."""
        for byte in range(256):
            lone = Proof(f"{byte:02x}" * 32, {})
            _, events = cagnotte.play(game, game.start(), draw := game.draw(game.start(), Dice(lone)))
            if FirstDealer(dealer) in events:
                return {"move": str(draw), **lone.plain()}
        raise AssertionError(dealer)

    def spoil(route: Route) -> None:
        """Nobody added to the draw, and the shuffle is another."""
        told = route.fetch().json()
        [cut] = (frame for frame in told["frames"] if frame["move"].startswith("cut "))
        told["proofs"][0] = alone(cut["view"]["dealer"])
        told["proofs"][1]["shares"]["0"] = "00" * 32
        route.fulfill(json=told)

    other = visit(width=320, locale="fr")
    other.route("**/api/replay/**", spoil)
    other.goto(page.url)
    other.get_by_role("button", name="Vérifier le mélange").click()
    expect(other.locator(".fair .verdict").first).to_have_attribute("data-right", "true")
    expect(other.locator(".fair .verdict").last).to_have_attribute("data-right", "false")
    expect(other.get_by_text("n’était pas ouverte à la table")).to_have_count(1)
    expect(other.get_by_text("le serveur a mêlé seul")).to_have_count(1)
    expect(other.get_by_text("Personne n’a donc pu choisir les cartes.")).to_have_count(0)
    other.locator(".fair summary").last.click()
    assert faults(other, axe) == [] and sideways(other) <= 0


OTHER = "It does not fit: what is shown of this deal is not what follows from the shuffle and the cut."
FITS = "Done again in this browser: the same cards."
UNSEEN = "This page was not open at the table then"
ANOTHER = "It does not fit: this is not the deal that this browser saw."


@pytest.mark.parametrize("game", ["fan-tan", "earl-of-coventry", "fear"])
def test_T3_cards_that_are_not_those_of_the_shuffle_are_seen(visit: Visit, game: str) -> None:
    """Whoever exchanges two hands, or two cards of Fear, in all that is shown of a deal or in one step."""
    page = sat(visit, game, rules={"stake": 1} if game == "fear" else {"deals": 1})
    lies: list[str] = [""]

    def exchange(route: Route) -> None:
        told = route.fetch().json()
        for frame in told["frames"] if lies[0] == "all" else told["frames"][9:10] if lies[0] else []:
            if places := frame["view"].get("places"):
                up = [place for place, card in enumerate(places) if card]
                if up:
                    places[up[0]], places[up[-1]] = places[up[-1]], places[up[0]]
            elif frame["hands"]:
                frame["hands"][:2] = frame["hands"][1::-1]
        route.fulfill(json=told)

    other = visit()
    other.route("**/api/replay/**", exchange)
    for lies[0] in ("", "all", "one"):
        other.goto(f"{page.url.partition('#')[0]}/replay?{lies[0]}")
        other.get_by_role("button", name="Check the shuffle").click()
        expect(other.locator(".fair .verdict").last).to_have_text(OTHER if lies[0] else FITS)
        expect(other.locator(".fair .verdict").last).to_have_attribute("data-right", str(not lies[0]).lower())
        expect(other.get_by_text(UNSEEN)).to_have_count(
            other.locator(".fair .verdict[data-right=true]").count()
        )
        expect(other.get_by_text("So nobody could choose the cards.")).to_have_count(0)


@pytest.mark.parametrize("game", ["fan-tan", "fear"])
def test_T3_cards_that_are_not_those_that_this_page_saw_are_seen(visit: Visit, game: str) -> None:
    """It keeps in its memory what it was shown of a deal, and nowhere else."""
    page = sat(visit, game, rules={"stake": 1} if game == "fear" else {"deals": 1})
    id, deal = page.url.rpartition("/")[2], looked_at(page)["deal"]
    saw = f"""import({module("shares")}).then(({{ seenOf }}) => {{
      const {{ hands: [hand], places }} = seenOf("{id}", 1, {deal});
      const cards = hand ?? places;
      if (window.lies) cards[cards.findIndex(Boolean)] = "none";
      return cards.filter(Boolean).length;
    }})"""
    unlike = "It does not fit: these are not the cards that this page saw while the deal was played."
    for lies in (False, True):
        page.evaluate("lies => void (window.lies = lies)", lies)
        assert promised(page, saw) > (0 if game == "fear" else 16)
        page.get_by_role("button", name="Check the shuffle").click()
        expect(page.locator(".fair .verdict").last).to_have_text(unlike if lies else FITS)
        page.keyboard.press("Escape")


@pytest.mark.parametrize("game", ["fan-tan", "fear"])
def test_T3_a_deal_that_is_not_the_one_that_this_page_saw_is_seen(visit: Visit, game: str) -> None:
    """Even a whole one with promises of its own, from another table; or it says that it was not there."""
    rules = {"stake": 1} if game == "fear" else {"deals": 1}
    made_up = looked_at(sat(visit, game, rules=rules))
    lies: list[dict[str, Any]] = []
    page = sat(visit, game, rules=rules)
    page.route("**/api/replay/**", lambda route: route.fulfill(json=lies[-1]))
    for more, says in (({}, ANOTHER), ({"sitting": 7}, FITS)):
        lies.append(made_up | more)
        looked_at(page)
        page.get_by_role("button", name="Check the shuffle").click()
        proofs = len(made_up["proofs"])
        expect(page.locator(".fair .verdict")).to_have_text([says] * proofs)
        expect(page.get_by_text("So nobody could choose the cards.")).to_have_count(0)
        expect(page.get_by_text(UNSEEN)).to_have_count(proofs if says == FITS else 0)
        page.keyboard.press("Escape")


@pytest.mark.parametrize("game", ["fan-tan", "fear"])
def test_T3_a_proof_that_was_promised_and_is_left_out_is_seen(visit: Visit, game: str) -> None:
    """Of the draw, so that a server could choose who deals; of the shuffle; or of both."""
    page = sat(visit, game, rules={"stake": 1} if game == "fear" else {"deals": 1})
    told = looked_at(page)
    draw, shuffle = told["proofs"]
    lies: list[dict[str, Any]] = []
    page.route("**/api/replay/**", lambda route: route.fulfill(json=lies[-1]))
    missing = "It does not fit: this was promised to this page, and nothing is shown of it."
    for shown, says in (
        ([draw, shuffle], [FITS, FITS]),
        ([shuffle], [missing, FITS]),
        ([draw], [missing, ANOTHER]),
        ([], [missing, missing]),
    ):
        lies.append(told | {"proofs": shown})
        looked_at(page)
        page.get_by_role("button", name="Check the shuffle").click()
        expect(page.locator(".fair .verdict")).to_have_text(says)
        page.keyboard.press("Escape")


def test_T3_what_a_page_saw_of_a_deal_is_known_by_table_sitting_and_deal(visit: Visit) -> None:
    """Also after a line that was lost; a phone that is passed round keeps no hand, and all has an end."""
    page = visit()
    told = """import(FROM).then(({ seenOf, wasPromised, witness }) => {
      const tell = (id, now, more = {}, fresh = false) => witness({
        table: { id, sitting: 1, next: { commitment: now, shares: [] }, also: more.also ?? [] },
        view: { phase: "cut", deal: 1, seat: 0, hand: ["7S"], ...more },
      }, fresh);
      tell("a", "P1", { phase: "draw" }, true);
      tell("a", "P2", { phase: "shuffle" });
      tell("a", "P3");
      tell("a", "P3", { phase: "play" });
      tell("a", "P4", { deal: 2 });
      tell("a", "P4", { deal: 2 }, true);  // the line was lost, and nothing was shuffled
      tell("a", "P4", { deal: 2, phase: "play", also: [0, 1] });
      tell("a", "P6", { deal: 3 }, true);  // here somebody shuffled
      tell("a", "P6", { deal: 3, phase: "play" });
      tell("b", "Q1", { phase: "cut" }, true);
      tell("b", "Q1", { phase: "play" });
      const deals = [["A", 1, 1], ["a", 1, 2], ["a", 1, 3], ["b", 1, 1], ["a", 2, 1]];
      const found = deals.map((deal) => seenOf(...deal) ?? null);
      const known = ["P1", "P2", "P3", "P4", "P6", "Q1"].filter(wasPromised);
      for (let deal = 4; deal < 1000; deal += 1) tell("a", `P${deal}`, { deal, phase: "play" });
      return [...found.map((one) => one && [one.promised.join(), one.hands.flat().join()]), known.join(),
        seenOf("a", 1, 1) ?? null, seenOf("a", 1, 999)?.hands.flat().join()];
    })""".replace("FROM", module("shares"))
    assert promised(page, told) == [
        ["P1,P2", "7S"], ["P3", ""], ["", "7S"], ["", "7S"], None, "P1,P2,P3", None, "7S"
    ]  # fmt: skip


def test_T3_a_draw_that_is_left_out_is_seen_also_where_the_line_was_lost_after_it(visit: Visit) -> None:
    told = """import(FROM).then(({ drawnOf, unshown, witness }) => {
      const tell = (sitting, commitment, view, fresh = false) =>
        witness({ table: { id: "a", sitting, next: { commitment, shares: [] }, also: [0] }, view }, fresh);
      const first = { sitting: 1, deal: 1 }, again = { sitting: 2, deal: 1 };
      const draw = { commitment: "P1", move: "draw 0 JS" };
      const shuffle = { commitment: "P2", move: "shuffle 7S" };
      tell(0, "P1", null, true);
      tell(1, "P2", { phase: "cut", deal: 1 }, true);  // the line was lost meanwhile
      tell(1, "P3", { phase: "play", deal: 1, seat: 0, hand: ["7S"] });
      tell(2, "P3", { phase: "draw", deal: 1 });  // the dealer is known, and nobody draws
      tell(2, "P4", { phase: "play", deal: 1, seat: 0, hand: ["8S"] });
      return [
        ...[[shuffle], [draw], [draw, shuffle], []].map((proofs) => `${unshown("a", { ...first, proofs })}`),
        drawnOf("a", first), drawnOf("a", { sitting: 1, deal: 2 }) ?? null,
        unshown("a", { ...again, proofs: [{ commitment: "P3", move: "shuffle 8S" }] }).join(),
      ];
    })""".replace("FROM", module("shares"))
    assert promised(visit(), told) == ["P1", "", "", "P1,P2", "P1", None, ""]


def test_a_share_is_sent_again_by_who_sits_down_again(visit: Visit) -> None:
    """It went with him when he left; and a seat that is taken besides has none yet."""
    asked = """import(FROM).then(({ toShare }) => [
      [[0], []], [[0], []], [[0], [0]], [[], []], [[0], []], [[0, 1], [0]], [[0, 1], [0]], [[0, 1], [0, 1]],
    ].map(([also, shares]) => !!toShare({ next: { commitment: "P", shares }, also }, false)))""".replace(
        "FROM", module("shares")
    )
    assert promised(visit(), asked) == [True, False, False, False, True, True, False, False]


@pytest.mark.parametrize("width", [320, 1440])
def test_a_name_that_is_cut_keeps_its_number(visit: Visit, width: int) -> None:
    page = sat(visit, "play-or-pay", rules={"deals": 1})

    def long(route: Route) -> None:
        told = route.fetch().json()
        told["names"][1:3] = ["Maximiliane-Wilhelmina 2", "Maximiliane-Wilhelmina 3"]
        route.fulfill(json=told)

    other = visit(width=width, locale="fr")
    other.route("**/api/replay/**", long)
    other.goto(page.url + "/replay")
    ends = other.locator(".hands .who .cut-name > :last-child")
    expect(ends.nth(2)).to_have_text(" 3")
    seen = """all => all.every((one) => {
      const both = [one, one.closest(".who")];
      const [end, seat] = both.map((each) => each.getBoundingClientRect());
      return end.width > 3 && end.right <= seat.right + 1;
    })"""
    assert ends.evaluate_all(seen) and sideways(other) <= 0


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_is_looked_at_and_what_was_said_are_in_view_on_the_smallest_phone(
    visit: Visit, lang: str
) -> None:
    """The numbers of sitting and spread are not cut, and no steering lies over what happened."""
    page = sat(visit, "fear", rules={"stake": 1})

    def many(route: Route) -> None:
        told = route.fetch().json()
        route.fulfill(json=told | {"sittings": 9, "sitting": 9, "deals": [1, 2], "deal": 2})

    other = visit(width=320, locale=lang)
    other.route("**/api/replay/**", many)
    other.goto(page.url + "/replay?step=5")
    other.set_viewport_size({"width": 320, "height": 568})
    for name in ("sitting", "deal"):
        assert other.locator(f"select[name={name}]").evaluate(CUT) <= 0
    said, steer = (other.locator(f".replay .{one}").bounding_box() for one in ("sayings", "steer"))
    assert said and steer and said["y"] + said["height"] <= steer["y"] and sideways(other) <= 0


@pytest.mark.parametrize("more", [0, 9])
def test_no_line_of_what_happened_is_cut_in_half_on_a_desk(visit: Visit, more: int) -> None:
    """Cut, antes and the deal are six lines; where there are more than have room, whole ones are in view."""
    page = sat(visit, "fan-tan", 4, rules={"deals": 1})
    other = visit(page.url.partition("?")[0] + "/replay?deal=1", width=1440)
    other.locator(".sayings .clause").first.wait_for()
    cut = """(box, more) => {
      for (let n = 0; n < more; n++) box.append(box.children[1].cloneNode(true));
      const { bottom } = box.getBoundingClientRect();
      const lines = [...box.children].map((one) => one.getBoundingClientRect());
      return lines.filter((one) => one.top < bottom - 2 && one.bottom > bottom + 1).length;
    }"""
    assert other.locator(".sayings p").count() >= 6
    assert other.locator(".sayings").evaluate(cut, more) == 0


def test_T3_the_next_shuffle_is_promised_to_all_who_look(visit: Visit) -> None:
    page = table(visit, "fan-tan", 3)
    page.get_by_role("button", name="This table").click()
    shown = page.locator("dialog .hash")
    expect(shown).to_have_text(re.compile("^[0-9a-f]{64}$"))
    other = visit(page.url.partition("#")[0])
    other.get_by_role("button", name="This table").click()
    expect(other.locator("dialog .hash")).to_have_text(shown.inner_text())


def test_T3_the_page_comes_to_the_values_of_the_document(visit: Visit) -> None:
    text = (ROOT / "docs/fairness.md").read_text("utf-8")
    rows = re.findall(r"^\| (none|0: .*?) \| (.*) \|$", text, re.MULTILINE)
    page = visit()
    for shares, cards in rows:
        given = {seat: 32 * byte for seat, byte in re.findall(r"(\d): 32 × `(..)`", shares)}
        proof = {"move": f"shuffle {cards}", "secret": bytes(range(32)).hex(), "shares": given}
        again = f"import({module('proof')}).then((proof) => proof.follows({json.dumps(proof)}, 4))"
        assert promised(page, again) == proof["move"]
