"""``ludarium sprt``: whether one player is stronger than another, tested with as few games as it takes."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from ludarium.core.options import Option
from ludarium.errors import PlayerCrashed

from .common import GameName, Seed, notices, number_option, screen, typed_number
from .kept import Resume, Store, kept_games, say_how_to_go_on
from .option_groups import grouped
from .signals import stop_signal
from .terms import Beginnings, Places, PlayersTerms

if TYPE_CHECKING:
    from ludarium.arena.sprt import Hypotheses, SprtResult

real = typed_number(Option("", "number", None, ""))


@dataclass
class Differences:
    """What is tested."""

    elo0: Annotated[float, typer.Option("--elo0", metavar="ELO", parser=real, help="A difference that is not worth having.")] = 0.0
    elo1: Annotated[float, typer.Option("--elo1", metavar="ELO", parser=real, help="One that is.")] = 10.0
    alpha: Annotated[float, typer.Option("--alpha", metavar="CHANCE", parser=real, help="How often a difference of ELO0 may pass.")] = 0.05
    beta: Annotated[float, typer.Option("--beta", metavar="CHANCE", parser=real, help="How often one of ELO1 may fail.")] = 0.05


@grouped
def command(
    context: typer.Context,
    game: GameName,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The player that may be stronger.")],
    old: Annotated[str, typer.Argument(metavar="OLD", help="The one that it is compared with.")],
    *,
    differences: Differences,
    games: Annotated[int, number_option(2, 10_000_000, "After so many games it stays undecided.", "--games", "-n")] = 100_000,
    seed: Seed = None,
    places: Places,
    beginnings: Beginnings,
    store: Store = False,
    resume: Resume = False,
    limits: PlayersTerms,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Test whether NEW is stronger than OLD, in pairs of games with seats exchanged, until the answer is clear.

    It ends by itself with exit code 0; --json tells the verdict to scripts.
    """
    from ludarium.arena import random_seed
    from ludarium.arena.sprt import Hypotheses, sprt

    first = beginnings.first(game, limits.official)
    hypotheses = Hypotheses(**asdict(differences))
    seed = random_seed() if seed is None else seed
    openings = beginnings.chosen(first)
    terms = limits.chosen((new, old), first.game, openings)
    with stop_signal() as stopped, _progress(hypotheses) as on_pair, ExitStack() as last:
        kept = last.enter_context(kept_games(context, first.game, [new, old], terms, seed, resume)) if store or resume else None
        result = sprt(
            first.game,
            [new, old],
            hypotheses,
            most_pairs=games // 2,
            seed=seed,
            openings=openings,
            terms=terms,
            workers=places.processes(),
            cluster=places.cluster,
            pin=places.pin,
            before=kept.before if kept else (),
            on_result=kept.add if kept else None,
            on_pair=on_pair,
            interrupted=(lambda: stopped() or kept.has_failed()) if kept else stopped,
        )
        is_over = result.verdict != "undecided" or sum(result.pairs) == games // 2
        if kept and is_over:
            kept.finish()
    if as_json:
        print(json.dumps(_as_json(result)))
    else:
        _show(result)
    if kept:
        if not is_over:
            say_how_to_go_on(context, seed, is_begun=kept.games > 0)
        kept.raise_problem()
    stopped.exit_if_stopped()
    if result.given_up:
        raise PlayerCrashed(result.given_up)


@contextmanager
def _progress(hypotheses: Hypotheses) -> Generator[Callable[[Sequence[int]], None]]:
    """Show on standard error, if that is a terminal, how far the ratio has come on its way between the bounds."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    low, high = hypotheses.bounds
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=notices(), transient=True, disable=not notices().is_terminal) as progress:
        bar = progress.add_task("", total=high - low)

        def show(pairs: Sequence[int]) -> None:
            ratio = hypotheses.log_likelihood_ratio(pairs)
            progress.update(bar, completed=ratio - low, description=f"{2 * sum(pairs)} games, ratio {ratio:+.2f} ({low:.2f} to {high:.2f})")

        yield show


def _as_json(result: SprtResult) -> dict[str, object]:
    low, high = result.hypotheses.bounds
    return {
        "game": result.game.id,
        "options": dict(result.game.options),
        "players": list(result.players),
        **asdict(result.hypotheses),
        "verdict": result.verdict,
        "games": 2 * sum(result.pairs),
        "pairs": list(result.pairs),
        "points": _points(result),
        "ratio": round(result.hypotheses.log_likelihood_ratio(result.pairs), 4),
        "bounds": [round(low, 4), round(high, 4)],
        "seed": result.seed,
    }


def _points(result: SprtResult) -> float:
    return sum(half * count for half, count in enumerate(result.pairs)) / 2


def _show(result: SprtResult) -> None:
    games, points, one = 2 * sum(result.pairs), _points(result), result.hypotheses
    low, high = one.bounds
    new, old = result.players
    answer = {
        "stronger": f"{new} is stronger than {old}: by {one.elo1:g} Elo rather than {one.elo0:g}",
        "not stronger": f"{new} is not stronger than {old} by {one.elo1:g} Elo: rather by {one.elo0:g}",
        "undecided": f"undecided between {one.elo0:g} and {one.elo1:g} Elo",
    }
    screen().print(f"{result.game.title}, {games} games, seed {result.seed}: {answer[result.verdict]}", style="bold", soft_wrap=True)
    screen().print(
        f"points {points:g} : {games - points:g}; pairs with 0, ½, 1, 1½, 2 points: {', '.join(map(str, result.pairs))}", soft_wrap=True
    )
    screen().print(f"log-likelihood ratio {one.log_likelihood_ratio(result.pairs):+.2f}, bounds {low:.2f} and {high:.2f}", soft_wrap=True)
