"""By seat when a player left and how long it thought, and by entrant the sums of that and of forfeits by kind."""

import re

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

KIND = re.compile(r"(?:.* forfeited \()?(?:(timeout: [\d.]+ s of (?:processor )?time used)|(timeout\b)|(crash\b))")
SUMS = ("timeouts", "late_answers", "crashes", "other_forfeits", "actions")


def upgrade() -> None:
    _add("seats", *(sa.Column(name, sa.Integer) for name in ("out", "actions")), sa.Column("microseconds", sa.BigInteger))
    sums = [sa.Column(name, sa.Integer, nullable=False, server_default="0") for name in SUMS]
    _add("entrants", *sums, sa.Column("microseconds", sa.BigInteger, nullable=False, server_default="0"))
    rows = op.get_bind().execute(
        sa.text(
            "SELECT competition, entrant, forfeit FROM seats WHERE forfeit IS NOT NULL AND NOT EXISTS "
            "(SELECT 1 FROM voided WHERE voided.competition = seats.competition AND voided.number = seats.number)"
        )
    )
    counts: dict[tuple[int, int], dict[str, int]] = {}
    for competition, entrant, forfeit in rows:
        found = KIND.match(forfeit)
        late, timeout, crash = found.groups() if found else (None, None, None)
        kind = "late_answers" if late else "timeouts" if timeout else "crashes" if crash else "other_forfeits"
        of_entrant = counts.setdefault((competition, entrant), dict.fromkeys(SUMS[:4], 0))
        of_entrant[kind] += 1
    for (competition, entrant), of_entrant in counts.items():
        op.get_bind().execute(
            sa.text(
                "UPDATE entrants SET timeouts = :timeouts, late_answers = :late_answers, crashes = :crashes, other_forfeits = :other_forfeits "
                "WHERE competition = :competition AND number = :entrant"
            ),
            {"competition": competition, "entrant": entrant, **of_entrant},
        )


def _add(table: str, *columns: "sa.Column[int]") -> None:
    """Add the columns that a table lacks: after a migration that was cut off, some may be there."""
    there = {column["name"] for column in sa.inspect(op.get_bind()).get_columns(table)}
    for column in columns:
        if column.name not in there:
            op.add_column(table, column)
