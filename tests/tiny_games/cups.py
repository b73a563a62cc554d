"""Two players each shake a die under a cup, look at it, and may shake it once more; when both keep, the cups are lifted and the higher die scores.

A die is hidden until both keep; everybody hears when a cup is shaken. Players act independently.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ludarium.core.game import Action, Dimensions, Event, State
from ludarium.core.options import Option
from ludarium.core.random import random_below
from ludarium.core.rules import (
    CHANCE,
    apply_actions,
    apply_chance,
    chance_outcomes,
    conceal,
    evaluate,
    legal_actions,
    observe,
    resample_hidden,
    returns,
    sample_chance,
    to_move,
)
from ludarium.core.secrets import Secrets, Seen
from ludarium.core.show import Overdue, Show
from ludarium.errors import BadNotation
from tests.tiny_games.tiny import TinyGame

KEEP, SHAKE = 0, 1
ACTIONS = ("keep", "shake")
FACES = 6
UNKNOWN = FACES + 1
"""The die of another player in a concealed state."""


class CupsTables(NamedTuple):
    rounds: int


@to_move.implement(CupsTables)
def cups_to_move(tables: Any, state: Any) -> Any:
    if int(state.played) == tables.rounds:
        return 0
    mask = 0
    for player in range(2):
        if int(state.dice[player]) == 0:
            return CHANCE
        if not int(state.kept[player]):
            mask |= 1 << player
    return mask


@legal_actions.implement(CupsTables)
def cups_legal_actions(tables: Any, state: Any, player: Any, slot: Any, out: Any) -> Any:
    out[0] = KEEP
    out[1] = SHAKE
    return 1 if int(state.shaken[player]) else 2


@apply_actions.implement(CupsTables)
def cups_apply_actions(tables: Any, state: Any, joint: Any) -> None:
    for player in range(2):
        if int(state.dice[player]) != 0 and not int(state.kept[player]):
            if joint[player, 0] == KEEP:
                state.kept[player] = 1
            elif joint[player, 0] == SHAKE:
                state.shaken[player] = 1
                state.dice[player] = 0
    if int(state.kept[0]) and int(state.kept[1]):
        lead = int(state.dice[0]) - int(state.dice[1])
        state.lead = int(state.lead) + (lead > 0) - (lead < 0)
        state.played = int(state.played) + 1
        for player in range(2):
            state.shown[player] = state.dice[player]
            state.dice[player] = 0
            state.kept[player] = 0
            state.shaken[player] = 0


@sample_chance.implement(CupsTables)
def cups_sample_chance(tables: Any, state: Any, generator: Any) -> Any:
    return random_below(generator, FACES)


@apply_chance.implement(CupsTables)
def cups_apply_chance(tables: Any, state: Any, outcome: Any) -> None:
    """The first cup without a die gets one."""
    state.dice[0 if int(state.dice[0]) == 0 else 1] = 1 + outcome


@chance_outcomes.implement(CupsTables)
def cups_chance_outcomes(tables: Any, state: Any, outcomes: Any, probabilities: Any) -> Any:
    for face in range(FACES):
        outcomes[face] = face
        probabilities[face] = 1 / FACES
    return FACES


@returns.implement(CupsTables)
def cups_returns(tables: Any, state: Any, out: Any) -> None:
    lead = int(state.lead) if int(state.played) == tables.rounds else 0
    out[0] = float((lead > 0) - (lead < 0))
    out[1] = 0.0 - out[0]


@conceal.implement(CupsTables)
def cups_conceal(tables: Any, state: Any, player: Any) -> None:
    for other in range(2):
        if other != player and int(state.dice[other]) != 0:
            state.dice[other] = UNKNOWN


@resample_hidden.implement(CupsTables)
def cups_resample_hidden(tables: Any, state: Any, player: Any, generator: Any) -> None:
    for other in range(2):
        if other != player and int(state.dice[other]) != 0:
            state.dice[other] = 1 + random_below(generator, FACES)


@observe.implement(CupsTables)
def cups_observe(tables: Any, state: Any, player: Any, out: Any) -> None:
    own = int(state.dice[player])
    out[0] = own
    out[1] = int(state.shaken[player])
    for seat in range(2):
        out[2 + seat] = int(state.kept[seat])
        out[4 + seat] = int(state.shown[seat])
    out[6] = int(state.lead)


@evaluate.implement(CupsTables)
def cups_evaluate(tables: Any, state: Any, player: Any) -> Any:
    """A point for a round that is won, a tenth for every pip that one's die is ahead."""
    lead = 100 * int(state.lead) + 10 * (int(state.dice[0]) - int(state.dice[1]))
    return lead if player == 0 else -lead


class UnderCups(Secrets):
    """Everybody hears that something is done; what, and what the dice show, is open when the cups are lifted."""

    independent = True

    def seen(self, then: State, player: int, action: Action, viewer: int | None, now: State) -> Seen:
        if now.record.played > then.record.played:
            return Seen.ALL
        looks = player == CHANCE and viewer == (0 if int(then.record.dice[0]) == 0 else 1)
        return Seen.ALL if looks else Seen.HAPPENED

    def words(self, then: State, player: int) -> str:
        return "a cup is shaken" if player == CHANCE else f"{then.game.player_names[player]} thinks"


class Cups(TinyGame):
    """Positions: rounds played, North's lead, and by player: the die, whether shaken twice, whether kept, the die shown last.

    What hides is written so that it can be told from everything else: ``N4 S?``. A die is 0 until it is shaken, and ``?`` is what one may not know.
    """

    id = "test-cups"
    title = "Cups"
    option_list = (Option("rounds", "whole number", 3, "how many rounds", minimum=1, maximum=9),)
    dtype: ClassVar[Any] = np.dtype(
        (
            np.record,
            [
                ("played", np.int8),
                ("lead", np.int8),
                ("dice", np.int8, (2,)),
                ("shaken", np.int8, (2,)),
                ("kept", np.int8, (2,)),
                ("shown", np.int8, (2,)),
            ],
        )
    )

    def make_tables(self) -> CupsTables:
        return CupsTables(self.options["rounds"])

    def make_dimensions(self) -> Dimensions:
        return Dimensions(("North", "South"), 2, 2, (7,), max_outcomes=FACES)

    def make_secrets(self) -> Secrets:
        return UnderCups()

    def make_show(self) -> Show:
        return Show(events=_events)

    def make_overdue(self) -> Overdue:
        return Overdue(
            "the cup is shaken once more", lambda state, player: state.actions(player)[-1]
        )  # while there is more than one choice

    def write_initial(self, record: Any) -> None:
        """All zeros: both dice are still to be shaken."""

    def action_text(self, state: State, player: int, action: Any) -> str:
        return f"{self._shaking(state)}{action + 1}" if player == CHANCE else ACTIONS[action]

    def action_index(self, state: State, player: int, text: str) -> int:
        words = [f"{self._shaking(state)}{face}" for face in range(1, FACES + 1)] if player == CHANCE else ACTIONS
        if text not in words:
            raise BadNotation(f"'{text[:40]}' is not one of {', '.join(words)}")
        return words.index(text)

    def _shaking(self, state: State) -> str:
        return "N" if int(state.record.dice[0]) == 0 else "S"

    def state_text(self, state: State) -> str:
        plain = TinyGame.state_text(self, state).split()
        dice = [mark + number.replace(str(UNKNOWN), "?") for mark, number in zip("NS", plain[2:4], strict=True)]
        return " ".join(plain[:2] + dice + plain[4:])

    def write_parsed(self, text: str, record: Any) -> None:
        match = re.fullmatch(r"(\d) (-?\d) N([0-6?]) S([0-6?]) ([01]) ([01]) ([01]) ([01]) ([0-6]) ([0-6])", text)
        if match is None:
            raise BadNotation(f"'{text[:40]}' is no position of Cups, such as '0 0 N3 S? 0 0 0 1 0 0'")
        numbers = [int(word.replace("?", str(UNKNOWN))) for word in match.groups()]
        record.played, record.lead = numbers[:2]
        record.dice, record.shaken, record.kept, record.shown = (numbers[at : at + 2] for at in range(2, 10, 2))

    def reason(self, state: State) -> str:
        return "all rounds are played"

    def svg(self, state: State, *, size: int = 480, last: Action | None = None, seat: int = 0) -> str:
        buttons = "".join(
            f'<g data-pick="{name}" aria-label="{name}"><rect x="{100 * at}" y="40" width="90" height="30"/></g>'
            for at, name in enumerate(ACTIONS)
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" viewBox="0 0 200 80"><text y="20">{state.text}</text>{buttons}</svg>'
        )


def _events(state: State, actions: Mapping[int, Action]) -> tuple[Event, ...]:
    after = state.play(actions)
    if after.record.played == state.record.played:
        return ()
    dice = after.record.shown.tolist()
    return (Event(f"the cups are lifted: {dice[0]} and {dice[1]}", {"kind": "lift", "dice": dice}),)
