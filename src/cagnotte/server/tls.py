"""Encrypted connections: the certificate, and a handshake that has to be done in time and is counted."""

import asyncio
import ssl
from asyncio import sslproto
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cagnotte.server.addresses import network

if TYPE_CHECKING:
    from cagnotte.server.door import Door


HELD: Final = 65_536  # bytes that wait for an encrypted connection before its sender has to; else 512 kB

sslproto.SSLProtocol.max_size = 32_768  # bytes that each has to read into; else 256 kB


class Unreadable(Exception):
    """A file that the host named cannot be used."""


def context(certificate: Path, key: Path | None) -> ssl.SSLContext:
    """How to speak TLS with this certificate; raises Unreadable."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)

    def password() -> str:
        raise Unreadable(f"the key in {key or certificate} has a password: store it without one")

    try:
        made.load_cert_chain(certificate, key, password)
    except (OSError, ValueError) as error:
        files = " and ".join(str(file) for file in (certificate, key) if file)
        raise Unreadable(f"the certificate in {files} cannot be used: {reason(error)}") from error
    return made


def reason(error: Exception) -> str:
    """What the system says of a file."""
    if isinstance(error, ssl.SSLError):
        return (error.reason or "no PEM").replace("_", " ").lower()
    return (isinstance(error, OSError) and error.strerror) or type(error).__name__


class Handshake(asyncio.Protocol):
    """A connection until it is encrypted, and then the door's.

    asyncio's own way gives each 60 s, and the door knows nothing of it meanwhile: one could hold all files.
    """

    def __init__(self, door: "Door", tls: ssl.SSLContext, seconds: float) -> None:
        self.door = door
        self.tls = tls
        self.seconds = seconds
        self.early = b""  # what came with the end of the handshake

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, unless there are too many already."""
        peer = (transport.get_extra_info("peername") or ("",))[0]
        if not self.door.gate.lets_in(peer):
            return transport.abort()
        transport.pause_reading()
        self.task = self.door.loop.create_task(self._shake(transport, network(peer)))

    def data_received(self, data: bytes) -> None:
        """A request that came before the door was there."""
        self.early += data

    async def _shake(self, transport: asyncio.Transport, address: str) -> None:
        loop = self.door.loop
        self.door.gate.hold(address)
        try:
            encrypted = await loop.start_tls(
                transport, self, self.tls, server_side=True, ssl_handshake_timeout=self.seconds
            )
        except (OSError, asyncio.CancelledError):  # an SSLError is an OSError
            return transport.abort()
        finally:
            self.door.gate.let_go(address)
        if encrypted is None or encrypted.is_closing():
            return
        encrypted.set_write_buffer_limits(HELD)
        encrypted.set_protocol(self.door)
        self.door.is_let_in = True
        self.door.connection_made(encrypted)
        if self.early and not encrypted.is_closing():
            self.door.data_received(self.early)
