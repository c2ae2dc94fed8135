"""Compiled play: the very functions of the rules and of the bots, and what the engine makes of each deal."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import os
import random
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from conftest import ROOT, Run

import cagnotte
from cagnotte import layout
from cagnotte.core import Illegal
from cagnotte.players import ways
from cagnotte.study import dice, extras, kernel, odds, whole

pytest.importorskip("numba")
MODULES: tuple[ModuleType, ...] = (layout, ways, dice)


def load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


equal = load("equal")
SETTINGS = list(equal.settings())


FUNCTIONS = [
    function
    for module in MODULES
    for _, function in inspect.getmembers(module, inspect.isfunction)
    if function.__module__ == module.__name__
]


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """What `kernel` links: all names of its modules, their functions compiled."""
    return kernel.linked(extras.need("numba"))


# The same functions.


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_a_compiled_function_is_the_interpreted_one(function: Any, names: dict[str, Any]) -> None:
    """The very code, and the same result for the arguments that come up in play."""
    compiled, rng = names[function.__name__], random.Random(function.__name__)
    if function is not dice.times:  # numba presumes that products fit, so that this one is told anew
        assert compiled.py_func.__code__ is function.__code__
    for _ in range(300):
        arguments = [_argument(name, rng) for name in inspect.signature(function).parameters]
        try:
            expected = function(*arguments)
        except ValueError:  # a shift by a negative number: no such situation
            continue
        called = compiled if function is not dice.times else names["mixed"]
        if function is dice.times:
            arguments, expected = arguments[:1], dice.mixed(arguments[0])
        assert called(*arguments) == expected, arguments


def _argument(name: str, rng: random.Random) -> int:
    match name:
        case "card" | "fourth":
            return rng.randrange(52)
        case "rank" | "start":
            return rng.randrange(13)
        case "one_suit" | "bonus" | "alone":
            return rng.randrange(2)
        case "sides":
            return rng.randint(1, 64)
        case "cards" if rng.random() < 0.5:
            return rng.getrandbits(13)
        case "starts":
            return rng.choice((layout.ALL, layout.rank_mask(6), layout.rank_mask(4) | layout.rank_mask(8)))
        case "hand" | "laid" | "fits" | "cards":
            return rng.choice(
                (1 << rng.randrange(52), rng.getrandbits(52) & rng.getrandbits(52), rng.getrandbits(52))
            )
    return rng.randrange(1 << 62)


@pytest.mark.parametrize("module", [layout, ways, dice, whole], ids=lambda module: module.__name__)
def test_what_is_compiled_is_functions_of_ints_and_constants(module: ModuleType) -> None:
    for node in ast.parse(inspect.getsource(module)).body:
        assert isinstance(node, ast.Expr | ast.ImportFrom | ast.Assign | ast.FunctionDef)
        assert not isinstance(node, ast.FunctionDef) or not node.decorator_list


def test_whole_deals_are_the_same_interpreted(names: dict[str, Any]) -> None:
    for name in cagnotte.GAMES:
        game: Any = cagnotte.game(name, 4)
        made = kernel.rows(game, ["steady", "random", "steady", "random"], 7, 40, 25).tolist()
        rows = [[0] * len(made[0]) for _ in made]
        room: Any = [[0] * 52 for _ in range(3)]
        if name == "fear":
            whole.fears(7, 40, 25, 4, game.rules.stake, room, rows, [])
        else:
            r = game.rules
            whole.deals(
                7, 40, 25, 4, r.opening, r.one_suit, r.bonus, r.chips, 1, 1, 0, [1, 0, 1, 0], room, rows, []
            )
        assert rows == made


# The same deals.


def said(setting: Any) -> str:
    name, players, rules = setting
    return "-".join(map(str, (name, players, *rules.values())))


@pytest.mark.parametrize("setting", SETTINGS, ids=said)
def test_a_compiled_deal_is_the_engines_chip_for_chip(setting: Any) -> None:
    """T4-T9, T14, C3, N1, E1-E3, P1-P4, F3-F11; `benchmarks/equal.py` compares ten thousand of each."""
    assert equal.wrong(setting, 0, 4 if setting[0] != "fear" or setting[1] < 26 else 1) == []


def test_a_deal_is_the_same_however_it_is_asked_for() -> None:
    game = cagnotte.game("earl-of-coventry", 5)
    bots = ["steady", "random"] * 2 + ["steady"]
    together = kernel.rows(game, bots, 3, 0, 50).tolist()
    alone = [kernel.rows(game, bots, 3, number, 1).tolist()[0] for number in reversed(range(50))]
    assert together == alone[::-1]
    assert kernel.rows(game, bots, 4, 0, 50).tolist() != together
    assert len({tuple(kernel.pack(3, number)) for number in range(50)}) == 50


def test_every_card_comes_to_every_place_alike() -> None:
    """52 × 52 counts of 20,000 packs; chi-squared with 51² degrees of freedom, five deviations."""
    numpy = extras.need("numpy")
    counts = numpy.zeros((52, 52))
    for number in range(20_000):
        counts[numpy.arange(52), kernel.pack(11, number)] += 1
    expected = 20_000 / 52
    assert abs(((counts - expected) ** 2 / expected).sum() - 51**2) < 5 * (2 * 51**2) ** 0.5


@pytest.mark.parametrize(("players", "stake", "games"), [(2, 1, 40_000), (5, 2, 40_000), (9, 1, 40_000)])
def test_F11_games_of_fear_are_won_as_the_exact_odds_say(players: int, stake: int, games: int) -> None:
    """All |z| below 4; here each card is shuffled, named and turned, which the odds need not."""
    numpy = extras.need("numpy")
    made = kernel.rows(cagnotte.game("fear", players, stake=stake), ["random"] * players, 5, 0, games)
    wins = numpy.bincount(made[:, 0], minlength=players)
    for won, chance in zip(wins.tolist(), odds.chances([stake] * players).win, strict=True):
        assert abs(won - games * chance) < 4 * (games * chance * (1 - chance)) ** 0.5 + 1e-9


# Where it is kept.


def python(code: str, **variables: str) -> str:
    env, run = os.environ | variables, [sys.executable, "-c", code]
    return subprocess.run(run, env=env, capture_output=True, text=True, check=True).stdout.strip()


def folder(**variables: str) -> str:
    return python("from cagnotte.study.kernel import cache_folder; print(cache_folder('1'))", **variables)


@pytest.mark.skipif(sys.platform != "linux", reason="the variable is Linux's")
def test_what_was_compiled_is_kept_in_a_folder_of_ones_own(tmp_path: Path) -> None:
    kept = Path(folder(XDG_CACHE_HOME=str(tmp_path)))
    assert kept.parent == tmp_path / "cagnotte" and kept.stat().st_mode & 0o77 == 0
    kept.chmod(0o777)  # anybody may put there what would then be run
    assert folder(XDG_CACHE_HOME=str(tmp_path)) == "None"
    (tmp_path / "file").touch()
    assert folder(XDG_CACHE_HOME=str(tmp_path / "file")) == "None"
    away = folder(XDG_CACHE_HOME="away", HOME=str(tmp_path))  # the standard says that it is to be ignored
    assert Path(away).parents[1] == tmp_path / ".cache"


@pytest.mark.skipif(sys.platform != "linux", reason="the variable is Linux's")
def test_what_other_versions_compiled_goes_once_it_is_not_used(tmp_path: Path) -> None:
    """Not what was used within a day, nor what is not ours; only when a folder is made."""
    caches = tmp_path / "cagnotte"
    for name in ("kernel-old", "kernel-used", "other"):
        (caches / name).mkdir(parents=True)
        (caches / name / "kept.nbc").touch()
    for name in ("kernel-old", "other"):
        os.utime(caches / name, (0, 0))
    ours = Path(folder(XDG_CACHE_HOME=str(tmp_path)))
    assert {path.name for path in caches.iterdir()} == {ours.name, "kernel-used", "other"}
    for name in (ours.name, "kernel-used"):
        os.utime(caches / name, (0, 0))
    folder(XDG_CACHE_HOME=str(tmp_path))
    assert (caches / "kernel-used").exists() and ours.stat().st_mtime > 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the variable is Linux's")
@pytest.mark.parametrize("ending", ["nbc", "nbi"])
def test_what_was_kept_and_is_damaged_is_compiled_anew(tmp_path: Path, ending: str) -> None:
    code = (
        "import cagnotte; from cagnotte.study import kernel;"
        "print(kernel.rows(cagnotte.game('fear'), ['random'] * 6, 1, 0, 2).tolist())"
    )
    rows = python(code, XDG_CACHE_HOME=str(tmp_path))
    kept = next(tmp_path.rglob(f"*.{ending}"))
    whole_size = kept.stat().st_size
    os.truncate(kept, 50)
    assert python(code, XDG_CACHE_HOME=str(tmp_path)) == rows
    assert not kept.exists()
    assert python(code, XDG_CACHE_HOME=str(tmp_path)) == rows
    assert kept.stat().st_size > whole_size / 2


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the variable is Linux's")
@pytest.mark.parametrize("trouble", ["there is no room", "a link to what is damaged"])
def test_where_nothing_can_be_kept_it_is_compiled_all_the_same(tmp_path: Path, trouble: str) -> None:
    code = (
        "import resource, cagnotte; from cagnotte.study import kernel;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, ({0}, {0}));"
        "print(kernel.rows(cagnotte.game('fear'), ['random'] * 6, 1, 0, 2).shape)"
    )
    most = 2000 if trouble == "there is no room" else 2**30
    if most > 2000:
        python(code.format(most), XDG_CACHE_HOME=str(tmp_path))
        kept = next(tmp_path.rglob("*.nbi"))
        kept.write_bytes(b"junk")
        kept.parents[1].rename(tmp_path / "away")
        kept.parents[1].symlink_to(tmp_path / "away")
    assert python(code.format(most), XDG_CACHE_HOME=str(tmp_path)) == "(2, 11)"


def test_a_rule_that_compiled_deals_do_not_know_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A house rule that is added to a game, and not to `whole`, would be left out without a word."""
    rules = cagnotte.game("fan-tan").rules  # type: ignore[attr-defined]
    monkeypatch.setitem(kernel.RULES, type(rules), kernel.RULES[type(rules)] - {"debt"})
    kernel.check(rules)  # at its default it changes nothing
    refused = "cagnotte: compiled deals do not know the rule debt\n"
    assert run("simulate", "fan-tan", "--deals", "9", "--rule", "debt=on") == (1, "", refused)
    monkeypatch.delitem(kernel.RULES, type(rules))  # a family that is new
    with pytest.raises(Illegal):
        kernel.check(rules)


def test_without_numba_a_sentence_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.setattr(kernel, "_ready", {})
    with pytest.raises(Illegal) as illegal:
        kernel.rows(cagnotte.game("fan-tan"), ["random"] * 4, 1, 0, 1)
    assert illegal.value.message == f"this needs numba: {extras.command('study')}"


def test_the_study_loads_its_libraries_when_they_are_needed() -> None:
    code = (
        "import sys, cagnotte.study.kernel, cagnotte.study.engine; print({'numba', 'numpy'} & {*sys.modules})"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout
    assert out == "set()\n"
