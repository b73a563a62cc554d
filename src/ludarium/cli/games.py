"""``ludarium games``: what there is to play, and who plays it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Annotated, Any

import typer

from ludarium.core.options import Option

from .common import screen

__all__ = ["command"]


def command(as_json: Annotated[bool, typer.Option("--json", help="Print a JSON list instead.")] = False) -> None:
    """List the games, their options and the players that can sit at them."""
    from ludarium.core.registry import list_games

    described = [_described(name) for name in list_games()]
    if as_json:
        print(json.dumps(described, ensure_ascii=False))
        return
    for one in described:
        _show(one)
    screen().print("Play one: ludarium play GAME human PLAYER", style="dim")


def _described(name: str) -> dict[str, Any]:
    from ludarium.core.registry import game
    from ludarium.players import HUMAN, player_kinds

    one = game(name)
    kinds = [{"name": kind.name, "summary": kind.summary, "options": _options(kind.options)} for kind in player_kinds(one).values()]
    return {
        "name": name,
        "title": one.title,
        "summary": one.summary,
        "seats": list(one.player_names),
        "options": _options(one.option_list),
        "players": [{"name": HUMAN, "summary": "a person at this terminal", "options": []}, *kinds],
    }


def _options(options: Iterable[Option]) -> list[dict[str, Any]]:
    return [{"name": option.name, "accepted": option.accepted, "default": option.default, "help": option.help} for option in options]


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
    screen().print()


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
