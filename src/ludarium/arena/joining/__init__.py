"""Players of this computer on a ladder elsewhere: the server is the judge, and they are its bots."""

from .addresses import Ladder, ladder_of
from .joining import join
from .seats import Seat, seat_of

__all__ = ["Ladder", "Seat", "join", "ladder_of", "seat_of"]
