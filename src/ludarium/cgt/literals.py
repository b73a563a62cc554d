"""What is written as one word: a number, ups of one order and a nimber, in CGSuite's signs and in symbols."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from .numbers import number_text

VULGAR = {Fraction(eighths, 8): symbol for eighths, symbol in enumerate("⅛¼⅜½⅝¾⅞", start=1)}
SUPERSCRIPTS, SUBSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹", "₀₁₂₃₄₅₆₇₈₉"
_ABOVE, _BELOW = (str.maketrans("0123456789", digits) for digits in (SUPERSCRIPTS, SUBSCRIPTS))


class Uptimal(NamedTuple):
    """``number + ups[0]·↑ + ups[1]·↑² + … + *nimber``; the last of ``ups`` is not 0."""

    number: Fraction
    ups: tuple[int, ...]
    nimber: int

    @property
    def is_power(self) -> bool:
        """Whether of all ups there is one ``↑ⁿ`` or ``−↑ⁿ`` with n > 1."""
        return len(self.ups) > 1 and abs(self.ups[-1]) == 1 and not any(self.ups[:-1])

    @property
    def is_run(self) -> bool:
        """Whether the ups are ``↑ + ↑² + … + ↑ⁿ`` with n > 1, or the negative of that."""
        return len(self.ups) > 1 and abs(self.ups[0]) == 1 and len(set(self.ups)) == 1

    @property
    def is_short(self) -> bool:
        """Whether CGSuite's notation has a word for it."""
        return len(self.ups) <= 1 or self.is_power or self.is_run

    def __str__(self) -> str:
        """The sum, as :class:`.Value` reads it."""
        if self.is_short:
            return literal(PLAIN, self)
        terms = [literal(PLAIN, Uptimal(self.number, self.ups[:1], 0))] if self.number or self.ups[0] else []
        for power, count in enumerate(self.ups[1:], start=2):
            if count:
                times = "" if abs(count) == 1 else f"{abs(count)}."
                terms.append(f"{times}{'^' if count > 0 else 'v'}<{power}>")
        if self.nimber:
            terms.append(literal(PLAIN, Uptimal(Fraction(0), (), self.nimber)))
        return " + ".join(terms)


class Style(NamedTuple):
    """The signs in which a value is written."""

    plus_minus: str
    arrows: tuple[str, str]  # one up, one down
    doubles: tuple[str, str]
    number: Callable[[Fraction], str]
    power: Callable[[int], str]
    tiny: Callable[[str, str, bool], str]  # "Tiny" or "Miny", the text below it, whether that is an integer


def _symbolic_number(number: Fraction) -> str:
    whole, rest = divmod(abs(number), 1)
    sign = "−" if number < 0 else ""
    if not rest:
        return f"{sign}{whole}"
    return f"{sign}{whole or ''}{VULGAR[rest]}" if rest in VULGAR else f"{sign}{number_text(abs(number))}"


def _symbolic_tiny(name: str, below: str, is_integer: bool) -> str:
    return f"{'⧾' if name == 'Tiny' else '⧿'}{below.translate(_BELOW) if is_integer else f'({below})'}"


def _plain_power(power: int) -> str:
    return f"<{power}>"


def _symbolic_power(power: int) -> str:
    return str(power).translate(_ABOVE)


def _plain_tiny(name: str, below: str, is_integer: bool) -> str:
    return f"{name}({below})"


PLAIN = Style("+-", ("^", "v"), ("^^", "vv"), number_text, _plain_power, _plain_tiny)
SYMBOLS = Style("±", ("↑", "↓"), ("⇑", "⇓"), _symbolic_number, _symbolic_power, _symbolic_tiny)


def literal(style: Style, form: Uptimal) -> str:
    """An uptimal that is short as one word, such as ``1/2^*`` or ``v<2>``."""
    number = style.number(form.number) if form.number or not (form.ups or form.nimber) else ""
    ups = ""
    if form.ups:
        last = form.ups[-1]
        arrow, double = (one[last < 0] for one in (style.arrows, style.doubles))
        if form.is_power:
            ups = f"{arrow}{style.power(len(form.ups))}"
        elif form.is_run:
            ups = f"{arrow}[{len(form.ups)}]"
        else:
            ups = {1: arrow, 2: double}.get(abs(last), f"{arrow}{abs(last)}")
    star = {0: "", 1: "*"}.get(form.nimber, f"*{form.nimber}")
    return f"{number}{ups}{star}"
