"""hexabomb: bots paint a board of hexagons and blow each other up, after the network game of that name (version 1.1.0)."""

from .simulation import Simulation, simulate

__all__ = ["Simulation", "simulate"]
