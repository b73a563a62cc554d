"""RoboDerby: Express: robots race a lap around a board of tiles under programs made of dice, pushing, shooting and hacking each other."""
