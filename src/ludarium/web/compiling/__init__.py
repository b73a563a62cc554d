"""Machine code that is made before somebody needs it."""
