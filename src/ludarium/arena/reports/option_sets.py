"""Option sets of a tournament: what they are called, and the players' results with each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ludarium.arena.store import CompetitionRow, Database, points_by_options
from ludarium.arena.tournament import OPTION_SETS, TournamentResult

from .table import Cell

Options = Mapping[str, Any]


@dataclass(frozen=True)
class SetResults:
    """The players' results with one option set."""

    name: str
    cells: tuple[Cell, ...]
    """Points and games of each player, in the order of the table."""


def shared_options(option_sets: Sequence[Options]) -> dict[str, Any]:
    """Return the options that all sets have alike."""
    first, *others = option_sets
    return {name: value for name, value in first.items() if all(name in one and one[name] == value for one in others)}


def options_text(options: Options) -> str:
    """Return ``map = garden3, players = 3``."""
    return ", ".join(f"{name} = {value}" for name, value in options.items())


def set_names(option_sets: Sequence[Options]) -> list[str]:
    """Name each set by the options in which the sets differ, as far as they are given; a single one is called ''."""
    shared = shared_options(option_sets)
    own = [{name: value for name, value in one.items() if name not in shared} for one in option_sets]
    return [options_text({name: value for name, value in one.items() if value is not None}) or options_text(one) for one in own]


def sets_of_row(row: CompetitionRow) -> list[Options]:
    """Return the option sets of a stored competition; none where all its games have the same options."""
    return row.settings.get(OPTION_SETS, [])


def results_by_set(result: TournamentResult) -> tuple[SetResults, ...]:
    """Return the results for each option set; empty for a single one."""
    sets = result.tournament.option_sets
    made: list[defaultdict[int, list[float]]] = [defaultdict(list) for _ in sets]
    for game in result.games:
        for player, value in zip(game.plan.seats, game.returns, strict=True):
            made[game.plan.option_set][player].append((1 + value) / 2)
    found = [{player: (sum(points), len(points)) for player, points in one.items()} for one in made]
    return _named([game.options for game in sets], found, result.ranking)


def stored_results_by_set(database: Database, row: CompetitionRow, ranking: Sequence[int]) -> tuple[SetResults, ...]:
    """Do as :func:`results_by_set` for a stored competition.

    Raises:
        StoreError: the database fails.
    """
    if not (sets := sets_of_row(row)):
        return ()
    found = points_by_options(database, row.id)
    return _named(
        sets, [{entrant: cell for options, of in found if options == one for entrant, cell in of.items()} for one in sets], ranking
    )


def _named(sets: Sequence[Options], found: Sequence[Mapping[int, tuple[float, int]]], ranking: Sequence[int]) -> tuple[SetResults, ...]:
    if len(sets) < 2:
        return ()
    return tuple(SetResults(name, tuple(one.get(player) for player in ranking)) for name, one in zip(set_names(sets), found, strict=True))
