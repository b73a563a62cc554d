"""What a piece of machine code is made of, as a digest.

Numba compiles the bytecode that a process has in memory and freezes the values of globals, closures and defaults into it. :func:`fingerprint` walks
exactly these: from a function to all that its code mentions, in a fixed order. The text of the source files is added as a second witness; it is read
when a function is decorated, right after Python has read it.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import sys
import types as python_types
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

import numba
import numpy as np
from numba.core import config, types
from numba.core.dispatcher import Dispatcher
from numba.core.typing.templates import builtin_registry

_LIBRARIES = frozenset({"numba", "numpy", "llvmlite", *sys.stdlib_module_names})
"""Packages that are covered by their versions."""

_SIMPLE = (type(None), bool, int, float, complex, str, bytes, type(...), np.generic, np.dtype, types.Type)


def fingerprint(function: Any, signature: Any) -> str:
    """A digest of all that the machine code of a function is made of, when it is compiled for these argument types.

    A generic function stands for its implementations for the tables classes among the argument types (and among the constants that the code mentions).
    """
    classes = set(tables_classes(signature))
    while True:
        walk = _Walk(classes)
        walk.run(function)
        if walk.classes == classes:
            return hashlib.sha256("\n".join([_environment(), *walk.lines]).encode()).hexdigest()
        classes = walk.classes


def content_name(function: Any) -> str:
    """Eight digits for what a function's own code and the values that it mentions are now.

    Numba finds machine code by a function's module and qualified name; with these digits two functions never share a name but by being equal.
    """
    lines = [*_code_lines(function.__code__), repr(function.__defaults__)]
    for name, value in _references(function):
        target = _python_function(value)
        known = getattr(target, "__qualname__", None)
        lines.append(f"{name}={target.__module__}.{known}" if known else f"{name}={_Walk(set()).text(value)}")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8]


def tables_classes(signature: Any) -> tuple[type, ...]:
    """The NamedTuple classes among a signature's argument types, those inside tuples included."""
    found: tuple[type, ...] = ()
    if isinstance(signature, types.BaseNamedTuple):
        found = (cast(Any, signature).instance_class,)
    if isinstance(signature, tuple | types.BaseTuple):
        return found + tuple(one for element in cast(Any, signature) for one in tables_classes(element))
    if hasattr(signature, "args"):
        return tables_classes(signature.args)
    return found


def _environment() -> str:
    """Everything outside the functions that changes machine code. The processor is in Numba's own part of the key."""
    settings = [getattr(config, name, None) for name in ("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")]
    return repr((numba.__version__, version("llvmlite"), np.__version__, tuple(sys.version_info), *map(str, settings)))


class _Walk:
    """Visits what a function reaches, breadth first. Visited things are numbered in order, so that equal lines mean equal graphs."""

    def __init__(self, classes: set[type]) -> None:
        self.classes = set(classes)
        self.lines: list[str] = []
        self._numbers: dict[int, int] = {}
        self._things: list[Any] = []

    def run(self, function: Any) -> None:
        self.lines.append(" ".join(sorted(f"{one.__module__}.{one.__qualname__}" for one in self.classes)))
        self.text(function)
        at = 0
        while at < len(self._things):
            self.lines.append(f"#{at}")
            self._visit(self._things[at])
            at += 1

    def text(self, value: Any) -> str:
        """A constant in words, a reference to a numbered thing otherwise."""
        if isinstance(value, enum.Enum):
            return f"{type(value).__qualname__}.{value.name}={self.text(value.value)}"
        if isinstance(value, _SIMPLE):
            return f"{type(cast(Any, value)).__name__} {value!r}"
        if isinstance(value, np.ndarray):
            array = cast("np.ndarray[Any, Any]", value)
            return f"array {array.dtype} {array.shape} {hashlib.sha256(array.tobytes()).hexdigest()}"
        if isinstance(value, tuple | list):
            elements = cast("tuple[Any, ...] | list[Any]", value)
            if hasattr(elements, "_fields"):
                self.classes.add(type(elements))
            return f"{type(elements).__qualname__}({', '.join(self.text(one) for one in elements)})"
        if isinstance(value, set | frozenset):
            return f"set({', '.join(sorted(self.text(one) for one in cast('set[Any]', value)))})"
        if isinstance(value, dict):
            return f"dict({', '.join(f'{self.text(key)}: {self.text(one)}' for key, one in cast('dict[Any, Any]', value).items())})"
        thing = _python_function(value)
        if id(thing) not in self._numbers:
            self._numbers[id(thing)] = len(self._things)
            self._things.append(thing)
            if isinstance(value, Dispatcher):
                self.lines.append(f"compiled with {sorted(cast(Any, value).targetoptions.items())}")
        return f"#{self._numbers[id(thing)]}"

    def _visit(self, thing: Any) -> None:
        owner = thing if isinstance(thing, python_types.ModuleType | python_types.FunctionType | type) else type(thing)
        module = owner.__name__ if isinstance(owner, python_types.ModuleType) else str(owner.__module__)
        self.lines.append(f"{module} {owner.__name__}")
        if isinstance(thing, type) and issubclass(thing, tuple) and hasattr(cast(Any, thing), "_fields"):
            self.classes.add(cast(type, thing))
        if module.partition(".")[0] in _LIBRARIES:
            return
        self.lines.append(file_digest(module))
        if isinstance(thing, type) and issubclass(thing, enum.Enum):
            self.lines.extend(self.text(member) for member in thing)
        if isinstance(thing, python_types.FunctionType):
            self._visit_function(thing)

    def _visit_function(self, function: python_types.FunctionType) -> None:
        self.lines.extend(_code_lines(function.__code__))
        self.lines.append(self.text((function.__defaults__, function.__kwdefaults__)))
        self.lines.extend(f"{name}={self.text(value)}" for name, value in _references(function))
        implementations: dict[type, Any] = getattr(function, "implementations", {})
        wanted = {one.__name__ for one in self.classes}
        for tables_class in sorted(implementations, key=lambda one: one.__name__):
            if not wanted or tables_class is object or tables_class.__name__ in wanted:  # object: for games without one of their own
                self.lines.append(f"for {tables_class.__name__}: {self.text(implementations[tables_class])}")
        self.lines.extend(f"overload {self.text(one)}" for one in _overloads(function))


def _python_function(value: Any) -> Any:
    return cast(Any, value).py_func if isinstance(value, Dispatcher) else value


def _code_lines(code: python_types.CodeType) -> Iterator[str]:
    """The bytecode without file names and line numbers."""
    yield f"{code.co_argcount} {code.co_kwonlyargcount} {code.co_flags} {code.co_names} {code.co_varnames} {code.co_freevars} {code.co_cellvars}"
    yield code.co_code.hex() + code.co_exceptiontable.hex()
    for constant in code.co_consts:
        if isinstance(constant, python_types.CodeType):
            yield from _code_lines(constant)
        else:
            yield _Walk(set()).text(constant)


def _references(function: python_types.FunctionType) -> Iterator[tuple[str, Any]]:
    """Names and values of the globals, attributes of modules and closed-over variables that a function's code mentions."""
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        codes += [one for one in code.co_consts if isinstance(one, python_types.CodeType)]
        for name in code.co_names:
            if name in function.__globals__:
                yield from _with_attributes(name, function.__globals__[name], code.co_names, ())
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            value = cell.cell_contents
        except ValueError:  # a variable that has no value yet
            continue
        yield from _with_attributes(name, value, function.__code__.co_names, ())


def _with_attributes(name: str, value: Any, names: tuple[str, ...], seen: tuple[int, ...]) -> Iterator[tuple[str, Any]]:
    yield name, value
    if isinstance(value, python_types.ModuleType) and id(value) not in seen and value.__name__.partition(".")[0] not in _LIBRARIES:
        for attribute in names:
            if attribute in vars(value):
                yield from _with_attributes(f"{name}.{attribute}", vars(value)[attribute], names, (*seen, id(value)))


def _overloads(function: Any) -> list[Any]:
    """What Numba compiles in place of a Python function, as registered with ``numba.extending.overload``."""
    known = [one for value, one in cast(Any, builtin_registry).globals if value is function]
    return [template._overload_func for one in known for template in one.templates if hasattr(template, "_overload_func")]


@functools.cache
def file_digest(module: str) -> str:
    """A digest of a module's source file as it was when first asked for; empty if it has none."""
    file = getattr(sys.modules.get(module), "__file__", None)
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest() if file else ""
    except OSError:  # a module inside an archive, or a file that is gone
        return ""
