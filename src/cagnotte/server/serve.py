"""`cagnotte serve`: a port, a database, a browser, and a clean end."""

import contextlib
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette

HOST: Final = "127.0.0.1"
PORT: Final = 8000
NEXT: Final = 20  # ports after the one wanted that are tried before any


def serve(
    host: str = HOST,
    port: int = PORT,
    database: Path | None = None,
    open_browser: bool = False,
    origins: Sequence[str] = (),
    proxy: bool = False,
) -> int:
    """Serve tables until interrupted; prints one line with the address. The exit code.

    `database` is a file, made where there is none; by default it lies among the user's data.
    """
    import uvicorn

    from cagnotte.server.app import app
    from cagnotte.server.hall import Hall
    from cagnotte.server.pages import Assets, Guard, Missing
    from cagnotte.server.store import Store, Unusable

    _log()
    store = Store(database or default_database())
    try:
        assets = Assets()
        listening = _listen(host, port)
        store.open()
    except (Missing, Unusable) as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(f"nothing can listen at {host} port {port}: {error.strerror or error}")
    found = listening.getsockname()[1]
    hall = Hall(store)
    connections = None if proxy else hall.limits.connections_of_address  # a proxy has those of all

    def network() -> str | None:
        return next(iter(_addresses(host, found)[1:]), None)

    server = uvicorn.Server(configured(app(hall, assets, Guard(origins, proxy), network), connections))

    def stop(*_: object) -> None:
        server.should_exit = True

    for end in (signal.SIGINT, signal.SIGTERM):
        signal.signal(end, stop)  # from now on; later uvicorn's own, which at the end raises it once more
    addresses = _addresses(host, found)
    try:
        print(_line(addresses, port, found), flush=True)
        if open_browser:  # at the address which works for others too, who will be sent the page's links
            threading.Thread(target=_browse, args=(addresses[-1],), daemon=True).start()
        server.run(sockets=[listening])
    finally:
        store.close()
    return 0


def configured(app: "Starlette", connections: int | None = None) -> "uvicorn.Config":
    """How this site is served, with so many connections for an address besides its sockets."""
    import uvicorn

    from cagnotte.server.door import Wire, door

    return uvicorn.Config(
        app,
        http=door(connections),
        ws=Wire,
        ws_max_size=4096,
        ws_per_message_deflate=False,
        ws_ping_interval=10.0,
        ws_ping_timeout=10.0,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
        lifespan="on",
    )


def _log() -> None:
    """What goes wrong, on stderr; what strangers send goes nowhere."""
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s", level=logging.WARNING)
    theirs = ("Invalid UTF-8 sequence", "Invalid HTTP request", "Unsupported upgrade request")
    logging.getLogger("uvicorn.error").addFilter(lambda record: not record.getMessage().startswith(theirs))
    logging.getLogger("asyncio").addFilter(_plain)


def _plain(record: logging.LogRecord) -> bool:
    """That the system gives no more files is told in a line; what came is let in a second later."""
    if record.getMessage().startswith("socket.accept() out of system resource"):
        record.msg, record.args, record.exc_info = "no more connections: too many open files", None, None
    return True


def default_database() -> Path:
    """Where the tables are kept unless one says otherwise."""
    if sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Application Support"
    else:
        folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return folder / "cagnotte" / "tables.sqlite"


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket at this port, or at a free one when it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in (*range(port, min(port + NEXT, 65536) if port else 1), 0):
        # Named as TCP, asyncio has it send at once; else each second piece waits 40 ms for the first.
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            if os.name != "nt":  # there it would let two servers share a port
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((host, candidate))
            listening.listen(2048)
            return listening
        except OSError as error:
            listening.close()
            if candidate == 0 or not _taken(error):
                raise
    raise AssertionError


def _taken(error: OSError) -> bool:
    import errno

    return error.errno in (errno.EADDRINUSE, errno.EACCES)


def _line(addresses: Sequence[str], wanted: int, port: int) -> str:
    line = "Cagnotte is at " + " and for others on this network at ".join(addresses)
    return line + (f" (port {wanted} is taken)" if wanted not in (0, port) else "")


def _addresses(host: str, port: int) -> list[str]:
    """Where the page is on this computer and, when it listens to all of its network, for others there."""
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host)
    names = [here, _lan_address()] if here else [host]
    return [f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/" for name in names if name]


def _lan_address() -> str | None:
    """This computer's address on its network, if it has one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # sends nothing, but chooses the way out
        address: str = probe.getsockname()[0]
        return address
    return None


def _browse(address: str) -> None:
    """Open a browser where there is a screen; one in text would take this terminal."""
    if sys.platform.startswith(("linux", "freebsd")) and not {"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"} & {
        *os.environ
    }:
        return
    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(address)


def _fail(why: str) -> int:
    print(f"cagnotte: {why}", file=sys.stderr)
    return 1
