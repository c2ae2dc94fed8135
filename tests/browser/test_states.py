"""The table in a real browser: states that a game seldom comes to, one's own settings, sounds and calls."""

import re

import pytest
from company import NOTES
from conftest import Visit
from looks import faults
from person import a_turn_to_lay, asked, keep, play, press, sent, stage, table, turn
from playwright.sync_api import Page, expect


def waits(page: Page, seconds: float, of: float = 30, seat: int = 0) -> None:
    """Let the table wait for a person, for so long yet."""
    wait = {"for": [seat], "what": "act", "until": 1000 * seconds, "of": 1000 * of}
    stage(page, "u.table.waiting = v.wait; u.table.seats[v.seat].kind = 'person'", wait=wait, seat=seat)


def test_the_clock_of_whoever_is_waited_for_is_seen_by_all(visit: Visit) -> None:
    """A bar at the seat; the last ten seconds in figures, and said once to whom they concern."""
    page = turn(visit, "fan-tan", width=1440)
    waits(page, 25)
    expect(page.locator(".me .clock i")).to_have_count(1)
    expect(page.locator(".clock b")).to_have_count(0)
    waits(page, 10.4)
    expect(page.locator(".me .clock b")).to_have_text("9")
    said = page.locator('[aria-live="polite"] > p', has_text="10 seconds left")
    expect(said).to_have_count(1)
    waits(page, 4.6, seat=2)
    expect(page.locator("[data-seat='2'] .clock b")).to_have_text("5")
    expect(page.locator(".me .clock")).to_have_count(0)
    stage(page, "u.table.paused = true")
    expect(page.locator(".clock")).to_have_count(0)


def test_a_pause_covers_the_board_and_says_who_may_go_on(visit: Visit, axe: str) -> None:
    page = turn(visit, "fan-tan")
    stage(page, "u.table.paused = true")
    expect(page.locator(".paused .btn")).to_have_text("Go on")
    expect(page.locator(".hand[data-mine=true]")).to_have_count(0)
    assert faults(page, axe) == []
    stage(page, "u.table.waiting = { for: [0], what: 'go', until: null, of: null }")
    expect(page.locator(".prompt .go")).to_have_count(0)
    stage(
        page,
        "Object.assign(u.table, { host: 1, watching: 2, rest: { by: 1, free: 1200 } }); "
        "u.table.seats[1].here = true",
    )
    other = page.evaluate("document.querySelector(\"[data-seat='1'] b\").textContent")
    expect(page.locator(".paused")).to_contain_text(f"{other} has paused the table.")
    expect(page.locator(".paused")).to_contain_text(re.compile(r"From \d+:\d\d.* on, anybody may"))
    expect(page.locator(".paused .btn")).to_have_count(0)
    page.get_by_role("button", name="This table").click()
    expect(page.get_by_role("dialog").get_by_role("button", name="Go on")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".paused .btn")).to_have_text("Go on")  # as soon as anybody may
    expect(page.locator(".watching")).to_contain_text("2 people are watching")


OVER = """(selector) => {
  const box = (one) => one.getBoundingClientRect();
  const one = box(document.querySelector(selector));
  const meets = ({ left, right, top, bottom, width }) =>
    width && left < one.right - 1 && right > one.left + 1 && top < one.bottom - 1 && bottom > one.top + 1;
  const needed = document.querySelectorAll(".seat, .pool, .hand .card, .prompt :is(.btn, p)");
  return [...needed].map(box).filter(meets).length;
}"""


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_notes_lie_above_the_prompt_and_move_nothing(visit: Visit, axe: str, lang: str) -> None:
    """On a phone held sideways beside it, as the board is."""
    page = turn(visit, "fan-tan", players=3, locale=lang)
    before = page.locator(".board").bounding_box()
    stage(page, "u.table.seats[0].stand_in = true")
    expect(page.locator(".note")).to_have_count(1)
    assert page.locator(".board").bounding_box() == before
    for width, height in ((320, 568), (390, 664), (844, 390), (768, 1024), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(250)
        assert page.evaluate(OVER, ".note") == 0, (width, height)
        note, prompt = (page.locator(what).bounding_box() for what in (".note", ".prompt"))
        assert note and prompt
        above = prompt["y"] - note["y"] - note["height"]
        beside = prompt["x"] - note["x"] - note["width"]
        assert 0 <= (beside if height == 390 else above) < 20, (width, height)
    assert faults(page, axe) == []


def test_who_ran_out_of_time_reads_how_he_takes_over(visit: Visit) -> None:
    page = turn(visit, "fan-tan")
    stage(page, "u.table.seats[0].stand_in = true")
    expect(page.locator(".note")).to_contain_text("Your turns last 10 s until you play yourself")
    expect(page.locator(".me .why")).to_have_text("time out")
    page.locator(".note").get_by_role("button", name="Close").click()
    stage(page, "u.table.seats[0].stand_in = true")
    expect(page.locator(".note")).to_have_count(0)
    stage(page, "u.table.seats[0].stand_in = false")
    stage(page, "u.table.seats[0].stand_in = true")
    expect(page.locator(".note")).to_have_count(1)
    stage(page, "u.table.seats[0].stand_in = false")
    expect(page.locator(".note")).to_have_count(0)


def test_who_was_let_go_and_who_became_host_are_told(visit: Visit) -> None:
    page = turn(visit, "fan-tan")
    stage(page, "u.table.host = 1")
    expect(page.locator(".note")).to_have_count(0)
    stage(page, "u.table.host = 0")
    expect(page.locator(".note")).to_contain_text("You are the host now")
    stage(page, "u.table.watching = 1")
    expect(page.locator(".note")).to_have_count(1)
    page.locator(".note").get_by_role("button", name="Close").click()
    stage(page, "u.table.host = 1")
    stage(page, "u.table.host = 0")
    expect(page.locator(".note")).to_have_count(1)
    page.get_by_role("button", name="This table").click()  # as the note asks: it has been read
    page.get_by_role("dialog").get_by_role("button", name="Close").first.click()
    expect(page.locator(".note")).to_have_count(0)
    page.evaluate("() => { const real = setTimeout; window.setTimeout = (then, ms) => real(then, ms / 5); }")
    stage(page, "u.table.me = null; u.table.also = []; u.table.host = 1; u.view.hand = []; u.view.moves = []")
    expect(page.locator(".note")).to_contain_text("The host has let you go")
    expect(page.locator(".note")).to_have_count(1)
    expect(page.locator(".note")).to_have_count(0)  # by itself, and nothing comes after it


RING = """() => {
  const { activeElement: one } = document;
  const style = getComputedStyle(one.matches(".held") ? one.querySelector(".card.face") : one);
  return [style.outlineColor, style.boxShadow];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", ["fan-tan", "fear"])
def test_the_cards_are_one_tab_from_the_heading_and_focus_is_no_mark(
    visit: Visit, game: str, scheme: str
) -> None:
    """White outside, seen on the cloth; blue inside, seen on a card; the mark of a playable card is gold."""
    page = turn(visit, game, players=5, color_scheme=scheme)
    page.locator("h1").focus()
    page.keyboard.press("Tab")
    expect(page.locator(".to-cards")).to_be_focused()
    page.keyboard.press("Enter")
    cards = page.locator(".held" if game == "fan-tan" else ".place")
    assert cards.evaluate_all("all => all.includes(document.activeElement)")
    outline, shadow = page.evaluate(RING)
    assert outline == "rgb(255, 255, 255)" and "rgb(26, 79, 240)" in shadow
    stage(page, "u.view.actor = 1; u.view.moves = []")
    expect(page.locator(".to-cards")).to_have_count(0)


SETTLED = """
  Object.assign(u.view, { phase: "shuffle", actor: "chance", deal: 2, moves: [] });
  Object.assign(u.view, { shown: [["KS"], [], ["2C"], []] });
  u.table.seats[1].kind = "person"; u.table.waiting = v.wait;
"""


def test_a_settlement_says_truly_what_it_waits_for(visit: Visit) -> None:
    page = turn(visit, "fan-tan")
    wait = {"for": [0, 1], "what": "go", "until": 9000, "of": 12000}
    stage(page, SETTLED, wait=wait)
    said = page.locator(".prompt p")
    expect(said).to_have_text("The deal is settled. The next begins in 9 s.")
    expect(said).to_have_text("The deal is settled. The next begins in 7 s.")
    expect(page.locator(".prompt .go")).to_have_text("Next deal")
    other = page.evaluate("document.querySelector(\"[data-seat='1'] b\").textContent")
    stage(page, SETTLED, wait=wait | {"for": [1]})
    expect(said).to_have_text(f"The next deal waits for {other}, 9 s at most.")
    stage(page, SETTLED, wait=wait | {"until": None, "of": None})
    expect(said).to_have_text("The deal is settled.")


def test_nobody_is_alone_with_bots_and_hurried(visit: Visit) -> None:
    """At the fastest pace the account of a deal stands until he goes on."""
    page = table(visit, "fan-tan", 3, rules={"deals": 2})
    for _ in play(page, ".prompt .go"):
        pass
    version = page.locator(".table").get_attribute("data-version")
    page.wait_for_timeout(7000)
    expect(page.locator(".settlement")).to_be_visible()
    assert page.locator(".table").get_attribute("data-version") == version
    expect(page.locator(".prompt p")).to_have_text("The deal is settled.")
    page.locator(".prompt .go").click()
    expect(page.locator(".settlement")).to_have_count(0)


def test_who_may_lay_a_bonus_card_or_begin_a_suit_reads_what_follows(visit: Visit) -> None:
    """E3, P4."""
    page = turn(visit, "earl-of-coventry")
    stage(page, "u.view.phase = 'bonus'; u.view.moves = ['pass']")
    expect(page.locator(".prompt")).to_contain_text(
        "nothing of yours fits another suit. It costs nothing to decline."
    )
    expect(page.locator(".actions .btn")).to_have_text("Decline")
    stage(page, "u.view.phase = 'bonus'; u.view.moves = [u.view.hand[0], 'pass']")
    expect(page.locator(".prompt")).to_contain_text("or decline. It is free.")
    stage(page, "u.view.phase = 'open'; u.view.moves = [u.view.hand[0]]")
    expect(page.locator(".prompt")).to_contain_text("with any card, and it goes up from there.")


def test_a_hint_gives_its_reason_and_marks_the_card(visit: Visit, axe: str) -> None:
    page = a_turn_to_lay(visit)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".reason")).to_have_count(1)
    said = page.locator(".reason").inner_text()
    assert len(said) > 15
    expect(page.locator('[aria-live="polite"] > p').last).to_have_text(said)
    marked = page.locator(".held[data-hint=true]")
    expect(marked).to_have_attribute("data-fits", "true")
    assert faults(page, axe) == []
    keep(page, lang="fr")
    expect(page.locator(".reason")).not_to_have_text(said)
    marked.click()
    expect(page.locator(".reason")).to_have_count(0)


def test_in_fear_a_hint_says_that_any_card_is_as_good(visit: Visit) -> None:
    page = turn(visit, "fear", players=5)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".reason")).to_have_count(1)
    page.get_by_role("button", name="Any card").click()
    page.locator(".place[data-up=true]").first.wait_for()


@pytest.mark.parametrize(
    ("setting", "hand", "moves"),
    [("autoPass", "['AS', 'KC']", "['pass']"), ("autoLay", "['7H', 'KC']", "['7H']")],
)
def test_what_is_played_for_one_waits_as_long_whatever_the_hand(
    visit: Visit, setting: str, hand: str, moves: str
) -> None:
    """Between 1.2 and 2.8 s at the normal pace, by dice alone; or not at all, when one says so."""
    page = turn(visit, "fan-tan")
    page.evaluate(
        "() => { const real = setTimeout; window.waits = []; "
        "window.setTimeout = (f, ms, ...all) => { window.waits.push(ms ?? 0); return real(f, ms, ...all); } }"
    )
    keep(page, **{setting: True})
    for dice in (0, 0.5, 0.999):
        page.evaluate("(dice) => { Math.random = () => dice; window.waits.length = 0; }", dice)
        stage(page, f"u.table.pace = 'normal'; u.view.hand = {hand}; u.view.moves = {moves}")
        assert any(abs(ms - (1200 + 1600 * dice)) < 1 for ms in page.evaluate("window.waits"))
    page.locator(".prompt .stop").click()
    expect(page.locator(".prompt .stop")).to_have_count(0)
    page.evaluate("window.waits.length = 0")
    stage(page, f"u.view.hand = {hand}; u.view.moves = [...{moves}, '2C']")
    assert not any(1000 < ms < 3000 for ms in page.evaluate("window.waits"))  # there is a choice


def test_E3_a_bonus_card_is_declined_by_its_player_also_when_he_has_none(visit: Visit) -> None:
    """Else the others would learn by the time it takes what he holds."""
    page = turn(visit, "earl-of-coventry")
    keep(page, autoPass=True, autoLay=True)
    stage(page, "u.table.pace = 'slow'; u.view.hand = ['AS', 'KC']; u.view.moves = ['pass']")
    expect(page.locator(".prompt .stop")).to_have_count(1)
    stage(page, "u.table.pace = 'slow'; u.view.phase = 'bonus'; u.view.moves = ['pass']")
    expect(page.locator(".prompt .stop")).to_have_count(0)


def test_a_pass_that_is_played_for_one_is_played(visit: Visit) -> None:
    page = table(visit, "fan-tan", 3, rules={"deals": 1})
    keep(page, autoPass=True, autoLay=True)
    stage(page, "u.table.pace = 'once'")
    for what in play(page):
        if what == ".actions .btn" and page.locator(".prompt .stop").count():
            version = page.locator(".table").get_attribute("data-version")
            page.wait_for_function("v => document.querySelector('.table').dataset.version !== v", arg=version)
            break


def test_what_cannot_be_taken_back_is_asked_twice_where_that_is_wanted(visit: Visit, axe: str) -> None:
    page = table(visit, "fear", 5)
    keep(page, confirm=True)
    moves = sent(page)
    while (what := asked(page)) != ".named":  # a game may end before it is this player's to name
        press(page, ".prompt .again" if what == "over" else what)
    card = page.locator(".named").first
    card.click()
    expect(page.locator(".prompt")).to_contain_text(
        f"Shall the {card.get_attribute('aria-label')} be the fear?"
    )
    assert faults(page, axe) == []
    page.get_by_role("button", name="Not yet").click()
    assert not any(move.startswith("fear") for move in moves())
    page.locator(".named").last.click()
    page.get_by_role("button", name="Name it").click()
    page.locator(".named").first.wait_for(state="detached")
    assert sum(move.startswith("fear") for move in moves()) == 1


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "Pass? It costs you nothing now."), ("fr", "Passer\u202f? Cela ne coûte rien pour l’instant.")],
)
def test_C3_nobody_is_asked_to_pay_who_has_nothing(visit: Visit, lang: str, said: str) -> None:
    page = turn(visit, "fan-tan", locale=lang)
    keep(page, confirm=True, warn=True)
    for stay, hand in (
        (0, "hand: ['7H', 'KC'], moves: ['7H', 'pass']"),
        (1, "hand: ['KC'], moves: ['pass']"),
    ):
        stage(page, f"u.view.stacks[0] = 0; Object.assign(u.view, {{ price: 0, fine: 0, {hand} }})")
        page.locator(".prompt .pass").click()
        expect(page.locator(".prompt")).to_contain_text(said)
        page.locator(".prompt .btn").nth(stay).click()


# Places below which, by width, the choice of the fear begins.
COVERED = {320: 32, 390: 28, 844: 26, 768: 0, 1024: 0, 1440: 0, 1920: 0}


@pytest.mark.parametrize(
    ("width", "height"),
    [(320, 568), (390, 664), (844, 390), (768, 1024), (1024, 768), (1440, 900), (1920, 1080)],
)
def test_the_spread_stays_where_it_is_while_the_fear_is_named(
    visit: Visit, axe: str, width: int, height: int
) -> None:
    """F4: the choice lies below it, on a phone over few of its rows; a card that is up is none of it."""
    page = turn(visit, "fear", players=6)
    page.set_viewport_size({"width": width, "height": height})
    down = "u.view.places = u.view.places.map((_, at) => (at % 9 ? 'AC' : null));"
    stage(page, down + "u.view.moves = ['turn 0', 'turn 9', 'turn 18']")
    lie = "all => all.map((one) => JSON.stringify(one.getBoundingClientRect()))"
    before = page.locator(".place").evaluate_all(lie)
    names = "['fear TS', 'fear 2H', 'fear AH', 'fear KC', 'fear 9D', 'fear 7D']"
    stage(page, down + f"Object.assign(u.view, {{ phase: 'name', fear: null, moves: {names} }})")
    page.locator(".naming").wait_for()
    assert page.locator(".place").evaluate_all(lie) == before
    above = page.locator(".naming").evaluate("""(one) => [...document.querySelectorAll(".place")]
      .filter((place) => place.getBoundingClientRect().bottom > one.getBoundingClientRect().top).length""")
    assert above <= COVERED[width]
    assert faults(page, axe) == []
    found = set()
    suits = page.locator(".suits .suit")
    for n in range(suits.count() or 1):
        if suits.count():
            suits.nth(n).click()
        found |= set(page.locator(".named").evaluate_all("all => all.map((one) => one.ariaLabel)"))
        for box in (one.bounding_box() for one in page.locator(".named, .suits .suit").all()):
            assert box and box["width"] >= 42 and box["height"] >= 44
            assert box["x"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= height
    assert found == {
        "ten of spades",
        "two of hearts",
        "ace of hearts",
        "king of clubs",
        "nine of diamonds",
        "seven of diamonds",
    }
    page.locator(".named").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.matches('.named')")


def test_who_is_out_of_fear_may_begin_the_next_game_with_others_who_are(visit: Visit) -> None:
    page = turn(visit, "fear", players=5, pace="quick")
    stage(page, "u.view.stacks[0] = 0; u.view.pool += 2; u.view.actor = 2; u.view.moves = []")
    expect(page.locator(".prompt")).to_contain_text("You are out of the game.")
    expect(page.get_by_role("button", name="To the end")).to_be_visible()  # where only bots are left
    stage(page, "u.table.seats[2].kind = 'person'; u.table.beside = { table: 'k3v9q2m8zz', by: 3 }")
    expect(page.locator(".prompt a.beside")).to_have_attribute("href", re.compile(r"/t/k3v9q2m8zz$"))
    stage(page, "u.table.beside = null")
    page.get_by_role("button", name="Next game with those who are out").click()


def test_to_the_end_of_fear_goes_past_the_end_of_a_spread(visit: Visit) -> None:
    page = turn(visit, "fear", players=5, pace="quick", script=NOTES)
    stage(page, "u.view.stacks[0] = 0; u.view.pool += 2; u.view.actor = 2; u.view.moves = []")
    page.get_by_role("button", name="To the end").click()
    stage(page, "u.table.waiting = { what: 'go', for: [0], until: null, of: null }")
    page.wait_for_function("() => window.spoken.some(([way, { type }]) => way === 'said' && type === 'go')")
    stage(page, "u.view.over = true; u.view.phase = 'over'; u.view.winners = [2]")  # and then as before
    paces = "window.spoken.filter(([, { type }]) => type === 'pace').map(([, { value }]) => value)"
    assert page.evaluate(paces) == ["once", "quick"]


BACK_TIMES = """() => {
  window.times = [];
  const real = Element.prototype.animate;
  Element.prototype.animate = function (frames, how) {
    if (this.matches(".card.back.over")) window.times.push(how.duration);
    return real.call(this, frames, how);
  };
}"""


def test_a_card_turns_as_slowly_whether_it_is_the_fear_or_not(visit: Visit) -> None:
    """The fewer are left the slower; and only the number of those left has a part in it."""
    page = turn(visit, "fear", players=5, pace="quick")
    page.wait_for_timeout(2000)  # all are told by then how many watch, which would come between
    page.evaluate(BACK_TIMES)
    times: dict[int, set[float]] = {}
    change = """
      const { settings, set } = await import(at("keep.js")); set({ pace: "quick" });
      u.view.places = u.view.places.map((card, place) => place < v.up ? "KS" : null);
      u.view.fear = "7H"; update.value = u;
      delete u.log; await new Promise(requestAnimationFrame);
      const n = structuredClone(u); n.version += 1; delete n.log;
      const card = v.fear ? "7H" : "8H";
      n.events = [{ kind: "turned", seat: 1, place: v.up, card, fear: v.fear, say: "x" }];
      n.view.places[v.up] = card; update.value = n; await new Promise((done) => setTimeout(done, 900));
      Object.assign(u, n, { events: [], log: [] })"""
    for up in (4, 30, 49):
        for fear in (True, False):
            page.evaluate("window.times.length = 0")
            stage(page, change, up=up, fear=fear)
            last = page.evaluate("window.times.at(-1)")  # before it the table's own cards may have turned
            times.setdefault(up, set()).add(round(last, 3))
    assert all(len(found) == 1 for found in times.values()), times
    slow = [found.pop() for found in times.values()]
    assert slow == sorted(slow) and slow[0] < slow[2]


TURNED = """
  const { settings, set } = await import(at("keep.js")); set({ pace: "slow" });
  u.view.places = u.view.places.map((_, place) => place < 30 ? "KS" : null);
  Object.assign(u.view, { fear: "7H", actor: 0, moves: ["turn 30"] }); delete u.log; update.value = u;
  await new Promise(requestAnimationFrame);
  const n = structuredClone(u); n.version += 1;
  n.events = [{ kind: "turned", seat: 0, place: 30, card: "7H", fear: true, say: "The fear!" }];
  n.view.places[30] = "7H"; n.view.actor = 1; u.table.paused = n.table.paused = false; update.value = n;
  await new Promise((done) => setTimeout(done, 150)); window.told = {
    while: document.querySelector(".table").innerText, prompt: document.querySelector(".prompt").innerText };
  await new Promise((done) => setTimeout(done, 1800));
  window.told.after = document.querySelector(".table").innerText;
  Object.assign(u, n, { events: [], log: [] })"""


def test_what_a_card_is_is_told_once_it_is_up(visit: Visit) -> None:
    page = turn(visit, "fear", players=5, pace="slow")
    page.wait_for_timeout(1500)  # the latest card has come to rest
    stage(page, TURNED)
    told = page.evaluate("window.told")
    assert "22 cards face down" in told["while"] and "The fear!" not in told["while"]
    assert "21 cards face down" in told["after"] and "The fear!" in told["after"]
    assert told["prompt"] == "One moment."


# As TURNED, with Escape before anything was to be seen.
ESCAPED = TURNED.replace(
    "setTimeout(done, 150));",
    """setTimeout(done, 150));
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  await new Promise((done) => setTimeout(done, 250));""",
).replace("1800", "1")


def test_who_will_not_wait_sees_the_latest_at_once(visit: Visit) -> None:
    """By Escape and by the button, at the slowest pace."""
    page = turn(visit, "fear", players=5, pace="slow")
    page.wait_for_timeout(1500)  # the latest card has come to rest
    stage(page, ESCAPED)
    assert "21 cards face down" in page.evaluate("window.told.while")
    page = table(visit, "fan-tan", 3, pace="slow")
    page.locator(".draw").wait_for()
    page.locator(".prompt .skip").click()
    expect(page.locator(".draw")).to_have_count(0, timeout=1000)


def test_the_draw_the_shuffle_and_the_deal_are_seen(visit: Visit) -> None:
    """T2, T3, T4: one after another, at a pace that lets one follow."""
    page = table(visit, "fan-tan", 3, pace="slow", script=SCENES)
    for what in play(page, ".held[data-fits=true]"):
        assert what != "over"
    seen = page.evaluate("window.scenes")
    assert {*seen} == {".draw", "[data-pack]", ".held"} and seen[-1] == ".held"


# What has been on the page, in the order in which it came.
SCENES = """
  window.scenes = [];
  addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
    for (const what of [".draw", "[data-pack]", ".held"])
      if (!window.scenes.includes(what) && document.querySelector(what)) window.scenes.push(what);
  }).observe(document.body, { childList: true, subtree: true }));
"""

CUT = """
  const { settings, set } = await import(at("keep.js")); set({ pace: "slow" });
  Object.assign(u.view, { phase: "cut", actor: 0, moves: ["cut 9"] });
  delete u.log; update.value = u;
  await new Promise((done) => setTimeout(done, 100));
  const n = structuredClone(u); n.version += 1;
  n.events = [{ kind: "pack_cut", seat: 0, say: "Cut." },
    { kind: "paid", payer: 1, payee: "pool", chips: 1, clause: "C1", say: "Paid." }];
  n.view.phase = "play"; update.value = n;
  await new Promise((done) => setTimeout(done, 150));
  window.told = document.querySelector(".prompt").innerText;
  window.lit = document.querySelector(".me [data-turn=true]") !== null;
  Object.assign(u, n, { events: [], log: [] })"""


def test_who_has_cut_is_asked_no_more(visit: Visit) -> None:
    page = turn(visit, "fan-tan", pace="slow")
    page.wait_for_timeout(800)  # the latest card has come to rest
    stage(page, CUT)
    assert page.evaluate("window.told").split() == ["One", "moment.", "Skip"]
    assert not page.evaluate("window.lit")


def test_places_stand_in_columns_of_four_and_are_called_by_number(visit: Visit) -> None:
    """F3, B095: thirteen columns of four, turned on an upright phone; for the ear a number, right in both."""
    page = turn(visit, "fear", players=5)
    where = """() => [...document.querySelectorAll(".place")].map((one) => {
      const { x, y } = one.getBoundingClientRect();
      return [x, y];
    })"""
    for width, height, turned in ((390, 664, True), (1440, 900, False)):
        page.set_viewport_size({"width": width, "height": height})
        spots = page.evaluate(where)
        columns = sorted({round(x) for x, _ in spots})
        rows = sorted({round(y) for _, y in spots})
        assert (len(columns), len(rows)) == ((4, 13) if turned else (13, 4))
        for place, (x, y) in enumerate(spots):
            column, row = columns.index(round(x)), rows.index(round(y))
            assert place == (4 * row + column if turned else 4 * column + row)
    labels = page.locator(".place[data-up=false]").evaluate_all(
        "all => all.map(one => [one.dataset.place, one.ariaLabel])"
    )
    for place, label in labels:
        assert label == f"face-down card {int(place) + 1}"
    assert "column" not in page.locator(".lines").inner_text()


# What is heard, and what calls.

EARS = """
  window.contexts = [];
  const Real = (window.Ear = window.AudioContext);
  window.AudioContext = class extends Real { constructor() { super(); window.contexts.push(this); } };
"""

# Whether a machine has anything to play a sound on: else no context ever runs in some browsers.
DEAF = """new Promise((on) => {
  const ear = new window.Ear();
  ear.onstatechange = () => on(false);
  setTimeout(() => on(ear.state !== "running"), 3000);
})"""


def test_B191_no_sound_and_no_audio_device_until_wanted(visit: Visit) -> None:
    page = turn(visit, "fear", players=5, script=EARS)
    page.locator(".place[data-up=false]").first.click()
    page.wait_for_timeout(300)
    assert page.evaluate("window.contexts.length") == 0
    keep(page, sound=True)
    while not (what := asked(page)).startswith(".spread-out"):
        press(page, what)
    page.locator(".place[data-up=false]").first.click()
    page.wait_for_function("() => window.contexts.length === 1")
    if page.evaluate(DEAF):
        pytest.skip("this browser finds no audio device")
    page.wait_for_function("() => window.contexts[0].state === 'running'")
    keep(page, sound=False)
    page.wait_for_function("() => window.contexts[0].state === 'closed'")


AWAY = """
  window.calls = []; window.locks = 0;
  window.Notification = class {
    static permission = "granted";
    constructor(title) { window.calls.push(title); }
    close() {}
  };
  let away = false;
  Object.defineProperty(document, "hidden", { get: () => away });
  window.leave = (value) => { away = value; document.dispatchEvent(new Event("visibilitychange")); };
  const lock = async () => { window.locks += 1; return { release() { window.locks -= 1; } }; };
  Object.defineProperty(navigator, "wakeLock", { value: { request: lock } });
"""


def test_B189_B167_a_hidden_page_calls_and_the_screen_stays_on(visit: Visit) -> None:
    page = turn(visit, "fear", players=5, script=AWAY)
    assert page.title().startswith("Your turn")
    keep(page, notify=True, awake=True)
    page.wait_for_function("() => window.locks === 1")
    assert page.evaluate("window.calls") == []
    page.evaluate("window.leave(true)")
    page.wait_for_function("() => window.calls.length === 1")
    page.wait_for_function("() => window.locks === 0")
    page.evaluate("window.leave(false)")
    page.wait_for_function("() => window.locks === 1")


def test_beside_a_shared_screen_a_phone_just_turns_a_card(visit: Visit) -> None:
    """There its one large button is that; who merely looks on changes nothing."""
    page = turn(visit, "fear", players=5)
    stage(page, "u.table.watching = 2")
    expect(page.locator(".any:not(.primary)")).to_have_count(1)
    stage(page, "Object.assign(u.table, { watching: 0, screens: 1 })")
    expect(page.locator(".any.primary")).to_have_count(1)


LYING = {"viewport": {"width": 664, "height": 390}}
LAST_PLAYS = """
  u.log = [["laid", "7S"], ["laid", "8S"], ["passed"], ["laid", "6S"]].map(([kind, card], seat) =>
    ({ kind, card, seat, say: kind }));
  Object.assign(u.table.seats[1], { kind: "person", here: false, stand_in: true });
  Object.assign(u.table.seats[2], { kind: "person", here: false });
  u.table.seats[0].stand_in = true;
"""


@pytest.mark.parametrize("width", [320, 390, 664, 768, 1440, 1920])
@pytest.mark.parametrize("players", [4, 5])
def test_the_last_play_of_everyone_can_be_seen(visit: Visit, width: int, players: int) -> None:
    """Also of whoever is away, stood in for or out of time: his tag covers no more than the edge of it."""
    page = turn(visit, "fan-tan", width=width, players=players, **LYING if width == 664 else {})
    before = page.locator(".board").bounding_box()
    stage(page, LAST_PLAYS)
    for seat, laid in enumerate(("7S", "8S", None, "6S")):
        did = page.locator(f"[data-seat='{seat}'] .did")
        expect(did).to_be_visible()
        assert did.locator("[data-suit=S]" if laid else ".word").count() == 1
    for seat in range(3):
        what = [page.locator(f"[data-seat='{seat}'] {one}").bounding_box() for one in (".did", ".why")]
        assert all(what)
        did_box, why = (one for one in what if one)
        apart = why["x"] >= did_box["x"] + did_box["width"] or why["x"] + why["width"] <= did_box["x"]
        assert apart or why["y"] >= did_box["y"] + did_box["height"] - 10, (seat, what)
    # Where the board is beside the prompt a note has room of its own.
    assert width == 664 or page.locator(".board").bounding_box() == before


@pytest.mark.parametrize("width", [1024, 1920])
def test_the_last_play_of_everyone_can_be_seen_on_a_shared_screen(visit: Visit, width: int) -> None:
    page = turn(visit, "fan-tan", viewport={"width": width, "height": width * 9 // 16}, players=5)
    page.goto(page.url + "/screen")
    page.locator(".screen .now").wait_for()
    stage(page, LAST_PLAYS)
    for seat in range(3):
        did, why = (page.locator(f"[data-seat='{seat}'] {one}").bounding_box() for one in (".did", ".why"))
        has = page.locator(f"[data-seat='{seat}'] .left").bounding_box()
        assert did and why and has and why["x"] + why["width"] <= did["x"]
        assert has["x"] + has["width"] <= why["x"] or has["y"] >= why["y"] + why["height"]
