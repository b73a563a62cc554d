"""``ludarium hexabomb maps``: the shipped maps."""

from __future__ import annotations

from rich.text import Text

from ludarium.cli.common import screen
from ludarium.games.hexabomb.maps import load_map, map_names

from .map_picture import map_facts, map_picture

INDENT = 2

SEATS = "No seat of a map is better than another: how often each wins is in the documentation, on the page 'hexabomb', under 'Seats'."


def command() -> None:
    """List the maps that come with Ludarium, with a picture of each.

    A dot is a cell, a letter a cell where that player has a character, @ one of the special player in sudden death.
    """
    for name in map_names():
        board = load_map(name)
        screen().print(Text.assemble((name, "bold"), f"  {map_facts(board)}"), soft_wrap=True)
        screen().print()
        for line in map_picture(board, screen().width - INDENT).split():
            screen().print(Text(" " * INDENT) + line, soft_wrap=True)
        screen().print()
    screen().print(SEATS, style="dim", soft_wrap=True)
