"""Positions as JSON, made once for all who look at them."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

from ludarium.core.sight import Sight

__all__ = ["Renderings", "actions_json", "as_json", "measures_so_far", "orders_json", "position_json"]


class Renderings:
    """The texts that were used last, at most ``size`` characters of them."""

    def __init__(self, size: int = 32_000_000) -> None:
        self._most = size
        self._size = 0
        self._texts: OrderedDict[Hashable, str] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], str]) -> str:
        """The text of a key, made if it is not here. A key must name everything that its text depends on."""
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = make()
            self._size += len(text)
            while self._size > self._most and len(self._texts) > 1:
                self._size -= len(self._texts.popitem(last=False)[1])
        else:
            self._texts.move_to_end(key)
        return text


def as_json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def measures_so_far(sight: Sight) -> dict[str, list[tuple[float, ...]]]:
    """The game's measures in every position so far: names with, by ply, a list of numbers by player."""
    show = sight.course.game.show
    all_of_them = [show.measures_of(sight.state(ply)) for ply in range(sight.ply + 1)]
    return {name: [measures[name] for measures in all_of_them] for name in all_of_them[0]}


def position_json(sight: Sight, ply: int, bottom: int) -> str:
    """What a ``position`` message says about a ply to all who have the same sight and the same seat at the bottom: a JSON object without its last brace."""
    game = sight.course.game
    state, action = sight.state(ply), sight.action(ply)
    picks: tuple[str, ...] = ()
    effects: tuple[tuple[str, ...], ...] = ()
    if action:
        before = sight.state(ply - 1)
        picks, effects = game.picks(before, action), game.show.effects_of(before, action)
    opened = sight.opened(ply)
    content = {
        "type": "position",
        "ply": ply,
        "svg": state.svg(last=action, seat=bottom),
        "text": state.text,
        "facts": game.facts(state),
        "measures": game.show.measures_of(state),
        "move": sight.step_text(ply) if ply else None,
        "picks": picks,
        "effects": effects,
        "events": [{"text": event.text, **event.data} for event in sight.events(ply)],
        "happened": _happened(sight, ply),
        "opened": {"from": opened.start, "moves": [sight.step_text(one) for one in opened]} if opened else None,
    }
    return as_json(content)[:-1]


def _happened(sight: Sight, ply: int) -> int | None:
    """The latest position up to a ply that events led to, None without one. No events are open of positions that are not."""
    if sight.course.game.show.events is None:
        return None  # without looking through a long game
    open_to_all = min(ply, sight.open_ply)
    return next((earlier for earlier in range(open_to_all, 0, -1) if sight.events(earlier)), None)


def actions_json(sight: Sight) -> str:
    """The legal actions of the sight's player in the latest position, as a JSON array."""
    state, game = sight.latest, sight.course.game
    return as_json(
        [
            {"text": action.text, "picks": game.picks(state, action), "effects": game.show.effects_of(state, action)}
            for action in state.actions(sight.player)
        ]
    )


def orders_json(sight: Sight) -> str:
    """The paths of picks of the legal orders of the sight's player in the latest position, as a JSON array with an array a slot."""
    state, game = sight.latest, sight.course.game
    assert sight.player is not None  # who watches gives no orders
    assert game.orders is not None
    return as_json([game.orders.paths(state, sight.player, slot) for slot in range(game.dimensions.slots)])
