"""A hint for a person: the move that the steady player would make, and why."""

from collections.abc import Sequence
from typing import Any

from cagnotte.core import Illegal
from cagnotte.players.steady import Hint, best

__all__ = ["Hint", "hint"]


def hint(view: Any, told: Sequence[Any]) -> Hint:
    """The move to make with its reason, from what the seat to act may know; raises Illegal for any other.

    `say(lang, hint.key, **hint.values)` is the reason. The action is None where any is as good as another.
    """
    if not view.moves:
        raise Illegal(None, "it is not your turn")
    found = best(view)
    if found is not None:
        return found
    return Hint(None, f"hint.any.{view.phase}", {"n": len(view.moves)})  # the cut, and all of Fear
