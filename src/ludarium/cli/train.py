"""``ludarium train``: networks that learn a game from playing against themselves."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludarium.errors import BadOption

from .common import GameName, notices, number_option, path_option, screen
from .signals import stop_signal
from .terms import Cluster

if TYPE_CHECKING:
    from ludarium.train.run import Generation, Progress


def command(
    game: GameName,
    config: Annotated[Path, path_option("FILE", "What is learned, and how: a file in TOML, see docs/training.md.", "--config")],
    folder: Annotated[Path | None, path_option("DIR", "Where the run is kept.", show_default="FILE without its ending")] = None,
    device: Annotated[
        str, typer.Option("--device", metavar="NAME", help="PyTorch's name of what computes the network: cpu, cuda.")
    ] = "cpu",
    threads: Annotated[int | None, number_option(1, 1024, "How many threads play.", show_default="one a core")] = None,
    cluster: Cluster = None,
) -> None:
    """Train a network by games against itself, generation by generation.

    Each game is kept as soon as it ends: after Ctrl-C or a power cut, the same
    command goes on where it was. The best network so far is DIR/best.onnx,
    played as net:DIR/best.onnx.
    """
    if find_spec("torch") is None:
        raise BadOption("training needs PyTorch, which is not installed: pip install 'ludarium[train]'")
    from ludarium.train.settings import read_settings

    settings = read_settings(game, config)
    from ludarium.train.run import Generation, Run  # which takes seconds

    from .live_line import LiveLine

    kept = folder or config.with_suffix("")
    with stop_signal() as stopped, Run(settings, kept, device=device, threads=threads, cluster=cluster) as run:
        for generation in run.generations:
            screen().print(_told(generation, settings.generations), soft_wrap=True)
        with LiveLine() as line:
            for step in run.go_on(stopped):
                if isinstance(step, Generation):
                    line.clear()
                    screen().print(_told(step, settings.generations), soft_wrap=True)
                else:
                    line.show(_progress(step))
        is_finished = len(run.generations) == settings.generations
    if not is_finished:
        notices().print("The same command goes on where this one stopped.", soft_wrap=True)
        stopped.exit_if_stopped()
    elif (best := kept / "best.onnx").exists():
        screen().print(f"{best}: ludarium play {game} human net:{best}", soft_wrap=True)


def _progress(step: Progress) -> str:
    speed = f", {step.per_second:.1f} a second" if step.per_second else ""
    return f"generation {step.generation}, {step.stage}: {step.done:,} of {step.total:,}{speed}"


def _told(done: Generation, generations: int) -> str:
    return (
        f"generation {done.number:>3} of {generations}  {done.positions:,} positions  {done.games / done.seconds:.1f} games/s  "
        f"loss {done.policy_loss:.3f} + {done.value_loss:.3f}  {done.score:.1%} {'passed' if done.passed else 'not passed'}  Elo {done.elo:+.0f}"
    )
