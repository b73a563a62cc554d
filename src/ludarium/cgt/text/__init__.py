"""Values as texts: printing them in several notations, and reading them."""
