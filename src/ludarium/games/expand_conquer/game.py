"""Expand and Conquer as a :class:`ludarium.core.game.Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

from ludarium.core.game import Action, Dimensions, Game, State
from ludarium.core.options import Option
from ludarium.core.show import Show
from ludarium.errors import BadNotation, BadOption, IllegalAction

from . import outcomes as outcomes  # registers how games end, and with it what bots know about this game
from .notation import SIDES, Position, board_text, cell_text, read_action, read_board, read_position
from .rules import DTYPE, MOST, PLANES, ExpandConquerRecord, Tables, liberties_in, make_tables, place
from .starts import DEFAULT_START, EMPTY, STARTS

if TYPE_CHECKING:
    from rich.text import Text

VARIANTS = NORMAL, ALL_SMALL = "normal", "all-small"
EMPTY_SIDE = 8
"""Rows and columns of an empty board for which they are not given."""


class ExpandConquer(Game[ExpandConquerRecord, Tables]):
    """Groups that fill every square around them at once. Player 0 is Left (blue, ``O``), player 1 is Right (red, ``X``)."""

    id = "expand-conquer"
    title = "Expand and Conquer"
    summary = "Let your groups fill all the squares around them, and keep a move longer than your opponent."
    how_to_play = (
        "Whoever cannot move on their turn loses, so keep squares that only you can reach. Left has the blue rings, Right has the red crosses.",
        "Stones of one colour that stand side by side, across or down, form a group.",
        "On your turn, choose one of your groups: it expands and fills every empty square beside it, all at once, and joins your other groups that "
        "it meets. A group with no empty square beside it cannot be chosen.",
        "Filling few squares can be better than filling many: each turn that you can still make counts, not each square.",
        "In the all-small variant you may instead place one stone on an empty square that has none of your own stones beside it. So nobody runs out "
        "of turns before the board is full.",
    )
    version = 1
    option_list = (
        Option("rows", "whole number", None, "how many rows; left out, those of the start", minimum=1, maximum=MOST),
        Option("columns", "whole number", None, "how many columns; left out, those of the start", minimum=1, maximum=MOST),
        Option.word(
            "variant",
            "whether groups expand only, or stones may also be placed on squares without a neighbour of their own colour",
            *VARIANTS,
        ),
        Option(
            "start",
            "text",
            DEFAULT_START,
            f"a board such as X*O*O|****O, one of {', '.join(STARTS)}, or {EMPTY} (all-small only)",
            tuple(STARTS),
        ),
        Option.word("first", "who moves first: Left or Right", *SIDES),
    )
    dtype: ClassVar[Any] = DTYPE

    def make_tables(self) -> Tables:
        position = self._read_start()
        return make_tables(position.rows, position.columns, self.all_small)

    def make_dimensions(self) -> Dimensions:
        rows, columns = self.tables.rows, self.tables.columns
        cells = rows * columns
        return Dimensions(("Left", "Right"), cells, 2 * cells if self.all_small else cells, (PLANES, rows, columns))

    def make_show(self) -> Show:
        from .drawing import THEMES

        terms = (
            ("(2,3)", "row 2, column 3, both counted from 0 at the top left. A group is called by its first square, as one reads."),
            (
                "Left and Right",
                "the two players, wherever they sit: Left has the blue rings, Right the red crosses. The theory of such games calls them so.",
            ),
        )
        return Show(prompt="Choose a highlighted group", themes=THEMES, effects=_waves, terms=terms, summary=_summary)

    @property
    def all_small(self) -> bool:
        """Whether stones may be placed."""
        return self.options["variant"] == ALL_SMALL

    def _read_start(self) -> Position:
        """The initial position that the options ask for.

        Raises:
            BadOption: no such start, an empty board on which nobody could ever move, or a size that is not the start's.
        """
        start: str = self.options["start"]
        side = SIDES.index(self.options["first"])
        given = {name: self.options[name] for name in ("rows", "columns")}
        if start == EMPTY:
            if not self.all_small:
                raise BadOption(
                    f"{self.id}: start={EMPTY} has no move in the normal variant; choose variant={ALL_SMALL}, or a start with stones"
                )
            rows, columns = (EMPTY_SIDE if count is None else count for count in given.values())
            return Position(rows, columns, (0,) * (rows * columns), side)
        try:
            rows, columns, board = read_board(STARTS.get(start, start))
        except BadNotation as problem:
            if set(start.upper()) <= set("*OX|") and start:
                raise BadOption(f"{self.id}: start={start[:80]}: {problem}") from None
            names = ", ".join([*STARTS, EMPTY])
            raise BadOption(f"{self.id}: start={start[:80]} is no start: give {names} or a board such as X*O*O|****O") from None
        for name, count in (("rows", rows), ("columns", columns)):
            if given[name] not in (None, count):
                raise BadOption(
                    f"{self.id}: {name}={given[name]}, but start={start[:80]} has {count}; only start={EMPTY} comes in every size"
                )
        return Position(rows, columns, board, side)

    def parse(self, text: str) -> State[ExpandConquerRecord, Tables]:
        """The state of a one-line notation; without a side in it, ``first`` is to move.

        Boards come in all sizes: one that is not of this game's is a state of the game with the same variant that starts from it, unless the
        options ``rows`` or ``columns`` say otherwise.

        Raises:
            BadNotation: not a position of this game.
        """
        if isinstance(cast(object, text), str) and len(text) <= 10_000 and "\n" not in text.strip():
            found = read_position(text)
            if (found.rows, found.columns) != (self.tables.rows, self.tables.columns) and self.options["rows"] is self.options[
                "columns"
            ] is None:
                first = self.options["first"] if found.side is None else SIDES[found.side]
                return type(self)(variant=self.options["variant"], start=board_text(found.board, found.columns), first=first).start()
        return super().parse(text)

    def write_initial(self, record: Any) -> None:
        self._write(self._read_start(), record)

    def write_parsed(self, text: str, record: Any) -> None:
        found = read_position(text)
        size = self.tables.rows, self.tables.columns
        if (found.rows, found.columns) != size:
            raise BadNotation(f"a board of {found.rows}×{found.columns}, but this game has {size[0]}×{size[1]} (rows×columns)")
        self._write(found, record)

    def _write(self, position: Position, record: Any) -> None:
        side = SIDES.index(self.options["first"]) if position.side is None else position.side
        place(self.tables, record, position.board, side)

    def state_text(self, state: State) -> str:
        return f"{board_text(self.squares(state), self.tables.columns)} {SIDES[int(state.record.side)]}"

    def squares(self, state: State) -> list[int]:
        """What stands on every square in reading order: 0 nothing, 1 Left, 2 Right."""
        return state.record.board[: self.tables.cells].tolist()

    def action_text(self, state: State, player: int, action: Any) -> str:
        cells = self.tables.cells
        return cell_text(int(action), self.tables.columns) if action < cells else f"+{cell_text(int(action) - cells, self.tables.columns)}"

    def action_index(self, state: State, player: int, text: str) -> int:
        """The index of an action's text.

        Raises:
            BadNotation: the text is no action on this board.
            IllegalAction: it names one of the player's groups by another square than its first.
        """
        placing, cell = read_action(state, player, text, self.all_small)
        if placing:
            return self.tables.cells + cell
        first = int(state.record.group[cell])
        if int(state.record.board[cell]) == player + 1 and first != cell:
            name = cell_text(first, self.tables.columns)
            raise IllegalAction(f"'{text.strip()[:40]}': a group is named by its first square in reading order, here {name}")
        return cell

    def reason(self, state: State) -> str:
        full = ", for the board is full" if all(self.squares(state)) else ""
        return f"{self.player_names[int(state.record.side)]} cannot move{full}"

    def facts(self, state: State) -> tuple[str, ...]:
        squares, record = self.squares(state), state.record
        firsts = [cell for cell, owner in enumerate(squares) if owner and int(record.group[cell]) == cell]
        lines = [f"Empty squares: {squares.count(0)} of {len(squares)}"]
        for player, name in enumerate(self.player_names):
            groups = [cell for cell in firsts if squares[cell] == player + 1]
            able = sum(int(record.contacts[cell]) > 0 for cell in groups)
            plural = "s" * (len(groups) != 1)
            lines.append(f"{name}: {len(groups)} group{plural}, {able} of which can expand")
        return tuple(lines)

    def picks(self, state: State, action: Action) -> tuple[str, ...]:
        """The group or the empty square, by its name without a plus."""
        return (action.text.removeprefix("+"),)

    def svg(self, state: State, *, size: int = 480, last: Action | None = None, seat: int = 0) -> str:
        from .drawing import svg

        return svg(state, size=size, last=last)

    def board(self, state: State, *, last: Action | None = None, seat: int = 0) -> Text:
        from .drawing import board

        return board(state, last=last)


def _summary(states: Sequence[State], steps: Sequence[Mapping[int, Action]]) -> tuple[str, ...]:
    """The expansion that filled most squares."""
    fills = [(sum(map(len, _waves(state, *step.values()))), ply) for ply, (state, step) in enumerate(zip(states, steps, strict=False), 1)]
    most, ply = max(fills, key=lambda fill: fill[0], default=(0, 0))
    return (f"Largest expansion: {most} square{'s' * (most != 1)}, with move {ply}",) if most else ()


def _waves(state: State, action: Action) -> tuple[tuple[str, ...], ...]:
    """The squares that an expansion fills, in one wave."""
    tables = state.game.tables
    if not isinstance(action.index, int) or action.index >= tables.cells:
        return ()
    return (tuple(cell_text(cell, tables.columns) for cell in liberties_in(tables, state.record, action.index)),)
