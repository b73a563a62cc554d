"""The options of commands in which programs play: clocks, what programs may take, and where games are played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ludarium.core.cores import usable_cores
from ludarium.core.options import parse_assignments
from ludarium.core.user_text import read_user_text
from ludarium.errors import BadOption, printable, store_errors

from .common import GameOptions, Start, chosen_position, notices, number_option, path_option

if TYPE_CHECKING:
    from ludarium.arena import Openings, Terms
    from ludarium.core.game import Game, State
    from ludarium.players.programs import Conditions

TimeControl = Annotated[
    str | None,
    typer.Option(
        "--tc", metavar="TIME", help="The players' clocks: 60+0.5 (a game, and more an action) or 2/action; with commas, one a player."
    ),
]
Ponder = Annotated[bool, typer.Option("--ponder", help="Programs may go on between their turns; else they are stopped.")]
Memory = Annotated[int, number_option(16, 1_000_000, "Megabytes that a program may take, with all that it has started.", "--memory")]
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


def check_bots(players: Sequence[str], conditions: Conditions, game: str = "") -> None:
    """Print how programs are confined, if any play. Connect once to each address where a bot listens.

    Args:
        players: specs of players.
        conditions: how programs among them play.
        game: the game that classes among them play.

    Raises:
        BadNotation: not an address.
        BadOption: a sandbox is required, and there is none; an address cannot be reached.
    """
    from ludarium.players.programs import check_reachable, is_address, is_program, protection_of

    for player in dict.fromkeys(filter(is_address, players)):
        check_reachable(player)
    found: dict[str, tuple[str, list[str]]] = {}
    for player in dict.fromkeys(filter(is_program, players)):
        how, why = protection_of(player, conditions, game)
        found.setdefault(how, (why, []))[1].append(player)
    if found and conditions.sandbox != "off":
        parts = [f"{how}{why}" + (f" ({', '.join(confined)})" if len(found) > 1 else "") for how, (why, confined) in found.items()]
        notices().print(f"notice: sandbox: {'; '.join(parts)}", soft_wrap=True)


def check_starts(players: Sequence[str], conditions: Conditions, game: Game, openings: Openings) -> None:
    """Start each program once under the conditions of its games, so that one that cannot start loses no games.

    Raises:
        BadOption: one that does not start, does not answer the greeting, or plays no games with such openings.
    """
    from ludarium.players.programs import is_program, program_kind, try_to_start

    for player in dict.fromkeys(filter(is_program, players)):
        if target := program_kind(player, conditions, game.id)[1]:
            notices().print(f"notice: {printable(player)} is a link to {printable(target)}", soft_wrap=True, markup=False)
        starts = try_to_start(player, conditions, game.id).starts
        if starts == "usual" and (openings.positions or openings.random_plies):
            raise BadOption(f"player {player} plays only games that begin as usual, not from given positions or after random plies")
        if starts and openings.positions:
            raise BadOption(f"player {player} plays only games that begin as usual or after random plies, not from given positions")
        if starts and openings.random_plies:
            _check_opening(player, conditions, game, openings)


def _check_opening(player: str, conditions: Conditions, game: Game, openings: Openings) -> None:
    """Ask a player for its first action after a random opening, once in each seat.

    Raises:
        BadOption: it chooses an illegal one, as a player that follows a book of its own may.
    """
    from ludarium.arena import Terms, play_game

    start, opening = openings.begin(game, 0, 0)
    for seat in range(game.players):
        players = [player if one == seat else "random" for one in range(game.players)]
        terms = Terms(programs=conditions, max_plies=game.players)
        played = play_game(game, players, start=start, opening=opening, seed=0, terms=terms)
        reason = played.forfeits.get(seat, "")
        if reason.startswith("illegal action"):
            raise BadOption(
                f"player {player} does not follow random plies, and may have a book of its own; leave out --random-plies ({reason})"
            )


@dataclass
class Beginnings:
    """Where games start."""

    start: Start = None
    openings: Annotated[Path | None, path_option("FILE", "Positions to start from, one a line; the games of a round from the same.")] = None
    random_plies: Annotated[
        int, number_option(0, 1000, "Random plies before each round, the same for all its games.", "--random-plies")
    ] = 0
    options: GameOptions = None

    def first(self, game: str, official: bool) -> State:
        """Where a game starts, with options as typed or those of its official terms.

        Raises:
            BadOption: it has no such terms, or one option says something else; as :func:`chosen_position`.
            BadNotation: not a position of that game with these options.
        """
        from ludarium.players import official_terms

        options = self.options
        if official:
            options = [f"{name}={value}" for name, value in official_terms(game).options_with(parse_assignments(options or ())).items()]
        return chosen_position(game, options, self.start)

    def chosen(self, first: State) -> Openings:
        """What all games start from.

        Raises:
            BadOption: two answers to that.
            BadNotation, StoreError: the file has no openings, or cannot be read.
        """
        from ludarium.arena import Openings

        if self.openings is None:
            return Openings(() if self.start is None else (first,), self.random_plies)
        if self.start is not None:
            raise BadOption("--start and --openings are two answers to where games start; give one of them")
        with store_errors(f"{self.openings} cannot be read"):
            return Openings.read(first.game, read_user_text(self.openings), self.random_plies)


@dataclass
class PlayersTerms:
    """What players may take."""

    time_control: TimeControl = None
    cpu_time: Annotated[bool, typer.Option("--cpu-time", help="Clocks count processor time, not that on the wall.")] = False
    ponder: Ponder = False
    memory: Memory = 2048
    sandbox: Sandbox = "auto"
    max_plies: Annotated[
        int | None, number_option(1, 1_000_000, "A game that is not over after so many plies (actions and dice) is a draw.", "--max-plies")
    ] = None
    official: Annotated[
        bool, typer.Option("--official", help="The terms of the game's own competitions: rules, processor time and memory.")
    ] = False

    def chosen(self, players: Sequence[str], game: Game, openings: Openings, records: Path | None = None) -> Terms:
        """Start all programs once and return the terms of a game.

        Args:
            players: specs of players.
            game: the game.
            openings: where its games start.
            records: the folder for records, which programs do not see.

        Raises:
            BadOption: no such time control, or not one a player; one besides the official; as :func:`check_bots` and :func:`check_starts`.
        """
        from ludarium.arena import Terms, time_controls
        from ludarium.players import official_terms
        from ludarium.players.programs import Conditions

        control, by_cpu = self.time_control, self.cpu_time
        conditions = Conditions(ponder=self.ponder, memory=self.memory, sandbox=self.sandbox)
        if self.official:
            if control is not None:
                raise BadOption("--official and --tc are two answers to how much time players have; give one of them")
            terms = official_terms(game.id)
            conditions = replace(conditions, allowance=terms.allowance)
            control, by_cpu = f"{terms.seconds:g}", True
        time = () if control is None else time_controls(control, game.players)
        terms = Terms(time, by_cpu, conditions, self.max_plies)
        check_starts(players, terms.hiding(records).programs, game, openings)
        check_bots(players, conditions, game.id)
        return terms


@dataclass
class Places:
    """Where games are played."""

    workers: Annotated[int | None, number_option(1, 256, "How many processes play.", show_default="one a core")] = None
    cluster: Cluster = None
    pin: Annotated[bool, typer.Option("--pin", help="Each game that is played has a core of its own.")] = False

    def processes(self) -> int | None:
        """See :func:`chosen_workers`."""
        return chosen_workers(self.workers, self.cluster)


def chosen_workers(typed: int | None, cluster: str | None) -> int | None:
    """How many processes play: of a cluster as many as it has processors unless somebody says otherwise, which it knows itself."""
    return typed or (None if cluster else len(usable_cores()))
