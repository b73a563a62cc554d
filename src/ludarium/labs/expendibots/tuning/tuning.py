"""From nothing to weights, in steps that are kept: the same seed gives the same weights, however often the work was stopped."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludarium.arena.executor import run_jobs
from ludarium.core.registry import game
from ludarium.core.sources import source_digest
from ludarium.core.writing import write_bytes
from ludarium.errors import store_errors

from .self_play import GAMES, SelfPlay
from .training import (
    SYMMETRIES,
    Examples,
    Parameters,
    Training,
    beginning,
    examples_of,
    fitted_loss,
    scratch,
    train_epoch,
    write_values,
)

HELD_OUT = 20
"""The first of every so many blocks is not trained on, and tells how well the network judges what it has not seen."""

ROOMS = ("core", "games/expendibots", "labs/expendibots/tuning", "search")
"""The source code that decides what comes out."""


@dataclass(frozen=True)
class Losses:
    """How well results of games that were not trained on are told, as mean cross entropies, each at the scale where it tells them best."""

    hand_made: float
    searched: float
    network: float


@dataclass(frozen=True)
class Tuning:
    """What decides the weights of one generation, and where steps towards them are kept."""

    games: int
    nodes: int
    epochs: int
    seed: int
    data: Path
    weights: bytes
    """Those of the generation before, whose players play the games (``WEIGHTS[1]``)."""

    @property
    def folder(self) -> Path:
        played_with = hashlib.sha256(self.weights).hexdigest()
        return self.data / "expendibots" / "tuning" / f"{self.seed}-{self.nodes}-{source_digest(*ROOMS).hex()[:12]}-{played_with[:12]}"

    @property
    def blocks(self) -> int:
        return -(-self.games // GAMES)

    @property
    def whole_games(self) -> int:
        """The games of all blocks."""
        return GAMES * self.blocks

    def _block(self, number: int) -> Path:
        return self.folder / f"positions-{number:05}.npz"

    def positions(self, workers: int, interrupted: Callable[[], bool]) -> Iterator[int]:
        """Play the games that are not kept yet; tells how many are.

        Raises:
            PlayerCrashed: processes died again and again.
            StoreError: they cannot be kept.
        """
        missing = [block for block in range(self.blocks) if not self._block(block).exists()]
        kept = self.blocks - len(missing)
        yield GAMES * kept
        with store_errors(f"{self.folder} cannot be written"):
            self.folder.mkdir(parents=True, exist_ok=True)
        for found in run_jobs(
            SelfPlay(self.seed, self.nodes, self.weights), missing, workers=min(workers, len(missing)), interrupted=interrupted
        ):
            if found is not None:
                _keep(self._block(found[0]), positions=found[1])
                kept += 1
                yield GAMES * kept

    def examples(self) -> tuple[Examples, Examples]:
        """Those to train on, and those held out; no board twice in either."""
        blocks: list[NDArray[np.void]] = [_kept(self._block(block))["positions"] for block in range(self.blocks)]
        held_out = np.concatenate(blocks[::HELD_OUT])
        others = np.concatenate([block for number, block in enumerate(blocks) if number % HELD_OUT])
        dtype = game("expendibots").dtype
        return examples_of(_once(others), dtype), examples_of(_once(held_out), dtype)

    def train(self, examples: Examples, interrupted: Callable[[], bool]) -> Iterator[Training]:
        """Epoch by epoch, the last that is kept first."""
        path = self.folder / f"training-{self.blocks}-{self.epochs}.npz"
        training = _read_training(_kept(path)) if path.exists() else beginning(self.seed)
        yield training
        while training.epoch < self.epochs and not interrupted():
            training = train_epoch(training, examples, self.seed, self.epochs)
            parts = (*training.parameters, *training.first, *training.second)
            _keep(path, epoch=np.array(training.epoch), **{str(number): part for number, part in enumerate(parts)})
            yield training


def _read_training(arrays: dict[str, NDArray[Any]]) -> Training:
    size = len(Parameters._fields)
    parameters, first, second = (Parameters(*(arrays[str(number)] for number in range(at, at + size))) for at in range(0, 3 * size, size))
    return Training(parameters, first, second, int(arrays["epoch"]))


def losses(training: Training, held_out: Examples) -> Losses:
    return Losses(
        fitted_loss(_values(beginning(0, spread=0), held_out), held_out.results),
        fitted_loss(held_out.scores, held_out.results),
        fitted_loss(_values(training, held_out), held_out.results),
    )


def _values(training: Training, examples: Examples) -> NDArray[np.float32]:
    values = np.zeros(len(examples.boards), np.float32)
    write_values(training.parameters, examples, SYMMETRIES[0], *scratch(), values)
    return values


def _once(positions: NDArray[np.void]) -> NDArray[np.void]:
    """The positions in their order, each board the first time."""
    boards = np.ascontiguousarray(positions["board"]).view("V64").reshape(-1)
    return positions[np.sort(np.unique(boards, return_index=True)[1])]


def _keep(path: Path, **arrays: NDArray[Any]) -> None:
    content = io.BytesIO()
    np.savez(content, allow_pickle=False, **arrays)
    write_bytes(path, content.getvalue())


def _kept(path: Path) -> dict[str, NDArray[Any]]:
    with store_errors(f"{path} cannot be read"), np.load(path) as arrays:
        return dict(arrays)
