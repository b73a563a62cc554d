"""Addresses of this server's pages and files, below the path at which a proxy serves them."""

from __future__ import annotations

import re

from ludarium.errors import BadOption

_root = ""


def serve_below(path: str) -> str:
    """Put all addresses of this process below a path, as ``--root-path`` says, and return it without a slash at its end.

    Raises:
        BadOption: the path is not one such as ``/ludarium``.
    """
    global _root
    if not re.fullmatch(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*/?", path):
        raise BadOption(f"root-path={path} is not a path such as /ludarium: letters, digits and . _ ~ - after each slash")
    _root = path.rstrip("/")
    return _root


def at(path: str) -> str:
    """Return the address at which browsers find a path of this server, such as ``/people``."""
    return _root + path


def inner(path: str) -> str:
    """Return the path within this server of a request's path, which Uvicorn puts below the root path."""
    return path.removeprefix(_root)
