"""Whole sittings as text, with everything that happened; a change in any rule shows as a line that differs.

`python tests/test_golden.py` writes the files of tests/golden anew from their moves. Read the difference
before it is committed: it says what changed in the games.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from cagnotte import fantan, fear
from cagnotte.cards import Card
from cagnotte.games import GAMES
from cagnotte.record import Record, check, parse, steps

GOLDEN = Path(__file__).parent / "golden"
FILES = sorted(GOLDEN.glob("*.txt"))


def said(value: Any) -> str:
    """An event in a line: its kind, and its fields by name, cards as texts."""
    if isinstance(value, (Card, str, int)) or value is None:
        return str(value)
    if is_dataclass(value):
        parts = [f"{part.name}={said(getattr(value, part.name))}" for part in fields(value)]
        return " ".join([type(value).__name__, *parts])
    assert isinstance(value, tuple)
    return "(" + " ".join(map(said, value)) + ")"


def told(sitting: Record) -> Iterator[str]:
    """The game, then each move with its events below it."""
    head: dict[str, Any] = json.loads(str(sitting))
    yield json.dumps({key: value for key, value in head.items() if key != "moves"}, ensure_ascii=False)
    for move, (_, _, _, events) in zip(sitting.moves, steps(sitting), strict=True):
        yield move
        for event in events:
            yield f"    {said(event)}"


def sitting_of(text: str) -> Record:
    """The record in such a text: the first line, and those that are not indented."""
    head, *lines = text.splitlines()
    moves = [line for line in lines if not line.startswith(" ")]
    return parse(json.dumps(json.loads(head) | {"moves": moves}))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_sitting_goes_as_it_always_went(file: Path) -> None:
    text = file.read_text("utf-8")
    sitting = sitting_of(text)
    assert check(sitting).plain()["over"] and sitting.result is not None
    assert list(told(sitting)) == text.splitlines()


def test_there_is_a_sitting_of_every_game_and_one_of_every_event() -> None:
    text = "".join(file.read_text("utf-8") for file in FILES)
    assert {sitting_of(file.read_text("utf-8")).game for file in FILES} == set(GAMES)
    kinds = {line.split()[0] for line in text.splitlines() if line.startswith(" ")}
    books = {**fear._EVOLVE, **fantan._EVOLVE}
    assert kinds == {kind.__name__ for kind in books}


if __name__ == "__main__":
    for golden in FILES:
        lines = told(sitting_of(golden.read_text("utf-8")))
        golden.write_text("".join(f"{line}\n" for line in lines), "utf-8")
