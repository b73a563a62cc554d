"""The tests. They and what they share are imported by whole names, such as ``tests.tiny_games.die``."""
