"""Pictures of Expendibots positions: SVG for pages and notebooks, coloured text for terminals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .notation import square_name

if TYPE_CHECKING:
    from rich.text import Text

    from ludarium.core.game import Action, State

__all__ = ["board", "svg"]


def svg(state: State, *, size: int, last: Action | None, seat: int) -> str:
    return f"<svg xmlns='http://www.w3.org/2000/svg' width='{size}' height='{size}' viewBox='0 0 8 8'></svg>"


def board(state: State, *, last: Action | None, seat: int) -> Text:
    """Eight ranks with coordinates; a stack is its owner's letter and, above one token, its height."""
    from rich.text import Text

    ranks = range(7, -1, -1) if seat == 0 else range(8)
    files = range(8) if seat == 0 else range(7, -1, -1)
    marked = _squares_of(last)
    text = Text()
    for rank in ranks:
        text.append(f" {rank + 1} ", "dim")
        for file in files:
            text.append(*_cell(int(state.record.board[8 * rank + file]), (rank + file) % 2, square_name(8 * rank + file) in marked))
        text.append("\n")
    text.append("   " + "".join(f" {'abcdefgh'[file]}  " for file in files), "dim")
    text.append(f"\n{' and '.join(state.game.player_names[player] for player in state.to_move)} to move" if state.to_move else f"\n{state.game.reason(state)}")
    return text


def _cell(height: int, dark: int, marked: bool) -> tuple[str, str]:
    """Four columns of one square and their style. The letters alone tell everything; colours only help."""
    content = "·" if height == 0 else ("W" if height > 0 else "B") + (str(abs(height)) if abs(height) > 1 else "")
    background = "grey42" if marked else ("grey27" if dark else "grey35")
    colour = "bold bright_white" if height > 0 else "bold orange1" if height < 0 else "grey62"
    return f" {content:<3}", f"{colour} on {background}"


def _squares_of(action: Action | None) -> set[str]:
    if action is None:
        return set()
    return {action.text[:2]} if action.text.endswith("!") else {action.text[-5:-3], action.text[-2:]}
