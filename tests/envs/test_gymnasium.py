"""Gymnasium's own checks, and what it says of vectors."""

from __future__ import annotations

import re
from typing import Any

import gymnasium
import gymnasium.wrappers.vector
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import ludarium
import ludarium.envs.gymnasium
from ludarium.errors import BadOption, IllegalAction
from tests.folders import ROOT
from tests.missing import cannot

SHIPPED = {"Expendibots": "expendibots", "ExpandConquer": "expand-conquer", "Hexabomb": "hexabomb", "RoboDerby": "roboderby"}


@pytest.mark.parametrize("name", [*SHIPPED, "LiarsDice", "TicTacToe"])
@pytest.mark.filterwarnings("ignore:.*A Box observation space m:UserWarning")
def test_gymnasium_finds_nothing_wrong(name: str) -> None:
    with pytest.warns(UserWarning, match="infinity") as warned:
        check_env(gymnasium.make(f"ludarium/{name}-v0").unwrapped)
    assert [str(one.message) for one in warned if "infinity" not in str(one.message)] == []


def make(number: int, mode: AutoresetMode, **options: Any) -> Any:
    return gymnasium.make_vec("ludarium/TicTacToe-v0", num_envs=number, autoreset_mode=mode, ranks=True, **options)


def first(envs: Any) -> np.ndarray:
    return np.zeros(envs.num_envs, np.int64)


def test_a_vector_begins_anew_in_the_next_step() -> None:
    envs = make(3, AutoresetMode.NEXT_STEP)
    observations, _ = envs.reset(seed=1)
    beginning = observations.copy()
    ended = np.zeros(3, bool)
    for _ in range(30):
        before = ended
        observations, rewards, ended, cut, infos = envs.step(first(envs))
        assert not cut.any()
        assert not infos["illegal"].any()
        assert (rewards[~ended] == 0).all()
        assert (observations[before] == beginning[before]).all()
        assert not ended[before].any()


def test_a_vector_begins_anew_in_the_same_step_and_tells_how_it_ended() -> None:
    envs = make(3, AutoresetMode.SAME_STEP)
    beginning, _ = envs.reset(seed=1)
    seen = 0
    for _ in range(20):
        observations, rewards, ended, _, infos = envs.step(first(envs))
        assert ("final_obs" in infos) == ended.any()
        for at in np.flatnonzero(ended):
            assert (observations[at] == beginning[at]).all()
            assert infos["final_obs"][at].sum() >= 5
            assert rewards[at] in (-1, 0, 1)
            seen += 1
    assert seen > 5


WISHES: list[dict[str, Any]] = [{"opponent": None}, {"seat": 1}, {"seat": None}]
"""Actions come from outside for all seats, for the second, or for one that is drawn."""


def anything(generator: np.random.Generator, envs: Any) -> np.ndarray:
    return (generator.random(envs.num_envs) * envs.batch.counts[:, 0]).astype(np.int64)


@pytest.mark.parametrize("wish", WISHES)
def test_rewards_of_a_vector_are_those_of_the_players_that_acted(wish: dict[str, Any]) -> None:
    envs, generator = make(8, AutoresetMode.DISABLED, **wish), np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    found = set[tuple[int, float]]()
    for _ in range(40):
        players = infos["player"]
        _, rewards, ended, _, infos = envs.step(anything(generator, envs))
        for at in np.flatnonzero(ended).tolist():
            assert rewards[at] == envs.batch.state(at).returns[players[at]]
            found.add((int(players[at]), float(rewards[at])))
        if ended.any():
            _, infos = envs.reset(options={"reset_mask": ended})
    assert found >= ({(1, 1.0), (1, -1.0)} if wish.get("seat") == 1 else {(0, 1.0), (1, 1.0)})


@pytest.mark.parametrize("wish", WISHES)
def test_after_the_step_in_which_a_game_ended_the_player_is_that_of_the_new_game(wish: dict[str, Any]) -> None:
    """Also after an illegal action."""
    envs, generator = make(8, AutoresetMode.SAME_STEP, **wish), np.random.default_rng(1)
    envs.reset(seed=1)
    pairs = set[tuple[int, int]]()
    for number in range(40):
        actions = anything(generator, envs)
        if number % 3 == 1:
            actions[number % 8] = 9
        observations, _, ended, _, infos = envs.step(actions)
        assert infos["player"].tolist() == [envs.batch.state(at).to_move[0] for at in range(8)]
        for at in np.flatnonzero(ended).tolist():
            assert observations[at].sum() == infos["player"][at]
            pairs.add((int(infos["final_info"]["player"][at]), int(infos["player"][at])))
    assert pairs == ({(0, 0), (1, 0)} if "opponent" in wish else {(1, 1)} if wish["seat"] == 1 else {(0, 0), (0, 1), (1, 0), (1, 1)})


def test_a_vector_that_begins_nothing_anew_is_told_to() -> None:
    envs = make(2, AutoresetMode.DISABLED)
    envs.reset(seed=1)
    ended = np.zeros(2, bool)
    while not ended.any():
        _, _, ended, _, _ = envs.step(first(envs))
    with pytest.raises(IllegalAction, match="reset_mask"):
        envs.step(first(envs))
    envs.reset(options={"reset_mask": ended})
    assert not envs.batch.over[ended].any()
    envs.step(first(envs))


def test_a_seed_repeats_all_that_a_vector_shows() -> None:
    """Without further seeds a vector goes on from there, with other games."""
    envs = make(4, AutoresetMode.SAME_STEP)
    seen = []
    for seed in (7, 7, None):
        observations, _ = envs.reset(seed=seed)
        steps = [observations]
        for _ in range(8):
            observations, rewards, ended, _, infos = envs.step(first(envs))
            steps += [observations, rewards, ended, infos["player"]]
        seen.append(steps)
    assert all((one == other).all() for one, other in zip(seen[0], seen[1], strict=True))
    assert any((one != other).any() for one, other in zip(seen[1], seen[2], strict=True))


def test_observations_are_copies_unless_one_does_without() -> None:
    for copy in (True, False):
        envs = make(2, AutoresetMode.SAME_STEP, copy=copy)
        before, _ = envs.reset(seed=1)
        after, *_ = envs.step(first(envs))
        assert np.shares_memory(before, after) is not copy
        assert (before == after).all() is not np.bool_(copy)


def test_wrappers_of_gymnasium_find_what_they_need() -> None:
    if tuple(int(part) for part in gymnasium.__version__.split(".")[:2]) < (1, 4):
        cannot("these two wrappers do not fit together before Gymnasium 1.4", "pip install 'gymnasium >= 1.4'")
    envs = gymnasium.wrappers.vector.DictInfoToList(gymnasium.wrappers.vector.RecordEpisodeStatistics(make(3, AutoresetMode.SAME_STEP)))
    envs.reset(seed=1)
    lengths, returns = [], []
    for _ in range(20):
        _, rewards, ended, _, infos = envs.step(first(envs))
        for at in np.flatnonzero(ended):
            lengths.append(infos[at]["episode"]["l"])
            returns.append(infos[at]["episode"]["r"] == rewards[at])
    assert len(lengths) > 5
    assert all(3 <= length <= 5 for length in lengths)
    assert all(returns)


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_vectors_of_gymnasium_hold_single_environments(mode: str) -> None:
    envs = gymnasium.make_vec("ludarium/TicTacToe-v0", num_envs=2, vectorization_mode=mode, ranks=True, opponent=None)
    own = make(2, AutoresetMode.NEXT_STEP, opponent=None)
    try:
        observations = [envs.reset(seed=1)[0], own.reset(seed=1)[0]]
        for _ in range(12):
            assert (observations[0] == observations[1]).all()
            steps = [each.step(first(each)) for each in (envs, own)]
            observations = [step[0] for step in steps]
            assert (steps[0][1] == steps[1][1]).all(), "rewards"
            assert (steps[0][2] == steps[1][2]).all(), "ends"
            assert (steps[0][4]["player"] == steps[1][4]["player"]).all()
    finally:
        envs.close()


def test_vectors_play_the_games_that_single_environments_play() -> None:
    """With a seed for each game."""
    envs = gymnasium.make_vec("ludarium/Expendibots-v0", num_envs=3, opponent="random", autoreset_mode="Disabled")
    observations, _ = envs.reset(seed=[4, 5, 6])
    alone = [gymnasium.make("ludarium/Expendibots-v0", opponent="random") for _ in range(3)]
    single = []
    for env, seed in zip(alone, (4, 5, 6), strict=True):
        env.unwrapped.batch.seed([seed])
        env.unwrapped.batch.begin()
        single.append(env.unwrapped)
    steps, ended = 0, np.zeros(3, bool)
    while not ended.any():
        actions = envs.batch.legal[:, 0, 1].astype(np.int64)
        observations, rewards, ended, _, _ = envs.step(actions)
        steps += 1
        for at, env in enumerate(single):
            seen, reward, over, _, _ = env.step(actions[at])
            assert (seen == observations[at]).all()
            assert (reward, over) == (rewards[at], ended[at])
    assert steps > 3


def test_an_illegal_action_loses() -> None:
    env = gymnasium.make("ludarium/TicTacToe-v0", opponent=None)
    env.reset(seed=1)
    env.step(4)
    _, reward, over, cut, info = env.step(4)
    assert (reward, over, cut, info["illegal"]) == (-1.0, True, False, True)
    envs = gymnasium.make_vec("ludarium/TicTacToe-v0", num_envs=2, opponent=None, autoreset_mode="SameStep")
    envs.reset(seed=1)
    envs.step(np.array([4, 4]))
    _, rewards, ended, _, infos = envs.step(np.array([4, 0]))
    assert rewards.tolist() == [-1, 0]
    assert ended.tolist() == infos["illegal"].tolist() == [True, False]
    assert envs.batch.counts[:, 0].tolist() == [9, 7]


def test_rewards_are_of_whoever_acted_last() -> None:
    env = gymnasium.make("ludarium/TicTacToe-v0", opponent=None)
    env.reset()
    assert [env.step(action)[1] for action in (0, 3, 1, 4, 2)] == [0, 0, 0, 0, 1]


def test_masks_are_as_other_tools_want_them() -> None:
    env = gymnasium.make("ludarium/Hexabomb-v0", opponent="random")
    _, info = env.reset(seed=1)
    assert env.action_space.contains(env.action_space.sample(info["action_mask"]))
    flat = env.unwrapped.action_masks()
    assert flat.tolist() == np.concatenate(info["action_mask"]).astype(bool).tolist()
    envs = gymnasium.make_vec("ludarium/Hexabomb-v0", num_envs=2, opponent="random")
    envs.reset(seed=1)
    assert envs.action_masks().shape == (2, len(flat))


def test_a_position_is_shown_as_text() -> None:
    with pytest.raises(BadOption, match="render_mode 'film' is not one of: ansi, rgb_array"):
        make(1, AutoresetMode.NEXT_STEP, render_mode="film")
    env = gymnasium.make("ludarium/TicTacToe-v0", render_mode="ansi")
    env.reset()
    assert env.render() == str(ludarium.game("tic-tac-toe").start())


def test_positions_are_shown_as_pictures() -> None:
    envs = gymnasium.make_vec("ludarium/Expendibots-v0", num_envs=2, render_mode="rgb_array", opponent=None)
    envs.reset(seed=1)
    one, other = envs.render()
    assert (one.dtype, one.shape[1:]) == (np.uint8, (480, 3))
    assert (one == other).all()
    envs.step(envs.unwrapped.batch.legal[:, 0, 0])
    changed = (envs.render()[0] != one).any(axis=2)
    assert 0.01 < changed.mean() < 0.2, "two squares look different, and no other"


PLANES = re.compile(r"^\| ([\d–, ]+) \| .* \| (-?\d+) to (\d+) \|$", re.MULTILINE)


@pytest.mark.parametrize(
    ("heading", "name"),
    [("Expendibots", "Expendibots"), ("Expand and Conquer", "ExpandConquer"), ("hexabomb", "Hexabomb"), ("RoboDerby", "RoboDerby")],
)
def test_the_documented_planes_are_those_that_players_see(heading: str, name: str) -> None:
    page = (ROOT / "docs" / "environments.md").read_text()
    section = page.partition(f"### {heading}\n")[2].partition("\n### ")[0]
    lowest, highest = {}, {}
    for planes, least, most in PLANES.findall(section):
        for part in planes.split(", "):
            start, _, end = part.partition("–")
            for plane in range(int(start), int(end or start) + 1):
                assert plane not in lowest
                lowest[plane], highest[plane] = int(least), int(most)
    envs = gymnasium.make_vec(f"ludarium/{name}-v0", num_envs=64, opponent=None, ranks=True, autoreset_mode="SameStep")
    observations, _ = envs.reset(seed=1)
    assert sorted(lowest) == list(range(observations.shape[1]))
    generator = np.random.default_rng(1)
    low, high = np.full(len(lowest), np.inf), np.full(len(lowest), -np.inf)
    for _ in range(150):
        low, high = np.minimum(low, observations.min((0, 2, 3))), np.maximum(high, observations.max((0, 2, 3)))
        ranks = (generator.random(envs.batch.counts.shape) * envs.batch.counts).astype(np.int64)
        observations, *_ = envs.step(ranks if ranks.shape[1] > 1 else ranks[:, 0])
    for plane in range(len(lowest)):
        assert lowest[plane] <= low[plane] <= high[plane] <= highest[plane], plane
