"""What migrations share that give players other names."""

import hashlib
import json

import sqlalchemy as sa
from alembic import op

from ludarium.core.record import called_today

players = sa.table("players", *map(sa.column, ("id", "name", "spec", "version", "digest")))
competitions = sa.table("competitions", *map(sa.column, ("id", "game")))
entrants = sa.table("entrants", *map(sa.column, ("competition", "player")))
games = sa.table("games", *map(sa.column, ("competition", "number", "game")))
seats = sa.table("seats", *map(sa.column, ("competition", "number", "player")))


def call_players_as_today(format: int) -> None:
    """Have what players were called in records of that format called as it is today."""
    connection = op.get_bind()
    known = connection.execute(sa.select(players).where(players.c.spec.contains(":"))).all()
    for game in connection.execute(sa.select(competitions.c.game).union(sa.select(games.c.game))).scalars().all():
        for row in known:
            spec = called_today(row.spec, game, format)
            if spec != row.spec:
                name = spec if row.name == row.spec else row.name
                _rename(connection, row.id, game, {"name": name, "spec": spec, "version": row.version})


def _rename(connection: sa.Connection, was: int, game: str, now: dict[str, str]) -> None:
    """Have another player in the games and competitions of a game."""
    takes_part = entrants.c.competition.in_(sa.select(competitions.c.id).where(competitions.c.game == game))
    sat = sa.exists().where(games.c.competition == seats.c.competition, games.c.number == seats.c.number, games.c.game == game)
    digest = hashlib.sha256(json.dumps(tuple(now.values())).encode()).hexdigest()
    is_digest = players.c.digest == digest
    for table, where in ((entrants, takes_part), (seats, sat)):
        if connection.execute(sa.select(table).where(table.c.player == was, where).limit(1)).first() is not None:
            if connection.execute(sa.select(players.c.id).where(is_digest)).first() is None:
                connection.execute(sa.insert(players), now | {"digest": digest})
            is_now = sa.select(players.c.id).where(is_digest).scalar_subquery()
            connection.execute(sa.update(table).where(table.c.player == was, where).values(player=is_now))
