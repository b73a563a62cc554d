"""A thermograph in the terminal: temperature upward, values increasing to the left, as on paper."""

from __future__ import annotations

from fractions import Fraction

from rich.text import Text

from ludarium.cgt.numbers import number_text
from ludarium.cgt.thermography.drawing import short
from ludarium.cgt.thermography.thermograph import Points, Thermograph

MOST_ROWS = 16
"""Of the walls; a row is a power of two of degrees."""

MAST_ROWS = 2

COLUMNS_A_ROW = 2
"""A cell of a terminal is about twice as high as wide."""

STYLES = {"left": "bold blue", "right": "bold red", "both": "bold", "axis": "dim"}


def thermograph_text(thermograph: Thermograph) -> Text:
    """The drawing, and below it the exact points of the walls."""
    return Text("\n").join([*_Drawing(thermograph).lines(), Text(), *_points(thermograph)])


class _Drawing:
    """A row is the stretch between two temperatures, a column half a row's worth of value."""

    def __init__(self, thermograph: Thermograph) -> None:
        foot, self.mean = thermograph.mast
        self.thermograph = thermograph
        self.step = Fraction(1)
        while (foot + 1) / self.step > MOST_ROWS:
            self.step *= 2
        while foot > -1 and (foot + 1) / self.step * 2 <= MOST_ROWS:
            self.step /= 2
        self.rows = -(-(foot + 1) // self.step)
        self.highest = max(value for _, value in thermograph.left_wall)
        lowest = min(value for _, value in thermograph.right_wall)
        self.columns = COLUMNS_A_ROW * self._place(lowest) + 1

    def lines(self) -> list[Text]:
        labels = self._labels()
        width = max(map(len, labels.values()))
        lines: list[Text] = []
        for row in range(self.rows + MAST_ROWS - 1, -1, -1):
            label = labels.get(row, "")
            lines.append(Text.assemble((f"{label:>{width}} {'┤' if label else '│'} ", STYLES["axis"]), self._row(row)))
        lines.append(Text(f"{'':>{width}} └{'─' * (self.columns + 2)}", STYLES["axis"]))
        lines.append(Text(f"{'':>{width + 3}}{self._values()}".rstrip(), STYLES["axis"]))
        return lines

    def _temperature(self, row: int) -> Fraction:
        """At the lower edge of a row."""
        return row * self.step - 1

    def _place(self, value: Fraction) -> int:
        """How many rows' worth of value from the left."""
        return round((self.highest - value) / self.step)

    def _labels(self) -> dict[int, str]:
        """The temperatures that are named: the lowest, 0, the mast's foot, and where walls bend; above a label's row its temperature begins."""
        bends = {at for wall in (self.thermograph.left_wall, self.thermograph.right_wall) for at, _ in wall}
        named = {round((at + 1) / self.step): at for at in (*sorted(bends), Fraction(0), self.thermograph.temperature, Fraction(-1))}
        return {row: short(at) for row, at in named.items() if row < self.rows + MAST_ROWS}

    def _row(self, row: int) -> Text:
        cells = [" "] * self.columns
        styles = [""] * self.columns
        below, above = self._temperature(row), self._temperature(row + 1)
        if row >= self.rows:
            walls = {"both": (self.mean, self.mean)}
        else:
            left, right = self.thermograph.left_stop, self.thermograph.right_stop
            walls = {"left": (left(below), left(above)), "right": (right(below), right(above))}
        for name, (start, end) in walls.items():
            one, other = self._place(start), self._place(end)
            at = COLUMNS_A_ROW * min(one, other) + (one != other)
            sign = "│" if one == other else "╱" if other > one else "╲"
            styles[at] = STYLES["both" if cells[at] == sign else name]
            cells[at] = "╳" if cells[at] not in (" ", sign) else sign
        row_text = Text.assemble(*zip(cells, styles, strict=True))
        row_text.rstrip()
        return row_text

    def _values(self) -> str:
        """The names of the most important values under their places, as far as there is room."""
        graph = self.thermograph
        line = ""
        wanted = [self.mean, graph.left_stop(), graph.right_stop(), graph.left_wall[0][1], graph.right_wall[0][1]]
        taken: dict[int, str] = {}
        for value in wanted:
            name = short(value)
            at = max(0, COLUMNS_A_ROW * self._place(value) - len(name) // 2)
            if all(at >= other + len(its) + 1 or at + len(name) + 1 <= other for other, its in taken.items()):
                taken[at] = name
        for at in sorted(taken):
            line += " " * (at - len(line)) + taken[at]
        return line


def _points(thermograph: Thermograph) -> list[Text]:
    foot, mean = thermograph.mast
    lines = [Text(f"mean {number_text(mean)}, temperature {number_text(foot)}")]
    if foot > -1:
        for name, wall in (("left", thermograph.left_wall), ("right", thermograph.right_wall)):
            lines.append(Text.assemble((f"{name} wall", STYLES[name]), f"{'':<{7 - len(name)}}{_wall(wall)}"))
    return lines


def _wall(points: Points) -> str:
    """The points of a wall from the lowest temperature on."""
    return " – ".join(f"{number_text(value)} at {number_text(at)}" for at, value in points)
