"""Search that is written once for all games: counting, playouts, alpha-beta, Monte Carlo tree search."""

from .perft import perft, perft_divide
from .playouts import PlayoutResult, playouts

__all__ = ["PlayoutResult", "perft", "perft_divide", "playouts"]
