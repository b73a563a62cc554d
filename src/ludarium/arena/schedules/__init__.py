"""Ways to hold a tournament: who meets whom, and when."""

from .all_tables import gauntlet, round_robin
from .base import Field, Plans, Results, Schedule
from .knockout import knockout
from .swiss import games_of_round, points_of_byes, swiss

__all__ = ["Field", "Plans", "Results", "Schedule", "games_of_round", "gauntlet", "knockout", "points_of_byes", "round_robin", "swiss"]
