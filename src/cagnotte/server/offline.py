"""What a browser needs to do without a server: the shell of the page, and a Python that knows the rules."""

import hashlib
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from cagnotte.games import GAMES
from cagnotte.locale import LANGUAGES
from cagnotte.server.pages import LONG, RULES, STYLE, TYPES, Assets

PYTHON: Final = Path(__file__).parent / "python"
NO_CACHE: Final = {"Cache-Control": "no-cache"}
SHOWN: Final = (*TYPES, ".png", ".woff2")  # files that a page may ask for
# A page names its files from where it stands, so there is one for each depth.
PAGES: Final = ("", "t/-", "t/-/replay")
READ: Final = (
    "api/games",
    "api/offline",
    *(f"api/locale/{lang}" for lang in LANGUAGES),
    *(f"api/rules/{game}?lang={lang}" for game in GAMES for lang in LANGUAGES),
)


class Engine:
    """The Python that runs in a browser: its files as they are sent, under the address of their version.

    They are kept in memory, 5 MB, once for all who ask.
    """

    def __init__(self, folder: Path = PYTHON) -> None:
        found = (path for path in sorted(folder.iterdir()) if path.suffix in (".gz", ".zip"))
        self.files = {path.name.removesuffix(".gz"): (path.suffix, path.read_bytes()) for path in found}
        digest = hashlib.sha256()
        for _, body in self.files.values():
            digest.update(body)
        self.version = digest.hexdigest()[:12]
        self.bytes = sum(len(body) for _, body in self.files.values())

    async def file(self, request: Request) -> Response:
        """One of its files, packed whoever asks: browsers can all unpack, and here each would take 10 MB."""
        name = request.path_params["name"]
        if name not in self.files or request.path_params["version"] != self.version:
            return Response(status_code=404)
        suffix, body = self.files[name]
        packed = {"Content-Encoding": "gzip"} if suffix == ".gz" else {}
        kind = TYPES.get(Path(name).suffix, "application/zip")
        return Response(body, headers={"Cache-Control": LONG, **packed}, media_type=kind)


def routes(assets: Assets) -> list[BaseRoute]:
    """The service worker, the list of what it keeps, and the Python."""
    engine = Engine()
    listed = kept(assets, engine)

    async def service_worker(request: Request) -> Response:
        headers = NO_CACHE | {"content-security-policy": "default-src 'none'; connect-src 'self'"}
        return Response(assets.service_worker(), headers=headers, media_type="text/javascript")

    async def offline(request: Request) -> Response:
        return JSONResponse(listed, headers=NO_CACHE)

    return [
        Route("/sw.js", service_worker),
        Route("/api/offline", offline),
        Route("/python/{version}/{name}", engine.file),
    ]


def kept(assets: Assets, engine: Engine) -> dict[str, Any]:
    """What a browser keeps, by its addresses: the shell always, the engine for who would play alone."""
    static, python = f"static/{assets.version}/", f"python/{engine.version}/"
    shell = [STYLE, *(name for name in assets.names() if Path(name).suffix in SHOWN and name != "sw.js")]
    return {
        "version": assets.version,
        "shell": [*PAGES, *READ, *(static + name for name in shell)],
        "python": python,
        "rules": static + RULES,
        "engine": [*(python + name for name in engine.files), static + RULES],
        "bytes": engine.bytes + len(assets.rules),
    }
