"""What is drawn on the faces of dice, in a square of 20 by 20: the command, its priority at the bottom right, the laser icon at the top right.

Each has its own place, so that none lies over another; the bottom left is for the padlock of a locked register.
"""

from __future__ import annotations

from html import escape
from typing import Any

from ..sheets.faces import CMT, COMMANDS, F1, F2, F3, HACKS, INV, MEANINGS, REV, SL, SR, L, R, U

SIDE = 20
"""The side of a die in the drawing's own units."""

_ARROW = "M6 2.2 10.3 7.6H7.9v6H4.1v-6H1.7z"
"""Ahead, with room for a digit to its right."""

_SHAPES = {
    F1: _ARROW,
    F2: _ARROW,
    F3: _ARROW,
    REV: "M9 13.6 4.2 8H7V2.6h4V8h2.8z",
    L: "M8.2 2.2v2.7h1.4a4.4 4.4 0 0 1 4.4 4.4v4.3h-3.2V9.5a1.6 1.6 0 0 0-1.6-1.6h-1v2.8L3 6.4z",
    R: "M9.8 2.2v2.7H8.4A4.4 4.4 0 0 0 4 9.3v4.3h3.2V9.5a1.6 1.6 0 0 1 1.6-1.6h1v2.8L15 6.4z",
    SL: "M1.8 8.6 7 3.6v3h3v4h-3v3zM11.2 6.6h1.2v4h-1.2zM13.6 6.6h1.2v4h-1.2z",
    SR: "M15.6 8.6 10.4 3.6v3h-3v4h3v3zM6.2 6.6H5v4h1.2zM3.8 6.6H2.6v4h1.2z",
    U: "M3.4 13.4V7.4a4.2 4.2 0 0 1 8.4 0v1h2.6L10.3 13.4 6.2 8.4h2.6v-1a1.2 1.2 0 0 0-2.4 0v6z",
}

_DIGITS = {F1: "1", F2: "2", F3: "3"}
_SIGNS = {CMT: "//", INV: "!"}

_BURST = "M16.3 0 17.2 1.6 18.9 1.1 18.4 2.8 20 3.7 18.4 4.6 18.9 6.3 17.2 5.8 16.3 7.4 15.4 5.8 13.7 6.3 14.2 4.6 12.6 3.7 14.2 2.8 13.7 1.1 15.4 1.6z"
"""The laser icon: a star of eight points in the corner, where no command reaches."""


def die_label(tables: Any, die: int, face: int) -> str:
    """A face in words, those that stand on it in their order among them; die and face count from 1."""
    command = int(tables.commands[die - 1, face - 1])
    laser = ", with laser" if tables.lasers[die - 1, face - 1] else ""
    return f"{COMMANDS[command]}, priority {tables.priorities[die - 1, face - 1]}, {MEANINGS[command]}{laser}"


def die_svg(tables: Any, player: int, die: int, face: int) -> str:
    """A die of a player with a face up; die and face count from 1."""
    command = int(tables.commands[die - 1, face - 1])
    hack = command in HACKS
    body = f'<rect class="rd-die{" rd-hack" if hack else ""}" x=".6" y=".6" width="18.8" height="18.8" rx="3.6"/>'
    rim = f'<rect class="rd-rim rd-s{player}" x="1.5" y="1.5" width="17" height="17" rx="2.8"/>'
    priority = f'<text class="rd-p{" rd-q" if hack else ""}" x="17.2" y="17.4">{tables.priorities[die - 1, face - 1]}</text>'
    burst = f'<path class="rd-burst" d="{_BURST}"/>' if tables.lasers[die - 1, face - 1] else ""
    return f"{body}{rim}{priority} {_icon(command)}{burst}"


def _icon(command: int) -> str:
    if command in _SIGNS:
        return f'<text class="rd-sign" x="7.8" y="12.1">{escape(_SIGNS[command])}</text>'
    digit = f'<text class="rd-n" x="13.3" y="12.9">{_DIGITS[command]}</text>' if command in _DIGITS else ""
    return f'<g transform="translate(1.3 1.5) scale(.88)"><path class="rd-i" d="{_SHAPES[command]}"/>{digit}</g>'


def face_down_svg(player: int) -> str:
    """A die that is not to be seen."""
    return (
        f'<rect class="rd-back rd-g{player}" x=".6" y=".6" width="18.8" height="18.8" rx="3.6"/>'
        f'<rect class="rd-rim rd-back" x="2.6" y="2.6" width="14.8" height="14.8" rx="2.2"/><text class="rd-what" x="10" y="14">?</text>'
    )


def padlock_svg(x: float, y: float) -> str:
    """A padlock with its top left corner at a place, 5.6 wide and 7 high, on a plate that keeps it apart from a die below."""
    return (
        f'<g transform="translate({x:g} {y:g})"><rect class="rd-key" x="-.6" y="-.6" width="6.8" height="8.2" rx="1.6"/>'
        '<path class="rd-shackle" d="M1.4 3.4V2.1a1.4 1.4 0 0 1 2.8 0V3.4"/><rect class="rd-lock" y="3" width="5.6" height="4" rx=".9"/>'
        '<circle class="rd-key" cx="2.8" cy="5" r=".8"/></g>'
    )
