"""Expendibots' evaluation: positions from self-play, and the weights that are trained on them."""
