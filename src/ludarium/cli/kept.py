"""What commands share whose games are kept in the store: they begin there, are interrupted, and go on with ``--resume``."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludarium.core.stopping import done_at_a_forced_end
from ludarium.errors import StoreError

from .common import notices

if TYPE_CHECKING:
    from ludarium.arena import GameResult, Terms
    from ludarium.arena.store import Scorekeeper
    from ludarium.core.game import Game

Store = Annotated[bool, typer.Option("--store", help="Write the games to the store, see 'ludarium store'.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with what was stopped: with the same line, and its seed.")]

CHANGES_NOTHING = ("as_json", "cluster", "pin", "resume", "store", "workers")
"""Parameters that have no part in which games are played."""


@contextmanager
def kept_games(
    context: typer.Context,
    game: Game,
    players: Sequence[str],
    terms: Terms,
    seed: int,
    resume: bool,
    on_safe: Callable[[GameResult], None] = lambda result: None,
) -> Generator[Scorekeeper]:
    """Begin a command's competition in the store, or take it up again: the one that the same line has begun. Whatever ends it says how to go on.

    Raises:
        BadNotation, BadOption: wrong players.
        StoreError: the store fails, or there is nothing to resume.
    """
    from ludarium.arena.play import seat_players
    from ludarium.arena.store import Scorekeeper, entrants_of  # with a database, which takes a while, only for who wants it

    seat_players(game, players, terms.programs)
    kind = str(context.command.name)
    config = json.dumps({**_typed(context), "games": context.params["games"], "seed": seed}, default=str, sort_keys=True)
    name = f"{game.id}, seed {seed}: {' - '.join(players)}"
    with (
        Scorekeeper(kind, name, game, entrants_of(players), config, resumed=resume, on_safe=on_safe) as keeper,
        done_at_a_forced_end(lambda: say_how_to_go_on(context, seed, is_begun=keeper.games > 0)),
    ):
        if resume and keeper.is_new:
            raise StoreError(
                f"the store has no {kind} that this line has begun; --resume goes on with the line that was stopped, and its seed"
            )
        say_where_to_watch(keeper.number)
        for result in keeper.before:
            on_safe(result)
        yield keeper


def _typed(context: typer.Context) -> dict[str, Any]:
    """The parameters that were typed."""
    return {
        name: value
        for name, value in context.params.items()
        if name not in CHANGES_NOTHING and getattr(context.get_parameter_source(name), "name", "") == "COMMANDLINE"
    }


def say_where_to_watch(number: int) -> None:
    """Tell people where a competition of the store can be seen while it is played."""
    notices().print(f"to watch it: ludarium serve, then http://127.0.0.1:8000/competitions/{number}", soft_wrap=True)


def say_how_to_go_on(context: typer.Context, seed: int | None = None, is_begun: bool = True) -> None:
    """Tell people the line that goes on with what was interrupted; or that begins it again, where nothing could go on."""
    words = [*context.obj, *([] if seed is None or "seed" in _typed(context) else ["--seed", str(seed)])]
    line = shlex.join(["ludarium", *(word for word in words if word != "--resume"), *(["--resume"] if is_begun else [])])
    notices().print(f"to {'go on' if is_begun else 'begin again'}: {line}", soft_wrap=True)


def check_records(games: Sequence[GameResult]) -> None:
    """
    Raises:
        StoreError: records were to be kept, and some could not be written.
    """
    if lost := [one.unrecorded for one in games if one.unrecorded]:
        raise StoreError(f"{len(lost)} of {len(games)} games have no whole record; of the first of them, {lost[0]}")
