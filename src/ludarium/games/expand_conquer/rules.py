"""The rules of Expand and Conquer as compiled functions (A. Khambete, "Expand and Conquer", IE 619 Ruleset Report, IIT Bombay).

Squares count from 0 in reading order, row by row; at most 32 rows and 32 columns. Left (blue, ``O``) is player 0, Right (red, ``X``) is player 1.

Actions: ``cell`` expands the group whose first square in reading order that is (section 1), ``cells + cell`` places a stone there (section 4, the
all-small variant only). A player's whole turn touches one group of that player: it grows, takes in those that it meets, and every other group can only
lose free neighbours. So a state keeps its groups up to date instead of searching for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ludarium.core.bits import bit, lowest_bit
from ludarium.core.fields import dtype_of
from ludarium.core.jit import compiled
from ludarium.core.rules import apply_actions, copy_state, legal_actions, observe, position_key, returns, to_move

MOST = 32
"""The most rows and the most columns."""

SQUARES = MOST * MOST
WORDS = SQUARES // 64
PLANES = 4


class ExpandConquerRecord(Protocol):
    """The fields of a state."""

    key: np.uint64  # Zobrist hash of the board
    empty: Annotated[NDArray[np.uint64], WORDS]  # empty squares
    active: Annotated[NDArray[np.uint64], 2, WORDS]  # first squares of each player's groups that can expand
    apart: Annotated[NDArray[np.uint64], 2, WORDS]  # empty squares that have no stone of that player beside them
    added: Annotated[NDArray[np.uint64], WORDS]  # what the last action filled
    group: Annotated[NDArray[np.int16], SQUARES]  # of a stone: the first square of its group
    contacts: Annotated[
        NDArray[np.int16], SQUARES
    ]  # of a group, at its first square: pairs of a stone of it and an empty square beside that
    board: Annotated[NDArray[np.int8], SQUARES]  # 0 empty, 1 Left, 2 Right
    side: np.int8  # the player to move


DTYPE = dtype_of(ExpandConquerRecord)


class ExpandConquerTables(NamedTuple):
    """What never changes during a game."""

    rows: int
    columns: int
    cells: int  # squares of the board
    words: int  # 64-bit words that hold a set of them
    all_small: bool
    neighbours: NDArray[np.int64]  # [cells, 4]: the squares beside a square, then −1
    inner: NDArray[np.uint64]  # [2]: of the first 64 squares, those not in the first column and those not in the last
    zobrist: NDArray[np.uint64]  # [cells, 2]: by square and player


Tables = ExpandConquerTables


def make_tables(rows: int, columns: int, all_small: bool) -> ExpandConquerTables:
    """Geometry and hash numbers of a board."""
    cells = rows * columns
    neighbours = np.full((cells, 4), -1, np.int64)
    for cell in range(cells):
        row, column = divmod(cell, columns)
        around = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
        beside = [r * columns + c for r, c in around if 0 <= r < rows and 0 <= c < columns]
        neighbours[cell, : len(beside)] = beside
    inner = [sum(1 << cell for cell in range(min(cells, 64)) if cell % columns != edge) for edge in (0, columns - 1)]
    zobrist = np.random.Generator(np.random.Philox(619)).integers(0, 2**64, (cells, 2), np.uint64)
    return ExpandConquerTables(rows, columns, cells, -(-cells // 64), all_small, neighbours, np.array(inner, np.uint64), zobrist)


def place(tables: ExpandConquerTables, record: Any, board: Sequence[int], side: int) -> None:
    """Write a position into a zeroed record: 0, 1 (Left) or 2 (Right) for every square, and the player to move."""
    beside: list[list[int]] = [[other for other in row if other >= 0] for row in tables.neighbours.tolist()]
    record.side = side
    record.board[: tables.cells] = board
    empty, active, apart = 0, [0, 0], [0, 0]
    seen = [False] * tables.cells
    for cell, owner in enumerate(board):
        if owner == 0:
            empty |= 1 << cell
            for player in range(2):
                if all(board[other] != player + 1 for other in beside[cell]):
                    apart[player] |= 1 << cell
            continue
        record.key ^= tables.zobrist[cell, owner - 1]
        if seen[cell]:
            continue
        stones = [cell]
        seen[cell] = True
        for stone in stones:
            for other in beside[stone]:
                if board[other] == owner and not seen[other]:
                    seen[other] = True
                    stones.append(other)
        record.group[stones] = cell
        contacts = sum(board[other] == 0 for stone in stones for other in beside[stone])
        record.contacts[cell] = contacts
        if contacts:
            active[owner - 1] |= 1 << cell
    record.empty[:] = _words(empty)
    for player in range(2):
        record.active[player] = _words(active[player])
        record.apart[player] = _words(apart[player])


def _words(squares: int) -> np.ndarray:
    """A set of squares, given as the bits of one number (``uint64[WORDS]``)."""
    return np.frombuffer(squares.to_bytes(8 * WORDS, "little"), "<u8")


@compiled
def has_action(tables: Any, state: Any, player: Any) -> Any:
    """Whether a player can do anything."""
    found = np.uint64(0)
    for word in range(tables.words):
        found |= state.active[player, word]
        if tables.all_small:
            found |= state.apart[player, word]
    return found != 0


@to_move.implement(ExpandConquerTables)
def expand_conquer_to_move(tables: Any, state: Any) -> Any:
    player = int(state.side)
    return 1 << player if has_action(tables, state, player) else 0


@legal_actions.implement(ExpandConquerTables)
def expand_conquer_legal_actions(tables: Any, state: Any, player: Any, slot: Any, out: Any) -> Any:
    """Groups that can expand, in the order of their first squares; then placements in reading order."""
    count = 0
    for word in range(tables.words):
        groups = state.active[player, word]
        while groups:
            out[count] = 64 * word + lowest_bit(groups)
            groups &= groups - np.uint64(1)
            count += 1
    if tables.all_small:
        for word in range(tables.words):
            squares = state.apart[player, word]
            while squares:
                out[count] = tables.cells + 64 * word + lowest_bit(squares)
                squares &= squares - np.uint64(1)
                count += 1
    return count


@compiled
def liberties_of(tables: Any, state: Any, first: Any, out: Any) -> None:
    """Add the empty squares beside the group with this first square to a set (``uint64[words]``)."""
    owner = state.board[first]
    for cell in range(first, tables.cells):
        if state.board[cell] == owner and state.group[cell] == first:
            for side in range(4):
                other = tables.neighbours[cell, side]
                if other >= 0 and state.board[other] == 0:
                    out[other >> 6] |= bit(other & 63)


def liberties_in(tables: Any, record: Any, first: int) -> list[int]:
    """The same squares as a list, in reading order; for Python."""
    board, group = record.board[: tables.cells], record.group[: tables.cells]
    beside = tables.neighbours[(board == board[first]) & (group == first)]
    cells = np.unique(beside[beside >= 0])
    return cells[board[cells] == 0].tolist()


def squares_in(words: Any) -> list[int]:
    """The squares in a set (``uint64[words]``), in reading order."""
    bits = int.from_bytes(np.asarray(words, "<u8").tobytes(), "little")
    return [cell for cell in range(bits.bit_length()) if bits >> cell & 1]


@apply_actions.implement(ExpandConquerTables)
def expand_conquer_apply_actions(tables: Any, state: Any, joint: Any) -> None:
    player = int(state.side)
    action = joint[player, 0]
    for word in range(tables.words):
        state.added[word] = np.uint64(0)
    if action < tables.cells:
        liberties_of(tables, state, action, state.added)
    else:
        cell = action - tables.cells
        state.added[cell >> 6] = bit(cell & 63)
    first = _join(tables, state, player)
    _fill(tables, state, player, first)
    state.side = 1 - player


@compiled
def _join(tables: Any, state: Any, player: Any) -> Any:
    """Make one group of all the player's groups beside the squares that are added; its first square, those squares included."""
    first = tables.cells
    for word in range(tables.words):
        squares = state.added[word]
        while squares:
            cell = 64 * word + lowest_bit(squares)
            squares &= squares - np.uint64(1)
            first = min(first, cell)
            for side in range(4):
                other = tables.neighbours[cell, side]
                if other >= 0 and int(state.board[other]) == player + 1:
                    first = min(first, int(state.group[other]))
    for word in range(tables.words):
        squares = state.added[word]
        while squares:
            cell = 64 * word + lowest_bit(squares)
            squares &= squares - np.uint64(1)
            for side in range(4):
                other = tables.neighbours[cell, side]
                if other >= 0 and int(state.board[other]) == player + 1 and int(state.group[other]) != first:
                    _rename(tables, state, player, int(state.group[other]), first)
    return first


@compiled
def _rename(tables: Any, state: Any, player: Any, old: Any, new: Any) -> None:
    """Let a group become part of the one with another first square."""
    for cell in range(old, tables.cells):
        if int(state.board[cell]) == player + 1 and int(state.group[cell]) == old:
            state.group[cell] = new
    state.contacts[new] = int(state.contacts[new]) + int(state.contacts[old])
    state.contacts[old] = 0
    state.active[player, old >> 6] &= ~bit(old & 63)


@compiled
def _fill(tables: Any, state: Any, player: Any, first: Any) -> None:
    """Put the player's stones on the squares that are added, as parts of the group with this first square."""
    contacts = int(state.contacts[first])
    for word in range(tables.words):
        squares = state.added[word]
        while squares:
            cell = 64 * word + lowest_bit(squares)
            squares &= squares - np.uint64(1)
            here = bit(cell & 63)
            state.board[cell] = player + 1
            state.group[cell] = first
            state.key ^= tables.zobrist[cell, player]
            state.empty[word] &= ~here
            state.apart[0, word] &= ~here
            state.apart[1, word] &= ~here
            for side in range(4):
                other = tables.neighbours[cell, side]
                if other < 0:
                    break
                owner = int(state.board[other])
                if owner == 0:
                    contacts += 1
                    state.apart[player, other >> 6] &= ~bit(other & 63)
                elif owner == player + 1:
                    contacts -= 1
                else:
                    group = int(state.group[other])
                    left = int(state.contacts[group]) - 1
                    state.contacts[group] = left
                    if left == 0:
                        state.active[1 - player, group >> 6] &= ~bit(group & 63)
    state.contacts[first] = contacts
    if contacts > 0:
        state.active[player, first >> 6] |= bit(first & 63)
    else:
        state.active[player, first >> 6] &= ~bit(first & 63)


@returns.implement(ExpandConquerTables)
def expand_conquer_returns(tables: Any, state: Any, out: Any) -> None:
    player = int(state.side)
    lost = 0.0 if has_action(tables, state, player) else 1.0
    out[player] = 0.0 - lost
    out[1 - player] = lost


@copy_state.implement(ExpandConquerTables)
def expand_conquer_copy_state(tables: Any, source: Any, target: Any) -> None:
    target.key = source.key
    target.side = source.side
    for cell in range(tables.cells):
        target.board[cell] = source.board[cell]
        target.group[cell] = source.group[cell]
        target.contacts[cell] = source.contacts[cell]
    for word in range(tables.words):
        target.empty[word] = source.empty[word]
        target.added[word] = source.added[word]
        for player in range(2):
            target.active[player, word] = source.active[player, word]
            target.apart[player, word] = source.apart[player, word]


@observe.implement(ExpandConquerTables)
def expand_conquer_observe(tables: Any, state: Any, player: Any, out: Any) -> None:
    """Planes of rows × columns: own stones, the opponent's, empty squares beside own stones, empty squares beside the opponent's."""
    cell = 0
    for row in range(out.shape[1]):
        for column in range(out.shape[2]):
            owner = int(state.board[cell])
            own = (state.apart[player, cell >> 6] >> np.uint64(cell & 63)) & np.uint64(1)
            other = (state.apart[1 - player, cell >> 6] >> np.uint64(cell & 63)) & np.uint64(1)
            out[0, row, column] = owner == player + 1
            out[1, row, column] = owner == 2 - player
            out[2, row, column] = (owner == 0) & (own == np.uint64(0))
            out[3, row, column] = (owner == 0) & (other == np.uint64(0))
            cell += 1


@position_key.implement(ExpandConquerTables)
def expand_conquer_position_key(tables: Any, state: Any) -> Any:
    key = state.key
    if int(state.side):
        key = ~key
    return np.int64(key)
