"""The commands that say what boards are worth and who wins them."""
