"""A game as it happens: one stream of events, from which records, pages and replays are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ludarium.errors import IllegalAction, LudariumError

from .course import Course, Step
from .game import Action, Choice, Outcome, State
from .leaving import LEAVING, RESIGNED, defaults, outcome_with
from .rules import CHANCE
from .whole_numbers import whole_number

Event = dict[str, Any]
"""A JSON object with the key ``event``: start, action, chance, takeback, out, resign, forfeit, adjudication or end. See "Records" in the documentation."""


UNPACKED = 4
"""Latest steps that a packed timeline keeps unpacked."""


class _Acted(NamedTuple):
    """An action or an outcome of chance, whose words are written when somebody reads them; so are those of a start, which is kept as a state."""

    actions: Mapping[int, Action]
    seconds: Mapping[int, float]


def _as_event(happened: _Acted | State) -> Event:
    if isinstance(happened, State):
        return {"event": "start", "position": happened.text}
    actions, seconds = happened
    event = recorded_actions({player: action.text for player, action in actions.items()})
    if seconds:
        event["seconds"] = {str(player): round(taken, 3) for player, taken in sorted(seconds.items())}
    return event


def recorded_actions(texts: Mapping[int, str | None]) -> Event:
    """What was chosen, by player, or an outcome of chance; null where only that is known."""
    if CHANCE in texts:
        return {"event": "chance", "outcome": texts[CHANCE]}
    return {"event": "action", "actions": {str(player): text for player, text in texts.items()}}


class Timeline(Course):
    """The course of one game: its states so far, and its outcome once it has ended.

    Every change goes through a method, which checks it and then tells every listener the event. A listener that is added gets the events so far first.
    Copies, pickled ones included, have no listeners.
    """

    def __init__(self, start: State, opening: Sequence[Step] = ()) -> None:
        self.opening = () if start.game.secrets else opening
        self.steps = self._steps = [Step(start, {})]
        self._events: list[Event | _Acted | State] = [start]
        self._listeners: list[Callable[[Event], None]] = []
        self.forfeits: dict[int, str] = {}
        """The players who lost by their own conduct, with the reasons."""
        self.thinking: dict[int, tuple[int, float]] = {}
        """By player the number of actions whose time is known, and the seconds that they took together."""
        self.out: Mapping[int, int] = {}
        self.has_begun = False
        """True once every program in the game has started."""
        self._unpacked: int | None = None
        self._end_if_over()

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_listeners": []}

    @property
    def events(self) -> list[Event]:
        """Everything that has happened; nobody changes it."""
        events = [event if isinstance(event, dict) else _as_event(event) for event in self._events]
        self._events[:] = events  # each is written once
        return events

    def listen(self, listener: Callable[[Event], None], known: int = 0) -> None:
        """Tell a listener of every event, but for as many of the first as it knows already."""
        for event in self.events[known:]:
            listener(event)
        self._listeners.append(listener)

    def pack(self, latest: int = UNPACKED) -> None:
        """Pack all steps except the ``latest`` ones, now and after each action, to hold many games in little memory."""
        self._unpacked = latest
        for step in self._steps[:-latest]:
            step.pack()

    def act(self, actions: Mapping[int, Choice], seconds: Mapping[int, float] | None = None) -> State:
        """Play what the players to move chose (some of them, where they act independently), with the seconds that each took if they are known.

        For players who have left, their defaults are played.

        Raises:
            IllegalAction, BadNotation: nothing has changed.
        """
        self._refuse_when_over()
        if gone := self.out.keys() & actions.keys():
            raise IllegalAction(f"{self.game.player_names[min(gone)]} has left the game")
        self._act({**actions, **defaults(self.state, self.out, self.ply)}, seconds)
        self.play_for_those_out()
        return self.state

    def play_for_those_out(self) -> None:
        """Play for players who have left, as long as only such players are to move. Needed only after :meth:`apply`."""
        while not self.is_over and not self.to_move:
            self._act(defaults(self.state, self.out, self.ply))

    def _act(self, actions: Mapping[int, Choice], seconds: Mapping[int, float] | None = None) -> None:
        self._refuse_when_over()
        before = self.state
        chosen = before.chosen(actions)
        if len(chosen) > 1:
            chosen = dict(sorted(chosen.items()))
        after = before.after(chosen)
        self._steps.append(Step(after, chosen))
        for player, taken in (seconds or {}).items():
            count, total = self.thinking.get(player, (0, 0.0))
            self.thinking[player] = (count + 1, total + taken)
        self._tell(_Acted(chosen, seconds or {}))
        if self._unpacked is not None and len(self._steps) > self._unpacked:
            self._steps[-1 - self._unpacked].pack()
        self._end_if_over()

    def take_back(self, plies: int) -> State:
        """Return to the state before the last ``plies`` steps.

        Raises:
            IllegalAction: there are not so many, the game has ended, a player has left since, or the game hides things: what has been seen cannot be unseen.
        """
        self._refuse_when_over()
        if self.game.secrets is not None:
            raise IllegalAction(f"turns of {self.game.title} are not taken back: what has been seen cannot be unseen")
        if not 1 <= plies <= self.ply:
            raise IllegalAction(f"{plies} turns cannot be taken back: {self.ply} have been played")
        if any(left > self.ply - plies for left in self.out.values()):
            raise IllegalAction(f"{plies} turns cannot be taken back: a player has left since")
        del self._steps[-plies:]
        self._steps[-1] = Step(self.state, self._steps[-1].actions)  # the latest state is one object
        self._tell({"event": "takeback", "plies": plies})
        return self.state

    def resign(self, player: int) -> None:
        """End a game for one or two as that player's loss. In others the player leaves, and the others play on."""
        self._lose_or_leave(player, RESIGNED)

    def forfeit(self, player: int, reason: str) -> None:
        """Do as :meth:`resign`, for the player's conduct: ``timeout: …``, ``crash: …``, ``illegal action: …``."""
        self._lose_or_leave(player, reason)

    def _lose_or_leave(self, player: int, reason: str) -> None:
        if self.game.players > 2:
            self.leave({player: reason})
        elif reason == RESIGNED:
            self._lose({"event": "resign", "player": player})
        else:
            self._lose({"event": "forfeit", "player": player, "reason": reason})

    def leave(self, reasons: Mapping[int, str]) -> None:
        """Let players leave a game for three or more at the same time. They share a place, and the others play on if at least two stay.

        Args:
            reasons: why, by player: ``RESIGNED``, or what a forfeit is for.

        Raises:
            IllegalAction: no player or an unknown one, one who has left already, a game for two, or one that is over; nothing has changed.
        """
        self._leave(reasons)
        self.play_for_those_out()

    def _leave(self, reasons: Mapping[int, str]) -> None:
        self._refuse_when_over()
        game, state = self.game, self.state
        if not reasons:
            raise IllegalAction("no player leaves; name at least one")
        if game.players < 3:
            raise IllegalAction(f"players of {game.title} with {game.players} seats lose the game when they leave it")
        for player in reasons:
            self._check_player(player)
            if player in self.out:
                raise IllegalAction(f"{game.player_names[player]} has left already")
        for player in reasons:
            state = state.without(player)
        self.out = {**self.out, **dict.fromkeys(reasons, self.ply + 1)}
        self.forfeits |= {player: reason for player, reason in reasons.items() if reason != RESIGNED}
        self._steps.append(Step(state, {player: Action(LEAVING, reason) for player, reason in sorted(reasons.items())}))
        self._tell({"event": "out", "players": {str(player): reason for player, reason in sorted(reasons.items())}})
        if game.players - len(self.out) < 2:
            self._end(outcome_with(game, self.out, None))
        else:
            self._end_if_over()

    def _check_player(self, player: int) -> None:
        if player not in range(self.game.players):
            raise IllegalAction(f"unknown player {player}; players are 0 to {self.game.players - 1}")

    def _lose(self, event: Event) -> None:
        """End the game as a player's loss: in games for one or two, and in all games of records from before 0.1.0."""
        self._refuse_when_over()
        player, reason, seats = event["player"], event.get("reason"), range(self.game.players)
        self._check_player(player)
        if reason is not None:
            self.forfeits[player] = reason
        what = RESIGNED if reason is None else f"forfeited ({reason})"
        self._tell(event)
        others = len(seats) - 1
        returns = tuple(-1.0 if seat == player else 1.0 / others for seat in seats)
        self._end(Outcome(returns, 1 - player if others == 1 else None, f"{self.game.player_names[player]} {what}"))

    def draw(self, reason: str) -> None:
        """End the game as a draw of all players who have not left."""
        level = Outcome((0.0,) * self.game.players, None, "")
        self.adjudicate((outcome_with(self.game, self.out, level) if self.out else level).returns, reason)

    def adjudicate(self, returns: Sequence[float], reason: str) -> None:
        """End the game as somebody outside of it decides: ``a draw after 200 plies``.

        Raises:
            IllegalAction: these are no returns of this game.
        """
        self._refuse_when_over()
        values = [float(value) for value in returns]
        if len(values) != self.game.players or not all(-1 <= value <= 1 for value in values) or (len(values) == 2 and sum(values)):
            raise IllegalAction(
                f"{list(returns)} are no returns: they are from -1 to 1, one for each of {self.game.players} players, and of two sum to 0"
            )
        self._tell({"event": "adjudication", "returns": values, "reason": reason})
        best = max(values)
        winner = values.index(best) if best > 0 and values.count(best) == 1 else None
        self._end(Outcome(tuple(values), winner, f"adjudicated: {reason}"))

    def apply(self, event: Event) -> None:
        """Repeat a recorded event.

        Raises:
            LudariumError: it is no event of this format, or the rules disagree with it; the message says how.
        """
        try:
            self._apply(event)
        except LudariumError:
            raise
        except (KeyError, TypeError, AttributeError, ValueError):
            raise IllegalAction(f"not an event of a game record: {str(event)[:120]}") from None

    def _apply(self, event: Event) -> None:
        kind = event["event"]
        if kind == "action":
            seconds = {_whole(player): _seconds(taken) for player, taken in event.get("seconds", {}).items()}
            self._act({_whole(player): _text(action) for player, action in event["actions"].items()}, seconds)
        elif kind == "chance":
            self._act({CHANCE: _text(event["outcome"])})
        elif kind == "out":
            self._leave({_whole(player): _text(reason) for player, reason in event["players"].items()})
        elif kind == "takeback":
            self.take_back(_whole(event["plies"]))
        elif kind == "resign":
            self._lose({"event": kind, "player": _whole(event["player"])})
        elif kind == "forfeit":
            self._lose({"event": kind, "player": _whole(event["player"]), "reason": _text(event["reason"])})
        elif kind == "adjudication":
            self.adjudicate([_return(value) for value in event["returns"]], _text(event["reason"]))
        elif kind == "end":
            self._confirm_end(event)
        else:
            raise IllegalAction(f"'{kind}' is no event after the start")

    def _confirm_end(self, event: Event) -> None:
        if self.outcome is None:
            raise IllegalAction("the record says that the game is over, the rules say that it is not")
        expected = self.events[-1]
        if {**event, "reason": ""} != {**expected, "reason": ""}:
            raise IllegalAction(f"the record's result {event.get('returns')} is not the rules' {expected['returns']}")

    def _end_if_over(self) -> None:
        outcome = self.state.outcome
        if outcome is not None:
            self._end(outcome_with(self.game, self.out, outcome) if self.out else outcome)

    def _end(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self._tell({"event": "end", "returns": list(outcome.returns), "reason": outcome.reason})

    def _refuse_when_over(self) -> None:
        if self.outcome is not None:
            raise IllegalAction(f"the game is over: {self.outcome.reason}")

    def _tell(self, event: Event | _Acted) -> None:
        self._events.append(event)
        if self._listeners:
            told = self._events[-1] = event if isinstance(event, dict) else _as_event(event)
            for listener in self._listeners:
                listener(told)


def _whole(value: Any) -> int:
    """A whole number of a record, which as a key is a text."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    if (number := whole_number(value)) is None:
        raise TypeError
    return number


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _return(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    return float(value)


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e9:
        raise TypeError
    return float(value)
