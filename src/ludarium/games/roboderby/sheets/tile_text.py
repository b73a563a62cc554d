"""Reads the text of a tile set and checks it; every error says the line and the column."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from ludarium.errors import one_of

from .faces import DIRECTIONS, WAYS
from .sources import wrong_at
from .tiles import (
    BELTS,
    EAST,
    FLOOR,
    LETTERS,
    MARKS,
    NORTH,
    PIT,
    SIZES,
    SOUTH,
    TILES,
    WEST,
    Tile,
    TileSet,
    edge_squares,
    turned,
    with_middle_marks,
)

_SQUARES = {".": FLOOR, "O": PIT, **dict(zip("^>v<", BELTS, strict=True)), **dict(zip(LETTERS, MARKS, strict=True))}

NOTE, NAME, LASER = "note", "name", "laser"
"""The keys of lines; one with the last for each laser of a tile."""

LASER_PLACE = "a laser stands below the name of its tile, above the empty line"


@dataclass(frozen=True)
class _Drawn:
    """A tile with the place of its drawing: the number of the first row's line."""

    tile: Tile
    name_line: int
    first_line: int

    def place(self, x: int, y: int) -> tuple[int, int]:
        return self.first_line + 2 * y + 1, 2 * x + 2


class _Reader:
    def __init__(self, source: str, text: str) -> None:
        self.source = source
        self.lines = text.removesuffix("\n").split("\n")
        self.at = 0

    @property
    def end(self) -> int:
        """The number of the line after the last one with something on it."""
        return max((number for number, line in enumerate(self.lines, 1) if line.strip()), default=0) + 1

    def wrong(self, line: int, column: int, said: str) -> NoReturn:
        raise wrong_at(self.source, line, column, said)

    def skip(self) -> bool:
        """Go on to the next line with something on it; False at the end."""
        while self.at < len(self.lines) and (not self.lines[self.at].strip() or self.lines[self.at].startswith("#")):
            self.at += 1
        return self.at < len(self.lines)

    def header(self, accepted: tuple[str, ...]) -> dict[str, list[tuple[int, str]]]:
        """The lines ``key: value`` up to the next empty line, as line numbers and values by key."""
        found: dict[str, list[tuple[int, str]]] = {}
        while self.at < len(self.lines) and self.lines[self.at].strip():
            line, number = self.lines[self.at], self.at + 1
            self.at += 1
            if line.startswith("#"):
                continue
            key, colon, value = line.partition(":")
            if not colon:
                self.wrong(number, 1, f"'{_brief(line)}' is not of the form key: value, with a key that is one of: {', '.join(accepted)}")
            key, value = key.strip(), value.strip()
            if key not in accepted:
                self.wrong(number, 1, f"key {one_of(key, accepted)}")
            if key in found and key != LASER:
                self.wrong(number, 1, f"key '{key}' is given twice")
            if "#" in value and key != NOTE:
                self.wrong(number, line.index("#") + 1, "a comment is a line of its own, which begins with #")
            found.setdefault(key, []).append((number, value))
        return found

    def drawing(self, name: str, name_line: int, lasers: list[tuple[int, str]]) -> _Drawn:
        if not self.skip():
            self.wrong(self.end, 1, f"tile {name} has no rows")
        first = self.at
        self.refuse_lasers_from(first)
        size = self.size(name, first)
        rows = self.lines[first : first + 2 * size + 1]
        for offset in range(2 * size + 1):
            if offset >= len(rows) or not rows[offset].strip():
                self.wrong(
                    first + offset + 1, 1, f"tile {name} has {2 * size + 1} rows, for {size} rows of squares; row {offset + 1} is missing"
                )
        self.at = first + 2 * size + 1
        if self.at < len(self.lines) and self.lines[self.at].strip():
            self.wrong(self.at + 1, 1, f"after the {2 * size + 1} rows of tile {name} comes an empty line")
        walls, kinds = self.squares(name, size, first, rows)
        return _Drawn(turned(name, walls, kinds, self.lasers(size, lasers)), name_line, first + 1)

    def refuse_lasers_from(self, first: int) -> None:
        """Lasers are easily put below the empty line, or below the drawing."""
        for number, line in enumerate(self.lines[first:], first + 1):
            if not line.strip():
                break
            if line.partition(":")[0].strip() == LASER:
                self.wrong(number, 1, LASER_PLACE)

    def size(self, name: str, first: int) -> int:
        top = self.lines[first].rstrip()
        if not top.startswith("+"):
            self.wrong(first + 1, 1, f"the first row of tile {name} begins with a post, +")
        size, rest = divmod(len(top) - 1, 2)
        if rest or size not in SIZES:
            accepted = " or ".join(str(2 * size + 1) for size in SIZES)
            sizes = " or ".join(map(str, SIZES))
            self.wrong(first + 1, len(top), f"a row of tile {name} has {accepted} characters, for {sizes} squares, not {len(top)}")
        return size

    def lasers(self, size: int, lines: list[tuple[int, str]]) -> np.ndarray:
        """``int64[lasers, 2]``: squares and directions."""
        found: list[tuple[int, int]] = []
        for number, value in lines:
            line = self.lines[number - 1]
            column = len(line) - len(line.partition(":")[2].lstrip()) + 1
            parts = [part.strip() for part in value.split(",")]
            if len(parts) != 3:
                self.wrong(number, column, f"a laser is x,y,direction, such as 0,{size - 1},E, not '{_brief(value)}'")
            for axis, part in zip("xy", parts, strict=False):
                if part not in map(str, range(size)):
                    self.wrong(number, column, f"a laser's {axis} is a number from 0 to {size - 1}, not '{_brief(part)}'")
            if parts[2] not in DIRECTIONS:
                self.wrong(number, column, f"a laser's direction {one_of(parts[2], DIRECTIONS)}")
            laser = int(parts[1]) * size + int(parts[0]), DIRECTIONS.index(parts[2])
            if laser in found:
                self.wrong(number, column, f"laser {','.join(parts)} is given twice")
            found.append(laser)
        return np.array(found, np.int64).reshape(-1, 2)

    def squares(self, name: str, size: int, first: int, rows: list[str]) -> tuple[np.ndarray, np.ndarray]:
        walls, kinds = np.zeros((size, size), np.uint8), np.zeros((size, size), np.uint8)
        for down, row in enumerate(row.rstrip() for row in rows):
            length = f"a row of tile {name} has {2 * size + 1} characters, for {size} squares, not {len(row)}"
            if len(row) > 2 * size + 1:
                self.wrong(first + down + 1, 2 * size + 2, length)
            for across, character in enumerate(row.ljust(2 * size + 1)):
                place = first + down + 1, across + 1
                x, y = across // 2, down // 2
                if down % 2 and across % 2:
                    if across >= len(row):
                        self.wrong(*place, length)
                    if character not in _SQUARES:
                        near = character.swapcase()
                        hint = f"; did you mean {near}?" if near in _SQUARES else ""
                        self.wrong(*place, f"a square is one of {' '.join(_SQUARES)} and not '{character}'{hint}")
                    kinds[y, x] = _SQUARES[character]
                elif down % 2:
                    if character not in " |":
                        self.wrong(*place, f"between two squares of a row is | (a wall) or a space, not '{character}'")
                    if character == "|":
                        _build(walls, (x - 1, y, EAST), (x, y, WEST))
                elif across % 2:
                    if character not in " -":
                        self.wrong(*place, f"between two squares of a column is - (a wall) or a space, not '{character}'")
                    if character == "-":
                        _build(walls, (x, y - 1, SOUTH), (x, y, NORTH))
                elif character not in " +":
                    self.wrong(*place, f"where four squares meet is a post, +, not '{character}'")
        return walls, kinds

    def check_marks(self, drawn: _Drawn) -> None:
        """Every edge has one A and one B, and a C and a D each or neither; a corner, which is on two edges, has no mark."""
        kinds, size = drawn.tile.kinds[0].reshape(drawn.tile.size, drawn.tile.size), drawn.tile.size
        last = size - 1
        for y, x in zip(*np.nonzero(kinds >= MARKS[0]), strict=True):
            sides = (x in (0, last)) + (y in (0, last))
            if sides != 1:
                where = "in a corner, which is on two edges" if sides else "on no edge of the tile"
                self.wrong(*drawn.place(int(x), int(y)), f"mark {LETTERS[kinds[y, x] - MARKS[0]]} stands {where}")
        wanted = MARKS if (kinds >= MARKS[2]).any() else MARKS[:2]
        for direction, edge in enumerate(WAYS):
            around = edge_squares(size, direction)
            for mark in wanted:
                found = [place for place in around if kinds[place[1], place[0]] == mark]
                letter = LETTERS[mark - MARKS[0]]
                if not found:
                    self.wrong(*drawn.place(*around[0]), f"the {edge} edge of the start tile {drawn.tile.name} has no mark {letter}")
                if len(found) > 1:
                    self.wrong(*drawn.place(*found[1]), f"the {edge} edge of the start tile {drawn.tile.name} has a second mark {letter}")

    def check_middles(self, drawn: _Drawn) -> None:
        """For marks C and D of our own making the two middle squares of every edge are free floor."""
        size, kinds = drawn.tile.size, drawn.tile.kinds[0].reshape(drawn.tile.size, drawn.tile.size)
        for direction, edge in enumerate(WAYS):
            for x, y in edge_squares(size, direction)[size // 2 - 1 : size // 2 + 1]:
                if kinds[y, x] != FLOOR:
                    said = f"for more than two players the middle squares of the {edge} edge get marks C and D and must be floor"
                    self.wrong(*drawn.place(x, y), said)


def _build(walls: np.ndarray, *sides: tuple[int, int, int]) -> None:
    """Set the bits of a wall on those of its two sides that lie on the tile."""
    for x, y, bit in sides:
        if 0 <= y < len(walls) and 0 <= x < len(walls):
            walls[y, x] |= bit


def _brief(line: str) -> str:
    return line if len(line) <= 40 else f"{line[:40]}…"


def read_tile_set(name: str, source: str, text: str, four_letters: bool) -> TileSet:
    """The tile set of a text; ``source`` is what errors call it.

    Raises:
        BadOption: something is wrong in the text.
    """
    reader = _Reader(source, text)
    note, found = "", list[_Drawn]()
    while reader.skip():
        line = reader.at + 1
        header = reader.header((NOTE, NAME, LASER) if not found and not note else (NAME, LASER))
        if NAME not in header:
            if LASER in header:
                reader.wrong(header[LASER][0][0], 1, LASER_PLACE)
            if NOTE not in header:
                reader.wrong(line, 1, "a tile begins with a line name: and its name")
            note = header[NOTE][0][1]
            continue
        if NOTE in header:
            note = header[NOTE][0][1]
        found.append(_read_tile(reader, header[NAME][0], header.get(LASER, []), found))
    return _checked(name, note, reader, found, four_letters)


def _read_tile(reader: _Reader, named: tuple[int, str], lasers: list[tuple[int, str]], before: list[_Drawn]) -> _Drawn:
    line, name = named
    if re.fullmatch(r"[A-Za-z0-9_-]{1,24}", name, re.ASCII) is None:
        reader.wrong(line, 7, f"a tile's name is 1 to 24 letters, digits, - or _, not '{_brief(name)}'")
    if name in (drawn.tile.name for drawn in before):
        reader.wrong(line, 7, f"two tiles have the name {name}")
    if len(before) == TILES:
        reader.wrong(line, 1, f"a set has {TILES} tiles, and {name} is one more")
    drawn = reader.drawing(name, line, lasers)
    if before and drawn.tile.size != before[0].tile.size:
        first = before[0].tile
        reader.wrong(drawn.first_line, 1, f"tile {name} has {drawn.tile.size} squares a side, and {first.name} has {first.size}")
    return drawn


def _checked(name: str, note: str, reader: _Reader, found: list[_Drawn], four_letters: bool) -> TileSet:
    if len(found) != TILES:
        reader.wrong(reader.end, 1, f"a set has {TILES} tiles, each with a line name:, not {len(found)}")
    starts = [drawn for drawn in found if drawn.tile.has_marks]
    if len(starts) != 1:
        said = "no tile has marks: the start tile has an A and a B on each of its edges"
        if starts:
            said = f"both {starts[0].tile.name} and {starts[1].tile.name} have marks: only the start tile has"
        reader.wrong((starts[1] if starts else found[0]).name_line, 1, said)
    reader.check_marks(starts[0])
    start = starts[0].tile
    if four_letters and not (start.kinds >= MARKS[2]).any():
        reader.check_middles(starts[0])
        start = with_middle_marks(start)
    others = [drawn.tile for drawn in found if drawn is not starts[0]]
    return TileSet(name, note, (start, others[0], others[1], others[2]))
