"""The one place that compiles, and the cache that can never lie.

Two decorators turn Python functions into machine code:

``compiled``
    a function that other compiled code calls. It lives inside its callers' machine code and has no cache file of its own.
``kernel``
    an entry point that Python calls. Its machine code is kept on disk and found again by the next process.

Numba's own cache looks at the file of the cached function only. :class:`Cache` also looks at everything that the machine code was made of:
the source of every function that it reaches (for a generic function, the implementation of the tables in the call's signature), the constants
that were frozen into it, the versions of Numba and NumPy, the processor and ``NUMBA_BOUNDSCHECK``. An edit anywhere in these compiles
anew, an edit elsewhere does not.

With ``NUMBA_DISABLE_JIT=1`` both decorators leave plain Python functions, which run the same rules slowly and can be stepped through.
"""

from __future__ import annotations

import functools
import hashlib
import sys
import types as python_types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import config, types
from numba.core.caching import FunctionCache, IndexDataCacheFile, NullCache
from numba.core.dispatcher import Dispatcher

__all__ = ["JIT", "compiled", "kernel", "on_compile", "plain"]

JIT: bool = not config.DISABLE_JIT
"""False when ``NUMBA_DISABLE_JIT=1`` asks for plain Python."""

on_compile: list[Callable[[str], None]] = []
"""Listeners, each called with a kernel's name just before it is compiled because no cache had it."""

Function = TypeVar("Function", bound=Callable[..., Any])

OPTIONS = {"nogil": True, "error_model": "numpy"}


def compiled(function: Function) -> Function:
    """Compile a function that other compiled functions call.

    Arguments and result keep the types that Numba infers; widen small integers when reading them (``int(state.ply)``).
    """
    if not JIT:
        return function
    return cast(Function, numba.njit(**OPTIONS)(function))


def plain(function: Function) -> Function:
    """The Python function under a compiled one, for a call from Python that is too rare to be worth a kernel.

    Calling a :func:`compiled` function from Python would compile it in every process.
    """
    return cast(Function, getattr(function, "py_func", function))


def kernel(signature: Any = None) -> Callable[[Function], Function]:
    """Compile an entry point that Python calls, and keep its machine code on disk.

    Use it as ``@kernel()``, or with a Numba signature when the function calls itself. The compiled function releases the GIL.
    """

    def decorate(function: Function) -> Function:
        if not JIT:
            return cast(Function, _with_wrapping_integers(function))
        dispatcher = numba.njit(**OPTIONS)(function)
        dispatcher._cache = _cache_for(function)
        if signature is not None:
            dispatcher.compile(signature)
            dispatcher.disable_compile()
        return cast(Function, dispatcher)

    return decorate


def _with_wrapping_integers(function: Callable[..., Any]) -> Callable[..., Any]:
    """Plain Python warns where 64-bit sums wrap on purpose (random generators, hashes); machine code does not."""

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*arguments)

    return call


class CacheFile(IndexDataCacheFile):
    """Data files named by their whole key and written before the index, so that no process ever reads another key's code."""

    def save(self, key: Any, data: Any) -> None:
        stem = self._index_name.removesuffix(".nbi")
        name = f"{stem}.{hashlib.sha256(repr(key).encode()).hexdigest()[:20]}.nbc"
        self._save_data(name, data)
        overloads = self._load_index()
        overloads[key] = name
        self._save_index(overloads)


class Cache(FunctionCache):
    """Numba's cache of one function, keyed by everything that its machine code was made of."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        plain = self._cache_file
        self._cache_file = CacheFile(plain._cache_path, self._impl.filename_base, plain._source_stamp)

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return (*super()._index_key(sig, codegen), fingerprint(self._py_func, tables_classes(sig)))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            found = super().load_overload(sig, target_context)
        except Exception as damage:  # a truncated or foreign file: whatever unpickling raises, compiling anew is right
            warn_once(f"a cache file of {self._py_func.__name__} cannot be read ({damage}); compiling it anew")
            found = None
        if found is None:
            for listener in on_compile:
                listener(self._py_func.__name__)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as problem:
            warn_once(f"compiled code cannot be kept ({problem}); it will be compiled again in the next process")


def _cache_for(function: Any) -> Any:
    try:
        return Cache(function)
    except RuntimeError:  # Numba found no source file, or no folder that it may write to
        warn_once("compiled code cannot be kept (no writable cache folder); set NUMBA_CACHE_DIR to one")
        return NullCache()


@functools.cache
def warn_once(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=4)


def tables_classes(signature: Any) -> tuple[type, ...]:
    """The NamedTuple classes among a signature's argument types, those inside tuples included."""
    if isinstance(signature, types.NamedTuple | types.NamedUniTuple):
        return (signature.instance_class,)
    if isinstance(signature, tuple | types.BaseTuple):
        return tuple(found for element in cast(Any, signature) for found in tables_classes(element))
    if hasattr(signature, "args"):
        return tables_classes(signature.args)
    return ()


def fingerprint(function: Any, classes: tuple[type, ...]) -> str:
    """A digest of all that a compiled function is made of when its generic calls are answered for these tables classes."""
    digest = hashlib.sha256()
    digest.update(f"{numba.__version__} {np.__version__} {int(bool(config.BOUNDSCHECK))}".encode())
    digest.update(str(tuple(sys.version_info)).encode())
    for part in sorted(_parts(function, classes)):
        digest.update(part.encode())
    return digest.hexdigest()


def _parts(function: Any, classes: tuple[type, ...]) -> set[str]:
    """Digests of the source files and reprs of the constants that a function reaches."""
    parts: set[str] = set()
    seen: set[int] = set()
    waiting: list[Any] = [function]
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Dispatcher):
            value = value.py_func
        implementations = getattr(value, "implementations", None)
        if implementations is not None:
            waiting += [one for name, one in implementations.items() if not classes or name in classes or name is object]
        file = _file_of(value)
        if file:
            parts.add(_digest_of(file))
        if isinstance(value, python_types.FunctionType):
            for name, referred in _references(value):
                constant = _constant(referred)
                if constant is None:
                    waiting.append(referred)
                else:
                    parts.add(f"{name}={constant}")
    return parts


def _references(function: python_types.FunctionType) -> Iterator[tuple[str, Any]]:
    """Names and values of the globals and closed-over variables that a function's code mentions."""
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        codes += [one for one in code.co_consts if isinstance(one, python_types.CodeType)]
        for name in code.co_names:
            if name in function.__globals__:
                yield name, function.__globals__[name]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield name, cell.cell_contents


def _constant(value: Any) -> str | None:
    """A text for a value that Numba freezes into machine code, None for functions, modules and classes."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
    if value is None or isinstance(value, bool | int | float | complex | str | bytes | np.generic | np.dtype):
        return repr(value)
    if isinstance(value, tuple):
        return repr([_constant(one) for one in cast(tuple[Any, ...], value)])
    return None


def _file_of(value: Any) -> str | None:
    module = value if isinstance(value, python_types.ModuleType) else sys.modules.get(getattr(value, "__module__", None) or "")
    file = getattr(module, "__file__", None)
    return file if file and file.endswith(".py") else None


@functools.cache
def _digest_of(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()
