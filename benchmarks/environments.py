"""Steps of 4,096 games at once with random legal actions, observations and masks written, beside Gymnasium's own vector of single environments, and Othello of
pgx, compiled by JAX for the processor; and of one game in which every player is an agent, beside PettingZoo's own."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np

from ludarium.envs.gymnasium import GameVectorEnv
from ludarium.envs.pettingzoo import env as our_env

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
ONE_GAME_STEPS = 300


def rows() -> Iterator[Row]:
    for (name, map), target in TARGETS.items():
        ours = functools.partial(steps, name, map, GAMES, "vector_entry_point")
        theirs = functools.partial(steps, name, map, FEW, "sync")
        yield Row(
            f"{name} {map}".rstrip() + f", {GAMES:,} games", "steps/s", ours, f"SyncVectorEnv, {FEW} games", theirs, at_least(value=target)
        )
    ours = functools.partial(steps, "ExpandConquer", "", GAMES, "vector_entry_point")
    yield Row(
        f"ExpandConquer beside Othello, {GAMES:,} games", "steps/s", ours, f"pgx's Othello, {GAMES:,} games", pgx_steps, at_least(ratio=1)
    )
    ours, theirs = lambda: agent_steps(our_agents()), lambda: agent_steps(their_agents())
    yield Row("tic-tac-toe in PettingZoo, one game", "steps/s", ours, "PettingZoo's", theirs, seconds=1.0)


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


def pgx_steps() -> float:
    step, states, key = othello()

    def play() -> int:
        nonlocal states, key
        for _ in range(STEPS):
            states, key = step(states, key)
        states.observation.block_until_ready()
        return STEPS * GAMES

    return rate(play)


@functools.cache
def othello() -> tuple[Any, Any, Any]:
    """A step of all games with random legal actions, those that are over begun anew; the games; and the key of what is random."""
    import jax  # peers, which may be missing
    import pgx
    from pgx.experimental import act_randomly, auto_reset

    env = pgx.make("othello")
    turn = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def step(states: Any, key: Any) -> tuple[Any, Any]:
        key, chosen, dealt = jax.random.split(key, 3)
        return turn(states, act_randomly(chosen, states.legal_action_mask), jax.random.split(dealt, GAMES)), key

    key = jax.random.PRNGKey(1)
    return step, jax.jit(jax.vmap(env.init))(jax.random.split(key, GAMES)), key


def agent_steps(agents: Any) -> float:
    def play() -> int:
        done = 0
        while done < ONE_GAME_STEPS:
            agents.reset(seed=done)
            for agent in agents.agent_iter():
                seen, _, terminated, truncated, _ = agents.last()
                agents.step(None if terminated or truncated else agents.action_space(agent).sample(seen["action_mask"]))
                done += 1
        return done

    return rate(play)


@functools.cache
def our_agents() -> Any:
    return our_env("tic-tac-toe")


@functools.cache
def their_agents() -> Any:
    from pettingzoo.classic import tictactoe_v3  # which needs pygame, to draw

    return tictactoe_v3.env()
