"""The study of the paper: its statements computed anew, and what lies beyond them."""
