"""Who wins, found by searching, against exact values: what the one says of a position the other must say too."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator

import pytest

from ludarium.cgt import Solver, Value, outcome, value
from ludarium.cgt.engine.store import store
from ludarium.cgt.rulesets import Domineering
from ludarium.core.slices import Slices
from ludarium.errors import LudariumError, TooLarge
from ludarium.games.expand_conquer.values import ExpandConquerRuleset
from tests.cgt.plain_domineering import PlainDomineering
from tests.folders import DATA

ROWS = [json.loads(line) for line in (DATA / "cgt" / "expand-and-conquer.jsonl").read_text().splitlines()]
VARIANTS = ("normal", "all-small")
STAR = Value.nimber(1)
SMALL = 1 << 26
"""Bytes: little memory makes tests start quickly."""


def boards(seed: int, count: int, sizes: tuple[tuple[int, int], ...], marks: str = "***OX") -> Iterator[str]:
    chosen = random.Random(seed)
    for _ in range(count):
        rows, columns = chosen.choice(sizes)
        yield "|".join("".join(chosen.choice(marks) for _ in range(columns)) for _ in range(rows))


class Heaps:
    """Nim: heaps are components, and their order does not matter."""

    def left_options(self, heaps: tuple[int, ...]) -> list[tuple[int, ...]]:
        return [(*heaps[:at], left, *heaps[at + 1 :]) for at, heap in enumerate(heaps) for left in range(heap)]

    right_options = left_options

    def components(self, heaps: tuple[int, ...]) -> list[tuple[int, ...]]:
        return [(heap,) for heap in heaps if heap]

    def normal_form(self, heaps: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(heaps))


class Loop:
    """A line of moves that never ends."""

    def left_options(self, position: int) -> list[int]:
        return [1 - position]

    right_options = left_options


@pytest.mark.parametrize("valued", [-1, 4, 10])
def test_every_row_of_the_data_file_and_whether_it_is_star(valued: int) -> None:
    solvers = {variant: Solver(ExpandConquerRuleset(variant), most_bytes=SMALL, valued=valued) for variant in VARIANTS}
    for row in ROWS:
        solver = solvers[row["variant"]]
        assert solver.outcome(row["board"]).letter == row["outcome"], row
        assert (solver.outcome(row["board"], plus=STAR).letter == "P") == (row["canonical"] == "*"), row


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_boards_have_the_outcome_of_their_values(variant: str) -> None:
    ruleset = ExpandConquerRuleset(variant)
    solvers = [Solver(ruleset, most_bytes=SMALL, valued=valued) for valued in (-1, 3, 8)]
    for board in boards(1, 700, ((1, 7), (2, 3), (3, 3), (2, 5), (3, 4), (1, 12))):
        exact = value(ruleset, board)
        for solver in solvers:
            assert solver.outcome(board).letter == exact.outcome, board
            assert solver.outcome(board, plus=STAR).letter == (exact + STAR).outcome, board


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_board_minus_its_value_is_a_loss_for_who_begins(variant: str) -> None:
    """The value may be of any kind: what is added is searched with its own options."""
    ruleset = ExpandConquerRuleset(variant)
    solver = Solver(ruleset, most_bytes=SMALL)
    for board in boards(2, 150, ((2, 3), (3, 3), (2, 5), (3, 4))):
        exact = value(ruleset, board)
        assert solver.outcome(board, plus=-exact).letter == "P", board
        assert solver.outcome(board, plus=STAR - exact).letter == "N", board
        for other in ("1/2", "^", "v*", "+-{1,{2|0}}", "^[2]"):
            assert solver.outcome(board, plus=Value(other)).letter == (exact + Value(other)).outcome, (board, other)


@pytest.mark.parametrize("variant", VARIANTS)
def test_sums_of_boards(variant: str) -> None:
    ruleset = ExpandConquerRuleset(variant)
    solver = Solver(ruleset, most_bytes=SMALL, valued=2)
    sample = list(boards(3, 60, ((1, 5), (2, 3), (3, 3))))
    for first, second, third in zip(sample[::3], sample[1::3], sample[2::3], strict=True):
        exact = value(ruleset, first) + value(ruleset, second) + value(ruleset, third)
        assert solver.outcome(first, others=(second, third)).letter == exact.outcome, (first, second, third)


def test_mirrored_boards_are_seen_to_be_zero() -> None:
    """Only those with an axis between two rows or columns, and no group on both sides of it."""
    for variant in VARIANTS:
        solver = Solver(ExpandConquerRuleset(variant), most_bytes=SMALL, valued=0)
        for board in ("O***|X***", "O*X*|*X*O|*O*X|X*O*", "*O**X*|**OX**", "XO*|OX*", "*OX*|*OX*"):
            exact = value(ExpandConquerRuleset(variant), board)
            before = solver.searched
            assert solver.outcome(board).letter == exact.outcome, (variant, board)
            if exact == 0 and board == "O***|X***":
                assert solver.searched == before
    assert outcome(ExpandConquerRuleset("all-small"), "|".join(["*" * 8] * 8)) == (False, False, 0)


def test_odd_boards_of_the_all_small_variant() -> None:
    """Conjecture 5.1 of the game's paper fails from 3×3 on: these boards are no *, and of 0 nobody would win."""
    solver = Solver(ExpandConquerRuleset("all-small"))
    for board in ("***|***|***", "*****|*****|*****"):
        assert solver.outcome(board).letter == "N"
        assert solver.outcome(board, plus=STAR).letter == "N"
    for columns in (1, 3, 5, 7, 9):
        assert solver.outcome("*" * columns, plus=STAR).letter == "P"


def test_domineering_compiled_and_in_python(scale: int) -> None:
    plain, fast = Solver(PlainDomineering(), most_bytes=1 << 28), Solver(Domineering(), most_bytes=SMALL)
    for board in boards(4, 40 * scale, ((2, 3), (3, 3), (3, 4), (2, 5)), "***#"):
        exact = value(Domineering(), board)
        assert plain.outcome(board).letter == fast.outcome(board).letter == exact.outcome
        assert plain.outcome(board, others=[board], plus=-exact).letter == exact.outcome
    # Berlekamp, Conway, Guy: Winning Ways, chapter 5; Breuker, Uiterwijk, van den Herik (2000) for the larger squares.
    for size, letter in ((2, "N"), (3, "N"), (4, "N"), (5, "P"), (6, "N")):
        assert fast.outcome("|".join(["*" * size] * size)).letter == letter


def test_nim_in_python_with_components() -> None:
    solver = Solver(Heaps(), most_bytes=SMALL)
    for heaps in ((), (1,), (1, 2, 3), (3, 3), (2, 4, 6), (2, 4, 5), (7, 1)):
        nimber = 0
        for heap in heaps:
            nimber ^= heap
        assert solver.outcome(heaps).letter == ("N" if nimber else "P")
        assert solver.outcome(heaps, plus=Value.nimber(nimber)).letter == "P"


def test_numbers_that_float64_cannot_hold() -> None:
    solver = Solver(ExpandConquerRuleset(), most_bytes=SMALL)
    small = Value(1)
    for _ in range(60):
        small = Value.from_options([0], [small])
    assert solver.outcome("O*", plus=small - 1).letter == "L"
    assert solver.outcome("O*", plus=-small - 1).letter == "R"
    assert solver.outcome("O*|X*", plus=small).letter == (value(ExpandConquerRuleset(), "O*|X*") + small).outcome


def test_what_is_not_decided_in_time_is_none() -> None:
    board = "*******|*******|***O***|*******|*******|X******|*******"
    solver = Solver(ExpandConquerRuleset("all-small"), most_bytes=SMALL)
    found = solver.outcome(board, seconds=0.2)
    assert found.left_begins is None
    assert found.right_begins is None
    assert found.letter is None
    assert found.searched > 0
    assert solver.outcome("X*O*").letter == "L"


def test_a_search_that_is_interrupted_can_be_asked_again() -> None:
    solver = Solver(ExpandConquerRuleset("all-small"), most_bytes=SMALL)

    def interrupt(searched: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solver.outcome("*****|****X|*****", progress=interrupt)
    exact = value(ExpandConquerRuleset("all-small"), "***|**X|***")
    assert solver.outcome("***|**X|***").letter == exact.outcome


def test_a_small_memory_forgets_and_still_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """The graph is full again and again, and the table keeps a few thousand positions only."""
    forgotten: list[int] = []
    forget = Solver._forget
    monkeypatch.setattr(Solver, "_forget", lambda self: (forgotten.append(self.searched), forget(self))[1])
    board = "*****|****X|*****|*****"
    told: list[int] = []
    small = Solver(ExpandConquerRuleset("all-small"), most_bytes=1 << 20)
    assert small.outcome(board, progress=told.append).letter == "N"
    assert len(forgotten) > 2
    assert told == sorted(told)
    forgotten.clear()
    assert Solver(ExpandConquerRuleset("all-small")).outcome(board).letter == "N"
    assert not forgotten


def test_a_line_that_comes_back_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Slices, "next", lambda self: 1)  # as on a computer that is very slow
    with pytest.raises(LudariumError, match="Loop: a line of more than"):
        outcome(Loop(), 0, most_bytes=SMALL)


def test_too_many_components_are_refused() -> None:
    with pytest.raises(TooLarge, match="components"):
        outcome(Heaps(), tuple(range(1, 80)), most_bytes=SMALL)
    with pytest.raises(TooLarge, match="components"):
        Solver(Domineering(), most_bytes=SMALL, valued=-1).outcome("***|***", others=["***|***"] * 100)


def test_test_games_know_their_options() -> None:
    """Every value of day 2 compares with the engine's test games as its bits say."""
    day2 = [
        Value(text)
        for text in ("0", "1", "-1", "*", "2", "-2", "1/2", "-1/2", "1*", "-1*", "^", "v", "^*", "v*", "*2", "+-1", "{1|0}", "{1|*}")
    ]
    tests = range(int(store.arena.registers[5]))
    for one in day2:
        game = store.arena.values[one._at]
        for test in tests:
            assert bool(int(game.low) >> test & 1) == store.at_most(1 + test, one._at)
            assert bool(int(game.high) >> test & 1) == store.at_most(one._at, 1 + test)


PLAIN = """
from ludarium.cgt import Solver, Value
from ludarium.games.expand_conquer.values import ExpandConquerRuleset
for variant in ("normal", "all-small"):
    solver = Solver(ExpandConquerRuleset(variant), valued=2, most_bytes=1 << 26)
    for board in ("X*O*O|****O", "***|***", "X**|**O|O*X", "*O*OX**"):
        print(solver.outcome(board), solver.outcome(board, plus=Value.nimber(1)), solver.outcome(board, plus=Value(-1), others=["O*"]))
"""


def test_without_machine_code_the_same() -> None:
    answers = [
        subprocess.run(
            [sys.executable, "-c", PLAIN], env=os.environ | extra, capture_output=True, text=True, check=True, timeout=300
        ).stdout
        for extra in ({"NUMBA_DISABLE_JIT": "1"}, {"NUMBA_DISABLE_JIT": "0"})
    ]
    assert answers[0] == answers[1]
