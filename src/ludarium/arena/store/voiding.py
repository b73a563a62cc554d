"""Voids games and expels players. The store keeps voided games with the reason, and both can be undone."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager

from sqlalchemy import Connection, delete, func, insert, literal, select

from ludarium.errors import BadOption, StoreError

from . import schema
from .adding import CHUNK, hold, recount
from .competitions import LADDER
from .curves import remake_of
from .database import Database
from .queries import competition_of, find_competition, key_of, totals
from .rows import CompetitionRow, Expulsion

State = tuple[object, ...]
"""A value that changes with a competition's voided games and expelled entrants."""


def void(database: Database, keys: Sequence[str], reason: str) -> None:
    """Void games, and rate again.

    Args:
        keys: keys of the games, see :attr:`.StoredGame.key`.
        reason: why; the store keeps it.

    Raises:
        BadOption: no key, or no reason.
        StoreError: there is no such game, its competition is being played and is no ladder, or the database fails.
    """
    _check_reason(reason)

    def work(connection: Connection, competition: int, numbers: set[int]) -> None:
        shared = {"competition": competition, "expelled": schema.DIRECTLY, "time": time.time(), "reason": reason}
        _forget(connection, competition, numbers)
        connection.execute(insert(schema.voided), [shared | {"number": number} for number in numbers])

    _change_games(database, keys, work)


def restore(database: Database, keys: Sequence[str]) -> None:
    """Undo :func:`void`. Games of an expelled entrant count again once it is readmitted, too.

    Raises:
        BadOption: no key.
        StoreError: as :func:`void`; or a game was not voided, or only with an entrant.
    """

    def work(connection: Connection, competition: int, numbers: set[int]) -> None:
        voided = schema.voided
        query = select(voided.c.number).where(voided.c.competition == competition, voided.c.expelled == schema.DIRECTLY)
        if others := numbers - set(connection.execute(query).scalars()):
            raise StoreError(f"game {competition}:{min(others)} was not voided, or only with an expelled player")
        _forget(connection, competition, numbers)

    _change_games(database, keys, work)


def expel(database: Database, competition: str, name: str, reason: str) -> list[Expulsion]:
    """Void all games of a player, also those that it finishes later, and rate again. A ladder refuses the player.

    Args:
        competition: its name or id.
        name: the player's name; upper and lower case are alike. Players that share the name are all expelled.
        reason: why; the store keeps it.

    Returns:
        The expelled entrants.

    Raises:
        BadOption: no reason.
        StoreError: there is no such competition or player, or as :func:`void`.
    """
    _check_reason(reason)
    seats, voided, expelled = schema.seats, schema.voided, schema.expelled

    def work(connection: Connection, competition: int, entrant: int) -> None:
        shared = {"time": time.time(), "reason": reason}
        _forget_entrant(connection, competition, entrant)
        connection.execute(insert(expelled), {"competition": competition, "entrant": entrant, **shared})
        theirs = select(seats.c.competition, seats.c.number, literal(entrant), *map(literal, shared.values()))
        theirs = theirs.where(seats.c.competition == competition, seats.c.entrant == entrant).distinct()
        connection.execute(insert(voided).from_select(["competition", "number", "expelled", *shared], theirs))

    row, entrants = _change_entrants(database, competition, name, work)
    return [one for one in expulsions(database, row.id) if one.entrant in entrants]


def readmit(database: Database, competition: str, name: str) -> None:
    """Undo :func:`expel`. Games that were voided with :func:`void` stay voided.

    Raises:
        StoreError: as :func:`expel`; or the player was not expelled.
    """

    def work(connection: Connection, competition: int, entrant: int) -> None:
        if not _forget_entrant(connection, competition, entrant):
            raise StoreError(f"'{name}' was not expelled")

    _change_entrants(database, competition, name, work)


def expulsions(database: Database, competition: int) -> list[Expulsion]:
    """Return the expelled entrants of a competition, by number."""
    table, voided, entrants, players = schema.expelled, schema.voided, schema.entrants, schema.players
    games = (
        select(func.count())
        .select_from(voided)
        .where(voided.c.competition == table.c.competition, voided.c.expelled == table.c.entrant)
        .scalar_subquery()
    )
    query = (
        select(table.c.entrant, players.c.name, table.c.time, table.c.reason, games)
        .join(entrants, (entrants.c.competition == table.c.competition) & (entrants.c.number == table.c.entrant))
        .join(players, players.c.id == entrants.c.player)
        .where(table.c.competition == competition)
        .order_by(table.c.entrant)
    )
    with database.reading() as connection:
        return [Expulsion(*row) for row in connection.execute(query)]


def state_of(database: Database, competition: int) -> State:
    """Return a value that changes when games are voided or restored, or entrants expelled or readmitted."""
    with database.reading() as connection:
        return tuple(
            value
            for table in (schema.voided, schema.expelled)
            for value in connection.execute(select(func.count(), func.max(table.c.time)).where(table.c.competition == competition)).one()
        )


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise BadOption("the reason is empty; write why, which the store keeps")


def _change_games(database: Database, keys: Sequence[str], work: Callable[[Connection, int, set[int]], None]) -> None:
    wanted: defaultdict[int, set[int]] = defaultdict(set)
    for key in keys:
        competition, number = key_of(key)
        wanted[competition].add(number)
    rows = [(competition, competition_of(database, competition)) for competition in wanted]

    def change(connection: Connection) -> None:
        for competition, numbers in wanted.items():
            hold(connection, competition)
            there = set(connection.execute(select(schema.games.c.number).where(schema.games.c.competition == competition)).scalars())
            if missing := numbers - there:
                raise StoreError(f"the store {database.name} has no game {competition}:{min(missing)}")
            work(connection, competition, numbers)
            recount(connection, competition, write=True)

    _change(database, [row for _, row in rows if row is not None], change)


def _change_entrants(
    database: Database, competition: str, name: str, work: Callable[[Connection, int, int], None]
) -> tuple[CompetitionRow, list[int]]:
    row = find_competition(database, competition)
    found = [number for number, total in enumerate(totals(database, row.id)) if total.name.casefold() == name.casefold()]
    if not found:
        raise StoreError(f"'{row.name}' has no player '{name}'; 'ludarium store list {row.id}' lists its players")

    def change(connection: Connection) -> None:
        hold(connection, row.id)
        for entrant in found:
            work(connection, row.id, entrant)
        recount(connection, row.id, write=True)

    _change(database, [row], change)
    return row, found


def _change(database: Database, rows: Sequence[CompetitionRow], change: Callable[[Connection], None]) -> None:
    with ExitStack() as last:
        for row in rows:
            if row.kind != LADDER:
                last.enter_context(_not_played(database, row))
        database.write(change)
        for row in rows:
            remake_of(database, row)


@contextmanager
def _not_played(database: Database, row: CompetitionRow) -> Generator[None]:
    """Keep other processes from playing a competition inside: they would continue with the old table."""
    with database.claimed(row.id) as is_ours:
        if not is_ours:
            raise StoreError(f"'{row.name}' is running; void its games after its end")
        yield


def _forget(connection: Connection, competition: int, numbers: set[int]) -> None:
    """Delete the entries of :func:`void` for games."""
    voided, some = schema.voided, sorted(numbers)
    for begin in range(0, len(some), CHUNK):
        here = (voided.c.competition == competition, voided.c.number.in_(some[begin : begin + CHUNK]))
        connection.execute(delete(voided).where(*here, voided.c.expelled == schema.DIRECTLY))


def _forget_entrant(connection: Connection, competition: int, entrant: int) -> bool:
    """Delete an entrant's expulsion, and return whether there was one."""
    voided, expelled = schema.voided, schema.expelled
    connection.execute(delete(voided).where(voided.c.competition == competition, voided.c.expelled == entrant))
    gone = connection.execute(delete(expelled).where(expelled.c.competition == competition, expelled.c.entrant == entrant))
    return gone.rowcount > 0
