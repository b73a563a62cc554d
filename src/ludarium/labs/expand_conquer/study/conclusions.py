"""What becomes of the paper's two conjectures, as far as a study has come, and of what was found beyond the first."""

from __future__ import annotations

from collections.abc import Sequence

from .findings import Found, found, found_boards, found_odd_boards
from .notebook import Notebook
from .statement import Statement, Verdict, judged
from .subjects import MOST_G, MOST_SQUARES, empty_board, game


def conclusions(notebook: Notebook) -> list[Statement]:
    """Conjecture 4.2, its complement, and conjecture 5.1 in three parts."""
    odd, even = range(1, MOST_G + 1, 2), range(6, MOST_G + 1, 2)
    return [
        _games(notebook, odd, "Conjecture 4.2", "g₂ₙ₋₁ = ↑n.", "↑n", "g₈, where the paper's program failed, takes a moment now."),
        _games(notebook, even, "Beyond the paper", "g₂ₙ = ↑n* from n = 3 on.", "↑n*", "Not in the paper."),
        _even_boards(notebook),
        _odd_rows(notebook),
        _odd_boards(notebook),
    ]


def _agreeing(several: Sequence[Found]) -> int:
    """How many agree before the first that is not known or does not."""
    return next((place for place, one in enumerate(several) if not one.agrees), len(several))


def _wrong(several: Sequence[Found]) -> list[Found]:
    return [one for one in several if one.agrees is False]


def _so_far(place: str, claim: str, expected: str, several: Sequence[Found], found: str, note: str, board: str) -> Statement:
    """A statement about a series without end: false with its first counterexample, else true so far."""
    wrong = _wrong(several)
    verdict = Verdict.FALSE if wrong else Verdict.SO_FAR
    return Statement(place, claim, expected, f"not {wrong[0].name}" if wrong else found, verdict, note, (board,))


def _games(notebook: Notebook, numbers: range, place: str, claim: str, expected: str, note: str) -> Statement:
    games = [found(notebook, game(n)) for n in numbers]
    count = _agreeing(games)
    if not count:
        text = "nothing yet"
    else:
        text = f"{expected} up to {games[count - 1].name}, n ≤ {(numbers[count - 1] + 1) // 2}"
        note += f" These are all that fit on {MOST_SQUARES} squares." if count == len(numbers) else ""
    return _so_far(place, claim, expected, games, text, note, games[0].subject.board)


def _even_boards(notebook: Notebook) -> Statement:
    boards = [board for board in found_boards(notebook) if board.subject.proof]
    wrong = _wrong(boards)
    return judged(
        "Conjecture 5.1",
        "An empty m×n board is 0 if mn is even.",
        "0",
        f"not {wrong[0].name}" if wrong else f"0 on all; computed on {sum(board.how.startswith('value') for board in boards)}",
        empty_board(2, 3),
        holds=not wrong,
        note="" if wrong else "Proved by the pairing strategy; the values that were computed agree.",
    )


def _odd_rows(notebook: Notebook) -> Statement:
    rows = [board for board in found_boards(notebook) if board.subject.rows == 1 and not board.subject.proof]
    count = _agreeing(rows)
    text = f"* up to {rows[count - 1].name}" if count else "nothing yet"
    return _so_far("Conjecture 5.1", "An empty 1×n board is * if n is odd.", "*", rows, text, "", empty_board(1, 5))


def _odd_boards(notebook: Notebook) -> Statement:
    decided = [board for board in found_odd_boards(notebook) if board.subject.rows > 1 and board.agrees is not None]
    claim = "An empty m×n board is * if mn is odd, with m and n at least 3."
    wrong = _wrong(decided)
    if not wrong:
        text = f"* up to {decided[-1].name}" if decided else "nothing yet"
        return Statement("Conjecture 5.1", claim, "*", text, Verdict.SO_FAR)
    stars = ", ".join(board.name for board in decided if board.agrees)
    note = f"Not * on {', '.join(board.name for board in wrong)}; {f'* on {stars}' if stars else 'no such board was found to be *'}."
    first = wrong[0]
    text = f"{first.name} is {first.text or 'not *'}"
    return Statement("Conjecture 5.1", claim, "*", text, Verdict.FALSE, note, (first.subject.board,))
