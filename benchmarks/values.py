"""Exact values, in CPU time, each computed in a process of its own that has loaded its code but knows no value yet.

Beside ours are measured: cgt-py, Python's face of a library in Rust, on Domineering, and pycgt, in pure Python. What neither can compute stands beside cgt-py's
time for the empty 5×5 board in the same run.
"""

from __future__ import annotations

import functools
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from .harness import Row, Target, at_most
from .start import LUDARIUM, cpu_seconds

DATA = Path(__file__).parent.parent / "tests" / "data" / "cgt"

FRAME = """
import time
from pathlib import Path
{preparation}
start = time.process_time()
{work}
took = time.process_time() - start
# Not getrusage: what that tells begins with the most that the program took which started this one.
(kilobytes,) = (line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM:"))
print(took, int(kilobytes) / 1024)
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

CPU = "s of CPU"


def rows() -> Iterator[Row]:
    for height, width in ((5, 5), (4, 6)):
        name = f"Domineering {height}×{width}"
        ours = functools.partial(seconds, OURS, f"value(domineering, '{empty(height, width)}')")
        theirs = functools.partial(of_cgt_py, height, width)
        yield Row(name, CPU, ours, f"cgt-py, {name}", theirs, at_most(ratio=0.05), rounds=3, seconds=15)
    large = f"value(domineering, '{empty(5, 6)}')"
    yield alone("Domineering 5×6", lambda: seconds(OURS, large), at_most(value=5.0))
    bare = "python -c 'import numba'"
    ours, theirs = (lambda code=code: once(*code)[1] for code in ((OURS, large), ("import numba", "")))
    yield Row("the same, peak memory", "MB", ours, bare, theirs, at_most(value=400.0), rounds=1)
    yield Row(
        "Domineering 5×5 by ten lines of Python, no components, no symmetry",
        CPU,
        lambda: seconds(RULES_IN_PYTHON, "value(Dominoes(5, 5), (1 << 25) - 1)"),
        "pycgt's own Domineering 5×5",
        lambda: seconds("from pycgt.rulesets import domineering", "domineering.rectangle(5, 5)"),
        at_most(ratio=0.25),
        rounds=1,
        seconds=40,
    )

    for board, called, bound in (
        (empty(3, 4), "empty 3×4", 0.1),
        (empty(3, 5), "empty 3×5", 4.0),
        (empty(4, 4), "empty 4×4", 8.0),
        (f"X{'*O' * 24}*", "g(24)", 15.0),
    ):
        ours = functools.partial(seconds, OURS, f"value(all_small, '{board}')")
        yield alone(f"Expand and Conquer, all-small, {called}", ours, at_most(value=bound))
    boards = (DATA / "boards7x7.txt").read_text(encoding="utf-8").split()
    yield alone(
        f"Expand and Conquer, median of {len(boards)} boards 7×7",
        lambda: statistics.median(seconds(OURS, f"value(normal, '{board}')") for board in boards),
        at_most(value=0.3),
    )
    data = DATA / "expand-and-conquer.jsonl"
    count = len(data.read_text(encoding="utf-8").splitlines())
    yield alone(
        f"ludarium expand-conquer value --batch, {count} boards with all their fields, start included",
        lambda: cpu_seconds(LUDARIUM, "expand-conquer", "value", "--batch", str(data)),
        at_most(value=30.0),
    )
    additions = functools.partial(seconds, OURS + ADDITIONS, "for one, other in pairs: one + other")
    yield alone("20,000 sums of values born by day 3", additions, at_most(value=0.5))

    known = "value(domineering, '****|****|****')"
    asked = functools.partial(seconds, f"{OURS}\n{known}", f"for _ in range(100_000): {known}")
    yield alone("100,000 times the value of a position that is known", asked, at_most(value=2.0))

    yield alone("first start: everything for values is compiled", first_start, at_most(value=12.0))
    yield Row(
        "second start: ludarium expand-conquer value 'X*O*O'",
        CPU,
        lambda: cpu_seconds(LUDARIUM, "expand-conquer", "value", "X*O*O"),
        bare,
        lambda: cpu_seconds(sys.executable, "-c", "import numba"),
        at_most(value=0.6),
    )


def alone(name: str, ours: Callable[[], float], target: Target) -> Row:
    """A row of what nobody else computes."""
    return Row(name, CPU, ours, "cgt-py, Domineering 5×5", yardstick, target, rounds=1)


@functools.cache
def yardstick() -> float:
    return statistics.median(of_cgt_py(5, 5) for _ in range(3))


def of_cgt_py(height: int, width: int) -> float:
    return seconds("import cgt_py", f"cgt_py.Domineering('{empty(height, width, '.')}').canonical_form")


def first_start() -> float:
    with tempfile.TemporaryDirectory() as folder:
        return cpu_seconds(sys.executable, "-c", OURS + RULES_IN_PYTHON, NUMBA_CACHE_DIR=folder)


def empty(height: int, width: int, square: str = "*") -> str:
    return "|".join([square * width] * height)


def once(preparation: str, work: str) -> tuple[float, float]:
    """Seconds of CPU time for some work in a new process, and the megabytes that the process took at most."""
    code = FRAME.format(preparation=preparation, work=work)
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    return float(printed[0]), float(printed[1])


def seconds(preparation: str, work: str) -> float:
    return once(preparation, work)[0]
