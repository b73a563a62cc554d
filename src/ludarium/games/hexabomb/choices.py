"""hexabomb's orders: how they are picked on a page (``#3`` and ``1,-2``, a move; ``#3``, ``bomb``, ``delay 3``, ``range 2``; ``#3``, ``revive``) and typed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from ludarium.core.game import Action, State
from ludarium.core.orders import OrderPath, Orders
from ludarium.errors import IllegalAction

from .notation.messages import NO_MOVEMENT, order_text
from .tables import ALIVE, BOMB, DIRECTIONS, NOTHING, REVIVE, SHORTEST, place_name

if TYPE_CHECKING:
    from rich.text import Text


class HexabombOrders(Orders):
    """One order a character. All bombs of a character are one path of picks."""

    idle: ClassVar[int | None] = NOTHING

    def text(self, state: State, player: int, slot: int, order: int) -> str:
        """One order as a JSON object; where players have one character each, the list with it, which is all of an action."""
        game = state.game
        return order_text(game.tables, player, slot, order) if game.dimensions.slots > 1 else game.action_text(state, player, order)

    def paths(self, state: State, player: int, slot: int) -> tuple[OrderPath, ...]:
        """All that one character may do, doing nothing first; none for a slot without a character."""
        tables, record = state.game.tables, state.record
        character = int(tables.first[player]) + slot
        if character >= int(tables.first[player + 1]):
            return ()
        name = f"#{character}"
        paths: list[OrderPath] = [(name, NO_MOVEMENT)]
        cell = int(record.position[character])
        delay = int(record.revive_delay[character])
        if delay != ALIVE:
            return (*paths, (name, "revive")) if delay == 0 and not tables.special else tuple(paths)
        paths += [(name, place_name(tables, int(target))) for target in tables.neighbour[cell] if target >= 0]
        if record.bomb_count[character] and not record.bomb_here[cell]:
            longest = SHORTEST + int(tables.width[player]) - 1
            paths.append((name, "bomb", ("delay", SHORTEST, longest), ("range", SHORTEST, longest)))
        return tuple(paths)

    def picked(self, state: State, player: int, slot: int, picks: Sequence[str]) -> int:
        """The order that a path leads to.

        Raises:
            IllegalAction: it is none of :meth:`paths`.
        """
        tables = state.game.tables
        if not any(_leads(path, picks) for path in self.paths(state, player, slot)):
            raise IllegalAction(f"'{' '.join(picks)[:80]}' is no order that can be given here")
        if picks[1] == NO_MOVEMENT:
            return NOTHING
        if picks[1] == "revive":
            return REVIVE
        if picks[1] == "bomb":
            delay, reach = (int(pick.rpartition(" ")[2]) - SHORTEST for pick in picks[2:])
            return BOMB + delay * int(tables.width[player]) + reach
        around = tables.neighbour[int(state.record.position[int(tables.first[player]) + slot])]
        return 1 + [target >= 0 and place_name(tables, int(target)) == picks[1] for target in around].index(True)

    def pick_of(self, state: State, player: int, picks: Sequence[str], word: str) -> str:
        """``B2`` is the character that the board for terminals calls so, ``x+`` the cell in that direction."""
        from .drawing.terminal import character_called

        tables = state.game.tables
        if not picks:
            return word if (found := character_called(tables, player, word)) is None else f"#{found}"
        if word.lower() not in DIRECTIONS:
            return word
        character = picks[0].removeprefix("#")
        target = int(tables.neighbour[int(state.record.position[int(character)]), DIRECTIONS.index(word.lower())])
        return place_name(tables, target) if target >= 0 else word

    def words(self, state: State, player: int, slot: int, order: int) -> str:
        """``#3 x+``, ``#3 bomb delay 3 range 2``, ``#3 revive``, ``#3 none``."""
        if 0 < order <= len(DIRECTIONS):
            return f"#{int(state.game.tables.first[player]) + slot} {DIRECTIONS[order - 1]}"
        return super().words(state, player, slot, order)

    def board(self, state: State, player: int, action: Action, *, seat: int = 0) -> Text:
        from .drawing.terminal import grid

        return grid(state, dict(enumerate(orders_in(action), int(state.game.tables.first[player]))))


def orders_in(action: Action) -> tuple[int, ...]:
    """The orders that an action consists of, one a slot."""
    return action.index if isinstance(action.index, tuple) else (action.index,)


def _leads(path: OrderPath, picks: Sequence[str]) -> bool:
    return len(path) == len(picks) and all(
        step == pick if isinstance(step, str) else _is_number(pick, *step) for step, pick in zip(path, picks, strict=True)
    )


def _is_number(pick: str, word: str, lowest: int, highest: int) -> bool:
    found = re.fullmatch(r"(\w+) ([1-9][0-9]{0,4})", pick)
    return found is not None and found[1] == word and lowest <= int(found[2]) <= highest
