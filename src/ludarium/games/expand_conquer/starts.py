"""Named starting positions: symmetric ones, as the paper's last section asks for.

Each is its own mirror image with the colours exchanged, turned by half a turn or reflected. So it is worth the same to both players, and whoever wins
it does so by moving first or by moving second.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["DEFAULT_START", "EMPTY", "STARTS", "NamedStart"]

EMPTY = "empty"
DEFAULT_START = "pinwheel"


class NamedStart(NamedTuple):
    """A position to begin with, as a board string, and what is remarkable about it."""

    board: str
    about: str


STARTS = {
    "pinwheel": NamedStart("O******X|**X**O**|*O****X*|***OX***|***OX***|*O****X*|**X**O**|O******X", "8×8."),
}
