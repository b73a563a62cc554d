"""What endgame tables say of one position and of its actions."""

from __future__ import annotations

from typing import Any

from ludarium.core.game import Action, State
from ludarium.core.jit import kernel
from ludarium.core.registry import position
from ludarium.core.rules import UNKNOWN, known_ending
from ludarium.errors import LudariumError
from ludarium.games.expendibots.endgames.index import MOST
from ludarium.games.expendibots.endgames.keeping import endgames as known_endgames
from ludarium.games.expendibots.endgames.known import EndgameTables


@kernel()
def _ending(tables: Any, endgames: Any, states: Any) -> Any:
    return known_ending(tables, endgames, states[0])


def value_of(state: State, endgames: EndgameTables | None = None) -> int | None:
    """In how many plies the player to move wins (positive) or loses (negative) a running game; 0: it is drawn; None: too many tokens.

    ``endgames`` are by default those that searches look into.
    """
    value = int(_ending(state.game.tables, endgames or known_endgames(), state.copy_records()))
    return None if value == UNKNOWN else value


def best_actions(state: State) -> list[Action]:
    """The actions that keep the outcome; of those that win the quickest, of those that lose the slowest."""
    mover = state.to_move[0]

    def worth(action: Action) -> tuple[int, float]:
        after = state.play(action)
        value = int(after.returns[mover]) if after.is_over else -(value_of(after) or 0)
        return (value > 0) - (value < 0), -value if after.is_over else -value - (value > 0) + (value < 0)

    worths = {action: worth(action) for action in state.actions(mover)}
    best = max(worths.values())
    return [action for action, one in worths.items() if one == best]


def ask(text: str) -> tuple[State, int, list[Action]]:
    """The state of a position's text, its value as :func:`value_of` tells it, and the :func:`best_actions`; of the turns played only whose turn it is counts.

    Raises:
        BadNotation: not a position.
        LudariumError: the game is over, or no table of so many tokens is kept; the message says what makes one.
    """
    state = position("expendibots", text)
    fresh = state.game.parse(f"{state.text.rsplit(' ', 1)[0]} {int(state.record.ply) % 2}")
    if fresh.is_over:
        raise LudariumError(f"the game is over: {state.game.reason(fresh)}")
    value = value_of(fresh)
    if value is not None:
        return state, value, best_actions(fresh)
    tokens = sum(abs(int(height)) for height in state.record.board)
    if tokens > MOST:
        raise LudariumError(f"the position has {tokens} tokens; endgames are solved for at most {MOST}")
    raise LudariumError(
        f"the position has {tokens} tokens, and tables of so many are not kept; 'ludarium expendibots tables --tokens {MOST}' makes them"
    )
