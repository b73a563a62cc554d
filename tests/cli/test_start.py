"""How the program starts, refuses and ends."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

import pytest

import ludarium
from ludarium.cli.entry import run
from tests.command_line import COMPILING, PROGRAM, run_program, start_program

INITIAL = "BB.BB.BB/BB.BB.BB/......../......../......../......../WW.WW.WW/WW.WW.WW w 0"
RECORD = '{"game":"expendibots","version":1,"options":{},"seed":null,"players":["a","b"],"time":"","format":1}\n'


def test_version_and_module_start() -> None:
    done = subprocess.run([sys.executable, "-m", "ludarium", "--version"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, f"ludarium {version('ludarium')}\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["nothing"],
            "command 'nothing' is not one of: games, play, match, tournament, sprt, store, show, replay, perft, cgt, train, serve, join, submit, netorcai",
        ),
        (["gmaes"], "did you mean games?"),
        (["--nothing"], "No such option"),
        (["perft"], "Missing argument 'GAME'"),
        (["perft", "chess", "3"], "'chess' is not one of: expand-conquer, expendibots"),
        (["perft", "", "3"], "'' is not one of"),
        (["perft", "expendibot", "3"], "did you mean expendibots?"),
        (["perft", "expendibots", "three"], "'DEPTH': 'three' is not a whole number, at least 0, at most 100"),
        (["perft", "expendibots", "9" * 30], "'DEPTH'"),
        (["perft", "expendibots", "9" * 5000], "'DEPTH'"),
        (["perft", "expendibots", "0", "--divide"], "from 1, not 0"),
        (["perft", "expendibots", "1", "--position", ""], "'' is no Expendibots position"),
        (["perft", "expendibots", "1", "-o", "turn_limit"], "'turn_limit' is not of the form key=value"),
        (["perft", "expendibots", "1", "-o", "turn_limit=0"], "turn_limit=0 is not a whole number, at least 1"),
        (["perft", "expendibots", "1", "-o", "turn_limit=1e999"], "turn_limit=1e999"),
        (["perft", "expendibots", "1", "-o", "self=1"], "option 'self' is not one of: turn_limit, repetition"),
        (["perft", "expendibots", "1", "-o", "id=1"], "option 'id' is not one of: turn_limit, repetition"),
        (["perft", "expendibots", "1", "-o", "turn_limit=5", "-o", "turn_limit=6"], "given twice"),
        (["show"], "Missing argument 'GAME'"),
        (["show", "expendibots", ""], "'' is no Expendibots position"),
        (["show", "expendibots", "W"], "'W' is no Expendibots position"),
        (["show", "expendibots", "9" * 5000], "is no Expendibots position"),
        (["show", "expendibots", INITIAL, "--svg", "/"], "/ cannot be written"),
        (["replay", "/"], "/: "),
        (["replay", "/no/such/file"], "No such file"),
        (["replay", "/dev/zero"], "zero: more than 268,435,456 bytes"),
        (["replay", os.devnull], "null is empty; a game record begins with a line about the game"),
        (["play", "expendibots", "random"], "played by 2 players (White, Black), not by 1"),
        (["play", "expendibots", "random", "random:"], "'random:' is no player"),
        (["play", "expendibots", "random", "random:x=1"], "player random: it takes no options, not 'x'"),
        (["play", "expendibots", "random", "human:x=1"], "human takes no options"),
        (["play", "expendibots", "random", "rando"], "did you mean random?"),
        (["play", "expendibots", "random", "random", "--record", "/"], "the record / cannot be written"),
        (["play", "expendibots", "random", "random", "--start", "nowhere"], "'nowhere' is no Expendibots position"),
        (["play", "expendibots", "random", "random", "--seed", "-1"], "'--seed'"),
        (["match", "expendibots", "random", "human"], "'human' is a person"),
        (["match", "expendibots", "random", "random", "--games", "0"], "'0' is not a whole number, at least 1, at most 1,000,000"),
        (["match", "expendibots", "random", "random", "--records", ""], "'' names no file or folder"),
        (["match", "expendibots", "random", "random", "--seed", "9" * 20], "is not a whole number, at least 0"),
        (["match", "expendibots", "random", "random", "--games", "1.5"], "'--games'"),
        (["match", "expendibots", "random", "random", "--workers", "0"], "'--workers'"),
        (["match", "expendibots", "random", "random", "--records", os.devnull], "records cannot be kept"),
        (["match", "expendibots", "random", f"./{'a' * 300}.py"], "a.py: File name too long"),
        (["store", "import", "a" * 300], "a: File name too long"),
        (["init-bot", "expendibots", f"{'a' * 300}.py"], "a.py: File name too long"),
        (["match", "tic-tac-toe", "random", "random", "-o", "size=4"], "it takes no options, not 'size'"),
        (["serve", "--port", "65536"], "'--port'"),
        (["serve", "--host", "no such host"], "no such host"),
        (["serve", "--host", "127..0.1"], "cannot listen on 127..0.1"),
        (["hexabomb", "serve", "--map", "tiny2", "--host", "127..0.1"], "cannot listen on 127..0.1"),
        (["netorcai", "join", "random", "--host", "127..0.1"], "cannot connect to 127..0.1"),
        (["expendibots", "join", "127..0.1", "random", "Ada"], "127..0.1:54321 cannot be reached"),
        (["serve", "--idle-hours", "nan"], "'--idle-hours'"),
        (["serve", "--idle-hours", "0"], "'--idle-hours'"),
        (["serve", "--idle-hours", "inf"], "'--idle-hours'"),
        (["serve", "--max-games", "0"], "'--max-games'"),
        (["serve", "--people-per-address", "0"], "'--people-per-address'"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: list[str], said: str
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))  # another worker's test may serve from the shared one
    assert run(arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("error: ")
    assert output.err.count("\n") == 1
    assert said in output.err


def test_help_says_what_happens_without_an_option(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    for command, defaults in {
        "match": ("a random one", "one a core", "default: 20"),
        "replay": ("the last",),
        "serve": ("ludarium in the user's data folder", "default: 8000"),
    }.items():
        assert run([command, "--help"]) == 0
        text = capsys.readouterr().out
        assert all(default in text for default in defaults)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("arguments", [["perft", "expendibots", "1"], ["games"], ["show", "expendibots", INITIAL]])
def test_a_full_disk_is_told_in_one_line(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert (done.returncode, done.stderr.replace(COMPILING, "")) == (2, "error: the output cannot be written: No space left on device\n")


def with_closed(stream: str, *arguments: str) -> tuple[int, str, str]:
    """The exit code, output and errors of the program when it is started with ``<&-``, ``>&-`` or ``2>&-``."""
    shell = ["sh", "-c", f'exec "$0" "$@" {stream}', PROGRAM]
    done = subprocess.run([*shell, *arguments], input="quit\n", capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr.replace(COMPILING, "")


@pytest.mark.parametrize("stream", ["<&-", "2>&-"])
def test_closed_input_is_an_empty_one_and_closed_errors_go_nowhere(stream: str) -> None:
    code, output, errors = with_closed(stream, "play", "expendibots", "human", "random")
    assert (code, errors) == (0, "")
    assert "The game stays unfinished" in output


@pytest.mark.parametrize("arguments", [["games"], ["--help"], ["play", "expendibots", "human", "random"]])
def test_closed_output_is_an_error_where_there_is_something_to_print(arguments: list[str]) -> None:
    assert with_closed(">&-", *arguments) == (2, "", "error: the output cannot be written: it is closed\n")


def test_closed_output_is_none_where_there_is_nothing_to_print(tmp_path: Path) -> None:
    assert with_closed(">&-", "show", "expendibots", INITIAL, "--svg", str(tmp_path / "board.svg")) == (0, "", "")


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    for arguments in ([b"perft", b"\xff\xfe", b"1"], [b"show", b"expendibots", b"\xff"], [b"replay", os.fsencode(tmp_path) + b"/\xff"]):
        done = run_program(*arguments)
        assert done.returncode == 2
        assert done.stderr.startswith("error: ")
        assert done.stderr.count("\n") == 1


def test_an_ascii_terminal_can_show_everything() -> None:
    done = start_program("games", PYTHONIOENCODING="ascii")
    assert done.returncode == 0


def test_no_arguments_is_help() -> None:
    done = run_program()
    assert done.returncode == 0
    assert "Usage: ludarium" in done.stdout


def test_a_reader_that_leaves_is_no_error() -> None:
    with subprocess.Popen(
        [PROGRAM, "play", "expendibots", "random", "random", "--seed", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        program.stdout.read(10)
        program.stdout.close()
        assert program.stderr.read().replace(COMPILING.encode(), b"") == b""
        assert program.wait(60) == 1


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_end_it_quietly(tmp_path: Path, number: int, code: int) -> None:
    record = tmp_path / "game.jsonl"
    command = [PROGRAM, "play", "expendibots", "human", "random", "--record", record]
    terminal, inside = pty.openpty()
    with subprocess.Popen(command, stdin=inside, stdout=inside, stderr=subprocess.PIPE, start_new_session=True) as program:
        os.close(inside)
        seen = b""
        while b"White> " not in seen:
            seen += os.read(terminal, 4096)
        while program.poll() is None:  # a signal that comes just before readline waits is seen only at the next one
            program.send_signal(number)
            with suppress(subprocess.TimeoutExpired):
                program.wait(5)
        assert program.returncode == code
        assert program.stderr is not None
        assert program.stderr.read().replace(COMPILING.encode(), b"") == b""
    os.close(terminal)
    assert record.read_bytes().endswith(b"}\n")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_inside_a_callback_from_c_is_not_lost(number: int, code: int) -> None:
    """The compiler calls back from C, where an exception cannot pass; it would go on with half of its work and fail in any way."""
    program = (
        "import ctypes, signal, ludarium.cli, ludarium.cli.entry\n"
        f"inside = ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal({int(number)}))\n"
        "ludarium.cli.entry.start = lambda arguments: inside() or print('error: half made') or 2\n"
        "ludarium.cli.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=50)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")


def test_perft_loads_only_what_it_needs() -> None:
    code = "import sys\nfrom ludarium.cli.entry import run\nrun(['perft', 'expendibots', '2'])\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True).stdout.split()
    assert "typer" in loaded
    unwanted = {"fastapi", "uvicorn", "jinja2", "rich", "concurrent.futures.process", "ludarium.arena", "ludarium.players", "ludarium.web"}
    assert not unwanted & set(loaded)


def test_help_loads_no_compiler() -> None:
    code = "import sys\nfrom ludarium.cli.entry import run\nrun(['--help'])\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True).stdout.split()
    assert "ludarium.cli.cgt" in loaded
    assert not {"numba", "numpy", "ludarium.core.jit"} & set(loaded)


def test_a_second_start_compiles_nothing() -> None:
    run_program("perft", "expendibots", "3")
    done = run_program("perft", "expendibots", "3", "--json")
    assert (done.stderr, json.loads(done.stdout)["leaves"]) == ("", 119_400)


def test_compiling_is_said_once(tmp_path: Path) -> None:
    command, variables = [PROGRAM, "perft", "expendibots", "1"], {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    first, second = (subprocess.run(command, env=variables, capture_output=True, text=True, timeout=120) for _ in range(2))
    assert (first.returncode, first.stderr) == (0, COMPILING)
    assert (second.returncode, second.stderr) == (0, "")


def test_the_public_game_is_what_the_program_plays() -> None:
    assert set(ludarium.list_games()) >= {"expendibots", "tic-tac-toe"}
