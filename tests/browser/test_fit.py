"""The table in a real browser: it fits every screen, and axe finds nothing wrong."""

import re

import pytest
from company import tell
from conftest import Visit
from looks import faults, resize, sideways
from person import keep, play, stage, table, turn
from playwright.sync_api import Page, expect

SCREENS = [(320, 568), (390, 664), (844, 390), (768, 1024), (1440, 900), (1920, 1080)]
INSIDE = """(selector) => [...document.querySelectorAll(selector)].filter((one) => {
  const { left, top, right, bottom, width } = one.getBoundingClientRect();
  return left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5 || width < 18;
}).length"""


@pytest.mark.parametrize(
    ("game", "players"), [("fan-tan", 3), ("play-or-pay", 5), ("fear", 12), ("fear", 26)]
)
def test_the_table_fits_every_screen(visit: Visit, game: str, players: int) -> None:
    """B163: no sideways scroll, every card and button in view, the whole layout too."""
    page = turn(visit, game, players=players)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        assert sideways(page) <= 0
        assert page.evaluate("(t => t.scrollHeight - t.clientHeight)(document.querySelector('.table'))") <= 0
        for what in (".held", ".place", ".slot", ".prompt", ".prompt .btn", ".pool"):
            assert page.evaluate(INSIDE, what) == 0, (width, height, what)


LONG = """
  for (const seat of u.table.seats) seat.name = "Maximiliane-Antoinette";
  Object.assign(u.view, { stacks: u.view.stacks.map(() => (u.view.counts ? 234 : 12)), deal: 8, deals: 12 });
"""
# What lies over one another among the things in a bar, or sticks out of it sideways.
CLASHES = """() => {
  const found = [];
  for (const bar of document.querySelectorAll(".bar, .mine, .me .seat, .middle, .ring .seat, .actions")) {
    if (!bar.getClientRects().length) continue;
    const children = [...bar.children].flatMap((one) => (one.matches(".tools") ? [...one.children] : one));
    const shown = children.filter((one) => {
      const { clipPath, position } = getComputedStyle(one);
      return clipPath === "none" && position !== "absolute" && one.getClientRects().length;
    });
    const texts = (one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const cut = getComputedStyle(one).overflow !== "visible" || one.matches(".btn, :has(b, h1, .line)");
      return { left, top, bottom, right: cut ? right : Math.max(right, range.getBoundingClientRect().right) };
    };
    const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
      && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    const boxes = shown.map(texts);
    const end = bar.getBoundingClientRect().right;
    boxes.forEach((one, i) => {
      if (one.right > end + 1) found.push(`${bar.className}: ${shown[i].className} sticks out`);
      boxes.slice(i + 1).forEach((other, j) => {
        if (meet(one, other)) found.push([bar, shown[i], shown[i + 1 + j]].map((each) => each.className));
      });
    });
  }
  return found;
}"""


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(("game", "players"), [("fan-tan", 4), ("fear", 6)])
def test_no_bar_runs_into_itself(visit: Visit, game: str, players: int, lang: str) -> None:
    """Long names, many chips, French, letters twice as large."""
    page = turn(visit, game, players=players, locale=lang)
    page.wait_for_timeout(1500)  # all are told by then how many watch
    stage(page, LONG)
    for scale in ("100%", "200%"):
        page.evaluate("scale => document.documentElement.style.fontSize = scale", scale)
        for width, height in [*SCREENS[:4], (360, 640)]:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(CLASHES) == [], (width, scale)
            assert sideways(page) <= 0


MARKS = """
  u.view.dealer = 1;
  if (u.view.places) u.view.stacks[2] = 0;
  else u.table.seats[2] = { ...u.table.seats[2], kind: "person", here: false, stand_in: true };
  u.table.seats.forEach((seat, at) => (seat.name = `Maximiliane ${at}`));
"""
# Marks and tags of seats that are cut or lie over names, names without their number, names out of line.
MARKED = """() => {
  const box = (one) => one.getBoundingClientRect();
  const found = [];
  const ring = document.querySelector(".ring");
  const clips = getComputedStyle(ring).overflowX !== "visible";
  const edge = clips ? box(ring) : box(document.querySelector(".table"));
  for (const one of ring.querySelectorAll(".dealer, .why")) {
    const { top, bottom, left, right, width } = box(one);
    if (!width) continue;
    const beside = !clips && (left < edge.left || right > edge.right); // a row that is cut may be scrolled
    if (top < edge.top || bottom > edge.bottom || beside) found.push(one.className);
  }
  const bar = box(document.querySelector(".bar")).bottom;
  const lefts = new Set();
  for (const seat of ring.children) {
    const [start, end] = seat.querySelector(".cut-name").children;
    if (box(end).right > box(seat).right || box(end).width < 3) found.push("number");
    const mark = seat.querySelector(".dealer");
    if (mark && box(mark).right > box(start).left + 1) found.push("mark over name");
    if (mark && box(mark).top < bar) found.push("mark over bar");
    const [on, of] = mark ? [box(mark), box(seat)] : [];
    if (on && (on.left < of.left || on.top < of.top || on.bottom > of.bottom)) found.push("mark off");
    lefts.add(Math.round(box(start).left - box(seat).left));
  }
  if (lefts.size > 1) found.push("out of line");
  return found;
}"""


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(("game", "players"), [("fan-tan", 5), ("fear", 4), ("fear", 6), ("fear", 8)])
def test_marks_and_tags_of_seats_are_whole(visit: Visit, game: str, players: int, lang: str) -> None:
    """The dealer's mark moves no name; a name that is cut keeps its number, and its whole is its title."""
    page = turn(visit, game, players=players, locale=lang)
    stage(page, MARKS)
    for width, height in [*SCREENS, (360, 640)]:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(MARKED) == [], (width, height)
    assert page.locator(".ring [title='Maximiliane 1']").count() == 1


@pytest.mark.parametrize(("game", "players"), [("fan-tan", 5), ("fear", 6), ("fear", 7), ("fear", 9)])
@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 664)])
def test_an_ordinary_name_is_whole_on_a_small_phone(
    visit: Visit, game: str, players: int, width: int, height: int
) -> None:
    """Also beside the card that was laid; in the seats no name is cut, and the table does not scroll."""
    page = turn(visit, game, players=players, width=width, locale="fr")
    page.set_viewport_size({"width": width, "height": height})
    names = "['Agathe', 'Clarisse', 'Damien', 'Mathilde', 'Bo', 'Philippe', 'Élise', 'Jo', 'Kay']"
    deeds = "u.log = (u.view.counts ?? []).map((_, seat) => ({ kind: 'laid', seat, card: 'TS', say: '.' }));"
    stage(page, f"u.table.seats.forEach((seat, at) => (seat.name = {names}[at])); {deeds}")
    cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
    assert page.locator(".seat .cut-name > :first-child").evaluate_all(cut) == []
    assert page.locator(".prompt").evaluate("one => one.offsetHeight") <= 58  # two lines
    assert page.evaluate("(t => t.scrollHeight - t.clientHeight)(document.querySelector('.table'))") <= 0
    for what in (".ring .seat", ".me .seat", ".ask", ".prompt"):
        assert page.evaluate(INSIDE, what) == 0, what
    if game == "fear" and width == 320:
        left, right = ".fear p", ".spread-out"
        mine = page.locator(".mine").bounding_box()
        told, cards = (page.locator(one).bounding_box() for one in (left, right))
        assert mine and told and cards
        assert mine["y"] >= told["y"] + told["height"] and mine["x"] + mine["width"] <= cards["x"]


HINTS = {
    "fear": "Toutes les cartes se valent : l'une des 42 couvertes est la peur.",
    "fan-tan": "Posez le neuf de carreau : cela ouvre la voie à votre valet de carreau, avec 12 cartes des "
    "autres entre les deux. Votre valet de trèfle n'ouvre rien à personne et peut attendre.",
}


@pytest.mark.parametrize(("game", "players"), [("fear", 4), ("fear", 6), ("fan-tan", 4)])
def test_a_hint_pushes_nothing_off_a_small_phone(visit: Visit, game: str, players: int) -> None:
    page = turn(visit, game, players=players, locale="fr", width=320)
    tell(page, f"net.hint.value = {{ version: net.update.value.version, say: {HINTS[game]!r} }}")
    page.locator(".prompt .reason").wait_for()
    for width, height in [(320, 568), (390, 664)]:
        page.set_viewport_size({"width": width, "height": height})
        for what in (".me .seat", ".ask", ".prompt", ".held", ".place"):
            assert page.evaluate(INSIDE, what) == 0, (width, height, what)
        assert page.evaluate("(t => t.scrollHeight - t.clientHeight)(document.querySelector('.table'))") <= 0


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_sign_of_a_pause_keeps_its_distance(visit: Visit, lang: str) -> None:
    page = turn(visit, "earl-of-coventry", players=4, locale=lang, width=320)
    stage(page, MARKS + "u.table.paused = true; u.table.rest = { by: 1 };")
    air = """() => {
      const all = [".paused", ".paused svg", ".paused > :last-child"];
      const [over, sign, last] = all.map((one) => document.querySelector(one).getBoundingClientRect());
      return Math.min(sign.top - over.top, over.bottom - last.bottom);
    }"""
    for width, height in [(320, 568), (360, 640), (390, 664)]:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(air) >= 6, (width, height)


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("game", ["fan-tan", "fear", "play-or-pay", "earl-of-coventry"])
def test_the_smallest_phone_has_the_settings_in_its_bar_where_there_is_room(
    visit: Visit, game: str, lang: str
) -> None:
    """Never at the cost of the game's name or the deal's number; below those of the table they always are."""
    page = turn(visit, game, players=4, locale=lang, width=320)
    assert page.locator(".bar .to-settings").is_visible() == (game != "earl-of-coventry")
    assert page.evaluate(CLASHES) == [] and sideways(page) <= 0
    lines = "one => one.scrollHeight / parseFloat(getComputedStyle(one).lineHeight)"
    assert page.locator(".bar .where").evaluate(lines) < 1.5
    page.get_by_role("button", name=re.compile("This table|Cette table")).click()
    expect(page.locator("dialog .to-settings button")).to_be_visible()


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("game", ["earl-of-coventry", "play-or-pay"])
def test_the_bar_has_two_lines_at_most(visit: Visit, game: str, lang: str) -> None:
    page = turn(visit, game, players=4, locale=lang, width=320)
    lines = """() => {
      const both = [".bar .title", ".bar"].map((one) => document.querySelector(one));
      const [title, bar] = both.map((one) => one.getBoundingClientRect());
      return [title.height, title.top - bar.top, bar.bottom - title.bottom];
    }"""
    for width, height in [(320, 568), (360, 640), (390, 664)]:
        page.set_viewport_size({"width": width, "height": height})
        high, above, below = page.evaluate(lines)
        assert high <= 42 and min(above, below) >= 5, (width, high, above, below)


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("game", ["earl-of-coventry", "fan-tan", "fear"])
def test_all_ways_to_sit_are_seen_at_once(visit: Visit, game: str, lang: str) -> None:
    """Above the button that makes the table, on the smallest screen; nothing gapes below the picture."""
    page = visit(f"/?game={game}", width=320, locale=lang)
    page.locator(".make").wait_for()
    least = """() => Math.min(...[...document.querySelectorAll(".ways label")].map((one) =>
      document.querySelector(".acts").getBoundingClientRect().top - one.getBoundingClientRect().bottom))"""
    assert page.evaluate(least) >= 0
    gap = """() => {
      const both = [".about .picture", ".about .btn"].map((one) => document.querySelector(one));
      const [picture, rules] = both.map((one) => one.getBoundingClientRect());
      return rules.top - picture.bottom;
    }"""
    assert page.evaluate(gap) <= 12


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("players", [5, 6, 12, 26])
def test_a_place_of_fear_can_be_hit_on_the_smallest_screen(visit: Visit, players: int, lang: str) -> None:
    """24 px each way, and nothing between them."""
    page = turn(visit, "fear", players=players, width=320, locale=lang)
    page.set_viewport_size({"width": 320, "height": 568})
    least = """all => Math.min(...all.map((one) => one.getBoundingClientRect())
      .flatMap(({ width, height }) => [width, height]))"""
    assert page.locator(".place").evaluate_all(least) >= 24
    assert page.evaluate("(t => t.scrollHeight - t.clientHeight)(document.querySelector('.table'))") <= 0
    over = "(p => p.bottom)(document.querySelector('.fear p').getBoundingClientRect())"
    assert page.evaluate(over) <= page.evaluate(
        "document.querySelector('.prompt').getBoundingClientRect().top"
    )


ROOM = "one => one.scrollHeight - one.clientHeight"


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_settlement_and_the_end_are_whole_without_scrolling(visit: Visit, lang: str) -> None:
    page = table(visit, "fan-tan", 5, rules={"deals": 2, "passing": "fined"}, locale=lang)
    for _ in play(page, ".prompt .go"):
        pass
    stage(page, "const five = ['QS', 'KS', 'QD', 'KD', 'KC']; u.view.shown = [five, five, five, five, []];")
    for width, height in SCREENS[:2] + SCREENS[3:]:
        page.set_viewport_size({"width": width, "height": height})
        assert page.locator(".board").evaluate(ROOM) <= 0, (width, height)
    for _ in play(page):
        pass
    for width, height in ((1440, 900), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.locator(".board").evaluate(ROOM) <= 0, (width, height)


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(("game", "players"), [("fan-tan", 5), ("fear", 9)])
def test_the_end_shows_that_it_goes_on_and_all_of_it_is_within_reach(
    visit: Visit, game: str, players: int, lang: str
) -> None:
    """It scrolls inside the board, and fades where there is more; the table around it is still."""
    page = table(visit, game, players, rules={"stake": 1} if game == "fear" else {"deals": 1}, locale=lang)
    for _ in play(page):
        pass
    board, last = page.locator(".board"), page.locator(".board .look").last
    for width, height in SCREENS[:2]:
        page.set_viewport_size({"width": width, "height": height})
        board.evaluate("one => one.scrollTo(0, 0)")
        expect(page.locator(".ring")).to_be_hidden()  # all names and chips are in the account
        expect(board).to_have_attribute("data-below", "true")
        assert board.evaluate("one => getComputedStyle(one).maskImage").startswith("linear-gradient")
        page.locator(".sheet").last.focus()
        page.keyboard.press("End")
        expect(board).to_have_attribute("data-below", "false")
        expect(board).to_have_attribute("data-above", "true")
        box, frame = last.bounding_box(), board.bounding_box()
        assert box and frame and box["y"] + box["height"] <= frame["y"] + frame["height"]
        assert page.evaluate("(t => t.scrollHeight - t.clientHeight)(document.querySelector('.table'))") <= 0


FULL = """
  const ranks = [..."A23456789TJQK"];
  for (const suit of "SHCD") u.view.laid[suit] = ranks.map((rank) => rank + suit);
  u.view.hand = [..."SHCD"].flatMap((suit) => ranks.map((rank) => rank + suit)).slice(0, v.hand);
"""


def test_B163_all_52_cards_down_and_a_hand_of_18(visit: Visit) -> None:
    page = turn(visit, "fan-tan", players=3)
    stage(page, FULL, hand=18)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        assert sideways(page) <= 0
        assert page.evaluate("(t => t.scrollHeight - t.clientHeight)(document.querySelector('.table'))") <= 0
        for what in (".held", ".slot", ".prompt", ".prompt .btn", ".sort", ".ask"):
            assert page.evaluate(INSIDE, what) == 0, (width, height, what)
        seen = page.locator(".held").evaluate_all(
            "all => all.every(one => { const { x, y, width, height } = one.getBoundingClientRect();"
            " return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.held') === one; })"
        )
        assert seen, (width, height)


def test_large_indices_are_a_third_larger_and_all_of_it_fits(visit: Visit) -> None:
    page = turn(visit, "fan-tan", players=3)
    stage(page, FULL, hand=18)
    high = "all => all.map((one) => document.querySelector(one).getBoundingClientRect().height)"
    ranks = [".held .index .rank", ".slot .index .rank"]
    for width, height in SCREENS:
        resize(page, width, height)
        keep(page, large=False)
        page.wait_for_timeout(50)
        usual = page.evaluate(high, ranks)
        keep(page, large=True)
        page.wait_for_timeout(50)
        large = page.evaluate(high, ranks)
        assert all(more >= 1.3 * less for more, less in zip(large, usual, strict=True)), (width, usual, large)
        assert sideways(page) <= 0
        for what in (".held", ".slot", ".prompt", ".prompt .btn"):
            assert page.evaluate(INSIDE, what) == 0, (width, height, what)


def test_the_next_card_of_a_row_covers_no_index(visit: Visit) -> None:
    """Nor does the ring of the latest: a ten has both its figures, a queen her tail."""
    page = turn(visit, "fan-tan", players=3)
    stage(page, FULL, hand=18)
    covered = """all => all.slice(1).filter((next, i) => {
      const index = [...all[i].querySelector(".index").children];
      const ranks = index.map((one) => one.getBoundingClientRect().right);
      const { left, top } = next.getBoundingClientRect();
      return top === all[i].getBoundingClientRect().top && Math.max(...ranks) > left - 2.5;
    }).length"""
    for large in (False, True):
        keep(page, large=large)
        for width, height in [*SCREENS, (390, 844), (360, 780)]:
            resize(page, width, height)
            assert page.locator(".slot[data-lies=true]").evaluate_all(covered) == 0, (width, height, large)


# Where that may be tapped is; a button may be away meanwhile, a card may not.
TAPPED = """() => {
  const all = [...document.querySelectorAll(".held, .place, .prompt .btn:not([aria-disabled=true])")];
  return Object.fromEntries(all.filter((one) => one.checkVisibility()).map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [one.dataset.held ?? one.dataset.place ?? one.className, [x, y, width, height].map(Math.round)];
  }));
}"""


def moved(page: Page, before: dict[str, list[int]]) -> dict[str, object]:
    """What is elsewhere than before, and each card that is no longer there."""
    now = page.evaluate(TAPPED)
    away = {one for one in before if "btn" in one and one not in now}
    return {one: (at, now.get(one)) for one, at in before.items() if one not in away and now.get(one) != at}


# What may come between a look at something and the tap on it.
MEANWHILE = {
    "another's turn": "Object.assign(u.view, { actor: 2, phase: v.phase, moves: [] })",
    "his turn": "Object.assign(u.view, { actor: 0, phase: v.phase, moves: v.moves })",
    "a note": "u.table.seats[0].stand_in = true",
    "a watcher": "u.table.watching = 1",
    "somebody who is away": "u.table.seats[1].kind = 'person'; u.table.seats[1].here = false",
}


@pytest.mark.parametrize("game", ["fan-tan", "fear"])
def test_nothing_moves_under_a_finger_that_is_about_to_tap(visit: Visit, game: str) -> None:
    page = turn(visit, game)
    asking = {"fan-tan": "play", "fear": "turn"}[game]
    hint = "{ move: null, say: 'None of your cards fits: pass, for a chip to the pool.' }"
    refusal = "{ id: 'x', clause: 'T8', message: 'J♠ does not fit: no card of its suit is down yet.' }"
    moves = {"fan-tan": ["pass"], "fear": ["turn 3", "turn 4"]}[game]
    for width, height in ((320, 568), (390, 664), (768, 1024), (1440, 900), (1920, 1080)):
        resize(page, width, height)
        stage(page, MEANWHILE["his turn"], phase=asking, moves=moves)
        page.wait_for_timeout(100)
        before = page.evaluate(TAPPED)
        for what, change in MEANWHILE.items():
            stage(page, change, phase=asking, moves=moves)
            assert moved(page, before) == {}, (what, width)
        for name, said in (("hint", hint), ("refusal", refusal)):
            tell(page, f"net.{name}.value = {{ ...{said}, version: net.update.value.version }}")
            page.wait_for_timeout(50)
            assert moved(page, before) == {}, (name, width)
            tell(page, f"net.{name}.value = null")
        stage(page, "u.table.seats[0].stand_in = false; u.table.watching = 0; u.table.seats[1].kind = 'bot'")


def test_B161_no_zoom_by_tapping_but_by_pinching(visit: Visit) -> None:
    page = turn(visit, "fan-tan")
    assert page.locator("meta[name=viewport][content*=user-scalable]").count() == 0
    assert page.locator(".held").first.evaluate("one => getComputedStyle(one).touchAction") == "pinch-zoom"
    page.evaluate("document.documentElement.style.fontSize = '250%'")  # so large that the table scrolls
    page.set_viewport_size({"width": 390, "height": 600})
    page.wait_for_timeout(100)
    assert (
        page.locator(".held").first.evaluate("one => getComputedStyle(one).touchAction") == "pan-y pinch-zoom"
    )


def test_B177_suits_differ_by_shape_and_four_colours_by_colour(visit: Visit) -> None:
    page = turn(visit, "fan-tan")
    stage(page, FULL, hand=4)
    shapes = page.locator(".slot:first-child .index .pip path").evaluate_all(
        "all => all.map(one => one.getAttribute('d'))"
    )
    assert len(set(shapes)) == 4
    colours = "all => new Set(all.map(one => getComputedStyle(one).color)).size"
    assert page.locator(".slot:first-child .card").evaluate_all(colours) == 2
    keep(page, fourColours=True)
    assert page.locator(".slot:first-child .card").evaluate_all(colours) == 4


def test_B097_the_hand_is_the_same_after_a_reload(visit: Visit) -> None:
    page = turn(visit, "fan-tan")
    held = "all => all.map(one => one.dataset.held)"
    before = page.locator(".held").evaluate_all(held)
    for _ in range(5):
        page.reload()
        page.locator(".hand").wait_for()
        assert page.locator(".held").evaluate_all(held) == before


def test_turning_the_phone_leaves_no_trace(visit: Visit) -> None:
    """B165; one pixel is rounding."""
    page = turn(visit, "fan-tan", players=3)
    shape = """() => [...document.querySelectorAll(".table *")].map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return [x, y, width, height].map(Math.round);
    })"""
    for _ in range(5):
        page.set_viewport_size({"width": 844, "height": 390})
        page.set_viewport_size({"width": 390, "height": 664})
    page.wait_for_timeout(600)  # cards that fit are lifted again
    turned = page.evaluate(shape)
    page.reload()
    page.locator(".hand").wait_for()
    page.wait_for_timeout(600)
    for now, then in zip(page.evaluate(shape), turned, strict=True):
        assert all(abs(a - b) <= 1 for a, b in zip(now, then, strict=True)), (
            now,
            then,
        )  # 1 px: as it is rounded


@pytest.mark.parametrize(("lang", "scheme"), [("en", "light"), ("fr", "dark")])
@pytest.mark.parametrize(("game", "width"), [("earl-of-coventry", 1440), ("fan-tan", 390), ("fear", 390)])
def test_axe_finds_nothing(visit: Visit, axe: str, game: str, width: int, scheme: str, lang: str) -> None:
    """Every kind of thing that is asked for, once."""
    rules = {"stake": 1} if game == "fear" else {"deals": 1}
    page = table(visit, game, 4, rules=rules, width=width, color_scheme=scheme, locale=lang)
    seen = set()
    for what in play(page):
        if what not in seen:
            seen.add(what)
            assert faults(page, axe) == [], what
    assert faults(page, axe) == [], "over"
    if width < 1200:
        page.locator(".ticker").click()
        page.get_by_role("dialog").wait_for()
        assert faults(page, axe) == [], "log"


BUSY = """
  u.table.waiting = { for: [u.table.me], what: "act", until: 60000, of: 90000 };
  const gone = { kind: "person", here: false, stand_in: true };
  for (const seat of u.table.seats.slice(1)) Object.assign(seat, gone);
"""
# What touches what it should lie beside, or is cut: tags, the clock, the dealer's mark, the name of the game.
BESIDE = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const found = [];
  const pool = box(".middle");
  for (const tag of document.querySelectorAll(".ring .why"))
    if (tag.getBoundingClientRect().bottom > pool.top - 2) found.push("tag");
  const [clock, prompt] = [box(".until"), box(".prompt")];
  if (clock.bottom > prompt.bottom - 1) found.push("clock");
  for (const one of document.querySelectorAll(".prompt .btn"))
    if (one.getBoundingClientRect().bottom > clock.top) found.push("clock on button");
  for (const one of document.querySelectorAll(".dealer"))
    if (one.getBoundingClientRect().top < box(".table").top) found.push("dealer");
  const title = document.querySelector(".bar .where");
  const [wide, high] = [title.scrollWidth - title.clientWidth, title.scrollHeight - title.clientHeight];
  if (wide > 1 || high > 2) found.push("title");
  if (box(".bar .where").top < 0 || box(".bar .title").bottom > box(".bar").bottom) found.push("high title");
  return found;
}"""


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(("game", "players"), [("earl-of-coventry", 3), ("fan-tan", 5), ("fear", 6)])
def test_what_lies_beside_something_does_not_touch_it(
    visit: Visit, game: str, players: int, lang: str
) -> None:
    """Tags and the pool, the clock and the prompt's edge; name and number of what is played are whole."""
    page = turn(visit, game, players=players, locale=lang)
    stage(page, BUSY)
    for width, height in ((320, 568), (390, 664), (768, 1024), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(BESIDE) == [], (width, height)
        if game != "fear":
            assert page.locator(".nth:visible").count() == (2 if width < 390 else 1)


# All that a seat may hold: chips of four figures, or a debt of them; cards as are dealt, what it did.
HOLDS = [(8, 1, None), (50, 10, "laid"), (148, 13, "passed"), (234, 18, "passed"), (8, 8, "laid")]
HOLDS += [(1987, 17, "passed"), (2345, 17, "laid"), (-36, 12, "passed"), (-1234, 17, "laid")]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_seats_keep_their_height_whatever_they_hold(visit: Visit, players: int, lang: str) -> None:
    """Nothing below them moves in a deal, and all that they hold is within."""
    page = turn(visit, "play-or-pay", players=players, locale=lang)
    for width, height in (*SCREENS, (360, 640), (430, 932), (600, 900), (1000, 700)):
        resize(page, width, height)
        heights, boards = set(), set()
        for chips, cards, deed in HOLDS:
            change = """
              u.view.stacks = u.view.stacks.map(() => v.chips);
              u.view.counts = u.view.counts.map(() => v.cards);
              const deed = (_, seat) => ({ kind: v.deed, seat, card: "TS", say: "." });
              u.log = v.deed ? u.view.counts.map(deed) : [];
            """
            stage(page, change, chips=chips, cards=cards, deed=deed)
            heights |= set(
                page.locator(".ring .seat").evaluate_all("all => all.map(one => one.offsetHeight)")
            )
            boards.add(page.evaluate("document.querySelector('.board').getBoundingClientRect().top"))
            wide = "all => Math.max(...all.map((one) => one.scrollWidth - one.clientWidth))"
            assert page.locator(".ring .has").evaluate_all(wide) <= 0, (width, chips, deed)
        assert len(heights) == len(boards) == 1, (width, height, heights, boards)


def test_a_hand_uses_the_room_of_a_desk(visit: Visit) -> None:
    """13 cards in a row, each as large as those of the layout."""
    page = turn(visit, "fan-tan", players=4, width=1440)
    page.set_viewport_size({"width": 1440, "height": 900})
    stage(page, FULL, hand=13)
    wide = "one => one.offsetWidth"
    assert page.locator(".held").first.evaluate(wide) >= page.locator(".slot").first.evaluate(wide) - 4


def test_buttons_of_the_bar_have_words_where_there_is_room(visit: Visit) -> None:
    page = turn(visit, "fan-tan", width=1440)
    for word in ("Rules", "This table", "Settings"):
        expect(page.locator(".bar").get_by_text(word, exact=True)).to_be_visible()
    page.set_viewport_size({"width": 320, "height": 568})
    for word in ("Rules", "This table", "Settings"):
        box = page.locator(".bar").get_by_text(word, exact=True).bounding_box()
        assert box is None or box["width"] <= 1  # for the ear alone
    page.get_by_role("button", name="This table").click()
    page.get_by_role("dialog").get_by_role("button", name="Settings").click()
    expect(page.get_by_role("heading", name="Settings", exact=True)).to_be_visible()


WRONG = """
  u.view.rules.passing = v.passing;
  const hand = [..."23456789TJQKA"].map((rank, i) => rank + "SHDC"[i % 4]);
  Object.assign(u.view, { price: 1, fine: 9, hand, moves: ["7H", "pass"] });
"""


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(("width", "height"), SCREENS[:2])
def test_a_doubted_pass_pushes_nothing_off_a_small_phone(
    visit: Visit, width: int, height: int, lang: str
) -> None:
    page = turn(visit, "fan-tan", players=4, width=width, locale=lang, rules={"passing": "fined"})
    page.set_viewport_size({"width": width, "height": height})
    for passing in ("fined", "honour"):
        stage(page, WRONG, passing=passing)
        page.locator(".pass").click()
        expect(page.locator(".prompt .btn")).to_have_count(2)
        for what in (".held", ".prompt", ".prompt .btn", ".me .seat"):
            assert page.evaluate(INSIDE, what) == 0, what


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_nothing_moves_when_a_pass_is_doubted(visit: Visit, lang: str) -> None:
    """The question goes up over the board, and is whole."""
    page = turn(visit, "fan-tan", players=4, locale=lang, rules={"passing": "fined"})
    boxes = """() => [".board", ".held", ".me .seat"]
      .map((one) => document.querySelector(one).getBoundingClientRect().toJSON())"""
    for width, height in [*SCREENS, (664, 390)]:
        resize(page, width, height)
        for passing in ("fined", "honour"):
            stage(page, WRONG, passing=passing)
            before = page.evaluate(boxes)
            page.locator(".pass").click()
            expect(page.locator(".prompt .btn")).to_have_count(2)
            assert page.evaluate(boxes) == before, (width, passing)
            least = "all => Math.min(...all.map((one) => one.clientHeight - one.scrollHeight))"
            assert page.locator(".prompt").evaluate_all(least) >= 0, (width, passing)
            for what in (".prompt", ".prompt .btn"):
                assert page.evaluate(INSIDE, what) == 0, (width, passing)


STOOD = """
  u.log = [{ kind: "shuffled", say: "." }, { kind: "laid", seat: 0, card: "7S", stand_in: true, say: "." }];
  u.view.deal += 1;
"""


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_a_stand_in_did_pushes_no_hand_off_a_phone_held_sideways(visit: Visit, lang: str) -> None:
    page = turn(visit, "fan-tan", players=4, locale=lang)
    resize(page, 664, 390)
    stage(page, WRONG, passing="fined")
    top = "one => one.getBoundingClientRect().top"
    before = page.locator(".held").first.evaluate(top)
    stage(page, WRONG + STOOD, passing="fined")
    expect(page.locator(".note")).to_be_visible()
    assert page.locator(".held").first.evaluate(top) == before
    for what in (".held", ".prompt", ".note"):
        assert page.evaluate(INSIDE, what) == 0, what


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_title_of_an_onlooker_takes_one_line(visit: Visit, lang: str) -> None:
    page = turn(visit, "fan-tan", locale=lang)
    onlooker = visit(page.url.removeprefix(visit.url), locale=lang)
    expect(onlooker.locator(".bar .watching")).to_have_count(1)
    lines = "one => one.scrollHeight / parseFloat(getComputedStyle(one).lineHeight)"
    for width, height in [(320, 568), (360, 640), (390, 664), (412, 915)]:
        resize(onlooker, width, height)
        assert onlooker.locator(".bar .where").evaluate(lines) < 1.5, width
        assert sideways(onlooker) <= 0


def test_the_rows_of_a_hand_are_as_even_as_can_be(visit: Visit) -> None:
    page = turn(visit, "fan-tan", players=3)
    for n in range(18, 0, -1):
        stage(page, FULL, hand=n)
        for width, height in SCREENS:
            resize(page, width, height)
            tops = page.locator(".held").evaluate_all("all => all.map((one) => one.offsetTop)")
            rows = [tops.count(top) for top in sorted(set(tops))]
            assert sum(rows) == n and max(rows) - rows[-1] < len(rows) and len(set(rows[:-1])) <= 1, (n, rows)


FINED = """
  const paid = (clause, payer, payee, chips) => ({ kind: "paid", clause, payer, payee, chips, say: "." });
  u.log = [paid("T4", 0, "pool", 1), paid("T9", 0, "pool", 3), paid("T11", 0, 2, 9),
    paid("T14", 3, "pool", 3), paid("T14", "pool", 1, 127)];
  u.view.stacks = [134, 279, 146, 141];
"""


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_all_columns_of_an_account_are_within_a_small_phone(visit: Visit, lang: str) -> None:
    """With every kind of payment; no heading runs into the next."""
    page = table(visit, "fan-tan", 4, rules={"deals": 1}, locale=lang)
    for _ in play(page):
        pass
    stage(page, FINED)
    expect(page.locator(".settlement thead th")).to_have_count(8)
    meet = """all => all.filter((one, i) => {
      const [{ right }, next] = [one.getBoundingClientRect(), all[i + 1]?.getBoundingClientRect()];
      return next && right > next.left - 2;
    }).length"""
    for width, height in [*SCREENS[:2], (360, 640)]:
        page.set_viewport_size({"width": width, "height": height})
        assert page.locator(".settlement").evaluate("one => one.scrollWidth - one.clientWidth") <= 0
        assert page.locator(".settlement thead button").evaluate_all(meet) == 0, (width, height)


OVERDUE = """
  u.table.waiting = { for: [v.seat], what: "act", until: 5000, of: 30000 };
  u.table.seats = u.table.seats.map((seat) => ({ ...seat, kind: "person", here: true, stand_in: true }));
  u.view.actor = v.seat;
  u.view.stacks = u.view.stacks.map(() => 46);
  u.view.counts = u.view.counts?.map(() => 17);
"""


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(("game", "players"), [("fan-tan", 4), ("fan-tan", 5), ("fear", 6)])
def test_the_last_seconds_lie_beside_the_tag(visit: Visit, game: str, players: int, lang: str) -> None:
    """Neither the figures of the clock nor the tag of a seat lies over the other, or over chips and cards."""
    page = turn(visit, game, players=players, locale=lang)
    stage(page, OVERDUE, seat=2)
    over = """() => {
      const all = ".clock b, .why, .chips, .left i, .who b > span";
      const found = [...document.querySelectorAll("[data-seat='2'] :is(" + all + ")")];
      const part = (one) => one.closest(".clock, .has, .who, .why").className;
      const boxes = found.map((one) => [part(one), one.getBoundingClientRect()]);
      return boxes.flatMap(([one, a], i) => boxes.slice(i + 1).filter(([other, b]) => one !== other
        && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2)
        .map(([other]) => `${one} over ${other}`));
    }"""
    for width, height in [*SCREENS[:2], (360, 640), *SCREENS[2:]]:
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("[data-seat='2'] .clock b")).to_be_visible()
        assert page.evaluate(over) == [], (width, height)


# How often a pip of a card's middle meets its rank or its corner sign.
COLLIDE = """all => all.flatMap((card) => {
  const boxes = (what) => [...card.querySelectorAll(what)].map((one) => one.getBoundingClientRect());
  const meets = (a, b) =>
    a.left < b.right + 0.5 && b.left < a.right + 0.5 && a.top < b.bottom && b.top < a.bottom;
  const signs = boxes(".index .rank, .index .pip").filter(({ width }) => width);
  return boxes(".spots path").filter((pip) => pip.width && signs.some((sign) => meets(pip, sign)));
}).length"""


@pytest.mark.parametrize("width", [390, 1440])
def test_no_pip_meets_the_index_of_its_card(visit: Visit, width: int) -> None:
    """At any size at which a card shows all its pips."""
    page = turn(visit, "fan-tan", width=width)
    stage(page, FULL, hand=4)
    faces, give = (
        page.locator(".slot .card"),
        "(all, w) => all.forEach((one) => (one.style.width = w + 'px'))",
    )
    for size in (64, 80, 110, 150):
        page.locator(".slot").evaluate_all(give, size)
        assert faces.locator(".spots path:visible").count() > 100
        assert faces.evaluate_all(COLLIDE) == 0, size


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_suits_stand_black_beside_red_everywhere(visit: Visit, lang: str) -> None:
    page = turn(visit, "fan-tan", locale=lang)
    stage(page, FULL, hand=52)
    assert page.locator(".lane").evaluate_all("all => all.map((one) => one.dataset.suit)") == [*"SHCD"]
    held = page.locator(".held").evaluate_all("all => all.map((one) => one.dataset.held[1]).join('')")
    assert held == "".join(13 * suit for suit in "SHCD")
    keep(page, sort="rank")
    held = page.locator(".held").evaluate_all("all => all.map((one) => one.dataset.held[1]).join('')")
    assert held == 13 * "SHCD"


@pytest.mark.parametrize(("players", "dealt"), [(3, 18), (4, 13), (5, 11)])
def test_no_card_becomes_smaller_while_a_hand_shrinks(visit: Visit, players: int, dealt: int) -> None:
    page = turn(visit, "fan-tan", players=players)
    wide = {size: 0.0 for size in SCREENS}
    for n in range(dealt, 0, -1):
        stage(page, FULL, hand=n)
        for width, height in SCREENS[:4]:
            page.set_viewport_size({"width": width, "height": height})
            now = page.locator(".held").first.evaluate("one => one.getBoundingClientRect().width")
            assert now >= wide[width, height] - 0.1, (width, n)
            wide[width, height] = now


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_only_its_turn_allows_is_out_of_sight_in_those_of_others(visit: Visit, lang: str) -> None:
    """And its room is kept: nothing moves when the turn comes."""
    page = turn(visit, "fan-tan", locale=lang)
    box = "one => [one.offsetHeight, one.getBoundingClientRect().top]"
    before = page.locator(".prompt").evaluate(box)
    stage(page, "Object.assign(u.view, { actor: 2, moves: [] })")
    for what in (".pass", ".ask"):
        expect(page.locator(what)).to_be_hidden()
    assert page.locator(".prompt").evaluate(box) == before


PAID = """
  const [clause, payer] = ["T11", 0];
  const paid = (clause, payee, chips) => ({ kind: "paid", clause, payer, payee, chips, say: "." });
  u.log = [{ kind: "passed", seat: 0, say: "." }, paid("T9", "pool", 1),
    { kind: "exposed", seat: 0, say: "." },
    paid(clause, "pool", 3), paid(clause, 2, 3), paid(clause, 1, 3), paid(clause, 2, 3),
    { kind: "turn", actor: 1, phase: "play", say: "" }, { kind: "laid", seat: 1, card: "8S", say: "." }];
  Object.assign(u.view, { actor: 2, phase: "play", moves: [] });
"""


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_T11_what_a_fined_pass_cost_stays_in_view(visit: Visit, lang: str) -> None:
    """To whom it went too, while others play; and the prompt is no higher for it."""
    page = turn(visit, "fan-tan", locale=lang, rules={"passing": "fined"})
    stage(page, PAID)
    to = ("13", "4", "3", "6")
    said = page.locator(".prompt .fined")
    expect(said).to_be_visible()
    assert re.findall(r"\d+", said.inner_text()) == [to[0], to[1], to[3], to[2]]
    for width, height in SCREENS[:2] + SCREENS[3:]:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(INSIDE, ".prompt") == 0
        assert page.locator(".prompt").evaluate("one => one.offsetHeight") <= 64
    stage(page, PAID.replace("actor: 2", "actor: 0") + "u.view.moves = ['pass']")
    expect(said).to_have_count(0)


def test_names_are_never_behind_the_button_that_makes_the_table(visit: Visit) -> None:
    page = visit("/?game=fear", width=390)
    page.locator(".ways label").last.click()
    both = """() => [document.activeElement, document.querySelector(".acts")]
      .map((one) => one.getBoundingClientRect())"""
    for _ in range(2):
        page.locator("[aria-controls=persons]").last.click()
    for width, height in SCREENS[:2]:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        page.locator(".names input").first.focus()
        seen = 0
        while page.evaluate("document.activeElement.matches('.names input, summary')"):
            box, button = page.evaluate(both)
            assert box["bottom"] <= button["top"], (width, seen)
            page.keyboard.press("Tab")
            seen += 1
        assert seen >= 4


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_title_of_a_table_is_whole_in_letters_twice_as_large(visit: Visit, lang: str) -> None:
    page = turn(visit, "fan-tan", locale=lang)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    bar, title = (page.locator(one).bounding_box() for one in (".bar", ".bar .where"))
    assert bar and title
    assert title["y"] >= bar["y"] and title["y"] + title["height"] <= bar["y"] + bar["height"]


def test_a_spread_uses_a_tablet_held_upright(visit: Visit) -> None:
    """The fear is above it, and it has the whole width."""
    page = turn(visit, "fear", players=6, width=768)
    for width, height in ((768, 1024), (820, 1180)):
        page.set_viewport_size({"width": width, "height": height})
        box, fear = (page.locator(one).bounding_box() for one in (".spread-out", ".fear"))
        last = page.locator(".place").last.bounding_box()
        assert box and fear and last
        assert last["width"] >= (width - 80) / 13 and last["height"] > last["width"]
        assert fear["y"] + fear["height"] < box["y"]
        assert page.evaluate(INSIDE, ".place") == 0


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("width", [320, 390])
def test_no_sentence_makes_the_prompt_of_a_phone_higher(visit: Visit, width: int, lang: str) -> None:
    """Whoever has to begin, and with what, or is asked for a bonus card or a new suit: nothing moves."""
    page = turn(visit, "fan-tan", locale=lang, width=width)
    begin = "u.view.laid = { S: [], H: [], D: [], C: [] }; u.view.starts = "
    bonus = "Object.assign(u.view, { phase: 'bonus', moves: ['7S', 'pass'] });"
    other = "Object.assign(u.view, { actor: 2, moves: [] });"
    for change in (
        begin + "['7S'];",
        begin + "['5S', '9S'];",
        begin + "[...'A23456789'].map((rank) => rank + 'S');",
        bonus,
        bonus + "u.view.moves = ['pass'];",
        bonus + other,
        "u.view.phase = 'open';",
        "u.view.phase = 'open';" + other,
        "u.view.moves = ['pass'];",
        other + "u.table.seats[2] = { ...u.table.seats[2], kind: 'person', here: false, stand_in: true };",
        other,
    ):
        stage(page, "Object.assign(u.view, { actor: 0, phase: 'play', moves: ['7S'] });" + change)
        assert page.locator(".prompt").evaluate("one => one.offsetHeight") <= 58, change


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_is_said_of_a_cut_stands_in_the_middle(visit: Visit, lang: str) -> None:
    """Its second line too, on the smallest phone."""
    page = turn(visit, "fan-tan", locale=lang, width=320)
    stage(page, "Object.assign(u.view, { phase: 'cut', actor: 0, cuts: [3, 49], moves: [] });")
    middles = """one => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return [...range.getClientRects()].map(({ left, right }) => Math.abs((left + right - innerWidth) / 2));
    }"""
    page.locator(".cut p").evaluate("one => (one.style.fontSize = '2rem')")
    assert max(page.locator(".cut p").evaluate(middles)) <= 2
