"""What stands before every request: the names that the server answers to, the pages that may talk to it, who asks, what browsers may do."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludarium.errors import ProtocolError
from ludarium.web.addresses import inner
from ludarium.web.page_files import import_map_digest

from .bans import Bans
from .visitor import Visitor, network_of, new_cookie, visitor_of

log = logging.getLogger("ludarium.web")


def _headers(ancestors: str, resource_policy: str) -> dict[str, str]:
    """Return the headers of every answer; ``ancestors`` may show the page in a frame."""
    return {
        "Cache-Control": "no-cache",
        "Content-Security-Policy": f"default-src 'self'; script-src 'self' 'sha256-{import_map_digest()}'; style-src 'self' 'unsafe-inline'; "
        f"img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors {ancestors}",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": resource_policy,
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }


AGAIN = 10
"""Seconds after which an address with too many requests may try again."""

_OPEN_TO_ALL = ("/organiser", "/api/organiser", "/static/", "/kept/")


def is_loopback(name: str) -> bool:
    """Whether a host name or address is this machine's own."""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


class Guard:
    """ASGI middleware.

    A loopback server answers to loopback names only, so that no foreign page reaches it by a name of its own (DNS rebinding).
    Requests of one address begin one after the other, and its sockets speak so (``scope["turn"]``): many of them delay other addresses no more than one.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        refuse: Callable[[Request, ProtocolError], Response],
        loopback_only: bool,
        names: Iterable[str] = (),
        open_at_once: int,
        bans: Bans | None = None,
    ) -> None:
        """``refuse`` answers requests that are not let in; ``open_at_once``: how many requests and sockets of one address are served at a time."""
        self._refuse = refuse
        self._app = app
        self._loopback_only = loopback_only
        self._names = {name.lower() for name in names}
        self._open_at_once = open_at_once
        self._bans = bans
        self._headers = _headers("'none'", "same-origin")
        self._framed = _headers("*", "cross-origin")
        """Of pages that others may show in a frame; they set no cookie."""
        self._open = Counter[str]()
        self._turns = WeakValueDictionary[str, asyncio.Lock]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        visitor = scope["visitor"] = visitor_of(connection)
        if scope["type"] == "http":
            is_framed = inner(scope["path"]).startswith("/embed/")
            cookie = "" if visitor.cookie or is_framed else new_cookie(is_secure=scope["scheme"] == "https")
            send = _with_headers(send, self._framed if is_framed else self._headers, cookie)
            if scope["method"] == "HEAD":
                scope = {**scope, "method": "GET"}  # the same answer, of which Uvicorn sends no body
        forwarded = connection.headers.get("x-forwarded-for")
        if forwarded is not None and visitor.address not in _networks(forwarded) and connection.client is not None:
            log.warning("X-Forwarded-For from %s is not believed; if that is your proxy, --trusted-proxy tells so", connection.client.host)
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        refusal = self._refusal(visitor, connection.headers, changes, scope["scheme"]) or self._ban(visitor, inner(scope["path"]))
        if refusal is None:
            self._open[visitor.address] += 1
            try:
                turn = scope["turn"] = self._turns.setdefault(visitor.address, asyncio.Lock())
                async with turn:
                    await asyncio.sleep(0)  # another address's request comes between two of this one's
                await self._app(scope, receive, send)
            finally:
                self._open[visitor.address] -= 1
                if not self._open[visitor.address]:
                    del self._open[visitor.address]
        elif scope["type"] == "http":
            await self._refuse(Request(scope), refusal)(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close"})  # before acceptance: HTTP status 403

    def _ban(self, visitor: Visitor, path: str) -> ProtocolError | None:
        """An organiser who has banned their own address can still lift that."""
        refusal = self._bans and not path.startswith(_OPEN_TO_ALL) and self._bans.refusal(address=visitor.address)
        return ProtocolError("banned", refusal) if refusal else None

    def _refusal(self, visitor: Visitor, headers: Mapping[str, str], changes: bool, scheme: str) -> ProtocolError | None:
        host = headers.get("host", "")
        name = _name(f"//{host}")
        if self._loopback_only and not is_loopback(name) and name not in self._names:
            return ProtocolError("bad_host", f"this server does not answer to the name {name[:80]!r}, unless it is started with --name")
        origin = headers.get("origin")
        if changes and origin is not None and not self._is_own(origin, host, scheme):
            return ProtocolError("bad_origin", f"pages of {origin[:80]!r} may not use this server, unless it is started with --name")
        if self._open[visitor.address] >= self._open_at_once:
            told = f"{self._open_at_once} requests from your address are being answered already; try again later"
            return ProtocolError("too_many", told, AGAIN)
        return None

    def _is_own(self, origin: str, host: str, scheme: str) -> bool:
        """Return whether a page is this server's. A proxy may have added TLS without ``X-Forwarded-Proto``, but cannot have removed it."""
        its_scheme, _, its_host = origin.lower().partition("://")
        schemes = ("https",) if scheme in ("https", "wss") else ("http", "https")
        return its_scheme in schemes and (its_host == host.lower() or _name(origin) in self._names)


def _networks(forwarded: str) -> set[str]:
    """Return the networks of the addresses, with or without ports, in an ``X-Forwarded-For`` header."""
    parts = (part.strip(' "') for part in forwarded.split(","))
    return {
        network_of(part[1:].partition("]")[0] if part.startswith("[") else part.split(":")[0] if part.count(":") == 1 else part)
        for part in parts
    }


def _name(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""


def _with_headers(send: Send, usual: Mapping[str, str], cookie: str) -> Send:
    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in usual.items():
                headers.setdefault(name, value)
            if cookie and headers.get("Content-Type", "").startswith("text/html"):
                headers["Set-Cookie"] = cookie
        await send(message)

    return answer
