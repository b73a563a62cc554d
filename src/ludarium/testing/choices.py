"""Contracts on choosing: what is legal, who must choose, several orders, acting independently."""

from __future__ import annotations

import random
from typing import cast

import numpy as np

from ludarium.core.game import Choice, State
from ludarium.errors import IllegalAction

from .contracts import Played, at_dice, contract, has_orders, is_independent, refused
from .random_games import random_choice, random_step


def _play_among(state: State, choices: dict[int, Choice]) -> State:
    return state.play(choices)


@contract()
def legal_actions_are_those_accepted(played: Played) -> None:
    """Whoever is to move has from 1 to ``max_actions`` legal actions in a fixed order, with indices below ``action_space`` and texts of their own; each is
    accepted as an action, a text or an index, and nothing else is, from nobody else."""
    game, choice = played.game, random.Random(1)
    for state in played.positions:
        if state.is_over or at_dice(state):
            continue
        for player in state.to_move:
            for slot in range(game.dimensions.slots):
                _check_list(state, player, slot)
            if game.dimensions.slots > 1:
                continue
            actions = state.actions(player)
            for action in actions:
                for form in (action, action.text, action.index, np.int64(cast(int, action.index))):
                    assert state.action(cast(Choice, form), player) == action, f"{form!r} is not read as {action!r}: {state!r}"
            others = sorted(set(range(-2, game.dimensions.action_space + 2)) - {action.index for action in actions})
            for index in [*choice.sample(others, min(len(others), 150)), -(2**63), 2**63, 2**70]:
                refused(IllegalAction, state.action, index, player)
        for outsider in set(range(-3, game.players + 2)) - set(state.to_move):
            refused(IllegalAction, state.action, random_choice(state, state.to_move[0], choice), outsider)
        for nobody in (-2, game.players, game.players + 7, True, 0.0, "0", [0], np.zeros(2)):
            refused(IllegalAction, state.actions, nobody, naming="there is no player")
            refused(IllegalAction, state.observation, nobody, naming="there is no player")
        for none in (-1, game.dimensions.slots, True, 0.0, "0", [0]):
            refused(IllegalAction, state.actions, 0, none, naming="there is no order")


def _check_list(state: State, player: int, slot: int) -> None:
    size, actions = state.game.dimensions, state.actions(player, slot)
    where = f"player {player}, slot {slot}: {state!r}"
    assert actions == state.actions(player, slot), f"legal actions change when they are asked for again; {where}"
    assert 1 <= len(actions) <= size.max_actions, f"there are {len(actions)} legal actions; {where}"
    indices = [cast(int, action.index) for action in actions]
    assert len(set(indices)) == len(indices), f"two legal actions have one index; {where}"
    assert len({action.text for action in actions}) == len(actions), f"two legal actions have one text; {where}"
    assert all(0 <= index < size.action_space for index in indices), f"an index is not below {size.action_space}; {where}"


@contract()
def who_waits_can_choose_ahead(played: Played) -> None:
    """Where one player is to move and nothing is hidden, the rules say what another one could do: at most ``max_actions``, with texts and picks."""
    for state in played.positions:
        for player in range(played.game.players):
            actions = state.actions_ahead(player)
            where = f"player {player} ahead of its turn: {state!r}"
            assert len(actions) <= played.game.dimensions.max_actions, f"there are {len(actions)} actions; {where}"
            assert len({action.text for action in actions}) == len(actions), f"two actions have one text; {where}"
            assert all(played.game.picks(state, action) for action in actions), f"an action has no picks; {where}"
            for action in actions[:1]:
                refused(IllegalAction, state.action, action, player)


@contract()
def illegal_actions_are_named_when_refused(played: Played) -> None:
    """An action of another position is refused with its text in the message."""
    alone = [state for state in played.positions if len(state.to_move) == 1 and not at_dice(state) and state.game.dimensions.slots == 1]
    for state in alone:
        legal = {action.text for action in state.actions()}
        for text in {action.text for other in alone for action in other.actions()} - legal:
            refused(IllegalAction, state.play, text, naming=text)


@contract()
def everybody_who_is_to_move_chooses(played: Played) -> None:
    """A step is refused without the choice of somebody who is to move (unless they act independently), without any, and with somebody else's."""
    choice = random.Random(3)
    for state in played.positions:
        if state.is_over or at_dice(state):
            continue
        step = random_step(state, choice)
        refused(IllegalAction, _play_among, state, {})
        for player in () if played.game.independent else state.to_move:
            refused(IllegalAction, _play_among, state, {one: action for one, action in step.items() if one != player})
        refused(IllegalAction, _play_among, state, {**step, played.game.players: next(iter(step.values()))})


@contract(is_independent)
def independent_players_act_in_any_order(played: Played) -> None:
    """Players who act independently reach the same state together, one after the other and in reverse."""
    choice = random.Random(4)
    for state in played.many_of_one_game:
        if len(state.to_move) < 2:
            continue
        step = random_step(state, choice)
        for order in (list(step), list(reversed(step))):
            after = state
            for player in order:
                if player not in after.to_move:  # chance comes first, for what another one chose
                    break
                after = after.play({player: step[player]})
            else:
                assert after == state.play(step), (
                    f"players who chose {step} in the order {order} reach another state than together: {state!r}"
                )


@contract(lambda game: game.overdue is not None)
def who_is_late_acts_legally(played: Played) -> None:
    """What is played for a player whose time is up is legal, and found by what that player may know; it is announced in one line."""
    overdue = played.game.overdue
    assert overdue is not None  # or this contract does not concern the game
    assert overdue.words.strip() and "\n" not in overdue.words, f"{overdue.words!r} is not one line"
    for state in played.many_of_one_game:
        for player in () if at_dice(state) else state.to_move:
            action = overdue.action(state.seen_by(player), player)
            try:
                state.action(action.index, player)
            except IllegalAction as problem:
                raise AssertionError(f"{action!r} is played for player {player}, who is late: {problem}; {state!r}") from problem


@contract(has_orders)
def orders_are_picked_and_may_be_idle(played: Played) -> None:
    """Every order has a text and words, its picks lead back to it, and the idle order, if there is one, is legal in every slot at any time."""
    orders = played.game.orders
    assert orders is not None
    for state in played.positions:
        for player in () if at_dice(state) else state.to_move:
            for slot in range(played.game.dimensions.slots):
                where = f"player {player}, slot {slot}: {state!r}"
                actions = state.actions(player, slot)
                assert orders.idle is None or orders.idle in [action.index for action in actions], f"to do nothing is illegal; {where}"
                assert orders.paths(state, player, slot), f"no path leads to an order; {where}"
                for action in actions[:: max(1, len(actions) // 20)]:
                    index = cast(int, action.index)
                    assert orders.text(state, player, slot, index).strip() and orders.words(state, player, slot, index).strip(), where
                    picks = played.game.picks(state, action)
                    assert orders.picked(state, player, slot, picks) == index, f"the picks {picks} lead to another order; {where}"
