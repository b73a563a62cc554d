"""Pictures of tic-tac-toe: SVG for pages and notebooks, text for terminals. Both players look at them from the same side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .notation import cell_name

if TYPE_CHECKING:
    from rich.text import Text

    from ludarium.core.game import Action, State

__all__ = ["board", "svg"]

LIGHT = "--paper: #fbfaf7; --grid: #b9b4a7; --x: #c2410c; --o: #1d4ed8; --last: #f3ead2; --name: #6b675d;"
DARK = "--paper: #1c1b19; --grid: #57534a; --x: #fb923c; --o: #7cb0ff; --last: #38321f; --name: #a8a294;"
COLOURS = f"""
.tic-tac-toe {{ {LIGHT} }}
@media (prefers-color-scheme: dark) {{ .tic-tac-toe:root, :root:not([data-theme=light]) .tic-tac-toe {{ {DARK} }} }}
[data-theme=dark] .tic-tac-toe {{ {DARK} }}
"""
SHAPES = """
.tic-tac-toe .paper { fill: var(--paper); }
.tic-tac-toe .cell { fill: transparent; }
.tic-tac-toe .last { fill: var(--last); }
.tic-tac-toe .grid { stroke: var(--grid); stroke-width: 3; stroke-linecap: round; }
.tic-tac-toe .x, .tic-tac-toe .o { fill: none; stroke-width: 11; stroke-linecap: round; }
.tic-tac-toe .x { stroke: var(--x); }
.tic-tac-toe .o { stroke: var(--o); }
.tic-tac-toe .win { stroke: var(--name); stroke-width: 5; stroke-linecap: round; opacity: 0.75; }
.tic-tac-toe .name { fill: var(--name); font: 12px system-ui, sans-serif; text-anchor: middle; }
"""


def svg(state: State, *, size: int, last: Action | None) -> str:
    """A square drawing; every cell is an element with its name as ``data-pick`` and what stands on it as ``aria-label``."""
    cells = [_cell(cell, int(mark), last is not None and last.index == cell) for cell, mark in enumerate(state.record.board)]
    grid = [f'<path class="grid" d="M{at} 26V314M26 {at}H314"/>' for at in (120, 220)]
    names = [f'<text class="name" x="{70 + 100 * at}" y="334">{"abc"[at]}</text>' for at in range(3)]
    names += [f'<text class="name" x="9" y="{274 - 100 * at}">{at + 1}</text>' for at in range(3)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tic-tac-toe" width="{size}" height="{size}" viewBox="0 0 340 340" role="group" '
        f'aria-label="Tic-tac-toe"><style>{COLOURS}{SHAPES}</style><rect class="paper" width="340" height="340" rx="14"/>'
        f"{''.join(cells)}{''.join(grid)}{''.join(names)}{_winning_line(state)}</svg>"
    )


def _centre(cell: int) -> tuple[int, int]:
    return 70 + 100 * (cell % 3), 270 - 100 * (cell // 3)


def _cell(cell: int, mark: int, marked: bool) -> str:
    x, y = _centre(cell)
    name = cell_name(cell)
    shape = ("", f'<path class="x" d="M{x - 26} {y - 26}l52 52m0 -52l-52 52"/>', f'<circle class="o" cx="{x}" cy="{y}" r="29"/>')[mark]
    return (
        f'<g data-pick="{name}" aria-label="{name}, {("empty", "X", "O")[mark]}">'
        f'<rect class="{"last" if marked else "cell"}" x="{x - 46}" y="{y - 46}" width="92" height="92" rx="8"/>{shape}</g>'
    )


def _winning_line(state: State) -> str:
    marks = state.record.board
    for first, second, third in state.game.tables.lines.tolist():
        if marks[first] and marks[first] == marks[second] == marks[third]:
            (x1, y1), (x2, y2) = _centre(first), _centre(third)
            return f'<line class="win" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'
    return ""


def board(state: State, *, last: Action | None) -> Text:
    """Three rows with coordinates and a line that says who is to move or how the game ended."""
    from rich.text import Text

    text = Text()
    for rank in (2, 1, 0):
        text.append(f" {rank + 1} ", "dim")
        for cell in range(3 * rank, 3 * rank + 3):
            mark = int(state.record.board[cell])
            style = ("dim", "bold orange1", "bold dodger_blue1")[mark] + (" underline" if last is not None and last.index == cell else "")
            text.append(" ").append("·XO"[mark], style).append(" " if cell % 3 == 2 else " │")
        text.append("\n" if rank == 0 else "\n   ───┼───┼───\n")
    text.append("    a   b   c\n", "dim")
    text.append(f"{state.game.player_names[state.to_move[0]]} to move" if state.to_move else state.game.reason(state))
    return text
