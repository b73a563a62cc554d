"""Points without a game."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("entrants", sa.Column("byes", sa.Double, nullable=False, server_default="0"))
