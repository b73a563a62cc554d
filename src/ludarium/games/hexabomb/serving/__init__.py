"""hexabomb over the network: its rules as a game logic of netorcai, a server with a live board and a record, and its players as clients."""
