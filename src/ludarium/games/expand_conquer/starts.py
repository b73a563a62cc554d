"""Named starting positions: symmetric ones, as the paper's last section asks for.

Each is its own mirror image with the colours exchanged, turned by half a turn or reflected. So it is worth the same to both players, and whoever wins
it does so by moving first or by moving second.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["DEFAULT_START", "EMPTY", "STARTS", "NamedStart"]

EMPTY = "empty"
DEFAULT_START = "lattice"


class NamedStart(NamedTuple):
    """A position to begin with, as a board string, and its size and look in a few words."""

    board: str
    about: str


STARTS = {
    "duel": NamedStart(
        "O***X|*X*O*|*****|*X*O*|O***X",
        "5×5: four groups each, and a middle that everybody wants",
    ),
    "crossing": NamedStart(
        "O*X*O|*****|X***O|*****|X*O*X",
        "5×5: stones all around the edge, nobody in the middle",
    ),
    "spiral": NamedStart(
        "O****X|**X***|*O**X*|*O**X*|***O**|O****X",
        "6×6: two arms that wind around each other",
    ),
    "corners": NamedStart(
        "O****X|******|**XO**|**XO**|******|O****X",
        "6×6: two pairs back to back, far from their friends in the corners",
    ),
    "gate": NamedStart(
        "O**X**X|*******|**O*X**|X*****O|**O*X**|*******|O**O**X",
        "7×7: a narrow gate in the middle, each colour on both sides of it",
    ),
    "ring": NamedStart(
        "*O***X*|O*****X|***X***|**O*X**|***O***|O*****X|*O***X*",
        "7×7: a ring of four around the centre, open corners behind",
    ),
    "pinwheel": NamedStart(
        "O******X|**X**O**|*O****X*|***OX***|***OX***|*O****X*|**X**O**|O******X",
        "8×8: a wheel around two walls that stand back to back",
    ),
    "lattice": NamedStart(
        "O*X**O*X|********|X*O**X*O|********|********|X*O**X*O|********|O*X**O*X",
        "8×8: eight stones each in a wide lattice; many groups, long games",
    ),
    "facing": NamedStart(
        "O*O**O*O|********|**X**X**|********|********|**O**O**|********|X*X**X*X",
        "8×8: a row each, and two scouts in front of the opponent's",
    ),
    "fortress": NamedStart(
        "OO****XX|O******X|***X****|**X**O**|**X**O**|****O***|O******X|OO****XX",
        "8×8: strong corners, and hooks that reach around the middle",
    ),
    "stars": NamedStart(
        "O***X****X|**O****X**|*****O****|X*O*******|***X**O***|***X**O***|*******X*O|****X*****|**O****X**|O****O***X",
        "10×10: scattered stones with much room between them",
    ),
    "frontier": NamedStart(
        "O***X**O***X|************|**X**O**X***|************|X***O**X***O|*****O******|******X*****|X***O**X***O|************|***O**X**O**|************|O***X**O***X",
        "12×12: two thin lines that have met already",
    ),
}
