"""What is said of a position however often it is sent: as data, and as JSON that is made once for all who are told the same."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from ludarium.core.game import Action, State
from ludarium.core.sight import Sight


class Renderings:
    """The JSON texts that were used last, at most ``size`` characters of them."""

    def __init__(self, size: int = 32_000_000) -> None:
        self._most = size
        self._size = 0
        self._texts: OrderedDict[Hashable, str] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], Mapping[str, Any]]) -> str:
        """The JSON of a key's object without its braces, made if it is not here. A key must name everything that its object depends on."""
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = as_json(make())[1:-1]
            self._size += len(text)
            while self._size > self._most and len(self._texts) > 1:
                self._size -= len(self._texts.popitem(last=False)[1])
        else:
            self._texts.move_to_end(key)
        return text


def as_json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def position_content(sight: Sight, ply: int, bottom: int) -> dict[str, Any]:
    """What a ``position`` message says about a ply to all who have the same sight and the same seat at the bottom."""
    game = sight.course.game
    state, action = sight.state(ply), sight.action(ply)
    picks: tuple[str, ...] = ()
    effects: tuple[tuple[str, ...], ...] = ()
    if action:
        before = sight.state(ply - 1)
        picks, effects = game.picks(before, action), game.show.effects_of(before, action)
    return {
        "type": "position",
        "ply": ply,
        "svg": state.svg(last=action, seat=bottom),
        "text": state.text,
        "facts": game.facts(state),
        "measures": game.show.measures_of(state),
        "move": sight.line(ply) if ply else None,
        "picks": picks,
        "effects": effects,
        "events": [{"text": event.text, **event.data} for event in sight.events(ply)],
        "happened": _happened(sight, ply),
    }


def _happened(sight: Sight, ply: int) -> int | None:
    """The latest position up to a ply that events led to, None without one. No events are open of positions that are not."""
    if sight.course.game.show.events is None:
        return None  # without looking through a long game
    open_to_all = min(ply, sight.open_ply)
    return next((earlier for earlier in range(open_to_all, 0, -1) if sight.events(earlier)), None)


def choices_content(sight: Sight) -> dict[str, Any]:
    """What the sight's player may choose in the latest position: legal actions, or the paths of picks of its legal orders, a list a slot."""
    state, game = sight.latest, sight.course.game
    if game.orders is not None:
        assert sight.player is not None  # who watches gives no orders
        return {"actions": [], "orders": [game.orders.paths(state, sight.player, slot) for slot in range(game.dimensions.slots)]}
    return {"actions": _as_choices(state, state.actions(sight.player)), "orders": []}


def ahead_content(sight: Sight, player: int) -> dict[str, Any]:
    """An ``ahead`` message: what a player could do in the latest position if it were to move."""
    state = sight.latest
    return {"type": "ahead", "ply": sight.ply, "actions": _as_choices(state, state.actions_ahead(player))}


def _as_choices(state: State, actions: Iterable[Action]) -> list[dict[str, Any]]:
    game = state.game
    return [{"text": action.text, "picks": game.picks(state, action), "effects": game.show.effects_of(state, action)} for action in actions]
