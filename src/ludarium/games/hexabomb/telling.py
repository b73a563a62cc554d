"""What happened on a turn of hexabomb, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ludarium.core.game import Action, Event, State

from .choices import orders_in
from .tables import ALIVE, BOMB, NOTHING, REVIVE, SHORTEST


def events_of(state: State, actions: Mapping[int, Action]) -> tuple[Event, ...]:
    """What happens when these actions are played, a line each: bombs dropped, characters revived or held up, cells painted, explosions.

    Nothing while orders are only given, and how they are received is still to be drawn.
    """
    after = state.after(actions)
    if after.record.waiting:
        return ()
    orders = state.record.orders.tolist() if state.record.waiting else _orders(state, actions)
    return (*_of_orders(state, orders, after), *_of_painting(state, after), *_of_explosions(state, orders, after))


_FIRST = ("explosion", "bomb", "revive", "blocked", "paint")
"""Kinds of events, as a turn's line tells of them."""


def line_of(state: State, actions: Mapping[int, Action]) -> str:
    """``Turn 5: Blue's bomb took 7 cells and Orange's #4; Blue painted 2 cells``. Nothing for orders whose reception is still to be drawn."""
    after = state.after(actions)
    if after.record.waiting:
        return ""
    events = sorted(events_of(state, actions), key=lambda event: _FIRST.index(event.data["kind"]))
    return f"Turn {int(after.record.turn)}: {'; '.join(event.text for event in events) or 'nothing happened'}"


def _orders(state: State, actions: Mapping[int, Action]) -> list[int]:
    """Orders by character, as the rules would note them."""
    tables = state.game.tables
    orders = [NOTHING] * tables.characters
    for player, action in actions.items():
        for character, order in zip(range(int(tables.first[player]), int(tables.first[player + 1])), orders_in(action), strict=False):
            orders[character] = order
    return orders


def _of_orders(state: State, orders: list[int], after: State) -> Iterator[Event]:
    tables, before, then = state.game.tables, state.record, after.record
    for character, order in enumerate(orders[: tables.characters]):
        who = _named(state, character)
        if order >= BOMB:
            delay, reach = _bomb(state, character, order)
            cell = int(before.position[character])
            yield Event(f"{who} dropped a bomb at {tables.q[cell]},{tables.r[cell]}, delay {delay}, range {reach}", {"kind": "bomb"})
        elif order == REVIVE:
            alive = int(then.revive_delay[character]) == ALIVE
            yield Event(f"{who} is back" if alive else f"{who} stayed dead", {"kind": "revive"})
        elif order != NOTHING and int(before.position[character]) == int(then.position[character]):
            yield Event(f"{who} found its way blocked", {"kind": "blocked"})


def _bomb(state: State, character: int, order: int) -> tuple[int, int]:
    tables = state.game.tables
    delay, reach = divmod(order - BOMB, int(tables.width[tables.owner[character]]))
    return SHORTEST + delay, SHORTEST + reach


def _of_painting(state: State, after: State) -> Iterator[Event]:
    """How many cells each player's characters painted that were not its own, as far as no explosion painted them anew."""
    before, then = state.record, after.record
    for player, name in enumerate(state.game.player_names):
        cells = int(np.count_nonzero((then.colour == player + 1) & (before.colour != player + 1) & (then.blast == 0)))
        if cells:
            yield Event(f"{name} painted {_count(cells, 'cell')}", {"kind": "paint"})


def _of_explosions(state: State, orders: list[int], after: State) -> Iterator[Event]:
    """What each player's bombs took and whom they killed; what became neutral where bombs of several players met."""
    tables, before, then = state.game.tables, state.record, after.record
    if not then.exploded:
        return
    exploded = _exploded_bombs(state, orders, after)
    for colour in (*range(1, tables.players + 1), 0):
        cells = then.blast == colour + 1
        if not cells.any() and not (colour and exploded[colour]):
            continue
        changed = int(np.count_nonzero(cells & (before.colour != then.colour)))
        dead = [
            _named(state, character)
            for character in range(tables.characters)
            if int(before.revive_delay[character]) == ALIVE != int(then.revive_delay[character]) and cells[then.position[character]]
        ]
        if colour:
            bombs = exploded[colour]
            what = f"{state.game.player_names[colour - 1]}'s {'bomb' if bombs == 1 else f'{bombs} bombs'} took"
            took = [*([_count(changed, "cell")] if changed or not dead else []), *dead]
            yield Event(f"{what} {_joined(took)}", {"kind": "explosion"})
        elif changed or dead:
            lines = [*([f"left {_count(changed, 'cell')} neutral"] if changed else []), *([f"took {_joined(dead)}"] if dead else [])]
            yield Event(f"Where bombs met, they {' and '.join(lines)}", {"kind": "explosion"})


def _exploded_bombs(state: State, orders: list[int], after: State) -> list[int]:
    """By colour, how many bombs went off: those that lay there or were dropped, and are gone."""
    tables, before, then = state.game.tables, state.record, after.record
    counts = [0] * (tables.players + 1)
    lying = [(int(before.bomb_cell[bomb]), int(before.bomb_colour[bomb])) for bomb in range(int(before.bombs))]
    lying += [(int(before.position[who]), int(tables.owner[who]) + 1) for who in range(tables.characters) if orders[who] >= BOMB]
    for cell, colour in lying:
        counts[colour] += not then.bomb_here[cell]
    return counts


def _named(state: State, character: int) -> str:
    return f"{state.game.player_names[int(state.game.tables.owner[character])]}'s #{character}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _joined(parts: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
