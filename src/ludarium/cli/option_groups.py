"""Options in groups: a parameter of a command whose type is a dataclass stands for its fields, each of which is an option."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import is_dataclass
from typing import Any, get_type_hints


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """The command as Typer reads it, with the options one by one."""
    types = get_type_hints(command, include_extras=True)
    groups: dict[str, Callable[..., object]] = {name: kind for name, kind in types.items() if isinstance(kind, type) and is_dataclass(kind)}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        kind = groups.get(name)
        hints = types if kind is None else get_type_hints(kind, include_extras=True)
        several = [parameter] if kind is None else inspect.signature(kind).parameters.values()
        parameters += [one.replace(kind=one.KEYWORD_ONLY, annotation=hints[one.name]) for one in several]

    @functools.wraps(command)
    def call(**given: Any) -> None:
        made = {name: kind(**{field: given.pop(field) for field in inspect.signature(kind).parameters}) for name, kind in groups.items()}
        command(**given, **made)

    as_typer_reads_it: Any = call
    as_typer_reads_it.__signature__ = inspect.Signature(parameters)
    as_typer_reads_it.__annotations__ = {one.name: one.annotation for one in parameters}
    return call
