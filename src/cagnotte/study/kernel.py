"""Deals and games by the million: `whole`, `layout` and the bots' `ways`, compiled by numba as they stand.

numba keeps what it compiled in a folder of the user, one for each state of these sources and version of
numba; where there can be none, each process compiles anew. What is compiled lets go of Python's lock, so
that threads play on all cores.
"""

import hashlib
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final

from cagnotte import fantan_terms, fear, layout
from cagnotte.core import Game, Illegal
from cagnotte.players import ways
from cagnotte.study import dice, whole
from cagnotte.study.extras import need

COMPILED: Final = {"random": 0, "steady": whole.STEADY}  # the bots that have an int form, by level
MODULES: Final = (layout, ways, dice, whole)  # each calls only those before it
ENTRIES: Final = ("deals", "fears")
OPTIONS: Final = {"nogil": True, "error_model": "numpy"}
MOST_MOVES: Final = 20_000  # of a deal, or of a game of Fear: 260 spreads of 52 cards, and what is named
# The rules that `whole` plays by. Its bots never pass wrongly, and a deal stands alone.
RULES: Final[dict[type, set[str]]] = {
    fear.Rules: {"players", "stake"},
    fantan_terms.Rules: {"name", "opening", "one_suit", "bonus", "players", "usual_chips", "chips"}
    | {"deals", "passing", "extra_ante", "pay_left", "debt"},
}
UNUSED: Final = 86_400.0  # seconds after which what another version compiled may go
_LOCK: Final = threading.Lock()
_ready: dict[str, Callable[..., None]] = {}


def columns(game: Game[Any]) -> list[str]:
    """What a row holds of a deal, or of a game of Fear, in this order; seats are counted from eldest."""
    fear = game.name == "fear"
    whole_table, by_seat = (whole.GAME, whole.GAME_BY_SEAT) if fear else (whole.DEAL, whole.DEAL_BY_SEAT)
    return [*whole_table, *(f"{what}_{seat}" for what in by_seat for seat in range(game.players))]


def rows(game: Game[Any], bots: Sequence[str], key: int, first: int, count: int) -> Any:
    """The rows of so many deals by number, from this one on: an array of int16 with a line for each.

    The bots are levels of COMPILED, from eldest. Deal i of a key is the same however it is asked for. Raises
    Illegal where numba is missing, and for a rule that `whole` does not know.
    """
    return _played(game, bots, key, first, count, 0)[0]


def moves(game: Game[Any], bots: Sequence[str], key: int, number: int) -> list[int]:
    """The moves of one of these deals, as `whole` notes them."""
    noted = _played(game, bots, key, number, 1, MOST_MOVES)[1]
    return list(noted[noted >= whole.PASS].tolist())


def pack(key: int, number: int) -> list[int]:
    """The pack of this deal of the Fan Tan family, as it is dealt from eldest on."""
    cards = list(range(52))
    whole.shuffle(cards, dice.begin(key, number), dice.step(key, number))
    return cards


def check(rules: Any) -> None:
    """Raise Illegal for a rule that `whole` does not know, and that is not at its default."""
    known = RULES.get(type(rules), set())
    for field in fields(rules):
        if field.name not in known and getattr(rules, field.name) != field.default:
            raise Illegal(None, "compiled deals do not know the rule {rule}", rule=field.name)


def _played(game: Any, bots: Sequence[str], key: int, first: int, count: int, noted: int) -> tuple[Any, Any]:
    check(game.rules)
    numpy, rules, players = need("numpy"), game.rules, game.players
    made = numpy.empty((count, len(columns(game))), numpy.int16)
    notes = numpy.full(noted, whole.PASS - 1, numpy.int16)
    room = numpy.empty((3, 52), numpy.int64)  # to work in
    if game.name == "fear":
        _call("fears", key, first, count, players, rules.stake, room, made, notes)
    else:
        flags = rules.one_suit, rules.bonus, rules.chips, rules.extra_ante, rules.pay_left, rules.debt
        levels = numpy.array([COMPILED[bot] for bot in bots], numpy.int64)
        start = key, first, count, players, rules.opening
        _call("deals", *start, *map(int, flags), levels, room, made, notes)
    return made, notes


def _call(name: str, *arguments: Any) -> None:
    """Call an entry of `whole`; what was kept of it and is damaged goes, and what cannot be kept is not."""
    entry = compiled(name)
    try:
        entry(*arguments)
    except Exception:  # of pickle, of numba, of the disk: what is compiled raises nothing itself
        with _LOCK:
            if _ready[name] is entry:
                numba = need("numba")
                shutil.rmtree(cache_folder(numba.__version__) or "", ignore_errors=True)
                _ready.update(_compile(numba, None))
        compiled(name)(*arguments)


def compiled(name: str) -> Callable[..., None]:
    """An entry of `whole`, compiled when it is first called; raises Illegal where numba is missing."""
    with _LOCK:
        if not _ready:
            numba = need("numba")
            _ready.update(_compile(numba, cache_folder(numba.__version__)))
        return _ready[name]


def _compile(numba: Any, folder: Path | None) -> dict[str, Callable[..., None]]:
    names, before = linked(numba), numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder or "")
    try:
        entry = numba.njit(cache=folder is not None, **OPTIONS)
        return {name: entry(names[name].py_func) for name in ENTRIES}
    finally:
        numba.config.CACHE_DIR = before


def linked(numba: Any) -> dict[str, Any]:
    """All names of MODULES: the very code of their functions compiled, so that they call each other."""
    names: dict[str, Any] = {"times": taught()}
    for module in MODULES:
        names |= _linked(module, names, numba.njit(**OPTIONS))
    return names


def _linked(module: ModuleType, above: dict[str, Any], njit: Callable[..., Any]) -> dict[str, Any]:
    names = {name: above.get(name, value) for name, value in vars(module).items()}
    for name, value in vars(module).items():
        if isinstance(value, FunctionType) and value is names[name]:
            names[name] = njit(FunctionType(value.__code__, names, name))
    return names


def taught() -> Any:
    """Teach numba the two methods of int that it lacks; `times`, since it presumes that products fit."""
    types: Any = need("numba").types
    extending: Any = need("numba.extending")
    intrinsic, overload_method = extending.intrinsic, extending.overload_method

    def count_of(context: Any, bits: Any) -> Any:
        return bits(bits), lambda context, builder, signature, of: builder.ctpop(of[0])

    def zeros_of(context: Any, bits: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, of: Any) -> Any:
            return builder.ctlz(of[0], context.get_constant(types.boolean, False))  # zero has its zeros too

        return bits(bits), code

    def times(context: Any, x: Any, y: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, of: Any) -> Any:
            return builder.and_(builder.mul(*of), context.get_constant(types.int64, dice.BELOW))

        return types.int64(types.int64, types.int64), code

    count, zeros = intrinsic(count_of), intrinsic(zeros_of)
    # numba compares the two signatures, annotations included, so there are none.
    overload_method(types.Integer, "bit_count")(lambda bits: lambda bits: count(bits))
    overload_method(types.Integer, "bit_length")(lambda bits: lambda bits: 64 - zeros(bits))
    return intrinsic(times)


def cache_folder(version: str) -> Path | None:
    """Where what this version of numba compiled of these sources is kept; None where it cannot be."""
    state = hashlib.sha256(version.encode())
    for module in (*MODULES, sys.modules[__name__]):
        state.update(Path(str(module.__file__)).read_bytes())
    try:
        folder = _caches() / "cagnotte" / f"kernel-{state.hexdigest()[:16]}"
        new = not folder.exists()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.utime(folder)
        kept = folder.stat()
    except (OSError, RuntimeError):  # no home, or one that cannot be written
        return None
    if new:
        _tidy(folder.parent)
    # What lies there is run: it has to be one's own, and nobody else's to write.
    ours = not hasattr(os, "getuid") or (kept.st_uid == os.getuid() and not kept.st_mode & 0o022)
    return folder if ours and os.access(folder, os.W_OK) else None


def _tidy(caches: Path) -> None:
    """Remove what others of our versions compiled, but not what a process used within a day: it may still."""
    for folder in caches.glob("kernel-*"):
        with suppress(OSError):  # another process was quicker
            if time.time() - folder.stat().st_mtime > UNUSED:
                shutil.rmtree(folder, ignore_errors=True)


def _caches() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))  # to be ignored where it is relative
    return given if given.is_absolute() else Path.home() / ".cache"
