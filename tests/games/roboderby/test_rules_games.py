"""What must hold in every game of RoboDerby, under any options: random games, and the same games without the compiler."""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import ludarium
from ludarium.core.game import State
from ludarium.games.roboderby.game import RoboDerby
from ludarium.games.roboderby.tables import ACTIVE, COMMAND, EMPTY, FINISHED, LOCKED, NOOP, OFF_BOARD, SHUT_DOWN, WRECK
from tests.folders import ROOT
from tests.games.roboderby.belt_tiles import BELT_TILES
from tests.games.roboderby.play import options_at_random, phase_of, play_some, step_at_random

BEFORE_THE_START = ("deal", "edge", "letters")
PIT, VOID = 2, 0


def check(state: State) -> None:
    """Everything that holds in any state once the robots are on the board."""
    record, tables = state.record, state.game.tables
    players = range(state.game.players)
    status = [int(record.status[player]) for player in players]
    squares = [int(record.square[player]) for player in players]
    on_board = [square for square, one in zip(squares, status, strict=True) if one in (ACTIVE, SHUT_DOWN, WRECK)]
    assert len(set(on_board)) == len(on_board), "two robots stand on one square"
    assert all(int(record.kinds[square]) not in (PIT, VOID) for square in on_board)
    assert all(square == -1 for square, one in zip(squares, status, strict=True) if one in (OFF_BOARD, FINISHED))
    for player in players:
        health = int(record.health[player])
        assert 0 <= health <= 6
        assert (health == 0) == (status[player] == WRECK) or status[player] in (OFF_BOARD, FINISHED)
        if status[player] in (ACTIVE, SHUT_DOWN):
            _check_lap(state, player)
        if status[player] != FINISHED:
            _check_mat(state, player)
    ranks = sorted(int(record.rank[player]) for player in players if status[player] == FINISHED)
    assert all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks), "places are shared by equals, and none is left out"
    assert tables.players == len(status)


def _check_lap(state: State, player: int) -> None:
    record, options = state.record, state.game.options
    lap, tile = int(record.lap[player]), int(record.lap_tiles[int(record.square[player])])
    if options["variant"] == "s-race":
        assert lap == 0
    elif options["lap_logic"] == "checkpoints":
        assert 0 <= lap <= 4
    elif options["respawn_progress"] == "reset":
        assert lap % 4 == tile, "winding: the lap index fits the tile"


def _check_mat(state: State, player: int) -> None:
    """Every die is in one place: in a register, or in hand or left over. Registers are locked by health alone."""
    record = state.record
    dice = [int(die) for die in record.register_die[player]]
    slots = [int(slot) for slot in record.register_slot[player]]
    used = [die for die in dice if die]
    assert len(set(used)) == len(used)
    assert set(used) <= {1, 2, 3, 4, 5}
    for register, slot in enumerate(slots):
        assert slot in (EMPTY, COMMAND, NOOP, LOCKED)
        assert (int(record.register_face[player, register]) > 0) == (dice[register] > 0)
        if dice[register]:
            assert int(record.dice[player, dice[register] - 1]) == 0, "a die in a register is not in hand"
        if slot in (COMMAND, NOOP):
            assert dice[register]
        if int(record.status[player]) in (ACTIVE, SHUT_DOWN):
            assert (slot == LOCKED) == (int(record.health[player]) <= register + 1)
    if phase_of(state) == "program" and int(record.status[player]) == ACTIVE and not int(record.rolling[player]):
        shown = sum(int(face) > 0 for face in record.dice[player])
        locked_empty = sum(slot == LOCKED and not die for slot, die in zip(slots, dice, strict=True))
        assert shown + len(used) == 5 or (shown == 0 and EMPTY not in slots)
        if EMPTY in slots:
            assert shown == slots.count(EMPTY) + 1 + locked_empty, "one die more than registers to fill"
        filled = [slot != EMPTY for slot in slots]
        open_from = filled.index(False) if False in filled else 4
        unlocked = slots.index(LOCKED) if LOCKED in slots else 4
        assert all(not one for one in filled[open_from:unlocked]), "registers are filled from the left"
        assert all(slot == LOCKED for slot in slots[unlocked:]), "registers lock from the right"


def tiles_of(number: int) -> str:
    """Every other game is on tiles full of belts, with lasers."""
    return BELT_TILES if number % 2 else "stand-in"


def games(count: int, seed: int) -> list[list[State]]:
    choice = random.Random(seed)
    return [play_some(RoboDerby(**options_at_random(choice, tiles=tiles_of(number))).start(), choice, 220) for number in range(count)]


def test_random_games_under_random_options(scale: int) -> None:
    happened = set()
    for states in games(25 * scale, 1):
        for before, state in zip([states[0], *states], states, strict=False):
            if phase_of(state) in BEFORE_THE_START:
                continue
            check(state)
            happened |= {int(status) for status in state.record.status}
            assert int(state.record.turn) - int(before.record.turn) >= 0
            assert state.is_over or state.to_move
    assert {ACTIVE, SHUT_DOWN} <= happened


def test_games_end_at_the_turn_limit_at_the_latest() -> None:
    choice = random.Random(2)
    for players in (1, 2, 3, 4):
        states = play_some(RoboDerby(players=players, turn_limit=4).start(seed=players), choice, 2000)
        end = states[-1]
        assert end.is_over
        assert int(end.record.turn) <= 4
        finished = {player for player in range(players) if int(end.record.status[player]) == FINISHED}
        if not finished and players > 1:
            assert end.returns == (0.0,) * players
        assert sum(end.returns) == pytest.approx(0) or players == 1


def test_texts_bring_back_every_state_of_a_game() -> None:
    """In the middle of programming, before roll-offs and hacks, at the end: the text of a state is the state, and plays on alike."""
    met = set()
    for states in games(12, 3):
        for number, state in enumerate(states):
            met.add(phase_of(state))
            again = state.game.parse(state.text)
            assert again == state
            if number % 12 == 0:
                seen = state.seen_by(0)
                assert state.game.parse(seen.text) == seen
    assert met >= {"deal", "edge", "letters", "shutdown", "program", "roll-off"}


class Told:
    """Where robots are by what the events tell alone."""

    def __init__(self, state: State) -> None:
        record = state.record
        players = range(state.game.players)
        self.square, self.heading, self.health = (
            [int(field[player]) for player in players] for field in (record.square, record.heading, record.health)
        )
        self.finished = {player for player in players if int(record.status[player]) == FINISHED}

    def hear(self, data: Mapping[str, Any]) -> None:
        kind, robot = data["kind"], data.get("robot", -1)
        if kind in ("move", "push", "carry"):
            assert data["from"] == self.square[robot]
            self.square[robot] = data["to"]
        elif kind == "turn":
            assert data["from"] == self.heading[robot]
            self.heading[robot] = data["heading"]
        elif kind == "damage":
            assert data["health"] == max(0, self.health[robot] - data["hits"])
            self.health[robot] = data["health"]
        elif kind == "heal":
            self.health[robot] = data["health"]
        elif kind == "fall":
            self.square[robot] = -1
        elif kind == "respawn":
            assert self.square[robot] == -1 or self.health[robot] == 0
            self.square[robot], self.heading[robot], self.health[robot] = data["to"], data["heading"], 6
        elif kind == "finish":
            self.square[robot] = -1
            self.finished.add(robot)
        elif kind == "fire":
            assert data["from"] == self.square[robot], "nobody fires from where it stood before"
            assert ("target" in data) == bool(data["squares"] and data["squares"][-1] in self.square)
            assert not set(data["squares"][:-1]) & set(self.square), "the first robot in the way is hit"
        elif kind == "beam":
            assert data["squares"][-1] == self.square[data["target"]]
            assert not set(data["squares"][:-1]) & set(self.square), "the first robot in the way is hit, on the laser's own square too"


def test_what_events_tell_leads_from_state_to_state(scale: int) -> None:
    """Whoever follows the events alone knows where everybody stands, looks and how healthy they are."""
    kinds = set()
    choice = random.Random(7)
    for number in range(15 * scale):
        state = RoboDerby(**options_at_random(choice, tiles=tiles_of(number))).start(seed=number)
        while not state.is_over and int(state.record.turn) < 8:
            step = step_at_random(state, choice)
            actions = {player: state.action(one, player) for player, one in step.items()}
            after = state.play(actions)
            told = Told(state)
            for event in state.events(actions):
                assert event.text
                told.hear(json.loads(json.dumps(dict(event.data))))
                kinds.add(event.data["kind"])
            if phase_of(state) not in BEFORE_THE_START:
                there = Told(after)
                off = {player for player in range(after.game.players) if int(after.record.status[player]) == OFF_BOARD}
                for player in set(range(after.game.players)) - off:
                    assert told.square[player] == there.square[player]
                    assert told.heading[player] == there.heading[player]
                    assert told.health[player] == there.health[player]
                assert told.finished == there.finished
            state = after
    assert kinds >= {
        "register",
        "order",
        "move",
        "push",
        "turn",
        "bump",
        "fall",
        "hack",
        "skip",
        "fire",
        "carry",
        "beam",
        "damage",
        "respawn",
        "end-of-turn",
    }


def test_events_of_programming_tell_nothing() -> None:
    choice = random.Random(8)
    for state in play_some(RoboDerby(players=3).start(seed=8), choice, 200):
        if phase_of(state) == "program" and not state.is_over:
            step = step_at_random(state, choice)
            actions = {player: state.action(one, player) for player, one in step.items()}
            if phase_of(state.play(actions)) == "program" and int(state.play(actions).record.turn) == int(state.record.turn):
                assert state.events(actions) == ()


def digests(seed: int, count: int, most: int) -> list[str]:
    """Digests of all states, actions, returns and observations of some games under random options."""
    found = []
    choice = random.Random(seed)
    for number in range(count):
        game = RoboDerby(**options_at_random(choice, tiles=tiles_of(number)))
        for state in play_some(game.start(seed=number), choice, most):
            digest = hashlib.sha256(state.copy_records().tobytes())
            digest.update(json.dumps([state.text, state.to_move, state.returns]).encode())
            for player in range(game.players):
                digest.update(np.ascontiguousarray(state.observation(player)).tobytes())
                digest.update(state.seen_by(player).copy_records().tobytes())
                digest.update(
                    repr([action.text for action in state.actions(player)] if state.to_move != (ludarium.CHANCE,) else "").encode()
                )
            found.append(digest.hexdigest()[:16])
    return found


PLAIN = """
import json, sys
sys.path.insert(0, sys.argv[1])
from tests.games.roboderby.test_rules_games import digests
print(json.dumps(digests(int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))))
"""


def test_the_same_games_without_the_compiler(scale: int) -> None:
    wanted = (5, 3 * scale, 90)
    command = [sys.executable, "-c", PLAIN, str(ROOT), *map(str, wanted)]
    done = subprocess.run(command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == digests(*wanted)
