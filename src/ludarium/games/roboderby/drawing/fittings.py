"""What is built into the board: belts, with chevrons that point where they run, and lasers with their beams."""

from __future__ import annotations

from typing import Any

from ..execution.beams import Beam, beams_of
from ..sheets.tiles import BELTS
from .icons import SIDE

# All of them for what runs or shines north, in a square of 20 by 20.
_PLATE = "M4 2.2h12q1.8 0 1.8 1.8v12q0 1.8-1.8 1.8H4q-1.8 0-1.8-1.8V4q0-1.8 1.8-1.8z"
_ON = "M2.2 5V-5h15.6V5z"
_CHEVRONS = "M4.7 7.5 10 3.2l5.3 4.3M4.7 17.5 10 13.2l5.3 4.3"
_TIP = "M5.8 1.7h8.4L10-1.9z"
_EMITTER = "M4.6 19.5v-3.6h2.6l.9-2.6h3.8l.9 2.6h2.6v3.6z"
_LENS = "M8.7 12h2.6v2.2H8.7z"
_MOUTH = 12
"""Where the beam leaves the emitter, from the far side of the square."""


def belts_svg(tables: Any, record: Any, *, tiles_apart: bool = False) -> str:
    """A plate for each belt, joined with the belt that it leads to, so that a row of belts is one band; on each plate two chevrons.

    With ``tiles_apart`` no tile goes on in another.
    """
    belts = _belts(tables, record)
    if not belts:
        return ""
    plates = "".join(f'<path transform="{_facing(tables, square, 0)}" d="{_PLATE}"/>' for square in belts)
    plates += "".join(
        f'<path transform="{_facing(tables, square, _direction(record, square))}" d="{_ON}"/>'
        for square in belts
        if _leads_on(tables, record, square, tiles_apart=tiles_apart)
    )
    chevrons = "".join(f'<path transform="{_facing(tables, square, _direction(record, square))}" d="{_CHEVRONS}"/>' for square in belts)
    return f'<g class="rd-belt-edge">{plates}</g><g class="rd-belt">{plates}</g><g class="rd-chevron">{chevrons}</g>'


def belt_tips_svg(tables: Any, record: Any) -> str:
    """For drawings that cover the squares: a small tip for each belt on the side of its square to which it runs."""
    tips = "".join(
        f'<path transform="{_facing(tables, square, _direction(record, square))}" d="{_TIP}"/>' for square in _belts(tables, record)
    )
    return f'<g class="rd-tip">{tips}</g>' if tips else ""


def beams_svg(tables: Any, record: Any, *, tiles_apart: bool = False) -> str:
    """A dashed line from every laser to the next wall, whoever stands in it; with ``tiles_apart`` at most to the rim of the laser's tile."""
    beams = "".join(_path(tables, _on_its_tile(tables, beam) if tiles_apart else beam) for beam in beams_of(tables, record))
    return f'<path class="rd-ray" d="{beams}"/>' if beams else ""


def emitters_svg(tables: Any, record: Any) -> str:
    """The lasers themselves, each at the side of its square from which it shines."""
    emitters = [
        f'<g transform="{_facing(tables, beam.squares[0], beam.direction)}"><path d="{_EMITTER}"/><path class="rd-lens" d="{_LENS}"/></g>'
        for beam in beams_of(tables, record)
    ]
    return f'<g class="rd-emitter">{"".join(emitters)}</g>' if emitters else ""


def _belts(tables: Any, record: Any) -> list[int]:
    """The squares with belts."""
    return [square for square, kind in enumerate(record.kinds[: tables.squares].tolist()) if kind in BELTS]


def _is_belt(record: Any, square: int) -> bool:
    return int(record.kinds[square]) in BELTS


def _direction(record: Any, belt: int) -> int:
    return int(record.kinds[belt]) - BELTS[0]


def _same_tile(tables: Any, one: int, other: int) -> bool:
    """Whether two squares lie on the same tile."""
    return _place(tables, one) == _place(tables, other)


def _place(tables: Any, square: int) -> tuple[int, int]:
    row, column = divmod(square, tables.width)
    return column // tables.size, row // tables.size


def _on_its_tile(tables: Any, beam: Beam) -> Beam:
    """The part of a beam on the tile that has the laser."""
    return Beam(beam.direction, tuple(square for square in beam.squares if _same_tile(tables, square, beam.squares[0])))


def _leads_on(tables: Any, record: Any, belt: int, *, tiles_apart: bool) -> bool:
    """Whether a belt brings what it carries to another belt that does not run against it."""
    direction = _direction(record, belt)
    if int(record.walls[belt]) >> direction & 1:
        return False
    ahead = belt + int(tables.step[direction])
    if tiles_apart and not _same_tile(tables, belt, ahead):
        return False
    return _is_belt(record, ahead) and _direction(record, ahead) != direction ^ 2


def _facing(tables: Any, square: int, direction: int) -> str:
    """Puts what is drawn for the north into a square, turned to a direction."""
    row, column = divmod(square, tables.width)
    turn = f" rotate({90 * direction} {SIDE // 2} {SIDE // 2})" if direction else ""
    return f"translate({SIDE * column} {SIDE * row}){turn}"


def _path(tables: Any, beam: Beam) -> str:
    """The path from the mouth of a laser to the wall."""
    row, column = divmod(beam.squares[0], tables.width)
    length = _MOUTH + SIDE * (len(beam.squares) - 1)
    across, down = ((0, -1), (1, 0), (0, 1), (-1, 0))[beam.direction]
    back = _MOUTH - SIDE // 2
    x, y = SIDE * column + SIDE // 2 - back * across, SIDE * row + SIDE // 2 - back * down
    return f"M{x} {y}{'h' if across else 'v'}{length * (across or down)}"
