"""Reads the text of a state, see :mod:`.state_text`, and checks it: nothing that the rules could not work on comes through."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NoReturn, cast

import numpy as np

from ludarium.core.faces import legal_actions_face, to_move_face
from ludarium.core.jit import plain
from ludarium.core.rules import copy_record
from ludarium.errors import BadNotation, BadOption, one_of

from ..execution.flags import FLAGS
from ..options import Rules
from ..phases.programming import hand
from ..phases.turn import set_up_face
from ..sheets.boards import parse_deal
from ..sheets.dice import DICE, FACES
from ..sheets.faces import DIRECTIONS
from ..sheets.tiles import LETTERS, PIT, VOID, TileSet
from ..tables import (
    COMMAND,
    DTYPE,
    EMPTY,
    FINISHED,
    FULL_HEALTH,
    LEFT,
    LOCKED,
    NOOP,
    NOT_HERE,
    OFF_BOARD,
    PHASE,
    PHASES,
    REGISTERS,
    ROBOTS,
    UNKNOWN_DICE,
    WRECK,
    RoboDerbyTables,
    outcome_of_deal,
)
from .action_text import UNSEEN
from .state_text import DECLARATIONS, KEYS, STATUSES

_EXTRA = ("execution", "left", "programming", "roll_offs")
_REGISTER = re.compile(r"(\[?)([1-5]):([1-6])(\]|n?)")


def write_position(tables: RoboDerbyTables, tile_set: TileSet, rules: Rules, text: str, record: Any) -> None:
    """Write the state of a text into a zeroed record.

    Raises:
        BadNotation: it is no state of this game with these options; the message says what is wrong and where.
    """
    fields = _object(text)
    if fields is None:
        raise BadNotation(f"'{text[:60]}' is no RoboDerby state: a state is a JSON object with the keys {', '.join(KEYS)}")
    _Reader(tables, tile_set, rules, fields).read(record)


def options_in(text: str) -> dict[str, Any]:
    """The options that a state's text says it is played with, not checked: those that are not the default. None where it says nothing."""
    rules = (_object(text) or {}).get("rules")
    return cast("dict[str, Any]", rules) if isinstance(rules, dict) else {}


def _object(text: str) -> dict[str, Any] | None:
    """The JSON object of a text; None if it is none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


class _Reader:
    """Reads one state into a record, part by part."""

    def __init__(self, tables: RoboDerbyTables, tile_set: TileSet, rules: Rules, fields: dict[str, Any]) -> None:
        self.tables, self.tile_set, self.rules = tables, tile_set, rules
        self.fields = fields
        self.states = np.zeros(1, DTYPE)
        self.record: Any = self.states[0]

    def read(self, into: Any) -> None:
        fields, record, tables = self.fields, self.record, self.tables
        if not set(KEYS) <= set(fields) or set(fields) - {*KEYS, *_EXTRA}:
            said = ", ".join(sorted(fields))[:200] or "none"
            self.wrong(f"a state has the keys {', '.join(KEYS)} (and at times {', '.join(_EXTRA)}), not {said}")
        if fields["rules"] != self.rules.differences():
            said = json.dumps(fields["rules"])[:200]
            played = json.dumps(self.rules.differences())[:200]
            self.wrong(f"rules: this game is played with the options {played}, the state with {said}; both have to be the same")
        phase = self.word(fields["phase"], PHASES, "phase")
        racing = phase >= PHASE.SHUTDOWN
        turn = self.whole(fields["turn"], int(racing), tables.turn_limit if racing else 0, "turn")
        roll_offs = self.whole(fields.get("roll_offs", 0), 0, 32_767 if phase >= PHASE.HACK else 0, "roll_offs")
        self.read_board(phase)
        if not racing:
            if fields["robots"] != [] or any(fields[name] != self.nothing(name) for name in ("dice", "registers")):
                self.wrong(f"in the phase {PHASES[phase]} there are no robots, and nothing lies on the mats")
            left: Any = fields.get("left", [])
            for player in self.list_of(left, len(cast("list[Any]", left)) if isinstance(left, list) else 0, "left"):
                robot = self.whole(player, 0, tables.players - 1, "left")
                record.status[robot], record.square[robot] = LEFT, NOT_HERE
        elif "left" in fields:
            self.wrong("left is there before the first turn, and only then; later a robot has the status left")
        else:
            letters = self.read_letters()
            record.phase, record.turn, record.roll_offs = phase, turn, roll_offs
            self.read_robots(letters)
            for player in range(tables.players):
                self.read_mat(player)
        self.read_extras(phase)
        if phase != PHASE.OVER and to_move_face(tables, self.states) == 0:
            self.wrong(f"in the phase {PHASES[phase]} somebody has to choose or to roll, and here nobody has")
        copy_record(record, into)

    def nothing(self, name: str) -> list[list[Any]]:
        return [[0] * DICE if name == "dice" else [""] * REGISTERS for _ in range(self.tables.players)]

    def read_board(self, phase: int) -> None:
        deal_text, edge = self.fields["deal"], self.fields["start_edge"]
        if phase == PHASE.DEAL:
            if deal_text is not None or edge is not None or self.tables.fixed_deal >= 0:
                self.wrong("in the phase deal, deal and start_edge are null, and the board is random")
            return
        if not isinstance(deal_text, str):
            self.wrong(f"deal is a text such as 'pits walls start cross @ 0 90 180 270', not {_brief(deal_text)}")
        try:
            deal = parse_deal(deal_text, self.tile_set, s_race=bool(self.tables.s_race))
        except BadOption as problem:
            raise BadNotation(str(problem).replace("board '", "deal '", 1)) from None
        outcome = outcome_of_deal(self.tables.deals, deal)
        if deal.start_edge >= 0 and not self.tables.s_race:
            self.wrong("deal: the start edge is told by start_edge")
        if self.tables.fixed_deal not in (-1, outcome):
            self.wrong(f"deal: this game is not played on {deal_text}")
        set_up_face(self.tables, self.states, outcome)
        if phase == PHASE.EDGE:
            if edge is not None or self.tables.fixed_edge >= 0:
                self.wrong("in the phase edge, start_edge is null, and not fixed by the board")
            return
        edges = [DIRECTIONS[int(one)] for one in self.tables.outer_edges[deal.tiles.index(0)].tolist()]
        number = DIRECTIONS.index(edges[self.word(edge, edges, "start_edge")])
        if self.tables.fixed_edge not in (-1, number):
            self.wrong(f"start_edge is {DIRECTIONS[self.tables.fixed_edge]} on this board, not {edge}")
        if self.record.phase == PHASE.EDGE:
            set_up_face(self.tables, self.states, number)
        if phase == PHASE.LETTERS and not self.tables.random_marks:
            self.wrong("phase: letters are not drawn with marks=fixed")

    def read_letters(self) -> list[int]:
        """Give out the letters of the robots, which begins the first turn."""
        tables = self.tables
        robots = self.list_of(self.fields["robots"], tables.players, "robots")
        for player, robot in enumerate(robots):
            names = {"heading", "health", "lap", "letter", "square", "status"}
            if not isinstance(robot, dict) or set(cast("dict[str, Any]", robot)) - {"rank"} != names:
                self.wrong(f"robots, number {player}: a robot has {', '.join(sorted(names))}, and a rank when it has finished")
        letters = [
            self.word(robot["letter"], list(LETTERS[: tables.letters]), f"robots, number {player}: letter")
            for player, robot in enumerate(robots)
        ]
        orders = tables.letter_orders.tolist()
        if letters not in orders:
            self.wrong(f"robots: the letters {' '.join(LETTERS[letter] for letter in letters)} cannot be given out like this")
        if self.record.phase == PHASE.LETTERS:
            set_up_face(tables, self.states, orders.index(letters))
        return letters

    def read_robots(self, letters: list[int]) -> None:
        for player, robot in enumerate(self.fields["robots"]):
            self.read_robot(player, robot, f"robots, {LETTERS[letters[player]]}")
        squares = [square for square in self.record.square[: len(letters)].tolist() if square != NOT_HERE]
        if len(set(squares)) < len(squares):
            self.wrong("robots: two stand on the same square")

    def read_robot(self, player: int, robot: dict[str, Any], where: str) -> None:
        record = self.record
        record.heading[player] = self.word(robot["heading"], DIRECTIONS, f"{where}: heading")
        record.lap[player] = self.whole(robot["lap"], -32_768, 32_767, f"{where}: lap")
        status = record.status[player] = self.word(robot["status"], STATUSES, f"{where}: status")
        at_rest = int(record.phase) in (PHASE.SHUTDOWN, PHASE.PROGRAM)
        if status in (WRECK, OFF_BOARD) and at_rest:
            self.wrong(f"{where}: destroyed robots are back on the board in the phase {PHASES[int(record.phase)]}")
        most = 0 if status in (WRECK, LEFT) else FULL_HEALTH
        record.health[player] = self.whole(robot["health"], min(1, most), most, f"{where}: health")
        record.rank[player] = self.whole(
            robot.get("rank", 0), int(status == FINISHED), self.tables.players if status == FINISHED else 0, f"{where}: rank"
        )
        record.square[player] = self.square(robot["square"], status in (OFF_BOARD, FINISHED, LEFT), where)

    def square(self, place: Any, away: bool, where: str) -> int:
        tables = self.tables
        if away:
            if place is not None:
                self.wrong(f"{where}: square is null for a robot that is not on the board")
            return NOT_HERE
        column, row = self.list_of(place, 2, f"{where}: square")
        self.whole(column, 0, tables.width - 1, f"{where}: column of the square")
        self.whole(row, 0, tables.height - 1, f"{where}: row of the square")
        square = row * tables.width + column
        if int(self.record.kinds[square]) in (VOID, PIT):
            self.wrong(f"{where}: nobody can stand on square [{column},{row}]")
        return square

    def read_mat(self, player: int) -> None:
        record = self.record
        where = f"registers of {LETTERS[int(record.letter[player])]}"
        mats = self.list_of(self.fields["registers"], self.tables.players, "registers")
        health, finished = int(record.health[player]), int(record.status[player]) in (FINISHED, LEFT)
        for register, text in enumerate(self.list_of(mats[player], REGISTERS, where)):
            slot, die, face = self.register(text, f"{where}, r{register + 1}")
            if (slot == LOCKED) != (health <= register + 1 and not finished):
                state = "locked" if health <= register + 1 and not finished else "not locked"
                self.wrong(f"{where}: with health {health}, r{register + 1} is {state}")
            if die and die in record.register_die[player].tolist():
                self.wrong(f"{where}: die {die} is in two registers")
            record.register_slot[player, register] = slot
            record.register_die[player, register] = die
            record.register_face[player, register] = face
        in_hand = plain(hand)(record, player)
        hands = self.list_of(self.fields["dice"], self.tables.players, "dice")
        dice_of_player = f"dice of {LETTERS[int(record.letter[player])]}"
        for die, face in enumerate(self.list_of(hands[player], DICE, dice_of_player)):
            record.dice[player, die] = self.whole(face, 0, FACES if in_hand >> die & 1 else 0, f"{dice_of_player}, die {die + 1}")

    def register(self, text: Any, where: str) -> tuple[int, int, int]:
        if text == "":
            return EMPTY, 0, 0
        if text == "[]":
            return LOCKED, 0, 0
        found = _REGISTER.fullmatch(text) if isinstance(text, str) else None
        if found is None or (found[1] == "[") != (found[4] == "]"):
            self.wrong(f"{where}: {_brief(text)} is no register such as 3:4 (die:face), 3:4n (a NO-OP), [3:4] (locked), [] or nothing")
        return LOCKED if found[1] else NOOP if found[4] else COMMAND, int(found[2]), int(found[3])

    def read_extras(self, phase: int) -> None:
        fields = self.fields
        for name, phases in (("programming", (PHASE.SHUTDOWN, PHASE.PROGRAM)), ("execution", (PHASE.HACK, PHASE.ROLL_OFF))):
            if (name in fields) != (phase in phases):
                self.wrong(f"{name} is there in the phases {' and '.join(PHASES[one] for one in phases)}, and only then")
        if phase in (PHASE.SHUTDOWN, PHASE.PROGRAM):
            words = self.list_of(fields["programming"], self.tables.players, "programming")
            for player, word in enumerate(words):
                where = f"programming of {LETTERS[int(self.record.letter[player])]}"
                if phase == PHASE.SHUTDOWN:
                    self.record.declared[player] = self.word(word, DECLARATIONS, where)
                else:
                    self.read_programming(player, word, where)
        if phase in (PHASE.HACK, PHASE.ROLL_OFF):
            self.read_execution(fields["execution"])

    def read_programming(self, player: int, word: Any, where: str) -> None:
        record = self.record
        accepted = ("", "placed", "ready", f"roll {UNSEEN}")
        if word and int(record.status[player]) != 0:
            self.wrong(f"{where}: this robot is not programmed now")
        if isinstance(word, str) and (found := re.fullmatch(r"roll( [1-5])+", word)):
            dice = [int(one) - 1 for one in found[0].split()[1:]]
            bits = sum(1 << die for die in set(dice))
            if dice != sorted(set(dice)) or bits & ~plain(hand)(record, player):
                self.wrong(f"{where}: '{word}' names dice that are not in hand, or not in order")
            record.rolling[player] = bits
            return
        kind = self.word(word, accepted, where)
        record.placed[player] = int(kind == 1)
        record.ready[player] = int(kind == 2)
        record.rolling[player] = UNKNOWN_DICE if kind == 3 else 0

    def read_execution(self, value: Any) -> None:
        record, tables = self.record, self.tables
        names = ("flags", "next", "order", "register", "tied")
        if not isinstance(value, dict) or sorted(cast("dict[str, Any]", value)) != list(names):
            self.wrong(f"execution is an object with the keys {', '.join(names)}")
        fields = cast("dict[str, Any]", value)
        register = record.register = self.whole(fields["register"], 1, REGISTERS, "execution: register") - 1
        letters = [LETTERS[letter] for letter in record.letter[: tables.players].tolist()]
        order = fields["order"]
        if not isinstance(order, list) or not 1 <= len(cast("list[Any]", order)) <= tables.players:
            self.wrong("execution: order is a list of letters")
        count = record.count = len(cast("list[Any]", order))
        robots = [self.word(letter, letters, "execution: order") for letter in cast("list[Any]", order)]
        if len(set(robots)) < count or any(not record.register_die[robot, register] for robot in robots):
            self.wrong(f"execution: order names robots with a die in r{register + 1}, each once")
        record.order[:count] = robots
        first = record.next = self.whole(fields["next"], 0, count - 1, "execution: next")
        for place, tied in enumerate(self.list_of(fields["tied"], count, "execution: tied")):
            record.tied[place] = self.whole(tied, 1, count - place, "execution: tied")
        for player, words in enumerate(self.list_of(fields["flags"], tables.players, "execution: flags")):
            for word in words.split() if isinstance(words, str) else [words]:
                record.fate[player] |= 1 << self.word(word, FLAGS, "execution: flags")
        if int(record.phase) == PHASE.ROLL_OFF and int(record.tied[first]) < 2:
            self.wrong("execution: in a roll-off, two robots or more are tied")
        if int(record.phase) == PHASE.HACK and legal_actions_face(tables, self.states, robots[first], 0, np.zeros(ROBOTS, np.int64)) == 0:
            self.wrong("execution: the robot whose turn it is has nobody to choose for a hack")

    def list_of(self, value: Any, length: int, where: str) -> list[Any]:
        if not isinstance(value, list):
            self.wrong(f"{where} is a list of {length}, not {_brief(value)}")
        items = cast("list[Any]", value)
        if len(items) != length:
            self.wrong(f"{where} is a list of {length}, not of {len(items)}")
        return items

    def word(self, value: Any, accepted: Sequence[str], where: str) -> int:
        """The place of a word among those that are accepted."""
        if not isinstance(value, str) or value not in accepted:
            said = value[:40] if isinstance(value, str) else _brief(value)
            self.wrong(f"{where}: {one_of(said, tuple(accepted))}")
        return list(accepted).index(value)

    def whole(self, value: Any, least: int, most: int, where: str) -> int:
        if type(value) is not int or not least <= value <= most:
            bounds = f"{least}" if least == most else f"a whole number from {least} to {most}"
            self.wrong(f"{where} is {bounds}, not {_brief(value)}")
        return value

    def wrong(self, said: str) -> NoReturn:
        raise BadNotation(said)


def _brief(value: Any) -> str:
    """The beginning of a JSON value; of lists and objects that alone, as they may be of any depth."""
    return "a list" if isinstance(value, list) else "an object" if isinstance(value, dict) else json.dumps(value)[:60]
