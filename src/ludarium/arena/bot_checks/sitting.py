"""One game of the bot that is checked, against players who choose at random."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ludarium.arena.clocks import Clocks, TimeControl
from ludarium.core.game import Action, Game, State
from ludarium.core.sight import Sight
from ludarium.core.timeline import Timeline
from ludarium.errors import PlayerTimeout
from ludarium.players import TimeLeft
from ludarium.players.programs import messages
from ludarium.testing.random_games import random_choice, random_step

from .candidate import Fault

MOST_GAMES, MOST_TURNS = 40, 1500
"""How many games of random players are looked through for a situation, and how many turns of theirs."""

Message = dict[str, Any]


@dataclass(frozen=True)
class Turn:
    """A turn that the bot has had."""

    state: State
    seat: int
    message: Message
    action: Action
    before: Turn | None
    """Its turn before, in the same game."""

    @property
    def start(self) -> Start:
        """A game that begins with this turn."""
        return Start(self.state, self.seat)

    @property
    def choices(self) -> list[int]:
        """Among how many actions it could choose, for each order."""
        return [len(self.state.legal(self.seat, slot)) for slot in range(self.state.game.dimensions.slots)]

    @property
    def actors(self) -> list[set[str]]:
        """Who acted in each step that it was told of."""
        return [set(event.get("actions", ("chance",))) for event in self.message["events"]]

    @property
    def is_told_of_hidden_steps(self) -> bool:
        return any(None in event.get("actions", {}).values() or event.get("outcome", "") is None for event in self.message["events"])

    @property
    def is_told_again(self) -> bool:
        """Whether it is told of steps of which it has been told before."""
        return self.before is not None and self.message["from"] <= self.before.message["ply"]


@dataclass(frozen=True)
class Start:
    """Where a game begins, and who the bot is."""

    state: State
    seat: int


class Sitter(Protocol):
    """Who sits at the board: the bot, or who stands in for it."""

    @property
    def send(self) -> Collection[str]: ...

    def tell(self, message: Message) -> None: ...

    def turn(self, message: Message, state: State, seat: int, time_left: TimeLeft | None) -> tuple[Action, float]:
        """Its action, and the seconds that it took."""
        ...


class StandIn:
    """Chooses at random."""

    send = frozenset[str]()

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def tell(self, message: Message) -> None:
        pass

    def turn(self, message: Message, state: State, seat: int, time_left: TimeLeft | None) -> tuple[Action, float]:
        return state.action(random_choice(state, seat, self._chance), seat), 0.0


class Sitting:
    """A game."""

    def __init__(
        self,
        sitter: Sitter,
        start: State,
        seat: int,
        seed: int,
        *,
        controls: Sequence[TimeControl] = (),
        alter: Callable[[Message], Message] = dict,
    ) -> None:
        """Begin it.

        Args:
            controls: the players' clocks; none: no clock runs.
            alter: what is done to each message before it is sent.
        """
        self._sitter, self.seat, self._alter = sitter, seat, alter
        self._chance = random.Random(seed)
        self.timeline = Timeline(start)
        sight = Sight(self.timeline, seat)
        self._news = messages.News(sight)
        self._clocks = Clocks(controls) if controls else None
        self._before: Turn | None = None
        self.last = alter(messages.new_game(sight.state(0), seat, self._chance.getrandbits(64)))
        """The last message."""
        sitter.tell(self.last)

    def next_turn(self) -> Turn | None:
        """Go on until the bot has had its next turn; None: the game ended before."""
        while not self.timeline.is_over:
            state = self.timeline.state
            step = random_step(state, self._chance)
            if self.seat in step:
                self._before = self._ask(state)
                step[self.seat] = self._before.action.index
            self.timeline.act(step)
            if self.seat in step:
                return self._before
        return None

    def _ask(self, state: State) -> Turn:
        seen = state.seen_by(self.seat)
        time_left = self._clocks and self._clocks.time_left(self.seat)
        self.last = self._alter(messages.turn(seen, self.seat, self._news, time_left, self._sitter.send))
        action, seconds = self._sitter.turn(self.last, seen, self.seat, time_left)
        if self._clocks is not None:
            try:
                self._clocks.charge(self.seat, seconds)
            except PlayerTimeout as problem:
                raise Fault(str(problem), right="an answer before the time is up", asked=self.last) from None
        return Turn(state, self.seat, self.last, action, self._before)

    def play(self, turns: int) -> int:
        """So many turns of the bot, or as many as it has; their number."""
        return next((number for number in range(turns) if self.next_turn() is None), turns)

    def end(self) -> None:
        """Tell the result. If the game is not over, somebody else gives up."""
        if not self.timeline.is_over:
            self.timeline.resign((self.seat + 1) % self.timeline.game.players)
        assert self.timeline.outcome is not None
        self.last = self._alter(messages.result(self.timeline.outcome, self._news))
        self._sitter.tell(self.last)


def random_games(game: Game) -> Iterator[tuple[list[Turn], bool]]:
    """Games between random players: the turns of one of them, each seat's in turn, and whether the game was played to its end. Each time the same ones."""
    left = MOST_TURNS
    for number in range(MOST_GAMES):
        sitting = Sitting(StandIn(number), game.start(), number % game.players, number)
        turns: list[Turn] = []
        while len(turns) < left and (turn := sitting.next_turn()) is not None:
            turns.append(turn)
        left -= len(turns)
        yield turns, sitting.timeline.is_over
        if not left:
            return
