"""The words of the notation, read one at a time: what a sign means depends on whether a value or an operator is expected."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from ludarium.errors import BadNotation, TooLarge

from ..literals import SUBSCRIPTS, SUPERSCRIPTS, VULGAR

MOST_DIGITS = 5000
"""Of a number: the smallest that is read has 16,384 binary places, which take so many below the line."""

MOST_DIGITS_OF_COUNT = 18
"""Of how many ups, of an order, of a nimber."""

ONE_UP, TWO_UPS, ONE_DOWN, TWO_DOWNS = "^↑", "⇑", "v↓", "⇓"
STARS = "*∗⋆★"
MINUSES = "-−"
ARROWS = "^↑⇑↓⇓"
VALUE_STARTS = f"{ARROWS}({{*±⧾⧿"
VULGAR_NUMBERS = {symbol: number for number, symbol in VULGAR.items()}

_TO_ASCII = str.maketrans(SUPERSCRIPTS + SUBSCRIPTS, "0123456789" * 2)

_spaces = re.compile(r"\s*")
_digits = re.compile(r"[0-9]+")
_superscripts = re.compile(f"[{SUPERSCRIPTS}]+")
_subscripts = re.compile(f"[{SUBSCRIPTS}]+")
_downs = re.compile(r"v+(?![^\W\d])")
_word = re.compile(r"[^\W\d]\w*")
_order = re.compile(r"<([0-9]+)>")
_run = re.compile(r"\[([0-9]+)\]")
_slashes = re.compile(r"\|+")
_plus_minus = re.compile(r"\+-|±")
_relation = re.compile(r"<=|>=|==|=|!=|<>|<\||\|>|<|>|≤|≥|≠|∥|⧏|⧐|\|\|?")
_ASCII_RELATIONS = {"≤": "<=", "≥": ">=", "=": "==", "≠": "!=", "∥": "|", "||": "|", "<>": "|", "⧏": "<|", "⧐": "|>"}


class Literal(NamedTuple):
    """A number, ups and a nimber written together, such as ``1/2^*``. ``kind`` says of what the ups are so many, or which: "times", "power" or "run"."""

    number: Fraction
    ups: int
    kind: str
    nimber: int
    is_number: bool


class Token(NamedTuple):
    """A word: its kind, how it is written, and where (from 0 on). The kind of signs is the sign, in ASCII."""

    kind: str
    text: str
    start: int
    end: int
    literal: Literal | None = None


def token_at(text: str, start: int, *, operand: bool, relations: bool) -> Token:
    """The word at or after ``start``: where a value is expected (``operand``) or an operator, which may be one of the ``relations``.

    Raises:
        BadNotation: a sign that means nothing there.
        TooLarge: a number with more digits than any value that can be computed with.
    """
    at = _after_spaces(text, start)
    if at == len(text):
        return Token("end", "", at, at)
    if not operand and relations and (found := _relation.match(text, at)):
        return Token("relation", _ASCII_RELATIONS.get(found[0], found[0]), at, found.end())
    if found := _slashes.match(text, at):
        return Token("|", found[0], at, found.end())
    if found := _plus_minus.match(text, at):
        return Token("+-", found[0], at, found.end())
    if tiny := _tiny_at(text, at):
        return tiny
    sign = text[at]
    if operand:
        return _operand_at(text, at, sign)
    for kind, signs in (("*", f"{STARS}.·×⋅"), ("-", MINUSES)):
        if sign in signs:
            return Token(kind, sign, at, at + 1)
    return Token(sign if sign in "+:,)}" else "unknown", sign, at, at + 1)


def _operand_at(text: str, at: int, sign: str) -> Token:
    if sign in MINUSES:
        number = _after_spaces(text, at + 1)
        if number < len(text) and (text[number] in VULGAR_NUMBERS or _digits.match(text, number)):
            return _literal_at(text, at, number, -1)
        return Token("-", sign, at, at + 1)
    if sign in "+({,})":
        return Token(sign, sign, at, at + 1)
    if sign in ARROWS + STARS or sign in VULGAR_NUMBERS or _digits.match(text, at) or _downs.match(text, at):
        return _literal_at(text, at, at, 1)
    if found := _word.match(text, at):
        return Token("name", found[0], at, found.end())
    return Token("unknown", sign, at, at + 1)


def _tiny_at(text: str, at: int) -> Token | None:
    """A word for a tiny or a miny that starts here, with the integer that stands below it in symbols."""
    if text[at] in "⧾⧿":
        below = _subscripts.match(text, at + 1)
        if below is None:
            return Token("tiny", text[at], at, at + 1)
        return Token("tiny", text[at], at, below.end(), Literal(Fraction(_whole(below[0], MOST_DIGITS)), 0, "times", 0, True))
    found = _word.match(text, at)
    return Token("tiny", found[0], at, found.end()) if found and found[0] in ("Tiny", "Miny") else None


def _literal_at(text: str, start: int, at: int, sign: int) -> Token:
    number, is_number, end = _number_at(text, at)
    ups, kind, after_ups = _ups_at(text, end)
    has_ups = after_ups > end
    nimber, end = _nimber_at(text, after_ups, may_multiply=is_number and not has_ups and number.denominator == 1)
    has_star = end > after_ups
    return Token(
        "value", text[start:end], start, end, Literal(sign * number, ups, kind, nimber, is_number and not has_ups and not has_star)
    )


def _number_at(text: str, at: int) -> tuple[Fraction, bool, int]:
    number, start = Fraction(0), at
    found = _digits.match(text, at)
    if found:
        number, at = Fraction(_whole(found[0], MOST_DIGITS)), found.end()
        if text.startswith(".", at) and _digits.match(text, at + 1):
            raise expected(text, at, "a fraction such as 3/2 in place of a decimal", ".")
        if text.startswith("/", at) and (below := _digits.match(text, at + 1)):
            denominator = _whole(below[0], MOST_DIGITS)
            if not denominator or denominator & (denominator - 1):
                raise expected(text, at + 1, "a power of two below the line", below[0])
            return number / denominator, True, below.end()
    if at < len(text) and text[at] in VULGAR_NUMBERS:
        return number + VULGAR_NUMBERS[text[at]], True, at + 1
    return number, at > start, at


def _ups_at(text: str, at: int) -> tuple[int, str, int]:
    """How many ups (downs below 0), of what kind, and where they end."""
    if at == len(text):
        return 0, "times", at
    if text[at] in f"{TWO_UPS}{TWO_DOWNS}":
        return (2 if text[at] == TWO_UPS else -2), "times", at + 1
    sign = 1
    if text[at] in ONE_DOWN:
        sign = -1
        if text[at] == "v" and not _downs.match(text, at):
            return 0, "times", at
    elif text[at] not in ONE_UP:
        return 0, "times", at
    end = at
    while end < len(text) and text[end] in (ONE_UP if sign > 0 else ONE_DOWN):
        end += 1
    if end == at + 1:
        for kind, pattern in (("times", _digits), ("power", _order), ("run", _run), ("power", _superscripts)):
            if found := pattern.match(text, end):
                count = _whole(found[found.lastindex or 0], MOST_DIGITS_OF_COUNT)
                if kind != "times" and not count:
                    raise expected(text, end, "an order from 1 on", found[0])
                return sign * count, kind, found.end()
    return sign * (end - at), "times", end


def _nimber_at(text: str, at: int, *, may_multiply: bool) -> tuple[int, int]:
    """A nimber and where it ends. The star after an integer multiplies it where a value other than a number follows at once."""
    if at == len(text) or text[at] not in STARS:
        return 0, at
    if found := _digits.match(text, at + 1):
        return _whole(found[0], MOST_DIGITS_OF_COUNT), found.end()
    if may_multiply and at + 1 < len(text) and (text[at + 1] in VALUE_STARTS or _word.match(text, at + 1)):
        return 0, at
    return 1, at + 1


def _whole(digits: str, most: int) -> int:
    if len(digits) > most:
        raise TooLarge(f"a number of {len(digits):,} digits is too large here; it may have {most:,}")
    return int(Decimal(digits.translate(_TO_ASCII)))  # unlike the digits of int, those of Decimal are not counted


def expected(text: str, at: int, what: str, found: str) -> BadNotation:
    """The error of a text that has something else than ``what`` at ``at``."""
    low, high = (0, len(text)) if len(text) <= 60 else (max(at - 30, 0), at + 30)
    shown = f"{'…' * (low > 0)}{text[low:high]}{'…' * (high < len(text))}"
    there = f"'{found[:30]}'" if found else "the end"
    return BadNotation(f"'{shown}': expected {what} at character {at + 1}, found {there}")


def _after_spaces(text: str, at: int) -> int:
    found = _spaces.match(text, at)
    return at if found is None else found.end()
