"""On top of hexabomb: its maps shown, and its games over the network."""
