"""The summary of one series of games or of several beside each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .findings import Findings


def heading(found: Findings, wanted: int) -> str:
    """What was played."""
    cut = f" of {wanted:,}, then stopped" if found.count < wanted else ""
    specs = found.series.players
    players = f"all {specs[0]}" if len(set(specs)) == 1 < len(specs) else " against ".join(specs)
    return f"{found.count:,} game{'s' * (found.count != 1)}{cut}: {found.title}; {players}; seed {found.series.seed}"


def summary(found: Sequence[Findings]) -> list[tuple[str, list[str], str]]:
    """Lines with a name, a text from each series (– where it has none) and a note."""
    by_name = [{line.name: line for line in one.lines()} for one in found]
    names = _in_order(by_name)
    return [
        (
            name,
            [lines[name].text if name in lines else "–" for lines in by_name],
            next(lines[name].note for lines in by_name if name in lines) if len(found) == 1 else "",
        )
        for name in names
    ]


def _in_order(several: Sequence[Iterable[str]]) -> list[str]:
    """All names, each once; what not all have stands after what is before it where there is some."""
    names: list[str] = []
    for own in several:
        place = 0
        for name in own:
            if name not in names:
                names.insert(place, name)
            place = names.index(name) + 1
    return names
