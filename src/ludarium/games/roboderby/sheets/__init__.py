"""What people can type in: dice, tiles and boards, checked with line and column."""
