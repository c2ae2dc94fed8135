"""The words of the program in each language: one catalogue for server, browser and terminal.

A catalogue is flat: key to text with `{placeholders}`. A text that counts has the forms `key.1` and `key.n`
or just `key`, and `key.0` where none is said in another way; `plural.one` has the numbers of the first form.
Apostrophes and spaces are written plainly in the files and set as they should be when they are read: the
spaces that `typeset.thin` and `typeset.fixed` find are narrow or usual, and no line breaks there.
"""

import math
import re
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from cagnotte.cards import CARD, Card
from cagnotte.core import Illegal, Quoted
from cagnotte.games import GAMES
from cagnotte.languages import TAGS, catalogue_file

# Each language by its own name.
LANGUAGES: Final[dict[str, str]] = {lang: catalogue_file(lang)["lang.name"] for lang in TAGS}


def say(lang: str, key: str, **values: object) -> str:
    """The text of a key with its values put in; `n` chooses the form. English serves where it is missing.

    >>> say("en", "chips", n=0), say("fr", "chips", n=1), say("fr", "chips", n=12)
    ('no chips', '1 jeton', '12 jetons')
    """
    shown = {name: _shown(lang, value) for name, value in values.items()}
    for words in (catalogue(lang), catalogue("en")):
        for form in _forms(lang, key, values.get("n")):
            if form in words:
                return words[form].format(**shown)
    raise KeyError(key)


def refusal(lang: str, illegal: Illegal) -> str:
    """Why the rules refuse an action, as a sentence.

    >>> refusal("fr", Illegal("T9", "{card} is not in your hand", card=CARD["JS"]))
    'La carte V♠ n\u2019est pas dans votre main.'
    """
    template = _refusals(lang).get(illegal.template, illegal.template)
    values = {key: value if key == "name" else _card(value) for key, value in illegal.values.items()}
    shown = {key: _shown(lang, value) for key, value in values.items()}
    sentence = template.format(**shown)
    return sentence[0].upper() + sentence[1:] + "."


def best_language(accept: str | None) -> str:
    """The language that an Accept-Language header likes best among ours.

    >>> best_language("de, fr-CA;q=0.9, en;q=0.8"), best_language(None)
    ('fr', 'en')
    """
    best, liking = "en", 0.0
    for tag, weight in re.findall(r"([\w-]+|\*)\s*(?:;\s*q\s*=\s*([\d.]{1,5}))?", (accept or "")[:1000]):
        lang = tag[:2].lower()
        likes = float(weight) if re.fullmatch(r"[01](\.\d*)?", weight) else float(not weight)
        if lang in LANGUAGES and tag[2:3] in ("", "-") and likes > liking:
            best, liking = lang, likes
    return best


@cache
def catalogue(lang: str) -> dict[str, str]:
    """All texts of a language by key; KeyError for a language that is not ours."""
    return {key: text for key, text in _read(lang).items() if isinstance(text, str)}


@cache
def rules_markdown(game: str, lang: str) -> str:
    """The rules of a game, told clause by clause, in English where this language does not tell them.

    KeyError for a game or a language that is not ours.
    """
    told = _rules_in(game, lang)
    return _typeset(told, _rules_file(game, told).read_text(encoding="utf-8"))


@cache
def rules_html(game: str, lang: str) -> str:
    """The same as HTML, where the id of each clause's item is its number: `<li id="T9">`."""
    from markdown_it import MarkdownIt

    page = MarkdownIt("commonmark").enable("table").render(rules_markdown(game, lang))
    page = re.sub(r"<li><strong>([A-Z]\d+)</strong>", r'<li id="\1"><strong>\1</strong>', page)
    told = _rules_in(game, lang)
    return page if told == lang else f'<div lang="{told}">{page}</div>'


def number(lang: str, value: float, digits: int = 0) -> str:
    """A number as the language writes it, with so many digits behind its point; halves are rounded up.

    >>> number("en", -1234.5, 1), number("fr", 1234.5, 1), number("en", 26.5)
    ('−1,234.5', '1\u202f234,5', '27')
    """
    words = catalogue_file(lang)
    group = words["number.group"].replace(" ", "\u202f")
    signs = {"-": "−", ",": group, ".": words["number.decimal"]}
    return _rounded(value, digits).translate(str.maketrans(signs))


def _rounded(value: float, digits: int) -> str:
    if isinstance(value, int) and not digits:
        return f"{value:,}"  # however large
    whole = math.floor(round(abs(value) * 10**digits, 6) + 0.5)
    return f"{(-whole if value < 0 else whole) / 10**digits:,.{digits}f}"


def percent(lang: str, part: float, digits: int = 1) -> str:
    """A part of one in hundredths."""
    return catalogue(lang)["number.percent"].format(n=number(lang, 100 * part, digits))


def _rules_in(game: str, lang: str) -> str:
    """The language in which we can tell the rules of a game to whoever reads this one."""
    if lang not in LANGUAGES:
        raise KeyError(lang)
    return lang if _rules_file(game, lang).is_file() else "en"


def _rules_file(game: str, lang: str) -> Traversable:
    folder = resources.files("cagnotte") / "rules"  # as installed
    if not folder.is_dir():
        folder = Path(__file__).parents[3] / "docs" / "rules"  # in a checkout
    return folder / f"{GAMES[game].name}.{lang}.md"


def _forms(lang: str, key: str, n: object) -> tuple[str, ...]:
    if not isinstance(n, int):
        return (key,)
    one = str(abs(n)) in catalogue_file(lang)["plural.one"].split()
    return *((f"{key}.0",) if n == 0 else ()), f"{key}.1" if one else f"{key}.n", key


def _shown(lang: str, value: object) -> object:
    if isinstance(value, Card):
        return value.label(lang)
    if isinstance(value, int):
        return number(lang, value)
    if isinstance(value, Quoted):
        text, cut = value.rstrip("…"), value[len(value.rstrip("…")) :]
        return say(lang, "quote", text=text[1:-1] + cut)
    return value


def _card(value: object) -> object:
    """The card that a move's text names, or the value itself."""
    return CARD.get(value, value) if isinstance(value, str) else value


def _refusals(lang: str) -> dict[str, str]:
    """English templates of refusals to those of this language."""
    found: dict[str, str] = _read(lang).get("refusals", {})
    return found


@cache
def _read(lang: str) -> dict[str, Any]:
    return {key: _set(lang, value) for key, value in catalogue_file(lang).items()}


def _set(lang: str, value: Any) -> Any:
    if isinstance(value, dict):
        return {template: _typeset(lang, text) for template, text in value.items()}
    return _typeset(lang, value)


def _typeset(lang: str, text: str) -> str:
    """The text with curved apostrophes, and no line break where there must be none.

    There is none between a number and its unit, nor where the language has one of its own.
    """
    text = re.sub(r"(?<=[\d}]) (?=(?:s|min|MB|Mo)\b)", "\u00a0", text.replace("'", "’"))
    for key, space in (("typeset.thin", "\u202f"), ("typeset.fixed", "\u00a0")):
        if spaces := catalogue_file(lang)[key]:
            text = re.sub(spaces, space, text)
    return text
