"""A board's par: how long it takes a robot alone, as figures and as a picture."""
