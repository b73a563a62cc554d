"""Players who leave a running game for three or more: their default actions, and the outcome."""

from __future__ import annotations

from collections.abc import Mapping

from .game import Action, Game, Outcome, State
from .random import generator_from
from .rules import CHANCE

LEAVING = -2
"""The index of the action that stands for a player's leaving. Its text is the reason."""

RESIGNED = "resigned"
"""The reason of a player who left by its own wish. All other reasons are forfeits."""


def default_action(state: State, player: int) -> Action | None:
    """Return the action of a player whose time has run out: no orders, or the game's choice. None if the game has neither.

    Args:
        state: the state as the player may know it.
        player: a player to move.
    """
    game = state.game
    if game.orders is not None and game.orders.idle is not None:
        slots = game.dimensions.slots
        return state.action((game.orders.idle,) * slots if slots > 1 else game.orders.idle, player)
    return None if game.overdue is None else game.overdue.action(state, player)


def played_for(state: State, player: int, ply: int) -> Action:
    """Return what is played for a player who has left: its :func:`default_action`, or a random legal one.

    Args:
        state: the state.
        player: a player to move.
        ply: the number of the state, from which the random action is drawn, so that it repeats exactly.
    """
    if (action := default_action(state.seen_by(player), player)) is not None:
        return state.action(action, player)
    slots = state.game.dimensions.slots
    drawn = [(state.legal(player, slot), int(generator_from(ply, player, slot)[0])) for slot in range(slots)]
    chosen = tuple(legal[number % len(legal)] for legal, number in drawn)
    return state.action(chosen if slots > 1 else chosen[0], player)


def defaults(state: State, out: Mapping[int, int], ply: int) -> dict[int, Action]:
    """Return what is played for those players to move who have left; see :func:`played_for`."""
    return {player: played_for(state, player, ply) for player in state.to_move if player in out}


def still_to_move(state: State, out: Mapping[int, int]) -> tuple[int, ...]:
    """Return the players to move who have not left; ``(CHANCE,)`` at dice."""
    return state.to_move if not out else tuple(player for player in state.to_move if player == CHANCE or player not in out)


def outcome_with(game: Game, out: Mapping[int, int], by_rules: Outcome | None) -> Outcome:
    """Return the outcome of a game that players have left.

    All who stayed beat all who left, and of those who left, the later ones beat the earlier. A return is the mean over a player's opponents: 1 for each
    that it beat, 0 for the same place, −1 for each other.

    Args:
        out: when each player left, as the number of the state.
        by_rules: how those who stayed ended; None: at most one of them is left.
    """
    players = range(game.players)
    rank = [(0, out[one]) if one in out else (1, 0.0 if by_rules is None else by_rules.returns[one]) for one in players]
    beaten = [sum((rank[one] > rank[other]) - (rank[one] < rank[other]) for other in players) for one in players]
    returns = tuple(total / (game.players - 1) for total in beaten)
    best = max(returns)
    winner = returns.index(best) if returns.count(best) == 1 else None
    if by_rules is not None:
        gone = " and ".join(game.player_names[one] for one in sorted(out))
        return Outcome(returns, winner, f"{by_rules.reason}; {gone} left before")
    left = [game.player_names[one] for one in players if one not in out]
    return Outcome(returns, winner, f"{left[0]} is the last player" if left else "all players have left")


def left_words(game: Game, actions: Mapping[int, Action]) -> str:
    """Return a sentence about players who leave: ``Orange resigned``."""
    words = (
        f"{game.player_names[one]} {action.text if action.text == RESIGNED else f'is out ({action.text})'}"
        for one, action in actions.items()
    )
    return ", ".join(words)
