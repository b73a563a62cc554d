"""Maps to look at, and what is in them."""
