"""What ratings need to know of games: counts, whose order nobody can tell any more."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludarium.errors import BadOption

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

LARGEST_TABLE = 6
"""Players of a game at most: who is tied with whom is a choice among 2⁶ − 1 groups."""

Result = tuple[tuple[int, ...], tuple[float, ...]]
"""A game: who played, by number from 0 and in the order of the seats, and what each of them got, in [−1, 1]."""


@dataclass(frozen=True, eq=False)
class Stage:
    """The choices of who comes next that were made when ``left`` players were left of a game of ``table`` players."""

    table: int
    left: int
    sets: Integers
    """The players left, ``[sets, left]``, without repetition: ascending, but in games of two players in the order of the seats."""
    counts: Integers
    """How often each set was left, ``[sets]``."""
    tied: Integers
    """How often so many came next together, ``[left + 1]``."""


@dataclass(frozen=True, eq=False)
class Results:
    """The sufficient statistics of games between players who are numbered from 0."""

    stages: tuple[Stage, ...]
    chosen: Integers
    """How often so many came next together and the player was among them, ``[LARGEST_TABLE + 1, players]``."""
    first_seat: float
    """Wins of the first seat in games of two players, a draw being half of one."""
    games: Integers
    """``[players]``."""
    points: Floats
    """The sums of (1 + return) / 2, ``[players]``."""
    ahead: Integers
    """In how many games the one player came before the other, ``[players, players]``."""
    level: Integers
    """In how many games they were tied, ``[players, players]``."""

    @property
    def are_connected(self) -> bool:
        """Whether results lead from every player to every other one, each having won or drawn a game against the next."""
        reached = (self.ahead + self.level > 0) | np.eye(len(self.games), dtype=np.bool_)
        while True:
            further = reached.astype(np.float32) @ reached.astype(np.float32) > 0
            if bool(np.all(further == reached)):
                return bool(np.all(reached))
            reached = further


def collect(players: int, results: Iterable[Result]) -> Results:
    """Count games of 2 to 6 of so many players. Who gets more comes first; who gets the same is tied.

    Raises:
        BadOption: a result that cannot be.
    """
    everything = list(results)
    sizes = [len(seats) for seats, _ in everything]
    counted = Results(
        (),
        np.zeros((LARGEST_TABLE + 1, players), np.int64),
        0.0,
        np.zeros(players, np.int64),
        np.zeros(players),
        np.zeros((players, players), np.int64),
        np.zeros((players, players), np.int64),
    )
    stages: list[Stage] = []
    first_seat = 0.0
    for size in sorted(set(sizes)):
        seats, returns = _as_arrays(players, size, [result for result, its_size in zip(everything, sizes, strict=True) if its_size == size])
        _count_pairs(counted, seats, returns)
        if size == 2:
            first_seat = float(np.sum(1 + np.sign(returns[:, 0] - returns[:, 1]))) / 2
        stages += _stages(counted, seats, returns)
    return Results(tuple(stages), counted.chosen, first_seat, counted.games, np.round(counted.points, 6), counted.ahead, counted.level)


def of_pairs(players: int, pairs: Iterable[tuple[int, int, int, int, int]]) -> Results:
    """The same of games of two, from how often one player of a pair, the first number, beat the second one, drew and lost. Who sat where is not known."""
    counted = np.array(list(pairs), np.int64).reshape(-1, 5)
    one, other, wins, draws, losses = counted.T
    ahead, level = np.zeros((2, players, players), np.int64)
    np.add.at(ahead, (one, other), wins)
    np.add.at(ahead, (other, one), losses)
    np.add.at(level, (one, other), draws)
    level += level.T
    chosen = np.zeros((LARGEST_TABLE + 1, players), np.int64)
    chosen[1], chosen[2] = ahead.sum(axis=1), level.sum(axis=1)
    games = ahead.sum(axis=0) + chosen[1] + chosen[2]
    tied = np.array([0, wins.sum() + losses.sum(), draws.sum()])
    stages = (Stage(2, 2, counted[:, :2], wins + draws + losses, tied),) if len(counted) else ()
    return Results(stages, chosen, math.nan, games, chosen[1] + chosen[2] / 2, ahead, level)


def _as_arrays(players: int, size: int, results: list[Result]) -> tuple[Integers, Floats]:
    """The players and their returns, ``[games, size]`` each."""
    got = [returns for _, returns in results]
    if not 2 <= size <= LARGEST_TABLE or set(map(len, got)) != {size}:
        result = next(result for result in results if not 2 <= size <= LARGEST_TABLE or len(result[1]) != size)
        raise _impossible(result, f"a game has from 2 to {LARGEST_TABLE} players with a return each")
    seats, returns = np.array([seated for seated, _ in results]), np.array(got, np.float64)
    in_order = np.sort(seats, axis=1)
    wrong = ~np.all((returns >= -1) & (returns <= 1), axis=1) | np.any(in_order[:, 1:] == in_order[:, :-1], axis=1)
    wrong |= (in_order[:, 0] < 0) | (in_order[:, -1] >= players) | (seats.dtype.kind != "i")
    if np.any(wrong):
        what = f"players are different numbers from 0 to {players - 1}, returns lie in [−1, 1]"
        raise _impossible(results[int(np.argmax(wrong))], what)
    return seats.astype(np.int64), returns


def _impossible(result: Result, accepted: str) -> BadOption:
    return BadOption(f"the result players={result[0]} returns={result[1]} cannot be: {accepted}")


def _count_pairs(counted: Results, seats: Integers, returns: Floats) -> None:
    """Add to everybody's games and points, and to the games of each pair."""
    players = len(counted.games)
    counted.games[:] += np.bincount(seats.ravel(), minlength=players)
    counted.points[:] += np.bincount(seats.ravel(), ((1 + returns) / 2).ravel(), players)
    for one in range(seats.shape[1]):
        for other in range(seats.shape[1]):
            if one != other:
                pair = seats[:, one] * players + seats[:, other]
                for counts, counting in (
                    (counted.ahead, returns[:, one] > returns[:, other]),
                    (counted.level, returns[:, one] == returns[:, other]),
                ):
                    counts += np.bincount(pair[counting], minlength=players * players).reshape(players, players)


def _stages(counted: Results, seats: Integers, returns: Floats) -> list[Stage]:
    """The choices one after the other, and who was chosen added to ``chosen``."""
    size, players = seats.shape[1], len(counted.games)
    stages: list[Stage] = []
    order = np.argsort(-returns, axis=1, kind="stable")
    placed, got = np.take_along_axis(seats, order, 1), np.take_along_axis(returns, order, 1)
    for start in range(size - 1):
        begins = got[:, start] < got[:, start - 1] if start else np.ones(len(got), np.bool_)
        remaining, next_ones = placed[begins, start:], got[begins, start:] == got[begins, start, None]
        together = np.sum(next_ones, axis=1)
        cells = (together[:, None] * players + remaining)[next_ones]
        counted.chosen[:] += np.bincount(cells, minlength=counted.chosen.size).reshape(counted.chosen.shape)
        if len(remaining):
            sets, counts = _distinct(seats if size == 2 else np.sort(remaining, axis=1), players)
            stages.append(Stage(size, size - start, sets, counts, np.bincount(together, minlength=size - start + 1)))
    return stages


def _distinct(sets: Integers, players: int) -> tuple[Integers, Integers]:
    """The different rows, and how often there is each. A row is sorted as one number, if that is not too large."""
    size = sets.shape[1]
    if players**size >= 2**63:
        return np.unique(sets, axis=0, return_counts=True)
    digits = np.array([players**place for place in reversed(range(size))], np.int64)
    numbers, counts = np.unique(sets @ digits, return_counts=True)
    return numbers[:, None] // digits % players, counts
