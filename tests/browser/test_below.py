"""The page below a path, encrypted by the server, or by a proxy that hands paths on or takes them away."""

import json
import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress

import pytest
from company import promised
from conftest import ROOT, Served
from person import play
from playwright.sync_api import Browser, expect

pytestmark = pytest.mark.slow
CERTIFICATE, KEY = ROOT / "tests/data/certificate.pem", ROOT / "tests/data/key.pem"


@contextmanager
def proxied(url: str, strip: bool) -> Iterator[str]:
    """A proxy that ends TLS and has one request a connection; with `strip` it takes /cards away."""
    port = int(url.split(":")[2].partition("/")[0])
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(CERTIFICATE, KEY)
    listening = socket.create_server(("127.0.0.1", 0))
    here = f"127.0.0.1:{listening.getsockname()[1]}"

    def pump(one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while piece := one.recv(65536):
                other.sendall(piece)
        for each in (one, other):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def answer(plain: socket.socket) -> None:
        with suppress(OSError), tls.wrap_socket(plain, server_side=True) as outer:
            asked = b""
            while b"\r\n\r\n" not in asked:
                if not (piece := outer.recv(65536)):
                    return
                asked += piece
            line, _, rest = asked.partition(b"\r\n")
            if strip:
                line = line.replace(b" /cards", b" ", 1)
            if b"upgrade: websocket" not in rest.lower():
                rest = re.sub(rb"(?i)connection: keep-alive", b"Connection: close", rest, count=1)
            added = f"X-Forwarded-Proto: https\r\nX-Forwarded-Host: {here}\r\nX-Forwarded-For: 192.0.2.7\r\n"
            with closing(socket.create_connection(("127.0.0.1", port))) as inner:
                inner.sendall(line + b"\r\n" + added.encode() + rest)
                back = threading.Thread(target=pump, args=(inner, outer), daemon=True)
                back.start()
                pump(outer, inner)
                back.join()

    def serve() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=answer, args=(listening.accept()[0],), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"https://{here}/cards"
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()


@pytest.mark.parametrize("way", ["itself", "handed on", "taken away"])
def test_B209_all_works_below_a_path_and_encrypted(
    browser: Browser, serve: Callable[..., Served], way: str
) -> None:
    """B211: links, the icon, sockets, a deal looked at again and its shuffle."""
    if way == "itself":
        below(
            browser, serve("--certificate", str(CERTIFICATE), "--key", str(KEY), "--base-path", "/cards").url
        )
        return
    strip = way == "taken away"
    place = serve("--proxy", *([] if strip else ["--base-path", "/cards"]))
    with proxied(place.url, strip) as url:
        below(browser, url)


def test_B209_the_worker_stands_below_its_path_and_opens_home_there(
    browser: Browser, serve: Callable[..., Served]
) -> None:
    """Not encrypted: a browser takes no worker by a certificate that it does not know."""
    place = serve("--base-path", "/cards")
    with closing(browser.new_context()) as context:
        page = context.new_page()
        page.goto(f"{place.url}/")
        page.locator("h1[tabindex]").first.wait_for()
        page.evaluate("navigator.serviceWorker.register('sw.js').then(() => null)")  # not when it is idle
        assert promised(page, "navigator.serviceWorker.ready.then((one) => one.scope)") == f"{place.url}/"
        named = promised(page, "caches.keys()")
        assert named and all(name.startswith("/cards/ ") for name in named)  # the origin may have another
        place.stop()
        page.goto(f"{place.url}/?game=fear")
        page.locator("h1[tabindex]").first.wait_for()


def below(browser: Browser, url: str) -> None:
    """One opens a table here, invites, plays, and looks again."""
    context = browser.new_context(
        ignore_https_errors=True, viewport={"width": 390, "height": 664}, locale="en"
    )
    page, complaints, strays = context.new_page(), list[str](), list[str]()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request",
        lambda asked: strays.append(asked.url) if not asked.url.startswith((url, "data:")) else None,
    )
    page.on("response", lambda told: complaints.append(told.url) if told.status >= 400 else None)
    page.goto(f"{url}/")
    page.locator("h1[tabindex]").first.wait_for()
    manifest = page.evaluate("document.querySelector('link[rel=manifest]').href")
    told = json.loads(context.request.get(manifest).text())
    for named in ("start_url", "scope", "id"):
        if named in told:
            assert page.evaluate("(asked) => new URL(...asked).href", [told[named], manifest]) == f"{url}/"

    page.goto(f"{url}/?game=fan-tan")
    page.locator("#name").fill("Ann")
    page.get_by_role("radio").nth(1).check()  # with friends
    page.locator(".acts .btn").click()
    page.locator(".lobby").wait_for()
    assert re.fullmatch(rf"{url}/t/\w+", page.url)
    expect(page.locator(".lobby .link input").first).to_have_value(page.url)
    expect(page.locator(".lobby")).to_contain_text(f"To be typed at {url.removeprefix('https://')},")

    body = {"game": "fan-tan", "name": "Ann", "seats": ["person", "steady", "steady"], "players": 3}
    body |= {"pace": "once", "rules": {"deals": 1}}
    post = f"fetch('{url}/api/tables', {{method: 'POST', body: {json.dumps(json.dumps(body))}}})"
    opened = promised(page, f"{post}.then((answer) => answer.json())")
    page.goto(f"{url}/t/{opened['table']}#seat={opened['token']}")
    page.reload()
    for _ in play(page):
        pass
    page.locator(".settlement a.look").click()
    page.get_by_role("button", name="Check the shuffle").click()
    expect(page.locator(".fair .verdict")).to_have_count(2)
    assert page.url.startswith(f"{url}/t/{opened['table']}/replay")
    page.reload()
    page.locator(".replay").wait_for()
    assert complaints == [] and strays == []
    context.close()
