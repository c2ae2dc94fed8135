"""What a browser needs to do without a server: the shell of the page, and a Python that knows the rules."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from cagnotte.games import GAMES
from cagnotte.locale import LANGUAGES
from cagnotte.server.pages import RULES, TYPES, Assets, packed

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


def routes(assets: Assets) -> list[BaseRoute]:
    """The service worker, the list of what it keeps, and the Python."""

    async def service_worker(request: Request) -> Response:
        return Response(assets.service_worker, headers=NO_CACHE, media_type="text/javascript")

    async def offline(request: Request) -> Response:
        return JSONResponse(await to_thread.run_sync(kept, assets), headers=NO_CACHE)

    return [
        Route("/sw.js", service_worker),
        Route("/api/offline", offline),
        Mount("/python/{version}", assets.python),
    ]


def kept(assets: Assets) -> dict[str, Any]:
    """What a browser keeps, by its addresses: the shell always, the engine for whoever wants to play alone."""
    static, python = f"static/{assets.version}/", f"python/{assets.python.version}/"
    engine = list(_named(assets.python.names(), (*TYPES, ".zip")))
    shell = (static + name for name in _named(assets.names(), SHOWN) if name != "sw.js")
    return {
        "version": assets.version,
        "shell": [*PAGES, *READ, *shell],
        "python": python,
        "rules": static + RULES,
        "engine": [*(python + name for name in engine), static + RULES],
        "bytes": len(assets.rules) + sum(_weight(assets.python.folder / name) for name in engine),
    }


def _named(names: Iterable[str], suffixes: tuple[str, ...]) -> Iterable[str]:
    return (name for name in names if Path(name).suffix in suffixes)


def _weight(file: Path) -> int:
    """Bytes of a file as it comes over the network."""
    return len(packed(file, file.stat().st_mtime_ns)) if file.suffix in TYPES else file.stat().st_size
