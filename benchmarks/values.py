"""Exact values, in CPU time, each computed in a process of its own that has loaded its code but knows no value yet.

Beside ours are measured: cgt-py, Python's face of a library in Rust, on Domineering, and pycgt, in pure Python. What neither can compute stands beside cgt-py's
time for the empty 5×5 board in the same run.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from .harness import Row, Target, at_most, compare
from .start import LUDARIUM, cpu_seconds

DATA = Path(__file__).parent.parent / "tests" / "data" / "cgt"

FRAME = """
import resource, time
{preparation}
start = time.process_time()
{work}
print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""

OURS = """
from ludarium.cgt import value
from ludarium.cgt.rulesets import Domineering
from ludarium.games.expand_conquer.values import ExpandConquerRuleset
domineering, normal, all_small = Domineering(), ExpandConquerRuleset("normal"), ExpandConquerRuleset("all-small")
for ruleset in (domineering, normal, all_small):
    value(ruleset, "**")
"""

RULES_IN_PYTHON = """
from ludarium.cgt import value

class Dominoes:
    def __init__(self, rows, columns):
        squares = [[1 << row * columns + column for column in range(columns)] for row in range(rows)]
        self.vertical = [upper | lower for one, other in zip(squares, squares[1:]) for upper, lower in zip(one, other)]
        self.horizontal = [left | right for row in squares for left, right in zip(row, row[1:])]

    def left_options(self, empty):
        return [empty & ~domino for domino in self.vertical if empty & domino == domino]

    def right_options(self, empty):
        return [empty & ~domino for domino in self.horizontal if empty & domino == domino]

value(Dominoes(2, 2), 15)
"""

ADDITIONS = """
import random
from ludarium.cgt.birthdays import born_by
values = list(born_by(3))
choice = random.Random(1)
pairs = [(choice.choice(values), choice.choice(values)) for _ in range(20_000)]
"""


YARDSTICK = "cgt-py, Domineering 5×5"


def rows() -> Iterator[Row]:
    measured = [seconds(*theirs(5, 5)) for _ in range(3)]
    yardstick = statistics.median(measured)

    def alone(name: str, value: float, target: Target, unit: str = "s of CPU") -> Row:
        return Row(name, unit, value, YARDSTICK, yardstick, value / yardstick, target)

    for height, width in ((5, 5), (4, 6)):
        ours = f"value(domineering, '{empty(height, width)}')"
        name = f"Domineering {height}×{width}"
        yield beside(
            name, lambda ours=ours: seconds(OURS, ours), f"cgt-py, {name}", lambda size=(height, width): seconds(*theirs(*size)), 0.05
        )
    took, megabytes = once(OURS, f"value(domineering, '{empty(5, 6)}')")
    yield alone("Domineering 5×6", took, at_most(value=5.0))
    bare = once("import numba", "")[1]
    yield Row("the same, peak memory", "MB", megabytes, "python -c 'import numba'", bare, megabytes / bare, at_most(value=400.0))
    yield beside(
        "Domineering 5×5 by ten lines of Python, no components, no symmetry",
        lambda: seconds(RULES_IN_PYTHON, "value(Dominoes(5, 5), (1 << 25) - 1)"),
        "pycgt's own Domineering 5×5",
        lambda: seconds("from pycgt.rulesets import domineering", "domineering.rectangle(5, 5)"),
        0.25,
        rounds=1,
    )

    for height, width, target in ((3, 4, 0.1), (3, 5, 4.0), (4, 4, 8.0)):
        took = seconds(OURS, f"value(all_small, '{empty(height, width)}')")
        yield alone(f"Expand and Conquer, all-small, empty {height}×{width}", took, at_most(value=target))
    yield alone("Expand and Conquer, all-small, g(24)", seconds(OURS, f"value(all_small, 'X{'*O' * 24}*')"), at_most(value=15.0))
    boards = (DATA / "boards7x7.txt").read_text(encoding="utf-8").split()
    median = statistics.median(seconds(OURS, f"value(normal, '{board}')") for board in boards)
    yield alone(f"Expand and Conquer, median of {len(boards)} boards 7×7", median, at_most(value=0.3))
    rows_of_data = DATA / "expand-and-conquer.jsonl"
    batch = cpu_seconds(LUDARIUM, "expand-conquer", "value", "--batch", str(rows_of_data))
    count = len(rows_of_data.read_text(encoding="utf-8").splitlines())
    yield alone(f"ludarium expand-conquer value --batch, {count} boards with all their fields, start included", batch, at_most(value=30.0))
    yield alone(
        "20,000 sums of values born by day 3", seconds(OURS + ADDITIONS, "for one, other in pairs: one + other"), at_most(value=0.5)
    )

    with tempfile.TemporaryDirectory() as folder:
        first = cpu_seconds(sys.executable, "-c", OURS + RULES_IN_PYTHON, NUMBA_CACHE_DIR=folder)
    yield alone("first start: everything for values is compiled", first, at_most(value=12.0))
    yield compare(
        "second start: ludarium expand-conquer value 'X*O*O'",
        "s of CPU",
        lambda: cpu_seconds(LUDARIUM, "expand-conquer", "value", "X*O*O"),
        "python -c 'import numba'",
        lambda: cpu_seconds(sys.executable, "-c", "import numba"),
        at_most(value=0.6),
    )


def empty(height: int, width: int, square: str = "*") -> str:
    return "|".join([square * width] * height)


def theirs(height: int, width: int) -> tuple[str, str]:
    """What is to be prepared and done for a board of Domineering by cgt-py."""
    return "import cgt_py", f"cgt_py.Domineering('{empty(height, width, '.')}').canonical_form"


def once(preparation: str, work: str) -> tuple[float, float]:
    """Seconds of CPU time for some work in a new process, and the megabytes that the process took at most."""
    code = FRAME.format(preparation=preparation, work=work)
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    return float(printed[0]), float(printed[1])


def seconds(preparation: str, work: str) -> float:
    return once(preparation, work)[0]


def beside(name: str, ours: Callable[[], float], reference: str, other: Callable[[], float], most: float, rounds: int = 3) -> Row:
    """Both in turn; nothing is thrown away, for every process is new."""
    pairs = [(ours(), other()) for _ in range(rounds)]
    value, reference_value = (statistics.median(figures) for figures in zip(*pairs, strict=True))
    ratio = statistics.median(one / another for one, another in pairs)
    return Row(name, "s of CPU", value, reference, reference_value, ratio, at_most(ratio=most))
