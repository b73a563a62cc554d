"""Who is told that something is compiled, who would rather do without, and what users are warned of. Here, so that one can listen before Numba is loaded."""

from __future__ import annotations

import contextlib
import functools
import threading
import warnings
from collections.abc import Callable, Generator

on_compile: list[Callable[[str], None]] = []
"""Listeners, each called with a kernel's name just before it is compiled because no cache had it."""

on_build: list[Callable[[str], None]] = []
"""Listeners, each called with a player's spec just before its source is compiled or its build command runs."""


class NotCompiled(BaseException):
    """A kernel is in no cache, and was not to be compiled. No error of a game or a player, so that nobody who expects those takes it for one."""


@contextlib.contextmanager
def only_loading() -> Generator[None]:
    """Inside, in this thread, a kernel that no cache has is not compiled.

    Raises:
        NotCompiled: from the call of such a kernel.
    """
    here = threading.get_ident()

    def refuse(name: str) -> None:
        if threading.get_ident() == here:
            raise NotCompiled(name)

    on_compile.insert(0, refuse)  # before those who would say that it is compiled
    try:
        yield
    finally:
        on_compile.remove(refuse)


class Notice(RuntimeWarning):
    """Something about this machine that the user can improve. The command line shows its message alone."""


@functools.cache
def warn_once(message: str) -> None:
    """Warn of something about this machine, once in this process."""
    warnings.warn(message, Notice, stacklevel=2)
