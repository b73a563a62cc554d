"""What RoboDerby looks like: on pages and in terminals."""
