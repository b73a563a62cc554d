"""``ludarium tournament FILE``: hold a tournament."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludarium.cli.common import file_or_folder, notices, number_option, screen
from ludarium.cli.kept import check_records, say_how_to_go_on, say_where_to_watch
from ludarium.cli.signals import stop_signal
from ludarium.cli.terms import Cluster, check_bots, check_starts, chosen_workers
from ludarium.core.cores import usable_cores
from ludarium.core.stopping import done_at_a_forced_end
from ludarium.errors import BadOption, PlayerCrashed, StoreError

if TYPE_CHECKING:
    from rich.table import Table

    from ludarium.arena import GameResult
    from ludarium.arena.tournament import TournamentResult
    from ludarium.arena.tournament_file import Tournament


def command(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", parser=file_or_folder, help="What 'ludarium tournament new' has written.")],
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a tournament that was stopped.")] = False,
    concurrency: Annotated[int | None, number_option(1, 256, "How many games are played at once.", show_default="one a core")] = None,
    cluster: Cluster = None,
    replays: Annotated[
        bool, typer.Option("--replays", help="Put the games into report.html, for who has that page alone to walk through them.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Hold the tournament that a file describes, and print its table.

    Results are kept as they come, so that a tournament that was stopped goes on with --resume, however it was stopped.
    """
    to_go_on = partial(say_how_to_go_on, context)
    with stop_signal() as stopped, done_at_a_forced_end(to_go_on):
        from ludarium.arena.reports import write_reports  # which take a while, in which it may be stopped already
        from ludarium.arena.tournament import CutShort, hold
        from ludarium.arena.tournament_file import read_tournament

        tournament = read_tournament(file)
        conditions = tournament.terms_of_games.programs
        check_starts(tournament.specs, conditions, tournament.game, tournament.openings)
        check_bots(tournament.specs, conditions, tournament.game.id)
        try:
            with _progress(tournament) as on_result, _said_where_it_failed(to_go_on) as on_begun:
                result = hold(
                    tournament,
                    resume=resume,
                    workers=chosen_workers(concurrency, cluster),
                    cluster=cluster,
                    on_begun=on_begun,
                    on_result=on_result,
                    interrupted=stopped,
                )
        except CutShort as cut:
            _show(cut.result, as_json)
            raise
    _show(result, as_json)
    if not result.is_over:
        to_go_on()
    page = write_reports(result)
    if replays and not stopped():
        with stop_signal() as stopped:
            page = write_reports(result, _replays(result, concurrency or len(usable_cores()), stopped))
    if not as_json:
        screen().print(f"report: {page}", soft_wrap=True)
    check_records(result.games)
    stopped.exit_if_stopped()
    if result.given_up:
        raise PlayerCrashed(result.given_up)


@contextmanager
def _said_where_it_failed(to_go_on: Callable[[], None]) -> Generator[Callable[[int], None]]:
    """Yield a callback for the competition's number. After a failure of the store, the disk or a player's start, print how to resume."""
    begun: list[int] = []

    def begin(number: int) -> None:
        begun.append(number)
        say_where_to_watch(number)

    try:
        yield begin
    except (StoreError, BadOption):
        if begun:
            to_go_on()
        raise


@contextmanager
def _progress(tournament: Tournament) -> Generator[Callable[[GameResult], None]]:
    """Show on standard error, if that is a terminal, how many games have been played and who leads."""
    from rich.progress import Progress, TextColumn, TimeElapsedColumn

    points = [0.0] * len(tournament.names)
    columns = (TextColumn("{task.completed} games"), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=notices(), transient=True, disable=not notices().is_terminal) as progress:
        line = progress.add_task("", total=None)

        def add(result: GameResult) -> None:
            for player, value in zip(result.plan.seats, result.returns, strict=True):
                points[player] += (1 + value) / 2
            first = max(range(len(points)), key=points.__getitem__)
            progress.update(line, advance=1, description=f"{tournament.names[first]} leads with {points[first]:g}")

        yield add


def _replays(result: TournamentResult, workers: int, interrupted: Callable[[], bool]) -> dict[int, str]:
    """The games for the page, those that were drawn before an interruption."""
    from ludarium.arena.reports.replays import packed_games
    from ludarium.cli.progress import counting_bar

    packed: dict[int, str] = {}
    with counting_bar("Drawing games", len(result.games)) as advance:
        for number, game in packed_games(result, workers=workers, interrupted=interrupted):
            packed[number] = game
            advance()
    return packed


def _show(result: TournamentResult, as_json: bool) -> None:
    from ludarium.arena.games import forfeit_lines
    from ludarium.arena.reports import table_json
    from ludarium.arena.reports.option_sets import results_by_set
    from ludarium.arena.reports.table import cell_text, cross_table, plain, table
    from ludarium.arena.reports.texts import CONDUCT_HEADINGS, MOST_CROSSED, conduct_cells, played

    if as_json:
        print(json.dumps({**table_json(result), "seconds": round(result.seconds, 3)}))
        return
    tournament, rows, cells = result.tournament, table(result), cross_table(result)
    screen().print(f"{tournament.name}: {tournament.game.title}, {played(result)}, {result.seconds:.1f} s", style="bold")
    byes = ["of byes"] if any(row.byes for row in rows) else []
    shown = _columns("player", "points", *byes, "Elo", "over the next", "games", "wins", "draws", "losses")
    for row in rows:
        sums = (row.games, row.wins, row.draws, row.losses)
        shown.add_row(str(row.rank), row.name, plain(row.points), *(plain(row.byes) for _ in byes), row.elo, row.percent, *map(str, sums))
    screen().print(shown)
    if 2 < len(cells) <= MOST_CROSSED:
        crossed = _columns("points against", *(str(row.rank) for row in rows))
        for row, line in zip(rows, cells, strict=True):
            crossed.add_row(str(row.rank), row.name, *("–" if rank == row.rank else cell_text(cell) for rank, cell in enumerate(line, 1)))
        if screen().measure(crossed, options=screen().options.update(width=1000)).maximum <= screen().width:
            screen().print()
            screen().print(crossed)
    behaved = _columns("player", *CONDUCT_HEADINGS)
    for row in rows:
        behaved.add_row(str(row.rank), row.name, *conduct_cells(row))
    screen().print()
    screen().print(behaved)
    if sets := results_by_set(result):
        by_set = _columns("points with", *(one.name for one in sets))
        for place, row in enumerate(rows):
            by_set.add_row(str(row.rank), row.name, *(cell_text(one.cells[place]) for one in sets))
        screen().print()
        screen().print(by_set)
    forfeits = [line for game in result.games for line in forfeit_lines(game, tournament.names)]
    for line in forfeits[:5]:
        screen().print(line, style="red", soft_wrap=True)
    if len(forfeits) > 5:
        screen().print(f"and {len(forfeits) - 5} more were lost by forfeit", style="red")


def _columns(*headings: str) -> Table:
    """A table whose rows begin with a rank and a name."""
    from rich.table import Table

    shown = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    shown.add_column("", justify="right")
    shown.add_column(headings[0])
    for heading in headings[1:]:
        shown.add_column(heading, justify="right")
    return shown
