"""``ludarium show``: draw a position."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from ludarium.core.writing import write_text

from .common import GameName, GameOptions, chosen_position, path_option, screen

STANDARD_OUTPUT = "-"


def drawing_option(what: str) -> Any:
    """The option ``--svg`` of a command that prints something too: a file for ``what``."""
    return path_option("OUT", f"Draw {what} into this SVG file too; without OUT print the drawing and nothing else.", "--svg")


class Arguments(TyperCommand):
    """Reads ``--svg`` without a file, at the end or before another option, as ``--svg -``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        complete = list(args)
        for at, (one, following) in enumerate(itertools.pairwise([*args, "--"])):
            if one == "--svg" and following.startswith("-") and following != STANDARD_OUTPUT:
                complete[at] = f"--svg={STANDARD_OUTPUT}"
        return super().parse_args(ctx, complete)


def command(
    game: GameName,
    text: Annotated[
        list[str] | None, typer.Argument(metavar="TEXT", help="A position in the game's one-line notation; without it, the initial one.")
    ] = None,
    svg: Annotated[Path | None, path_option("OUT", "Draw into this SVG file instead; without OUT print the drawing.", "--svg")] = None,
    options: GameOptions = None,
) -> None:
    """Draw a position in the terminal, or as SVG."""
    state = chosen_position(game, options, " ".join(text) if text else None)
    if svg is not None:
        if str(svg) == STANDARD_OUTPUT:
            print(state.svg())
        else:
            write_text(svg, state.svg())
        return
    from .picture import outcome_text, show_state

    show_state(state)
    if state.outcome is not None:
        screen().print(outcome_text(state, state.outcome), soft_wrap=True)
