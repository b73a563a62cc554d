"""The player that asks a network: the one that a game comes with, and files of all kinds."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import ludarium
from ludarium.core.registry import game_file
from ludarium.errors import BadOption
from ludarium.players import can_play, parse_player, player_kinds
from ludarium.players.net import SHIPPED
from tests.command_line import run_program

NETWORK = game_file("expand-conquer", SHIPPED)


def test_a_games_own_network_plays_it_the_same_way_every_time() -> None:
    game = ludarium.game("expand-conquer", start="ring")
    state = game.start()
    for spec in ("net", "net:sims=0", "net:sims=100"):
        one, other = (parse_player(spec, game).make(game, seed) for seed in (1, 2))
        assert one.choose(state, 0) == other.choose(state, 0)
    state = state.play(state.actions(0)[0])
    assert parse_player("net", game).make(game, 1).choose(state, 1) in state.actions(1)


def test_it_plays_boards_of_other_sizes_than_it_has_learned_on() -> None:
    game = ludarium.game("expand-conquer", start="stars")
    assert parse_player("net", game).make(game, 1).choose(game.start(), 0) in game.start().actions(0)


def test_a_file_is_named_first_or_by_its_name(tmp_path: Path) -> None:
    game = ludarium.game("expand-conquer", start="ring")
    assert NETWORK is not None
    copy = shutil.copy(NETWORK, tmp_path / "mine.onnx")
    chosen = {
        parse_player(spec, game).make(game, 1).choose(game.start(), 0).text
        for spec in ("net:sims=50", f"net:{copy},sims=50", f"net:file={copy},sims=50", f"net:sims=50,file={copy}")
    }
    assert len(chosen) == 1


@pytest.mark.parametrize(("words", "games"), [(["expand-conquer", "-o", "start=ring"], 40), (["expendibots"], 10)])
def test_it_beats_random_play(words: list[str], games: int) -> None:
    done = run_program("match", *words, "net", "random", "-n", str(games), "--seed", "1", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["players"][0]["points"] >= 0.8 * games


@pytest.mark.parametrize(
    ("game", "options", "spec", "problem"),
    [
        ("expand-conquer", {}, "net:none.onnx", "none.onnx cannot be read"),
        ("expand-conquer", {}, "net:none\0.onnx", "embedded null"),
        ("expand-conquer", {}, "net:text.onnx", "text.onnx is no ONNX file"),
        ("expand-conquer", {}, "net:other.onnx", "other.onnx is no network for Expand and Conquer, but for something else"),
        ("expand-conquer", {"variant": "all-small"}, "net", "knows 64 actions; with these options there are 128"),
        ("tic-tac-toe", {}, "net", "comes with no network; give a file: net:FILE"),
        ("tic-tac-toe", {}, f"net:{NETWORK}", "is no network for Tic-tac-toe, but for expand-conquer"),
        ("roboderby", {}, f"net:{NETWORK}", "two players who move in turn, without dice and secrets"),
        ("expand-conquer", {}, "net:sims=-1", "sims=-1"),
        ("expand-conquer", {}, f"net:sims={10**30}", "at least 0, at most 100,000"),
    ],
)
def test_what_cannot_play_is_refused_in_one_line(
    game: str, options: dict[str, Any], spec: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.onnx").write_text("This is a text.")
    assert NETWORK is not None
    (tmp_path / "other.onnx").write_bytes(NETWORK.read_bytes().replace(b'{"game"', b'["game"'))
    with pytest.raises(BadOption) as refused:
        parse_player(spec, ludarium.game(game, **options))
    assert problem in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_server_reads_no_files_for_strangers(tmp_path: Path) -> None:
    game = ludarium.game("expand-conquer")
    assert parse_player("net:sims=10", game, longest=5.0).options["file"] is None
    for spec in (f"net:{NETWORK}", "net:{x}", "net:file=/etc/passwd"):
        with pytest.raises(BadOption, match="names a file of this computer"):
            parse_player(spec, game, longest=5.0)


def test_without_onnxruntime_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    find_spec = importlib.util.find_spec
    monkeypatch.setattr("ludarium.players.net.find_spec", lambda name: None if name == "onnxruntime" else find_spec(name))
    game = ludarium.game("expand-conquer")
    with pytest.raises(BadOption, match=r"onnxruntime is not installed; pip install 'ludarium\[net\]'"):
        parse_player("net", game)
    assert not can_play(player_kinds(game)["net"], game)
