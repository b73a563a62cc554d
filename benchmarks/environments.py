"""Steps of 4,096 games at once with random legal actions, observations and masks written, beside Gymnasium's own vector of single environments."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import gymnasium
import numpy as np

from ludarium.envs.gymnasium import GameVectorEnv

from .harness import Row, at_least, rate

TARGETS = {"Expendibots": 3e6, "ExpandConquer": 2e6, "Hexabomb": 5e5, "RoboDerby": 5e5}
"""Steps a second on two cores."""

GAMES = 4096
FEW = 8
STEPS = 60


def rows() -> Iterator[Row]:
    for name, target in TARGETS.items():
        ours = functools.partial(steps, name, GAMES, "vector_entry_point")
        theirs = functools.partial(steps, name, FEW, "sync")
        yield Row(f"{name}, {GAMES:,} games", "steps/s", ours, f"SyncVectorEnv, {FEW} games", theirs, at_least(value=target))


def steps(name: str, count: int, mode: str) -> float:
    envs = vector(name, count, mode)
    generator = np.random.default_rng(1)

    def play() -> int:
        for _ in range(STEPS):
            envs.step(drawn(envs, generator))
        return STEPS * count

    return rate(play)


@functools.cache
def vector(name: str, count: int, mode: str) -> gymnasium.vector.VectorEnv:
    wishes = {"copy": False, "autoreset_mode": "SameStep"} if mode == "vector_entry_point" else {}
    envs = gymnasium.make_vec(f"ludarium/{name}-v0", num_envs=count, vectorization_mode=mode, opponent=None, ranks=True, **wishes)
    envs.reset(seed=1)
    return envs


def drawn(envs: gymnasium.vector.VectorEnv, generator: np.random.Generator) -> np.ndarray:
    """Places of legal actions in their lists."""
    counts = envs.batch.counts if isinstance(envs, GameVectorEnv) else np.array([env.unwrapped.batch.counts[0] for env in envs.envs])
    return (generator.random(counts.shape) * np.maximum(counts, 1)).astype(np.int64).reshape(envs.action_space.shape)
