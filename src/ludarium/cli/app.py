"""The program's commands. Each is imported when it is typed, so that a quick one starts quickly."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import typer

from .groups import HELP, LazyGroup

COMMANDS = (
    "games",
    "play",
    "match",
    "tournament",
    "sprt",
    "store",
    "show",
    "replay",
    "perft",
    "cgt",
    "train",
    "serve",
    "join",
    "submit",
    "netorcai",
    "init-bot",
    "check-bot",
    "new-game",
    "doctor",
)
"""In the order of the help; each has the module of its name, ``new_game`` for ``new-game``."""


class Commands(LazyGroup):
    """Finds Ludarium's own commands by name, then those of a game or its lab (``app`` in its ``commands.py``)."""

    package: ClassVar = __package__ or ""
    modules: ClassVar = {name: f".{name.replace('-', '_')}" for name in COMMANDS}

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return super().get_command(ctx, cmd_name) or _commands_of_game(cmd_name)


def _commands_of_game(name: str) -> Any:
    from ludarium.core.registry import game_module, list_games

    app = getattr(game_module(name, "commands"), "app", None) if name in list_games() else None
    return None if app is None else typer.main.get_command(app)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"ludarium {version('ludarium')}")
        raise typer.Exit


app = typer.Typer(
    cls=Commands,
    pretty_exceptions_enable=False,
    context_settings=HELP,
    epilog="A game may have commands of its own: ludarium GAME --help.",
)


@app.callback()
def program(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.", is_eager=True, callback=_print_version)] = False,
) -> None:
    """A laboratory and an arena for board games: play, compete, count."""
