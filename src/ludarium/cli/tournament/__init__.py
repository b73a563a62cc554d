"""``ludarium tournament``: many players by a schedule."""

from __future__ import annotations

from typing import Any, ClassVar

import typer

from ludarium.cli.groups import HELP, LazyGroup


class FileOrCommand(LazyGroup):
    """A word that is no command is the file of a tournament that is to be held."""

    package: ClassVar = __package__
    modules: ClassVar = {"hold": ".hold", "new": ".new"}

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        named = args and (args[0] in self.modules or args[0] in HELP["help_option_names"])
        return super().parse_args(ctx, args if named else ["hold", *args] if args else ["--help"])


app = typer.Typer(name="tournament", cls=FileOrCommand, add_completion=False, pretty_exceptions_enable=False, context_settings=HELP)


@app.callback()
def tournament() -> None:
    """Hold tournaments of many players: 'ludarium tournament FILE' holds the one that a file describes."""
