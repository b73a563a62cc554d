"""Plays a rule case of RoboDerby: lays its board, puts its robots there, gives everybody's orders, and tells where things stand otherwise than it says."""

from __future__ import annotations

import json
from typing import Any

import ludarium
from ludarium.core.game import State
from ludarium.games.roboderby.game import RoboDerby
from ludarium.games.roboderby.sheets.faces import COMMANDS
from ludarium.games.roboderby.tables import COMMAND, EMPTY, FINISHED, LOCKED, NOOP, PHASES
from tests.games.roboderby.case import HEADINGS, LETTERS, Case, Ending, Programming, Robot, Turn, Word

__all__ = ["Table", "differences", "game_of"]

SIZE = 6
TILE_PLACES = {"lap": ((0, 0), (6, 0), (0, 6), (6, 6)), "s-race": ((0, 6), (6, 6), (6, 0), (12, 0))}
TILE_NAMES = {"lap": ("two", "three", "start", "four"), "s-race": ("start", "two", "three", "four")}
DEALS = {"lap": "two three start four @ 0 0 0 0 S", "s-race": "start two three four @ 0 0 0 0 W"}
MARKS = {(1, 0): "A", (4, 0): "B", (5, 1): "A", (5, 4): "B", (4, 5): "A", (1, 5): "B", (0, 4): "A", (0, 1): "B"}
"""On the start tile, by column and row."""


def game_of(case: Case) -> RoboDerby:
    """The game with the case's options, dice and board; letters go to the players in order."""
    variant = case.options.get("variant", "lap")
    options: dict[str, Any] = {"marks": "fixed", "board": DEALS[variant], "tiles": _tiles(case, variant), **case.options}
    if case.dice:
        options["dice"] = "\n".join("[[die]]\nfaces = " + json.dumps([face.strip() for face in row.split(",")]) for row in case.dice)
    return RoboDerby(**options)


def _tiles(case: Case, variant: str) -> str:
    """The tile set: plain tiles with marks on the start tile, what the case draws, and lasers. A wall on a border of tiles is on the first of them only."""
    sheets = {}
    for name, place in zip(TILE_NAMES[variant], TILE_PLACES[variant], strict=True):
        sheet = [["+" if row % 2 == column % 2 == 0 else " " for column in range(2 * SIZE + 1)] for row in range(2 * SIZE + 1)]
        for row in range(SIZE):
            for column in range(SIZE):
                sheet[2 * row + 1][2 * column + 1] = MARKS.get((column, row), ".") if name == "start" else "."
        sheets[name] = place, sheet
    for drawing in case.drawings:
        for down, row in enumerate(drawing.rows):
            for across, character in enumerate(row):
                if character in "O^>v<|-":
                    _draw(sheets, 2 * drawing.place.column + across, 2 * drawing.place.row + down, character)
    return "\n\n".join(
        "\n".join([f"name: {name}", *_lasers_on(case, sheets[name][0]), "", *("".join(row) for row in sheets[name][1])])
        for name in ("start", "two", "three", "four")
    )


def _lasers_on(case: Case, corner: tuple[int, int]) -> list[str]:
    """The lines for the lasers of the tile with this top left corner."""
    places = [(laser.place.column - corner[0], laser.place.row - corner[1], laser.direction) for laser in case.lasers]
    return [f"laser: {x},{y},{direction}" for x, y, direction in places if x in range(SIZE) and y in range(SIZE)]


def _draw(sheets: dict[str, Any], across: int, down: int, character: str) -> None:
    for (column, row), sheet in sheets.values():
        x, y = across - 2 * column, down - 2 * row
        if 0 <= x <= 2 * SIZE and 0 <= y <= 2 * SIZE:
            sheet[y][x] = character
            return
    raise AssertionError(f"{character} is drawn off the board")


class Table:
    """A game in progress, to which whole turns are given."""

    def __init__(self, case: Case) -> None:
        self.game = game_of(case)
        assert len(self.game.tables.board_lasers) == len(case.lasers), "a laser stands off the board"
        self.state = self._set_up(case)

    def _set_up(self, case: Case) -> State:
        state = self.game.start(seed=1)
        assert phase_of(state) == "shutdown", "a case begins where the first turn begins"
        records = state.copy_records()
        record = records[0]
        for robot in case.robots:
            player = LETTERS.index(robot.letter)
            assert robot.place is not None
            record.square[player] = robot.place.row * self.game.tables.width + robot.place.column
            record.heading[player] = HEADINGS.index(robot.heading)
            record.health[player] = robot.health
            tile = int(record.lap_tiles[int(record.square[player])])
            record.lap[player] = robot.lap if robot.lap is not None else 0 if case.options.get("variant") == "s-race" else tile
            locked = range(max(robot.health - 1, 0), 4)
            for register, word in enumerate(robot.mat or (Word(),) * 4):
                assert word.locked == (register in locked and word.priority >= 0), f"{robot.letter}: health and locked registers do not fit"
                die, face = self.die_and_face(word, range(5)) if word.priority >= 0 else (-1, -1)
                record.register_die[player, register], record.register_face[player, register] = die + 1, face + 1
                record.register_slot[player, register] = (
                    LOCKED if register in locked else EMPTY if die < 0 else NOOP if word.noop else COMMAND
                )
        return self.game.parse(State(self.game, records).text)

    def die_and_face(self, word: Word, dice: Any) -> tuple[int, int]:
        """The first of some dice (from 0) with the face (from 0) that a word names."""
        tables = self.game.tables
        for die in dice:
            for face in range(6):
                if (COMMANDS[tables.commands[die, face]], int(tables.priorities[die, face])) == (word.command, word.priority):
                    return die, face
        raise AssertionError(f"none of the dice {[die + 1 for die in dice]} has {word.command}:{word.priority}")

    def play_turn(self, turn: Turn) -> None:
        number = int(self.state.record.turn)
        hands = {player: Hand(self, player, turn.players.get(LETTERS[player], Programming())) for player in range(self.game.players)}
        roll_offs, hacks = list(turn.roll_offs), list(turn.hacks)
        while not self.state.is_over and int(self.state.record.turn) == number:
            phase, movers = phase_of(self.state), self.state.to_move
            if phase == "roll-off":
                assert roll_offs, f"a roll-off that the case does not tell of, such as {self.state.outcomes()[0][0]}"
                self.play(roll_offs.pop(0))
            elif phase == "hack":
                (player,) = movers
                asked = [hack for hack in hacks if hack[0] == LETTERS[player]]
                assert asked, f"{LETTERS[player]} is asked whom to hack: {self.state.actions()}"
                hacks.remove(asked[0])
                self.play(f"hack {asked[0][1]}")
            elif phase == "shutdown":
                self.play({player: "shutdown" if hands[player].orders.shutdown else "run" for player in movers})
            elif movers == (ludarium.CHANCE,):
                self._roll(hands)
            elif self.game.options["screens"] == "off":
                self.play({player: hands[player].choose() for player in movers})
            else:
                self.play({movers[0]: hands[movers[0]].choose()})
        assert not roll_offs, f"roll-offs that did not happen: {roll_offs}"
        assert not hacks, f"hacks that nobody was asked for: {hacks}"
        for hand in hands.values():
            assert not hand.steps, f"{LETTERS[hand.player]} was not asked for {hand.steps}"

    def play(self, choice: Any) -> None:
        self.state = self.state.play(choice)

    def _roll(self, hands: dict[int, Hand]) -> None:
        """Somebody's dice fall as the case says; whose they are shows in the record."""
        player = min(player for player in hands if int(self.state.record.rolling[player]))
        dice = [die for die in range(5) if int(self.state.record.rolling[player]) >> die & 1]
        self.play(hands[player].roll(dice))
        assert int(self.state.record.rolling[player]) == 0


class Hand:
    """What one player does in a turn."""

    def __init__(self, table: Table, player: int, orders: Programming) -> None:
        self.table, self.player, self.orders = table, player, orders
        self.steps = list(orders.steps)
        self.placements: list[str] = []

    def roll(self, dice: list[int]) -> str:
        if self.orders.steps:
            step, text = self.steps.pop(0)
            assert step == "rolls", f"{LETTERS[self.player]} rolls instead of '{step} {text}'"
            return text
        faces = self._place_program(dice)
        return " ".join(f"{die + 1}:{faces[die] + 1}" for die in dice)

    def _place_program(self, dice: list[int]) -> dict[int, int]:
        """Find a die for every word of the program; the faces that the dice must show."""
        record = self.table.state.record
        registers = sum(int(slot) != LOCKED for slot in record.register_slot[self.player])
        words = (Word(noop=True),) * registers if self.orders.program is None else self.orders.program
        assert len(words) == registers, f"{LETTERS[self.player]} has {registers} open registers, and {len(words)} words"
        unused = -1 if self.orders.unused is None else self.orders.unused - 1
        free = [die for die in dice if die != unused]
        faces = dict.fromkeys(dice, 0)
        named: list[int | None] = []
        for word in words:
            if word.priority < 0:
                named.append(None)
                continue
            die, faces[die] = self.table.die_and_face(word, free)
            free.remove(die)
            named.append(die)
        chosen = [free.pop(0) if die is None else die for die in named]
        self.placements = [f"{die + 1}{'n' if word.noop else ''}" for die, word in zip(chosen, words, strict=True)]
        return faces

    def choose(self) -> str:
        if not self.orders.steps:
            return self.placements.pop(0)
        step, text = self.steps.pop(0)
        if step == "can":
            legal = sorted(action.text for action in self.table.state.actions(self.player))
            assert legal == sorted(text.split(", "))
            step, text = self.steps.pop(0)
        assert step == "plays", f"{LETTERS[self.player]} places a die instead of '{step} {text}'"
        return text


def phase_of(state: State) -> str:
    return PHASES[int(state.record.phase)]


def differences(table: Table, expected: list[Robot] | Ending) -> list[str]:
    """How things stand otherwise than expected, in words; none: all is right."""
    state = table.state
    if isinstance(expected, Ending):
        return [] if expected.text in endings(state) else [f"expected '{expected.text}', but {endings(state) or 'the game goes on'}"]
    if state.is_over:
        return [f"the game is over: {endings(state)}"]
    told = {robot.letter: robot for robot in expected}
    found = []
    for player, letter in enumerate(LETTERS[: state.game.players]):
        robot = told.get(letter)
        if int(state.record.status[player]) == FINISHED:
            found += [f"{letter} has finished"] if robot is None or robot.place is not None else []
        elif robot is not None:
            found += [f"{letter} has not finished"] if robot.place is None else _differences_of(table, player, robot)
    return found


def _differences_of(table: Table, player: int, robot: Robot) -> list[str]:
    record = table.state.record
    assert robot.place is not None
    row, column = divmod(int(record.square[player]), table.game.tables.width)
    pairs: list[tuple[str, Any, Any]] = [
        ("square", (column, row), (robot.place.column, robot.place.row)),
        ("heading", HEADINGS[int(record.heading[player])], robot.heading),
        ("health", int(record.health[player]), robot.health),
    ]
    if robot.lap is not None:
        pairs.append(("lap", int(record.lap[player]), robot.lap))
    for register, word in enumerate(robot.mat):
        if not word.whatever:
            pairs.append((f"register {register + 1}", word_at(table, player, register), word))
    return [f"{robot.letter}: {name} is {is_}, expected {wanted}" for name, is_, wanted in pairs if is_ != wanted]


def word_at(table: Table, player: int, register: int) -> Word:
    """What lies in a register. A locked register without a die reads as an empty one."""
    record, tables = table.state.record, table.game.tables
    die, face = int(record.register_die[player, register]) - 1, int(record.register_face[player, register]) - 1
    if die < 0:
        return Word()
    slot = int(record.register_slot[player, register])
    return Word(COMMANDS[tables.commands[die, face]], int(tables.priorities[die, face]), noop=slot == NOOP, locked=slot == LOCKED)


def endings(state: State) -> list[str]:
    """How a case may tell of the end that a game has come to."""
    if not state.is_over:
        return []
    returns = ", ".join(f"{letter} {value:g}" for letter, value in zip(LETTERS, state.returns, strict=False))
    if state.game.players > 2:
        return [returns]
    return ["draw" if state.winner is None else f"{LETTERS[state.winner]} wins"]
