"""Values of positions: any rules in Python, and compiled ones, explored as a graph of components."""
