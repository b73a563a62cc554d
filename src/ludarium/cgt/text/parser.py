"""Values, by their numbers in the arena, from text: everything that the printers of :mod:`.printing` write and what users of CGSuite type.

From the tightest to the loosest: a number with ups and a star (``1/2^*``), a number before ``Tiny(G)`` or ``Miny(G)``; integer multiples (``3.^``, ``3*^``);
the sign and ``+-``; the ordinal sum (``*:1``); sums and differences. The parser keeps its own stack: texts nest as deeply as they like.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ludarium.errors import TooLarge

from ..engine.arena import ZERO
from ..engine.store import store
from ..engine.structure import closed_form, exact_number
from ..numbers import value_of_nimber, value_of_number
from ..transforms import multiple, ordinal_sum
from ..uptimals import value_of_power, value_of_powers
from .tokens import Literal, Token, expected, token_at

MOST_COPIES = 1 << 16
"""The most ups in a value and the largest multiple of one."""

JOIN, TIMES, SIGN, ORDINAL, SUM = 5, 4, 3, 2, 1
BINDING = {"join": JOIN, "*": TIMES, ":": ORDINAL, "negative": SIGN, "positive": SIGN, "switch": SIGN, "+": SUM, "-": SUM}
"""What each operator is called, and how tightly it binds."""

PREFIXES = {"-": "negative", "+": "positive", "+-": "switch"}


class Function(NamedTuple):
    """A function that a text may call: how many values it takes, and what it makes of them."""

    arguments: int
    call: Callable[..., int]


def parse(text: str) -> int:
    """The value of a text, which is a value or an expression of values.

    Raises:
        BadNotation: the text is no value; the message says what was expected where.
        TooLarge: a number, a nimber or a multiple too large to be computed with.
    """
    return parse_part(text, 0, {}, {}, relations=False)[0]


def parse_part(
    text: str, start: int, variables: Mapping[str, int], functions: Mapping[str, Function], *, relations: bool
) -> tuple[int, Token]:
    """The value of a text from ``start`` on up to its end or, where these may come, to one of the ``relations`` such as ``<=``; that word too.

    Args:
        variables: values that the text may name.
        functions: functions that it may call.
    """
    return _Parser(text, start, variables, functions, relations).run()


class _Frame:
    """What is open: the text itself, or a pair of parentheses or braces in it."""

    def __init__(self, opened: Token, closed_by: str, finish: Callable[[_Frame, Token], int], parted: bool = False) -> None:
        """``parted`` is whether it has items, parted by commas."""
        self.opened, self.closed_by, self.finish, self.parted = opened, closed_by, finish, parted
        self.values: list[int] = []
        self.operators: list[Token] = []  # the kind of each is what the operator is called
        self.items: list[int] = []
        self.groups: list[list[int]] = []
        self.slashes: list[Token] = []

    @property
    def wanted(self) -> str:
        """What may come after a value."""
        if self.closed_by == "}":
            return "an operator, ',', '|' or '}'"
        return f"an operator{', ' * self.parted}{repr(',') * self.parted} or {repr(self.closed_by) if self.closed_by else 'the end'}"


def _only_value(frame: _Frame, _: Token) -> int:
    return frame.values[0]


class _Parser:
    def __init__(self, text: str, at: int, variables: Mapping[str, int], functions: Mapping[str, Function], relations: bool) -> None:
        self.text = text
        self.at = at
        self.variables, self.functions, self.relations = variables, functions, relations
        self.frames = [_Frame(Token("start", "", at, at), "", _only_value)]
        self.before = self.frames[0].opened

    def run(self) -> tuple[int, Token]:
        is_operand = True
        while True:
            frame = self.frames[-1]
            token = token_at(self.text, self.at, operand=is_operand, relations=self.relations and len(self.frames) == 1)
            self.at = token.end
            if is_operand:
                is_operand = self._take_operand(frame, token)
            elif token.kind in ("end", "relation") and len(self.frames) == 1:
                self._reduce(frame, 0)
                return frame.values[0], token
            else:
                is_operand = self._take_operator(frame, token)
            self.before = token

    def _take_operand(self, frame: _Frame, token: Token) -> bool:
        """Take a word where a value may begin; whether a value is still expected."""
        may_be_empty = frame.closed_by == "}" and self.before in (frame.opened, *frame.slashes[-1:])
        if token.kind in PREFIXES:
            frame.operators.append(token._replace(kind=PREFIXES[token.kind]))
        elif token.kind == "{":
            self.frames.append(_Frame(token, "}", self._finish_braces, parted=True))
        elif token.kind == "(":
            self.frames.append(_Frame(token, ")", _only_value))
        elif token.kind == "tiny":
            return self._take_tiny(frame, token)
        elif token.literal is not None:
            frame.values.append(_value_of(token.literal))
            return False
        elif token.kind == "name":
            return self._take_name(frame, token)
        elif may_be_empty and token.kind in ("|", "}"):
            return self._end_item(frame, token)  # a side without options
        else:
            raise expected(self.text, token.start, "a value or '|'" if may_be_empty else "a value", token.text)
        return True

    def _take_name(self, frame: _Frame, token: Token) -> bool:
        if token.text in self.functions:
            self._open(token, self._finish_call, parted=True)
            return True
        if token.text not in self.variables:
            known = ", ".join([*self.variables, *self.functions])
            raise expected(self.text, token.start, f"a value{' or one of: ' if known else ''}{known}", token.text)
        frame.values.append(self.variables[token.text])
        return False

    def _take_tiny(self, frame: _Frame, token: Token) -> bool:
        make = _tiny if token.text in ("Tiny", "⧾") else _miny
        if token.literal is None:
            self._open(token, lambda inner, _: make(inner.values[0]))
            return True
        frame.values.append(make(_value_of(token.literal)))
        return False

    def _open(self, name: Token, finish: Callable[[_Frame, Token], int], *, parted: bool = False) -> None:
        """Open the parentheses that come after a name."""
        follower = token_at(self.text, name.end, operand=True, relations=False)
        if follower.kind != "(":
            raise expected(self.text, follower.start, f"'(' after {name.text}", follower.text)
        self.at = follower.end
        self.frames.append(_Frame(name, ")", finish, parted))

    def _take_operator(self, frame: _Frame, token: Token) -> bool:
        """Take a word after a value; whether a value is expected next."""
        if token.kind == frame.closed_by or (token.kind == "," and frame.parted) or (token.kind == "|" and frame.closed_by == "}"):
            return self._end_item(frame, token)
        if token.kind == "tiny" and self.before.literal is not None and self.before.literal.is_number and self.before.end == token.start:
            frame.operators.append(token._replace(kind="join"))
            self.at = token.start
        elif token.kind == "+-":
            self._push(frame, token._replace(kind="+"))
            frame.operators.append(token._replace(kind="switch"))
        elif token.kind in BINDING:
            self._push(frame, token)
        else:
            raise expected(self.text, token.start, frame.wanted, token.text)
        return True

    def _push(self, frame: _Frame, operator: Token) -> None:
        self._reduce(frame, BINDING[operator.kind])
        frame.operators.append(operator)

    def _reduce(self, frame: _Frame, binding: int) -> None:
        """Do the operations that bind at least as tightly."""
        while frame.operators and BINDING[frame.operators[-1].kind] >= binding:
            operator = frame.operators.pop()
            value = frame.values.pop()
            if operator.kind in SIGNS:
                frame.values.append(SIGNS[operator.kind](value))
            else:
                frame.values.append(self._combined(frame.values.pop(), operator, value))

    def _combined(self, one: int, operator: Token, other: int) -> int:
        if operator.kind == "-":
            return store.add(one, store.negative(other))
        if operator.kind == ":":
            return ordinal_sum(one, other)
        if operator.kind == "*":
            return self._multiple(one, operator, other)
        return store.add(one, other)

    def _multiple(self, one: int, token: Token, other: int) -> int:
        count, value = exact_number(one), other
        if count is None or count.denominator != 1:
            count, value = exact_number(other), one
        if count is None or count.denominator != 1:
            raise expected(self.text, token.start, "an integer on one side of a product", token.text)
        form = closed_form(value)
        if form is not None and not form[1] and not form[2]:
            return value_of_number(count * form[0])
        if abs(count) * max(1, abs(form[1]) if form else 1) > MOST_COPIES:
            raise TooLarge(f"{count} copies of this value are too many; multiples have up to {MOST_COPIES} terms")
        return multiple(value, int(count))

    def _end_item(self, frame: _Frame, token: Token) -> bool:
        """End an item at a comma, a group of items at slashes, or what is open."""
        self._reduce(frame, 0)
        if frame.parted:
            frame.items += frame.values
            frame.values.clear()
        if token.kind == ",":
            return True
        if token.kind == "|":
            self._split(frame, token)
            return True
        self.frames.pop()
        value = frame.finish(frame, token)
        self.frames[-1].values.append(value)
        return False

    def _split(self, frame: _Frame, token: Token | None) -> None:
        """End a group of items. Groups that fewer slashes part belong together as one game."""
        frame.groups.append(frame.items)
        frame.items = []
        while frame.slashes and (token is None or len(frame.slashes[-1].text) < len(token.text)):
            frame.slashes.pop()
            right, left = frame.groups.pop(), frame.groups.pop()
            frame.groups.append([store.canonical(left, right)])
        if token is not None:
            if frame.slashes and len(frame.slashes[-1].text) == len(token.text):
                raise expected(self.text, token.start, "more slashes or fewer than before, or braces", token.text)
            frame.slashes.append(token)

    def _finish_braces(self, frame: _Frame, token: Token) -> int:
        if frame.slashes:
            self._split(frame, None)
            return frame.groups[0][0]
        before = self.frames[-1].operators[-1:]
        if frame.items and before and before[0].kind == "switch" and not self.text[before[0].end : frame.opened.start].strip():
            self.frames[-1].operators.pop()  # ±{A,B} has two options a side
            return store.canonical(frame.items, [store.negative(one) for one in frame.items])
        raise expected(self.text, token.start, "',' or '|'" if frame.items else "a value or '|'", token.text)

    def _finish_call(self, frame: _Frame, token: Token) -> int:
        function = self.functions[frame.opened.text]
        if len(frame.items) != function.arguments:
            raise expected(
                self.text,
                token.start,
                f"{function.arguments} value{'s' * (function.arguments > 1)} in the parentheses after {frame.opened.text}",
                f"{len(frame.items)}",
            )
        return function.call(*frame.items)


def _switch(value: int) -> int:
    return store.canonical([value], [store.negative(value)])


def _tiny(below: int) -> int:
    return store.canonical([ZERO], [store.canonical([ZERO], [store.negative(below)])])


def _miny(below: int) -> int:
    return store.negative(_tiny(below))


SIGNS: dict[str, Callable[[int], int]] = {"negative": store.negative, "positive": lambda one: one, "switch": _switch}


def _value_of(literal: Literal) -> int:
    number, ups, kind, nimber, _ = literal
    if kind == "times" and abs(ups) > MOST_COPIES:
        raise TooLarge(f"{abs(ups)} ups are too many; values have up to {MOST_COPIES}")
    base, star = value_of_number(number), value_of_nimber(nimber)
    if kind == "times":
        return store.number_up_star(base, ups, nimber)
    power = (value_of_power if kind == "power" else value_of_powers)(abs(ups))
    return store.add(store.add(base, star), power if ups > 0 else store.negative(power))
