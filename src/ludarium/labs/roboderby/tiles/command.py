"""``ludarium roboderby tiles``: list the shipped tile sets; check one and draw it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludarium.cli.common import notices, number_option, screen
from ludarium.cli.show import STANDARD_OUTPUT, Arguments, drawing_option
from ludarium.core.writing import write_text
from ludarium.errors import BadOption
from ludarium.games.roboderby.sheets.tile_sets import load_tiles, tile_names

from .facts import laser_text, set_facts, shown_note

if TYPE_CHECKING:
    from ludarium.games.roboderby.sheets.tiles import TileSet

__all__ = ["Arguments", "command"]

INDENT = "  "


def command(
    tiles: Annotated[
        str | None,
        typer.Argument(
            metavar="TILES", show_default=False, help="A tile set's name, or a file with tiles; without it, list the shipped sets."
        ),
    ] = None,
    players: Annotated[
        int | None, number_option(1, 4, "With more than two, the start tile has marks C and D too.", "--players", show_default="2")
    ] = None,
    svg: Annotated[Path | None, drawing_option("them")] = None,
) -> None:
    """Check a set of tiles and draw it, or list those that come with Ludarium. Whatever is wrong with it is said in one line, with its place.

    ### is a pit, an arrow a belt, a small letter a mark, ! a laser, whose
    place and direction stand below; lines are walls.
    """
    if tiles is None:
        if svg is not None or players is not None:
            raise BadOption(f"which tiles? Give a file, or one of: {', '.join(tile_names())}")
        _list_shipped()
        return
    tile_set = load_tiles(tiles, players or 2)
    if svg is not None:
        from .picture import picture

        drawing = picture(tile_set)
        if str(svg) == STANDARD_OUTPUT:
            print(drawing, end="")
            return
        write_text(svg, drawing)
    _print_set(tile_set)
    from .ways import ways_told

    if (told := ways_told(tiles, players or 2)) is not None:
        notices().print(told, soft_wrap=True)


def _list_shipped() -> None:
    from rich.text import Text

    for name in tile_names():
        tile_set = load_tiles(name)
        screen().print(Text.assemble((name, "bold"), f"  {set_facts(tile_set)}"), soft_wrap=True)
        screen().print(f"{INDENT}{', '.join(tile_set.names)}", soft_wrap=True)
        screen().print(f"{INDENT}{shown_note(tile_set)}", style="dim", soft_wrap=True)


def _print_set(tile_set: TileSet) -> None:
    from .terminal import side_by_side

    screen().print(set_facts(tile_set), soft_wrap=True)
    if tile_set.note:
        screen().print(shown_note(tile_set), style="dim", soft_wrap=True)
    screen().print()
    screen().print(side_by_side(tile_set, screen().width), soft_wrap=True)
    for tile in tile_set.tiles:
        if len(tile.lasers[0]):
            screen().print(f"Lasers of {tile.name} shine from {laser_text(tile)}", soft_wrap=True)
