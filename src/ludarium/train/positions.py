"""What a network learns from: the positions of games, as arrays."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from ludarium.core.game import Game

from .kernel import go_through
from .self_play import PlayedGame


@dataclass(frozen=True)
class Positions:
    """n positions; the legal actions of all of them stand one after the other, L in all."""

    observations: NDArray[np.float16]
    """``[n, *observation_shape]``."""
    returns: NDArray[np.float32]
    """``[n]``: of who was to move."""
    counts: NDArray[np.int64]
    """``[n]``: how many actions were legal."""
    legal: NDArray[np.int32]
    """``[L]``."""
    policies: NDArray[np.float32]
    """``[L]``: their probabilities by the search; from a teacher, the returns after them."""

    def __len__(self) -> int:
        return len(self.returns)

    def as_bytes(self) -> bytes:
        """What :meth:`from_bytes` reads."""
        data = io.BytesIO()
        np.savez_compressed(data, **{one.name: getattr(self, one.name) for one in fields(self)})
        return data.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> Positions:
        """Read positions.

        Raises:
            OSError, LookupError, TypeError, ValueError, zipfile.BadZipFile: it is something else.
        """
        with np.load(io.BytesIO(data)) as found:
            return cls(*(found[one.name] for one in fields(cls)))

    @classmethod
    def together(cls, parts: Iterable[Positions]) -> Positions:
        parts = list(parts)
        return cls(*(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(cls)))


def positions_of(game: Game, played: PlayedGame) -> Positions:
    """The positions of a game."""
    size, plies = game.dimensions, len(played.actions)
    movers, counts = np.zeros(plies, np.int8), np.zeros(plies, np.int32)
    observations = np.zeros((plies, *size.observation_shape), np.float32)
    legal = np.zeros((plies, size.max_actions), np.int32)
    go_through(
        game.tables,
        game.parse(played.opening).copy_records(),
        np.array(played.actions, np.int64),
        np.zeros((game.players, 1), np.int64),
        np.zeros(size.max_actions, np.int64),
        movers,
        observations,
        counts,
        legal,
    )
    policies: list[NDArray[np.float32]] = []
    for ply, policy in enumerate(played.policies):
        probabilities = dict(policy)
        row = np.array([probabilities.get(action, 0.0) for action in legal[ply, : counts[ply]].tolist()], np.float32)
        policies.append(row / row.sum())
    return Positions(
        observations.astype(np.float16),
        np.array(played.returns, np.float32)[movers],
        counts.astype(np.int64),
        np.concatenate([legal[ply, :count] for ply, count in enumerate(counts.tolist())]),
        np.concatenate(policies),
    )
