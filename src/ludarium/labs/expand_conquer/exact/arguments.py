"""What the commands about exact values take alike."""

from __future__ import annotations

from typing import Any

import typer

from ludarium.cli.common import typed_number, whole_number
from ludarium.core.options import Option

BOARDS: Any = typer.Argument(
    metavar="BOARD", help="Rows of * (empty), O (Left), X (Right) joined by |, such as 'X*O*O|****O'; several are added."
)

VARIANT: Any = typer.Option("--variant", metavar="NAME", help="normal, or all-small: stones may be placed.")

AS_JSON: Any = typer.Option("--json", help="Print one JSON object.")

SECONDS = typed_number(Option("", "seconds", None, "", minimum=0.001))
LIMIT: Any = typer.Option(
    "--limit", metavar="TIME", parser=SECONDS, show_default="none", help="How long it may take, such as 20s or 200ms."
)


def memory_option(least: int, default: str, help: str) -> Any:
    """How many megabytes a command may take, at least ``least``; ``default`` says how many where none are given."""
    return typer.Option("--memory", metavar="MB", parser=whole_number(least, 1 << 20), show_default=default, help=help)
