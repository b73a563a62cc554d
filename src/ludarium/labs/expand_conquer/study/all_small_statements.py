"""What the paper says of the all-small variant: sections 4 and 5."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from ludarium.cgt import Value
from ludarium.core.game import State
from ludarium.games.expand_conquer.game import ExpandConquer
from ludarium.games.expand_conquer.notation import board_text

from .statement import ALL_SMALL, NORMAL, SUBSCRIPTS, Statement, Verdict, compared, for_all, judged, lost, moves_of, value_of
from .subjects import board_of_g, empty_board

TABLE_1 = {1: ("^", 1), 2: ("v", -1), 3: ("^^", 2), 4: ("0", 0), 5: ("^3", 3), 6: ("^3*", 3), 7: ("^4", 4)}
"""The paper's table 1: canonical form and atomic weight of g_n."""

PAIRED = ((1, 8), (2, 4), (2, 5), (3, 4))
"""Empty boards, rows and columns, on which the pairing strategy is played through."""


def _both_can_move() -> Statement:
    """Whether the added rule makes the variant all-small: on every small board both players can move, or neither can."""
    sizes = ((1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (2, 2), (2, 3))
    counts = {NORMAL: 0, ALL_SMALL: 0}
    boards = 0
    for rows, columns in sizes:
        for squares in product(range(3), repeat=rows * columns):
            boards += 1
            board = board_text(squares, columns)
            for variant in counts:
                counts[variant] += bool(moves_of(board, variant, "L")) != bool(moves_of(board, variant, "R"))
    return judged(
        "Definition 4.1",
        "The added rule makes the game all-small: both players can move, or neither.",
        "always",
        f"not on {counts[ALL_SMALL]:,} of {boards:,} boards" if counts[ALL_SMALL] else f"always, on {boards:,} boards",
        holds=not counts[ALL_SMALL],
        note=f"All boards of up to five squares in a row, 2×2 and 2×3. The normal variant has {counts[NORMAL]:,} exceptions.",
    )


def _footnote() -> Statement:
    found = value_of("O*****", ALL_SMALL).unicode
    verdict = Verdict.TRUE if found == "*3" else Verdict.MISPRINT if found == "*" else Verdict.FALSE
    note = "The value is *; the 3 is the mark of a footnote." if found == "*" else ""
    return Statement("Section 4", "The board of figure 17 is *3 in the all-small variant.", "*3", found, verdict, note, ("O*****",))


def _figure_19() -> Statement:
    board = "XO*|***|*XO"
    state = ExpandConquer(variant=ALL_SMALL, start=board).start()
    expected = {"(0,1)": "XOO|*O*|*XO", "(2,2)": "XO*|**O|*XO", "+(1,0)": "XO*|O**|*XO", "+(2,0)": "XO*|***|OXO"}
    found = {action.text: state.play(action).text.split()[0] for action in state.actions()}
    return judged(
        "Figure 19",
        "O has two expansions, to (1,1) (0,2) and to (1,2), and may place at (1,0) and (2,0).",
        "2 and 2",
        f"{sum('+' not in name for name in found)} and {sum('+' in name for name in found)}",
        board,
        holds=found == expected,
        note=f"The squares agree as well. The value is {value_of(board, ALL_SMALL).unicode}.",
    )


def _up() -> Statement:
    found = value_of("X*O*", ALL_SMALL)
    holds = found is Value.from_options([0], [Value.nimber(1)]) and found is Value("^")
    note = "The figure is lost; X*O* is g₁."
    return judged("Figure 20", "↑ = {0|*} is easy to achieve.", "↑", found.unicode, "X*O*", holds=holds, note=note)


def _wrong_board() -> Statement:
    boards = board_of_g(3), board_of_g(2)
    found, meant = (value_of(board, ALL_SMALL).unicode for board in boards)
    verdict = Verdict.TRUE if found == "↓" else Verdict.MISPRINT if meant == "↓" else Verdict.FALSE
    note = "↓ is the value of X*O*O*, g₂; the table below it has both right." if verdict is Verdict.MISPRINT else ""
    return Statement("Section 4.1", "X*O*O*O* is ↓.", "↓", found, verdict, note, boards)


def _row_of_table_1(n: int) -> Callable[[], Statement]:
    def statement() -> Statement:
        value, weight = (Value(one) for one in TABLE_1[n])
        found = value_of(board_of_g(n), ALL_SMALL)
        return judged(
            f"Table 1, row {n}",
            f"g{str(n).translate(SUBSCRIPTS)} and its atomic weight.",
            f"{value.unicode}, {weight.unicode}",
            f"{found.unicode}, {found.atomic_weight.unicode}",
            board_of_g(n),
            holds=found is value and found.atomic_weight is weight,
        )

    return statement


def _pairing() -> Statement:
    """The reason why empty boards with an even number of squares are 0, played through on small ones."""
    counts = [_answered(rows, columns) for rows, columns in PAIRED]
    turns, answered = (sum(count) for count in zip(*counts, strict=True))
    sizes = ", ".join(f"{rows}×{columns}" for rows, columns in PAIRED)
    return judged(
        "Section 5",
        "No reason is known for conjecture 5.1. For even boards this is one: answer in the mirror, in the other colour.",
        "always possible",
        f"{answered:,} of {turns:,} turns answered",
        empty_board(2, 4),
        holds=answered == turns,
        note=f"Played through on {sizes}. The two squares of a pair across the middle never get one colour, so no group crosses it, and the mirrored move is "
        "always there.",
    )


def _answered(rows: int, columns: int) -> tuple[int, int]:
    """How many turns the first player has in all positions that the mirrored answers lead to, and how many of them the mirrored move answers."""
    game = ExpandConquer(variant=ALL_SMALL, start="empty", rows=rows, columns=columns)

    def is_symmetric(state: State) -> bool:
        """Whether the board is its own mirror image with the colours exchanged; the mirror halves a side with an even number of squares."""
        squares = game.squares(state)
        lines = [squares[at : at + columns] for at in range(0, rows * columns, columns)]
        mirrored = [line[::-1] for line in lines] if columns % 2 == 0 else lines[::-1]
        return [(0, 2, 1)[owner] for line in mirrored for owner in line] == squares

    start = game.start()
    seen, waiting = {start.text}, [start]
    turns = answered = 0
    while waiting:
        state = waiting.pop()
        for action in state.actions():
            turns += 1
            reached = state.play(action)
            answers = () if reached.is_over else reached.actions()
            symmetric = next((found for found in map(reached.play, answers) if is_symmetric(found)), None)
            if symmetric is None:
                continue
            answered += 1
            if not symmetric.is_over and symmetric.text not in seen:
                seen.add(symmetric.text)
                waiting.append(symmetric)
    return turns, answered


ALL_SMALL_STATEMENTS: tuple[Callable[[], Statement], ...] = (
    _both_can_move,
    _footnote,
    _figure_19,
    _up,
    lambda: compared("Section 4.1", "X*O*O*O*O* is 0.", board_of_g(4), 0, variant=ALL_SMALL),
    _wrong_board,
    lambda: compared("Section 4.1", "X*O*O*O*O*O* is ↑3.", board_of_g(5), "^3", variant=ALL_SMALL),
    lambda: compared(
        "Figure 21",
        "⇑ is the value of a board in one row.",
        board_of_g(3),
        "^^",
        variant=ALL_SMALL,
        note="The figure is lost; by table 1 it is g₃.",
    ),
    *(_row_of_table_1(n) for n in TABLE_1),
    lambda: for_all("Section 4.1", "The atomic weight of n·↑ is n.", "n", lambda n: (n * Value("^")).atomic_weight is Value(n), 32),
    _pairing,
    lambda: lost(
        "Figure 22",
        "The symmetric start is a win for whoever moves first or for whoever moves second.",
        "The figure is lost. Symmetric starts of this kind are decided below.",
    ),
)
