"""What must hold for every game that is installed, plug-ins included: the contracts of :mod:`ludarium.testing`, and how games are found and compiled."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ludarium
from ludarium.core.record import Header, Recorder, read_record
from ludarium.errors import BadOption
from ludarium.testing.plugin import conformance
from ludarium.testing.random_games import play_at_random
from tests.folders import ROOT
from tests.short_games import short_game
from tests.tiny_games.cups import Cups

GAMES = ludarium.list_games()
SEEDS = range(3)

test_contracts = conformance(*map(short_game, GAMES), Cups())


def test_the_example_plug_in_is_installed() -> None:
    assert "tic-tac-toe" in GAMES, "install the example plug-in: pip install --editable examples/tic_tac_toe"
    assert "expendibots" in GAMES


@pytest.mark.parametrize("id", GAMES)
def test_a_game_is_made_by_its_id_and_options(id: str) -> None:
    game = short_game(id)
    assert ludarium.game(game.id, **game.options) == game
    assert eval(repr(game), {"ludarium": ludarium}) == game
    for name in ("no_such_option", "id", "self", "options"):
        with pytest.raises(BadOption, match=name):
            ludarium.game(game.id, **{name: 1})


@pytest.mark.parametrize("id", GAMES)
def test_a_record_replays_by_its_header(id: str, tmp_path: Path) -> None:
    game = short_game(id)
    timeline = play_at_random(game.start(1), 1)
    with Recorder(tmp_path / "game.jsonl", Header.of(game, ["someone"] * game.players, 1)) as recorder:
        timeline.listen(recorder.write)
    replayed = read_record(tmp_path / "game.jsonl").replay()
    assert [step.state.text for step in replayed.steps] == [step.state.text for step in timeline.steps]
    assert replayed.events == timeline.events
    assert replayed.outcome == timeline.outcome


PLAIN = """
import json, sys
sys.path.insert(0, sys.argv[1])
from tests.test_every_game import digest_of_games
print(json.dumps(digest_of_games(sys.argv[2], int(sys.argv[3]))))
"""


def digest_of_games(id: str, most: int) -> list[str]:
    """Digests of every state, its legal actions, returns and observations in seeded games."""
    digests: list[str] = []
    game = short_game(id)
    for seed in SEEDS:
        for step in play_at_random(game.start(seed), seed, most).steps:
            state = step.state
            digest = hashlib.sha256(state.copy_records().tobytes())
            digest.update(json.dumps([state.text, state.to_move, state.returns]).encode())
            for player in range(game.players):
                digest.update(state.observation(player).tobytes())
                digest.update(repr([action.index for action in state.actions(player)]).encode())
            digests.append(digest.hexdigest()[:16])
    return digests


@pytest.mark.parametrize("id", GAMES)
def test_compiled_and_plain_rules_agree(id: str) -> None:
    most = 60
    command = [sys.executable, "-c", PLAIN, str(ROOT), id, str(most)]
    done = subprocess.run(command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    plain = json.loads(done.stdout)
    assert len(plain) > len(SEEDS) * 5
    assert plain == digest_of_games(id, most)
