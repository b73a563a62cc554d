"""Text for RoboDerby's actions and for what chance decides."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ludarium.core.hints import not_an_action
from ludarium.core.jit import plain
from ludarium.errors import BadNotation, BadOption, one_of

from ..actions import PLACE_NOOP, ROLL, SAY_RUN, SAY_SHUTDOWN, START_AT, TARGET
from ..execution.registers import same_face_before, unused_die
from ..phases.chance import roller
from ..phases.programming import hand
from ..sheets.boards import Deal, deal_text, parse_deal
from ..sheets.dice import DICE, FACES
from ..sheets.faces import DIRECTIONS
from ..sheets.tiles import LETTERS, TileSet
from ..tables import PHASE, UNKNOWN_DICE, RoboDerbyTables, outcome_of_deal

if TYPE_CHECKING:
    from ludarium.core.game import State

FORMS = {
    "[1-5]": "place the die of that number as a command",
    "[1-5]n": "as a NO-OP",
    "roll.*": "roll the other dice again",
    "run": "program your robot",
    "shutdown": "rest and be repaired",
    "hack .*": "whom the hack hits",
    "edge .*": "where the race starts",
}
"""What actions do, by patterns of their notation."""

UNSEEN = "unseen"
"""The text of a roll of dice in a state in which one may not know them."""


def dice_of(bits: int) -> list[int]:
    """The dice of a set, counted from 0."""
    return [die for die in range(DICE) if bits >> die & 1]


def action_text(record: Any, action: int) -> str:
    """``3``, ``3n``, ``roll``, ``roll 1 3``, ``run``, ``shutdown``, ``hack B``, ``edge S``."""
    if action < ROLL:
        return f"{action % DICE + 1}{'n' if action >= PLACE_NOOP else ''}"
    if action < SAY_RUN:
        return " ".join(["roll", *(str(die + 1) for die in dice_of(action - ROLL))])
    if action == SAY_RUN:
        return "run"
    if action == SAY_SHUTDOWN:
        return "shutdown"
    if action < START_AT:
        return f"hack {LETTERS[int(record.letter[action - TARGET])]}"
    return f"edge {DIRECTIONS[action - START_AT]}"


def action_index(state: State, player: int, text: str) -> int:
    """The index of an action's text, in capital or small letters. ``roll`` alone is all dice that remain.

    Raises:
        BadNotation: no action of this game.
    """
    tables, record = state.game.tables, state.record
    words = text.lower().split()
    if len(words) == 1 and (place := re.fullmatch(r"([1-5])(n?)", words[0])):
        return int(place[1]) - 1 + (PLACE_NOOP if place[2] else 0)
    if words[:1] == ["roll"] and all(re.fullmatch(r"[1-5]", word) for word in words[1:]) and len(set(words)) == len(words):
        if len(words) > 1:
            return ROLL + sum(1 << int(word) - 1 for word in words[1:])
        return ROLL + (plain(hand)(record, player) if tables.reroll_any else 0)
    if words == ["run"]:
        return SAY_RUN
    if words == ["shutdown"]:
        return SAY_SHUTDOWN
    if len(words) == 2 and words[0] == "edge" and words[1].upper() in DIRECTIONS:
        return START_AT + DIRECTIONS.index(words[1].upper())
    if len(words) == 2 and words[0] == "hack" and words[1].upper() in LETTERS[: tables.letters]:
        letters = record.letter[: tables.players].tolist()
        letter = LETTERS.index(words[1].upper())
        if letter not in letters:
            raise BadNotation(f"'{text[:40]}': nobody has the letter {LETTERS[letter]}")
        return TARGET + letters.index(letter)
    raise not_an_action(state, player, text, FORMS)


def outcome_text(tables: RoboDerbyTables, tile_set: TileSet, record: Any, outcome: int) -> str:
    """What chance decided: ``1:4 2:6 3:1`` (die:face), ``A:17 B:4`` (priorities of a roll-off), a deal, ``edge S``, or ``letters B A`` (by player)."""
    phase = int(record.phase)
    if phase == PHASE.PROGRAM:
        rolled = int(record.rolling[plain(roller)(tables, record)])
        if rolled == UNKNOWN_DICE:
            return UNSEEN
        dice = dice_of(rolled)
        return " ".join(f"{die + 1}:{face + 1}" for die, face in zip(dice, _digits(outcome, len(dice)), strict=True))
    if phase == PHASE.DEAL:
        return deal_text(tile_set, _deal_of(tables, outcome))
    if phase == PHASE.EDGE:
        return f"edge {DIRECTIONS[outcome]}"
    if phase == PHASE.LETTERS:
        return f"letters {' '.join(LETTERS[letter] for letter in tables.letter_orders[outcome])}"
    rolls: list[str] = []
    robots = _tied(record)
    for robot, face in zip(robots, _digits(outcome, len(robots)), strict=True):
        rolls.append(f"{LETTERS[int(record.letter[robot])]}:{int(tables.priorities[plain(unused_die)(record, robot), face])}")
    return " ".join(rolls)


def _tied(record: Any) -> list[int]:
    """The robots in a roll-off."""
    first = int(record.next)
    return record.order[first : first + int(record.tied[first])].tolist()


def _digits(number: int, count: int) -> list[int]:
    """The last ``count`` digits of base 6, the highest first."""
    return [number // 6**place % 6 for place in range(count - 1, -1, -1)]


def _number(digits: list[int]) -> int:
    return sum(digit * 6**place for place, digit in enumerate(reversed(digits)))


def _deal_of(tables: RoboDerbyTables, outcome: int) -> Deal:
    """The deal that an outcome stands for, its edge open."""
    return Deal(tuple(tables.deals[outcome >> 8].tolist()), tuple(outcome >> 2 * place & 3 for place in range(4)))


def outcome_index(tables: RoboDerbyTables, tile_set: TileSet, record: Any, text: str) -> int:
    """The outcome of a text; it may be one that cannot come out in this state.

    Raises:
        BadNotation: nothing that could be drawn in this state.
    """
    words = text.split()
    phase = int(record.phase)
    if phase == PHASE.PROGRAM:
        return _roll_index(tables, record, text, words)
    if phase == PHASE.DEAL:
        return _deal_index(tables, tile_set, text)
    if phase == PHASE.EDGE:
        if len(words) == 2 and words[0] == "edge" and words[1] in DIRECTIONS:
            return DIRECTIONS.index(words[1])
        raise BadNotation(f"'{text[:40]}' is no start edge, which is drawn now; write edge S")
    if phase == PHASE.LETTERS:
        accepted = ["letters " + " ".join(LETTERS[letter] for letter in row) for row in tables.letter_orders.tolist()]
        if " ".join(words) in accepted:
            return accepted.index(" ".join(words))
        raise BadNotation(f"'{text[:40]}' does not give out the letters; write one of: {', '.join(accepted[:6])}")
    return _roll_off_index(tables, record, text, words)


def _roll_index(tables: RoboDerbyTables, record: Any, text: str, words: list[str]) -> int:
    rolled = int(record.rolling[plain(roller)(tables, record)])
    if rolled == UNKNOWN_DICE and words == [UNSEEN]:
        return 0
    dice = dice_of(rolled)
    faces = {die: int(word[2]) - 1 for die, word in zip(dice, words, strict=False) if re.fullmatch(rf"{die + 1}:[1-{FACES}]", word)}
    if len(faces) != len(dice) or len(words) != len(dice):
        example = " ".join(f"{die + 1}:{1 + die}" for die in dice)
        raise BadNotation(f"'{text[:60]}' is no roll of the dice that fall now; write die:face for each of them, such as {example}")
    return _number(list(faces.values()))


def _deal_index(tables: RoboDerbyTables, tile_set: TileSet, text: str) -> int:
    try:
        deal = parse_deal(text, tile_set, s_race=bool(tables.s_race))
    except BadOption as problem:
        raise BadNotation(str(problem).replace("board '", "deal '", 1)) from None
    if deal.start_edge >= 0 and not tables.s_race:
        raise BadNotation(f"deal '{text[:60]}': the start edge is drawn later; leave it out")
    return outcome_of_deal(tables.deals, deal)


def _roll_off_index(tables: RoboDerbyTables, record: Any, text: str, words: list[str]) -> int:
    found: dict[str, str] = dict(word.split(":", 1) for word in words if word.count(":") == 1)
    robots = _tied(record)
    letters = [LETTERS[int(record.letter[robot])] for robot in robots]
    example = " ".join(f"{letter}:{17 - place}" for place, letter in enumerate(letters))
    if len(words) != len(robots) or set(found) != set(letters):
        raise BadNotation(
            f"'{text[:60]}' is no roll-off between {', '.join(letters)}; write the priority that each one's unused die shows, such as {example}"
        )
    faces: list[int] = []
    for robot, letter in zip(robots, letters, strict=True):
        die = plain(unused_die)(record, robot)
        accepted = [str(priority) for priority in tables.priorities[die].tolist()]
        if found[letter] not in accepted:
            raise BadNotation(f"'{text[:60]}', {letter}'s die {die + 1}: priority {one_of(found[letter], accepted)}")
        faces.append(plain(same_face_before)(tables, die, accepted.index(found[letter])))
    return _number(faces)
