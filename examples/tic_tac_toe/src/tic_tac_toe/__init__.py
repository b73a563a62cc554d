"""Tic-tac-toe as a plug-in: the example of how to write a game for Ludarium."""
