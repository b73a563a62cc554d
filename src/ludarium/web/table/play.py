"""How a game that is on the pages goes on: where its steps come from, and what becomes of what people choose.

A session has one :class:`Play`, and nothing else in this room knows of what kind it is. :class:`.local_play.LocalPlay` is a game that is played on
this server; one whose steps are told by a server elsewhere is another kind; a record that is only looked at (:mod:`.competitions.record_play`) is a third.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Protocol

from ludarium.arena.clocks import TimeControl
from ludarium.core.course import Course
from ludarium.core.game import Action

from .agreements import Agreement
from .messages import Accept, Decline, Offer, Resume
from .orders import Orders
from .seat_clocks import Countdown, Shown
from .seats import Seat
from .series import Series


@dataclass(frozen=True)
class Standing:
    """What is said of the latest position besides the position itself."""

    to_move: Sequence[int] = ()
    """The players who still have to choose."""
    chosen: Sequence[int] = ()
    """Those who have, while others have not."""
    clock: Countdown | None = None
    """None while no turn's time runs."""
    clocks: Sequence[Shown] | None = None
    """By seat; None without a time control."""
    figures: Mapping[str, float] = field(default_factory=dict[str, float])
    thinking: Sequence[int] = ()
    """The players whose bots think."""
    offers: Sequence[Agreement] = ()
    """What is on offer."""
    series: Series | None = None
    next: str | None = None
    """The id of this game's rematch."""
    paused: bool = False
    """Whether clocks stand because people have agreed so."""
    plans: Mapping[int, Orders] = field(default_factory=dict[int, Orders])
    """Orders that players have given and not sent. Each is its player's affair alone."""
    out: Sequence[int] = ()
    """The players who have left the game, in order of their numbers."""


class Teller(Protocol):
    """Tells everybody who is here of the latest position: ``tell`` at once, on an occasion of ``docs/protocol.md``; ``tell_soon`` perhaps only after more has
    happened. ``tell_players`` tells who plays, and who is connected."""

    def tell(self, occasion: str) -> None: ...

    def tell_soon(self) -> None: ...

    def tell_players(self) -> None: ...


class Play(Protocol):
    """One game. All methods are called on the event loop's thread."""

    @property
    def course(self) -> Course: ...

    seats: Sequence[Seat]
    time_control: TimeControl | None
    """None: everybody has as long as they take, or each turn has its own time."""
    counts_late_choices: bool
    """Whether what was chosen in an earlier position counts in the latest one."""
    watching_elsewhere: int
    """How many watch besides the clients of the session."""

    @property
    def standing(self) -> Standing: ...

    def record(self) -> list[dict[str, Any]]:
        """The lines of the record as anybody may have it now."""
        ...

    def begin(self, teller: Teller) -> None:
        """Go on from where the game stands. Called once, before anything else that follows."""
        ...

    def attend(self, present: Set[int | None]) -> None:
        """Somebody comes or goes: ``present`` are the seats of all who are here, with None for those who watch."""
        ...

    def choose(self, player: int, action: Action) -> None:
        """Take a legal action of a player who is to move."""
        ...

    def plan(self, player: int, orders: Orders) -> None:
        """Keep orders that a player who is to move can give, until it sends them or its time is up."""
        ...

    def negotiate(self, player: int, message: Offer | Accept | Decline | Resume) -> None:
        """A player offers the others something, or answers, or ends a pause.

        Raises:
            ProtocolError: ``nothing_to_take_back``, ``no_such_offer``.
        """
        ...

    def resign(self, player: int) -> None:
        """A player of the running game gives up."""
        ...

    def stop(self) -> None:
        """Nothing goes on any more, and nobody is told."""
        ...
