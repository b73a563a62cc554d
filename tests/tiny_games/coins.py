"""A small game with joint choices and dice: both players show a coin, a die of three says who gets a point for it; three rounds."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
from rich.text import Text

from ludarium.core.game import Action, Dimensions, Game, State
from ludarium.core.random import random_below
from ludarium.core.rules import (
    CHANCE,
    apply_actions,
    apply_chance,
    chance_outcomes,
    legal_actions,
    observe,
    returns,
    sample_chance,
    to_move,
)
from ludarium.errors import BadNotation

ROUNDS = 3


class CoinsTables(NamedTuple):
    rounds: np.ndarray
    sides: int


@to_move.implement(CoinsTables)
def coins_to_move(tables: Any, state: Any) -> Any:
    if state.rolling:
        return -1
    return 0 if state.played >= tables.rounds[0] else 3


@legal_actions.implement(CoinsTables)
def coins_legal_actions(tables: Any, state: Any, player: Any, slot: Any, out: Any) -> Any:
    out[0] = 0
    out[1] = 1
    return 2


@apply_actions.implement(CoinsTables)
def coins_apply_actions(tables: Any, state: Any, joint: Any) -> Any:
    state.same = joint[0, 0] == joint[1, 0]
    state.rolling = 1


@sample_chance.implement(CoinsTables)
def coins_sample_chance(tables: Any, state: Any, generator: Any) -> Any:
    return random_below(generator, tables.sides)


@apply_chance.implement(CoinsTables)
def coins_apply_chance(tables: Any, state: Any, outcome: Any) -> Any:
    state.rolling = 0
    state.played += 1
    if outcome == state.same:
        state.lead += 1
    else:
        state.lead -= 1


@chance_outcomes.implement(CoinsTables)
def coins_chance_outcomes(tables: Any, state: Any, outcomes: Any, probabilities: Any) -> Any:
    for side in range(tables.sides):
        outcomes[side] = side
        probabilities[side] = 1.0 / tables.sides
    return tables.sides


@returns.implement(CoinsTables)
def coins_returns(tables: Any, state: Any, out: Any) -> Any:
    out[0] = 0.0
    out[1] = 0.0
    if state.played >= tables.rounds[0] and not state.rolling:
        out[0] = 1.0 if state.lead > 0 else -1.0
        out[1] = -out[0]


@observe.implement(CoinsTables)
def coins_observe(tables: Any, state: Any, player: Any, out: Any) -> Any:
    out[0] = np.float32(state.lead)


class Coins(Game):
    id = "coins"
    title = "Coins"
    summary = "Show a coin."
    version = 1
    dtype: ClassVar[Any] = np.dtype((np.record, [("played", np.int64), ("lead", np.int64), ("same", np.int64), ("rolling", np.int64)]))

    def make_tables(self) -> CoinsTables:
        return CoinsTables(np.array([ROUNDS]), 3)

    def make_dimensions(self) -> Dimensions:
        return Dimensions(("One", "Two"), 2, 2, (1,), max_outcomes=3)

    def write_initial(self, record: Any) -> None:
        """All zeros."""

    def action_text(self, state: State, player: int, action: Any) -> str:
        return str(action + 1) if player == CHANCE else ("heads", "tails")[action]

    def action_index(self, state: State, player: int, text: str) -> int:
        words = ("1", "2", "3") if player == CHANCE else ("heads", "tails")
        if text not in words:
            raise BadNotation(f"'{text}' is not one of {words}")
        return words.index(text)

    def state_text(self, state: State) -> str:
        return f"{state.record.played} {state.record.lead} {state.record.same} {state.record.rolling}"

    def write_parsed(self, text: str, record: Any) -> None:
        record.played, record.lead, record.same, record.rolling = map(int, text.split())

    def reason(self, state: State) -> str:
        return "three rounds are over"

    def svg(self, state: State, *, size: int = 480, last: Action | None = None, seat: int = 0) -> str:
        return f"<svg xmlns='http://www.w3.org/2000/svg'><text>{state.text} {last or ''}</text></svg>"

    def board(self, state: State, *, last: Action | None = None, seat: int = 0) -> Text:
        return Text(state.text)
