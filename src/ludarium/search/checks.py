"""What all searches ask of their numbers."""

from __future__ import annotations

import math
from typing import Any

from ludarium.errors import BadOption


def check_whole(where: str, value: Any, least: int) -> None:
    """Refuse what is no whole number from ``least`` on.

    Raises:
        BadOption: with ``where`` at its beginning.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise BadOption(f"{where} is a whole number from {least}, not {value!r}")


def check_positive(where: str, value: Any) -> None:
    """Refuse what is no number above 0, or beyond all bounds.

    Raises:
        BadOption: with ``where`` at its beginning.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise BadOption(f"{where} is a number above 0, not {value!r}")


def never() -> bool:
    """The answer of a search that nobody interrupts."""
    return False
