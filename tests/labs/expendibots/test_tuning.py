"""``ludarium expendibots tune``, with fewer games and positions than it takes to learn much."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from ludarium.cli.entry import run
from ludarium.core.registry import game
from ludarium.games.expendibots.neural_network import hand_made, network_of
from ludarium.games.expendibots.rules import place
from ludarium.labs.expendibots.tuning import command, self_play, training, tuning
from ludarium.labs.expendibots.tuning.tuning import Tuning
from tests.games.expendibots.test_evaluation import values_of

HAND_MADE = hand_made().tobytes()

PLAYED = "5ca27e8a28578bdc835d2a4ca6389dd5ab614c76075a2a1f804f98acb53208fe"
"""What ``tune`` makes of its first ten games, as SHA-256, when it makes the weights that Ludarium comes with."""


def never() -> bool:
    return False


@pytest.fixture(autouse=True)
def _few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_play, "GAMES", 2)
    monkeypatch.setattr(tuning, "GAMES", 2)


def finished(work: Tuning) -> bytes:
    assert list(work.positions(1, never))[-1] == work.games
    last = list(work.train(work.examples()[0], never))[-1]
    return training.rounded(last.parameters).tobytes()


def test_stopped_and_taken_up_again_it_makes_the_same_weights(tmp_path: Path) -> None:
    work = Tuning(games=6, nodes=30, epochs=3, seed=5, weights=HAND_MADE, data=tmp_path / "whole")
    whole = finished(work)

    stopped = Tuning(games=6, nodes=30, epochs=3, seed=5, weights=HAND_MADE, data=tmp_path / "stopped")
    asked = iter([False, False, False, True])  # before the first block, at its two games, before the second one
    assert list(stopped.positions(1, lambda: next(asked))) == [0, 2]
    assert list(stopped.positions(1, never)) == [2, 4, 6]
    asked = iter([False, True])
    assert [one.epoch for one in stopped.train(stopped.examples()[0], lambda: next(asked))] == [0, 1]
    assert [one.epoch for one in stopped.train(stopped.examples()[0], never)] == [1, 2, 3]
    assert finished(stopped) == whole
    assert finished(Tuning(games=6, nodes=30, epochs=3, seed=6, weights=HAND_MADE, data=tmp_path)) != whole
    assert finished(Tuning(games=6, nodes=30, epochs=3, seed=5, weights=whole, data=tmp_path)) != whole


def test_games_are_those_that_the_shipped_weights_were_learned_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that plays otherwise makes other weights: then `ludarium expendibots tune` is to be run again, and what it makes to be shipped."""
    monkeypatch.setattr(self_play, "GAMES", 10)
    found = self_play.SelfPlay(1, command.NODES, HAND_MADE)(0, never)
    assert found is not None
    assert hashlib.sha256(found[1].tobytes()).hexdigest() == PLAYED


def test_it_learns_and_compiled_code_says_what_was_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "BATCH", 64)
    work = Tuning(games=4, nodes=30, epochs=20, seed=1, weights=HAND_MADE, data=tmp_path)
    list(work.positions(1, never))
    examples, _ = work.examples()
    steps = work.train(examples, never)
    before = tuning.losses(next(steps), examples)
    *_, last = steps
    after = tuning.losses(last, examples)
    assert after.network < 0.8 * before.network
    assert after.hand_made == before.hand_made

    expendibots = game("expendibots")
    weights = training.rounded(last.parameters)
    states = np.zeros(len(examples.boards), expendibots.dtype)
    for state, board in zip(states, examples.boards, strict=True):
        place(expendibots.tables, state, board.tolist(), 0)
    found = np.zeros(len(states), np.int64)
    values_of(expendibots.tables._replace(network=network_of(weights)), states, 0, found)
    errors: list[np.ndarray] = []
    for image in training.SYMMETRIES[:2]:  # the board or its mirror image, whichever both are judged by
        wanted = np.zeros(len(states), np.float32)
        training.write_values(last.parameters, examples, image, *training.scratch(), wanted)
        errors.append(np.abs(found - wanted * training.SCALE))
    assert np.minimum(*errors).max() < 12  # hundredths of a token: what rounding makes of two dozen stacks and four terms


def test_the_command_tells_what_it_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "own.weights"
    arguments = ["expendibots", "tune", "--games", "100", "--nodes", "1", "--epochs", "1", "--generations", "2", "--workers", "1"]
    monkey = pytest.MonkeyPatch()
    monkey.setattr(self_play, "LONGEST", 3)
    assert run([*arguments, "--data", str(tmp_path), "--out", str(out)]) == 0
    monkey.undo()
    told = capsys.readouterr().out
    assert told.count("log-loss") == 2
    assert told.startswith("generation 1 of 2\n")
    assert "others than Ludarium comes with" in told
    assert out.stat().st_size == training.WEIGHTS.itemsize
