"""``ludarium init-bot``: begin a bot of one's own, from the small ones in the folder ``bots``."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludarium.core.writing import write_text
from ludarium.errors import BadOption, StoreError, one_of

from .common import GameName, file_or_folder

if TYPE_CHECKING:
    from ludarium.core.game import Game

BOTS = Path(__file__).with_name("bots")

LANGUAGES = {".cpp": ".cpp", ".cc": ".cpp", ".java": ".java", ".js": ".js", ".mjs": ".js", ".py": ".py"}
"""The ending of a bot's file, and that of the one that it is made of."""


def command(
    game: GameName,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", parser=file_or_folder, help="A new file; its ending is the language: .py, .js, .cpp or .java.")
    ],
) -> None:
    """Write a small bot that plays at once, at random, and has a place for your idea.

    It needs nothing but its language. "Bots in any language" in the documentation describes what it reads and answers.
    """
    from ludarium.core.registry import game as game_of

    played = game_of(game)
    if file.suffix not in LANGUAGES:
        raise BadOption(f"'{file}': the ending of a bot's file {one_of(file.suffix, sorted(LANGUAGES))}")
    text = _adapted((BOTS / f"bot{LANGUAGES[file.suffix]}").read_text(encoding="utf-8"), played, file.stem)
    if file.exists():
        raise StoreError(f"{file} exists already; a new bot is written into a new file")
    write_text(file, text)
    spec = shlex.quote(str(file) if len(file.parts) > 1 else f"./{file}")
    print(f"{file} plays {played.title}, at random until you have an idea. Check it, and see it play:")
    for line in (f"check-bot {game} {spec}", f"match {game} {spec}{' random' * (played.players - 1)}"):
        print(f"  ludarium {line}")
    print(f"On a ladder, whose page has the URL: ludarium join URL {spec} --name NAME")


def _adapted(text: str, game: Game, name: str) -> str:
    """The bot for a game: the lines for those with orders or those for others, and its names."""
    kept, other = ("orders", "one") if game.orders is not None else ("one", "orders")
    lines = [line for line in text.splitlines() if not line.endswith(f" [{other}]")]
    text = "\n".join(re.sub(rf"\s*(#|//) \[{kept}\]$", "", line) for line in lines) + "\n"
    return text.replace("GAME TITLE", game.title).replace("BOT NAME", re.sub(r"[^A-Za-z0-9 ._-]", "-", name))
