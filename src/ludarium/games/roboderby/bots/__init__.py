"""RoboDerby's own players."""
