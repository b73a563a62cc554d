"""``ludarium roboderby balance``: what tiles, dice and options do to the game, measured over many games."""
