"""Boards as texts for rulesets in Python: places of the text are squares, and the ``|`` between rows are walls."""

from __future__ import annotations

from collections.abc import Iterator

from ludarium.core.boards import board_rows


def neighbours_in(board: str, place: int) -> Iterator[int]:
    """The places beside a place, walls included."""
    width = (board.find("|") + 1) or len(board) + 1
    for other in (place - width, place - 1, place + 1, place + width):
        if 0 <= other < len(board):
            yield other


def regions(board: str, characters: str, empty: str) -> list[str]:
    """For each region of adjacent squares that show one of these characters, the board with that region alone."""
    rest = {place for place, character in enumerate(board) if character in characters}
    found: list[str] = []
    while rest:
        region, waiting = set[int](), {min(rest)}
        while waiting:
            region |= waiting
            waiting = {other for place in waiting for other in neighbours_in(board, place)} & rest - region
        rest -= region
        found.append("".join(character if place in region or character == "|" else empty for place, character in enumerate(board)))
    return found


def cropped_image(board: str, characters: str, empty: str) -> str:
    """Of the mirror images and quarter turns of a board, cut to what is not empty, the least."""
    rows = board_rows(board, characters)
    for _ in range(2):
        rows = ["".join(column) for column in zip(*rows, strict=True)]
        used = [number for number, row in enumerate(rows) if row.strip(empty)] or [0]
        rows = rows[used[0] : used[-1] + 1]
    turned = ["".join(column) for column in zip(*rows, strict=True)]
    images = [image for side in (rows, turned) for image in (side, side[::-1])]
    return min("|".join(image) for image in (*images, *([row[::-1] for row in image] for image in images)))
