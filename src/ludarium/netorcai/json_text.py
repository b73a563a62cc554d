"""JSON as netorcai reads and writes it.

The original keeps every number that passes through it as a 64-bit float: 2.0 arrives as 2, large integers lose digits, and text that is no Unicode is mended.
Programs rely on what comes out, so what players send goes the same way here.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

from ludarium.errors import ProtocolError

_EXACT = 15
"""Characters of an integer that a float surely keeps."""
_LONG = 2**20
"""Bytes of a message from which on its numbers are left as they were written. Nobody has so much to say, and meanwhile the game stands still."""
_LONGEST_INTEGER = 1e21
"""From here on netorcai writes a whole number with an exponent, so that it is no integer any more."""


def _number(text: str) -> int | float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"{text} is too large for a number")
    if abs(value) < _LONGEST_INTEGER and value.is_integer():
        return int(Decimal(repr(value)))
    return value


def _integer(text: str) -> int | float:
    return int(text) if len(text) <= _EXACT else _number(text)


def _refuse(text: str) -> Any:
    raise ValueError(f"{text} is no JSON")


_ESCAPE = re.compile(r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL)
"""An escape in a JSON text: a character in two halves, a half alone, or any other."""

_PASSING = json.JSONDecoder(parse_int=_integer, parse_float=_number, parse_constant=_refuse)
_PLAIN = json.JSONDecoder(parse_constant=_refuse)
_SORTED = json.JSONEncoder(separators=(",", ":"), sort_keys=True, ensure_ascii=False, allow_nan=False)
_WRITTEN = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


def read_object(content: bytes, *, as_floats: bool = True) -> dict[str, Any]:
    """The JSON object of a message.

    Args:
        as_floats: pass numbers through 64-bit floats, unless the message is very long.

    Raises:
        ProtocolError: it is none.
    """
    try:
        value = (_PASSING if as_floats and len(content) < _LONG else _PLAIN).decode(_whole(content.decode("utf-8", "replace")))
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ProtocolError("not_json", "Non-JSON message received")
    return value  # pyright: ignore[reportUnknownVariableType]


def _whole(text: str) -> str:
    """The text with each escape that stands for half a character turned into that of the mark of replacement."""
    if "\\ud" not in text and "\\uD" not in text:
        return text
    return _ESCAPE.sub(lambda found: found[0] if found["half"] is None else "\\ufffd", text)


def compact(value: Any, *, sort_keys: bool = False) -> bytes:
    """JSON without spaces, in UTF-8.

    Raises:
        ValueError: with sorted keys, for a number that is infinite.
    """
    return (_SORTED if sort_keys else _WRITTEN).encode(value).encode("utf-8", "replace")
