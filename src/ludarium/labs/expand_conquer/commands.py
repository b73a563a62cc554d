"""``ludarium expand-conquer``: what is built on top of this game."""

from ludarium.cli.groups import game_commands

COMMANDS = {"value": ".exact.value_command", "solve": ".exact.solve_command", "study": ".study.command"}

app = game_commands("Exact values and perfect play of Expand and Conquer.", __package__, COMMANDS)
