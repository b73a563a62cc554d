"""Exact values and outcomes of boards: what is said about them, and the commands that say it."""
