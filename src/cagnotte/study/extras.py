"""Libraries that only some need: they are loaded here, when they are wanted."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import requires
from pathlib import Path
from types import ModuleType
from typing import Final

from cagnotte.core import Illegal
from cagnotte.guests import undisturbed

EXTRAS: Final = {
    "numpy": "study",
    "numba": "study",
    "pyarrow": "study",
    "matplotlib": "study",
    "dask": "cluster",
    "distributed": "cluster",
}


def has(module: str) -> bool:
    """Whether this library is installed."""
    try:
        need(module)
    except Illegal:
        return False
    return True


def need(module: str, exactly: bool = False) -> ModuleType:
    """This library, or a part such as `pyarrow.parquet`; raises Illegal, with the command to install it.

    `exactly`: for an exact answer, and not for any.
    """
    library = module.partition(".")[0]
    try:
        with undisturbed():
            return import_module(module)
    except ImportError:
        raise Illegal(
            None,
            "an exact answer for so many positions needs {library}: {command}"
            if exactly
            else "this needs {library}: {command}",
            library=library,
            command=command(EXTRAS[library]),
        ) from None


def command(extra: str) -> str:
    """What to type, in the folder where one is, for the Python that runs this to get these libraries.

    It names the checkout or the libraries themselves: we need not be on an index.
    """
    python = _from_here(Path(sys.executable)) if sys.executable else "python3"
    root = Path(__file__).resolve().parents[3]
    if (root / "pyproject.toml").is_file():
        what = ["-e", f"{_from_here(root)}[{extra}]"]
    else:
        wanted = (each.partition(";") for each in requires("cagnotte") or ())
        what = [library.strip() for library, _, when in wanted if when.strip() == f"extra == '{extra}'"]
    return shlex.join([python, "-m", "pip", "install", *what])


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """An OSError that names no file, as of a full disk, names this one."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


def _from_here(path: Path) -> str:
    """The path as it is typed: from the working directory where it lies below."""
    here = Path.cwd()
    if not path.is_relative_to(here):
        return str(path)
    below = path.relative_to(here)
    return str(below) if len(below.parts) != 1 else f"./{below}"
