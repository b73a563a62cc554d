"""People with names: their games, ratings and streaks."""
