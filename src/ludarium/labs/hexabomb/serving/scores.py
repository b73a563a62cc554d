"""Who plays and how they stand, as a table beside the board or as one line."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from ludarium.games.hexabomb.drawing.colours import paint_of
from ludarium.games.hexabomb.drawing.terminal import LETTERS
from ludarium.games.hexabomb.simulation import Simulation
from ludarium.games.hexabomb.tables import ALIVE
from ludarium.netorcai.events import PlayerInfo

BAR = 16
"""Columns that all cells of the map would fill."""
EIGHTHS = " ▏▎▍▌▋▊▉"


def score_table(simulation: Simulation, players: Sequence[PlayerInfo]) -> Table:
    """A row a player: whether it is connected, its letter on the board, nickname, score, characters alive, and its share of the cells as a bar."""
    tables, record = simulation.tables, simulation.states[0]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("", "player", "score", "alive", "cells", ""):
        table.add_column(heading, justify="right" if heading in ("score", "alive", "cells") else "left")
    for player, info in enumerate(players):
        style = paint_of(player).terminal
        team = record.revive_delay[int(tables.first[player]) : int(tables.first[player + 1])]
        cells = int(record.cell_count[player])
        table.add_row(
            Text("●" if info.is_connected else "○", "green" if info.is_connected else "red"),
            Text.assemble((LETTERS[player % len(LETTERS)], f"bold {style}"), f" {info.nickname}"),
            "" if player < tables.special else f"{int(record.score[player]):,}",
            f"{int((team == ALIVE).sum())}/{len(team)}",
            str(cells),
            Text(_bar(cells / tables.cells), style),
        )
    return table


def _bar(share: float) -> str:
    eighths = round(share * BAR * 8)
    return ("█" * (eighths // 8) + EIGHTHS[eighths % 8]).strip()


def score_line(simulation: Simulation, players: Sequence[PlayerInfo], turns: int) -> str:
    """``turn 12 of 100: 0 ann 340, 1 bob 121 (left)``."""
    record = simulation.states[0]
    scores = [
        f"{player} {info.nickname} {int(record.score[player]):,}{'' if info.is_connected else ' (left)'}"
        for player, info in enumerate(players)
        if player >= simulation.tables.special
    ]
    turn = f"turn {simulation.turn} of {turns}"
    return f"{turn}: {', '.join(scores)}" if scores else turn
