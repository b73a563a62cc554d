"""Exact values of combinatorial games: :class:`Value`."""

from .values import Value

__all__ = ["Value"]
