"""hexabomb over the network: its rules as a game logic of netorcai, and a server with a live board and a record."""
