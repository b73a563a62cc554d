"""A turn of RoboDerby in plain Python, written from the rules alone, one object a robot: from the programs that are locked in to the start of the next turn.

It reads a state's fields and answers with what they must be afterwards. Whoever uses it tells the results of roll-offs; it says where one is needed.
"""

from __future__ import annotations

import copy
import itertools
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ludarium.core.game import State
from ludarium.games.roboderby.sheets.faces import COMMANDS

__all__ = ["NaiveTurn", "Register", "Robot", "RollOffNeeded"]

STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
TURNS = {"L": 3, "R": 1, "U": 2}
SIDEWAYS = {"SL": 3, "SR": 1, "REV": 2}
HACKS = ("CMT", "INV")
PIT = 2
BELTS = {3: 0, 4: 1, 5: 2, 6: 3}
"""The way that a belt runs, by the kind of its square."""
CORNERS = {"lap": ((0, 0), (1, 0), (0, 1), (1, 1)), "s-race": ((0, 1), (1, 1), (1, 0), (2, 0))}
"""Where the tiles of a deal lie, counted in tiles."""
STATUS = ("active", "shut down", "wreck", "off the board", "finished")
SLOTS = ("empty", "command", "noop", "locked")


class RollOffNeeded(Exception):
    """Equal priorities whose order matters; ``letters`` are those of the robots."""

    def __init__(self, letters: set[str]) -> None:
        super().__init__(f"roll-off of {sorted(letters)}")
        self.letters = letters


@dataclass
class Register:
    die: int
    face: int
    slot: str


@dataclass
class Robot:
    number: int
    letter: str
    place: tuple[int, int] | None
    heading: int
    health: int
    lap: int
    status: str
    rank: int
    home: tuple[int, int]
    goal: tuple[int, int]
    mat: list[Register]
    commented: bool = False
    inversions: int = 0
    fires: bool = False

    def told(self) -> tuple[Any, ...]:
        """What can be compared with a record."""
        return self.place, self.heading, self.health, self.lap, self.status, self.rank, [(one.die, one.face, one.slot) for one in self.mat]


@dataclass
class NaiveTurn:
    """The robots of a state, and what their turn makes of them; ``roll_offs`` are the priorities rolled, by letter, one mapping a roll-off.

    ``happened`` counts what belts and lasers of the board have done.
    """

    state: State
    roll_offs: Iterable[Mapping[str, int]]
    robots: list[Robot] = field(default_factory=list)
    happened: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        record, self.tables, self.options = self.state.record, self.state.game.tables, self.state.game.options
        self.rolls = iter(self.roll_offs)
        self.board = {name: record[name].tolist() for name in ("walls", "kinds", "lap_tiles")}
        self.faces = [
            [(COMMANDS[command], priority, bool(laser)) for command, priority, laser in zip(*die, strict=True)]
            for die in zip(self.tables.commands.tolist(), self.tables.priorities.tolist(), self.tables.lasers.tolist(), strict=True)
        ]
        self.lasers = [self.laser(tile, square, way) for tile, square, way in self.tables.board_lasers[:, 0].tolist()]
        self.turn = int(record.turn)
        for number in range(self.state.game.players):
            mat = [
                Register(int(die), int(face), SLOTS[int(slot)])
                for die, face, slot in zip(
                    record.register_die[number], record.register_face[number], record.register_slot[number], strict=True
                )
            ]
            self.robots.append(
                Robot(
                    number,
                    "ABCD"[int(record.letter[number])],
                    self.spot(int(record.square[number])),
                    int(record.heading[number]),
                    int(record.health[number]),
                    int(record.lap[number]),
                    STATUS[int(record.status[number])],
                    int(record.rank[number]),
                    self.spot(int(record.start[number])) or (0, 0),
                    self.spot(int(record.finish[number])) or (0, 0),
                    mat,
                )
            )

    def laser(self, tile: int, square: int, way: int) -> tuple[tuple[int, int], int]:
        """A laser's square and way on the board, from where it is on its tile: each quarter turn of the tile brings (x, y) to (last − y, x)."""
        record, size = self.state.record, self.tables.size
        number = record.tile.tolist().index(tile)
        x, y = square % size, square // size
        for _ in range(int(record.rotation[number])):
            x, y, way = size - 1 - y, x, (way + 1) % 4
        column, row = CORNERS[self.options["variant"]][number]
        return (column * size + x, row * size + y), way

    def spot(self, square: int) -> tuple[int, int] | None:
        return None if square < 0 else (square % self.tables.width, square // self.tables.width)

    def at(self, name: str, place: tuple[int, int]) -> int:
        x, y = place
        if not (0 <= x < self.tables.width and 0 <= y < self.tables.height):
            return 0
        return self.board[name][y * self.tables.width + x]

    def on(self, place: tuple[int, int]) -> Robot | None:
        return next((robot for robot in self.robots if robot.place == place), None)

    def play(self) -> None:
        for register in range(4):
            self.play_register(register)
        self.damage(self.hits_of(robot for robot in self.robots if robot.status == "active"))
        if self.options["vicious_shutdown"] == "on":
            for robot in self.robots:
                if robot.status == "shut down":
                    self.set_health(robot, min(6, robot.health + 2))
        self.finish()

    def play_register(self, register: int) -> None:
        waiting = [robot.number for robot in self.robots if robot.status == "active" and robot.mat[register].die]
        for robot in self.robots:
            robot.commented, robot.inversions, robot.fires = False, 0, False
        ranks = {number: self.rank_of(self.robots[number], register) for number in waiting}
        for rank in sorted(set(ranks.values()), reverse=True):
            self.settle([number for number in waiting if ranks[number] == rank], waiting, register)
        self.run_belts()
        lit = [self.first_on_beam(place, way) for place, way in self.lasers]
        self.happened["hit by the board"] += sum(robot is not None for robot in lit)
        self.damage(self.hits_of(robot for robot in self.robots if robot.fires and robot.status == "active") + lit)

    def run_belts(self) -> None:
        """Carry everybody on a belt by one square, all at once, but those who are kept back."""
        rides: dict[int, tuple[int, int]] = {}
        for robot in self.robots:
            way = BELTS.get(self.at("kinds", robot.place)) if robot.place else None
            if robot.place and way is not None:
                self.happened[f"{robot.status} on a belt"] += 1
                if not self.is_closed(robot.place, way):
                    rides[robot.number] = self.beside(robot.place, way)
        meetings = {place for place, many in Counter(rides.values()).items() if many > 1 and self.at("kinds", place) not in (0, PIT)}
        self.happened["meetings"] += len(meetings)
        rides = {number: place for number, place in rides.items() if place not in meetings}
        while kept := [number for number, place in rides.items() if self.keeps_back(number, self.on(place), rides)]:
            for number in kept:
                self.happened["kept back by a robot"] += 1
                del rides[number]
        self.happened["carried after another"] += sum(self.on(place) is not None for place in rides.values())
        for number, place in rides.items():
            self.enter(self.robots[number], place)
            self.happened["carried to destruction" if self.robots[number].place is None else "carried"] += 1

    def keeps_back(self, number: int, other: Robot | None, rides: dict[int, tuple[int, int]]) -> bool:
        """Whether a robot on the square ahead stays, or comes to the square of the one with this number."""
        return other is not None and rides.get(other.number) in (None, self.robots[number].place)

    def is_closed(self, place: tuple[int, int], way: int) -> bool:
        """Whether a wall or an edge that is not open stands before a square. A pit around the board takes no wall away that a tile has there."""
        if not self.at("kinds", self.beside(place, way)) and self.options["pit_edges"] == "on":
            return self.is_drawn(place, way)
        return bool(self.at("walls", place) >> way & 1)

    def is_drawn(self, place: tuple[int, int], way: int) -> bool:
        """Whether the tile that a square is on has a wall on this side of it, however the tile was turned."""
        record, size = self.state.record, self.tables.size
        number = CORNERS[self.options["variant"]].index((place[0] // size, place[1] // size))
        inside = place[1] % size * size + place[0] % size
        return bool(self.tables.tile_walls[int(record.tile[number]), int(record.rotation[number]), inside] >> way & 1)

    def beside(self, place: tuple[int, int], way: int) -> tuple[int, int]:
        return place[0] + STEPS[way][0], place[1] + STEPS[way][1]

    def rank_of(self, robot: Robot, register: int) -> tuple[bool, int]:
        """What is compared; hacks come first under that option."""
        one = robot.mat[register]
        hack = self.options["hack_timing"] == "hacks-first" and one.slot != "noop" and self.command(one) in HACKS
        return hack, self.faces[one.die - 1][one.face - 1][1]

    def command(self, one: Register) -> str:
        return self.faces[one.die - 1][one.face - 1][0]

    def settle(self, tied: list[int], waiting: list[int], register: int) -> None:
        """Carry out the dice of robots with one priority, after a roll-off if their order matters."""
        if len(tied) == 1:
            waiting.remove(tied[0])
            self.carry_out(self.robots[tied[0]], waiting, register)
            return
        results = []
        for order in itertools.permutations(tied):
            trial = copy.copy(self)
            trial.robots = copy.deepcopy(self.robots)
            left = list(waiting)
            for number in order:
                left.remove(number)
                trial.carry_out(trial.robots[number], left, register)
            fate = [(robot.commented, robot.inversions % 2) if robot.number in left else None for robot in trial.robots]
            firing = [robot.fires and robot.status == "active" for robot in trial.robots]
            results.append(([trial.lasting(robot) for robot in trial.robots], firing, fate))
        if all(result == results[0] for result in results):
            for number in tied:
                waiting.remove(number)
                self.carry_out(self.robots[number], waiting, register)
            return
        rolled = next(self.rolls, None)
        if rolled is None:
            raise RollOffNeeded({self.robots[number].letter for number in tied})
        for priority in sorted(set(rolled.values()), reverse=True):
            self.settle([number for number in tied if rolled[self.robots[number].letter] == priority], waiting, register)

    def lasting(self, robot: Robot) -> Any:
        """What of a robot has a consequence: of a destroyed one, its lap at most."""
        if robot.status != "off the board":
            return robot.told()
        return robot.lap if self.options["respawn_progress"] == "keep" else None

    def carry_out(self, robot: Robot, waiting: list[int], register: int) -> None:
        """One robot's die; ``waiting`` are those whose dice are still to come."""
        if robot.status != "active" or robot.commented:
            return
        one = robot.mat[register]
        command, inverted = self.command(one), robot.inversions % 2 == 1
        laser = self.faces[one.die - 1][one.face - 1][2]
        if one.slot == "noop":
            if not (inverted and self.options["invert_noop_executes"] == "on"):
                return
            inverted = False
        if inverted and command in ("U", *HACKS):
            return
        robot.fires = laser and not (inverted and self.options["inverted_laser"] == "silent")
        if command in HACKS:
            self.hack(robot, command, waiting)
        elif command in TURNS:
            turn = TURNS[command]
            robot.heading = (robot.heading + (-turn if inverted else turn)) % 4
        else:
            steps = int(command[1]) if command[0] == "F" else 1
            way = robot.heading + (SIDEWAYS.get(command, 0)) + (2 if inverted else 0)
            for _ in range(steps):
                if robot.place is None or not self.step(robot, way % 4):
                    break

    def hack(self, robot: Robot, command: str, waiting: list[int]) -> None:
        targets = [number for number in waiting if number != robot.number]
        if self.options["hack_targets"] == "next-seat":
            seats = [(robot.number + offset) % len(self.robots) for offset in range(1, len(self.robots))]
            seats = [seat for seat in seats if self.robots[seat].status != "finished"]
            targets = [number for number in targets if number in seats[:1]]
        for number in targets:
            if command == "CMT":
                self.robots[number].commented = True
            else:
                self.robots[number].inversions += 1

    def step(self, robot: Robot, way: int) -> bool:
        """Move a robot by one square, and those before it first; whether it left its square."""
        assert robot.place is not None
        if self.is_closed(robot.place, way):
            return False
        ahead = self.beside(robot.place, way)
        other = self.on(ahead)
        if other is not None and not self.step(other, way):
            return False
        self.enter(robot, ahead)
        return True

    def enter(self, robot: Robot, ahead: tuple[int, int]) -> None:
        """Put a robot on the next square, whatever took it there: it may be lost, and its lap may count."""
        assert robot.place is not None
        before, after = self.at("lap_tiles", robot.place), self.at("lap_tiles", ahead)
        robot.place = ahead
        if self.at("kinds", ahead) in (0, PIT):
            self.lose(robot)
        elif before != after and self.options["variant"] == "lap":
            self.count_lap(robot, after)

    def lose(self, robot: Robot) -> None:
        robot.place, robot.status = None, "off the board"

    def count_lap(self, robot: Robot, after: int) -> None:
        """A robot that came back with its progress kept may stand on a tile that does not fit it; it counts on from the tiles around its progress."""
        if self.options["lap_logic"] == "checkpoints":
            robot.lap += robot.lap < 4 and after == (robot.lap + 1) % 4
        else:
            robot.lap += {(robot.lap + 1) % 4: 1, (robot.lap - 1) % 4: -1}.get(after, 0)

    def hits_of(self, shooters: Iterable[Robot]) -> list[Robot | None]:
        """Whom robots hit that fire the way they head."""
        found: list[Robot | None] = []
        for robot in shooters:
            assert robot.place is not None
            blocked = self.at("walls", robot.place) >> robot.heading & 1
            found.append(None if blocked else self.first_on_beam(self.beside(robot.place, robot.heading), robot.heading))
        return found

    def damage(self, hit: list[Robot | None]) -> None:
        """All beams at once: one health for each that hits, and who has none left is a wreck."""
        hits = [robot for robot in hit if robot is not None]
        for robot in hits:
            if robot.status in ("active", "shut down"):
                self.set_health(robot, max(0, robot.health - 1))
        for robot in hits:
            if robot.health == 0 and robot.status in ("active", "shut down"):
                robot.status = "wreck"

    def first_on_beam(self, place: tuple[int, int], way: int) -> Robot | None:
        """The first robot from a square on, that square included, up to a wall."""
        while (robot := self.on(place)) is None:
            if self.at("walls", place) >> way & 1:
                return None
            place = self.beside(place, way)
        return robot

    def set_health(self, robot: Robot, health: int) -> None:
        robot.health = health
        for register, one in enumerate(robot.mat):
            if health <= register + 1:
                one.slot = "locked"
            elif one.slot == "locked":
                one.slot = "command" if one.die else "empty"

    def finish(self) -> None:
        place = 1 + sum(robot.status == "finished" for robot in self.robots)
        for robot in self.robots:
            done = self.options["variant"] == "s-race" or robot.lap == 4
            if robot.status in ("active", "shut down") and robot.place == robot.goal and done:
                robot.status, robot.rank, robot.place = "finished", place, None

    @property
    def is_over(self) -> bool:
        finished = sum(robot.status == "finished" for robot in self.robots)
        enough = 1 if self.options["variant"] == "s-race" else max(1, len(self.robots) - 1)
        return finished >= enough or self.turn >= self.options["turn_limit"]

    def begin_next(self) -> None:
        """The start of the next turn: shutdowns are over, wrecks go, the destroyed come back."""
        for robot in self.robots:
            if robot.status == "shut down":
                robot.status = "active"
            if robot.status == "wreck":
                self.lose(robot)
        for robot in self.robots:
            if robot.status == "off the board" and (place := self.nearest_free(robot.home)) is not None:
                robot.place, robot.status, robot.health = place, "active", 6
                robot.heading = (int(self.state.record.start_edge) + 2) % 4
                robot.mat = [Register(0, 0, "empty") for _ in range(4)]
                if self.options["respawn_progress"] == "reset":
                    robot.lap = 0

    def nearest_free(self, home: tuple[int, int]) -> tuple[int, int] | None:
        queue = [home]
        for place in queue:
            if self.on(place) is None:
                return place
            for way, (right, down) in enumerate(STEPS):
                following = place[0] + right, place[1] + down
                if self.at("walls", place) >> way & 1 or following in queue:
                    continue
                if self.at("lap_tiles", following) == 0 and self.at("kinds", following) not in (0, 2):
                    queue.append(following)
        return None
