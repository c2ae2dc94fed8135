"""Names of players: what is kept of what somebody typed."""

import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Final

from cagnotte.core import Illegal

LONGEST: Final = 20  # graphemes of a name
MARKS: Final = 4  # combining marks that one letter may carry
JOINER: Final = "\u200d"


def clean(name: str) -> str:
    """The name as all will see it: one line, nothing invisible, at most 20 graphemes.

    Raises Illegal when nothing is left.

    >>> clean("  Ann\\u202e \\n Lee "), clean("x" * 99)
    ('Ann Lee', 'xxxxxxxxxxxxxxxxxxxx')
    """
    text = unicodedata.normalize("NFC", name[:1000])
    shown = "".join(" " if char.isspace() else char for char in text if _visible(char) or char.isspace())
    short = "".join(islice(_graphemes(" ".join(shown.split())), LONGEST)).strip()
    if not any(unicodedata.category(char)[0] in "LNPS" for char in short):
        raise Illegal(None, "a name needs a letter, a digit or a sign that can be seen")
    return short


def _visible(char: str) -> bool:
    """Not a control or bidi character, a surrogate, for private use, or unassigned; emoji may be joined."""
    return char == JOINER or unicodedata.category(char)[0] != "C"


def _graphemes(text: str) -> Iterator[str]:
    """The letters of a text with their marks, and the emoji with what is joined to them."""
    cluster, marks = "", 0
    for char in text:
        joined = cluster.endswith(JOINER) or (len(cluster) == 1 and _flag(cluster) and _flag(char))
        mark = unicodedata.category(char)[0] == "M" or char == JOINER or "\U0001f3fb" <= char <= "\U0001f3ff"
        if cluster and (mark or joined):
            marks += mark
            if marks <= 2 * MARKS:
                cluster += char
            continue
        if cluster:
            yield cluster
        cluster, marks = char, 0
    if cluster:
        yield cluster


def _flag(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"
