"""Maps of hexabomb: what is refused and in which words, and that the shipped ones are fair."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ludarium
from ludarium.errors import BadOption
from ludarium.games.hexabomb import simulate
from ludarium.games.hexabomb.maps import HexMap, load_map, map_json, map_names, read_map

CELLS = [{"q": 0, "r": 0}, {"q": 1, "r": 0}, {"q": 2, "r": 0}]
GOOD = {"cells": CELLS, "initial_positions": {"0": CELLS[:1], "1": CELLS[1:2]}}
Place = tuple[int, int]


def with_starts(starts: Any) -> dict[str, Any]:
    return {**GOOD, "initial_positions": starts}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], "initial map is not an object"),
        (None, "initial map is not an object"),
        ({"initial_positions": {}}, "Key not found: cells"),
        ({"cells": CELLS}, "Key not found: initial_positions"),
        ({**GOOD, "cells": {}}, "cells is not an array"),
        ({**GOOD, "cells": [7]}, "Element 0 of cells should be an object"),
        ({**GOOD, "cells": [*CELLS, {"q": 5}]}, "Key not found: r"),
        ({**GOOD, "cells": [{"q": 1.0, "r": 0}]}, "Element 0 of cells: q should be a whole number of 32 bits, not 1.0"),
        ({**GOOD, "cells": [{"q": True, "r": 0}]}, "Element 0 of cells: q should be a whole number of 32 bits, not true"),
        ({**GOOD, "cells": [{"q": 2**31, "r": 0}]}, "Element 0 of cells: q should be a whole number of 32 bits, not 2147483648"),
        ({**GOOD, "cells": [*CELLS, CELLS[2]]}, "Duplication of cell {q=2,r=0}"),
        ({**GOOD, "cells": [{"q": q, "r": 0} for q in range(1025)]}, "a map has at most 1,024 cells, not 1,025"),
        (with_starts([]), "initial_positions is not an object"),
        (with_starts({"x": CELLS[:1]}), "invalid key='x' in initial_positions"),
        (with_starts({"0": CELLS[:1], "": CELLS[1:2]}), "invalid key='' in initial_positions"),
        (with_starts({"0": {}}), "initial positions are not an array for key=0"),
        (with_starts({"0": []}), "initial positions are empty for key=0"),
        (with_starts({"0": CELLS[:1], "1": ["x"]}), "Element 0 of initial_positions should be an object"),
        (with_starts({}), "There are no initial positions"),
        (with_starts({"1": CELLS[:1]}), "Initial positions are missing for some players"),
        (with_starts({"0": CELLS[:1], "2": CELLS[1:2]}), "Initial positions are missing for some players"),
        (with_starts({"0": CELLS[:1], "-1": CELLS[1:2]}), "Initial positions are missing for some players"),
        (with_starts({"0": CELLS[:1], "1": CELLS[1:]}), "All players do not have the same number of positions"),
        (with_starts({"0": [{"q": 9, "r": -9}]}), "There is no cell at {q=9,r=-9}"),
        (with_starts({"0": CELLS[:1], "1": CELLS[:1]}), "Duplication of initial cell {q=0,r=0}"),
        ({**GOOD, "special_initial_positions": {}}, "special_initial_positions is not an array"),
        ({**GOOD, "special_initial_positions": [1]}, "Element 0 of special_initial_positions should be an object"),
        ({**GOOD, "special_initial_positions": [{"q": 3, "r": 3}]}, "There is no cell at {q=3,r=3}"),
        ({**GOOD, "special_initial_positions": CELLS[:1]}, "Duplication of initial cell {q=0,r=0}"),
    ],
)
def test_what_is_wrong_with_a_map_is_said_in_one_line(value: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(BadOption) as refused:
        read_map(value)
    assert str(refused.value) == said
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(value))
    with pytest.raises(BadOption) as refused:
        ludarium.game("hexabomb", map=str(path))
    assert str(refused.value) == f"hexabomb: {path}: {said}"


@pytest.mark.parametrize(
    ("players", "special", "said"),
    [
        (3, 0, "Too many players (3) for this map (max=2)."),
        (1, 1, "loaded map does not support sudden death mode"),
        (1, 2, "Having 0 or 1 special player is supported, not more (got 2)"),
    ],
)
def test_too_many_players(players: int, special: int, said: str) -> None:
    with pytest.raises(BadOption) as refused:
        next(simulate(GOOD, players, special, []))
    assert str(refused.value) == said


def test_too_many_characters() -> None:
    cells = [{"q": q, "r": 0} for q in range(66)]
    with pytest.raises(BadOption, match="a map has at most 64 initial positions, not 66"):
        read_map({"cells": cells, "initial_positions": {str(team): cells[33 * team : 33 * team + 33] for team in range(2)}})


def wrong_json(path: Path) -> None:
    path.write_text('{"cells": [}')


def deep_json(path: Path) -> None:
    path.write_text("[" * 100_000)


def constant(path: Path) -> None:
    path.write_text('{"cells": [{"q": NaN, "r": 0}]}')


def no_text(path: Path) -> None:
    path.write_bytes(b'{"cells": \xff}')


def too_long(path: Path) -> None:
    path.write_text(" " * 1_000_001)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (Path.mkdir, "is not a file"),
        (os.mkfifo, "is not a file"),
        (lambda path: None, "does not exist, and as the name of a map '"),
        (wrong_json, ": Invalid JSON: "),
        (deep_json, ": Invalid JSON: nested too deeply"),
        (constant, ": Invalid JSON: NaN is no JSON number"),
        (no_text, ": line 1 is not UTF-8 text; save the file as UTF-8"),
        (too_long, "has more than 1,000,000 bytes"),
    ],
)
def test_files_that_hold_no_map(make: Callable[[Path], Any], said: str, tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    make(path)
    with pytest.raises(BadOption) as refused:
        load_map(str(path))
    assert said in str(refused.value)
    assert str(path) in str(refused.value)


@pytest.mark.parametrize("source", ["", " ", "nowhere", "meadow", "a\0b", "x" * 5000, "{", "/"])
def test_names_of_no_map_are_refused_in_one_line(source: str) -> None:
    with pytest.raises(BadOption) as refused:
        load_map(source)
    assert "\n" not in str(refused.value)


def test_a_map_may_come_from_a_file_or_as_text(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(GOOD, indent=2), encoding="utf-8")
    found = load_map(str(path))
    assert found == load_map(json.dumps(GOOD)) == read_map(GOOD)
    assert found == HexMap(((0, 0), (1, 0), (2, 0)), (((0, 0),), ((1, 0),)), ())
    for name in map_names():
        board = load_map(name)
        again = load_map(map_json(board))
        assert (set(again.cells), again.teams, again.special) == (set(board.cells), board.teams, board.special)


def test_the_original_takes_signs_and_zeros_in_keys() -> None:
    assert read_map(with_starts({"+1": CELLS[:1], "00": CELLS[1:2]})).teams == (((1, 0),), ((0, 0),))


def turned(place: Place) -> Place:
    """A sixth of a turn around the middle of the lattice."""
    q, r = place
    return -r, q + r


def mirrored(place: Place) -> Place:
    q, r = place
    return r, q


def symmetries() -> list[Callable[[Place], Place]]:
    """The six rotations of the lattice, and each after a reflection."""

    def symmetry(turns: int, mirror: bool) -> Callable[[Place], Place]:
        def move(place: Place) -> Place:
            place = mirrored(place) if mirror else place
            for _ in range(turns):
                place = turned(place)
            return place

        return move

    return [symmetry(turns, mirror) for turns in range(6) for mirror in (False, True)]


@pytest.mark.parametrize("name", map_names())
def test_shipped_maps_are_symmetric(name: str) -> None:
    """For every player some symmetry takes the map to itself, its starts to the next player's, in order, and the others' to one another."""
    board = load_map(name)
    cells = set(board.cells)
    keeping = [move for move in symmetries() if {move(place) for place in cells} == cells]
    for player, team in enumerate(board.teams):
        following = board.teams[(player + 1) % len(board.teams)]

        def fits(move: Callable[[Place], Place], team: tuple[Place, ...] = team, following: tuple[Place, ...] = following) -> bool:
            teams = {tuple(move(place) for place in one) for one in board.teams}
            special = {move(place) for place in board.special}
            return tuple(move(place) for place in team) == following and teams == set(board.teams) and special == set(board.special)

        assert any(fits(move) for move in keeping), f"no symmetry of {name} takes player {player} to the next one"


@pytest.mark.parametrize("name", map_names())
def test_shipped_maps_are_in_one_piece(name: str) -> None:
    cells = set(load_map(name).cells)
    reached, waiting = set(), [min(cells)]
    while waiting:
        q, r = place = waiting.pop()
        if place in cells - reached:
            reached.add(place)
            waiting += [(q + 1, r), (q - 1, r), (q, r + 1), (q, r - 1), (q + 1, r - 1), (q - 1, r + 1)]
    assert reached == cells


def test_there_is_a_map_for_every_size_of_company() -> None:
    boards = {name: load_map(name) for name in map_names()}
    assert {len(board.teams) for board in boards.values()} == {2, 3, 4, 6}
    characters = {len(board.teams[0]) for board in boards.values()}
    assert min(characters) == 1
    assert max(characters) == 8
    assert boards["lair4"].special
    assert min(len(board.cells) for board in boards.values()) < 20
