"""``ludarium netorcai orchestrate`` as people and scripts start it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ludarium.cli.console import read_lines
from ludarium.cli.entry import run
from ludarium.netorcai.client import join
from ludarium.netorcai.game_logic import serve_logic
from tests.netorcai.lab import Counter
from tests.netorcai.live import PATIENCE, read_all, send

PROGRAM = Path(sys.executable).with_name("ludarium")


@contextmanager
def orchestrating(*arguments: str, typed: int = subprocess.PIPE) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A running program, and the port that it listens on."""
    command = [str(PROGRAM), "netorcai", "orchestrate", "--port", "0", *arguments]
    with subprocess.Popen(command, stdin=typed, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            assert process.stderr is not None
            found = re.search(rb"address=\S*?:(\d+)\"?\n", process.stderr.readline())
            assert found is not None
            yield process, int(found[1])
        finally:
            process.kill()


class Idle:
    def start(self, start: object) -> None: ...

    def turn(self, turn: object) -> list[object]:
        return []

    def end(self, end: object) -> None: ...


def test_a_whole_game_and_its_exit_code() -> None:
    logic = Counter()
    with orchestrating(
        "--nb-turns-max=5", "--nb-players-max", "1", "--nb-visus-max=0", "--delay-first-turn=50", "--fast", "--autostart"
    ) as (process, port):
        thread = threading.Thread(target=serve_logic, args=(logic, "127.0.0.1", port), kwargs={"nickname": "counter"})
        thread.start()
        assert join(Idle(), "127.0.0.1", port, nickname="idle", timeout=PATIENCE).state == {"turns": 5}
        thread.join(PATIENCE)
        assert process.wait(PATIENCE) == 0
    assert logic.seen() == [[], *[[(0, number)] for number in range(4)]]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 1), (signal.SIGINT, 130)])
def test_a_signal_ends_it_and_the_clients_are_told(number: signal.Signals, code: int) -> None:
    with orchestrating() as (process, port), socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        send(connection, b'{"message_type":"LOGIN","nickname":"bob","role":"player","metaprotocol_version":"2.0.0"}')
        assert b"LOGIN_ACK" in connection.recv(1000)
        process.send_signal(number)
        assert b"netorcai abort" in read_all(connection)
        connection.close()
        _, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == code
        assert b"Traceback" not in errors


def test_who_has_joined_reads_that_the_server_ended_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    with orchestrating() as (process, port):
        codes: list[int] = []
        player = threading.Thread(target=lambda: codes.append(run(["netorcai", "join", "random", "--port", str(port), "--seed", "1"])))
        player.start()
        assert process.stderr is not None
        assert b"Logged in" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        player.join(PATIENCE)
    assert codes == [2]
    assert capsys.readouterr().err == "error: the server ended the game before it was over\n"


def test_who_is_turned_away_reads_why(capsys: pytest.CaptureFixture[str]) -> None:
    with orchestrating("--nb-players-max=0") as (_, port):
        assert run(["netorcai", "join", "random", "--port", str(port), "--seed", "1"]) == 2
    assert capsys.readouterr().err == "error: the server turned random away: LOGIN denied: Maximum number of players reached\n"


def test_what_is_typed() -> None:
    with orchestrating("--verbose") as (process, _):
        out, errors = process.communicate(b"print nb-turns-max\nset nb-turns-max=7\nprint nb-turns-max\nstart\nquit\n", timeout=PATIENCE)
    assert out.decode().splitlines() == ["nb-turns-max=100", "nb-turns-max=7", "Cannot start: Game logic not connected"]
    assert process.returncode == 0
    assert b"the operator quits" in errors


def test_a_last_line_without_an_end_counts() -> None:
    with orchestrating("--simple-prompt") as (process, _):
        process.communicate(b"quit", timeout=PATIENCE)
    assert process.returncode == 0


def test_the_end_of_the_input_ends_the_prompt_alone(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The thread that reads is over, so that nothing can spin, and the orchestrator goes on."""

    async def read() -> list[str]:
        lines: list[str] = []
        with read_lines(lines.append, words=(), simple=True) as thread:
            await asyncio.to_thread(thread.join, PATIENCE)
            assert not thread.is_alive()
        await asyncio.sleep(0)
        return lines

    utf_16 = "error: standard input is UTF-16 text; save it as UTF-8\n"
    for typed, said in {b"start\nqu": "", b"\xef\xbb\xbfstart\r\nqu": "", "start".encode("utf-16"): utf_16}.items():
        reading, writing = os.pipe()
        os.write(writing, typed)
        os.close(writing)
        with open(reading, encoding="utf-8") as stdin, monkeypatch.context() as patched:  # noqa: PTH123
            patched.setattr(sys, "stdin", stdin)
            assert asyncio.run(read()) == ([] if said else ["start", "qu"])
        assert capsys.readouterr().err == said


def test_without_any_input_it_still_plays() -> None:
    with orchestrating(
        "--nb-players-max=0", "--nb-visus-max=0", "--fast", "--autostart", "--delay-first-turn=50", typed=subprocess.DEVNULL
    ) as (process, port):
        serve_logic(Counter(), "127.0.0.1", port, nickname="counter", timeout=PATIENCE)
        assert process.wait(PATIENCE) == 0


def test_logs_as_json() -> None:
    command = [str(PROGRAM), "netorcai", "orchestrate", "--port=0", "--json-logs"]
    done = subprocess.run(command, input=b"quit\n", capture_output=True, timeout=PATIENCE, check=True)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert [(line["level"], line["msg"]) for line in lines] == [("info", "Listening"), ("info", "Aborted")]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--nb-turns-max=0"], "'0' is not a whole number, at least 1, at most 65,535"),
        (["--nb-players-max=1025"], "'1025' is not a whole number, at least 0, at most 1,024"),
        (["--delay-turns=49"], "'49' is not a number, at least 50, at most 10,000"),
        (["--delay-first-turn=x"], "'x' is not a number"),
        (["--port=65536"], "'65536' is not a whole number"),
        (["--turn-timeout=0"], "turn-timeout=0.0 is not a number of seconds above 0"),
        (["--nothing"], "No such option: --nothing"),
        (["--verbose", "--quiet"], "exclude each other"),
        (["--host=no such host"], "cannot listen on no such host"),
    ],
)
def test_bad_arguments_have_the_exit_code_of_the_original(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    assert run(["netorcai", "orchestrate", *arguments]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("error: ")
    assert output.err.count("\n") == 1
    assert said in output.err


def test_the_version_is_the_metaprotocols(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["netorcai", "orchestrate", "--version"]) == 0
    assert capsys.readouterr().out == "v2.0.0\n"


def test_the_flags(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run(["netorcai", "orchestrate", "-h"]) == 0
    flags = set(re.findall(r"^│ (--[a-z-]+)", capsys.readouterr().out, re.MULTILINE))
    assert flags == {
        *(
            "--port",
            "--host",
            "--nb-turns-max",
            "--nb-players-max",
            "--nb-splayers-max",
            "--nb-visus-max",
            "--delay-first-turn",
            "--delay-turns",
        ),
        *(
            "--autostart",
            "--fast",
            "--turn-timeout",
            "--seed",
            "--simple-prompt",
            "--verbose",
            "--quiet",
            "--debug",
            "--json-logs",
            "--version",
            "--help",
        ),
    }
