"""The players that know this game."""

from __future__ import annotations

from ludarium.core.game import State
from ludarium.players import Opponent, PlayerKind, by_alphabeta

from .bots.hottest import HotstratPlayer, SentestratPlayer
from .bots.perfect import PERFECT_OPTIONS, PerfectPlayer

KINDS = (
    PlayerKind(
        "perfect", "solves the position and wins what can be won; searches where that takes too long", PERFECT_OPTIONS, PerfectPlayer
    ),
    PlayerKind("hotstrat", "moves in the hottest component", (), HotstratPlayer),
    PlayerKind(
        "sentestrat",
        "answers where the opponent has just moved if it is hot there; else moves in the hottest component",
        (),
        SentestratPlayer,
    ),
)

OPPONENTS = (
    Opponent("Sprout", "mcts:sims=5", "Grows where the wind blows it."),
    Opponent("Clover", "mcts:sims=20", "Looks around a little before it spreads."),
    Opponent("Bramble", "mcts:sims=100", "Blocks you where it hurts, if it notices."),
    Opponent("Alder", "mcts:sims=400", "Counts its free moves, and some of yours."),
    Opponent("Cedar", "mcts:sims=2000", "Plays thousands of games to their end before it lays a stone."),
    Opponent("Sequoia", "mcts:sims=10000", "Seldom lets a won board go."),
    Opponent("Mycelium", "perfect:time=1s", "Solves the board as a sum of small games; once it is ahead, nothing is left to hope for."),
)


def estimate(state: State) -> tuple[float, float]:
    """Three moves ahead is a clear advantage; near the end it is exact."""
    return by_alphabeta(state, unit=300)
