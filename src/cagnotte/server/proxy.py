"""What a proxy in front says of those who come through it."""

from collections.abc import Callable, Sequence

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from cagnotte.server.addresses import bare


class Forwarded(ProxyHeadersMiddleware):
    """Believes X-Forwarded-For, -Proto and -Host, but only of a peer at one of these addresses or networks.

    Of those it names, the last that is no such proxy is who asks.
    """

    def __init__(self, app: ASGIApp, proxies: Sequence[str]) -> None:
        super().__init__(app, [*proxies])  # type: ignore[arg-type]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # type: ignore[override]
        """Hand on a request as whoever sent it to the proxy did."""
        if peer := scope.get("client"):
            scope["client"] = (bare(peer[0]), peer[1])
            if scope["client"][0] in self.trusted_hosts:
                hosts = [value for name, value in scope["headers"] if name == b"x-forwarded-host"]
                if hosts:
                    host = hosts[-1].rpartition(b",")[2].strip()
                    others = [header for header in scope["headers"] if header[0] != b"host"]
                    scope["headers"] = [(b"host", host), *others]
        await super().__call__(scope, receive, send)  # type: ignore[arg-type]


def trusted(proxies: Sequence[str]) -> Callable[[str], bool]:
    """Whether these addresses and networks hold an address."""
    return ProxyHeadersMiddleware(None, [*proxies]).trusted_hosts.__contains__  # type: ignore[arg-type]
