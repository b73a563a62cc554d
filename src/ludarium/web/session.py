"""One game as it is played on the server: its seats, its clients, its bots, and what follows from each message.

All methods are called on the event loop's thread; those that clients cause either raise and change nothing, or take effect.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Any

import numpy as np

from ludarium.core.game import Action, State
from ludarium.core.record import Header
from ludarium.core.rules import CHANCE
from ludarium.core.sight import Sight
from ludarium.core.timeline import Timeline
from ludarium.errors import PlayerFailed, ProtocolError

from .bots import Bots
from .client import Client
from .figures import Figures
from .messages import VERSION, Act, Join, Look, Message, Plan, Resign, TakeBack, View
from .orders import Orders, check_orders, default_action, joined
from .renderings import Renderings, actions_json, as_json, measures_so_far, orders_json, position_json
from .seats import Seat, players_json, seat_of
from .thinking import Answer, Thinkers
from .turn_clock import Later, TurnClock, call_later

__all__ = ["Session"]


class Session:
    """A game in memory. Bots think only while somebody plays or watches."""

    def __init__(
        self,
        id: str,
        header: Header,
        timeline: Timeline,
        seats: Iterable[Seat],
        generator: np.ndarray[Any, Any],
        thinkers: Thinkers,
        renderings: Renderings,
        *,
        pace: float = 0.0,
        turn_seconds: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        later: Later = call_later,
    ) -> None:
        """``generator`` draws the dice. ``pace`` is how many seconds a position stands at least before a bot's answer to it is played.

        ``turn_seconds`` is how long people have for a turn. It runs while somebody plays or watches, and for the first turn not before all people have come;
        ``later`` wakes it.
        """
        self.id = id
        self.header = header
        self.timeline = timeline
        self.seats = tuple(seats)
        self.clients: list[Client] = []
        self.is_closed = False
        self.last_used = clock()
        self._generator = generator
        self._thinkers = thinkers
        self._renderings = renderings
        self._clock = clock
        self._bots = Bots(thinkers, pace, clock)
        self._began: dict[int, float] = {}
        self._takebacks = 0
        self._choices: dict[int, tuple[Action, float]] = {}
        self._plans: dict[int, Orders] = {}
        self.turn_clock = TurnClock(turn_seconds, self._time_is_up, clock, later)
        self._figures = Figures(lambda: self._tell_position("notice"))
        self._absent = {seat.number for seat in self.seats if seat.token is not None}
        self._asks: int | None = None
        self._agree: set[int] = set()
        self._roll_dice()
        self._began = dict.fromkeys(self._waiting_for(), clock())

    # What clients do.

    def join(self, client: Client, message: Join) -> None:
        """Seat a client, or let it watch.

        Raises:
            ProtocolError: ``bad_token``.
        """
        if message.token is not None:
            client.seat = seat_of(self.seats, message.token)
            client.bottom = client.seat
            self._absent.discard(client.seat)
        self.last_used = self._clock()
        self.clients.append(client)
        self._wake_bots()
        self._look_at_figures()
        if self._wind_clock():
            self._tell_position("notice", but=client)
        game = self.timeline.game
        client.tell(
            type="welcome",
            version=VERSION,
            game={
                "id": game.id,
                "title": game.title,
                "options": dict(game.options),
                "slots": game.dimensions.slots,
                "orders": game.orders is not None,
                "idle": game.orders is not None and game.orders.idle is not None,
                "hidden": game.secrets is not None,
                "independent": game.independent,
            },
            players=self._players(),
            watching=self._watching(),
            you=client.seat,
            seat=client.bottom,
            clock=self.turn_clock.seconds,
            **self._course(Sight(self.timeline, client.seat)),
        )
        client.send(self._position(None, client, "now"))
        self._tell_players(but=client)

    def leave(self, client: Client) -> None:
        """Forget a client that joined."""
        if client in self.clients:
            self.clients.remove(client)
            self.last_used = self._clock()
            self._wind_clock()
            self._tell_players()

    def handle(self, client: Client, message: Message) -> None:
        """Do what a client that joined asks.

        Raises:
            LudariumError: it may not; nothing has changed.
        """
        self.last_used = self._clock()
        if isinstance(message, Act):
            self._act(client, message)
        elif isinstance(message, Plan):
            self._plan(client, message)
        elif isinstance(message, TakeBack):
            self._take_back(self._player(client))
        elif isinstance(message, Resign):
            self._resign(self._player(client))
        elif isinstance(message, Look):
            last = Sight(self.timeline, client.seat).ply
            if not 0 <= message.ply <= last:
                raise ProtocolError("no_such_ply", f"the game has the positions 0 to {last}, not {str(message.ply)[:40]}")
            client.send(self._position(message.ply, client, "look"))
        elif isinstance(message, View):
            if not 0 <= message.seat < len(self.seats):
                raise ProtocolError("bad_message", f"view: the seats are 0 to {len(self.seats) - 1}, not {str(message.seat)[:40]}")
            client.bottom = message.seat
            client.send(self._position(None, client, "now"))
        else:
            raise ProtocolError("bad_message", "you have joined already; open another socket to join anew")

    def record_lines(self) -> list[str]:
        """The record as anybody may have it: while the game runs, its seed is withheld, and so is what came after the latest position that hides nothing."""
        header = self.header.as_json()
        if not self.timeline.is_over:
            header["seed"] = None
            if self.timeline.game.secrets is not None:
                header["partial"] = True
        return [as_json(line) for line in (header, *self._public.recorded(self.timeline.events))]

    def close(self, reason: str, *, come_back: bool = False) -> None:
        """Tell the clients, and whether they should come back by themselves, and dismiss the bots. The record stays as it is."""
        self.is_closed = True
        self.turn_clock.stop()
        self._bots.stop()
        for client in self.clients:
            client.tell(type="closed", reason=reason, come_back=come_back)
            client.close(1001, "closed")
        for seat in self.seats:
            if seat.thinker is not None:
                self._thinkers.dismiss(seat.thinker)

    @property
    def _public(self) -> Sight:
        """What everybody may know."""
        return Sight(self.timeline, None)

    # Turns.

    def _act(self, client: Client, message: Act) -> None:
        player = self._chooser(client, message.ply)
        state = self._seen_by(player)
        action = joined(state, player, message.orders or ()) if message.action is None else state.action(message.action, player)
        self._choose(player, action, self._clock() - self._began[player])

    def _plan(self, client: Client, message: Plan) -> None:
        """Keep orders that are not sent yet, and show them in the player's other windows."""
        player = self._chooser(client, message.ply)
        self._plans[player] = check_orders(self._seen_by(player), player, message.orders)
        for other in self.clients:
            if other.seat == player and other is not client:
                other.tell(type="plan", ply=message.ply, orders=message.orders)

    def _chooser(self, client: Client, ply: int) -> int:
        """The seat of a client that chooses in the position of a ply."""
        player = self._player(client)
        sight = Sight(self.timeline, player)
        if not self._is_current(ply, sight, player):
            raise ProtocolError("stale", f"position {str(ply)[:40]} is not the latest; the game stands at {sight.ply}")
        if player not in self._waiting_for():
            raise ProtocolError("not_your_turn", f"{self.seats[player].name} is not to move")
        return player

    def _is_current(self, ply: int, sight: Sight, player: int) -> bool:
        """Whether a player still has the choice that it had in the position of a ply: there, or where only others have acted since, independently."""
        if ply == sight.ply or not self.timeline.game.independent or not 0 <= ply < sight.ply:
            return ply == sight.ply
        return player in sight.state(ply).to_move and all(player not in sight.actions(later) for later in range(ply + 1, sight.ply + 1))

    def _seen_by(self, player: int) -> State:
        """The latest position as a player may know it."""
        return self.timeline.state.seen_by(player)

    def _choose(self, player: int, action: Action, seconds: float) -> None:
        self._asks = None
        self._plans.pop(player, None)
        self._choices[player] = (action, seconds)
        if self._waiting_for() and not self.timeline.game.independent:
            self._wind_clock()
            self._tell_position("notice")
            return
        chosen, self._choices = self._choices, {}
        self.timeline.act(
            {player: action for player, (action, _) in chosen.items()}, {player: seconds for player, (_, seconds) in chosen.items()}
        )
        self._roll_dice()
        self._begin_turn(chosen)
        self._look_at_figures()
        self._tell_position("action")

    def _begin_turn(self, acted: Iterable[int] | None = None) -> None:
        """Let those who are to move choose. Where players act independently, those who have not ``acted`` (None: all have) go on with their choice."""
        now = self._clock()
        self._bots.see()
        goes_on = set(self._began) - set(acted or self._began) if self.timeline.game.independent else set[int]()
        self._plans = {player: plan for player, plan in self._plans.items() if player in goes_on}
        self._began = {player: self._began[player] if player in goes_on else now for player in self._waiting_for()}
        self._wake_bots()
        self._wind_clock()

    def _look_at_figures(self) -> None:
        if self.clients:
            self._figures.look_at(self._public.state(max(0, self._public.open_ply)))

    def _wind_clock(self) -> bool:
        """Let the turn's clock run while there are people to wait for. Says whether it has begun to."""
        stood = self.turn_clock.left is None
        waiting = any(self.seats[player].token is not None for player in self._waiting_for())
        if waiting and self.clients and (self.timeline.ply or not self._absent):
            timeline = self.timeline
            self.turn_clock.run((self._takebacks, self._public.open_ply if timeline.game.independent else timeline.ply))
        else:
            self.turn_clock.stop()
        return stood and self.turn_clock.left is not None

    def _time_is_up(self) -> None:
        """Play what the slow have ordered so far; where doing nothing is no order, what the game plays for them, or they forfeit."""
        turn = self._public.open_ply
        for player in self._waiting_for():
            if self.seats[player].token is None:
                continue  # a bot's time is its own affair
            while self._public.open_ply == turn and player in self._waiting_for():
                action = default_action(self._seen_by(player), player, self._plans.get(player))
                if action is None:
                    reason = f"timeout: no action within {self.turn_clock.seconds:g} s"
                    self._end(lambda player=player, reason=reason: self.timeline.forfeit(player, reason))
                    return
                self._choose(player, action, self._clock() - self._began[player])

    def _roll_dice(self) -> None:
        """Let all dice fall that are to fall now; every step of them is shown."""
        while not self.timeline.is_over and self.timeline.state.to_move == (CHANCE,):
            if self.timeline.ply:
                self._tell_position("action")
            self.timeline.act({CHANCE: self.timeline.state.sample_chance(self._generator)})

    def _take_back(self, player: int) -> None:
        people = {seat.number for seat in self.seats if seat.token is not None}
        if self.timeline.game.secrets is not None:
            title = self.timeline.game.title
            raise ProtocolError("nothing_to_take_back", f"turns of {title} are not taken back: what has been seen cannot be unseen")
        if self._asks is None:
            if self._last_turn(player) is None:
                raise ProtocolError("nothing_to_take_back", f"{self.seats[player].name} has not had a turn yet")
            self._asks, self._agree = player, {player}
        self._agree.add(player)
        if self._agree == people:
            ply = self._last_turn(self._asks)
            assert ply is not None  # an action would have withdrawn the question
            self._bots.stop()
            self._choices.clear()
            self._asks = None
            self.timeline.take_back(self.timeline.ply - ply)
            self._takebacks += 1
            self._begin_turn()
            self._tell_position("takeback")
        else:
            self._tell_position("notice")

    def _last_turn(self, player: int) -> int | None:
        """The latest earlier position in which a player chose."""
        steps = self.timeline.steps
        return next((ply - 1 for ply in range(len(steps) - 1, 0, -1) if player in steps[ply].actions), None)

    def _resign(self, player: int) -> None:
        self._end(lambda: self.timeline.resign(player))

    def _end(self, act: Callable[[], None]) -> None:
        act()
        self._bots.stop()
        self.turn_clock.stop()
        self._choices.clear()
        self._asks = None
        self._tell_position("end")

    def _waiting_for(self) -> list[int]:
        """Players who still have to choose in the latest position."""
        if self.timeline.is_over:
            return []
        return [player for player in self.timeline.state.to_move if player not in self._choices and player != CHANCE]

    # Bots.

    def _wake_bots(self) -> None:
        """Let every bot think that is to move and does not think yet."""
        if self.clients:
            for player in self._waiting_for():
                thinker = self.seats[player].thinker
                if thinker is not None:
                    self._bots.wake(player, thinker, self.timeline.state, self._settle)

    def _settle(self, player: int, answer: Answer, seconds: float) -> None:
        """Play what a bot has answered."""
        self.last_used = self._clock()
        if isinstance(answer, PlayerFailed):
            self._end(lambda: self.timeline.forfeit(player, str(answer)))
        else:
            self._choose(player, answer, seconds)

    # What clients are told.

    def _player(self, client: Client) -> int:
        """The seat of a client that asks for something that only a player of a running game may."""
        if client.seat is None:
            raise ProtocolError("not_your_turn", "you are watching; only the players act")
        if self.timeline.outcome is not None:
            raise ProtocolError("game_over", f"the game is over: {self.timeline.outcome.reason}")
        return client.seat

    def _players(self) -> list[dict[str, Any]]:
        return players_json(self.seats, {client.seat for client in self.clients})

    def _course(self, sight: Sight) -> dict[str, Any]:
        """What a client that joins is told of the course of the game: its moves, and its measures in every position."""
        return {"moves": [sight.step_text(ply) for ply in range(1, sight.ply + 1)], "measures": measures_so_far(sight)}

    def _watching(self) -> int:
        return sum(client.seat is None for client in self.clients)

    def _tell_players(self, but: Client | None = None) -> None:
        text = as_json({"type": "players", "players": self._players(), "watching": self._watching()})
        for client in self.clients:
            if client is not but:
                client.send(text)

    def _tell_position(self, occasion: str, but: Client | None = None) -> None:
        made: dict[tuple[int | None, int], str] = {}
        for client in self.clients:
            if client is but or (occasion == "action" and not Sight(self.timeline, client.seat).sees_latest):
                continue
            key = (client.seat, client.bottom)
            if key not in made:
                made[key] = self._position(None, client, occasion)
            client.send(made[key])

    def _position(self, ply: int | None, client: Client, occasion: str) -> str:
        """What a client is told of a position; None: of the latest one."""
        timeline = self.timeline
        sight = Sight(timeline, client.seat)
        latest = ply in (None, sight.ply)
        ply = sight.ply if ply is None else ply
        now: tuple[Any, ...] = (self.id, self._takebacks, ply)
        if timeline.game.secrets is not None:
            now = (*now, client.seat, -1 if sight.is_open(ply) else timeline.ply)
        waiting = self._waiting_for() if latest else []
        changing = {
            "latest": latest,
            "length": sight.ply,
            "to_move": waiting,
            "chosen": sorted(self._choices) if latest else [],
            "clock": self._clock_left() if latest else None,
            "figures": self._figures.found if latest else {},
            "thinking": self._bots.thinking if latest else [],
            "outcome": asdict(timeline.outcome) if latest and timeline.outcome else None,
            "takeback": self._asks,
            "occasion": occasion,
        }
        fixed = self._renderings.get((*now, client.bottom), lambda: position_json(sight, ply, client.bottom))
        actions = orders = "[]"
        if client.seat is not None and client.seat in waiting:
            seat = client.seat
            if timeline.game.orders is not None:
                orders = self._renderings.get((*now, "orders", seat), lambda: orders_json(sight))
                changing["plan"] = self._plans.get(seat)
            else:
                actions = self._renderings.get((*now, "actions", seat), lambda: actions_json(sight))
        return f'{fixed},"actions":{actions},"orders":{orders},{as_json(changing)[1:]}'

    def _clock_left(self) -> dict[str, float] | None:
        left = self.turn_clock.left
        return None if left is None or self.turn_clock.seconds is None else {"seconds": self.turn_clock.seconds, "left": round(left, 2)}
