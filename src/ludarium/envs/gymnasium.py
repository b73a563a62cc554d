"""Every game as a Gymnasium environment; importing this module registers them: ``gymnasium.make("ludarium/Expendibots-v0", opponent="greedy")``."""

from __future__ import annotations

from typing import Any, cast

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

import ludarium
from ludarium.core.registry import class_names
from ludarium.errors import IllegalAction

from .batch import Batch
from .rendering import RENDER_MODES, checked, rendered
from .spaces import FORFEIT, action_space, fresh_seed, observation_space

Observation = NDArray[np.float32]
Information = dict[str, Any]


class GameEnv(gymnasium.Env[Observation, Any]):
    """One game against an opponent, or with all seats played from outside.

    An observation is ``float32`` of the game's ``observation_shape``; an action its index, or an array with an index for each order. The reward is 0 until the
    game is over and then the player's return, in [−1, 1]; without an opponent, that of whoever acted last. An illegal action loses: −1, and the game is over.
    ``info`` has ``action_mask`` (``int8``, as ``action_space.sample(mask)`` wants it), ``player`` (who is to choose) and ``illegal``.
    """

    def __init__(
        self,
        game: str,
        *,
        opponent: str | None = "random",
        seat: int | None = 0,
        ranks: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Set up a game.

        Args:
            game: its id.
            opponent: the spec of whoever has the other seats; None: all are played from outside, and ``seat`` is not looked at.
            seat: whose side is learned; None: drawn for each game.
            ranks: an action is its place among the legal ones, so that there are ``max_actions`` and not ``action_space`` of them.
            render_mode: None, ``ansi`` or ``rgb_array``, as :func:`.rendering.rendered` says.
            options: those of the game.

        Raises:
            BadOption: no such game, option, player, seat or render mode.
        """
        self.batch = _batch(game, 1, opponent, seat, 1, options)
        self.ranks = ranks
        self.render_mode = checked(render_mode, RENDER_MODES)
        self.observation_space = observation_space(self.batch.game)
        self.action_space = action_space(self.batch.game, ranks)

    def reset(self, *, seed: int | None = None, options: Information | None = None) -> tuple[Observation, Information]:
        super().reset(seed=seed)
        if seed is not None:
            self.batch.seed(seed)
        self.batch.begin()
        return self.batch.observations[0].copy(), self._information(illegal=False)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Information]:
        actions = np.asarray(action)[None]
        player = int(self.batch.players[0])
        legal = bool(self.batch.are_legal(actions, ranks=self.ranks)[0])
        reward = FORFEIT
        if legal:
            self.batch.play(actions, np.ones(1, np.bool_), ranks=self.ranks)
            reward = float(self.batch.returns[0, player])
        over = not legal or bool(self.batch.over[0])
        return self.batch.observations[0].copy(), reward, over, False, self._information(illegal=not legal)

    def action_masks(self) -> NDArray[np.bool_]:
        """``bool``: what is legal, of all orders one after the other; as MaskablePPO asks for it."""
        return _masks(self.batch, self.ranks)[0].reshape(-1)

    def render(self) -> Any:
        return rendered(self.batch.state(0), self.render_mode)

    def close(self) -> None:
        self.batch.close()

    def _information(self, illegal: bool) -> Information:
        masks = _masks(self.batch, self.ranks)[0].astype(np.int8)
        return {"action_mask": masks[0] if len(masks) == 1 else tuple(masks), "player": int(self.batch.players[0]), "illegal": illegal}


GameEnv.metadata = {"render_modes": RENDER_MODES, "render_fps": 1}


class GameVectorEnv(VectorEnv[Observation, NDArray[np.integer[Any]], NDArray[Any]]):
    """Many games, as :class:`GameEnv` describes one, stepped together by compiled code over all cores.

    ``infos`` has ``player`` and ``illegal`` (``int64[n]`` and ``bool[n]``), and with ``AutoresetMode.SAME_STEP`` also ``final_obs`` and ``final_info``. What is
    legal is asked for: :meth:`action_masks`, or ``batch.bits`` and ``batch.legal``, which are not unpacked.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        opponent: str | None = "random",
        seat: int | None = 0,
        ranks: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        workers: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Set up the games.

        Args:
            num_envs: how many.
            autoreset_mode: when a game that is over begins anew; with ``DISABLED``, ``reset(options={"reset_mask": bool[n]})`` does it.
            copy: whether observations stay as they are when the games go on.
            workers: threads; None: as many as cores.

        The others are those of :class:`GameEnv`, as are the errors.
        """
        self.batch = _batch(game, num_envs, opponent, seat, workers, options)
        self.ranks = ranks
        self.render_mode = checked(render_mode, RENDER_MODES)
        self.num_envs = num_envs
        observations, actions = observation_space(self.batch.game), action_space(self.batch.game, ranks)
        self.single_observation_space, self.observation_space = observations, batch_space(observations, num_envs)
        self.single_action_space, self.action_space = actions, batch_space(actions, num_envs)
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": RENDER_MODES, "autoreset_mode": self._mode}
        self._copy = copy
        self._ended = np.zeros(num_envs, np.bool_)

    def reset(self, *, seed: int | list[int | None] | None = None, options: Information | None = None) -> tuple[Observation, Information]:
        super().reset(seed=seed if isinstance(seed, int) else None)
        if seed is not None:
            self.batch.seed(seed)
        which = (options or {}).get("reset_mask", np.ones(self.num_envs, np.bool_))
        self.batch.begin(which)
        self._ended[which] = False
        return self._observations(), self._information(np.zeros(self.num_envs, np.bool_))

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Information]:
        batch, begun = self.batch, self._ended
        if begun.any():
            if self._mode is AutoresetMode.DISABLED:
                raise IllegalAction(f"game {int(begun.argmax())} is over; reset it with options={{'reset_mask': …}}")
            batch.begin(begun)
        legal = ~begun & batch.are_legal(actions, ranks=self.ranks)
        illegal = ~begun & ~legal
        players = batch.players.copy()
        batch.play(actions, legal, ranks=self.ranks)
        ended = illegal | (legal & batch.over)
        rewards = np.where(illegal, FORFEIT, np.where(ended, batch.returns[np.arange(self.num_envs), players], 0.0))
        infos = self._information(illegal)
        if self._mode is AutoresetMode.SAME_STEP and ended.any():
            infos |= self._final(ended, infos)
            batch.begin(ended)
            infos["player"] = batch.players.copy()
        self._ended = np.zeros_like(ended) if self._mode is AutoresetMode.SAME_STEP else ended
        return self._observations(), rewards, ended, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> NDArray[np.bool_]:
        """``bool[n, actions]``: what is legal in each game, of all orders one after the other."""
        return _masks(self.batch, self.ranks).reshape(self.num_envs, -1)

    def render(self) -> tuple[Any, ...] | None:
        return None if self.render_mode is None else tuple(rendered(self.batch.state(at), self.render_mode) for at in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        self.batch.close()

    def _observations(self) -> Observation:
        return self.batch.observations.copy() if self._copy else self.batch.observations

    def _information(self, illegal: NDArray[np.bool_]) -> Information:
        everywhere = np.ones(self.num_envs, np.bool_)
        return {"player": self.batch.players.copy(), "_player": everywhere, "illegal": illegal, "_illegal": everywhere}

    def _final(self, ended: NDArray[np.bool_], infos: Information) -> Information:
        """What Gymnasium wants to be told of games that begin anew in the step in which they ended."""
        observations = np.full(self.num_envs, None, dtype=object)
        for at in np.flatnonzero(ended).tolist():
            observations[at] = self.batch.observations[at].copy()
        last = {"player": infos["player"], "_player": ended, "illegal": infos["illegal"], "_illegal": ended}
        return {"final_obs": observations, "_final_obs": ended, "final_info": last, "_final_info": ended}


def _batch(game: str, count: int, opponent: str | None, seat: int | None, workers: int | None, options: dict[str, Any]) -> Batch:
    return Batch(
        ludarium.game(game, **options),
        count,
        opponent=opponent,
        seat=None if opponent is None else seat,
        seed=fresh_seed(),
        workers=workers,
    )


def _masks(batch: Batch, ranks: bool) -> NDArray[np.bool_]:
    """``bool[n, slots, actions]``: what is legal for those who are to choose."""
    return np.arange(batch.game.dimensions.max_actions) < batch.counts[:, :, None] if ranks else batch.masks()


for _id, _name in class_names().items():
    cast(Any, gymnasium).register(f"ludarium/{_name}-v0", GameEnv, vector_entry_point=GameVectorEnv, kwargs={"game": _id})
