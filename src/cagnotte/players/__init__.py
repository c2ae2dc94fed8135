"""Bots by level, or by the place of any function `bot(view, told, rng) -> action`.

A bot sees the view of its seat and what that seat was told, and throws its own dice; nothing else.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Final

from cagnotte.core import Illegal, quoted
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
    """The bot of this level, or the function named `package.module:function`; raises Illegal.

    A function of others is not trusted: it raises Illegal too when it fails or wants what is not open to it.
    """
    if name in LEVELS:
        return LEVELS[name]
    shown, (module, colon, function) = quoted(name, 60), name.partition(":")
    if not colon:
        known = ", ".join(LEVELS)
        raise Illegal(
            None, "{bot} is not a bot: {levels}, or package.module:function", bot=shown, levels=known
        )
    try:
        found = getattr(import_module(module), function)
    except Exception as error:  # whatever the module does while it is imported
        raise Illegal(None, "the bot {bot} cannot be loaded: {why}", bot=shown, why=_why(error)) from error
    if not callable(found):
        raise Illegal(None, "the bot {bot} is not a function", bot=shown)

    def outside(view: Any, told: Sequence[Any], rng: random.Random) -> Any:
        try:
            action = found(view, told, rng)
        except Exception as error:
            raise Illegal(None, "the bot {bot} failed: {why}", bot=shown, why=_why(error)) from error
        if action not in view.moves:
            asked = quoted(action, 40)
            raise Illegal(
                None, "the bot {bot} asked for {action}, which is not open to it", bot=shown, action=asked
            )
        return action

    return outside


def _why(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:160]
