"""Steps of learning: the network's policy towards the search's, its value towards the result."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ludarium.core.symmetries import Symmetries

from .positions import Positions


@dataclass(frozen=True)
class Losses:
    """Means over some steps."""

    policy: float
    """Cross-entropy, in nats."""
    value: float
    """Mean squared error of returns."""


def learn(
    network: nn.Module,
    optimizer: torch.optim.Optimizer,
    positions: Positions,
    *,
    steps: int,
    batch: int,
    seed: int,
    device: torch.device,
    symmetries: Symmetries | None = None,
) -> Generator[int, None, Losses]:
    """Take so many steps with batches drawn from the positions, each of which is learned from in one of its images; gives how many steps are done."""
    generator = np.random.default_rng(seed)
    firsts = np.cumsum(positions.counts) - positions.counts
    totals = np.zeros(2)
    network.train()
    for done in range(steps):
        yield done
        which = generator.integers(len(positions), size=batch)
        observations, returns, legal, policies, are_legal = positions.batch(which, firsts)
        if symmetries is not None:
            observations, legal = symmetries.image(int(generator.integers(len(symmetries.cells))), observations, legal)
        parts = observations, returns, legal, policies, are_legal
        policy_loss, value_loss = _losses(network, [torch.from_numpy(part).to(device) for part in parts])
        optimizer.zero_grad()
        (policy_loss + value_loss).backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        totals += policy_loss.item(), value_loss.item()
    return Losses(*(totals / steps).tolist())


def _losses(network: nn.Module, batch: list[Tensor]) -> tuple[Tensor, Tensor]:
    observations, returns, legal, policies, are_legal = batch
    logits, values = network(observations)
    logits = logits.gather(1, legal).masked_fill(~are_legal, -torch.inf)
    logarithms = functional.log_softmax(logits, 1).masked_fill(~are_legal, 0.0)
    return -(policies * logarithms).sum(1).mean(), functional.mse_loss(values, returns)
