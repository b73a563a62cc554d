"""``ludarium show``: draw a position."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .common import GameName, GameOptions, chosen_game, file_or_folder, screen, write_text

__all__ = ["command"]


def command(
    game: GameName,
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="A position in the game's one-line notation.")],
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="OUT", parser=file_or_folder, help="Draw into this SVG file instead.")
    ] = None,
    options: GameOptions = None,
) -> None:
    """Draw a position in the terminal, or as SVG."""
    state = chosen_game(game, options).parse(" ".join(text))
    if svg is not None:
        write_text(svg, state.svg())
        return
    from .picture import outcome_text, show_state

    show_state(state)
    if state.outcome is not None:
        screen().print(outcome_text(state, state.outcome), soft_wrap=True)
