"""Training runs: ``make test-train``, because PyTorch is large."""

from __future__ import annotations

import io
import json
import os
import pickle
import signal
import subprocess
import time
from collections.abc import Iterator
from copy import deepcopy
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest

import ludarium
from ludarium.arena import elo_difference
from ludarium.core.registry import game_file
from ludarium.core.symmetries import square_symmetries
from ludarium.errors import BadOption, BadRecord, StoreError
from ludarium.players import parse_player
from ludarium.search.gumbel import GumbelSearch
from tests.command_line import PROGRAM, run_program

if find_spec("torch") is None:
    pytest.skip("PyTorch is not installed: make test-train", allow_module_level=True)

import torch

from ludarium.train.learning import Window, learn
from ludarium.train.network import connections, evaluator, make_network, neighbours, to_onnx
from ludarium.train.positions import Positions, positions_of
from ludarium.train.run import Generation, Progress, Run
from ludarium.train.self_play import PlayedGame, Side, play_games
from ludarium.train.settings import NetworkSettings, read_settings
from ludarium.train.travelling import SelfPlayJob
from tests.train.self_play import self_play

SMALL = """
generations = 2
random_plies = 2
[network]
channels = 8
blocks = 1
actions_per_cell = [1]
[self_play]
games = 60
at_once = 16
simulations = 8
[learning]
batch = 32
[gate]
games = 10
simulations = 2
score = 0.0
"""


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small run that has ended."""
    return run_to_its_end(write(tmp_path_factory.mktemp("run")))


@pytest.fixture
def weights_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody reads the network, its weights stand for the ONNX file, whose export takes seconds."""
    monkeypatch.setattr(
        "ludarium.train.run.to_onnx", lambda network, game: b"".join(one.numpy().tobytes() for one in network.state_dict().values())
    )


def write(folder: Path, text: str = SMALL) -> Path:
    config = folder / "small.toml"
    config.write_text(text)
    return config


def run_to_its_end(config: Path) -> Path:
    folder = config.with_suffix("")
    with Run(read_settings("tic-tac-toe", config), folder, threads=1) as run:
        *_, last = run.go_on(lambda: False)
    assert isinstance(last, Generation)
    return folder


def games_of(folder: Path, generation: int) -> list[dict[str, Any]]:
    header, *games = map(json.loads, (folder / "games" / f"{generation:04}.jsonl").read_text().splitlines())
    assert header == {"ludarium": "self-play", "game": "tic-tac-toe", "version": 1}
    return games


def test_a_run_leaves_games_generations_a_checkpoint_curves_and_a_network_that_plays(finished: Path) -> None:
    for generation in (1, 2):
        games = games_of(finished, generation)
        assert sorted(game["number"] for game in games) == list(range(60))
        for line in games:
            played = PlayedGame.from_json(line)
            state = ludarium.game("tic-tac-toe").parse(played.opening)
            for action in played.actions:
                state = state.play(action)
            assert state.is_over
            assert list(state.returns) == played.returns
    generations = [json.loads(line) for line in (finished / "generations.jsonl").read_text().splitlines()[1:]]
    assert [one["number"] for one in generations] == [1, 2]
    assert list((finished / "tensorboard").iterdir())
    done = run_program("match", "tic-tac-toe", f"net:{finished / 'best.onnx'},sims=64", "random", "-n", "30", "--seed", "1", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["players"][0]["points"] >= 24


def test_the_same_seed_learns_the_same(finished: Path, tmp_path: Path) -> None:
    again = run_to_its_end(write(tmp_path))
    for generation in (1, 2):
        assert games_of(again, generation) == games_of(finished, generation)
    assert (again / "best.onnx").read_bytes() == (finished / "best.onnx").read_bytes()


def test_a_finished_run_tells_what_came_of_it_and_does_nothing(finished: Path) -> None:
    before = {
        path: path.stat().st_mtime_ns
        for path in finished.rglob("*")
        if path.is_file() and path.name not in ("settings.toml", "openings.txt")
    }
    done = run_program("train", "tic-tac-toe", "--config", str(finished.with_suffix(".toml")))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("generation") == 2
    assert f"ludarium play tic-tac-toe human net:{finished / 'best.onnx'}" in done.stdout
    assert {path: path.stat().st_mtime_ns for path in before} == before


@pytest.mark.usefixtures("weights_alone")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_whoever_is_stopped_goes_on_and_keeps_every_finished_game(number: signal.Signals, tmp_path: Path) -> None:
    config = write(tmp_path, SMALL.replace("games = 60", "games = 600").replace("generations = 2", "generations = 1"))
    folder, journal = config.with_suffix(""), config.with_suffix("") / "games" / "0001.jsonl"
    running = subprocess.Popen([PROGRAM, "train", "tic-tac-toe", "--config", str(config)], stderr=subprocess.PIPE)
    while not journal.exists() or journal.read_bytes().count(b"\n") < 40:
        assert running.poll() is None
        time.sleep(0.01)
    running.send_signal(number)
    _, told = running.communicate(timeout=60)
    if number == signal.SIGINT:
        assert running.returncode == 128 + number
        assert b"The same command goes on where this one stopped." in told
    kept = journal.read_bytes()
    kept = kept[: kept.rfind(b"\n") + 1]
    assert kept.count(b"\n") < 601
    run_to_its_end(config)
    assert journal.read_bytes().startswith(kept)
    assert sorted(game["number"] for game in games_of(folder, 1)) == list(range(600))


@pytest.mark.usefixtures("weights_alone")
def test_from_a_teacher_two_runs_learn_the_same_even_if_one_is_stopped_and_damage_is_told(tmp_path: Path) -> None:
    taught = """
generations = 2
random_plies = 3
[options]
start = "ring"
[network]
channels = 8
blocks = 1
actions_per_cell = [1]
connected = [0, 1]
[teacher]
games = 40
plies = 9
[learning]
batch = 16
[gate]
games = 4
simulations = 0
score = 0.0
"""
    settings = read_settings("expand-conquer", write(tmp_path, taught))
    with Run(settings, tmp_path / "one", threads=1) as run:
        list(run.go_on(lambda: False))
    for until in ("learning", "gate", "learning", "none"):  # the last two of the second generation
        with Run(settings, tmp_path / "two", threads=1) as run:
            steps = run.go_on(lambda: False)
            next((step for step in steps if isinstance(step, Progress) and step.stage == until), None)
            steps.close()
    for path in ("best.onnx", "positions/0001.npz", "positions/0002.npz"):
        assert (tmp_path / "one" / path).read_bytes() == (tmp_path / "two" / path).read_bytes()
    found = Positions.from_bytes((tmp_path / "one" / "positions" / "0001.npz").read_bytes())
    assert set(found.policies.tolist()) == set(found.returns.tolist()) == {-1.0, 1.0}
    (tmp_path / "one" / "positions" / "0001.npz").write_bytes(b"nonsense")
    with Run(settings, tmp_path / "one", threads=1) as run, pytest.raises(BadRecord, match=r"0001\.npz has no positions of this run"):
        list(run.go_on(lambda: False))


def test_boards_and_options_of_which_the_teacher_cannot_tell_are_refused(tmp_path: Path) -> None:
    settings = read_settings("expand-conquer", write(tmp_path, '[options]\nvariant = "all-small"\n[teacher]'))
    with (
        Run(settings, tmp_path / "run", threads=1) as run,
        pytest.raises(BadOption, match="cannot tell how actions end with these options"),
    ):
        list(run.go_on(lambda: False))
    with pytest.raises(BadOption, match="games of a teacher are played on this computer"):
        Run(settings, tmp_path / "other", cluster="auto")


def test_a_graph_network_sees_things_and_no_directions() -> None:
    """Its matrices are those of a walk over the board, even of a spiral; images of a board have the same logits, and so have all cells of a thing."""
    spiral = [
        "#######",
        "......#",
        "#####.#",
        "#...#.#",
        "#.###.#",
        "#.....#",
        "#######",
    ]
    board = np.array([[one == "#" for one in row] for row in spiral])
    kinds = torch.from_numpy(np.stack([board, ~board], -1).reshape(1, 49, 2).astype(np.float32))
    things, beside = connections(kinds, neighbours(7, 7))
    flat = board.reshape(-1)
    assert (things[0].numpy() == (flat[:, None] == flat)).all(), "one thing of each kind"
    assert (beside[0].numpy() <= (flat[:, None] != flat)).all()

    game = ludarium.game("expand-conquer", start="O**X*OO|X*O*X*O|*O*X*OX|XX*O*O*|O*X*X*O|*XO*O*X|O*X*X**")
    torch.manual_seed(1)
    evaluate = evaluator(
        make_network(game, NetworkSettings(channels=8, blocks=2, actions_per_cell=[1], connected=[0, 1])), torch.device("cpu")
    )
    seen = np.asarray(game.start().observation(0), np.float32)
    logits, _ = evaluate(seen[None])
    for cells in square_symmetries(7):
        image = np.empty_like(seen.reshape(4, 49))
        image[:, cells] = seen.reshape(4, 49)
        np.testing.assert_allclose(evaluate(image.reshape(1, 4, 7, 7))[0][0, cells], logits[0], atol=1e-5)
    first, second = 5, 6  # two stones of one group
    assert seen.reshape(4, 49)[0, [first, second]].all()
    assert abs(logits[0, first] - logits[0, second]) < 1e-5
    assert np.ptp(logits) > 0.01


@pytest.mark.usefixtures("weights_alone")
def test_a_kill_after_learning_does_not_learn_again(tmp_path: Path) -> None:
    settings = read_settings("tic-tac-toe", write(tmp_path))
    with Run(settings, tmp_path / "run", threads=1) as run:
        steps = run.go_on(lambda: False)
        next(step for step in steps if isinstance(step, Progress) and step.stage == "gate")
        steps.close()
    with Run(settings, tmp_path / "run", threads=1) as run:
        stages = [step.stage if isinstance(step, Progress) else "finished" for step in run.go_on(lambda: bool(run.generations))]
    assert set(stages) == {"gate", "finished"}
    assert isinstance(run.generations[0], Generation)


@pytest.mark.usefixtures("weights_alone")
def test_the_gate_scores_the_new_network_in_both_seats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = read_settings("tic-tac-toe", write(tmp_path))
    networks: dict[Any, Any] = {}
    played_by_new: list[float] = []
    of_first_seats: list[float] = []

    def watched_evaluator(network: Any, device: torch.device) -> Any:
        evaluate = evaluator(network, device)
        networks[evaluate] = network
        return evaluate

    def watched_games(game: Any, numbers: Any, opening: Any, sides: Any, **more: Any) -> Iterator[PlayedGame]:
        for played in play_games(game, numbers, opening, sides, **more):
            if "is_kept" not in more:
                seat = [networks[side.evaluate] is run._average for side in sides(played.number)].index(True)
                played_by_new.append((1 + played.returns[seat]) / 2)
                of_first_seats.append((1 + played.returns[0]) / 2)
            yield played

    monkeypatch.setattr("ludarium.train.run.evaluator", watched_evaluator)
    monkeypatch.setattr("ludarium.train.run.play_games", watched_games)
    with Run(settings, tmp_path / "run", threads=1) as run:
        (first,) = [step for step in run.go_on(lambda: bool(run.generations)) if isinstance(step, Generation)]
    assert len(played_by_new) == 10
    assert first.score == sum(played_by_new) / 10 != sum(of_first_seats) / 10
    points = round(20 * first.score)
    assert 0 < points < 20
    assert first.elo == pytest.approx(elo_difference(points, 0, 20 - points).difference, abs=0.06)


def test_games_that_a_cluster_plays_are_those_that_were_asked_for(tmp_path: Path) -> None:
    settings = read_settings("tic-tac-toe", write(tmp_path))
    weights = io.BytesIO()
    torch.save(make_network(settings.game, settings.network).state_dict(), weights)
    job = pickle.loads(pickle.dumps(SelfPlayJob(settings, weights.getvalue(), seed=1)))
    games = job((3, 4, 9), lambda: False)
    assert sorted(one.number for one in games) == [3, 4, 9]
    assert all(one.returns for one in games)
    assert job((3,), lambda: True) == []


def test_networks_and_what_asks_them_are_copied_and_a_run_is_not(tmp_path: Path) -> None:
    settings = read_settings("tic-tac-toe", write(tmp_path))
    game = settings.game
    side = Side(GumbelSearch(game, 1, simulations=8), evaluator(make_network(game, settings.network), torch.device("cpu")))
    found = side.search.run(game.start().copy_records(), np.zeros(1, np.int64), side.evaluate)
    for one in (pickle.loads(pickle.dumps(side)), deepcopy(side)):
        again = one.search.run(game.start().copy_records(), np.zeros(1, np.int64), one.evaluate)
        assert again.actions == found.actions
        assert (again.policies == found.policies).all()
    assert pickle.loads(pickle.dumps(settings)) == settings
    with Run(settings, tmp_path / "run") as run, pytest.raises(TypeError, match="send its settings and its folder"):
        pickle.dumps(run)


def test_two_processes_do_not_work_at_one_run(tmp_path: Path) -> None:
    settings = read_settings("tic-tac-toe", write(tmp_path))
    with Run(settings, tmp_path / "run"), pytest.raises(StoreError, match="another process is at work on this run"):
        Run(settings, tmp_path / "run")


def test_a_damaged_checkpoint_and_damaged_games_are_told(finished: Path, tmp_path: Path) -> None:
    settings = read_settings("tic-tac-toe", finished.with_suffix(".toml"))
    folder = tmp_path / "run"
    with Run(settings, folder) as run:
        next(run.go_on(lambda: False))
    journal = folder / "games" / "0001.jsonl"
    journal.write_text(journal.read_text().replace("actions", "act", 1))
    with Run(settings, folder) as run, pytest.raises(BadRecord, match=r"0001\.jsonl, line 2: not a game"):
        list(run.go_on(lambda: False))
    (folder / "checkpoint.pt").write_bytes(b"nonsense")
    with pytest.raises(StoreError, match=r"checkpoint\.pt is no checkpoint of this run"):
        Run(settings, folder)


class Obeyed:
    """An object that creates a folder when it is unpickled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.folder),)


def test_a_checkpoint_gives_no_orders(tmp_path: Path) -> None:
    made, checkpoint, run = tmp_path / "made", tmp_path / "orders.pt", tmp_path / "run"
    torch.save({"best": Obeyed(made)}, checkpoint)
    with pytest.raises(BadOption, match="initial: no checkpoint of a run with such a network"):
        Run(read_settings("tic-tac-toe", write(tmp_path, f'initial = "{checkpoint}"\n{SMALL}')), tmp_path / "wrong")
    run.mkdir()
    checkpoint.rename(run / "checkpoint.pt")
    with pytest.raises(StoreError, match=r"checkpoint\.pt is no checkpoint of this run"):
        Run(read_settings("tic-tac-toe", write(tmp_path)), run)
    assert not made.exists()


@pytest.mark.usefixtures("weights_alone")
def test_a_run_goes_on_from_another_ones_best_network(finished: Path, tmp_path: Path) -> None:
    config = write(tmp_path, f'initial = "{finished / "checkpoint.pt"}"\n{SMALL}')
    with Run(read_settings("tic-tac-toe", config), tmp_path / "run", threads=1) as run:
        (first,) = [step for step in run.go_on(lambda: bool(run.generations)) if isinstance(step, Generation)]
    before = [json.loads(line) for line in (finished / "generations.jsonl").read_text().splitlines()[1:]]
    assert first.policy_loss < before[0]["policy_loss"], "it had learned"
    for wrong in (config.read_text().replace("channels = 8", "channels = 9"), 'initial = "small.toml"'):
        with pytest.raises(BadOption, match="initial: no checkpoint of a run with such a network"):
            Run(read_settings("tic-tac-toe", write(tmp_path, wrong)), tmp_path / "wrong")
    assert not (tmp_path / "wrong").exists(), "another try finds no run there"


def test_other_settings_and_other_devices_are_refused(finished: Path, tmp_path: Path) -> None:
    config = write(tmp_path, SMALL.replace("generations = 2", "generations = 3"))
    done = run_program("train", "tic-tac-toe", "--config", str(config), "--folder", str(finished))
    assert (done.returncode, "has a run with other settings" in done.stderr) == (2, True)
    done = run_program("train", "tic-tac-toe", "--config", str(config), "--device", "abacus")
    assert (done.returncode, "device abacus cannot be used" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("name", "options", "settings"),
    [
        ("tic-tac-toe", {}, NetworkSettings(channels=8, blocks=2)),
        ("expand-conquer", {"start": "ring", "variant": "all-small"}, NetworkSettings(channels=8, blocks=1, actions_per_cell=[1, 1])),
        (
            "expand-conquer",
            {"start": "ring", "variant": "all-small"},
            NetworkSettings(channels=8, blocks=1, actions_per_cell=[1, 1], connected=[0, 1]),
        ),
        ("expendibots", {}, NetworkSettings(channels=8, blocks=1, actions_per_cell=[168, 1])),
    ],
)
def test_an_exported_network_says_what_the_trained_one_says(
    name: str, options: dict[str, str], settings: NetworkSettings, tmp_path: Path
) -> None:
    game = ludarium.game(name, **options)
    network = make_network(game, settings)
    states = [game.start()]
    for _ in range(4):
        states.append(states[-1].play(states[-1].actions(states[-1].to_move[0])[-1]))
    shown = np.asarray([state.observation(state.to_move[0]) for state in states], np.float32)
    logits, values = evaluator(network, torch.device("cpu"))(shown)
    assert logits.shape == (5, game.dimensions.action_space)
    assert (np.abs(values) <= 1).all()
    path = tmp_path / "network.onnx"
    path.write_bytes(to_onnx(network, game))
    exported = onnxruntime.InferenceSession(str(path)).run(("logits", "values"), {"observations": shown})
    np.testing.assert_allclose(exported[0], logits, atol=1e-4)
    np.testing.assert_allclose(exported[1], values, atol=1e-4)
    assert parse_player(f"net:{path},sims=4", game).make(game, 1).choose(game.start(), 0) in game.start().actions(0)


def test_the_checkpoint_of_the_examples_is_the_shipped_network() -> None:
    game = ludarium.game("expendibots")
    folder = Path(__file__).parents[2] / "examples" / "training"
    settings = read_settings("expendibots", folder / "expendibots.toml")
    network = make_network(game, settings.network)
    network.load_state_dict(torch.load(folder / "expendibots.pt", weights_only=True)["best"])
    seen = np.asarray([game.start().observation(0)], np.float32)
    shipped = onnxruntime.InferenceSession(str(game_file("expendibots", "network.onnx"))).run(("logits",), {"observations": seen})
    np.testing.assert_allclose(evaluator(network, torch.device("cpu"))(seen)[0], shipped[0], atol=1e-4)


def test_a_network_learns_what_it_is_shown() -> None:
    """Its losses fall, on the same few positions, to what cannot be learned: the entropy of the search's policies."""
    game = ludarium.game("tic-tac-toe")
    positions = Positions.together(positions_of(game, played) for played in self_play(game, 20))
    torch.manual_seed(1)
    network = make_network(game, NetworkSettings(channels=32, blocks=2, actions_per_cell=[1]))
    optimizer = torch.optim.AdamW(network.parameters(), 3e-3)

    def losses(steps: int) -> Any:
        learning = learn(network, optimizer, positions, steps=steps, batch=64, seed=1, device=torch.device("cpu"))
        while True:
            try:
                next(learning)
            except StopIteration as end:
                return end.value

    first, _, last = losses(5), losses(300), losses(20)
    weights = np.repeat(1 / len(positions), len(positions)).repeat(positions.counts)
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = -np.nansum(weights * positions.policies * np.log(positions.policies))
    assert last.policy < entropy + 0.4 * (first.policy - entropy)
    assert last.value < first.value / 2


def test_a_batch_has_every_positions_own_actions() -> None:
    game = ludarium.game("tic-tac-toe")
    positions = Positions.together(positions_of(game, played) for played in self_play(game, 3))
    firsts = np.cumsum(positions.counts) - positions.counts
    which = np.array([4, 0, len(positions) - 1])
    batch = Window(positions, torch.device("cpu")).batch(which, np.random.default_rng(1))
    observations, returns, legal, policies, are_legal = (part.numpy() for part in batch)
    assert (observations == positions.observations[which]).all()
    assert (returns == positions.returns[which]).all()
    for row, position in enumerate(which):
        place = slice(firsts[position], firsts[position] + positions.counts[position])
        assert legal[row][are_legal[row]].tolist() == positions.legal[place].tolist()
        assert policies[row][are_legal[row]].tolist() == positions.policies[place].tolist()
        assert policies[row].sum() == pytest.approx(1.0)


def test_a_batch_is_an_image_of_its_positions() -> None:
    """Of all eight, sooner or later, and with its actions."""
    game = ludarium.game("expendibots")
    positions = Positions.together(positions_of(game, played) for played in self_play(game, 1, max_plies=8))
    symmetries, generator, which = game.symmetries(), np.random.default_rng(1), np.arange(len(positions))
    plain = Window(positions, torch.device("cpu")).batch(which, generator)
    window, found = Window(positions, torch.device("cpu"), symmetries), set[int]()
    for _ in range(60):
        observations, _, legal, _, are_legal = window.batch(which, generator)
        (number,) = (
            number for number, cells in enumerate(symmetries.cells) if torch.equal(observations.flatten(2)[..., cells], plain[0].flatten(2))
        )
        assert (legal.numpy()[are_legal] == symmetries.actions[number][plain[2].numpy()[are_legal]]).all()
        found.add(number)
    assert found == set(range(8))


def test_a_step_takes_the_mean_of_networks_along() -> None:
    game = ludarium.game("tic-tac-toe")
    positions = Positions.together(positions_of(game, played) for played in self_play(game, 2))
    network = make_network(game, NetworkSettings(channels=8, blocks=1, actions_per_cell=[1]))
    before, average = deepcopy(network), deepcopy(network)
    optimizer, device = torch.optim.AdamW(network.parameters(), 0.1), torch.device("cpu")
    with pytest.raises(ValueError, match="0 steps"):
        list(learn(network, optimizer, positions, steps=0, batch=8, seed=1, device=device))
    list(learn(network, optimizer, positions, steps=1, batch=8, seed=1, device=device, average=average, kept=0.25))
    old, new = (dict(one.named_parameters())["begin.weight"].detach() for one in (before, network))
    assert not torch.equal(old, new)
    torch.testing.assert_close(average.state_dict()["begin.weight"], 0.25 * old + 0.75 * new)


@pytest.mark.parametrize("game", ["expand-conquer", "expendibots"])
def test_shipped_networks_were_made_for_their_games(game: str) -> None:
    path = game_file(game, "network.onnx")
    told = onnxruntime.InferenceSession(str(path)).get_modelmeta().custom_metadata_map["ludarium"]
    assert json.loads(told) == {"game": game, "version": 1}
