"""Games and states as subclasses of OpenSpiel's, and how they are registered there."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import pyspiel

from ludarium.core.game import Game, State
from ludarium.core.leaving import outcome_with
from ludarium.core.options import Option
from ludarium.core.random import generator_from
from ludarium.core.registry import game as load_game
from ludarium.core.registry import game_class
from ludarium.core.rules import CHANCE
from ludarium.errors import IllegalAction

from .course import Step
from .observer import Observer

LONGEST = 1_000_000
"""Steps that no game is longer than: games do not say how long they can last."""


def spiel_name(id: str) -> str:
    """What a game is called in OpenSpiel: ``ludarium_expand_conquer``."""
    return f"ludarium_{id.replace('-', '_')}"


def register(game: Game) -> None:
    """Make it known to ``pyspiel.load_game``, with its options as parameters. What may be left out is 0, or an empty text."""
    # OpenSpiel keeps what it is given until after Python has ended. That must be a class: nothing else could be let go then.
    pyspiel.register_game(_game_type(game), _class_of(game))


def spiel_game(game: Game) -> SpielGame:
    """A game with its options, as OpenSpiel plays it."""
    return _class_of(game)(
        {
            option.name: _default(option) if value is None else value
            for option, value in zip(game.option_list, game.options.values(), strict=True)
        }
    )


class SpielGame(pyspiel.Game):
    """A game whose players choose one action at a step: orders that a player gives together are given one after the other, without seeing the others'."""

    id: ClassVar[str]

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        """Load the game, with options.

        Raises:
            BadOption: a value that an option does not take.
        """
        given = parameters or {}
        left_out = {option.name: _default(option) for option in game_class(self.id).option_list if option.default is None}
        self.game = load_game(self.id, **{name: value for name, value in given.items() if left_out.get(name) != value})
        size = self.game.dimensions
        super().__init__(
            _game_type(self.game),
            pyspiel.GameInfo(
                num_distinct_actions=size.action_space,
                max_chance_outcomes=size.max_outcomes,
                num_players=self.game.players,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0 if self.game.players > 1 else None,
                max_game_length=LONGEST,
            ),
            given,
        )

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def __reduce__(self) -> Any:
        """Pickle the game: its class here has no name that another process could import."""
        return spiel_game, (self.game,)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        if iig_obs_type is None:
            return Observer(self.game, recalls=False, watches=False)
        return Observer(self.game, recalls=iig_obs_type.perfect_recall, watches=iig_obs_type.private_info == pyspiel.PrivateInfoType.NONE)


class SpielState(pyspiel.State):
    """A state of :class:`SpielGame`; ``step`` has Ludarium's."""

    def __init__(self, game: SpielGame, position: State | None = None, out: Mapping[int, int] = MappingProxyType({})) -> None:
        """Begin at the initial position or another one.

        Args:
            out: the players who have left, with when they did (see :attr:`.Timeline.out`); the last to leave is the best of them.
        """
        super().__init__(game)
        self.step = Step.beginning(position or game.game.start(), dict(out))

    def __reduce__(self) -> Any:
        """Pickle the first position and the actions since: OpenSpiel's part of a state can't be pickled."""
        first = self.step
        while first.before is not None:
            first = first.before
        return _replayed, (self.get_game(), first.state, first.out, self.history())

    def without(self, player: int) -> SpielState:
        """Return the state after a player has left a game for three or more. It has no history, and orders given in this turn are void.

        Raises:
            IllegalAction: an unknown player, one who has left already, a game for two, or one that is over.
        """
        step, game = self.step, self.get_game()
        if self.is_terminal() or game.num_players() < 3 or player in step.out:
            raise IllegalAction(f"player {player} cannot leave: the game is over or for two, or the player has left already")
        return SpielState(game, step.state.without(player), {**step.out, player: step.ply + 1})

    def current_player(self) -> int:
        movers = self.step.movers
        if not movers:
            return pyspiel.PlayerId.TERMINAL
        if movers == (CHANCE,):
            return pyspiel.PlayerId.CHANCE
        return movers[0] if len(movers) == 1 else pyspiel.PlayerId.SIMULTANEOUS

    def _legal_actions(self, player: int) -> list[int]:
        return [] if player in self.step.out else sorted(self.step.state.legal(player, self.step.slot))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(place, probability) for place, (_, probability) in enumerate(self.step.outcomes)]

    def _apply_action(self, action: int) -> None:
        movers = self.step.movers
        self.step = self.step.after_chance(action) if movers == (CHANCE,) else self.step.after({movers[0]: action})

    def _apply_actions(self, actions: list[int]) -> None:
        self.step = self.step.after({player: actions[player] for player in self.step.movers})

    def _action_to_string(self, player: int, action: int) -> str:
        state, game = self.step.state, self.step.state.game
        if player == pyspiel.PlayerId.CHANCE:
            return self.step.outcomes[action][0].text
        if game.orders is None or game.dimensions.slots == 1:
            return game.action_text(state, player, action)
        return game.orders.text(state, player, self.step.slot, action)

    def is_terminal(self) -> bool:
        return self.step.is_over

    def returns(self) -> list[float]:
        step = self.step
        if step.out and step.is_over:
            return list(outcome_with(step.state.game, step.out, step.state.outcome).returns)
        return list(step.state.returns)

    def __str__(self) -> str:
        return str(self.step)


def _replayed(game: SpielGame, position: State, out: Mapping[int, int], actions: list[int]) -> SpielState:
    """Return the state after actions. A simultaneous node has one for each player."""
    state, left = SpielState(game, position, out), iter(actions)
    for action in left:
        if state.is_simultaneous_node():
            state.apply_actions([action, *itertools.islice(left, state.num_players() - 1)])
        else:
            state.apply_action(action)
    return state


def _class_of(game: Game) -> type[SpielGame]:
    return type(type(game).__name__, (SpielGame,), {"id": game.id})


def _default(option: Option) -> int | float | str:
    """OpenSpiel knows parameters by the type of their default."""
    if option.default is not None:
        return option.default
    return 0 if option.kind == "whole number" else 0.0 if option.kind in ("number", "seconds") else ""


def _game_type(game: Game) -> Any:
    kinds = pyspiel.GameType
    together = _act_together(game)
    hidden = game.secrets is not None or game.dimensions.slots > 1
    return kinds(
        short_name=spiel_name(game.id),
        long_name=game.title,
        dynamics=kinds.Dynamics.SIMULTANEOUS if together else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if game.dimensions.max_outcomes else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if hidden else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if game.players > 1 else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.players,
        min_num_players=game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={option.name: _default(option) for option in game.option_list},
    )


def _act_together(game: Game) -> bool:
    """Whether several players act at once: always, or when the first choice is to be made."""
    state, generator = game.start(), generator_from(0)
    while state.to_move == (CHANCE,):
        state = state.play(state.sample_chance(generator))
    return game.independent or len(state.to_move) > 1
