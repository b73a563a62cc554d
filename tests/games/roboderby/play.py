"""Games of RoboDerby for tests: random options, and steps chosen at random in a way that also shoots, hacks, falls and shuts down now and then."""

from __future__ import annotations

import random
from typing import Any

import ludarium
from ludarium.core.game import State
from ludarium.core.random import generator_from
from ludarium.games.roboderby.game import RoboDerby
from ludarium.games.roboderby.tables import PHASES

__all__ = ["options_at_random", "phase_of", "play_some", "step_at_random"]

FREE = ("random", "board", "tiles", "dice", "players", "turn_limit")
"""Options that are not drawn from their words."""


def options_at_random(choice: random.Random, **given: Any) -> dict[str, Any]:
    """A value for every option, among all that it takes."""
    options: dict[str, Any] = {
        option.name: choice.choice(option.choices) for option in RoboDerby.option_list if option.kind == "word" and option.name not in FREE
    }
    return {**options, "players": choice.choice((2, 3, 4)), "turn_limit": choice.choice((6, 12)), **given}


def phase_of(state: State) -> str:
    return PHASES[int(state.record.phase)]


def step_at_random(state: State, choice: random.Random) -> dict[int, Any]:
    """What everybody who is to move does; of players who are independent, sometimes only one acts."""
    if state.to_move == (ludarium.CHANCE,):
        return {ludarium.CHANCE: state.sample_chance(generator_from(choice.getrandbits(40)))}
    movers = state.to_move
    if state.game.independent and len(movers) > 1 and choice.random() < 0.5:
        movers = (choice.choice(movers),)
    return {player: _choose(state, player, choice) for player in movers}


def _choose(state: State, player: int, choice: random.Random) -> Any:
    actions = state.actions(player)
    texts = [action.text for action in actions]
    if "shutdown" in texts and choice.random() < 0.8:
        return "run"
    commands = [action for action in actions if action.text.isdigit()]
    return choice.choice(commands if commands and choice.random() < 0.6 else actions)


def play_some(state: State, choice: random.Random, most: int) -> list[State]:
    """The state and those that come after it, until the game is over or so many steps were made."""
    states = [state]
    while not states[-1].is_over and len(states) <= most:
        states.append(states[-1].play(step_at_random(states[-1], choice)))
    return states
