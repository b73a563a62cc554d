"""From boards to courses: what one robot has before it in a state, or from each start mark of a fixed deal."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ludarium.core.faces import normalised
from ludarium.errors import BadOption

from ..options import Rules
from ..phases.turn import set_up_face
from ..sheets.faces import DIRECTIONS
from ..sheets.tiles import LETTERS
from ..tables import DTYPE, RoboDerbyTables, make_tables
from .course import Course


@dataclass(frozen=True, eq=False)
class StartMark:
    """A way to begin on a board: from which edge (0 N, 1 E, 2 S, 3 W), for which letter (0 A, 1 B, …), and the course from there.

    ``records`` (shape ``(1,)``) is the state before the first turn in which ``robot`` has that letter.
    """

    edge: int
    letter: int
    robot: int
    records: np.ndarray
    course: Course

    @property
    def text(self) -> str:
        """Such as ``N A``."""
        return f"{DIRECTIONS[self.edge]} {LETTERS[self.letter]}"


def course_of(tables: RoboDerbyTables, record: Any, robot: int) -> Course:
    """The course of a robot of a state in which the robots have their letters."""
    logic = "marker" if tables.s_race else "checkpoints" if tables.checkpoints else "winding"
    squares = tables.squares
    return Course(
        width=tables.width,
        height=tables.height,
        walls=np.array(record.walls[:squares]),
        kinds=np.array(record.kinds[:squares]),
        lap_tiles=np.array(record.lap_tiles[:squares]),
        start=int(record.start[robot]),
        heading=(int(record.start_edge) + 2) % 4,
        finish=int(record.finish[robot]),
        logic=logic,
        keeps_progress=bool(tables.keep_progress),
    )


def start_marks(rules: Rules) -> tuple[StartMark, ...]:
    """All ways to begin on the board of some rules: both edges where the board leaves that open, and all letters.

    Raises:
        BadOption: chance deals the board.
    """
    tables = normalised(make_tables(replace(rules, marks="random")))
    if tables.fixed_deal < 0:
        raise BadOption("board=random is another board each time: name one, or give a deal such as 'start pits cross walls @ 0 0 0 0 N'")
    place = int(np.flatnonzero(tables.deals[tables.fixed_deal >> 8] == 0)[0])
    edges = sorted({int(edge) for edge in tables.outer_edges[place]}) if tables.fixed_edge < 0 else [tables.fixed_edge]
    marks: list[StartMark] = []
    for edge in edges:
        for letter in range(tables.letters):
            records = np.zeros(1, DTYPE)
            alone = tables.players == 1
            set_up_face(tables, records, tables.fixed_deal)
            if tables.fixed_edge < 0:
                set_up_face(tables, records, edge)
            set_up_face(tables, records, letter if alone else 0)  # the first order of letters is A, B, C, D
            robot = 0 if alone else letter
            marks.append(StartMark(edge, letter, robot, records, course_of(tables, records[0], robot)))
    return tuple(marks)
