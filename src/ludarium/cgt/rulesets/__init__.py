"""A few classical games as rulesets for :func:`ludarium.cgt.value`."""

from .clobber import Clobber
from .domineering import Domineering
from .nim import Nim
from .toads_and_frogs import ToadsAndFrogs

__all__ = ["Clobber", "Domineering", "Nim", "ToadsAndFrogs"]
