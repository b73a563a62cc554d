"""Faults, planted one at a time: do the tests notice? ``python -m tests.mutants``, and ``--help`` for what can be chosen.

First come faults with names, which survived once and must not again (``mutants.toml``); then small ones at random places of what a group of
tests guards: another comparison, a number more, a condition turned around, a statement left out. Whoever survives is listed, with its place: a test is
missing there, or the code says something that makes no difference. Everything runs in copies of the repository, without slow tests and without the
compiler, which is what makes it quick.

Why no tool from elsewhere: mutmut leaves functions with decorators alone, and all rules have one; cosmic-ray edits the files that one works with.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from tests.folders import ROOT

SOURCE = Path("src") / "ludarium"

CHOSEN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
GROUPS: dict[str, dict[str, list[str]]] = CHOSEN["groups"]

OTHER = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    path: Path
    text: str
    tests: list[str]
    what: str


def places(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that can be something else. Annotations, decorators, default values and what a module says of itself stay as they are."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for statement in function.body:
                for node in ast.walk(statement):
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
    patterns, tests = GROUPS[group]["files"], GROUPS[group]["tests"]
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
                Mutant(path.relative_to(ROOT), ast.unparse(ast.fix_missing_locations(Replace(node, new).visit(tree))), tests, what)
            )
    return found


def planted_mutants() -> list[Mutant]:
    found = []
    for plant in CHOSEN["planted"]:
        texts = {path: path.read_text(encoding="utf-8") for path in (ROOT / SOURCE).rglob("*.py")}
        times = {path: text.count(plant["was"]) for path, text in texts.items() if plant["was"] in text}
        assert list(times.values()) == [1], f"{plant['what']}: '{plant['was']}' must stand once in the source; name what stands there now"
        (path,) = times
        found.append(Mutant(path.relative_to(ROOT), texts[path].replace(plant["was"], plant["now"]), [plant["test"]], plant["what"]))
    return found


def copy_repository(folder: Path) -> Path:
    for name in ("src", "tests", "examples", "docs", "pyproject.toml", "README.md"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def passes(folder: Path, tests: list[str], limit: float) -> bool:
    """Whether tests pass in a copy, in time: a fault may well go round in circles. Slow ones are left out, but for one that is named."""
    quick = [] if any("::" in test for test in tests) else ["-m", "not slow"]
    command = [sys.executable, "-m", "pytest", "-x", "-q", *quick, "-p", "no:cacheprovider", *(f"tests/{test}" for test in tests)]
    variables = {**os.environ, "PYTHONPATH": str(folder / "src"), "NUMBA_DISABLE_JIT": "1"}
    with subprocess.Popen(command, cwd=folder, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            return process.wait(limit) == 0
        except subprocess.TimeoutExpired:
            process.kill()
            return False


def survives(mutant: Mutant, folder: Path, limit: float) -> bool:
    path = folder / mutant.path
    original = path.read_text(encoding="utf-8")
    try:
        path.write_text(mutant.text, encoding="utf-8")
        for stale in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
            stale.unlink()  # found by the file's size and second, which may be the same
        return passes(folder, mutant.tests, limit)
    finally:
        path.write_text(original, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("groups", nargs="*", help=f"of {', '.join(GROUPS)}; all of them unless some are named")
    parser.add_argument("--count", type=int, default=6, help="faults at random places of each group (default: 6; 0: only those with names)")
    parser.add_argument("--seed", type=int, default=1, help="another number, other places (default: 1)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="how many at a time (default: one a core)")
    arguments = parser.parse_args()
    if unknown := set(arguments.groups) - set(GROUPS):
        parser.error(f"{', '.join(sorted(unknown))}: not one of {', '.join(GROUPS)}")
    groups = arguments.groups or list(GROUPS)
    planted = planted_mutants()
    mutants = planted + [
        one for group in groups for one in random_mutants(group, arguments.count, random.Random(f"{arguments.seed} {group}"))
    ]
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(arguments.workers) as pool:
        folders: SimpleQueue[Path] = SimpleQueue()
        for number in range(arguments.workers):
            folders.put(copy_repository(Path(temporary) / str(number)))

        def seconds(tests: list[str]) -> float:
            folder, started = folders.get(), time.monotonic()
            assert passes(folder, tests, 1800), f"without any fault, {' '.join(tests)} do not pass"
            folders.put(folder)
            return time.monotonic() - started

        def check(mutant: Mutant) -> bool:
            folder = folders.get()
            lives = survives(mutant, folder, 30 + 3 * needed[" ".join(mutant.tests)])
            folders.put(folder)
            print("survived" if lives else "found   ", mutant.what, flush=True)
            return lives

        tested = {" ".join(mutant.tests): mutant.tests for mutant in mutants}
        needed = dict(zip(tested, pool.map(seconds, tested.values()), strict=True))
        lives = list(pool.map(check, mutants))
    print(f"{sum(lives)} of {len(mutants)} survived; {sum(lives[: len(planted)])} of {len(planted)} with names")
    return 1 if any(lives[: len(planted)]) else 0


if __name__ == "__main__":
    sys.exit(main())
