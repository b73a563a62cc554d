"""How a game came to where it is, action by action, and what each player knows of that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from ludarium.core.game import Action, State


@dataclass(frozen=True, eq=False)
class Step:
    """A point of a game where somebody chooses one action; copies share it.

    A player who gives several orders at once gives one at a step, and the position changes after the last.
    """

    state: State
    orders: tuple[tuple[int, ...], ...]
    """By player: those given for the next change of the position."""
    before: Step | None = None

    @classmethod
    def beginning(cls, state: State) -> Step:
        return cls(state, ((),) * state.game.players)

    def __deepcopy__(self, memory: dict[int, Any]) -> Self:
        return self

    @property
    def slot(self) -> int:
        """Which order is to be given."""
        return max(map(len, self.orders))

    @cached_property
    def outcomes(self) -> list[tuple[Action, float]]:
        """At dice: what can come, with its probability."""
        return self.state.outcomes()

    def after_chance(self, place: int) -> Step:
        """Once that has come which stands at a place of the list."""
        return Step(self.state.play(self.outcomes[place][0]), self.orders, self)

    def after(self, chosen: dict[int, int]) -> Step:
        """Once each of the players to move has chosen."""
        slots = self.state.game.dimensions.slots
        orders = tuple((*given, chosen[player]) if player in chosen else given for player, given in enumerate(self.orders))
        if self.slot + 1 < slots:
            return Step(self.state, orders, self)
        played = {player: orders[player] if slots > 1 else orders[player][0] for player in chosen}
        return Step(self.state.play(played), ((),) * len(orders), self)

    def text(self, viewer: int | None) -> str:
        """What a player may know of the position, and which orders it has given; None: somebody who only watches."""
        given = self.orders[viewer] if viewer is not None else ()
        return self._with_orders(self.state.seen_by(viewer).text, [given])

    def __str__(self) -> str:
        """All there is."""
        return self._with_orders(self.state.text, self.orders)

    def known(self, viewer: int | None) -> str:
        """All that somebody has seen and done so far, a line for each step at which that changed."""
        lines: list[str] = []
        step: Step | None = self
        while step is not None:
            line = step.text(viewer)
            if not lines or lines[-1] != line:
                lines.append(line)
            step = step.before
        return "\n".join(reversed(lines))

    def _with_orders(self, position: str, given: Iterable[tuple[int, ...]]) -> str:
        return " ".join([position, *[f"[{','.join(map(str, orders))}]" for orders in given if orders]])
