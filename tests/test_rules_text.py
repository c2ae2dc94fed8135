"""The rules in words: each clause is told in both languages, and house rules are those of the games."""

import re
import tomllib
from pathlib import Path

import pytest

from cagnotte.games import GAMES
from cagnotte.locale import LANGUAGES, rules_html, rules_markdown

ROOT = Path(__file__).parents[1]


def clauses(letter: str, last: int) -> list[str]:
    return [f"{letter}{number}" for number in range(1, last + 1)]


COMMON, FAN_TAN = clauses("C", 4), clauses("T", 15)
CLAUSES = {
    "fear": {*COMMON, *clauses("F", 13)},
    "fan-tan": {*COMMON, *FAN_TAN},
    "five-or-nine": {*COMMON, *FAN_TAN, *clauses("N", 3)},
    "earl-of-coventry": {*COMMON, *FAN_TAN, *clauses("E", 4)},
    "play-or-pay": {*COMMON, *FAN_TAN, *clauses("P", 5)} - {"T11"},  # P5
}
# What a variant must say in its own way; all else is told as in Fan Tan.
OWN = {
    "five-or-nine": {"T7", "T8", "T11", "T12"},
    "earl-of-coventry": {"T7", "T8", "T11", "T12"},
    "play-or-pay": {"T1", "T7", "T8", "T12"},
}
PAGES = [(game, lang) for game in GAMES for lang in LANGUAGES]


def items(game: str, lang: str) -> list[tuple[str, str]]:
    """The clauses of a page with their texts, in order."""
    text = rules_markdown(game, lang)
    found = re.findall(r"^- \*\*([A-Z]\d+)\*\* (.*?)(?=^\S|^$|\Z)", text, re.MULTILINE | re.DOTALL)
    return [(clause, " ".join(told.split())) for clause, told in found]


@pytest.mark.parametrize(("game", "lang"), PAGES)
def test_a_page_states_each_clause_of_its_game_once(game: str, lang: str) -> None:
    stated = [clause for clause, _ in items(game, lang)]
    assert sorted(stated) == sorted(CLAUSES[game])
    assert all(len(told) > 20 for _, told in items(game, lang))


@pytest.mark.parametrize(("game", "lang"), PAGES)
def test_a_page_refers_to_no_clause_that_it_does_not_state(game: str, lang: str) -> None:
    prose = re.sub(r"`[^`]*`", "", rules_markdown(game, lang))
    assert set(re.findall(r"\b[A-Z]\d+\b", prose)) == CLAUSES[game]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("variant", OWN)
def test_a_variant_tells_what_it_shares_with_fan_tan_in_the_same_words(variant: str, lang: str) -> None:
    told, model = dict(items(variant, lang)), dict(items("fan-tan", lang))
    differing = {clause for clause in told.keys() & model.keys() if told[clause] != model[clause]}
    assert differing == OWN[variant]


@pytest.mark.parametrize(("game", "lang"), PAGES)
def test_a_clause_is_in_words_and_only_the_list_of_house_rules_names_options(game: str, lang: str) -> None:
    told = dict(items(game, lang))
    assert all("`" not in told[clause] for clause in CLAUSES[game] - {"C2"})  # how cards are written
    assert "`--rule " in rules_markdown(game, lang)


@pytest.mark.parametrize(("game", "lang"), PAGES)
def test_the_house_rules_of_a_page_are_those_of_the_game(game: str, lang: str) -> None:
    rows = re.findall(r"^\| .*\(`(\w+)`\) \| (.*) \| (.*) \|$", rules_markdown(game, lang), re.MULTILINE)
    assert [name for name, _, _ in rows] == [rule.name for rule in GAMES[game].rules]
    for rule, (_, values, default) in zip(GAMES[game].rules, rows, strict=True):
        first_and_last = (str(rule.values[0]), str(rule.values[-1]))
        expected = first_and_last if isinstance(rule.values, range) else rule.values
        assert tuple(re.findall(r"`(\w+)`", values)) == expected, rule.name
        defaults = {str(rule.default(players)) for players in GAMES[game].seats}
        if rule.name == "deals":
            assert default == {"en": "two for each player", "fr": "deux par joueur"}[lang]
            assert all(rule.default(players) == 2 * players for players in GAMES[game].seats)
        else:
            assert set(re.findall(r"`(\w+)`", default)) == defaults, rule.name


@pytest.mark.parametrize(("game", "lang"), PAGES)
def test_a_clause_can_be_opened_by_its_number(game: str, lang: str) -> None:
    page = rules_html(game, lang)
    assert set(re.findall(r'<li id="(\w+)"><strong>\1</strong>', page)) == CLAUSES[game]
    assert page.startswith("<h1>") and page.count("<table>") == 1 and "**" not in page


@pytest.mark.parametrize(
    ("game", "lang"), [("whist", "en"), ("../LICENSE", "en"), ("fear", "de"), ("fear", "../en")]
)
def test_no_page_of_another_game_or_language(game: str, lang: str) -> None:
    with pytest.raises(KeyError):
        rules_markdown(game, lang)


def test_an_installed_program_has_the_pages() -> None:
    built = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert built["force-include"]["docs/rules"] == "cagnotte/rules"
    assert {path.name for path in (ROOT / "docs" / "rules").iterdir()} == {
        f"{game}.{lang}.md" for game, lang in PAGES
    }
