"""Exact endgames: all positions with few tokens, solved backwards, kept on disk, and known to searches."""
