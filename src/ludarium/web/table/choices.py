"""What players choose in the latest position, before it is played: actions that wait for those of others, and plans."""

from __future__ import annotations

from collections.abc import Iterable

from ludarium.core.clock import Clock
from ludarium.core.game import Action, State
from ludarium.core.sight import Sight
from ludarium.errors import ProtocolError

from .messages import Act, Plan
from .orders import Orders
from .play import Play


class Choices:
    """The choices of one position: who has made which, who could since when, and what is planned."""

    def __init__(self, clock: Clock) -> None:
        self.plans: dict[int, Orders] = {}
        self._clock = clock
        self._since: dict[int, float] = {}
        self._made: dict[int, tuple[Action, float]] = {}

    @property
    def made(self) -> list[int]:
        """The players who have chosen, in order."""
        return sorted(self._made)

    def begin(self, players: Iterable[int], acted: Iterable[int] | None = None) -> None:
        """A new position, in which these players choose. Those who have not ``acted`` go on with the choice that they had (None: nobody does)."""
        now = self._clock.time()
        going_on = set[int]() if acted is None else set(self._since) - set(acted)
        self.plans = {player: plan for player, plan in self.plans.items() if player in going_on}
        self._since = {player: self._since[player] if player in going_on else now for player in players}

    def make(self, player: int, action: Action, seconds: float | None = None) -> None:
        """A player has chosen; it took ``seconds``, by default those since it could."""
        self.plans.pop(player, None)
        self._made[player] = (action, self._clock.time() - self._since[player] if seconds is None else seconds)

    def take(self) -> tuple[dict[int, Action], dict[int, float]]:
        """The actions that were chosen, to be played now, and the seconds that they took."""
        made, self._made = self._made, {}
        return {player: action for player, (action, _) in made.items()}, {player: seconds for player, (_, seconds) in made.items()}

    def withdraw(self) -> None:
        """All choose anew."""
        self._made.clear()

    def drop(self, player: int) -> None:
        """Forget what a player has chosen."""
        self._made.pop(player, None)


def has_chosen(play: Play, seat: int) -> bool:
    """Return whether anything has been chosen for a seat in this game."""
    return seat in play.standing.chosen or any(seat in step.actions for step in play.course.steps)


def position_to_choose_in(play: Play, player: int, message: Act | Plan) -> State:
    """The latest position as a player of the running game knows it, if it has the choice of which a message speaks.

    Raises:
        ProtocolError: ``stale`` or ``not_your_turn``.
    """
    sight, ply = Sight(play.course, player), message.ply
    if not _is_current(sight, player, ply) and (isinstance(message, Plan) or not play.counts_late_choices):
        raise ProtocolError("stale", f"position {str(ply)[:40]} is not the latest; the game stands at {sight.ply}")
    if player not in play.standing.to_move:
        raise ProtocolError("not_your_turn", f"{play.seats[player].name} is not to move")
    return sight.latest


def _is_current(sight: Sight, player: int, ply: int) -> bool:
    """Whether a player still has the choice that it had in the position of a ply: there, or where only others have acted since, independently."""
    if ply == sight.ply or not sight.course.game.independent or not 0 <= ply < sight.ply:
        return ply == sight.ply
    return player in sight.state(ply).to_move and all(player not in sight.actions(later) for later in range(ply + 1, sight.ply + 1))
