"""Dice sets: five dice with six faces each, read from TOML.

A face is written as in ``"F2 21"`` or ``"R 3*"``: a command, its priority, and a star where the laser icon is.
"""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass
from typing import Any, NoReturn, cast

import numpy as np

from ludarium.errors import one_of

from .dice_places import Place, end_of, place_of_face, place_of_key, place_of_table, places_of_faces
from .faces import COMMANDS
from .sources import read_source, shipped_names, wrong_at

DICE, FACES = 5, 6
HIGHEST_PRIORITY = 999

_SUFFIX = ".toml"
_FACE = re.compile(r"(?P<command>[^\s*]+)(?:\s+(?P<priority>[^\s*]+))?(?:\s*(?P<laser>\*))?")


@dataclass(frozen=True, eq=False)
class DiceSet:
    """What is on the faces of a player's five dice; every player has the same set.

    The arrays are ``int64[5, 6]``, read-only, by die and face: the command's number, the priority (0 to 999), and 1 where there is a laser icon.
    """

    name: str
    note: str
    commands: np.ndarray
    priorities: np.ndarray
    lasers: np.ndarray


def dice_names() -> tuple[str, ...]:
    """The names of the shipped dice sets, sorted."""
    return shipped_names("dice", _SUFFIX)


@functools.lru_cache(maxsize=32)
def _parsed(name: str, text: str) -> DiceSet:
    return _Reader(name, text).dice_set()


def load_dice(source: str) -> DiceSet:
    """The dice set of a shipped name, of a TOML file's path, or of a text of several lines that is the TOML itself.

    Raises:
        BadOption: there is no such set or file, or something is wrong in it: one line says where (line and column) and what is accepted.
    """
    return _parsed(*read_source(source, "dice", _SUFFIX))


class _Reader:
    """Checks one text; what it finds wrong it tells with the place in the text."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text = name, text

    def wrong(self, place: Place, said: str) -> NoReturn:
        raise wrong_at(self.name, *place, said)

    def dice_set(self) -> DiceSet:
        top = self.toml()
        for key in top:
            if key not in ("note", "die"):
                self.wrong(place_of_key(self.text, key), f"key {one_of(key, ('note', 'die'))}")
        note = top.get("note", "")
        if not isinstance(note, str):
            self.wrong(place_of_key(self.text, "note"), "note is not text in quotes")
        dice = top.get("die", [])
        if not isinstance(dice, list) or not all(isinstance(die, dict) for die in cast("list[Any]", dice)):
            self.wrong(place_of_key(self.text, "die"), "a die is written as a table: [[die]], and below it faces = [ … ]")
        dice = cast("list[dict[str, Any]]", dice)
        if len(dice) != DICE:
            place = place_of_table(self.text, DICE) if len(dice) > DICE else end_of(self.text)
            self.wrong(place, f"a set has {DICE} dice, each under a line [[die]], not {len(dice)}")
        rows = [self.faces(number, die) for number, die in enumerate(dice)]
        arrays = np.array(rows, np.int64)
        arrays.flags.writeable = False
        return DiceSet(self.name.removesuffix(_SUFFIX), note, arrays[:, :, 0], arrays[:, :, 1], arrays[:, :, 2])

    def toml(self) -> dict[str, Any]:
        try:
            return tomllib.loads(self.text)
        except RecursionError:
            self.wrong((1, 1), "this is not TOML that can be read: it is nested too deeply")
        except tomllib.TOMLDecodeError as problem:
            said, _, where = str(problem).rpartition(" (at ")
            found = re.fullmatch(r"line (\d+), column (\d+)\)", where)
            place = (int(found[1]), int(found[2])) if found else end_of(self.text)
            self.wrong(place, f"this is not TOML: {said or problem}")

    def faces(self, number: int, die: dict[str, Any]) -> list[tuple[int, int, int]]:
        where = place_of_table(self.text, number)
        for key in die:
            if key != "faces":
                self.wrong(place_of_key(self.text, key, after=where), f"a die has the key faces, not '{key}'")
        faces = die.get("faces")
        if not isinstance(faces, list):
            self.wrong(where, f"die {number + 1} has no list faces = [ … ] of {FACES} faces")
        faces = cast("list[Any]", faces)
        if len(faces) != FACES:
            places = places_of_faces(self.text, number)
            place = places[FACES] if len(faces) > FACES else places[-1] if faces else where
            self.wrong(place, f"die {number + 1} has {len(faces)} faces, not {FACES}")
        return [self.face(number, position, face) for position, face in enumerate(faces)]

    def face(self, number: int, position: int, face: Any) -> tuple[int, int, int]:
        line, column = place_of_face(self.text, number, position)
        if not isinstance(face, str):
            self.wrong((line, column), 'a face is text in quotes such as "F2 21" or "R 3*"')
        found = _FACE.fullmatch(face)
        if found is None:
            self.wrong((line, column), f'\'{face}\' is not a command, a priority and perhaps a star, such as "F2 21" or "R 3*"')
        inside = column + 1  # the quote
        command, priority = found["command"], found["priority"]
        if command not in COMMANDS[1:]:
            self.wrong((line, inside), f"command {one_of(command, COMMANDS[1:])}")
        if priority is None:
            self.wrong((line, inside + found.end("command")), f"{command} has no priority: a whole number from 0 to {HIGHEST_PRIORITY}")
        if re.fullmatch(r"[0-9]{1,3}", priority, re.ASCII) is None:
            place = (line, inside + found.start("priority"))
            self.wrong(place, f"priority '{priority}' is not a whole number from 0 to {HIGHEST_PRIORITY}")
        return COMMANDS.index(command), int(priority), int(found["laser"] is not None)
