"""What becomes of the paper's two conjectures, as far as a study has come, and of what was found beyond the first."""

from __future__ import annotations

from collections.abc import Sequence

from .conjectures import BOARD_SIDE, LONGEST_ROW, MOST_G, MOST_SQUARES, board_of_g, empty_board, found_board, found_games
from .notebook import Notebook
from .statement import ALL_SMALL, SUBSCRIPTS, Statement, Verdict

__all__ = ["conclusions"]


def conclusions(notebook: Notebook) -> list[Statement]:
    """Conjecture 4.2, its complement, and conjecture 5.1 in three parts."""
    return [
        _games(
            notebook,
            range(1, MOST_G + 1, 2),
            "Conjecture 4.2",
            "g₂ₙ₋₁ = ↑n.",
            "↑n",
            "g₈, where the paper's program failed, takes a moment now.",
        ),
        _games(notebook, range(6, MOST_G + 1, 2), "Beyond the paper", "g₂ₙ = ↑n* from n = 3 on.", "↑n*", "Not in the paper."),
        _even_boards(notebook),
        _odd_rows(notebook),
        _odd_boards(notebook),
    ]


def _judged(agree: Sequence[bool | None]) -> tuple[int, int | None]:
    """How many agree before the first that is not known or does not, and the place of the first that does not."""
    count = next((place for place, one in enumerate(agree) if not one), len(agree))
    return count, agree.index(False) if False in agree else None


def _games(notebook: Notebook, numbers: range, place: str, claim: str, expected: str, note: str) -> Statement:
    known = {game.board: game.agrees for game in found_games(notebook)}
    count, wrong = _judged([known.get(board_of_g(n)) for n in numbers])
    boards = tuple((ALL_SMALL, board_of_g(n)) for n in numbers[:1])
    if wrong is not None:
        found = f"not g{str(numbers[wrong]).translate(SUBSCRIPTS)}"
        return Statement(place, claim, expected, found, Verdict.FALSE, note, boards)
    if not count:
        return Statement(place, claim, expected, "nothing yet", Verdict.SO_FAR, note, boards)
    found = f"{expected} up to g{str(numbers[count - 1]).translate(SUBSCRIPTS)}, n ≤ {(numbers[count - 1] + 1) // 2}"
    whole = f" These are all that fit on {MOST_SQUARES} squares." if count == len(numbers) else ""
    return Statement(place, claim, expected, found, Verdict.SO_FAR, note + whole, boards)


def _even_boards(notebook: Notebook) -> Statement:
    sizes = [(rows, columns) for rows in range(1, BOARD_SIDE + 1) for columns in range(rows, LONGEST_ROW + 1) if rows * columns % 2 == 0]
    boards = [found_board(notebook, *size) for size in sizes]
    valued = [board for board in boards if board.is_valued]
    wrong = [board for board in valued if not board.agrees]
    found = f"not {wrong[0].rows}×{wrong[0].columns}" if wrong else f"0 on all; computed on {len(valued)}"
    return Statement(
        "Conjecture 5.1",
        "An empty m×n board is 0 if mn is even.",
        "0",
        found,
        Verdict.FALSE if wrong else Verdict.TRUE,
        "Proved by the pairing strategy; the values that were computed agree." if not wrong else "",
        ((ALL_SMALL, empty_board(2, 3)),),
    )


def _odd_rows(notebook: Notebook) -> Statement:
    columns = range(1, LONGEST_ROW + 1, 2)
    count, wrong = _judged([found_board(notebook, 1, number).agrees for number in columns])
    found = f"* up to 1×{columns[count - 1]}" if count else "nothing yet"
    if wrong is not None:
        found = f"not 1×{columns[wrong]}"
    claim = "An empty 1×n board is * if n is odd."
    verdict = Verdict.SO_FAR if wrong is None else Verdict.FALSE
    return Statement("Conjecture 5.1", claim, "*", found, verdict, "", ((ALL_SMALL, empty_board(1, 5)),))


def _odd_boards(notebook: Notebook) -> Statement:
    sizes = [(rows, columns) for rows in range(3, BOARD_SIDE + 1, 2) for columns in range(rows, BOARD_SIDE + 1, 2)]
    decided = [board for board in (found_board(notebook, *size) for size in sizes) if board.agrees is not None]
    wrong = [board for board in decided if not board.agrees]
    claim = "An empty m×n board is * if mn is odd, with m and n at least 3."
    if not decided:
        return Statement("Conjecture 5.1", claim, "*", "nothing yet", Verdict.SO_FAR)
    if not wrong:
        found = f"* up to {decided[-1].rows}×{decided[-1].columns}"
        return Statement("Conjecture 5.1", claim, "*", found, Verdict.SO_FAR)
    names = ", ".join(f"{board.rows}×{board.columns}" for board in wrong)
    stars = ", ".join(f"{board.rows}×{board.columns}" for board in decided if board.agrees)
    note = f"Not * on {names}; {f'* on {stars}' if stars else 'no such board was found to be *'}."
    first = wrong[0]
    found = f"{first.rows}×{first.columns} is {first.text}" if first.text else f"{first.rows}×{first.columns} is not *"
    return Statement("Conjecture 5.1", claim, "*", found, Verdict.FALSE, note, ((ALL_SMALL, empty_board(first.rows, first.columns)),))
