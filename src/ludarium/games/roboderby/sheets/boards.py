"""Deals: which tile lies where, how it is turned, and from which edge the race starts. Some are shipped as demonstration boards."""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass

from ludarium.errors import BadOption, one_of

from .faces import DIRECTIONS
from .sources import shipped
from .tile_sets import load_tiles
from .tiles import TILES, TileSet

RANDOM = "random"

OUTER_EDGES = ((0, 3), (0, 1), (2, 3), (1, 2))
"""The two outer edges of each place of the 2x2 grid, places in reading order: those that a robot can start from where the start tile lies there."""

_TURNS = ("0", "90", "180", "270")


@dataclass(frozen=True)
class Deal:
    """A way to lay the tiles.

    ``tiles`` are numbers of the set's tiles and ``rotations`` their clockwise quarter turns, by place: in reading order on the 2x2 grid, in race order on
    the S. ``start_edge`` is 0 N, 1 E, 2 S, 3 W, or −1 where the deal leaves it open.
    """

    tiles: tuple[int, ...]
    rotations: tuple[int, ...]
    start_edge: int = -1


@dataclass(frozen=True)
class DemonstrationBoard:
    """A shipped deal: the text ``deal`` over the tile set ``tiles``; ``s_race`` says whether it can be laid as an S too."""

    name: str
    title: str
    tiles: str
    deal: str
    s_race: bool


@functools.cache
def _boards() -> dict[str, DemonstrationBoard]:
    text = shipped("boards.toml").read_text(encoding="utf-8")
    boards = tomllib.loads(text)["board"]
    return {
        board["name"]: DemonstrationBoard(**board, s_race=board["deal"].split()[0] == load_tiles(board["tiles"]).names[0])
        for board in boards
    }


def board_names() -> tuple[str, ...]:
    """The names of the demonstration boards, in the order in which they are shipped."""
    return tuple(_boards())


def board_titles() -> tuple[str, ...]:
    """What the demonstration boards are like, in the order of their names."""
    return tuple(board.title for board in _boards().values())


def demonstration_board(name: str) -> DemonstrationBoard | None:
    """The shipped board of a name; None where there is none."""
    return _boards().get(name)


def deal_text(tile_set: TileSet, deal: Deal) -> str:
    """A deal as people write it: ``pits walls start cross @ 0 90 180 270 S``, without the edge where it is open."""
    names = " ".join(tile_set.names[tile] for tile in deal.tiles)
    turns = " ".join(_TURNS[rotation] for rotation in deal.rotations)
    return f"{names} @ {turns}" + (f" {DIRECTIONS[deal.start_edge]}" if deal.start_edge >= 0 else "")


def parse_deal(text: str, tile_set: TileSet, *, s_race: bool) -> Deal:
    """The deal of a text such as ``pits walls start cross @ 0 90 180 270 S``; ``@`` and the turns may be left out, and so may the edge.

    In the S-race the start tile comes first and the start edge is always W: an edge in the text counts for the lap only.

    Raises:
        BadOption: no deal of these tiles, or an edge that is no outer edge of the start tile.
    """
    if not re.fullmatch(r"[^@]*(@[^@]*)?", text):
        raise BadOption(f"board '{text}' has more than one @")
    before, _, after = text.partition("@")
    words, edge = _without_edge(before.split()) if not after else (before.split(), -1)
    if len(words) != TILES:
        example = f"'{' '.join(tile_set.names)} @ 0 90 180 270 N'"
        accepted = f"{RANDOM}, {', '.join(board_names())}, or a deal of four tiles such as {example}"
        raise BadOption(f"board '{text}' is not one of: {accepted}")
    for word in words:
        if word not in tile_set.names:
            raise BadOption(f"board '{text}': tile {one_of(word, tile_set.names)}")
        if words.count(word) > 1:
            raise BadOption(f"board '{text}' has the tile {word} twice")
    turns = list(_TURNS[:1] * TILES)
    if after:
        turns, edge = _without_edge(after.split())
        if len(turns) == TILES + 1 and turns[-1] not in _TURNS:
            raise BadOption(f"board '{text}': edge {one_of(turns[-1], DIRECTIONS)}")
        for turn in turns:
            if turn not in _TURNS:
                raise BadOption(f"board '{text}': rotation {one_of(turn, _TURNS)}")
        if len(turns) != TILES:
            raise BadOption(f"board '{text}' has {len(turns)} rotations, not {TILES}")
    deal = Deal(tuple(tile_set.names.index(word) for word in words), tuple(_TURNS.index(turn) for turn in turns), edge)
    return _checked(text, deal, tile_set, s_race)


def _without_edge(words: list[str]) -> tuple[list[str], int]:
    """The words, and the number of the edge that the last of them names; −1 if it names none."""
    if words and words[-1] in DIRECTIONS:
        return words[:-1], DIRECTIONS.index(words[-1])
    return words, -1


def _checked(text: str, deal: Deal, tile_set: TileSet, s_race: bool) -> Deal:
    place = deal.tiles.index(0)
    start = tile_set.names[0]
    if s_race:
        if place:
            raise BadOption(f"board '{text}': in the S-race the start tile {start} comes first")
        return Deal(deal.tiles, deal.rotations, DIRECTIONS.index("W"))
    if deal.start_edge >= 0 and deal.start_edge not in OUTER_EDGES[place]:
        accepted = " or ".join(DIRECTIONS[edge] for edge in OUTER_EDGES[place])
        raise BadOption(f"board '{text}': the start tile {start} lies at the outer edges {accepted}, not {DIRECTIONS[deal.start_edge]}")
    return deal
