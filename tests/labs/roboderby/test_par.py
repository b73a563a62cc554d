"""Pars: under the game's own rules, from the cache, as heat maps."""

from __future__ import annotations

import math
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludarium.core import faces
from ludarium.core.game import State
from ludarium.core.jit import kernel
from ludarium.core.random import generator_from
from ludarium.core.rules import CHANCE
from ludarium.games.roboderby.actions import PLACE_NOOP, ROLL, SAY_RUN
from ludarium.games.roboderby.bots.hands import place_of_hand
from ludarium.games.roboderby.execution.belts import run_belts
from ludarium.games.roboderby.execution.commanding import execute_die
from ludarium.games.roboderby.game import RoboDerby
from ludarium.games.roboderby.options import OPTIONS, Rules
from ludarium.games.roboderby.sheets.boards import board_names, demonstration_board
from ludarium.games.roboderby.solo import cache as solo_cache
from ludarium.games.roboderby.solo import racer as solo_racer
from ludarium.games.roboderby.solo.board import StartMark, start_marks
from ludarium.games.roboderby.solo.course import Course
from ludarium.games.roboderby.solo.dice import EFFECTS
from ludarium.games.roboderby.solo.known import racer_of
from ludarium.games.roboderby.solo.racer import Racer
from ludarium.games.roboderby.solo.tables import MOST_PROGRAMS
from ludarium.games.roboderby.tables import ACTIVE, COMMAND, EMPTY, FINISHED, LOCKED, NOOP, OFF_BOARD, PHASE, make_tables
from ludarium.labs.roboderby.par.pars import pars, shipped_pars
from tests.folders import DOCS
from tests.games.roboderby.belt_tiles import BELT_TILES
from tests.games.roboderby.programs import list_programs

pytestmark = pytest.mark.usefixtures("shared_solutions")

WALLS = [13, 5, 5, 5, 7]
ALLEY = Course(5, 1, np.array(WALLS, np.uint8), np.ones(5, np.uint8), np.zeros(5, np.int8), 0, 1, 4, "marker")
"""Five squares in a row."""

UNUSUAL = (
    {},
    {"lap_logic": "checkpoints"},
    {"respawn_progress": "keep"},
    {"respawn_progress": "keep", "lap_logic": "checkpoints"},
    {"pit_edges": "on"},
    {"variant": "s-race"},
    {"variant": "s-race", "pit_edges": "on", "board": "chimneys"},
    {"tiles": "foundry", "board": "stacks ovens gate slag @ 90 0 270 180 W"},
)


UNLIT = "\n".join(line for line in BELT_TILES.split("\n") if not line.startswith("laser:"))
"""The belts alone: nobody is hurt."""

BELTS = {"tiles": UNLIT, "board": "start rollers chutes sorter @ 0 90 0 180 N"}

UNUSUAL_BELTS = (
    {},
    {"lap_logic": "checkpoints"},
    {"respawn_progress": "keep"},
    {"respawn_progress": "keep", "lap_logic": "checkpoints"},
    {"pit_edges": "on"},
    {"board": "sorter chutes rollers start @ 90 180 270 0 E", "pit_edges": "on"},
    {"variant": "s-race", "board": "start sorter rollers chutes @ 90 0 270 180 W"},
    {"variant": "s-race", "board": "start chutes sorter rollers @ 0 90 0 90 W", "pit_edges": "on"},
)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of one test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "ludarium" / "roboderby"


def rules_of(**options: Any) -> Rules:
    return Rules.of(**{"board": "first-lap", "players": 1, **options})


@kernel()
def execute_from(tables: Any, records: Any, squares: Any, headings: Any, laps: Any, die: Any, face: Any, slot: Any, out: Any) -> None:
    """One die, as the rules execute it, from many places, and then the belts.

    ``out`` gets the square, heading, lap progress and status after it, and the lap progress before the belts ran.
    """
    state = records[0]
    for number in range(len(squares)):
        state.square[0] = squares[number]
        state.heading[0] = headings[number]
        state.lap[0] = laps[number]
        state.status[0] = ACTIVE
        state.register_die[0, 0] = die
        state.register_face[0, 0] = face
        state.register_slot[0, 0] = slot
        state.fate[0] = 0
        execute_die(tables, state, 0, -1, None)
        out[number, 4] = int(state.lap[0])
        run_belts(tables, state, None)
        out[number, 0] = int(state.square[0])
        out[number, 1] = int(state.heading[0])
        out[number, 2] = int(state.lap[0])
        out[number, 3] = int(state.status[0])


@pytest.mark.parametrize("options", [*UNUSUAL, *({**BELTS, **options} for options in UNUSUAL_BELTS)])
def test_every_register_leads_where_the_rules_say(options: dict[str, Any]) -> None:
    """Every command, and a NO-OP. Lap progress that goes beyond what is looked at is not looked at again."""
    rules = rules_of(**options)
    tables, mark = make_tables(rules), start_marks(rules)[0]
    course = mark.course
    low, most = course.least_lap, course.least_lap + len(course.numbers) - 1
    out = np.zeros((course.on_board, 5), np.int64)
    laps, squares, headings = course.places.T.copy()
    carried = 0
    for effect, command in enumerate(EFFECTS):
        die, face = (int(number) for number in np.argwhere(tables.commands == (command or EFFECTS[1]))[0])
        slot = COMMAND if effect else NOOP
        execute_from(tables, mark.records.copy(), squares, headings, laps, die + 1, face + 1, slot, out)
        for place, (square, heading, lap, status, before) in enumerate(out.tolist()):
            expected = course.outside
            if low <= min(lap, before) and max(lap, before) <= most:
                expected = int(course.dead[lap - low]) if status == OFF_BOARD else course.place(square, heading, lap)
            assert course.successors[place, effect] == expected, (command, square, heading, lap)
        carried += int((out[:, 0] != squares).sum()) if effect == 0 else 0
    assert (carried > 100) == course.has_belts
    assert (course.successors[course.on_board :] == np.arange(course.on_board, course.count)[:, None]).all()


def race(mark: StartMark, racer: Racer, tables: Any, generator: np.ndarray) -> int:
    """The turns of one race alone under the game's rules."""
    records, solo_tables = mark.records.copy(), racer.tables
    codes, values, empty = np.zeros(MOST_PROGRAMS, np.int64), np.zeros(MOST_PROGRAMS), np.zeros(0, np.int64)
    state, place, joint = records[0], 0, np.zeros((1, 1), np.int64)
    while (mover := faces.to_move_face(tables, records)) != 0:
        if mover == CHANCE:
            faces.apply_chance_face(tables, records, faces.sample_chance_face(tables, records, generator))
            continue
        if state.phase == PHASE.SHUTDOWN:
            place = racer.course.place(int(state.square[0]), int(state.heading[0]), int(state.lap[0]))
            joint[0, 0] = SAY_RUN
        else:
            assert state.phase == PHASE.PROGRAM
            hand = state.dice[0].astype(np.int64)
            count = list_programs(solo_tables, place, hand, int((hand > 0).sum()) - 1, empty, codes, values)
            best = int(values[:count].argmin())
            mask = sum(1 << die for die in range(5) if hand[die])
            if state.placed[0] and solo_tables.again[place, mask] < values[best]:
                joint[0, 0] = ROLL
            else:
                word = int(codes[best] & 15) - 1
                joint[0, 0] = word // 2 + PLACE_NOOP * (word % 2)
                effect = solo_tables.effects[word // 2, hand[word // 2] - 1] if word % 2 == 0 else 0
                place = int(solo_tables.successors[place, effect])
        faces.apply_actions_face(tables, records, joint)
    assert state.status[0] == FINISHED
    return int(state.turn)


@pytest.mark.parametrize("options", [{"board": "first-lap"}, {"board": "chimneys"}, BELTS, {**BELTS, "pit_edges": "on"}])
def test_races_by_the_rules_take_par(options: dict[str, Any], scale: int) -> None:
    """The mean of simulated races is within four standard errors of par."""
    rules = rules_of(**options)
    mark = start_marks(rules)[0]  # whose solution other tests need, too
    racer = Racer(mark.course, rules.load_dice().commands)
    tables = RoboDerby(**options, players=1).tables
    generator = generator_from(11)
    turns = np.array([race(mark, racer, tables, generator) for _ in range(750 * scale)])
    error = turns.std(ddof=1) / math.sqrt(len(turns))
    assert error < 0.08
    assert abs(turns.mean() - racer.par) < 4 * error


@pytest.mark.parametrize("reroll", ["all", "any"])
def test_choices_in_a_game_are_legal_and_finish_it(reroll: str) -> None:
    """From states, in the game's notation."""
    game = RoboDerby(board="hairpin", players=1, reroll=reroll, variant="s-race")
    generator = generator_from(3)
    state = game.start()
    racer = None
    chosen: set[str] = set()
    while not state.is_over:
        if state.to_move == (CHANCE,):
            state = state.play(state.sample_chance(generator))
            continue
        racer = racer or racer_of(game.tables, state.record, 0)
        found = racer.choices_in(state.record, 0)
        legal = {action.text for action in state.actions()}
        if found:
            assert {choice.text for choice in found} == legal
            chosen.add(found[0].text.split()[0])
        state = state.play(found[0].text if found else "run")
    assert state.record.status[0] == FINISHED
    assert int(state.record.turn) < 20
    assert "roll" in chosen


@kernel()
def place_now(tables: Any, records: Any, solo: Any) -> Any:
    return place_of_hand(tables, records[0], 0, solo)


def end_of_turn(state: State, racer: Racer, placement: str) -> int:
    """The place where the turn ends after the last placement, from where compiled players think that the robot is by then."""
    record, die = state.record, int(placement[0]) - 1
    place = int(place_now(state.game.tables, state.copy_records(), racer.tables))
    effects = [0 if placement.endswith("n") else int(racer.tables.effects[die, int(record.dice[0, die]) - 1])]
    for register in np.flatnonzero(record.register_slot[0] == LOCKED):
        effects.append(int(racer.tables.effects[int(record.register_die[0, register]) - 1, int(record.register_face[0, register]) - 1]))
    for effect in effects:
        place = int(racer.course.successors[place, effect])
    return place


@pytest.mark.parametrize("health", [6, 3])
def test_a_choice_that_ends_programming_is_worth_what_the_turn_brings(health: int) -> None:
    """Nothing is left to chance then: the turns to come are those from where the rules put the robot, whatever was placed before, and locked."""
    game = RoboDerby(**BELTS, players=1)
    generator = generator_from(5)
    state = game.start()
    while int(state.record.phase) != PHASE.SHUTDOWN:
        state = state.play(state.sample_chance(generator))
    records = state.copy_records()
    records[0].health[0] = health
    for register in range(health - 1, 4):
        records[0].register_slot[0, register], records[0].register_die[0, register] = LOCKED, register + 1
        records[0].register_face[0, register] = 1
    state = State(game, records)
    racer = racer_of(game.tables, state.record, 0)
    ended = with_noops = 0
    while not state.is_over and state.record.turn < 25:
        if state.to_move == (CHANCE,):
            state = state.play(state.sample_chance(generator))
            continue
        found = racer.choices_in(state.record, 0)
        if not found:
            state = state.play("run")
            continue
        slots, turn = state.record.register_slot[0].tolist(), int(state.record.turn)
        choice = found[int(generator[0] % 2) % len(found)]
        if slots.count(EMPTY) == 1 and not choice.text.startswith("roll"):
            assert racer.end[end_of_turn(state, racer, choice.text)] == pytest.approx(choice.value, abs=1e-9)
        state = state.play(choice.text)
        if state.is_over or int(state.record.turn) != turn:
            record = state.record
            after = 0.0 if state.is_over else racer.expected_turns(int(record.square[0]), int(record.heading[0]), int(record.lap[0]))
            assert choice.value == pytest.approx(after, abs=1e-9)
            ended += 1
            with_noops += NOOP in slots
            if record.health[0] != health and not state.is_over:  # destroyed by a pit, and whole again
                break
    assert ended > 2
    assert with_noops > 0


@pytest.mark.parametrize("options", [{"board": "back-door"}, BELTS])
def test_a_wider_range_of_laps_changes_nothing(options: dict[str, Any]) -> None:
    """Nobody who plays well goes further back than the tables go."""
    mark = start_marks(rules_of(**options))[0]
    commands = Rules().load_dice().commands
    narrow, wide = Racer(mark.course, commands), Racer(replace(mark.course, laps=(-4, 8)), commands)
    assert narrow.par == pytest.approx(wide.par, abs=1e-9)
    assert narrow.expected_turns(mark.course.start, 0, -8) == math.inf


@pytest.mark.parametrize("name", board_names())
def test_the_shipped_pars(name: str, scale: int) -> None:
    """One of each race; in a soak, all.

    Where this fails for a board that was changed: ``ludarium roboderby par --board NAME --json`` prints its line for par/pars.jsonl.
    """
    board = demonstration_board(name)
    assert board is not None
    for variant in ("lap", "s-race") if board.s_race else ("lap",):
        rules = Rules.of(board=name, variant=variant)
        shipped = shipped_pars(rules) or {}
        marks = start_marks(rules)
        assert set(shipped) == {mark.text for mark in marks}
        found = {mark.text: Racer(mark.course, rules.load_dice().commands).par for mark in marks[:scale]}
        assert found == pytest.approx({mark: shipped[mark] for mark in found}, abs=1e-8)


def test_one_shipped_par(cache: Path) -> None:
    """Recomputed, not read from a cache."""
    rules = Rules.of(board="furnace", variant="s-race")
    found = {par.mark.text: par.turns for par in pars(rules)}
    assert found == pytest.approx(shipped_pars(rules), abs=1e-8)
    assert len(list(cache.iterdir())) == 2


ALONE = {"tiles", "dice", "respawn_progress", "reroll", "lap_logic", "pit_edges"}
"""Options that a robot alone notices on a board that is named."""


@pytest.mark.parametrize(
    ("name", "values"),
    [(one.name, (*one.choices, "own.toml") if one.is_source else one.choices) for one in OPTIONS if one.choices and not one.is_board],
)
def test_pars_are_shipped_for_other_options_if_a_robot_alone_does_not_notice_them(name: str, values: tuple[str, ...]) -> None:
    usual = Rules.of(board="furnace", variant="s-race")
    others = [replace(usual, **{name: value}) for value in values if value != getattr(usual, name)]
    assert others
    if name == "variant":
        assert shipped_pars(others[0]) not in (None, shipped_pars(usual))
    else:
        assert [shipped_pars(other) for other in others] == [None if name in ALONE else shipped_pars(usual)] * len(others)


def test_pars_are_shipped_for_usual_rules_only() -> None:
    assert shipped_pars(Rules()) is None
    assert shipped_pars(Rules(board="first-lap", reroll="any")) is None
    assert shipped_pars(Rules.of(board="first-lap", screens="off", hack_timing="hacks-first")) == shipped_pars(Rules(board="first-lap"))
    assert sorted(shipped_pars(Rules(board="first-lap")) or ()) == ["N A", "N B"]


def test_solutions_are_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands = Rules().load_dice().commands
    told: list[int] = []

    def par_again() -> float:
        told.clear()
        return Racer(ALLEY, commands, progress=lambda number, error: told.append(number)).par

    first = par_again()
    assert told
    assert par_again() == first
    assert not told
    (file,) = cache.iterdir()
    data = bytearray(file.read_bytes())
    for damaged in (b"", bytes(data[:-8]), bytes([*data[:-1], data[-1] ^ 1])):
        file.write_bytes(damaged)
        assert par_again() == first
        assert told
    other = Racer(ALLEY, np.roll(commands, 1, axis=0), seconds=0)  # not exact: nothing is kept
    assert not other.solution.is_exact
    assert len(list(cache.iterdir())) == 1
    monkeypatch.setattr(solo_cache, "MOST_FILES", 1)
    os.utime(file, (1, 1))
    assert Racer(replace(ALLEY, finish=2), commands).par != first
    assert [left != file for left in cache.iterdir()] == [True]


def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(solo_racer, "solve", lambda *arguments, **options: solo_racer.Solution(np.zeros(2_000), 0.0))
    assert Racer(ALLEY, Rules().load_dice().commands).par == 0


def test_start_marks() -> None:
    open_edge = rules_of(board="pits walls start cross @ 0 90 180 270")
    assert [mark.text for mark in start_marks(open_edge)] == ["S A", "S B", "W A", "W B"]
    assert [mark.text for mark in start_marks(rules_of(players=4))] == ["N A", "N B", "N C", "N D"]
    assert [mark.text for mark in start_marks(rules_of(marks="fixed"))] == ["N A", "N B"]
    assert [mark.robot for mark in start_marks(rules_of(players=2))] == [0, 1]
    assert len({mark.course.start for mark in start_marks(rules_of(players=3))}) == 3


def test_a_heat_map_says_in_words_what_its_colours_say() -> None:
    from ludarium.labs.roboderby.par.heat_map import heat_map

    rules = Rules.of(board="furnace", variant="s-race")
    text = heat_map(rules, pars(rules))
    assert "Expected turns to the finish on the board furnace: W A 5.99 turns, W B 5.28 turns" in text
    assert len(re.findall(r"<title>[\d.]+ turns, best heading [NESW]</title>", text)) > 200
    assert text.count("<title>the finish</title>") == 2
    assert "without a number" not in text


def small_tile(name: str, *rows: str) -> str:
    posts = "+ + + + +"
    return "\n".join([f"name: {name}", "", *(f"{posts}\n {row}" for row in rows), posts])


ALL_PITS = "\n\n".join(
    [
        small_tile("open", ". A B .", "B . . A", "A . . B", ". B A ."),
        *(small_tile(name, *["O O O O"] * 4) for name in ("one", "two", "three")),
    ]
)


def test_the_colours_of_a_heat_map_cover_the_start_tile_too() -> None:
    """Where nobody comes around the lap, only those who are home have numbers."""
    from ludarium.labs.roboderby.par.heat_map import SCALE, heat_map

    rules = Rules.of(tiles=ALL_PITS, board="open one two three N")
    text = heat_map(rules, pars(rules))
    cells = re.findall(r"<title>([\d.]+) turns, best heading [NESW]</title><path class=\"rd-heat\" fill=\"(#[0-9a-f]{6})\"", text)
    assert len(cells) == 2 * 15
    most = max(turns for turns, _ in cells)
    assert float(most) > 1
    assert {turns for turns, fill in cells if fill == SCALE[-1]} == {most}
    assert len({fill for _, fill in cells}) > 3
    assert re.findall(r'y="21">([\d.]+)</text>', text) == ["0.0", f"{float(most) / 2:.1f}", most] * 2
    assert text.count(">squares without a number:<") == 2


def test_the_picture_of_the_documentation_is_what_is_drawn() -> None:
    """``ludarium roboderby par --board chimneys --svg docs/pictures/roboderby-par.svg`` draws it."""
    from ludarium.labs.roboderby.par.heat_map import heat_map

    rules = Rules.of(board="chimneys")
    picture = DOCS / "pictures" / "roboderby-par.svg"
    assert picture.read_text(encoding="utf-8") == heat_map(rules, pars(rules))
