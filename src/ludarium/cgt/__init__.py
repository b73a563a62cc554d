"""Exact values of combinatorial games: :class:`Value`, and :func:`value` of a position under any rules."""

from .ruleset import Ruleset, value
from .values import Value

__all__ = ["Ruleset", "Value", "value"]
