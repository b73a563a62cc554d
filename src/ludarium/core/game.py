"""The Python face of a game: :class:`Game`, with the state, actions and outcomes of :mod:`ludarium.core.state`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, cast

import numpy as np

from ludarium.errors import BadNotation

from . import faces
from .dimensions import Dimensions
from .options import ChosenOptions, Option, check_options
from .orders import Orders
from .random import generator_from
from .rules import CHANCE
from .secrets import Secrets
from .show import Overdue, Show
from .state import Action, Choice, Event, Fields, Outcome, State, Tables
from .symmetries import Symmetries

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["Action", "Choice", "Dimensions", "Event", "Game", "Outcome", "State"]

LONGEST_TEXT = 1_000_000
"""The most characters of a position's text that are read; the largest maps' positions have a few hundred thousand."""


class Game(ABC, Generic[Fields, Tables]):
    """A game with its options chosen. Equal games have the same class and options; games are hashable and can be pickled.

    A game is a subclass in a package of its own that implements the functions of :mod:`ludarium.core.rules` for the class of ``tables``, and here
    says what it is called, how large it is, how it is written and drawn. What only some games have it makes as small objects: orders, secrets, show,
    overdue, endgames. The ``make_`` methods are called once, in the order in which they stand here. See "Write a game" in the documentation.
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

    def __init__(self, /, **options: Any) -> None:
        self.options: Mapping[str, Any] = ChosenOptions(check_options(self.option_list, options, self.id))
        self._hash = hash((type(self), tuple(self.options.items())))
        self.tables: Tables = faces.normalised(self.make_tables())
        self.dimensions = self.make_dimensions()
        self.players = len(self.dimensions.player_names)
        self.orders = self.make_orders()
        self.secrets = self.make_secrets()
        self.show = self.make_show()
        self.overdue = self.make_overdue()
        self.endgames = self.make_endgames()
        faces.check_implemented(self.tables, chance=self.dimensions.max_outcomes > 0, hidden=self.secrets is not None)
        initial = np.zeros(1, self.dtype)
        self.write_initial(initial[0])
        self._initial = initial

    @abstractmethod
    def make_tables(self) -> Tables:
        """The ``NamedTuple`` of what never changes during a game with these options."""

    @abstractmethod
    def make_dimensions(self) -> Dimensions:
        """Who plays with these options, and how much there is to choose."""

    def make_orders(self) -> Orders | None:
        """What there is to say of orders, where a player gives several at once or may do nothing; None: a player makes one choice at a time."""
        return Orders() if self.dimensions.slots > 1 else None

    def make_secrets(self) -> Secrets | None:
        """What is hidden from whom; None: nothing."""
        return None

    def make_show(self) -> Show:
        """What there is to tell and to show besides the board."""
        return Show()

    def make_overdue(self) -> Overdue | None:
        """What is played for a player whose time is up; None: the player loses, or, where orders may be to do nothing, gives those given so far."""
        return None

    def make_endgames(self) -> Callable[[], tuple[Any, ...]] | None:
        """What gives the ``NamedTuple`` of arrays that ``known_ending`` looks into; a search asks once, before its time begins. None: nothing is known."""
        return None

    @abstractmethod
    def write_initial(self, record: Any) -> None:
        """Write the initial position into a zeroed record."""

    @abstractmethod
    def action_text(self, state: State[Fields, Tables], player: int, action: Any) -> str:
        """The notation of a player's action index (of an outcome of chance when player is ``CHANCE``)."""

    @abstractmethod
    def action_index(self, state: State[Fields, Tables], player: int, text: str) -> int | tuple[int, ...]:
        """The index that a notation names. It may be illegal in the state.

        Raises:
            BadNotation: the text is no action of this game.
            IllegalAction: it is illegal, and the game has more to say about that than that it is.
        """

    @abstractmethod
    def state_text(self, state: State[Fields, Tables]) -> str:
        """The position in one line."""

    @abstractmethod
    def write_parsed(self, text: str, record: Any) -> None:
        """Write the position that one line describes into a zeroed record.

        Raises:
            BadNotation: not a position of this game; the message says what is wrong and where.
        """

    @abstractmethod
    def reason(self, state: State[Fields, Tables]) -> str:
        """Why a finished game ended, in words: ``Black has no tokens left``."""

    @abstractmethod
    def svg(self, state: State[Fields, Tables], *, size: int = 480, last: Action | None = None, seat: int = 0) -> str:
        """A drawing, ``size`` pixels wide: ``last`` is the action to mark, ``seat`` the player who sits at the bottom.

        Elements that can be picked carry ``data-pick`` and ``aria-label``. What stands on one and can move is a child with ``data-piece``.
        """

    @abstractmethod
    def board(self, state: State[Fields, Tables], *, last: Action | None = None, seat: int = 0) -> Text:
        """A drawing for terminals. Its plain text alone (``str(state)``) tells everything."""

    def facts(self, state: State[Fields, Tables]) -> tuple[str, ...]:
        """What a player wants to read beside the board: ``Turn 12 of 500``."""
        return ()

    def picks(self, state: State[Fields, Tables], action: Action) -> tuple[str, ...]:
        """The path of picks that leads to an action on a page: things to point at, in order."""
        return (action.text,)

    @property
    def player_names(self) -> tuple[str, ...]:
        """One name a player, in order of their numbers."""
        return self.dimensions.player_names

    @property
    def independent(self) -> bool:
        """Whether some of those who are to move may act before the others do."""
        return self.secrets is not None and self.secrets.independent

    def symmetries(self) -> Symmetries | None:
        """Images of every position under which the game stays the same, where actions go with them, whatever the position; None: there are none."""
        return None

    @classmethod
    def options_in(cls, text: str) -> Mapping[str, Any]:
        """The options that a position's text says it is played with, not checked; none where it says nothing, or is no position.

        Whoever types a position need not repeat them, see :func:`ludarium.core.registry.position`.
        """
        return {}

    def plays_like(self, version: int) -> bool:
        """Whether the rules of an earlier version play alike with these options, so that what was recorded by them is replayed."""
        return False

    def start(self, seed: int | None = None) -> State[Fields, Tables]:
        """The initial state. With a seed, chance that comes before the first decision (a deal) is drawn from it."""
        state = State(self, self._initial)
        if seed is not None:
            generator = generator_from(seed)
            while state.to_move == (CHANCE,):
                state = state.play(state.sample_chance(generator))
        return state

    def parse(self, text: str) -> State[Fields, Tables]:
        """The state of a one-line notation; its history starts here.

        Raises:
            BadNotation: not a position of this game.
        """
        if not isinstance(cast(object, text), str):
            raise BadNotation(f"a position of {self.title} is a text, not {text!r}")
        if len(text) > LONGEST_TEXT or "\n" in text.strip():
            raise BadNotation(f"a position of {self.title} is one line of at most {LONGEST_TEXT:,} characters")
        records = np.zeros(1, self.dtype)
        self.write_parsed(text.strip(), records[0])
        return State(self, records)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Game) and self.options == other.options

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        arguments = [repr(self.id), *(f"{name}={value!r}" for name, value in self.options.items())]
        return f"ludarium.game({', '.join(arguments)})"

    def __reduce__(self) -> Any:
        return _restore_game, (type(self), dict(self.options))


def _restore_game(game_class: type[Game], options: dict[str, Any]) -> Game:
    return game_class(**options)
