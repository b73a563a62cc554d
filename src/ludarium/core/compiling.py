"""Who is told that something is compiled. Here, so that one can listen before Numba is loaded."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["on_compile"]

on_compile: list[Callable[[str], None]] = []
"""Listeners, each called with a kernel's name just before it is compiled because no cache had it."""
