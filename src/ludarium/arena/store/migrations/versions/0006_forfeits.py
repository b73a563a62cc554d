"""Forfeits by seat, with their reasons: in games for three and more, several players can forfeit."""

import sqlite3

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    if "forfeit" in {column["name"] for column in sa.inspect(op.get_bind()).get_columns("seats")}:
        return  # as after a migration that was cut off before its number was written
    op.add_column("seats", sa.Column("forfeit", sa.Text))
    op.execute(
        "UPDATE seats SET forfeit = (SELECT games.reason FROM games WHERE games.competition = seats.competition AND games.number = seats.number) "
        "WHERE EXISTS (SELECT 1 FROM games WHERE games.competition = seats.competition AND games.number = seats.number AND games.forfeited = seats.seat)"
    )
    if op.get_bind().dialect.name != "sqlite" or sqlite3.sqlite_version_info >= (3, 35):  # an older one keeps the unused column
        op.drop_column("games", "forfeited")
