"""Bots by level, or by the place of any function `bot(view, told, rng) -> action`.

A bot sees the view of its seat and what that seat was told, and throws its own dice; nothing else.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Final

from cagnotte.core import Illegal
from cagnotte.fantan_terms import Lay
from cagnotte.players.steady import steady

__all__ = ["LEVELS", "Bot", "anyhow", "bot", "steady"]

Bot = Callable[[Any, Sequence[Any], random.Random], Any]


def anyhow(view: Any, told: Sequence[Any], rng: random.Random) -> Any:
    """Any move with equal chance, but never a wrong pass (T10)."""
    lays = [move for move in view.moves if type(move) is Lay]
    return rng.choice(lays if lays and view.phase == "play" else view.moves)


LEVELS: Final[Mapping[str, Bot]] = {"random": anyhow, "steady": steady}


def bot(name: str) -> Bot:
    """The bot of this level, or the function named `package.module:function`; raises Illegal."""
    if name in LEVELS:
        return LEVELS[name]
    module, colon, function = name.partition(":")
    if not colon:
        raise Illegal(
            None,
            "{bot} is not a bot: {levels}, or package.module:function",
            bot=repr(name)[:60],
            levels=", ".join(LEVELS),
        )
    try:
        found = getattr(import_module(module), function)
    except Exception as error:  # whatever the module does while it is imported
        said = " ".join(str(error).split())[:120]
        raise Illegal(None, "the bot {bot} cannot be loaded: {why}", bot=repr(name)[:60], why=said) from error
    if not callable(found):
        raise Illegal(None, "the bot {bot} is not a function", bot=repr(name)[:60])
    loaded: Bot = found
    return loaded
