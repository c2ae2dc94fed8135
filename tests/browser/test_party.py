"""A party: one screen that all see, and a phone for each."""

import json
import time
from typing import Any

import pytest
from company import PLAYS, Frames, cut_off, play, tell
from conftest import Visit
from looks import faults, resize, sideways
from person import keep, stage
from playwright.sync_api import Page, expect

NAMES = ["Ann", "Bo", "Cy", "Di", "Eve", "Ann 2", "Bo 2", "Cy 2", "Di 2", "Eve 2", "Ann 3", "Bo 3"]
# Notes whether a hand was ever in the page.
WATCHES = """new MutationObserver(() => document.querySelector("[data-held], .hand") && (window.hand = true))
  .observe(document, { childList: true, subtree: true });"""
# What everybody sees alike.
ALIKE = """const { hand, seat, moves, cuts, ...view } = net.update.value.view;
return JSON.stringify([net.update.value.version, view])"""


def screen(visit: Visit, game: str, players: int, width: int = 1920, **options: Any) -> tuple[Page, str]:
    """A shared screen at a new table whose seats are all open, and the table."""
    new = {name: options.pop(name) for name in ("rules", "pace", "clock") if name in options}
    body = {"game": game, "players": players, "seats": ["open"] * players, "lang": "en", "pace": "once"}
    made = visit.opened(**body | new)
    assert made["seat"] is None and made["token"] is None
    page = visit(f"/t/{made['table']}/screen", width=width, script=WATCHES, **options)
    page.locator(".screen").wait_for()
    return page, made["table"]


def phones(visit: Visit, table: str, names: list[str]) -> list[Page]:
    """Everybody opens the link and sits down."""
    pages = []
    for name in names:
        page = visit(f"/t/{table}", script=PLAYS)
        page.locator("#name").fill(name)
        page.locator("form .primary").click()
        page.locator(".chair.own").wait_for()
        pages.append(page)
    return pages


def finish(pages: list[Page], seconds: float) -> None:
    """Everybody plays with his own taps until the sitting is over."""
    for page in pages:
        play(page)
    for page in pages:
        page.locator(".prompt .again").wait_for(timeout=1000 * seconds)


def secret(frames: Frames) -> list[Any]:
    """What the screen was told that it should not be: hands, moves, anything but null and nothing."""
    found = []

    def look(value: Any) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                if key in ("hand", "moves", "cuts") and inner:
                    found.append((key, inner))
                if key == "hands" and value.get("kind") != "shown" and any(inner):
                    found.append((key, inner))
                look(inner)
        elif isinstance(value, list):
            for inner in value:
                look(inner)

    for update in frames.updates():
        assert update["table"]["me"] is None
        look(update)
    return found


def the_same(pages: list[Page]) -> None:
    """All of them show one state, and its chips add up."""
    end = time.monotonic() + 20
    while len({tell(page, ALIKE) for page in pages}) > 1 and time.monotonic() < end:
        pages[0].wait_for_timeout(100)
    assert len({tell(page, ALIKE) for page in pages}) == 1
    tables = [page.locator(".places-won li").all_inner_texts() for page in pages]
    names = [
        [line.replace("You", name) for line in lines] for lines, name in zip(tables, NAMES, strict=False)
    ]
    assert len(names) >= len(pages) - 1


@pytest.mark.slow
def test_twelve_phones_and_a_screen_play_fear(visit: Visit) -> None:
    tv, table = screen(visit, "fear", 12, rules={"stake": 1}, clock=0)
    frames = Frames(tv)
    tv.reload()
    expect(tv.locator(".who-sits [data-kind=open]")).to_have_count(12)
    expect(tv.locator(".come .qr")).to_be_visible()
    everybody = phones(visit, table, NAMES)
    expect(tv.locator(".who-sits .name")).to_have_text(NAMES)
    expect(tv.locator(".next")).to_have_text("Ann starts the game.")
    everybody[0].get_by_role("button", name="Start").click()
    tv.locator(".play").wait_for()
    finish(everybody, 240)
    expect(tv.locator(".ending")).to_be_visible()
    the_same([*everybody, tv])
    for update in frames.updates():
        if view := update["view"]:
            assert sum(view["stacks"]) + view["pool"] == 12
    assert secret(frames) == [] and not tv.evaluate("window.hand")
    assert sum(int(text) for text in tv.locator(".places-won .chips").all_inner_texts()) == 12
    expect(tv.locator(".places-won li[data-won=true]")).to_have_count(1)


@pytest.mark.slow
def test_four_phones_and_a_screen_play_a_sitting_of_fan_tan(visit: Visit) -> None:
    tv, table = screen(visit, "fan-tan", 4, rules={"deals": 2}, clock=0)
    frames = Frames(tv)
    tv.reload()
    everybody = phones(visit, table, NAMES[:4])
    everybody[0].get_by_role("button", name="Start").click()
    tv.locator(".play").wait_for()
    finish(everybody, 240)
    expect(tv.locator(".ending")).to_be_visible()
    the_same([*everybody, tv])
    deals = 0
    for update in frames.updates():
        if view := update["view"]:
            assert sum(view["stacks"]) + view["pool"] == 200
        deals += sum(event["kind"] == "deal_won" for event in update["events"])
    assert deals == 2
    assert secret(frames) == [] and not tv.evaluate("window.hand")
    laid = [card for page in everybody for card in page.evaluate("window.laid ?? []")]
    told = [
        event["card"] for update in frames.updates() for event in update["events"] if event["kind"] == "laid"
    ]
    assert set(laid) >= set(told)  # a tap in vain is none the less a tap


def test_a_screen_comes_back_by_itself_and_holds_no_seat(visit: Visit) -> None:
    """Also in the browser of one who sits at the table; B153."""
    tv, table = screen(
        visit, "fan-tan", 3, forgive="WebSocket|Failed to load|fetching the script", pace="slow"
    )
    ann, *_ = phones(visit, table, ["Ann", "Bo", "Cy"])
    ann.get_by_role("button", name="Start").click()
    tv.locator(".play").wait_for()
    cut_off(tv)
    expect(tv.locator(".screen[data-lost=true]")).to_be_visible()
    expect(tv.locator(".play")).to_be_visible()
    tv.context.set_offline(False)
    expect(tv.locator(".screen[data-lost=false]")).to_be_visible()
    own = ann.context.new_page()
    frames = Frames(own)
    own.goto(f"/t/{table}/screen")
    own.locator(".play").wait_for()
    assert [hello["token"] for hello in frames.said("hello")] == [None] and secret(frames) == []
    ann.reload()
    expect(ann.locator(".mine")).to_be_visible()
    own.close()


SCREENS = [(3840, 2160), (1920, 1080), (1440, 900), (1280, 720), (1024, 768), (768, 1024)]
# What does not fit on the screen, or is lower than 1/55 of it and not to be read from across a room.
CUT = """(selector) => [...document.querySelectorAll(selector)].filter((one) => {
  if (one.getAnimations({ subtree: true }).length) return false; // a card on its way
  const { left, top, right, bottom } = one.getBoundingClientRect();
  return left < 0 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1;
}).map((one) => one.className + one.textContent.slice(0, 30))"""
SMALL = """(selector) => [...document.querySelectorAll(selector)].filter((one) => one.offsetParent
  && parseFloat(getComputedStyle(one).fontSize) < Math.min(innerHeight / 55, innerWidth / 62))
  .map((one) => one.className + one.textContent.slice(0, 30))"""


def fits(page: Page, *selectors: str) -> None:
    for width, height in SCREENS:
        resize(page, width, height)
        assert sideways(page) <= 0
        assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
        for selector in selectors:
            assert page.locator(selector).count(), selector
            assert page.evaluate(CUT, selector) == [], (width, height)
            assert page.evaluate(SMALL, selector) == [], (width, height)
    page.set_viewport_size({"width": 1920, "height": 1080})


@pytest.mark.parametrize(
    ("game", "players", "lang", "scheme"),
    [("fan-tan", 4, "en", "light"), ("fear", 12, "fr", "dark"), ("fear", 26, "en", "light")],
)
def test_the_screen_is_read_from_across_the_room(
    visit: Visit, axe: str, game: str, players: int, lang: str, scheme: str
) -> None:
    """At 1920, at 4K, on a laptop and a tablet held upright: whole, and large enough."""
    rules = {} if game == "fear" else {"deals": 1}
    tv, table = screen(visit, game, players, rules=rules, locale=lang, color_scheme=scheme, pace="quick")
    (ann,) = phones(visit, table, ["Ann"])
    expect(tv.locator(".who-sits .name").first).to_have_text("Ann")
    code = tell(tv, "return net.update.value.table.code")
    expect(tv.locator(".come .code b")).to_have_text([code[:3], code[3:]])
    fits(tv, ".come .qr", ".come .code", ".come h2", ".next", ".who-sits li")
    assert faults(tv, axe) == []
    tell(ann, "net.send({ type: 'fill', level: 'steady' })")
    tv.locator(".play").wait_for()
    play(ann)
    what = ".spread-out .place" if game == "fear" else ".layout .slot"
    tv.locator(what).first.wait_for(timeout=30_000)
    seats = ".play .seat .who" if players <= 12 else ".pool"
    fits(tv, what, seats, ".now", ".pool", ".invitation .code")
    assert tv.locator(".qr").bounding_box()["width"] < 130  # type: ignore[index]
    assert faults(tv, axe) == []
    buttons = "all => all.filter(one => getComputedStyle(one).pointerEvents !== 'none').length"
    assert tv.locator(".screen :is(button, input, select)").evaluate_all(buttons) == (
        2 if game == "fear" else 1  # the full screen, and the chances
    )
    assert tv.locator(".screen a").evaluate_all(buttons) == 1  # the way home
    if game == "fan-tan":
        tell(ann, "net.send({ type: 'pace', value: 'once' })")
        tv.locator(".settlement").wait_for(timeout=100_000)
        fits(tv, ".ending", ".settlement", ".now")
        assert faults(tv, axe) == []


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_screen_invites_from_afar(visit: Visit, lang: str) -> None:
    """The QR code is large, the room code on one line, on any screen; nothing lies over anything."""
    tv, _ = screen(visit, "fear", 8, locale=lang)
    boxes = """all => all.map(one => one.getBoundingClientRect()).map(({ left, top, right, bottom }) =>
      [left, top, right, bottom])"""
    for width, height in [*SCREENS, (844, 390), (390, 664), (320, 568)]:
        resize(tv, width, height)
        assert sideways(tv) <= 0, (width, height)
        qr, *parts = tv.locator(".come .qr, .come h2, .come .ways p > *, .next").evaluate_all(boxes)
        side = tv.locator(".come .qr").bounding_box()["width"]  # type: ignore[index]
        assert side >= min(width, height) * 0.33, (width, height)
        assert len({top for _, top, *_ in tv.locator(".come .code b").evaluate_all(boxes)}) == 1
        seats = tv.locator(".who-sits").evaluate_all(boxes)
        all = sorted([qr, *parts, *seats])
        for at, (left, top, right, bottom) in enumerate(all):
            assert left >= 0 and right <= width, (width, height)
            for other in all[at + 1 :]:
                apart = other[0] >= right or other[1] >= bottom - 1 or top >= other[3] - 1
                assert apart, (width, height)


def test_what_is_said_is_seen_on_the_screen(visit: Visit) -> None:
    tv, table = screen(visit, "fan-tan", 3, pace="slow")
    ann, bo = phones(visit, table, ["Ann", "Bo"])
    tell(bo, "net.send({ type: 'say', text: 'good evening' })")
    expect(tv.locator(".bubble")).to_contain_text("good evening")
    tell(ann, "net.send({ type: 'react', what: 'clap' })")
    expect(tv.locator(".bubble .sign[data-what=clap]")).to_be_visible()
    assert json.loads(tell(tv, "return JSON.stringify(net.chat.value.map((line) => line.name))")) == [
        "Bo",
        "Ann",
    ]


TURN = """
  u.table.seats = u.table.seats.map((seat) => ({ ...seat, kind: "person" }));
  u.table.waiting = { for: [u.view.actor], what: "act", until: v.left, of: 90000 };
"""


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_time_that_is_left_is_seen_from_across_the_room(visit: Visit, lang: str) -> None:
    """A bar along the line that says whose turn it is, and in the end the seconds, as large as that line."""
    tv, table = screen(visit, "fan-tan", 3, locale=lang, pace="quick")
    (ann,) = phones(visit, table, ["Ann"])
    tell(ann, "net.send({ type: 'fill', level: 'steady' })")
    play(ann, ".held[data-fits=true]")
    tv.locator(".layout .slot").first.wait_for(timeout=30_000)
    tv.wait_for_timeout(2000)  # all is shown by then, and all are told how many watch
    for left in (60_000, 8_000):
        for width, height in SCREENS:
            resize(tv, width, height)
            stage(tv, "u.view.actor = 0; u.view.phase = 'play';" + TURN, left=left)
            expect(tv.locator(".remaining i")).to_be_visible()
            line, bar = (tv.locator(one).bounding_box() for one in (".now", ".remaining i"))
            assert line and bar and bar["height"] >= min(width, height) / 250
            assert bar["y"] + bar["height"] <= line["y"] + line["height"] + 1
            assert tv.locator(".remaining b").count() == int(left < 10_000)
            if left < 10_000:
                seconds = tv.locator(".remaining b").bounding_box()
                assert seconds and seconds["height"] >= min(width, height) / 20
                assert seconds["y"] >= line["y"] - 1
                assert seconds["y"] + seconds["height"] <= line["y"] + line["height"] + 1
            assert sideways(tv) <= 0


def test_phones_keep_step_with_the_screen(visit: Visit) -> None:
    """Whatever pace one of them has chosen, none asks for the cut while the screen still shows the draw."""
    tv, table = screen(visit, "fan-tan", 3, pace="normal")
    ann, bo, cy = phones(visit, table, ["Ann", "Bo", "Cy"])
    keep(bo, pace="once")
    keep(cy, pace="quick")
    ann.get_by_role("button", name="Start").click()
    tv.locator(".draw").wait_for()
    expect(bo.locator(".prompt .skip")).to_have_count(0)
    for _ in range(200):
        ahead = [page for page in (ann, bo, cy) if page.locator(".cut .btn").count()]
        drawing = tv.locator(".draw").count()
        assert not (ahead and drawing)
        assert not (drawing and tv.locator(".clock, .remaining").count())
        if ahead:
            break
        tv.wait_for_timeout(50)
    assert ahead


# A deal that cost everybody something of every kind, with long names and as many cards left as may be.
SETTLED = """
  const names = ["Maximiliane-Antoin 2", "Bartholomäus der III", "Wilhelmina-Joseph 12", "Bo", "Cy"];
  const seats = u.table.seats;
  seats.forEach((seat, at) => (seat.name = names[at]));
  const pack = [..."SHDC"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit));
  const hold = Math.floor(51 / seats.length);
  u.view.stacks = seats.map(() => 234);
  u.view.shown = seats.map((_, at) => (at ? pack.slice(at * hold, (at + 1) * hold) : []));
  const paid = (clause, payer, payee, chips) => ({ kind: "paid", clause, payer, payee, chips, say: "." });
  u.log = [
    { kind: "shuffled", say: "." },
    ...seats.flatMap((_, at) => [
      paid("T4", at, "pool", 1), paid("T9", at, "pool", 12),
      paid("T11", at, "pool", 3), paid("T14", at, 0, 17),
    ]),
    paid("T14", "pool", 0, 64),
    { kind: "deal_won", seat: 0, say: v.won },
  ];
"""
WON = {
    "en": "Maximiliane-Antoin 2 has no card left and takes the pool of 64 chips.",
    "fr": "Maximiliane-Antoin 2 n'a plus de cartes et ramasse les 64 jetons de la cagnotte.",
}
# What of an account is not wholly to be seen, lies over another part of it, or ends without its number.
UNSEEN = """() => {
  const box = (one) => one.getBoundingClientRect();
  const board = box(document.querySelector(".board"));
  const meet = (a, b) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const all = ".sheet h2, .sheet h3, .sheet table, .sheet dt, .smalls, .places-won";
  const parts = [...document.querySelectorAll(all)];
  const found = [];
  parts.forEach((one, i) => {
    const a = box(one);
    if (a.top < board.top - 1 || a.bottom > board.bottom + 1 || a.right > board.right + 1)
      found.push(one.className || one.tagName);
    for (const other of parts.slice(i + 1))
      if (meet(a, box(other))) found.push(`${one.tagName} over ${other.tagName}`);
  });
  for (const one of document.querySelectorAll(".cut-name > span:last-child:not(:first-child)"))
    if (box(one).right > box(one.parentNode.parentNode).right + 1) found.push(one.parentNode.textContent);
  return found;
}"""


@pytest.mark.slow
@pytest.mark.parametrize(("players", "lang"), [(3, "fr"), (4, "en"), (5, "fr")])
def test_an_account_is_whole_on_a_television(visit: Visit, players: int, lang: str) -> None:
    """Nobody can scroll it: names of 20 letters, every kind of payment, hands of all sizes."""
    game = "play-or-pay" if players == 5 else "fan-tan"
    tv, table = screen(visit, game, players, rules={"deals": 2}, locale=lang)
    (ann,) = phones(visit, table, ["Ann"])
    tell(ann, "net.send({ type: 'fill', level: 'steady' })")
    for until, there in ((".prompt .go", ".settlement"), (".prompt .again", ".ending")):
        play(ann, until)
        tv.locator(there).wait_for(timeout=100_000)
        stage(tv, SETTLED, won=WON[lang])
        for width, height in [*SCREENS[:4], (1024, 768)]:
            resize(tv, width, height)
            assert tv.evaluate(UNSEEN) == [], (there, width, height)
            assert tv.locator(".board").evaluate("one => one.scrollHeight - one.clientHeight") <= 1


# What lies over another part of the screen, sticks out of the part it is in, or out of the screen sideways.
PARTS = """() => {
  const found = [];
  const box = (one) => one.getBoundingClientRect();
  const parts = [".screen > header > *", ".play > *"].flatMap((all) => [...document.querySelectorAll(all)])
    .filter((one) => box(one).width);
  parts.forEach((one, i) => parts.slice(i + 1).forEach((other) => {
    const [a, b] = [box(one), box(other)];
    if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
      found.push(`${one.className} over ${other.className}`);
  }));
  const inside = ".board :is(.slot, .place, .fear, .fear p, td, .places-won li)";
  for (const one of document.querySelectorAll(inside)) {
    if (one.getAnimations().length) continue; // a card on its way
    const [a, b] = [box(one), box(one.closest(".sheet, .board"))];
    if (a.left < b.left - 1 || a.right > b.right + 1 || a.top < b.top - 1 || a.bottom > b.bottom + 1)
      found.push(`${one.className || one.tagName} ${one.textContent.slice(0, 20)} sticks out`);
    if (a.width < 15 || a.height < 12) found.push(`${one.className} is too small`);
  }
  return found;
}"""


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(("game", "players"), [("fan-tan", 4), ("fear", 12)])
def test_a_screen_is_whole_also_on_a_phone(visit: Visit, game: str, players: int, lang: str) -> None:
    """There it scrolls; a card, a count of chips and an account are neither cut nor covered anywhere."""
    rules = {"stake": 1} if game == "fear" else {"deals": 1}
    tv, table = screen(visit, game, players, rules=rules, locale=lang, pace="quick")
    (ann,) = phones(visit, table, ["Ann"])
    tell(ann, "net.send({ type: 'fill', level: 'steady' })")
    play(ann)

    def look() -> None:
        tv.wait_for_timeout(700)
        for width, height in [(320, 568), (390, 664), (844, 390), (568, 320), *SCREENS[1:]]:
            resize(tv, width, height)
            assert sideways(tv) <= 0, (width, height)
            assert tv.evaluate(PARTS) == [], (width, height)

    tv.locator(".place[data-up=true] >> nth=2" if game == "fear" else ".layout .card").first.wait_for(
        timeout=30_000
    )
    look()
    tell(ann, "net.send({ type: 'pace', value: 'once' })")
    tv.locator(".ending").wait_for(timeout=100_000)
    look()
