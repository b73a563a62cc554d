"""Networks of the training examples on a graphics card beside the processor: positions evaluated a second, with the way there and back, and learned from.

``python -m benchmarks training``, with PyTorch for CUDA installed (``pip install "ludarium[train]"``).
"""

from __future__ import annotations

import functools
import random
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import ludarium
from ludarium.core.game import Game, State
from ludarium.train.positions import Positions
from ludarium.train.settings import NetworkSettings

from .harness import Row, rate

EXAMPLES = Path(__file__).parents[1] / "examples" / "training"
GAMES = ("expendibots", "expand-conquer")

POSITIONS = 4096
PLIES = 20
STEPS = 20


def rows() -> Iterator[Row]:
    for game in GAMES:
        for batch in (256, 4096, 16384):
            yield Row(f"{game}: evaluated, {batch:,} together", "positions/s", *on_both(evaluated, game, batch), rounds=3)
        for batch in (256, 4096):
            yield Row(f"{game}: learned from, batches of {batch:,}", "positions/s", *on_both(learned, game, batch), rounds=1, seconds=60)


def on_both(measured: Callable[..., float], *where: object) -> tuple[Callable[[], float], str, Callable[[], float]]:
    return functools.partial(measured, "cuda", *where), "the processor, all cores", functools.partial(measured, "cpu", *where)


def evaluated(device: str, name: str, batch: int) -> float:
    from ludarium.train.network import evaluator, make_network  # PyTorch, which may be missing
    from ludarium.train.run import usable_device

    game, settings = trained(name)
    on = usable_device(device)
    evaluate = evaluator(make_network(game, settings).to(on), on)
    shown = np.resize(positions(name).observations.astype(np.float32), (batch, *game.dimensions.observation_shape))

    def ask() -> int:
        evaluate(shown)
        return batch

    ask()
    return rate(ask)


def learned(device: str, name: str, batch: int) -> float:
    import torch  # which may be missing

    from ludarium.train.learning import learn
    from ludarium.train.network import make_network
    from ludarium.train.run import usable_device

    game, settings = trained(name)
    on = usable_device(device)
    network = make_network(game, settings).to(on)
    optimizer = torch.optim.AdamW(network.parameters(), 0.002)

    def step(steps: int = STEPS) -> int:
        for _ in learn(network, optimizer, positions(name), steps=steps, batch=batch, seed=1, device=on, symmetries=game.symmetries()):
            pass
        return steps * batch

    step(2)
    return rate(step)


@functools.cache
def trained(game: str) -> tuple[Game, NetworkSettings]:
    """The game and the network of the example."""
    table = tomllib.loads((EXAMPLES / f"{game}.toml").read_text())
    return ludarium.game(game, **table.get("options", {})), NetworkSettings(**table["network"])


@functools.cache
def positions(name: str) -> Positions:
    """Of random games, with equal shares of the policy for all actions."""
    chance, start = random.Random(1), trained(name)[0].start()
    found: list[State] = []
    while len(found) < POSITIONS:
        state = start
        for _ in range(PLIES):
            if state.is_over:
                break
            found.append(state)
            state = state.play(chance.choice(list(state.actions(state.to_move[0]))))
    legal = [[action.index for action in state.actions(state.to_move[0])] for state in found]
    counts = np.array([len(actions) for actions in legal])
    return Positions(
        np.stack([np.asarray(state.observation(state.to_move[0])) for state in found]).astype(np.float16),
        np.zeros(len(found), np.float32),
        counts,
        np.concatenate(legal).astype(np.int32),
        np.repeat(1 / counts, counts).astype(np.float32),
    )
