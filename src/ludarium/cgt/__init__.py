"""Exact values of combinatorial games: :class:`Value`, :func:`value` of a position under any rules, who wins one, :func:`outcome`,
all values :func:`born_by` a day, how to sort values (:func:`ascending`), and how to :func:`forget` them."""

from .birthdays import born_by
from .forgetting import forget
from .positions.ruleset import Ruleset, value
from .solving.solver import Outcome, Solver, outcome
from .values import Value, ascending

__all__ = ["Outcome", "Ruleset", "Solver", "Value", "ascending", "born_by", "forget", "outcome", "value"]
