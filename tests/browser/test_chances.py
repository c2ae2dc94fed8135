"""The odds of Fear in the browser: the page, each one's chance at the table, and what decided a game."""

from typing import Any

import pytest
from conftest import Visit
from looks import faults, sideways
from person import asked, keep, play, table
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


def test_the_worker_has_the_dice_of_the_study(visit: Visit) -> None:
    chips, down = [2] * 16, 40
    page = visit("/odds")
    [win] = page.evaluate(RECKON, ["chances", [[chips, down]]])
    [long] = page.evaluate(RECKON, ["lengthOf", [[chips, down]]])
    won, lasted = [0] * len(chips), [0] * (52 * sum(chips) + 1)
    odds._games(chips, down, win["games"], won, lasted)
    assert win["win"] == [n / win["games"] for n in won]
    assert long["chance"] == [n / win["games"] for n in lasted[: len(long["chance"])]]


@pytest.mark.parametrize(
    ("width", "look"),
    [
        (320, {"color_scheme": "light", "locale": "fr"}),
        (390, {"color_scheme": "dark", "locale": "en"}),
        (1440, {"color_scheme": "light", "locale": "en"}),
    ],
)
def test_the_page_has_no_fault_and_fits(visit: Visit, axe: str, width: int, look: dict[str, Any]) -> None:
    for asked_for in ("players=12&stake=2", "players=26&stake=1"):
        page = visit(f"/odds?{asked_for}", width=width, **look)
        expect(page.locator(".planner table")).to_be_visible()
        for fold in page.locator("details").all():
            fold.locator("summary").click()
        assert faults(page, axe) == []
        assert sideways(page) == 0
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
    expect(page.locator(".how-known")).to_contain_text("2 cards face down")
    assert rows.evaluate_all(WIN) == ["25.0%", "0.0%", "75.0%"]
    page.get_by_label("Chips of each").fill("1, x")
    expect(page.get_by_label("Chips of each")).to_have_attribute("aria-invalid", "true")


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
    page = visit("/odds?players=20&stake=3")
    expect(page.locator(".how-known")).to_contain_text("dice")
    expect(page.locator(".seats-of td", has_text="±")).to_have_count(20)


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
    assert 98 <= sum(figures(page)) <= 102
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
    expect(page.locator(".ending .moment")).to_contain_text("What decided it")
    expect(page.locator(".seat .chance", has_text="100%")).to_have_count(1)


def test_a_shared_screen_shows_chances_where_one_asks_it_to(visit: Visit) -> None:
    page = table(visit, "fear", players=4, rules={"stake": 1})
    screen = visit(page.url + "/screen", width=1920)
    expect(screen.locator(".screen .seat").first).to_be_visible()
    assert screen.locator(".seat .chance").count() == 0
    screen.get_by_role("button", name="At Fear, show everyone’s chance to win").click()
    expect(screen.locator(".seat .chance")).to_have_count(4)
