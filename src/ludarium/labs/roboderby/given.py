"""The game's options as the commands take them: by ``-o``, and some by a flag of their own."""

from __future__ import annotations

from collections.abc import Sequence

from ludarium.core.options import parse_assignments
from ludarium.errors import BadOption


def given_options(assignments: Sequence[str] | None, **flags: str | None) -> dict[str, str]:
    """All options by name, those of the flags among them.

    Raises:
        BadOption: no assignment, or an option that is given twice.
    """
    given = parse_assignments(assignments or [])
    for name, value in flags.items():
        if value is not None and name in given:
            raise BadOption(f"{name} is given twice: as --{name} {value} and as -o {name}={given[name]}")
    return given | {name: value for name, value in flags.items() if value is not None}
