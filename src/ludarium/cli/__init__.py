"""The command line, a small file a command. ``main`` is what the program ``ludarium`` calls."""

from .entry import main

__all__ = ["main"]
