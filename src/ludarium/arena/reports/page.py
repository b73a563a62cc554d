"""The report of a tournament: one HTML page that needs nothing else, for light and dark screens and for paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType

from markupsafe import Markup

from ludarium.arena.games import GameResult
from ludarium.arena.tournament import TournamentResult
from ludarium.arena.tournament_file import Tournament

from .option_sets import options_text, results_by_set, set_names, shared_options
from .parts import FOLDER, MOST_CROSSED, GameLine, scored, seats_out, styles, template
from .plot import rating_plot
from .replays import that_fit, viewer_parts
from .table import cross_table, plain, table
from .texts import played
from .words import day


@dataclass(frozen=True)
class Meeting:
    """The games of some players who met."""

    ranks: tuple[int, ...]
    names: tuple[str, ...]
    games: tuple[GameLine, ...]
    score: str
    """Of two players."""
    forfeits: int


def html_page(result: TournamentResult, replays: Mapping[int, str] = MappingProxyType({})) -> str:
    """The page. ``replays`` are packed games, by number: those that it opens itself."""
    rows, tournament = table(result), result.tournament
    cells = cross_table(result)
    packed = {number + 1: replay for number, replay in that_fit(replays).items()}
    games = {game.number + 1: game for game in result.games}
    return template(FOLDER / "report.html").render(
        tournament=tournament,
        result=result,
        played=played(result),
        facts=_facts(tournament),
        days=_days(result),
        rows=rows,
        plot=rating_plot(rows),
        cells=cells,
        sets=results_by_set(result),
        most_crossed=MOST_CROSSED,
        meetings=_meetings(result, packed),
        replays=packed,
        titles={number: _title(tournament, games[number]) for number in packed},
        records={number: f"games/{games[number].plan.record_name}" for number in packed},
        viewer=viewer_parts(),
        met=_met if tournament.field.seats == 2 else None,
        styles=styles(),
    )


def _facts(tournament: Tournament) -> dict[str, str]:
    """How the tournament is played, in words."""
    sets = [game.options for game in tournament.option_sets]
    options = options_text(shared_options(sets))
    several = {"Options": "; ".join(set_names(sets))} if len(sets) > 1 else {}
    rounds = f", {tournament.rounds} rounds" if tournament.rounds else ""
    games = "1 game of each table" if tournament.field.games == 1 else f"{tournament.field.games} games of each table"
    files = f"{len(tournament.openings.positions):,} from a file" if tournament.openings.positions else ""
    plies = f"{tournament.openings.random_plies} random plies" if tournament.openings.random_plies else ""
    return {
        "Game": f"{tournament.game.title}" + (f" ({options})" if options else ""),
        **several,
        "Format": f"{tournament.format}{rounds}, {games}",
        "Time": _time(tournament),
        "Openings": " and ".join(part for part in (files, plies) if part) or "the game’s start",
        "Seed": str(tournament.seed),
    }


def _time(tournament: Tournament) -> str:
    controls = [str(control) for control in tournament.terms.time]
    if not controls:
        return "no clocks"
    usual = Counter(controls).most_common(1)[0][0]
    others = [f"{name} {control}" for name, control in zip(tournament.names, controls, strict=True) if control != usual]
    return f"{usual} s" + (" of processor time" if tournament.terms.by_cpu else "") + (f"; {', '.join(others)}" if others else "")


def _days(result: TournamentResult) -> Markup:
    """From when to when it was played."""
    times = [time for game in result.games for time in (game.started, game.finished) if time is not None]
    days = [day(datetime.fromtimestamp(time, UTC)) for time in (min(times), max(times))] if times else []
    return Markup(" to ").join(dict.fromkeys(days))


def _meetings(result: TournamentResult, packed: Collection[int]) -> list[Meeting]:
    """The games by who met, those of the first players of the table first."""
    names, ranking = result.tournament.names, result.ranking
    sets = set_names([game.options for game in result.tournament.option_sets])
    rank_of = {player: rank for rank, player in enumerate(ranking, 1)}
    games: dict[tuple[int, ...], list[GameResult]] = {}
    for game in result.games:
        games.setdefault(tuple(sorted(rank_of[player] for player in game.plan.seats)), []).append(game)
    found: list[Meeting] = []
    for ranks, met in sorted(games.items()):
        players = [ranking[rank - 1] for rank in ranks]
        points = [plain(sum((1 + game.return_of(player)) / 2 for game in met)) for player in players]
        score = " : ".join(points) if len(players) == 2 else ""
        forfeits = sum(len(game.forfeits) for game in met)
        lines = tuple(_line(names, game, sets[game.plan.option_set], is_here=game.number + 1 in packed) for game in met)
        found.append(Meeting(ranks, tuple(names[player] for player in players), lines, score, forfeits))
    return found


def _title(tournament: Tournament, game: GameResult) -> str:
    """``Game 17: Ann – Bob 1–0``."""
    return f"Game {game.number + 1}: {' – '.join(tournament.names[player] for player in game.plan.seats)} {scored(game.returns)}"


def _line(names: Sequence[str], game: GameResult, options: str, *, is_here: bool) -> GameLine:
    address = f"#game-{game.number + 1}" if is_here else None if game.unrecorded else f"games/{game.plan.record_name}"
    players = tuple(names[player] for player in game.plan.seats)
    forfeits = tuple((players[seat], why) for seat, why in game.forfeits.items())
    return GameLine(
        game.number + 1, address, players, game.returns, game.reason, forfeits, game.plies, game.unrecorded, seats_out(game), options
    )


def _met(one: int, other: int) -> str:
    """Where the games of two ranks are on the page."""
    return f"#games-{min(one, other)}-{max(one, other)}"
