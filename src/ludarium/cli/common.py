"""What several commands share: parameters, the game that was typed, the screen."""

from __future__ import annotations

import errno
import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer
from typer.core import TyperCommand

from ludarium.core.options import Option, parse_assignments
from ludarium.errors import BadOption, printable, store_errors

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from ludarium.core.game import State


USAGE_ERROR: Any = typer.BadParameter.__mro__[2]
"""Click's base of all errors about what was typed; Typer has a copy of Click and does not export this one."""


def refused(message: str, code: int) -> typer.Exit:
    """Say in one line what was wrong; raise what this returns."""
    print(f"error: {' '.join(message.split())}", file=sys.stderr)
    return typer.Exit(code)


class KnownToScripts(TyperCommand):
    """A command whose exit code for wrong arguments is that of the program whose place it takes."""

    code: ClassVar[int]

    def make_context(self, *args: Any, **more: Any) -> Any:
        try:
            return super().make_context(*args, **more)
        except USAGE_ERROR as problem:
            raise refused(problem.format_message(), self.code) from None


def whole_number(least: int, most: int) -> Callable[[str | float], int]:
    """What reads a whole number from ``least`` to ``most`` and says what was typed where it is none."""
    return typed_number(Option("", "whole number", None, "", minimum=least, maximum=most))


def typed_number(option: Option) -> Callable[[str | float], Any]:
    """What reads a number as an option takes it, and says what was typed where it is none."""

    def read(typed: str | float) -> Any:
        try:
            return option.check(typed, "")
        except BadOption:
            raise typer.BadParameter(f"{str(typed)[:80]!r} is not {option.accepted}") from None

    return read


def file_or_folder(typed: str | Path) -> Path:
    """Return the path that was typed.

    Raises:
        typer.BadParameter: nothing was typed, which is not the present folder, or a link that leads to itself.
    """
    if not str(typed):
        raise typer.BadParameter("'' names no file or folder")
    path = Path(typed)
    try:
        path.stat()
    except OSError as problem:
        if problem.errno == errno.ELOOP:
            raise typer.BadParameter(f"{printable(str(typed))} is a link that leads to itself") from None
    return path


def number_option(least: int, most: int, help: str, *names: str, **more: Any) -> Any:
    """An option that takes a whole number from ``least`` to ``most``."""
    return typer.Option(*names, parser=whole_number(least, most), metavar="N", help=help, **more)


def path_option(metavar: str, help: str, *names: str, **more: Any) -> Any:
    """An option that names a file or a folder."""
    return typer.Option(*names, parser=file_or_folder, metavar=metavar, help=help, **more)


def complete_game(incomplete: str) -> list[str]:
    from ludarium.core.registry import list_games

    return [name for name in list_games() if name.startswith(incomplete)]


def _complete_player(incomplete: str) -> list[str]:
    from ludarium.players import HUMAN
    from ludarium.players.kinds import KINDS

    return [name for name in (HUMAN, *(kind.name for kind in KINDS)) if name.startswith(incomplete)]


GameName = Annotated[str, typer.Argument(metavar="GAME", help="One of those that 'ludarium games' lists.", autocompletion=complete_game)]
Players = Annotated[
    list[str],
    typer.Argument(
        metavar="PLAYER",
        help="One a seat: NAME or NAME:KEY=VALUE,KEY=VALUE, such as alphabeta:level=3.",
        autocompletion=_complete_player,
    ),
]
GameOptions = Annotated[list[str] | None, typer.Option("--option", "-o", metavar="KEY=VALUE", help="An option of the game; repeatable.")]
Start = Annotated[str | None, typer.Option("--start", metavar="TEXT", help="A position to start from, in the game's one-line notation.")]
Seed = Annotated[
    int | None,
    number_option(0, 2**64 - 1, "The same number, the same dice and players.", "--seed", show_default="a random one"),
]


def chosen_position(name: str, options: list[str] | None, text: str | None) -> State:
    """The position of a text, or the initial one, of the game of a name with options as typed. What the text says of options need not be typed.

    Raises:
        BadOption: no such game, option or value.
        BadNotation: not a position of that game with these options.
    """
    from ludarium.core.registry import game, position

    given = parse_assignments(options or [])
    return game(name, **given).start() if text is None else position(name, text, **given)


@functools.cache
def screen() -> Console:
    """Standard output, in colour where a terminal shows it and NO_COLOR is not set."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)


def say(text: str | Text, style: str | None = None) -> None:
    """Print a paragraph: broken between words at a terminal, in one line elsewhere."""
    screen().print(text, style=style, soft_wrap=not screen().is_terminal)


@functools.cache
def notices() -> Console:
    """Standard error, for progress and notices."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, markup=False, emoji=False)


def check_writable(path: Path) -> None:
    """A file that cannot be written is better known before long work than after it. Nothing is left behind, and nothing changes.

    Raises:
        StoreError: it cannot be written.
    """
    is_new = not path.exists()
    with store_errors(f"{path} cannot be written"):
        path.open("a", encoding="utf-8").close()
        if is_new:
            path.resolve().unlink()
