"""Games of the original hexabomb, with its own state after every turn: random ones, and scenarios (``scn-…``) that say in a note what they show."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from typing import Any

import pytest

import ludarium
from ludarium.games.hexabomb import Simulation, simulate
from ludarium.games.hexabomb.maps import map_json, read_map
from tests.folders import DATA, ROOT

FOLDER = DATA / "hexabomb" / "vectors"
NAMES = sorted(path.name.removesuffix(".json.gz") for path in FOLDER.glob("*.json.gz"))
FEW = ["cl-holes-0390", "cl-ring-0157", "scn-chain-colours", "scn-sudden-death", "sd-tri-0326"]


def vector(name: str) -> dict[str, Any]:
    with gzip.open(FOLDER / f"{name}.json.gz") as file:
        return json.load(file)


def differences(name: str) -> list[str]:
    """Where our game is not the recorded one."""
    one = vector(name)
    played = list(simulate(one["map"], one["nb_players"], one["nb_special_players"], one["turns"]))
    if len(played) != len(one["states"]):
        return [f"{len(played)} states instead of {len(one['states'])}"]
    expected = zip(one["states"], [None, *one["winners"]], strict=True)
    return [f"{name}, turn {turn}" for turn, (ours, theirs) in enumerate(zip(played, expected, strict=True)) if ours != theirs]


def test_the_recorded_games_are_all_here() -> None:
    assert len(NAMES) == 126
    assert sum(name.startswith("scn-") for name in NAMES) == 23


@pytest.mark.parametrize("name", NAMES)
def test_every_state_and_winner_is_the_originals(name: str) -> None:
    assert differences(name) == []


@pytest.mark.parametrize("name", FEW)
def test_the_text_is_the_originals_too(name: str) -> None:
    one = vector(name)
    game = Simulation(one["map"], one["nb_players"], one["nb_special_players"])
    for received, state in zip([*one["turns"], []], one["states"], strict=True):
        assert game.json().decode() == json.dumps(state, separators=(",", ":"), sort_keys=True)
        game.play(received)


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("scn-")] + FEW)
def test_what_was_carried_out_leads_to_the_same_states_in_the_common_interface(name: str) -> None:
    one = vector(name)
    text = map_json(read_map(one["map"]))
    mode = "sudden-death" if one["nb_special_players"] else "classic"
    state = ludarium.game("hexabomb", map=text, mode=mode, players=one["nb_players"], turns=len(one["turns"]), reception="fixed").start()
    simulation = Simulation(text, one["nb_players"], one["nb_special_players"])
    for received in one["turns"]:
        simulation.play(received)
        actions = simulation.carried_out
        state = state.play({player: orders if state.game.dimensions.slots > 1 else orders[0] for player, orders in actions.items()})
        ours, theirs = json.loads(state.text), simulation.state()
        for value in (ours, theirs):
            value["bombs"].sort(key=str)
        assert {key: ours[key] for key in theirs} == theirs
    assert state.is_over
    assert (-1 if state.winner is None else state.winner) == simulation.winner


PLAIN = """
import sys
sys.path.insert(0, sys.argv[1])
from tests.games.hexabomb.test_vectors import FEW, differences
print([differences(name) for name in FEW])
"""


def test_a_few_games_without_the_compiler() -> None:
    command = [sys.executable, "-c", PLAIN, str(ROOT)]
    done = subprocess.run(command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str([[] for _ in FEW])
