"""PettingZoo's own checks, and games that are those of the rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test
from pettingzoo.test.save_obs_test import test_save_obs as check_saving  # under its own name it would be collected here

from ludarium.envs.pettingzoo import env, parallel_env
from ludarium.errors import BadOption, IllegalAction

GAMES = ["expendibots", "expand-conquer", "hexabomb", "roboderby", "liars-dice", "tic-tac-toe"]
TOGETHER = ["hexabomb", "roboderby", "tic-tac-toe"]

pytestmark = [
    pytest.mark.filterwarnings(f"ignore:{begin}:UserWarning")
    for begin in (
        "Agent's m",
        "Observation space for each",
        "Action space for each",
        "Action mask",
        "Observation numpy array is all zeros",
        "Observation is not",
    )
]
"""Observations have masks beside them and bounds that are infinite, several orders are no Discrete, and nothing is legal when a game is over."""


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("ranks", [False, True])
def test_pettingzoo_finds_nothing_wrong(game: str, ranks: bool) -> None:
    api_test(env(game, ranks=ranks), num_cycles=60)
    seed_test(lambda: env(game, ranks=ranks), num_cycles=60)


@pytest.mark.parametrize("game", TOGETHER)
def test_pettingzoo_finds_nothing_wrong_with_games_played_together(game: str) -> None:
    parallel_api_test(parallel_env(game), num_cycles=60)
    parallel_seed_test(lambda: parallel_env(game), num_cycles=60)


def test_boards_are_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: env("tic-tac-toe", render_mode=render_mode))
    check_saving(env("tic-tac-toe"))
    assert capsys.readouterr().out.count("Observations must be Box") == 1
    shown = parallel_env("tic-tac-toe", render_mode="human")
    shown.reset()
    shown.step({"player_0": 4, "player_1": 0})
    assert capsys.readouterr().out == f"{shown.unwrapped._table.batch.state(0)}\n"


def last(agents: Any) -> Any:
    """Plays a game with the last legal actions, and gives the rewards of its end by agent."""
    agents.reset(seed=3)
    found: dict[str, float] = {}
    for agent in agents.agent_iter():
        seen, reward, over, _, _ = agents.last()
        found[agent] = reward
        agents.step(None if over else np.flatnonzero(seen["action_mask"])[-1])
    return found


def test_the_rewards_are_the_returns() -> None:
    assert last(env("tic-tac-toe")) == {"player_0": 1.0, "player_1": -1.0}


def test_who_plays_illegally_loses() -> None:
    one = env("tic-tac-toe")
    one.reset()
    one.step(4)
    one.step(4)
    assert one.rewards == {"player_0": 0.0, "player_1": -1.0}
    assert all(one.terminations.values())
    assert [one.infos[agent]["illegal"] for agent in one.agents] == [False, True]

    together = parallel_env("hexabomb")
    seen, _ = together.reset(seed=1)
    orders = np.array([int(np.flatnonzero(mask)[0]) for mask in seen["player_1"]["action_mask"]])
    _, rewards, over, _, infos = together.step({"player_0": np.full_like(orders, -1), "player_1": orders})
    assert rewards == {"player_0": -1.0, "player_1": 0.0}
    assert over == {"player_0": True, "player_1": True}
    assert infos["player_0"]["illegal"]
    assert not together.agents


def test_of_three_the_others_play_on() -> None:
    one = env("hexabomb", map="lair4", players=3, turns=4, reception="fixed")
    one.reset(seed=1)
    returns = dict.fromkeys(one.possible_agents, 0.0)
    asked = list[str]()
    for agent in one.agent_iter():
        seen, reward, over, _, info = one.last()
        asked.append(agent)
        returns[agent] = reward if over else returns[agent]
        legal = np.array([int(np.flatnonzero(mask)[0]) for mask in seen["action_mask"]]) if not over else None
        if agent == "player_1" and not over:
            assert legal is not None
            one.step(np.full_like(legal, -1))
            assert one.terminations == {"player_0": False, "player_1": True, "player_2": False}
            assert one.infos["player_1"]["illegal"]
        else:
            one.step(legal)
            assert not info["illegal"] or agent == "player_1"
    assert asked.count("player_1") == 2  # it plays once, and is told how that ended
    assert asked.count("player_0") == asked.count("player_2") == 5
    assert returns["player_1"] == -1.0
    assert sorted(returns.values()) in ([-1.0, 0.0, 1.0], [-1.0, 0.5, 0.5])


@pytest.mark.parametrize(("game", "options"), [("hexabomb", {"map": "lair4", "turns": 20}), ("roboderby", {}), ("liars-dice", {})])
def test_of_four_those_who_play_illegally_leave_one_after_another(game: str, options: dict[str, Any]) -> None:
    together = parallel_env(game, players=4, ranks=True, **options)
    seen, _ = together.reset(seed=2)
    found, left = dict[str, float](), list[str]()
    steps = 0
    while together.agents and steps < 300:
        steps += 1
        legal = {agent: [np.flatnonzero(mask) for mask in _masks(seen[agent])] for agent in together.agents}
        actions = {agent: np.array([one[0] if len(one) else 0 for one in orders]) for agent, orders in legal.items()}
        if steps in (5, 10, 15):
            leaver = next(agent for agent, orders in reversed(legal.items()) if any(map(len, orders)))
            actions[leaver] = np.full_like(actions[leaver], -1)
        alone = next(iter(legal.values()))
        seen, rewards, over, _, infos = together.step({agent: one if len(alone) > 1 else one[0] for agent, one in actions.items()})
        gone = [agent for agent in over if infos[agent]["illegal"]]
        assert all(over[agent] for agent in gone)
        left += gone
        assert set(together.agents) == {agent for agent, ended in over.items() if not ended}
        found |= {agent: rewards[agent] for agent, ended in over.items() if ended}
    assert len(left) == 3
    assert [found[agent] for agent in left] == pytest.approx([-1.0, -1 / 3, 1 / 3][: len(left)])


def _masks(seen: dict[str, Any]) -> tuple[Any, ...]:
    masks = seen["action_mask"]
    return masks if isinstance(masks, tuple) else (masks,)


def test_who_acts_together_is_asked_at_once_and_sees_nothing_of_the_others() -> None:
    by_turns, together = env("hexabomb", ranks=True), parallel_env("hexabomb", ranks=True)
    by_turns.reset(seed=1)
    before = by_turns.observe("player_1")["observation"]
    seen, _ = together.reset(seed=1)
    choices = {agent: np.array([int(mask.sum()) - 1 for mask in seen[agent]["action_mask"]]) for agent in together.agents}
    by_turns.step(choices["player_0"])
    assert by_turns.agent_selection == "player_1"
    assert (by_turns.observe("player_1")["observation"] == before).all()
    by_turns.step(choices["player_1"])
    seen = together.step(choices)[0]
    for agent in by_turns.agents:
        assert (by_turns.observe(agent)["observation"] == seen[agent]["observation"]).all()
        assert (seen[agent]["observation"] != before).any()


def test_bad_wishes_are_told() -> None:
    with pytest.raises(BadOption, match="chess"):
        env("chess")
    with pytest.raises(BadOption, match="rows=0"):
        parallel_env("expand-conquer", rows=0)
    with pytest.raises(BadOption, match="render_mode 'film' is not one of"):
        env("tic-tac-toe", render_mode="film")
    together = parallel_env("tic-tac-toe")
    with pytest.raises(IllegalAction, match="has not begun"):
        together.step({})
    together.reset()
    with pytest.raises(BadOption, match="player_1 gave none"):
        together.step({"player_0": 0})
