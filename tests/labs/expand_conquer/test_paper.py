"""Every statement of the paper on Expand and Conquer, as the study judges it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from ludarium.cgt import Value
from ludarium.labs.expand_conquer.study.agenda import questions
from ludarium.labs.expand_conquer.study.all_small_statements import ALL_SMALL_STATEMENTS
from ludarium.labs.expand_conquer.study.conclusions import conclusions
from ludarium.labs.expand_conquer.study.findings import found as found_of
from ludarium.labs.expand_conquer.study.findings import found_games, found_starts
from ludarium.labs.expand_conquer.study.normal_statements import NORMAL_STATEMENTS, row_worth
from ludarium.labs.expand_conquer.study.notebook import Notebook
from ludarium.labs.expand_conquer.study.questions import answer
from ludarium.labs.expand_conquer.study.statement import ALL_SMALL, Statement, Verdict, compared, for_all, moves_of, value_of
from ludarium.labs.expand_conquer.study.subjects import empty, empty_board, game, start

MB = 1 << 20

FOUND = (
    ("Figure 3", "–", Verdict.LOST),
    ("Section 2, figures 4–7", "–", Verdict.LOST),
    ("Figure 8", "0", Verdict.TRUE),
    ("Figure 9", "1", Verdict.TRUE),
    ("Theorem 3.2", "n for n = 0 … 63", Verdict.TRUE),
    ("Figure 10", "5", Verdict.TRUE),
    ("Definition 3.4, figure 11", "2×5; O at (0,2) (0,4) (1,4); X at (0,0)", Verdict.TRUE),
    ("Theorem 3.5", "1/2ᵏ for k = 0 … 60", Verdict.TRUE),
    ("Lemma 3.6", "so for m = 0 … 62", Verdict.TRUE),
    ("Figure 12", "⅛", Verdict.TRUE),
    ("Figure 13", "⅝", Verdict.TRUE),
    ("Section 3.1, figure 14", "⅛ and ½", Verdict.MISPRINT),
    ("Corollary 3.8", "all 129 numbers m/16 from −4 to 4", Verdict.TRUE),
    ("Figure 15", "2⅝", Verdict.TRUE),
    ("Figure 16", "2 + ⅛ + ½", Verdict.TRUE),
    ("Figure 17", "Left 1, Right 0", Verdict.TRUE),
    ("Section 4", "5", Verdict.TRUE),
    ("Figure 18", "8 with 1×4 squares", Verdict.TRUE),
    ("Definition 4.1", "always, on 1,173 boards", Verdict.TRUE),
    ("Section 4", "*", Verdict.MISPRINT),
    ("Figure 19", "2 and 2", Verdict.TRUE),
    ("Figure 20", "↑", Verdict.TRUE),
    ("Section 4.1", "0", Verdict.TRUE),
    ("Section 4.1", "⇑", Verdict.MISPRINT),
    ("Section 4.1", "↑3", Verdict.TRUE),
    ("Figure 21", "⇑", Verdict.TRUE),
    ("Table 1, row 1", "↑, 1", Verdict.TRUE),
    ("Table 1, row 2", "↓, −1", Verdict.TRUE),
    ("Table 1, row 3", "⇑, 2", Verdict.TRUE),
    ("Table 1, row 4", "0, 0", Verdict.TRUE),
    ("Table 1, row 5", "↑3, 3", Verdict.TRUE),
    ("Table 1, row 6", "↑3*, 3", Verdict.TRUE),
    ("Table 1, row 7", "↑4, 4", Verdict.TRUE),
    ("Section 4.1", "n for n = 0 … 32", Verdict.TRUE),
    ("Section 5", "3,136 of 3,136 turns answered", Verdict.TRUE),
    ("Figure 22", "–", Verdict.LOST),
)

STATEMENTS = [*NORMAL_STATEMENTS, *ALL_SMALL_STATEMENTS]


def test_no_statement_is_left_out() -> None:
    assert len(STATEMENTS) == len(FOUND)


@pytest.mark.parametrize(
    ("compute", "place", "found", "verdict"),
    [
        pytest.param(compute, *row, id=f"{number} {row[0]}")
        for number, (compute, row) in enumerate(zip(STATEMENTS, FOUND, strict=False), start=1)
    ],
)
def test_what_is_found_of_a_statement(compute: Callable[[], Statement], place: str, found: str, verdict: Verdict) -> None:
    statement = compute()
    assert (statement.place, statement.found, statement.verdict) == (place, found, verdict)
    if verdict is Verdict.TRUE and "…" not in found and "," not in found:
        assert statement.expected == found or place in ("Corollary 3.8", "Figure 18", "Section 5")


def test_a_wrong_statement_is_found_false() -> None:
    wrong = compared("Nowhere", "It is worth a half.", "X**O*O", Fraction(1, 2))
    assert (wrong.expected, wrong.found, wrong.verdict) == ("½", "¼", Verdict.FALSE)


def test_a_statement_about_every_number_names_those_where_it_fails() -> None:
    wrong = for_all("Nowhere", "All are small.", "small", lambda n: n < 3, 9, variable="k")
    assert (wrong.found, wrong.verdict) == ("not for k = 3, k = 4, k = 5 …", Verdict.FALSE)


@pytest.mark.parametrize("number", [Fraction(0), Fraction(21, 8), Fraction(-13, 16), Fraction(3), Fraction(1, 1024)])
def test_a_row_worth_a_number(number: Fraction) -> None:
    board = row_worth(number)
    assert value_of(board).number == number
    assert "|" not in board


def test_the_boards_of_the_papers_figures() -> None:
    assert row_worth(Fraction(21, 8)) == "**OX*O*OX***O*O"  # figure 15 has the same parts in another order
    assert moves_of("XO*|***|*XO", "all-small", "L") == ["(0,1)", "(2,2)", "+(1,0)", "+(2,0)"]
    assert moves_of("O*****", "normal", "R") == []


@pytest.fixture
def notebook(tmp_path: Path) -> Notebook:
    """A notebook with g_1 to g_10 and small empty boards, computed now."""
    found = Notebook(tmp_path / "study.jsonl")
    sizes = ((1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (2, 2), (2, 3), (3, 3))
    for question in (*(game(n).value for n in range(1, 11)), *(empty(*size).value for size in sizes)):
        found.add(question, answer(question, 500 * MB), 0.1, 500 * MB)
    return found


def test_the_conjectures(notebook: Notebook) -> None:
    found = [(one.place, one.found, one.verdict) for one in conclusions(notebook)]
    assert found == [
        ("Conjecture 4.2", "↑n up to g₉, n ≤ 5", Verdict.SO_FAR),
        ("Beyond the paper", "↑n* up to g₁₀, n ≤ 5", Verdict.SO_FAR),
        ("Conjecture 5.1", "0 on all; computed on 4", Verdict.TRUE),
        ("Conjecture 5.1", "* up to 1×5", Verdict.SO_FAR),
        ("Conjecture 5.1", "3×3 is ±(⇑*)", Verdict.FALSE),
    ]
    assert [one.text for one in found_games(notebook)][:5] == ["↑", "↓", "⇑", "0", "↑3"]
    assert all(one.agrees for one in found_games(notebook))


def test_counterexamples_are_not_overlooked(notebook: Notebook) -> None:
    """Answers that belong to other boards must turn every verdict around."""
    wrong = notebook.answers[game(2).value]
    for question in (game(9).value, game(8).value, empty(2, 3).value, empty(1, 3).value):
        notebook.answers[question] = wrong
    found = [(one.found, one.verdict) for one in conclusions(notebook)][:4]
    assert found == [("not g₉", Verdict.FALSE), ("not g₈", Verdict.FALSE), ("not 2×3", Verdict.FALSE), ("not 1×3", Verdict.FALSE)]
    assert found_of(notebook, empty(3, 2)).kind == "contradiction"
    assert [one.agrees for one in found_games(notebook)] == [*[True] * 7, False, False, True]


def test_what_is_decided_by_search(tmp_path: Path) -> None:
    """Boards whose values are known are decided the same way without them."""
    notebook = Notebook(tmp_path / "study.jsonl")
    asked = [
        empty(3, 3).difference,
        empty(3, 3).outcome,
        empty(1, 7).difference,
        game(9).difference,
        start("duel").outcome,
        start("ring").outcome,
    ]
    for question in asked:
        notebook.add(question, answer(question, 500 * MB), 0.1, 500 * MB)
    assert {question: found["outcome"] for question, found in Notebook(notebook.path).answers.items()} == dict(
        zip(asked, "NNPPNP", strict=True)
    )
    square, row = found_of(notebook, empty(3, 3)), found_of(notebook, empty(7, 1))
    assert (square.kind, square.text, square.agrees) == ("other", "neither 0 nor *", False)
    assert (row.kind, row.how, row.agrees) == ("star", "search", True)
    (ninth,) = found_games(notebook)
    assert (ninth.name, ninth.text, ninth.weight, ninth.agrees) == ("g₉", "↑5", "5", True)
    starts = {one.name: (one.outcome, one.text) for one in found_starts(notebook) if one.how == "search"}
    assert starts == {"duel": ("N", ""), "ring": ("P", "0")}
    assert conclusions(notebook)[4].found == "3×3 is neither 0 nor *"
    notebook.answers[game(9).difference] = {"outcome": "N", "searched": 1}
    assert found_games(notebook)[0].agrees is False
    assert conclusions(notebook)[0].verdict is Verdict.FALSE


def test_nothing_is_claimed_that_was_not_computed(tmp_path: Path) -> None:
    nothing = Notebook(tmp_path / "study.jsonl")
    found = [one.found for one in conclusions(nothing)]
    assert found == ["nothing yet", "nothing yet", "0 on all; computed on 0", "nothing yet", "nothing yet"]
    assert found_of(nothing, empty(3, 5)).kind == "unknown"
    assert found_of(nothing, empty(4, 5)).how == "pairing strategy"
    assert found_games(nothing) == []


def test_what_is_expected_of_g() -> None:
    texts = ["^", "v", "^^", "0", "^3", "^3*", "^4", "^4*"]
    assert [game(n).expected for n in range(1, 9)] == texts
    assert Value(game(31).expected) is 16 * Value("^")


def test_the_questions() -> None:
    asked = list(questions())
    assert len(asked) == len(set(asked))
    assert empty(3, 7).value in asked
    assert game(31).value in asked
    assert all(question.board.count("|") < 9 for question in asked)
    assert empty_board(2, 3) == "***|***"
    assert {question.variant for question in asked if set(question.board) <= set("*|")} == {ALL_SMALL}
