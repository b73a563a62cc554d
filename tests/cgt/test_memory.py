"""A bound on memory ends in an error before the machine swaps. Each computation runs in a process of its own, whose peak is measured."""

from __future__ import annotations

import pytest

from tests.conftest import USUAL_CACHE, Python

BOUND, MARGIN = 64, 32
"""MB; the margin is for what Python and NumPy take besides."""

FRAME = """
import resource
from ludarium.cgt import value
from ludarium.errors import TooLarge

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10

{rules}
value(small_ruleset, small)  # so that everything is loaded
before = peak()
try:
    value(ruleset, position, most_bytes={bound} << 20)
except TooLarge as problem:
    print(peak() - before, problem)
print(value(small_ruleset, small))
"""

RULES = {
    "rules in Python without end": """
class Short:
    def left_options(self, position): return []
    right_options = left_options
class Endless(Short):
    def left_options(self, position): return [position + 1]
small_ruleset, small, ruleset, position = Short(), 0, Endless(), 0
""",
    "wide rules in Python, positions as tuples": """
class Short:
    def left_options(self, position): return []
    right_options = left_options
class Words(Short):
    def left_options(self, position): return [(*position, letter) for letter in "abcdefgh"]
small_ruleset, small, ruleset, position = Short(), (), Words(), ()
""",
    "components that are different every time": """
class Short:
    def left_options(self, position): return []
    right_options = left_options
class Sums(Short):
    def left_options(self, position): return [tuple(range(position[0] + 1, position[0] + 30)), (position[0] + 100,)]
    def components(self, position): return [(one,) for one in position]
small_ruleset, small, ruleset, position = Short(), (3,), Sums(), (1,)
""",
    "positions of a compiled ruleset": """
from ludarium.cgt.rulesets import Domineering
small_ruleset = ruleset = Domineering()
small, position = "**|**", "|".join(["******"] * 6)
""",
    "values of a sum": """
class Switches:
    def components(self, position): return [(one,) for one in position]
    def left_options(self, position): return self.moves(position, 1)
    def right_options(self, position): return self.moves(position, -1)
    def moves(self, position, player):
        (kind, size), = position
        if kind == "hot":
            return [(("number", 7 * size),)] if player > 0 else [(("warm", size),)]
        if kind == "warm":
            return [(("number", player * size),)]
        return [(("number", size - player),)] if size * player > 0 else []
small_ruleset = ruleset = Switches()
small, position = (("hot", 2),), tuple(("hot", size) for size in range(3, 30))
""",
}


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_memory_stays_below_the_bound(python: Python, rules: str) -> None:
    run = python(FRAME.format(rules=rules, bound=BOUND), NUMBA_CACHE_DIR=USUAL_CACHE)
    assert run.stderr == ""
    said, after = run.stdout.splitlines()
    megabytes, problem = said.split(" ", 1)
    assert int(megabytes) < BOUND + MARGIN
    assert f"{BOUND} MB" in problem
    assert after
