"""Options of games and players: declared once, checked once, typed by people as ``key=value``."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, Literal, cast

from ludarium.errors import BadOption, one_of

Kind = Literal["whole number", "number", "seconds", "word", "text"]


def is_content(value: str) -> bool:
    """Whether a text is what might stand in a file (several lines, or JSON), not the name of one."""
    return "\n" in value or value.removeprefix("\ufeff").lstrip().startswith("{")


@dataclass(frozen=True)
class Option:
    """One option, from Python or from text.

    ``seconds`` is a number (``float``), typed with its unit: ``1.5s`` or ``200ms``; ``word`` is one of ``choices``, which for ``text`` are suggestions;
    ``minimum`` and ``maximum`` bound numbers. A default of None means that the option may be left out; None itself then says the same.
    """

    name: str
    kind: Kind
    default: int | float | str | None
    help: str
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    is_source: bool = False
    """Whether a text is one of ``choices``, the path of a file, or what stands in such a file: several lines, or JSON."""
    is_board: bool = False
    """Whether this is what the game is played on, which forms ask for beside a picture of it."""
    titles: tuple[str, ...] = ()
    """What ``choices`` are called in forms, one each; empty: they are their own names."""
    shared_maximum: float | None = None
    """The bound of a number by which a player thinks longer or takes more memory, where it shares the computer with strangers' players."""

    @classmethod
    def word(cls, name: str, help: str, *choices: str) -> Option:
        """An option that is one of some words, the first of them by default."""
        return cls(name, "word", choices[0], help, choices)

    def where_shared(self, longest: float) -> Option:
        """This option of a player that shares the computer with strangers' players, where no thought takes more than ``longest`` seconds."""
        bounds = [bound for bound in (self.maximum, longest if self.kind == "seconds" else self.shared_maximum) if bound is not None]
        if not bounds:
            return self
        most = min(bounds)
        return replace(self, maximum=most, default=most if isinstance(self.default, int | float) and self.default > most else self.default)

    def names_file(self, value: Any) -> bool:
        """Whether a value makes this option read a file of the computer, which a server does for nobody."""
        return self.is_source and isinstance(value, str) and value not in self.choices and not is_content(value)

    @property
    def accepted(self) -> str:
        """What this option takes, in words."""
        if self.kind == "word":
            return " | ".join(self.choices)
        unit = "s" if self.kind == "seconds" else ""
        bounds = [f"at least {self.minimum:,}{unit}"] if self.minimum is not None else []
        bounds += [f"at most {self.maximum:,}{unit}"] if self.maximum is not None else []
        name = (
            "a time with its unit, such as 20s or 200ms" if self.kind == "seconds" else f"a {self.kind}" if self.kind != "text" else "text"
        )
        return ", ".join([name, *bounds])

    def check(self, value: Any, owner: str) -> Any:
        """The value in its right type.

        Raises:
            BadOption: not of that kind, not among the choices or out of bounds.
        """
        where = f"{owner}: {self.name}"
        if value is None and self.default is None:
            return None
        if self.kind == "word":
            if value not in self.choices:
                raise BadOption(f"{where}={one_of(value, self.choices)}")
            return value
        if self.kind == "text":
            if not isinstance(value, str):
                raise BadOption(f"{where}={value!r} is not text")
            return value
        number = self._number(value)
        low, high = self.minimum, self.maximum
        if number is None or (low is not None and number < low) or (high is not None and number > high):
            raise BadOption(f"{where}={value} is not {self.accepted}")
        return number

    def _number(self, value: Any) -> int | float | None:
        kind = int if self.kind == "whole number" else float
        scale = 1.0
        if isinstance(value, str):
            match = re.fullmatch(r"\s*([-+0-9._eE]{1,40}?)(ms|s)?\s*", value)
            if match is None or (match[2] is not None) != (self.kind == "seconds"):
                return None
            value, scale = match[1], 0.001 if match[2] == "ms" else 1.0
        elif isinstance(value, bool) or not isinstance(value, Real):  # NumPy's numbers are Real too
            return None
        try:
            number = kind(cast(Any, value))
            exact = isinstance(value, str) or number == value
        except (ValueError, OverflowError):
            return None
        if not exact or (isinstance(number, float) and not math.isfinite(number)):
            return None
        return number if kind is int else number * scale


class ChosenOptions(Mapping[str, Any]):
    """A game's options by name, read-only. Unlike a ``MappingProxyType`` they can be pickled."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return self._values == (other._values if isinstance(other, ChosenOptions) else other)

    def __repr__(self) -> str:
        return repr(self._values)


def check_options(declared: Iterable[Option], given: Mapping[str, Any], owner: str) -> dict[str, Any]:
    """All declared options, those not given by their defaults.

    Raises:
        BadOption: an unknown name, or a value that the option does not take.
    """
    known = {option.name: option for option in declared}
    for name in given:
        if name not in known:
            accepted = f"option {one_of(name, tuple(known))}" if known else f"it takes no options, not '{name}'"
            raise BadOption(f"{owner}: {accepted}")
    return {name: option.check(given[name], owner) if name in given else option.default for name, option in known.items()}


def parse_assignments(texts: Iterable[str]) -> dict[str, str]:
    """``["turn_limit=100", …]`` as a dictionary.

    Raises:
        BadOption: no ``=``, no name, or a name twice.
    """
    result: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise BadOption(f"'{text}' is not of the form key=value")
        if name in result:
            raise BadOption(f"option '{name}' is given twice")
        result[name] = value
    return result
