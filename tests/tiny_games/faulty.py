"""Cups with one fault each: what the contracts of :mod:`ludarium.testing` are there to find."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np
from rich.text import Text

from ludarium.core.game import Action, Event, State
from ludarium.core.options import Option
from ludarium.core.orders import Orders
from ludarium.core.rules import (
    CHANCE,
    apply_actions,
    apply_chance,
    chance_outcomes,
    clear_observation,
    conceal,
    copy_record,
    copy_state,
    leave,
    legal_actions,
    observe,
    resample_hidden,
    returns,
    sample_chance,
    to_move,
)
from ludarium.core.secrets import Secrets, Seen
from ludarium.core.show import Overdue, Show
from ludarium.errors import IllegalAction
from tests.tiny_games import cups, heap
from tests.tiny_games.cups import ACTIONS, KEEP, SHAKE, Cups, UnderCups
from tests.tiny_games.heap import Heap

NO_FAULT, IDLE, LACKING, ENDLESS, UNEVEN, EARLY, RESTLESS, WATCHED = range(8)
GUESSED, DOUBLED, SMEARED, STUCK, UNCAST, LOADED, LIFTED, SIXES = range(8, 16)
"""What is wrong with the rules: shaking does nothing; a copy lacks a field; an observation is not finite; seven faces have a sixth each; who keeps before
the other scores; one's own die is drawn anew; watchers see the dice; a draw of what is hidden looks at it; a win counts twice;
what was observed before is observed again; nobody may do anything; dice cannot fall; a draw is no die; a die lies open until its player keeps;
only sixes fall."""


class FaultyTables(NamedTuple):
    rounds: int
    fault: int


@to_move.implement(FaultyTables)
def faulty_to_move(tables: Any, state: Any) -> Any:
    return cups.cups_to_move(tables, state)


@legal_actions.implement(FaultyTables)
def faulty_legal_actions(tables: Any, state: Any, player: Any, slot: Any, out: Any) -> Any:
    return 0 if tables.fault == STUCK else cups.cups_legal_actions(tables, state, player, slot, out)


@apply_actions.implement(FaultyTables)
def faulty_apply_actions(tables: Any, state: Any, joint: Any) -> None:
    if tables.fault == IDLE:
        for player in range(2):
            if joint[player, 0] == SHAKE:
                return
    if tables.fault == EARLY:
        for player in range(2):
            if joint[player, 0] == KEEP and joint[1 - player, 0] == -1 and not int(state.kept[1 - player]):
                state.lead = int(state.lead) + 1
    cups.cups_apply_actions(tables, state, joint)


@sample_chance.implement(FaultyTables)
def faulty_sample_chance(tables: Any, state: Any, generator: Any) -> Any:
    return 5 if tables.fault == SIXES else cups.cups_sample_chance(tables, state, generator)


@apply_chance.implement(FaultyTables)
def faulty_apply_chance(tables: Any, state: Any, outcome: Any) -> None:
    cups.cups_apply_chance(tables, state, outcome)


@chance_outcomes.implement(FaultyTables)
def faulty_chance_outcomes(tables: Any, state: Any, outcomes: Any, probabilities: Any) -> Any:
    count = cups.cups_chance_outcomes(tables, state, outcomes, probabilities)
    if tables.fault == UNEVEN:
        probabilities[0] = 1 / 3
    return 0 if tables.fault == UNCAST else count


@returns.implement(FaultyTables)
def faulty_returns(tables: Any, state: Any, out: Any) -> None:
    cups.cups_returns(tables, state, out)
    if tables.fault == DOUBLED:
        out[0] = 2 * out[0]


@conceal.implement(FaultyTables)
def faulty_conceal(tables: Any, state: Any, player: Any) -> None:
    if tables.fault == LIFTED:
        for other in range(2):
            if other != player and int(state.kept[other]):
                state.dice[other] = cups.UNKNOWN
    elif tables.fault != WATCHED or player >= 0:
        cups.cups_conceal(tables, state, player)


@resample_hidden.implement(FaultyTables)
def faulty_resample_hidden(tables: Any, state: Any, player: Any, generator: Any) -> None:
    if tables.fault == GUESSED and player == 0 and int(state.dice[1]) == 6:
        return
    cups.cups_resample_hidden(tables, state, -1 if tables.fault == RESTLESS else player, generator)
    if tables.fault == LOADED and player == 0 and int(state.dice[1]) != 0:
        state.dice[1] = cups.UNKNOWN + 1


@observe.implement(FaultyTables)
def faulty_observe(tables: Any, state: Any, player: Any, out: Any) -> None:
    before = out[0]
    cups.cups_observe(tables, state, player, out)
    if tables.fault == SMEARED:
        out[0] += before
    if tables.fault == ENDLESS:
        out[0] = np.inf


@clear_observation.implement(FaultyTables)
def faulty_clear_observation(tables: Any, state: Any, player: Any, out: Any) -> None:
    pass


@copy_state.implement(FaultyTables)
def faulty_copy_state(tables: Any, source: Any, target: Any) -> None:
    copy_record(source, target)
    if tables.fault == LACKING:
        target.shown[0] = 0


class Faulty(Cups):
    """Cups whose rules have the fault of that number."""

    option_list = (*Cups.option_list, Option("fault", "whole number", NO_FAULT, "what is wrong with the rules"))

    def make_tables(self) -> Any:
        return FaultyTables(self.options["rounds"], self.options["fault"])


class NoSentence(Cups):
    summary = "a game without a full stop"


class NoHelp(Cups):
    option_list = (Option("rounds", "whole number", 3, "", minimum=1, maximum=9),)


_starts = itertools.cycle(range(1, 7))


class NoSeed(Cups):
    """Every start has other dice than the one before, whatever the seed."""

    def start(self, seed: int | None = None) -> State:
        return super().start() if seed is None else self.parse(f"0 0 N{next(_starts)} S1 0 0 0 0 0 0")


class Forgetful(Cups):
    """Pickled, it forgets its options."""

    def __reduce__(self) -> Any:
        return type(self), ()


class OneWord(Cups):
    """Both actions are written in the same way."""

    def action_text(self, state: State, player: int, action: Any) -> str:
        return super().action_text(state, player, action) if player == CHANCE else ACTIONS[0]


class StayingTables(NamedTuple):
    players: int


@to_move.implement(StayingTables)
def staying_to_move(tables: Any, state: Any) -> Any:
    return heap.heap_to_move(tables, state)


@legal_actions.implement(StayingTables)
def staying_legal_actions(tables: Any, state: Any, player: Any, slot: Any, out: Any) -> Any:
    return heap.heap_legal_actions(tables, state, player, slot, out)


@apply_actions.implement(StayingTables)
def staying_apply_actions(tables: Any, state: Any, joint: Any) -> None:
    heap.heap_apply_actions(tables, state, joint)


@returns.implement(StayingTables)
def staying_returns(tables: Any, state: Any, out: Any) -> None:
    heap.heap_returns(tables, state, out)


@observe.implement(StayingTables)
def staying_observe(tables: Any, state: Any, player: Any, out: Any) -> None:
    heap.heap_observe(tables, state, player, out)


@leave.implement(StayingTables)
def staying_leave(tables: Any, state: Any, player: Any) -> None:
    pass


class Staying(Heap):
    """The rules know of players who leave, and still have them to move."""

    def make_tables(self) -> Any:
        return StayingTables(3)


class Curt(Heap):
    """Illegal actions are not named."""

    def action_index(self, state: State, player: int, text: str) -> int:
        if text not in [action.text for action in state.actions(player)]:
            raise IllegalAction("no")
        return int(text)


class Impolite(Heap):
    """Whoever waits has one word for everything."""

    def action_text(self, state: State, player: int, action: Any) -> str:
        return super().action_text(state, player, action) if player in state.to_move else "hurry"


class Deaf(Cups):
    """A second player may act who is not there."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.players = 1


class ImpatientOrders(Orders):
    idle = SHAKE


class Impatient(Cups):
    """To do nothing is to shake, which is not always legal."""

    def make_orders(self) -> Orders:
        return ImpatientOrders()


class Unlike(Cups):
    """Its positions tell of an option that it has not."""

    @classmethod
    def options_in(cls, text: str) -> dict[str, Any]:
        return {"cups": 2}


class Unread(Cups):
    """A position is read without who has kept."""

    def write_parsed(self, text: str, record: Any) -> None:
        super().write_parsed(text, record)
        record.kept = 0


class Level(Cups):
    """Who leads does not stand in a position."""

    def state_text(self, state: State) -> str:
        played, _, *others = super().state_text(state).split()
        return " ".join([played, "0", *others])


class Crashing(Cups):
    """Nonsense ends in a ValueError of another kind."""

    def action_index(self, state: State, player: int, text: str) -> int:
        return int(text) if text.isdigit() else super().action_index(state, player, text)

    def write_parsed(self, text: str, record: Any) -> None:
        record.lead = int(text.split()[1])
        super().write_parsed(text, record)


class Misquoting(Cups):
    """A die is written as one more than it is."""

    def action_text(self, state: State, player: int, action: Any) -> str:
        return super().action_text(state, player, (action + 1) % 6 if player == CHANCE else action)


class Talkative(Cups):
    """Events of two lines."""

    def make_show(self) -> Show:
        return Show(events=lambda state, actions: (Event("one\ntwo", {}),))


class Rambling(Cups):
    """A summary of two lines in one."""

    def make_show(self) -> Show:
        return Show(summary=lambda states, steps: ("one\ntwo",))


class Late(Cups):
    """Whoever is late shakes, which is not always legal."""

    def make_overdue(self) -> Overdue:
        return Overdue("the cup is shaken", lambda state, player: Action(SHAKE, ACTIONS[SHAKE]))


class Measured(Cups):
    """What is measured is told at the end only."""

    def make_show(self) -> Show:
        return Show(measures=lambda state: {"Points": (1, 0)} if state.is_over else {})


class Ranked(Cups):
    """Players are ranked by what is not measured."""

    def make_show(self) -> Show:
        return Show(measures=lambda state: {"Points": (1, 0)}, ranked_by="Score")


class Alone(Cups):
    """One player is measured."""

    def make_show(self) -> Show:
        return Show(measures=lambda state: {"Points": (1,)})


class Scripted(Cups):
    def svg(self, state: State, *, size: int = 480, last: Action | None = None, seat: int = 0) -> str:
        return super().svg(state, size=size).replace("</svg>", "<script>1</script></svg>")


class Pointless(Cups):
    """Picks that are not in the drawing."""

    def picks(self, state: State, action: Action) -> tuple[str, ...]:
        return ("elsewhere", action.text)


class FarReaching(Cups):
    """Effects on things that are not in the drawing."""

    def make_show(self) -> Show:
        return Show(effects=lambda state, action: (("elsewhere",),))


class Wide(Cups):
    def board(self, state: State, *, last: Action | None = None, seat: int = 0) -> Text:
        return Text("=" * 81)


class Veiled(Cups):
    """The text of what somebody sees cannot be read back."""

    def state_text(self, state: State) -> str:
        return super().state_text(state).replace("?", "!")


class Unheard(UnderCups):
    """Nobody hears when a cup is shaken; but that there is a die under it can be seen."""

    def seen(self, then: State, player: int, action: Action, viewer: int | None, now: State) -> Seen:
        seen = super().seen(then, player, action, viewer, now)
        return Seen.NOTHING if seen == Seen.HAPPENED and player == CHANCE else seen


class Forgotten(UnderCups):
    """What was seen is secret again in the next round."""

    def seen(self, then: State, player: int, action: Action, viewer: int | None, now: State) -> Seen:
        return Seen.HAPPENED if now.record.played > then.record.played + 1 else super().seen(then, player, action, viewer, now)


class Spoken(UnderCups):
    """How every die falls is told."""

    def seen(self, then: State, player: int, action: Action, viewer: int | None, now: State) -> Seen:
        return Seen.ALL if player == CHANCE else super().seen(then, player, action, viewer, now)


class Loud(UnderCups):
    """A six is told, and nothing else."""

    def seen(self, then: State, player: int, action: Action, viewer: int | None, now: State) -> Seen:
        return Seen.ALL if player == CHANCE and int(action.index) == 5 else super().seen(then, player, action, viewer, now)


class Hasty(UnderCups):
    """A die is told as soon as anybody keeps, before the cups are lifted."""

    def seen(self, then: State, player: int, action: Action, viewer: int | None, now: State) -> Seen:
        return Seen.ALL if now.record.kept.any() else super().seen(then, player, action, viewer, now)


class Gossiping(UnderCups):
    """Its words tell what it has seen elsewhere."""

    last = ""

    def seen(self, then: State, player: int, action: Action, viewer: int | None, now: State) -> Seen:
        self.last = action.text
        return super().seen(then, player, action, viewer, now)

    def words(self, then: State, player: int) -> str:
        return f"{super().words(then, player)}: {self.last}"


class Unguarded(Cups):
    """The rules hide dice, and the game says that it has no secrets."""

    def make_secrets(self) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        return None


SECRETS: dict[str, type[Secrets]] = {kind.__name__: kind for kind in (Unheard, Forgotten, Spoken, Loud, Hasty, Gossiping)}


class WithSecrets(Cups):
    """Cups with the secrets of that name."""

    option_list = (*Cups.option_list, Option("secrets", "word", "Spoken", "what is wrong with them", choices=tuple(SECRETS)))

    def make_secrets(self) -> Secrets:
        return SECRETS[self.options["secrets"]]()
