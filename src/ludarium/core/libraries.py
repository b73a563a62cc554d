"""How machine code is put together: kernels are complete, and all else waits to be linked into them."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from typing import Any, cast

from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target

__all__ = ["KernelLibrary", "LinkedLibrary", "compiling_into"]

_UNRESOLVED = ".numba.unresolved$"
"""How Numba marks, in machine code, the name of a function that it expects to find elsewhere."""


class LinkedLibrary(JITCodeLibrary):
    """Code that waits to be linked into a kernel: it is optimised there, with the rest, and not once in every function on the way."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_specific(self) -> None:
        pass


class KernelLibrary(JITCodeLibrary):
    """Code that must be complete in itself."""

    def _optimize_final_module(self) -> None:
        """Optimise.

        Raises:
            TypeError: a recursive function was entered with another integer type than it calls itself with. Its other version is known by name only, and a
                process that ran this code would jump to nowhere.
        """
        module = cast(Any, self)._final_module
        defined = {function.name for function in module.functions if not function.is_declaration}
        wanted = {one.name.removeprefix(_UNRESOLVED) for one in module.global_variables if one.name.startswith(_UNRESOLVED)}
        if wanted - defined:
            raise TypeError(
                f"{self.name}: a recursive function in it calls itself with another integer type than it was called with; enter it with 64-bit integers"
            )
        super()._optimize_final_module()


@contextlib.contextmanager
def compiling_into(library: type) -> Generator[None]:
    """Inside, Numba collects what it compiles in libraries of this class."""
    codegen: Any = cast(Any, cpu_target).target_context.codegen()
    outer, codegen._library_class = codegen._library_class, library
    try:
        yield
    finally:
        codegen._library_class = outer
