"""The kinds of players that can sit at every board."""

from __future__ import annotations

from .alphabeta import ALPHABETA_OPTIONS, AlphaBetaPlayer
from .base import PlayerKind
from .greedy import GreedyPlayer
from .mcts import MCTS_OPTIONS, MctsPlayer
from .net import NAME as NET
from .net import NET_OPTIONS, NetPlayer
from .open_spiel_mcts import NAME, OPTIONS, OpenSpielMctsPlayer
from .random import RandomPlayer

KINDS = (
    PlayerKind("random", "chooses uniformly among the legal actions", (), RandomPlayer),
    PlayerKind("greedy", "takes the action after which its evaluation is best", (), GreedyPlayer),
    PlayerKind("alphabeta", "alpha-beta search: looks ahead as far as it can", ALPHABETA_OPTIONS, AlphaBetaPlayer),
    PlayerKind("mcts", "Monte Carlo tree search: simulates games to their end", MCTS_OPTIONS, MctsPlayer),
    PlayerKind(NET, "asks a neural network that was trained here, and searches a little", NET_OPTIONS, NetPlayer, unnamed="file"),
    PlayerKind(NAME, "OpenSpiel's Monte Carlo tree search, to measure ours against", OPTIONS, OpenSpielMctsPlayer),
)
