"""What tests share: a browser, a server of their own, and no skipped test where CI=true."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect, sync_playwright

from cagnotte import cli

ROOT = Path(__file__).resolve().parent.parent
CI = os.environ.get("CI") == "true"
TOGETHER = 20  # tests that share a server

# A busy machine is no fault of the program: no deadline for an example.
settings.register_profile(
    "cagnotte", deadline=None, derandomize=CI, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("cagnotte")
expect.set_options(timeout=20_000)


def tracked() -> list[str]:
    """The files that git keeps or would keep; all files where this is no checkout."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    git = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True)
    found = git.stdout.split("\0") if git.returncode == 0 else ROOT.rglob("[!.]*")
    return [str(name) for name in found if name and (ROOT / name).is_file()]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
    # What takes long comes first, or at the end one process would have it while the others have nothing.
    items.sort(key=lambda item: [item.get_closest_marker(name) is None for name in ("browser", "slow")])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if CI and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome, report.longrepr = "failed", f"skipped, where CI=true forbids it: {report.longrepr}"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if CI and report.skipped:
        report.outcome, report.longrepr = "failed", f"skipped, where CI=true forbids it: {report.longrepr}"
    return report


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--browser", default="chromium", choices=["chromium", "firefox", "webkit"])
    parser.addoption("--width", default=390, type=int, choices=[320, 390, 768, 1440, 1920])


# One for each module: a running Playwright holds the thread's event loop, which tests elsewhere need.
@pytest.fixture(scope="module")
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """A headless browser of the kind that `--browser` names; where there is none, a skip."""
    kind = request.config.getoption("browser")
    with sync_playwright() as playwright:
        for way in _chromiums() if kind == "chromium" else _others(kind):
            with suppress(Error) if way.get("executable_path") is None else nullcontext():
                browser = getattr(playwright, kind).launch(**way)
                break
        else:
            how = (
                "apt-get install chromium, or name one in CHROMIUM"
                if kind == "chromium"
                else f"playwright install {kind}"
            )
            pytest.skip(f"there is no {kind}: {how}")
        yield browser
        browser.close()


# Of two such lists Chromium takes the last, so here is also what Playwright names. For the first two it would
# load pages of its own into each window, besides ours, and compute for half a second.
_OFF = """
    WebUIOmniboxPopup WebUIOmniboxAimPopup AimEnabled AvoidUnnecessaryBeforeUnloadCheckSync
    DestroyProfileOnBrowserClose HttpsFirstBalancedModeAutoEnable HttpsUpgrades LensOverlay MediaRouter
    NetworkTimeServiceQuerying OptimizationHints PaintHolding PreconnectToSearch ThirdPartyStoragePartitioning
"""


def _chromiums() -> list[dict[str, Any]]:
    """The one that `CHROMIUM` names, or the machine's; else Playwright's, Chrome or Edge."""
    names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    quiet = ["gpu", "quic", "background-networking", "component-update", "sync"]
    off = f"--disable-features={','.join(_OFF.split())}"
    flags = ["--no-first-run", *(f"--disable-{flag}" for flag in quiet), off]
    if program:
        return [{"executable_path": program, "args": flags}]
    return [{"channel": channel, "args": flags} for channel in (None, "chrome", "msedge")]


def _others(kind: str) -> list[dict[str, Any]]:
    """Playwright's; or the Firefox that `FIREFOX` names, which has to be as new as Playwright."""
    if kind == "firefox" and (program := os.environ.get("FIREFOX")):
        return [{"executable_path": program, "channel": "moz-firefox"}]
    return [{}]


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core, for a page to run."""
    script = ROOT / "tools/node_modules/axe-core/axe.min.js"
    if not script.exists():
        pytest.skip("axe-core is not installed: ./test does it")
    return script.read_text("utf-8")


@pytest.fixture
def anyio_backend() -> str:
    """Tests that are coroutines run in asyncio, as the server does."""
    return "asyncio"


class Done(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> list[Any]:
        """The value of each line."""
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Done]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """`run(*arguments)` runs a command in this process, in a folder of its own.

    One that fails says so in one line, or in as many as `complaints`.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    def run(*arguments: str, stdin: bytes = b"", complaints: int = 1) -> Done:
        bytes_of = {"stdin": io.BytesIO(stdin), "stdout": io.BytesIO(), "stderr": io.BytesIO()}
        with monkeypatch.context() as patch:
            for name, stream in bytes_of.items():
                patch.setattr(sys, name, io.TextIOWrapper(stream, encoding="ascii"))
            try:
                code = cli.main(arguments)
            except SystemExit as exit:
                assert isinstance(exit.code, int)
                code = exit.code
            sys.stdout.flush()
            sys.stderr.flush()
            out, err = (bytes_of[name].getvalue().decode() for name in ("stdout", "stderr"))
            assert code not in (1, 2) or err.count("\n") == complaints, err
            return Done(code, out, err)

    return run


@dataclass
class Served:
    """A running `cagnotte serve`: its address (no slash at its end), its database, what it said on stderr."""

    url: str
    database: Path
    log: Path
    process: subprocess.Popen[bytes]
    read: int = 0

    def news(self) -> str:
        """What it said on stderr since this was asked before."""
        said = self.log.read_text("utf-8")
        self.read, news = len(said), said[self.read :]
        return news

    def stop(self) -> int:
        """Stop it as a system does, and give its exit code."""
        self.process.terminate()
        return self.process.wait(10)

    def kill(self) -> None:
        """Stop it as a power cut does."""
        self.process.kill()
        self.process.wait(10)


@contextmanager
def _servers(place: Path) -> Iterator[Callable[..., Served]]:
    started: list[Served] = []
    database = place / "tables.db"
    ours = [str(Path(sys.executable).with_name("cagnotte")), "serve"]
    fixed = ["--host", "127.0.0.1", "--port", "0", "--no-browser", "--database", str(database)]

    def start(*arguments: str, command: Sequence[str] = ours, folder: Path | None = None) -> Served:
        out, log = (place / f"serve-{len(started)}.{name}" for name in ("out", "log"))
        with out.open("wb") as stdout, log.open("wb") as stderr:
            process = subprocess.Popen(
                [*command, *fixed, *arguments], cwd=folder, stdout=stdout, stderr=stderr
            )
        started.append(Served(_address(process, out, log), database, log, process))
        return started[-1]

    try:
        yield start
    finally:
        for served in started:
            if served.process.poll() is None:
                served.stop()
            assert "Traceback" not in served.news()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """`serve(*arguments)` starts a `cagnotte serve` on a free port; all those of a test have one database.

    `command` and `folder` are for a program and a working folder that are not ours.
    """
    with _servers(tmp_path) as start:
        yield start


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Iterator[Served]]:
    """The server of each next test of a module: a few have one, and then there is another.

    So nobody is refused what one address may have at once (`server/limits.py`).
    """

    def servers() -> Generator[Served, None, None]:
        while True:
            with _servers(tmp_path_factory.mktemp("served")) as start:
                yield from repeat(start(), TOGETHER)

    with closing(servers()) as each:
        yield each


def beforehand(script: str) -> str:
    """A script that is run before our pages; an empty one may come first, which may keep nothing."""
    return f"try {{ {script} }} catch (error) {{ if (error.name !== 'SecurityError') throw error; }}"


class Visit:
    """`visit(path)` opens a page of our server in a browser of its own, of `width` unless another is given.

    A page that complains of anything in its console fails the test, unless `forgive` (a pattern) allows it.
    """

    def __init__(self, browser: Browser, url: str, width: int = 390) -> None:
        self.browser = browser
        self.url = url
        self.width = width
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def __call__(
        self, path: str = "/", width: int = 0, script: str = "", forgive: str = "$.", **options: Any
    ) -> Page:
        width = width or self.width
        height = {320: 568, 390: 664, 768: 1024, 1920: 1080}.get(width, 900)
        wanted = {"viewport": {"width": width, "height": height}, "locale": "en", **options}
        self.contexts.append(context := self.browser.new_context(base_url=self.url, **wanted))
        if script:
            context.add_init_script(beforehand(script))

        def complain(text: str) -> None:
            if not re.search(forgive, text):
                self.complaints.append(text)

        page = context.new_page()
        page.on("console", lambda said: complain(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complain(str(error)))
        page.goto(path)
        page.locator("h1[tabindex]").first.wait_for()  # the page's own: the server sends one before it
        return page

    def opened(self, **body: Any) -> dict[str, Any]:
        """A new table, as the server answers."""
        answer = httpx.post(f"{self.url}/api/tables", json=body, trust_env=False, verify=False, timeout=20)
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made


@pytest.fixture
def visit(request: pytest.FixtureRequest, browser: Browser, shared: Iterator[Served]) -> Iterator[Visit]:
    """Pages of a server that is shared with other tests, unless the test is marked `own_server`."""
    alone = request.node.get_closest_marker("own_server")
    served = request.getfixturevalue("serve")() if alone else next(shared)
    yield (visit := Visit(browser, served.url, request.config.getoption("width")))
    for context in visit.contexts:
        context.close()
    assert visit.complaints == []
    assert "Traceback" not in served.news()


def _address(process: subprocess.Popen[bytes], out: Path, log: Path) -> str:
    end = time.monotonic() + 120  # a first ./play installs
    while time.monotonic() < end and process.poll() is None:
        if found := re.search(r"(https?://\S+?)/?\s", out.read_text("utf-8")):
            return found[1]
        time.sleep(0.02)
    process.kill()
    raise AssertionError(f"cagnotte serve gave no address: {out.read_text('utf-8')}{log.read_text('utf-8')}")
