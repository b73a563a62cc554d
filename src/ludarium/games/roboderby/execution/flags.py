"""What became of a robot's die in the register that is executed: bits of ``state.fate``."""

DONE, COMMENTED, INVERTED, FIRES = 1, 2, 4, 8
"""Its moment has passed; it was commented out; inverted (by an odd number of hacks); its laser fires when everybody has executed the register."""

FLAGS = ("done", "commented", "inverted", "fires")
"""Their names, by bit."""
