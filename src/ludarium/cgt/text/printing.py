"""Values, given by their numbers in the arena, as text: CGSuite's notation, the same in symbols, and nothing but braces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..engine.arena import ZERO
from ..engine.store import store
from ..engine.structure import closed_form, exact_number, options
from ..literals import PLAIN, SYMBOLS, Style, literal
from ..thermography.walls import walls_of
from ..uptimals import uptimal_at
from .ordering import ordered_options
from .writing import braced, composed, refuse_longer

MOST_CHARACTERS = 1 << 26
"""The longest text that is made where no limit was given: it doubles with every position that two others share."""

MOST_SLASHES = 4
"""A position that would be written with so many is put into braces instead."""


def plain_text(value: int, limit: int = MOST_CHARACTERS) -> str:
    """The value as CGSuite writes it in plain text, such as ``{^^*|0||-1}``.

    Raises:
        Longer: it has more than ``limit`` characters.
    """
    return _written(PLAIN, value, limit)


def unicode_text(value: int, limit: int = MOST_CHARACTERS) -> str:
    """The same in symbols, such as ``{⇑*|0||−1}``."""
    return _written(SYMBOLS, value, limit)


def braces_text(value: int, limit: int = MOST_CHARACTERS) -> str:
    """The same with nothing but braces, integers and ``*``, options in the order of their texts."""
    return braced(value, _simple_word, options, limit, sorted)


class _Written(NamedTuple):
    """A value's text as it stands alone."""

    text: str
    slashes: int  # how many its braces hold, where the braces may be left out within a game with more slashes
    is_loose: bool = False  # whether it is put into parentheses after ±


def _written(style: Style, root: int, limit: int) -> str:
    tinies: dict[int, tuple[str, int, int]] = {}

    def needs(at: int) -> Sequence[int]:
        form = uptimal_at(at)
        if form is not None and form.is_short:
            return ()
        left, right = ordered_options(at)
        if _is_own_negative(at):
            return left
        if form is None and (tiny := _tiny(left, right)) is not None:
            tinies[at] = tiny
            return tiny[1:]
        return (*left, *right)

    def compose(at: int, made: Mapping[int, _Written]) -> _Written:
        form = uptimal_at(at)
        if form is not None and form.is_short:
            return _Written(literal(style, form), 0, bool(form.number) + bool(form.ups) + bool(form.nimber) > 1)
        left, right = ordered_options(at)
        if at in tinies:
            name, number, below = tinies[at]
            exact = exact_number(below)
            is_integer = exact is not None and exact.denominator == 1
            before = "" if number == ZERO else made[number].text
            return _Written(within(f"{before}{style.tiny(name, made[below].text, is_integer)}"), 0, True)
        if _is_own_negative(at):
            if len(left) == 1:
                only = made[left[0]]
                return _Written(within(f"{style.plus_minus}({only.text})" if only.is_loose else f"{style.plus_minus}{only.text}"), 0)
            return _Written(within(f"{style.plus_minus}{{{joined(made[option].text for option in left)}}}"), 0)
        sides: list[str] = []
        slashes = 0
        for side in (left, right):
            if len(side) == 1 and 0 < made[side[0]].slashes < MOST_SLASHES:
                slashes = max(slashes, made[side[0]].slashes)
                sides.append(made[side[0]].text[1:-1])
            else:
                sides.append(joined(made[option].text for option in side))
        slashes += 1
        return _Written(within(f"{{{sides[0]}{'|' * slashes}{sides[1]}}}"), slashes)

    def within(text: str) -> str:
        refuse_longer(len(text) - 2, limit)  # braces may still be left out
        return text

    def joined(texts: Iterable[str]) -> str:
        parts = list(texts)
        refuse_longer(sum(map(len, parts)), limit)
        return ",".join(parts)

    text = composed(root, needs, compose).text
    refuse_longer(len(text), limit)
    return text


def _is_own_negative(at: int) -> bool:
    """Whether a value is its own negative; what plainly is not is not negated for it."""
    left, right = store.stops(at)
    return left == -right and store.negative(at) == at


def _tiny(left: Sequence[int], right: Sequence[int]) -> tuple[str, int, int] | None:
    """``Tiny`` or ``Miny``, the number x and the value G where the options are those of ``x + Tiny(G)`` or ``x + Miny(G)``.

    ``x + Tiny(G)`` is ``{x || x | x − G}``, and CGSuite calls it so when the mean of G is above 0.
    """
    if len(left) != 1 or len(right) != 1:
        return None
    for name, number, other in (("Tiny", left[0], right[0]), ("Miny", right[0], left[0])):
        if exact_number(number) is None:
            continue
        answers, threats = options(other) if name == "Tiny" else reversed(options(other))
        if len(answers) != 1 or len(threats) != 1 or answers[0] != number:
            continue
        below = store.add(number, store.negative(threats[0])) if name == "Tiny" else store.add(threats[0], store.negative(number))
        if _has_positive_mean(below):
            return name, number, below
    return None


def _has_positive_mean(at: int) -> bool:
    left_stop, right_stop = store.stops(at)
    return right_stop > 0 or (left_stop > 0 and walls_of(at).right[-1][1] > 0)


def _simple_word(at: int) -> str | None:
    form = closed_form(at)
    if form is None or form[1] or form[2] > 1 or form[0].denominator != 1:
        return None
    if not form[2]:
        return str(form[0])
    return None if form[0] else "*"
