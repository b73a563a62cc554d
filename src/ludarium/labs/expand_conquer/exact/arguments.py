"""What the commands about exact values take alike."""

from __future__ import annotations

from typing import Any

import typer

MOST_MEGABYTES = 1 << 20

BOARDS: Any = typer.Argument(
    metavar="BOARD", help="Rows of * (empty), O (Left), X (Right) joined by |, such as 'X*O*O|****O'; several are added."
)

VARIANT: Any = typer.Option("--variant", metavar="NAME", help="normal, or all-small: stones may be placed.")

AS_JSON: Any = typer.Option("--json", help="Print one JSON object.")


def limit_in_seconds(typed: str | float) -> float:
    """What reads a time limit and says what was typed where it is none."""
    try:
        seconds = float(typed)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise typer.BadParameter(f"{str(typed)[:80]!r} is not a number of seconds above 0")
    return seconds
