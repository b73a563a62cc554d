"""The robots' colours, which stay apart for colour-blind eyes (M. Okabe and K. Ito's palette), with a shape for each that needs no colour; and the board's."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ludarium.core.drawing import Palette

GROUND, PIECES = (Path(__file__).with_name(f"{name}.css") for name in ("ground", "pieces"))
"""The rules for the board, and for robots, dice and mats."""


class Paint(NamedTuple):
    """How one player's robot looks: ``body`` is its outline from above in a square from −10 to 10, facing north; ``shape`` says it in words; ``terminal`` is a
    colour of Rich."""

    name: str
    body: str
    shape: str
    terminal: str


PAINTS = (
    Paint("Blue", "M-4.6-6.4h9.2q2 0 2 2v8.2q0 2-2 2h-9.2q-2 0-2-2v-8.2q0-2 2-2z", "a square robot", "dodger_blue1"),
    Paint("Orange", "M-6.9-.2a6.9 6.9 0 1 1 13.8 0 6.9 6.9 0 1 1-13.8 0z", "a round robot", "orange1"),
    Paint("Green", "M-1.7-6.5q1.7-1.5 3.4 0L8.2 3.7q1 2.1-1.3 2.3H-6.9Q-9.2 5.8-8.2 3.7z", "a three-cornered robot", "spring_green3"),
    Paint("Pink", "M-3.9-6.6h7.8L7.9-.3 3.9 6h-7.8L-7.9-.3z", "a six-cornered robot", "plum2"),
)
"""By the player's number."""

_COLOURS = {
    "floor": ("#e4e2dc", "#3d454c"),
    "floor2": ("#efede8", "#464f57"),
    "line": ("#cfccc3", "#555f68"),
    "seam": ("#98948a", "#78858f"),
    "ghost": ("#dad7cf", "#4f5962"),
    "frame": ("#59636b", "#8b98a2"),
    "wall": ("#ffca1f", "#ffd23f"),
    "wall-edge": ("#23282c", "#0b0d0f"),
    "pit": ("#14181b", "#050607"),
    "pit-edge": ("#7d796f", "#8a949c"),
    "mark": ("#fbfaf7", "#2b3238"),
    "mark-edge": ("#8b877d", "#8894a0"),
    "ink": ("#222a30", "#edf1f4"),
    "soft": ("#5a656d", "#aab6bf"),
    "belt": ("#b9c6cf", "#262d33"),
    "belt-edge": ("#7d8f9b", "#77858f"),
    "chevron": ("#4c5f6c", "#9fb0bc"),
    "ray": ("#c4122f", "#ff6f80"),
    "mat": ("#f6f7f7", "#22282d"),
    "mat-edge": ("#b9c2c7", "#48535b"),
    "slot": ("#dfe6e3", "#2e373d"),
    "slot-edge": ("#8fa39b", "#6d7d87"),
    "die": ("#fffefb", "#f2efe6"),
    "hack": ("#33263f", "#33263f"),
    "hack-ink": ("#ffe45c", "#ffe45c"),
    "icon": ("#20292f", "#1b2328"),
    "beam": ("#c4122f", "#d5122f"),
    "locked": ("#b3261e", "#ff8a80"),
    "lamp": ("#1d8a4e", "#5fd68f"),
    "token": ("#ffffff", "#ffffff"),
    "grey": ("#9aa1a6", "#7b848b"),
    "f0": ("#2f8ed6", "#57b1f2"),
    "e0": ("#062c4b", "#03182a"),
    "f1": ("#f0a30f", "#ffb938"),
    "e1": ("#4a2f00", "#2e1d00"),
    "f2": ("#1fb58b", "#3fd6ab"),
    "e2": ("#003526", "#002219"),
    "f3": ("#dd86b6", "#f2a6d0"),
    "e3": ("#4f1436", "#330b22"),
}
"""Colours by name, for light and for dark surroundings; those with a player's number fill its robot and edge it."""

_PALETTE = Palette("rd", _COLOURS)

THEMES = _PALETTE.themes(
    {
        "Blueprint": {
            "floor": ("#d9e4f0", "#2a3b4f"),
            "floor2": ("#e6eef7", "#32455b"),
            "line": ("#bccde0", "#42566e"),
            "seam": ("#8aa0b8", "#7990aa"),
            "ghost": ("#cdd9e7", "#384d65"),
        },
        "Sand": {
            "floor": ("#e8dcc4", "#453c31"),
            "floor2": ("#f1e8d6", "#4e4438"),
            "line": ("#d2c4a6", "#5f5446"),
            "seam": ("#9d8e70", "#8c7d68"),
            "ghost": ("#ddd0b4", "#574c3f"),
        },
    }
)

colour = _PALETTE.paint
"""A property with one of these colours."""


def style(*sheets: Path) -> str:
    """The style sheet: colours for both schemes, then the rules of files, which name colours as ``var(--rd-floor)``."""
    return _PALETTE.schemes + _PALETTE.rules(*sheets)
