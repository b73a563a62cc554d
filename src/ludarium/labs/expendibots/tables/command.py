"""``ludarium expendibots tables``: all positions with few tokens."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from ludarium.cli.common import number_option, screen
from ludarium.errors import BadOption

if TYPE_CHECKING:
    from ludarium.games.expendibots.endgames.known import EndgameTables

    from .counting import Statistics

NAMES = {-1: "loss", 0: "draw", 1: "win"}


def command(
    tokens: Annotated[
        int | None, number_option(4, 5, "Make the tables of at most so many tokens, 4 or 5, and keep them.", "--tokens")
    ] = None,
    position: Annotated[
        str | None, typer.Option("--position", metavar="TEXT", help="Say who wins this position, how soon and how.")
    ] = None,
    verify: Annotated[bool, typer.Option("--verify", help="Check that every entry follows from its successors.")] = False,
    statistics: Annotated[bool, typer.Option("--statistics", help="Count what is won, drawn and lost, and tell the longest wins.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON, with --position.")] = False,
) -> None:
    """Solve all positions with few tokens, check them, count them, or ask about one. Without options: what is kept, and where.

    Those of 4 tokens are made by whoever needs them, in a second or two; those of 5 take about half a minute, and 52 MB. Repetition and the limit on
    turns are left aside.
    """
    if as_json and position is None:
        raise BadOption("--json tells of one position: give --position as well")
    if tokens is not None:
        _make(tokens)
    if position is not None:
        _ask(position, as_json)
    if verify:
        _verify()
    if statistics:
        _count()
    if tokens is None and position is None and not (verify or statistics):
        _list()


def _make(tokens: int) -> None:
    from ludarium.cli.live_line import LiveLine
    from ludarium.games.expendibots.endgames.keeping import make

    with LiveLine("nothing was kept") as line:
        made = make(tokens, line.show)
    screen().print(f"solved in {line.seconds:.1f} s: {_kept(made)}", soft_wrap=True)


def _kept(endgames: EndgameTables) -> str:
    from ludarium.games.expendibots.endgames.keeping import files_of

    outcomes, distances = files_of(endgames.most)
    sizes = f"outcomes {outcomes.stat().st_size / 1e6:.1f} MB, distances {distances.stat().st_size / 1e6:.1f} MB"
    return f"all positions of at most {endgames.most} tokens ({sizes}, in {outcomes.parent})"


def _list() -> None:
    from ludarium.games.expendibots.endgames.index import MOST
    from ludarium.games.expendibots.endgames.keeping import load

    found = [endgames for most in range(2, MOST + 1) if (endgames := load(most))]
    for endgames in found:
        screen().print(_kept(endgames), soft_wrap=True)
    if not found or found[-1].most < MOST:
        screen().print(f"Those of {MOST} tokens are made by 'ludarium expendibots tables --tokens {MOST}'.", soft_wrap=True)


def _ask(text: str, as_json: bool) -> None:
    from .asking import ask

    state, value, best = ask(text)
    outcome, distance = NAMES[(value > 0) - (value < 0)], abs(value) or None
    actions = [action.text for action in best]
    if as_json:
        print(json.dumps({"position": state.text, "outcome": outcome, "distance": distance, "actions": actions}))
        return
    screen().print(f"outcome   {outcome}", f"distance  {distance or 'none'}", f"actions   {' '.join(actions)}", sep="\n", soft_wrap=True)


def _verify() -> None:
    from ludarium.cli.live_line import LiveLine
    from ludarium.games.expendibots.endgames.keeping import endgames

    from .verifying import verify

    known = endgames()
    with LiveLine("no wrong entry was found so far") as line:
        seen = verify(known, line.show)
    screen().print(
        f"{seen:,} positions up to symmetry, of at most {known.most} tokens: each follows from its successors ({line.seconds:.1f} s)",
        soft_wrap=True,
    )


def _count() -> None:
    from ludarium.cli.live_line import LiveLine
    from ludarium.games.expendibots.endgames.keeping import endgames

    from .counting import statistics

    with LiveLine("they are not all counted") as line:
        found = statistics(endgames(), line.show)
    print("\n".join(_table(found)))


def _table(found: list[Statistics]) -> list[str]:
    """As it stands in the documentation."""
    heads = ("tokens", "positions", "up to symmetry", "won %", "drawn %", "lost %", "longest win", "longest loss")
    rows = [
        (
            f"{one.own} v {one.other}",
            f"{one.positions:,}",
            f"{one.up_to_symmetry:,}",
            *(_share(part, one.positions) for part in (one.won, one.drawn, one.lost)),
            str(one.longest_win or "none"),
            str(one.longest_loss or "none"),
        )
        for one in found
    ]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in (heads, *rows)]
    longest = [f"{one.own} v {one.other}  {one.longest_win:>2} plies  {one.win}" for one in found if one.longest_win]
    return [*lines, "", "longest wins", *longest]


def _share(part: int, whole: int) -> str:
    """In hundredths of a percent; few are not said to be none, nor most all."""
    if part in (0, whole):
        return "100" if part else "0"
    share = f"{100 * part / whole:.2f}"
    return {"0.00": "<0.01", "100.00": ">99.99"}.get(share, share)
