"""The text of a state: its JSON with ``mode`` and ``turn``, and what the players have chosen while the order of reception is to be drawn."""

from __future__ import annotations

import itertools
import json
from typing import Any, cast

import numpy as np

from ludarium.core.jit import plain
from ludarium.core.rules import legal_actions
from ludarium.errors import BadNotation, LudariumError

from ..brief import brief
from ..maps import load_map, map_names
from ..tables import ALIVE, FIRST_REVIVE_DELAY, MAX_BOMBS_CARRIED, SHORTEST, Tables
from .messages import message_text, orders_of
from .state_json import state_json

CLASSIC, SUDDEN_DEATH = "classic", "sudden-death"

KEYS = ("bombs", "cell_count", "cells", "characters", "explosions", "score", "mode", "turn")


def _mode_of(tables: Tables) -> str:
    return SUDDEN_DEATH if tables.special else CLASSIC


def position_text(tables: Tables, states: np.ndarray) -> str:
    """The text of ``states[0]`` in one line."""
    record = states[0]
    extra: dict[str, Any] = {"mode": _mode_of(tables), "turn": int(record.turn)}
    if record.waiting:
        teams = itertools.pairwise(tables.first.tolist())
        chosen = [message_text(tables, player, record.orders[first:end].tolist()) for player, (first, end) in enumerate(teams)]
        extra["orders"] = [json.loads(one) for one in chosen]
    return state_json(tables, states).decode("ascii")[:-1] + "," + json.dumps(extra, separators=(",", ":"))[1:]


def write_position(tables: Tables, text: str, record: Any, slots: int) -> None:
    """Write the state of a text into a zeroed record.

    Raises:
        BadNotation: it is no state of this map, mode and number of players; the message says what is wrong and where.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise BadNotation(f"'{text[:60]}' is no hexabomb state: a state is a JSON object with the keys {', '.join(KEYS)}") from None
    write_value(tables, value, record, slots)


def write_value(tables: Tables, value: Any, record: Any, slots: int) -> None:
    """The same from the JSON value of a text.

    Raises:
        BadNotation: as :func:`write_position`.
    """
    fields = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    if set(fields) - {"orders"} != set(KEYS):
        raise BadNotation(f"{brief(value)} is no hexabomb state: a state has the keys {', '.join(KEYS)} (and orders while they wait)")
    _Reader(tables, record, fields).read()
    if "orders" in fields:
        _read_orders(tables, record, fields["orders"], slots)


def options_in(text: str) -> dict[str, Any]:
    """The options that a state's text tells, not checked: mode, number of players and, if it is on the cells of a shipped map, that map."""
    try:
        fields = json.loads(text)
        mode, players = fields["mode"], len(fields["score"])
        cells = [(cell["q"], cell["r"]) for cell in fields["cells"]]
    except (ValueError, RecursionError, LookupError, TypeError):
        return {}
    told = {"mode": mode, "players": players - (mode == SUDDEN_DEATH)}
    known = next((name for name in map_names() if sorted(load_map(name).cells) == cells), None)
    return told if known is None else told | {"map": known}


class _Reader:
    """Reads one state into a record, part by part."""

    def __init__(self, tables: Tables, record: Any, fields: dict[str, Any]) -> None:
        self.tables = tables
        self.record = record
        self.fields = fields
        self.cell_of = {place: cell for cell, place in enumerate(zip(tables.q.tolist(), tables.r.tolist(), strict=True))}

    def read(self) -> None:
        tables, fields = self.tables, self.fields
        if fields["mode"] != _mode_of(tables):
            raise BadNotation(f"mode is '{_mode_of(tables)}' in this game, not {brief(fields['mode'])}")
        self.record.turn = self._whole(fields["turn"], 0, tables.turns, "turn")
        self._read_cells(self._list("cells", tables.cells))
        self._read_characters(self._list("characters", tables.characters))
        for number, bomb in enumerate(self._list("bombs", None)):
            self._read_bomb(number, bomb)
        self._read_explosions()
        most = int(self.record.turn) * (1 if tables.special else tables.cells)
        for player, score in enumerate(self._by_player("score", most)):
            if player < tables.special and score:
                raise BadNotation(f"score: the special player has none, not {score}")
            self.record.score[player] = score
        counted = self._by_player("cell_count", tables.cells)
        if counted != self.record.cell_count[: tables.players].tolist():
            raise BadNotation(
                f"cell_count is {counted}, but the cells have {self.record.cell_count[: tables.players].tolist()} of each colour"
            )

    def _read_cells(self, cells: list[Any]) -> None:
        for cell, one in enumerate(cells):
            where = f"cells, element {cell}"
            self._keys(one, ("color", "q", "r"), where)
            if self._cell(one, where) != cell:
                raise BadNotation(f"{where}: {self._place(cell)} comes here: the cells are the map's, sorted by q and r")
            colour = self._whole(one["color"], 0, self.tables.players, f"{where}: color")
            self.record.colour[cell] = colour
            if colour:
                self.record.cell_count[colour - 1] += 1

    def _read_characters(self, characters: list[Any]) -> None:
        tables, record = self.tables, self.record
        for character, one in enumerate(characters):
            where = f"characters, element {character}"
            self._keys(one, ("alive", "bomb_count", "color", "id", "q", "r", "revive_delay"), where)
            owner = int(tables.owner[character])
            for name, expected in (("id", character), ("color", owner + 1)):
                self._whole(one[name], expected, expected, f"{where}: {name}")
            cell = record.position[character] = self._cell(one, where)
            record.bomb_count[character] = self._whole(one["bomb_count"], 0, MAX_BOMBS_CARRIED, f"{where}: bomb_count")
            delay = self._whole(one["revive_delay"], ALIVE, FIRST_REVIVE_DELAY, f"{where}: revive_delay")
            record.revive_delay[character] = delay
            if one["alive"] is not (delay == ALIVE):
                raise BadNotation(f"{where}: a character is alive when its revive_delay is {ALIVE}, and only then")
            if delay != ALIVE and owner < tables.special:
                raise BadNotation(f"{where}: characters of the special player cannot die")
            if delay == ALIVE:
                if record.occupant[cell]:
                    raise BadNotation(f"{where}: character {int(record.occupant[cell]) - 1} lives on {self._place(cell)} already")
                record.occupant[cell] = character + 1

    def _read_bomb(self, number: int, bomb: Any) -> None:
        record, where = self.record, f"bombs, element {number}"
        self._keys(bomb, ("color", "delay", "q", "r", "range"), where)
        cell = self._cell(bomb, where)
        if record.bomb_here[cell]:
            raise BadNotation(f"{where}: there is a bomb on {self._place(cell)} already")
        colour = self._whole(bomb["color"], 1, self.tables.players, f"{where}: color")
        longest = SHORTEST + int(self.tables.width[colour - 1]) - 1
        record.bomb_cell[number] = cell
        record.bomb_here[cell] = number + 1
        record.bomb_colour[number] = colour
        record.bomb_delay[number] = self._whole(bomb["delay"], 1, longest, f"{where}: delay")
        record.bomb_range[number] = self._whole(bomb["range"], SHORTEST, longest, f"{where}: range")
        record.bombs = number + 1

    def _read_explosions(self) -> None:
        groups = self.fields["explosions"]
        colours = [str(colour) for colour in range(self.tables.players + 1)]
        if not isinstance(groups, dict) or not set(cast("dict[str, Any]", groups)) <= set(colours):
            raise BadNotation(f"explosions is an object whose keys are among {', '.join(colours)}")
        for colour, places in cast("dict[str, Any]", groups).items():
            where = f'explosions, "{colour}"'
            if not isinstance(places, list) or not places:
                raise BadNotation(f"{where} is a list of cells, and not empty")
            last = -1
            for place in cast("list[Any]", places):
                self._keys(place, ("q", "r"), where)
                cell = self._cell(place, where)
                if cell <= last or self.record.blast[cell]:
                    raise BadNotation(f"{where}: the cells are sorted by q and r, and each explodes once; {self._place(cell)} does not fit")
                self.record.blast[cell] = int(colour) + 1
                last = cell
        self.record.exploded = int(groups != {})

    def _list(self, name: str, length: int | None) -> list[Any]:
        value = self.fields[name]
        if not isinstance(value, list) or (length is not None and len(cast("list[Any]", value)) != length):
            raise BadNotation(f"{name} is a list" + ("" if length is None else f" of {length} elements"))
        return cast("list[Any]", value)

    def _by_player(self, name: str, most: int) -> list[int]:
        value = self.fields[name]
        players = [str(player) for player in range(self.tables.players)]
        if not isinstance(value, dict) or set(cast("dict[str, Any]", value)) != set(players):
            raise BadNotation(f"{name} is an object with the keys {', '.join(players)}")
        return [self._whole(value[player], 0, most, f"{name} of player {player}") for player in players]

    def _keys(self, value: Any, keys: tuple[str, ...], where: str) -> None:
        if not isinstance(value, dict) or set(cast("dict[str, Any]", value)) != set(keys):
            raise BadNotation(f"{where}: {brief(value)} is not an object with the keys {', '.join(keys)}")

    def _cell(self, value: dict[str, Any], where: str) -> int:
        q, r = value["q"], value["r"]
        if type(q) is not int or type(r) is not int or (q, r) not in self.cell_of:
            raise BadNotation(f"{where}: the map has no cell at ({brief(q)},{brief(r)})")
        return self.cell_of[q, r]

    def _place(self, cell: int) -> str:
        return f"({self.tables.q[cell]},{self.tables.r[cell]})"

    def _whole(self, value: Any, least: int, most: int, where: str) -> int:
        if type(value) is not int or not least <= value <= most:
            bounds = f"{least}" if least == most else f"a whole number from {least} to {most}"
            raise BadNotation(f"{where} is {bounds}, not {brief(value)}")
        return value


def _read_orders(tables: Tables, record: Any, messages: Any, slots: int) -> None:
    """The orders that wait for their reception, which must be legal."""
    if not tables.random_reception or int(record.turn) >= tables.turns:
        raise BadNotation("orders: nothing is to be drawn in this state")
    if not isinstance(messages, list) or len(cast("list[Any]", messages)) != tables.players:
        raise BadNotation(f"orders is a list of {tables.players} lists, one a player")
    out = np.zeros(2 + 7 + int(tables.width.max()) ** 2, np.int64)
    for player, message in enumerate(cast("list[Any]", messages)):
        try:
            orders = orders_of(tables, player, slots, message)
        except LudariumError as problem:
            raise BadNotation(f"orders of player {player}: {problem}") from None
        first = int(tables.first[player])
        for slot in range(int(tables.first[player + 1]) - first):
            count = plain(legal_actions.implementations[type(tables)])(tables, record, player, slot, out)
            if orders[slot] not in out[:count].tolist():
                raise BadNotation(f"orders of player {player}: {message_text(tables, player, orders)[:80]} is not legal here")
            record.orders[first + slot] = orders[slot]
    record.waiting = 1
