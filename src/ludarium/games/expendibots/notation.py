"""Text for Expendibots: squares ``a1``, actions ``3a2-a4`` and ``a2!``, positions of one line."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ludarium.core.hints import not_an_action
from ludarium.errors import BadNotation

from .rules import BOOM, MAX_TOKENS

if TYPE_CHECKING:
    from ludarium.core.game import State

_ACTION = re.compile(r"(?P<boom>[a-h][1-8])!|(?P<count>[1-9][0-9]?)?(?P<origin>[a-h][1-8])-(?P<target>[a-h][1-8])")
_FORMS = {"[a-h].*[0-9]": "move one token", "[0-9].*": "move several", ".*!": "boom"}
_STACK = re.compile(r"\.|([WB])(?:\(([0-9]{1,2})\))?")
_STACKS = {0: ".", 1: "W", -1: "B"} | {
    sign * size: f"{letter}({size})" for sign, letter in ((1, "W"), (-1, "B")) for size in range(2, MAX_TOKENS + 1)
}
"""By height."""
_FORM = "ranks 8 to 1 joined by '/', then the side w or b, then the number of turns played"


def square_name(square: int) -> str:
    """``a1`` for 0 to ``h8`` for 63."""
    return "abcdefgh"[square & 7] + "12345678"[square >> 3]


def _square(name: str) -> int:
    return "abcdefgh".index(name[0]) + 8 * int(name[1]) - 8


def action_text(tables: Any, action: int) -> str:
    """``a2!``, ``a2-a4`` (one token) or ``3a2-a4``."""
    if action >= BOOM:
        return square_name(action - BOOM) + "!"
    route, count = action // MAX_TOKENS, action % MAX_TOKENS + 1
    origin, target = route // 14, int(tables.target[route // 14, route % 14])
    return f"{count if count > 1 else ''}{square_name(origin)}-{square_name(target)}"


def action_index(state: State, player: int, text: str) -> int:
    """The index of an action's text.

    Raises:
        BadNotation: no action, two squares not in one line, or more tokens than a player has.
    """
    match = _ACTION.fullmatch(text.strip())
    if match is None:
        raise not_an_action(state, player, text, _FORMS)
    if match["boom"]:
        return BOOM + _square(match["boom"])
    origin, target, count = _square(match["origin"]), _square(match["target"]), int(match["count"] or 1)
    if origin == target or (origin % 8 != target % 8 and origin // 8 != target // 8):
        raise BadNotation(f"'{text[:40]}': a move goes along a rank or a file to another square")
    if count > MAX_TOKENS:
        raise BadNotation(f"'{text[:40]}': a player has at most {MAX_TOKENS} tokens")
    return int(state.game.tables.first[origin, target]) + count - 1


def position_text(record: Any) -> str:
    """``BB.BB.BB/…/WW.WW.WW w 0``."""
    board, ply = record["board"].tobytes(), int(record["ply"])  # by key: five times as fast as an attribute
    return f"{'/'.join([_rank_text(board[first : first + 8]) for first in range(56, -1, -8)])} {'wb'[ply % 2]} {ply}"


@lru_cache(4096)
def _rank_text(heights: bytes) -> str:
    """Of eight signed heights."""
    return "".join([_STACKS[height] for height in memoryview(heights).cast("b")])


def read_position(text: str) -> tuple[list[int], int]:
    """The signed heights by square (a1 first) and the number of turns played.

    Raises:
        BadNotation: with the place and what is wrong there.
    """
    fields = text.split()
    if len(fields) != 3:
        raise BadNotation(f"'{text[:80]}' is no Expendibots position: {_FORM}")
    ranks = fields[0].split("/")
    if len(ranks) != 8:
        raise BadNotation(f"a position has 8 ranks, not {len(ranks)}: {_FORM}")
    heights = [height for index, rank in enumerate(reversed(ranks)) for height in _read_rank(rank, index + 1)]
    for letter, total in (("W", sum(h for h in heights if h > 0)), ("B", -sum(h for h in heights if h < 0))):
        if total > MAX_TOKENS:
            raise BadNotation(f"a player has at most {MAX_TOKENS} tokens, but {letter} has {total}")
    if fields[1] not in ("w", "b"):
        raise BadNotation(f"the side to move is w or b, not '{fields[1][:20]}'")
    if not re.fullmatch(r"[0-9]{1,4}", fields[2]):
        raise BadNotation(f"the number of turns played is a whole number, not '{fields[2][:20]}'")
    ply = int(fields[2])
    if ply % 2 != "wb".index(fields[1]):
        raise BadNotation(f"White moves first: after {ply} turns {'Black' if ply % 2 else 'White'} is to move, not '{fields[1]}'")
    return heights, ply


def _read_rank(text: str, rank: int) -> list[int]:
    heights: list[int] = []
    at = 0
    while at < len(text):
        match = _STACK.match(text, at)
        if match is None:
            raise BadNotation(f"rank {rank}, character {at + 1}: '{text[at : at + 10]}' is not '.', 'W', 'B' or a stack such as W(3)")
        height = int(match[2] or 1) if match[1] else 0
        if match[1] and not 1 <= height <= MAX_TOKENS:
            raise BadNotation(f"rank {rank}: a stack has 1 to {MAX_TOKENS} tokens, not {height}")
        heights.append(-height if match[1] == "B" else height)
        at = match.end()
    if len(heights) != 8:
        raise BadNotation(f"rank {rank} has {len(heights)} squares instead of 8: '{text[:40]}'")
    return heights
