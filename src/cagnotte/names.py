"""Names of players and lines of chat: what is kept of what somebody typed."""

import unicodedata
from collections.abc import Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Final

from cagnotte.core import Illegal

LONGEST: Final = 20  # graphemes of a name
LINE: Final = 200  # graphemes of a line of chat
MARKS: Final = 4  # combining marks that one letter may carry
JOINER: Final = "\u200d"
EMOJI_STYLE: Final = "\ufe0f"
_JOINING: Final = (JOINER, EMOJI_STYLE)
# Letters, marks and signs that are drawn as nothing: fillers, selectors of variants, empty cells and notes.
_BLANK: Final = frozenset(
    chr(code)
    for first, last in (
        (0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2800, 0x2800),
        (0x3164, 0x3164), (0xFE00, 0xFE0E), (0xFFA0, 0xFFA0), (0xFFFC, 0xFFFC), (0x13441, 0x13442),
        (0x16FE4, 0x16FE4), (0x1D159, 0x1D159), (0xE0100, 0xE01EF),
    )
    for code in range(first, last + 1)
)  # fmt: skip
# Controls, what turns the direction of a line, halves of letters, private use, and spaces that are no space.
_HIDDEN: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Zl", "Zp", "Zs"))
# Letters of other alphabets that are drawn as Latin ones: Cyrillic, then Greek.
_LATIN: Final = str.maketrans(
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0405\u0406\u0408"
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u0501\u04bb\u051b\u051d"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
    "\u03b9\u03bd\u03bf\u03c1\u03c7",
    "ABEKMHOPCTYXSIJ" "aeopcyxsijdhqw" "ABEZHIKMNOPTYX" "ivopx",
)  # fmt: skip
_STROKES: Final = str.maketrans("I1|0", "lllO")


def clean(name: str) -> str:
    """The name as all will see it: one line, nothing invisible, at most 20 graphemes.

    Raises Illegal when nothing is left.

    >>> clean("  Ann\\u202e \\n Lee "), clean("x" * 99)
    ('Ann Lee', 'xxxxxxxxxxxxxxxxxxxx')
    """
    short = "".join(islice(_graphemes(_line(name[:1000])), LONGEST)).strip()
    if not _seen(short):
        raise Illegal(None, "a name needs a letter, a digit or a sign that can be seen")
    return short


def clean_line(text: str) -> str:
    """A line of chat as all will read it: as a name is, but longer, and not cut off.

    Raises Illegal when nothing is left, or too much.

    >>> clean_line(" well\tplayed,\u202e <b>Bo</b> ")
    'well played, <b>Bo</b>'
    """
    graphemes = list(islice(_graphemes(_line(text)), LINE + 1))
    if len(graphemes) > LINE:
        raise Illegal(None, "a line of chat has at most {most} letters", most=LINE)
    if not _seen(line := "".join(graphemes)):
        raise Illegal(None, "there is nothing to read in this line")
    return line


def kept(text: str, most: int) -> bool:
    """Whether a table can have kept this, of any version and by any Python: so many graphemes, none hidden.

    What was kept is older than what is known to be drawn as nothing, and may have letters that are newer
    than our Unicode.

    >>> kept("Ann", LONGEST), kept("Ann\\u202e", LONGEST), kept("x" * 99, LONGEST)
    (True, False, False)
    """
    if text.isprintable() and len(text) <= most:
        return bool(text.strip())
    categories = [(char, unicodedata.category(char)) for char in text]
    hidden = any(category in _HIDDEN and char not in (" ", JOINER) for char, category in categories)
    known = "".join(char for char, category in categories if category != "Cn")
    return not hidden and sum(1 for _ in _graphemes(known)) <= most


def _line(text: str) -> str:
    return " ".join("".join(_shown(unicodedata.normalize("NFC", text))).split())


def _seen(text: str) -> bool:
    return any(unicodedata.category(char)[0] in "LNPS" for char in text)


def alike(one: str, other: str) -> bool:
    """Whether two names differ only in how their letters are written, or look the same.

    Case, width, joiners and variants count for nothing; nor does the alphabet of letters that are drawn
    alike, or which stroke or ring it is, such as a capital I and a small l.
    """
    return _plain(one) == _plain(other) or _plain(one, _STROKES) == _plain(other, _STROKES)


def _plain(name: str, drawn: Mapping[int, int] = MappingProxyType({})) -> str:
    text = unicodedata.normalize("NFKC", name).translate(_LATIN).translate(drawn).casefold()
    return "".join(char for char in unicodedata.normalize("NFC", text) if char not in _JOINING)


def _shown(text: str) -> Iterator[str]:
    """The characters that are kept: spaces as such, and joiners only where they join something."""
    before = ""
    for char in text:
        if char.isspace():
            yield " "
        elif _visible(char) and (char not in _JOINING or _joins(before)):
            yield char
        before = char


def _visible(char: str) -> bool:
    """Not a control or bidi character, a surrogate, for private use, unassigned, or drawn as nothing."""
    return char in _JOINING or (unicodedata.category(char)[0] != "C" and char not in _BLANK)


def _joins(before: str) -> bool:
    """After emoji and other signs, and after the mark by which Indic letters are joined."""
    return bool(before) and (
        before == EMOJI_STYLE or unicodedata.category(before)[0] == "S" or unicodedata.combining(before) == 9
    )


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
