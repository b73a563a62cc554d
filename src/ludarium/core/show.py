"""What a game tells and shows besides its board. The house asks for each thing by its presence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from .state import Action, Event, State

__all__ = ["Event", "Overdue", "Show", "Themes"]


Themes = Mapping[str, Mapping[str, tuple[str, str]]]
"""By the theme's name, one word: custom properties of a drawing's style sheet (``--board``), each with its colours in light and in dark surroundings."""


@dataclass(frozen=True)
class Show:
    """What a game has to tell; None: nothing of that kind.

    A function that is given actions gets those of one step, ``{player: action}`` or ``{CHANCE: outcome}``, and the state in which they are played.
    In games with secrets that is the state as somebody may know it.
    """

    flips: bool = False
    """Whether drawings depend on who sits at the bottom."""
    themes: Themes = field(default_factory=dict[str, Mapping[str, tuple[str, str]]])
    """Further looks of the board, of which people choose on pages."""
    draws: bool = False
    """Whether the rules know draws: then people may agree on one."""
    keys: tuple[tuple[str, str], ...] = ()
    """Keys that the game's own page module takes, and what each does. A page lists them in place of its own ways to choose."""
    prompt: str = ""
    """Prompt for a player's first turn, in which a page frames all possible first picks. Empty: "Choose a highlighted piece", or place."""
    terms: tuple[tuple[str, str], ...] = ()
    """What a stranger meets in names and moves and cannot guess, such as ``(2,3)``, and what it means; pages explain it above the moves."""
    how_to_type: tuple[str, ...] = ()
    """What somebody at a terminal has to know besides the rules: how the board is to be read, and words for orders; a short paragraph each."""
    choosing: Callable[[State, int], str | None] | None = None
    """The text that a terminal shows between a player's choices on an unchanged board: registers and dice. None: the board."""
    board_tells: tuple[str, ...] = ()
    """Parts of the drawing for terminals, which terminals do not print again: ``facts``, and kinds of events (``kind`` in their data)."""
    step_text: Callable[[State, Mapping[int, Action]], str] | None = None
    """What a list of moves says of a step: what each player chose, or how the dice fell. None: the actions' texts."""
    line: Callable[[State, Mapping[int, Action]], str] | None = None
    """What a page's list of moves says of a step, where one line tells of several: nothing for those of which a later one tells. None: ``step_text``.

    It is not asked about steps that are not open yet: they have no line.
    """
    events: Callable[[State, Mapping[int, Action]], tuple[Event, ...]] | None = None
    """What happens, step by step, when these actions are played: only what everybody may know."""
    foresee: Callable[[State, int, Sequence[str]], tuple[Event, ...]] | None = None
    """Where a plan leads: what would happen, as far as a player may know, if it played actions with these texts one after the other and nobody else did
    anything. IllegalAction says that it cannot."""
    effects: Callable[[State, Action], tuple[tuple[str, ...], ...]] | None = None
    """What an action does to things far from it, wave by wave, as picks: a chain of explosions."""
    measures: Callable[[State], Mapping[str, tuple[float, ...]]] | None = None
    """Numbers by player that are worth drawing over time: ``{"Score": (12, 7)}``. The same names in every state."""
    ranked_by: str | None = None
    """The measure by which pages rank the players, the most first, beside their names."""
    summary: Callable[[Sequence[State], Sequence[Mapping[int, Action]]], tuple[str, ...]] | None = None
    """What is worth telling of a game that is over besides its result, in short lines, given all its states and the actions between them."""
    figures: Callable[[State], Mapping[str, float]] | None = None
    """Finite numbers about a state that hides nothing which take long to compute, by name: ``{"par": 6.2}``. Pages show them once they are known."""

    def text_of(self, state: State, actions: Mapping[int, Action]) -> str:
        """What a list of moves says of a step."""
        return self.step_text(state, actions) if self.step_text else ", ".join(action.text for action in actions.values())

    def effects_of(self, state: State, action: Action) -> tuple[tuple[str, ...], ...]:
        """The effects of an action: none where the game has none."""
        return self.effects(state, action) if self.effects else ()

    def measures_of(self, state: State) -> Mapping[str, tuple[float, ...]]:
        """The measures of a state: none where the game has none."""
        return self.measures(state) if self.measures else {}


@dataclass(frozen=True)
class Overdue:
    """What is played for a player whose time is up, in a game that has an answer to that; in others the player loses."""

    words: str
    """That, after "When the time is up,"."""
    action: Callable[[State, int], Action]
    """A legal action, given the state as the player may know it and the player's number."""
