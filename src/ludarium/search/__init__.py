"""Search that is written once for all games: counting, playouts, alpha-beta, Monte Carlo tree search."""

from .alphabeta import WIN, SearchMemory, SearchResult, alphabeta, check_alphabeta_plays
from .checks import never
from .mcts import Arm, MctsResult, can_evaluate, check_mcts_plays, mcts
from .one_ply import check_one_ply_plays, one_ply
from .perft import perft, perft_divide
from .playouts import PlayoutResult, playouts

__all__ = [
    "WIN",
    "Arm",
    "MctsResult",
    "PlayoutResult",
    "SearchMemory",
    "SearchResult",
    "alphabeta",
    "check_alphabeta_plays",
    "can_evaluate",
    "check_mcts_plays",
    "check_one_ply_plays",
    "mcts",
    "never",
    "one_ply",
    "perft",
    "perft_divide",
    "playouts",
]
