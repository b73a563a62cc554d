"""Competitions: begun, taken up again, written to, finished."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, count
from pathlib import Path

from sqlalchemy import ColumnElement, Connection, Row, bindparam, delete, func, insert, select, update

from ludarium.arena.games import GamePlan, GameResult
from ludarium.core.data_folder import seen_from
from ludarium.core.game import Game
from ludarium.core.pickling import Unpicklable
from ludarium.errors import BadOption, StoreError, escaped
from ludarium.players.programs import is_program

from . import schema
from .adding import Rules, add_games, counts, player_id, secured
from .database import Database
from .rows import CompetitionRow, Entrant, Rating

RUNNING, INTERRUPTED, FINISHED = "running", "interrupted", "finished"

LADDER = "ladder"
"""Kind of an endless competition whose records name the entrants."""


def entrants_of(specs: Sequence[str], names: Sequence[str] | None = None, folder: Path | None = None) -> list[Entrant]:
    """Those who are named by player specs; the version of a program in a file, which is looked for from ``folder`` on, is the beginning of its digest."""
    pairs = zip(names or specs, specs, strict=True)
    return [Entrant(escaped(name), escaped(spec), _version(spec, folder or Path())) for name, spec in pairs]


def _version(spec: str, folder: Path) -> str:
    with suppress(OSError):
        if is_program(spec) and (path := seen_from(folder, spec)).is_file():
            return hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    return ""


class Competition(Unpicklable):
    """A competition in a store. Its entrants have numbers from 0, which are those of its games' plans."""

    send_instead = "send its name, and what open_database was given"

    def __init__(self, database: Database, id: int, name: str, *rules: Rules) -> None:
        """``rules``: one for each option set of its games."""
        self.database = database
        self.id = id
        self.name = name
        self.rules = rules

    def add(self, results: Sequence[GameResult]) -> None:
        """Add games: when this returns they, and their records, are on the disk. Those that are there already stay as they are and are not counted again.

        Raises:
            StoreError: the database fails, and nothing was added.
        """
        if not results:
            return
        ready = secured(results)

        def work(connection: Connection) -> None:
            for option_set, rules in enumerate(self.rules):
                add_games(connection, self.id, rules, [one for one in ready if one[0].plan.option_set == option_set])

        self.database.write_again(work)

    def enter(self, entrant: Entrant) -> int:
        """The number of one more who takes part."""

        def work(connection: Connection) -> int:
            most = connection.execute(select(func.max(schema.entrants.c.number)).where(schema.entrants.c.competition == self.id)).scalar()
            number = 0 if most is None else int(most) + 1
            enter(connection, self.id, number, [entrant])
            return number

        return self.database.write(work)

    def entrants(self) -> tuple[Entrant, ...]:
        """By number."""
        with self.database.reading() as connection:
            return _entrants(connection, self.id)

    def finished_games(self) -> Iterator[GameResult]:
        """Return the games that count, in order of their numbers."""
        games, seats, starts = schema.games, schema.seats, schema.starts
        query = (
            select(
                games,
                starts.c.position,
                starts.c.options,
                seats.c.entrant,
                seats.c.returns,
                seats.c.forfeit,
                seats.c.out,
                seats.c.actions,
                seats.c.microseconds,
            )
            .join(starts, starts.c.id == games.c.start)
            .join(seats, (seats.c.competition == games.c.competition) & (seats.c.number == games.c.number))
            .where(games.c.competition == self.id, counts(games))
            .order_by(games.c.number, seats.c.seat)
        )
        option_sets = {rules.options: number for number, rules in enumerate(self.rules)}
        with self.database.reading() as connection:
            rows = list[Row[tuple[object, ...]]]()
            for row in connection.execution_options(yield_per=1000).execute(query):
                if rows and rows[0].number != row.number:
                    yield _result_of(rows, option_sets)
                    rows = []
                rows.append(row)
            if rows:
                yield _result_of(rows, option_sets)

    def rate(self, ratings: Sequence[Rating], *, anew: bool = False) -> None:
        """Keep ratings, which are of different times; ``anew``: instead of all that are there."""
        table = schema.ratings
        rows = [{"competition": self.id, **vars(rating)} for rating in ratings]

        def work(connection: Connection) -> None:
            if anew:
                connection.execute(delete(table).where(table.c.competition == self.id))
            if rows:
                connection.execute(insert(table), rows)

        self.database.write_again(work)

    def give_byes(self, points: Mapping[int, float]) -> None:
        """Say how many points entrants have without a game."""
        entrants = schema.entrants
        query = update(entrants).where(entrants.c.competition == self.id, entrants.c.number == bindparam("who"))
        rows = [{"who": entrant, "worth": worth} for entrant, worth in points.items()]
        if rows:
            self.database.write_again(lambda connection: connection.execute(query.values(byes=bindparam("worth")), rows))

    def finish(self) -> None:
        """Nothing more is to be played."""
        self._mark(FINISHED, time.time())

    def interrupt(self) -> None:
        """It has stopped before its end; :func:`resume` goes on with it."""
        self._mark(INTERRUPTED, None, schema.competitions.c.status == RUNNING)

    def discard_empty(self) -> None:
        """Remove it, if it has no game."""
        competitions, entrants, games = schema.competitions, schema.entrants, schema.games

        def work(connection: Connection) -> None:
            if connection.execute(select(games.c.number).where(games.c.competition == self.id).limit(1)).first() is None:
                connection.execute(delete(schema.expelled).where(schema.expelled.c.competition == self.id))
                connection.execute(delete(entrants).where(entrants.c.competition == self.id))
                connection.execute(delete(competitions).where(competitions.c.id == self.id))

        self.database.write(work)

    def _mark(self, status: str, finished: float | None, *conditions: ColumnElement[bool]) -> None:
        marked = (
            update(schema.competitions).where(schema.competitions.c.id == self.id, *conditions).values(status=status, finished=finished)
        )
        self.database.write_again(lambda connection: connection.execute(marked))


def mark_interrupted(database: Database) -> list[str]:
    """Mark the competitions that are said to be running and that nobody plays any more; their names."""
    with database.reading() as connection:
        running = list(rows_of(connection, schema.competitions.c.status == RUNNING))
    found: list[str] = []
    for row in running:
        with database.claimed(row.id) as is_ours:
            if is_ours:
                Competition(database, row.id, row.name, Rules(row.game, "")).interrupt()
                found.append(row.name)
    return found


def begin(
    database: Database, name: str, kind: str, game: Game | Sequence[Game], entrants: Sequence[Entrant], config: str = ""
) -> Competition:
    """Begin a competition.

    Args:
        game: with its options; or the same game with each option set.
        kind: ``tournament``, ``match``, ``ladder``.
        config: whatever says how it is to be played; taking it up again asks for the same.

    Raises:
        BadOption: a name that is none.
        StoreError: there is one of that name, or the database fails.
    """
    if not 0 < len(name) <= schema.LONGEST_NAME or not name.isprintable():
        raise BadOption(f"a competition has a name of 1 to {schema.LONGEST_NAME} printable characters, not {name[:80]!r}")

    rules = _rules(game)

    def work(connection: Connection) -> int:
        if find(connection, name) is not None:
            raise StoreError(f"the store {database.name} has a competition '{name}' already; resume it, or take another name")
        row = {"name": name, "kind": kind, "game": rules[0].game, "config": config, "status": RUNNING, "created": time.time(), "games": 0}
        connection.execute(insert(schema.competitions), row)
        found = find(connection, name)
        assert found is not None
        enter(connection, found.id, 0, entrants)
        return found.id

    return Competition(database, database.write(work), name, *rules)


def resume(database: Database, name: str, game: Game | Sequence[Game], entrants: Sequence[Entrant], config: str = "") -> Competition:
    """Take up a competition again that was cut off; one that is finished goes on. The arguments are those of :func:`begin`.

    Raises:
        StoreError: there is none of that name, it was begun otherwise, or the database fails.
    """
    rules = _rules(game)

    def work(connection: Connection) -> int:
        found = find(connection, name)
        if found is None:
            raise StoreError(f"the store {database.name} has no competition '{name}' to resume")
        before = _entrants(connection, found.id)
        for was, now in zip(before, entrants, strict=False):
            if was != now and (was.name, was.spec) == (now.name, now.spec):
                raise StoreError(f"player '{now.name}' is no longer what it was: {now.spec} has changed since '{name}' was begun")
        for what, was, now in (
            ("game", found.game, rules[0].game),
            ("settings", found.config, config),
            ("players", before, tuple(entrants)),
        ):
            if was != now:
                raise StoreError(f"'{name}' was begun with other {what}; resume it with the same, or begin one of another name")
        if found.voided and found.kind != LADDER:
            raise StoreError(
                f"'{name}' has {found.voided} voided games, so it cannot be resumed; 'ludarium store list {found.id}' prints its table"
            )
        again = update(schema.competitions).where(schema.competitions.c.id == found.id).values(status=RUNNING, finished=None)
        connection.execute(again)
        return found.id

    return Competition(database, database.write(work), name, *rules)


def _rules(game: Game | Sequence[Game]) -> tuple[Rules, ...]:
    return tuple(map(Rules.of, [game] if isinstance(game, Game) else game))


def find(connection: Connection, name: str) -> CompetitionRow | None:
    """The competition of a name."""
    return next(rows_of(connection, schema.competitions.c.name == name), None)


def find_alike(database: Database, kind: str, game: str, config: str) -> str | None:
    """The name of the newest competition of a kind, a game and a config."""
    competitions = schema.competitions
    with database.reading() as connection:
        rows = list(rows_of(connection, competitions.c.kind == kind, competitions.c.game == game, competitions.c.config == config))
        return rows[-1].name if rows else None


def unused_name(database: Database, name: str) -> str:
    """The name, with a number behind it if it is taken."""
    with database.reading() as connection:
        names = (f"{name[: schema.LONGEST_NAME - 10]} ({number})" for number in count(2))
        return next(one for one in chain([name[: schema.LONGEST_NAME]], names) if find(connection, one) is None)


def rows_of(connection: Connection, *conditions: ColumnElement[bool]) -> Iterator[CompetitionRow]:
    """Competitions, the oldest first."""
    competitions, entrants, voided = schema.competitions, schema.entrants, schema.voided
    players = select(func.count()).select_from(entrants).where(entrants.c.competition == competitions.c.id).scalar_subquery()
    left_out = select(func.count(voided.c.number.distinct())).where(voided.c.competition == competitions.c.id).scalar_subquery()
    query = select(competitions, players.label("players"), left_out.label("voided")).where(*conditions).order_by(competitions.c.id)
    return (CompetitionRow(**row) for row in connection.execute(query).mappings())


def enter(connection: Connection, competition: int, first: int, entrants: Sequence[Entrant]) -> None:
    """Have players take part, with numbers from ``first``."""
    rows = [
        {
            "competition": competition,
            "number": number,
            "player": player_id(connection, entrant),
            "wins": 0,
            "draws": 0,
            "losses": 0,
            "points": 0.0,
        }
        for number, entrant in enumerate(entrants, start=first)
    ]
    if rows:
        connection.execute(insert(schema.entrants), rows)


def _entrants(connection: Connection, competition: int) -> tuple[Entrant, ...]:
    players, entrants = schema.players, schema.entrants
    query = (
        select(players.c.name, players.c.spec, players.c.version)
        .join(entrants, entrants.c.player == players.c.id)
        .where(entrants.c.competition == competition)
        .order_by(entrants.c.number)
    )
    return tuple(Entrant(*row) for row in connection.execute(query))


def _result_of(rows: Sequence[Row[tuple[object, ...]]], option_sets: Mapping[str, int]) -> GameResult:
    """Return the result of a game's rows, one a seat. ``option_sets`` are numbers by options."""
    game = rows[0]
    seated = tuple(row.entrant for row in rows)
    return GameResult(
        GamePlan(game.number, game.round, seated, option_sets.get(game.options, 0)),
        tuple(row.returns for row in rows),
        game.reason,
        {seat: row.forfeit for seat, row in enumerate(rows) if row.forfeit is not None},
        game.plies,
        game.digest,
        None,
        Path(game.record) if game.record else None,
        None if game.seed is None else int(game.seed),
        game.position,
        game.started,
        game.finished,
        {seat: row.out for seat, row in enumerate(rows) if row.out is not None},
        {seat: (row.actions, row.microseconds / 1e6) for seat, row in enumerate(rows) if row.actions},
    )
