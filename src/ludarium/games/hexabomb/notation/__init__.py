"""Text for orders and states: the original's JSON."""
