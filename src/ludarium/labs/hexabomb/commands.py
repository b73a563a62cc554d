"""``ludarium hexabomb``: what is built on top of this game."""

from ludarium.cli.groups import game_commands

COMMANDS = {"maps": ".maps.maps_command", "map": ".maps.map_command", "serve": ".serving.serve_command", "logic": ".serving.logic_command"}

app = game_commands("Maps of hexabomb, and its games over the network.", __package__, COMMANDS)
