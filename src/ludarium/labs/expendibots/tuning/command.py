"""``ludarium expendibots tune``: the evaluation's weights, from nothing."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ludarium.cli.common import check_writable, notices, number_option, path_option, screen
from ludarium.cli.signals import StopSignal, stop_signal
from ludarium.core.cores import usable_cores

if TYPE_CHECKING:
    from .tuning import Tuning

GAMES, NODES, EPOCHS, GENERATIONS = 15_000, 2_000, 30, 3


def command(
    games: Annotated[int, number_option(100, 10_000_000, "How many games a generation plays; in fifties.", "--games", "-n")] = GAMES,
    nodes: Annotated[int, number_option(1, 1_000_000, "How many positions each search looks at.", "--nodes")] = NODES,
    epochs: Annotated[int, number_option(1, 10_000, "How often each position is learned from.", "--epochs")] = EPOCHS,
    generations: Annotated[
        int, number_option(1, 100, "How often all this: each plays with what the one before has learned.", "--generations")
    ] = GENERATIONS,
    seed: Annotated[int, number_option(0, 2**63 - 1, "Another number, other games and weights.", "--seed")] = 1,
    workers: Annotated[int | None, number_option(1, 256, "How many processes play.", show_default="one a core")] = None,
    data: Annotated[Path | None, path_option("DIR", "Where the work is kept.", show_default="ludarium in the user's data folder")] = None,
    out: Annotated[Path, path_option("FILE", "Where the weights go.", "--out")] = Path("evaluation.weights"),
) -> None:
    """Make the weights that bots evaluate Expendibots with: games of alpha-beta against itself, and a small network that learns from them.

    The same seed gives the same weights, however many processes play. What
    is done is kept: after Ctrl-C, the same command goes on where it was.
    """
    from ludarium.core.data_folder import data_folder
    from ludarium.games.expendibots.neural_network import SHIPPED, hand_made

    from .tuning import Tuning

    check_writable(out)
    weights, made = hand_made().tobytes(), 0
    with stop_signal() as stopped:
        for generation in range(1, generations + 1):
            tuning = Tuning(games, nodes, epochs, seed, data or data_folder(), weights)
            found = _make(tuning, f"generation {generation} of {generations}", workers or len(usable_cores()), stopped)
            if found is None:
                break
            weights, made = found, generation
    if made < generations:
        notices().print("The same command goes on where this one stopped.", soft_wrap=True)
        stopped.exit_if_stopped()
        return
    from ludarium.core.writing import write_bytes

    write_bytes(out, weights)
    shipped = "those that Ludarium comes with" if weights == SHIPPED.read_bytes() else "others than Ludarium comes with"
    screen().print(f"{out}: {len(weights):,} bytes, SHA-256 {hashlib.sha256(weights).hexdigest()[:16]}…, {shipped}", soft_wrap=True)


def _make(tuning: Tuning, name: str, workers: int, stopped: StopSignal) -> bytes | None:
    """The weights of a generation, and what they are worth told; None: it was stopped."""
    from ludarium.cli.live_line import LiveLine

    from .training import rounded
    from .tuning import losses

    with LiveLine() as line:
        for played in tuning.positions(workers, stopped):
            line.show(f"{name}, games: {played:,} of {tuning.whole_games:,}")
        if stopped():
            return None
        examples, held_out = tuning.examples()
        training = None
        for training in tuning.train(examples, stopped):
            line.show(f"{name}, epochs: {training.epoch:,} of {tuning.epochs:,}")
    if training is None or training.epoch < tuning.epochs:
        return None
    found = losses(training, held_out)
    screen().print(
        f"{name}",
        f"positions  {len(examples.boards):,} to learn from, {len(held_out.boards):,} held out",
        f"log-loss   {found.network:.4f} of results held out; hand-made weights {found.hand_made:.4f}, the searches' scores {found.searched:.4f}",
        sep="\n",
        soft_wrap=True,
    )
    return rounded(training.parameters).tobytes()
