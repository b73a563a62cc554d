"""The networks: from what a player sees to a logit for every action and the return that the player may expect."""

from __future__ import annotations

import itertools
import json
import logging
import math
import warnings
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from ludarium.core.game import Game
from ludarium.search.gumbel import Evaluate

from .settings import NetworkSettings

METADATA = "ludarium"
"""The key of an ONNX file's metadata under which it says, as JSON, for which game it is."""


def make_network(game: Game, settings: NetworkSettings) -> nn.Module:
    """A network with random weights for a game, by PyTorch's generator. It maps ``float32[n, *observation_shape]`` to logits ``float32[n, action_space]``
    and values ``float32[n]`` between −1 and 1."""
    shape = game.dimensions.observation_shape
    if settings.actions_per_cell:
        network = CellNetwork(shape[0], settings.actions_per_cell, settings.channels, settings.blocks)
        return network.to(memory_format=torch.channels_last)  # a step of learning takes 87 ms instead of 122
    return FlatNetwork(math.prod(shape), game.dimensions.action_space, settings.channels, settings.blocks)


def _summary(features: Tensor) -> Tensor:
    """The mean and the largest value of every channel: ``[n, 2 c]`` of ``[n, c, h, w]``."""
    return torch.cat([features.mean((2, 3)), features.amax((2, 3))], 1)


class _Block(nn.Module):
    """Two convolutions around a residual connection; between them every cell is told of the whole board (D. Wu, "Accelerating self-play learning in Go",
    2019, section 3.3)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(channels)
        self.pooled = nn.Linear(2 * channels, channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(channels)

    def forward(self, features: Tensor) -> Tensor:
        inner = functional.relu(self.first_norm(self.first(features)))
        inner = inner + self.pooled(_summary(inner))[:, :, None, None]
        return functional.relu(features + self.second_norm(self.second(inner)))


class CellNetwork(nn.Module):
    """A residual network over planes of cells. It plays boards of every size, because it takes the board as a whole only by means and maxima."""

    def __init__(self, planes: int, actions_per_cell: list[int], channels: int, blocks: int) -> None:
        super().__init__()
        self.begin = nn.Conv2d(planes + 3, channels, 3, padding=1)
        self.blocks = nn.Sequential(*(_Block(channels) for _ in range(blocks)))
        self.policies = nn.ModuleList(nn.Conv2d(channels, count, 1) for count in actions_per_cell)
        self.judge = nn.Sequential(nn.Linear(2 * channels, 2 * channels), nn.ReLU(), nn.Linear(2 * channels, 1), nn.Tanh())

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        board = torch.ones_like(observations[:, :1])
        places = [place / place.amax((2, 3), keepdim=True) for place in (board.cumsum(2), board.cumsum(3))]
        features = self.blocks(functional.relu(self.begin(torch.cat([observations, board, *places], 1))))
        logits = [cast(Tensor, policy(features)).permute(0, 2, 3, 1).flatten(1) for policy in self.policies]
        return torch.cat(logits, 1), cast(Tensor, self.judge(_summary(features)))[:, 0]


class FlatNetwork(nn.Module):
    """Layers in which everything is connected, for games without cells and for small ones. ``channels`` are its units."""

    def __init__(self, inputs: int, actions: int, channels: int, blocks: int) -> None:
        super().__init__()
        sizes = [inputs, *[channels] * blocks]
        pairs = itertools.pairwise(sizes)
        layers = [layer for size, next_size in pairs for layer in (nn.Linear(size, next_size), nn.ReLU())]
        self.body = nn.Sequential(nn.Flatten(), *layers)
        self.policy = nn.Linear(channels, actions)
        self.judge = nn.Sequential(nn.Linear(channels, 1), nn.Tanh())

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        features = self.body(observations)
        return self.policy(features), cast(Tensor, self.judge(features))[:, 0]


def evaluator(network: nn.Module, device: torch.device) -> Evaluate:
    """What a search asks. The network is on that device; what it is asked is handed over in pinned memory where that is not the processor."""
    network.eval()
    on_processor = device.type == "cpu"

    def evaluate(observations: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        with torch.inference_mode():
            given = torch.from_numpy(observations)
            given = given if on_processor else given.pin_memory().to(device, non_blocking=True)
            logits, values = network(given)
            return logits.float().cpu().numpy(), values.float().cpu().numpy()

    return evaluate


def to_onnx(network: nn.Module, game: Game) -> bytes:
    """The network as an ONNX file, which says for which game it is."""
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)  # it tells of packages that it does not need
    network = network.cpu().eval()
    example = torch.zeros((2, *game.dimensions.observation_shape))
    dimensions: dict[int, Any] = {0: torch.export.Dim("positions")}
    if isinstance(network, CellNetwork):
        dimensions |= {2: torch.export.Dim("rows"), 3: torch.export.Dim("columns")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # PyTorch's own, of itself
        program: Any = torch.onnx.export(
            network,
            (example,),
            dynamo=True,
            verbose=False,
            input_names=["observations"],
            output_names=["logits", "values"],
            dynamic_shapes=(dimensions,),
        )
    model = program.model_proto
    model.metadata_props.add(key=METADATA, value=json.dumps({"game": game.id, "version": game.version}))
    model.doc_string = ""
    return model.SerializeToString()
