"""What is served besides the tables: the client's files, and the headers and checks that guard everything."""

import hashlib
import mimetypes
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

STATIC: Final = Path(__file__).parent / "static"
LONG: Final = "public, max-age=31536000, immutable"

# A registry or a system may say otherwise, and a browser runs no module of another type.
for kind, suffix in (("text/javascript", ".js"), ("text/css", ".css"), ("image/svg+xml", ".svg")):
    mimetypes.add_type(kind, suffix)

HEADERS: Final = (
    ("content-security-policy", "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
     "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
     "frame-ancestors 'none'"),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
)  # fmt: skip
_HEADERS: Final = [(name.encode(), value.encode()) for name, value in HEADERS]


class Missing(Exception):
    """A part of the program is not where it should be."""


class Assets(StaticFiles):
    """The client's files under an address that holds their version, and the one page that loads them."""

    def __init__(self, folder: Path = STATIC) -> None:
        page = folder / "index.html"
        if not page.is_file():
            raise Missing(f"the client's files are missing: there is no {page}")
        super().__init__(directory=folder)
        digest = hashlib.sha256()
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                digest.update(
                    path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0"
                )
        self.version = digest.hexdigest()[:12]
        self.index = page.read_text(encoding="utf-8").replace("{{version}}", self.version)

    def page(self, path: str) -> str:
        """The page at a path: it names our files from there, so a proxy may serve us below any folder."""
        return self.index.replace("{{root}}", "../" * (path.count("/") - 1))

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file; under the address of our version a browser may keep it for good."""
        response = await super().get_response(path, scope)
        fresh = scope["path_params"]["version"] == self.version and response.status_code in (200, 304)
        response.headers["Cache-Control"] = LONG if fresh else "no-cache"
        return response


class Guard:
    """Which pages may talk to us, and who asks."""

    def __init__(self, origins: Iterable[str] = (), proxy: bool = False) -> None:
        self.origins = frozenset(origin.rstrip("/").lower() for origin in origins)
        self.proxy = proxy

    def allows(self, asked: HTTPConnection) -> bool:
        """Whether a request comes from our own page, from one allowed by name, or from no browser at all."""
        origin = asked.headers.get("origin")
        if origin is None:
            return True  # what is asked is proved by a token, never by a cookie
        scheme = {"ws": "http", "wss": "https"}.get(asked.scope["scheme"], asked.scope["scheme"])
        host = asked.headers.get("host", "")
        if self.proxy:
            scheme = asked.headers.get("x-forwarded-proto", scheme)
            host = asked.headers.get("x-forwarded-host", host)
        return origin.lower() in {f"{scheme}://{host}".lower(), *self.origins}

    def address(self, asked: HTTPConnection) -> str:
        """The network address of whoever asks."""
        forwarded = asked.headers.get("x-forwarded-for", "") if self.proxy else ""
        return forwarded.rpartition(",")[2].strip() or (asked.client.host if asked.client else "")


class Headed:
    """Puts the guarding headers on every response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_HEADERS]
            await send(message)

        await self.app(scope, receive, headed if scope["type"] == "http" else send)
