"""Players who know what components are worth."""
