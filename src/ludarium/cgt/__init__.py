"""Exact values of combinatorial games: :class:`Value`, :func:`value` of a position under any rules, and who wins one, :func:`outcome`."""

from .ruleset import Ruleset, value
from .solver import Outcome, Solver, outcome
from .values import Value

__all__ = ["Outcome", "Ruleset", "Solver", "Value", "outcome", "value"]
