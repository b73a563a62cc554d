"""Ratings of a whole field of players: maximum likelihood, from counts that know no order of games.

>>> from ludarium.arena.ratings import rate
>>> found = rate(["a", "b"], [((0, 1), (1.0, -1.0))] * 3 + [((1, 0), (1.0, -1.0))], prior=0)
>>> [round(float(rating), 1) for rating in found.ratings]
[95.4, -95.4]
"""

from .ratings import Ratings, rate
from .results import Result, Results, collect, of_pairs

__all__ = ["Ratings", "Result", "Results", "collect", "of_pairs", "rate"]
