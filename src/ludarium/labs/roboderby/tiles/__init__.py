"""Tile sets to look at: what is in them, in a terminal and as a picture."""
