"""What the server of a networked game and the process of its page tell each other: plain data, over a pipe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludarium.games.hexabomb.maps import HexMap
from ludarium.netorcai.events import Aborted, GameStarted, PlayerInfo
from ludarium.netorcai.settings import Settings

# Of the server, to the page.


@dataclass(frozen=True, slots=True)
class Setup:
    """What the page is given at its start."""

    board: HexMap
    host: str
    """The address that it listens on."""
    waits_for_people: bool
    settings: Settings
    """As they were wished for; the game begins with whoever is there."""


@dataclass(frozen=True, slots=True)
class Table:
    """Who is there: players in the order of their ids, before the start in that of their logins."""

    players: tuple[PlayerInfo, ...]
    persons: tuple[str, ...]
    """Of each player, the person at the page that it is; "" is a program."""
    visualizations: int
    settings: Settings


@dataclass(frozen=True, slots=True)
class Seated:
    """A person has a place."""

    person: str


@dataclass(frozen=True, slots=True)
class Unseated:
    """A person gets no place, or has been sent away from it."""

    person: str
    reason: str


@dataclass(frozen=True, slots=True)
class Played:
    """Turns: the orders that were carried out on each, as bytes of ``int16[players, slots]``."""

    turns: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A person's orders are awaited in the position after so many turns; ``seconds`` are left, None: as many as it takes."""

    person: str
    turns: int
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Answered:
    """These players have answered the present turn so far."""

    players: frozenset[int]


@dataclass(frozen=True, slots=True)
class Unkept:
    """The game's record cannot be written."""

    problem: str | None
    """Why; None: it can again, and nothing is missing."""


ToPage = Table | Seated | Unseated | GameStarted | Played | Asked | Answered | Unkept | Aborted

# Of the page, to the server. A person is named by a text that the page makes up and nobody else knows.


@dataclass(frozen=True, slots=True)
class Sit:
    """Somebody wants to play."""

    person: str
    nickname: str
    is_special: bool
    address: tuple[str, int]


@dataclass(frozen=True, slots=True)
class Leave:
    """A person gives its place up, for good."""

    person: str


@dataclass(frozen=True, slots=True)
class Present:
    """A person is at the page, or is not for the moment."""

    person: str
    is_here: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """A person's orders in the position after so many turns. Those that are not sent yet count when the time is over."""

    person: str
    turns: int
    orders: list[dict[str, Any]]
    is_sent: bool


FromPage = Sit | Leave | Present | Choice
