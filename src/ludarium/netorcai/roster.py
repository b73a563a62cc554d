"""Who takes part: who may log in, which player is which, and what visualizations are told about them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from enum import Enum, auto

from ludarium.errors import ProtocolError

from .connection import Connection
from .events import PLAYER_FIELDS, PlayerInfo
from .json_text import compact
from .messages import PLAYER, SPECIAL_PLAYER, VISUALIZATION, Login
from .settings import Settings

_FULL = {PLAYER: "players", SPECIAL_PLAYER: "special players", VISUALIZATION: "visus"}


class Phase(Enum):
    """What a client is doing."""

    LOGGED = auto()
    """Waits for the game."""
    READY = auto()
    """Waits for a TURN."""
    THINKING = auto()
    """Has a TURN to answer."""


@dataclass(eq=False)
class Client:
    """A player, special player or visualization that logged in."""

    connection: Connection
    nickname: str
    role: str
    player_id: int = -1
    phase: Phase = Phase.LOGGED
    turn_number: int = -1
    """Of the last TURN that was sent to it."""
    missed: int = 0
    """How many turns in a row it has let pass in fast mode."""
    deadline: float = 0.0
    """When fast mode stops waiting for its answer."""
    is_waited_for: bool = False
    """Whether turns wait for its answers, however long they take: a person's, for instance."""
    waiting_turn: tuple[int, bytes] | None = field(default=None, repr=False)
    """The newest TURN, where it could not be sent yet: its number and the message. An older one is of no use to anybody any more."""

    @property
    def is_player(self) -> bool:
        return self.role != VISUALIZATION

    @property
    def is_connected(self) -> bool:
        return self.connection.is_open

    def offer(self, number: int, message: bytes) -> bool:
        """Send a TURN if the client has answered the last one and keeps up with reading, else keep it; whether it was sent."""
        if self.phase is Phase.READY and self.connection.is_writable:
            self.phase = Phase.THINKING
            self.turn_number = number
            self.waiting_turn = None
            self.connection.send(message)
            return True
        self.waiting_turn = (number, message)
        return False

    def offer_waiting(self) -> bool:
        """Send the TURN that was kept, if it can be sent now."""
        return self.waiting_turn is not None and self.offer(*self.waiting_turn)


class Roster:
    """The clients of one game, in the order of their logins."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._clients: dict[Connection, Client] = {}
        self.players: list[Client] = []
        """After the start: all players in the order of their ids, whether still connected or not."""
        self._info: bytes | None = None

    def client(self, connection: Connection) -> Client | None:
        return self._clients.get(connection)

    def connected(self) -> list[Client]:
        return list(self._clients.values())

    def count(self, role: str) -> int:
        """How many of a role are connected."""
        return sum(client.role == role for client in self._clients.values())

    def log_in(self, connection: Connection, login: Login) -> Client:
        """Add a client.

        Raises:
            ProtocolError: there is no place left for its role.
        """
        if self.count(login.role) >= self._limit(login.role):
            raise ProtocolError("denied", f"LOGIN denied: Maximum number of {_FULL[login.role]} reached")
        client = self._clients[connection] = Client(connection, login.nickname, login.role)
        return client

    def leave(self, connection: Connection) -> Client | None:
        """Forget a connection. Its player stays in the game if it has begun, as one that is not connected."""
        self._info = None
        return self._clients.pop(connection, None)

    def is_complete(self) -> bool:
        """Whether all are there that may log in."""
        return all(self.count(role) == self._limit(role) for role in _FULL)

    def _limit(self, role: str) -> int:
        wanted = self._settings
        return {PLAYER: wanted.players, SPECIAL_PLAYER: wanted.special_players, VISUALIZATION: wanted.visualizations}[role]

    def give_ids(self, seed: int) -> None:
        """Number the players: special ones first, in the order of their logins, then the others in an order that the seed decides."""
        special = [client for client in self._clients.values() if client.role == SPECIAL_PLAYER]
        ordinary = [client for client in self._clients.values() if client.role == PLAYER]
        random.Random(seed).shuffle(ordinary)
        self.players = special + ordinary
        for number, client in enumerate(self.players):
            client.player_id = number

    def players_info(self) -> tuple[PlayerInfo, ...]:
        """All players; before the start those that are connected, without ids."""
        players = self.players or [client for client in self._clients.values() if client.is_player]
        return tuple(
            PlayerInfo(one.player_id, one.nickname, one.connection.address, one.is_connected, one.role == SPECIAL_PLAYER) for one in players
        )

    def info_text(self) -> bytes:
        """What visualizations are told about the players, as JSON text."""
        if self._info is None:
            self._info = compact([{name: getattr(one, name) for name in PLAYER_FIELDS} for one in self.players_info()])
        return self._info
