"""A register is executed: commands move robots, belts carry them, lasers hurt them, and a log says what happened."""
