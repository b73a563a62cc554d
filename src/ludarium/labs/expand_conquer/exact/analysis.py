"""What is said about the exact value of boards: the value, what it is the sum of, and what both players can do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ludarium.cgt.engine.store import Graph, store
from ludarium.cgt.positions.exploration import explore
from ludarium.cgt.positions.ruleset import sum_of_terms
from ludarium.cgt.summary import summary, text_or_none
from ludarium.cgt.values import Value
from ludarium.errors import TooLarge
from ludarium.games.expand_conquer.boards import Board, Move, Piece
from ludarium.games.expand_conquer.values import ExpandConquerRuleset

FEW_BYTES = 1 << 20
"""The memory for positions of a component that the value of the whole did not need, since its negative is there too."""

Progress = Callable[[int, int | None], None]


class Part(NamedTuple):
    """A component of a board (the place of that among the boards, from 0), and its value; None where that was not found at little cost."""

    place: int
    piece: Piece
    value: Value | None


class Option(NamedTuple):
    """A move on a board (the place of that among the boards, from 0), the value of all boards after it, and whether the player then wins."""

    place: int
    move: Move
    value: Value | None
    wins: bool | None


class Analysis(NamedTuple):
    """The sum of some boards. ``options`` are Left's and Right's; their values are None where they were not asked for."""

    boards: tuple[Board, ...]
    variant: str
    value: Value
    parts: tuple[Part, ...]
    options: tuple[tuple[Option, ...], tuple[Option, ...]]


def analyse(
    boards: Sequence[Board], variant: str, *, with_options: bool = True, progress: Progress | None = None, most_bytes: int | None = None
) -> Analysis:
    """The exact value of the sum of boards.

    Args:
        boards: one or more.
        variant: ``normal`` or ``all-small``.
        with_options: whether the values of both players' options are wanted too.
        progress: told how many positions are found (and None), then how many of how many are evaluated.
        most_bytes: the memory that positions, and the values of this process, may take; half of the machine's if left out.

    Raises:
        TooLarge: it would take more.
        BadOption: no such variant.
    """
    ruleset = ExpandConquerRuleset(variant)
    limit = store.most_bytes if most_bytes is None else most_bytes
    all_small = variant == "all-small"
    pieces = [(place, one) for place, board in enumerate(boards) for one in board.pieces(all_small)]
    moves = [[(place, one) for place, board in enumerate(boards) for one in board.moves(all_small, player)] for player in range(2)]
    wanted = {one.words.tobytes(): one.words for side in (pieces, *(moves if with_options else ())) for _, one in side}
    graph, roots, known = explore(ruleset.tables, [board.words for board in boards], limit, progress, list(wanted.values()))
    total = len(graph.order)
    store.evaluate(graph, limit, None if progress is None else lambda done: progress(done, total))
    value = sum_of_terms(graph, _without_negatives(term for terms in roots for term in terms))
    values = {
        key: _small_value(ruleset, words, limit) if terms is None else sum_of_terms(graph, terms)
        for (key, words), terms in zip(wanted.items(), known, strict=True)
    }
    rests = [_rest(graph, roots, place) if with_options else value for place in range(len(boards))]

    def option(player: int, place: int, move: Move) -> Option:
        own = values.get(move.words.tobytes()) if with_options else None
        if own is None:
            return Option(place, move, None, None)
        reached = own + rests[place]
        return Option(place, move, reached, reached <= 0 if player else reached >= 0)

    left, right = (tuple(option(player, *one) for one in side) for player, side in enumerate(moves))
    return Analysis(
        tuple(boards), variant, value, tuple(Part(place, one, values[one.words.tobytes()]) for place, one in pieces), (left, right)
    )


def _rest(graph: Graph, roots: Sequence[list[int]], place: int) -> Value:
    """The sum of all boards but one."""
    return sum_of_terms(graph, _without_negatives(term for other, terms in enumerate(roots) if other != place for term in terms))


def _without_negatives(terms: Iterable[int]) -> list[int]:
    """The terms of a sum without those that cancel."""
    kept: list[int] = []
    for term in terms:
        if term ^ 1 in kept:
            kept.remove(term ^ 1)
        else:
            kept.append(term)
    return kept


def _small_value(ruleset: ExpandConquerRuleset, words: np.ndarray, most_bytes: int) -> Value | None:
    """The value of what has few positions, None for others."""
    try:
        graph, (terms,), _ = explore(ruleset.tables, [words], min(FEW_BYTES, most_bytes))
        store.evaluate(graph, most_bytes)
        return sum_of_terms(graph, terms)
    except TooLarge:
        return None


def json_object(analysis: Analysis, *, with_options: bool = True) -> dict[str, Any]:
    """The analysis as one JSON object; see the page Expand and Conquer of the documentation."""
    facts = summary(analysis.value)
    left, right = analysis.options
    at = list(facts).index("followers")
    before, after = list(facts.items())[:at], list(facts.items())[at:]
    found: dict[str, Any] = {"board": " + ".join(board.text for board in analysis.boards), "variant": analysis.variant}
    found |= {**dict(before), "n_left": len(left), "n_right": len(right), **dict(after)}

    def text(value: Value | None) -> str | None:
        return facts["canonical"] if value is analysis.value else None if value is None else text_or_none(value)

    found["components"] = [
        {"board": one.piece.board, "of": one.place, "at": f"({one.piece.row},{one.piece.column})", "canonical": text(one.value)}
        for one in analysis.parts
    ]
    if with_options:
        for name, side in (("left_options", left), ("right_options", right)):
            found[name] = [
                {
                    "of": one.place,
                    "actions": list(one.move.actions),
                    "board": " + ".join(
                        one.move.board if place == one.place else board.text for place, board in enumerate(analysis.boards)
                    ),
                    "canonical": text(one.value),
                    "outcome": None if one.value is None else one.value.outcome,
                    "wins": one.wins,
                }
                for one in side
            ]
    return found
