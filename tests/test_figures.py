"""docs/numbers.md is what tools/figures.py makes of numbers.json, and few deals come to the same figures."""

import json
import re
from collections.abc import Iterator
from math import hypot
from typing import Any

import pytest
from conftest import ROOT
from tools import figures

from cagnotte.study import SURE

FOUND: Any = json.loads((ROOT / "docs/numbers/numbers.json").read_text(encoding="utf-8"))


def pairs(found: Any, small: Any, where: str = "") -> Iterator[tuple[str, list[float], list[float]]]:
    """The means that both have, each with how far it may be off."""
    if isinstance(small, dict):
        for name in small:
            yield from pairs(found[name], small[name], f"{where} {name}")
    elif isinstance(small, list) and small and isinstance(small[0], list):
        for at, (one, other) in enumerate(zip(found, small, strict=True)):
            yield from pairs(one, other, f"{where} {at}")
    elif isinstance(small, list) and len(small) == 2 and isinstance(small[0], float):
        yield where, found, small


def test_the_page_is_written_from_the_figures() -> None:
    assert (ROOT / "docs/numbers.md").read_text(encoding="utf-8") == "\n".join(figures.page(FOUND)) + "\n"


def test_each_mean_stands_beside_how_far_it_may_be_off() -> None:
    """In its own cell, or in a column for all of the row; what is of Fear is exact."""
    text = (ROOT / "docs/numbers.md").read_text(encoding="utf-8").partition("\n## Fear\n")[0]
    bare = []
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        head, _, *rows = table.splitlines()
        told = {"chips": "chips may be off by" in head, "wins": "wins may be off by" in head}
        for cell in (cell.strip() for row in rows for cell in row.strip("|").split(" | ")):
            means = re.findall(r"\d+\.\d+", re.sub(r"±\d+\.\d+", "", cell))
            spans = cell.count("±") if "(" not in cell and "±" in cell else sum(told.values())
            bare += [(head, cell)] if len(means) > spans else []
        assert "±0.00 " not in table and "±0.0 " not in table
    assert bare == []


def test_a_house_rule_changes_what_is_paid_and_nothing_else() -> None:
    """As the page says of steady players."""
    for tables in FOUND["games"].values():
        for table in tables.values():
            for rule in figures.HOUSE.keys() & table.keys():
                assert all(
                    table[rule][name] == table["steady"][name]
                    for name in ("turns", "long", "passes", "left", "wins")
                )
    page = "\n".join(figures.page(FOUND))
    for rule, rows in (("pay_left", 12), ("extra_ante", 8)):
        told = re.search(rf"Without `{rule}`:\n\n(?:\|.*\n){{{rows + 2}}}\n", page)
        assert told and told[0].count("→") == rows


def test_the_seats_of_fear_are_told_for_each_stake() -> None:
    seats = "\n".join(figures.page(FOUND)).partition("the worst seat")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (\d+) \| (\d+) \|", seats, re.MULTILINE)
    assert rows == [(stake, players) for stake, tables in FOUND["fear"].items() for players in tables]


@pytest.mark.slow
def test_the_exact_figures_of_fear_are_these() -> None:
    assert figures.fear() == FOUND["fear"]


@pytest.mark.slow
@pytest.mark.parametrize("players", figures.PLAYERS)
def test_few_deals_come_to_the_same(players: int) -> None:
    """Within five standard errors each, of some 600."""
    small = figures.reckon(4000, players=[players])["games"]
    compared = list(pairs(FOUND["games"], small))
    assert len(compared) > 300
    for where, (mean, off), (other, its) in compared:
        assert abs(mean - other) <= 5 / SURE * hypot(off, its) + 1e-3, where


def test_a_fair_ante_makes_it_even() -> None:
    """Who pays e more gets his share of all of them back."""
    table = {
        "extra_ante off": {"chips": [[-1.0, 0], [0.5, 0], [0.5, 0]], "wins": [[0.2, 0], [0.4, 0], [0.4, 0]]},
        "steady": {"chips": [[0.0, 0], [0.0, 0], [0.0, 0]]},
    }
    assert figures.ante(table, 3) == {
        "short": 2,
        "without": [0.5, 0],
        "with": [0, 0],
        "fair": [pytest.approx(0.5 / (1 - 2 * 0.4)), 0],
    }
