"""How environments show a game."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from ludarium.core.drawing import board_alone
from ludarium.core.game import State
from ludarium.core.png import paint
from ludarium.errors import BadOption, one_of

RENDER_MODES = ["ansi", "rgb_array"]

WIDTH = 480
"""Of pictures, in pixels."""


def checked(mode: str | None, modes: list[str]) -> str | None:
    """That mode, or None.

    Raises:
        BadOption: it is none of ``modes``.
    """
    if mode not in (None, *modes):
        raise BadOption(f"environments: render_mode {one_of(mode, modes)}")
    return mode


def rendered(state: State, mode: str | None) -> str | NDArray[np.uint8] | None:
    """Nothing, the board as text (``ansi``), or a picture of it (``rgb_array``: ``uint8[height, 480, 3]``)."""
    if mode == "rgb_array":
        from PIL import Image  # of the extra, and only for this

        with Image.open(BytesIO(paint(board_alone(state.svg(size=WIDTH)), WIDTH))) as picture:
            return np.asarray(picture.convert("RGB"))
    return None if mode is None else str(state)
