"""Who asks, and how much of the server one address may take."""
