"""The players of Expand and Conquer: components on boards of any size, hotstrat and sentestrat, perfect play where it is possible."""

from __future__ import annotations

import json
import random
import time

import pytest

import ludarium
from ludarium.arena import match, play_game
from ludarium.cgt import Value, value
from ludarium.core.game import Game, State
from ludarium.errors import BadOption
from ludarium.games.expand_conquer.bots.knowledge import MOST_VALUED, Knowledge
from ludarium.games.expand_conquer.components import Grid
from ludarium.games.expand_conquer.values import ExpandConquerRuleset
from ludarium.players import never, parse_player, player_kinds
from tests.folders import DATA

VARIANTS = ("normal", "all-small")
VALUED = DATA / "cgt" / "expand-and-conquer.jsonl"


def random_board(rng: random.Random, rows: int, columns: int, marks: str = "**OX") -> str:
    return "|".join("".join(rng.choice(marks) for _ in range(columns)) for _ in range(rows))


def game_from(board: str, variant: str = "normal", first: str = "L") -> Game:
    return ludarium.game("expand-conquer", start=board, variant=variant, first=first)


def choice(spec: str, state: State, seed: int = 0) -> str:
    return parse_player(spec, state.game).make(state.game, seed).choose(state, state.to_move[0]).text


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_position_is_the_sum_of_its_components(variant: str) -> None:
    rng = random.Random(3)
    ruleset = ExpandConquerRuleset(variant)
    for _ in range(30):
        rows, columns = rng.randint(1, 4), rng.randint(1, 5)
        board = random_board(rng, rows, columns)
        grid = Grid(rows, columns)
        components = grid.components(game_from(board, variant).start())
        total = Value(0)
        for component in components:
            words = grid.words(component)
            assert words is not None
            total += value(ruleset, words)
        assert total == value(ruleset, board)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_move_in_a_component_is_the_action_on_the_board(variant: str) -> None:
    rng = random.Random(4)
    for _ in range(60):
        rows, columns = rng.randint(1, 9), rng.randint(1, 12)
        state = game_from(random_board(rng, rows, columns), variant).start()
        grid = Grid(rows, columns)
        components = grid.components(state)
        for action in [] if state.is_over else state.actions():
            filled = grid.filled_by(state, int(action.index))  # type: ignore[arg-type]
            (touched,) = [component for component in components if component.empty & filled]
            after = [one for one in components if one is not touched] + grid.after(touched, 0, filled, variant == "all-small")
            assert sorted(after, key=repr) == sorted(grid.components(state.play(action)), key=repr)


def test_components_of_large_boards_are_positions_of_their_own() -> None:
    """Two corners of a board of 20×20 that is full in between; and a component that is too wide."""
    corners = (((0, 0), ("O*X*", "**X*", "OX*O")), ((17, 16), ("X**O", "*O*X", "**XO")))
    rows = [["OX"[(row + column) % 2] for column in range(20)] for row in range(20)]
    for (top, left), corner in corners:
        for row, line in enumerate(corner):
            rows[top + row][left : left + 4] = line
    grid = Grid(20, 20)
    components = grid.components(game_from("|".join(map("".join, rows))).start())
    in_corner = [[one for one in components if grid.box(one.empty)[0] // 10 == top // 10] for (top, _), _ in corners]
    assert all(in_corner)
    knowledge = Knowledge(game_from("|".join(map("".join, rows))))
    for found, (_, corner) in zip(in_corner, corners, strict=True):
        # around the corner stand single stones, in the colours of a checkerboard
        (top, left) = (0, 0) if found is in_corner[0] else (16, 15)
        small = "|".join("".join(rows[top + row][left : left + 5]) for row in range(4))
        assert knowledge.value_of_sum(found, never) == value(ExpandConquerRuleset("normal"), small), corner
    wide = Grid(9, 9)
    (component,) = wide.components(game_from("|".join(["*" * 9] * 8 + ["O" * 9])).start())
    assert wide.words(component) is None


def test_the_players_are_found_and_their_options_checked() -> None:
    game = game_from("X*O*O")
    assert {"perfect", "hotstrat", "sentestrat", "alphabeta", "mcts"} <= set(player_kinds(game))
    with pytest.raises(BadOption, match="time"):
        parse_player("perfect:time=0s", game)
    with pytest.raises(BadOption, match="player hotstrat"):
        parse_player("hotstrat:time=1s", game)


def test_hotstrat_moves_in_the_hotter_component() -> None:
    """``{1|0}`` on the left of temperature 1/2, ``{-1/4|-3/8}`` on the right of temperature 1/16; each player's best move there is the only one."""
    board = "**OXX*O|*OX*X**|XXOX*OX"
    for first, hot in (("L", 0), ("R", 1)):
        state = game_from(board, first=first).start()
        after = state.play(choice("hotstrat", state))
        grid = Grid(3, 7)
        left = [one for one in grid.components(after) if one.empty & 0b0000111_0000111_0000111]
        known = Knowledge(state.game).value_of_sum(left, never)
        assert known == (Value(0) if hot else Value(1))


@pytest.mark.parametrize("spec", ["hotstrat", "sentestrat"])
def test_hotstrat_wins_as_much_as_the_walls_promise(spec: str) -> None:
    """On a board with one component of positive temperature, the move in it is one of those that its thermograph calls best there."""
    rng = random.Random(11)
    tried = 0
    while tried < 20:
        board = random_board(rng, 3, 5)
        game = game_from(board)
        state = game.start()
        knowledge = Knowledge(game)
        components = knowledge.grid.components(state)
        exact = knowledge.value_of_sum(components, never)
        if len(components) != 1 or exact is None or exact.temperature <= 0:
            continue
        tried += 1
        after = value(ExpandConquerRuleset(), state.play(choice(spec, state)).text.split()[0])
        temperature = exact.temperature
        assert after.thermograph.right_stop(temperature) - temperature == exact.mean


def test_sentestrat_answers_where_the_opponent_moved() -> None:
    """Left has moved at temperature −1; Right's move leaves −1/2 on its component while the one with Left's own threat is at 1/2."""
    state = game_from("*OOX****O|O*XOX*XOX|X*XXO*OX*").start()
    sentestrat = parse_player("sentestrat", state.game).make(state.game, 0)
    first = sentestrat.choose(state, 0)
    assert first.text == "(2,4)"
    state = state.play(first).play("(2,0)")
    assert sentestrat.choose(state, 0).text == "(0,1)"
    assert choice("hotstrat", state) == "(2,4)"


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("spec", ["hotstrat", "sentestrat"])
def test_equal_seeds_give_equal_games(spec: str, variant: str) -> None:
    game = game_from(random_board(random.Random(8), 6, 7), variant)
    games = [play_game(game, [parse_player(spec, game), parse_player("random", game)], seed=5) for _ in range(2)]
    assert [step.actions for step in games[0].steps] == [step.actions for step in games[1].steps]


@pytest.mark.parametrize("variant", VARIANTS)
def test_perfect_wins_whatever_is_won_by_value(variant: str) -> None:
    """It finds a winning action in every position of the data file that has one, against values that it does not know."""
    ruleset = ExpandConquerRuleset(variant)
    rows = [json.loads(line) for line in VALUED.read_text().splitlines()]
    boards = [row["board"] for row in rows if row["variant"] == variant and row["board"].count("*") <= 12][::4]
    tried = 0
    for board in boards:
        for player, side in enumerate("LR"):
            state = game_from(board, variant, side).start()
            if state.is_over:
                continue
            exact = value(ruleset, board)
            outcome = exact.outcome
            if outcome not in ("N", side):
                continue
            tried += 1
            after = state.play(choice("perfect:time=20s", state))
            left = value(ruleset, after.text.split()[0])
            assert left <= 0 if player else left >= 0, board
    assert tried > 20


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("opponent", ["random", "greedy", "alphabeta:level=3", "mcts:sims=2000"])
def test_perfect_never_loses_a_start_that_is_won_for_it(opponent: str, variant: str) -> None:
    """Random starts of 5×5 (4×4 all-small), whose outcome is known by value; from the winner's side."""
    rng = random.Random(f"{opponent} {variant}")
    ruleset = ExpandConquerRuleset(variant)
    size, marks = (5, "**OX") if variant == "normal" else (4, "***OX")
    for number in range(6):
        board = random_board(rng, size, size, marks)
        exact = value(ruleset, board)
        game = game_from(board, variant, "LR"[number % 2])
        if exact == 0:
            winner = 1 - number % 2
        elif exact > 0:
            winner = 0
        else:
            winner = 1 if exact < 0 else number % 2
        seats = [opponent, opponent]
        seats[winner] = "perfect:time=20s"
        played = play_game(game, [parse_player(spec, game) for spec in seats], seed=number)
        assert played.outcome is not None
        assert played.outcome.winner == winner, board


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("spec", ["perfect:time=100ms", "hotstrat", "sentestrat"])
def test_the_largest_boards_are_played(spec: str, variant: str) -> None:
    state = game_from(random_board(random.Random(1), 32, 32, "***OX"), variant).start()
    player = parse_player(spec, state.game).make(state.game, 0)
    for _ in range(3):
        started = time.perf_counter()
        state = state.play(player.choose(state, state.to_move[0]))
        assert time.perf_counter() - started < 30  # the first one may have to be compiled
        state = state.play(state.actions()[0])


@pytest.mark.parametrize("spec", ["perfect:time=1000s", "hotstrat", "sentestrat"])
@pytest.mark.parametrize("size", [7, 12])
def test_an_interrupted_player_answers_soon(spec: str, size: int) -> None:
    asked: list[bool] = []

    def interrupted() -> bool:
        asked.append(True)
        return len(asked) > 2

    state = game_from(random_board(random.Random(2), size, size, "****OX"), "all-small").start()
    assert parse_player(spec, state.game).make(state.game, 0).choose(state, 0, interrupted) in state.actions(0)
    assert len(asked) < 20


def test_perfect_plays_on_where_all_components_cancel() -> None:
    """A board of 9×9 with nothing but a component and its negative: lost for who begins, and still played to the end."""
    rows = [["OX"[(row + column) % 2] for column in range(9)] for row in range(9)]
    for top, left, corner in ((0, 0, ("O*X", "**X", "OX*")), (6, 6, ("X*O", "**O", "XO*"))):
        for row, line in enumerate(corner):
            rows[top + row][left : left + 3] = line
    game = game_from("|".join(map("".join, rows)))
    played = play_game(game, [parse_player("perfect:time=100ms", game), parse_player("random", game)], seed=1)
    assert played.outcome is not None


def test_the_largest_component_that_is_valued_is_bounded() -> None:
    game = game_from("O" + "*" * (MOST_VALUED[False] + 1) + "X")
    knowledge = Knowledge(game)
    (component,) = knowledge.grid.components(game.start())
    assert component.size > MOST_VALUED[False]
    assert knowledge.value(component, never) is None


def test_perfect_plays_matches() -> None:
    result = match(game_from("X*O*O|****O"), ["perfect:time=1s", "random"], games=4, seed=3)
    assert len(result.games) == 4
    assert not any(one.forfeited for one in result.games)
