"""The commands on the dice and the four directions: the numbers that the rules compute with, and their names in dice sets and programs."""

from __future__ import annotations

F1, F2, F3, L, R, SL, SR, U, REV, CMT, INV = range(1, 12)

COMMANDS = ("", "F1", "F2", "F3", "L", "R", "SL", "SR", "U", "REV", "CMT", "INV")
"""The names of commands by number; number 0 is no command."""

MEANINGS = (
    "",
    "1 forward",
    "2 forward",
    "3 forward",
    "turn left",
    "turn right",
    "shift left",
    "shift right",
    "U-turn",
    "reverse",
    "comment",
    "invert",
)
"""What each command is called in words, by number."""

HACKS = (CMT, INV)
"""The commands that act on an opponent's die of the same register."""

DIRECTIONS = ("N", "E", "S", "W")
"""Names of headings, edges and directions by number, clockwise from the top of the board."""

WAYS = ("north", "east", "south", "west")
"""The same in words."""
