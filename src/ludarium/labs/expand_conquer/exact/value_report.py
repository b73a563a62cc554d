"""The exact value of boards in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ludarium.cgt.summary import OUTCOMES, summary, text_or_none
from ludarium.cgt.values import Value

from .analysis import Analysis, Option


def report(analysis: Analysis) -> str:
    """Several lines: the value, what is known of it, the components, and both players' options with their values."""
    facts = summary(analysis.value)
    weight = facts["atomic_weight"]
    lines = _table(
        [
            ("value", _text(analysis.value)),
            ("braces", facts["braces"] or "too long"),
            ("outcome", f"{facts['outcome']}: {OUTCOMES[facts['outcome']]}"),
            ("mean", facts["mean"]),
            ("temperature", facts["temperature"]),
            ("stops", f"{facts['left_stop']} when Left moves first, {facts['right_stop']} when Right does"),
            ("atomic weight", "none" if weight is None else weight),
            ("birthday", str(facts["birthday"])),
            ("followers", f"{facts['followers']:,}"),
        ]
    )
    several = len(analysis.boards) > 1
    lines += ["", f"components: {len(analysis.parts) or 'none'}"]
    lines += _table(
        (f"{_board(one.place, several)}({one.piece.row},{one.piece.column})", one.piece.board, _text(one.value)) for one in analysis.parts
    )
    for name, side in zip(("Left", "Right"), analysis.options, strict=True):
        lines += ["", f"{name} can move to {len(side)} boards" if len(side) != 1 else f"{name} can move to 1 board"]
        lines += _table((_actions(one, several), _text(one.value), _verdict(name, one)) for one in side)
    return "\n".join(lines)


def _table(rows: Iterable[Sequence[str]]) -> list[str]:
    """Lines whose cells stand below each other; the last cells take what they need."""
    cells = [list(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(cell.ljust(min(width, 60)) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]


def _board(place: int, several: bool) -> str:
    return f"board {place + 1} " if several else ""


def _actions(option: Option, several: bool) -> str:
    return _board(option.place, several) + " ".join(option.move.actions)


def _text(value: Value | None) -> str:
    if value is None:
        return "not computed"
    text = text_or_none(value)
    return text if text is not None else f"a value of {value.follower_count:,} followers, too long to be written"


def _verdict(name: str, option: Option) -> str:
    return "" if option.wins is None else f"{name} wins" if option.wins else f"{name} loses"
