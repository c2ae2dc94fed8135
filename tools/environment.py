"""The checkout's own virtual environment, `.venv`: `./play` and `./test` make it, mend it and run in it.

It is right when its stamp names the locks, the place and the Python of now. One process at a time works on
it. Its stamp is empty while it is worked on, so that one left half-made is known and made again.
"""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
ENV = ROOT / ".venv"
PYTHON = ENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
LIBRARY = Path(sysconfig.get_path("purelib", "venv", {"base": str(ENV), "platbase": str(ENV)}))
STAMP = ENV / "stamp.json"
LOCK = ENV / "lock"

VENDOR = ROOT / "tools/vendor"
LOCKS = ROOT / "tools/lock"
BASE: str = getattr(sys, "_base_executable", sys.executable)  # not that of a virtual environment


def ready(part: str) -> None:
    """Make sure that the environment holds one part, `play`, `test` or `node`: what its lock file names.

    Costs a few milliseconds when it does. Ends the program with one line on stderr when it cannot.
    """
    if _holds(part):
        return
    with alone():
        if not _holds(part):
            _install(part)


def run(command: Sequence[str | Path], where: Path = ROOT) -> None:
    """Run a step of the making; its own words on stderr and one line of ours say why it failed."""
    # The step inherits the lock: left alone by a start that was killed, it keeps the next one waiting.
    # Ctrl-C is for us, who then end the step.
    step = subprocess.run(command, cwd=where, stdout=sys.stderr, close_fds=False, start_new_session=True)
    if step.returncode:
        sys.exit(f"{_name()}: {ENV} is incomplete, for the reason above. Start again to retry.")


def enter(program: str, arguments: Sequence[str]) -> NoReturn:
    """Become a program of the environment."""
    command = [str(PYTHON.with_name(program)), *arguments]
    if sys.platform == "win32":
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the program, which gets it too
        sys.exit(subprocess.call(command))
    os.execv(command[0], command)


def digest(*files: Path) -> str:
    """One hash for what files hold."""
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


@contextmanager
def alone() -> Iterator[None]:
    """Keep every other process out of the environment, waiting for one that is in it.

    What stops the work done here, a full disk or Ctrl-C, ends the program with one line on stderr.
    """
    try:
        ENV.mkdir(exist_ok=True)
        with LOCK.open("a") as lock:
            os.set_inheritable(lock.fileno(), True)
            if not _take(lock.fileno()):
                print("Waiting for another start, which is making the environment …", file=sys.stderr)
                while not _take(lock.fileno(), wait=True):
                    pass
            yield
    except OSError as error:
        sys.exit(f"{_name()}: cannot make the environment: {error.strerror}, {error.filename}.")
    except KeyboardInterrupt:
        sys.exit(f"\n{_name()}: stopped. Start again to go on.")


if sys.platform == "win32":
    import msvcrt

    def _take(lock: int, wait: bool = False) -> bool:
        try:
            msvcrt.locking(lock, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        except OSError:  # LK_LOCK gives up after ten seconds
            return False
        return True
else:
    import fcntl

    def _take(lock: int, wait: bool = False) -> bool:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def _name() -> str:
    return Path(sys.argv[0]).name


def _place() -> list[str]:
    """What an environment cannot outlive: where it stands and which Python it was made with."""
    return [str(ENV), os.path.realpath(BASE), sys.version]


def _wanted(part: str) -> str:
    return digest(LOCKS / f"{part}.txt", ROOT / "pyproject.toml")


def _stamp() -> dict[str, object]:
    """What the environment holds; empty when it is missing, half-made, moved or another Python's."""
    try:
        stamp: dict[str, object] = json.loads(STAMP.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if stamp.get("place") == _place() and PYTHON.exists() else {}


def _holds(part: str) -> bool:
    return _stamp().get(part) == _wanted(part)


def _install(part: str) -> None:
    stamp = _stamp()
    if not STAMP.exists() and (ENV / "pyvenv.cfg").exists():
        sys.exit(f"{_name()}: {ENV} was made by something else. Remove it, and start again.")
    print(f"Getting the environment in {ENV} ready (once, under a minute) …", file=sys.stderr)
    _write({})
    if not stamp:
        _make()
    _pip("--require-hashes", "--requirement", LOCKS / f"{part}.txt")
    _pip("--no-deps", "--no-build-isolation", "--editable", ROOT)
    parts = ["play", "test"] if part == "test" else [part]  # the lock of the tests holds all of the other
    _write({**stamp, "place": _place(), **{name: _wanted(name) for name in parts}})


def _pip(*what: str | Path) -> None:
    run([PYTHON, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-user", *what])


def _write(stamp: dict[str, object]) -> None:
    new = STAMP.with_suffix(".new")
    new.write_text(json.dumps(stamp), "utf-8")
    new.replace(STAMP)


def _make() -> None:
    """Begin anew, with a pip that needs neither `ensurepip` nor a network."""
    for entry in ENV.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        elif entry not in (LOCK, STAMP):
            entry.unlink()
    run([BASE, "-m", "venv", "--without-pip", ENV])
    for wheel in VENDOR.glob("pip-*.whl"):  # a wheel is its package, zipped
        zipfile.ZipFile(wheel).extractall(LIBRARY)
