"""``ludarium match``: many games between programs."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ludarium.errors import PlayerCrashed

from .common import GameName, Players, Seed, number_option, path_option, screen
from .kept import Resume, Store, check_records, kept_games, say_how_to_go_on
from .option_groups import grouped
from .signals import stop_signal
from .terms import Beginnings, Places, PlayersTerms

if TYPE_CHECKING:
    from ludarium.arena import EloDifference, MatchResult


@grouped
def command(
    context: typer.Context,
    game: GameName,
    players: Players,
    *,
    games: Annotated[int, number_option(1, 1_000_000, "How many games.", "--games", "-n")] = 20,
    seed: Seed = None,
    places: Places,
    beginnings: Beginnings,
    records: Annotated[Path | None, path_option("DIR", "Keep a record of every game in this folder.")] = None,
    store: Store = False,
    resume: Resume = False,
    limits: PlayersTerms,
    on_forfeit: Annotated[
        Literal["play-on", "end"] | None,
        typer.Option(help="What becomes of a game for three and more when a player forfeits.", show_default="play-on"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Play a match between programs, which take turns on the seats, and print the score.

    In a round every player sits once at each seat, with the same opening, deal and dice. The same seed gives the same games, however many processes play,
    unless a player is limited by time.
    """
    from ludarium.arena import match, random_seed

    from .progress import score_bar

    first = beginnings.first(game, limits.official)
    seed = random_seed() if seed is None else seed
    openings = beginnings.chosen(first)
    terms = replace(limits.chosen(players, first.game, openings, records), on_forfeit=on_forfeit)
    with stop_signal() as stopped, score_bar(players, games) as show, ExitStack() as last:
        kept = last.enter_context(kept_games(context, first.game, players, terms, seed, resume, show)) if store or resume else None
        result = match(
            first.game,
            players,
            games=games,
            seed=seed,
            openings=openings,
            records=records,
            terms=terms,
            workers=places.processes(),
            cluster=places.cluster,
            pin=places.pin,
            before=kept.before if kept and resume else None,
            on_result=kept.add if kept else show,
            interrupted=(lambda: stopped() or kept.has_failed()) if kept else stopped,
        )
        if kept and len(result.games) == games:
            kept.finish()
    if as_json:
        print(json.dumps(result.as_json()))
    else:
        _show(result, games)
        if kept and result.games:
            screen().print(f"In the store as '{kept.name}'", soft_wrap=True)
    if kept:
        if len(result.games) < games:
            say_how_to_go_on(context, seed, is_begun=kept.games > 0)
        kept.raise_problem()
    check_records(result.games)
    stopped.exit_if_stopped()
    if result.given_up:
        raise PlayerCrashed(result.given_up)


def _show(result: MatchResult, wanted: int) -> None:
    from rich.table import Table

    from ludarium.arena.games import forfeit_lines
    from ludarium.arena.reports.table import duration

    played = len(result.games)
    cut = "" if played == wanted else f" of {wanted}" if result.given_up else f" of {wanted}, then stopped"
    screen().print(
        f"{result.game.title}, {played} game{'s' * (played != 1)}{cut}, seed {result.seed}, {result.seconds:.1f} s", style="bold"
    )
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="dim")
    table.add_column("player")
    for heading in ("points", "wins", "draws", "losses", "time per action", "forfeits"):
        table.add_column(heading, justify="right")
    for standing in result.standings:
        table.add_row(
            standing.name,
            f"{standing.points:g}",
            str(standing.wins),
            str(standing.draws),
            str(standing.losses),
            duration(standing.conduct.seconds_per_action),
            standing.conduct.forfeits or "0",
        )
    screen().print(table)
    if result.elo is not None and played:
        screen().print(_elo_text(result.elo, result.standings[0].losses == 0), soft_wrap=True)
    if result.repeated:
        screen().print(
            f"{result.repeated} of these games repeat an earlier one, which the interval does not know.", style="yellow", soft_wrap=True
        )
    for one in result.games:
        for line in forfeit_lines(one, result.players):
            screen().print(line, style="red", soft_wrap=True)


def _elo_text(elo: EloDifference, unbeaten: bool) -> str:
    """``Elo difference +168 (95 %: +26 to +305)``."""
    infinite = "+∞" if unbeaten else "−∞"
    difference = infinite if elo.difference is None else _signed(elo.difference)
    low = "−∞" if elo.low is None else _signed(elo.low)
    high = "+∞" if elo.high is None else _signed(elo.high)
    return f"Elo difference {difference} (95 %: {low} to {high})"


def _signed(value: float) -> str:
    return f"{value:+.0f}".replace("-", "−")
