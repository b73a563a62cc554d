"""What happens in a game under an orchestrator, for whoever shows or records it."""

from __future__ import annotations

from dataclasses import dataclass

from .logic import State
from .messages import PlayerActions


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    """One player. ``player_id`` is -1 until the game starts; whether it is a special one is known in the orchestrator's process only."""

    player_id: int
    nickname: str
    remote_address: str
    is_connected: bool
    is_special: bool = False


PLAYER_FIELDS = ("player_id", "nickname", "remote_address", "is_connected")
"""What of a player visualizations are told."""


@dataclass(frozen=True, slots=True)
class PlayersChanged:
    """Somebody came or went, or ids were given out. ``players`` are in the order of their ids, before the start in that of their logins."""

    players: tuple[PlayerInfo, ...]
    visualizations: int


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The game logic gave the state before the first turn."""

    players: int
    special_players: int
    turns: int
    state: State


@dataclass(frozen=True, slots=True)
class TurnPlayed:
    """The turn ``number`` (from 0) led to ``state``; ``players_actions`` are in the order in which they arrived."""

    number: int
    players_actions: tuple[PlayerActions, ...]
    state: State
    winner: int


@dataclass(frozen=True, slots=True)
class OrderRejected:
    """The game logic did not carry out an order of a player."""

    player_id: int
    reason: str


@dataclass(frozen=True, slots=True)
class GameEnded:
    """All turns were played."""

    winner: int
    state: State


@dataclass(frozen=True, slots=True)
class Aborted:
    """The game came to no end."""

    reason: str


Event = PlayersChanged | GameStarted | TurnPlayed | OrderRejected | GameEnded | Aborted
