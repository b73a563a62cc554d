"""Named starting positions: symmetric ones, as the paper's last section asks for.

Each is its own mirror image with the colours exchanged, turned by half a turn or reflected. So it is worth the same to both players, and whoever wins
it does so by moving first or by moving second. The documentation says what each looks like.
"""

from __future__ import annotations

EMPTY = "empty"
DEFAULT_START = "lattice"

STARTS = {
    "duel": "O***X|*X*O*|*****|*X*O*|O***X",
    "crossing": "O*X*O|*****|X***O|*****|X*O*X",
    "spiral": "O****X|**X***|*O**X*|*O**X*|***O**|O****X",
    "corners": "O****X|******|**XO**|**XO**|******|O****X",
    "gate": "O**X**X|*******|**O*X**|X*****O|**O*X**|*******|O**O**X",
    "ring": "*O***X*|O*****X|***X***|**O*X**|***O***|O*****X|*O***X*",
    "pinwheel": "O******X|**X**O**|*O****X*|***OX***|***OX***|*O****X*|**X**O**|O******X",
    "lattice": "O*X**O*X|********|X*O**X*O|********|********|X*O**X*O|********|O*X**O*X",
    "facing": "O*O**O*O|********|**X**X**|********|********|**O**O**|********|X*X**X*X",
    "fortress": "OO****XX|O******X|***X****|**X**O**|**X**O**|****O***|O******X|OO****XX",
    "stars": "O***X****X|**O****X**|*****O****|X*O*******|***X**O***|***X**O***|*******X*O|****X*****|**O****X**|O****O***X",
    "frontier": "O***X**O***X|************|**X**O**X***|************|X***O**X***O|*****O******|"
    "******X*****|X***O**X***O|************|***O**X**O**|************|O***X**O***X",
}
"""Board strings by name."""
