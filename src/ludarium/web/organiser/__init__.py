"""Whoever keeps order on a server."""
