"""Endgame tables: that every entry follows from its successors, where positions stand, what is kept, and perfect play by them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import ludarium
from ludarium.core.game import Action, State
from ludarium.games.expendibots.endgames import keeping
from ludarium.games.expendibots.endgames.index import classes, endgame_index, table_size
from ludarium.games.expendibots.endgames.known import EndgameTables, packed
from ludarium.games.expendibots.endgames.solving import solve
from ludarium.labs.expendibots.tables.asking import best_actions, value_of
from ludarium.labs.expendibots.tables.verifying import Wrong, verify
from ludarium.search import WIN, alphabeta

GAME = ludarium.game("expendibots")


@pytest.fixture(scope="module")
def endgames(request: pytest.FixtureRequest) -> EndgameTables:
    """Of four tokens; with ``--soak`` of five."""
    if request.config.getoption("--soak"):
        keeping.make(5)
        keeping._endgames.cache_clear()
    return keeping.endgames()


def random_state(chance: random.Random, white: int, black: int) -> State:
    """A position of so many tokens, White to move."""
    squares = chance.sample(range(64), white + black)
    heights = [0] * 64
    for sign, count, places in ((1, white, squares[:white]), (-1, black, squares[white:])):
        for _ in range(count):
            heights[chance.choice(places)] += sign
    signs = {0: "."} | {n: f"W({n})" for n in range(1, 13)} | {-n: f"B({n})" for n in range(1, 13)}
    ranks = ["".join(signs[height] for height in heights[first : first + 8]) for first in range(56, -1, -8)]
    return GAME.parse("/".join(ranks) + " w 0")


def test_every_entry_follows_from_its_successors(endgames: EndgameTables, scale: int) -> None:
    """Of three tokens all, of four a sample; with ``--soak`` all of five. What the rules make does not know how the tables were solved."""
    assert verify(packed(solve(3), 3)) == 32_998
    assert verify(endgames, step=1 if scale > 1 else 101) == (34_486_166 if scale > 1 else 12_366)


@pytest.mark.parametrize("change", [lambda value: -value, lambda value: value + 2 * np.sign(value), np.zeros_like])
def test_a_wrong_entry_is_noticed(change: np.ufunc) -> None:
    values = solve(2)
    solved = solve(3)
    at = np.flatnonzero(solved)[1000]
    solved[at : at + 1] = change(solved[at : at + 1])
    assert not values.any()  # of one token each, nobody wins
    with pytest.raises(Wrong, match=r"does not follow from its successors: .*/.* w 0"):
        verify(packed(solved, 3))


def test_entries_are_numbered_in_order_of_their_tokens_so_that_small_tables_begin_large_ones(endgames: EndgameTables) -> None:
    assert [table_size(most) for most in (2, 3, 4, 5)] == [640, 42_240, 1_556_480, 43_243_840]
    assert sorted(classes(5), key=sum) == classes(5)
    index = endgame_index()
    firsts = [int(index.first[own, other]) for own, other in classes(5)]
    assert firsts == sorted(firsts)
    small = packed(solve(3), 3)
    assert np.array_equal(small.distances, endgames.distances[: table_size(3)])


def test_what_is_kept_is_what_was_made_and_what_is_not_whole_counts_as_not_there(
    endgames: EndgameTables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert keeping.load(3) is None
    made = keeping.make(3)
    found = keeping.load(3)
    assert found is not None
    assert np.array_equal(found.outcomes, made.outcomes)
    assert np.array_equal(found.distances, made.distances)
    outcomes, distances = keeping.files_of(3)
    assert (outcomes.stat().st_size, distances.stat().st_size) == (64 + 42_240 // 5, 64 + 42_240)
    whole = outcomes.read_bytes()
    for damaged in (whole[:-1], b"another" + whole[7:], b""):
        outcomes.write_bytes(damaged)
        assert keeping.load(3) is None
    assert [path.name for path in sorted(tmp_path.rglob("*.*"))] == ["endgames-3.distances", "endgames-3.outcomes"]


def test_where_nothing_can_be_kept_the_tables_are_made_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ludarium").write_text("no folder", encoding="utf-8")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(keeping, "USUAL", 3)
    assert keeping.endgames().most == 3


def test_a_win_that_the_turn_limit_comes_before_is_a_draw() -> None:
    """Won in 15 plies: the last of them is turn 499, or 501."""
    won = "......../......../......../..W...../.W....../......../......../....B... w"
    assert [value(GAME.parse(f"{won} {ply}")) for ply in (0, 484, 486)] == [15, 15, 0]


def sampled(endgames: EndgameTables, chance: random.Random, wanted: Callable[[int], bool]) -> Iterator[State]:
    """Positions of several tokens, White to move, with values as they are wanted."""
    sides = [(own, other) for own, other in classes(endgames.most) if own + other >= min(endgames.most, 4) - 1]
    while True:
        state = random_state(chance, *chance.choice(sides))
        if wanted(value(state)):
            yield state


def value(state: State) -> int:
    found = value_of(state)
    assert found is not None
    return found


@pytest.mark.parametrize("lost", [False, True])
def test_the_best_actions_win_as_soon_and_lose_as_late_as_can_be(lost: bool, endgames: EndgameTables) -> None:
    """Among actions that win, or lose, after more or fewer plies."""
    found = 0
    for state in islice(sampled(endgames, random.Random(8), lambda plies: plies < 0 if lost else plies == 1), 30):
        plies: dict[Action, int] = {}
        for action in state.actions(0):
            after = state.play(action)
            own = after.returns[0] if after.is_over else -np.sign(value(after))
            if own == (-1 if lost else 1):
                plies[action] = 1 if after.is_over else 1 + abs(value(after))
        wanted = max(plies.values()) if lost else 1
        assert best_actions(state) == [action for action in state.actions(0) if plies.get(action) == wanted]
        found += len(set(plies.values())) > 1
    assert found > 3


def plies_to_win(state: State, distance: int) -> int:
    """The longest game that any defence gets against alpha-beta; its score says at each turn how long it is at most."""
    result = alphabeta(state, nodes=2_000)
    assert result.score == WIN - distance
    after = state.play(result.action)
    if after.is_over:
        assert after.returns == (1.0, -1.0)
        return 1
    answers = [after.play(action) for action in after.actions(1)]
    return 2 + max(plies_to_win(answer, value(answer)) if not answer.is_over else 0 for answer in answers)


def test_won_positions_end_in_exactly_their_distance_whatever_the_defence(endgames: EndgameTables, scale: int) -> None:
    for state in islice(sampled(endgames, random.Random(5), lambda found: found == 5), 4 * scale):
        assert plies_to_win(state, 5) == 5


def test_long_wins_are_played_to_their_end_against_the_longest_defence(endgames: EndgameTables, scale: int) -> None:
    chance = random.Random(4)
    for start in islice(sampled(endgames, chance, lambda found: found > 12), 6 * scale):
        state, distance = start, value(start)
        for left in range(distance, 0, -2):
            state = state.play(alphabeta(state, nodes=2_000).action)
            assert state.is_over == (left == 1)
            if left > 1:
                state = state.play(chance.choice(best_actions(state)))
        assert state.returns == (1.0, -1.0)


def test_drawn_positions_are_never_lost(endgames: EndgameTables, scale: int) -> None:
    """For forty plies, against actions drawn by lot and against those that keep the draw as well."""
    chance = random.Random(6)
    for number, start in enumerate(islice(sampled(endgames, chance, lambda found: found == 0), 6 * scale)):
        state = start
        for ply in range(40):
            if state.is_over:
                break
            if ply % 2 == 0:
                assert value(state) >= 0
                state = state.play(alphabeta(state, nodes=300).action)
            else:
                state = state.play(chance.choice(best_actions(state) if number % 2 else state.actions(1)))
        assert state.returns[0] >= 0
