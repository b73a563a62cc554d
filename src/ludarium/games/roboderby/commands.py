"""``ludarium roboderby``: commands of this game's own."""

from ludarium.cli.groups import game_commands

__all__ = ["COMMANDS", "app"]

COMMANDS = {"par": ".par_command"}

app = game_commands("Boards of RoboDerby, and how long they take.", __package__, COMMANDS)
