"""``ludarium expand-conquer solve``: who wins boards whose values are too large."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .arguments import AS_JSON, BOARDS, LIMIT, VARIANT, memory_option

if TYPE_CHECKING:
    from ludarium.games.expand_conquer.boards import Board

    from .solving import Solution, Winning

UNDECIDED = 3
"""The exit code when the time was up."""


def command(
    boards: Annotated[list[str], BOARDS],
    variant: Annotated[str, VARIANT] = "normal",
    plus: Annotated[
        str | None,
        typer.Option(
            "--plus", metavar="VALUE", help="Add a value, such as '*' or '-1/2': the board equals *, if with '*' the outcome is P."
        ),
    ] = None,
    limit: Annotated[float | None, LIMIT] = None,
    memory: Annotated[int | None, memory_option(16, "2048", "What it may take; less only makes it slower.")] = None,
    as_json: Annotated[bool, AS_JSON] = False,
) -> None:
    """Print who wins a board with either player to begin, and an action that wins, by searching and without the board's value.

    Boards have up to 64 squares. Several of them, or boards joined by +, are added. The exit code is 3 if it is not decided within --limit.
    """
    from ludarium.cgt.solving.solver import MOST_BYTES
    from ludarium.cgt.values import Value
    from ludarium.games.expand_conquer.boards import read_boards

    from .progress import Watch
    from .solving import solve

    wanted = read_boards(boards)
    added = None if plus is None else Value(plus)
    with Watch(when_stopped="0 positions searched") as watch:
        found = solve(
            wanted,
            variant,
            plus=added,
            seconds=limit,
            progress=lambda searched: watch.show(f"{searched:,} positions searched"),
            most_bytes=MOST_BYTES if memory is None else memory << 20,
        )
    print(json.dumps(_as_json(wanted, variant, added, found), ensure_ascii=False) if as_json else _report(wanted, found))
    if found.outcome.letter is None:
        print(f"not decided within {limit:g} s: {found.outcome.searched:,} positions searched", file=sys.stderr, flush=True)
        raise typer.Exit(UNDECIDED)


def _report(boards: list[Board], found: Solution) -> str:
    from ludarium.cgt.summary import OUTCOMES

    letter = found.outcome.letter
    lines = ["outcome      ?" if letter is None else f"outcome      {letter}: {OUTCOMES[letter]}"]
    sides = (("Left", "Right", found.outcome.left_begins, found.left), ("Right", "Left", found.outcome.right_begins, found.right))
    for player, opponent, wins, winning in sides:
        start = f"{player} begins".ljust(13)
        if wins is None:
            lines.append(f"{start}not decided")
        elif wins:
            lines.append(f"{start}{player} wins{_how(boards, winning)}")
        else:
            lines.append(f"{start}{opponent} wins, whatever {player} does")
    lines.append(f"searched     {found.outcome.searched:,} position{'s' * (found.outcome.searched != 1)} in {found.seconds:.2f} s")
    return "\n".join(lines)


def _how(boards: list[Board], winning: Winning | None) -> str:
    if winning is None:
        return "; with which action was not found in time"
    if winning.action is None:
        return " by a move in the value that was added"
    where = f" on board {winning.number + 1}" if len(boards) > 1 else ""
    return f" with {winning.action}{where}, which leaves {winning.board}"


def _as_json(boards: list[Board], variant: str, plus: Any, found: Solution) -> dict[str, Any]:
    """Players who begin: whether they win, and what they do; null where that is not known or there is nothing."""

    def winning(one: Winning | None) -> dict[str, Any] | None:
        return None if one is None or one.action is None else {"board": one.number, "action": one.action, "leaves": one.board}

    return {
        "board": " + ".join(board.text for board in boards),
        "variant": variant,
        "plus": None if plus is None else str(plus),
        "outcome": found.outcome.letter,
        "left_wins_first": found.outcome.left_begins,
        "right_wins_first": found.outcome.right_begins,
        "left_action": winning(found.left),
        "right_action": winning(found.right),
        "searched": found.outcome.searched,
        "seconds": round(found.seconds, 3),
    }
