"""Every game as an environment of PettingZoo: ``env("expendibots")``, in which players choose one after the other, and ``parallel_env("hexabomb")``, in which
they act together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv  # pyright: ignore[reportMissingTypeStubs]  # it has types and does not say so
from pettingzoo.utils.wrappers import OrderEnforcingWrapper  # pyright: ignore[reportMissingTypeStubs]

import ludarium
from ludarium.core.game import Game
from ludarium.core.leaving import outcome_with, played_for, still_to_move
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
        self.out: dict[int, int] = {}
        """The players who have left, with the number of the step in which they did."""
        self._steps = 0
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
        return bool(self.batch.over[0]) or len(self.agents) - len(self.out) < min(2, len(self.agents))

    def begin(self, seed: int | None) -> None:
        self.out, self._steps = {}, 0
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
        """Play a legal action of the player to choose, and the defaults of players who have left."""
        self.batch.play(np.asarray(action)[None], np.ones(1, np.bool_), ranks=self.ranks)
        self._steps += 1
        self._play_for_those_out()

    def leave(self, players: Sequence[int]) -> bool:
        """Let players leave a game for three and more, and return whether the position has become another one."""
        before = self.batch.state(0)
        self._steps += 1
        self.out |= dict.fromkeys(players, self._steps)
        for player in players:
            self.batch.leave(0, player)
        has_changed = self.batch.state(0) != before
        self._play_for_those_out()
        return has_changed

    def _play_for_those_out(self) -> None:
        while not self.over and self.choosing in self.out:
            action = played_for(self.batch.state(0), self.choosing, self._steps)
            self.batch.play(np.atleast_1d(action.index)[None], np.ones(1, np.bool_))
            self._steps += 1

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
        """Return the returns of players who have left, and of all once the game is over; zeros for the others."""
        state = self.batch.state(0)
        returns = outcome_with(state.game, self.out, state.outcome).returns if self.out else self.batch.returns[0].tolist()
        is_known = [self.over or player in self.out for player in range(len(self.agents))]
        return {agent: value if known else 0.0 for agent, value, known in zip(self.agents, returns, is_known, strict=True)}


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
    In games for three and more, only the agent that took it is terminated, with its return, and the others play on.
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._table.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"illegal": False} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._table.choosing]

    def observe(self, agent: str) -> Observation:
        player = self.possible_agents.index(agent)
        return self._table.observe(player, chooses=player == self._table.choosing)

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        table = self._table
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if legal := table.is_legal(table.choosing, action):
            table.play(action)
        elif len(self.possible_agents) > 2:
            table.leave([table.choosing])
            self.rewards[agent] = table.rewards()[agent]
            self.terminations[agent] = True
        self.infos[agent]["illegal"] = not legal
        if table.over:
            found = table.rewards()
            self.rewards |= {other: found[other] for other in self.agents if not self.terminations[other]}
            self.terminations = dict.fromkeys(self.agents, True)
        elif not legal and len(self.possible_agents) < 3:
            self.rewards = {other: FORFEIT * (other == agent) for other in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[table.choosing]
            self._deads_step_first()
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
        return self._observations(self.agents), {agent: {"illegal": False} for agent in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Information]]:
        table, agents = self._table, self.agents
        if not agents:
            raise IllegalAction("environments: this game has not begun, or it is over; reset it")
        if missing := [agent for agent in agents if agent not in actions]:
            raise BadOption(f"environments: a step needs an action of every agent; {', '.join(missing)} gave none")
        choosing = {self.possible_agents[player]: player for player in still_to_move(table.batch.state(0), table.out)}
        illegal = {agent: agent in choosing and not table.is_legal(choosing[agent], actions[agent]) for agent in agents}
        is_lost = any(illegal.values()) and len(self.possible_agents) < 3
        out = [] if is_lost else [agent for agent in agents if illegal[agent]]
        if not (out and table.leave([choosing[agent] for agent in out])) and not is_lost and not table.over:
            for _ in range(len(choosing) - len(out)):  # one after the other; the position changes when all have chosen
                table.play(actions[self.possible_agents[table.choosing]])
        over = table.over or is_lost
        rewards = {agent: FORFEIT * illegal[agent] for agent in agents} if is_lost else table.rewards()
        self.agents = [] if over else [agent for agent in agents if agent not in out]
        if self.render_mode == "human":
            self.render()
        return (
            self._observations(agents),
            {agent: rewards[agent] for agent in agents},
            {agent: over or agent in out for agent in agents},
            dict.fromkeys(agents, False),
            {agent: {"illegal": illegal[agent]} for agent in agents},
        )

    def _observations(self, agents: Sequence[str]) -> dict[str, Observation]:
        chooses = {player: player not in self._table.out for player in range(len(self.possible_agents))}
        return {agent: self._table.observe(player, chooses[player]) for player, agent in enumerate(self.possible_agents) if agent in agents}


def _alone(parts: list[Any], kind: Callable[[list[Any]], Any]) -> Any:
    """The only one of them, or all of them as one thing."""
    return parts[0] if len(parts) == 1 else kind(parts)


def _metadata(game: Game) -> dict[str, Any]:
    return {"render_modes": MODES, "name": f"{game.id}_v0".replace("-", "_"), "is_parallelizable": False, "render_fps": 1}
