"""Exact values of combinatorial games: :class:`Value`, :func:`value` of a position under any rules, who wins one, :func:`outcome`,
and all values :func:`born_by` a day."""

from .birthdays import born_by
from .positions.ruleset import Ruleset, value
from .solving.solver import Outcome, Solver, outcome
from .values import Value

__all__ = ["Outcome", "Ruleset", "Solver", "Value", "born_by", "outcome", "value"]
