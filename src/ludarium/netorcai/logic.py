"""What plays the game: an object in this process, or a program at the other end of a connection. The orchestrator cannot tell them apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from ludarium.errors import ProtocolError

from .connection import Connection
from .json_text import compact
from .messages import PlayerActions, do_init, do_turn, read_do_init_ack, read_do_turn_ack

Answer = TypeVar("Answer")

State = dict[str, Any] | bytes
"""A state that all clients may see: an object, or its JSON text in UTF-8."""


class GameLogic(Protocol):
    """The rules of a game, as netorcai calls them. Players are numbered from 0, special ones first."""

    def initial_state(self, players: int, special_players: int, turns: int) -> State:
        """Begin a game, and give the state before its first turn.

        Args:
            players: how many ordinary players there are.
            special_players: how many special ones.
            turns: how many turns will be played.

        Raises:
            LudariumError: the game cannot be played so.
        """
        ...

    def turn(self, players_actions: Sequence[PlayerActions]) -> tuple[State, int]:
        """Play one turn: the state after it, and the player who leads, -1 for nobody.

        Args:
            players_actions: at most one entry a player, in the order in which they arrived.
        """
        ...


def state_text(state: State) -> bytes:
    """The JSON text of a state."""
    return state if isinstance(state, bytes) else compact(state)


class LogicUser(Protocol):
    """Who asks a game logic and is told, at once or later."""

    def initialised(self, state: State) -> None: ...

    def turn_done(self, state: State, winner: int) -> None: ...

    def logic_failed(self, problem: Exception) -> None: ...


class LocalLogic:
    """Asks an object of this process. Its answer, or what it raised, comes before the call is over."""

    def __init__(self, logic: GameLogic, user: LogicUser) -> None:
        self._logic = logic
        self._user = user

    def do_init(self, players: int, special_players: int, turns: int) -> None:
        self._ask(lambda: self._logic.initial_state(players, special_players, turns), self._user.initialised)

    def do_turn(self, players_actions: Sequence[PlayerActions]) -> None:
        self._ask(lambda: self._logic.turn(players_actions), lambda done: self._user.turn_done(*done))

    def _ask(self, ask: Callable[[], Answer], tell: Callable[[Answer], None]) -> None:
        try:
            answer = ask()
        except Exception as problem:  # noqa: BLE001  a game logic is anybody's code
            self._user.logic_failed(problem)
        else:
            tell(answer)


class RemoteLogic:
    """Asks a program over its connection, and checks what it answers."""

    def __init__(self, connection: Connection, user: LogicUser) -> None:
        self.connection = connection
        self._user = user
        self._asked: str | None = None
        self._players = 0

    def do_init(self, players: int, special_players: int, turns: int) -> None:
        self._asked = "DO_INIT"
        self._players = players + special_players
        self.connection.send(do_init(players, special_players, turns))

    def do_turn(self, players_actions: Sequence[PlayerActions]) -> None:
        self._asked = "DO_TURN"
        self.connection.send(do_turn(players_actions))

    def receive(self, content: bytes) -> None:
        """Take a message of the program.

        Raises:
            ProtocolError: it is not the answer that is due; the game cannot go on.
        """
        asked, self._asked = self._asked, None
        if asked is None:
            raise ProtocolError("bad_order", "Received a game logic message but nothing was asked")
        if asked == "DO_INIT":
            self._user.initialised(read_do_init_ack(content))
        else:
            self._user.turn_done(*read_do_turn_ack(content, self._players))
