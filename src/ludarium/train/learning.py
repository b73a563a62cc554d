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
    """Cross-entropy, in nats; from a teacher, of what is not a best action."""
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
    is_taught: bool = False,
    average: nn.Module | None = None,
    kept: float = 0.0,
) -> Generator[int, None, Losses]:
    """Take so many steps with batches drawn from the positions, each of which is learned from in one of its images; gives how many steps are done.

    Args:
        is_taught: the positions tell of every action how the game ends, instead of how probable it is by a search.
        average: a network of which each step keeps so much (``kept``), and takes the rest from the network that learns.
    """
    losses = _taught_losses if is_taught else _losses
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
        policy_loss, value_loss, more = losses(network, [torch.from_numpy(part).to(device) for part in parts])
        optimizer.zero_grad()
        (policy_loss + value_loss + more).backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        if average is not None:
            _move(average, network, kept)
        totals += policy_loss.item(), value_loss.item()
    return Losses(*(totals / steps).tolist())


def _move(average: nn.Module, network: nn.Module, kept: float) -> None:
    with torch.no_grad():
        for mean, new in zip(average.state_dict().values(), network.state_dict().values(), strict=True):
            if mean.is_floating_point():
                mean.lerp_(new, 1 - kept)
            else:
                mean.copy_(new)


def _losses(network: nn.Module, batch: list[Tensor]) -> tuple[Tensor, Tensor, Tensor]:
    observations, returns, legal, policies, are_legal = batch
    logits, values = network(observations)
    logits = logits.gather(1, legal).masked_fill(~are_legal, -torch.inf)
    logarithms = functional.log_softmax(logits, 1).masked_fill(~are_legal, 0.0)
    return -(policies * logarithms).sum(1).mean(), functional.mse_loss(values, returns), torch.zeros(())


def _taught_losses(network: nn.Module, batch: list[Tensor]) -> tuple[Tensor, Tensor, Tensor]:
    """The policy is to be on any of the best actions; and each action's logit is to say by itself how the game ends after it."""
    observations, returns, legal, results, are_legal = batch
    logits, values = network(observations)
    logits = logits.gather(1, legal)
    are_best = are_legal & (results == returns[:, None])
    best, all_legal = (logits.masked_fill(~some, -torch.inf).logsumexp(1) for some in (are_best, are_legal))
    each = functional.binary_cross_entropy_with_logits(logits, (results + 1) / 2, reduction="none")
    return (all_legal - best).mean(), functional.mse_loss(values, returns), 2 * each[are_legal].mean()
