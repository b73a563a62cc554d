"""The calculator of values, as people use it."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ludarium.cgt import Value
from ludarium.cgt.calculator import COMMANDS, FUNCTIONS, LAST, Calculator
from ludarium.cli.answers import answer_object
from ludarium.cli.entry import run
from ludarium.cli.thermograph import thermograph_text
from ludarium.errors import BadNotation, NoAtomicWeight
from tests.command_line import PROGRAM, run_program

Output = pytest.CaptureFixture[str]


def printed(output: Output, *arguments: str) -> str:
    assert run(["cgt", *arguments]) == 0
    caught = output.readouterr()
    assert caught.err == ""
    return caught.out


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("^ + v*", "*"),
        ("cool({3|-1}, 1)", "{2|0}"),
        ("heat(*, 1)", "+-1"),
        ("heat(*, 3/2)", "+-3/2"),
        ("reduced({1^|*})", "{1|0}"),
        ("2.aw(^3*) + atomic_weight(v)", "5"),
        ("mean({3|-1}) + temperature({3|-1})", "3"),
        ("left_stop({5||3|1}) - right_stop({5||3|1})", "2"),
        ("mean ({3|-1}) + 1", "{4|0}"),
        ("options({1|0})", "{1|0}"),
        (" aw  ^ ", "^"),
    ],
)
def test_expressions(line: str, value: str) -> None:
    assert Calculator().answer(line).value is Value(value)


@pytest.mark.parametrize(
    ("line", "holds"),
    [
        ("Tiny(2) < ^", True),
        ("^ < Tiny(2)", False),
        ("* | 0", True),
        ("* || ^", True),
        ("*<>^", True),
        ("0 | ^", False),
        ("0 <= ^", True),
        ("0 >= ^", False),
        ("^ > 0", True),
        ("{0|*} == ^", True),
        ("{0|*} = ^", True),
        ("{0|*} != ^", False),
        ("* <| ^", True),
        ("^ <| *", True),
        ("^^ <| *", False),
        ("^^ |> *", True),
        ("* |> ^^", False),
        ("v < 0 < ^ < ^^", True),
        ("v < 0 < ^^ < ^", False),
        ("0 > ^ < ^^", False),
    ],
)
def test_relations(line: str, holds: bool) -> None:
    answer = Calculator().answer(line)
    assert (answer.value, answer.holds) == (None, holds)
    assert answer_object(answer) == {"holds": holds}


def test_variables() -> None:
    calculator = Calculator()
    assert calculator.answer("x := {3|-1}").variable == "x"
    assert calculator.answer("_").value is Value("{3|-1}")
    assert calculator.answer("y = x - 1").value is Value("{2|-2}")
    assert calculator.answer("x == y + 1").holds
    assert calculator.answer("ans").value is Value("{2|-2}")
    assert calculator.answer("x := x + x").value is Value(2)
    assert calculator.answer("mean x").command == "mean"
    for name in (*COMMANDS, *FUNCTIONS, *LAST, "v", "vv", "v1", "Tiny", "help"):
        with pytest.raises(BadNotation, match=f"^'{name}' cannot be the name of a variable: it means something else$"):
            calculator.answer(f"{name} := 1")
    with pytest.raises(BadNotation, match=r"^'z := x < 1': expected an operator or the end at character 8, found '<'$"):
        calculator.answer("z := x < 1")
    with pytest.raises(BadNotation, match="'z'"):
        calculator.answer("z")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "'': expected a value at character 1, found the end"),
        ("mean", "'mean': expected a value at character 5, found the end"),
        ("mean 1 < 2", "'mean 1 < 2': expected an operator or the end at character 8, found '<'"),
        ("1 <", "'1 <': expected a value at character 4, found the end"),
        ("temprature ^", "did you mean temperature?"),
        ("1 + cool(1)", "expected 2 values in the parentheses after cool at character 11, found '1'"),
        ("cool(1,^)", "^ is no temperature to cool to: that is a number from -1 on"),
        ("1 + foo", "'1 + foo': expected a value or one of: cool, heat, "),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(line: str, said: str, capsys: Output) -> None:
    with pytest.raises(BadNotation) as caught:
        Calculator().answer(line)
    assert said in str(caught.value)
    assert run(["cgt", line]) == 2
    assert capsys.readouterr().err == f"error: {caught.value}\n"


def test_a_value_is_shown_with_what_a_game_theorist_asks(capsys: Output) -> None:
    assert printed(capsys, "{2^*|0}").splitlines() == [
        "{2^*|0}",
        "symbols        {2↑*|0}",
        "kind           hot",
        "outcome        N: the next player wins, who begins",
        "stops          2, 0",
        "mean           1",
        "temperature    1",
        "atomic weight  none",
        "reduced        {2|0}",
        "birthday       5",
        "followers      6",
    ]
    assert "uptimal        1^^ + v<2> + *" in printed(capsys, "1^^ + v<2> + *").splitlines()


def test_a_long_value_is_not_shown_but_told(capsys: Output) -> None:
    line = "{" * 600 + "1" + "".join(f"|{number}}}" for number in range(-1, -601, -1))
    assert printed(capsys, line).startswith("(a text of more than 3,000 characters; 'canonical' prints it)\n")
    assert len(printed(capsys, f"canonical {line}")) > 3000
    assert json.loads(printed(capsys, "--json", line))["canonical"] is None
    long = json.loads(printed(capsys, "--json", f"1/{Decimal(2**15000)}"))
    assert (long["canonical"], len(long["mean"]), long["temperature"]) == (None, 4518, f"-{long['mean']}")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("3", "integer, cold"),
        ("0", "integer, all-small, cold"),
        ("1/2", "dyadic fraction, cold"),
        ("*2", "nimber, all-small, tepid"),
        ("^<2>*", "uptimal, all-small, tepid"),
        ("1^", "uptimal, tepid"),
        ("+-1", "switch, hot"),
        ("Tiny(1)", "infinitesimal, tepid"),
        ("{3|1||0}", "hot"),
    ],
)
def test_kinds(value: str, kind: str, capsys: Output) -> None:
    assert f"kind           {kind}" in printed(capsys, value).splitlines()


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("mean {3|-2}", "1/2"),
        ("temperature {3|-2}", "5/2"),
        ("temperature 3/4", "-1/4"),
        ("stops {3|-2}", "Left           3\nRight          -2"),
        ("outcome ^*", "N: the next player wins, who begins"),
        ("outcome Miny(2)", "R: Right wins, whoever begins"),
        ("birthday ^", "2"),
        ("followers ^", "3"),
        ("aw ^3*", "3"),
        ("atomic_weight v", "-1"),
        ("atomic_weight +-(^^*)", "*"),
        ("reduced {1^|*}", "{1|0}"),
        ("options +-{3,{5|2}}", "Left           3, {5|2}\nRight          -3, {-2|-5}"),
        ("options 1", "Left           0\nRight          none"),
        ("incentives {3|-1}", "Left           {4|0}\nRight          {4|0}"),
        ("canonical {0,1|3}", "2"),
        ("braces ^", "{0|*}"),
        ("unicode ^^*", "⇑*"),
        ("x := 2.{2|1}", "x = 3"),
        ("Tiny(2) < ^", "true"),
        ("Tiny(2) > ^", "false"),
    ],
)
def test_commands_print_what_they_ask_for(line: str, text: str, capsys: Output) -> None:
    assert printed(capsys, line) == f"{text}\n"


def test_an_atomic_weight_that_is_none_is_an_error(capsys: Output) -> None:
    assert run(["cgt", "aw +-1"]) == 2
    assert capsys.readouterr().err.startswith("error: no atomic weight")
    with pytest.raises(NoAtomicWeight):
        Calculator().answer("1 + aw(+-1)")


def test_expressions_may_begin_with_a_minus_and_be_several_words(capsys: Output) -> None:
    assert printed(capsys, "-^").startswith("v\n")
    assert printed(capsys, "--json", "-1/2", "+", "1")[:30] == '{"canonical": "1/2", "braces":'
    assert printed(capsys, "mean", "{3|-1}") == "1\n"
    assert run(["cgt", "--nothing", "1"]) == 2
    assert "No such option" in capsys.readouterr().err
    assert run(["cgt", "-h"]) == 0
    assert "Usage: ludarium cgt" in capsys.readouterr().out


def test_json(capsys: Output) -> None:
    assert json.loads(printed(capsys, "{3|-1}", "--json")) == {
        "canonical": "{3|-1}",
        "braces": "{3|-1}",
        "outcome": "N",
        "mean": "1",
        "temperature": "2",
        "left_stop": "3",
        "right_stop": "-1",
        "atomic_weight": None,
        "birthday": 4,
        "followers": 6,
        "merkle64": Value("{3|-1}").merkle64,
    }
    plain = json.loads(printed(capsys, "--json", "{3|-1}"))
    for line, more in {
        "options {3|-1}": {"left_options": ["3"], "right_options": ["-1"]},
        "incentives {3|-1}": {"left_incentives": ["{4|0}"], "right_incentives": ["{4|0}"]},
        "thermograph {3|-1}": {"left_wall": [["-1", "4"], ["2", "1"]], "right_wall": [["-1", "-2"], ["2", "1"]]},
        "unicode {3|-1}": {"unicode": "{3|−1}"},
        "reduced {3|-1}": {"reduced": "{3|-1}"},
        "x := {3|-1}": {"variable": "x"},
        "mean {3|-1}": {},
        "canonical {3|-1}": {},
    }.items():
        assert json.loads(printed(capsys, "--json", line)) == plain | more


DRAWN = """
    │                     │
3/2 ┤                     │
    │                    ╱ ╲
  1 ┤                  ╱     ╲
    │                ╱        │
    │              ╱          │
    │            ╱            │
  0 ┤          ╱              │
    │        ╱                │
    │      ╱                  │
    │    ╱                    │
 −1 ┤  ╱                      │
    └───────────────────────────
      6       5          7/2  3

mean 7/2, temperature 3/2
left wall   6 at -1 – 7/2 at 3/2
right wall  3 at -1 – 3 at 1 – 7/2 at 3/2
"""


def test_a_thermograph_in_the_terminal() -> None:
    assert thermograph_text(Value("{5||3|1}").thermograph).plain == DRAWN.strip("\n")


def test_a_thermograph_as_svg(capsys: Output, tmp_path: Path) -> None:
    file = tmp_path / "hot.svg"
    assert printed(capsys, "thermograph +-{3,{5|2}}", "--svg", str(file)) == ""
    svg = ElementTree.parse(file).getroot()
    assert svg.tag.endswith("svg")
    assert "+-{3,{5|2}}" in "".join(svg.itertext())
    assert printed(capsys, "mean {2|1}", "--svg", str(file)) == "3/2\n"
    for arguments, said in {
        ("1 < 2", "--svg", str(file)): "--svg draws the thermograph of a value, and a relation has none",
        ("--svg", str(file)): "--svg draws the thermograph of an expression: give one",
        ("1", "--svg", "/"): "/ cannot be written: Is a directory",
    }.items():
        assert run(["cgt", *arguments]) == 2
        assert capsys.readouterr().err == f"error: {said}\n"


def test_lines_of_standard_input_are_answered_one_by_one() -> None:
    typed = "x := 2.^\n\n# ups\nx > 0\nmean\nx +\nstops {3|-1}\nquit\nmean 7\n"
    done = run_program("cgt", typed=typed)
    assert done.stdout == "x = ^^\ntrue\nLeft           3\nRight          -1\n"
    assert done.stderr.splitlines() == [
        "error: line 5: 'mean': expected a value at character 5, found the end",
        "error: line 6: 'x +': expected a value at character 4, found the end",
    ]
    assert done.returncode == 2
    done = run_program("cgt", "--json", typed=b"mean 1\n1 < 2\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert [next(iter(json.loads(line))) for line in done.stdout.splitlines()] == ["canonical", "holds"]


def test_junk_is_answered_in_one_line() -> None:
    done = run_program("cgt", typed=b"\xff\x00\xfe\n" + b"(" * 50_000 + b"\nmean 1\n")
    assert (done.returncode, done.stdout) == (2, "1\n")
    assert [line[:15] for line in done.stderr.splitlines()] == ["error: line 1: ", "error: line 2: "]


class Terminal:
    """The program at a terminal of its own, with a data folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.terminal, inside = pty.openpty()
        environment = {**os.environ, "TERM": "dumb", "XDG_DATA_HOME": str(folder)}
        self.program = subprocess.Popen(
            [PROGRAM, "cgt"], stdin=inside, stdout=inside, stderr=inside, env=environment, start_new_session=True
        )
        os.close(inside)
        assert self.shows("cgt> ")

    def shows(self, text: str, seconds: float = 60) -> bool:
        """Whether the text is printed within so much time; reads no further than what was printed with it."""
        seen = b""
        while text.encode() not in seen:
            if not select.select([self.terminal], [], [], seconds)[0]:
                return False
            seen += os.read(self.terminal, 4096)
        return True

    def type(self, keys: str) -> None:
        os.write(self.terminal, keys.encode())

    def leave(self, keys: str) -> int:
        self.type(keys)
        code = self.program.wait(60)
        os.close(self.terminal)
        return code


def test_a_prompt_with_history(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    for typed, shown in {"x := 3.^\n": "x = ^3\r\ncgt> ", "aw\n": "found the end\r\ncgt> ", "tempera\t {3|1}\n": "\r\n1\r\ncgt> "}.items():
        terminal.type(typed)
        assert terminal.shows(shown)
    terminal.type("1 + ")
    assert terminal.shows("1 + ")
    while not terminal.shows("cgt> ", 2):  # a signal that comes just before readline waits is seen only at the next one
        terminal.program.send_signal(signal.SIGINT)
    terminal.type("x > 0\n")
    assert terminal.shows("true\r\ncgt> ")  # before it asks again, the end of what is typed would be lost
    assert terminal.leave("\x04") == 0
    assert (tmp_path / "ludarium" / "cgt-history").read_text().splitlines() == ["x := 3.^", "aw", "temperature {3|1}", "x > 0"]

    again = Terminal(tmp_path)
    again.type("\x10\x10\x10\x10")  # as the key up
    assert again.shows("x := 3.^")
    again.type("\n")
    assert again.shows("x = ^3\r\ncgt> ")
    assert again.leave("\x04") == 0


def test_ctrl_c_ends_a_computation_and_not_the_prompt(tmp_path: Path) -> None:
    large = " + ".join(f"{{{3**i}|{2**i}||{-i}|{-(5**i)}}}" for i in range(1, 14))
    terminal = Terminal(tmp_path)
    terminal.type(f"{large}\n")
    while not terminal.shows("\ncgt> ", 2):
        terminal.program.send_signal(signal.SIGINT)
    terminal.type("{0|0}\n")
    assert terminal.shows("nimber")
    assert terminal.leave("exit\n") == 0


def test_a_history_that_cannot_be_kept_is_told(tmp_path: Path) -> None:
    (tmp_path / "ludarium").write_text("not a folder")
    terminal = Terminal(tmp_path)
    terminal.type("quit\n")
    assert terminal.shows("notice: what was typed is not kept in ")
    assert terminal.leave("") == 0


def test_a_huge_number_is_an_answer_like_others(capsys: Output) -> None:
    answer = json.loads(printed(capsys, "--json", f"{2**61} + 1"))
    assert answer == {
        "canonical": "2305843009213693953",
        "braces": "2305843009213693953",
        "outcome": "L",
        "mean": "2305843009213693953",
        "temperature": "-1",
        "left_stop": "2305843009213693953",
        "right_stop": "2305843009213693953",
        "atomic_weight": None,
        "birthday": 2305843009213693953,
        "followers": 2305843009213693954,
        "merkle64": Value(2**61 + 1).merkle64,
    }
    assert printed(capsys, f"followers +-{2**61}") == f"{2**62 + 2}\n"
    assert printed(capsys, f"65536.^ < 1/{Decimal(2**4000)}") == "true\n"
