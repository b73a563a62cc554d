"""The store's tables as they are now. How older ones become so, ``migrations`` says."""

from __future__ import annotations

import os
from dataclasses import fields
from typing import Any
from urllib.parse import quote, unquote_to_bytes

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
)
from sqlalchemy.types import TypeDecorator

from ludarium.arena.conduct import Conduct
from ludarium.errors import escaped

VERSION = "0007"
"""The newest migration."""

DIGEST = 64
"""Characters of a SHA-256 digest in hexadecimal."""

LONGEST_NAME = 200
"""Characters of a competition's name."""


class PathText(TypeDecorator[str]):
    """A path as a text; one that is not UTF-8 as a ``file:`` URL."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Any) -> str | None:
        return value if value is None or escaped(value) == value else f"file:{quote(os.fsencode(value))}"

    def process_result_value(self, value: str | None, dialect: Any) -> str | None:
        return os.fsdecode(unquote_to_bytes(value.removeprefix("file:"))) if value is not None and value.startswith("file:") else value


metadata = MetaData()

CONDUCT = tuple(field.name for field in fields(Conduct))
"""Columns of entrants."""

LATER = frozenset(["voided", "expelled"])
"""Tables that stores of earlier versions lack."""

players = Table(
    "players",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("spec", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("digest", String(DIGEST), nullable=False, unique=True),
)
"""Who plays: one row for each name, spec and version of the program. ``digest`` is of these three, for texts of any length have no index everywhere."""

competitions = Table(
    "competitions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(LONGEST_NAME), nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("config", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("finished", Double),
    Column("games", Integer, nullable=False),
)

entrants = Table(
    "entrants",
    metadata,
    Column("competition", Integer, ForeignKey("competitions.id"), primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("player", Integer, ForeignKey("players.id"), nullable=False, index=True),
    Column("wins", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("losses", Integer, nullable=False),
    Column("points", Double, nullable=False),
    Column("byes", Double, nullable=False, server_default="0"),
    *(Column(name, Integer, nullable=False, server_default="0") for name in CONDUCT[:-1]),
    Column(CONDUCT[-1], BigInteger, nullable=False, server_default="0"),
    sqlite_with_rowid=False,
)
"""The entrants of a competition, numbered from 0, with the sums of their games. A player may be several entrants. ``byes`` are points without a game.
The columns :data:`CONDUCT` are sums over the entrant's seats."""

pairs = Table(
    "pairs",
    metadata,
    Column("competition", Integer, primary_key=True, autoincrement=False),
    Column("entrant", Integer, primary_key=True, autoincrement=False),
    Column("opponent", Integer, primary_key=True, autoincrement=False),
    Column("wins", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("losses", Integer, nullable=False),
    ForeignKeyConstraint(["competition", "entrant"], ["entrants.competition", "entrants.number"]),
    ForeignKeyConstraint(["competition", "opponent"], ["entrants.competition", "entrants.number"]),
    sqlite_with_rowid=False,
)
"""How often an entrant did better, as well and worse than another one, of a higher number, at the same board."""

starts = Table(
    "starts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("position", Text, nullable=False),
    Column("digest", String(DIGEST), nullable=False, unique=True),
)
"""Where games begin: the game, its options as JSON, and the position in its one-line notation. ``digest`` is of these three."""

games = Table(
    "games",
    metadata,
    Column("competition", Integer, ForeignKey("competitions.id"), primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("round", Integer, nullable=False),
    Column("game", String(100), nullable=False),
    Column("start", Integer, ForeignKey("starts.id"), nullable=False),
    Column("seed", String(20)),
    Column("reason", Text, nullable=False),
    Column("plies", Integer, nullable=False),
    Column("digest", String(DIGEST), nullable=False),
    Column("started", Double),
    Column("finished", Double),
    Column("record", PathText),
    Column("record_digest", String(DIGEST), index=True),
    Index("ix_games_game", "game", "competition", "number"),
    Index("ix_games_start", "start", "competition", "number"),
    sqlite_with_rowid=False,
)
"""``digest`` is that of all actions; times are seconds since 1970."""

seats = Table(
    "seats",
    metadata,
    Column("competition", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("entrant", Integer, nullable=False),
    Column("player", Integer, ForeignKey("players.id"), nullable=False),
    Column("returns", Double, nullable=False),
    Column("result", SmallInteger, nullable=False),
    Column("forfeit", Text),
    Column("out", Integer),
    Column("actions", Integer),
    Column("microseconds", BigInteger),
    ForeignKeyConstraint(["competition", "number"], ["games.competition", "games.number"]),
    ForeignKeyConstraint(["competition", "entrant"], ["entrants.competition", "entrants.number"]),
    Index("ix_seats_player", "player", "competition", "number"),
    sqlite_with_rowid=False,
)
"""A row for each seat of a game. ``result`` is 1 for a win, 0 for a draw, −1 for a loss. ``forfeit`` is a reason or NULL.

``out`` is the number of the state in which the player left a game for three or more, or NULL. ``actions`` is the number of actions that took
``microseconds``. Both are NULL in games of older versions."""

DIRECTLY = -1
"""Value of ``expelled`` if the game alone was voided."""

voided = Table(
    "voided",
    metadata,
    Column("competition", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("expelled", Integer, primary_key=True, autoincrement=False),
    Column("time", Double, nullable=False),
    Column("reason", Text, nullable=False),
    ForeignKeyConstraint(["competition", "number"], ["games.competition", "games.number"]),
    sqlite_with_rowid=False,
)
"""Games that do not count: a row for each expelled entrant that played, and one with ``DIRECTLY`` if the game alone was voided."""

expelled = Table(
    "expelled",
    metadata,
    Column("competition", Integer, primary_key=True, autoincrement=False),
    Column("entrant", Integer, primary_key=True, autoincrement=False),
    Column("time", Double, nullable=False),
    Column("reason", Text, nullable=False),
    ForeignKeyConstraint(["competition", "entrant"], ["entrants.competition", "entrants.number"]),
    sqlite_with_rowid=False,
)
"""Entrants whose games do not count."""

ratings = Table(
    "ratings",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("competition", Integer, nullable=False),
    Column("entrant", Integer, nullable=False),
    Column("time", Double, nullable=False),
    Column("rating", Double, nullable=False),
    Column("low", Double, nullable=False),
    Column("high", Double, nullable=False),
    Column("games", Integer, nullable=False),
    ForeignKeyConstraint(["competition", "entrant"], ["entrants.competition", "entrants.number"]),
    Index("ix_ratings_entrant", "competition", "entrant", "time"),
)
