"""The rules of Expendibots, sentence by sentence ("Rules for the Game of Expendibots", 2020), and games that others played."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import ludarium
from ludarium.core.game import State
from ludarium.core.jit import kernel
from ludarium.core.random import generator_from, random_below
from ludarium.core.rules import legal_actions, random_action, tactical_actions
from ludarium.errors import BadOption, IllegalAction
from tests.folders import DATA

FOLDER = DATA / "expendibots"
GAMES = [json.loads(line) for line in (FOLDER / "games.jsonl").read_text().splitlines()]
REPETITION: dict[str, Any] = json.loads((FOLDER / "repetition.json").read_text())

RESULTS = {
    "Black has no tokens left": "winner: white",
    "White has no tokens left": "winner: black",
    "neither player has tokens left": "draw detected: no tokens remaining",
    "the same position stood for the fourth time": "draw detected: game state occurred 4 times.",
    "500 turns were played without a winner": "draw detected: maximum number of turns reached.",
}


def position(*ranks: str, ply: int = 0, **options: Any) -> State:
    """Ranks 8 to 1; empty ranks at the top may be left out."""
    rows = ["........"] * (8 - len(ranks)) + list(ranks)
    return ludarium.game("expendibots", **options).parse(f"{'/'.join(rows)} {'wb'[ply % 2]} {ply}")


def moves_of(state: State, square: str) -> set[str]:
    return {action.text for action in state.actions() if action.text[-5:-3] == square}


def played(state: State, *actions: str) -> State:
    for action in actions:
        state = state.play(action)
    return state


# Setup


def test_twelve_tokens_each_in_squares_of_four() -> None:
    state = ludarium.game("expendibots").start()
    board = state.record.board.reshape(8, 8)
    assert (board[:2] == [1, 1, 0, 1, 1, 0, 1, 1]).all()
    assert (board[6:] == [-1, -1, 0, -1, -1, 0, -1, -1]).all()
    assert not board[2:6].any()


def test_white_has_the_first_turn_and_players_alternate() -> None:
    state = ludarium.game("expendibots").start()
    assert state.to_move == (0,)
    state = state.play("a2-a3")
    assert state.to_move == (1,)
    assert state.play("a7-a6").to_move == (0,)


# Moves


def test_figure_2a_twelve_moves_of_a_stack_of_two() -> None:
    """The opponent stands on two of the eight squares within two steps; one of them is jumped, its far side is free."""
    state = position("...B....", "...W(2).B..", "........", "........", "........")
    assert moves_of(state, "d4") == {f"{count}d4-{target}" for count in ("", "2") for target in ("b4", "c4", "e4", "d6", "d3", "d2")}


def test_figure_2b_two_moves_of_a_single_token() -> None:
    """At the left edge with the opponent below it: up, onto an own stack of two, or to the right."""
    state = position("W(2).......", "W.......", "B.......", "........")
    assert moves_of(state, "a3") == {"a3-a4", "a3-b3"}
    assert state.play("a3-a4").text.startswith("......../......../......../......../W(3)......./......../B......./........")


def test_the_quiz_of_figure_2_a_stack_with_21_moves() -> None:
    """One to three tokens to each of seven squares: the edge ends two ways, the opponent blocks two squares and is jumped over once."""
    state = position("........", "........", "B.......", "W(3)..B....", "........", "........", "........")
    # a4 is blocked by a5, which it jumps, and does not reach beyond d4.
    assert moves_of(state, "a4") == {f"{n}a4-{target}" for n in ("", "2", "3") for target in ("a6", "a7", "a3", "a2", "a1", "b4", "c4")}
    assert len(moves_of(state, "a4")) == 21


def test_any_stacks_are_jumped() -> None:
    state = position("W(4)WBW...B", "........")
    assert {action.text for action in state.actions() if action.text.startswith("4a2-")} == {
        "4a2-a1", "4a2-b2", "4a2-d2", "4a2-e2",
        "4a2-a3", "4a2-a4", "4a2-a5", "4a2-a6",
    }  # fmt: skip
    assert state.play("2a2-e2").text == "......../......../......../......../......../......../W(2)WBWW(2)..B/........ b 1"


def test_tokens_join_a_stack_of_their_colour_and_others_stay_behind() -> None:
    state = position("W(3).W(2)....B")
    assert state.play("2a1-c1").text.endswith("/W.W(4)....B b 1")
    assert state.play("3a1-c1").text.endswith("/..W(5)....B b 1")
    assert state.play("a1-c1").text.endswith("/W(2).W(3)....B b 1")


def test_a_stack_of_all_tokens_crosses_the_board() -> None:
    state = position("W(12).......", "........", "........", "........", "........", "........", "........", ".......B")
    assert "12a8-a1" in moves_of(state, "a8")
    assert "12a8-h8" in moves_of(state, "a8")
    assert len(moves_of(state, "a8")) == 12 * 14


@pytest.mark.parametrize("action", ["a2-a4", "2a2-a3", "a2-b2", "a3-a4", "b2-b3", "b2!", "a3!", "c2-d2", "c2!"])
def test_what_is_not_allowed(action: str) -> None:
    """Too far, too many, onto the opponent, from an empty square, the opponent's stacks."""
    state = position("WBB.....", "........")
    with pytest.raises(IllegalAction, match="not legal here; White is to move"):
        state.play(action)


def test_there_is_always_an_action() -> None:
    """A token that is shut in can only explode."""
    state = position("........", "B.......", "WB......")
    assert [action.text for action in state.actions()] == ["a1!"]


# Booms


def test_a_boom_takes_the_eight_squares_around_it_and_no_more() -> None:
    state = position("W.B..B..", "........", ".BBW....", ".WWB.B..", ".BWB....", "........")
    assert state.play("c3!").text.split()[0] == "......../......../W.B..B../......../......../.....B../......../........"


def test_figure_3a_one_boom_removes_all_tokens() -> None:
    state = position("...W....", "..BB(2)W...", "..WW(3)B...", "...B....")
    over = state.play("d2!")
    assert not over.record.board.any()
    assert over.outcome is not None
    assert (over.outcome.returns, over.outcome.winner) == ((0.0, 0.0), None)
    assert over.outcome.reason == "neither player has tokens left"


def test_figure_3b_a_chain_reaction_wave_by_wave() -> None:
    """White's boom reaches Black's 3-stack, that one the 2-stack, then the 1-stacks near it, and last White's own 5-stack."""
    state = position(".W...W(5)..", "..B(3).B...", "...B(2)B...", "........", ".......W(2)", "...B....")
    boom = state.action("b6!")
    assert state.game.show.effects_of(state, boom) == (("b6",), ("c5",), ("d4",), ("e4", "e5"), ("f6",))
    after = state.play(boom)
    assert after.text == "......../......../......../......../......../......../.......W(2)/...B.... b 1"
    assert after.to_move == (1,)


# The end


def test_the_player_with_tokens_left_wins() -> None:
    white = position("WB.....W").play("a1!")
    assert white.outcome is not None
    assert (white.outcome.returns, white.winner, white.outcome.reason) == ((1.0, -1.0), 0, "Black has no tokens left")
    black = position("WB.....B").play("a1!")
    assert black.outcome is not None
    assert (black.outcome.returns, black.winner, black.outcome.reason) == ((-1.0, 1.0), 1, "White has no tokens left")
    for over in (white, black):
        assert over.to_move == ()
        assert over.actions() == ()
        with pytest.raises(IllegalAction, match="the game is over"):
            over.play("h1-h2")


def test_the_game_is_a_draw_after_500_turns() -> None:
    before = position("W......B", ply=498).play("a1-a2")
    assert not before.is_over
    over = before.play("h1-h2")
    assert over.outcome is not None
    assert (over.returns, over.winner, over.outcome.reason) == ((0.0, 0.0), None, "500 turns were played without a winner")


@pytest.mark.parametrize(
    ("squares", "action", "winner", "reason"),
    [
        ("WB.....B", "b1!", 1, "White has no tokens left"),
        ("WB......", "b1!", None, "neither player has tokens left"),
        ("WB.....W", "b1!", 0, "Black has no tokens left"),
        ("W.B....W", "c1-c2", None, "500 turns were played without a winner"),
    ],
)
def test_a_win_on_the_last_turn_comes_first(squares: str, action: str, winner: int | None, reason: str) -> None:
    over = position(squares, ply=499).play(action)
    assert over.outcome is not None
    assert (over.winner, over.outcome.reason) == (winner, reason)


def test_the_turn_limit_is_an_option() -> None:
    state = played(ludarium.game("expendibots", turn_limit=3).start(), "a2-a3", "a7-a6")
    assert not state.is_over
    over = state.play("a3-a4")
    assert over.outcome is not None
    assert over.outcome.reason == "3 turns were played without a winner"
    for limit in (0, 1001, "many"):
        with pytest.raises(BadOption, match="turn_limit"):
            ludarium.game("expendibots", turn_limit=limit)


@pytest.mark.parametrize(("option", "plies"), list(REPETITION["draw after ply"].items()))
def test_the_repetition_game(option: str, plies: int) -> None:
    state = ludarium.game("expendibots", repetition=option).start()
    for action in REPETITION["actions"][: plies - 1]:
        state = state.play(action)
        assert not state.is_over
    over = state.play(REPETITION["actions"][plies - 1])
    assert over.outcome is not None
    assert over.outcome.reason == "the same position stood for the fourth time"
    assert over.returns == (0.0, 0.0)


def test_the_initial_position_counts_once() -> None:
    state = ludarium.game("expendibots").start()
    there_and_back = ("a2-a3", "a7-a6", "a3-a2", "a6-a7")
    assert int(state.record.occurrences) == 1
    for occurrences in (2, 3, 4):
        assert not state.is_over
        state = played(state, *there_and_back)
        assert int(state.record.occurrences) == occurrences
    assert state.is_over


def test_the_board_alone_counts_whoever_is_to_move() -> None:
    """The same board comes back after three plies, with the other side to move."""
    three = ("2a1-c1", "h8-h7", "2c1-b1", "h7-h8", "2b1-a1")
    for option, expected in (("board", 2), ("board and side", 1)):
        state = position(".......B", *["........"] * 6, "W(2)......W", repetition=option)
        assert int(played(state, *three).record.occurrences) == expected


def test_a_repetition_after_a_boom_counts_from_the_boom() -> None:
    state = position("WB.....B", "........", "W......W", repetition="board and side").play("a3!")
    assert int(state.record.history_length) == 1
    assert int(played(state, "h3-h4", "a1-a2", "h4-h3", "a2-a1").record.occurrences) == 2


# Games that others played


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_games_between_student_players(number: int) -> None:
    """Their referee counts the side to move as part of a position."""
    game = GAMES[number]
    state = ludarium.game("expendibots", repetition="board and side").start()
    for action in game["actions"]:
        state = state.play(action)
    assert int(state.record.ply) == game["plies"]
    assert state.text == game["final"]
    assert state.outcome is not None
    assert RESULTS[state.outcome.reason] == game["result"]


# Random actions without a list


@kernel()
def both_draws(tables: Any, states: Any, player: Any, generators: Any, actions: Any, out: Any) -> None:
    """A random action, and the action at a random place of the list, from generators in the same state."""
    count = legal_actions(tables, states[0], player, 0, actions)
    out[1] = actions[random_below(generators[1], count)]
    out[0] = random_action(tables, states[0], player, 0, generators[0], actions)


def test_a_random_action_is_the_one_at_a_random_place_of_the_list() -> None:
    out = np.zeros(2, np.int64)
    for game in GAMES[:4]:
        state = ludarium.game("expendibots").start()
        for number, action in enumerate(game["actions"][:60]):
            if state.is_over:
                break
            generators = np.array([generator_from(number)] * 2)
            actions = np.zeros(state.game.dimensions.max_actions, np.int64)
            both_draws(state.game.tables, state.copy_records(), number % 2, generators, actions, out)
            assert out[0] == out[1]
            assert out[0] in {legal.index for legal in state.actions()}
            state = state.play(action)


# What a search looks at before it trusts an evaluation


@kernel()
def tactics(tables: Any, states: Any, player: Any, out: Any) -> Any:
    return tactical_actions(tables, states[0], player, out)


def tokens(state: State, player: int) -> int:
    return int(np.abs(state.record.board[np.sign(state.record.board) == 1 - 2 * player]).sum())


def test_tactical_actions_are_the_booms_that_cost_the_opponent_as_much_the_best_first() -> None:
    """One boom for each chain; one that takes all that the opponent has is worth more than all others."""
    several = all_of_them = 0
    out = np.zeros(ludarium.game("expendibots").dimensions.max_actions, np.int64)
    for game in GAMES[::4]:
        state = ludarium.game("expendibots", repetition="board and side").start()
        for action in game["actions"]:
            (player,) = state.to_move
            gains: dict[str, int] = {}
            for boom in (one for one in state.actions() if one.text.endswith("!")):
                after = state.play(boom)
                lost, won = (tokens(state, seat) - tokens(after, seat) for seat in (player, 1 - player))
                gains[after.text] = 99 if tokens(after, 1 - player) == 0 else won - lost
            found = [state.play(int(index)).text for index in out[: tactics(state.game.tables, state.copy_records(), player, out)]]
            assert sorted(found) == sorted(text for text, gain in gains.items() if gain >= 0)
            assert [gains[text] for text in found] == sorted((gains[text] for text in found), reverse=True)
            several += len(found) > 1
            all_of_them += 99 in gains.values()
            state = state.play(action)
    assert several > 20
    assert all_of_them > 1


def test_observations_stay_within_one_whatever_the_limit() -> None:
    state = ludarium.game("expendibots", turn_limit=1000).parse(
        "......../......../...B..../......../......../......../...W..../........ w 990"
    )
    planes = state.observation(0)
    assert planes[3, 0, 0] == pytest.approx(0.99)
    assert planes.max() <= 1
