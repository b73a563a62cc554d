"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "players",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("spec", sa.Text, nullable=False),
        sa.Column("version", sa.Text, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
    )
    op.create_table(
        "competitions",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(200), nullable=False, unique=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("config", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("finished", sa.Double),
        sa.Column("games", sa.Integer, nullable=False),
    )
    op.create_table(
        "entrants",
        sa.Column("competition", sa.Integer, sa.ForeignKey("competitions.id"), primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("player", sa.Integer, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("wins", sa.Integer, nullable=False),
        sa.Column("draws", sa.Integer, nullable=False),
        sa.Column("losses", sa.Integer, nullable=False),
        sa.Column("points", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_entrants_player", "entrants", ["player"])
    op.create_table(
        "pairs",
        sa.Column("competition", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("entrant", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("opponent", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("wins", sa.Integer, nullable=False),
        sa.Column("draws", sa.Integer, nullable=False),
        sa.Column("losses", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["competition", "entrant"], ["entrants.competition", "entrants.number"]),
        sa.ForeignKeyConstraint(["competition", "opponent"], ["entrants.competition", "entrants.number"]),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "starts",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("position", sa.Text, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
    )
    op.create_table(
        "games",
        sa.Column("competition", sa.Integer, sa.ForeignKey("competitions.id"), primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("game", sa.String(100), nullable=False),
        sa.Column("start", sa.Integer, sa.ForeignKey("starts.id"), nullable=False),
        sa.Column("seed", sa.String(20)),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("forfeited", sa.SmallInteger),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("started", sa.Double),
        sa.Column("finished", sa.Double),
        sa.Column("record", sa.Text),
        sa.Column("record_digest", sa.String(64)),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_games_record_digest", "games", ["record_digest"])
    op.create_index("ix_games_game", "games", ["game", "competition", "number"])
    op.create_index("ix_games_start", "games", ["start", "competition", "number"])
    op.create_table(
        "seats",
        sa.Column("competition", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.SmallInteger, primary_key=True, autoincrement=False),
        sa.Column("entrant", sa.Integer, nullable=False),
        sa.Column("player", sa.Integer, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("returns", sa.Double, nullable=False),
        sa.Column("result", sa.SmallInteger, nullable=False),
        sa.ForeignKeyConstraint(["competition", "number"], ["games.competition", "games.number"]),
        sa.ForeignKeyConstraint(["competition", "entrant"], ["entrants.competition", "entrants.number"]),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_seats_player", "seats", ["player", "competition", "number"])
    op.create_table(
        "ratings",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("competition", sa.Integer, nullable=False),
        sa.Column("entrant", sa.Integer, nullable=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("low", sa.Double, nullable=False),
        sa.Column("high", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["competition", "entrant"], ["entrants.competition", "entrants.number"]),
    )
    op.create_index("ix_ratings_entrant", "ratings", ["competition", "entrant", "time"])
