"""PPO against itself in hexabomb, where all players act at once: ``pip install 'ludarium[train]'``, then run this file.

All seats of all games are played by one network. Each decision is credited with how its game ended for who took it (no discount, no bootstrapping), and the
network learns from some thousands of them at a time by the clipped objective of J. Schulman and others, "Proximal policy optimization algorithms", 2017.
Nobody sees what the others do on the same turn.
"""

import argparse
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical, Independent

import ludarium
from ludarium.core.game import Game
from ludarium.envs import Batch

CLIP, ENTROPY, VALUE, RATE = 0.2, 0.01, 0.5, 5e-4


class Decisions(NamedTuple):
    """What was seen, legal, done and expected, and what came of it."""

    observations: torch.Tensor
    masks: torch.Tensor
    actions: torch.Tensor
    logarithms: torch.Tensor
    values: torch.Tensor
    returns: torch.Tensor


class Network(nn.Module):
    def __init__(self, game: Game) -> None:
        super().__init__()
        inputs = int(np.prod(game.dimensions.observation_shape))
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(inputs, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
        self.orders = (game.dimensions.slots, game.dimensions.action_space)
        self.policy, self.value = nn.Linear(256, self.orders[0] * self.orders[1]), nn.Linear(256, 1)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[Independent, torch.Tensor]:
        """The orders' probabilities, each for itself, and the return that is expected."""
        seen = self.body(observations)
        logits = self.policy(seen).unflatten(1, self.orders).masked_fill(~masks, -1e9)
        return Independent(Categorical(logits=logits), 1), self.value(seen)[:, 0]


def decisions(game: Game, network: Network, games: int, size: int, seed: int) -> Iterator[Decisions]:
    """Play for ever; give the decisions of games that are over, whenever there are as many as ``size``."""
    batch, finished = Batch(game, games, seed=seed), []
    open_games: list[list[tuple]] = [[] for _ in range(games)]
    while True:
        observations, masks = torch.from_numpy(batch.observations.copy()), torch.from_numpy(batch.masks().copy())
        players = batch.players.copy()
        with torch.inference_mode():
            policy, values = network(observations, masks)
            actions = policy.sample()
            logarithms = policy.log_prob(actions)
        for at, steps in enumerate(open_games):
            steps.append((observations[at].half(), masks[at], actions[at], logarithms[at], values[at], players[at]))
        batch.step(actions.numpy())
        for at in np.flatnonzero(batch.over).tolist():
            finished += [(*step, batch.returns[at, player]) for *step, player in open_games[at]]
            open_games[at] = []
        batch.begin(batch.over)
        if len(finished) >= size:
            *columns, returns = zip(*finished, strict=True)
            yield Decisions(*(torch.stack(column) for column in columns), torch.tensor(returns, dtype=torch.float32))
            finished = []


def learn(network: Network, optimizer: torch.optim.Optimizer, found: Decisions, epochs: int, size: int) -> None:
    advantages = found.returns - found.values
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    for _ in range(epochs):
        for which in torch.randperm(len(found.returns)).split(size):
            policy, values = network(found.observations[which].float(), found.masks[which])
            ratio = (policy.log_prob(found.actions[which]) - found.logarithms[which]).exp()
            gains = torch.minimum(ratio * advantages[which], ratio.clamp(1 - CLIP, 1 + CLIP) * advantages[which])
            loss = VALUE * (values - found.returns[which]).square().mean() - gains.mean() - ENTROPY * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


def score(game: Game, network: Network, opponent: str, games: int) -> float:
    """The share of points against an opponent, from drawn seats, a draw counting half."""
    batch = Batch(game, games, opponent=opponent, seed=1)
    seats = batch.players.copy()
    while not batch.over.all():
        playing = ~batch.over
        with torch.inference_mode():
            policy, _ = network(torch.from_numpy(batch.observations), torch.from_numpy(batch.masks() | ~playing[:, None, None]))
        batch.step(policy.sample().numpy(), playing)
    batch.close()
    return float((1 + batch.returns[np.arange(games), seats]).mean() / 2)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--minutes", type=float, default=20.0)
    arguments.add_argument("--map", default="tiny2")
    arguments.add_argument("--opponents", nargs="+", default=["random", "painter", "bomber"], help="who judges the network, 200 games each")
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    torch.manual_seed(given.seed)
    hexabomb = ludarium.game("hexabomb", map=given.map)
    network = Network(hexabomb)
    optimizer = torch.optim.Adam(network.parameters(), RATE)
    started, seen, shown = time.monotonic(), 0, -1
    for found in decisions(hexabomb, network, games=256, size=16_384, seed=given.seed):
        learn(network, optimizer, found, epochs=3, size=2048)
        seen += len(found.returns)
        minutes = (time.monotonic() - started) / 60
        if int(minutes / given.minutes * 10) > shown:
            shown = int(minutes / given.minutes * 10)
            points = "  ".join(f"{one} {score(hexabomb, network, one, 200):.1%}" for one in given.opponents)
            print(f"{minutes:5.1f} minutes  {seen:,} decisions  points against {points}", flush=True)
        if minutes >= given.minutes:
            break
