"""Tic-tac-toe as a :class:`ludarium.core.game.Game`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ludarium.core.game import Action, Dimensions, Game, State
from ludarium.errors import BadNotation

from . import evaluation as evaluation  # registers what bots know about this game
from .notation import action_index, cell_name, position_text, read_position
from .rules import DTYPE, TicTacToeTables, make_tables, place

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["TicTacToe"]


class TicTacToe(Game):
    """Three in a row on a board of 3×3. Player 0 is X, player 1 is O."""

    id = "tic-tac-toe"
    title = "Tic-tac-toe"
    summary = "Be the first with three in a row."
    how_to_play = ("Mark an empty cell on your turn. Three of your marks in a line win; a full board is a draw.",)
    version = 1
    dtype: ClassVar[Any] = DTYPE

    def make_tables(self) -> TicTacToeTables:
        return make_tables()

    def make_dimensions(self) -> Dimensions:
        return Dimensions(("X", "O"), 9, 9, (2, 3, 3))

    def write_initial(self, record: Any) -> None:
        """Nothing to write: an empty board is all zeros."""

    def write_parsed(self, text: str, record: Any) -> None:
        marks = read_position(text)
        last_mover = 2 - sum(mark != 0 for mark in marks) % 2
        won: set[int] = {marks[a] for a, b, c in self.tables.lines.tolist() if marks[a] and marks[a] == marks[b] == marks[c]}
        if won - {last_mover}:
            raise BadNotation(f"'{text}': {'XO'[last_mover - 1]} could not move after {'XO'[2 - last_mover]} had won")
        place(self.tables, record, marks)

    def state_text(self, state: State) -> str:
        return position_text(state.record)

    def action_text(self, state: State, player: int, action: Any) -> str:
        return cell_name(int(action))

    def action_index(self, state: State, player: int, text: str) -> int:
        return action_index(text)

    def reason(self, state: State) -> str:
        return ("", "X has three in a row", "O has three in a row", "the board is full")[int(state.record.ending)]

    def svg(self, state: State, *, size: int = 480, last: Action | None = None, seat: int = 0) -> str:
        from .drawing import svg

        return svg(state, size=size, last=last)

    def board(self, state: State, *, last: Action | None = None, seat: int = 0) -> Text:
        from .drawing import board

        return board(state, last=last)
