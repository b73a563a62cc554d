"""The lines that a calculator of values reads: expressions, relations between them, commands before one, and variables."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from ludarium.errors import BadNotation, one_of

from .text.parser import Function, parse_part
from .text.tokens import Token
from .values import Value, _value

COMMANDS = {
    "atomic_weight": "the atomic weight; aw for short",
    "birthday": "the formal birthday",
    "braces": "the value with nothing but braces, integers and *",
    "canonical": "the canonical form, however long it is",
    "followers": "how many positions the canonical form has",
    "incentives": "what either player gains by each option",
    "mean": "the mean value",
    "options": "the options of the canonical form",
    "outcome": "who wins",
    "reduced": "the reduced canonical form",
    "stops": "the Left and the Right stop",
    "temperature": "the temperature",
    "thermograph": "the thermograph, drawn",
    "unicode": "the value in symbols",
}
"""Words before an expression, and what they ask for."""

SHORT_FOR = {"aw": "atomic_weight"}

_OF_TWO_VALUES: dict[str, Callable[[Value, Value], Value]] = {"cool": Value.cool, "heat": Value.heat}
_OF_ONE_VALUE: dict[str, Callable[[Value], Value]] = {
    "reduced": lambda game: game.reduced,
    "atomic_weight": lambda game: game.atomic_weight,
    "aw": lambda game: game.atomic_weight,
    "mean": lambda game: Value(game.mean),
    "temperature": lambda game: Value(game.temperature),
    "left_stop": lambda game: Value(game.stops[0]),
    "right_stop": lambda game: Value(game.stops[1]),
}


def _function(arguments: int, call: Callable[..., Value]) -> Function:
    def of_numbers(*given: int) -> int:
        return call(*map(_value, given))._at

    return Function(arguments, of_numbers)


FUNCTIONS = {
    name: _function(arguments, call) for arguments, calls in ((2, _OF_TWO_VALUES), (1, _OF_ONE_VALUE)) for name, call in calls.items()
}
"""What an expression may call."""

LAST = ("_", "ans")
"""The names of the last value."""

RELATIONS: dict[str, Callable[[Value, Value], bool]] = {
    "<=": lambda one, other: one <= other,
    ">=": lambda one, other: one >= other,
    "==": lambda one, other: one == other,
    "!=": lambda one, other: one != other,
    "<": lambda one, other: one < other,
    ">": lambda one, other: one > other,
    "|": lambda one, other: one | other,
    "<|": lambda one, other: not one >= other,
    "|>": lambda one, other: not one <= other,
}

_assignment = re.compile(r"\s*([^\W\d]\w*)\s*(?::=|=(?!=))")
_word = re.compile(r"\s*([^\W\d]\w*)\s*")
_taken = re.compile(r"v+(\d.*)?|Tiny|Miny|help|quit|exit")
"""Names that mean something else: downs are written with v."""


class Answer(NamedTuple):
    """What a line is worth. A relation has no value, everything else does."""

    value: Value | None
    command: str = ""
    """The word before the expression, as in :data:`COMMANDS`."""
    variable: str = ""
    """What the value was called from here on."""
    holds: bool | None = None
    """Whether the relations of a line all hold."""


class Calculator:
    """Answers lines; it remembers variables and, as ``_`` and ``ans``, the last value."""

    def __init__(self) -> None:
        """A calculator that has seen nothing yet."""
        self.variables: dict[str, Value] = {}

    def answer(self, line: str) -> Answer:
        """What a line is worth: ``^ + v*``, ``Tiny(2) < ^``, ``mean {3|1}``, ``x := 2.^``.

        Raises:
            BadNotation: the line cannot be read; the message says what was expected where.
            TooLarge: a value that is too large to be computed with.
            NoAtomicWeight: an atomic weight was asked for that there is not.
        """
        if found := _assignment.match(line):
            return self._assigned(line, found)
        command, start = self._command(line)
        value, end = self._read(line, start, relations=not command)
        if end.kind == "end":
            self._remember(value, *LAST)
            return Answer(value, command)
        holds = True
        while end.kind == "relation":
            relation = RELATIONS[end.text]
            other, end = self._read(line, end.end, relations=True)
            holds = relation(value, other) and holds
            value = other
        return Answer(None, holds=holds)

    def _assigned(self, line: str, found: re.Match[str]) -> Answer:
        name = found[1]
        if name in (*COMMANDS, *FUNCTIONS, *LAST) or _taken.fullmatch(name):
            raise BadNotation(f"'{name}' cannot be the name of a variable: it means something else")
        value, _ = self._read(line, found.end(), relations=False)
        self._remember(value, name, *LAST)
        return Answer(value, variable=name)

    def _read(self, line: str, start: int, *, relations: bool) -> tuple[Value, Token]:
        variables = {name: value._at for name, value in self.variables.items()}
        at, end = parse_part(line, start, variables, FUNCTIONS, relations=relations)
        return _value(at), end

    def _remember(self, value: Value, *names: str) -> None:
        self.variables |= dict.fromkeys(names, value)

    def _command(self, line: str) -> tuple[str, int]:
        """The command at the beginning of a line, if there is one, and where its expression begins."""
        found = _word.match(line)
        if found is None or _taken.match(found[1]):
            return "", 0
        word = SHORT_FOR.get(found[1], found[1])
        if word in COMMANDS and not (found[1] in FUNCTIONS and line.startswith("(", found.end(1))):
            return word, found.end()
        if found[1] not in self.variables and found[1] not in FUNCTIONS:
            raise BadNotation(one_of(found[1], list(dict.fromkeys((*self.variables, *COMMANDS, *FUNCTIONS)))))
        return "", 0
