"""The table in a real browser: what a person chose for himself, where he is led, what he may not touch."""

import pytest
from company import Frames, at_seat, opened
from conftest import Visit
from looks import faults, resize, sideways
from person import a_turn_to_lay, keep, play, sent, table, turn
from playwright.sync_api import expect

from cagnotte.cards import CARD
from cagnotte.locale.tell import spoken

LOOKS = """all => [...new Set(all.map((one) => {
  const { boxShadow, outlineStyle, filter, opacity, translate, transform } = getComputedStyle(one);
  return JSON.stringify([boxShadow, outlineStyle, filter, opacity, translate, transform]);
}))]"""


def test_with_the_marks_off_nothing_tells_which_cards_fit(visit: Visit) -> None:
    """Neither look, name nor pointer."""
    page = a_turn_to_lay(visit, width=1440)
    fits = page.locator(".held[data-fits=true]").first
    fits.hover()
    expect(page.locator("[data-aim=true]")).to_have_count(1)
    page.mouse.move(1, 1)
    keep(page, marks=False)
    page.wait_for_timeout(300)
    assert len(page.locator(".held > .card").evaluate_all(LOOKS)) == 1
    for card in page.locator(".held").all():
        name = spoken("en", CARD[str(card.get_attribute("data-held"))])
        expect(card).to_have_attribute("aria-label", name)
    fits.hover()
    page.wait_for_timeout(100)
    expect(page.locator("[data-aim=true]")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    fits.focus()
    expect(page.locator("[data-aim=true]")).to_have_count(0)


def test_who_wants_no_warning_passes_at_once(visit: Visit) -> None:
    page = a_turn_to_lay(visit, rules={"passing": "fined"})
    keep(page, warn=False)
    moves = sent(page)
    page.locator(".pass:not([aria-disabled=true])").click()
    page.wait_for_timeout(500)
    assert moves()[:1] == ["pass"]


def test_the_hand_is_sorted_as_one_likes(visit: Visit) -> None:
    page = turn(visit, "fan-tan")
    held = "all => all.map((one) => one.dataset.held)"
    by_suit = page.locator(".held").evaluate_all(held)
    page.locator(".sort").click()
    by_rank = page.locator(".held").evaluate_all(held)
    ranks = ["A23456789TJQK".index(card[0]) for card in by_rank]
    assert ranks == sorted(ranks) and sorted(by_rank) == sorted(by_suit)
    page.locator(".sort").click()
    assert page.locator(".held").evaluate_all(held) == by_suit


def test_ones_own_pace_is_nobody_elses(visit: Visit) -> None:
    """It is kept in the browser, and is said to nobody."""
    made = opened(visit, "fan-tan", ["person", "person", "steady"], ["Ann", "Bo"], pace="slow")
    pages = [at_seat(visit, made, seat) for seat in (0, 1)]
    frames = Frames(pages[0])
    pages[0].reload()
    keep(pages[0], pace="once")
    script = """async () => {
      const main = document.querySelector("script[type=module]").src;
      const { settings } = await import(new URL("keep.js", main).href);
      const { update } = await import(new URL("net.js", main).href);
      return [settings.value.pace, update.value?.table.pace ?? "slow"];
    }"""
    assert [page.evaluate(script) for page in pages] == [["once", "slow"], ["normal", "slow"]]
    assert frames.said("pace") == []


@pytest.mark.parametrize(
    ("game", "width", "clause"), [("fan-tan", 1440, "T4"), ("fan-tan", 320, "T4"), ("play-or-pay", 390, "T4")]
)
def test_a_finger_comes_from_a_payment_to_its_clause(
    visit: Visit, game: str, width: int, clause: str
) -> None:
    """C4: beside the table or over it."""
    page = turn(visit, game, width=width, has_touch=True)
    while not page.locator(".lines, .ticker").first.is_visible():
        page.wait_for_timeout(50)
    if width < 1200:
        page.locator(".ticker").tap()
    page.locator(".lines .clause", has_text=clause).last.tap()
    expect(page.locator("dialog[open]").last).to_contain_text(clause)
    expect(page.locator(f"#{clause}")).to_be_in_viewport()


def test_an_onlooker_sees_no_hand_and_touches_nothing(visit: Visit, axe: str) -> None:
    for game, players in (("fan-tan", 4), ("fear", 5)):
        host = turn(visit, game, players=players)
        page = visit(host.url.removeprefix(visit.url), width=320)
        frames = Frames(page)
        page.reload()
        page.locator(".table").wait_for()
        expect(page.get_by_text("You are watching", exact=True)).to_be_visible()
        expect(page.locator(".held, .hand, .pass, .ask, .again, .any, .named")).to_have_count(0)
        for place in page.locator(".place[data-up=false]").all()[:3]:
            expect(place).to_have_attribute("aria-disabled", "true")
            place.click(force=True)
        for key in ("Enter", "p", " "):
            page.keyboard.press(key)
        assert frames.said("act") == []
        for width, height in ((320, 568), (390, 664), (1440, 900)):
            resize(page, width, height)
            assert sideways(page) <= 0
            assert faults(page, axe) == []


def test_an_account_shows_the_hands_that_were_shown(visit: Visit) -> None:
    page = table(visit, "fan-tan", 4, rules={"deals": 2})
    for _ in play(page, ".prompt .go"):
        pass
    page.locator(".settlement").wait_for()
    shown = page.evaluate("""async () => {
      const main = document.querySelector("script[type=module]").src;
      const { update } = await import(new URL("net.js", main).href);
      return update.value.view.shown.filter((cards) => cards.length);
    }""")
    rows = page.locator(".shown > div")
    assert shown and rows.count() == len(shown)
    for row, cards in zip(rows.all(), shown, strict=True):
        names = row.locator("[role=img]").evaluate_all("all => all.map((one) => one.ariaLabel)")
        assert sorted(names) == sorted(spoken("en", CARD[card]) for card in cards)


def test_cards_have_french_names_for_the_ear(visit: Visit) -> None:
    page = turn(visit, "fan-tan", locale="fr")
    keep(page, marks=False)
    page.wait_for_timeout(100)
    for card in page.locator(".held").all():
        expect(card).to_have_attribute("aria-label", spoken("fr", CARD[str(card.get_attribute("data-held"))]))


def test_a_guest_reads_the_house_rules_before_he_sits_and_at_the_table(visit: Visit) -> None:
    made = visit.opened(
        game="fan-tan", players=3, seats=["person", "open", "steady"], rules={"passing": "honour"}, name="Ann"
    )
    page = visit(f"/t/{made['table']}")
    said = page.locator(".lobby").get_by_text("You are believed when you pass").first
    expect(said).to_be_visible()
    page.get_by_role("button", name="Rules").first.click()
    expect(page.get_by_role("dialog")).to_contain_text("You are believed when you pass")
