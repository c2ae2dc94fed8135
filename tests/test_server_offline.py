"""What the server hands out for the time without it."""

import re

import pytest
from sockets import ASSETS, asking, site

from cagnotte.server.offline import Engine

pytestmark = pytest.mark.anyio
PACKED = {"accept-encoding": "gzip"}


@pytest.mark.slow
async def test_everything_that_a_browser_keeps_is_there_and_nothing_of_a_table() -> None:
    async with site() as place, asking(place.url) as client:
        listed = (await client.get("/api/offline")).json()
        assert listed["version"] == ASSETS.version
        assert listed["bytes"] < 8_000_000
        for path in [*listed["shell"], *listed["engine"]]:
            assert not re.match(r"ws|api/(tables|codes|open|replay|record)", path)
            answer = await client.get(f"/{path}", headers=PACKED)
            assert answer.status_code == 200, path
            if path.startswith(("static/", "python/")):
                assert "immutable" in answer.headers["cache-control"], path
        wasm = next(path for path in listed["engine"] if path.endswith(".wasm"))
        plain = await client.get(f"/{wasm}", headers={"accept-encoding": "identity"})
        assert plain.content == (await client.get(f"/{wasm}", headers=PACKED)).content
        assert plain.content[:4] == b"\0asm" and plain.headers["content-type"] == "application/wasm"
        for wrong in (wasm.replace(Engine().version, "0" * 12), f"{wasm}.gz", "python/x/%2e%2e/app.py"):
            assert (await client.get(f"/{wrong}")).status_code == 404


async def test_only_the_worker_may_compile_and_the_page_may_not() -> None:
    """WebAssembly is allowed where the rules run, and script by eval nowhere."""
    async with site() as place, asking(place.url) as client:
        page, worker, service = [
            (await client.get(path)).headers["content-security-policy"]
            for path in ("/", f"/static/{ASSETS.version}/worker.js", "/sw.js")
        ]
    assert "worker-src 'self'" in page and "wasm" not in page
    assert "script-src 'self' 'wasm-unsafe-eval'" in worker and "connect-src 'self'" in worker
    assert not re.search("'unsafe-", page + worker + service)


async def test_the_service_worker_is_never_kept_and_changes_with_the_version() -> None:
    """B215: a browser sees an update of the server by the worker's bytes."""
    async with site() as place, asking(place.url) as client:
        answer = await client.get("/sw.js")
    assert answer.headers["cache-control"] == "no-cache"
    assert f'VERSION = "{ASSETS.version}"' in answer.text


async def test_the_page_itself_says_first_where_one_is() -> None:
    """Before any script has come, in the language that the browser likes."""
    async with site() as place, asking(place.url) as client:
        french = (await client.get("/", headers={"accept-language": "fr-CA, en;q=0.5"})).text
        assert "Cinq vieux jeux, une cagnotte" in french
        assert (await client.get("/?game=fear")).text == (await client.get("/join")).text
        assert "<h1>" in (await client.get("/t/2345678923")).text
        assert french.count('rel="stylesheet"') == 1
