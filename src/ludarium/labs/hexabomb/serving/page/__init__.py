"""The web page of a networked game: a process of its own, in which people watch, and sit down to play among the programs."""
