"""Steps of learning: the network's policy towards the search's, its value towards the result."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, fields

import numpy as np
import torch
from numpy.typing import NDArray
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


class Window:
    """Positions on the device that learns, where batches are put together."""

    def __init__(self, positions: Positions, device: torch.device, symmetries: Symmetries | None = None) -> None:
        """Take them there.

        Args:
            symmetries: each batch is one image of its positions, drawn anew.
        """
        self._parts = {one.name: torch.from_numpy(getattr(positions, one.name)).to(device) for one in fields(positions)}
        self._firsts = self._parts["counts"].cumsum(0) - self._parts["counts"]
        self._places = torch.arange(int(positions.counts.max()), device=device)
        self._device = device
        self._images: tuple[Tensor, Tensor] | None = None
        if symmetries is not None:
            from_cells = torch.from_numpy(symmetries.cells).argsort(1)
            self._images = from_cells.to(device), torch.from_numpy(symmetries.actions).to(device)

    def batch(self, which: NDArray[np.int64], generator: np.random.Generator) -> tuple[Tensor, ...]:
        """The positions of these numbers (``int64[b]``): observations ``float32[b, *observation_shape]`` and returns ``float32[b]``.

        Besides, for as many places as one position of all has legal actions: which (``int64[b, places]``), their probabilities or returns (``float32``), and
        whether they are any (``bool``).
        ``generator`` draws the image.
        """
        drawn = torch.from_numpy(which).to(self._device)
        parts = self._parts
        are_legal = self._places < parts["counts"][drawn][:, None]
        at = torch.where(are_legal, self._firsts[drawn][:, None] + self._places, 0)
        observations, legal = parts["observations"][drawn].float(), torch.where(are_legal, parts["legal"][at], 0).long()
        if self._images is not None:
            number = int(generator.integers(len(self._images[0])))
            cells, actions = self._images[0][number], self._images[1][number]
            observations, legal = observations.flatten(2)[..., cells].view_as(observations), actions[legal]
        return observations, parts["returns"][drawn], legal, torch.where(are_legal, parts["policies"][at], 0.0), are_legal


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

    Raises:
        ValueError: ``steps`` is not at least 1, so that there are no losses to report.
    """
    if steps < 1:
        raise ValueError(f"{steps} steps: learning takes at least 1")
    losses = _taught_losses if is_taught else _losses
    generator = np.random.default_rng(seed)
    window = Window(positions, device, symmetries)
    totals = torch.zeros(2, dtype=torch.float64, device=device)  # looked at once: what is under way on the device is not waited for
    network.train()
    for done in range(steps):
        yield done
        which = generator.integers(len(positions), size=batch)
        policy_loss, value_loss, more = losses(network, window.batch(which, generator))
        optimizer.zero_grad()
        (policy_loss + value_loss + more).backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        if average is not None:
            _move(average, network, kept)
        totals += torch.stack([policy_loss.detach(), value_loss.detach()])
    return Losses(*(totals / steps).tolist())


def _move(average: nn.Module, network: nn.Module, kept: float) -> None:
    with torch.no_grad():
        for mean, new in zip(average.state_dict().values(), network.state_dict().values(), strict=True):
            if mean.is_floating_point():
                mean.lerp_(new, 1 - kept)
            else:
                mean.copy_(new)


def _losses(network: nn.Module, batch: tuple[Tensor, ...]) -> tuple[Tensor, Tensor, Tensor]:
    observations, returns, legal, policies, are_legal = batch
    logits, values = network(observations)
    logits = logits.gather(1, legal).masked_fill(~are_legal, -torch.inf)
    logarithms = functional.log_softmax(logits, 1).masked_fill(~are_legal, 0.0)
    return -(policies * logarithms).sum(1).mean(), functional.mse_loss(values, returns), torch.zeros(())


def _taught_losses(network: nn.Module, batch: tuple[Tensor, ...]) -> tuple[Tensor, Tensor, Tensor]:
    """The policy is to be on any of the best actions; and each action's logit is to say by itself how the game ends after it."""
    observations, returns, legal, results, are_legal = batch
    logits, values = network(observations)
    logits = logits.gather(1, legal)
    are_best = are_legal & (results == returns[:, None])
    best, all_legal = (logits.masked_fill(~some, -torch.inf).logsumexp(1) for some in (are_best, are_legal))
    each = functional.binary_cross_entropy_with_logits(logits, (results + 1) / 2, reduction="none")
    return (all_legal - best).mean(), functional.mse_loss(values, returns), 2 * (each * are_legal).sum() / are_legal.sum()
