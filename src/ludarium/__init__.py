"""A laboratory and an arena for board games: play, compete, train, solve.

>>> import ludarium
>>> state = ludarium.game("expendibots").start()
>>> state.play("a2-a3").play("h7-h6").text
'BB.BB.BB/BB.BB.B./.......B/......../......../W......./.W.WW.WW/WW.WW.WW w 2'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import (
    BadNotation,
    BadOption,
    BadRecord,
    IllegalAction,
    LudariumError,
    NoAtomicWeight,
    PlayerCrashed,
    PlayerFailed,
    PlayerIllegal,
    ProtocolError,
    StoreError,
    TooLarge,
)

if TYPE_CHECKING:
    from . import cgt
    from .core.game import Action, Game, Outcome, State
    from .core.registry import game, list_games
    from .core.rules import CHANCE

__all__ = [
    "CHANCE",
    "Action",
    "BadNotation",
    "BadOption",
    "BadRecord",
    "Game",
    "IllegalAction",
    "LudariumError",
    "NoAtomicWeight",
    "Outcome",
    "PlayerCrashed",
    "PlayerFailed",
    "PlayerIllegal",
    "ProtocolError",
    "State",
    "StoreError",
    "TooLarge",
    "cgt",
    "game",
    "list_games",
]

_HOMES = {
    ".core.game": ("Action", "Game", "Outcome", "State"),
    ".core.registry": ("game", "list_games"),
    ".core.rules": ("CHANCE",),
}


def __getattr__(name: str) -> Any:
    """Load what stands on Numba when it is first asked for: loading Numba takes a third of a second, in which nothing else could be said or stopped."""
    if name == "cgt":
        return import_module(".cgt", __name__)
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home, __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
