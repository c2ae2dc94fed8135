"""A third language is one file: English copied under another tag, with a few words of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT, Served, Visit
from person import a_turn_to_lay
from playwright.sync_api import Browser, expect

OWN = {
    "lang.name": "Deutsch",
    "rank.J": "B",
    "rank.J.spoken": "Bube",
    "rank.Q": "D",
    "suit.S": "Pik",
    "suit.S.letter": "P",
    "suit.D.letter": "K",
    "suit.C.letter": "T",
    "card.spoken": "{suit} {rank}",
    "number.group": ".",
    "number.decimal": ",",
    "number.percent": "{n} %",
    "ui.home.line": "Fünf alte Kartenspiele.",
}


@pytest.fixture
def with_german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that a test starts are our sources with one file more."""
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    for path in (ROOT / "src").rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            link = tmp_path / path.relative_to(ROOT)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(path)
    locale = tmp_path / "src/cagnotte/locale"
    words = json.loads((locale / "en.json").read_text("utf-8")) | OWN
    (locale / "de.json").write_text(json.dumps(words), "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "src"))


def cagnotte(*arguments: str) -> str:
    env = os.environ | {"PYTHONIOENCODING": "utf-8"}
    ours = [str(Path(sys.executable).with_name("cagnotte")), *arguments]
    return subprocess.run(ours, env=env, capture_output=True, encoding="utf-8", check=True).stdout


def test_a_third_language_is_a_file(
    with_german: None, serve: Callable[..., Served], browser: Browser
) -> None:
    assert "--lang {de,en,fr}" in cagnotte("rules", "--help")
    assert "F1" in cagnotte("rules", "fear", "--lang", "de")
    assert " 17,3 % " in cagnotte("odds", "fear", "--players", "6", "--lang", "de")
    reads = "from cagnotte.cards import Card; print(Card.parse('BP', 'de'), Card(11, 'S').label('de'))"
    read = subprocess.run([sys.executable, "-c", reads], capture_output=True, encoding="utf-8", check=True)
    assert read.stdout == "JS B♠\n"

    visit = Visit(browser, serve().url)
    home = visit(locale="de-AT", width=1440)
    expect(home.locator("html")).to_have_attribute("lang", "de")
    expect(home.get_by_text(OWN["ui.home.line"])).to_be_visible()
    expect(home.get_by_role("combobox").locator("option")).to_have_text(["Deutsch", "English", "Français"])
    table = a_turn_to_lay(visit, locale="de")
    hand = """(cards) => cards.map((card) => [
      card.dataset.held, card.getAttribute("aria-label"), card.querySelector("text")?.textContent
    ])"""
    for card, name, letter in table.locator(".held").evaluate_all(hand):
        assert letter == ("B" if card[0] == "J" else None)
        assert name.startswith("Pik ") == (card[1] == "S")
    table.get_by_role("button", name="Rules").click()
    expect(table.locator(".prose [lang=en] #T1")).to_have_count(1)
    for context in visit.contexts:
        context.close()
    assert visit.complaints == []
