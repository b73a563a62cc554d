"""The clients of one game: who is here, and when each of them is told what."""

from __future__ import annotations

from collections.abc import Iterable

from ludarium.core.clock import Clock

from .client import Client
from .messages import Plan, checked_ply
from .telling import Telling


class Audience:
    """See :class:`ludarium.web.table.play.Teller`."""

    def __init__(self, telling: Telling, interval: float, clock: Clock) -> None:
        """``interval`` is how many seconds lie at least between two positions that are to be told soon."""
        self.clients: list[Client] = []
        self.last_told = clock.time()
        """When there was something to tell."""
        self._telling = telling
        telling.on_summary = lambda: self.tell("notice")
        self._interval = interval
        self._clock = clock
        self._next_time = float("-inf")
        self._is_waiting = False
        self._due: set[Client] = set()
        self._record_problem: str | None = None

    @property
    def present(self) -> frozenset[int | None]:
        """The seats of all clients, with None for those that watch."""
        return frozenset(client.seat for client in self.clients)

    def welcome(self, client: Client) -> None:
        """Tell a client all that it needs to begin with, and from now on what changes."""
        self.clients.append(client)
        client.send(self._telling.welcome(client, self.clients))
        self.show(client)
        client.told = self._telling.latest(client)
        self.tell_players(but=client)
        if self._record_problem:
            client.tell(type="record", problem=self._record_problem)

    def leave(self, client: Client) -> None:
        self.clients.remove(client)
        self.tell_players()

    def dismiss(self, seat: int, reason: str) -> None:
        """Close all clients that play a seat, and tell them why."""
        for client in [client for client in self.clients if client.seat == seat]:
            self.clients.remove(client)
            client.tell(type="closed", reason=reason, come_back=False)
            client.close(1001, "closed")

    def show(self, client: Client, ply: int | None = None) -> None:
        """Send a client one position that it asks for; None: the latest.

        Raises:
            ProtocolError: ``no_such_ply``.
        """
        latest = self._telling.latest(client)
        told = (latest, "now") if ply is None else (checked_ply(ply, latest), "look")
        client.send(self._telling.position(client, *told))

    def tell(self, occasion: str) -> None:
        if occasion == "takeback":
            self._telling.take_back()
        self._tell(self.clients, occasion)

    def tell_soon(self) -> None:
        self._wait(set(self.clients))

    def _wait(self, due: set[Client]) -> None:
        self._due |= due
        if not self._is_waiting:
            self._is_waiting = True
            self._clock.call_later(max(0.0, self._next_time - self._clock.time()), self._tell_due)

    def _tell_due(self) -> None:
        """Tell those that wait for it, except who lags: that one would read of positions that are old already."""
        due, self._due = self._due.intersection(self.clients), set()
        self._is_waiting = False
        self._tell([client for client in due if not client.lags])
        if lagging := {client for client in due if client.lags}:
            self._wait(lagging)

    def _tell(self, clients: Iterable[Client], occasion: str | None = None) -> None:
        """Without an occasion it is an action for whoever is told of steps with it, else a notice."""
        self.last_told = self._clock.time()
        made: dict[tuple[int | None, int, int], str] = {}
        for client in clients:
            latest, key = self._telling.latest(client), (client.seat, client.bottom, client.told)
            if occasion == "action" and latest == client.told:
                continue  # nothing of it is to be seen from there
            if key not in made:
                why = occasion or ("action" if latest > client.told else "notice")
                made[key] = self._telling.position(client, latest, why, client.told)
            client.send(made[key])
            client.told = latest
        now = self._clock.time()
        self._next_time = now + max(self._interval, now - self.last_told)

    def tell_players(self, but: Client | None = None) -> None:
        text = self._telling.players(self.clients)
        for client in self.clients:
            if client is not but:
                client.send(text)

    def tell_plan(self, client: Client, plan: Plan) -> None:
        """What a player's client has planned, to the player's other windows."""
        for other in self.clients:
            if other.seat == client.seat and other is not client:
                other.tell(type="plan", ply=plan.ply, orders=plan.orders)

    def tell_ahead(self, client: Client, player: int) -> None:
        """What a player's client could choose if it were its turn."""
        client.send(self._telling.ahead(player))

    def tell_record(self, problem: str | None) -> None:
        self._record_problem = problem
        for client in self.clients:
            client.tell(type="record", problem=problem)

    def close(self, reason: str, *, come_back: bool) -> None:
        """Tell all what still waited to be told, that this was all, and whether they should come back by themselves."""
        self._tell(self._due.intersection(self.clients))
        for client in self.clients:
            client.tell(type="closed", reason=reason, come_back=come_back)
            client.close(1001, "closed")
