"""A position for terminals of 80×24: the board with robots as letter and arrow, how the race is run, and the players' mats."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from rich.text import Text

from ..execution.beams import Beam, beams_of
from ..notation.program_text import whole_face_text
from ..sheets.dice import DICE
from ..sheets.faces import DIRECTIONS
from ..sheets.tiles import BELTS, LETTERS, MARKS, PIT, VOID
from ..tables import DROP, EMPTY, FULL_HEALTH, LOCKED, NOOP, PHASE, REGISTERS, WRECK, are_placed
from .colours import PAINTS
from .mats import from_seat, is_face_down, is_programming, progress

if TYPE_CHECKING:
    from ludarium.core.game import State

ARROWS = "^>v<"
WIDEST = 80
ROOMY, NARROW = 3, 2
"""Columns of a square between its walls."""


def board(state: State, *, seat: int) -> Text:
    """A robot is its letter and an arrow, a wreck its letter and ``x``; ``###`` is a pit, a small letter a mark, ``*`` the marker.

    ``_`` is a wall below a square and ``|`` one beside it, ``~`` and ``:`` edges over which robots fall. An arrow alone is a belt. A square with
    ``!`` before its sign has a laser, as in ``!##`` and ``!A^``; where a robot and a wall fill a square, that is left out.
    A line tells the squares of all lasers, as ``x,y`` from the top left, and where they shine, as tiles are written.
    Boards of more than 79 columns have walls on lines of their own. The mat of ``seat`` comes first.
    """
    tables, record = state.game.tables, state.record
    text = Text()
    if record.dealt:
        robots = {
            int(record.square[robot]): robot for robot in range(tables.players) if are_placed(record) and int(record.square[robot]) >= 0
        }
        beams = beams_of(tables, record)
        squares = _low_squares if (ROOMY + 1) * tables.width < WIDEST else squares_text
        text.append_text(squares(state, robots, {beam.squares[0] for beam in beams}))
        text.append(_laser_lines(tables, beams))
    mats = [_mat_lines(state, player) for player in from_seat(tables, seat)]
    return text.append_text(Text("\n").join([Text(_turn_line(state)), *mats]))


def _low_squares(state: Any, robots: dict[int, int], shining: set[int]) -> Text:
    """The squares with walls below them drawn in their own line."""
    tables, record = state.game.tables, state.record
    text = Text()
    for row in range(-1, tables.height):
        for column in range(tables.width + 1):
            edge = 0 if row < 0 else _edge(tables, record, column, row, 3) | _edge(tables, record, column - 1, row, 1)
            text.append(":" if edge > 1 else "|" if edge else " ", "yellow")
            if column < tables.width:
                below = _edge(tables, record, column, row, 2) | _edge(tables, record, column, row + 1, 0)
                text.append_text(
                    _low_square(state, row * tables.width + column, "~" if below > 1 else "_" if below else " ", robots, shining)
                )
        text.append("\n")
    return text


def _low_square(state: Any, square: int, below: str, robots: dict[int, int], shining: set[int]) -> Text:
    """The three columns of one square, in which the edge below it takes what is free. Negative squares are those above the board."""
    if square < 0:
        return Text(below * ROOMY, "yellow")
    has_laser = square in shining and not (square in robots and below != " ")
    sign, style = _square(state, square, ROOMY - has_laser, robots)
    if below != " " and sign.startswith("#"):
        sign = "#" + below if has_laser else f"{below}#{below}"
    text = Text("!" if has_laser else "", "bold red")
    for character in sign:
        text.append(*(below, "yellow") if character == " " else (character, style))
    return text


def squares_text(state: Any, robots: dict[int, int], shining: set[int]) -> Text:
    """The squares with their walls, without the lines below them; ``robots`` by their squares, and the squares that have lasers."""
    tables, record = state.game.tables, state.record
    width = ROOMY if (ROOMY + 1) * tables.width + 1 <= WIDEST else NARROW
    text = Text()
    for row in range(tables.height):
        text.append_text(_wall_row(tables, record, row, width))
        text.append_text(_square_row(state, row, width, robots, shining))
    return text.append_text(_wall_row(tables, record, tables.height, width))


def _kind(tables: Any, record: Any, column: int, row: int) -> int:
    inside = 0 <= column < tables.width and 0 <= row < tables.height
    return int(record.kinds[row * tables.width + column]) if inside else VOID


def _edge(tables: Any, record: Any, column: int, row: int, direction: int) -> int:
    """What is at an edge of a square: 0 nothing, 1 a wall, more the end of a board where one falls."""
    if _kind(tables, record, column, row) == VOID:
        return 0
    return int(record.walls[row * tables.width + column]) >> direction & (1 << DROP | 1)


def _wall_row(tables: Any, record: Any, row: int, width: int) -> Text:
    """The line above a row of squares: posts at corners of squares, walls between them."""
    text = Text()
    for column in range(tables.width + 1):
        corner = any(_kind(tables, record, column - a, row - b) != VOID for a in (0, 1) for b in (0, 1))
        text.append("+" if corner else " ", "dim")
        if column < tables.width:
            edge = _edge(tables, record, column, row, 0) | _edge(tables, record, column, row - 1, 2)
            text.append(("~" if edge > 1 else "-" if edge else " ") * width, "yellow")
    text.append("\n")
    return text


def _square_row(state: State, row: int, width: int, robots: dict[int, int], shining: set[int]) -> Text:
    tables, record = state.game.tables, state.record
    text = Text()
    for column in range(tables.width + 1):
        edge = _edge(tables, record, column, row, 3) | _edge(tables, record, column - 1, row, 1)
        text.append(":" if edge > 1 else "|" if edge else " ", "yellow")
        if column < tables.width:
            square = row * tables.width + column
            has_laser = square in shining and (width == ROOMY or square not in robots)
            if has_laser:
                text.append("!", "bold red")
            text.append(*_square(state, square, width - has_laser, robots))
    text.append("\n")
    return text


def _square(state: State, square: int, width: int, robots: dict[int, int]) -> tuple[str, str]:
    """The columns of one square and their style."""
    tables, record = state.game.tables, state.record
    kind = int(record.kinds[square])
    if square in robots:
        robot = robots[square]
        sign = "x" if int(record.status[robot]) == WRECK else ARROWS[int(record.heading[robot])]
        return f"{LETTERS[int(record.letter[robot])]}{sign}".center(width), f"bold black on {PAINTS[robot].terminal}"
    if kind == PIT:
        return "#" * width, "bright_black"
    if kind in BELTS:
        return ARROWS[kind - BELTS[0]].center(width), "cyan"
    ends = [robot for robot in range(tables.players) if are_placed(record) and int(record.finish[robot]) == square]
    style = f"bold {PAINTS[ends[0]].terminal}" if ends and not tables.s_race else "bold yellow" if ends else "dim"
    sign = "*" if ends and tables.s_race else LETTERS[kind - MARKS[0]].lower() if kind >= MARKS[0] else "." if kind != VOID else ""
    return sign.center(width), style


def _laser_lines(tables: Any, beams: list[Beam]) -> str:
    """``Lasers shine from 0,4,E 7,2,N``, in as many lines as it takes."""
    if not beams:
        return ""
    places = " ".join(f"{beam.squares[0] % tables.width},{beam.squares[0] // tables.width},{DIRECTIONS[beam.direction]}" for beam in beams)
    return textwrap.fill(f"Lasers shine from {places}", WIDEST, subsequent_indent="  ") + "\n"


def _turn_line(state: State) -> str:
    tables, record = state.game.tables, state.record
    if state.is_over:
        return state.game.reason(state)
    if not record.dealt:
        return "The tiles are to be dealt."
    turn = f"Turn {int(record.turn)} of {tables.turn_limit}"
    if int(record.start_edge) < 0:
        return f"{turn}: the start edge is to be known."
    edge = int(record.start_edge)
    if tables.s_race:
        return f"{turn}: from the edge {DIRECTIONS[edge]} to *, where you end a turn."
    place = [int(tile) for tile in record.tile].index(0)
    (finish,) = (int(other) for other in tables.outer_edges[place] if int(other) != edge)
    return f"{turn}: from the edge {DIRECTIONS[edge]} of the tile with marks once around to its edge {DIRECTIONS[finish]}."


def _mat_lines(state: State, player: int) -> Text:
    """Who and how far; then registers and hand, if there is anything in them."""
    record = state.record
    text = Text()
    letter = LETTERS[int(record.letter[player])] if are_placed(record) else " "
    text.append(f"{letter} {state.game.player_names[player]}", f"bold {PAINTS[player].terminal}")
    if not are_placed(record):
        return text
    where = progress(state, player)
    text.append(f"  health {int(record.health[player])} of {FULL_HEALTH}" + (f", {where}" if where else ""))
    program = program_line(state, player)
    return text.append(f"\n    {program}" if program.strip("- ") else "")


def program_line(state: State, player: int) -> str:
    """Return a player's registers and hand: ``F2 21  --  --  --   in hand 1: F1 18, 4: CMT 30``."""
    registers = "  ".join(_register(state, player, register) for register in range(REGISTERS))
    hand = ", ".join(_hand(state, player))
    return registers + (f"   in hand {hand}" if hand else "")


def choosing(state: State, player: int) -> str | None:
    """Return what a terminal shows after each die: registers and hand. None where the board has more to show."""
    return program_line(state, player) if int(state.record.phase) == PHASE.PROGRAM else None


def _register(state: State, player: int, register: int) -> str:
    """``F2 21``, ``NOOP(R 5)``, ``[U 1*]`` locked, ``??`` face down, ``--`` empty."""
    record = state.record
    slot, die, face = (int(field[player, register]) for field in (record.register_slot, record.register_die, record.register_face))
    text = (
        whole_face_text(state.game.tables, die, face) if die and face else "??" if slot == EMPTY and is_face_down(state, player) else "--"
    )
    return f"NOOP({text})" if slot == NOOP else f"[{text}]" if slot == LOCKED else text


def _hand(state: State, player: int) -> list[str]:
    """``3: CMT 30``; nothing of dice that are not to be seen, but that they are."""
    record = state.record
    faces = {die: int(record.dice[player, die - 1]) for die in range(1, DICE + 1)}
    shown = [f"{die}: {whole_face_text(state.game.tables, die, face)}" for die, face in faces.items() if face]
    if not shown and is_programming(state, player) and not record.rolling[player]:
        return ["dice that are not to be seen"]
    return shown
