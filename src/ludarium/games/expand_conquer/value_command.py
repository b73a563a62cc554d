"""``ludarium expand-conquer value``: the exact value of a board."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["command"]


def command(
    board: Annotated[str, typer.Argument(metavar="BOARD", help="Rows of * (empty), O (Left) and X (Right), joined by |.")],
    variant: Annotated[str, typer.Option("--variant", metavar="normal|all-small", help="Whether stones may be placed.")] = "normal",
) -> None:
    """Print the exact value of a board."""
    from ludarium.cgt import value

    from .values import ExpandConquerRuleset

    print(value(ExpandConquerRuleset(variant), board.upper()))
