"""On top of RoboDerby: how long boards take, what tiles and dice do to the game, and tile sets to look at."""
