"""Positions in which bots go wrong, found in games between random players: no game is known by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ludarium.core.game import Game

from .sitting import Start, Turn, random_games

ENOUGH = 5
"""How many positions of a kind are kept."""


@dataclass(frozen=True)
class Situation:
    """What may happen to a bot."""

    name: str
    words: str
    happens: Callable[[Turn], bool]
    follows: bool = True
    """Whether it follows from a turn of the bot's before; else it can begin with it."""


SITUATIONS = (
    Situation("forced turn", "one legal action", lambda turn: set(turn.choices) == {1}, follows=False),
    Situation("several turns in a row", "nobody acted in between", lambda turn: turn.actors == [{str(turn.seat)}]),
    Situation("chance", "dice fell in between", lambda turn: {"chance"} in turn.actors),
    Situation("simultaneous moves", "several choose at once", lambda turn: len(turn.state.to_move) > 1, follows=False),
    Situation("hidden information", "what it may not know is null", lambda turn: turn.is_told_of_hidden_steps),
    Situation("hidden information opens", "what it has been told is told again, with more in it", lambda turn: turn.is_told_again),
)


@dataclass
class Found:
    """Where they happen."""

    starts: dict[str, list[Start]] = field(default_factory=lambda: {situation.name: [] for situation in SITUATIONS})
    last_turns: list[Start] = field(default_factory=list[Start])
    """The last turn of a game."""
    middle: Start | None = None
    """The middle of a game."""
    widest: Turn | None = None
    """Where there is most to choose from."""


def find_situations(game: Game) -> Found:
    """Look for all of them."""
    found = Found()
    for turns, is_over in random_games(game):
        if not turns:
            continue
        if is_over and len(found.last_turns) < ENOUGH:
            found.last_turns.append(turns[-1].start)
        if found.middle is None and len(turns) > 1:
            found.middle = turns[len(turns) // 2].start
        widest = max(turns, key=lambda turn: sum(turn.choices))
        if found.widest is None or sum(widest.choices) > sum(found.widest.choices):
            found.widest = widest
        for situation in SITUATIONS:
            starts = found.starts[situation.name]
            happening = (
                turn for turn in turns if len(starts) < ENOUGH and (turn.before or not situation.follows) and situation.happens(turn)
            )
            for turn in happening:
                starts.append(turn.before.start if situation.follows and turn.before else turn.start)
    return found
