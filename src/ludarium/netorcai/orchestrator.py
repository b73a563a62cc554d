"""The orchestrator: one game between a game logic and its clients, from the first login to the last kick.

It is a machine of callbacks on one thread: each message, each lost connection and each timer is taken in full before the next, so that nothing
that arrives can fall between two turns. It knows neither sockets (see :mod:`.connection`) nor the time (see :mod:`.clock`).

A turn: DO_TURN goes to the game logic with all actions that have arrived since the last one; its answer goes to the clients as TURN. In timers mode the next
DO_TURN follows a fixed delay later. In fast mode it follows once every player has answered, or after the turn timeout. For a player that has missed
turns in a row the timeout halves with each of them, so that a dead one costs the others little, and a slow one is not left behind.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterable
from enum import Enum, auto

from ludarium.core.clock import Clock, Timer
from ludarium.errors import LudariumError, ProtocolError

from . import messages
from .connection import Connection
from .events import Aborted, Event, GameEnded, GameStarted, OrderRejected, PlayersChanged, TurnPlayed
from .log import LOGGER, note
from .logic import GameLogic, LocalLogic, RemoteLogic, State, state_text
from .messages import GAME_LOGIC, VISUALIZATION, PlayerActions
from .roster import Client, Phase, Roster
from .settings import Settings
from .waiting import Waiting

INIT_TIMEOUT = 3.0
"""Seconds that a game logic has for DO_INIT_ACK."""
MOST_REJECTIONS = 16
"""Rejected orders of one player that are logged in one turn."""
MOST_STRANGERS = 256
"""Connections that have not logged in yet, or are being closed. More of them push out the oldest."""

FINISHED = 0
FAILED = 1
"""Exit codes of the program."""


class _Stage(Enum):
    """How far the game has come."""

    LOBBY = auto()
    STARTING = auto()
    PLAYING = auto()
    OVER = auto()


class Orchestrator:
    """One game. A connection tells it what happens through the methods of :class:`.connection.Host`, the operator calls :meth:`start` and :meth:`quit`."""

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        *,
        logic: GameLogic | None = None,
        seed: int | None = None,
        observers: Iterable[Callable[[Event], None]] = (),
        on_over: Callable[[int], None] | None = None,
    ) -> None:
        """Open the lobby.

        Args:
            settings: limits and times; they may change until the game starts.
            clock: the event loop, or a clock of a test.
            logic: a game logic in this process; without one a program has to log in as the game logic.
            seed: decides which login becomes which player; None: a random one.
            observers: are called with every event.
            on_over: is called once, with the program's exit code, when all is said.
        """
        self.settings = settings
        self.seed = secrets.randbits(32) if seed is None else seed
        self.failure: Exception | None = None
        """What the game logic of this process raised, if that ended the game."""
        self.unanswered: frozenset[Connection] = frozenset()
        """Who had not answered the last TURN when the game was finished, and may be about to write rather than to read how it ended."""
        self._clock = clock
        self._observers = list(observers)
        self._on_over = on_over
        self._stage = _Stage.LOBBY
        self._roster = Roster(settings)
        self._logic: LocalLogic | RemoteLogic | None = None if logic is None else LocalLogic(logic, self)
        self._strangers: dict[Connection, None] = {}
        self._actions: dict[int, PlayerActions] = {}
        self._played: tuple[PlayerActions, ...] = ()
        self._turns_done = 0
        self._rejections: dict[int, int] = {}
        self._init: Timer | None = None
        self._next: Timer | None = None
        self._next_time = 0.0
        self._is_due = False
        self._waiting = Waiting(clock, settings, self._all_answered)

    # What the operator does.

    @property
    def has_started(self) -> bool:
        return self._stage is not _Stage.LOBBY

    def observe(self, observer: Callable[[Event], None]) -> None:
        """Call ``observer`` with every event from now on."""
        self._observers.append(observer)

    def start(self) -> None:
        """Begin the game with whoever is there.

        Raises:
            ProtocolError: it has begun, or there is no game logic.
        """
        if self.has_started:
            raise ProtocolError("cannot_start", "Cannot start: Game has already been started")
        if self._logic is None:
            raise ProtocolError("cannot_start", "Cannot start: Game logic not connected")
        self._stage = _Stage.STARTING
        self._roster.give_ids(self.seed)
        special = self._roster.count(messages.SPECIAL_PLAYER)
        note(logging.INFO, "Game starts", players=len(self._roster.players), special_players=special, seed=self.seed)
        self._tell_players()
        self._init = self._clock.call_later(INIT_TIMEOUT, self._init_too_late)
        self._logic.do_init(len(self._roster.players) - special, special, self.settings.turns)

    def start_if_complete(self) -> None:
        """Begin the game if that is to happen by itself and nobody is missing."""
        if self.settings.autostart and not self.has_started and self._logic is not None and self._roster.is_complete():
            self.start()

    def quit(self) -> None:
        """End everything because the operator says so. Exit code 0."""
        self._abort("the operator quits", FINISHED)

    def abort(self, reason: str) -> None:
        """End everything because it cannot go on. Exit code 1."""
        self._abort(reason, FAILED)

    def reject(self, player_id: int, reason: str) -> None:
        """Note that the game logic did not carry out an order of a player. Nothing is sent; it is logged, and observers are told.

        A player that has very many orders rejected in one turn does not fill the log.
        """
        players = self._roster.players
        nickname = players[player_id].nickname if 0 <= player_id < len(players) else ""
        number = self._rejections[player_id] = self._rejections.get(player_id, 0) + 1
        if number <= MOST_REJECTIONS:
            note(logging.INFO, "Order rejected", player_id=player_id, nickname=nickname, reason=reason)
        elif number == MOST_REJECTIONS + 1:
            note(logging.INFO, "More orders rejected in this turn are not logged", player_id=player_id, nickname=nickname)
        self._emit(OrderRejected(player_id, reason))

    def wait_for(self, connection: Connection, wanted: bool) -> None:
        """Let turns wait for a client's answers, however long they take, or no longer."""
        client = self._roster.client(connection)
        if client is not None:
            client.is_waited_for = wanted
            self._waiting.reconsider(client)
            self._begin_turn_if_due()

    def time_left(self, connection: Connection) -> float | None:
        """Seconds until the present turn ends for a client that has not answered; None: it will be waited for, or no turn is being played."""
        client = self._roster.client(connection)
        if client is None or client.is_waited_for or self._stage is not _Stage.PLAYING or not self._turns_done:
            return None
        end = client.deadline if self.settings.fast else self._next_time
        return max(0.0, end - self._clock.time())

    def answered(self) -> frozenset[int]:
        """The players whose answers to the newest TURN have arrived since the last turn was played."""
        return frozenset(player for player, one in self._actions.items() if one.turn_number == self._turns_done - 1)

    # What connections do.

    def opened(self, connection: Connection) -> None:
        if self._stage is _Stage.OVER:
            connection.kick(messages.FINISHED)
        self._strangers[connection] = None
        if len(self._strangers) > MOST_STRANGERS:
            self._strangers.pop(oldest := next(iter(self._strangers)))
            oldest.abort()

    def received(self, connection: Connection, content: bytes) -> None:
        client = self._roster.client(connection)
        try:
            if client is not None:
                self._take_turn_ack(client, content)
            elif self._is_logic(connection):
                self._take_logic_message(content)
            else:
                self._log_in(connection, content)
        except ProtocolError as problem:
            self._kick(connection, str(problem))

    def unreadable(self, connection: Connection, problem: ProtocolError) -> None:
        if self._is_logic(connection):
            prefix = "Cannot read game logic message. "
        else:
            prefix = "Invalid first message: " if self._roster.client(connection) is None else "Cannot read TURN_ACK. "
        self._kick(connection, f"{prefix}{problem}")

    def writable(self, connection: Connection) -> None:
        client = self._roster.client(connection)
        if client is not None:
            self._offer_waiting(client)

    def lost(self, connection: Connection) -> None:
        if self._is_logic(connection):
            self._logic_left("Game logic disconnected")
        else:
            self._remove(connection, "disconnected")

    def gone(self, connection: Connection) -> None:
        self._strangers.pop(connection, None)

    def _log_in(self, connection: Connection, content: bytes) -> None:
        login = messages.read_login(content)
        if self.has_started and login.role != VISUALIZATION:
            raise ProtocolError("denied", "LOGIN denied: Game has been started")
        if login.role == GAME_LOGIC:
            if self._logic is not None:
                raise ProtocolError("denied", "LOGIN denied: A game logic is already logged in")
            self._logic = RemoteLogic(connection, self)
        else:
            self._roster.log_in(connection, login)
        self._strangers.pop(connection, None)
        note(logging.INFO, "Logged in", nickname=login.nickname, role=login.role, address=connection.address)
        connection.send(messages.LOGIN_ACK)
        self._tell_players()
        self.start_if_complete()

    def _take_turn_ack(self, client: Client, content: bytes) -> None:
        number = client.turn_number
        actions = messages.read_turn_ack(content, number)
        if client.phase is not Phase.THINKING:
            raise ProtocolError("bad_turn_ack", "Received a TURN_ACK but the client state is not THINKING")
        client.phase = Phase.READY
        client.missed = 0
        if client.is_player:
            self._actions.pop(client.player_id, None)  # a newer answer stands where it arrived, not where the older one stood
            self._actions[client.player_id] = PlayerActions(client.player_id, number, actions)
        if client.waiting_turn is None:
            self._waiting.drop(client)
        else:
            self._offer_waiting(client)
        self._begin_turn_if_due()

    def _take_logic_message(self, content: bytes) -> None:
        if self._stage is _Stage.LOBBY:
            raise ProtocolError("bad_order", "Received a game logic message but the game has not started")
        assert isinstance(self._logic, RemoteLogic)
        self._logic.receive(content)

    def _is_logic(self, connection: Connection) -> bool:
        return isinstance(self._logic, RemoteLogic) and self._logic.connection is connection

    def _kick(self, connection: Connection, reason: str) -> None:
        note(logging.WARNING, "Kicked", address=connection.address, reason=reason)
        connection.kick(reason)
        if self._is_logic(connection):
            self.abort(f"Game logic failed: {reason}")
            return
        self._remove(connection, "kicked")
        self._strangers.pop(connection, None)
        self._strangers[connection] = None  # until it is gone

    def _remove(self, connection: Connection, how: str) -> None:
        """A client is there no more. What it has answered still counts."""
        client = self._roster.leave(connection)
        if client is None:
            return
        note(logging.INFO, "Client left", nickname=client.nickname, player_id=client.player_id, how=how)
        self._tell_players()
        self._waiting.drop(client)
        self._begin_turn_if_due()

    def _logic_left(self, reason: str) -> None:
        self._logic = None
        if self.has_started:
            self.abort(reason)
        else:
            note(logging.WARNING, reason)

    # What the game logic answers.

    def initialised(self, state: State) -> None:
        """See :class:`.logic.LogicUser`."""
        self._stop_timers()
        self._stage = _Stage.PLAYING
        text, info, settings = state_text(state), self._roster.info_text(), self.settings
        special = sum(client.role == messages.SPECIAL_PLAYER for client in self._roster.players)
        players = len(self._roster.players) - special
        for client in self._roster.connected():
            client.phase = Phase.READY
            shown = b"[]" if client.is_player else info
            client.connection.send(messages.game_starts(client.player_id, players, special, settings, text, shown))
        self._emit(GameStarted(players, special, settings.turns, state))
        self._next = self._clock.call_later(settings.delay_first_turn / 1000, self._begin_turn)

    def logic_failed(self, problem: Exception) -> None:
        """See :class:`.logic.LogicUser`."""
        self.failure = problem
        self.abort(f"Game logic failed: {problem if isinstance(problem, LudariumError) else repr(problem)}")

    def turn_done(self, state: State, winner: int) -> None:
        """See :class:`.logic.LogicUser`."""
        number = self._turns_done
        self._turns_done += 1
        note(logging.DEBUG, "Turn played", turn=number, answers=len(self._played), winner=winner)
        self._emit(TurnPlayed(number, self._played, state, winner))
        if self._turns_done >= self.settings.turns:
            self._finish(state, winner)
            return
        answering = self._send_turn(number, state_text(state))
        if self.settings.fast:
            self._waiting.begin(answering)
        else:
            delay = self.settings.delay_turns / 1000
            self._next_time = self._clock.time() + delay
            self._next = self._clock.call_later(delay, self._turn_is_due)

    def _send_turn(self, number: int, text: bytes) -> list[Client]:
        """Offer a TURN to everybody: the same bytes to all players, and to all visualizations. Give those whose answers are due."""
        for_players = messages.turn(number, text, b"[]")
        for_visualizations: bytes | None = None
        answering: list[Client] = []
        for client in self._roster.connected():
            if client.phase is Phase.LOGGED:
                continue  # a visualization that came after the start
            if client.is_player:
                sent = client.offer(number, for_players)
            else:
                if for_visualizations is None:
                    for_visualizations = messages.turn(number, text, self._roster.info_text())
                sent = client.offer(number, for_visualizations)
            if sent or client.is_player:
                answering.append(client)
        return answering

    # How turns follow each other.

    def _begin_turn(self) -> None:
        assert self._logic is not None
        self._stop_timers()
        self._played, self._actions = tuple(self._actions.values()), {}
        self._rejections.clear()
        self._logic.do_turn(self._played)

    def _turn_is_due(self) -> None:
        self._is_due = True
        self._begin_turn_if_due()

    def _begin_turn_if_due(self) -> None:
        """With timers: begin the turn whose time has come, unless it has to wait for somebody's answer."""
        if not self._is_due or any(client.is_waited_for and client.phase is Phase.THINKING for client in self._roster.connected()):
            return
        self._is_due = False
        self._next = self._clock.call_soon(self._begin_turn)

    def _all_answered(self) -> None:
        self._next = self._clock.call_soon(self._begin_turn)

    def _offer_waiting(self, client: Client) -> None:
        """Send a client the TURN that was kept for it; if that is the present one, its answer is waited for."""
        if client.offer_waiting() and client.turn_number == self._turns_done - 1:
            self._waiting.add(client)

    def _init_too_late(self) -> None:
        reason = f"Did not receive DO_INIT_ACK after {INIT_TIMEOUT:g} seconds."
        if isinstance(self._logic, RemoteLogic):
            self._logic.connection.kick(reason)
        self.abort(f"Game logic failed: {reason}")

    # How it ends.

    def _finish(self, state: State, winner: int) -> None:
        last = messages.game_ends(winner, state_text(state))
        for client in self._roster.connected():
            if client.phase is not Phase.LOGGED:
                client.connection.send(last)
        self.unanswered = frozenset(client.connection for client in self._roster.connected() if client.phase is Phase.THINKING)
        note(logging.INFO, "Game is finished", winner=self._named(winner), turns=self._turns_done)
        self._end(GameEnded(winner, state), messages.FINISHED, FINISHED)

    def _named(self, player_id: int) -> str:
        return "nobody" if player_id < 0 else f"{self._roster.players[player_id].nickname} (player {player_id})"

    def _abort(self, reason: str, code: int) -> None:
        if self._stage is _Stage.OVER:
            return
        note(logging.INFO if code == FINISHED else logging.ERROR, "Aborted", reason=reason)
        self._end(Aborted(reason), messages.ABORTED, code)

    def _end(self, event: Event, reason: str, code: int) -> None:
        """Kick everybody for a reason; the code is the program's."""
        self._stage = _Stage.OVER
        self._stop_timers()
        self._emit(event)
        everybody = [client.connection for client in self._roster.connected()] + list(self._strangers)
        if isinstance(self._logic, RemoteLogic):
            everybody.append(self._logic.connection)
        for connection in everybody:
            connection.kick(reason)
        if self._on_over is not None:
            self._on_over(code)

    def _stop_timers(self) -> None:
        for timer in (self._init, self._next):
            if timer is not None:
                timer.cancel()
        self._init = self._next = None
        self._is_due = False
        self._waiting.end()

    def _tell_players(self) -> None:
        if self._observers:
            self._emit(PlayersChanged(self._roster.players_info(), self._roster.count(VISUALIZATION)))

    def _emit(self, event: Event) -> None:
        for observer in tuple(self._observers):
            try:
                observer(event)
            except Exception:  # noqa: BLE001  who looks on cannot disturb the game
                LOGGER.exception("An observer failed and is told nothing more")
                self._observers.remove(observer)
