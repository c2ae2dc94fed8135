"""What is served besides the tables: the client's files, and the headers and checks that guard everything."""

import gzip
import hashlib
import io
import json
import mimetypes
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property, partial
from html import escape
from pathlib import Path
from typing import Final

from anyio import to_thread
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cagnotte.locale import LANGUAGES, say
from cagnotte.server.addresses import loopback, network

STATIC: Final = Path(__file__).parent / "static"
PACKAGE: Final = Path(__file__).parents[1]
LONG: Final = "public, max-age=31536000, immutable"

# A registry or a system may say otherwise, and a browser runs no module of another type.
TYPES: Final = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}
for suffix, kind in TYPES.items():
    mimetypes.add_type(kind, suffix)

HEADERS: Final = (
    ("content-security-policy", "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
     "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
     "base-uri 'none'; form-action 'none'; "
     "frame-ancestors 'none'"),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
)  # fmt: skip
# Where the rules run without a network, and nowhere else, WebAssembly may be compiled.
WORKER: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
}
POLICIES: Final = {"worker.js": WORKER, "odds.js": {"content-security-policy": "default-src 'none'"}}
INERT: Final = (b"text/css", b"text/javascript")
_HEADERS: Final = [(name.encode(), value.encode()) for name, value in HEADERS]


class Missing(Exception):
    """A part of the program is not where it should be."""


class Assets(StaticFiles):
    """The client's files under an address that holds their version, and the one page that loads them.

    Our rules are among them, for a browser to run by itself. What a browser gets is packed once.
    """

    def __init__(self, folder: Path = STATIC) -> None:
        page = folder / "index.html"
        if not page.is_file():
            raise Missing(f"the client's files are missing: there is no {page}")
        super().__init__(directory=folder)
        self.folder = folder
        self.rules = sources()
        digest = hashlib.sha256(self.rules)
        for name in self.names():
            digest.update(name.encode() + b"\0" + (folder / name).read_bytes() + b"\0")
        self.version = digest.hexdigest()[:12]
        self.index = self._named(page)
        for name, words in _before_words().items():
            self.index = self.index.replace(f"{{{{{name}}}}}", words)
        links = list(LINK.finditer(self.index))
        self.style = b"\n".join((folder / link[1]).read_bytes() for link in links)
        if links:  # one file instead of many, in the order of the page
            one = links[0][0].replace(links[0][1], STYLE)
            self.index = self.index[: links[0].start()] + one + self.index[links[-1].end() :]

    def names(self) -> list[str]:
        """The client's files by their paths."""
        found = (path.relative_to(self.folder) for path in self.folder.rglob("*") if path.is_file())
        return sorted(path.as_posix() for path in found)

    def service_worker(self) -> str:
        """The script that keeps the shell, for this version of it."""
        return self._named(self.folder / "sw.js")

    def _named(self, file: Path) -> str:
        return file.read_text(encoding="utf-8").replace("{{version}}", self.version)

    def page(self, path: str, query: str = "", lang: str = "en") -> str:
        """The page at a path: it names our files from there, so a proxy may serve us below any folder.

        What is seen first is in it, so that nobody waits for a script to read where he has come to.
        """
        first = ""
        if path == "/" and not query:
            words = escape(say(lang, "ui.home.title")), escape(say(lang, "ui.home.line"))
            first = '<main class="page home"><header><h1>{}</h1><p class="lead">{}</p></header></main>'
            first = first.format(*words)
        elif path.startswith("/t/") and path.count("/") == 2:
            first = f'<main class="page narrow plain"><h1>{escape(say(lang, "ui.opening"))}</h1></main>'
        shown = f'<header class="bar"></header>{first}' if first else ""
        return self.index.replace("{{root}}", "../" * (path.count("/") - 1)).replace("{{first}}", shown)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file; under the address of our version a browser may keep it for good."""
        keep = LONG if scope["path_params"]["version"] == self.version else "no-cache"
        if path == RULES:
            return Response(self.rules, headers={"Cache-Control": keep}, media_type="application/zip")
        if scope["method"] == "GET" and path in self._packable:
            return await self._packed(path, keep, Headers(scope=scope))
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = keep if response.status_code in (200, 304) else "no-cache"
        return response

    @cached_property
    def _packable(self) -> frozenset[str]:
        return frozenset([STYLE, *(name for name in self.names() if Path(name).suffix in TYPES)])

    async def _packed(self, path: str, keep: str, asked: Headers) -> Response:
        """A file with no header that it can do without."""
        headers = {"Cache-Control": keep, **POLICIES.get(path, {})}
        body = self.style if path == STYLE else (self.folder / path).read_bytes()
        return await lasting(plain(path, body), asked, headers, TYPES[Path(path).suffix])


@cache
def plain(path: str, body: bytes) -> bytes:
    """A script or style of ours without the comments that have lines to themselves, which keep their numbers.

    They are a quarter of what our scripts weigh. In `vendor` licences are among them.
    """
    if not path.endswith((".js", ".css")) or path.startswith("vendor/"):
        return body
    return COMMENT.sub(lambda found: b"\n" * found[0].count(b"\n"), body)


COMMENT: Final = re.compile(rb"^[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*)[ \t]*\n", re.MULTILINE)


async def lasting(
    body: bytes, asked: Headers, headers: Mapping[str, str], kind: str = "application/json"
) -> Response:
    """An answer that is the same whenever it is asked for, and is packed once."""
    head = {**headers, "Vary": "Accept-Encoding"}
    if "gzip" in asked.get("accept-encoding", ""):
        head["Content-Encoding"] = "gzip"
        body = await to_thread.run_sync(packed, body)
    return Response(body, headers=head, media_type=kind)


packed: Final = cache(partial(gzip.compress, compresslevel=9, mtime=0))


RULES: Final = "cagnotte.zip"
STYLE: Final = "css/all.css"


def _before_words() -> dict[str, str]:
    """What the page tells without a catalogue: which there are, and in each language why it has none."""

    def told(lang: str, key: str, more: str = "") -> str:
        return f'<span lang="{lang}">{escape(say(lang, key))}{more}</span>'

    again = {lang: f' <a href="">{escape(say(lang, "ui.failed.again"))}</a>' for lang in LANGUAGES}
    failed = (told(lang, "ui.failed", again[lang]) for lang in LANGUAGES)
    without = (told(lang, "ui.noscript") for lang in LANGUAGES)
    languages = escape(json.dumps(LANGUAGES, ensure_ascii=False))
    return {"languages": languages, "failed": " · ".join(failed), "noscript": " ".join(without)}


LINK: Final = re.compile(r'<link rel="stylesheet" href="{{root}}static/\w+/([^"]+)">')


def sources() -> bytes:
    """The modules below the shells and their words, as an archive that is the same for the same sources."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for path in sorted(PACKAGE.rglob("*")):
            name = path.relative_to(PACKAGE.parent).as_posix()
            if path.suffix in (".py", ".json") and not name.startswith(SHELLS):
                info = zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0))
                archive.writestr(info, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return made.getvalue()


SHELLS: Final = (
    *(f"cagnotte/{name}.py" for name in ("__main__", "cli", "commands", "guests", "options")),
    *(f"cagnotte/{name}/" for name in ("server", "study", "terminal")),
)


class Guard:
    """Which pages may talk to us, and who asks. What `proxies` say has been believed before (`Forwarded`)."""

    def __init__(self, origins: Iterable[str] = (), proxies: Sequence[str] = ()) -> None:
        self.origins = frozenset(origin.rstrip("/").lower() for origin in origins)
        self.proxies = proxies

    def allows(self, asked: HTTPConnection) -> bool:
        """Whether a request comes from our own page, from one allowed by name, or from no browser at all."""
        origin = asked.headers.get("origin")
        if origin is None:
            return True  # what is asked is proved by a token, never by a cookie
        return origin.lower() in {self.origin(asked), *self.origins}

    def origin(self, asked: HTTPConnection) -> str:
        """The origin of our own page, as whoever asks has reached it."""
        scheme = {"ws": "http", "wss": "https"}.get(asked.scope["scheme"], asked.scope["scheme"])
        return f"{scheme}://{asked.headers.get('host', '')}".lower()

    def trusted(self, asked: HTTPConnection) -> bool:
        """Whether a browser trusts the line to our page: it is encrypted, or stays on one machine."""
        scheme, _, host = self.origin(asked).partition("://")
        return scheme == "https" or f"https://{host}" in self.origins or loopback(host)

    def here(self, asked: HTTPConnection) -> bool:
        """Whether a browser on this machine asks, of a page whose address means nothing elsewhere."""
        return not self.proxies and not self.origins and self.local(asked)

    def local(self, asked: HTTPConnection) -> bool:
        """Whether a program on this machine asks, under an address that means this machine."""
        return loopback(self.address(asked)) and loopback(asked.headers.get("host", ""))

    def address(self, asked: HTTPConnection) -> str:
        """The network address of whoever asks, as it is counted."""
        return network(asked.client.host) if asked.client else ""


class Headed:
    """Puts the guarding headers on every response; one of them only where browsers heed it."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self.app = app
        self.guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}
                if not self.guard.trusted(HTTPConnection(scope)):
                    own.add(b"cross-origin-opener-policy")  # there it is ignored, with a complaint
                if dict(message["headers"]).get(b"content-type", b"").startswith(INERT):
                    own.add(b"content-security-policy")  # it speaks to documents and workers
                message["headers"] = [
                    *message["headers"], *(header for header in _HEADERS if header[0] not in own)
                ]  # fmt: skip
            await send(message)

        await self.app(scope, receive, headed if scope["type"] == "http" else send)
