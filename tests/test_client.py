"""The files of the browser client, without a browser."""

import re

import pytest
from conftest import ROOT

from cagnotte.server.pages import COMMENT

STATIC = ROOT / "src/cagnotte/server/static"
PACKAGES = ROOT / "tools/node_modules"
NOBLE = ("sha2.js", "hmac.js", "utils.js", "_md.js", "_u64.js")


def test_the_page_fetches_at_once_what_it_needs_first_and_nothing_else() -> None:
    """What comes when somebody asks for it, with `import()`, is left for then; no module is forgotten."""
    index = (STATIC / "index.html").read_text("utf-8")
    asked = re.findall(r'(?:href|src)="{{root}}static/\{\{version\}\}/([^"]+\.js)"', index)
    modules = {
        path.relative_to(STATIC).as_posix()
        for folder in ("js", "vendor")
        for path in (STATIC / folder).rglob("*.js")
    }
    first = reached(["js/main.js"], later=False)
    assert sorted(asked) == sorted(first)
    assert reached(["js/main.js"], later=True) == modules


def reached(files: list[str], later: bool) -> set[str]:
    """The modules that these import, and so on; also those that are fetched later, if asked."""
    found = set(files)
    asked = r"\bfrom ?|^import " + (r"|[> ]import\(" if later else "")
    while files:
        file = STATIC / files.pop()
        for name in re.findall(
            rf'(?:{asked})"(\.[^"]+\.js)"(?!\)\.[A-Z])', file.read_text("utf-8"), re.MULTILINE
        ):
            path = (file.parent / name).resolve().relative_to(STATIC).as_posix()
            if path not in found:
                found.add(path)
                files.append(path)
    return found


def test_the_page_needs_no_exception_from_a_strict_content_policy() -> None:
    index = (STATIC / "index.html").read_text("utf-8")
    assert not re.search(r"<style|\son\w+=|\sstyle=|<script(?![^>]*\ssrc=)", index)


def test_what_is_left_out_of_a_script_is_comments() -> None:
    """None stands within a template, where it would be text."""
    for script in [*STATIC.glob("js/*.js"), *STATIC.glob("*.js")]:
        text = script.read_bytes()
        for found in COMMENT.finditer(text):
            before = COMMENT.sub(b"", text[: found.start()])
            assert before.count(b"`") % 2 == 0, (script.name, found[0])


def test_nothing_is_fetched_from_elsewhere() -> None:
    for path in [*STATIC.rglob("*.js"), *STATIC.rglob("*.css"), STATIC / "index.html"]:
        text = re.sub(r"/\*.*?\*/|^\s*//.*$", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        found = re.findall(r"""(?:https?:)?//[a-z][^\s"'`)]*\.[a-z]{2,}""", text)
        assert [link for link in found if "www.w3.org" not in link] == [], path.name


@pytest.mark.skipif(not PACKAGES.exists(), reason="the npm packages are not installed: ./test does it")
@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("preact.js", "preact/dist/preact.mjs"),
        ("hooks.js", "preact/hooks/dist/hooks.mjs"),
        ("signals-core.js", "@preact/signals-core/dist/signals-core.mjs"),
        ("signals.js", "@preact/signals/dist/signals.mjs"),
        ("htm.js", "htm/dist/htm.module.js"),
        ("uqr.js", "uqr/dist/index.mjs"),
        *(
            (f"noble/{name}.js", f"@noble/hashes/{name}.js")
            for name in ("sha2", "hmac", "utils", "_md", "_u64")
        ),
    ],
)
def test_vendored_modules_are_those_of_their_packages(file: str, source: str) -> None:
    """As VENDOR.md says: only bare imports and the name of a source map differ."""
    local = {"preact": "preact", "preact/hooks": "hooks", "@preact/signals-core": "signals-core"}
    text = re.sub(r"//# sourceMappingURL=\S*", "", (PACKAGES / source).read_text("utf-8"))
    text = re.sub(r'from"([\w@/-]+)"', lambda found: f'from"./{local[found[1]]}.js"', text)
    assert (STATIC / "vendor" / file).read_text("utf-8").strip() == text.strip()
