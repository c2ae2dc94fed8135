"""The house in order: clauses, code and tests agree; imports point down; nothing of one machine is kept."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ROOT, tracked
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

SOURCES = ROOT / "src/cagnotte"
VENDORED = "cagnotte/server/python/"
RULES = sorted((ROOT / "docs/rules").glob("*.md"))
CLAUSES = {
    f"{letter}{number + 1}"
    for letter, count in {"C": 4, "F": 13, "T": 15, "N": 3, "E": 4, "P": 5}.items()
    for number in range(count)
}
CLAUSE = re.compile(r"(?<![A-Za-z0-9#])[CFTNEP][1-9]\d?(?![A-Za-z0-9])")

# A module imports only from earlier groups.
GROUPS = [
    {"languages"},
    {"cards"},
    {"core", "layout"},
    {"fantan_terms"},
    {"fear", "fantan"},
    {"games"},
    {"record", "locale", "names", "attendance", "entries"},
    {"fairness"},
    {"table_terms", "players"},
    {"seating"},
    {"table"},
    {"telling"},
    {"tales"},
    {"alone"},
    {"guests"},
    {"study"},
    {"server", "terminal"},
    {"commands", "options"},
    {"cli"},
    {"__main__"},
]
RANK = {name: rank for rank, group in enumerate(GROUPS) for name in group}
PURE = {name for name, rank in RANK.items() if rank <= RANK["alone"]} - {"languages", "locale"}
IMPURE = {"asyncio", "datetime", "io", "logging", "os", "pathlib", "secrets", "socket", "sqlite3", "sys"}
IMPURE |= {"subprocess", "tempfile", "threading", "time"}


def texts() -> Iterator[tuple[str, str]]:
    for name in tracked():
        if VENDORED not in name and b"\0" not in (raw := (ROOT / name).read_bytes()):
            yield name, raw.decode("utf-8")


def modules() -> Iterator[tuple[str, Path, ast.Module]]:
    """Each module, with its name below cagnotte or that of its folder, such as `fear` and `server`."""
    for path in sorted(SOURCES.rglob("*.py")):
        yield path.relative_to(SOURCES).parts[0].removesuffix(".py"), path, ast.parse(path.read_text("utf-8"))


def test_the_rules_state_every_clause_in_both_languages() -> None:
    stated = {path.name: re.findall(r"\*\*([CFTNEP]\d+)\*\*", path.read_text("utf-8")) for path in RULES}
    for language in ("en", "fr"):
        of_language = [clauses for name, clauses in stated.items() if name.endswith(f".{language}.md")]
        assert set().union(*of_language) == CLAUSES
    for name in stated:
        assert sorted(stated[name]) == sorted(stated[name.replace(".en.", ".fr.")])


def test_the_code_cites_every_clause_and_no_other() -> None:
    cited = {clause for _, path, _ in modules() for clause in CLAUSE.findall(path.read_text("utf-8"))}
    assert CLAUSES - cited == set()
    assert cited - CLAUSES == set()


def test_a_test_names_every_clause() -> None:
    named = set()
    for path in set((ROOT / "tests").rglob("test_*.py")) - {Path(__file__)}:
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                begin = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                named |= set(CLAUSE.findall("\n".join(text.splitlines()[begin - 1 : node.end_lineno])))
    assert CLAUSES - named == set()


def test_imports_point_down() -> None:
    assert {name for name, _, _ in modules()} == RANK.keys() | {"__init__"}, "each has a place in GROUPS"
    wrong = []
    for name, path, tree in modules():
        for node in ast.walk(tree) if name in RANK else ():
            for target in _imported(node):
                if RANK[target] >= RANK[name] and target != name:
                    wrong.append(f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)} imports {target}")
    assert wrong == []


def _imported(node: ast.AST) -> Iterator[str]:
    """The names below cagnotte that an import statement gives."""
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute"
        names = [f"{node.module}.{alias.name}" for alias in node.names]
    elif isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        return
    for name in names:
        package, _, rest = name.partition(".")
        if package == "cagnotte":
            yield rest.partition(".")[0]


def test_what_is_below_the_shells_does_nothing_but_reckon() -> None:
    wrong = []
    for name, path, tree in modules():
        for node in ast.walk(tree) if name in PURE else ():
            match node:
                case ast.Import(names=names):
                    found = {alias.name.partition(".")[0] for alias in names} & IMPURE
                case ast.ImportFrom(module=module):
                    found = {(module or "").partition(".")[0]} & (IMPURE | {"random"})
                case ast.Attribute(value=ast.Name(id="random"), attr=attribute):
                    found = {attribute} - {"Random"}
                case ast.Call(func=ast.Name(id=function)):
                    found = {function} & {"open", "print", "input"}
                case _:
                    continue
            wrong += [f"{path.relative_to(ROOT)}:{node.lineno} {what}" for what in found]
    assert wrong == []


def test_the_library_loads_no_shell_and_no_server() -> None:
    heavy = ["asyncio", "msgspec", "sqlite3", "starlette", "textual", "uvicorn", "cagnotte.study"]
    heavy += ["numba", "numpy", "pyarrow", "matplotlib", "dask", "distributed"]
    code = f"import sys, cagnotte; print(*set(sys.modules) & set({heavy}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout
    assert loaded.split() == []


def test_no_file_names_a_machine_or_a_registry() -> None:
    machine = re.compile(r"/(work|root|home|Users|tmp)/|\b(pypi|pythonhosted|npmjs|debian)\.(org|com)\b")
    found = [
        f"{name}:{number} {line.strip()[:100]}"
        for name, text in texts()
        for number, line in enumerate(text.splitlines(), 1)
        if machine.search(line)
    ]
    assert found == []


def test_every_picture_is_linked_where_they_are_listed() -> None:
    linked = re.findall(r"\]\((pictures/[^)]+)\)", (ROOT / "docs/pictures.md").read_text("utf-8"))
    kept = [f"pictures/{path.name}" for path in (ROOT / "docs/pictures").iterdir()]
    assert sorted(linked) == sorted(kept)


@pytest.mark.parametrize("name", [name for name in tracked() if name.endswith(".md")])
def test_links_of_the_documents_lead_somewhere(name: str) -> None:
    path = ROOT / name
    for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text("utf-8")):
        if not re.match(r"https?:", target):
            file, _, anchor = target.partition("#")
            found = path.parent / file if file else path
            assert found.exists(), target
            if anchor:
                headings = re.findall(r"^#+ (.+)$", found.read_text("utf-8"), re.MULTILINE)
                assert anchor in [
                    re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings
                ]


def test_each_test_that_the_threat_model_names_exists() -> None:
    named = re.findall(r"`(test_\w+)`", (ROOT / "docs/security.md").read_text("utf-8"))
    found = {
        test
        for path in (ROOT / "tests").rglob("test_*.py")
        for test in re.findall(r"^(?:async )?def (test_\w+)", path.read_text("utf-8"), re.MULTILINE)
    }
    assert len(named) > 40
    assert {*named} - found == set()


def _locked(name: str) -> dict[str, str]:
    """What a lock file pins: package to version, markers and hashes."""
    text = (ROOT / f"tools/lock/{name}.txt").read_text("utf-8")
    plain = re.sub(r"^ *#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", "")
    return {line.partition("==")[0]: " ".join(line.partition("==")[2].split()) for line in plain.splitlines()}


def test_the_locks_agree_with_the_project_and_with_each_other() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    groups = project["dependency-groups"]
    play, test, node = map(_locked, ("play", "test", "node"))
    wanted = {
        "play": (play, project["project"]["dependencies"] + groups["checkout"]),
        "test": (test, groups["test"]),
        "node": (node, groups["node"]),
    }
    for lock, requirements in wanted.values():
        for requirement in map(Requirement, requirements):
            assert requirement.specifier.contains(lock[canonicalize_name(requirement.name)].split()[0])
        assert all("--hash=sha256:" in pin for pin in lock.values())
    versions = {name: pin.split()[0] for name, pin in test.items()}
    assert {name: pin.split()[0] for name, pin in play.items()}.items() <= versions.items()


def test_the_page_is_checked_with_the_types_of_the_modules_it_has() -> None:
    packages = json.loads((ROOT / "tools/package.json").read_text("utf-8"))["devDependencies"]
    vendored = (SOURCES / "server/static/vendor/VENDOR.md").read_text("utf-8")
    pinned = re.findall(r"^\| `\S+` \| `(\S+)` \S+ \| (\S+) \|", vendored, re.MULTILINE)
    assert pinned
    for name, version in pinned:
        assert packages.get(name, version) == version
    assert {"preact", "htm", "@preact/signals"} <= dict(pinned).keys() & packages.keys()


def test_the_changelog_tells_of_this_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_B207_what_windows_lacks_is_not_taken_for_granted() -> None:
    """Modules and functions of other systems are asked for first: in `try`, or behind a condition."""
    lacking = {"fcntl", "resource", "pwd", "grp", "termios", "tty", "pty"}
    calls = {
        "add_signal_handler",
        "fork",
        "geteuid",
        "getuid",
        "killpg",
        "setsid",
        "SIGHUP",
        "SIGUSR1",
        "SIGALRM",
    }
    found = []
    for path in [*SOURCES.rglob("*.py"), ROOT / "tools/environment.py", ROOT / "play"]:
        if VENDORED in path.as_posix():
            continue
        tree = ast.parse(path.read_text("utf-8"))
        guarded = {
            inner
            for node in ast.walk(tree)
            if isinstance(node, ast.Try | ast.If | ast.BoolOp | ast.IfExp)
            for inner in ast.walk(node)
        }
        for node in ast.walk(tree):
            match node:
                case ast.Import(names=names) if lacking & {alias.name for alias in names}:
                    bare = node not in guarded
                case ast.ImportFrom(module=module) if module in lacking:
                    bare = node not in guarded
                case ast.Attribute(attr=name) if name in calls:
                    bare = node not in guarded
                case _:
                    continue
            found += [f"{path.name}:{node.lineno}"] if bare else []
    assert found == []
