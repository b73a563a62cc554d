"""The screens that players program behind: what is seen of a choice in front of them, and when they are lifted (rules 6 and 13 to 18)."""

from __future__ import annotations

from typing import cast

from ludarium.core.game import Action, State
from ludarium.core.jit import plain
from ludarium.core.rules import CHANCE
from ludarium.core.secrets import Secrets, Seen

from ..actions import ROLL
from ..phases.chance import roller as roller_of
from ..tables import EMPTY, PHASE


class Screens(Secrets):
    """Everybody programs at the same time. That dice fall and that a program is locked in can be heard; placing a die cannot.

    The screens are lifted when all programs are locked in. Declarations to shut down are shown together, when all have declared.
    """

    independent = True

    def seen(self, then: State, player: int, action: Action, viewer: int | None, now: State) -> Seen:
        before, after, tables = then.record, now.record, then.game.tables
        phase = int(before.phase)
        is_hidden = phase == PHASE.PROGRAM or (phase == PHASE.SHUTDOWN and not tables.seat_order)
        if not is_hidden or after.turn != before.turn or after.phase != phase:
            return Seen.ALL
        if player == CHANCE:
            return Seen.ALL if plain(roller_of)(tables, before) == viewer else Seen.HAPPENED
        locks_in = int((before.register_slot[player] == EMPTY).sum()) == 1
        return Seen.NOTHING if phase == PHASE.PROGRAM and cast(int, action.index) < ROLL and not locks_in else Seen.HAPPENED

    def words(self, then: State, player: int) -> str:
        names = then.game.player_names
        if player == CHANCE:
            roller = plain(roller_of)(then.game.tables, then.record)
            return f"{names[roller]} rolls behind a screen" if roller >= 0 else "dice are rolled behind a screen"
        if int(then.record.phase) == PHASE.SHUTDOWN:
            return f"{names[player]} has decided whether to shut down"
        return f"{names[player]} programs behind a screen"
