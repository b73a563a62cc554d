"""Maps of hexabomb: JSON with cells and initial positions, shipped by name or from any file."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, cast

from ludarium.core.options import is_content
from ludarium.core.user_text import plain_text, read_user_text
from ludarium.errors import BadOption, one_of

from .brief import brief

MAX_CELLS = 1024
MAX_CHARACTERS = 64
LARGEST_FILE = 1_000_000
"""Bytes; ten times what so many cells can need."""

Place = tuple[int, int]
"""Axial coordinates (q, r)."""


@dataclass(frozen=True)
class HexMap:
    """A map that has been checked: its cells, where the characters of each team start, and those of the special player (none: no sudden death)."""

    cells: tuple[Place, ...]
    teams: tuple[tuple[Place, ...], ...]
    special: tuple[Place, ...]


def map_names() -> tuple[str, ...]:
    """The names of the shipped maps, sorted."""
    return tuple(sorted(entry.name.removesuffix(".json") for entry in _folder().iterdir() if entry.name.endswith(".json")))


def _folder() -> Traversable:
    return resources.files("ludarium.games.hexabomb").joinpath("data", "maps")


def load_map(source: str) -> HexMap:
    """The map of a name, of a file's path, or of a text that is the JSON itself.

    Raises:
        BadOption: there is no such map or file, or it is no map; one line says why.
    """
    if is_content(source):
        return _parse(plain_text(source), "map")
    if source in map_names():
        return _shipped(source)
    return _parse(_text_of(source), source)


@functools.cache
def _shipped(name: str) -> HexMap:
    return _parse(_folder().joinpath(f"{name}.json").read_text(encoding="utf-8"), name)


def _text_of(source: str) -> str:
    if not source:
        raise BadOption(f"'' names no file, and as the name of a map {one_of(source, map_names())}")
    path = Path(source)
    try:
        if not path.exists():
            raise BadOption(f"File {source} does not exist, and as the name of a map {one_of(source, map_names())}")
        if not path.is_file():
            raise BadOption(f"{source} is not a file")
        return read_user_text(path, BadOption, LARGEST_FILE, is_filled=True)
    except OSError as problem:
        raise BadOption(f"File {source} cannot be read: {problem.strerror}") from None


def _parse(text: str, source: str) -> HexMap:
    try:
        found = json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise BadOption(f"{source}: Invalid JSON: nested too deeply") from None
    except ValueError as problem:
        raise BadOption(f"{source}: Invalid JSON: {problem}") from None
    try:
        return read_map(found)
    except BadOption as problem:
        raise BadOption(f"{source}: {problem}") from None


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON number")


def map_json(board: HexMap) -> str:
    """The map as JSON in one line: cells sorted, as a record keeps it so that it can be replayed without the file."""
    value: dict[str, Any] = {"cells": _places_json(sorted(board.cells))}
    value["initial_positions"] = {str(team): _places_json(places) for team, places in enumerate(board.teams)}
    if board.special:
        value["special_initial_positions"] = _places_json(board.special)
    return json.dumps(value, separators=(",", ":"))


def _places_json(places: Iterable[Place]) -> list[dict[str, int]]:
    return [{"q": q, "r": r} for q, r in places]


def read_map(value: Any) -> HexMap:
    """Check what the JSON of a map says.

    Raises:
        BadOption: with the words of the original game where it has any.
    """
    if not isinstance(value, dict):
        raise BadOption("initial map is not an object")
    fields = cast("dict[str, Any]", value)
    cells = _read_cells(_field(fields, "cells"))
    teams = _read_teams(_field(fields, "initial_positions"))
    special = _read_places(fields.get("special_initial_positions", []), "special_initial_positions")
    positions = [*special, *(place for team in teams for place in team)]
    for q, r in positions:
        if (q, r) not in cells:
            raise BadOption(f"There is no cell at {{q={q},r={r}}}")
    _refuse_repeated(positions, "initial cell")
    if len(positions) > MAX_CHARACTERS:
        raise BadOption(f"a map has at most {MAX_CHARACTERS} initial positions, not {len(positions)}")
    return HexMap(cells, teams, special)


def _field(fields: Mapping[str, Any], name: str) -> Any:
    if name not in fields:
        raise BadOption(f"Key not found: {name}")
    return fields[name]


def _read_cells(value: Any) -> tuple[Place, ...]:
    if isinstance(value, list) and len(cast("list[Any]", value)) > MAX_CELLS:
        raise BadOption(f"a map has at most {MAX_CELLS:,} cells, not {len(cast('list[Any]', value)):,}")
    cells = _read_places(value, "cells")
    _refuse_repeated(cells, "cell")
    return cells


def _refuse_repeated(places: Iterable[Place], what: str) -> None:
    seen: set[Place] = set()
    for q, r in places:
        if (q, r) in seen:
            raise BadOption(f"Duplication of {what} {{q={q},r={r}}}")
        seen.add((q, r))


def _read_places(value: Any, name: str) -> tuple[Place, ...]:
    if not isinstance(value, list):
        raise BadOption(f"{name} is not an array")
    places: list[Place] = []
    for number, element in enumerate(cast("list[Any]", value)):
        if not isinstance(element, dict):
            raise BadOption(f"Element {number} of {name} should be an object")
        fields = cast("dict[str, Any]", element)
        places.append((_coordinate(fields, "q", number, name), _coordinate(fields, "r", number, name)))
    return tuple(places)


def _coordinate(element: dict[str, Any], axis: str, number: int, name: str) -> int:
    value = _field(element, axis)
    if isinstance(value, bool) or not isinstance(value, int) or not -(2**31) <= value < 2**31:
        raise BadOption(f"Element {number} of {name}: {axis} should be a whole number of 32 bits, not {brief(value)}")
    return value


def _read_teams(value: Any) -> tuple[tuple[Place, ...], ...]:
    if not isinstance(value, dict):
        raise BadOption("initial_positions is not an object")
    teams: dict[int, tuple[Place, ...]] = {}
    for key, places in cast("dict[str, Any]", value).items():
        if not re.fullmatch(r"[-+]?[0-9]{1,9}", key, re.ASCII):
            raise BadOption(f"invalid key='{key[:40]}' in initial_positions")
        if not isinstance(places, list):
            raise BadOption(f"initial positions are not an array for key={key}")
        if not places:
            raise BadOption(f"initial positions are empty for key={key}")
        teams[int(key)] = _read_places(places, "initial_positions")
    if not teams:
        raise BadOption("There are no initial positions")
    if sorted(teams) != list(range(len(teams))):
        raise BadOption("Initial positions are missing for some players")
    if len({len(places) for places in teams.values()}) > 1:
        raise BadOption("All players do not have the same number of positions")
    return tuple(teams[team] for team in range(len(teams)))


def check_players(board: HexMap, players: int, special: int) -> None:
    """Whether so many normal and special players can play on a map.

    Raises:
        BadOption: there are too many of either, or the map has no places for a special player.
    """
    if special not in (0, 1):
        raise BadOption(f"Having 0 or 1 special player is supported, not more (got {special})")
    if players > len(board.teams):
        raise BadOption(f"Too many players ({players}) for this map (max={len(board.teams)}).")
    if special and not board.special:
        raise BadOption("loaded map does not support sudden death mode")
