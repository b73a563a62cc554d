"""Voided games and expelled entrants."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "voided",
        sa.Column("competition", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("expelled", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["competition", "number"], ["games.competition", "games.number"]),
        sqlite_with_rowid=False,
        if_not_exists=True,
    )
    op.create_table(
        "expelled",
        sa.Column("competition", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("entrant", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["competition", "entrant"], ["entrants.competition", "entrants.number"]),
        sqlite_with_rowid=False,
        if_not_exists=True,
    )
