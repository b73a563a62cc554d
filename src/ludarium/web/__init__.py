"""The games in a browser: a server of pages, of one WebSocket protocol (``docs/protocol.md``) and of the games that are played over it."""
