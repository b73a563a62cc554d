"""One game as a server plays it: who sits there, what is chosen, what everybody is told."""
