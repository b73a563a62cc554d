"""``ludarium roboderby par``: how many turns a board takes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer

from ludarium.cli.common import GameOptions, check_writable, notices, screen
from ludarium.cli.show import STANDARD_OUTPUT, Arguments, drawing_option
from ludarium.core.writing import write_text
from ludarium.errors import BadOption
from ludarium.games.roboderby.options import Rules
from ludarium.games.roboderby.sheets.boards import board_names
from ludarium.games.roboderby.solo.board import StartMark

from ..given import given_options
from .pars import Par, par_line, pars, shipped_pars

__all__ = ["Arguments", "command"]

LASERS_NOTE = "These pars are those of a robot that the board's lasers do not hurt; a real one can hope for nothing better."


def command(
    board: Annotated[
        str | None,
        typer.Option(
            "--board", metavar="BOARD", help="A demonstration board's name, or a deal: 'start pits cross walls @ 0 90 180 270 N'."
        ),
    ] = None,
    tiles: Annotated[str | None, typer.Option("--tiles", metavar="TILES", help="A tile set's name, or a file with tiles.")] = None,
    dice: Annotated[str | None, typer.Option("--dice", metavar="DICE", help="A dice set's name, or a TOML file with dice.")] = None,
    options: GameOptions = None,
    svg: Annotated[Path | None, drawing_option("a heat map for every start mark")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON.")] = False,
) -> None:
    """Print how many turns a board takes, on average, a robot alone that programs as well as possible: from each start mark, exactly.

    Without a board: the demonstration boards. A board that was computed once is known from then on.
    """
    given = given_options(options, board=board, tiles=tiles, dice=dice)
    rules = Rules.of(**given)
    if "board" not in given:
        if given or svg is not None or as_json:
            raise BadOption("which board? Give --board with a name, or with a deal such as 'start pits cross walls @ 0 90 180 270 N'")
        _print_demonstration_boards()
        return
    is_printed = svg is not None and str(svg) == STANDARD_OUTPUT
    if svg is not None and not is_printed:
        check_writable(svg)
    found = _pars(rules)
    if _has_lasers(rules):
        notices().print(LASERS_NOTE, soft_wrap=True)
    if svg is not None:
        from .heat_map import heat_map

        drawing = heat_map(rules, found)
        if is_printed:
            print(drawing, end="")
            return
        write_text(svg, drawing)
    if as_json:
        print(par_line(rules, found))
        return
    for par in found:
        screen().print(_line(par.mark.text, par.turns, has_way=par.racer.has_way), soft_wrap=True)


def _print_demonstration_boards() -> None:
    """From the shipped pars: nothing is computed."""
    with_lasers: list[str] = []
    for name in board_names():
        for variant in ("lap", "s-race"):
            rules = Rules(board=name, tiles=Rules.of(board=name).tiles, variant=variant)
            known = shipped_pars(rules)
            if known:
                screen().print(f"{name}, {variant}", soft_wrap=True)
                if _has_lasers(rules) and name not in with_lasers:
                    with_lasers.append(name)
                for mark, turns in known.items():
                    screen().print(_line(f"  {mark}", turns), soft_wrap=True)

    if with_lasers:
        notices().print(f"{', '.join(with_lasers)}: {LASERS_NOTE}", soft_wrap=True)


def _has_lasers(rules: Rules) -> bool:
    return len(rules.tile_set.all_lasers()) > 0


def _line(mark: str, turns: float, *, has_way: bool = True) -> str:
    if math.isfinite(turns):
        return f"{mark}  {turns:.2f} turns"
    return f"{mark}  {'the dice may keep one from the finish for ever' if has_way else 'no way leads to the finish'}"


def _pars(rules: Rules) -> tuple[Par, ...]:
    with notices().status("compiling or loading the solver") as status:

        def tell(mark: StartMark, number: int, error: float) -> None:
            status.update(f"from {mark.text}: round {number}, values still change by {error:.0e} turns")

        return pars(rules, tell)
