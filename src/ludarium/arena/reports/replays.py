"""Games to be walked through in a page that needs nothing else, on any computer: drawings of all positions, packed."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from ludarium.arena.executor import Job, run_jobs
from ludarium.arena.games import GameResult
from ludarium.arena.processes import Interrupted
from ludarium.arena.tournament import TournamentResult
from ludarium.core.record import Record, read_record
from ludarium.core.sight import Sight
from ludarium.core.timeline import Timeline

from .parts import FOLDER, styles, template

MOST = 20_000_000
"""Characters that all games of a page take at most, so that it still is a page that can be mailed."""


def packed(timeline: Timeline) -> str:
    """A game for the pages' script: the zlib stream, in Base64, of an object of JSON.

    ``pieces`` are the parts of which drawings consist, ``frames`` the numbers of those of each position, ``moves`` the texts of the steps between them,
    ``events`` what happened in each, ``facts`` what there is to say of each position. One who only watches may know all of it.
    """
    sight, game = Sight(timeline, None), timeline.game
    numbers: dict[str, int] = {}
    frames: list[list[int]] = []
    for ply in range(sight.ply + 1):
        drawing = sight.state(ply).svg(last=sight.action(ply))
        frames.append([numbers.setdefault(piece, len(numbers)) for piece in re.split("(?=<)", drawing)])
    told = {
        "pieces": list(numbers),
        "frames": frames,
        "moves": [sight.step_text(ply) for ply in range(1, sight.ply + 1)],
        "events": [[event.text for event in sight.events(ply)] for ply in range(sight.ply + 1)],
        "facts": [list(game.facts(sight.state(ply))) for ply in range(sight.ply + 1)],
    }
    return base64.b64encode(zlib.compress(json.dumps(told, separators=(",", ":")).encode(), 9)).decode()


@dataclass(frozen=True)
class _Packing(Job[tuple[int, Path], tuple[int, str]]):
    """A job: the parts are games' numbers and their records."""

    def __call__(self, part: tuple[int, Path], interrupted: Interrupted) -> tuple[int, str]:
        number, record = part
        return number, packed(read_record(record).replay())

    def name(self, part: tuple[int, Path]) -> str:
        return f"game {part[0] + 1}"


def packed_games(result: TournamentResult, *, workers: int, interrupted: Interrupted) -> Iterator[tuple[int, str]]:
    """The games of a tournament that have whole records, by number, as they are packed; all, or until it is interrupted.

    Raises:
        BadRecord: the rules of today refuse one.
    """
    parts = [(game.number, _record(result, game)) for game in result.games if not game.unrecorded]
    return run_jobs(_Packing(), parts, workers=workers, interrupted=interrupted)


def _record(result: TournamentResult, game: GameResult) -> Path:
    return game.record or result.tournament.folder / "games" / game.plan.record_name


def that_fit(games: Mapping[int, str]) -> dict[int, str]:
    """The first games, as many as one page takes."""
    found: dict[int, str] = {}
    size = 0
    for number in sorted(games):
        size += len(games[number])
        if size > MOST:
            break
        found[number] = games[number]
    return found


def viewer_parts() -> dict[str, Markup]:
    """The script and styles of what shows a game, for a page's template."""
    return {name: Markup((FOLDER / f"viewer.{name}").read_text(encoding="utf-8")) for name in ("js", "css")}


def replay_page(record: Record, timeline: Timeline) -> str:
    """A page with one game."""
    seats = list(zip(timeline.game.player_names, record.header.players, strict=True))
    return template(FOLDER / "replay.html").render(
        game=timeline.game,
        seats=seats,
        time=record.header.time,
        cut=record.cut,
        drawing=Markup(Sight(timeline, None).latest.svg()),
        outcome=timeline.outcome,
        packed=packed(timeline),
        viewer=viewer_parts(),
        styles=styles(),
    )
