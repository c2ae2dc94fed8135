"""Libraries that only some need: they are loaded here, when they are wanted."""

from importlib import import_module
from types import ModuleType
from typing import Final

from cagnotte.core import Illegal

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


def need(module: str) -> ModuleType:
    """This library, or a part such as `pyarrow.parquet`; raises Illegal, with the command to install it."""
    library = module.partition(".")[0]
    try:
        return import_module(module)
    except ImportError:
        raise Illegal(
            None,
            "this needs {library}: python3 -m pip install 'cagnotte[{extra}]'",
            library=library,
            extra=EXTRAS[library],
        ) from None
