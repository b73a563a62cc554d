"""Whole numbers in JSON, where some languages write ``12.0`` for 12."""

from __future__ import annotations


def whole_number(value: object) -> int | None:
    """Return the integer that a value of JSON stands for, or None if it stands for none: a text, ``true``, 1.5, NaN or infinity."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def as_whole(value: object) -> object:
    """Return the integer that a value of JSON stands for, else the value as it is, for what checks it next."""
    number = whole_number(value)
    return value if number is None else number
