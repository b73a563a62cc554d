"""Liar's Dice as a plug-in: the example of a game for Ludarium that hides something."""
