"""A few classical games as rulesets for :func:`ludarium.cgt.value`."""

from .domineering import Domineering

__all__ = ["Domineering"]
