"""Steps of 4,096 games at once with random legal actions, observations and masks written, beside Gymnasium's own vector of single environments."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import gymnasium
import numpy as np

from ludarium.envs.gymnasium import GameVectorEnv

from .harness import Row, at_least, rate

TARGETS = {
    ("Expendibots", ""): 3e6,
    ("ExpandConquer", ""): 2e6,
    ("Hexabomb", ""): 5e5,
    ("Hexabomb", "meadow4"): 5e5,
    ("RoboDerby", ""): 5e5,
}
"""Steps a second on two cores, by the game and its map; meadow4 has 428 cells."""

GAMES = 4096
FEW = 8
STEPS = 60


def rows() -> Iterator[Row]:
    for (name, map), target in TARGETS.items():
        ours = functools.partial(steps, name, map, GAMES, "vector_entry_point")
        theirs = functools.partial(steps, name, map, FEW, "sync")
        yield Row(
            f"{name} {map}".rstrip() + f", {GAMES:,} games", "steps/s", ours, f"SyncVectorEnv, {FEW} games", theirs, at_least(value=target)
        )


def steps(name: str, map: str, count: int, mode: str) -> float:
    envs = vector(name, map, count, mode)
    generator = np.random.default_rng(1)

    def play() -> int:
        for _ in range(STEPS):
            envs.step(drawn(envs, generator))
        return STEPS * count

    return rate(play)


@functools.cache
def vector(name: str, map: str, count: int, mode: str) -> gymnasium.vector.VectorEnv:
    wishes = {"copy": False, "autoreset_mode": "SameStep"} if mode == "vector_entry_point" else {}
    wishes |= {"map": map} if map else {}
    envs = gymnasium.make_vec(f"ludarium/{name}-v0", num_envs=count, vectorization_mode=mode, opponent=None, ranks=True, **wishes)
    envs.reset(seed=1)
    return envs


def drawn(envs: gymnasium.vector.VectorEnv, generator: np.random.Generator) -> np.ndarray:
    """Places of legal actions in their lists."""
    counts = envs.batch.counts if isinstance(envs, GameVectorEnv) else np.array([env.unwrapped.batch.counts[0] for env in envs.envs])
    return (generator.random(counts.shape) * np.maximum(counts, 1)).astype(np.int64).reshape(envs.action_space.shape)
