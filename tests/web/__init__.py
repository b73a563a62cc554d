"""The server and its protocol."""
