"""Heap of stones, a game for Ludarium."""
