"""Groups of commands, each of which is imported when it is typed, so that a quick one starts quickly."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, ClassVar

import typer
from typer.core import TyperGroup

from ludarium.errors import BadOption, one_of

HELP: Any = {"help_option_names": ["-h", "--help"]}
"""How help is asked for, in every group."""


class LazyGroup(TyperGroup):
    """Finds commands by name in the modules of a package.

    A module has the command as the function ``command``, perhaps with a class ``Arguments`` to read what follows it, or a group as ``app``.
    """

    package: ClassVar[str | None]
    modules: ClassVar[Mapping[str, str]]
    """The commands in the order of the help, each with its module, relative to the package."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self.modules)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self.modules:
            return None
        module = importlib.import_module(self.modules[cmd_name], self.package)
        if hasattr(module, "app"):
            return typer.main.get_command(module.app)
        own = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        own.command(cmd_name, cls=getattr(module, "Arguments", None))(module.command)
        return typer.main.get_command(own)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            raise BadOption(f"command {one_of(args[0], tuple(self.modules))}")
        return super().resolve_command(ctx, args)


def game_commands(summary: str, package: str | None, modules: Mapping[str, str]) -> typer.Typer:
    """The ``app`` of a ``commands.py``, a game's or its lab's: ``ludarium GAME …``, which prints its help when nothing follows.

    Args:
        summary: what the commands are for, in a sentence.
        package: the package of the commands, ``__package__``.
        modules: the commands in the order of the help, each with its module: ``{"maps": ".maps_command"}``.
    """

    class GameCommands(LazyGroup):
        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            return super().parse_args(ctx, args or ["--help"])

    GameCommands.package, GameCommands.modules = package, modules
    app = typer.Typer(cls=GameCommands, add_completion=False, pretty_exceptions_enable=False, context_settings=HELP)
    app.callback(help=summary)(lambda: None)
    return app
