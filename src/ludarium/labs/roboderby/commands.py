"""``ludarium roboderby``: what is built on top of this game."""

from ludarium.cli.groups import game_commands

COMMANDS = {"tiles": ".tiles.command", "par": ".par.command", "balance": ".balance.command"}

app = game_commands("Tiles and boards of RoboDerby, how long boards take, and what tiles and dice do to the game.", __package__, COMMANDS)
