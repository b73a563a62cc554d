"""Self-play on a cluster: the games of a generation, dealt out to the processors of Ray."""

from __future__ import annotations

import io
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from ludarium.arena.cluster.workplace import Cluster
from ludarium.arena.executor import Job, run_jobs
from ludarium.core.cores import usable_cores
from ludarium.search.gumbel import GumbelSearch

from .network import evaluator, make_network
from .self_play import PlayedGame, Side, play_games
from .settings import Settings

Numbers = tuple[int, ...]


@dataclass(frozen=True)
class SelfPlayJob(Job[Numbers, list[PlayedGame]]):
    """Games of self-play by their numbers, on the processor of another computer. Each worker compiles while it plays its first games."""

    settings: Settings
    weights: bytes
    """Of the network, as PyTorch saves them."""
    seed: int

    def __call__(self, part: Numbers, interrupted: Callable[[], bool]) -> list[PlayedGame]:
        torch.set_num_threads(1)
        own = self.settings
        network = make_network(own.game, own.network)
        network.load_state_dict(torch.load(io.BytesIO(self.weights), weights_only=True))
        search = GumbelSearch(own.game, len(part), simulations=own.self_play.simulations, considered=own.self_play.considered)
        side = Side(search, evaluator(network, torch.device("cpu")))
        return list(
            play_games(
                own.game,
                part,
                lambda number: own.opening(self.seed, number),
                lambda _: (side, side),
                at_once=len(part),
                max_plies=own.max_plies,
                seed=self.seed,
                noisy_plies=own.self_play.noisy_plies,
                is_kept=True,
                interrupted=interrupted,
            )
        )

    def name(self, part: Numbers) -> str:
        return f"games {part[0]} to {part[-1]}"


def play_on_cluster(
    address: str, settings: Settings, network: nn.Module, numbers: Sequence[int], seed: int, interrupted: Callable[[], bool]
) -> Generator[PlayedGame]:
    """The games of these numbers, as they arrive.

    Raises:
        BadOption: the cluster cannot be joined.
        PlayerCrashed: it was lost, or games were given up.
    """
    weights = io.BytesIO()
    torch.save({name: value.cpu() for name, value in network.state_dict().items()}, weights)
    job: Any = SelfPlayJob(settings, weights.getvalue(), seed)
    workplace = Cluster(address, job, len(usable_cores()))
    try:
        if workplace.joined(interrupted):
            each = max(1, min(settings.self_play.at_once, len(numbers) // (2 * workplace.processors)))
            parts = [tuple(numbers[first : first + each]) for first in range(0, len(numbers), each)]
            for games in run_jobs(job, parts, workers=workplace.processors, interrupted=interrupted, workplace=workplace):
                yield from games
    finally:
        workplace.close()
