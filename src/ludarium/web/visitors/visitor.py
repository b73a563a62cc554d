"""Who asks. Rates, places and the bots' time are shared out among visitors, and among the addresses that they come from."""

from __future__ import annotations

import ipaddress
import re
import secrets
from dataclasses import dataclass
from functools import lru_cache

from starlette.requests import HTTPConnection

from ludarium.web.addresses import at

COOKIE = "visitor"
_COOKIE = re.compile(rf"(?:^|; ?){COOKIE}=([A-Za-z0-9_-]{{22}})(?:;|$)")


@dataclass(frozen=True)
class Visitor:
    """A browser at an address, known by a cookie; all programs there that send none are one visitor.

    The cookie opens nothing. Whoever throws it away is another visitor, who shares with the first what their address has.
    """

    address: str
    """An IPv4 address, or an IPv6 network of 64 bits, which is what one household or one computer has."""
    cookie: str = ""


HOUSE = Visitor("the house")
"""The server itself, at whose expense is what nobody has asked for."""


def visitor_of(connection: HTTPConnection) -> Visitor:
    """Who makes a request or opens a socket. Behind a proxy that is trusted the address is the one that it tells: Uvicorn sees to that."""
    cookie = _COOKIE.search(connection.headers.get("cookie", ""))
    client = connection.client
    return Visitor("" if client is None else network_of(client.host), cookie[1] if cookie else "")


@lru_cache(10_000)
def network_of(host: str) -> str:
    """The part of an address by which visitors are told apart."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host[:100]  # a name that a proxy gave
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or ipaddress.ip_network((address, 64), strict=False))


def new_cookie(*, is_secure: bool) -> str:
    """The header's value that makes a browser a visitor of its own, for as long as it runs."""
    return f"{COOKIE}={secrets.token_urlsafe(16)}; Path={at('/')}; HttpOnly; SameSite=Lax{'; Secure' if is_secure else ''}"
