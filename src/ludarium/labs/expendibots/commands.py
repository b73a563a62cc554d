"""``ludarium expendibots``: what is built on top of this game."""

from ludarium.cli.groups import game_commands

COMMANDS = {
    "referee": ".referee.command",
    "battleground": ".battleground.serve_command",
    "join": ".battleground.join_command",
    "tables": ".tables.command",
    "tune": ".tuning.command",
}

app = game_commands("Games as the course's programs play them, solved endgames, and the evaluation's weights.", __package__, COMMANDS)
