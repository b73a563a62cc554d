"""Domineering as rules in Python, to compare the compiled ones with."""

from __future__ import annotations

from ludarium.core.boards import board_rows

__all__ = ["PlainDomineering"]


class PlainDomineering:
    """The ruleset. A position is a text: rows joined by ``|``, ``*`` an empty square, ``#`` a filled one."""

    def left_options(self, position: str) -> list[str]:
        """The positions after a vertical domino."""
        return self._options(position, 1, 0)

    def right_options(self, position: str) -> list[str]:
        """The positions after a horizontal domino."""
        return self._options(position, 0, 1)

    def _options(self, position: str, down: int, right: int) -> list[str]:
        rows = board_rows(position, "*#")
        found: list[str] = []
        for row in range(len(rows) - down):
            for column in range(len(rows[0]) - right):
                if rows[row][column] == "*" == rows[row + down][column + right]:
                    board = [list(line) for line in rows]
                    board[row][column] = board[row + down][column + right] = "#"
                    found.append("|".join("".join(line) for line in board))
        return found
