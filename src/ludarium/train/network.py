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
        if settings.connected:
            return GraphNetwork(shape[0], settings)
        network = CellNetwork(shape[0], settings)
        return network.to(memory_format=torch.channels_last)  # a step of learning takes 87 ms instead of 122
    return FlatNetwork(math.prod(shape), game.dimensions.action_space, settings.channels, settings.blocks)


def _summary(features: Tensor) -> Tensor:
    """The mean and the largest value of every channel: ``[n, 2 c]`` of ``[n, cells, c]``."""
    return torch.cat([features.mean(1), features.amax(1)], 1)


def _by_cell(features: Tensor) -> Tensor:
    """``[n, cells, c]`` of ``[n, c, h, w]``."""
    return features.flatten(2).transpose(1, 2)


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
        inner = inner + self.pooled(_summary(_by_cell(inner)))[:, :, None, None]
        return functional.relu(features + self.second_norm(self.second(inner)))


class CellNetwork(nn.Module):
    """A residual network over planes of cells. It plays boards of every size, because it takes the board as a whole only by means and maxima."""

    def __init__(self, planes: int, settings: NetworkSettings) -> None:
        super().__init__()
        channels = settings.channels
        self.begin = nn.Conv2d(planes + 3, channels, 3, padding=1)
        self.blocks = nn.Sequential(*(_Block(channels) for _ in range(settings.blocks)))
        self.policies = nn.ModuleList(nn.Conv2d(channels, count, 1) for count in settings.actions_per_cell)
        self.judge = _judge(channels)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        board = torch.ones_like(observations[:, :1])
        places = [place / place.amax((2, 3), keepdim=True) for place in (board.cumsum(2), board.cumsum(3))]
        features = self.blocks(functional.relu(self.begin(torch.cat([observations, board, *places], 1))))
        logits = [cast(Tensor, policy(features)).permute(0, 2, 3, 1).flatten(1) for policy in self.policies]
        return torch.cat(logits, 1), cast(Tensor, self.judge(_summary(_by_cell(features))))[:, 0]


def _judge(channels: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(2 * channels, 2 * channels), nn.ReLU(), nn.Linear(2 * channels, 1), nn.Tanh())


DOUBLINGS = 6
"""Cells of one thing are found to be connected if no more than 2^6 steps apart."""

REACH = 5
"""Steps from things through free cells that a network is told of."""


def neighbours(height: int, width: int) -> Tensor:
    """Which cells are beside each other, and each beside itself: ``[cells, cells]`` of 0 and 1."""
    rows, columns = torch.arange(height)[:, None].expand(height, width).flatten(), torch.arange(width).expand(height, width).flatten()
    return ((rows[:, None] - rows).abs() + (columns[:, None] - columns).abs() <= 1).float()


def connections(kinds: Tensor, near: Tensor) -> tuple[Tensor, Tensor]:
    """Which cells are parts of one thing, and which are beside it: two matrices ``[n, cells, cells]`` of 0 and 1 from the kind of each cell, ``[n, cells, k]``
    of 0 and a single 1.

    Cells of one kind that hang together are a thing. Beside a thing of the last kind are cells of the others, beside others those of the last.
    """
    things = torch.bmm(kinds, kinds.transpose(1, 2)) * near
    for _ in range(DOUBLINGS):
        things = torch.bmm(things, things).clamp(max=1)
    free = kinds[:, :, -1]
    return things, torch.matmul(things, near).clamp(max=1) * (free[:, :, None] - free[:, None]).abs()


def reaches(taken: Tensor, free: Tensor, near: Tensor) -> Tensor:
    """Which cells are 1, 2, … ``REACH`` steps at most from those of each kind (``[n, cells, k]``), on a way through free ones: ``[n, cells, REACH k]``."""
    found = [taken]
    for _ in range(REACH):
        found.append(torch.maximum(found[-1], torch.matmul(near, found[-1]).clamp(max=1) * free))
    return torch.cat(found[1:], 2)


class _GraphBlock(nn.Module):
    """A layer with a residual connection in which every cell is told of the cells beside it, of its thing, of what is beside that, and of the whole board."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        told = channels // 2
        self.told = nn.Linear(channels, told)
        self.own = nn.Linear(channels, channels, bias=False)
        self.related = nn.Linear(4 * told, channels, bias=False)
        self.pooled = nn.Linear(channels, channels)
        self.norm = nn.BatchNorm1d(channels)

    def forward(self, features: Tensor, relations: Tensor) -> Tensor:
        """``features``: ``[n, cells, channels]``; ``relations``: ``[n, 4 cells, cells]``, the four of a cell one after the other."""
        heard = torch.bmm(relations, self.told(features)).view(*features.shape[:2], -1)
        mixed = self.own(features) + self.related(heard) + self.pooled(features.mean(1, keepdim=True))
        return features + functional.relu(self.norm(mixed.flatten(0, 1))).view_as(features)


class GraphNetwork(nn.Module):
    """A residual network over planes of cells for games in which cells that hang together are one thing, as stones of a colour are in Go.

    Cells know only who is beside whom, so that turning and mirroring a board changes nothing, and boards have any size. An action at one of the cells in the
    planes ``connected`` has the same logit at all cells of its thing.
    """

    def __init__(self, planes: int, settings: NetworkSettings) -> None:
        super().__init__()
        channels = settings.channels
        self.connected = settings.connected
        self.begin = nn.Linear(planes + 2 + REACH * len(self.connected), channels)
        self.blocks = nn.ModuleList(_GraphBlock(channels) for _ in range(settings.blocks))
        self.policies = nn.ModuleList(nn.Linear(2 * channels, count) for count in settings.actions_per_cell)
        self.judge = nn.Sequential(
            nn.BatchNorm1d(2 * channels), *_judge(channels)
        )  # large features would hold its tanh where nothing is learned

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        with torch.no_grad():
            cells = _by_cell(observations)
            taken = cells[:, :, self.connected]
            free = 1 - taken.sum(2, keepdim=True)
            near = neighbours(*observations.shape[2:]).to(cells.device)
            things, beside = connections(torch.cat([taken, free], 2), near)
            size, around = things.sum(2, keepdim=True), near.sum(1)[:, None].expand_as(free)
            mean = things / size
            told = near.expand_as(mean), mean, beside / beside.sum(2, keepdim=True).clamp(min=1), beside / 8
            relations = torch.stack(told, 2).flatten(1, 2)
            shown = torch.cat([cells, size / 10, around, reaches(taken, free, near)], 2)
        features = functional.relu(self.begin(shown))
        for block in self.blocks:
            features = block(features, relations)
        of_things = free * features + (1 - free) * torch.bmm(mean, features)
        of_things = torch.cat([of_things, torch.bmm(beside, features) / 8], 2)
        logits = [policy(of_things).flatten(1) for policy in self.policies]
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
    """What a search asks. The network is on that device; on a graphics card, questions and answers go through pinned memory."""
    return _Evaluator(network.eval(), device)


class _Evaluator:
    """A network on a device, as a search asks it. A class, because local functions can't be pickled."""

    def __init__(self, network: nn.Module, device: torch.device) -> None:
        self._network = network
        self._device = device

    def __call__(self, observations: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        on_card = self._device.type == "cuda"
        with torch.inference_mode():
            given = torch.from_numpy(observations)
            logits, values = self._network((given.pin_memory() if on_card else given).to(self._device, non_blocking=on_card))
            if on_card:
                logits, values = (torch.empty(part.shape, pin_memory=True).copy_(part, non_blocking=True) for part in (logits, values))
                torch.cuda.current_stream(self._device).synchronize()
            return logits.float().cpu().numpy(), values.float().cpu().numpy()


def to_onnx(network: nn.Module, game: Game) -> bytes:
    """The network as an ONNX file, which says for which game it is."""
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)  # it tells of packages that it does not need
    network = network.cpu().eval()
    example = torch.zeros((2, *game.dimensions.observation_shape))
    dimensions: dict[int, Any] = {0: torch.export.Dim("positions")}
    if isinstance(network, CellNetwork | GraphNetwork):
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
    for node in model.graph.node:  # lines of source that each came from, several times what the weights take
        del node.metadata_props[:]
    return model.SerializeToString()
