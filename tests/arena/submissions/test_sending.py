"""``ludarium submit`` against a real server."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from ludarium.cli.entry import run
from ludarium.errors import BadOption
from ludarium.players.programs import Conditions
from ludarium.players.programs.sandbox import chosen_way
from ludarium.web.visitors.limits import Limits
from tests.missing import cannot
from tests.players.programs.bots import write_bot
from tests.web.live import Live


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    try:
        chosen_way("require")
    except BadOption as problem:
        cannot(str(problem), "install bubblewrap")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "own"))
    with Live(tmp_path / "data", Limits(pace=0.0), ladders=["tic-tac-toe"], ladder_time="20", submissions=Conditions()) as live:
        yield f"http://{live.address}/ladder/tic-tac-toe"


def test_a_bot_is_submitted_again_and_again(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = write_bot(tmp_path, "print('thinking\\x1b[2J', file=sys.stderr, flush=True)\nfor message in turns():\n    act(message)\n")
    bad = write_bot(tmp_path, "sys.exit('no weights')\n", "bad.py")
    assert run(["submit", url, good, "--name", "Hare"]) == 0
    key, uploaded, checked = capsys.readouterr().out.splitlines()
    assert key.startswith("the key of this name is kept in ")
    assert uploaded == "version 1 is uploaded; the server checks it"
    assert checked in ("version 1 (bot.py): playing", "version 1 (bot.py): ready: it plays within a minute")
    assert run(["submit", url, bad, "--name", "Hare"]) == 2
    said = capsys.readouterr()
    assert said.out.splitlines()[1] == "version 2 (bad.py): refused: crash: bad.py ended with exit code 1"
    assert said.err == f"error: version 2 does not play; 'ludarium submit {url} --name Hare --log' prints its log\n"
    assert run(["submit", url, "--name", "hare"]) == 0
    assert [line.partition(")")[0] for line in capsys.readouterr().out.splitlines()] == ["version 2 (bad.py", "version 1 (bot.py"]
    assert run(["submit", url, "--name", "Hare", "--log"]) == 0
    assert "no weights" in capsys.readouterr().out
    assert run(["submit", url, "--name", "Hare", "--log", "--version", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "thinking\\x1b[2J"


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["big.zip", "--name", "Hare"], "'big.zip' has 104,857,600 bytes; the limit of an upload is 8,388,608"),
        (["none.py", "--name", "Hare"], "'none.py' is not a file"),
        (["folder", "--name", "Hare"], "'folder' is a folder; submit a file or an archive of it (.zip, .tar.gz)"),
        (["bot.xyz", "--name", "Hare"], "refused: 'bot.xyz' is not executable, and its ending '.xyz' is not one of: .c, .cc"),
        (["bot.py", "--name", "Hare", "--key", "wrong"], "refused: this is not the key of the name 'Hare'"),
        (["bot.py", "--name", "admin"], "refused: 'admin' is a reserved name"),
        (["--name", "Hare"], "no key of 'Hare' is kept for the ladder of tic-tac-toe at "),
        (["--name", "Hare", "--key", "wrong\n"], "error: "),
        (["bot.py", "--name", "Hare", "--log"], "--log prints the log of a version that was submitted; leave out the file"),
        (["--name", "Hare", "--version", "2"], "--version chooses the version for --log"),
    ],
)
def test_each_refusal_is_one_line(
    words: list[str], error: str, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with (tmp_path / "big.zip").open("wb") as big:
        big.truncate(100 << 20)
    (tmp_path / "folder").mkdir()
    for name in ("bot.py", "bot.xyz"):
        (tmp_path / name).write_text("1\n")
    assert run(["submit", url, *words]) == 2
    said = capsys.readouterr().err
    assert error in said
    assert said.count("\n") == 1


def test_servers_without_submissions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "own"))
    bot = write_bot(tmp_path, "")
    with Live(tmp_path / "data", ladders=["tic-tac-toe"]) as live:
        assert run(["submit", f"http://{live.address}/ladder/tic-tac-toe", bot, "--name", "Hare"]) == 2
    assert capsys.readouterr().err.endswith(" takes no submissions; its server is started without --submit\n")
    assert run(["submit", f"http://{live.address}/ladder/tic-tac-toe", bot, "--name", "Hare"]) == 2
    assert capsys.readouterr().err.endswith(" cannot be reached: Connection refused\n")


class Odd(BaseHTTPRequestHandler):
    """Answers with JSON that no ladder sends."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(201)
        self.end_headers()
        self.wfile.write(b'{"key": "x", "version": [1]}')

    def log_message(self, format: str, *args: object) -> None:
        pass


def test_what_is_no_ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "own"))
    with HTTPServer(("127.0.0.1", 0), Odd) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        code = run(["submit", f"http://127.0.0.1:{server.server_port}/ladder/chess", write_bot(tmp_path, ""), "--name", "Hare"])
        server.shutdown()
        thread.join()
    assert code == 2
    assert capsys.readouterr().err.endswith(" is not a ladder that takes submissions\n")
