"""Does the page stay smooth, and small? `python -m benchmarks.smooth [--deals 200]`.

Smooth: how long each picture stands while a deal is dealt and played at the usual pace, with a quarter of
the processor's speed. Small: what the page holds in memory while one plays many deals, as fast as it goes.
"""

import argparse
import shutil
import sys
import time
from collections.abc import Iterator

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright
from tools.pictures import FLAGS, SET, Visitor
from tools.served import served

# Presses what there is to press, in this order; `window.settled` counts the deals that he has gone on from.
PLAYER = """
(every) => {
  const ways = [".prompt .go", ".prompt .again", "main .btn.primary", ".named",
    ".held[data-fits=true]", ".place[data-up=false]", ".prompt .btn.pass", ".skip"];
  window.settled = 0;
  setInterval(() => {
    for (const way of ways) {
      const found = document.querySelector(`${way}:not([aria-disabled=true])`);
      if (!found) continue;
      if (way === ".prompt .go" || way === ".prompt .again") window.settled += 1;
      return found.click();
    }
  }, every);
}"""
# Milliseconds between the pictures of so many seconds.
FRAMES = """
(seconds) => new Promise((done) => {
  const found = [];
  let last = performance.now();
  const end = last + seconds * 1000;
  requestAnimationFrame(function next(now) {
    found.push(now - last);
    last = now;
    now < end ? requestAnimationFrame(next) : done(found);
  });
})"""


def begin(browser: Browser, url: str, game: str, players: int, pace: str) -> tuple[Page, CDPSession]:
    """A table at that pace, on a phone."""
    one = Visitor(browser, url)
    one.page.evaluate(SET, {"pace": pace})
    one.open(game, players, pace=pace, rules={} if game == "fear" else {"deals": 20})
    return one.page, one.page.context.new_cdp_session(one.page)


def frames(browser: Browser, url: str, game: str, players: int, seconds: int) -> list[float]:
    """How long each picture stood, in order of length."""
    page, line = begin(browser, url, game, players, "normal")
    line.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.evaluate(PLAYER, 400)
    found: list[float] = sorted(page.evaluate(FRAMES, seconds))
    page.context.close()
    return found


def held(browser: Browser, url: str, deals: int, every: int) -> Iterator[tuple[int, float, int]]:
    """After so many deals: megabytes of the scripts, and nodes of the page, once what is unused is gone."""
    page, line = begin(browser, url, "fan-tan", 4, "once")
    page.evaluate(PLAYER, 20)
    for wanted in range(every, deals + 1, every):
        page.wait_for_function("(wanted) => window.settled >= wanted", arg=wanted, timeout=600_000)
        line.send("HeapProfiler.collectGarbage")
        used = line.send("Runtime.getHeapUsage")["usedSize"] / 1e6
        yield wanted, used, line.send("Memory.getDOMCounters")["nodes"]
    page.context.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=30)
    asked = parser.parse_args()
    with served() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for game, players in (("fan-tan", 4), ("fear", 12)):
            found = frames(browser, url, game, players, asked.seconds)
            soon, slow = sum(one < 34 for one in found) / len(found), found[len(found) * 99 // 100]
            print(f"{game}: {len(found) / asked.seconds:.0f} pictures a second, {soon:.1%} within 1/30 s")
            print(f"  99 of 100 within {slow:.0f} ms, the longest {found[-1]:.0f} ms")
        begun, seen = time.monotonic(), []
        for wanted, used, nodes in held(browser, url, asked.deals, max(asked.deals // 10, 1)):
            seen.append(used)
            took = time.monotonic() - begun
            print(f"{wanted:4} deals in {took:4.0f} s: {used:5.1f} MB, {nodes:,} nodes", flush=True)
        browser.close()
    return 1 if seen[-1] > 1.5 * seen[0] else 0


if __name__ == "__main__":
    sys.exit(main())
