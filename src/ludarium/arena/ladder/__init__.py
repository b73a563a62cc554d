"""A ladder: players who are connected meet each other without end, and are rated as they play. Knows neither sockets nor pages."""

from .ladder import Ladder, LadderRow, WhenNamed
from .names import LONGEST_NAME

__all__ = ["LONGEST_NAME", "Ladder", "LadderRow", "WhenNamed"]
