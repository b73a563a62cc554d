"""What is changed inside Numba: how machine code is put together and where it is kept, and which versions of a function there are."""

from __future__ import annotations

from typing import Any, cast

from numba.core import typeinfer, types

from .cache import Cache
from .fingerprint import content_name, file_digest
from .libraries import KernelLibrary, LinkedLibrary, compiling_into

OPTIONS: dict[str, Any] = {"forceinline": True, "_nrt": False, "no_cfunc_wrapper": True}
"""Into the machine code of the caller, without counting references to arrays (which is why compiled code makes no arrays), and without an entry for C. The
first two are worth a factor of two to five in playouts and search."""

INNER: dict[str, Any] = {"no_cpython_wrapper": True}
"""Without an entry for Python either. The entries would take a third of the time."""


def named(function: Any) -> Any:
    """The same function under a name that no other has."""
    file_digest(function.__module__)  # now, while the file is what Python has just read
    inside, dot, name = function.__qualname__.rpartition(".")
    function.__qualname__ = f"{inside}{dot}{content_name(function)}.{name}"
    return function


def kernel(dispatcher: Any, cache: Cache, signature: Any) -> Any:
    """Make an entry point of a dispatcher, with its machine code on disk. With a signature it has this version only, and has it at once."""
    _put_into(KernelLibrary, dispatcher)
    dispatcher._cache = cache
    if signature is not None:
        with cast(Any, typeinfer).register_dispatcher(dispatcher):  # a function that calls itself has no name yet
            dispatcher.compile(signature)
        dispatcher.disable_compile()
    return dispatcher


def inner(dispatcher: Any) -> Any:
    """Keep a dispatcher for compiled callers. It has one version for integers of all widths: without this, every literal argument would compile one more."""
    _put_into(LinkedLibrary, dispatcher)
    get_call_template = dispatcher.get_call_template

    def get_widened_call_template(arguments: Any, keywords: Any) -> Any:
        return get_call_template(tuple(_widened(one) for one in arguments), {name: _widened(one) for name, one in keywords.items()})

    def refuse(*arguments: Any, **keywords: Any) -> Any:
        name = dispatcher.py_func.__name__
        raise TypeError(
            f"{name} is compiled for compiled callers; from Python, call a kernel or plain({name}); plain() of its caller is not enough"
        )

    dispatcher.get_call_template = get_widened_call_template
    dispatcher._insert = _ignore
    dispatcher._compile_for_args = refuse
    return dispatcher


def _ignore(*arguments: Any) -> None:
    """Keep a version out of the table of what Python may call."""


def _widened(one: Any) -> Any:
    one = cast(Any, types).unliteral(one)
    return cast(Any, types.int64 if isinstance(one, types.Integer) and cast(Any, one).signed else one)


def _put_into(library: type, dispatcher: Any) -> None:
    compile_version = dispatcher.compile

    def compile_into_library(signature: Any) -> Any:
        with compiling_into(library, dispatcher.py_func.__qualname__):
            return compile_version(signature)

    dispatcher.compile = compile_into_library
