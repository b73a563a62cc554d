"""The exact optimal solo racer: against recursion in plain Python, against cases that are counted by hand, and against itself."""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ludarium.games.roboderby.sheets.dice import load_dice
from ludarium.games.roboderby.sheets.faces import CMT, COMMANDS, F1, F2, F3, INV, REV, SL, SR, L, R, U
from ludarium.games.roboderby.solo.course import Course
from ludarium.games.roboderby.solo.dice import solo_dice
from ludarium.games.roboderby.solo.hand import choices
from ludarium.games.roboderby.solo.solve import ALL_DICE, EXACT, end_values, solve, turn_tables
from ludarium.games.roboderby.solo.tables import MOST_PROGRAMS, make_solo_tables
from tests.conftest import USUAL_CACHE
from tests.games.roboderby.programs import list_programs

N, E, S, W = range(4)
NOTHING = np.full((5, 6), CMT)
FEW_FACES = np.array(
    [[F1, F1, F1, F2, F2, CMT], [L, L, L, R, R, R], [F1, F1, INV, INV, INV, INV], [SL] * 3 + [U] * 3, [F3] * 2 + [REV] * 4]
)
"""Two or three different faces a die: few enough hands to go through all of them."""


def course(rows: str, *, start: tuple[int, int], heading: int, finish: tuple[int, int], logic: str = "winding", **options: bool) -> Course:
    """A board of rows such as ``. >|.``: a square every second character, ``O`` a pit, ``^>v<`` belts, ``|`` a wall. Its four quarters are the tiles."""
    lines = rows.split("\n")
    height, width = len(lines), (len(lines[0]) + 1) // 2
    kinds, walls = np.ones((height, width), np.uint8), np.zeros((height, width), np.uint8)
    for y, line in enumerate(lines):
        for x in range(width):
            kinds[y, x] = " .O^>v<".index(line[2 * x])
            if x + 1 < width and line[2 * x + 1] == "|":
                walls[y, x] |= 2
                walls[y, x + 1] |= 8
    walls[0] |= 1
    walls[-1] |= 4
    walls[:, 0] |= 8
    walls[:, -1] |= 2
    tiles = np.array([[(0, 1), (3, 2)][2 * y // height][2 * x // width] for y in range(height) for x in range(width)], np.int8)
    squares = [place[1] * width + place[0] for place in (start, finish)]
    return Course(width, height, walls.ravel(), kinds.ravel(), tiles, squares[0], heading, squares[1], logic, **options)


SQUARE = course(". . . .\n. .|. .\n. O . .\n. . . .", start=(0, 0), heading=E, finish=(0, 1))
BELTED = course("> > v .\n^ .|v .\n^ O < .\n. ^ < .", start=(0, 0), heading=E, finish=(1, 1))


def with_pit_edges(board: Course) -> Course:
    """The board with a pit around it, but for a wall in the north of its last square but one."""
    walls = board.walls.reshape(board.height, board.width).copy()
    walls[0, [*range(board.width - 2), board.width - 1]] |= 1 << 4
    walls[-1] |= 4 << 4
    walls[:, 0] |= 8 << 4
    walls[:, -1] |= 2 << 4
    return replace(board, walls=walls.ravel())


CORRIDOR = course(". . . . . .", start=(0, 0), heading=E, finish=(5, 0), logic="marker")


class Plain:
    """The same race in plain Python, from the rules: nothing is shared with the solver but the values of turns' ends."""

    def __init__(self, course: Course, commands: np.ndarray, values: np.ndarray, reroll_any: bool = False) -> None:
        self.course, self.values, self.reroll_any = course, values, reroll_any
        self.dice = [Counter(int(command) for command in die) for die in commands]
        self.roll = functools.cache(self._roll)
        self.place_one = functools.cache(self._place_one)

    def step(self, x: int, y: int, lap: int, direction: int) -> tuple[int, int, int] | None:
        """One square on; the same where a wall is ahead, None in a pit."""
        course = self.course
        if course.walls[y * course.width + x] >> direction & 1:
            return None if course.walls[y * course.width + x] >> direction & 16 else (x, y, lap)
        old = course.lap_tiles[y * course.width + x]
        x, y = x + (0, 1, 0, -1)[direction], y + (-1, 0, 1, 0)[direction]
        if course.kinds[y * course.width + x] == 2:
            return None
        new = course.lap_tiles[y * course.width + x]
        if course.logic != "marker" and old != new:
            if (lap + 1) % 4 == new:
                lap += course.logic == "winding" or lap < 4
            elif course.logic == "winding" and (lap - 1) % 4 == new:
                lap -= 1
        return x, y, lap

    def after(self, place: tuple[Any, ...], command: int) -> tuple[Any, ...]:
        """A place is x, y, heading and lap; only the lap where the robot is destroyed, infinite where it is beyond what the solver looks at."""
        there = self.carried(self.executed(place, command))
        low, high = (0, 0) if self.course.logic == "marker" else (self.course.least_lap, self.course.least_lap + len(self.course.dead) - 1)
        return there if low <= there[-1] <= high else (math.inf,)

    def carried(self, place: tuple[int, ...]) -> tuple[int, ...]:
        """After the belt under a robot."""
        if len(place) == 1:
            return place
        x, y, heading, lap = place
        kind = self.course.kinds[y * self.course.width + x]
        if not 3 <= kind <= 6:
            return place
        moved = self.step(x, y, lap, kind - 3)
        return (lap,) if moved is None else (*moved[:2], heading, moved[2])

    def executed(self, place: tuple[int, ...], command: int) -> tuple[int, ...]:
        if len(place) == 1 or command in (CMT, INV):
            return place
        x, y, heading, lap = place
        if command in (L, R, U):
            return x, y, (heading + {L: 3, R: 1, U: 2}[command]) % 4, lap
        direction = (heading + {SL: 3, SR: 1, REV: 2}.get(command, 0)) % 4
        for _ in range({F2: 2, F3: 3}.get(command, 1)):
            moved = self.step(x, y, lap, direction)
            if moved is None:
                return (lap,)
            x, y, lap = moved
        return x, y, heading, lap

    def end(self, place: tuple[int, ...]) -> float:
        course = self.course
        if place == (math.inf,):
            return math.inf
        if len(place) == 1:
            lap = place[0] if course.keeps_progress else 0
            return self.values[course.place(course.start, course.heading, lap)]
        x, y, heading, lap = place
        if y * course.width + x == course.finish and (course.logic == "marker" or lap == 4):
            return 0.0
        number = course.place(y * course.width + x, heading, lap)
        return self.values[number] if number >= 0 else math.inf

    def _roll(self, place: tuple[int, ...], kept: tuple[tuple[int, int], ...], rolled: tuple[int, ...]) -> float:
        """The expected value of rolling some dice beside others that keep their faces."""
        total = 0.0
        for faces in itertools.product(*(self.dice[die].items() for die in rolled)):
            chance = math.prod(count / 6 for _, count in faces)
            hand = tuple(sorted((*kept, *((die, command) for die, (command, _) in zip(rolled, faces, strict=True)))))
            total += chance * self.place_one(place, hand)
        return total

    def _place_one(self, place: tuple[int, ...], hand: tuple[tuple[int, int], ...]) -> float:
        return min(
            self.placed(there, hand[:number] + hand[number + 1 :])
            for number, (_, command) in enumerate(hand)
            for there in {self.after(place, CMT), self.after(place, command)}
        )

    def placed(self, place: tuple[int, ...], hand: tuple[tuple[int, int], ...]) -> float:
        """A die was placed: roll again or not; with one die left the program is complete."""
        if len(hand) == 1:
            return self.end(place)
        best = self.place_one(place, hand)
        for size in range(1 if self.reroll_any else len(hand), len(hand) + 1):
            for some in itertools.combinations(hand, size):
                kept = tuple(one for one in hand if one not in some)
                best = min(best, self.roll(place, kept, tuple(die for die, _ in some)))
        return best

    def turn(self, square: int, heading: int, lap: int) -> float:
        return 1 + self.roll((square % self.course.width, square // self.course.width, heading, lap), (), (0, 1, 2, 3, 4))


@pytest.mark.parametrize(
    ("board", "reroll_any"),
    [
        (SQUARE, False),
        (SQUARE, True),
        (replace(SQUARE, keeps_progress=True), False),
        (replace(SQUARE, logic="checkpoints"), False),
        (with_pit_edges(SQUARE), False),
        (replace(CORRIDOR, finish=4), True),
        (BELTED, False),
        (BELTED, True),
        (replace(with_pit_edges(BELTED), keeps_progress=True), False),
        (replace(BELTED, logic="checkpoints"), True),
    ],
)
def test_every_turn_is_worth_what_recursion_in_plain_python_says(board: Course, reroll_any: bool, scale: int) -> None:
    solution = solve(board, solo_dice(FEW_FACES), reroll_any=reroll_any)
    assert solution.is_exact
    plain = Plain(board, FEW_FACES, solution.values, reroll_any)
    assert np.isfinite(solution.values[board.place(board.start, board.heading)])
    places = [place for place in range(board.on_board) if not board.is_finish[place] and -1 <= board.places[place, 0] <= 5]
    for place in places[:: 1 if scale > 1 else 7 if len(places) < 200 else 19]:
        lap, square, heading = board.places[place].tolist()
        expected = plain.turn(square, heading, lap)
        assert solution.values[place] == pytest.approx(expected, abs=1e-9)


def test_a_turn_with_all_six_faces() -> None:
    commands = load_dice("stand-in").commands
    board = course(". . .\n. O .", start=(0, 0), heading=E, finish=(2, 1), logic="marker")
    solution = solve(board, solo_dice(commands))
    assert Plain(board, commands, solution.values).turn(0, E, 0) == pytest.approx(solution.values[board.place(0, E)], abs=1e-9)


@pytest.mark.parametrize("board", [SQUARE, BELTED, with_pit_edges(BELTED)])
def test_tables_over_hands_and_over_multisets_say_the_same(board: Course) -> None:
    dice = solo_dice(load_dice("stand-in").commands)
    one, other = solve(board, dice), solve(board, dice, by_hands=True)
    assert one.is_exact
    assert other.is_exact
    assert np.array_equal(np.isinf(one.values), np.isinf(other.values))
    assert np.allclose(one.values, other.values, rtol=0, atol=1e-9)


def expected_turns(board: Course, commands: np.ndarray, reroll_any: bool = False) -> float:
    return float(solve(board, solo_dice(commands), reroll_any=reroll_any).values[board.place(board.start, board.heading, 0)])


def test_certain_races() -> None:
    """With the same command on every face there is nothing to hope for."""
    assert expected_turns(CORRIDOR, np.full((5, 6), F1)) == 2
    assert expected_turns(CORRIDOR, np.full((5, 6), F3)) == 1
    assert expected_turns(replace(CORRIDOR, finish=4), np.full((5, 6), F2)) == 1  # two of them, and two NO-OPs
    assert math.isinf(expected_turns(replace(CORRIDOR, finish=3), np.full((5, 6), F2)))


@pytest.mark.parametrize("reroll_any", [False, True])
def test_one_good_face_is_rolled_four_times(reroll_any: bool) -> None:
    """One die has the command on one face: it is rolled at the start and after each of three NO-OPs of others."""
    commands = NOTHING.copy()
    commands[2, 4] = F1
    assert expected_turns(replace(CORRIDOR, finish=1), commands, reroll_any) == pytest.approx(1 / (1 - (5 / 6) ** 4))


def test_kept_faces_help() -> None:
    """Two dice have one good face each, and both are needed in one turn: a pit lies between, over which only F2 leads."""
    commands = NOTHING.copy()
    commands[0, :3] = L
    commands[1, :3] = F2
    board = course(". .\n. .\n. .", start=(0, 2), heading=E, finish=(0, 0), logic="marker")
    assert expected_turns(board, commands, reroll_any=True) < expected_turns(board, commands) - 0.01


def test_who_is_destroyed_begins_anew_in_the_next_turn() -> None:
    """Only forward: the finish, behind the robot, is reached through the pit, for the rest of the turn."""
    board = course(". . . O", start=(0, 0), heading=E, finish=(1, 0), logic="marker")
    values = solve(board, solo_dice(np.full((5, 6), F1))).values
    assert [values[board.place(square, E)] for square in (0, 2)] == [1, 2]
    assert values[board.place(2, W)] == 1


def test_a_finish_that_cannot_be_reached() -> None:
    board = course(". . .|.", start=(0, 0), heading=E, finish=(3, 0), logic="marker")
    solution = solve(board, solo_dice(load_dice("stand-in").commands))
    assert math.isinf(solution.values[board.place(0, E)])
    assert solution.values[board.place(3, E)] == 0


def test_a_lap_has_to_be_wound_up() -> None:
    """One step before the finish with progress 3; with progress 1 the same step would unwind it."""
    commands = np.array([[F1] * 6, [F1] * 6, [L] * 6, [R] * 6, [U] * 6])
    board = course(". .\n. .", start=(0, 0), heading=E, finish=(0, 0))
    wound = solve(board, solo_dice(commands)).values
    assert wound[board.place(2, W, 3)] == 1 < wound[board.place(1, W, 1)]
    other = replace(board, logic="checkpoints")
    checked = solve(other, solo_dice(commands)).values
    assert checked[other.place(1, W, 3)] < checked[other.place(1, W, 1)]


@pytest.mark.parametrize("board", [SQUARE, BELTED])
def test_hands_are_played_as_well_as_all_programs_allow(board: Course) -> None:
    """The choices in the middle of programming, against the list of all programs."""
    dice = solo_dice(load_dice("stand-in").commands)
    solution = solve(board, dice)
    end = end_values(board, solution.values)
    turns = turn_tables(board, dice, end)
    turns.again[:, ALL_DICE] = solution.values - 1
    solo = make_solo_tables(board, dice, end, turns.again, 4.0)
    codes, values = np.zeros(MOST_PROGRAMS, np.int64), np.zeros(MOST_PROGRAMS)
    generator = np.random.default_rng(5)
    for _ in range(40):
        place = int(generator.choice(np.flatnonzero(~board.is_finish[: board.on_board])))
        shown = generator.integers(1, 7, 5)
        size = int(generator.integers(2, 6))
        shown[generator.permutation(5)[size:]] = 0
        locked = generator.integers(0, 10, int(generator.integers(0, 5 - size + 1)))
        hand = {die + 1: int(face) for die, face in enumerate(shown) if face}
        count = list_programs(solo, place, shown.astype(np.int64), size - 1, locked.astype(np.int64), codes, values)
        assert count == sum(math.perm(size, length) * 2**length for length in range(size - 1 if len(locked) else 1, size))
        found = choices(board, dice, end, place, hand, locked=[int(effect) for effect in locked], may_roll=True)
        assert len(found) == 2 * size + 1
        if len(locked):
            assert min(one.value for one in found) <= values[:count].min() + 1e-9
            continue
        for choice in found:
            if choice.text == "roll":
                mask = sum(1 << (die - 1) for die in hand)
                assert choice.value == pytest.approx(turns.again[place, mask], abs=1e-9)
                continue
            word = 2 * int(choice.text[0]) - 1 + choice.text.endswith("n")
            assert choice.value == pytest.approx(values[:count][codes[:count] & 15 == word].min(), abs=1e-9)


def test_locked_registers_are_executed_afterwards() -> None:
    """A locked F3, and two open registers before it."""
    commands = np.array([[F1] * 6, [F1] * 6, [F1] * 6, [F1] * 6, [F3] * 6])
    dice = solo_dice(commands)
    solution = solve(CORRIDOR, dice)
    end = end_values(CORRIDOR, solution.values)
    effect = int(dice.effects[4, 0])
    best = choices(CORRIDOR, dice, end, CORRIDOR.place(2, E), {1: 1, 2: 1, 3: 1}, locked=[effect])
    assert all(choice.value == 0 for choice in best)  # two NO-OPs, or forward to the wall
    best = choices(CORRIDOR, dice, end, CORRIDOR.place(0, E), {1: 1, 2: 1, 3: 1}, locked=[effect])
    assert [choice.text for choice in best if choice.value == 0] == ["1", "2", "3"]


def test_any_dice_may_be_rolled_again() -> None:
    commands = NOTHING.copy()
    commands[0, 0], commands[1, 0] = L, F2
    board = course(". .\n. .\n. .", start=(0, 2), heading=E, finish=(0, 0), logic="marker")
    dice = solo_dice(commands)
    end = end_values(board, solve(board, dice, reroll_any=True).values)
    best = choices(board, dice, end, board.place(4, E), {1: 1, 2: 4, 3: 1}, may_roll=True, reroll_any=True)
    assert {choice.text for choice in best} == {
        *("1", "1n", "2", "2n", "3", "3n", "roll 1", "roll 2", "roll 3", "roll 1 2", "roll 1 3", "roll 2 3", "roll 1 2 3")
    }
    rolled = {choice.text: choice.value for choice in best}
    assert rolled["roll 2"] == pytest.approx(rolled["roll 2 3"])  # the third die does nothing
    assert rolled["roll 2"] < rolled["roll 1 2 3"]


TWO_DICE = NOTHING.copy()
TWO_DICE[0] = [F2] * 3 + [CMT] * 3
TWO_DICE[1] = [F1] * 3 + [REV] * 3
"""Hands of so few kinds that plain Python goes through all turns of a board in a moment."""


@pytest.mark.parametrize(
    ("rows", "finish", "reroll_any", "hopeless"),
    [
        (". < < .", (3, 0), False, 0),
        ("> < > < . .", (4, 0), True, 0),
        (". . v .\n. > ^ <", (3, 0), False, 0),
        (". v .\n. . .", (2, 0), True, 3),
    ],
)
def test_what_turns_are_worth_with_belts_from_nothing(rows: str, finish: tuple[int, int], reroll_any: bool, hopeless: int) -> None:
    """In races that are stopped after so many turns these grow towards those of races that are not, or without bound where that is infinite."""
    board = course(rows, start=(0, 0), heading=E, finish=finish, logic="marker")
    solution = solve(board, solo_dice(TWO_DICE), reroll_any=reroll_any)
    assert solution.is_exact
    places = [place for place in range(board.on_board) if board.places[place, 2] == E and not board.is_finish[place]]
    stopped = [np.zeros(board.count)]
    for _ in range(24):
        plain = Plain(board, TWO_DICE, stopped[-1], reroll_any)
        stopped.append(stopped[-1].copy())
        stopped[-1][places] = [plain.turn(int(board.places[place, 1]), E, 0) for place in places]
    for place in places:
        if math.isfinite(solution.values[place]):
            assert -1e-9 < solution.values[place] - stopped[24][place] < 0.01
        else:
            assert stopped[24][place] > stopped[12][place] + 2
    assert np.isinf(solution.values[places]).sum() == hopeless


def test_where_bad_luck_is_final_no_number_of_turns_is_expected() -> None:
    """From the belt the finish is a forward 2 away, and without it the robot is carried to where no command leads on."""
    board = course(". v .\n. . .", start=(0, 0), heading=E, finish=(2, 0), logic="marker")
    commands = NOTHING.copy()
    commands[0, :3] = F2
    values = solve(board, solo_dice(commands)).values
    assert values[board.place(0, E)] == pytest.approx(1 / (1 - 1 / 16))  # there it can wait
    assert [values[board.place(square, E)] for square in (1, 3, 4, 5)] == [math.inf] * 4
    assert np.array_equal(values, solve(board, solo_dice(commands), by_hands=True).values)
    commands[0] = F2
    values = solve(board, solo_dice(commands)).values
    assert [values[board.place(square, E)] for square in (0, 1)] == [1, 1]


@pytest.mark.parametrize("reroll_any", [False, True])
def test_a_room_from_which_no_way_leads(reroll_any: bool) -> None:
    """Behind belts that one step does not cross is a whirl: who is carried there stays there, and nobody who plays well comes that far."""
    board = course(". . . > > v\n. . . > ^ <", start=(0, 0), heading=E, finish=(2, 0), logic="marker")
    commands = np.array([[F1, F1, F1, L, L, R], [F1] * 3 + [L] * 3, [F1] * 3 + [R] * 3, [SL] * 6, [SR] * 6])
    solution = solve(board, solo_dice(commands), reroll_any=reroll_any)
    assert solution.is_exact
    found = solution.values[: board.on_board].reshape(2, 6, 4)
    assert np.isfinite(found[:, :3]).all()
    assert np.isinf(found[:, 4:]).all()
    assert (
        np.isfinite(found[:, 3]) == [True, False, True, False]
    ).all()  # heading north or south, shifts lead back, which no roll withholds
    with_two_steps = np.vstack([commands[:4], [[F2] * 6]])
    assert np.isfinite(solve(board, solo_dice(with_two_steps), reroll_any=reroll_any).values[: board.on_board]).all()


@pytest.mark.parametrize("reroll_any", [False, True])
def test_races_in_which_belts_carry_robots_back_are_solved_soon(reroll_any: bool) -> None:
    """Forward 2 again and again against the belts, from one face of each of four dice: rounds come closer by little, and a few leaps go the rest of the way."""
    commands = NOTHING.copy()
    commands[:4, 0] = F2
    board = course(". < < < < < < .", start=(0, 0), heading=E, finish=(7, 0), logic="marker")
    told: list[float] = []
    solution = solve(board, solo_dice(commands), reroll_any=reroll_any, progress=lambda number, error: told.append(error))
    assert solution.is_exact
    assert len(told) < 80
    assert told[40] > told[39] * 0.85
    plain = Plain(board, commands, solution.values, reroll_any)
    for square in (0, 4):
        assert solution.values[board.place(square, E)] == pytest.approx(plain.turn(square, E, 0), abs=1e-9)


def test_time_that_is_up() -> None:
    """After a round the solution says how far its values are off."""
    ticks = iter(range(100))
    told: list[tuple[int, float]] = []
    dice = solo_dice(FEW_FACES)
    early = solve(SQUARE, dice, seconds=1, clock=lambda: float(next(ticks)), progress=lambda number, error: told.append((number, error)))
    assert [number for number, _ in told] == [1]
    assert early.error == told[0][1] > EXACT
    exact = solve(SQUARE, dice)
    assert exact.is_exact
    known = np.isfinite(exact.values)
    assert np.array_equal(known, np.isfinite(early.values))
    assert np.abs(early.values[known] - exact.values[known]).max() > EXACT
    told.clear()
    going_on = solve(SQUARE, dice, guess=exact.values, progress=lambda number, error: told.append((number, error)))
    assert [number for number, _ in told] == [1]
    assert np.allclose(going_on.values[known], exact.values[known], rtol=0, atol=1e-9)


def test_effects_have_the_names_of_commands() -> None:
    """Hacks act alike alone, everything else is told apart."""
    every = np.resize(np.arange(1, len(COMMANDS)), (5, 6))
    effects = solo_dice(every).effects
    assert set(effects[(every == CMT) | (every == INV)]) == {0}
    assert len(set(effects.ravel())) == len(COMMANDS) - 2


def test_plain_python_computes_the_same(python: Callable[..., Any]) -> None:
    """Without compiling, one round of two squares."""
    code = """
import numpy as np
from ludarium.games.roboderby.sheets.dice import load_dice
from ludarium.games.roboderby.solo.course import Course
from ludarium.games.roboderby.solo.dice import solo_dice
from ludarium.games.roboderby.solo.solve import solve
two = Course(2, 1, np.array([13, 7], np.uint8), np.ones(2, np.uint8), np.zeros(2, np.int8), 0, 1, 1, "marker")
for reroll_any in (False, True):
    print(solve(two, solo_dice(load_dice("stand-in").commands), reroll_any=reroll_any, seconds=0).values.tolist())
"""
    assert python(code, NUMBA_DISABLE_JIT="1").stdout == python(code, NUMBA_CACHE_DIR=USUAL_CACHE).stdout != ""
