"""The odds of Fear in the browser: the page, each one's chance at the table, and a game's turning point."""

import re
from itertools import pairwise
from typing import Any

import pytest
from conftest import Visit
from insights import of_five, plain
from looks import faults, sideways
from person import asked, keep, play, stage, table, turn
from playwright.sync_api import Page, expect

from cagnotte.study import odds

RECKON = """async ([what, asked]) => {
  const main = document.querySelector("script[type=module]").src;
  const reckon = await import(new URL("reckon.js", main).href);
  return Promise.all(asked.map((one) => reckon[what](...one)));
}"""
POSITIONS: list[tuple[list[int], int]] = [
    ([2] * 5, 52),
    ([1] * 26, 52),
    ([2] * 12, 52),
    ([3] * 6, 52),
    ([10, 10], 52),
    ([4], 9),
    *[([1 + (7 * i + j) % 3 for j in range(2 + i % 5)], 1 + (11 * i) % 52) for i in range(30)],
]
# Questions to the worker wait so many ms, and those of which `lost` is true for ever.
SLOW = """
  const post = Worker.prototype.postMessage;
  Object.assign(window, { wait: 0, lost: () => false });
  Worker.prototype.postMessage = function (question) {
    if (!window.lost(question)) setTimeout(() => post.call(this, question), window.wait);
  };
"""
# Questions to the worker wait for `go()`.
HELD = """
  const post = Worker.prototype.postMessage;
  let held = [];
  Worker.prototype.postMessage = function (question) {
    if (held) held.push([this, question]);
    else post.call(this, question);
  };
  window.go = () => {
    const all = held;
    held = null;
    for (const [one, question] of all) post.call(one, question);
  };
"""
WIN = "all => all.map(one => one.querySelector('td:nth-child(3)').textContent)"


def test_the_worker_reckons_what_the_study_does(visit: Visit) -> None:
    page = visit("/odds")
    won = page.evaluate(RECKON, ["chances", POSITIONS])
    lasted = page.evaluate(RECKON, ["lengthOf", POSITIONS])
    for (chips, down), win, long in zip(POSITIONS, won, lasted, strict=True):
        assert win["games"] == long["games"] == 0
        assert win["win"] == pytest.approx(odds.chances(chips, down).win, abs=1e-12)
        exact = odds.length(chips, down)
        assert long["chance"] == pytest.approx(exact.chance[: len(long["chance"])], abs=1e-12)
        assert sum(exact.chance[len(long["chance"]) :]) < 1e-11


def test_once_a_game_is_reckoned_all_that_can_come_of_it_is_known(visit: Visit) -> None:
    """Twelve with two chips each: forty positions more take less time than the first."""
    page = visit("/odds?players=2&stake=1")
    later = [([1 + (i * j) % 2 for j in range(2 + i % 10)], 1 + i) for i in range(40)]
    first, more, won = page.evaluate(
        """async (later) => {
      const main = document.querySelector("script[type=module]").src;
      const { chances } = await import(new URL("reckon.js", main).href);
      const begun = performance.now();
      await chances(Array(12).fill(2), 52);
      const first = performance.now();
      const won = await Promise.all(later.map(([chips, down]) => chances(chips, down)));
      return [first - begun, performance.now() - first, won];
    }""",
        later,
    )
    assert more < first
    for (chips, down), found in zip(later, won, strict=True):
        assert found["win"] == pytest.approx(odds.chances(chips, down).win, abs=1e-12)


def test_the_worker_has_the_dice_of_the_study(visit: Visit) -> None:
    chips, down = [2] * 16, 40
    page = visit("/odds")
    [win] = page.evaluate(RECKON, ["chances", [[chips, down]]])
    [long] = page.evaluate(RECKON, ["lengthOf", [[chips, down]]])
    won, lasted = [0] * len(chips), [0] * (52 * sum(chips) + 1)
    odds._games(chips, down, win["games"], *odds.DICE, won, lasted)
    assert win["win"] == [n / win["games"] for n in won]
    assert long["chance"] == [n / win["games"] for n in lasted[: len(long["chance"])]]


@pytest.mark.parametrize(
    ("width", "look"),
    [
        (320, {"color_scheme": "light", "locale": "fr"}),
        (390, {"color_scheme": "dark", "locale": "en"}),
        (768, {"color_scheme": "dark", "locale": "fr"}),
        (1440, {"color_scheme": "light", "locale": "en"}),
        (1440, {"color_scheme": "dark", "locale": "en"}),
        (1920, {"color_scheme": "light", "locale": "en"}),
    ],
)
def test_the_page_has_no_fault_and_fits(visit: Visit, axe: str, width: int, look: dict[str, Any]) -> None:
    for asked_for in ("players=12&stake=2", "players=26&stake=1"):
        page = visit(f"/odds?{asked_for}", width=width, **look)
        expect(page.locator(".planner table")).to_be_visible()
        for fold in page.locator("details").all():
            fold.locator("summary").click()
        assert faults(page, axe) == []
        assert sideways(page) <= 0
        small = (
            "all => all.filter(one => one.getBoundingClientRect().height < 43.5).map(one => one.outerHTML)"
        )
        assert page.locator(".odds-page :is(button, input, summary)").evaluate_all(small) == []


def test_seats_length_and_insight_follow_what_is_asked(visit: Visit) -> None:
    page = visit("/odds?players=5&stake=2")
    rows = page.locator(".seats-of tbody tr")
    expect(rows).to_have_count(5)
    assert rows.evaluate_all(WIN) == ["18.8%", "10.8%", "23.9%", "23.5%", "23.0%"]
    expect(page.locator(".insights")).to_contain_text("number 2")
    expect(page.locator(".lengths svg")).to_be_visible()
    page.locator(".odds-asked .field", has_text="Stake").get_by_role("button").last.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".seats-of td").first).to_have_text("3 chips")
    page.get_by_text("From another position").click()
    page.get_by_label("Chips of each").fill("1, 1, 1")
    page.get_by_label("Cards face down").fill("2")
    page.keyboard.press("Tab")
    expect(rows).to_have_count(3)
    expect(page.locator(".how-known")).to_contain_text("· 2 cards face down")
    assert rows.evaluate_all(WIN) == ["25.0%", "0.0%", "75.0%"]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_follows_is_put_into_words(visit: Visit, lang: str) -> None:
    page = visit("/odds?players=5&stake=2", locale=lang)
    expect(page.locator(".insights li")).to_have_count(5)
    assert [plain(line) for line in page.locator(".insights li").all_text_contents()] == of_five(lang)


def test_what_was_found_before_is_dim_while_the_next_is_reckoned(visit: Visit) -> None:
    page = visit("/odds?players=4&stake=1", script=SLOW)
    expect(page.locator(".how-known")).to_contain_text("4 players")
    expect(page.locator(".planner .answer")).to_contain_text("take a stake")
    assert page.locator("[aria-busy=true]").count() == 0
    page.evaluate("wait = 2000")
    page.get_by_label("Players").fill("5")
    page.keyboard.press("Tab")
    for told in (".how-known", ".planner .answer"):
        expect(page.locator(told)).to_have_text("Reckoning…")
    expect(page.locator(".seats-of tbody tr")).to_have_count(4)
    busy = page.locator("section[aria-busy=true]:has(table, .insights), .planner table[aria-busy=true]")
    expect(busy).to_have_count(4)
    for old in busy.all():
        expect(old).to_have_css("opacity", "0.4")
    expect(page.locator(".how-known")).to_contain_text("5 players")
    expect(page.locator(".seats-of tbody tr")).to_have_count(5)
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


def test_the_latest_question_overtakes_those_before(visit: Visit) -> None:
    page = visit("/odds?players=4&stake=1", script=SLOW)
    expect(page.locator(".planner .answer")).to_contain_text("take a stake")
    page.evaluate("() => { lost = ({ args }) => args[0].length > 4 && args[0].length < 9 }")
    more = page.locator(".odds-asked .field", has_text="Players").get_by_role("button").last
    for _ in range(5):
        more.click()
    expect(page.locator(".how-known")).to_contain_text("9 players")
    expect(page.locator(".seats-of tbody tr")).to_have_count(9)
    expect(page.locator(".planner caption")).to_contain_text("9 players")


def test_wrong_chips_have_a_sentence_and_no_answer(visit: Visit) -> None:
    page = visit("/odds?players=4&stake=1")
    expect(page.locator(".seats-of tbody tr")).to_have_count(4)
    page.get_by_text("From another position").click()
    chips = page.get_by_label("Chips of each")
    for text, wrong in (
        ("2, x, 30", "“x” is not a number from 1 to 10."),
        ("2, 30", "“30” is not a number from 1 to 10."),
        ("2, -1", "“-1” is not a number from 1 to 10."),
        ("2, 1.5", "“1.5” is not a number from 1 to 10."),
        ("2", "Give the chips of two players or more."),
        ("1 " * 27, "There are up to 26 players, not 27."),
    ):
        chips.fill(text)
        expect(page.locator("#chips-note")).to_have_text(wrong)
        expect(chips).to_have_attribute("aria-invalid", "true")
        assert page.locator(".odds-found table, .odds-found svg").count() == 0
    chips.fill("2, 3")
    expect(page.locator(".seats-of tbody tr")).to_have_count(2)
    expect(chips).to_have_attribute("aria-invalid", "false")


def test_what_is_without_effect_cannot_be_set(visit: Visit) -> None:
    """Players and stake, once the chips of each are typed in."""
    page = visit("/odds?players=4&stake=1")
    page.get_by_text("From another position").click()
    page.get_by_label("Chips of each").fill("2, 1, 3")
    expect(page.get_by_label("Players")).to_be_disabled()
    expect(page.get_by_label("Players")).to_have_value("3")
    expect(page.get_by_label("Stake", exact=True)).to_be_disabled()
    page.get_by_label("Chips of each").fill("")
    expect(page.get_by_label("Players")).to_be_enabled()
    expect(page.get_by_label("Players")).to_have_value("4")


def test_what_is_asked_is_in_the_address(visit: Visit) -> None:
    page = visit("/odds")
    page.get_by_label("Players").fill("8")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Stake", exact=True)).to_have_value("1")  # F2, unless one has chosen
    page.wait_for_url("**/odds?players=8")
    page.get_by_text("From another position").click()
    page.get_by_label("Chips of each").fill("2,1,3")
    page.get_by_label("Cards face down").fill("7")
    page.get_by_label("You have so many minutes").fill("45")
    page.keyboard.press("Tab")
    page.wait_for_url("**/odds?chips=2,1,3&down=7&minutes=45")
    page.reload()
    expect(page.locator(".how-known")).to_contain_text("3 players · 7 cards face down")
    expect(page.get_by_label("Chips of each")).to_have_value("2,1,3")
    expect(page.get_by_label("You have so many minutes")).to_have_value("45")


def test_a_number_that_is_taken_out_stays_what_it_was(visit: Visit) -> None:
    page = visit("/odds?players=8&stake=3")
    page.get_by_label("Players").fill("")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Players")).to_have_value("8")
    expect(page.locator(".how-known")).to_contain_text("8 players")


@pytest.mark.parametrize("width", [320, 390, 768, 1440])
@pytest.mark.parametrize("asked_for", ["players=12&stake=6", "chips=10,9,8,7,6,5,4,3,2,1,10,10"])
def test_bars_have_room_and_nothing_lies_over_anything(visit: Visit, width: int, asked_for: str) -> None:
    page = visit(f"/odds?{asked_for}", width=width, locale="fr")
    expect(page.locator(".seats-of .off").first).to_be_visible()
    assert not page.get_by_text(re.compile("±\u00a00$")).count()
    bars = page.locator(".bar-of").evaluate_all("all => all.map(one => one.getBoundingClientRect().width)")
    assert min(bars) >= 40
    assert sideways(page) <= 0
    half, nine = (end.bounding_box() for end in page.locator(".lengths .end text").all())
    assert half and nine and half["x"] + half["width"] < nine["x"]
    fields = page.locator(".odds-asked .field:has(.step)")
    for field in fields.all():
        outer, inner = field.bounding_box(), field.locator(".step").bounding_box()
        if outer and inner:
            assert inner["x"] + inner["width"] <= outer["x"] + outer["width"] + 0.5
    tops = page.locator(".odds-asked .step").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().top)"
    )
    assert all(after - before < 0.5 or after - before > 20 for before, after in pairwise(sorted(tops)))


def test_a_stake_for_the_time_that_there_is(visit: Visit) -> None:
    page = visit("/odds?players=9")
    answer = page.locator(".planner .answer")
    expect(answer).to_contain_text("stake of 1 chip")
    page.get_by_label("You have so many minutes").fill("45")
    page.keyboard.press("Tab")
    expect(answer).to_contain_text("stake of 4 chips")
    page.get_by_label("You have so many minutes").fill("3")
    page.keyboard.press("Tab")
    expect(answer).to_contain_text("Not even a stake of 1")


def test_where_there_are_too_many_positions_it_says_so(visit: Visit) -> None:
    """And each figure has its interval, as the planner's have."""
    page = visit("/odds?players=20&stake=3")
    expect(page.locator(".how-known")).to_contain_text("dice")
    expect(page.locator(".seats-of td", has_text="±")).to_have_count(20)
    long = page.locator("[aria-labelledby=odds-long] > .figures-of tbody tr")
    expect(long.locator("td:nth-of-type(1)", has_text="±")).to_have_count(3)
    expect(page.locator(".insights li").last).to_contain_text("50,000 games played with dice")
    page.get_by_label("You have so many minutes").fill("90")
    page.keyboard.press("Tab")
    expect(page.locator(".planner")).to_contain_text(
        "50,000 games each were played with dice from a stake of 2 on"
    )
    expect(page.locator(".planner tbody tr:first-child td", has_text="±")).to_have_count(0)
    expect(page.locator(".planner tbody tr:nth-child(2) td:nth-of-type(1)")).to_contain_text("±")


def test_what_comes_of_dice_beside_exact_odds_is_the_other_stake(visit: Visit) -> None:
    """And a mean has its decimal where it is whole."""
    page = visit("/odds?players=26&stake=1")
    expect(page.locator(".how-known")).to_contain_text("exact")
    expect(page.locator(".insights li").last).to_contain_text(
        "The figures of the other stake come from 50,000"
    )
    means = page.locator(
        "[aria-labelledby=odds-long] > .figures-of tbody td:nth-of-type(1)"
    ).all_inner_texts()
    assert means == ["26.0", "6.0", "300.0"]


@pytest.mark.parametrize("width", [320, 1440])
@pytest.mark.parametrize("chips", ["2,1,3,10,1", "1,1,1,1,1,1,1,1,1,1,1,1,1,10"])
def test_every_number_on_the_ring_can_be_read(visit: Visit, width: int, chips: str) -> None:
    """Also where a disc is too small for it."""
    page = visit(f"/odds?chips={chips}&down=7", width=width)
    numbers = page.locator(".ring-of g text")
    expect(numbers).to_have_count(chips.count(",") + 1)
    size = """all => all.map((one) =>
      parseFloat(getComputedStyle(one).fontSize) * one.ownerSVGElement.getScreenCTM().a)"""
    assert min(numbers.evaluate_all(size)) >= 8.5
    within = """all => all.every((one) => {
      const [inner, outer] = [one, one.parentNode.firstChild].map((each) => each.getBoundingClientRect());
      return inner.left >= outer.left && inner.right <= outer.right;
    })"""
    assert numbers.evaluate_all(within)


def test_two_equal_seats_are_said_to_be_equal(visit: Visit) -> None:
    page = visit("/odds?players=2&stake=1")
    insights = page.locator(".insights")
    expect(insights).to_contain_text("The 2 seats are equal: each wins 50.0% of all games.")
    expect(insights).to_contain_text("takes 45 cards on average, not 27.")
    expect(insights).not_to_contain_text("not equal")
    page.goto(page.url.replace("players=2&stake=1", "chips=1,1&down=1"))
    expect(page.locator(".insights")).to_contain_text("This is a game under way")
    expect(page.locator("[aria-labelledby=odds-long] > .figures-of tbody tr").first).to_contain_text(
        "under 1"
    )


def test_what_is_being_typed_is_not_overwritten(visit: Visit) -> None:
    page = visit("/odds?players=5")
    expect(page.locator(".planner table")).to_be_visible()
    minutes = page.get_by_label("You have so many minutes")
    minutes.fill("7")
    page.locator("[aria-controls=players]").last.evaluate("button => button.click()")  # the focus stays
    expect(page.locator(".seats-of tbody tr")).to_have_count(6)
    expect(minutes).to_have_value("7")
    page.locator("[aria-controls=minutes]").last.evaluate("button => button.click()")
    expect(minutes).to_have_value("21")


def test_what_cannot_be_in_the_address_is_said(visit: Visit) -> None:
    page = visit("/odds?players=99&down=0&minutes=30")
    expect(page.locator("header [role=status]")).to_contain_text("cannot be (players=99, down=0)")
    expect(page.get_by_label("Players")).to_have_value("6")


def test_one_comes_to_it_from_the_game_and_from_its_rules(visit: Visit) -> None:
    page = visit("/?game=fear")
    page.get_by_role("link", name="Odds").click()
    expect(page.locator("h1")).to_have_text("The odds of Fear")
    page.go_back()
    page.get_by_role("button", name="Rules").click()
    page.get_by_role("dialog").get_by_role("link", name="Odds").click()
    expect(page.locator("h1")).to_have_text("The odds of Fear")
    assert page.get_by_role("dialog").count() == 0


def test_it_is_among_what_is_kept_for_without_a_network(visit: Visit) -> None:
    page = visit("/odds")
    shell = page.evaluate("async () => (await (await fetch('api/offline')).json()).shell")
    kept = {path.split("/", 2)[-1] for path in shell}
    assert {"odds.js", "js/odds.js", "js/reckon.js", "css/odds.css"} <= kept


# At the table.


def figures(page: Page) -> list[int]:
    return [int(text.rstrip("%")) for text in page.locator(".seat .chance").all_text_contents()]


def test_each_ones_chance_is_shown_to_who_wishes_it_and_moves(visit: Visit) -> None:
    page = table(visit, "fear", players=5, rules={"stake": 2})
    assert asked(page)
    assert page.locator(".seat .chance").count() == 0
    keep(page, chances=True)
    expect(page.locator(".seat .chance")).to_have_count(5)
    assert sum(figures(page)) == 100
    seen = set()
    for what in play(page):
        seen.add(tuple(figures(page)))
        if len(seen) > 6:
            break
        assert what != "over"
    assert len(seen) > 6
    said = page.locator(".seat .sr").first
    expect(said).to_contain_text("wins with a chance of")
    keep(page, chances=False)
    expect(page.locator(".seat .chance")).to_have_count(0)


def test_at_the_end_it_is_said_what_decided_it(visit: Visit) -> None:
    page = table(visit, "fear", players=3, rules={"stake": 1})
    keep(page, pace="once", chances=True)
    for _ in play(page):
        pass
    expect(page.locator(".ending .moment")).to_contain_text("The turning point, before the last turn: ")
    expect(page.locator(".ending .moment")).not_to_contain_text("Ann ")  # who is called You here
    expect(page.locator(".seat .chance", has_text="100%")).to_have_count(1)


@pytest.mark.parametrize(("width", "lang"), [(320, "fr"), (390, "en"), (768, "fr"), (1440, "fr")])
def test_the_turning_point_has_its_room_before_it_is_known(visit: Visit, width: int, lang: str) -> None:
    page = table(visit, "fear", players=12, width=width, locale=lang, script=HELD)
    assert asked(page)  # so that nothing comes from the server meanwhile
    over = "Object.assign(u.view, { over: true, phase: 'over', actor: null }, v.view); u.log = v.log"
    view: dict[str, Any] = {"moves": [], "winners": [3], "stacks": [0, 0, 0, 3, *[0] * 8]}
    view["places"] = ["2S"] * 4 + [None] * 48
    log = [
        {"kind": "spread"},
        {"kind": "turned", "seat": 5, "card": "2S", "fear": False},
        {"kind": "turned", "seat": 4, "card": "QS", "fear": True},
        {"kind": "paid", "payer": 4, "payee": "pool", "chips": 1},
        {"kind": "turned", "seat": 3, "card": "4S", "fear": False},
        {"kind": "turned", "seat": 5, "card": "5S", "fear": True},
        {"kind": "paid", "payer": 5, "payee": "pool", "chips": 1},
        {"kind": "paid", "payer": "pool", "payee": 3, "chips": 2},
    ]
    stage(page, over, view=view, log=log)
    ending, sizes = page.locator(".ending"), []
    for known in (False, True):
        if known:
            page.evaluate("go()")
            moment = ending.locator(".moment")
            expect(moment).not_to_be_empty()
        sizes.append(ending.evaluate("one => [one.scrollHeight, one.offsetHeight]"))
    assert sizes[0] == sizes[1]


def test_the_turning_point_is_another_than_the_last_turn(visit: Visit) -> None:
    """Three with a chip each: the second pays with the second card, the third, at last, with the fourth."""
    log = [
        {"kind": "spread"},
        {"kind": "turned", "seat": 2, "card": "2S", "fear": False},
        {"kind": "turned", "seat": 1, "card": "3S", "fear": True},
        {"kind": "paid", "payer": 1, "payee": "pool", "chips": 1},
        {"kind": "turned", "seat": 0, "card": "4S", "fear": False},
        {"kind": "turned", "seat": 2, "card": "5S", "fear": True},
        {"kind": "paid", "payer": 2, "payee": "pool", "chips": 1},
        {"kind": "paid", "payer": "pool", "payee": 0, "chips": 2},
    ]
    view = {"over": True, "winners": [0], "stacks": [3, 0, 0], "places": ["2S"] * 4 + [None] * 48}
    page = visit("/odds")
    [found] = page.evaluate(RECKON, ["turningPoint", [[view, log]]])
    assert (found["seat"], found["loser"], found["card"], found["fear"]) == (1, 1, "3S", True)
    before, after = (odds.chances([1] * n, down).win for n, down in ((3, 51), (2, 50)))
    assert found["before"] == pytest.approx([before[1], before[0], before[2]])
    assert found["after"] == pytest.approx([after[0], 0, after[1]])
    assert page.evaluate(RECKON, ["turningPoint", [[view, log[5:]]]]) == [None]


def test_what_is_told_of_all_chances_adds_up(visit: Visit) -> None:
    told = visit("/odds").evaluate(
        """async (all) => {
      const main = document.querySelector("script[type=module]").src;
      const { hundredths } = await import(new URL("fate.js", main).href);
      return all.map(hundredths);
    }""",
        [[1 / 3] * 3, [0.235, 0.235, 0.53], [1 / 26] * 26, [0, 1, 0], [0.5, 0.25, 0.25], [1 / 7] * 7],
    )
    for parts in told:
        assert sum(round(100 * part) for part in parts) == 100
    assert told[3:5] == [[0, 1, 0], [0.5, 0.25, 0.25]]


def test_F8_the_last_card_has_a_button_and_is_where_one_tabs_to(visit: Visit) -> None:
    page = turn(visit, "fear", players=4)
    change = (
        "u.view.places = u.view.places.map((_, at) => at === 17 ? null : '7S'); u.view.moves = ['turn 17']"
    )
    stage(page, change)
    expect(page.locator(".prompt")).to_contain_text("The last card: it is the fear.")
    expect(page.get_by_role("button", name="Turn it over")).to_be_visible()
    expect(page.locator(".place[tabindex='0']")).to_have_attribute("data-place", "17")


def test_a_shared_screen_shows_chances_where_one_asks_it_to(visit: Visit) -> None:
    page = table(visit, "fear", players=4, rules={"stake": 1})
    screen = visit(page.url + "/screen", width=1920)
    expect(screen.locator(".screen .seat").first).to_be_visible()
    assert screen.locator(".seat .chance").count() == 0
    screen.get_by_role("button", name="At Fear, show everyone’s chance to win").click()
    expect(screen.locator(".seat .chance")).to_have_count(4)
