"""Players whose options meant something else in records of format 2 are called what they meant."""

from ludarium.arena.store.migrations.renaming import call_players_as_today

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    call_players_as_today(2)
