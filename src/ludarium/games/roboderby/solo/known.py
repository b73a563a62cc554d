"""The racers that this process remembers."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Any

from ..tables import RoboDerbyTables
from .board import course_of
from .cache import solution_key
from .dice import solo_dice
from .racer import Racer

MOST_KEPT = 64
"""With half a megabyte each."""

_kept: OrderedDict[str, Racer] = OrderedDict()
_lock = Lock()


def racer_of(tables: RoboDerbyTables, record: Any, robot: int, seconds: float | None = None) -> Racer:
    """The racer of a robot's course: one whose exact values this process knows, or one that is solved, from where it was left.

    With ``seconds`` it is solved for about so long, and its values may not be exact.
    """
    course, reroll_any = course_of(tables, record, robot), bool(tables.reroll_any)
    key = solution_key(course, solo_dice(tables.commands), reroll_any)
    with _lock:
        racer = _kept.get(key)
    if racer is None or not racer.solution.is_exact:
        guess = None if racer is None else racer.solution.values
        racer = Racer(course, tables.commands, reroll_any=reroll_any, seconds=seconds, guess=guess)
    with _lock:
        _kept[key] = racer
        _kept.move_to_end(key)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return racer
