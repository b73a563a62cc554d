"""The text of a rule case of RoboDerby, read: see ``cases/README.md`` for the format."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["CASES", "Case", "Drawing", "Ending", "Laser", "Place", "Programming", "Robot", "Turn", "Word", "read_case"]

CASES = Path(__file__).parent / "cases"

LETTERS = "ABCD"
HEADINGS = "NESW"

_TITLE = re.compile(r"Rules? (\d+(?:, \d+)*): (\S.*)")
_HEAD = re.compile(r"(options|board|lasers|dice|robots|turn|then|ends)\b ?(\(\d+,\d+\))?:(.*)")
_PLACE = re.compile(r"\((\d+),(\d+)\)")
_DIE = r"(?P<command>F[123]|L|R|SL|SR|U|REV|CMT|INV):(?P<priority>\d+)"
_WORDS = (re.compile(_DIE), re.compile(rf"(?P<locked>\[){_DIE}\]"), re.compile(rf"(?P<noop>NOOP)\({_DIE}\)"))


@dataclass(frozen=True)
class Place:
    """A square by column and row from the top left."""

    column: int
    row: int


@dataclass(frozen=True)
class Word:
    """A register: empty (no command and no NO-OP), or a die by its command and priority. A NO-OP without a command is any die. ``whatever`` is not compared."""

    command: str = ""
    priority: int = -1
    noop: bool = False
    locked: bool = False
    whatever: bool = False


@dataclass(frozen=True)
class Robot:
    """What a line tells of a robot; without a place it has finished."""

    letter: str
    place: Place | None = None
    heading: str = ""
    health: int = 6
    lap: int | None = None
    mat: tuple[Word, ...] = ()


@dataclass(frozen=True)
class Drawing:
    """Rows in the format of tiles; the first square is at ``place``."""

    place: Place
    rows: tuple[str, ...]


@dataclass(frozen=True)
class Laser:
    """A laser of the board: the square on which it stands, and where it shines."""

    place: Place
    direction: str


@dataclass
class Programming:
    """What a player does in a turn: a program, or single steps (``rolls``, ``can``, ``plays``) in their order."""

    shutdown: bool = False
    program: tuple[Word, ...] | None = None
    unused: int | None = None
    steps: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Turn:
    players: dict[str, Programming] = field(default_factory=dict)
    roll_offs: list[str] = field(default_factory=list)
    hacks: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Ending:
    text: str


@dataclass
class Case:
    name: str
    title: str
    rules: tuple[int, ...]
    options: dict[str, str] = field(default_factory=dict)
    drawings: list[Drawing] = field(default_factory=list)
    lasers: list[Laser] = field(default_factory=list)
    dice: list[str] = field(default_factory=list)
    robots: list[Robot] = field(default_factory=list)
    events: list[Turn | list[Robot] | Ending] = field(default_factory=list)
    """Turns, what stands after them, and the end, in the order of the file."""


def read_case(name: str, text: str) -> Case:
    """A case from its text.

    Raises:
        ValueError: the text is not in the format; the message says in which line.
    """
    lines = text.rstrip().split("\n")
    title = _TITLE.fullmatch(lines[0])
    if title is None:
        raise ValueError(f"{name}: the first line is not 'Rule 26: …' but '{lines[0]}'")
    case = Case(name, title[2], tuple(int(number) for number in title[1].split(", ")))
    section, body, where = None, [], 0
    for number, line in enumerate([*lines[1:], "ends:"], start=2):
        head = _HEAD.fullmatch(line)
        if head is None:
            body.append((number, line))
            continue
        if section is not None:
            _read_section(case, section, body, where)
        section, body, where = head, [(number, head[3])] if head[3].strip() else [], number
    return case


def _read_section(case: Case, head: re.Match[str], body: list[tuple[int, str]], number: int) -> None:
    kind, at = head[1], head[2]
    lines = [(line_number, line) for line_number, line in body if line.strip()]
    if (kind == "board") != (at is not None):
        raise ValueError(f"{case.name}, line {number}: a board, and only that, has a place: board (2,3):")
    if not lines:
        raise ValueError(f"{case.name}, line {number}: nothing stands under {kind}")
    try:
        if kind == "options":
            case.options |= dict(one.split("=", 1) for _, line in lines for one in line.split())
        elif kind == "board":
            case.drawings.append(_drawing(at, [line for _, line in body]))
        elif kind == "lasers":
            case.lasers = [_laser(line) for _, line in lines]
        elif kind == "dice":
            case.dice = [line.strip() for _, line in lines]
        elif kind == "robots":
            case.robots = [read_robot(line) for _, line in lines]
        elif kind == "turn":
            case.events.append(_turn([line for _, line in lines]))
        elif kind == "then":
            case.events.append([read_robot(line) for _, line in lines])
        else:
            case.events.append(Ending(" ".join(line.strip() for _, line in lines)))
    except ValueError as problem:
        raise ValueError(f"{case.name}, under line {number}: {problem}") from None


def _drawing(at: str, lines: list[str]) -> Drawing:
    while lines and not lines[-1].strip():
        lines.pop()
    width = max(len(line) for line in lines)
    width += (width + 1) % 2  # an odd number of characters: the right edge may be left out
    if len(lines) % 2 == 0:
        raise ValueError("a drawing has an odd number of rows: lines of walls above, between and below the squares")
    rows = tuple(line.ljust(width) for line in lines)
    for number, row in enumerate(rows):
        for position, character in enumerate(row):
            allowed = "+ " if number % 2 == position % 2 == 0 else ".O^>v<" if number % 2 and position % 2 else "| " if number % 2 else "- "
            if character not in allowed:
                raise ValueError(f"row {number + 1} of the drawing, character {position + 1}: '{character}' is none of '{allowed}'")
    return Drawing(_place(at), rows)


def _laser(line: str) -> Laser:
    words = line.split()
    if len(words) != 2 or words[1] not in tuple(HEADINGS):
        raise ValueError(f"'{line}' is not a laser such as '(3,2) E'")
    return Laser(_place(words[0]), words[1])


def _place(text: str) -> Place:
    found = _PLACE.fullmatch(text)
    if found is None:
        raise ValueError(f"'{text}' is not a square such as (3,11)")
    return Place(int(found[1]), int(found[2]))


def read_robot(line: str) -> Robot:
    """``A (3,4) E health 5 lap 1 mat F1:15 - NOOP(R:5) [U:1]``, or ``A finished``."""
    words = line.split()
    if len(words) == 2 and words[0] in LETTERS and words[1] == "finished":
        return Robot(words[0])
    if len(words) < 3 or words[0] not in LETTERS or words[2] not in HEADINGS:
        raise ValueError(f"'{line}' is not a robot such as 'A (3,4) E health 5'")
    letter, place, heading, *rest = words
    fields: dict[str, int] = {}
    mat: tuple[Word, ...] = ()
    while rest:
        name = rest.pop(0)
        if name == "mat":
            mat, rest = tuple(read_word(word) for word in rest), []
            if len(mat) != 4:
                raise ValueError(f"'{line}': a mat has four registers")
        elif name in ("health", "lap") and rest:
            fields[name] = int(rest.pop(0))
        else:
            raise ValueError(f"'{line}': '{name}' is none of health, lap, mat")
    return Robot(letter, _place(place), heading, fields.get("health", 6), fields.get("lap"), mat)


def read_word(text: str) -> Word:
    """One register: ``-``, ``?``, ``F1:15``, ``NOOP``, ``NOOP(R:5)``, ``[U:1]``."""
    if text in "-?":
        return Word(whatever=text == "?")
    if text == "NOOP":
        return Word(noop=True)
    found = next((match for match in (pattern.fullmatch(text) for pattern in _WORDS) if match), None)
    if found is None:
        raise ValueError(f"'{text}' is no register such as F1:15, NOOP, NOOP(R:5), [U:1], - or ?")
    groups = found.groupdict()
    return Word(groups["command"], int(groups["priority"]), noop="noop" in groups, locked="locked" in groups)


def _turn(lines: list[str]) -> Turn:
    turn = Turn()
    for line in lines:
        who, *words = line.split()
        if who == "roll-off":
            turn.roll_offs.append(" ".join(words))
            continue
        if who not in LETTERS or not words:
            raise ValueError(f"'{line}' does not begin with a robot's letter or roll-off")
        if words[0] == "hacks":
            turn.hacks.append((who, words[1]))
            continue
        player = turn.players.setdefault(who, Programming())
        if words[0] == "shutdown":
            player.shutdown = True
        elif words == ["nothing"]:
            player.program = ()
        elif words[0] in ("rolls", "can", "plays"):
            player.steps.append((words[0], " ".join(words[1:])))
        else:
            if "unused" in words:
                player.unused = int(words[words.index("unused") + 1])
                words = words[: words.index("unused")]
            player.program = tuple(read_word(word) for word in words)
    return turn
