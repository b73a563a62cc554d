"""``ludarium roboderby``: commands of this game's own."""

from ludarium.cli.groups import game_commands

__all__ = ["COMMANDS", "app"]

COMMANDS = {"par": ".par.command", "balance": ".balance.command"}

app = game_commands("Boards of RoboDerby, how long they take, and what tiles and dice do to the game.", __package__, COMMANDS)
