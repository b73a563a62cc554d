"""Ladders on a server: bots that connect by WebSocket, the judge's threads, who watches."""

from .ladders import LADDER_TIME, Ladders, ladder_games
from .limits import LadderLimits

__all__ = ["LADDER_TIME", "LadderLimits", "Ladders", "ladder_games"]
