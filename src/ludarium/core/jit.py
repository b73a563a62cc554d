"""The one place that compiles.

Three decorators turn Python functions into machine code:

``compiled``
    a function that other compiled code calls. It lives inside its callers' machine code and has no cache file of its own.
``subroutine``
    a large function that other compiled code calls, in several places or from several others: it stays one function in their machine code.
``kernel``
    an entry point that Python calls. Its machine code is kept on disk and found again by the next process, see :mod:`ludarium.core.cache`. An edit of
    anything that it was made of compiles it anew, an edit elsewhere does not.

With ``NUMBA_DISABLE_JIT=1`` the decorators leave plain Python functions, which run the same rules slowly and can be stepped through.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import config, typeinfer, types

from .cache import Cache
from .compiling import on_compile
from .fingerprint import content_name, file_digest
from .libraries import KernelLibrary, LinkedLibrary, compiling_into

__all__ = ["INNER", "JIT", "OPTIONS", "compiled", "kernel", "on_compile", "plain", "subroutine"]

JIT: bool = not cast(Any, config).DISABLE_JIT
"""False when ``NUMBA_DISABLE_JIT=1`` asks for plain Python."""

Function = TypeVar("Function", bound=Callable[..., Any])

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "forceinline": True, "_nrt": False}
"""How everything is compiled: without the GIL, dividing by zero as NumPy does, into the machine code of the caller, and without counting references to
arrays (which is why compiled code makes no arrays). The last two are worth a factor of two to five in playouts and search."""


def compiled(function: Function) -> Function:
    """Compile a function that other compiled functions call.

    Signed integers of any width arrive as 64 bits. The result keeps the type that Numba infers; widen small integers when reading them (``int(state.ply)``).
    """
    return cast(Function, _inner(function)) if JIT else function


def subroutine(function: Function) -> Function:
    """Compile a function like :func:`compiled`, but without copying its machine code into every place that calls it."""
    return cast(Function, _inner(function, forceinline=False)) if JIT else function


def plain(function: Function) -> Function:
    """The Python function under a compiled one, for a call from Python that is too rare to be worth a kernel.

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
        cache = Cache(function)
        dispatcher = _dispatcher(function, KernelLibrary)
        dispatcher._cache = cache
        if signature is not None:
            with cast(Any, typeinfer).register_dispatcher(dispatcher):  # a function that calls itself has no name yet
                dispatcher.compile(signature)
            dispatcher.disable_compile()
        return cast(Function, dispatcher)

    return decorate


INNER: dict[str, Any] = OPTIONS | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""How functions are compiled that only compiled functions call: without the entries for Python and C, which would take a third of the time."""


def _inner(function: Any, **options: Any) -> Any:
    """A dispatcher for compiled callers. It has one version for integers of all widths: without this, every literal argument would compile one more."""
    dispatcher = _dispatcher(function, LinkedLibrary, **INNER | options)
    get_call_template = dispatcher.get_call_template

    def get_widened_call_template(arguments: Any, keywords: Any) -> Any:
        return get_call_template(tuple(_widened(one) for one in arguments), {name: _widened(one) for name, one in keywords.items()})

    def refuse(*arguments: Any, **keywords: Any) -> Any:
        raise TypeError(f"{function.__name__} is compiled for compiled callers; from Python, call a kernel or plain({function.__name__})")

    dispatcher.get_call_template = get_widened_call_template
    dispatcher._insert = _ignore
    dispatcher._compile_for_args = refuse
    return dispatcher


def _ignore(*arguments: Any) -> None:
    """Keep a version out of the table of what Python may call."""


def _widened(one: Any) -> Any:
    one = cast(Any, types).unliteral(one)
    return cast(Any, types.int64 if isinstance(one, types.Integer) and cast(Any, one).signed else one)


def _dispatcher(function: Any, library: type, **options: Any) -> Any:
    file_digest(function.__module__)  # now, while the file is what Python has just read
    inside, dot, name = function.__qualname__.rpartition(".")
    function.__qualname__ = f"{inside}{dot}{content_name(function)}.{name}"
    dispatcher = cast(Any, numba.njit)(**OPTIONS | {"no_cfunc_wrapper": True} | options)(function)
    compile_version = dispatcher.compile

    def compile_into_library(signature: Any) -> Any:
        with compiling_into(library, function.__qualname__):
            return compile_version(signature)

    dispatcher.compile = compile_into_library
    return dispatcher


def _with_wrapping_integers(function: Callable[..., Any]) -> Callable[..., Any]:
    """Plain Python warns where 64-bit sums wrap on purpose (random generators, hashes); machine code does not."""

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*arguments)

    return call
