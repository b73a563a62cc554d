"""What the paper says of the normal variant: sections 1 to 3, and the figures in section 4 that belong to it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from ludarium.cgt import Value
from ludarium.cgt.positions.boards import MOST_SQUARES
from ludarium.games.expand_conquer.notation import board_text, read_board

from .statement import NORMAL, Statement, Verdict, compared, for_all, judged, lost, moves_of, value_of


def _nobody_can_move() -> Statement:
    found = ", ".join(sorted({value_of(board).unicode for board in ("O", "X", "OX", "OX|XO")}))
    note = "The figure is lost; these four boards are full."
    return judged("Figure 8", "A board on which nobody can move is 0.", "0", found, "OX|XO", note=note)


def _board_string() -> Statement:
    board = "X*O*O|****O"
    rows, columns, squares = read_board(board)
    where = {
        mark: " ".join(f"({cell // columns},{cell % columns})" for cell, owner in enumerate(squares) if owner == number)
        for number, mark in ((1, "O"), (2, "X"))
    }
    found = f"{rows}×{columns}; O at {where['O']}; X at {where['X']}"
    expected = "2×5; O at (0,2) (0,4) (1,4); X at (0,0)"
    holds = found == expected and board_text(squares, columns) == board
    note = f"The paper gives no value; it is {value_of(board).unicode}."
    return judged("Definition 3.4, figure 11", "The string X*O*O|****O names a board.", expected, found, board, holds=holds, note=note)


def _swapped_parts() -> Statement:
    first, second = value_of("X***O*O"), value_of("X*O*O")
    expected, found = "½ and ⅛", f"{first.unicode} and {second.unicode}"
    swapped = (first.number, second.number) == (Fraction(1, 8), Fraction(1, 2))
    verdict = Verdict.TRUE if found == expected else Verdict.MISPRINT if swapped else Verdict.FALSE
    return Statement(
        "Section 3.1, figure 14",
        "The parts X***O*O and X*O*O are ½ and ⅛.",
        expected,
        found,
        verdict,
        "The text swaps the two, against its own theorem 3.5; the sum does not change." if swapped else "",
        ("X***O*O", "X*O*O"),
    )


def row_worth(number: Fraction) -> str:
    """A board of one row that is worth a dyadic number, built as the proof of corollary 3.8 says: a part for the integer, and one for each binary digit."""
    size = abs(number)
    parts = ["*" * int(size) + "O"] if size >= 1 else []
    rest = size - int(size)
    for k in range(1, rest.denominator.bit_length()):
        if rest * 2**k % 2 >= 1:
            parts.append("X" + "*" * k + "O*O")
    board = "".join(parts) or "OX"
    return board.translate(str.maketrans("OX", "XO")) if number < 0 else board


def _every_dyadic() -> Statement:
    numbers = [Fraction(count, 16) for count in range(-64, 65)]
    wrong = [str(number) for number in numbers if value_of(row_worth(number)).number != number]
    found = f"not {', '.join(wrong[:3])}" if wrong else f"all {len(numbers)} numbers m/16 from −4 to 4"
    return judged(
        "Corollary 3.8",
        "Every dyadic rational is the value of a board with one row.",
        "every number",
        found,
        row_worth(Fraction(-7, 4)),
        holds=not wrong,
        note="Built as the proof says, with one part for each binary digit.",
    )


def _one_can_move() -> Statement:
    left, right = (len(moves_of("O*****", NORMAL, side)) for side in "LR")
    found = f"Left {left}, Right {right}"
    return judged("Figure 17", "Blue has a move, and red has none.", "Left 1, Right 0", found, "O*****", note="The moves of each.")


def _shut_in() -> Statement:
    boards = [
        board
        for board in map("".join, product("*OX", repeat=4))
        if board.count("X") == 1 and moves_of(board, NORMAL, "L") and not moves_of(board, NORMAL, "R")
    ]
    return judged(
        "Figure 18",
        "A red piece that blue pieces isolate cannot expand, though there is room.",
        "such boards",
        f"{len(boards)} with 1×4 squares" if boards else "none with 1×4 squares",
        *(board for board in boards if board == "OXO*"),
        holds=bool(boards),
        note=f"The figure is lost. Only Left can move on {', '.join(boards)}." if boards else "The figure is lost.",
    )


NORMAL_STATEMENTS: tuple[Callable[[], Statement], ...] = (
    lambda: lost("Figure 3", "Red has nothing to play after blue expands, so blue wins.", "The figure is lost."),
    lambda: lost(
        "Section 2, figures 4–7",
        "The example's start is 0: whoever moves second wins.",
        "The figures are lost, and the text does not determine the board.",
    ),
    _nobody_can_move,
    lambda: compared("Figure 9", "Blue alone with one move is 1.", "O*", 1),
    lambda: for_all(
        "Theorem 3.2",
        "Blue in the corner with n blank squares next to it is n; red is −n.",
        "n",
        lambda n: value_of("O" + "*" * n).number == n and value_of("X" + "*" * n).number == -n,
        MOST_SQUARES - 1,
        "O***",
        "X***",
    ),
    lambda: compared("Figure 10", "Five blank squares next to blue are 5.", "O*****", 5),
    _board_string,
    lambda: for_all(
        "Theorem 3.5",
        "X, k blank squares and O*O are 1/2ᵏ.",
        "1/2ᵏ",
        lambda k: value_of("X" + "*" * k + "O*O").number == Fraction(1, 1 << k),
        MOST_SQUARES - 4,
        "XO*O",
        "X**O*O",
        variable="k",
        note="The proof's induction step has indices that are one too small; the argument stands.",
    ),
    lambda: for_all(
        "Lemma 3.6",
        "X, m blank squares and O are 0 if m is even and * if m is odd.",
        "0 or *",
        lambda m: value_of("X" + "*" * m + "O") is Value.nimber(m % 2),
        MOST_SQUARES - 2,
        "X**O",
        "X***O",
        variable="m",
        so="so",
    ),
    lambda: compared("Figure 12", "The board in the figure is ⅛.", "X***O*O", Fraction(1, 8), note="Rebuilt from theorem 3.5 with k = 3."),
    lambda: compared("Figure 13", "Joined by OX, two games add up to ⅝.", "X***O*OX*O*O", Fraction(5, 8)),
    _swapped_parts,
    _every_dyadic,
    lambda: compared("Figure 15", "The board is 21/8.", "**OX***O*OX*O*O", Fraction(21, 8), note="Rebuilt from the text."),
    lambda: judged(
        "Figure 16",
        "Its parts are 2 and, once more, ⅛ and ½.",
        "2 + ⅛ + ½",
        " + ".join(value_of(board).unicode for board in ("**O", "X***O*O", "X*O*O")),
    ),
    _one_can_move,
    lambda: compared("Section 4", "The board of figure 17 is 5 in the normal variant.", "O*****", 5),
    _shut_in,
)
