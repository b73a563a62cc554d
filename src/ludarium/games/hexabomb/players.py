"""The players that know this game."""

from __future__ import annotations

from math import tanh

from ludarium.core.game import State
from ludarium.players import Opponent, PlayerKind

from .bots.search_player import SEARCH_OPTIONS, SearchPlayer
from .bots.team_players import BomberPlayer, HunterPlayer, PainterPlayer

KINDS = (
    PlayerKind("painter", "walks to the nearest cells that are not its own", (), PainterPlayer),
    PlayerKind("bomber", "drops bombs where they gain most, never to its own harm, and paints on the way", (), BomberPlayer),
    PlayerKind(
        "search", "plans ten turns ahead for all its characters, and improves the plan as long as it has time", SEARCH_OPTIONS, SearchPlayer
    ),
    PlayerKind("hunter", "the special player of sudden death: leaves the others the fewest ways to survive", (), HunterPlayer),
)

OPPONENTS = (
    Opponent("Soot", "bomber:slip=38", "Bombs with zeal, and stumbles into every third blast."),
    Opponent("Wick", "bomber:slip=27", "Knows where bombs belong, but its feet wander off."),
    Opponent("Squib", "bomber:slip=17", "A decent bomber with a short attention span."),
    Opponent("Tinder", "bomber:slip=8", "Careful and greedy for ground; slips once in a while."),
    Opponent("Flint", "bomber", "Drops bombs where they gain most, and never harms its own team."),
    Opponent("Ember", "search:sims=1", "Looks ten turns ahead, once."),
    Opponent("Cinder", "search:sims=10", "Looks ten turns ahead, and changes its mind now and then."),
    Opponent("Petard", "search:sims=40", "Keeps improving its plan while you read the board."),
    Opponent("Blaze", "search:sims=110", "Has tried a hundred other plans before this one."),
    Opponent("Comet", "search:sims=300", "Three hundred plans a turn, and only the best is played."),
)


def estimate(state: State) -> tuple[float, ...]:
    """By the scores with which everybody would end if no cell changed hands any more; a lead of a fifth of all that can be scored is a clear advantage."""
    record, tables = state.record, state.game.tables
    left = int(tables.turns) - int(record.turn)
    ends = [int(record.score[player]) + left * int(record.cell_count[player]) for player in range(state.game.players)]
    best = [max(ends[:player] + ends[player + 1 :], default=0) for player in range(len(ends))]
    return tuple(tanh(5 * (own - others) / (tables.turns * tables.cells)) for own, others in zip(ends, best, strict=True))
