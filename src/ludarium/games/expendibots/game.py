"""Expendibots as a :class:`ludarium.core.game.Game`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ludarium.core.game import Action, Dimensions, Game, State
from ludarium.core.jit import plain
from ludarium.core.options import Option
from ludarium.core.show import Show
from ludarium.core.symmetries import Symmetries, square_symmetries
from ludarium.errors import BadNotation

from . import evaluation as evaluation  # registers what bots know about this game
from . import sampling as sampling  # registers how playouts draw an action
from .endgames.keeping import endgames
from .endgames.known import EndgameTables
from .neural_network import shipped
from .notation import action_index, action_text, position_text, read_position, square_name
from .rules import (
    ACTIONS,
    BLACK_WINS,
    BOOM,
    DTYPE,
    MAX_LEGAL_ACTIONS,
    MAX_TOKENS,
    MAX_TURNS,
    NO_TOKENS,
    OBSERVATION_SHAPE,
    REPETITION,
    TURN_LIMIT,
    WHITE_WINS,
    ExpendibotsRecord,
    Tables,
    chain_step,
    make_tables,
    place,
)

if TYPE_CHECKING:
    from rich.text import Text

INITIAL = "BB.BB.BB/BB.BB.BB/......../......../......../......../WW.WW.WW/WW.WW.WW w 0"


class Expendibots(Game[ExpendibotsRecord, Tables]):
    """Stacks that move and explode. Player 0 is White, player 1 is Black."""

    id = "expendibots"
    title = "Expendibots"
    summary = "Stack your bots, sneak them behind enemy lines and blow up the right neighbours."
    how_to_play = (
        "Destroy every token of your opponent and keep at least one of your own.",
        "Tokens of one colour on the same square form a stack. On your turn, one of your stacks moves or booms.",
        "Move: a stack of three sends one, two or all three of its tokens one, two or three squares up, down, left or right, and so on for every "
        "height. They may pass over anything, but they land on an empty square or on your own tokens, which they join.",
        "Boom: the stack explodes and takes every stack next to it along, diagonally too, yours as well as your opponent's. Each of them explodes "
        "in turn, and so the fire spreads.",
        "It is a draw if both players lose their last tokens together, if the same position stands for the fourth time, or if the turns run out.",
    )
    version = 1
    option_list = (
        Option("turn_limit", "whole number", 500, "the game is a draw after so many turns", minimum=1, maximum=MAX_TURNS),
        Option.word(
            "repetition",
            "what must stand for the fourth time for a draw: the board, or the board with the same side to move",
            "board",
            "board and side",
        ),
    )
    dtype: ClassVar[Any] = DTYPE

    def make_tables(self) -> Tables:
        return make_tables(self.options["turn_limit"], 4, self.options["repetition"] == "board and side", shipped())

    def make_dimensions(self) -> Dimensions:
        return Dimensions(("White", "Black"), MAX_LEGAL_ACTIONS, ACTIONS, OBSERVATION_SHAPE)

    def make_show(self) -> Show:
        from .drawing import THEMES

        return Show(flips=True, draws=True, themes=THEMES, effects=_waves, summary=_summary)

    def make_endgames(self) -> Callable[[], EndgameTables]:
        return endgames

    def write_initial(self, record: Any) -> None:
        self.write_parsed(INITIAL, record)

    def write_parsed(self, text: str, record: Any) -> None:
        heights, ply = read_position(text)
        if ply > self.options["turn_limit"]:
            raise BadNotation(f"{ply} turns are more than the limit of {self.options['turn_limit']}")
        place(self.tables, record, heights, ply)

    def state_text(self, state: State) -> str:
        return position_text(state.record)

    def action_text(self, state: State, player: int, action: Any) -> str:
        try:
            return self._action_texts[action]
        except KeyError:
            text = self._action_texts[action] = action_text(self.tables, int(action))
            return text

    @cached_property
    def _action_texts(self) -> dict[int, str]:
        """Those that were written before, by their actions: programs are told all legal ones at each turn."""
        return {}

    def action_index(self, state: State, player: int, text: str) -> int:
        return action_index(state, player, text)

    def symmetries(self) -> Symmetries:
        squares = square_symmetries(8)
        moves = self.tables.first[squares[:, :, None], squares[:, self.tables.target]][..., None] + np.arange(MAX_TOKENS)
        return Symmetries(squares, np.concatenate([moves.reshape(len(squares), BOOM), BOOM + squares], axis=1))

    def reason(self, state: State) -> str:
        ending = int(state.record.ending)
        return {
            WHITE_WINS: "Black has no tokens left",
            BLACK_WINS: "White has no tokens left",
            NO_TOKENS: "neither player has tokens left",
            REPETITION: "the same position stood for the fourth time",
            TURN_LIMIT: f"{self.options['turn_limit']} turns were played without a winner",
        }.get(ending, "")

    def facts(self, state: State) -> tuple[str, ...]:
        record = state.record
        white, black = _tokens(state)
        limit = self.options["turn_limit"]
        turn = f"Turns played: {int(record.ply)} of {limit}" if state.is_over else f"Turn {int(record.ply) + 1} of {limit}"
        return (turn, f"Tokens: White {white}, Black {black}", f"This position has stood {int(record.occurrences)} of 4 times")

    def picks(self, state: State, action: Action) -> tuple[str, ...]:
        """``("a2", "a4", "3")`` for moving three tokens, ``("a2", "boom")`` for an explosion."""
        if action.text.endswith("!"):
            return (action.text[:2], "boom")
        origin, target = action.text[-5:-3], action.text[-2:]
        return (origin, target, action.text[:-5] or "1")

    def svg(self, state: State, *, size: int = 480, last: Action | None = None, seat: int = 0) -> str:
        from .drawing import svg

        return svg(state, size=size, last=last, seat=seat)

    def board(self, state: State, *, last: Action | None = None, seat: int = 0) -> Text:
        from .drawing import board

        return board(state, last=last, seat=seat)


def _tokens(state: State) -> tuple[int, int]:
    """White's and Black's."""
    heights = [int(height) for height in state.record.board]
    return sum(max(height, 0) for height in heights), sum(max(-height, 0) for height in heights)


def _summary(states: Sequence[State], steps: Sequence[Mapping[int, Action]]) -> tuple[str, ...]:
    """The chain that took most stacks, and what is left."""
    chains = [(sum(map(len, _waves(state, *step.values()))), ply) for ply, (state, step) in enumerate(zip(states, steps, strict=False), 1)]
    most, ply = max(chains, key=lambda chain: chain[0], default=(0, 0))
    white, black = _tokens(states[-1])
    lines = (f"Tokens left: White {white}, Black {black}",)
    return (f"Longest chain: {most} stack{'s' * (most != 1)}, with move {ply}", *lines) if most else lines


def _waves(state: State, action: Action) -> tuple[tuple[str, ...], ...]:
    """The stacks of a boom's chain, wave by wave, the chosen one first."""
    if not isinstance(action.index, int) or action.index < BOOM:
        return ()
    occupied = state.record.tokens[0] | state.record.tokens[1]
    waves: list[tuple[str, ...]] = []
    gone, wave = np.uint64(0), np.uint64(1 << (action.index - BOOM))
    while wave:
        waves.append(tuple(square_name(square) for square in range(64) if int(wave) >> square & 1))
        gone |= wave
        wave = plain(chain_step)(gone, occupied) & ~gone
    return tuple(waves)
