"""How hexabomb's own players find their orders, compiled."""
