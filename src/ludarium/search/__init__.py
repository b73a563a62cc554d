"""Search that is written once for all games: counting, playouts, alpha-beta, Monte Carlo tree search."""

from .mcts import Arm, MctsResult, check_mcts_plays, mcts
from .perft import perft, perft_divide
from .playouts import PlayoutResult, playouts

__all__ = ["Arm", "MctsResult", "PlayoutResult", "check_mcts_plays", "mcts", "perft", "perft_divide", "playouts"]
