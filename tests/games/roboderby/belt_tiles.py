"""Tiles of RoboDerby full of belts, with lasers that shine, for tests."""

from __future__ import annotations

__all__ = ["BELT_TILES"]

_SHEETS = {
    "start": ([], [". A . . B .", "B . > . . A", ". . v . . .", ". . v . . .", "A . > . . B", ". B . . A ."]),
    "rollers": (["0,0,S", "1,4,E"], ["> > > > > >", "^ . . . . v", "^ . O . . v", "^ . ^ < . v", "^ . . .|. v", "^ < < < < <"]),
    "chutes": (["5,2,W", "4,4,W"], [". v . . v .", ". v . . v .", ". O . . v .", ". ^ . . O .", ". ^ . . ^ .", ". ^ . . ^ ."]),
    "sorter": (["3,1,N", "0,1,E"], ["< . . ^ . >", ". < . ^ > .", "< . . ^ . >", ". < . v > .", "< . O v . >", ". < . v > ."]),
}
"""By tile: its lasers, and its squares with the walls between them."""


def _text() -> str:
    posts = "+ + + + + + +"
    tiles = []
    for name, (lasers, rows) in _SHEETS.items():
        drawing = "\n".join(f"{posts}\n {row}" for row in rows)
        tiles.append("\n".join([f"name: {name}", *(f"laser: {laser}" for laser in lasers), "", drawing, posts]))
    return "\n\n".join(tiles)


BELT_TILES = _text()
