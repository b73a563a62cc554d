"""What a player knows of components: the exact values of small ones, a guess at the others."""

from __future__ import annotations

from collections.abc import Callable

from ludarium.cgt import Value, value
from ludarium.core.game import Game
from ludarium.errors import TooLarge

from ..components import Component, Grid
from ..values import ExpandConquerRuleset

MOST_VALUED = {False: 14, True: 10}
"""Empty squares of the largest components that are valued, in the normal and in the all-small variant: some hundredths of a second each."""

MOST_BYTES = 512 << 20
"""Where the values of this process take so much memory, as in a server that has run for long, no further ones are computed for players."""

GROUP, BESIDE = 0.6, 1.0
"""The guess in the normal variant, in moves: a group that can expand, a square beside groups of one player only."""

WEIGHT = 0.25
"""The guess in the all-small variant: what such a square adds to the atomic weight."""


class Interrupted(Exception):
    """Ends a computation that nobody waits for any more."""


class Knowledge:
    """What is known of the components of one game's positions. Values are computed once a game."""

    def __init__(self, game: Game) -> None:
        self.grid = Grid(game.tables.rows, game.tables.columns)
        self.all_small = bool(game.tables.all_small)
        self.ruleset = ExpandConquerRuleset(game.options["variant"])
        self._values: dict[bytes, Value | None] = {}

    def value(self, component: Component, interrupted: Callable[[], bool]) -> Value | None:
        """The exact value of a small component, None for a larger one, and when interrupted."""
        if component.size > MOST_VALUED[self.all_small]:
            return None
        words = self.grid.words(component)
        if words is None:
            return None
        key = words.tobytes()
        if key not in self._values:

            def look(done: int, total: int | None) -> None:
                if interrupted():
                    raise Interrupted

            try:
                self._values[key] = value(self.ruleset, words, progress=look, most_bytes=MOST_BYTES)
            except TooLarge:
                self._values[key] = None
            except Interrupted:
                return None
        return self._values[key]

    def value_of_sum(self, components: list[Component], interrupted: Callable[[], bool]) -> Value | None:
        """The exact value of a sum of small components, None if one of them is not valued."""
        total = Value(0)
        for component in components:
            exact = self.value(component, interrupted)
            if exact is None:
                return None
            total += exact
        return total

    def guess(self, component: Component) -> float:
        """What a component seems to be worth to Left at a glance at groups and the squares beside them: in moves; in the all-small variant, in ups."""
        touched = [0, 0]
        for player, side in enumerate(component.groups):
            for squares in side:
                touched[player] |= squares
        alone = (touched[0] & ~touched[1]).bit_count() - (touched[1] & ~touched[0]).bit_count()
        if self.all_small:
            return WEIGHT * alone
        return GROUP * (len(component.groups[0]) - len(component.groups[1])) + BESIDE * alone
