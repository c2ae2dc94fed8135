"""The first run: the environment that ./play and ./test make, and the package that pip installs."""

import ast
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

import pytest
from conftest import ROOT, Served, tracked

from cagnotte.server.pages import plain

# Begins the environment as ./play does, with a pip that says what it was asked and installs nothing.
BEGIN = """
import os, sys, time
from tools import environment
def pip(*what):
    print(environment.STAMP.read_text(), flush=True)
    time.sleep(float(os.environ.get("PAUSE", 0)))
environment._pip = pip
environment.ready("play")
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What the environment is made from, in a folder with a space in its name."""
    root = tmp_path / "our games"
    shutil.copytree(
        ROOT / "tools", root / "tools", ignore=shutil.ignore_patterns("node_modules", "__pycache__")
    )
    shutil.copy(ROOT / "pyproject.toml", root)
    return root


def begin(root: Path, **variables: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", BEGIN],
        cwd=root,
        env=os.environ | variables,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def made(root: Path) -> bool:
    """Whether a start had anything to do."""
    process = begin(root)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert bool(out) == err.startswith("Getting the environment")
    return bool(out)


def test_the_environment_is_made_once(checkout: Path) -> None:
    assert made(checkout)
    assert not made(checkout)
    pip = subprocess.run(
        [checkout / ".venv/bin/python", "-m", "pip", "--version"], capture_output=True, text=True
    )
    assert str(checkout) in pip.stdout


def test_it_is_made_without_ensurepip(checkout: Path) -> None:
    (checkout / "ensurepip.py").write_text("raise ImportError('split off')")
    assert made(checkout)


def test_new_locks_are_installed_into_it(checkout: Path) -> None:
    assert made(checkout)
    kept = checkout / ".venv/kept"
    kept.touch()
    with (checkout / "tools/lock/play.txt").open("a") as lock:
        lock.write("# newer\n")
    assert made(checkout)
    assert kept.exists()


def test_one_that_moved_is_made_anew(checkout: Path) -> None:
    assert made(checkout)
    assert made(checkout.rename(checkout.with_name("moved")))


def test_one_whose_python_is_gone_is_made_anew(checkout: Path) -> None:
    assert made(checkout)
    (checkout / ".venv/bin/python").unlink()
    assert made(checkout)


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT])
def test_one_left_half_made_is_made_anew(checkout: Path, blow: signal.Signals) -> None:
    process = begin(checkout, PAUSE="60")
    assert process.stdout
    assert process.stdout.readline() == "{}\n"
    process.send_signal(blow)
    _, err = process.communicate(timeout=60)
    assert process.returncode != 0
    assert "Traceback" not in err
    half = checkout / ".venv/half"
    half.touch()
    assert made(checkout)
    assert not half.exists()
    assert not made(checkout)


@pytest.mark.slow
def test_of_two_starts_at_once_one_makes_it(checkout: Path) -> None:
    starts = [begin(checkout, PAUSE="0.5") for _ in range(2)]
    outs, errs = zip(*(start.communicate(timeout=60) for start in starts), strict=True)
    assert [start.returncode for start in starts] == [0, 0]
    assert sorted(map(bool, outs)) == [False, True]
    assert "Waiting for another start" in "".join(errs)


def test_one_made_by_hand_is_left_alone(checkout: Path) -> None:
    (checkout / ".venv").mkdir()
    (checkout / ".venv/pyvenv.cfg").write_text("mine")
    _, err = begin(checkout).communicate(timeout=60)
    assert re.fullmatch(r"-c: .* was made by something else. Remove it, and start again.\n", err)
    assert (checkout / ".venv/pyvenv.cfg").read_text() == "mine"


def test_a_place_that_cannot_be_written_gives_one_line(checkout: Path) -> None:
    (checkout / ".venv").write_text("a file")
    process = begin(checkout)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert re.fullmatch(r"-c: cannot make the environment: File exists, .*\.venv\.\n", err)


@pytest.mark.parametrize("script", ["play", "test"])
def test_an_old_python_reads_the_scripts_to_the_line_that_refuses_it(script: str) -> None:
    text = (ROOT / script).read_text("utf-8")
    ast.parse(text, feature_version=(3, 4))
    assert text.index("sys.version_info <") < text.index("from tools")


@pytest.mark.slow
def test_play_opens_the_table_and_is_quick_the_second_time(
    tmp_path: Path, serve: Callable[..., Served]
) -> None:
    root = tmp_path / "our games"
    for path in tracked():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, root / path)
    command = [sys.executable, str(root / "play")]
    for start in ("first", "second"):
        used = spent()
        served = serve(command=command, folder=tmp_path)
        with urlopen(served.url) as page:
            assert page.status == 200
        served.process.send_signal(signal.SIGINT)
        assert served.process.wait(10) == 0
        if start == "second":
            assert spent() - used < 2  # nothing is waited for, so that on an idle machine this is the time


def spent() -> float:
    """Seconds of a processor that the programs started here have used, which no load makes longer."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@pytest.mark.slow
def test_the_wheel_has_all_files_and_serves_them_from_any_folder(
    tmp_path: Path, serve: Callable[..., Served]
) -> None:
    """B205: no module is missing that `pip` does not bring."""
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", tmp_path, folder=ROOT)
    [wheel] = tmp_path.glob("*.whl")
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    kept = {name.removeprefix("src/") for name in tracked() if name.startswith("src/cagnotte/")}
    rules = {f"cagnotte/rules/{path.name}" for path in (ROOT / "docs/rules").iterdir()}
    assert packed == kept | rules

    python = tmp_path / "clean/bin/python"
    pip = sys.executable, "-m", "pip", "--python", python
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "clean")
    run(*pip, "install", "--quiet", "--require-hashes", "--requirement", ROOT / "tools/lock/play.txt")
    run(*pip, "install", "--quiet", "--no-deps", wheel)
    run(*pip, "check")

    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    program = str(python.with_name("cagnotte"))
    assert "F1" in run(program, "rules", "fear", "--lang", "fr", folder=elsewhere)
    record = elsewhere / "one.jsonl"
    record.write_text(run(program, "record", "new", "fan-tan", "--seed", "1", folder=elsewhere), "utf-8")
    assert json.loads(run(program, "record", "check", "--json", record, folder=elsewhere))["ok"]

    served = serve(command=[program, "serve"], folder=elsewhere)
    page = fetch(served.url).decode("utf-8")
    found = re.search(r'"(static/[^/]+)/', page)
    assert found
    static = "cagnotte/server/static/"
    with zipfile.ZipFile(wheel) as archive:
        for name in packed:
            if name.startswith(static) and not name.endswith(".html"):
                path = name.removeprefix(static)
                assert fetch(f"{served.url}/{found[1]}/{path}") == plain(path, archive.read(name))
    for path in ("api/games", "api/locale/fr", "api/rules/fear?lang=fr"):
        assert json.loads(fetch(f"{served.url}/{path}"))


def run(*command: str | Path, folder: Path | None = None) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def fetch(url: str) -> bytes:
    with urlopen(url) as answer:
        body: bytes = answer.read()
    return body
