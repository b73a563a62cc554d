"""Random playouts: what they sum up, that seeds repeat, and that the number of workers does not show."""

from __future__ import annotations

from importlib import import_module

import pytest

import ludarium
from ludarium.core.game import State
from ludarium.core.jit import JIT
from ludarium.errors import BadOption
from ludarium.search import PlayoutResult, playouts
from tests.tiny_games.die import Die
from tests.tiny_games.heap import Heap
from tests.tiny_games.matrix import Matrix

MANY = 20_000 if JIT else 40


def expendibots(text: str | None = None) -> State:
    game = ludarium.game("expendibots")
    return game.parse(text) if text else game.start()


def check_sums(result: PlayoutResult, count: int) -> None:
    assert result.playouts == count
    assert sum(result.wins) + result.draws == count
    assert result.plies >= count or result.plies == 0


def test_what_is_summed_up() -> None:
    result = playouts(expendibots(), MANY)
    check_sums(result, MANY)
    white, black = result.wins
    assert result.returns == (white - black, black - white)
    assert 15 < result.plies / MANY < 30
    assert 0.42 < white / MANY < 0.55 or not JIT


def test_a_seed_repeats_exactly_and_another_does_not() -> None:
    first = playouts(expendibots(), 50, seed=5)
    assert playouts(expendibots(), 50, seed=5) == first
    assert playouts(expendibots(), 50, seed=6) != first


@pytest.mark.parametrize("workers", [2, 3, 64])
def test_the_number_of_workers_does_not_show(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("ludarium.search.playouts"), "CHUNK", 4)
    assert playouts(expendibots(), 50, seed=7, workers=workers) == playouts(expendibots(), 50, seed=7)


def test_the_state_does_not_change() -> None:
    state = expendibots()
    before = hash(state)
    playouts(state, 10)
    assert hash(state) == before
    assert state == expendibots()


def test_a_finished_game_is_counted_without_a_ply() -> None:
    over = expendibots("......../......../......../......../......../......../......../W....... b 1")
    assert playouts(over, 3) == PlayoutResult(3, 0, (3.0, -3.0), (3, 0), 0)


def test_a_forced_end() -> None:
    """Booming is the only action, and takes both players' last tokens."""
    cornered = expendibots("......../......../......../......../......../......../BB....../WB...... w 0")
    assert playouts(cornered, 200) == PlayoutResult(200, 200, (0.0, 0.0), (0, 0), 200)


def test_limits_are_played() -> None:
    game = ludarium.game("expendibots", turn_limit=1)
    result = playouts(game.start(), 500)
    assert result.plies == 500
    assert result.draws == 500


def test_dice() -> None:
    result = playouts(Die().start(), MANY, seed=1)
    check_sums(result, MANY)
    assert result == playouts(Die().start(), MANY, seed=1)


def test_players_who_act_together() -> None:
    """Rock, paper, scissors at random: a third each."""
    result = playouts(Matrix().start(), MANY, seed=2)
    check_sums(result, MANY)
    assert result.plies == MANY
    assert abs(result.draws / MANY - 1 / 3) < (0.02 if JIT else 0.34)
    assert abs(result.wins[0] / MANY - 1 / 3) < (0.02 if JIT else 0.34)


def test_as_many_players_as_a_game_has() -> None:
    result = playouts(Heap().start(), MANY, seed=3)
    check_sums(result, MANY)
    assert len(result.returns) == len(result.wins) == Heap().players


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"count": 0}, "playouts: count is a whole number from 1, not 0"),
        ({"count": 2.5}, "playouts: count is a whole number from 1, not 2.5"),
        ({"count": 1, "seed": -1}, "playouts: seed is a whole number from 0, not -1"),
        ({"count": 1, "workers": 0}, "playouts: workers is a whole number from 1, not 0"),
        ({"count": 1, "workers": True}, "playouts: workers is a whole number from 1, not True"),
    ],
)
def test_numbers_that_make_no_sense(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(BadOption) as refusal:
        playouts(expendibots(), **arguments)  # type: ignore[arg-type]
    assert str(refusal.value) == message


@pytest.mark.parametrize("workers", [1, 2])
def test_progress_is_told_and_can_stop_the_playouts(workers: int) -> None:
    def listen(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        playouts(expendibots(), 10_000_000, workers=workers, on_progress=listen)


def test_progress_ends_at_the_count() -> None:
    told: list[int] = []
    playouts(expendibots(), 100, on_progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 100
