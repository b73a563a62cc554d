"""What the judge and a program say to each other: JSON objects, a line each. ``docs/bots.md`` describes them."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import orjson

from ludarium.core.course import Step
from ludarium.core.game import Action, Outcome, State
from ludarium.core.sight import Sight
from ludarium.core.timeline import recorded_actions
from ludarium.core.whole_numbers import as_whole, whole_number
from ludarium.errors import BadNotation, IllegalAction, PlayerFailed, PlayerIllegal
from ludarium.players.base import TimeLeft

from .process import shown

PROTOCOL = 1

HELLO = {"type": "hello", "protocol": PROTOCOL}

SENT = ("actions", "indices", "observation")
"""What a program may have with each turn besides the position; unless it says otherwise, the first two."""


@dataclass(frozen=True)
class Wishes:
    """What a program has answered to the greeting."""

    name: str = ""
    send: frozenset[str] = frozenset(SENT[:2])
    starts: str = ""
    """Start positions that it accepts: ``usual`` (the initial one), ``opening`` (also after random plies, which it is told) or '' (any)."""


class News:
    """What happens in a course, as a program is told it, each step once."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        self._told = 0
        self._latest = 0, sight.course.steps[0]
        """The course's last step that was known when something was told, with its number."""

    @property
    def ply(self) -> int:
        """How many steps the program has been told."""
        return self._told

    def since(self) -> dict[str, Any]:
        """``from``: the number of the first step that is told now, and the ``events`` as in records.

        That is the first one that was not told, or an earlier one of which more has become known; 1 when something that was told has been taken back.
        """
        steps, (number, step) = self._sight.course.steps, self._latest
        if number >= len(steps) or steps[number] is not step:
            self._told = 0
        first, told = self._told + 1, self._sight.ply
        for ply in range(self._told + 1, told + 1):
            opened = self._sight.opened(ply)
            first = min(first, opened.start) if opened else first
        self._told, self._latest = told, (len(steps) - 1, steps[-1])
        return {"from": first, "events": [self._sight.recorded_step(ply) for ply in range(first, told + 1)]}


STARTS = ("usual", "opening")


def new_game(start: State, seat: int, seed: int, opening: Sequence[Step] = ()) -> dict[str, Any]:
    """Return the ``game`` message.

    Args:
        start: the first position, as its seat may know it.
        seat: its seat.
        seed: for its random numbers; it is told one below 2^53, so that every language's numbers hold it.
        opening: the steps that led to the first position, of a game that hides nothing.
    """
    game = start.game
    told: dict[str, Any] = {}
    if opening:
        events = [recorded_actions({player: action.text for player, action in step.actions.items()}) for step in opening[1:]]
        told = {"opening": {"position": opening[0].state.text, "events": events}}
    return {
        "type": "game",
        "game": game.id,
        "title": game.title,
        "options": dict(game.options),
        "players": list(game.player_names),
        "seat": seat,
        "seed": seed >> 11,
        "position": start.text,
        **told,
    }


def turn(state: State, seat: int, news: News, time_left: TimeLeft | None, send: Collection[str]) -> dict[str, Any]:
    """What a program is asked; ``state`` as its seat may know it."""
    message: dict[str, Any] = {
        "type": "turn",
        **news.since(),
        "ply": news.ply,
        "position": state.text,
        "clock": time_left and time_left.as_json(),
    }
    if state.game.orders is None:
        message |= _choices(state, seat, 0, send)
    else:
        message["orders"] = [_choices(state, seat, slot, send) for slot in range(state.game.dimensions.slots)]
    if "observation" in send:
        message["observation"] = state.observation(seat).ravel().tolist()
    return message


def _choices(state: State, seat: int, slot: int, send: Collection[str]) -> dict[str, Any]:
    """The legal actions, or orders of a slot."""
    found: dict[str, Any] = {}
    if "actions" in send:
        found["actions"] = state.texts(seat, slot)
    if "indices" in send:
        found["indices"] = state.legal(seat, slot)
    return found


def result(outcome: Outcome, news: News) -> dict[str, Any]:
    return {"type": "result", **news.since(), "returns": list(outcome.returns), "reason": outcome.reason}


def encoded(message: Mapping[str, Any]) -> bytes:
    """The message as a line."""
    return orjson.dumps(message, option=orjson.OPT_APPEND_NEWLINE)


def _answer(line: bytes, *kinds: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except UnicodeDecodeError:
        raise PlayerIllegal(f"bad answer: not UTF-8: {shown(line)}") from None
    except (ValueError, RecursionError):
        raise PlayerIllegal(f"bad answer: not JSON: {shown(line)}") from None
    if not isinstance(value, dict) or cast("dict[str, Any]", value).get("type") not in kinds:
        raise PlayerIllegal(f'bad answer: no object with "type": "{kinds[0]}": {shown(line)}')
    return cast("dict[str, Any]", value)


def read_ready(line: bytes) -> Wishes:
    """The answer to the greeting.

    Raises:
        PlayerIllegal: it is none.
    """
    answer = _answer(line, "ready")
    name, send = answer.get("name", ""), answer.get("send", SENT[:2])
    if not isinstance(name, str) or not isinstance(send, list | tuple) or not set(map(str, cast("list[Any]", send))) <= set(SENT):
        raise PlayerIllegal(f'bad answer: "name" is a text, "send" a list of some of {", ".join(SENT)}: {shown(line)}')
    return Wishes(name[:80], frozenset(cast("list[str]", send)), answer["starts"] if answer.get("starts") in STARTS else "")


class GivenUp(PlayerFailed):
    """The program gives up the game, for the reason that it says."""


def read_action(line: bytes, state: State, seat: int) -> Action:
    """The legal action of an answer to a turn.

    Raises:
        PlayerIllegal: it is none.
        GivenUp: the program gives up.
    """
    answer = _answer(line, "action", "forfeit")
    if answer["type"] == "forfeit":
        raise GivenUp(str(answer.get("reason", "")) or "forfeit: it gave up")
    choice = as_whole(answer.get("action"))
    slots = state.game.dimensions.slots if state.game.orders is not None else 0
    try:
        if isinstance(choice, list) and slots and len(cast("list[Any]", choice)) == slots:
            choice = tuple(_order(order, state, seat, slot) for slot, order in enumerate(cast("list[Any]", choice)))
        elif isinstance(choice, bool) or not isinstance(choice, str | int):
            orders = f", or a list with {slots} orders" if slots else ""
            raise PlayerIllegal(f'bad answer: "action" is a text or an index{orders}: {shown(line)}')
        return state.action(choice, seat)
    except (IllegalAction, BadNotation) as problem:
        raise PlayerIllegal(f"illegal action: {problem}") from None


def read_growth(line: bytes) -> float:
    """By how many megabytes of virtual memory a program has grown, as its answer to a turn tells."""
    grown = _answer(line, "action").get("grown") if b'"grown"' in line else None
    return float(grown) if isinstance(grown, int | float) and grown > 0 else 0.0


def _order(order: Any, state: State, seat: int, slot: int) -> int:
    """The index of an order, given by it or by its text."""
    if (number := whole_number(order)) is not None:
        return number
    for action in state.actions(seat, slot):
        if action.text == order:
            return cast(int, action.index)
    raise IllegalAction(f"{order!r} is no legal order for number {slot}")
