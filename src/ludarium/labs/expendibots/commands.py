"""``ludarium expendibots``: what is built on top of this game."""

from ludarium.cli.groups import game_commands

COMMANDS = {
    "referee": ".referee.command",
    "battleground": ".battleground.serve_command",
    "join": ".battleground.join_command",
    "tables": ".tables.command",
}

app = game_commands("Games as the course's programs play them, and solved endgames.", __package__, COMMANDS)
