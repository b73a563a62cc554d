"""The options of commands in which programs play: clocks, what programs may take, and where games are played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ludarium.core.cores import usable_cores
from ludarium.core.options import parse_assignments
from ludarium.errors import BadOption

from .common import notices, number_option

if TYPE_CHECKING:
    from ludarium.arena import Openings, Terms
    from ludarium.core.game import Game
    from ludarium.players.programs import Choice, Conditions

TimeControl = Annotated[
    str | None,
    typer.Option(
        "--tc", metavar="TIME", help="The players' clocks: 60+0.5 (a game, and more an action) or 2/action; with commas, one a player."
    ),
]
CpuTime = Annotated[bool, typer.Option("--cpu-time", help="Clocks count processor time, not that on the wall.")]
Ponder = Annotated[bool, typer.Option("--ponder", help="Programs may go on between their turns; else they are stopped.")]
Memory = Annotated[int, number_option(16, 1_000_000, "Megabytes that a program may take, with all that it has started.", "--memory")]


Official = Annotated[bool, typer.Option("--official", help="The terms of the game's own competitions: rules, processor time and memory.")]

MaxPlies = Annotated[
    int | None, number_option(1, 1_000_000, "A game that is not over after so many plies (actions and dice) is a draw.", "--max-plies")
]
Pin = Annotated[bool, typer.Option("--pin", help="Each game that is played has a core of its own.")]
Sandbox = Annotated[
    Literal["auto", "require", "off"],
    typer.Option(
        "--sandbox", help="Keep programs from everything but their game: where that can be done, always (or refuse to play), or never."
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="ADDRESS", help="Play on Ray: auto (this computer's, started if there is none), HOST:PORT or ray://HOST:PORT."
    ),
]


def check_bots(players: Sequence[str], choice: Choice) -> None:
    """Where programs play and are not kept from anything although they should be, say so. Whoever is to be connected to is tried now.

    Raises:
        BadNotation: no address.
        BadOption: a sandbox is required, and there is none; nobody can be reached at an address.
    """
    from ludarium.players.programs import check_reachable, is_address, is_program
    from ludarium.players.programs.sandbox import chosen_way, why_none

    for player in dict.fromkeys(filter(is_address, players)):
        check_reachable(player)
    if any(map(is_program, players)) and chosen_way(choice) is None and choice == "auto":
        notices().print(f"notice: programs can do here whatever you can: there is no sandbox ({why_none()})", soft_wrap=True)


def options_of(game: str, options: list[str] | None, official: bool) -> list[str] | None:
    """A game's options as typed, or with those of its official terms.

    Raises:
        BadOption: it has no such terms, or one option says something else.
    """
    from ludarium.players import official_terms

    if not official:
        return options
    return [f"{name}={value}" for name, value in official_terms(game).options_with(parse_assignments(options or ())).items()]


def check_starts(players: Sequence[str], conditions: Conditions, game: Game, openings: Openings) -> None:
    """Start every program that is to play, and end it again: what cannot even greet is told before anything is played, and loses no games.

    Raises:
        BadOption: one that does not start, does not answer the greeting, or plays no games with such openings.
    """
    from ludarium.arena import Openings
    from ludarium.players.programs import is_program, try_to_start

    for player in dict.fromkeys(filter(is_program, players)):
        if try_to_start(player, conditions, game.id).starts_as_usual and openings != Openings():
            raise BadOption(f"player {player} plays only games that begin as usual, not from given positions or after random plies")


def chosen_terms(
    players: Sequence[str],
    game: Game,
    time_control: str | None,
    cpu_time: bool,
    ponder: bool,
    memory: int,
    sandbox: Choice,
    max_plies: int | None,
    official: bool,
    openings: Openings,
) -> Terms:
    """What was typed for a game.

    Raises:
        BadOption: no such time control, or not one a player; one besides the official; as :func:`check_bots` and :func:`check_starts`.
    """
    from ludarium.arena import Terms, time_controls
    from ludarium.players import official_terms
    from ludarium.players.programs import Conditions

    conditions = Conditions(ponder=ponder, memory=memory, sandbox=sandbox)
    if official:
        if time_control is not None:
            raise BadOption("--official and --tc are two answers to how much time players have; give one of them")
        terms = official_terms(game.id)
        conditions = replace(conditions, allowance=terms.allowance)
        time_control, cpu_time = f"{terms.seconds:g}", True
    time = () if time_control is None else time_controls(time_control, game.players)
    check_bots(players, sandbox)
    check_starts(players, conditions, game, openings)
    return Terms(time, cpu_time, conditions, max_plies)


def chosen_workers(typed: int | None, cluster: str | None) -> int | None:
    """How many processes play: of a cluster as many as it has processors unless somebody says otherwise, which it knows itself."""
    return typed or (None if cluster else len(usable_cores()))
