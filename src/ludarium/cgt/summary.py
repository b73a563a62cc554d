"""What is said about a value in one JSON object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludarium.errors import NoAtomicWeight

from .engine.structure import followers
from .numbers import number_text
from .text.printing import braces_text, plain_text, unicode_text
from .text.writing import Longer
from .values import Value

MOST_FOLLOWERS, MOST_CHARACTERS, MOST_BRACES = 400, 3000, 2000
"""Canonical forms with more positions (behind a number none counts) or longer texts are not written out, nor braces with longer ones."""

OUTCOMES = {
    "L": "Left wins, whoever begins",
    "R": "Right wins, whoever begins",
    "N": "the next player wins, who begins",
    "P": "the previous player wins, who does not begin",
}
"""Who wins, in words."""


def summary(value: Value, most_followers: int = MOST_FOLLOWERS) -> dict[str, Any]:
    """The value in words and figures; numbers are texts such as ``-5/8``.

    ``canonical`` (CGSuite's notation), ``braces``, ``outcome``, ``mean``, ``temperature``, ``left_stop``, ``right_stop``, ``atomic_weight``, ``birthday``,
    ``followers`` (how many positions the canonical form has, itself included) and ``merkle64``. None stands for a text that is too long, and for an atomic
    weight that does not exist.
    """
    left, right = value.stops
    return {
        "canonical": text_or_none(value, most_followers),
        "braces": _none_if_longer(braces_text, value, MOST_BRACES),
        "outcome": value.outcome,
        "mean": number_text(value.mean),
        "temperature": number_text(value.temperature),
        "left_stop": number_text(left),
        "right_stop": number_text(right),
        "atomic_weight": None if (weight := weight_or_none(value)) is None else short_text(weight),
        "birthday": value.birthday,
        "followers": value.follower_count,
        "merkle64": value.merkle64,
    }


def short_text(value: Value, most: int = MOST_CHARACTERS) -> str | None:
    """The value as CGSuite writes it, None where that has more than so many characters."""
    return _none_if_longer(plain_text, value, most)


def short_symbols(value: Value) -> str | None:
    """The value in symbols, None where that is too long."""
    return _none_if_longer(unicode_text, value, MOST_CHARACTERS)


def _none_if_longer(write: Callable[[int, int], str], value: Value, most: int) -> str | None:
    try:
        return write(value._at, most)
    except Longer:
        return None


def text_or_none(value: Value, most_followers: int = MOST_FOLLOWERS) -> str | None:
    """The value as CGSuite writes it, None where that is too long."""
    return None if len(followers(value._at)) > most_followers else short_text(value)


def weight_or_none(value: Value) -> Value | None:
    """The atomic weight, None where there is none."""
    try:
        return value.atomic_weight
    except NoAtomicWeight:
        return None
