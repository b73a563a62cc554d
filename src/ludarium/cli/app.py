"""The program's commands. Each is imported when it is typed, so that a quick one starts quickly."""

from __future__ import annotations

import importlib
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ludarium.errors import BadOption, one_of

__all__ = ["COMMANDS", "app"]

COMMANDS = ("games", "play", "match", "show", "replay", "perft", "cgt", "serve", "netorcai")
"""In the order of the help. The command's function is ``command`` in the module of its name, which may have a class ``Arguments`` to read them; a group of
commands is ``app`` in it."""


class Commands(TyperGroup):
    """Finds commands by name: Ludarium's own, then those that a game brings (``app`` in its ``commands.py``)."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in COMMANDS:
            module = importlib.import_module(f".{cmd_name}", __package__)
            if hasattr(module, "app"):
                return typer.main.get_command(module.app)
            own = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
            own.command(cmd_name, cls=getattr(module, "Arguments", None))(module.command)
            return typer.main.get_command(own)
        return _commands_of_game(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            raise BadOption(f"command {one_of(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)


def _commands_of_game(name: str) -> Any:
    from ludarium.core.registry import game_module, list_games

    module = game_module(name, "commands") if name in list_games() else None
    return None if module is None else typer.main.get_command(module.app)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"ludarium {version('ludarium')}")
        raise typer.Exit


app = typer.Typer(
    cls=Commands,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="A game may have commands of its own: ludarium GAME --help.",
)


@app.callback()
def program(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.", is_eager=True, callback=_print_version)] = False,
) -> None:
    """A laboratory and an arena for board games: play, compete, count."""
