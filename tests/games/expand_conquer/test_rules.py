"""The rules of Expand and Conquer against the paper and against a second, naive implementation."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

import ludarium
from ludarium.core.game import State
from ludarium.core.jit import JIT
from ludarium.core.rules import position_key
from ludarium.search import perft, playouts
from ludarium.testing.random_games import play_at_random
from tests.folders import DATA, ROOT
from tests.games.expand_conquer.naive_rules import Board, leaves, moves, planes

VARIANTS = ("normal", "all-small")
PERFT = DATA / "perft" / "expand-conquer.txt"


def game(variant: str = "normal", **options: object) -> ludarium.Game:
    return ludarium.game("expand-conquer", variant=variant, **options)


def texts(state: State) -> list[str]:
    return [action.text for action in state.actions()]


def random_board(choice: random.Random, most: int) -> Board:
    rows, columns = choice.randint(1, most), choice.randint(1, most)
    weights = (choice.uniform(0.3, 6), choice.random(), choice.random())
    return tuple("".join(choice.choices("*OX", weights, k=columns)) for _ in range(rows))


def compare_games(variant: str, count: int, most: int) -> int:
    """Play on random boards and compare everything with the naive rules; how many positions were compared."""
    choice = random.Random(8)
    compared = 0
    for _ in range(count):
        board, player = random_board(choice, most), choice.randrange(2)
        state = game(variant).parse(f"{'|'.join(board)} {'LR'[player]}")
        while True:
            compared += 1
            assert state.text == f"{'|'.join(board)} {'LR'[player]}"
            known = moves(board, player, variant)
            assert texts(state) == list(known)
            assert state.observation(player).tolist() == planes(board, player)
            for action in state.actions():
                reached = {f"({r},{c})" for r, c in known[action.text][0]}
                assert [set(wave) for wave in state.game.show.effects_of(state, action)] == ([] if action.text[0] == "+" else [reached])
                assert state.play(action).text.split()[0] == "|".join(known[action.text][1])
            if not known:
                break
            name = choice.choice(list(known))
            state, board, player = state.play(name), known[name][1], 1 - player
            agrees_with_its_text(state)
        assert state.is_over
        assert state.returns == ((-1.0, 1.0) if player == 0 else (1.0, -1.0))
        assert state.outcome is not None
        assert state.outcome.reason.startswith(f"{('Left', 'Right')[player]} cannot move")
    return compared


def agrees_with_its_text(state: State) -> None:
    """What a state keeps up to date from action to action is what a fresh look at its board finds."""
    fresh = state.game.parse(state.text)
    for name in state.game.dtype.names or ():
        if name != "added":
            assert np.array_equal(state.record[name], fresh.record[name]), name
    key = position_key.implementations[type(state.game.tables)]
    if not JIT:
        assert key(state.game.tables, state.record) == key(fresh.game.tables, fresh.record)


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_on_small_boards_against_the_naive_rules(variant: str) -> None:
    assert compare_games(variant, 120, 4) > 150


@pytest.mark.parametrize("variant", VARIANTS)
def test_games_on_larger_boards_against_the_naive_rules(variant: str, scale: int) -> None:
    assert compare_games(variant, 24 * scale, 9) > 100


PLAIN = "import sys; sys.path.insert(0, sys.argv[1]); from tests.games.expand_conquer.test_rules import *; print(*(compare_games(v, 40, 4) for v in VARIANTS))"


def test_plain_python_agrees_with_the_naive_rules() -> None:
    command = [sys.executable, "-c", PLAIN, str(ROOT)]
    done = subprocess.run(command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert all(int(compared) > 20 for compared in done.stdout.split())


def test_the_example_of_all_small_moves() -> None:
    """Figure 19: two expansions and two placements for O."""
    state = game("all-small").parse("XO*|***|*XO")
    assert texts(state) == ["(0,1)", "(2,2)", "+(1,0)", "+(2,0)"]
    assert state.play("(0,1)").text == "XOO|*O*|*XO R"
    assert state.play("(2,2)").text == "XO*|**O|*XO R"
    assert state.play("+(1,0)").text == "XO*|O**|*XO R"
    assert texts(game().parse("XO*|***|*XO")) == ["(0,1)", "(2,2)"]


def test_a_row_with_one_stone_lasts_as_many_moves_as_it_has_empty_squares() -> None:
    """Theorem 3.2, as far as it is about moves."""
    state = game().parse("O*****")
    for filled in range(1, 6):
        state = state.play("(0,0)")
        assert state.text == "O" * (filled + 1) + "*" * (5 - filled) + " R"
        assert state.is_over
        assert state.winner == 0
        state = state.game.parse(state.text.replace("R", "L"))
    assert state.is_over
    assert state.winner == 1


def test_an_expansion_joins_groups_and_takes_the_last_free_squares_of_others() -> None:
    state = game().parse("O*O|X*X|*O*")
    after = state.play("(0,0)")
    assert after.text == "OOO|X*X|*O* R"
    assert [int(after.record.group[cell]) for cell in (0, 1, 2)] == [0, 0, 0]
    assert texts(after) == ["(1,0)", "(1,2)"]
    end = after.play("(1,0)").play("(2,1)")
    assert end.text == "OOO|XXX|XOO R"
    assert end.outcome == ludarium.Outcome((1.0, -1.0), 0, "Right cannot move, for the board is full")


def test_two_groups_with_the_same_result_are_two_actions() -> None:
    state = game().parse("O*O")
    assert texts(state) == ["(0,0)", "(0,2)"]
    assert state.play("(0,0)").text == state.play("(0,2)").text == "OOO R"


def test_in_the_all_small_variant_both_can_move_until_the_board_is_full() -> None:
    for seed in range(10):
        timeline = play_at_random(game("all-small", start="empty", rows=4, columns=5).start(), seed)
        for step in timeline.steps[:-1]:
            board = step.state.text[:-2]
            for side in "LR":
                assert not step.state.game.parse(f"{board} {side}").is_over
        assert "*" not in timeline.state.text


def test_the_last_action_is_remembered_and_the_board_alone_makes_the_key() -> None:
    kind = game("all-small", start="***|***")
    one, other = (kind.start().play(first).play("+(1,2)").play(second) for first, second in (("+(0,0)", "+(0,2)"), ("+(0,2)", "+(0,0)")))
    assert one.text == other.text
    assert one != other
    assert (one.record.key, one.record.side) == (other.record.key, other.record.side)


def test_large_boards() -> None:
    for variant, start in (("all-small", "empty"), ("normal", "|".join(["O*X*" * 8, "*" * 32] * 16))):
        kind = game(variant, start=start, rows=32, columns=32)
        timeline = play_at_random(kind.start(), 1, 40 if not JIT else 10_000)
        assert timeline.ply > 30
        agrees_with_its_text(timeline.state)
        assert len(kind.start().actions()) <= kind.dimensions.max_actions


def test_playouts_are_as_long_and_as_fair_as_those_of_the_naive_rules() -> None:
    start = game().parse("O**X|****|X**O L")
    choice = random.Random(3)
    wins: Counter[int] = Counter()
    for _ in range(400):
        board, player = ("O**X", "****", "X**O"), 0
        while known := moves(board, player, "normal"):
            board, player = choice.choice([after for _, after in known.values()]), 1 - player
        wins[1 - player] += 1
    result = playouts(start, 4000 if JIT else 100, seed=1)
    assert result.wins[0] / result.playouts == pytest.approx(wins[0] / 400, abs=0.1 if JIT else 0.2)


def known_counts() -> list[tuple[str, str, dict[int, int]]]:
    lines = [line.split(";") for line in PERFT.read_text().splitlines() if not line.startswith("#")]
    return [
        (variant.strip(), position.strip(), {int(c.split()[0]): int(c.split()[1]) for c in counts}) for variant, position, *counts in lines
    ]


def test_perft() -> None:
    most = 3_000_000 if JIT else 2_000
    checked = 0
    for variant, position, counts in known_counts():
        state = game(variant).parse(position)
        assert state.text == position
        for depth, count in counts.items():
            if count <= most:
                assert perft(state, depth) == count, f"{variant} {position} at depth {depth}"
                checked += 1
    assert checked > (100 if JIT else 40)


def test_the_first_counts_are_those_of_the_naive_rules() -> None:
    for variant, position, counts in known_counts():
        board, side = position.split()
        for depth in range(1, 4):
            if counts.get(depth, 10**9) < 400:
                assert leaves(tuple(board.split("|")), "LR".index(side), variant, depth) == counts[depth]
