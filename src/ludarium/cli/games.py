"""``ludarium games``: what there is to play, and who plays it."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterable
from typing import Annotated, Any

import typer

from ludarium.core.options import Option
from ludarium.errors import BadOption

from .common import complete_game, screen


def command(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="Tell all about this one.", autocompletion=complete_game, show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list instead (of a named game: an object).")] = False,
) -> None:
    """List the games; or one with its options and the players that can sit at it."""
    from ludarium.core.registry import list_games

    if as_json:
        with contextlib.redirect_stdout(sys.stderr):  # what somebody's package prints while it is loaded
            told = _described(game) if game else [_described_or_broken(name) for name in list_games()]
        print(json.dumps(told, ensure_ascii=False))
    elif game:
        _show(_described(game))
    else:
        _show_list(list_games())


def _described(name: str) -> dict[str, Any]:
    from ludarium.core.registry import game
    from ludarium.players import HUMAN, can_play, player_kinds

    one = game(name)
    kinds = [kind for kind in player_kinds(one).values() if can_play(kind, one)]
    players = [{"name": kind.name, "summary": kind.summary, "options": _options(kind.options)} for kind in kinds]
    return {
        "name": name,
        "title": one.title,
        "summary": one.summary,
        "seats": list(one.player_names),
        "options": _options(one.option_list),
        "players": [{"name": HUMAN, "summary": "a person at this terminal", "options": []}, *players],
    }


def _described_or_broken(name: str) -> dict[str, Any]:
    try:
        return _described(name)
    except BadOption as problem:
        return {"name": name, "problem": str(problem)}


def _options(options: Iterable[Option]) -> list[dict[str, Any]]:
    return [{"name": option.name, "accepted": option.accepted, "default": option.default, "help": option.help} for option in options]


def _show_list(names: Iterable[str]) -> None:
    from rich.table import Table
    from rich.text import Text

    from ludarium.core.registry import game

    table = Table.grid(padding=(0, 2, 0, 0))
    for name in names:
        try:
            one = game(name)
            table.add_row(Text(name, "bold cyan"), Text.assemble((one.title, "bold"), f"\n{one.summary}"))
        except BadOption as problem:
            table.add_row(Text(name, "bold red"), f"cannot be played: {problem}")
    screen().print(table)
    screen().print("\nAll about one: ludarium games GAME. Play one: ludarium play GAME human PLAYER", style="dim")


def _show(one: dict[str, Any]) -> None:
    from rich.padding import Padding
    from rich.text import Text

    screen().print(Text.assemble((one["name"], "bold cyan"), f"  {one['title']}, for {' and '.join(one['seats'])}"))
    screen().print(Padding(one["summary"], (0, 0, 0, 2)))
    options = [(Text(f"-o {option['name']}=…", "cyan"), _explained(option)) for option in one["options"]]
    players: list[tuple[Text, Text]] = []
    for player in one["players"]:
        players.append((Text(player["name"], "cyan"), Text(player["summary"])))
        players += [(Text(f"  :{option['name']}=…", "cyan"), _explained(option)) for option in player["options"]]
    for heading, rows in (("Options", options), ("Players", players)):
        if rows:
            screen().print(Padding(_list(heading, rows), (1, 0, 0, 2)))
    screen().print(f"\nPlay: ludarium play {one['name']} human PLAYER", style="dim")


def _list(heading: str, rows: list[Any]) -> Any:
    from rich.table import Table

    table = Table(
        box=None, pad_edge=False, padding=(0, 2, 0, 0), title=heading, title_justify="left", title_style="bold", show_header=False
    )
    for row in rows:
        table.add_row(*row)
    return table


def _explained(option: dict[str, Any]) -> Any:
    from rich.text import Text

    default = "" if option["default"] is None else f", default {option['default']}"
    return Text.assemble(option["help"], (f"  ({option['accepted']}{default})", "dim"))
