"""The languages that the program speaks: each is one file in `locale`, its catalogue (see there)."""

import re
from functools import cache
from importlib import resources
from typing import Any, Final

_FOLDER: Final = resources.files("cagnotte") / "locale"
_FILES: Final = [re.fullmatch(r"([a-z]{2})\.json", file.name) for file in _FOLDER.iterdir()]

TAGS: Final = tuple(sorted(file[1] for file in _FILES if file))


@cache
def catalogue_file(lang: str) -> dict[str, Any]:
    """The catalogue of a language as it is written; KeyError for a language that is not ours."""
    import json  # not needed to ask which languages there are

    if lang not in TAGS:
        raise KeyError(lang)
    words: dict[str, Any] = json.loads((_FOLDER / f"{lang}.json").read_text(encoding="utf-8"))
    return words
