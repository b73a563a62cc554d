"""RoboDerby's players: legal under every option, repeatable, never stalled, and strong."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import ludarium
from ludarium.arena import play_game
from ludarium.core.game import Game, State
from ludarium.core.random import generator_from
from ludarium.core.timeline import Timeline
from ludarium.errors import BadOption
from ludarium.games.roboderby.bots import courses
from ludarium.games.roboderby.bots.courses import Courses, Race, race_of
from ludarium.games.roboderby.solo.board import course_of
from ludarium.games.roboderby.solo.racer import Racer
from ludarium.games.roboderby.tables import LOCKED, PHASE
from ludarium.players import parse_player
from tests.games.roboderby.belt_tiles import BELT_TILES
from tests.games.roboderby.play import options_at_random

pytestmark = pytest.mark.usefixtures("shared_solutions")

PLAYERS = ("greedy", "planner", "racer:sims=40", "random")

UNLIT = "\n".join(line for line in BELT_TILES.split("\n") if not line.startswith("laser:"))
BELT_BOARD = "start rollers chutes sorter @ 0 90 0 180 N"
IN_A_BEAM, ON_A_BELT = (2, 0), (11, 3)
"""Column and row on that board: a floor square on which a laser shines, if there are any, and a belt."""


class RoughRacers:
    """Courses known by one round of their solution and never better, as they are at worst in the first turn on a slow machine."""

    def __init__(self) -> None:
        self._racers: dict[Race, Racer] = {}

    def __call__(self, tables: Any, record: Any, robot: int, seconds: float | None = None) -> Racer:
        race = race_of(record, robot)
        if race not in self._racers:
            course, reroll_any = course_of(tables, record, robot), bool(tables.reroll_any)
            self._racers[race] = Racer(course, tables.commands, reroll_any=reroll_any, seconds=0.0)
        return self._racers[race]


def texts_of(timeline: Timeline) -> list[dict[int, str]]:
    return [{player: action.text for player, action in step.actions.items()} for step in timeline.steps]


def solve_both(game: Game) -> None:
    """Have the board in the cache, so that the players know it from the beginning."""
    for robot in range(game.players):
        fresh_racer(placed(game), robot)


def fresh_racer(state: State, robot: int = 0) -> Racer:
    tables = state.game.tables
    return Racer(course_of(tables, state.record, robot), tables.commands, reroll_any=bool(tables.reroll_any))


def placed(game: Game, seed: int = 0) -> State:
    """The first turn of a game."""
    state, generator = game.start(seed=seed), generator_from(seed)
    while state.to_move == (ludarium.CHANCE,):
        state = state.play(state.sample_chance(generator))
    return state


def forfeits(timeline: Timeline) -> list[Any]:
    return [event for event in timeline.events if event["event"] == "forfeit"]


@pytest.mark.parametrize("first", range(6))
def test_every_action_is_legal_under_every_option(first: int, monkeypatch: pytest.MonkeyPatch, scale: int) -> None:
    for seed in range(first, 6 * scale, 6):
        monkeypatch.setattr(courses, "racer_of", RoughRacers())
        choice = random.Random(seed)
        options = options_at_random(choice, **({"tiles": BELT_TILES} if seed % 2 else {}))
        game = ludarium.game("roboderby", **options)
        timeline = play_game(game, [choice.choice(PLAYERS) for _ in range(game.players)], seed=seed)
        assert timeline.is_over, options
        assert not forfeits(timeline), options


@pytest.mark.parametrize("player", ["greedy", "planner", "racer:sims=50"])
def test_equal_seeds_give_equal_games(player: str) -> None:
    game = ludarium.game("roboderby", board="first-lap")
    solve_both(game)
    first, again, other = (texts_of(play_game(game, [player, player], seed=seed)) for seed in (3, 3, 4))
    assert first == again != other


def test_greedy_shuts_down_when_it_is_damaged() -> None:
    game = ludarium.game("roboderby", board="first-lap", marks="fixed")
    player = parse_player("greedy", game).make(game, 0)
    for health in range(1, 7):
        records = placed(game).copy_records()
        records[0].health[0] = health
        state = State(game, records)
        assert player.choose(state, 0).text == ("shutdown" if health <= 3 else "run")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"reroll": "any"},
        {"variant": "s-race"},
        {"lap_logic": "checkpoints"},
        {"tiles": UNLIT, "board": BELT_BOARD},
        {"tiles": UNLIT, "board": BELT_BOARD, "reroll": "any"},
    ],
)
def test_alone_the_planner_is_the_optimal_racer(options: dict[str, Any], scale: int) -> None:
    """Each choice in a solo race is one that no other choice is better than, by the exact values.

    Where any dice are rolled again, a lap takes seconds to solve: that is for the soak, and an S does for the others.
    """
    if "reroll" in options and scale == 1:
        options = {**options, "variant": "s-race"}
    game = ludarium.game("roboderby", **{"players": 1, "board": "first-lap", **options})
    racer = fresh_racer(placed(game))
    player, generator, state, chosen = parse_player("planner", game).make(game, 5), generator_from(5), placed(game), 0
    while not state.is_over:
        if state.to_move == (ludarium.CHANCE,):
            state = state.play(state.sample_chance(generator))
            continue
        action = player.choose(state, 0)
        if action.text == "shutdown" or action.text == "run":
            assert action.text == "run"
        else:
            values = {choice.text: choice.value for choice in racer.choices_in(state.record, 0)}
            assert values[action.text] <= min(values.values()) + 1e-9
            chosen += 1
        state = state.play(action)
    assert chosen >= 8
    assert state.returns == (1.0,)


def shutdown_or_run(spec: str, x: int, y: int, *, tiles: str, health: int, seed: int = 0) -> str:
    """What a player alone on the belts says with this health, on a square with heading north."""
    game = ludarium.game("roboderby", tiles=tiles, board=BELT_BOARD, players=1)
    records = placed(game).copy_records()
    record = records[0]
    record.square[0], record.heading[0], record.health[0] = y * game.tables.width + x, 0, health
    record.lap[0] = record.lap_tiles[record.square[0]]
    for register in range(health - 1, 4):
        record.register_slot[0, register], record.register_die[0, register], record.register_face[0, register] = LOCKED, 1 + register, 4
    return parse_player(spec, game).make(game, seed).choose(State(game, records), 0).text


def test_who_shuts_down_is_carried_and_hit() -> None:
    """The planner does not repair itself where lasers of the board take more than that, nor does greedy always where belts would carry it for ever."""
    for tiles, wanted in ((UNLIT, "shutdown"), (BELT_TILES, "run")):
        assert shutdown_or_run("planner", *IN_A_BEAM, tiles=tiles, health=2) == wanted
    assert {shutdown_or_run("greedy", *ON_A_BELT, tiles=UNLIT, health=2, seed=seed) for seed in range(12)} == {"run", "shutdown"}
    assert {shutdown_or_run("greedy", *IN_A_BEAM, tiles=UNLIT, health=2, seed=seed) for seed in range(12)} == {"shutdown"}


def test_the_planner_repairs_itself_where_locks_cost_more_than_a_turn() -> None:
    """Far from the finish with three registers locked it shuts down; with one locked that does it no harm, a turn from the finish, it runs on."""
    game = ludarium.game("roboderby", board="first-lap")
    state = placed(game)
    for health, wanted in ((6, "run"), (5, "run"), (2, "shutdown"), (1, "shutdown")):
        records = state.copy_records()
        records[0].health[0] = health
        for register in range(max(0, health - 1), 4):
            records[0].register_slot[0, register] = LOCKED
            records[0].register_die[0, register] = 1 + register
            records[0].register_face[0, register] = 6 if register == 0 else 4
        assert parse_player("planner", game).make(game, 0).choose(State(game, records), 0).text == wanted, health


def test_the_planner_shuts_down_at_most_twice_in_a_row() -> None:
    """Whatever somebody who keeps shooting at it does."""
    game = ludarium.game("roboderby", board="first-lap")
    player = parse_player("planner", game).make(game, 0)
    said: list[str] = []
    for turn in range(1, 10):
        records = placed(game).copy_records()
        records[0].turn, records[0].health[0] = turn, 1
        for register in range(4):
            records[0].register_slot[0, register], records[0].register_die[0, register], records[0].register_face[0, register] = (
                LOCKED,
                1 + register,
                4,
            )
        said.append(player.choose(State(game, records), 0).text)
    assert "shutdown" in said
    assert "shutdown shutdown shutdown" not in " ".join(said)
    assert said.count("run") == 3


def test_nobody_stalls_against_random_play(scale: int) -> None:
    """Short races on a few boards; random play blocks, shoots and hacks without any sense."""
    for board in ("first-lap", "furnace"):
        game = ludarium.game("roboderby", board=board)
        for number in range(12 * scale):
            seats = ["planner", "random"] if number % 2 else ["random", "planner"]
            timeline = play_game(game, seats, seed=number)
            assert not forfeits(timeline)
            assert timeline.state.winner == seats.index("planner")
            assert timeline.state.record.turn < game.tables.turn_limit


@pytest.mark.parametrize("player", ["greedy", "planner", "racer:sims=60"])
def test_nobody_stalls_on_belts_and_under_lasers(player: str, scale: int) -> None:
    """Alone and against random play."""
    for options in ({"board": BELT_BOARD}, {"board": "start sorter chutes rollers @ 90 0 0 90 W", "variant": "s-race"}):
        for number in range(4 * scale):
            alone = ludarium.game("roboderby", tiles=BELT_TILES, players=1, turn_limit=100, **options)
            timeline = play_game(alone, [player], seed=number)
            assert timeline.state.returns == (1.0,)
            against = ludarium.game("roboderby", tiles=BELT_TILES, turn_limit=100, **options)
            seats = [player, "random"] if number % 2 else ["random", player]
            timeline = play_game(against, seats, seed=number)
            assert not forfeits(timeline)
            assert timeline.state.winner == seats.index(player)


LOCKED_TURNS = ((1, 4), (2, 4), (3, 3), (5, 3))
"""A program that turns on the spot, with four locked registers: die and face, L R L L."""


def confronted(
    mine: tuple[int, int, int, int], theirs: tuple[int, int, int, int], program: tuple[tuple[int, int], ...], roll: str
) -> State:
    """On first-lap, the first robot has rolled its dice; all registers of the second one are locked, so that everybody knows what it will do.

    Robots are given by column, row, heading and lap progress.
    """
    game = ludarium.game("roboderby", board="first-lap", marks="fixed")
    records = placed(game).copy_records()
    record = records[0]
    for robot, (column, row, heading, lap) in enumerate((mine, theirs)):
        record.square[robot], record.heading[robot], record.lap[robot] = row * game.tables.width + column, heading, lap
    record.health[1] = 1
    for register, (die, face) in enumerate(program):
        record.register_slot[1, register], record.register_die[1, register], record.register_face[1, register] = LOCKED, die, face
    return State(game, records).play({0: "run", 1: "run"}).play(roll)


def turn_of_racer(state: State, seed: int = 1) -> State:
    """The state after the turn, which has no dice left to fall if the racer does not roll again."""
    player, generator = parse_player("racer:sims=3000", state.game).make(state.game, seed), generator_from(seed)
    turn = int(state.record.turn)
    while state.record.turn == turn and not state.is_over:
        by_chance = state.to_move == (ludarium.CHANCE,)
        state = state.play(state.sample_chance(generator) if by_chance else player.choose(state.seen_by(0), 0))
    return state


def test_racer_pushes_a_leader_into_a_pit() -> None:
    """It stands west of somebody who stands west of a pit, and has a forward 1; alone it would rather turn and drive on."""
    after = turn_of_racer(confronted((6, 2, 1, -1), (7, 2, 0, 3), LOCKED_TURNS, "1:1 2:4 3:3 4:1 5:3"))
    assert after.record.lap[1] == 0
    assert after.record.square[1] == after.record.start[1]


def test_racer_shoots_who_would_finish() -> None:
    """The other one stands on its finish and turns on the spot; only a laser from the east can stop it, at the latest at the end of the turn."""
    state = confronted((3, 1, 0, 0), (0, 1, 0, 4), LOCKED_TURNS, "1:4 2:6 3:6 4:1 5:1")
    assert not turn_of_racer(state).is_over


def test_racer_hacks_the_die_that_would_win() -> None:
    """The other one is a forward 1 in register 1 away from its finish; a comment comes first."""
    winning = ((1, 1), *LOCKED_TURNS[1:])
    state = confronted((8, 8, 2, 2), (1, 1, 3, 4), winning, "1:1 2:1 3:6 4:1 5:1")
    after = turn_of_racer(state)
    assert not after.is_over
    planner = parse_player("planner", state.game).make(state.game, 1)
    while not state.is_over and state.record.turn == 1:
        state = state.play(state.sample_chance(generator_from(2)) if state.to_move == (ludarium.CHANCE,) else planner.choose(state, 0))
    assert state.winner == 1


def test_racer_repairs_itself_when_it_has_lost_control() -> None:
    """All registers are locked and the race is long."""
    game = ludarium.game("roboderby", board="first-lap", marks="fixed")
    records = placed(game).copy_records()
    records[0].health[0] = 1
    for register, (die, face) in enumerate(LOCKED_TURNS):
        records[0].register_slot[0, register], records[0].register_die[0, register], records[0].register_face[0, register] = (
            LOCKED,
            die,
            face,
        )
    assert parse_player("racer:sims=200", game).make(game, 0).choose(State(game, records), 0).text == "shutdown"


def test_racer_chooses_whom_to_hack() -> None:
    """Of two it stops the one whose die would win."""
    game = ludarium.game("roboderby", board="first-lap", marks="fixed", players=3, hack_targets="chosen-one")
    records = placed(game).copy_records()
    record = records[0]
    for robot, (column, row, heading, lap) in enumerate(((8, 8, 2, 2), (1, 1, 3, 4), (8, 2, 0, 3))):
        record.square[robot], record.heading[robot], record.lap[robot] = row * game.tables.width + column, heading, lap
        record.health[robot] = 1
        program = (((3, 6), (1, 4), (2, 4), (5, 3)), ((1, 1), (2, 4), (3, 3), (5, 3)), LOCKED_TURNS)[robot]
        for register, (die, face) in enumerate(program):
            record.register_slot[robot, register], record.register_die[robot, register] = LOCKED, die
            record.register_face[robot, register] = face
    state = State(game, records).play(dict.fromkeys(range(3), "run"))
    assert state.to_move == (0,)
    assert parse_player("racer:sims=30", game).make(game, 0).choose(state, 0).text == "hack B"


def test_racer_takes_one_limit() -> None:
    game = ludarium.game("roboderby")
    with pytest.raises(BadOption, match="sims and time are two limits"):
        parse_player("racer:sims=5,time=1s", game)


def test_racer_forgets_a_program_when_it_is_asked_about_other_dice() -> None:
    """In each first turn of many games it is asked before anything is placed, and then in the next game once something is."""
    game = ludarium.game("roboderby", board="first-lap")
    racer = parse_player("racer:sims=1", game).make(game, 1)
    for seed in range(12):
        states = [step.state for step in play_game(game, ["random"] * 2, seed=seed).steps]
        asked = [state for state in states if state.record.turn == 1 and state.record.phase == PHASE.PROGRAM and 0 in state.to_move]
        for state in asked[seed % 2 :: 2]:
            racer.choose(state.seen_by(0), 0)  # an action that is not legal is refused


def test_racer_answers_when_it_is_interrupted() -> None:
    game = ludarium.game("roboderby", board="first-lap")
    state = placed(game).play({0: "run", 1: "run"}).play("1:1 2:1 3:6 4:1 5:1")
    if state.to_move == (ludarium.CHANCE,):
        state = state.play("1:1 2:1 3:6 4:1 5:1")
    player = parse_player("racer:time=100s", game).make(game, 0)
    assert player.choose(state.seen_by(0), 0, lambda: True) in state.actions(0)


@pytest.mark.parametrize(("player", "opponent"), [("planner", "greedy"), ("racer:sims=100", "planner")])
def test_the_better_player_wins(player: str, opponent: str) -> None:
    """Mirrored games on two boards: the same dice, the seats swapped."""
    points = 0.0
    for number in range(24):
        game = ludarium.game("roboderby", board=("first-lap", "back-door")[number % 2])
        seats = [player, opponent] if number % 4 < 2 else [opponent, player]
        points += play_game(game, seats, seed=number // 4).state.returns[seats.index(player)]
    assert points > 2


def test_a_board_is_known_roughly_at_once_and_exactly_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a board that was never seen, with no more time than for one round of the solution at each decision."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    game = ludarium.game("roboderby", variant="s-race", board="start cross pits walls @ 90 90 270 0")
    state = placed(game)
    known = Courses(at_first=0.0, a_slice=0.0)
    pars: list[float] = []
    while not pars or not known.of(state, [0])[0].solution.is_exact:
        pars.append(known.of(state, [0])[0].par)
        known.prepare(state, [0])
        assert len(pars) < 60
    exact = fresh_racer(state).par
    assert len(pars) > 3
    assert pars[0] == pytest.approx(exact, rel=0.5)
    assert known.of(state, [0])[0].par == pytest.approx(exact, abs=1e-8)


def test_a_hand_with_a_die_too_many_is_played() -> None:
    """Who shuts down with empty registers and is damaged has locked registers without dice, so that more dice are in hand than usual."""
    game = ludarium.game("roboderby", board="first-lap")
    records = placed(game).copy_records()
    records[0].health[0] = 3
    records[0].register_slot[0, 2:] = LOCKED
    state = State(game, records).play({0: "run", 1: "run"})
    while state.to_move == (ludarium.CHANCE,):
        state = state.play(state.sample_chance(generator_from(4)))
    assert (state.record.dice[0] > 0).sum() == 5
    for spec in PLAYERS:
        player, after = parse_player(spec, game).make(game, 0), state
        while 0 in after.to_move:
            after = after.play({0: player.choose(after.seen_by(0), 0)})
        assert (after.record.register_slot[0, :2] != 0).all(), spec
