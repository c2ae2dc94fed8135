"""One phone passed round: between two hands there is a cover, and behind it nothing."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from company import HASTE, PLAYS, Frames, at_seat, module, opened, play, promised, tell
from conftest import Visit
from looks import faults, sideways
from playwright.sync_api import Page, expect

# Taps that were meant for a card, on the cover that has just come in its place.
TAPS_AT_ONCE = """new Promise((done) => {
  const look = () => {
    const button = document.querySelector(".cover .btn");
    if (!button) return requestAnimationFrame(look);
    for (const ms of [0, 150, 300]) setTimeout(() => button.click(), ms);
    setTimeout(done, 400);
  };
  look();
})"""
READY = ".cover .btn[aria-disabled=false]"


def phone(
    visit: Visit, game: str, bots: int = 1, names: str = "Ann Bo", script: str = "", **options: Any
) -> Page:
    """The phone of these people, at a table with some bots besides."""
    people = names.split()
    new = {name: options.pop(name) for name in ("pace", "rules") if name in options}
    made = opened(visit, game, ["person"] * len(people) + ["steady"] * bots, people, **new)
    return at_seat(visit, made, *range(len(people)), script=script, **options)


def reach(page: Page, selector: str) -> None:
    """Let the page play until there is that."""
    play(page, selector)
    page.locator(selector).first.wait_for(timeout=60_000)
    page.evaluate("window.plays = null")


def hands(page: Page) -> Any:
    """How many cards are to be seen or known, in the page and behind it."""
    return tell(
        page,
        f"""const {{ shown }} = await import({module("stage")});
        const known = (one) => one?.view?.hand?.length ?? 0;
        return [document.querySelectorAll(".held").length, known(net.update.value), known(shown.value)]""",
    )


def shown_to(frames: Frames) -> Iterator[tuple[set[int | None], int | None, dict[str, Any]]]:
    """For each update that came: the seats that it may be for, the seat that it is for, and its view.

    It may be for the seat last asked for, and until that is shown for the one before: it was on its way.
    """
    asked = before = None
    for way, frame in frames.all:
        if way == "said" and frame["type"] == "hello":
            asked = before = None
        if way == "said" and frame["type"] == "as":
            before, asked = asked, frame["seat"]
        if way == "heard" and frame["type"] == "update" and frame["view"]:
            if frame["table"]["me"] == asked:
                before = asked
            yield {asked, before}, frame["table"]["me"], frame["view"]


@pytest.mark.parametrize(
    ("game", "names", "bots"), [("fan-tan", "Ann Bo Cy", 0), ("play-or-pay", "Ann Bo", 2)]
)
def test_a_whole_sitting_on_one_phone(visit: Visit, axe: str, game: str, names: str, bots: int) -> None:
    """Each hand comes after its player's tap, and no other ever; the end is kept, for all; another begins."""
    page = phone(visit, game, bots, names, PLAYS + HASTE, rules={"deals": 1})
    frames = Frames(page)
    page.reload()
    names_of = names.split()
    play(page)
    page.locator(".prompt .again").wait_for(timeout=100_000)
    expect(page.locator(".cover")).to_have_count(0)
    expect(page.locator(".places-won li")).to_have_count(len(names_of) + bots)
    seen = set()
    for asked, me, view in shown_to(frames):
        assert me is None or me in asked
        if view["hand"]:
            seen.add(me)
            assert view["seat"] == me is not None
    assert seen == set(range(len(names_of)))
    for update in frames.updates():
        for event in update["events"] + update.get("log", []):
            if event["kind"] == "dealt":
                told = [seat for seat, hand in enumerate(event["hands"]) if hand]
                assert told in ([], [update["table"]["me"]])
            assert not re.match(r"You\b", event["say"])
    at_table = page.url
    among_my_sittings(page, axe, names_of)
    page.goto(at_table)
    page.locator(".prompt .again").click()
    page.locator(".prompt .again").wait_for(state="detached")


def among_my_sittings(page: Page, axe: str, names: list[str]) -> None:
    """In a line, and in no figure of one's own; the seat says that it was over."""
    page.wait_for_function(
        "() => JSON.parse(localStorage.getItem('cagnotte.tally') ?? '[]').some((row) => row.place === null)"
    )
    places = page.locator(".places-won").inner_text()
    chips = [f"{name}\u00a0{re.findall(rf'{name}[^0-9]+([0-9]+)', places)[0]}" for name in names]
    page.wait_for_timeout(300)  # what is kept of the last deal
    page.get_by_role("link", name="Cagnotte, home").click()
    page.locator(".resume").wait_for()
    assert (
        page.locator(".resume a")
        .inner_text()
        .endswith("\nThis sitting is over: look at it again, or play another")
    )
    assert faults(page, axe) == [] and sideways(page) <= 0
    page.get_by_role("link", name="My sittings").click()
    expect(page.locator(".sat .how")).to_have_text(f"round one phone; chips: {', '.join(chips)}")
    expect(page.locator(".games, .plots")).to_have_count(0)
    assert faults(page, axe) == [] and sideways(page) <= 0


def test_behind_the_cover_there_is_no_hand(visit: Visit) -> None:
    """Not in the page nor in its memory; nor after a reload or back; a double tap opens nothing."""
    page = phone(visit, "fan-tan", 1, "Ann Bo", PLAYS, pace="quick", forgive="WebSocket")
    reach(page, ".held")
    reach(page, READY)
    first = page.locator(".cover h2").inner_text()
    assert re.fullmatch("Pass the phone to (Ann|Bo)", first)
    assert hands(page) == [0, 0, 0]
    page.locator(READY).click()
    page.locator(".held").first.wait_for()
    name = first.rsplit(" ", 1)[1]
    expect(page.locator(".me .who b")).to_have_text(name)
    assert page.locator(".table").get_by_text("You", exact=True).count() == 0
    page.reload()
    page.locator(READY).wait_for()
    assert hands(page) == [0, 0, 0]
    page.locator(READY).click()
    page.locator(".held").first.wait_for()
    page.goto("/")
    page.go_back()
    page.locator(READY).wait_for()
    assert hands(page) == [0, 0, 0]
    page.locator(READY).click()
    page.locator(".held").first.wait_for()
    play(page, ".cover .btn")
    promised(page, TAPS_AT_ONCE)
    page.evaluate("window.plays = null")
    expect(page.locator(".cover h2")).not_to_have_text(first)
    page.wait_for_timeout(200)
    assert hands(page) == [0, 0, 0]


def test_the_same_player_after_bots_needs_no_cover(visit: Visit) -> None:
    """Only another's turn takes the hand away."""
    page = phone(visit, "fan-tan", 1, "Ann Bo", PLAYS + HASTE)
    frames = Frames(page)
    page.reload()
    play(page)
    taps = "window.spoken.filter(([way, { type, seat }]) => way === 'said' && type === 'as' && seat !== null)"
    page.wait_for_function(f"() => {taps}.length >= 8", timeout=60_000)
    before = None
    for way, frame in frames.all:
        if way == "said" and frame["type"] == "as" and frame["seat"] is not None:
            assert frame["seat"] != before
            before = frame["seat"]
        if (
            way == "heard"
            and frame["type"] == "update"
            and frame["view"]
            and frame["view"]["phase"] == "shuffle"
        ):
            before = None


def test_in_fear_nothing_is_covered_and_each_turn_has_a_name(visit: Visit) -> None:
    slower = PLAYS.replace("}, 20);", "}, 80);")  # of all its messages a socket may send 20 a second
    page = phone(visit, "fear", 1, "Ann Bo Cy", slower + HASTE, rules={"stake": 1})
    page.evaluate(
        "window.covers = 0; new MutationObserver(() => document.querySelector('.cover') && window.covers++)"
        ".observe(document.body, { childList: true, subtree: true })"
    )
    reach(page, ".prompt .any")
    assert re.fullmatch("(Ann|Bo|Cy) turns over a card.", page.locator(".prompt p").inner_text())
    play(page)
    page.locator(".prompt .again").wait_for(timeout=100_000)
    assert page.evaluate("window.covers") == 0
    chips = [int(text) for text in page.locator(".places-won .chips").all_inner_texts()]
    assert sum(chips) == 4


@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("fr", "dark")])
def test_the_cover_fits_every_screen(visit: Visit, axe: str, lang: str, scheme: str) -> None:
    page = phone(visit, "fan-tan", 3, "Ann Élodie", PLAYS, locale=lang, color_scheme=scheme)
    reach(page, READY)
    for width, height in ((320, 568), (390, 664), (844, 390), (768, 1024), (1440, 900), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        assert sideways(page) <= 0
        box = page.locator(READY).bounding_box()
        assert box and box["height"] >= 44 and box["y"] + box["height"] <= height
        assert page.locator(".board").evaluate("one => one.clientHeight") >= 120, width
    assert faults(page, axe) == []
