"""The exact optimal solo racer."""
