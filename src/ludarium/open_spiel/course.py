"""How a game came to where it is, action by action, and what each player knows of that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from ludarium.core.game import Action, State
from ludarium.core.leaving import defaults, still_to_move


@dataclass(frozen=True, eq=False)
class Step:
    """A point of a game where somebody chooses one action; copies share it.

    A player who gives several orders at once gives one at a step, and the position changes after the last.
    """

    state: State
    orders: tuple[tuple[int, ...], ...]
    """By player: those given for the next change of the position."""
    before: Step | None = None
    out: Mapping[int, int] = field(default_factory=dict)
    """The players who left before the first step, see :attr:`.Course.out`."""
    ply: int = 0
    """The number of the state, from 0 at the start, or where the last player left."""

    @classmethod
    def beginning(cls, state: State, out: Mapping[int, int]) -> Step:
        """Return the first step, after the actions of players who have left."""
        return cls(state, ((),) * state.game.players, out=out, ply=max(out.values(), default=0))._past_those_out()

    @property
    def is_over(self) -> bool:
        """True if the rules end the game, or at most one player has not left."""
        return self.state.is_over or (len(self.out) > 0 and self.state.game.players - len(self.out) < 2)

    @property
    def movers(self) -> tuple[int, ...]:
        """The players to move who have not left; ``(CHANCE,)`` at dice, ``()`` when the game is over."""
        return () if self.is_over else still_to_move(self.state, self.out)

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
        return self._changed(self.state.play(self.outcomes[place][0]), self.orders)

    def after(self, chosen: dict[int, int]) -> Step:
        """Once each of the players to move has chosen."""
        slots = self.state.game.dimensions.slots
        orders = tuple((*given, chosen[player]) if player in chosen else given for player, given in enumerate(self.orders))
        if self.slot + 1 < slots:
            return replace(self, orders=orders, before=self)
        played = {player: orders[player] if slots > 1 else orders[player][0] for player in chosen}
        return self._changed(self.state.play({**played, **defaults(self.state, self.out, self.ply)}), ((),) * len(orders))

    def _changed(self, state: State, orders: tuple[tuple[int, ...], ...]) -> Step:
        return replace(self, state=state, orders=orders, before=self, ply=self.ply + 1)._past_those_out()

    def _past_those_out(self) -> Step:
        """Return the step when a player who has not left, or chance, is to move."""
        step = self
        while not step.is_over and not step.movers:
            step = replace(step, state=step.state.play(defaults(step.state, step.out, step.ply)), ply=step.ply + 1)
        return step

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
