"""What a person types, read as a move or as a word."""

import re
from typing import Any, Final

from cagnotte.cards import Card
from cagnotte.core import Cut, Illegal, quoted
from cagnotte.fantan_terms import LAY, PASS
from cagnotte.fear import NAME, TurnOver
from cagnotte.locale import LANGUAGES, catalogue

WORDS: Final = {
    "help": "term.word.help",
    "hint": "term.word.hint",
    "log": "term.word.log",
    "pass": "term.word.pass",
    "quit": "term.word.quit",
    "rules": "term.word.rules",
}


def word(typed: str) -> str | None:
    """Which of our words was typed, in whichever language.

    >>> word("Règles"), word("QUIT"), word("7S")
    ('rules', 'quit', None)
    """
    said = typed.casefold().strip(" .!")
    for lang in LANGUAGES:
        for known, key in WORDS.items():
            if said in catalogue(lang)[key].split():
                return known
    return None


def move(typed: str, phase: str, lang: str) -> Any:
    """The move that was typed, legal or not; raises Illegal for what is none.

    >>> str(move("10 h", "play", "en")), str(move("vp", "play", "fr")), str(move("turn 7", "turn", "en"))
    ('TH', 'JS', 'turn 7')
    """
    text = re.sub(r"\s+", "", typed).casefold()
    if phase in ("cut", "turn"):
        number = re.fullmatch(r"[a-zà-ÿ]*?(\d{1,3})", text)
        if number:
            return (Cut if phase == "cut" else TurnOver)(int(number[1]))
        raise Illegal("C2", "{text} is not a number", text=quoted(typed))
    if word(typed) == "pass":
        return PASS
    card = _card(re.sub(r"^(fear|peur)", "", text), lang)
    if card is None:
        raise Illegal("C2", "{text} is not a card", text=quoted(typed))
    return (NAME if phase == "name" else LAY)[card.index]


def _card(text: str, lang: str) -> Card | None:
    """A card as this language writes it, or as English does where that is no other card (C2)."""
    for reading in (lang, "en"):
        try:
            return Card.parse(text, reading)
        except ValueError:
            continue
    return None
