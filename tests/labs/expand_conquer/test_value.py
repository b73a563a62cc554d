"""``ludarium expand-conquer value``: one board, several, many."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from ludarium.cgt import Value, value
from ludarium.cli.entry import run
from ludarium.games.expand_conquer.values import ExpandConquerRuleset
from tests.command_line import PROGRAM, run_program
from tests.folders import DATA, DOCS

ROWS = DATA / "cgt" / "expand-and-conquer.jsonl"
PAGE = DOCS / "expand-and-conquer.md"
VALUE = ["expand-conquer", "value"]
EXPLODES = "|".join(["*****"] * 5)
KEYS = ["board", "variant", "canonical", "braces", "outcome", "mean", "temperature", "left_stop", "right_stop", "atomic_weight", "birthday"]
KEYS += ["n_left", "n_right", "followers", "merkle64", "components"]


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run([*VALUE, *arguments]) == 0
    output = capsys.readouterr()
    assert output.err == ""
    return output.out


def analysed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    return json.loads(printed(capsys, *arguments, "--json"))


def test_a_board_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "X*O*O") == (
        "value          1/2\n"
        "braces         {0|1}\n"
        "outcome        L: Left wins, whoever begins\n"
        "mean           1/2\n"
        "temperature    -1/2\n"
        "stops          1/2 when Left moves first, 1/2 when Right does\n"
        "atomic weight  none\n"
        "birthday       2\n"
        "followers      3\n"
        "\n"
        "components: 1\n"
        "(0,0)  X*O*O  1/2\n"
        "\n"
        "Left can move to 2 boards\n"
        "(0,2)  0  Left wins\n"
        "(0,4)  *  Left loses\n"
        "\n"
        "Right can move to 1 board\n"
        "(0,0)  1  Right loses\n"
    )


def test_a_board_where_nobody_can_move(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "***").endswith("components: none\n\nLeft can move to 0 boards\n\nRight can move to 0 boards\n")


def test_a_board_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Figure 19 of the paper, all-small: two expansions and two placements."""
    found = analysed(capsys, "XO*|***|*XO", "--variant", "all-small")
    assert list(found) == [*KEYS, "left_options", "right_options"]
    assert (found["canonical"], found["outcome"], found["atomic_weight"]) == ("0", "P", "0")
    assert [option["actions"] for option in found["left_options"]] == [["(0,1)"], ["(2,2)"], ["+(1,0)"], ["+(2,0)"]]
    assert [option["board"] for option in found["left_options"]] == ["XOO|*O*|*XO", "XO*|**O|*XO", "XO*|O**|*XO", "XO*|***|OXO"]
    assert [option["wins"] for option in found["left_options"]] == [False] * 4
    for option in found["left_options"] + found["right_options"]:
        assert Value(option["canonical"]) is value(ExpandConquerRuleset("all-small"), option["board"])
        assert option["outcome"] == Value(option["canonical"]).outcome


def test_groups_that_fill_the_same_squares_are_one_option(capsys: pytest.CaptureFixture[str]) -> None:
    found = analysed(capsys, "O*O")
    assert (found["n_left"], found["left_options"][0]["actions"]) == (1, ["(0,0)", "(0,2)"])


def test_components_stand_where_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    """Figures 15 and 16: 21/8 is 2 and 1/8 and 1/2."""
    found = analysed(capsys, "**OX***O*OX*O*O")
    assert found["canonical"] == "21/8"
    assert [(one["at"], one["board"], one["canonical"]) for one in found["components"]] == [
        ("(0,0)", "**O", "2"),
        ("(0,3)", "X***O*O", "1/8"),
        ("(0,10)", "X*O*O", "1/2"),
    ]


@pytest.mark.parametrize(
    "typed",
    [
        ["X*O*O", "X*"],
        ["X*O*O", "L", "X*", "R"],
        ["X*O*O + X*"],
        ["x*o*o L+X* R"],
        ["X*O*O\n\nX*\n"],
        ["X*O*O", "+", "X*"],
    ],
)
def test_several_boards_are_added(capsys: pytest.CaptureFixture[str], typed: list[str]) -> None:
    found = analysed(capsys, *typed)
    assert (found["board"], found["canonical"], found["n_left"], found["n_right"]) == ("X*O*O + X*", "-1/2", 2, 2)
    assert [(one["of"], one["canonical"]) for one in found["components"]] == [(0, "1/2"), (1, "-1")]
    assert [(one["of"], one["board"], one["canonical"], one["wins"]) for one in found["right_options"]] == [
        (0, "XXO*O + X*", "0", True),
        (1, "X*O*O + XX", "1/2", False),
    ]


def test_the_options(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    options = "--batch --cgsuite --help --json --limit --memory --thermograph --variant"
    assert sorted(re.findall(r"^│ [* ]*(--[a-z-]+)", printed(capsys, "--help"), re.MULTILINE)) == options.split()


def test_the_page_shows_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```console\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    shown = re.findall(r"^\$ ludarium (expand-conquer value .*)\n((?:(?!\$ ).*\n)*)", "".join(blocks), re.MULTILINE)
    assert len(shown) == 3
    for typed, text in shown:
        assert printed(capsys, *shlex.split(typed)[2:]) == text


@pytest.mark.parametrize("typed", ["XO*\n***\n*XO", "XO*|\r\n***|\r\n*XO\r\n", "  xo*\n  ***\n  *xo L"])
def test_rows_may_stand_on_lines_of_their_own(capsys: pytest.CaptureFixture[str], typed: str) -> None:
    assert analysed(capsys, typed)["board"] == "XO*|***|*XO"


@pytest.mark.parametrize(
    ("board", "variant", "text"),
    [
        ("X*O*O", "normal", "1/2"),
        ("X*O*O*", "all-small", "v"),
        ("***|***|***", "all-small", "{^2*|v2*}"),
        ("O*OO|O*O*|***X|OX*X", "normal", None),
    ],
)
def test_a_value_for_cgsuite(capsys: pytest.CaptureFixture[str], board: str, variant: str, text: str | None) -> None:
    found = printed(capsys, board, "--variant", variant, "--cgsuite").strip()
    assert Value(found) is value(ExpandConquerRuleset(variant), board)
    assert text in (None, found)


def test_a_thermograph_is_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "thermograph.svg"
    printed(capsys, "***|***|***", "--variant", "all-small", "--thermograph", str(file))
    assert ElementTree.parse(file).getroot().tag == "{http://www.w3.org/2000/svg}svg"


def test_a_thermograph_that_cannot_be_written_is_told_before_the_work_or_after_the_value(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    arguments = [EXPLODES, "--variant", "all-small", "--memory", "50", "--thermograph"]
    assert run([*VALUE, *arguments, str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"error: {tmp_path} cannot be written: Is a directory\n"
    assert run([*VALUE, *arguments, str(tmp_path / "new.svg")]) == 2
    assert list(tmp_path.iterdir()) == []
    if Path("/dev/full").exists():
        assert run([*VALUE, "X*O*O", "--thermograph", "/dev/full"]) == 2
        output = capsys.readouterr()
        assert "value          1/2\n" in output.out
        assert output.err.endswith("error: /dev/full cannot be written: No space left on device\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "no board: give one such as 'X*O*O|****O'"),
        ([""], "'' is an empty board"),
        (["X*Q"], "'Q' in row 0, column 2"),
        (["X*O|X"], "row 1 has 1 square, row 0 has 3"),
        (["X*O*O +"], "'' is an empty board"),
        (["X*O L R"], "'X*O L R' is no board"),
        (["X*O north"], "'X*O north' is no board"),
        (["L"], "'L' in row 0, column 0"),
        (["|".join(["*********"] * 8)], "a board of 8×9 squares is too large for exact values; 64 squares are the most"),
        (["X*O", "--variant", "small"], "variant 'small' is not one of: normal, all-small; did you mean all-small?"),
        (["X*O", "--memory", "0"], "'0' is not a whole number, at least 1"),
        (["X*O", "--limit", "0"], "'0' is not a time with its unit, such as 20s or 200ms, at least 0.001s"),
        (["X*O", "--limit", "soon"], "'soon' is not a time with its unit, such as 20s or 200ms"),
        (["X*O", "--json", "--cgsuite"], "--cgsuite does not go together with --json"),
        (["X*O", "--batch", "-"], "--batch does not go together with a board"),
        (["--batch", "/no/such/file"], "/no/such/file cannot be read: No such file or directory"),
        (["X*O", "--thermograph", "/"], "/ cannot be written"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    assert run([*VALUE, *arguments]) == 2
    output = capsys.readouterr()
    assert (output.out, output.err.count("\n")) == ("", 1)
    assert output.err.startswith("error: ")
    assert said in output.err


@pytest.mark.parametrize(("bound", "said"), [(["--memory", "20"], "20 MB allowed"), (["--limit", "200ms"], "not done within 0.2 s: ")])
def test_a_board_that_explodes_is_announced_and_given_up(capsys: pytest.CaptureFixture[str], bound: list[str], said: str) -> None:
    assert run([*VALUE, EXPLODES, "--variant", "all-small", *bound]) == 2
    output = capsys.readouterr()
    announced, refused = output.err.splitlines()
    assert announced.startswith("25 empty squares hang together, with 0 groups beside them: some ")
    assert "Ctrl-C ends it" in announced
    assert said in refused
    assert output.out == ""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_leaves_one_line(number: int, code: int) -> None:
    command = [PROGRAM, *VALUE, EXPLODES, "--variant", "all-small"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        while "hang together" not in program.stderr.readline():  # after the line about compiling, if there is one
            pass
        program.send_signal(number)
        last = [line for line in program.stderr.read().splitlines() if not line.startswith("compiling")]
        assert program.wait(60) == code
        assert program.stdout.read() == ""
    assert len(last) == 1
    assert last[0].startswith("stopped after ")


def test_every_row_of_the_data_file_in_one_batch() -> None:
    """All fields, in order; compared with what several independent engines agree on."""
    rows = [json.loads(line) for line in ROWS.read_text().splitlines()]
    done = run_program(*VALUE, "--batch", str(ROWS))
    assert done.returncode == 0
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [list(one) for one in found] == [KEYS] * len(rows)
    assert [{key: one[key] for key in row} for one, row in zip(found, rows, strict=True)] == rows
    for one in found[::7]:
        if one["canonical"] is not None and None not in (parts := [part["canonical"] for part in one["components"]]):
            assert sum(map(Value, parts), Value(0)) is Value(one["canonical"])


def test_a_bad_line_loses_no_other_one() -> None:
    lines = [
        '{"board": "X*O*O"}',
        "nonsense",
        "",
        "[" * 100_000,
        '{"board": "X*O*O", "variant": "large"}',
        '{"board": 5}',
        '{"variant": "normal"}',
        '{"board": "X?"}',
        json.dumps({"board": EXPLODES, "variant": "all-small"}),
        '{"board": "X*O*O*", "variant": "all-small"}',
        "\N{BYTE ORDER MARK}{}",
        '{"board": "X*O\\n***", "variant": "normal"}',
    ]
    done = run_program(*VALUE, "--batch", "-", "--memory", "32", typed="\n".join(lines))
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 2
    assert [one.get("canonical") for one in found] == ["1/2", *[None] * 7, "v", None, "*"]
    wrong = [one for one in found if "error" in one]
    assert [one["line"] for one in wrong] == [2, 4, 5, 6, 7, 8, 9, 11]
    assert "32 MB allowed" in wrong[6]["error"]
    assert (wrong[6]["board"], wrong[6]["variant"]) == (EXPLODES, "all-small")
    said = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert said == [f"error: line {one['line']}: {one['error']}" for one in wrong]
    assert "line 9: 25 empty squares hang together" in done.stderr


def test_every_line_is_answered_at_once() -> None:
    with subprocess.Popen([PROGRAM, *VALUE, "--batch", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        for board, canonical in (("X*O*O", "1/2"), ("X*O", "*")):
            program.stdin.write(json.dumps({"board": board}) + "\n")
            program.stdin.flush()
            assert json.loads(program.stdout.readline())["canonical"] == canonical
        program.stdin.close()
        assert program.wait(60) == 0


def test_a_start_loads_only_what_it_needs() -> None:
    code = f"import sys\nfrom ludarium.cli.entry import run\nrun({[*VALUE, 'X*O*O']})\nprint(*sys.modules)"
    for _ in range(2):  # the first start may compile
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    loaded = set(done.stdout.split())
    assert "ludarium.labs.expand_conquer.exact.value_command" in loaded
    unwanted = {"rich", "matplotlib", "scipy.linalg", "ludarium.arena", "ludarium.players", "ludarium.search", "ludarium.web"}
    assert not (unwanted | {"numba.np.arraymath", "ludarium.games.expand_conquer.drawing"}) & loaded
