"""What there is to tell of a game that is over: where it turned, and the game's own lines. It is found beside the game, once, while somebody is there."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from ludarium.core.cores import stand_back
from ludarium.core.course import Course, without_leaving
from ludarium.core.event_loop import call_in_loop
from ludarium.core.game import State
from ludarium.players import Estimate, estimate_of

log = logging.getLogger("ludarium.web")

LONGEST = 4.0
"""Seconds of looking for where a game turned; what is found by then counts."""
MOST_STEPS = 1000
"""Nobody looks back at longer games."""
COARSE = 150
"""A game is looked at in so many positions first, and then closely where it changed most."""
LEAST = 0.3
"""A smaller change of what a position is worth (from −1 to 1) is no turning point."""

MAX_WAITING = 16
"""Limit of games in memory that wait for their summary. Other games are summarised when they are shown again."""

_one_at_a_time = threading.Lock()
_room = threading.BoundedSemaphore(MAX_WAITING)


@dataclass(frozen=True)
class TurningPoint:
    """The position ``ply`` that somebody's action led to, and what the one before and it were worth to the player who won, from −1 to 1."""

    ply: int
    before: float
    after: float


class Summary:
    """Of one game."""

    def __init__(self, on_found: Callable[[], None]) -> None:
        """``on_found`` is called on the event loop's thread when there is something to tell."""
        self._on_found = on_found
        self._found: dict[str, Any] | None = None
        self._has_begun = False

    def of(self, course: Course) -> dict[str, Any] | None:
        """What ``docs/protocol.md`` says; None while the game runs, and while it is being found."""
        if course.outcome is None:
            return None
        if not self._has_begun:
            is_worth_it = course.ply <= MOST_STEPS and (course.game.show.summary or estimate_of(course.game))
            self._has_begun = not is_worth_it or self._begin(course, course.outcome.winner)
        return self._found

    def _begin(self, course: Course, winner: int | None) -> bool:
        """Start the summary in a thread. Return False if too many games wait."""
        game, steps = course.game, tuple(course.steps)
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # then nobody could be told later
            return True
        if not _room.acquire(blocking=False):
            return False

        def find() -> None:
            stand_back()
            try:
                with _one_at_a_time:
                    states = [step.state for step in steps]
                    played = without_leaving(steps)
                    told = [step.state for step in played], [step.actions for step in played[1:]]
                    lines = game.show.summary(*told) if game.show.summary else ()
                    turned = turning_point(states, winner, estimate_of(game))
            except Exception as problem:  # anybody's package may be installed here
                log.exception("summary of %s: %s: %s", game.id, type(problem).__name__, problem)
                return
            finally:
                _room.release()
            call_in_loop(loop, self._tell, {"lines": lines, "turning_point": turned and asdict(turned)})

        threading.Thread(target=find, name="summary", daemon=True).start()  # which a server that stops does not wait for
        return True

    def _tell(self, found: dict[str, Any]) -> None:
        self._found = found
        self._on_found()


def turning_point(
    states: Sequence[State], winner: int | None, estimate: Estimate | None, clock: Callable[[], float] = time.monotonic
) -> TurningPoint | None:
    """The step that changed most for the player who won, as far as an estimate can tell; None in a draw, and where nothing much ever changed."""
    if winner is None or estimate is None or len(states) < 2:
        return None
    end = clock() + LONGEST
    known: dict[int, float] = {}

    def look(plies: Sequence[int]) -> tuple[int, int]:
        for ply in plies:
            if ply not in known and clock() < end:
                state = states[ply]
                known[ply] = state.returns[winner] if state.is_over else estimate(state)[winner]
        found = sorted(known)
        return max(pairwise(found), key=lambda pair: known[pair[1]] - known[pair[0]], default=(0, 0))

    step = -(-(len(states) - 1) // COARSE)
    first, last = look([*range(0, len(states), step), len(states) - 1])
    first, last = look(range(first, last + 1))
    if last - first != 1 or known[last] - known[first] < LEAST:
        return None
    return TurningPoint(last, round(known[first], 2), round(known[last], 2))
