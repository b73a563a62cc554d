"""A state in the terminal: the board, and beside it the facts."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from ludarium.core.game import Action, Outcome, State
from ludarium.core.rules import CHANCE
from ludarium.core.timeline import Timeline

from .common import say, screen


def show_state(state: State, *, last: Action | None = None, seat: int = 0, board: Text | None = None) -> None:
    """Print a board with ``last`` marked and ``seat`` at the bottom; the facts beside it, or below it where there is no room.

    Why a game is over is left to :func:`outcome_text`. ``board`` is a drawing to print alone, in place of the state's own.
    """
    has_facts = board is not None or "facts" in state.game.show.board_tells
    facts = Text("" if has_facts else "\n".join(state.game.facts(state)))
    board = state.game.board(state, last=last, seat=seat) if board is None else board
    board.rstrip()
    if state.is_over:
        board = Text("\n").join(line for line in board.split() if line.plain != state.game.reason(state))
    width = max(line.cell_len for line in board.split())
    if not facts or width + 4 + max(line.cell_len for line in facts.split()) > screen().width:
        say(Text("\n").join([board, facts] if facts else [board]))
        return
    grid = Table.grid(padding=(0, 4, 0, 0))
    grid.add_row(board, facts)
    screen().print(grid)


def outcome_text(state: State, outcome: Outcome) -> Text:
    """Who won and why, in one line."""
    names = state.game.player_names
    if outcome.winner is not None:
        result = f"{names[outcome.winner]} wins"
    elif len(set(outcome.returns)) == 1:
        result = "Draw"
    else:
        result = ", ".join(f"{name} {value:+.2f}" for name, value in zip(names, outcome.returns, strict=True))
    return Text.assemble((result, "bold green"), f": {outcome.reason}")


def chain_text(state: State, action: Action) -> str | None:
    """What an action does to things far from it, in words: ``reaches d4, then c5 d5 (3 in 2 waves)``."""
    waves = state.game.show.effects_of(state, action)
    if not waves:
        return None
    count = sum(len(wave) for wave in waves)
    size = f" ({count} in {len(waves)} waves)" if len(waves) > 1 else ""
    return f"reaches {', then '.join(' '.join(wave) for wave in waves)}{size}"


def unit_of(timeline: Timeline) -> str:
    """What positions are counted in. Where dice fall, or are drawn otherwise, they are steps of their own, and a turn of the game has several."""
    return "step" if any(CHANCE in step.actions for step in timeline.steps) else "turn"


def counted(number: int, unit: str) -> str:
    """``1 turn``, ``2 turns``."""
    return f"{number} {unit}{'s' * (number != 1)}"
