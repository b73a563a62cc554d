"""``ludarium hexabomb map``: check a map and draw it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludarium.cli.common import screen
from ludarium.cli.show import STANDARD_OUTPUT, Arguments, drawing_option
from ludarium.core.writing import write_text
from ludarium.games.hexabomb.maps import HexMap, load_map

from .map_picture import map_facts, map_picture

__all__ = ["Arguments", "command"]


def command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A map's JSON file, or the name of one that 'ludarium hexabomb maps' lists.")],
    svg: Annotated[Path | None, drawing_option("it")] = None,
) -> None:
    """Check a map and draw it. Whatever is wrong with it is said in one line."""
    board = load_map(file)
    if svg is not None and str(svg) == STANDARD_OUTPUT:
        print(_drawing(board))
        return
    if svg is not None:
        write_text(svg, _drawing(board))
    screen().print(map_facts(board), soft_wrap=True)
    screen().print(map_picture(board, screen().width), soft_wrap=True)


def _drawing(board: HexMap) -> str:
    """The start with all who have places on the map."""
    from ludarium.games.hexabomb.game import MOST_PLAYERS

    from ..serving.board_game import game_on

    special = int(bool(board.special))
    game = game_on(board, min(len(board.teams), MOST_PLAYERS - special), special, turns=100)
    assert game is not None
    return game.start().svg()
