"""``ludarium roboderby``: commands of this game's own. Each is imported when it is typed, so that a quick one starts quickly."""

from __future__ import annotations

import importlib
from typing import Any

import typer
from typer.core import TyperGroup

from ludarium.errors import BadOption, one_of

__all__ = ["COMMANDS", "app"]

COMMANDS = {"par": ".par_command"}
"""In the order of the help, each with the module that has its function ``command``, and perhaps a class ``Arguments`` to read them."""


class Commands(TyperGroup):
    """Finds commands by name."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, args or ["--help"])

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        own = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        module = importlib.import_module(COMMANDS[cmd_name], __package__)
        own.command(cmd_name, cls=getattr(module, "Arguments", None))(module.command)
        return typer.main.get_command(own)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if not args[0].startswith("-") and args[0] not in COMMANDS:
            raise BadOption(f"command {one_of(args[0], tuple(COMMANDS))}")
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=Commands, add_completion=False, pretty_exceptions_enable=False, context_settings={"help_option_names": ["-h", "--help"]}
)


@app.callback()
def roboderby() -> None:
    """Boards of RoboDerby, and how long they take."""
