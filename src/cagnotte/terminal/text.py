"""Text for a terminal: safe, as wide as it looks, and within its lines."""

import codecs
import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from cagnotte.cards import SYMBOLS, letters

STYLE: Final = re.compile("\x1b\\[[0-9;]*m")
MARK: Final = re.compile(r"\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`")
PLAIN: Final = str.maketrans(
    {"’": "'", "«": '"', "»": '"', "–": "-", "−": "-", "·": "-", "▸": ">", "…": "..", "œ": "oe"}
)


def plainly(lang: str) -> str:
    """The name of the way to write this language to a terminal whose encoding lacks our characters."""
    suits = str.maketrans(dict(zip(SYMBOLS, letters(lang), strict=True)))

    def write(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        lost = error.object[error.start : error.end].translate(suits).translate(PLAIN)
        bare = "".join(c for c in unicodedata.normalize("NFKD", lost) if not unicodedata.combining(c))
        return bare.encode("ascii", "replace").decode(), error.end

    codecs.register_error(f"plainly.{lang}", write)
    return f"plainly.{lang}"


def clean(text: str) -> str:
    """The text without what would move the cursor or change the direction of the line."""
    return "".join([character if character.isprintable() else "\ufffd" for character in text])


def counted(n: int, one: str, many: str = "") -> str:
    """A number with its noun, in English.

    >>> counted(1, "table"), counted(2000, "table"), counted(2, "entry", "entries")
    ('1 table', '2,000 tables', '2 entries')
    """
    return f"{n:,} {one if n == 1 else many or f'{one}s'}"


def width(text: str) -> int:
    """How many cells of a terminal the text takes.

    >>> width("Ann"), width("王"), width("e\u0301")
    (3, 2, 1)
    """
    return sum(map(_cells, STYLE.sub("", text)))


def _cells(character: str) -> int:
    if character < "\u0300":
        return 1
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def fit(text: str, cells: int) -> str:
    """The text cut to so many cells, or filled up with blanks.

    >>> fit("Ann", 5) + "|", fit("Annabelle", 5) + "|", fit("王王王", 4) + "|"
    ('Ann  |', 'Anna…|', '王… |')
    """
    if width(text) > cells:
        kept, room = "", cells - 1
        for character in text:
            if (room := room - _cells(character)) < 0:
                break
            kept += character
        text = kept + "…"
    return text + " " * (cells - width(text))


def short(name: str, cells: int = 14) -> str:
    """A name as a line can hold it, without joiners, whose width no two terminals agree on."""
    kept = "".join(c for c in unicodedata.normalize("NFC", name) if c not in "\u200d\ufe0e\ufe0f")
    return fit(clean(kept).strip() or "?", cells).rstrip()


def fold(text: str, cells: int, indent: str = "", first: str = "") -> Iterator[str]:
    """The text in lines of at most so many cells, begun with `indent`, the first with `first`."""
    line, empty = first, True
    for word in text.split(" "):
        if not empty and width(line) + 1 + width(word) > cells:
            yield line
            line, empty = indent, True
        line, empty = line + word if empty else f"{line} {word}", False
    yield line


def page(markdown: str, cells: int, bold: bool = False) -> Iterator[str]:
    """A page of ours in Markdown (headings, paragraphs, lists, tables) as lines of text."""
    for block in re.split(r"\n\s*\n", markdown.strip()):
        for part in re.split(r"\n(?=\s*- |\|)", block):
            first = re.match(r"\s*(?:- )?", part)
            begin = first[0] if first else ""
            text = re.sub("[ \n]+", " ", part).strip(" ").removeprefix("- ")
            if heading := re.match(r"#+ (.*)", text):
                yield _shown(f"**{heading[1]}**", bold)
                if text.startswith("# "):
                    yield "=" * width(heading[1])
            elif text.startswith("|"):
                if not re.fullmatch(r"[|: -]+", text):
                    yield from fold(_shown(text.strip("| ").replace(" | ", " · "), bold), cells, "  ")
            else:
                yield from fold(_shown(text, bold), cells, " " * len(begin), begin)
        yield ""


def _shown(text: str, bold: bool) -> str:
    return MARK.sub("\x1b[1m\\1\x1b[22m\\2\\3" if bold else r"\1\2\3", text)
