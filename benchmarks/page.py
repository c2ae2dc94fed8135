"""How much the page weighs and how soon it stands: `python -m benchmarks.page`.

Bytes as they come over the wire (compressed, with headers) from an empty cache until the cards of a first
table are in view; requests to elsewhere; and how long home and table take on a phone with a slow line.
"""

import argparse
import contextlib
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, sync_playwright
from tools.served import served

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 3,
    "is_mobile": True,
    "has_touch": True,
}
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}


@dataclass
class Visit:
    """What one visit took."""

    sizes: dict[str, int] = field(default_factory=dict)  # bytes by address
    elsewhere: list[str] = field(default_factory=list)
    home: float = 0.0  # seconds until home stood
    table: float = 0.0  # seconds from the click until cards were in view

    @property
    def bytes(self) -> int:
        return sum(self.sizes.values())

    def by_kind(self) -> dict[str, tuple[int, int]]:
        """How many requests of each kind, and their bytes."""
        kinds: dict[str, tuple[int, int]] = {}
        for address, size in self.sizes.items():
            path = urlsplit(address).path
            kind = Path(path).suffix or ("api" if "/api/" in path else "page")
            count, bytes = kinds.get(kind, (0, 0))
            kinds[kind] = count + 1, bytes + size
        return kinds


def visit(browser: Browser, url: str, game: str = "fan-tan", slow: bool = False) -> Visit:
    """From an empty cache to the first view of a table against bots."""
    context = browser.new_context(**PHONE)
    page = context.new_page()
    line = context.new_cdp_session(page)
    seen = Visit()
    asked: dict[str, str] = {}
    line.send("Network.enable")
    if slow:
        line.send("Network.emulateNetworkConditions", SLOW)
        line.send("Emulation.setCPUThrottlingRate", {"rate": 4})

    def sent(event: dict[str, Any]) -> None:
        address = asked[event["requestId"]] = event["request"]["url"]
        if address.startswith("http") and not address.startswith(url):
            seen.elsewhere.append(address)

    def finished(event: dict[str, Any]) -> None:
        address = asked.get(event["requestId"], "")
        if address.startswith("http"):
            seen.sizes[address] = int(event["encodedDataLength"])

    line.on("Network.requestWillBeSent", sent)
    line.on("Network.loadingFinished", finished)
    began = time.perf_counter()
    page.goto(url)
    page.locator(".tiles").wait_for()
    seen.home = time.perf_counter() - began
    page.locator(f'.tiles a[href$="game={game}"]').click()
    began = time.perf_counter()
    page.locator("form .btn.primary").click()
    page.locator(".table").wait_for()
    seen.table = time.perf_counter() - began
    page.wait_for_timeout(1500)
    context.close()
    return seen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", help="a server that runs already")
    parser.add_argument("--each", action="store_true", help="name every file")
    asked = parser.parse_args()
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    with contextlib.nullcontext(asked.url) if asked.url else served() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        light, slow = visit(browser, url), visit(browser, url, slow=True)
        browser.close()
    print(f"until the first table: {light.bytes / 1000:.1f} kB in {len(light.sizes)} requests")
    for kind, (count, size) in sorted(light.by_kind().items(), key=lambda one: -one[1][1]):
        print(f"  {kind:12} {count:3} requests {size / 1000:8.1f} kB")
    if asked.each:
        for address, size in sorted(light.sizes.items(), key=lambda one: -one[1]):
            print(f"  {size:7} {urlsplit(address).path}")
    print(f"to elsewhere: {len(light.elsewhere)} requests {light.elsewhere}")
    print(f"home stands after {light.home:.2f} s, a table {light.table:.2f} s after the click")
    line = "150 ms, 1.6 Mbit/s, a quarter of the speed"
    print(f"on a phone with a slow line ({line}): {slow.home:.2f} s, {slow.table:.2f} s")


if __name__ == "__main__":
    main()
