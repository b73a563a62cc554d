"""Faults, planted one at a time: do the tests notice? ``python -m tests.mutants``, and ``--help`` for what can be chosen.

First come faults with names, which survived once and must not again (``mutants.toml``); then small ones at random places of what a group of
tests guards: another comparison, a number more, a condition turned around, a statement left out. Whoever survives is listed, with its place: a test is
missing there, or the code says something that makes no difference. Everything runs in copies of the repository, without slow tests and without the
compiler, and of the tests of its group only those that reach it, unless none does (in the process of the tests) or most do: that makes it quick. In
the end it prints the score: how many were found, of each group and of all.

Why no tool from elsewhere: mutmut leaves functions with decorators alone, and all rules have one; cosmic-ray edits the files that one works with.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from coverage import CoverageData

from tests.folders import ROOT

SOURCE = Path("src") / "ludarium"

CHOSEN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
GROUPS: dict[str, dict[str, Any]] = CHOSEN["groups"]

OTHER = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


@dataclass(frozen=True)
class Tests:
    """Tests that run together."""

    names: tuple[str, ...]
    environment: str = ""
    """The name of an environment in ``.venv`` that they need, such as ``train``; empty: the one that runs this."""
    jit: bool = False
    """True if the tests need the compiler."""
    slow: bool = False
    """True if slow tests run, too."""
    without: str = ""
    """Expression for the names of tests that are left out; see ``pytest -k``."""

    @property
    def python(self) -> Path:
        return ROOT / ".venv" / self.environment / "bin" / "python" if self.environment else Path(sys.executable)


@dataclass(frozen=True)
class Mutant:
    path: Path
    text: str
    tests: Tests
    what: str
    line: int = 0
    group: str = ""
    """Empty for those with names."""


def places(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that can be something else. Annotations, decorators, default values and what a module says of itself stay as they are."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            types = {node for one in ast.walk(function) if isinstance(one, ast.AnnAssign) for node in ast.walk(one.annotation)}
            for statement in function.body:
                for node in ast.walk(statement):
                    if node in types:
                        continue
                    if isinstance(node, ast.Assign | ast.AugAssign | ast.Raise | ast.If | ast.While | ast.Compare | ast.BinOp | ast.BoolOp) or (
                        isinstance(node, ast.Constant) and isinstance(node.value, int)
                    ) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):  # fmt: skip
                        yield node


def changed(node: ast.AST) -> ast.AST | None:
    """What stands there instead; None where nothing else can."""
    match node:
        case ast.Assign() | ast.AugAssign() | ast.Raise() | ast.Expr():
            return ast.Pass()
        case ast.If(test=test) | ast.While(test=test):
            return type(node)(**{**vars(node), "test": ast.UnaryOp(ast.Not(), test)})
        case ast.Compare(ops=[op, *more]) if type(op) in OTHER:
            return ast.Compare(node.left, [OTHER[type(op)](), *more], node.comparators)
        case ast.BinOp(op=op) if type(op) in OTHER:
            return ast.BinOp(node.left, OTHER[type(op)](), node.right)
        case ast.BoolOp(op=op):
            return ast.BoolOp(OTHER[type(op)](), node.values)
        case ast.Constant(value=value):
            return ast.Constant(not value if isinstance(value, bool) else value + 1)
    return None


class Replace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return ast.copy_location(self.new, node) if node is self.old else self.generic_visit(node)


def random_mutants(group: str, count: int, choice: random.Random) -> list[Mutant]:
    patterns, tests = GROUPS[group]["files"], tests_of(GROUPS[group], *GROUPS[group]["tests"])
    paths = sorted(path for pattern in patterns for path in (ROOT / SOURCE).glob(pattern))
    assert paths, f"{group}: there are no files {patterns}"
    everywhere = [(path, number) for path in paths for number in range(len(list(places(ast.parse(path.read_text(encoding="utf-8"))))))]
    found = []
    for path, number in choice.sample(everywhere, min(count, len(everywhere))):
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        node = list(places(tree))[number]
        line, new = text.splitlines()[node.lineno - 1].strip(), changed(node)
        if new is not None:
            old, instead = (ast.unparse(ast.fix_missing_locations(one)).splitlines()[0] for one in (node, new))
            what = f"{path.relative_to(ROOT)}:{node.lineno}: {line}: {old}  ->  {instead}"
            found.append(
                Mutant(
                    path.relative_to(ROOT),
                    ast.unparse(ast.fix_missing_locations(Replace(node, new).visit(tree))),
                    tests,
                    what,
                    node.lineno,
                    group,
                )
            )
    return found


def tests_of(entry: dict[str, Any], *names: str) -> Tests:
    return Tests(names, **{key: entry[key] for key in ("environment", "jit", "slow", "without") if key in entry})


def planted_mutants(words: str = "") -> list[Mutant]:
    """Return the planted faults whose description contains ``words``."""
    found = []
    for plant in CHOSEN["planted"]:
        if words not in plant["what"]:
            continue
        texts = {path: path.read_text(encoding="utf-8") for path in (ROOT / SOURCE).rglob("*.py")}
        times = {path: text.count(plant["was"]) for path, text in texts.items() if plant["was"] in text}
        assert list(times.values()) == [1], f"{plant['what']}: '{plant['was']}' must stand once in the source; name what stands there now"
        (path,) = times
        found.append(
            Mutant(path.relative_to(ROOT), texts[path].replace(plant["was"], plant["now"]), tests_of(plant, plant["test"]), plant["what"])
        )
    return found


def copy_repository(folder: Path) -> Path:
    for name in ("src", "tests", "examples", "docs", "pyproject.toml", "README.md"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


MOST_REACHING = 100
"""Where more tests reach a line, all tests of the group run at once."""


def passes(folder: Path, tests: Tests, limit: float, only: Sequence[str] = (), options: Sequence[str] = ()) -> bool:
    """Whether tests pass in a copy, in time: a fault may well go round in circles. Slow ones are left out, but for one that is named."""
    quick = [] if tests.slow or any("::" in name for name in tests.names) else ["-m", "not slow"]
    chosen = ["-k", f"not ({tests.without})"] if tests.without else []
    command = [tests.python, "-m", "pytest", "-x", "-q", *quick, *chosen, "-p", "no:cacheprovider"]
    command += [*options, *(only or [f"tests/{name}" for name in tests.names])]
    variables = {**os.environ, "PYTHONPATH": str(folder / "src"), "NUMBA_DISABLE_JIT": "0" if tests.jit else "1"}
    with subprocess.Popen(
        command, cwd=folder, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        try:
            return process.wait(limit) == 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # with the programs that the tests have started
            return False


Reaching = dict[tuple[str, int], list[str]]
"""The tests that reach a line of a file."""


def tests_by_line(folder: Path, tests: Tests) -> Reaching:
    """Run tests without any fault, and return which of them reach a line."""
    assert passes(folder, tests, 3600, options=("--cov", "--cov-context=test", "--cov-report=")), (
        f"without any fault, {' '.join(tests.names)} do not pass"
    )
    data = CoverageData(str(folder / ".coverage"))
    data.read()
    found: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
    for file in (one for one in data.measured_files() if Path(one).is_relative_to(folder)):
        for line, contexts in data.contexts_by_lineno(file).items():
            found[str(Path(file).relative_to(folder)), line] |= {one.rpartition("|")[0] for one in contexts if one}
    return {place: sorted(names) for place, names in found.items()}


def survives(mutant: Mutant, folder: Path, limit: float, reaching: Sequence[str]) -> bool:
    path = folder / mutant.path
    original = path.read_text(encoding="utf-8")
    try:
        path.write_text(mutant.text, encoding="utf-8")
        for stale in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
            stale.unlink()  # found by the file's size and second, which may be the same
        return passes(folder, mutant.tests, limit, reaching if len(reaching) <= MOST_REACHING else ())
    finally:
        path.write_text(original, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("groups", nargs="*", help=f"faults at random of {', '.join(GROUPS)}; else of all, and those with names")
    parser.add_argument("--only", metavar="WORDS", help="only the faults with names whose description contains WORDS, and none at random")
    parser.add_argument("--count", type=int, default=6, help="faults at random places of each group (default: 6; 0: only those with names)")
    parser.add_argument("--seed", type=int, default=1, help="another number, other places (default: 1)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="how many at a time (default: one a core)")
    arguments = parser.parse_args()
    if unknown := set(arguments.groups) - set(GROUPS):
        parser.error(f"{', '.join(sorted(unknown))}: not one of {', '.join(GROUPS)}")
    mutants = [] if arguments.groups else planted_mutants(arguments.only or "")
    if arguments.only and not mutants:
        parser.error(f"--only '{arguments.only}': no fault with a name has these words")
    for group in arguments.groups or ([] if arguments.only else list(GROUPS)):
        mutants += random_mutants(group, arguments.count, random.Random(f"{arguments.seed} {group}"))
    for environment in sorted({mutant.tests.environment for mutant in mutants if not mutant.tests.python.exists()}):
        print(f"skipped: faults whose tests need .venv/{environment}; install it with: make .venv/{environment}/installed")
    mutants = [mutant for mutant in mutants if mutant.tests.python.exists()]
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(arguments.workers) as pool:
        folders: SimpleQueue[Path] = SimpleQueue()
        for number in range(arguments.workers):
            folders.put(copy_repository(Path(temporary) / str(number)))

        def tried(tests: Tests) -> tuple[float, Reaching]:
            folder, started = folders.get(), time.monotonic()
            reaching = tests_by_line(folder, tests)
            folders.put(folder)
            return time.monotonic() - started, reaching

        def check(mutant: Mutant) -> bool:
            folder = folders.get()
            seconds, reaching = without_fault[mutant.tests]
            lives = survives(mutant, folder, 30 + 3 * seconds, reaching.get((str(mutant.path), mutant.line), ()))
            folders.put(folder)
            print("survived" if lives else "found   ", mutant.what, flush=True)
            return lives

        tested = list(dict.fromkeys(mutant.tests for mutant in mutants))
        without_fault = dict(zip(tested, pool.map(tried, tested), strict=True))
        lives = list(pool.map(check, mutants))
    groups = [mutant.group for mutant in mutants]
    score = {group: [not one for own, one in zip(groups, lives, strict=True) if own == group] for group in dict.fromkeys(groups)}
    for group, found in score.items():
        print(f"{group or 'with names'}: {sum(found)} of {len(found)} found")
    if at_random := [one for group, found in score.items() if group for one in found]:
        print(f"at random: {sum(at_random)} of {len(at_random)} found, {100 * sum(at_random) / len(at_random):.0f} %")
    return 0 if all(score.get("", ())) else 1


if __name__ == "__main__":
    sys.exit(main())
