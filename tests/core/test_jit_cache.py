"""The cache can never lie: each way in which Numba's could, with processes that share one cache.

The first process compiles, the second must only load, the third comes after a change and must run what the files say then.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from ludarium.core.jit import NEWEST, OLDEST
from tests.conftest import USUAL_CACHE
from tests.folders import ROOT
from tests.forked import ForkingProcess

DRIVER = """
import json, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    from ludarium.core import jit
    compiled = []
    jit.on_compile.append(compiled.append)
    {code}
print(json.dumps([result, compiled, [str(one.message) for one in caught if issubclass(one.category, RuntimeWarning)]]))
"""

KERNEL = """
from ludarium.core.jit import compiled, kernel
from ludarium.core.rules import to_move

@kernel()
def ask(tables, state):
    return to_move(tables, state)

@kernel()
def ask_again(tables, state):
    return 10 * to_move(tables, state)
"""

GAME = """
from typing import NamedTuple
from ludarium.core.rules import to_move

class {name}Tables(NamedTuple):
    number: int

@to_move.implement({name}Tables)
def _(tables, state):
    return tables.number + {value}
"""


@dataclass
class Outcome:
    result: object
    compiled: list[str]
    warnings: list[str]


class Workshop:
    """A folder of modules, and processes that import them."""

    def __init__(self, folder: Path, forking: Iterator[ForkingProcess]) -> None:
        self.folder = folder
        self._forking = forking
        self._edits = 0

    def write(self, **modules: str) -> None:
        """Write modules. Their times differ by whole seconds, as after an edit by hand: Python's own cache cannot tell less."""
        self._edits += 1
        for name, text in modules.items():
            path = self.folder / f"{name}.py"
            path.write_text(text)
            os.utime(path, (1_700_000_000 + 10 * self._edits,) * 2)

    def run(self, code: str = "import program; result = program.run()", apart: int | None = None, **environment: str) -> Outcome:
        """``apart``: a number for code that runs at the same time as others."""
        main = self.folder / f"main{apart}.py"
        main.write_text(DRIVER.format(code=code))
        variables = {**os.environ, "NUMBA_CACHE_DIR": str(self.folder / "cache"), "NUMBA_DISABLE_JIT": "0", **environment}
        done = next(self._forking).run(main, folder=self.folder, variables=variables)
        assert done.returncode == 0, done.stderr
        return Outcome(*json.loads(done.stdout))

    def files(self) -> list[Path]:
        return sorted((self.folder / "cache").rglob("*.nbc"))


@pytest.fixture(scope="module")
def forking() -> Iterator[Iterator[ForkingProcess]]:
    """Two in turns, so that each process hashes texts otherwise than the one before."""
    two = [ForkingProcess(), ForkingProcess()]
    yield itertools.cycle(two)
    for one in two:
        one.close()


@pytest.fixture
def workshop(tmp_path: Path, forking: Iterator[ForkingProcess]) -> Workshop:
    return Workshop(tmp_path, forking)


def test_two_games_with_one_function_name_keep_their_own_rules(workshop: Workshop) -> None:
    workshop.write(rules=KERNEL, one=GAME.format(name="One", value=100), two=GAME.format(name="Two", value=200))
    only = "import rules, {module}; result = rules.ask({module}.{name}Tables(1), 0)"
    assert workshop.run(only.format(module="one", name="One")) == Outcome(101, ["ask"], [])
    assert workshop.run(only.format(module="two", name="Two")) == Outcome(201, ["ask"], [])
    both = "import rules, two, one; result = [rules.ask(two.TwoTables(1), 0), rules.ask(one.OneTables(1), 0)]"
    assert workshop.run(both) == Outcome([201, 101], [], [])
    mixed = "import rules, two, one; result = [rules.ask(one.OneTables(1), 0), rules.ask_again(two.TwoTables(1), 0), rules.ask_again(one.OneTables(1), 0)]"
    assert workshop.run(mixed) == Outcome([101, 2010, 1010], ["ask_again", "ask_again"], [])


def test_a_second_tables_class_of_the_same_name_is_refused(workshop: Workshop) -> None:
    workshop.write(one=GAME.format(name="One", value=100), two=GAME.format(name="One", value=200))
    code = "import one\n    try:\n        import two\n    except TypeError as refused:\n        result = str(refused)"
    assert workshop.run(code).result == "a tables class named OneTables exists already, in one; these names are unique"


def test_what_only_compiled_functions_call_says_how_python_may(workshop: Workshop) -> None:
    workshop.write(
        program="from ludarium.core.jit import compiled, kernel, plain\n\n@compiled\ndef one():\n    return 1\n\n"
        "@compiled\ndef two():\n    return one() + one()\n\n@kernel()\ndef run():\n    return two()\n"
    )
    code = "import program\n    result = [program.run(), program.plain(program.one)()]\n    try:\n        program.plain(program.two)()\n"
    code += "    except TypeError as refused:\n        result.append(str(refused))"
    said = "one is compiled for compiled callers; from Python, call a kernel or plain(one); plain() of its caller is not enough"
    assert workshop.run(code).result == [2, 1, said]


def test_a_second_generic_function_of_the_same_name_is_refused(workshop: Workshop) -> None:
    workshop.write(other="from ludarium.core.rules import generic\n\n@generic\ndef to_move(tables, state) -> int:\n    ...\n")
    code = "try:\n        import other\n    except TypeError as refused:\n        result = str(refused)"
    assert "to_move exists already" in str(workshop.run(code).result)


def test_a_game_that_was_removed_disturbs_nobody(workshop: Workshop) -> None:
    workshop.write(rules=KERNEL, one=GAME.format(name="One", value=100), two=GAME.format(name="Two", value=200))
    workshop.run("import rules, one; result = rules.ask(one.OneTables(1), 0)")
    (workshop.folder / "one.py").unlink()
    code = "import rules, two; result = rules.ask(two.TwoTables(1), 0)"
    assert workshop.run(code) == Outcome(201, ["ask"], [])
    assert workshop.run(code) == Outcome(201, [], [])


PROGRAM = {
    "constants": "N = 1\nM = 20\nPAIR = (300, 0)\n",
    "between": "from constants import M\n",
    "colours": "import enum\nimport constants\n\nclass Colour(enum.IntEnum):\n    RED = 4000\n",
    "helpers": "from ludarium.core.jit import compiled\n\n@compiled\ndef helper(x):\n    return x\n",
    "factory": (
        "from ludarium.core.jit import compiled\n\ndef make(step):\n    @compiled\n    def added(x, y=step):\n        return x + step - y\n    return added\n"
    ),
    "implementation": GAME.format(name="Some", value=0),
    "stubs": "from ludarium.core.rules import generic\n\n@generic\ndef bonus(tables, state) -> int:\n    ...\n",
    "fallback": "import stubs\n\n@stubs.bonus.implement(object)\ndef _(tables, state):\n    return 0\n",
    "program": (
        "import between\nimport fallback\nimport stubs\nfrom colours import Colour\n"
        "from constants import N, PAIR\nfrom factory import make\nfrom helpers import helper\n"
        "from implementation import SomeTables\nfrom ludarium.core.jit import compiled, kernel\nfrom ludarium.core.rules import to_move\n"
        "first, second = make(0), make(0)\nSTEPS = (first, second)\n\n"
        "@kernel()\ndef ask(tables, x):\n"
        "    return to_move(tables, x) + helper(x) + N + between.M + PAIR[0] + Colour.RED + STEPS[0](0, 0) + 2 * second(0, 0) + stubs.bonus(tables, x)\n\n"
        "def run():\n    return ask(SomeTables(0), 0)\n"
    ),
}

EDITS: list[tuple[str, str, str, int]] = [
    ("implementation", "number + 0", "number + 50000", 50000),
    ("helpers", "return x", "return x + 600000", 600000),
    ("fallback", "return 0", "return 7000000", 7000000),
    ("constants", "N = 1", "N = 2", 1),
    ("constants", "M = 20", "M = 30", 10),
    ("constants", "300, 0", "400, 0", 100),
    ("colours", "4000", "5000", 1000),
    ("program", "make(0), make(0)", "make(7), make(9)", 25),
    ("program", "make(7), make(9)", "make(9), make(7)", -2),
    ("factory", "x + step - y", "x + 2 * step - y", 23),
]


def test_every_edit_of_what_a_kernel_reaches_is_seen_in_the_next_process(workshop: Workshop) -> None:
    files = dict(PROGRAM)
    workshop.write(**files)
    expected = 4321
    assert workshop.run() == Outcome(expected, ["ask"], [])
    assert workshop.run() == Outcome(expected, [], [])
    for module, old, new, difference in EDITS:
        assert old in files[module]
        files[module] = files[module].replace(old, new)
        workshop.write(**{module: files[module]})
        expected += difference
        assert workshop.run() == Outcome(expected, ["ask"], []), (module, new)
    workshop.write(unrelated="N = 5\n", constants=files["constants"] + "UNUSED = 1\n")
    assert workshop.run("import unrelated, program; result = program.run()") == Outcome(expected, [], [])
    workshop.write(constants=files["constants"].replace("N = 2", "N = 1"))
    assert workshop.run() == Outcome(expected - 1, ["ask"], [])


def test_an_edit_that_python_itself_overlooks_is_seen_when_python_sees_it(workshop: Workshop) -> None:
    """Python takes a file of the same size and second for unchanged and runs its old bytecode; that must not be kept as the new file's code."""
    program = "from ludarium.core.jit import kernel\n\n@kernel()\ndef ask(x):\n    return x + {}\n\ndef run():\n    return ask(0)\n"
    workshop.write(program=program.format(1))
    assert workshop.run().result == 1
    path = workshop.folder / "program.py"
    before = path.stat().st_mtime
    path.write_text(program.format(2))
    os.utime(path, (before, before))
    assert workshop.run().result == 1
    os.utime(path, (before + 10, before + 10))
    assert workshop.run() == Outcome(2, ["ask"], [])


def test_an_edit_while_a_process_runs_does_not_pass_old_code_for_new(workshop: Workshop) -> None:
    program = "from ludarium.core.jit import kernel\n\n@kernel()\ndef ask(x):\n    return x + {}\n\ndef run():\n    return ask(0)\n"
    workshop.write(program=program.format(1))
    code = "import pathlib, program; path = pathlib.Path(program.__file__); path.write_text(path.read_text().replace('+ 1', '+ 22')); result = program.run()"
    assert workshop.run(code) == Outcome(1, ["ask"], [])
    assert workshop.run() == Outcome(22, ["ask"], [])


RECURSION = """
import numpy as np
from ludarium.core.jit import compiled, kernel

@kernel("int64(int64)")
def signed(n):
    return 0 if n <= 0 else 1 + signed(n - 1)

@compiled
def steps(n):
    if n <= 0:
        return 0
    return 1 + steps(n - 1)

@kernel()
def through_a_helper(n):
    return steps(n)
"""


def test_recursion_entered_with_a_narrow_integer_crashes_nobody(workshop: Workshop) -> None:
    workshop.write(program=RECURSION)
    code = "import numpy as np, program; result = [int(program.signed(kind(5))) for kind in (np.int32, np.int8, int)]"
    assert workshop.run(code) == Outcome([5, 5, 5], ["signed"], [])
    assert workshop.run(code) == Outcome([5, 5, 5], [], [])
    signed = "import numpy as np, program; result = [program.through_a_helper(kind(5)) for kind in (np.int32, np.int8)]"
    assert workshop.run(signed).warnings == []  # signed integers are widened before a helper sees them
    assert workshop.run(signed) == Outcome([5, 5], [], [])
    unsigned = "try:\n        import numpy, program; program.through_a_helper(numpy.uint32(5))\n    except TypeError as refused:\n        result = str(refused)"
    for _ in range(2):
        assert "another integer type" in str(workshop.run(unsigned).result)
    wide = "import program; result = program.through_a_helper(5)"
    assert workshop.run(wide) == Outcome(5, ["through_a_helper"], [])
    assert workshop.run(wide) == Outcome(5, [], [])


def test_a_kernel_that_calls_itself_without_a_signature_is_refused(workshop: Workshop) -> None:
    workshop.write(program="from ludarium.core.jit import kernel\n\n@kernel()\ndef down(n):\n    return 0 if n <= 0 else down(n - 1)\n")
    code = "try:\n        import program\n    except TypeError as refused:\n        result = str(refused)"
    assert "give its kernel a signature" in str(workshop.run(code).result)


def test_no_layout_of_tables_or_states_compiles_anew(workshop: Workshop) -> None:
    workshop.write(
        program="""
from typing import Any, NamedTuple
import numpy as np
from ludarium.core.faces import normalised
from ludarium.core.jit import kernel

class Inner(NamedTuple):
    array: Any

class LayoutTables(NamedTuple):
    array: Any
    number: Any
    inner: Any

@kernel()
def add(tables):
    return tables.array[0, 1] + tables.number + tables.inner.array[0, 1]

def run():
    plain = np.arange(6).reshape(2, 3)
    frozen = plain.copy()
    frozen.flags.writeable = False
    narrow = [plain.astype(kind) for kind in (np.int32, np.int16, ">i8")]
    kinds = [plain, frozen, np.asfortranarray(plain), *narrow, np.arange(24).reshape(2, 12)[:, ::4] // 4]
    return [int(add(normalised(LayoutTables(one, number, Inner(one))))) for one, number in zip(kinds, [1, np.int64(1), np.int32(1), np.int8(1), 1, 1, 1])]
"""
    )
    assert workshop.run() == Outcome([3] * 7, ["add"], [])
    game = """
    import ludarium, pickle, numpy as np
    from ludarium.core.game import State
    first = ludarium.game("tic-tac-toe").start().play("a1")
    frozen = first.copy_records()
    frozen.flags.writeable = False
    apart = np.zeros(2, first.game.dtype)[::2]
    apart[0] = first.copy_records()[0]
    first.to_move
    compiled.clear()
    states = [first, pickle.loads(pickle.dumps(first)), State(first.game, frozen), State(first.game, apart), ludarium.game("tic-tac-toe").parse(first.text)]
    result = [state.to_move for state in states]
    """
    assert workshop.run(game.strip()) == Outcome([[1]] * 5, [], [])


def test_nowhere_to_write_means_uncached_with_one_warning(workshop: Workshop) -> None:
    workshop.write(
        program=KERNEL + GAME.format(name="One", value=1) + "\ndef run():\n    return [ask(OneTables(0), 0), ask_again(OneTables(0), 0)]\n"
    )
    (workshop.folder / "__pycache__").write_text("not a folder")
    blocked = str(workshop.folder / "__pycache__" / "none")
    code = f"import tempfile; tempfile.tempdir = {blocked!r}; import program; result = program.run()"
    for _ in range(2):
        done = workshop.run(code, NUMBA_CACHE_DIR=blocked, XDG_CACHE_HOME=blocked, HOME=blocked)
        assert done.result == [1, 10]
        assert [one for one in done.compiled if one.startswith("ask")] == ["ask", "ask_again"]
        assert len(done.warnings) == 1
        assert "NUMBA_CACHE_DIR" in done.warnings[0]


def test_a_folder_that_vanishes_means_uncached_with_one_warning(workshop: Workshop) -> None:
    workshop.write(
        program=KERNEL + GAME.format(name="One", value=1) + "\ndef run():\n    return [ask(OneTables(0), 0), ask_again(OneTables(0), 0)]\n"
    )
    cache = workshop.folder / "cache"
    code = f"import pathlib, program, shutil; shutil.rmtree({str(cache)!r}); pathlib.Path({str(cache)!r}).write_text(''); result = program.run()"
    done = workshop.run(code)
    assert (done.result, done.compiled) == ([1, 10], ["ask", "ask_again"])
    assert len([one for one in done.warnings if "cannot be kept" in one]) == 1


def test_without_a_source_file_code_is_uncached_with_one_warning(workshop: Workshop) -> None:
    text = "from ludarium.core.jit import kernel\n@kernel()\ndef one(x):\n    return x + 1\n@kernel()\ndef two(x):\n    return x + 2\n"
    for _ in range(2):
        done = workshop.run(f"names = {{'__name__': 'typed'}}; exec({text!r}, names); result = [names['one'](0), names['two'](0)]")
        assert (done.result, done.compiled) == ([1, 2], ["one", "two"])
        assert len(done.warnings) == 1
        assert "without a source file" in done.warnings[0]


def _truncate(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _flip(data: bytes) -> bytes:
    return data[:3000] + bytes([data[3000] ^ 1]) + data[3001:]


@pytest.mark.parametrize("damage", [_truncate, _flip, lambda data: b"", lambda data: b"something else entirely" * 500])
def test_damaged_files_are_compiled_anew(workshop: Workshop, damage: Callable[[bytes], bytes]) -> None:
    workshop.write(
        program="from ludarium.core.jit import kernel\n\n@kernel()\ndef ask(x):\n    return x + 1\n\ndef run():\n    return ask(0)\n"
    )
    assert workshop.run() == Outcome(1, ["ask"], [])
    (file,) = workshop.files()
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    done = workshop.run()
    assert (done.result, done.compiled) == (1, ["ask"])
    assert len(done.warnings) == 1
    assert "damaged" in done.warnings[0]
    assert workshop.run() == Outcome(1, [], [])


def test_processes_that_compile_at_the_same_time_leave_a_whole_cache(workshop: Workshop) -> None:
    workshop.write(
        program=KERNEL + GAME.format(name="One", value=1) + "\ndef run():\n    return [ask(OneTables(0), 0), ask_again(OneTables(0), 0)]\n"
    )
    with ThreadPoolExecutor() as pool:
        for done in pool.map(lambda number: workshop.run(apart=number), range(2)):
            assert (done.result, done.warnings) == ([1, 10], [])
    assert workshop.run() == Outcome([1, 10], [], [])


def test_checked_and_unchecked_code_are_kept_apart(workshop: Workshop) -> None:
    workshop.write(
        program="""
import numpy as np
from ludarium.core.jit import kernel

@kernel()
def read(values, at):
    return values[at]

def run():
    try:
        read(np.zeros(8)[:4], 6)
    except IndexError:
        return "refused"
    return "read"
"""
    )
    assert workshop.run() == Outcome("read", ["read"], [])
    assert workshop.run(NUMBA_BOUNDSCHECK="1") == Outcome("refused", ["read"], [])
    assert workshop.run() == Outcome("read", [], [])
    assert workshop.run(NUMBA_BOUNDSCHECK="1") == Outcome("refused", [], [])


def test_a_function_as_an_argument_is_compiled_in_every_process_and_never_mistaken(workshop: Workshop) -> None:
    program = """
from ludarium.core.jit import compiled, kernel

@compiled
def given(x):
    return x + {}

@kernel()
def call(function, x):
    return function(x)

def run():
    return call(given, 0)
"""
    for value in (1, 1, 2):
        workshop.write(program=program.format(value))
        assert workshop.run() == Outcome(value, ["call"], [])
    assert workshop.files() == []


def test_code_that_nobody_has_used_for_a_month_is_deleted(workshop: Workshop) -> None:
    program = "from ludarium.core.jit import kernel\n\n@kernel()\ndef ask(x):\n    return x + {}\n\ndef run():\n    return ask(0)\n"
    for value in (1, 2):
        workshop.write(program=program.format(value))
        workshop.run()
    first, second = sorted(workshop.files(), key=lambda path: path.stat().st_mtime_ns)
    for file in (first, second):
        os.utime(file, (time.time() - 40 * 86_400,) * 2)
    assert workshop.run().compiled == []  # reading the second makes it young again
    workshop.write(program=program.format(3))
    workshop.run()
    assert first not in workshop.files()
    assert second in workshop.files()
    assert len(workshop.files()) == 2


def test_an_edit_of_a_page_or_a_command_compiles_nothing(workshop: Workshop) -> None:
    import ludarium

    copy = workshop.folder / "ludarium"
    shutil.copytree(Path(ludarium.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    code = "import ludarium; state = ludarium.game('tic-tac-toe').start().play('a1'); state.actions(); result = ludarium.__file__"
    first = workshop.run(code)
    assert first.result == str(copy / "__init__.py")
    assert set(first.compiled) == {"to_move_face", "legal_actions_face", "apply_actions_face"}
    assert workshop.run(code).compiled == []
    outside = [path for path in copy.rglob("*") if path.is_file() and path.relative_to(copy).parts[0] not in ("core",)]
    assert len(outside) > 20
    for path in outside:
        path.write_bytes(path.read_bytes() + b"\n")
    assert workshop.run(code).compiled == []
    rules = copy / "core" / "rules.py"
    rules.write_text(rules.read_text() + "\n# edited\n")
    assert set(workshop.run(code).compiled) == set(first.compiled)


def test_rules_are_optimised_once_in_the_kernel_that_calls_them(workshop: Workshop) -> None:
    """Numba puts a function between a kernel and a game's rules. It waits to be linked, as the rules do: optimised by itself, it would cost them twice."""
    workshop.write(kernels=KERNEL, first=GAME.format(name="First", value=1))
    counting = """
    from ludarium.core.libraries import KernelLibrary
    optimised, optimise = [], KernelLibrary._optimize_final_module
    def count(self):
        optimised.append(self.name.rpartition(".")[2])
        optimise(self)
    KernelLibrary._optimize_final_module = count
    import kernels, first
    result = [kernels.ask(first.FirstTables(1), 0), optimised]
    """
    assert workshop.run(counting.strip()).result == [2, ["ask"]]


def test_numbers_that_differ_only_in_type_are_told_apart() -> None:
    """What Numba freezes into machine code has a type: 1, 1.0, True and NumPy's ones are five constants."""
    from ludarium.core.fingerprint import fingerprint

    def reader(value: object) -> object:
        def read() -> object:
            return value

        return read

    values = [1, 1.0, True, np.int64(1), np.int32(1), "1", b"1", (1,), (1.0,), np.array([1]), np.array([1.0]), np.array([[1]]), None]
    assert len({fingerprint(reader(value), ()) for value in values}) == len(values)
    assert fingerprint(reader((1, 2)), ()) == fingerprint(reader((1, 2)), ())


def test_the_versions_of_numba_that_are_known_are_asked_for_and_tested() -> None:
    (major, oldest), (same_major, newest) = OLDEST, NEWEST
    assert major == same_major
    assert f'"numba >= {major}.{oldest}, < {major}.{newest + 1}"' in (ROOT / "pyproject.toml").read_text()
    tested = (ROOT / ".ci" / "run").read_text()
    assert "\nmake test\n" in tested  # in an environment with the newest
    assert " test-lowest " in tested
    assert " tests/core/test_jit_cache.py" in (ROOT / "Makefile").read_text().partition("\ntest-lowest:")[2].partition("\n\n")[0]


OTHER_VERSION = """
import sys
import numba, numba.core.caching, numba.core.codegen
numba.__version__, numba.version_info = "{0}.{1}.0", numba.version_info._replace(short=({0}, {1}))
del numba.core.caching.CompileResultCacheImpl, numba.core.codegen.JITCodeLibrary
"""
"""Another version of Numba as far as one can tell, in which private names are gone. Python runs ``sitecustomize`` when it starts."""


@pytest.mark.parametrize(("version", "edits"), [((0, 59), [EDITS[0], EDITS[1], EDITS[3]]), ((1, 0), [EDITS[1]])])
def test_another_version_of_numba_compiles_anew_what_was_edited(
    workshop: Workshop, version: tuple[int, int], edits: list[tuple[str, str, str, int]]
) -> None:
    workshop.write(sitecustomize=OTHER_VERSION.format(*version))
    files = dict(PROGRAM)
    workshop.write(**files)
    expected = 4321
    for module, old, new, difference in edits:
        done = workshop.run()
        assert done.result == expected
        assert len(done.warnings) == 1
        assert f"this is {version[0]}.{version[1]}.0, so every process compiles it" in done.warnings[0]
        files[module] = files[module].replace(old, new)
        workshop.write(**{module: files[module]})
        expected += difference
    assert workshop.run().result == expected
    assert not [path for path in (workshop.folder / "cache").rglob("*") if path.is_file()]


def test_another_version_of_numba_keeps_games_and_integers_apart(workshop: Workshop) -> None:
    workshop.write(
        sitecustomize=OTHER_VERSION.format(0, 99),
        rules=KERNEL,
        one=GAME.format(name="One", value=100),
        two=GAME.format(name="Two", value=200),
        program=RECURSION,
    )
    for first, second in (("one.OneTables(1)", "two.TwoTables(1)"), ("two.TwoTables(1)", "one.OneTables(1)")):
        code = f"""import numpy as np, one, program, rules, two
    numbers = [function(kind(5)) for function in (program.signed, program.through_a_helper) for kind in (np.int32, np.int8, np.uint32, int)]
    result = [rules.ask({first}, 0), rules.ask({second}, 0), numbers]"""
        done = workshop.run(code)
        assert done.result in ([101, 201, [5] * 8], [201, 101, [5] * 8])
        assert (done.result[0] == 101) == first.startswith("one")


def test_another_version_of_numba_plays_the_same_games(workshop: Workshop, scale: int) -> None:
    """Kernels that take long to compile are for the soak: it is the versions that differ, not what they are given."""
    code = f"""
    import ludarium
    from ludarium.search import perft, playouts
    state = ludarium.game({"tic-tac-toe" if scale == 1 else "expendibots"!r}).start()
    result = [perft(state, 3), repr(playouts(state, 20, seed=7))]
    """
    here = workshop.run(code.strip(), NUMBA_CACHE_DIR=USUAL_CACHE).result
    workshop.write(sitecustomize=OTHER_VERSION.format(0, 99))
    assert workshop.run(code.strip()).result == here
