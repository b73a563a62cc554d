"""Players who play where it is hottest: hotstrat and sentestrat (E. Berlekamp, J. Conway, R. Guy, Winning Ways, chapter 6; E. Berlekamp,
"The economist's view of combinatorial games", Games of No Chance, 1996).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any, NamedTuple, cast

from ludarium.cgt import Value
from ludarium.core.game import Action, Game, State
from ludarium.errors import NoAtomicWeight
from ludarium.players import Player, never

from ..components import Component
from ..rules import squares_in
from .knowledge import Knowledge

COLDEST = -1.0
"""The temperature of an integer, in which nobody wants to move."""

Gain = tuple[float, float]
"""What a move earns: at the temperature of its component; then in atomic weight, or by a guess at it."""


class Heat(NamedTuple):
    """A component, its exact value if it is known, and its temperature: what it is worth to move there."""

    component: Component
    exact: Value | None
    temperature: float


class HotstratPlayer(Player):
    """Moves in the hottest component, where its thermograph says that the move is best at that temperature.

    Small components are known exactly. The temperature of another one is half of how much better it looks at a glance after Left's best move than after
    Right's. Among equally hot moves, and so in the all-small variant, in which nothing is hot, the gain in atomic weight decides.
    """

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        self._knowledge = Knowledge(game)
        self._grid = self._knowledge.grid
        self._random = random.Random(seed)

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        actions = state.actions(player)
        if len(actions) == 1:
            return actions[0]
        filling = {self._grid.filled_by(state, cast(int, action.index)): action for action in reversed(actions)}
        return filling[self._fill(state, player, list(filling), interrupted)]

    def _fill(self, state: State, player: int, fillings: list[int], interrupted: Callable[[], bool]) -> int:
        """The squares to fill, of all that can be filled."""
        open_to_player = [one for one in self._grid.components(state) if any(one.empty & filled for filled in fillings)]
        heats = self._heats(open_to_player, interrupted)
        gains = {
            filled: self._gain(heat, player, filled, interrupted)
            for heat in self._hottest(state, heats)
            for filled in fillings
            if filled & heat.component.empty
        }
        best = max(gains.values())
        return self._random.choice([filled for filled, gain in gains.items() if gain == best])

    def _hottest(self, state: State, heats: list[Heat]) -> list[Heat]:
        """The components to move in."""
        highest = max(heat.temperature for heat in heats)
        return [heat for heat in heats if heat.temperature == highest]

    def _heats(self, components: list[Component], interrupted: Callable[[], bool]) -> list[Heat]:
        """What is known of components; when interrupted, of those that were looked at, at least one."""
        found: list[Heat] = []
        for component in components:
            exact = self._knowledge.value(component, interrupted)
            temperature = float(exact.temperature) if exact is not None else self._guessed_temperature(component)
            found.append(Heat(component, exact, temperature))
            if interrupted():
                break
        return found

    def _guessed_temperature(self, component: Component) -> float:
        """Half the difference between the best moves of both players; in the all-small variant there is no heat to be seen."""
        if self._knowledge.all_small:
            return 0.0
        guesses = [
            [self._knowledge.guess(self._grid.filled(component, player, filled)) for filled in component.groups[player]]
            for player in range(2)
        ]
        return (max(guesses[0]) - min(guesses[1])) / 2 if guesses[0] and guesses[1] else COLDEST

    def _gain(self, heat: Heat, player: int, filled: int, interrupted: Callable[[], bool]) -> Gain:
        component, all_small = heat.component, self._knowledge.all_small
        sign = -1 if player else 1
        if heat.exact is not None:
            after = self._knowledge.value_of_sum(self._grid.after(component, player, filled, all_small), interrupted)
            if after is not None:
                walls, at = after.thermograph, heat.exact.thermograph.temperature
                stop = walls.left_stop(at) if player else walls.right_stop(at)
                return float(sign * (stop - heat.exact.mean)), sign * (_weight(after) - _weight(heat.exact))
        gain = sign * (self._knowledge.guess(self._grid.filled(component, player, filled)) - self._knowledge.guess(component))
        return (0.0, gain) if all_small else (gain, 0.0)


class SentestratPlayer(HotstratPlayer):
    """Answers the opponent's last move in the same component if that is now hotter than the *ambient* temperature, the lowest at which it has moved of its own
    accord so far; moves in the hottest component otherwise.
    """

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        super().__init__(game, options, seed)
        self._ambient = math.inf
        self._left: list[Component] = []  # the components after its own last move

    def _fill(self, state: State, player: int, fillings: list[int], interrupted: Callable[[], bool]) -> int:
        filled = super()._fill(state, player, fillings, interrupted)
        self._left = []
        for component in self._grid.components(state):
            split = filled & component.empty
            self._left += self._grid.after(component, player, filled, self._knowledge.all_small) if split else [component]
        return filled

    def _hottest(self, state: State, heats: list[Heat]) -> list[Heat]:
        added = sum(1 << cell for cell in squares_in(state.record.added))
        touched = next((component.empty for component in self._left if component.empty & added), None)
        if touched is None:
            self._ambient = math.inf  # the first move, or moves were taken back
        local = [heat for heat in heats if touched is not None and heat.component.empty & touched and heat.temperature > self._ambient]
        if local:
            return super()._hottest(state, local)
        hottest = super()._hottest(state, heats)
        self._ambient = min(self._ambient, hottest[0].temperature)
        return hottest


def _weight(exact: Value) -> float:
    """The mean of a value's atomic weight, 0 where there is none."""
    try:
        return float(exact.atomic_weight.mean)
    except NoAtomicWeight:
        return 0.0
