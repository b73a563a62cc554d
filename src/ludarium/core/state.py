"""The Python face of a position: :class:`State`, an immutable value, and what is done and happens in it."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeGuard, cast

import numpy as np
from typing_extensions import TypeVar

from ludarium.errors import BadOption, IllegalAction

from . import faces
from .rules import CHANCE, leave

if TYPE_CHECKING:
    from .game import Game

Fields = TypeVar("Fields", default=Any)
"""What type checkers know of a state's record."""

Tables = TypeVar("Tables", default=Any)
"""What they know of a game's tables."""

WATCHER = -1
"""The player number of somebody who only watches, for the rules about what is hidden."""


class Action:
    """A choice of a player, or an outcome of chance. Immutable; equal ones have the same index and text.

    ``index`` is a small integer, or a tuple of small integers where a player gives a vector of orders; ``text`` is its notation.
    """

    __slots__ = ("_index", "_origin", "_text")

    def __init__(self, index: int | tuple[int, ...], text: str | None, origin: tuple[State, int, int | None] | None = None) -> None:
        """Make an action that has not been checked.

        Args:
            index: see above.
            text: its notation; None only with an origin, which can write it.
            origin: set by a state for the actions that it knows to be legal: that state, the player, and the slot of one of several orders.
        """
        self._index = index
        self._text = text
        self._origin = origin

    @property
    def index(self) -> int | tuple[int, ...]:
        return self._index

    @property
    def text(self) -> str:
        if self._text is None:
            assert self._origin is not None
            state, player, slot = self._origin
            game = state.game
            if slot is None or game.orders is None:
                self._text = game.action_text(state, player, self._index)
            else:
                self._text = game.orders.text(state, player, slot, cast(int, self._index))
        return self._text

    def is_known_in(self, state: State, player: int) -> bool:
        """Whether this very state has said that this is a legal action of the player, as a whole."""
        origin = self._origin
        return origin is not None and origin[0] is state and origin[1] == player and origin[2] is None

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Action(index={self._index!r}, text={self.text!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Action):
            return NotImplemented
        return self._index == other._index and self.text == other.text

    def __hash__(self) -> int:
        return hash(self._index)

    def __reduce__(self) -> Any:
        return Action, (self._index, self.text)


Choice = Action | str | int | tuple[int, ...]
"""How an action is given: as it is, as its notation, or as its index."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happens when actions are carried out: a sentence for a log, and what a page needs to show it (a JSON object)."""

    text: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: every player's return in [−1, 1], the winner (None: a draw) and the reason in words."""

    returns: tuple[float, ...]
    winner: int | None
    reason: str


class State(Generic[Fields, Tables]):
    """A position with its history: an immutable value. ``==`` and ``hash`` include the history; states can be pickled."""

    __slots__ = ("_legal", "_movers", "_records", "game")

    def __init__(self, game: Game[Fields, Tables], records: np.ndarray[Any, Any], movers: tuple[int, ...] | None = None) -> None:
        """Wrap ``records`` (shape ``(1,)``, of the game's dtype), which nobody else may change from now on; ``movers``: :attr:`to_move`, where it is known."""
        self.game = game
        # Another layout would have every kernel compiled anew.
        self._records = records if records.flags.carray else np.array(records, order="C")
        self._movers = movers
        self._legal: dict[tuple[int, int], list[int]] | None = None

    @property
    def record(self) -> Fields:
        """The state's fields by name, read-only: ``state.record.board``."""
        view = self._records.view()
        view.flags.writeable = False
        return view[0]

    def copy_records(self) -> np.ndarray[Any, Any]:
        """A writable copy (shape ``(1,)``) for compiled code."""
        # NumPy copies records field by field: six to twenty times as slow as copying their bytes.
        return np.frombuffer(bytearray(self._records.tobytes()), self.game.dtype)

    @property
    def to_move(self) -> tuple[int, ...]:
        """Players who act now (several: together), ``(CHANCE,)`` at dice, ``()`` when the game is over."""
        if self._movers is None:
            self._movers = _players_in(int(faces.to_move_face(self.game.tables, self._records)))
        return self._movers

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
            IllegalAction: no player is named and several act together, or there is no such player or order.
        """
        if self.to_move == (CHANCE,):
            return tuple(action for action, _ in self.outcomes())
        if player is None and self.is_over:
            return ()
        player = self._mover(player)
        origin = (self, player, None if self.game.dimensions.slots == 1 else slot)
        return tuple([Action(index, None, origin) for index in self.legal(player, slot)])

    def texts(self, player: int, slot: int = 0) -> list[str]:
        """The notations of :meth:`actions`, without the actions: nothing for who is not to move, and nothing at dice.

        Raises:
            IllegalAction: as :meth:`actions`.
        """
        game, legal = self.game, self.legal(player, slot)
        if game.orders is None or game.dimensions.slots == 1:
            return [game.action_text(self, player, index) for index in legal]
        return [game.orders.text(self, player, slot, index) for index in legal]

    def legal(self, player: int | None = None, slot: int = 0) -> list[int]:
        """The indices of :meth:`actions`, without the actions: nothing for who is not to move, and nothing at dice.

        Raises:
            IllegalAction: as :meth:`actions`.
        """
        lists = self._legal
        if lists is not None and type(player) is int and type(slot) is int and (found := lists.get((player, slot))) is not None:
            return found
        player = self._mover(player)
        if not (_is_whole(slot) and 0 <= slot < self.game.dimensions.slots):
            raise IllegalAction(f"there is no order {slot!r}; those of {self.game.title} are 0 to {self.game.dimensions.slots - 1}")
        if player not in self.to_move:
            return []
        if lists is None:  # another thread may have played meanwhile
            lists = self._legal = {}
        out = np.empty(self.game.dimensions.max_actions, np.int64)
        count = faces.legal_actions_face(self.game.tables, self._records, player, slot, out)
        found = lists[player, slot] = out[:count].tolist()
        return found

    def actions_ahead(self, player: int) -> tuple[Action, ...]:
        """What a player who waits for another one could do if it were to move now; nothing where it is to move, where several act together, at dice, and in
        games with orders or secrets. None of them is legal here.

        Raises:
            IllegalAction: there is no such player.
        """
        game, player = self.game, self._checked(player)
        if (
            player in self.to_move
            or len(self.to_move) != 1
            or self.to_move == (CHANCE,)
            or game.orders is not None
            or game.secrets is not None
        ):
            return ()
        out = np.empty(game.dimensions.max_actions, np.int64)
        count = faces.legal_actions_face(game.tables, self._records, player, 0, out)
        return tuple([Action(index, game.action_text(self, player, index)) for index in out[:count].tolist()])

    def _mover(self, player: int | None) -> int:
        """The player who is meant: without a name, the one who is to move."""
        if player is None:
            movers = self.to_move
            if len(movers) != 1:
                raise IllegalAction(f"players {movers} act together: name one" if movers else "nobody is to move: the game is over")
            return movers[0]
        return self._checked(player)

    def _checked(self, player: object) -> int:
        if not (_is_whole(player) and 0 <= player < self.game.players):
            raise IllegalAction(f"there is no player {player!r}; players are 0 to {self.game.players - 1}")
        return int(player)

    def outcomes(self) -> list[tuple[Action, float]]:
        """At dice: every outcome and its probability, summing to 1. Empty elsewhere."""
        if self.to_move != (CHANCE,):
            return []
        origin = (self, CHANCE, None)
        return [(Action(outcome, None, origin), probability) for outcome, probability in zip(*self._outcomes(), strict=True)]

    def _outcomes(self) -> tuple[list[int], list[float]]:
        found = np.zeros(self.game.dimensions.max_outcomes, np.int64)
        probabilities = np.zeros(self.game.dimensions.max_outcomes)
        count = faces.chance_outcomes_face(self.game.tables, self._records, found, probabilities)
        return found[:count].tolist(), probabilities[:count].tolist()

    def sample_chance(self, generator: np.ndarray[Any, Any]) -> Action:
        """At dice: an outcome drawn with a generator (``uint64[1]``, which advances).

        Raises:
            IllegalAction: no dice are to fall.
            BadOption: this is no such generator.
        """
        if self.to_move != (CHANCE,):
            raise IllegalAction("no dice are to fall in this state")
        drawn = faces.sample_chance_face(self.game.tables, self._records, _checked_generator(generator))
        return Action(int(drawn), None, (self, CHANCE, None))

    def action(self, choice: Choice, player: int | None = None) -> Action:
        """The legal action that a notation, an index or an Action names. :meth:`play` takes what this returns without checking it again.

        Raises:
            BadNotation: a text that is no action of this game.
            IllegalAction: it is not legal here, or the game is over.
        """
        if isinstance(choice, Action) and player is not None and choice.is_known_in(self, player):
            return choice
        if (
            type(choice) is int
            and type(player) is int
            and choice in (self._legal or {}).get((player, 0), ())
            and self.game.dimensions.slots == 1
        ):
            return Action(choice, None, (self, player, None))
        movers = self.to_move
        if len(movers) == 0:
            raise IllegalAction(f"'{choice}': the game is over ({self.game.reason(self)})")
        if player is None:
            if len(movers) > 1:
                raise IllegalAction(f"players {movers} act together: say who chose '{choice}'")
            player = movers[0]
        if isinstance(choice, Action) and choice.is_known_in(self, player):
            return choice
        if not _is_whole(player) or player not in movers:
            raise IllegalAction(f"'{choice}': player {player} is not to move")
        index = self.game.action_index(self, player, choice) if isinstance(choice, str) else choice
        index = index.index if isinstance(index, Action) else index
        if not self._is_legal(player, index):
            text = choice if isinstance(choice, str | Action) else f"action {choice}"
            raise IllegalAction(f"'{text}' is not legal here; {self._name(player)} is to move")
        index = tuple([int(order) for order in index]) if isinstance(index, tuple) else int(index)
        return Action(index, None, (self, player, None))

    def _name(self, player: int) -> str:
        return "chance" if player == CHANCE else self.game.player_names[player]

    def _is_legal(self, player: int, index: Any) -> bool:
        if player == CHANCE:
            return index in self._outcomes()[0]
        if type(index) is int:
            return self.game.dimensions.slots == 1 and index in self.legal(player)
        orders: tuple[Any, ...] = cast("tuple[Any, ...]", index) if isinstance(index, tuple) else (index,)
        return len(orders) == self.game.dimensions.slots and all(
            _is_whole(order) and order in self.legal(player, slot) for slot, order in enumerate(orders)
        )

    def play(self, action: Choice | Mapping[int, Choice]) -> State[Fields, Tables]:
        """The state after an action: a notation, an Action or an index; ``{player: action, …}`` where players act together.

        Where players act independently, the choices of some of them are enough.

        Raises:
            BadNotation: a text that is no action of this game.
            IllegalAction: it is not legal here, a player's choice is missing, or the game is over.
        """
        return self.after(self.chosen(action))

    def after(self, chosen: Mapping[int, Action]) -> State[Fields, Tables]:
        """The state after what :meth:`chosen` has checked, which is not checked again."""
        game, records = self.game, self.copy_records()
        if CHANCE in chosen:
            mask = faces.apply_chance_face(game.tables, records, chosen[CHANCE].index)
        else:
            joint = np.empty((game.players, game.dimensions.slots), np.int64)
            joint.fill(-1)
            for player, choice in chosen.items():
                joint[player] = choice.index
            mask = faces.apply_actions_face(game.tables, records, joint)
        self._legal = None  # whoever has played is through with the lists
        return State(game, records, _players_in(int(mask)))

    def without(self, player: int) -> State[Fields, Tables]:
        """Return the state after a player has left the game. Without rules for that, it is the same state.

        Raises:
            IllegalAction: unknown player.
        """
        number = self._checked(player)
        if not leave.implemented_for(self.game.tables):
            return self
        records = self.copy_records()
        return State(self.game, records, _players_in(int(faces.leave_face(self.game.tables, records, number))))

    def chosen(self, action: Choice | Mapping[int, Choice]) -> dict[int, Action]:
        """What :meth:`play` takes, checked, as actions by player.

        Raises:
            BadNotation, IllegalAction: as :meth:`play`.
        """
        movers = self.to_move
        if isinstance(action, Mapping):
            chosen = {player: self.action(choice, player) for player, choice in action.items()}
        else:
            chosen = dict.fromkeys(movers[:1], self.action(action))
        if len(chosen) != len(movers) and not (chosen and self.game.independent):
            raise IllegalAction(f"players {movers} act now, but choices came from {tuple(chosen)}")
        return chosen

    def events(self, action: Choice | Mapping[int, Choice]) -> tuple[Event, ...]:
        """What happens, step by step, when an action is played: what :meth:`play` takes, and what everybody may know of it.

        Raises:
            BadNotation, IllegalAction: as :meth:`play`.
        """
        chosen = self.chosen(action)
        events = self.game.show.events
        return events(self, chosen) if events else ()

    @property
    def text(self) -> str:
        """The position in one line; ``game.parse`` reads it."""
        return self.game.state_text(self)

    def observation(self, player: int) -> np.ndarray[Any, Any]:
        """What a player may know: ``float32`` of the game's ``dimensions.observation_shape``.

        Raises:
            IllegalAction: there is no such player.
        """
        player = self._checked(player)
        out = np.zeros(self.game.dimensions.observation_shape, np.float32)
        faces.observe_face(self.game.tables, self._records, player, out)
        return out

    def seen_by(self, player: int | None) -> State[Fields, Tables]:
        """What a player may know of this state, the rest blanked; None: what somebody who only watches may know.

        Raises:
            IllegalAction: there is no such player.
        """
        number = self._viewer(player)
        if self.game.secrets is None:
            return self
        records = self.copy_records()
        faces.conceal_face(self.game.tables, records, number)
        return State(self.game, records)

    @property
    def is_public(self) -> bool:
        """Whether nothing is hidden from anybody: in this state, or in the one that this is somebody's sight of."""
        if self.game.secrets is None:
            return True
        # A watcher's sight of a state is all that a watcher may know; what is blanked in it is told by a draw that fills it.
        return self.seen_by(None) == self == self.resample(None, np.zeros(1, np.uint64))

    def resample(self, player: int | None, generator: np.ndarray[Any, Any]) -> State[Fields, Tables]:
        """A state that could be the true one for all that a player knows (None: somebody who only watches), drawn with a generator (``uint64[1]``, which
        advances).

        What is hidden in this state has no part in it: :meth:`seen_by` that player, it gives the same.

        Raises:
            IllegalAction: there is no such player.
            BadOption: this is no such generator.
        """
        number, generator = self._viewer(player), _checked_generator(generator)
        if self.game.secrets is None:
            return self
        records = self.copy_records()
        faces.resample_hidden_face(self.game.tables, records, number, generator)
        return State(self.game, records)

    def _viewer(self, player: int | None) -> int:
        return WATCHER if player is None else self._checked(player)

    def svg(self, *, size: int = 480, last: Action | None = None, seat: int = 0) -> str:
        """A drawing, ``size`` pixels wide, with ``last`` marked and player ``seat`` at the bottom.

        Raises:
            BadOption: the size is no whole number from 1, or what is to be marked is no Action.
        """
        if not _is_whole(size) or size < 1:
            raise BadOption(f"the size of a drawing is a whole number of pixels from 1, not {size!r}")
        if last is not None and not isinstance(cast(object, last), Action):
            raise BadOption(f"a drawing marks an Action, not {last!r}")
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
        return self.game == cast(State, other).game and self._records.tobytes() == other._records.tobytes()

    def __hash__(self) -> int:
        return hash((self.game.id, self._records.tobytes()))

    def __reduce__(self) -> Any:
        return _restore_state, (self.game, self._records.tobytes())


def _checked_generator(generator: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    if not isinstance(cast(object, generator), np.ndarray) or generator.dtype != np.uint64 or generator.shape != (1,):
        raise BadOption(f"a generator is what ludarium.core.random.generator_from(seed) returns, not {generator!r}")
    return generator


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


@functools.cache
def _players_in(mask: int) -> tuple[int, ...]:
    """The players whose bits are set."""
    return (CHANCE,) if mask == CHANCE else tuple(player for player in range(mask.bit_length()) if mask >> player & 1)


def _restore_state(game: Game, data: bytes) -> State:
    return State(game, np.frombuffer(bytearray(data), game.dtype))
