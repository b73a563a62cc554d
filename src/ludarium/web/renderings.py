"""Positions as JSON, made once for all who look at them."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

from ludarium.core.timeline import Timeline

__all__ = ["Renderings", "actions_json", "as_json", "measures_so_far", "orders_json", "position_json", "step_text"]


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


def step_text(timeline: Timeline, ply: int) -> str:
    """What the list of moves says of the step that led to a position."""
    return timeline.game.step_text(timeline.steps[ply - 1].state, timeline.steps[ply].actions)


def measures_so_far(timeline: Timeline) -> dict[str, list[tuple[float, ...]]]:
    """The game's measures in every position so far: names with, by ply, a list of numbers by player."""
    all_of_them = [timeline.game.measures(step.state) for step in timeline.steps]
    return {name: [measures[name] for measures in all_of_them] for name in all_of_them[0]}


def position_json(timeline: Timeline, ply: int, bottom: int) -> str:
    """What a ``position`` message says about a ply to all who have the same seat at the bottom: a JSON object without its last brace."""
    step = timeline.steps[ply]
    game = timeline.game
    picks: tuple[str, ...] = ()
    effects: tuple[tuple[str, ...], ...] = ()
    if ply and step.action:
        before = timeline.steps[ply - 1].state
        picks, effects = game.picks(before, step.action), game.effects(before, step.action)
    content = {
        "type": "position",
        "ply": ply,
        "svg": step.state.svg(last=step.action, seat=bottom),
        "text": step.state.text,
        "facts": game.facts(step.state),
        "measures": game.measures(step.state),
        "move": step_text(timeline, ply) if ply else None,
        "picks": picks,
        "effects": effects,
    }
    return as_json(content)[:-1]


def actions_json(timeline: Timeline, player: int) -> str:
    """The legal actions of a player in the latest position, as a JSON array."""
    state, game = timeline.state, timeline.game
    return as_json(
        [
            {"text": action.text, "picks": game.picks(state, action), "effects": game.effects(state, action)}
            for action in state.actions(player)
        ]
    )


def orders_json(timeline: Timeline, player: int) -> str:
    """The paths of picks of a player's legal orders in the latest position, as a JSON array with an array a slot."""
    state, game = timeline.state, timeline.game
    return as_json([game.order_paths(state, player, slot) for slot in range(game.slots)])
