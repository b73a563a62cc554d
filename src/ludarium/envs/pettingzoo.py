"""Every game as an environment of PettingZoo: ``env("expendibots")``, in which players choose one after the other, and ``parallel_env("hexabomb")``, in which
they act together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv  # pyright: ignore[reportMissingTypeStubs]  # it has types and does not say so
from pettingzoo.utils.wrappers import OrderEnforcingWrapper  # pyright: ignore[reportMissingTypeStubs]

import ludarium
from ludarium.core.game import Game
from ludarium.errors import BadOption, IllegalAction

from .batch import Batch
from .rendering import RENDER_MODES, checked, rendered
from .spaces import FORFEIT, action_space, fresh_seed, observation_space

Observation = dict[str, Any]
Information = dict[str, Any]

MODES = ["human", *RENDER_MODES]


def env(game: str, *, ranks: bool = False, render_mode: str | None = None, **options: Any) -> AECEnv[str, Observation, Any]:
    """Any game, a player's choice at a time, as :class:`GameAECEnv`; what is asked in a wrong order is told so.

    Args:
        game: its id.
        ranks: an action is its place among the legal ones, so that there are ``max_actions`` and not ``action_space`` of them.
        render_mode: None, ``human`` (``render()`` prints the board), or what :func:`.rendering.rendered` makes of it: ``ansi`` or ``rgb_array``.
        options: those of the game.

    Raises:
        BadOption: no such game, option or render mode.
    """
    return OrderEnforcingWrapper(GameAECEnv(game, ranks=ranks, render_mode=render_mode, **options))


def parallel_env(game: str, *, ranks: bool = False, render_mode: str | None = None, **options: Any) -> GameParallelEnv:
    """Any game, a step of all its players at a time, as :class:`GameParallelEnv`. Arguments and errors are those of :func:`env`."""
    return GameParallelEnv(game, ranks=ranks, render_mode=render_mode, **options)


class _Table:
    """One game with all seats played from outside, and what its players know."""

    def __init__(self, game: Game, ranks: bool) -> None:
        self.batch = Batch(game, 1, seed=fresh_seed())
        self.ranks = ranks
        self.agents = [f"player_{player}" for player in range(game.players)]
        self.actions: dict[str, spaces.Space[Any]] = {agent: action_space(game, ranks) for agent in self.agents}
        self._sizes = [game.dimensions.max_actions if ranks else game.dimensions.action_space] * game.dimensions.slots
        masks = [spaces.Box(0, 1, (size,), np.int8) for size in self._sizes]
        seen = observation_space(game)
        self.observations: dict[str, spaces.Space[Any]] = {
            agent: spaces.Dict({"observation": seen, "action_mask": _alone(masks, spaces.Tuple)}) for agent in self.agents
        }

    @property
    def choosing(self) -> int:
        return int(self.batch.players[0])

    @property
    def over(self) -> bool:
        return bool(self.batch.over[0])

    def begin(self, seed: int | None) -> None:
        if seed is not None:
            self.batch.seed(seed)
        self.batch.begin()

    def is_legal(self, player: int, action: Any) -> bool:
        state, orders = self.batch.state(0), np.atleast_1d(action).tolist()
        legal = [state.legal(player, slot) for slot in range(len(self._sizes))]
        return len(orders) == len(legal) and all(
            0 <= order < len(found) if self.ranks else order in found for order, found in zip(orders, legal, strict=True)
        )

    def play(self, action: Any) -> None:
        """A legal one of who is to choose."""
        self.batch.play(np.asarray(action)[None], np.ones(1, np.bool_), ranks=self.ranks)

    def observe(self, player: int, chooses: bool) -> Observation:
        """What a player sees, and what it may do if it is to choose."""
        state = self.batch.state(0)
        masks: list[NDArray[np.int8]] = []
        for slot, size in enumerate(self._sizes):
            mask = np.zeros(size, np.int8)
            legal = state.legal(player, slot) if chooses else []
            mask[range(len(legal)) if self.ranks else legal] = 1
            masks.append(mask)
        return {"observation": np.asarray(state.observation(player), np.float32), "action_mask": _alone(masks, tuple)}

    def rewards(self) -> dict[str, float]:
        return dict(zip(self.agents, self.batch.returns[0].tolist(), strict=True))


class _Environment:
    """One game with an agent for each player, however they are asked."""

    def __init__(self, game: str, *, ranks: bool, render_mode: str | None, **options: Any) -> None:
        """As :func:`env`."""
        self._table = _Table(ludarium.game(game, **options), ranks)
        self.metadata = _metadata(self._table.batch.game)
        self.render_mode = checked(render_mode, MODES)
        self.possible_agents = list(self._table.agents)
        self.agents: list[str] = []
        self.observation_spaces = self._table.observations
        self.action_spaces = self._table.actions

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def render(self) -> Any:
        state = self._table.batch.state(0)
        if self.render_mode == "human":
            print(state)
            return None
        return rendered(state, self.render_mode)

    def close(self) -> None:
        self._table.batch.close()


class GameAECEnv(_Environment, AECEnv[str, Observation, Any]):
    """One game with an agent for each player, ``player_0`` and so on. Of players who act together nobody sees what the others chose.

    An observation is a dictionary: ``observation`` (``float32`` of the game's ``observation_shape``) and ``action_mask`` (``int8``: an array, or a tuple with
    one for each order, as ``action_space(agent).sample(mask)`` wants it), all zeros for who is not to choose. Rewards are 0 until the game is over and then
    the returns, in [−1, 1]. An illegal action loses: −1 for whoever took it, 0 for the others, and the game is over; ``infos[agent]["illegal"]`` says who.
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._table.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"illegal": False} for agent in self.agents}
        self.agent_selection = self.agents[self._table.choosing]

    def observe(self, agent: str) -> Observation:
        player = self.possible_agents.index(agent)
        return self._table.observe(player, chooses=player == self._table.choosing)

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        if legal := self._table.is_legal(self._table.choosing, action):
            self._table.play(action)
        if self._table.over or not legal:
            self.rewards = self._table.rewards() if legal else {other: FORFEIT * (other == agent) for other in self.agents}
            self.infos[agent]["illegal"] = not legal
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.agents[self._table.choosing]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()


class GameParallelEnv(_Environment, ParallelEnv[str, Observation, Any]):
    """One game with an agent for each player, where all who are to choose do so in one step.

    Observations, rewards and illegal actions are as with :class:`GameAECEnv`. Who has nothing to choose (it is out, or others are asked in
    this phase) has a mask of zeros, and its action is not looked at.
    """

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, Information]]:
        self._table.begin(seed)
        self.agents = list(self.possible_agents)
        return self._observations(), {agent: {"illegal": False} for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Information]]:
        table, agents = self._table, self.agents
        if not agents:
            raise IllegalAction("environments: this game has not begun, or it is over; reset it")
        if missing := [agent for agent in agents if agent not in actions]:
            raise BadOption(f"environments: a step needs an action of every agent; {', '.join(missing)} gave none")
        choosing = table.batch.state(0).to_move
        illegal = {agent: player in choosing and not table.is_legal(player, actions[agent]) for player, agent in enumerate(agents)}
        if not any(illegal.values()):
            for _ in choosing:  # one after the other; the position changes when all have chosen
                table.play(actions[agents[table.choosing]])
        over = table.over or any(illegal.values())
        rewards = {agent: FORFEIT * illegal[agent] for agent in agents} if any(illegal.values()) else table.rewards()
        if over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            self._observations(),
            rewards,
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            {agent: {"illegal": illegal[agent]} for agent in agents},
        )

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._table.observe(player, chooses=True) for player, agent in enumerate(self.possible_agents)}


def _alone(parts: list[Any], kind: Callable[[list[Any]], Any]) -> Any:
    """The only one of them, or all of them as one thing."""
    return parts[0] if len(parts) == 1 else kind(parts)


def _metadata(game: Game) -> dict[str, Any]:
    return {"render_modes": MODES, "name": f"{game.id}_v0".replace("-", "_"), "is_parallelizable": False, "render_fps": 1}
