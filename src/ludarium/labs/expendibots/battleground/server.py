"""Serves the BOOM protocol: clients of one channel meet, and some channels have a player of Ludarium's."""

from __future__ import annotations

import random
import socket
import socketserver
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, cast

from ludarium.arena import play_game
from ludarium.arena.warm_up import first_turns, warm_up
from ludarium.core.game import Action, State
from ludarium.core.hosts import in_url, without_brackets
from ludarium.core.registry import game
from ludarium.core.sight import Sight
from ludarium.core.timeline import Event
from ludarium.errors import BadOption, LudariumError, PlayerFailed, PlayerIllegal, ProtocolError, printable
from ludarium.games.expendibots.class_adapter import COLOURS, action_text, action_tuple
from ludarium.games.expendibots.players import OFFICIAL
from ludarium.players import Player, PlayerKind, PlayerSpec, never, parse_player

from ..referee.telling import result_line
from .lines import Line, as_tuple

BOTS = ("random", "greedy", "alphabeta")
"""Channels where a player of this name waits."""

LONGEST_NAME = 40

TO_ANSWER = 10.0
"""Seconds that a client has to say that it is still there: who waits has nothing else to do, and somebody may have come to meet it."""


class Client:
    """Whoever has connected, named and in a channel."""

    def __init__(self, line: Line, name: str, channel: str) -> None:
        self.line = line
        self.name = name
        self.channel = channel
        self.lock = threading.Lock()
        """Whoever speaks with it has this."""
        self.over = threading.Event()
        """Set when nothing more is to be said."""
        self.problem = ""
        """Why it has lost."""

    def answer(self, seconds: float, *accepted: str) -> dict[str, Any]:
        """Raises: PlayerFailed: it has gone, says nothing, or something else."""
        try:
            return self.line.receive(seconds, *accepted)
        except ProtocolError as problem:
            self.problem = {"gone": "crash", "silent": "timeout", "broken": "bad answer"}[problem.code] + f": {problem}"
            raise PlayerFailed(self.problem) from None

    def tell(self, mtype: str, **fields: Any) -> None:
        """Whether it has heard this is known when it is to answer."""
        with suppress(ProtocolError):
            self.line.send(mtype, **fields)


class RemotePlayer(Player):
    """A client at the board."""

    def __init__(self, client: Client, patience: float) -> None:
        self._client = client
        self._patience = patience

    def sit(self, sight: Sight, log: object = None) -> None:
        assert sight.player is not None
        self._client.tell("INIT", colour=COLOURS[sight.player])
        self._client.answer(self._patience, "OKAY")

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        if self._client.problem:
            raise PlayerFailed(self._client.problem)
        self._client.tell("TURN")
        answer = as_tuple(self._client.answer(self._patience, "ACTN").get("action"))
        try:
            return state.action(action_text(answer), player)
        except LudariumError as problem:
            raise PlayerIllegal(f"illegal action: {problem}") from None
        except ValueError:
            raise PlayerIllegal(f"illegal action: {printable(repr(answer)[:100])} is no action on the board") from None


class Battleground(socketserver.ThreadingTCPServer):
    """The server; ``serve_forever`` lets clients in."""

    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128

    def __init__(
        self,
        address: tuple[str, int],
        *,
        patience: float,
        ping: float,
        seed: int | None = None,
        say: Callable[[str], None] = lambda line: None,
    ) -> None:
        """Listen.

        Args:
            patience: seconds that a client has for each answer.
            ping: seconds between two questions whether who waits is still there.
            seed: who has White is drawn from it.
            say: told in a line what happens.

        Raises:
            BadOption: the address cannot be had.
        """
        self.game = game("expendibots", **OFFICIAL.options)
        self.patience, self.ping, self.say = patience, ping, say
        self._random = random.Random(seed)
        self._waiting: dict[str, Client] = {}
        self._lock = threading.Lock()
        self._bots = {name: parse_player(name, self.game) for name in BOTS}
        for bot in self._bots.values():
            warm_up(bot.make(self.game, 0), first_turns(self.game))
        host, port = without_brackets(address[0]), address[1]
        try:
            self.address_family = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
            super().__init__((host, port), _Handler)
        except OSError as problem:
            raise BadOption(f"cannot listen on {in_url(host)}:{port}: {problem.strerror}") from None

    def welcome(self, client: Client) -> None:
        """Have a client play, now or when somebody comes; until its game is over."""
        if client.channel in BOTS:
            self._play([client, self._bots[client.channel]])
            return
        while (other := self._somebody_else(client)) is not None:
            with other.lock:
                is_there = _is_there(other)
            if is_there:
                try:
                    self._play([other, client])
                finally:
                    other.over.set()
                return
            other.over.set()
        while not client.over.wait(self.ping):
            with client.lock:
                if self._waits(client) and not _is_there(client):
                    self._forget(client)
                    return

    def _somebody_else(self, client: Client) -> Client | None:
        """Who waits in the client's channel; None: nobody, so the client waits there."""
        with self._lock:
            if client.channel not in self._waiting:
                self._waiting[client.channel] = client
                return None
            return self._waiting.pop(client.channel)

    def _waits(self, client: Client) -> bool:
        with self._lock:
            return self._waiting.get(client.channel) is client

    def _forget(self, client: Client) -> None:
        with self._lock:
            if self._waiting.get(client.channel) is client:
                del self._waiting[client.channel]

    def _play(self, seats: Sequence[Client | PlayerSpec]) -> None:
        with self._lock:
            seats, seed = self._random.sample(list(seats), 2), self._random.getrandbits(32)
        names = [seat.name if isinstance(seat, Client) else seat.text for seat in seats]
        clients = [seat for seat in seats if isinstance(seat, Client)]
        for client in clients:
            client.tell("GAME", white=names[0], black=names[1])

        def update(event: Event) -> None:
            if event["event"] == "action":
                ((seat, text),) = event["actions"].items()
                present = [client for client in clients if not client.problem]
                for client in present:
                    client.tell("UPD8", colour=COLOURS[int(seat)], action=action_tuple(text))
                for client in present:
                    with suppress(PlayerFailed):  # which costs it the game when it is to move
                        client.answer(self.patience, "OKAY")

        specs = [self._spec(seat) if isinstance(seat, Client) else seat for seat in seats]
        timeline = play_game(self.game, specs, seed=seed, listeners=[update])
        assert timeline.outcome is not None
        result = result_line(timeline)
        for seat, client in enumerate(seats):
            if isinstance(client, Client):
                if seat in timeline.forfeits:
                    client.tell("ERRO", reason=timeline.outcome.reason)
                else:
                    client.tell("OVER", result=result)
        self.say(f"{names[0]} and {names[1]}: {result} ({timeline.outcome.reason})")

    def _spec(self, client: Client) -> PlayerSpec:
        kind = PlayerKind(client.name, "a client", (), lambda game, options, seed: RemotePlayer(client, self.patience))
        return PlayerSpec(client.name, kind, {}, is_program=True)


def _is_there(client: Client) -> bool:
    if client.problem:  # found by another thread, which is closing the connection
        return False
    client.tell("OKAY")
    try:
        client.answer(TO_ANSWER, "OKAY")
    except PlayerFailed:
        client.tell("ERRO", reason=client.problem)
        return False
    return True


class _Handler(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        server = cast(Battleground, self.server)
        line = Line(self.request)
        try:
            wish = line.receive(server.patience, "PLAY")
            name, channel = wish.get("name"), wish.get("channel", "")
            if not isinstance(name, str) or not isinstance(channel, str) or not name.strip():
                raise ProtocolError("broken", "PLAY has a name and a channel, which are texts")
            line.send("OKAY")
        except ProtocolError as problem:
            with suppress(ProtocolError):
                line.send("ERRO", reason=str(problem))
            return
        server.welcome(Client(line, printable(name)[:LONGEST_NAME], channel))
