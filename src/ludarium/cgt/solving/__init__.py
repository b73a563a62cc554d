"""Who wins a position, without its value."""
