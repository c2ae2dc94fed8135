"""Bots by level; those of others are `guests`.

A bot sees the view of its seat and what that seat was told, and throws its own dice; nothing else.
"""

import random
from collections.abc import Callable, Mapping, Sequence
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
    """The bot of this level; raises Illegal."""
    if name in LEVELS:
        return LEVELS[name]
    raise Illegal(None, "{bot} is not a bot: {levels}", bot=quoted(name, 30), levels=", ".join(LEVELS))
