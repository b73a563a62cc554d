"""What the tiny games share: whatever no search looks at."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.text import Text

from ludarium.core.game import Action, Game, State


class TinyGame(Game):
    """Actions are written as their numbers, positions as their fields' numbers."""

    summary = "A tiny game for tests."
    version = 1

    def write_parsed(self, text: str, record: Any) -> None:
        for name, word in zip(self.dtype.names, text.split(), strict=True):
            record[name] = int(word)

    def state_text(self, state: State) -> str:
        return " ".join(str(number) for name in self.dtype.names for number in np.ravel(state.record[name]).tolist())

    def action_text(self, state: State, player: int, action: Any) -> str:
        return str(int(action))

    def action_index(self, state: State, player: int, text: str) -> int:
        return int(text)

    def reason(self, state: State) -> str:
        return "the tiny game is over"

    def svg(self, state: State, *, size: int = 480, last: Action | None = None, seat: int = 0) -> str:
        return f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}"/>'

    def board(self, state: State, *, last: Action | None = None, seat: int = 0) -> Text:
        return Text(state.text)
