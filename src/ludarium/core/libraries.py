"""How machine code is put together: kernels are complete, and all else waits to be linked into them."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from typing import Any, cast

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

_UNRESOLVED = ".numba.unresolved$"
"""How Numba marks, in machine code, the name of a function that it expects to find elsewhere."""


class LinkedLibrary(JITCodeLibrary):
    """Code that waits to be linked into a kernel: it is optimised there, with the rest, and never becomes machine code of its own."""

    def finalize(self) -> None:
        """Let every kernel have its copy of the functions, and remember for it what else they need."""
        cast(Any, self)._raise_if_finalized()
        module = cast(Any, self)._final_module
        for name in [one.name for one in module.functions if not one.is_declaration]:
            module.get_function(name).linkage = "linkonce_odr"
        self._finalized = True

    def with_linked(self) -> dict[Any, None]:
        """This library and all that its functions need, callers first: the linker leaves out what nobody has called so far."""
        found: dict[Any, None] = {self: None}
        for library in cast(Any, self)._linking_libraries:
            found |= library.with_linked() if isinstance(library, LinkedLibrary) else {library: None}
        return found

    def _get_module_for_linking(self) -> Any:
        return cast(Any, self)._final_module

    def get_pointer_to_function(self, name: str) -> int:
        """Nowhere: nobody can call it."""
        return 0

    @property
    def codegen(self) -> Any:
        return _NoEnvironments


class _NoEnvironments:
    """What Numba asks to prepare calls from Python."""

    @staticmethod
    def set_env(name: str, environment: Any) -> None:
        pass


class KernelLibrary(JITCodeLibrary):
    """Code that must be complete in itself."""

    def add_linking_library(self, library: Any) -> None:
        """Link a library, and all that it needs."""
        for one in library.with_linked() if isinstance(library, LinkedLibrary) else (library,):
            cast(Any, super()).add_linking_library(one)

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


class _Libraries:
    """Makes the libraries of what is compiled: one of a class for the function of a name; what Numba compiles on the way there waits to be linked."""

    def __init__(self, library: type, name: str) -> None:
        self.named_class, self.name = library, name

    def __call__(self, codegen: Any, name: str) -> Any:
        return self.named_class(codegen, name) if name == self.name else LinkedLibrary(codegen, name)

    def _unserialize(self, codegen: Any, state: Any) -> Any:
        """The library that a cache file holds."""
        return cast(Any, self.named_class)._unserialize(codegen, state)


@contextlib.contextmanager
def compiling_into(library: type, name: str) -> Generator[None]:
    """Inside, Numba puts the function of this name in a library of this class. Other threads compile before or afterwards."""
    codegen: Any = cast(Any, cpu_target).target_context.codegen()
    with cast(Any, global_compiler_lock):
        outer, codegen._library_class = codegen._library_class, _Libraries(library, name)
        try:
            yield
        finally:
            codegen._library_class = outer
