"""Answers over HTTP, and what is refused in many places."""

from typing import Any, Final

import msgspec
from starlette.responses import Response

from cagnotte.core import Illegal
from cagnotte.locale import refusal

UNREAD: Final = Illegal(None, "this message was not understood")
HURRIED: Final = Illegal(None, "too much was asked at once: wait a little")
GONE: Final = Illegal(None, "there is no such table: it may have been cleared away")
DAMAGED: Final = Illegal(None, "this table is damaged and cannot be opened")


def answer(values: Any, status: int = 200) -> Response:
    """These values as JSON, which no browser keeps without asking again."""
    head = {"Cache-Control": "no-cache"}
    return Response(msgspec.json.encode(values), status, head, media_type="application/json")


def refused(status: int, lang: str, illegal: Illegal) -> Response:
    """Why not, in this language."""
    return answer({"clause": illegal.clause, "message": refusal(lang, illegal)}, status)
