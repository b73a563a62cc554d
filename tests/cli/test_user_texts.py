"""Text files as editors on any system save them, through every command that reads one."""

from __future__ import annotations

import codecs
import io
import json
import re
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest

import ludarium
from ludarium.arena import play_game
from ludarium.arena.store import open_database, search_games
from ludarium.arena.store.records import check_store, import_records
from ludarium.cli.entry import run
from ludarium.core.record import Header, Recorder, read_record
from ludarium.errors import BadOption
from ludarium.train.settings import read_settings
from tests.command_line import run_program

OPENING = ludarium.game("tic-tac-toe").start().play("b2").text
DATA = resources.files("ludarium.games")


def record() -> str:
    game = ludarium.game("tic-tac-toe")
    timeline = play_game(game, ["random", "random"], seed=1)
    header = Header.of(game, ["Zoë", "random"], 1)
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in [header.as_json(), *timeline.events])


def map_text() -> str:
    board = json.loads(DATA.joinpath("hexabomb", "data", "maps", "tiny2.json").read_text("utf-8"))
    return json.dumps({"by": "Zoë", **board}, ensure_ascii=False, indent=1) + "\n"


TOURNAMENT = """\
game = "tic-tac-toe"
# for Zoë
format = "round-robin"

[[players]]
name = "Ann"
spec = "random"
[[players]]
name = "Bob"
spec = "random"
"""
OPENINGS = f"# of Zoë\n{OPENING}\n{OPENING}  # again\n"
DICE = '# of Zoë\nnote = "mine"\n' + "".join(
    f"[[die]]\nfaces = {json.dumps(['F1 10', 'REV 20', 'L 30', 'R 40', 'U 50', 'F2 60*'])}\n" for _ in range(5)
)
VALUES = '{"board": "X*O*O", "by": "Zoë"}\n{"board": "X*O"}\n'

PLAY = ["tic-tac-toe", "random", "random", "--games", "2", "--seed", "1"]

FILES: dict[str, tuple[str, str, Callable[[Path], list[str]]]] = {
    "a tournament": ("class.toml", TOURNAMENT, lambda path: ["tournament", str(path)]),
    "openings": (
        "openings.txt",
        OPENINGS,
        lambda path: ["match", *PLAY, "--json", "--openings", str(path)],
    ),
    "openings for a test": (
        "openings.txt",
        OPENINGS,
        lambda path: ["sprt", *PLAY, "--openings", str(path)],
    ),
    "a record": ("game.jsonl", record(), lambda path: ["replay", str(path)]),
    "a record for the store": (
        "game.jsonl",
        record(),
        lambda path: ["store", "import", "--store", str(path.with_name("s.sqlite")), str(path)],
    ),
    "a map": ("my.json", map_text(), lambda path: ["hexabomb", "map", str(path)]),
    "an option's map": ("my.json", map_text(), lambda path: ["show", "hexabomb", "-o", f"map={path}"]),
    "tiles": (
        "my.tiles",
        "# of Zoë\n" + DATA.joinpath("roboderby", "data", "tiles", "foundry.tiles").read_text("utf-8"),
        lambda path: ["roboderby", "tiles", str(path)],
    ),
    "dice": ("my.toml", DICE, lambda path: ["show", "roboderby", "-o", f"dice={path}"]),
    "boards": ("boards.jsonl", VALUES, lambda path: ["expand-conquer", "value", "--batch", str(path)]),
}

STREAMS = {
    "expressions": ("1 + 1\n# Zoë\nmean 1\n", ["cgt"]),
    "boards": (VALUES, ["expand-conquer", "value", "--batch", "-"]),
}

READABLE: dict[str, Callable[[str], bytes]] = {
    "a byte order mark": lambda text: codecs.BOM_UTF8 + text.encode(),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "CR": lambda text: text.replace("\n", "\r").encode(),
    "empty lines at the end": lambda text: f"{text}\n \t\n\n".encode(),
    "no newline at the end": lambda text: text.rstrip("\n").encode(),
    "all of it": lambda text: codecs.BOM_UTF8 + f"{text}\n  \n".replace("\n", "\r\n").encode(),
}

UNREADABLE: dict[str, tuple[Callable[[str], bytes], str]] = {
    "UTF-16 LE": (lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le"), "is UTF-16 text; save it as UTF-8"),
    "UTF-16 BE": (lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"), "is UTF-16 text; save it as UTF-8"),
    "UTF-16 LE without a mark": (lambda text: text.encode("utf-16-le"), "is UTF-16 text; save it as UTF-8"),
    "UTF-16 BE without a mark": (lambda text: text.encode("utf-16-be"), "is UTF-16 text; save it as UTF-8"),
    "UTF-32": (lambda text: text.encode("utf-32"), "is UTF-32 text; save it as UTF-8"),
    "Latin-1": (lambda text: text.encode("latin-1", "replace"), "is not UTF-8 text; save the file as UTF-8"),
}


@pytest.fixture(autouse=True)
def _a_store_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDARIUM_STORE", str(tmp_path / "store.sqlite"))


def place(folder: Path, name: str) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    return path


def line_of_zoe(text: str) -> int:
    return text[: text.index("ë")].count("\n") + 1


@pytest.mark.parametrize("saved", READABLE)
@pytest.mark.parametrize("kind", FILES)
def test_a_file_is_read_as_editors_save_it(kind: str, saved: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name, text, command = FILES[kind]
    said: list[str] = []
    for folder, data in (("plain", text.encode()), ("saved", READABLE[saved](text))):
        path = place(tmp_path / folder, name)
        path.write_bytes(data)
        assert run(command(path)) == 0, capsys.readouterr().err
        said.append(
            re.sub(
                r' *[\d.]+ (?:µs|ms|s)\b|(?<="seconds": )[\d.]+|(?<="seconds_per_action": )[\de.-]+',
                "…",
                capsys.readouterr().out.replace(str(path.parent), ""),
            )
        )
    assert said[0]
    assert said[0] == said[1]


@pytest.mark.parametrize("encoding", UNREADABLE)
@pytest.mark.parametrize("kind", FILES)
def test_a_file_in_another_encoding_is_refused_in_one_line(
    kind: str, encoding: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, text, command = FILES[kind]
    encode, said = UNREADABLE[encoding]
    path = tmp_path / name
    path.write_bytes(encode(text))
    assert run(command(path)) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: ")
    assert told.endswith(f"{said}\n")
    assert told.count("\n") == 1
    if encoding != "Latin-1":
        assert f"{name} {said}" in told
    elif kind == "boards":
        assert told == f"error: line {line_of_zoe(text)}: this {said}\n"
    else:
        assert f"{name}: line {line_of_zoe(text)} {said}" in told


def type_in(data: bytes, command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
    return run(command), *capsys.readouterr()


@pytest.mark.parametrize("kind", STREAMS)
def test_standard_input_is_read_as_editors_save_it(kind: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    text, command = STREAMS[kind]
    code, out, err = type_in(text.encode(), command, monkeypatch, capsys)
    assert (code, err) == (0, "")
    for saved in READABLE.values():
        assert type_in(saved(text), command, monkeypatch, capsys) == (0, out, "")


@pytest.mark.parametrize("kind", STREAMS)
def test_standard_input_in_another_encoding_is_refused_in_one_line(
    kind: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text, command = STREAMS[kind]
    for encoding, (encode, said) in UNREADABLE.items():
        code, _, err = type_in(encode(text), command, monkeypatch, capsys)
        assert code == 2
        assert err == (f"error: line {line_of_zoe(text)}: this {said}\n" if encoding == "Latin-1" else f"error: standard input {said}\n")


def test_moves_from_a_file_are_played() -> None:
    done = run_program("play", "tic-tac-toe", "human", "human", typed=READABLE["all of it"]("b2\na1\nquit\n"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "no action" not in done.stdout
    done = run_program("play", "tic-tac-toe", "human", "human", typed="b2\n".encode("utf-16"))
    assert (done.returncode, done.stderr) == (2, "error: standard input is UTF-16 text; save it as UTF-8\n")


def test_a_tournaments_openings_are_read_as_editors_save_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "class.toml").write_text(f'openings = "openings.txt"\n{TOURNAMENT}', encoding="utf-8")
    (tmp_path / "openings.txt").write_bytes(OPENINGS.encode("utf-16"))
    assert run(["tournament", str(tmp_path / "class.toml")]) == 2
    assert capsys.readouterr().err.endswith("openings.txt is UTF-16 text; save it as UTF-8\n")
    (tmp_path / "openings.txt").write_bytes(READABLE["all of it"](OPENINGS))
    assert run(["tournament", str(tmp_path / "class.toml")]) == 0


def test_a_tournament_goes_on_after_an_editor_saved_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "class.toml"
    path.write_text(TOURNAMENT, encoding="utf-8")
    assert run(["tournament", str(path)]) == 0
    path.write_bytes(codecs.BOM_UTF8 + TOURNAMENT.replace("\n", "\r\n").encode())
    assert run(["tournament", str(path), "--resume"]) == 0, capsys.readouterr().err


@pytest.mark.parametrize("saved", READABLE)
def test_settings_of_training(saved: str, tmp_path: Path) -> None:
    settings = 'openings = "openings.txt"\n# by Zoë\nseed = 7\n'
    (tmp_path / "small.toml").write_bytes(READABLE[saved](settings))
    (tmp_path / "openings.txt").write_bytes(READABLE[saved](OPENINGS))
    read = read_settings("tic-tac-toe", tmp_path / "small.toml")
    assert (read.seed, [position.text for position in read.openings.positions]) == (7, [OPENING] * 2)
    assert "\r" not in read.text + read.openings_text


@pytest.mark.parametrize("encoding", UNREADABLE)
def test_settings_of_training_in_another_encoding(encoding: str, tmp_path: Path) -> None:
    settings = 'openings = "openings.txt"\n# by Zoë\n'
    encode, said = UNREADABLE[encoding]
    (tmp_path / "small.toml").write_bytes(encode(settings))
    with pytest.raises(BadOption, match=said):
        read_settings("tic-tac-toe", tmp_path / "small.toml")
    (tmp_path / "small.toml").write_bytes(settings.encode())
    (tmp_path / "openings.txt").write_bytes(encode(OPENINGS))
    with pytest.raises(BadOption, match=f"openings.txt.* {said}"):
        read_settings("tic-tac-toe", tmp_path / "small.toml")


def test_a_record_is_the_same_game_for_the_store_however_it_was_saved(tmp_path: Path) -> None:
    text = record()
    with open_database(tmp_path / "mine.sqlite", create=True) as database:
        path = place(tmp_path / "plain", "game.jsonl")
        path.write_text(text, encoding="utf-8")
        assert import_records(database, [path]).games == 1
        for saved in READABLE.values():
            path.write_bytes(saved(text))
            assert check_store(database).problems == ()
            other = place(tmp_path / "saved", "game.jsonl")
            other.write_bytes(saved(text))
            done = import_records(database, [other])
            assert (done.known, done.refused) == (1, ())
        path.write_bytes(text.encode("utf-16"))
        assert check_store(database).problems == (f"game 1:0: its record {path} has changed since",)
        assert len(search_games(database)) == 1


@pytest.mark.parametrize("saved", READABLE)
def test_a_game_goes_on_in_a_record_that_an_editor_saved(saved: str, tmp_path: Path) -> None:
    path, text = tmp_path / "game.jsonl", record()
    *begun, last = text.splitlines(keepends=True)
    path.write_bytes(READABLE[saved]("".join(begun)))
    with Recorder(path, read_record(path)) as recorder:
        recorder.write(json.loads(last))
    assert read_record(path).is_finished
    assert [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]] == [json.loads(line) for line in text.splitlines()]


def test_an_empty_line_within_a_record_is_damage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.jsonl"
    lines = record().splitlines(keepends=True)
    path.write_text("".join([*lines[:2], "\n", *lines[2:]]), encoding="utf-8")
    assert run(["replay", str(path)]) == 2
    assert capsys.readouterr().err == "error: game.jsonl, line 3: not a JSON object: b''\n"
