"""A player that asks a neural network, by itself or in a search."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludarium.core.game import Action, Game, State
from ludarium.core.options import Option
from ludarium.core.record import read_object
from ludarium.core.registry import game_file
from ludarium.errors import BadOption
from ludarium.search.gumbel import Evaluate, GumbelSearch, check_gumbel_plays

from .base import Player, never

NAME = "net"

FILE = Option("file", "text", None, "an ONNX file that 'ludarium train' has written; left out, the game's own", is_source=True)

NET_OPTIONS = (
    FILE,
    Option(
        "sims",
        "whole number",
        32,
        "simulations a turn; with 0 it plays what its network prefers",
        minimum=0,
        maximum=100_000,
        shared_maximum=1_000,
    ),
)

SHIPPED = "network.onnx"
"""The name, in a game's folder, of the network that it comes with."""

METADATA = "ludarium"
"""The key of an ONNX file's metadata under which it says, as JSON, for which game it is."""


class NetPlayer(Player):
    """Searches as :mod:`ludarium.search.gumbel` does, without noise: the same position has the same answer."""

    def __init__(self, game: Game, options: dict[str, Any], seed: int) -> None:
        """Prepare for a game.

        Raises:
            BadOption: there is no such network, it is for another game, it cannot be run here, or this search cannot play the game.
        """
        check_gumbel_plays(game)
        self._evaluate = network_of(None if options["file"] is None else Path(options["file"]), game)
        self._search = GumbelSearch(game, 1, simulations=options["sims"])

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        found = self._search.run(state.copy_records(), np.zeros(1, np.int64), self._evaluate, interrupted=interrupted)
        return state.action(int(found.actions[0]), player)


class _Network:
    """The network of a file for a game. It is pickled as the file's path, from which the other process reads it."""

    def __init__(self, file: Path | None, game: Game, session: Any) -> None:
        self._file = file
        self._game = game
        self._session = session

    def __call__(self, observations: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        logits, values = self._session.run(("logits", "values"), {"observations": observations})
        return logits, values

    def __reduce__(self) -> Any:
        return network_of, (self._file and self._file.resolve(), self._game)


def network_of(file: Path | None, game: Game) -> Evaluate:
    """Load the network of a file, or the one that the game comes with.

    Raises:
        BadOption: it cannot be read or is no network for this game; or onnxruntime is not installed.
    """
    path = game_file(game.id, SHIPPED) if file is None else file
    if path is None:
        raise BadOption(f"player {NAME}: {game.title} comes with no network; give a file: {NAME}:FILE")
    if find_spec("onnxruntime") is None:
        raise BadOption(f"player {NAME}: onnxruntime is not installed; pip install 'ludarium[net]'")
    try:
        changed = path.stat().st_mtime_ns
    except (OSError, ValueError) as problem:  # a name with a null character is a ValueError
        raise BadOption(f"player {NAME}: {path} cannot be read: {getattr(problem, 'strerror', problem)}") from None
    session = _session(path, changed)
    told = session.get_modelmeta().custom_metadata_map.get(METADATA)
    try:
        made_for = read_object((told or "{}").encode())
    except (ValueError, RecursionError):
        made_for = {}
    if (made_for.get("game"), made_for.get("version")) != (game.id, game.version):
        raise BadOption(f"player {NAME}: {path} is no network for {game.title}, but for {made_for.get('game', 'something else')}")
    shape = game.dimensions.observation_shape
    wanted = session.get_inputs()[0].shape[1:]
    if len(wanted) != len(shape) or any(isinstance(size, int) and size != own for size, own in zip(wanted, shape, strict=True)):
        raise BadOption(f"player {NAME}: {path} is for observations of the shape {wanted}; with these options they are {list(shape)}")

    evaluate = _Network(file, game, session)
    actions = evaluate(np.zeros((1, *shape), np.float32))[0].shape[1]
    if actions != game.dimensions.action_space:
        raise BadOption(f"player {NAME}: {path} knows {actions} actions; with these options there are {game.dimensions.action_space}")
    return evaluate


@lru_cache(maxsize=16)
def _session(path: Path, changed: int) -> Any:
    onnxruntime: Any = importlib.import_module("onnxruntime")  # it has no types
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # games that are played side by side have a core each
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as problem:  # noqa: BLE001  its errors have no class in common
        raise BadOption(f"player {NAME}: {path} is no ONNX file: {str(problem).splitlines()[0][:200]}") from None
