"""The numbers of actions."""

from .sheets.dice import DICE
from .tables import ROBOTS

PLACE = 0
"""Plus the number of a die from 0: place it as a command in the lowest open register."""

PLACE_NOOP = DICE
"""Likewise: place it as a NO-OP."""

ROLL = 2 * DICE
"""Roll all dice that remain; plus the bits of dice where a player may choose which ones: roll these."""

SAY_RUN = ROLL + 2**DICE
SAY_SHUTDOWN = SAY_RUN + 1

TARGET = SAY_SHUTDOWN + 1
"""Plus the number of a robot: the hack hits this one."""

START_AT = TARGET + ROBOTS
"""Plus the number of a direction: the race starts from that edge."""

ACTION_SPACE = START_AT + 4
