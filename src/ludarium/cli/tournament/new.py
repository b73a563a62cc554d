"""``ludarium tournament new``: a file that describes a tournament and can be held as it stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludarium.cli.common import GameName, GameOptions, chosen_position, file_or_folder, screen
from ludarium.errors import store_errors

if TYPE_CHECKING:
    from ludarium.core.game import Game

PLAYERS = 4


def command(
    game: GameName,
    file: Annotated[Path, typer.Argument(metavar="FILE", parser=file_or_folder, help="A new file, such as class.toml.")],
    options: GameOptions = None,
) -> None:
    """Write a file that describes a tournament of four built-in players, with a comment for everything that can be changed."""
    chosen = chosen_position(game, options, None).game
    text = _text(
        chosen, {name: value for name, value in chosen.options.items() if name in {one.partition("=")[0] for one in options or []}}
    )
    with store_errors(f"{file} cannot be written"), file.open("x", encoding="utf-8") as out:
        out.write(text)
    screen().print(f"{file} has a tournament of {PLAYERS} players. Hold it:", soft_wrap=True)
    screen().print(f"  ludarium tournament {file}", soft_wrap=True)


def _text(game: Game, options: dict[str, object]) -> str:
    given = "".join(f"{name} = {_toml(value)}\n" for name, value in options.items())
    known = ", ".join(option.name for option in game.option_list)
    specs = _specs(game)
    players = "".join(f'\n[[players]]\nname = "{_name(specs, number)}"\nspec = "{spec}"\n' for number, spec in enumerate(specs))
    return f'''\
# A tournament of {game.title}. Hold it with: ludarium tournament THIS_FILE
# Results and records come into a folder beside this file, called like it without its ending.

game = "{game.id}"
format = "round-robin"    # or "swiss" (with rounds = 5), "gauntlet" (the first player meets the others), "knockout"
games = {2 * game.players}                 # of each table; in a round of {game.players} everybody sits once at each seat, with the same opening, deal and dice
seed = 1                  # the same number, the same games, unless time decides
# time = "60+0.5"         # a clock for each player: a minute for the game, half a second more an action; or "2/action"
# cpu_time = true         # clocks count processor time, not that on the wall
# openings = "book.txt"   # positions to start from, one a line
# random_plies = 2        # random plies before each round
# max_plies = 400         # a game that is not over after so many actions and dice is a draw
# on_forfeit = "end"      # in games for three and more: end a game when a player forfeits; else the others play on
# pin = true              # each game that is played has a core of its own

[options]                 # of the game: {known}; for several boards, write [[options]] and the options of one, for each
{given}
[programs]                # what programs of their own may take
memory = 2048             # megabytes, with all that they have started
ponder = false            # whether they may go on between their turns
sandbox = "auto"          # "require": refuse to play where they cannot be kept from everything but their game; "off": do not keep them

# A player is a built-in one, such as "alphabeta:level=3", or a program: "./mybot.py" beside this file, or "cmd:node mybot.js".
# time = "30+0.5" gives one player another clock.
{players}'''


def _toml(value: object) -> str:
    return str(value) if isinstance(value, int | float) else f'"{value}"'


def _name(specs: list[str], number: int) -> str:
    """What a player is called; of several with the same spec, with a number."""
    name = specs[number].partition(":")[0].capitalize()
    same = specs[:number].count(specs[number])
    return f"{name} {same + 1}" if same else name


def _specs(game: Game) -> list[str]:
    """Four players that answer quickly: one of each kind that plays the game, and weaker ones of the last where there are not so many."""
    from ludarium.players import can_play, player_kinds

    kinds = [kind for kind in player_kinds(game).values() if can_play(kind, game)]
    timed = [any(option.name == "time" for option in kind.options) for kind in kinds]
    found = [f"{kind.name}:time=20ms" if is_timed else kind.name for kind, is_timed in zip(kinds, timed, strict=True)][:PLAYERS]
    return found + ["random"] * (PLAYERS - len(found))
