"""The table in a real browser: whole sittings, keyboard, what is hidden and said, what fingers do."""

import re
import sys
from collections.abc import Callable
from typing import Any

import pytest
from company import NOTES, Frames, module
from conftest import ROOT, Served, Visit
from looks import sideways
from person import a_turn_to_lay, asked, keep, play, press, sent, stage, table, turn
from playwright.sync_api import Browser, Page, expect

from cagnotte.cards import PACK
from cagnotte.locale.tell import spoken


def numbers(row: list[str]) -> list[int]:
    return [0 if cell == "·" else int(cell.replace("−", "-").replace("+", "")) for cell in row]


SITTINGS = [
    ("fear", 5, {}),
    ("fan-tan", 3, {"deals": 2}),
    ("five-or-nine", 4, {"deals": 2}),
    ("earl-of-coventry", 5, {"deals": 2}),
    ("play-or-pay", 4, {"deals": 1}),
]


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize(("game", "players", "rules"), SITTINGS)
def test_a_whole_sitting_to_its_end(
    visit: Visit, game: str, players: int, rules: dict[str, int], width: int
) -> None:
    """T14, T15, F11; the accounts add up in both directions (C3)."""
    page = table(visit, game, players, rules=rules, width=width)
    for _ in play(page):
        assert sideways(page) <= 0
    places = page.locator(".places-won li")
    expect(places).to_have_count(players)
    assert page.locator(".places-won li[data-won=true]").count() >= 1
    chips = [int(text) for text in page.locator(".places-won .chips").all_inner_texts()]
    assert chips == sorted(chips, reverse=True)
    assert sum(chips) == players * {"fear": 2, "play-or-pay": 100}.get(game, 50)
    for row in page.locator(".settlement tbody tr").all():
        before, *changes, after = numbers(row.locator("td").all_inner_texts())
        assert before + sum(changes) == after
    for name, column in zip(*columns(page), strict=True):
        assert name not in ("Before", "Now") or sum(column) == sum(chips)
    page.locator(".prompt .again").click()
    page.locator(".prompt .again").wait_for(state="detached")
    assert asked(page) != "over"


def test_a_sitting_from_the_first_command(browser: Browser, serve: Callable[..., Served]) -> None:
    """What `./play` opens, from its address to the last card."""
    visit = Visit(browser, serve(command=[sys.executable, str(ROOT / "play")]).url)
    page = visit("/")
    keep(page, pace="once")
    page.locator('.tiles a[href$="game=fear"]').click()
    page.get_by_role("button", name="Play now").click()
    page.locator(".table").wait_for()
    for _ in play(page):
        pass
    expect(page.locator(".places-won li[data-won=true]")).to_have_count(1)
    page.context.close()
    assert visit.complaints == []


def test_a_finger_lays_a_card_and_turns_one(visit: Visit) -> None:
    for game, what in (("fan-tan", ".held[data-fits=true]"), ("fear", ".place[data-up=false]")):
        page = table(visit, game, 4, has_touch=True, is_mobile=True)
        for _ in play(page, {"fear": ".spread-out[data-mine=true] "}.get(game, "") + what):
            pass
        before = page.locator("[data-spot], .place[data-up=true]").count()
        page.locator(what).first.tap()
        expect(page.locator("[data-spot], .place[data-up=true]")).not_to_have_count(before)


def test_a_finger_names_the_fear(visit: Visit) -> None:
    page = turn(visit, "fear", script=NOTES, has_touch=True, is_mobile=True)
    stage(
        page, "Object.assign(u.view, { phase: 'name', fear: null, moves: ['fear 7S', 'fear TH', 'fear KC'] })"
    )
    page.evaluate("window.spoken = []")
    page.locator(".naming").wait_for()
    if (suit := page.locator(".suit[aria-label=hearts]")).is_visible():  # a wide page has all cards at once
        suit.tap()
    page.locator(".named[aria-label='ten of hearts']").tap()
    said = page.evaluate("window.spoken.filter(([way]) => way === 'said').map(([, { move }]) => move)")
    assert said == ["fear TH"]


def test_a_finger_drags_a_card_to_the_table(visit: Visit) -> None:
    page = a_turn_to_lay(visit, pace="quick", has_touch=True, is_mobile=True)
    held = page.locator(".held[data-fits=true]").first
    card, box = held.get_attribute("data-held"), held.bounding_box()
    assert box
    if page.context.browser.browser_type.name != "chromium":  # type: ignore[union-attr]
        pytest.skip("only Chromium's driver moves a finger")
    finger = page.context.new_cdp_session(page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for kind, up in (
        ("touchStart", 0),
        ("touchMove", 40),
        ("touchMove", 160),
        ("touchMove", 300),
        ("touchEnd", 0),
    ):
        points = [] if kind == "touchEnd" else [{"x": x, "y": y - up}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    page.locator(f'[data-spot="{card}"]').wait_for()
    assert page.locator(f'[data-held="{card}"]').count() == 0


@pytest.mark.own_server
def test_a_page_comes_back_by_itself_after_the_server_was_killed(
    browser: Browser, serve: Callable[..., Served]
) -> None:
    first = serve()
    visit = Visit(browser, first.url)
    page = a_turn_to_lay(visit, forgive="Failed to load|ERR_CONNECTION|WebSocket")
    before = page.locator(".held").count()
    first.kill()
    expect(page.locator("body")).to_contain_text("connection", ignore_case=True)
    serve("--port", first.url.rpartition(":")[2])
    page.locator(".held[data-fits=true]").first.click()
    expect(page.locator(".held")).to_have_count(before - 1)
    page.context.close()


# The strokes of which V, D and R are made.
FRENCH = {"J": "m5 7 25 86L55 7", "Q": "M10 7v86h13c20 0 30-16", "K": "M10 93V7h19c15 0 23 8"}


def test_court_cards_have_the_letters_of_the_language(visit: Visit) -> None:
    """C1: V, D and R in French, and no others."""
    for lang in ("en", "fr"):
        page = table(visit, "earl-of-coventry", 3, locale=lang)
        for _ in play(page, ".held[data-fits=true]"):
            pass
        held = dict(
            page.locator(".held").evaluate_all("all => all.map((a) => [a.dataset.held, a.innerHTML])")
        )
        drawn = {card[0]: FRENCH[card[0]] in shown for card, shown in held.items() if card[0] in FRENCH}
        assert drawn and {*drawn.values()} == {lang == "fr"}, drawn


DEALER = "document.querySelector('.seat:has(.dealer)')?.dataset.seat"


@pytest.mark.parametrize("width", [390, 1440])
def test_a_settlement_is_of_the_deal_that_has_ended(visit: Visit, width: int) -> None:
    """Its dealer, number and log; the next is told with its shuffle, also to the ear and to latecomers."""
    page = table(visit, "fan-tan", 3, rules={"deals": 3}, width=width)
    dealers = [page.evaluate(DEALER) for what in play(page, ".prompt .go") if what.startswith(".held")]
    heard = page.locator("[role=log].sr p", has_text="Deal 2")
    for come in (page.reload, lambda: None):
        assert page.evaluate(DEALER) == dealers[-1]
        expect(page.locator(".tools .nth")).to_have_text("Deal 1 of 3")
        expect(page.locator(".ticker .line")).to_contain_text("the deal, and")
        expect(heard).to_have_count(0)
        come()
        page.locator(".settlement").wait_for()
    page.locator(".prompt .go").click()
    expect(heard).to_have_count(1)
    expect(page.locator(".tools .nth")).to_have_text("Deal 2 of 3")
    assert asked(page) and page.evaluate(DEALER) != dealers[-1]


def test_a_spread_that_is_over_shows_who_dealt_it(visit: Visit) -> None:
    """F10: who turned the last card deals the next, once the pack is shuffled."""
    page = table(visit, "fear", 5, rules={"stake": 9})
    dealers = [page.evaluate(DEALER) for _ in play(page, ".prompt .go")]
    for _ in range(2):
        assert page.evaluate(DEALER) == dealers[-1]
        page.reload()
        page.locator(".spread-out").wait_for()


def columns(page: Page) -> tuple[list[str], list[list[int]]]:
    """The account of the deal, column by column."""
    if not page.locator(".settlement").count():
        return [], []
    names = page.locator(".settlement thead th").all_inner_texts()[1:]
    rows = [
        numbers(row.locator("td").all_inner_texts()) for row in page.locator(".settlement tbody tr").all()
    ]
    return names, [list(column) for column in zip(*rows, strict=True)]


# Keyboard.


# Which key leads to the first that matches: none where the focus is, null where there is none.
WAY = """(selector) => {
  const here = document.activeElement;
  if (here.matches(selector)) return "";
  const there = document.querySelector(selector);
  if (!there) return null;
  return here.compareDocumentPosition(there) & Node.DOCUMENT_POSITION_PRECEDING ? "Shift+Tab" : "Tab";
}"""


def tab_to(page: Page, selector: str) -> bool:
    """Press Tab until the focus is there; false when the page no longer has it.

    Never past the end of the page: there are a browser's own bars, which a test does not come back from.
    """
    for _ in range(80):
        match page.evaluate(WAY, selector):
            case "":
                return True
            case None:
                return False
            case key:
                page.keyboard.press(key)
    raise AssertionError(f"{selector} is out of reach")


def focus(page: Page) -> str:
    return str(
        page.evaluate("(document.activeElement ?? document.body).className || document.activeElement.tagName")
    )


def key(page: Page, what: str) -> None:
    """Do what is asked with the keyboard alone."""
    version = page.locator(".table").get_attribute("data-version")
    match what:
        case ".held[data-fits=true]":
            assert tab_to(page, ".held")
            page.keyboard.press("Home")
            for _ in range(18):
                if page.evaluate('document.activeElement.dataset.fits === "true"'):
                    break
                before = page.evaluate("document.activeElement.dataset.held")
                page.keyboard.press("ArrowRight")
                if page.evaluate("document.activeElement.dataset.held") == before:  # the end of a row
                    page.keyboard.press("Home")
                    page.keyboard.press("ArrowDown")
            page.keyboard.press("Enter")
        case ".spread-out[data-mine=true] .place[data-up=false]":
            assert tab_to(page, ".place")
            here = int(page.evaluate("document.activeElement.dataset.place"))
            there = int(page.locator(".place[data-up=false]").last.get_attribute("data-place") or 0)
            right, down = there // 4 - here // 4, there % 4 - here % 4
            for steps, ahead, back in ((right, "ArrowRight", "ArrowLeft"), (down, "ArrowDown", "ArrowUp")):
                for _ in range(abs(steps)):
                    page.keyboard.press(ahead if steps > 0 else back)
            page.keyboard.press("Space")
        case ".cut .btn":
            assert tab_to(page, ".cut input")
            page.keyboard.press("ArrowRight")
            assert tab_to(page, ".cut .btn")
            page.keyboard.press("Enter")
        case _:
            if not tab_to(page, what):
                return
            page.keyboard.press("Enter")
    page.wait_for_function('v => document.querySelector(".table").dataset.version !== v', arg=version)


@pytest.mark.parametrize(("game", "rules"), [("fan-tan", {"deals": 1}), ("fear", {"stake": 1})])
def test_a_whole_game_without_a_mouse(visit: Visit, game: str, rules: dict[str, int]) -> None:
    """B173: everything within reach, and the focus not lost after an update."""
    page = table(visit, game, 4, rules=rules, width=1440)
    while (what := asked(page)) != "over":
        key(page, what)
        assert focus(page) != "BODY", what
    assert tab_to(page, ".prompt .again")


# What is hidden.


def backs(page: Page) -> set[str]:
    """The face-down places as they stand in the page, without the position that each says."""
    texts = page.locator(".place[data-up=false]").evaluate_all(
        "places => places.map(place => place.outerHTML)"
    )
    position = r'data-place="\d+"|face-down card \d+|tabindex="-?\d"'
    return {re.sub(position, "", text) for text in texts}


def test_face_down_cards_are_all_alike(visit: Visit) -> None:
    """B087, B089, B095: nothing in the page tells one back from another, at any time."""
    page = table(visit, "fear", 5, rules={"stake": 1})
    for what in play(page):
        if what.startswith(".spread-out"):
            alike = backs(page)
            assert len(alike) == 1
            back = alike.pop()
            assert "svg" not in back and "img" not in back and "data-suit" not in back
            labels = page.locator(".place[data-up=false]").evaluate_all(
                "all => all.map(one => one.ariaLabel)"
            )
            assert all(re.fullmatch(r"face-down card \d+", label) for label in labels)
            assert len(set(labels)) == len(labels)
            named = set(
                page.locator(".place[data-up=true], .fear [role=img]").evaluate_all(
                    "all => all.map(one => one.ariaLabel)"
                )
            )
            assert not any(name in label for name in named for label in labels)


def test_others_hands_are_counts(visit: Visit) -> None:
    """B091; nor is a card named in what is read out."""
    page = turn(visit, "fan-tan")
    mine = page.locator(".held").evaluate_all("all => all.map(one => one.dataset.held)")
    laid = page.locator("[data-spot]").evaluate_all("all => all.map(one => one.dataset.spot)")
    seen = set(re.findall(r'data-(?:held|spot)="(\w\w)"', page.content()))
    assert seen == {*mine, *laid}
    read = page.locator("main *").evaluate_all(
        "all => all.flatMap((one) => ['aria-label', 'alt', 'title'].map((of) => one.getAttribute(of) ?? ''))"
    )
    names = {str(card): spoken("en", card) for card in PACK}
    assert {card for card, name in names.items() if name in " ".join(read)} == {*mine, *laid}


# What is said.

HEARD = """() => {
  window.heard = [];
  const known = new Set();
  new MutationObserver(() => {
    for (const line of document.querySelectorAll('[aria-live="polite"] > p'))
      if (!known.has(line)) { known.add(line); window.heard.push(line.textContent); }
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


@pytest.mark.parametrize(
    ("game", "rules"), [("fan-tan", {"deals": 1, "passing": "fined"}), ("fear", {"stake": 1})]
)
def test_each_event_is_said_once_and_in_order(visit: Visit, game: str, rules: dict[str, Any]) -> None:
    """B169, B175."""
    hears = f"addEventListener('DOMContentLoaded', {HEARD}); {NOTES}"
    page = table(visit, game, 4, rules=rules, script=hears)
    frames = Frames(page)
    for _ in play(page):
        pass
    page.wait_for_timeout(200)
    heard = page.evaluate("window.heard")
    news = [update["events"] for update in frames.updates() if "log" not in update]
    told = [event["say"] for events in news for event in events if event["say"]]
    assert [line for line in heard if line in set(told)] == told
    assert len(told) > 20
    extra = [line for line in heard if line not in set(told)]
    assert len(extra) <= 2, extra  # only what is asked of who comes to the table
    assert any(line.startswith("Your turn") for line in told)


# What a finger does.


@pytest.mark.parametrize("pace", ["normal", "once"])
def test_a_double_tap_plays_once(visit: Visit, pace: str) -> None:
    """B073."""
    page = turn(visit, "fear", players=5, pace=pace)
    moves = sent(page)
    for place in (20, 21):
        while not (what := asked(page)).startswith(".spread-out"):  # the first may have been the fear
            press(page, what)
        page.locator(".place[data-up=false]").nth(place).dblclick()
    page.wait_for_timeout(500)
    ours = [move for move in moves() if move.startswith("turn")]
    assert len(ours) == len(set(ours))
    assert ours[0].startswith("turn ")
    assert page.locator('[role="alert"] .note:not(.lost)').all_inner_texts() == []


def test_a_card_that_does_not_fit_says_why(visit: Visit) -> None:
    page = turn(visit, "fan-tan")
    page.locator(".held[data-fits=false]").first.click()
    expect(page.locator('.prompt [role="alert"]')).to_contain_text(re.compile(r"does not fit|cannot be laid"))
    expect(page.locator(".hand[data-mine=true]")).to_be_visible()


@pytest.mark.parametrize("way", ["tap", "key"])
def test_T10_a_pass_that_is_forbidden_says_why(visit: Visit, way: str) -> None:
    page = a_turn_to_lay(visit)
    if way == "tap":
        page.locator(".prompt .pass").click(force=True)
    else:
        page.keyboard.press("p")
    said = page.locator('.prompt [role="alert"]')
    expect(said).to_contain_text("while you can lay a card")
    expect(said).to_contain_text("Rule T10")
    expect(page.locator(".hand[data-mine=true]")).to_be_visible()


def test_T15_a_sitting_that_ends_early_says_why(visit: Visit) -> None:
    page = table(visit, "play-or-pay", 5, rules={"deals": 40, "chips": 10})
    for _ in play(page):
        pass
    expect(page.locator(".ending")).to_contain_text("Fewer than three have chips left for an ante")
    expect(page.locator(".log, [role=log]").first).to_contain_text("(T15)")


def lift(page: Page, dy: float) -> None:
    """Drag the first card that fits upward by so much."""
    box = page.locator(".held[data-fits=true]").first.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 3, y - dy / 2, steps=3)
    page.mouse.move(x + 6, y - dy, steps=3)
    page.mouse.up()


def test_a_drag_to_the_table_lays_and_a_short_one_does_not(visit: Visit) -> None:
    page = a_turn_to_lay(visit, pace="normal")
    card = page.locator(".held[data-fits=true]").first.get_attribute("data-held")
    lift(page, 30)
    page.wait_for_timeout(400)
    assert page.locator(f'[data-held="{card}"]').count() == 1
    lift(page, 300)
    page.locator(f'[data-spot="{card}"]').wait_for()
    assert page.locator(f'[data-held="{card}"]').count() == 0


def test_a_pass_that_costs_a_fine_is_asked_about(visit: Visit) -> None:
    """T10: with `fined` the player may pass, and is warned first; button and question tell the whole cost."""
    page = a_turn_to_lay(visit, rules={"passing": "fined"}, width=1440)
    hand = page.locator(".held").count()
    fine = page.evaluate(f"import({module('net')}).then(({{ update }}) => update.value.view.fine)")
    assert fine >= 3
    expect(page.locator(".pass")).to_have_text(f"Pass · {1 + fine} chips")
    page.locator(".pass").click()
    expect(page.locator(".prompt")).to_contain_text(f"costs {1 + fine} chips (1 + a fine of {fine}).")
    page.get_by_role("button", name="Lay a card").click()
    expect(page.locator(".pass")).to_be_visible()
    page.locator(".pass").click()
    page.get_by_role("button", name="Pass all the same").click()
    expect(page.locator(".lines")).to_contain_text("You pass.")
    assert page.locator(".held").count() == hand


def test_a_payment_leads_to_its_clause(visit: Visit) -> None:
    """C4."""
    page = turn(visit, "fan-tan", width=1440)
    page.locator(".lines .clause").first.click()
    expect(page.get_by_role("dialog")).to_contain_text("T4")


def test_without_motion_nothing_moves(visit: Visit) -> None:
    page = table(visit, "fan-tan", pace="slow", reduced_motion="reduce")
    if not page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches"):
        pytest.skip("this browser's driver cannot ask for reduced motion")
    asked(page, 60)
    assert (
        page.evaluate(
            "document.getAnimations().filter(one => one.effect.target.closest('.table, .flight')).length"
        )
        == 0
    )


def test_a_missing_picture_leaves_a_card_that_can_be_read(visit: Visit) -> None:
    """B203."""
    page = turn(visit, "fan-tan", width=1440, forgive="Failed to load resource")
    page.route("**/cards/*.svg", lambda route: route.abort())
    page.reload()
    page.locator(".held").first.wait_for()
    for card in page.locator(".held").all():
        court = (card.get_attribute("data-held") or "")[0] in "JQK"
        expect(card.locator(".court .rank")).to_have_count(1 if court else 0)
        expect(card.locator("img")).to_have_count(0)
