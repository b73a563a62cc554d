"""Alpha-beta search against minimax by the book, in random game graphs: any order of movers, transpositions, endings of all values."""

from __future__ import annotations

import pytest

from ludarium.search import WIN, alphabeta
from tests.conftest import Python
from tests.folders import ROOT
from tests.tiny_games.tree import Tree, TreeTables


def minimax(tables: TreeTables, node: int, depth: int, distance: int = 0) -> int:
    """The score for player 0 after ``depth`` more actions; below depth 0 only tactical actions or none."""
    mover = int(tables.movers[node])
    if mover == 0:
        score = int(tables.endings[node] * WIN)
        return score - distance * ((score > 0) - (score < 0))
    better = max if mover == 1 else min
    width = int(tables.widths[node])
    first = 0 if depth > 0 else width - int(tables.tactical[node])
    scores = [minimax(tables, int(tables.children[node, action]), depth - 1, distance + 1) for action in range(first, width)]
    return better(scores if depth > 0 else [int(tables.values[node]), *scores])


def check(seed: int, depths: tuple[int, ...]) -> None:
    game = Tree(seed=seed)
    for depth in depths:
        result = alphabeta(game.start(), depth=depth, full_width=True, seed=seed)
        if result.depth < depth:  # a win or loss was found earlier, and no depth changes that
            assert abs(result.score) >= WIN - result.depth
        assert result.score == minimax(game.tables, 0, result.depth)
        child = int(game.tables.children[0, int(str(result.action))])
        assert minimax(game.tables, child, result.depth - 1, 1) == result.score, "the action has the score"
        state = game.start()
        for action in result.line:
            state = state.play(action)


@pytest.mark.parametrize("seed", range(150))
def test_the_score_and_the_action_are_those_of_minimax(seed: int) -> None:
    check(seed, (1, 2, 3, 4, 5))


def test_a_win_or_loss_that_selective_search_announces_is_one() -> None:
    announced = 0
    for seed in range(60):
        game = Tree(seed=seed)
        score = alphabeta(game.start(), depth=7).score
        actions = WIN - abs(score)
        if actions <= 7:
            announced += 1
            exact = minimax(game.tables, 0, actions)
            assert abs(exact) >= abs(score)
            assert (exact > 0) == (score > 0)
    assert announced >= 20


class Wheel(Tree):
    """The first player loses at once, or goes round with the second, which it does not like at all."""

    id = "test-wheel"

    def make_tables(self) -> TreeTables:
        tables = super().make_tables()
        lost, last = 1, 4
        for node, children in {0: (lost, 2), 2: (3,), 3: (last,), last: (0,)}.items():
            tables.children[node, : len(children)] = children
            tables.movers[node], tables.widths[node], tables.tactical[node] = 1 + (node in (2, last)), len(children), 0
        tables.movers[lost], tables.endings[lost], tables.values[:] = 0, -1.0, -200
        return tables


@pytest.mark.parametrize("depth", [5, 6, 9])
def test_a_position_that_comes_back_within_the_line_is_a_draw(depth: int) -> None:
    start = Wheel().start()
    result = alphabeta(start, depth=depth)
    assert result.score == 0
    assert [action.index for action in result.line] == [1, 0, 0, 0]
    assert alphabeta(start, depth=depth, full_width=True).score == -200


def test_plain_python_agrees_with_minimax_too(python: Python) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from tests.search.test_alphabeta_minimax import check\n"
        "for seed in range(8): check(seed, (1, 2, 3))\n"
        "print('agreed')"
    )
    done = python(code, NUMBA_DISABLE_JIT="1")
    assert done.stdout.strip() == "agreed", done.stderr
