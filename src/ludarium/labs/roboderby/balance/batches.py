"""Games in batches, the unit that is kept: what one came to, and how many of them are played on several cores."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ludarium.arena.executor import Job, run_jobs
from ludarium.arena.play import seat_players
from ludarium.core.sources import source_digest
from ludarium.games.roboderby.game import RoboDerby

from .counting import Counts, empty_counts
from .simulation import GAME_FACTS, SEAT_FACTS, play_game

BATCH = 20
"""Games of a batch. What a seed means does not depend on it: every game has its own."""

ROOMS = ("core", "games/roboderby", "labs/roboderby/balance", "players", "search")
"""The source code that decides how games go."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Batch number ``number`` (from 0): the facts of its games (``int64[games, facts]``, in order) and sums over them."""

    number: int
    games: np.ndarray
    counts: Counts

    def as_json(self) -> dict[str, Any]:
        sums = {name: array.ravel().tolist() for name, array in self.counts._asdict().items()}
        return {"batch": self.number, "games": self.games.tolist(), **sums}


@dataclass(frozen=True)
class Series:
    """What games are played: the options, one player's spec a seat (they take turns on the seats), and the seed."""

    game: RoboDerby
    players: tuple[str, ...]
    seed: int

    @classmethod
    def of(cls, game: RoboDerby, players: Sequence[str], seed: int) -> Series:
        """A series between checked players.

        Raises:
            BadNotation, BadOption: a wrong player, a person, or a wrong number of players.
        """
        return cls(game, tuple(spec.text for spec in seat_players(game, players, None)), seed)

    @cached_property
    def digest(self) -> str:
        """Equal for series whose games are the same: of tiles, dice and options as they are now, players, seed, and the programs that play."""
        found = hashlib.sha256(json.dumps([self.players, self.seed, BATCH, GAME_FACTS, SEAT_FACTS]).encode())
        for name, value in self.game.tables._asdict().items():
            found.update(f"{name} {value.tobytes() if isinstance(value, np.ndarray) else value}".encode())
        found.update(source_digest(*ROOMS))
        return found.hexdigest()

    @property
    def facts(self) -> int:
        """How many numbers are kept of a game."""
        return len(GAME_FACTS) + len(SEAT_FACTS) * self.game.players

    def read(self, entry: dict[str, Any]) -> Batch:
        """The batch of :meth:`Batch.as_json`.

        Raises:
            ValueError, LookupError, TypeError: it is none of this series.
        """
        number = entry["batch"]
        games = np.array(entry["games"])
        shapes = {name: array.shape for name, array in empty_counts(self.game.tables.size)._asdict().items()}
        if type(number) is not int or number < 0 or set(entry) != {"batch", "games", *shapes}:
            raise ValueError
        if games.dtype != np.int64 or games.ndim != 2 or not 1 <= len(games) <= BATCH or games.shape[1] != self.facts:
            raise ValueError
        sums = {name: np.array(entry[name]) for name in shapes}
        if any(array.dtype != np.int64 or (array < 0).any() for array in sums.values()):
            raise ValueError
        return Batch(number, games, Counts(**{name: array.reshape(shapes[name]) for name, array in sums.items()}))


def play_batches(series: Series, wanted: Sequence[tuple[int, int]], *, workers: int, interrupted: Callable[[], bool]) -> Iterator[Batch]:
    """Play batches, given as their numbers and how many games each shall have; they come as they are finished.

    Raises:
        PlayerFailed: a player did not play, or processes died at it again and again; what else could be played comes before.
    """
    batches = run_jobs(_Job(series), wanted, workers=min(workers, len(wanted)), interrupted=interrupted)
    return (batch for batch in batches if batch is not None)


@dataclass(frozen=True)
class _Job(Job[tuple[int, int], Batch | None]):
    """All that a process needs to know to play any batch, given as its number and how many games it shall have."""

    series: Series

    def warm_up(self) -> None:
        game = self.series.game
        play_game(game, seat_players(game, ["greedy"] * game.players), self.series.seed, 0, empty_counts(game.tables.size), lambda: True)

    def __call__(self, wanted: tuple[int, int], interrupted: Callable[[], bool]) -> Batch | None:
        number, size = wanted
        game = self.series.game
        specs = seat_players(game, self.series.players, None)
        counts = empty_counts(game.tables.size)
        rows: list[list[int]] = []
        for game_number in range(BATCH * number, BATCH * number + size):
            facts = play_game(game, specs, self.series.seed, game_number, counts, interrupted)
            if facts is None:
                return None
            rows.append(facts)
        return Batch(number, np.array(rows, np.int64), counts)

    def name(self, wanted: tuple[int, int]) -> str:
        number, size = wanted
        return f"games {BATCH * number + 1} to {BATCH * number + size}"
