"""The board in words, for those who hear it: where squares are, and what lies, stands and runs on them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ludarium.core.jit import plain

from ..execution.beams import beams_of
from ..phases.setup import is_board_edge
from ..sheets.faces import WAYS
from ..sheets.tiles import BELTS, LETTERS, MARKS, PIT, VOID
from ..tables import DROP, are_placed


def square_words(tables: Any, square: int) -> str:
    """Where a square is, counted from 1, from the west and from the north."""
    return f"column {square % tables.width + 1} row {square // tables.width + 1}"


def squares_words(state: Any) -> list[str]:
    """Each square by itself: where it is, what lies and runs there, and which robot stands on it."""
    tables, record = state.game.tables, state.record
    words = [[square_words(tables, square)] for square in range(tables.squares)]
    for robot, name in enumerate(state.game.player_names):
        if are_placed(record) and int(record.square[robot]) >= 0:
            words[int(record.square[robot])].append(f"{name}'s robot")
    squares = zip(words, record.kinds[: tables.squares].tolist(), record.walls[: tables.squares].tolist(), strict=True)
    for told, kind, walls in squares:
        if kind == PIT:
            told.append("pit")
        elif kind in BELTS:
            told.append(f"belt to the {WAYS[kind - BELTS[0]]}")
        elif kind >= MARKS[0]:
            told.append(f"letter {LETTERS[kind - MARKS[0]]}")
        told += [f"wall in the {WAYS[way]}" for way in range(4) if _is_wall(walls, way)]
    for beam in beams_of(tables, record):
        for square in beam.squares:
            words[square].append(f"laser to the {WAYS[beam.direction]}")
    return [", ".join(told) for told in words]


def _is_wall(walls: int, way: int) -> bool:
    """Whether a square has a wall in a direction; what ends in pits has none."""
    return walls >> way & (1 << DROP | 1) == 1


def ground_words(tables: Any, record: Any) -> str:
    """All of a board that is laid but its robots."""
    on_squares: list[int] = record.kinds[: tables.squares].tolist()
    kinds = list(enumerate(on_squares))
    letters = [f"{LETTERS[kind - MARKS[0]]} {_short(tables, square)}" for square, kind in kinds if kind >= MARKS[0]]
    parts = [
        f"Board of {tables.width} columns from the west and {tables.height} rows from the north",
        f"places are told as column row, tiles of {tables.size} by {tables.size} by their north-western corner",
    ]
    if int(record.start_edge) >= 0:
        place = [int(tile) for tile in record.tile].index(0)
        finish = [WAYS[int(edge)] for edge in tables.outer_edges[place] if int(edge) != int(record.start_edge)]
        parts.append(f"start at the {WAYS[int(record.start_edge)]}ern edge of the start tile, finish at the {' and '.join(finish)}ern one")
        parts += [f"tile {number + 1} from {_short(tables, square)}" for number, square in _lap(tables, record)]
    parts += _listed("letters", letters)
    parts += _listed("pits", (_short(tables, square) for square, kind in kinds if kind == PIT))
    parts += _listed("walls", (f"{WAYS[way]} of {column + 1} {row + 1}" for column, row, way in walls_of(tables, record)))
    parts += _listed("belts", (f"{_short(tables, square)} to the {WAYS[kind - BELTS[0]]}" for square, kind in kinds if kind in BELTS))
    parts += _listed(
        "lasers", (f"from {_short(tables, beam.squares[0])} to the {WAYS[beam.direction]}" for beam in beams_of(tables, record))
    )
    return "; ".join(parts)


def _lap(tables: Any, record: Any) -> list[tuple[int, int]]:
    """The tiles by their place in the lap, from 0, each with the square in its north-western corner."""
    corners = zip(tables.place_column.tolist(), tables.place_row.tolist(), strict=True)
    squares = [tables.size * (tables.width * row + column) for column, row in corners]
    return sorted((int(record.lap_tiles[square]), square) for square in squares if int(record.lap_tiles[square]) >= 0)


def _listed(name: str, items: Iterable[str]) -> list[str]:
    found = ", ".join(items)
    return [f"{name} {found}"] if found else []


def _short(tables: Any, square: int) -> str:
    return f"{square % tables.width + 1} {square // tables.width + 1}"


def walls_of(tables: Any, record: Any) -> list[tuple[int, int, int]]:
    """Walls between squares, each once, by column, row and direction (0 north to 3 west); those around the board only where it elsewhere ends in pits."""
    found: list[tuple[int, int, int]] = []
    squares = zip(record.kinds[: tables.squares].tolist(), record.walls[: tables.squares].tolist(), strict=True)
    for square, (kind, walls) in enumerate(squares):
        row, column = divmod(square, tables.width)
        for direction in range(4) if kind != VOID else ():
            if _is_wall(walls, direction) and (
                tables.pit_edges if plain(is_board_edge)(tables, record, square, direction) else direction in (0, 3)
            ):
                found.append((column, row, direction))
    return found
