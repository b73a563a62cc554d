"""Games between programs: one game, matches, Elo differences.

>>> import ludarium
>>> from ludarium.arena import match
>>> result = match(ludarium.game("expendibots"), ["random", "greedy"], games=4, seed=1)
>>> [standing.points for standing in result.standings]
[0.0, 4.0]
>>> result.elo
EloDifference(difference=None, low=None, high=-7.0)
"""

from .clocks import TimeControl, time_controls
from .elo import EloDifference, elo_difference
from .games import GamePlan, GameResult
from .match import MatchResult, match
from .openings import Openings
from .play import ask, play_game, random_seed
from .standings import Standing
from .terms import Terms

__all__ = [
    "EloDifference",
    "GamePlan",
    "GameResult",
    "MatchResult",
    "Openings",
    "Standing",
    "Terms",
    "TimeControl",
    "ask",
    "elo_difference",
    "match",
    "play_game",
    "random_seed",
    "time_controls",
]
