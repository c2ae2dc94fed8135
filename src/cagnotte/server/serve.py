"""`cagnotte serve`: a port, a database, a browser, and a clean end."""

import contextlib
import gc
import os
import signal
import socket
import ssl
import sys
import threading
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cagnotte.server.logs import set_up
from cagnotte.server.tls import Unreadable, context, reason

if TYPE_CHECKING:
    import uvicorn
    from starlette.applications import Starlette

HOST: Final = "127.0.0.1"
PORT: Final = 8000
NEXT: Final = 20  # ports after the one wanted that are tried before any
WAITING: Final = 2048  # connections that the system keeps until they are taken …
TAKEN: Final = 16  # … and how many of them in a round of the loop, so that players are heard in between
HELD: Final = 131_072  # bytes that the system keeps of what a connection does not read, about …
UNSENT: Final = 65_536  # … and of what is not yet on its way


@dataclass(frozen=True)
class Settings:
    """What a host may choose."""

    host: str = HOST
    port: int = PORT
    database: Path | None = None  # made where there is none; by default it lies among the user's data
    open_browser: bool = False
    origins: Sequence[str] = ()  # of other pages that may connect
    proxies: Sequence[str] = ()  # addresses and networks whose forwarded headers are believed
    base: str = ""  # the path below which all of it is, such as `/cards`
    certificate: Path | None = None  # and all that leads to its root, as PEM
    key: Path | None = None  # in the certificate's file unless it is named
    metrics_token: Path | None = None  # a file
    log_level: str = "warning"
    log_form: str = "text"

    @property
    def scheme(self) -> str:
        """How the page is reached."""
        return "http" if self.certificate is None else "https"


def serve(wanted: Settings) -> int:
    """Serve tables until interrupted; prints one line with the address. The exit code."""
    import uvicorn

    from cagnotte.server.app import app
    from cagnotte.server.hall import Hall
    from cagnotte.server.pages import Assets, Guard, Missing
    from cagnotte.server.store import Store, Unusable

    set_up(wanted.log_level, wanted.log_form)
    store = Store(wanted.database or default_database())
    try:
        token = _token(wanted.metrics_token)
        tls = context(wanted.certificate, wanted.key) if wanted.certificate else None
        assets = Assets()
        listening = _listen(wanted.host, wanted.port)
        store.open()
    except (Missing, Unusable, Unreadable) as error:
        return _fail(str(error))
    except OSError as error:
        where = f"{wanted.host} port {wanted.port}"
        return _fail(f"nothing can listen at {where}: {error.strerror or error}")
    found = listening.getsockname()[1]
    addresses = _addresses(wanted, found)

    def network() -> str | None:
        return next(iter(_addresses(wanted, found)[1:]), None)

    guard = Guard(wanted.origins, wanted.proxies)
    site = app(Hall(store), assets, guard, network, wanted.base, token)
    server = uvicorn.Server(configured(site, tls))

    def stop(*_: object) -> None:
        server.should_exit = True

    for end in (signal.SIGINT, signal.SIGTERM):
        signal.signal(end, stop)  # from now on; later uvicorn's own, which at the end raises it once more
    try:
        print(_line(addresses, wanted.port, found), flush=True)
        if (
            wanted.open_browser
        ):  # at the address which works for others too, who will be sent the page's links
            threading.Thread(target=_browse, args=(addresses[-1],), daemon=True).start()
        _collect_seldom()
        server.run(sockets=[listening])
    finally:
        store.close()
    return 0


def _collect_seldom() -> None:
    """Have the loop stopped less often, and not for what the program itself consists of.

    With a thousand connections Python takes 0.1 s to look through all that there is for what is held by
    nothing but itself, and would do so with every few thousand objects more.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 20, 10)


def _token(file: Path | None) -> str | None:
    """The token in a file."""
    try:
        found = None if file is None else file.read_text("utf-8").strip()
    except (OSError, ValueError) as error:
        raise Unreadable(f"the token in {file} cannot be read: {reason(error)}") from error
    if found == "":
        raise Unreadable(f"there is no token in {file}")
    if found and not all("!" <= char <= "~" for char in found):  # nobody could send it in a header
        raise Unreadable(f"the token in {file} is not of letters, digits and signs in one line")
    return found


def configured(app: "Starlette", tls: ssl.SSLContext | None = None) -> "uvicorn.Config":
    """How this site is served, encrypted or not."""
    import uvicorn

    from cagnotte.server.door import Socket, door

    return uvicorn.Config(
        app,
        http=door(app.state.gate, tls),  # type: ignore[arg-type]
        ws=Socket,
        ws_max_size=4096,
        ws_per_message_deflate=False,
        ws_ping_interval=10.0,
        ws_ping_timeout=10.0,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=TAKEN,
        timeout_graceful_shutdown=1,
        lifespan="on",
    )


def default_database() -> Path:
    """Where the tables are kept unless one says otherwise."""
    if sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        folder = Path.home() / "Library" / "Application Support"
    else:
        given = Path(os.environ.get("XDG_DATA_HOME", ""))  # to be ignored where it is relative
        folder = given if given.is_absolute() else Path.home() / ".local" / "share"
    return folder / "cagnotte" / "tables.sqlite"


class Listening(socket.socket):
    """Has the system keep all who would connect, however few asyncio takes of them in a round."""

    def listen(self, backlog: int = WAITING) -> None:
        """Take part; `backlog` is asyncio's own affair."""
        super().listen(WAITING)


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket at this port, or at a free one when it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in (*range(port, min(port + NEXT, 65536) if port else 1), 0):
        # Named as TCP, asyncio has it send at once; else each second piece waits 40 ms for the first.
        listening = Listening(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            if os.name != "nt":  # there it would let two servers share a port
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, HELD)  # else some MB each
            if hasattr(socket, "TCP_NOTSENT_LOWAT"):
                listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT)
            listening.bind((host, candidate))
            listening.listen()
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


def _addresses(wanted: Settings, port: int) -> list[str]:
    """Where the page is on this computer and, when it listens to all of its network, for others there."""
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(wanted.host)
    names = [here, _lan_address()] if here else [wanted.host]
    hosts = [f"[{name}]" if ":" in name else name for name in names if name]
    return [f"{wanted.scheme}://{host}:{port}{wanted.base}/" for host in hosts]


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
