"""Hosts with ports, as people write them and in URLs."""

from __future__ import annotations


def without_brackets(host: str) -> str:
    """Return ``::1`` for ``[::1]``, as IPv6 addresses stand in URLs; every other host as it is."""
    return host[1:-1] if host.startswith("[") and host.endswith("]") and ":" in host else host


def in_url(host: str) -> str:
    """Return a host as it stands in URLs and before ``:PORT``: an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host
