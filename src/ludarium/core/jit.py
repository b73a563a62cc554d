"""The one place that compiles.

Three decorators turn Python functions into machine code:

``compiled``
    a function that other compiled code calls. It lives inside its callers' machine code and has no cache file of its own.
``subroutine``
    a large function that other compiled code calls, in several places or from several others: it stays one function in their machine code.
``kernel``
    an entry point that Python calls. Its machine code is kept on disk and found again by the next process, see :mod:`ludarium.core.cache`. An edit of
    anything that it was made of compiles it anew, an edit elsewhere does not.

Numba has no public names for all this: :mod:`ludarium.core.dispatchers` changes its insides, and does so in those versions only that it was tested with. In any
other version functions are compiled by public means and nothing is kept on disk, because Numba's own cache does not notice an edit in another file.

With ``NUMBA_DISABLE_JIT=1`` the decorators leave plain Python functions, which run the same rules slowly and can be stepped through.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

from .compiling import on_compile, warn_once

__all__ = ["INNER", "JIT", "NEWEST", "OLDEST", "OPTIONS", "compiled", "kernel", "on_compile", "plain", "subroutine"]

JIT: bool = not cast(Any, numba).config.DISABLE_JIT
"""False when ``NUMBA_DISABLE_JIT=1`` asks for plain Python."""

OLDEST, NEWEST = (0, 61), (0, 68)
"""Supported versions of Numba, as in ``pyproject.toml``; ``make test-lowest`` tests the oldest, ``make test`` the newest."""

_dispatchers: Any = None
"""The module of that name, which imports what another version may not have; None there, and in plain Python."""

if JIT and OLDEST <= cast(Any, numba.version_info).short <= NEWEST:
    _dispatchers = importlib.import_module(".dispatchers", __package__)
elif JIT:
    warn_once(
        f"compiled code is kept with Numba {OLDEST[0]}.{OLDEST[1]} to {NEWEST[0]}.{NEWEST[1]}; this is {numba.__version__}, so every process compiles it"
    )

Function = TypeVar("Function", bound=Callable[..., Any])

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"} | (_dispatchers.OPTIONS if _dispatchers else {})
"""How everything is compiled: without the GIL, and dividing by zero as NumPy does."""

INNER: dict[str, Any] = OPTIONS | (_dispatchers.INNER if _dispatchers else {})
"""How functions are compiled that only compiled functions call."""


def compiled(function: Function) -> Function:
    """Compile a function that other compiled functions call.

    Signed integers of any width arrive as 64 bits. The result keeps the type that Numba infers; widen small integers when reading them (``int(state.ply)``).
    """
    return _inner(function)


def subroutine(function: Function) -> Function:
    """Compile a function like :func:`compiled`, but without copying its machine code into every place that calls it."""
    return _inner(function, forceinline=False)


def plain(function: Function) -> Function:
    """The Python function under a compiled one, for a call from Python that is too rare to be worth a kernel. It must not call compiled ones itself.

    Calling a :func:`compiled` function from Python would compile it in every process.
    """
    return cast(Function, getattr(function, "py_func", function))


def kernel(signature: Any = None) -> Callable[[Function], Function]:
    """Compile an entry point that Python calls, and keep its machine code on disk.

    Use it as ``@kernel()``; or with a Numba signature of 64-bit integers when the function, or one that it calls, calls itself. With a signature it is compiled
    at once, so what it calls stands above it. The compiled function releases the GIL.

    Raises:
        TypeError: the function calls itself and has no signature (entered with a 32-bit integer, its two versions would look for each other in vain).
    """

    def decorate(function: Function) -> Function:
        if signature is None and function.__name__ in cast(Any, function).__code__.co_names:
            raise TypeError(f"{function.__name__} calls itself: give its kernel a signature of 64-bit integers")
        if not JIT:
            return cast(Function, _with_wrapping_integers(function))
        if _dispatchers is None:
            return cast(Any, numba.njit)(signature, **OPTIONS)(function)
        cache = _dispatchers.Cache(function)
        return _dispatchers.kernel(cast(Any, numba.njit)(**OPTIONS)(_dispatchers.named(function)), cache, signature)

    return decorate


def _inner(function: Any, **options: Any) -> Any:
    if not JIT:
        return function
    if _dispatchers is None:
        return cast(Any, numba.njit)(**INNER)(function)
    return _dispatchers.inner(cast(Any, numba.njit)(**INNER | options)(_dispatchers.named(function)))


def _with_wrapping_integers(function: Callable[..., Any]) -> Callable[..., Any]:
    """Plain Python warns where 64-bit sums wrap on purpose (random generators, hashes); machine code does not."""

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*arguments)

    return call
