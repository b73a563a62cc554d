"""hexabomb in a terminal: a cell is four columns of one line, or two on wide maps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from ..tables import ALIVE, BOMB, NOTHING, REVIVE, SHORTEST, place_name
from .colours import paint_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ludarium.core.game import State

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
WIDEST = 80
ROOMY, NARROW = 4, 2
"""Columns of a cell."""

ARROWS = "→↗↖←↙↘^"
"""Where a character is to go, by direction; the last one: it is to revive."""

PLANNED, IN_REACH = "o", ":"

ORDERED = "black on white"
"""The style of cells with orders that are not carried out yet."""


def board(state: State, orders: Mapping[int, int] | None = None) -> Text:
    """Every cell: ``·`` or the small letter of the player who painted it, then the capital letter and number of the character on it; ``*`` is a bomb,
    ``!`` what exploded on the last turn.

    Bombs and scores follow as text.

    Args:
        orders: by character, what is to be shown of orders that are not carried out yet: arrows to where somebody goes, ``o`` for a bomb and ``:`` for what it
            will reach.
    """
    text = grid(state, orders)
    _append_lists(text, state)
    return text


def grid(state: State, orders: Mapping[int, int] | None = None) -> Text:
    """The cells alone. Maps wider than 80 columns have cells of two columns: a living character's capital letter stands for its number too."""
    tables = state.game.tables
    half = [2 * int(q) + int(r) for q, r in zip(tables.q, tables.r, strict=True)]
    left, span = min(half), max(half) - min(half)
    width = ROOMY if span * ROOMY // 2 + ROOMY <= WIDEST else NARROW
    text, arrows, bombs = Text(), *_marks(tables, state.record, orders or {})
    column, row = 0, int(tables.r.min())
    for cell in sorted(range(tables.cells), key=lambda cell: (int(tables.r[cell]), half[cell])):
        if int(tables.r[cell]) != row:
            text.append("\n" * min(int(tables.r[cell]) - row, 2))  # an empty line stands for any number of rows without cells
            column, row = 0, int(tables.r[cell])
        at = (half[cell] - left) * width // 2
        text.append(" " * (at - column) if at <= WIDEST - width else " ")
        text.append(*_cell(state, cell, width, arrows.get(cell), bombs.get(cell, " ")))
        column = at + width
    text.append("\n")
    return text


def _marks(tables: Any, record: Any, orders: Mapping[int, int]) -> tuple[dict[int, tuple[str, int]], dict[int, str]]:
    """By cell, what orders that are not carried out yet show there: an arrow with who comes; a bomb or what it will reach."""
    arrows: dict[int, tuple[str, int]] = {}
    bombs: dict[int, str] = {}
    for character, order in orders.items():
        cell = int(record.position[character]) if order != NOTHING else -1
        if order >= BOMB:
            reach = SHORTEST + (order - BOMB) % int(tables.width[int(tables.owner[character])])
            bombs[cell] = PLANNED
            for target in tables.lines[cell, : int(tables.within[cell, reach])].tolist():
                bombs.setdefault(target, IN_REACH)
        elif order != NOTHING:
            arrows[cell if order == REVIVE else int(tables.neighbour[cell, order - 1])] = (ARROWS[order - 1], character)
    return arrows, bombs


def _cell(state: State, cell: int, width: int, arrow: tuple[str, int] | None, planned: str) -> tuple[str, str]:
    """The columns of one cell and their style."""
    tables, record = state.game.tables, state.record
    colour = int(record.colour[cell])
    character = int(record.occupant[cell]) - 1
    paint = arrow[0] if arrow else _letter(colour - 1).lower() if colour else "·"
    style = (f"black on {paint_of(colour - 1).terminal}" if colour else "dim") + (" reverse" if record.blast[cell] else "")
    if arrow or planned == PLANNED:
        style = ORDERED
    bomb = "!" if record.blast[cell] and planned == " " else planned
    if record.bomb_here[cell]:  # none is left where something exploded
        bomb = "*"
    if character < 0 and arrow is None:
        return f"{paint}{' ' * (width - 2)}{bomb}", style
    if width == NARROW:
        return f"{_letter(int(tables.owner[character])) if character >= 0 else paint}{bomb}", f"bold {style}"
    shown = character if character >= 0 or arrow is None else arrow[1]
    return f"{paint}{_letter(int(tables.owner[shown]))}{_place_in_team(tables, shown)}{bomb}", f"bold {style}"


def _letter(player: int) -> str:
    return LETTERS[player % len(LETTERS)]


def character_called(tables: Any, player: int, label: str) -> int | None:
    """The character of a player that the board shows by a letter and a place in the team, such as ``B2``; None if there is none."""
    for character in range(int(tables.first[player]), int(tables.first[player + 1])):
        if _letter(int(tables.owner[character])) + _place_in_team(tables, character) == label.capitalize():
            return character
    return None


def _place_in_team(tables: Any, character: int) -> str:
    """One character: 0 to 9, then letters."""
    place = character - int(tables.first[int(tables.owner[character])])
    return str(place) if place < 10 else LETTERS[(place - 10) % len(LETTERS)].lower()


def _append_lists(text: Text, state: State) -> None:
    game, tables, record = state.game, state.game.tables, state.record
    for player, name in enumerate(game.player_names):
        members = range(int(tables.first[player]), int(tables.first[player + 1]))
        cells = int(record.cell_count[player])
        score = "" if player < tables.special else f"score {int(record.score[player]):,}, "
        team = f"characters {members[0]} to {members[-1]}" if len(members) > 1 else f"character {members[0]}"
        text.append(f"{_letter(player)} {name}", paint_of(player).terminal)
        text.append(f": {score}{cells} cell{'s' * (cells != 1)}, {team}\n")
        dead = [character for character in members if int(record.revive_delay[character]) != ALIVE]
        for character in dead:
            text.append(f"  {character} is dead at {place_name(tables, int(record.position[character]))}, {_revival(state, character)}\n")
    for bomb in range(int(record.bombs)):
        owner = game.player_names[int(record.bomb_colour[bomb]) - 1]
        where = place_name(tables, int(record.bomb_cell[bomb]))
        text.append(f"* bomb of {owner} at {where}, delay {int(record.bomb_delay[bomb])}, range {int(record.bomb_range[bomb])}\n")
    text.append(_last_line(state))


def _revival(state: State, character: int) -> str:
    delay = int(state.record.revive_delay[character])
    if state.game.tables.special:
        return "for good"
    return f"revive delay {delay}" if delay else "may revive"


def _last_line(state: State) -> str:
    if state.is_over:
        return state.game.reason(state)
    turn = f"Turn {int(state.record.turn) + 1} of {state.game.tables.turns}"
    return f"{turn}: the order of reception is to be drawn" if state.record.waiting else f"{turn}: all choose"
