"""Answers over HTTP, and what is refused in many places."""

from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from cagnotte.core import Illegal
from cagnotte.locale import LANGUAGES, refusal

HURRIED: Final = Illegal(None, "too much was asked at once: wait a little")
FOREIGN: Final = Illegal(None, "this page may not ask that")
GONE: Final = Illegal(None, "there is no such table: it may have been deleted")
DAMAGED: Final = Illegal(None, "this table is damaged and cannot be opened")


def language(request: Request) -> str:
    """The language that is asked for, English where it is none of ours."""
    asked = request.query_params.get("lang")
    return asked if asked in LANGUAGES else "en"


def answer(values: Any, status: int = 200) -> Response:
    """These values as JSON, which no browser keeps without asking again."""
    head = {"Cache-Control": "no-cache"}
    return Response(msgspec.json.encode(values), status, head, media_type="application/json")


def refused(status: int, lang: str, illegal: Illegal) -> Response:
    """Why not, in this language."""
    gone = {"code": "gone"} if illegal is GONE else {}  # as a socket is told
    return answer({"clause": illegal.clause, "message": refusal(lang, illegal), **gone}, status)
