"""Expand and Conquer (A. Khambete, IE 619 Ruleset Report, IIT Bombay): groups that fill every square around them at once."""
