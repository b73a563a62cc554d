"""Expand and Conquer once more, as simply as possible and slowly: boards are tuples of strings, groups are searched for again and again."""

from __future__ import annotations

from collections.abc import Callable

Board = tuple[str, ...]
Cell = tuple[int, int]


def beside(board: Board, cell: Cell) -> list[Cell]:
    row, column = cell
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [(r, c) for r, c in around if 0 <= r < len(board) and 0 <= c < len(board[0])]


def at(board: Board, cell: Cell) -> str:
    return board[cell[0]][cell[1]]


def cells(board: Board) -> list[Cell]:
    return [(row, column) for row in range(len(board)) for column in range(len(board[0]))]


def group_of(board: Board, cell: Cell) -> set[Cell]:
    found = {cell}
    while True:
        wider = found | {other for one in found for other in beside(board, one) if at(board, other) == at(board, cell)}
        if wider == found:
            return found
        found = wider


def filled(board: Board, group: set[Cell]) -> set[Cell]:
    return {other for cell in group for other in beside(board, cell) if at(board, other) == "*"}


def with_stones(board: Board, places: set[Cell], mark: str) -> Board:
    return tuple("".join(mark if (r, c) in places else board[r][c] for c in range(len(board[0]))) for r in range(len(board)))


def moves(board: Board, player: int, variant: str) -> dict[str, tuple[set[Cell], Board]]:
    """What each action fills and the board after it, by the action's text in the order of the rules."""
    mark = "OX"[player]
    found: dict[str, tuple[set[Cell], Board]] = {}
    for cell in cells(board):
        group = group_of(board, cell)
        if at(board, cell) == mark and cell == min(group) and filled(board, group):
            places = filled(board, group)
            found[f"({cell[0]},{cell[1]})"] = (places, with_stones(board, places, mark))
    for cell in cells(board) if variant == "all-small" else []:
        if at(board, cell) == "*" and all(at(board, other) != mark for other in beside(board, cell)):
            found[f"+({cell[0]},{cell[1]})"] = ({cell}, with_stones(board, {cell}, mark))
    return found


def planes(board: Board, player: int) -> list[list[list[bool]]]:
    """What a player observes: own stones, the opponent's, empty squares beside own stones, empty squares beside the opponent's."""
    own, theirs = "OX"[player], "OX"[1 - player]

    def plane(holds: Callable[[Cell], bool]) -> list[list[bool]]:
        return [[holds((row, column)) for column in range(len(board[0]))] for row in range(len(board))]

    def is_liberty(cell: Cell, mark: str) -> bool:
        return at(board, cell) == "*" and any(at(board, other) == mark for other in beside(board, cell))

    return [
        plane(lambda cell: at(board, cell) == own),
        plane(lambda cell: at(board, cell) == theirs),
        plane(lambda cell: is_liberty(cell, own)),
        plane(lambda cell: is_liberty(cell, theirs)),
    ]


def leaves(board: Board, player: int, variant: str, depth: int) -> int:
    """How many lines of play have exactly ``depth`` actions."""
    if depth == 0:
        return 1
    return sum(leaves(after, 1 - player, variant, depth - 1) for _, after in moves(board, player, variant).values())
