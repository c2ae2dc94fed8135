"""Pictures of every page and state of the table, for docs/pictures and for looking at them.

    .venv/bin/python -m tools.pictures                     # docs/pictures: phone and desktop, each state
    .venv/bin/python -m tools.pictures ../pictures --all   # every width, light and dark, English and French
    .venv/bin/python -m tools.pictures ../pictures fear    # only the states whose names contain a word

A state is reached once, in a browser of its own; then the window is given each size and colour.
"""

import argparse
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page, sync_playwright

from tools.environment import ROOT
from tools.served import served

SIZES: Final = {320: 568, 390: 844, 768: 1024, 1440: 900, 1920: 1080}
FLAGS: Final = ["--no-first-run", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
CHOSEN: Final = [(390, "light", "en"), (1440, "dark", "fr")]  # those kept in docs
ALL: Final = [(w, scheme, lang) for lang in ("en", "fr") for scheme in ("light", "dark") for w in SIZES]

OPEN: Final = """
async (wanted) => {
  const body = JSON.stringify({ name: "Ann", lang: "en", ...wanted });
  const post = { method: "POST", headers: { "content-type": "application/json" }, body };
  const made = await (await fetch("/api/tables", post)).json();
  const keep = await import(document.querySelector("[src$='main.js']").src.replace("main.js", "keep.js"));
  if (made.seats?.length > 1) keep.holdSeats(made.table, made.seats, wanted.game);
  else if (made.token) keep.holdSeat(made.table, made.token, wanted.game);
  return made.table;
}"""
SET: Final = """
async (changes) => {
  const keep = await import(document.querySelector("[src$='main.js']").src.replace("main.js", "keep.js"));
  keep.set(changes);
}"""
SEND: Final = """
async (message) => {
  const net = await import(document.querySelector("[src$='main.js']").src.replace("main.js", "net.js"));
  return net.send(message);
}"""
# Presses what there is to press until something has been there for a while; whether it came in so many ms.
PLAY: Final = """
([until, nth, text, within]) => new Promise((done) => {
  const ways = ["main .btn.primary", ".named", ".held[data-fits=true]", ".place[data-up=false]",
    ".prompt .btn.pass", ".prompt .btn:not(.ask)"].map((way) => `${way}:not([aria-disabled=true])`);
  const late = performance.now() + within;
  let since = 0;
  const look = () => {
    const now = performance.now();
    const all = [...document.querySelectorAll(until)].filter((one) => one.textContent.includes(text));
    const there = all.length > nth;
    since = there ? since || now : 0;
    if ((there && now - since > 600) || now > late) return done(there);
    const found = there ? undefined : ways.map((way) => document.querySelector(way))
      .find((one) => one?.checkVisibility());
    found?.click();
    setTimeout(look, found ? 100 : 25);
  };
  look();
})"""

# What fades in or out has its colours only at the end; what goes round without an end is not waited for.
SETTLED: Final = """
  Promise.all(document.getAnimations()
    .filter((one) => one.effect?.getComputedTiming().endTime < 5000)
    .map((one) => one.finished.catch(() => {})))"""

STAGE: Final = """
async () => {
  const net = await import(document.querySelector("[src$='main.js']").src.replace("main.js", "net.js"));
  let u;
  const change = () => {
    if (net.update.value === u) return;
    u = { ...structuredClone(net.update.value), events: [] };
    CHANGE;
    net.update.value = u;
  };
  change();
  setInterval(change, 100);
}"""


class Visitor:
    """Somebody at a browser, who can be brought to any state of the table.

    `pace` is that of the tables where a state asks for no other, `options` are those of the windows.
    """

    def __init__(self, browser: Browser, url: str, pace: str = "quick", **options: Any) -> None:
        self.browser = browser
        self.url = url
        self.pace = pace
        self.options = options
        self.page = self.visit("/")

    def visit(self, path: str) -> Page:
        """A page in a browser of its own."""
        context = self.browser.new_context(
            base_url=self.url, viewport={"width": 390, "height": 844}, locale="en", **self.options
        )
        page = context.new_page()
        page.goto(path)
        page.locator("h1[tabindex], main").first.wait_for()
        return page

    def open(self, game: str, players: int, path: str = "t/{}", **wanted: Any) -> str:
        """Open a table and sit down at it; its id."""
        usual = {"seats": ["person", *["steady"] * (players - 1)], "pace": self.pace}
        chosen = {"game": game, "players": players, **usual, **wanted}
        if chosen["pace"] == "once":
            self.page.evaluate(SET, {"pace": "once"})
        table: str = self.page.evaluate(OPEN, chosen)
        self.page.goto("/" + path.format(table))
        self.page.locator("main").first.wait_for()
        return table

    def stage(self, change: str) -> None:
        """Show the page what it might be sent: each update `u`, changed."""
        self.page.evaluate(STAGE.replace("CHANGE", change))

    def play(self, until: str, seconds: float = 120, nth: int = 0, text: str = "") -> None:
        """Play on, whatever it is, until that is to be seen: so many before it, and with this text in it."""
        if not self.page.evaluate(PLAY, [until, nth, text, 1000 * seconds]):
            raise AssertionError(f"{until} was not to be seen")


State = Callable[[Visitor], Page | None]
STATES: dict[str, State] = {}


def state(reach: State) -> State:
    """A state and how it is reached; its name is that of the function."""
    STATES[reach.__name__.replace("_", "-")] = reach
    return reach


MINE: Final = ".prompt[data-mine=true], .hand .held[data-fits=true]"
TURN: Final = ".place:not([aria-disabled=true])"


def amid(one: Visitor, game: str, players: int, cards: int, until: str = MINE, **wanted: Any) -> str:
    """In a game of which more than so many cards lie, once it is this person's turn; the id of its table."""
    table = one.open(game, players, **wanted)
    one.play(".layout [data-spot], .place[data-up=true]", nth=cards)
    one.play(until)
    return table


@state
def home(one: Visitor) -> None:
    """What a newcomer sees."""


@state
def choice(one: Visitor) -> None:
    one.page.goto("/?game=fan-tan")
    one.page.locator("form").first.wait_for()


@state
def choice_fear(one: Visitor) -> None:
    one.page.goto("/?game=fear")
    one.page.locator("form").first.wait_for()


@state
def choice_house(one: Visitor) -> None:
    choice(one)
    one.page.locator("form summary").click()


@state
def join(one: Visitor) -> None:
    one.page.goto("/join")


@state
def join_unknown(one: Visitor) -> None:
    one.page.goto("/join?code=zzzzzz")
    one.page.locator(".failed:not(:empty)").wait_for()


@state
def settings(one: Visitor) -> None:
    one.page.get_by_role("button", name="Settings").click()


@state
def rules(one: Visitor) -> None:
    one.open("earl-of-coventry", 4, seats=["person", "open", "open", "open"], rules={"passing": "fined"})
    one.page.get_by_role("button", name="Rules").first.click()
    one.page.wait_for_timeout(500)


@state
def lobby(one: Visitor) -> None:
    table = one.open("fan-tan", 5, seats=["person", *["open"] * 4])
    other = one.visit(f"/t/{table}")
    other.get_by_role("button", name="Sit", exact=False).first.click()
    one.page.wait_for_timeout(500)


@state
def lobby_guest(one: Visitor) -> Page:
    table = one.open("fear", 6, seats=["person", *["open"] * 5])
    return one.visit(f"/t/{table}")


@state
def host(one: Visitor) -> None:
    one.open("fan-tan", 4, pace="slow")
    one.page.wait_for_timeout(500)
    one.page.get_by_role("button", name="Table", exact=False).first.click()


@state
def gone(one: Visitor) -> None:
    one.page.goto("/t/zzzzzzzzzz")
    one.page.wait_for_timeout(500)


@state
def draw(one: Visitor) -> None:
    one.open("fan-tan", 4, pace="slow")
    one.page.locator(".draw").wait_for()
    one.page.wait_for_timeout(1200)


@state
def cut(one: Visitor) -> None:
    one.open("fan-tan", 4)
    one.play(".prompt input[type=range], input[type=range]")


@state
def play(one: Visitor) -> None:
    amid(one, "fan-tan", 4, 14)


@state
def play_five(one: Visitor) -> None:
    amid(one, "five-or-nine", 5, 20, rules={"passing": "fined"})


@state
def hint(one: Visitor) -> None:
    amid(one, "fan-tan", 3, 10)
    one.page.locator(".ask").click()
    one.page.wait_for_timeout(500)


@state
def pause(one: Visitor) -> None:
    play(one)
    one.page.evaluate(SEND, {"type": "pause", "on": True})
    one.page.wait_for_timeout(500)


@state
def play_away(one: Visitor) -> None:
    """One is away, a stand-in plays for another, and oneself let a turn go by."""
    play(one)
    one.stage("""
        Object.assign(u.table.seats[1], { kind: "person", here: false });
        Object.assign(u.table.seats[2], { kind: "person", here: false, stand_in: true });
        u.table.seats[0].stand_in = true;
    """)


@state
def lobby_lost(one: Visitor) -> None:
    """The line to the server is lost."""
    lobby(one)
    one.stage("net.status.value = 'lost'")
    one.page.locator(".note.lost").wait_for()
    one.page.evaluate(SETTLED)


@state
def play_keys(one: Visitor) -> None:
    play(one)
    one.page.keyboard.press("?")
    one.page.locator("dialog[open]").wait_for()


@state
def play_large(one: Visitor) -> None:
    """Large figures in four colours."""
    play(one)
    one.page.evaluate(SET, {"fourColours": True, "large": True})


@state
def pass_doubted(one: Visitor) -> None:
    amid(one, "fan-tan", 4, 6, ".prompt[data-mine=true]:has(.pass:not(.primary))", rules={"passing": "fined"})
    one.page.locator(".prompt .pass").click()
    one.page.wait_for_timeout(500)


@state
def pass_soon(one: Visitor) -> None:
    """The page is about to pass for its person, and may be stopped."""
    one.open("fan-tan", 4)
    one.play(".prompt .pass.primary")
    one.page.evaluate("Math.random = () => 1000")  # it takes its time
    one.page.evaluate(SET, {"autoPass": True})
    one.page.locator(".prompt .stop").wait_for()


@state
def chat(one: Visitor) -> None:
    play(one)
    one.page.evaluate(SEND, {"type": "say", "text": "Good luck, everybody."})
    one.page.evaluate(SEND, {"type": "react", "what": "clap"})
    one.page.wait_for_timeout(300)
    one.page.get_by_role("button", name="Chat", exact=False).first.click()
    one.page.wait_for_timeout(500)


@state
def bonus(one: Visitor) -> None:
    one.open("earl-of-coventry", 3, pace="once", rules={"deals": 9})
    one.page.evaluate(SET, {"pace": "once"})
    one.play(".prompt .btn", 240, text="Decline")


@state
def new_suit(one: Visitor) -> None:
    one.open("play-or-pay", 3, pace="once", rules={"deals": 9})
    one.page.evaluate(SET, {"pace": "once"})
    one.play(".prompt", 240, text="Suit complete")


@state
def settlement(one: Visitor) -> None:
    one.open("fan-tan", 4, rules={"deals": 4})
    one.page.evaluate(SET, {"pace": "once"})
    one.play(".settlement")
    one.page.evaluate(SEND, {"type": "pace", "value": "slow"})  # more time until the next deal


@state
def ending(one: Visitor) -> None:
    one.open("five-or-nine", 4, pace="once", rules={"deals": 1})
    one.page.evaluate(SET, {"pace": "once"})
    one.play(".ending")


@state
def fear_name(one: Visitor) -> None:
    one.open("fear", 6)
    one.play(".naming")


@state
def fear_turn(one: Visitor) -> None:
    amid(one, "fear", 7, 15, TURN)


@state
def fear_out(one: Visitor) -> None:
    one.open("fear", 12, rules={"stake": 1})
    one.play(".seat[data-absent=out]", 240, nth=2)


@state
def fear_end(one: Visitor) -> None:
    one.open("fear", 5, pace="once", rules={"stake": 1})
    one.page.evaluate(SET, {"pace": "once"})
    one.play(".ending", 240)


@state
def fear_chances(one: Visitor) -> None:
    one.page.evaluate(SET, {"chances": True})
    amid(one, "fear", 7, 15, TURN)


@state
def odds(one: Visitor) -> None:
    one.page.goto("/odds?players=5&stake=2")
    one.page.locator(".planner table").wait_for()


@state
def onlooker(one: Visitor) -> Page:
    table = amid(one, "fan-tan", 4, 12)
    page = one.visit(f"/t/{table}")
    page.wait_for_timeout(800)
    return page


@state
def passed(one: Visitor) -> None:
    one.open("fan-tan", 4, seats=["person", "person", "person", "steady"], names=["Ann", "Bo", "Cy"], clock=0)
    one.page.wait_for_timeout(3000)
    one.play(".cover, .passed", 60)


@state
def screen_lobby(one: Visitor) -> None:
    table = one.open("fear", 8, "t/{}/screen", seats=["open"] * 8)
    for _ in range(3):
        one.visit(f"/t/{table}").get_by_role("button", name="Sit", exact=False).first.click()
    one.page.wait_for_timeout(800)


@state
def screen_play(one: Visitor) -> Page:
    table = amid(one, "fan-tan", 5, 14)
    return one.visit(f"/t/{table}/screen")


@state
def screen_fear(one: Visitor) -> Page:
    table = amid(one, "fear", 12, 12, TURN)
    return one.visit(f"/t/{table}/screen")


@state
def replay(one: Visitor) -> None:
    table = one.open("fan-tan", 4, pace="once", rules={"deals": 1})
    one.page.evaluate(SET, {"pace": "once"})
    one.play(".ending")
    one.page.goto(f"/t/{table}/replay?deal=1&step=30")
    one.page.wait_for_timeout(1500)


@state
def replay_fear(one: Visitor) -> None:
    table = one.open("fear", 7, pace="once", rules={"stake": 2})
    one.page.evaluate(SET, {"pace": "once"})
    one.play(".ending", 240)
    one.page.goto(f"/t/{table}/replay?deal=2&step=20")
    one.page.wait_for_timeout(1500)


@state
def replay_shuffle(one: Visitor) -> None:
    replay(one)
    one.page.get_by_role("button", name="Check the shuffle").click()
    one.page.locator(".fair summary").first.click()
    one.page.wait_for_timeout(500)


@state
def replay_share(one: Visitor) -> None:
    replay(one)
    one.page.get_by_role("button", name="Share").click()
    one.page.wait_for_timeout(500)


@state
def screen_settled(one: Visitor) -> Page:
    table = one.open("fan-tan", 4, pace="once", rules={"deals": 2})
    screen = one.visit(f"/t/{table}/screen")
    one.page.evaluate(SET, {"pace": "once"})
    one.play(".settlement")
    one.page.evaluate(SEND, {"type": "pace", "value": "slow"})  # more time until the next deal
    return screen


@state
def screen_fear_end(one: Visitor) -> Page:
    table = one.open("fear", 7, pace="once", rules={"stake": 1})
    screen = one.visit(f"/t/{table}/screen")
    one.page.evaluate(SET, {"pace": "once"})
    one.play(".ending", 240)
    return screen


@state
def mine_empty(one: Visitor) -> None:
    one.page.goto("/mine")
    one.page.wait_for_timeout(400)


@state
def mine(one: Visitor) -> None:
    one.open("fan-tan", 4, pace="once", rules={"deals": 5})
    one.page.evaluate(SET, {"pace": "once"})
    one.play(".ending", 240)
    one.page.wait_for_timeout(1500)
    one.page.goto("/mine")
    one.page.wait_for_timeout(1500)


@state
def mine_forget(one: Visitor) -> None:
    one.open("fan-tan", 3, pace="once", rules={"deals": 1})
    one.page.evaluate(SET, {"pace": "once"})
    one.play(".ending", 240)
    one.page.wait_for_timeout(1500)
    one.page.goto("/mine")
    one.page.get_by_role("button", name="Forget", exact=False).first.click()
    one.page.locator("dialog[open]").wait_for()


def main(arguments: Sequence[str]) -> int:
    """Take the pictures; 1 when a state could not be reached."""
    parser = argparse.ArgumentParser(prog="pictures", description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "docs/pictures")
    parser.add_argument("only", nargs="*", help="words; only states whose names contain one")
    parser.add_argument("--all", action="store_true", help="every width, light and dark, both languages")
    chosen = parser.parse_args(arguments)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    wanted = {n: f for n, f in STATES.items() if not chosen.only or any(word in n for word in chosen.only)}
    failed = []
    with served() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for name, reach in wanted.items():
            begun = time.monotonic()
            visitor = Visitor(browser, url)
            try:
                _shoot(reach(visitor) or visitor.page, chosen.folder, name, ALL if chosen.all else CHOSEN)
            except Exception as error:
                failed.append(name)
                visitor.page.screenshot(path=chosen.folder / f"{name}-failed.png")
                print(f"{name}: {str(error).splitlines()[0]}", file=sys.stderr)
            for context in list(browser.contexts):
                context.close()
            print(f"{name} {time.monotonic() - begun:.1f} s", flush=True)
        browser.close()
    return 1 if failed else 0


def _shoot(page: Page, folder: Path, name: str, kinds: Sequence[tuple[int, str, str]]) -> None:
    said = ""
    for width, scheme, lang in kinds:
        page.set_viewport_size({"width": width, "height": SIZES[width]})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        if lang != said:
            page.evaluate(SET, {"lang": lang})
            page.wait_for_timeout(700)
            said = lang
        page.wait_for_timeout(250)
        page.screenshot(path=folder / f"{name}-{width}-{scheme}-{lang}.jpg", quality=82)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
