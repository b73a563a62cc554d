"""What a player may know of a state."""
