"""Heap of stones as a :class:`ludarium.core.game.Game`: what it is called, how it is written and drawn."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar

from ludarium.core.game import Action, Dimensions, Game, State
from ludarium.core.options import Option
from ludarium.errors import BadNotation

from .rules import DTYPE, MOST, HeapOfStonesTables

if TYPE_CHECKING:
    from rich.text import Text

__all__ = ["HeapOfStones"]

LIGHT = "--paper: #fbfaf7; --stone: #8a8375; --next: #c2410c;"
DARK = "--paper: #1c1b19; --stone: #a8a294; --next: #fb923c;"
STYLE = f"""
.heap-of-stones {{ {LIGHT} }}
@media (prefers-color-scheme: dark) {{ .heap-of-stones:root, :root:not([data-theme=light]) .heap-of-stones {{ {DARK} }} }}
[data-theme=dark] .heap-of-stones {{ {DARK} }}
.heap-of-stones .paper {{ fill: var(--paper); }}
.heap-of-stones .stone {{ fill: var(--stone); }}
.heap-of-stones [data-pick] .stone {{ fill: var(--next); }}
"""
ROW = 10
"""Stones in a row of the drawing."""


class HeapOfStones(Game):
    """Positions are written as the stones that are left and who is to move, ``12 first``; actions as the number of stones taken."""

    id = "heap-of-stones"
    title = "Heap of stones"
    summary = "Take the last stone of a heap."
    how_to_play = ("On your turn take one, two or three stones from the heap. Whoever takes the last one wins.",)
    version = 1
    option_list = (Option("stones", "whole number", 15, "how many stones there are at the start", minimum=1, maximum=60),)
    dtype: ClassVar[Any] = DTYPE

    def make_tables(self) -> HeapOfStonesTables:
        return HeapOfStonesTables(self.options["stones"])

    def make_dimensions(self) -> Dimensions:
        return Dimensions(("First", "Second"), max_actions=MOST, action_space=MOST, observation_shape=(2,))

    def write_initial(self, record: Any) -> None:
        record.left = self.tables.stones

    def state_text(self, state: State) -> str:
        return f"{state.record.left} {self.player_names[int(state.record.turn)].lower()}"

    def write_parsed(self, text: str, record: Any) -> None:
        match = re.fullmatch(r"([0-9]{1,3}) (first|second)", text)
        if match is None or int(match[1]) > self.tables.stones:
            raise BadNotation(f"'{text[:40]}' is no position such as '12 first': at most {self.tables.stones} stones, and who is to move")
        record.left = int(match[1])
        record.turn = match[2] == "second"

    def action_text(self, state: State, player: int, action: Any) -> str:
        return str(action + 1)

    def action_index(self, state: State, player: int, text: str) -> int:
        if not re.fullmatch(f"[1-{MOST}]", text.strip()):
            raise BadNotation(f"'{text[:40]}' is no number of stones; take 1 to {MOST}")
        return int(text) - 1

    def reason(self, state: State) -> str:
        return f"{self.player_names[1 - state.record.turn]} has taken the last stone"

    def svg(self, state: State, *, size: int = 480, last: Action | None = None, seat: int = 0) -> str:
        left, rows = int(state.record.left), -(-self.tables.stones // ROW)
        stones = [self._stone(at, left - at) for at in range(left)]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="heap-of-stones" width="{size}" viewBox="0 0 {20 + 40 * ROW} {20 + 40 * rows}" '
            f'role="group" aria-label="{left} stones"><style>{STYLE}</style><rect class="paper" width="100%" height="100%" rx="14"/>'
            f"{''.join(stones)}</svg>"
        )

    def _stone(self, at: int, taken: int) -> str:
        """A stone; the last ones can be pressed, to take them with all that come after."""
        stone = f'<circle class="stone" cx="{30 + 40 * (at % ROW)}" cy="{30 + 40 * (at // ROW)}" r="15"/>'
        return f'<g data-pick="{taken}" aria-label="take {taken}">{stone}</g>' if taken <= MOST else stone

    def board(self, state: State, *, last: Action | None = None, seat: int = 0) -> Text:
        from rich.text import Text

        left = int(state.record.left)
        who = f"{self.player_names[int(state.record.turn)]} to move" if left else self.reason(state)
        return Text(f"{'●' * left}\n{left} stones\n{who}")
