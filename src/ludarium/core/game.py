"""The Python face of a game: :class:`Game`, :class:`State`, :class:`Action`, :class:`Event`, :class:`Outcome`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from ludarium.errors import BadNotation, IllegalAction

from . import faces
from .options import Option, check_options
from .presenting import Event, Presented
from .random import generator_from
from .rules import CHANCE

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["Action", "Event", "Game", "Outcome", "State"]

WATCHER = -1
"""The player number of somebody who only watches, for the rules about what is hidden."""

LONGEST_TEXT = 1_000_000
"""The most characters of a position's text that are read; the largest maps' positions have a few hundred thousand."""


@dataclass(frozen=True, slots=True)
class Action:
    """A choice of a player, or an outcome of chance.

    ``index`` is a small integer, or a tuple of small integers where a player gives a vector of orders; ``text`` is its notation.
    """

    index: int | tuple[int, ...]
    text: str

    def __str__(self) -> str:
        return self.text


Choice = Action | str | int | tuple[int, ...]
"""How an action is given: as it is, as its notation, or as its index."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: every player's return in [−1, 1], the winner (None: a draw) and the reason in words."""

    returns: tuple[float, ...]
    winner: int | None
    reason: str


class Game(Presented, ABC):
    """A game with its options chosen. Equal games have the same class and options; games are hashable and can be pickled.

    A game is a subclass in a package of its own that implements the functions of :mod:`ludarium.core.rules` for the class of ``tables`` and sets
    the class attributes below. See "Write a game" in the documentation.
    """

    id: ClassVar[str]
    """What people type: lower case, words joined by hyphens."""
    title: ClassVar[str]
    summary: ClassVar[str]
    """One sentence for lists and the lobby."""
    how_to_play: ClassVar[tuple[str, ...]] = ()
    """The rules for somebody who has never seen the game: what it takes to win, what one may do on a turn; a short paragraph each."""
    version: ClassVar[int]
    """The behaviour version, stored in records; it rises when the rules' behaviour changes."""
    option_list: ClassVar[tuple[Option, ...]] = ()
    dtype: ClassVar[np.dtype[Any]]
    """Structured dtype of a state: ``np.dtype((np.record, fields))``."""
    player_names: tuple[str, ...]
    """One name a player, in order of their numbers."""
    max_actions: int
    """The most legal actions that one player can have in one slot."""
    action_space: int
    """Every action's index is below this."""
    slots: int = 1
    """How many orders a player gives at once."""
    max_outcomes: int = 0
    """The most outcomes that a chance node can have; 0: no chance in this game."""
    observation_shape: tuple[int, ...]
    hidden_information: bool = False
    """Whether there is anything that some player may not know."""
    independent: bool = False
    """Whether some of those who are to move may act before the others do, in any order with the same result."""

    flips: ClassVar[bool] = False
    """Whether drawings depend on who sits at the bottom."""

    def __init__(self, /, **options: Any) -> None:
        self.options: Mapping[str, Any] = MappingProxyType(check_options(self.option_list, options, self.id))
        self.tables: Any = faces.normalised(self.make_tables())
        faces.check_implemented(self.tables, chance=self.max_outcomes > 0, hidden=self.hidden_information)
        initial = np.zeros(1, self.dtype)
        self.write_initial(initial[0])
        self._initial = initial

    @abstractmethod
    def make_tables(self) -> Any:
        """The ``NamedTuple`` of what never changes during a game with these options."""

    @abstractmethod
    def write_initial(self, record: Any) -> None:
        """Write the initial position into a zeroed record."""

    @abstractmethod
    def action_text(self, state: State, player: int, action: Any) -> str:
        """The notation of a player's action index (of an outcome of chance when player is ``CHANCE``)."""

    def order_text(self, state: State, player: int, slot: int, order: int) -> str:
        """The notation of one of the orders that a player gives at once; where a player gives one, that of the action."""
        return self.action_text(state, player, order)

    @abstractmethod
    def action_index(self, state: State, player: int, text: str) -> int | tuple[int, ...]:
        """The index that a notation names. It may be illegal in the state.

        Raises:
            BadNotation: the text is no action of this game.
            IllegalAction: it is illegal, and the game has more to say about that than that it is.
        """

    @abstractmethod
    def state_text(self, state: State) -> str:
        """The position in one line."""

    @abstractmethod
    def write_parsed(self, text: str, record: Any) -> None:
        """Write the position that one line describes into a zeroed record.

        Raises:
            BadNotation: not a position of this game; the message says what is wrong and where.
        """

    @abstractmethod
    def reason(self, state: State) -> str:
        """Why a finished game ended, in words: ``Black has no tokens left``."""

    @abstractmethod
    def svg(self, state: State, *, size: int = 480, last: Action | None = None, seat: int = 0) -> str:
        """A drawing, ``size`` pixels wide: ``last`` is the action to mark, ``seat`` the player who sits at the bottom.

        Elements that can be picked carry ``data-pick`` and ``aria-label``. What stands on one and can move is a child with ``data-piece``.
        """

    @abstractmethod
    def board(self, state: State, *, last: Action | None = None, seat: int = 0) -> Text:
        """A drawing for terminals. Its plain text alone (``str(state)``) tells everything."""

    def facts(self, state: State) -> tuple[str, ...]:
        """What a player wants to read beside the board: ``Turn 12 of 500``."""
        return ()

    def picks(self, state: State, action: Action) -> tuple[str, ...]:
        """The path of picks that leads to an action on a page: things to point at, in order."""
        return (action.text,)

    def effects(self, state: State, action: Action) -> tuple[tuple[str, ...], ...]:
        """What an action does to things far from it, wave by wave, as picks: a chain of explosions."""
        return ()

    def without_limits(self) -> Any:
        """Tables of the same game without its limits on length and repetition, for counting (perft)."""
        return self.tables

    @property
    def players(self) -> int:
        return len(self.player_names)

    def start(self, seed: int | None = None) -> State:
        """The initial state. With a seed, chance that comes before the first decision (a deal) is drawn from it."""
        state = State(self, self._initial.copy())
        if seed is not None:
            generator = generator_from(seed)
            while state.to_move == (CHANCE,):
                state = state.play(state.sample_chance(generator))
        return state

    def parse(self, text: str) -> State:
        """The state of a one-line notation; its history starts here.

        Raises:
            BadNotation: not a position of this game.
        """
        if len(text) > LONGEST_TEXT or "\n" in text.strip():
            raise BadNotation(f"a position of {self.title} is one line of at most {LONGEST_TEXT:,} characters")
        records = np.zeros(1, self.dtype)
        self.write_parsed(text.strip(), records[0])
        return State(self, records)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Game) and self.options == other.options

    def __hash__(self) -> int:
        return hash((type(self), tuple(self.options.items())))

    def __repr__(self) -> str:
        arguments = [repr(self.id), *(f"{name}={value!r}" for name, value in self.options.items())]
        return f"ludarium.game({', '.join(arguments)})"

    def __reduce__(self) -> Any:
        return _restore_game, (type(self), dict(self.options))


class State:
    """A position with its history: an immutable value. ``==`` and ``hash`` include the history; states can be pickled."""

    __slots__ = ("_records", "game")

    def __init__(self, game: Game, records: np.ndarray[Any, Any]) -> None:
        """Wrap ``records`` (shape ``(1,)``, of the game's dtype), which nobody else may change from now on."""
        self.game = game
        # Another layout would have every kernel compiled anew.
        self._records = records if records.flags.carray else np.array(records, order="C")

    @property
    def record(self) -> Any:
        """The state's fields by name, read-only: ``state.record.board``."""
        view = self._records.view()
        view.flags.writeable = False
        return view[0]

    def copy_records(self) -> np.ndarray[Any, Any]:
        """A writable copy (shape ``(1,)``) for compiled code."""
        return self._records.copy()

    @property
    def to_move(self) -> tuple[int, ...]:
        """Players who act now (several: together), ``(CHANCE,)`` at dice, ``()`` when the game is over."""
        mask = faces.to_move_face(self.game.tables, self._records)
        if mask == CHANCE:
            return (CHANCE,)
        return tuple(player for player in range(self.game.players) if mask >> player & 1)

    @property
    def is_over(self) -> bool:
        return not self.to_move

    @property
    def returns(self) -> tuple[float, ...]:
        """Every player's return in [−1, 1]; zeros while the game runs."""
        out = np.zeros(self.game.players)
        faces.returns_face(self.game.tables, self._records, out)
        return tuple(out.tolist())

    @property
    def winner(self) -> int | None:
        """The only player with the best return of a finished game; None in a draw and while the game runs."""
        values = self.returns
        best = max(values)
        return values.index(best) if best > 0 and values.count(best) == 1 else None

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it runs."""
        return Outcome(self.returns, self.winner, self.game.reason(self)) if self.is_over else None

    def actions(self, player: int | None = None, slot: int = 0) -> tuple[Action, ...]:
        """Legal actions in a fixed order; at dice, what can fall.

        Args:
            player: may be left out when one player is to move.
            slot: which order, where a player gives several at once.

        Raises:
            IllegalAction: no player is named and several act together, or there is no such player.
        """
        movers = self.to_move
        if movers == (CHANCE,):
            return tuple(action for action, _ in self.outcomes())
        if player is None:
            if len(movers) > 1:
                raise IllegalAction(f"players {movers} act together: name one")
            if not movers:
                return ()
            player = movers[0]
        elif player not in range(self.game.players):
            raise IllegalAction(f"there is no player {player}; players are 0 to {self.game.players - 1}")
        if player not in movers:
            return ()
        return tuple(Action(index, self.game.order_text(self, player, slot, index)) for index in self._legal(player, slot))

    def _legal(self, player: int, slot: int) -> list[int]:
        out = np.zeros(self.game.max_actions, np.int64)
        count = faces.legal_actions_face(self.game.tables, self._records, player, slot, out)
        return out[:count].tolist()

    def outcomes(self) -> list[tuple[Action, float]]:
        """At dice: every outcome and its probability, summing to 1. Empty elsewhere."""
        if self.to_move != (CHANCE,):
            return []
        return [
            (Action(outcome, self.game.action_text(self, CHANCE, outcome)), probability)
            for outcome, probability in zip(*self._outcomes(), strict=True)
        ]

    def _outcomes(self) -> tuple[list[int], list[float]]:
        found = np.zeros(self.game.max_outcomes, np.int64)
        probabilities = np.zeros(self.game.max_outcomes)
        count = faces.chance_outcomes_face(self.game.tables, self._records, found, probabilities)
        return found[:count].tolist(), probabilities[:count].tolist()

    def sample_chance(self, generator: np.ndarray[Any, Any]) -> Action:
        """At dice: an outcome drawn with a generator (``uint64[1]``, which advances)."""
        if self.to_move != (CHANCE,):
            raise IllegalAction("no dice are to fall in this state")
        outcome = int(faces.sample_chance_face(self.game.tables, self._records, generator))
        return Action(outcome, self.game.action_text(self, CHANCE, outcome))

    def action(self, choice: Choice, player: int | None = None) -> Action:
        """The legal action that a notation, an index or an Action names.

        Raises:
            BadNotation: a text that is no action of this game.
            IllegalAction: it is not legal here, or the game is over.
        """
        movers = self.to_move
        if len(movers) == 0:
            raise IllegalAction(f"'{choice}': the game is over ({self.game.reason(self)})")
        if player is None:
            if len(movers) > 1:
                raise IllegalAction(f"players {movers} act together: say who chose '{choice}'")
            player = movers[0]
        if player not in movers:
            raise IllegalAction(f"'{choice}': player {player} is not to move")
        index = self.game.action_index(self, player, choice) if isinstance(choice, str) else choice
        index = index.index if isinstance(index, Action) else index
        if not self._is_legal(player, index):
            text = choice if isinstance(choice, str | Action) else f"action {choice}"
            raise IllegalAction(f"'{text}' is not legal here; {self._name(player)} is to move")
        index = tuple(int(order) for order in index) if isinstance(index, tuple) else int(index)
        return Action(index, self.game.action_text(self, player, index))

    def _name(self, player: int) -> str:
        return "chance" if player == CHANCE else self.game.player_names[player]

    def _is_legal(self, player: int, index: Any) -> bool:
        if player == CHANCE:
            return index in self._outcomes()[0]
        orders: tuple[Any, ...] = cast("tuple[Any, ...]", index) if isinstance(index, tuple) else (index,)
        if len(orders) != self.game.slots:
            return False
        return all(
            isinstance(order, int | np.integer) and not isinstance(order, bool) and order in self._legal(player, slot)
            for slot, order in enumerate(orders)
        )

    def play(self, action: Choice | Mapping[int, Choice]) -> State:
        """The state after an action: a notation, an Action or an index; ``{player: action, …}`` where players act together.

        Where players act independently, the choices of some of them are enough.

        Raises:
            BadNotation: a text that is no action of this game.
            IllegalAction: it is not legal here, a player's choice is missing, or the game is over.
        """
        chosen = self._chosen(action)
        records = self.copy_records()
        if self.to_move == (CHANCE,):
            faces.apply_chance_face(self.game.tables, records, chosen[CHANCE].index)
            return State(self.game, records)
        joint = np.full((self.game.players, self.game.slots), -1, np.int64)
        for player, choice in chosen.items():
            joint[player] = choice.index
        faces.apply_actions_face(self.game.tables, records, joint)
        return State(self.game, records)

    def events(self, action: Choice | Mapping[int, Choice]) -> tuple[Event, ...]:
        """What happens, step by step, when an action is played: what :meth:`play` takes, and what everybody may know of it.

        Raises:
            BadNotation, IllegalAction: as :meth:`play`.
        """
        return self.game.events(self, self._chosen(action))

    def _chosen(self, action: Choice | Mapping[int, Choice]) -> dict[int, Action]:
        """Actions by player, checked."""
        movers = self.to_move
        if isinstance(action, Mapping):
            chosen = {player: self.action(choice, player) for player, choice in action.items()}
        else:
            chosen = dict.fromkeys(movers[:1], self.action(action))
        if set(chosen) != set(movers) and not (chosen and self.game.independent):
            raise IllegalAction(f"players {movers} act now, but choices came from {tuple(chosen)}")
        return chosen

    @property
    def text(self) -> str:
        """The position in one line; ``game.parse`` reads it."""
        return self.game.state_text(self)

    def observation(self, player: int) -> np.ndarray[Any, Any]:
        """What a player may know: ``float32`` of the game's ``observation_shape``."""
        self._viewer(player)
        out = np.zeros(self.game.observation_shape, np.float32)
        faces.observe_face(self.game.tables, self._records, player, out)
        return out

    def seen_by(self, player: int | None) -> State:
        """What a player may know of this state, the rest blanked; None: what somebody who only watches may know.

        Raises:
            IllegalAction: there is no such player.
        """
        number = self._viewer(player)
        if not self.game.hidden_information:
            return self
        records = self.copy_records()
        faces.conceal_face(self.game.tables, records, number)
        return State(self.game, records)

    @property
    def is_public(self) -> bool:
        """Whether nothing is hidden from anybody: in this state, or in the one that this is somebody's sight of."""
        if not self.game.hidden_information:
            return True
        # A watcher's sight of a state is all that a watcher may know; what is blanked in it is told by a draw that fills it.
        return self.seen_by(None) == self == self.resample(None, np.zeros(1, np.uint64))

    def resample(self, player: int | None, generator: np.ndarray[Any, Any]) -> State:
        """A state that could be the true one for all that a player knows (None: somebody who only watches), drawn with a generator.

        What is hidden in this state has no part in it: :meth:`seen_by` that player, it gives the same.

        Raises:
            IllegalAction: there is no such player.
        """
        number = self._viewer(player)
        if not self.game.hidden_information:
            return self
        records = self.copy_records()
        faces.resample_hidden_face(self.game.tables, records, number, generator)
        return State(self.game, records)

    def _viewer(self, player: int | None) -> int:
        if player is None:
            return WATCHER
        if player not in range(self.game.players):
            raise IllegalAction(f"there is no player {player}; players are 0 to {self.game.players - 1}")
        return player

    def svg(self, *, size: int = 480, last: Action | None = None, seat: int = 0) -> str:
        """A drawing, ``size`` pixels wide, with ``last`` marked and player ``seat`` at the bottom."""
        return self.game.svg(self, size=size, last=last, seat=seat)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self.game.board(self).plain

    def __repr__(self) -> str:
        return f"<{self.game.title}: {self.text}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.game == other.game and self._records.tobytes() == other._records.tobytes()

    def __hash__(self) -> int:
        return hash((self.game.id, self._records.tobytes()))

    def __reduce__(self) -> Any:
        return _restore_state, (self.game, self._records.tobytes())


def _restore_game(game_class: type[Game], options: dict[str, Any]) -> Game:
    return game_class(**options)


def _restore_state(game: Game, data: bytes) -> State:
    return State(game, np.frombuffer(data, game.dtype).copy())
