"""What a table is called: the id in its links, and the room code that is read aloud."""

import re
import secrets
from typing import Final

ID_LETTERS: Final = "23456789bcdfghjkmnpqrstvwxz"  # no vowels, and none that looks like another
ID_LENGTH: Final = 10  # 47 bits
CODE_LETTERS: Final = "23456789FHKLMRTX"  # nor any that sounds like another
CODE_LENGTH: Final = 6


def new_id() -> str:
    """An id that nobody can guess."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def new_code() -> str:
    """A code, which another table may have as well: ask."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def read_id(text: str) -> str | None:
    """The id that somebody typed, in any case; None for what is none."""
    id = text.lower()
    return id if len(id) == ID_LENGTH and set(id) <= set(ID_LETTERS) else None


def read_code(text: str) -> str | None:
    """The code that somebody typed, in any case, with spaces and dashes anywhere; None for what is none.

    >>> read_code(" k3f-9tx"), read_code("k3f 9to")
    ('K3F9TX', None)
    """
    code = re.sub(r"[\s\u2010-\u2015_.-]", "", text).upper()
    return code if len(code) == CODE_LENGTH and set(code) <= set(CODE_LETTERS) else None
