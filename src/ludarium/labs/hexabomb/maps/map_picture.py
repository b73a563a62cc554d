"""A map in a terminal, as small as it can be: where the cells are, and who starts where."""

from __future__ import annotations

from string import ascii_letters

from rich.text import Text

from ludarium.games.hexabomb.drawing.colours import paint_of
from ludarium.games.hexabomb.maps import HexMap

MOST_LINES = 100
SPECIAL = "@"


def map_facts(board: HexMap) -> str:
    """How many can play on it, in one line."""
    players, characters = len(board.teams), len(board.teams[0])
    facts = [
        f"{players} player{'s' * (players > 1)}",
        f"{characters} character{'s' * (characters > 1)} each",
        f"{len(board.cells):,} cell{'s' * (len(board.cells) > 1)}",
    ]
    if board.special:
        facts.append(f"sudden death against {len(board.special)}")
    return ", ".join(facts)


def map_picture(board: HexMap, width: int) -> Text:
    """One character a cell: ``·``, the letter of the player who starts there (A is player 0), or ``@`` for the special player in sudden death.

    A cell's neighbours are two columns to either side, and one column aside in the lines above and below. A map that does not fit into ``width`` columns
    and 100 lines is not drawn.
    """
    starts = {place: team for team, places in enumerate(board.teams) for place in places}
    columns = {(q, r): 2 * q + r for q, r in board.cells}
    left, top = min(columns.values()), min(r for _, r in board.cells)
    lines = max(r for _, r in board.cells) - top + 1
    if max(columns.values()) - left >= width or lines > MOST_LINES:
        return Text("too wide or high for a picture here", "dim")
    rows: list[dict[int, tuple[str, str]]] = [{} for _ in range(lines)]
    for place, column in columns.items():
        sign = ("·", "dim")
        if place in starts:
            team = starts[place]
            sign = (ascii_letters[26:][team] if team < 26 else ascii_letters[team % 26], f"bold {paint_of(team).terminal}")
        elif place in board.special:
            sign = (SPECIAL, "bold")
        rows[place[1] - top][column - left] = sign
    return Text("\n").join(_line(row) for row in rows)


def _line(row: dict[int, tuple[str, str]]) -> Text:
    line = Text()
    for column, sign in sorted(row.items()):
        line.append(" " * (column - line.cell_len)).append(*sign)
    return line
