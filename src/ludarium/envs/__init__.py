"""Environments for learning: games of one kind by the thousand, stepped in compiled code, as the libraries of the field want them."""

from .batch import Batch

__all__ = ["Batch"]
