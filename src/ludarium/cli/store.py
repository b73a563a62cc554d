"""``ludarium store``: the games, players and competitions that are kept in a database."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludarium.errors import BadOption, StoreError

from .common import file_or_folder, number_option, screen
from .groups import HELP
from .option_groups import grouped
from .signals import StopSignal, stop_signal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from ludarium.arena.store import CompetitionRow, Database

LEAST_P = 1e-12
"""Smaller p-values are not printed in full."""

app = typer.Typer(name="store", add_completion=False, pretty_exceptions_enable=False, context_settings=HELP)

Where = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="URL",
        help="A file of SQLite or an SQLAlchemy URL.",
        envvar="LUDARIUM_STORE",
        show_default="store.sqlite in Ludarium's data folder",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Reason = Annotated[str | None, typer.Option("--reason", metavar="TEXT", help="Reason, which the store keeps.")]
Undo = Annotated[bool, typer.Option("--undo", help="Count the games again.")]


@dataclass
class Wanted:
    """Which games."""

    player: Annotated[str | None, typer.Option(metavar="NAME", help="Games of this player, by name or spec.")] = None
    game: Annotated[str | None, typer.Option(metavar="GAME", help="Games of this game.")] = None
    result: Annotated[
        str | None, typer.Option(metavar="RESULT", help="win, draw, loss or forfeit: of the player if one is named, else of anybody.")
    ] = None
    opening: Annotated[str | None, typer.Option(metavar="TEXT", help="Games that began from a position whose text begins so.")] = None
    competition: Annotated[str | None, typer.Option(metavar="NAME", help="Games of this competition, by name or id.")] = None
    against: Annotated[str | None, typer.Option(metavar="NAME", help="Games with this other player, by name or spec.")] = None
    voided: Annotated[bool, typer.Option("--voided", help="Voided games, instead of those that count.")] = False


@app.callback()
def group() -> None:
    """Games, players and competitions that are kept in a database."""


def _open(where: str | None, *, create: bool = False) -> Database:
    from ludarium.arena.store import open_database

    return open_database(where, create=create)


@app.command("list")
def show(
    name: Annotated[
        str | None, typer.Argument(metavar="COMPETITION", help="One of them, by name or id, with its players and their cross table.")
    ] = None,
    players: Annotated[bool, typer.Option("--players", help="All players, with what came of their games.")] = False,
    where: Where = None,
    as_json: AsJson = False,
) -> None:
    """List the competitions; or one of them; or the players."""
    from ludarium.arena.store import competitions, cross_table, expulsions, find_competition, rating_history, totals

    with _open(where) as database:
        rows = competitions(database)
        if players:
            said: dict[str, Any] = {"players": [_with_games(total) for total in totals(database)]}
        elif name is None:
            said = {"competitions": [asdict(row) for row in rows]}
        else:
            row = find_competition(database, name)
            said = {
                "competition": asdict(row),
                "players": [_with_games(total) for total in totals(database, row.id)],
                "pairs": [pair._asdict() for pair in cross_table(database, row.id)],
                "ratings": [asdict(rating) for rating in rating_history(database, row.id)],
                "expelled": [asdict(one) for one in expulsions(database, row.id)],
            }
    if as_json:
        print(json.dumps(said))
    elif "competitions" in said:
        voided = ["voided"] if any(row.voided for row in rows) else []
        numbers = ("games", *voided)
        lines = [(*_line(row), *(f"{row.voided}" for _ in voided)) for row in rows]
        _table(("id", "competition", "kind", "game", "status", "begun"), numbers, lines)
    else:
        _show_players(said["players"], said.get("pairs", []), said.get("ratings"))
        _show_voided(said)


def _show_voided(said: dict[str, Any]) -> None:
    """Print the expelled players and voided games of a competition, with reasons."""
    for one in said.get("expelled", ()):
        line = f"expelled: {one['name']}, with {one['games']} games, {_time(one['time'])}: {one['reason']}"
        screen().print(line, soft_wrap=True, markup=False, highlight=False)
    if "competition" in said and (voided := said["competition"]["voided"]):
        line = f"voided: {voided} games; list them with 'ludarium store search --voided --competition {said['competition']['id']}'"
        screen().print(line, soft_wrap=True, markup=False, highlight=False)


def _with_games(total: Any) -> dict[str, Any]:
    return {**asdict(total), "games": total.games, "conduct": total.conduct.as_json()}


def _line(row: CompetitionRow) -> tuple[str, ...]:
    return str(row.id), row.name, row.kind, row.game, row.status, _time(row.created), f"{row.games}"


def _time(seconds: float | None) -> str:
    return "" if seconds is None else datetime.fromtimestamp(seconds).isoformat(" ", "minutes")


def _show_players(players: list[dict[str, Any]], pairs: list[dict[str, Any]], ratings: list[dict[str, Any]] | None) -> None:
    """Those of a competition by points, with their latest ratings; and their cross table, if that can be read."""
    from ludarium.arena.reports.table import signed
    from ludarium.arena.reports.texts import MOST_CROSSED

    met: dict[tuple[int, int], str] = {}
    for pair in pairs:
        one, other, wins, draws, losses = pair.values()
        met |= {(one, other): f"+{wins} ={draws} −{losses}", (other, one): f"+{losses} ={draws} −{wins}"}
    order = list(range(len(players)))
    if ratings is not None:
        order.sort(key=lambda number: -players[number]["points"])
    latest = {rating["entrant"]: f"{signed(rating['rating'])} ± {(rating['high'] - rating['low']) / 2:.0f}" for rating in ratings or ()}
    elo = ["Elo"] if latest else []

    def table(against: Sequence[int]) -> Table:
        lines = [
            (
                players[number]["name"],
                players[number]["version"],
                *(f"{players[number][name]:g}" for name in ("games", "points", "wins", "draws", "losses")),
                *(latest.get(number, "") for _ in elo),
                *(met.get((number, opponent), "") for opponent in against),
            )
            for number in order
        ]
        names = (players[opponent]["name"] for opponent in against)
        return _columns(("player", "version"), ("games", "points", "wins", "draws", "losses", *elo, *names), lines)

    shown = table(order if met and len(players) <= MOST_CROSSED else ())
    is_wide = screen().measure(shown, options=screen().options.update(width=1000)).maximum > screen().width
    screen().print(table(()) if is_wide else shown)


def _table(texts: tuple[str, ...], numbers: tuple[str, ...], lines: list[tuple[str, ...]]) -> None:
    screen().print(_columns(texts, numbers, lines))


def _columns(texts: tuple[str, ...], numbers: tuple[str, ...], lines: list[tuple[str, ...]]) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for heading in texts:
        table.add_column(heading, overflow="fold")
    for heading in numbers:
        table.add_column(heading, justify="right", overflow="fold")
    for line in lines:
        table.add_row(*line)
    return table


@app.command()
@grouped
def search(
    wanted: Wanted,
    limit: Annotated[int, number_option(1, 10_000, "So many games at most.")] = 50,
    before: Annotated[str | None, typer.Option(metavar="KEY", help="The next page: games before the one of this key.")] = None,
    where: Where = None,
    as_json: AsJson = False,
) -> None:
    """Find games, the latest first."""
    from ludarium.arena.reports.parts import OUT, seats_out
    from ludarium.arena.store import Search, search_games

    games = Search(**asdict(wanted))
    with _open(where) as database:
        found = search_games(database, games, before=before, limit=limit + 1)
    following = found[limit - 1].key if len(found) > limit else None
    found = found[:limit]
    if as_json:
        print(json.dumps({"games": [one.as_json() for one in found], "next": following}))
        return
    lines = [
        (
            one.key,
            " - ".join(one.players),
            " ".join(f"{value:g}{OUT * (seat in seats_out(one))}" for seat, value in enumerate(one.returns)),
            one.reason,
            _time(one.started),
            *(["; ".join(why.reason for why in one.voided)] if wanted.voided else []),
            f"{one.plies}",
        )
        for one in found
    ]
    _table(("key", "players", "returns", "reason", "begun", *(["voided"] if wanted.voided else [])), ("plies",), lines)
    if any(map(seats_out, found)):
        screen().print(f"{OUT} out: this player failed or left", style="dim")
    if following is not None:
        screen().print(f"There are more: --before {following}", style="dim")


@app.command("import")
def import_(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", parser=file_or_folder, help="Records, or folders with records.")],
    where: Where = None,
    as_json: AsJson = False,
) -> None:
    """Add the games of records, such as those of 'ludarium match --records' and of a server's data folder. What is there already is not added again."""
    from ludarium.arena.store.records import import_records, record_files

    from .progress import counting_bar

    files = record_files(paths)
    with stop_signal() as stopped, _open(where, create=True) as database, counting_bar("records", len(files)) as step:
        done = import_records(database, files, on_file=step, interrupted=stopped)
    if as_json:
        print(json.dumps(asdict(done)))
    else:
        screen().print(f"{done.games} games added, {done.known} known before, {done.unfinished} unfinished{_then(stopped)}")
    stopped.exit_if_stopped()
    if done.refused:
        raise StoreError(f"{len(done.refused)} of {len(files)} files are no records of games; the first of them: {done.refused[0]}")


@app.command()
@grouped
def export(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", parser=file_or_folder, help="Where to; each competition gets a folder in it.")
    ],
    wanted: Wanted,
    where: Where = None,
    as_json: AsJson = False,
) -> None:
    """Copy the records of games into a folder: of all, or of those that are searched for."""
    from ludarium.arena.store import Search
    from ludarium.arena.store.records import export_records

    games = Search(**asdict(wanted))
    with stop_signal() as stopped, _open(where) as database:
        done = export_records(database, folder, games, interrupted=stopped)
    if as_json:
        print(json.dumps(asdict(done)))
    else:
        screen().print(f"{done.games} records copied{_then(stopped)}")
    stopped.exit_if_stopped()
    if done.missing:
        raise StoreError(f"{len(done.missing)} games have no record to copy; the first of them: {done.missing[0]}")


@app.command()
def check(
    repair: Annotated[
        bool, typer.Option("--repair", help="Take games anew from their records where these say otherwise, and count anew.")
    ] = False,
    where: Where = None,
    as_json: AsJson = False,
) -> None:
    """Compare the store with the records of its games, and what it has counted with the games."""
    from ludarium.arena.store import competitions
    from ludarium.arena.store.records import check_store

    from .progress import counting_bar

    with stop_signal() as stopped, _open(where) as database:
        with counting_bar("games", sum(row.games + row.voided for row in competitions(database))) as step:
            done = check_store(database, repair=repair, on_game=step, interrupted=stopped)
        name = database.name
    if as_json:
        print(json.dumps(asdict(done)))
    else:
        found = f"{done.games} games, {done.records} with a record; {len(done.problems)} problems, {done.repaired} of them repaired"
        screen().print(f"{found}{_then(stopped)}")
        for name in done.interrupted:
            screen().print(f"interrupted: '{name}'", soft_wrap=True)
        for problem in done.problems:
            screen().print(problem, style="red", soft_wrap=True)
    stopped.exit_if_stopped()
    if len(done.problems) > done.repaired:
        raise StoreError(f"the store {name} has {len(done.problems) - done.repaired} problems; the first: {done.problems[0]}")


@app.command()
def void(
    keys: Annotated[list[str], typer.Argument(metavar="KEY", help="Games, by their keys as 'ludarium store search' prints them.")],
    reason: Reason = None,
    undo: Undo = False,
    where: Where = None,
    as_json: AsJson = False,
) -> None:
    """Void games: take them out of tables and ratings. The store keeps them with the reason."""
    from ludarium.arena.store import restore
    from ludarium.arena.store import void as void_games

    _check_reason(reason, undo=undo)
    with _open(where) as database:
        restore(database, keys) if undo else void_games(database, keys, reason or "")
    games = len(set(keys))
    if as_json:
        print(json.dumps({"games": games}))
    else:
        screen().print(f"{games} game{'' if games == 1 else 's'} {'restored' if undo else 'voided'}")


@app.command()
def expel(
    competition: Annotated[str, typer.Argument(metavar="COMPETITION", help="By name or id.")],
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="By name.")],
    reason: Reason = None,
    undo: Undo = False,
    where: Where = None,
    as_json: AsJson = False,
) -> None:
    """Expel a player from a competition: void all its games. A ladder refuses the player."""
    from ludarium.arena.store import expel as expel_player
    from ludarium.arena.store import readmit

    _check_reason(reason, undo=undo)
    with _open(where) as database:
        expelled = [] if undo else expel_player(database, competition, player, reason or "")
        if undo:
            readmit(database, competition, player)
    if as_json:
        print(json.dumps({"expelled": [asdict(one) for one in expelled]}))
    elif undo:
        screen().print(f"{player} is readmitted", markup=False, highlight=False)
    for one in expelled if not as_json else ():
        screen().print(f"{one.name} expelled, with {one.games} games", markup=False, highlight=False)


def _check_reason(reason: str | None, *, undo: bool) -> None:
    if undo and reason is not None:
        raise BadOption("--undo takes no --reason")
    if not undo and reason is None:
        raise BadOption("--reason is missing; write why, which the store keeps")


@app.command()
def report(
    competition: Annotated[str, typer.Argument(metavar="COMPETITION", help="By name or id.")],
    where: Where = None,
    as_json: AsJson = False,
) -> None:
    """Name pairs whose results against each other fit no rating, such as those of a player that loses on purpose to another one."""
    from ludarium.arena.ratings.misfits import LEVEL
    from ludarium.arena.reports.misfits import misfits_of
    from ludarium.arena.store import find_competition

    with _open(where) as database:
        row = find_competition(database, competition)
        found = misfits_of(database, row)
    if as_json:
        print(json.dumps({"competition": asdict(row), "level": LEVEL, **asdict(found)}))
        return
    lines = [
        (
            one.player,
            one.opponent,
            f"{one.games}",
            f"{one.expected:.1f}",
            f"{one.score:g}",
            f"{one.p:.2g}" if one.p >= LEAST_P else f"<{LEAST_P:g}",
        )
        for one in found.misfits
    ]
    if lines:
        _table(("player", "opponent"), ("games", "expected", "points", "p"), lines)
    said = f"{len(lines) or 'no'} of {found.pairs:,} pairs misfit{'s' if len(lines) == 1 else ''}"
    screen().print(f"{found.games:,} games; {said} (Holm, {LEVEL:.0%})")


@app.command()
def vacuum(where: Where = None, as_json: AsJson = False) -> None:
    """Give room that the store does not need any more back to the disk."""
    with _open(where) as database:
        before = database.size()
        database.vacuum()
        after = database.size()
    if as_json:
        print(json.dumps({"before": before, "after": after}))
    else:
        screen().print(f"{before:,} bytes before, {after:,} now")


def _then(stopped: StopSignal) -> str:
    """How a line of results ends that are not all."""
    return ", then stopped" if stopped() else ""
