"""Bots that are uploaded to a real server, which builds, checks and plays them in the sandbox."""

from __future__ import annotations

import io
import json
import random
import socket
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest

from ludarium.arena.submissions import Version, Versions, versions
from ludarium.errors import BadOption, StoreError
from ludarium.players.programs import Conditions
from ludarium.players.programs.sandbox import chosen_way
from ludarium.web.ladder.hosting import Checker
from ludarium.web.server import serve
from ludarium.web.visitors.limits import Limits
from tests.missing import cannot, need
from tests.players.programs.bots import GREETED, eventually
from tests.web.ladder.test_killed import served
from tests.web.ladder.test_ladder import bot, ready
from tests.web.live import PATIENCE, Live

FIRST = f"{GREETED}\nfor message in turns():\n    act(message)\n"
"""A bot that chooses the first action."""

SILENT = f"{GREETED}\nfor message in turns():\n    sys.stdin.read()\n"

TALKS = f"{GREETED}\nprint('loaded my secret weights', file=sys.stderr, flush=True)\nfor message in turns():\n    act(message)\n"

FAILS_LATER = f"""{GREETED}
print("strategy 42", file=sys.stderr, flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(type="ready", name="bot.py")
    if "names" in message:
        sys.exit("strategy 42 has a bug")
    if message["type"] == "turn":
        act(message)
"""
"""A bot that ends when it hears the names of a ladder, which it does not when it is checked."""

CPP = """\
#include <iostream>
#include <string>
#include "choice.h"
int main() {
    for (std::string line; std::getline(std::cin, line);) {
        if (line.find("\\"type\\":\\"hello\\"") != std::string::npos) std::cout << "{\\"type\\":\\"ready\\",\\"send\\":[\\"indices\\"]}" << std::endl;
        if (line.find("\\"type\\":\\"turn\\"") != std::string::npos) std::cout << "{\\"type\\":\\"action\\",\\"action\\":" << choice(line) << "}" << std::endl;
    }
}
"""

CHOICE = """\
#include <string>
inline std::string choice(const std::string& line) {
    auto begin = line.find("\\"indices\\":[") + 11;
    return line.substr(begin, line.find_first_of(",]", begin) - begin);
}
"""


@pytest.fixture(autouse=True)
def in_a_sandbox() -> None:
    try:
        chosen_way("require")
    except BadOption as problem:
        cannot(str(problem), "install bubblewrap")


def started(folder: Path, ladder_time: str = "20") -> Live:
    return Live(folder, Limits(pace=0.0), ladders=["tic-tac-toe"], ladder_time=ladder_time, submissions=Conditions())


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    with started(tmp_path / "data") as live:
        yield live


def submitted(live: Live, name: str, data: bytes | str, file: str = "bot.py", key: str | None = None) -> httpx.Response:
    headers = {} if key is None else {"Ludarium-Key": key}
    return live.http.post(
        "/api/ladder/tic-tac-toe/submissions",
        params={"name": name, "file": file},
        content=data.encode() if isinstance(data, str) else data,
        headers=headers,
    )


def accepted(live: Live, name: str, data: bytes | str, file: str = "bot.py", key: str | None = None) -> str:
    """Submit a version; the key of its name."""
    answer = submitted(live, name, data, file, key)
    assert answer.status_code == 201, answer.text
    return answer.json()["key"]


def listed(live: Live, name: str, key: str) -> list[dict[str, Any]]:
    answer = live.http.get("/api/ladder/tic-tac-toe/submissions", params={"name": name}, headers={"Ludarium-Key": key})
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    return answer.json()["versions"]


def log_of(live: Live, name: str, key: str, number: int) -> httpx.Response:
    return live.http.get(f"/api/ladder/tic-tac-toe/submissions/{number}/log", params={"name": name}, headers={"Ludarium-Key": key})


def becomes(live: Live, name: str, key: str, *states: str) -> list[dict[str, Any]]:
    """Wait until the newest versions have these states; they are returned, the newest first."""
    assert eventually(lambda: [one["state"] for one in listed(live, name, key)][: len(states)] == [*states]), listed(live, name, key)
    return listed(live, name, key)


def table(live: Live) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in live.http.get("/api/ladder/tic-tac-toe").json()["table"]}


def refusal(answer: httpx.Response) -> tuple[int, str]:
    assert "\n" not in answer.json()["message"]
    return answer.status_code, answer.json()["code"]


def archive_of(files: Mapping[str, str | bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return made.getvalue()


def test_bots_of_two_students_play(live: Live) -> None:
    need("c++", "g++")
    hare = accepted(live, "Hare", TALKS)
    snail = accepted(live, "Snail", archive_of({"snail/main.cpp": CPP, "snail/choice.h": CHOICE}), "snail.zip")
    assert becomes(live, "Hare", hare, "playing")[0]["bot"] == "bot.py"
    assert becomes(live, "Snail", snail, "playing")[0] | {"uploaded": 0, "bytes": 0} == {
        "number": 1,
        "file": "snail.zip",
        "bot": "snail/main.cpp",
        "bytes": 0,
        "uploaded": 0,
        "state": "playing",
        "reason": None,
        "has_files": True,
    }
    assert eventually(lambda: table(live).get("Hare", {"games": 0})["games"] >= 12)
    newest = live.http.get("/api/ladder/tic-tac-toe").json()["newest"]
    assert all(game["forfeited"] is None for game in newest)
    assert log_of(live, "Hare", hare, 1).text.startswith("loaded my secret weights\n")
    assert log_of(live, "Snail", snail, 1).text == ""
    page = live.http.get("/ladder/tic-tac-toe").text
    assert f"ludarium submit http://{live.address}/ladder/tic-tac-toe ./mybot.py --name NAME" in page


def test_a_connected_bot_meets_a_submitted_one(live: Live) -> None:
    """The connected one is told what it would be told of any opponent."""
    accepted(live, "Hare", FIRST)
    with ready(live, "Fox") as fox:
        begun = fox.receive("game")
        assert begun["names"] == [None if name != "Fox" else name for name in begun["names"]]
        result = fox.play(1)
    assert sorted(result["names"]) == ["Fox", "Hare"]
    assert result["reason"] != ""


def test_a_version_that_fails_its_check_does_not_replace_the_one_before(live: Live) -> None:
    key = accepted(live, "Hare", FIRST)
    becomes(live, "Hare", key, "playing")
    assert accepted(live, "Hare", "import sys\nsys.exit('no weights found')\n", key=key) == key
    newest, before = becomes(live, "Hare", key, "refused", "playing")
    assert newest["number"] == 2
    assert newest["reason"] == "crash: bot.py ended with exit code 1"
    assert "no weights found" in log_of(live, "Hare", key, 2).text
    assert before["number"] == 1
    accepted(live, "Hare", f"{FIRST}# better\n", key=key)
    assert [one["number"] for one in becomes(live, "Hare", key, "playing", "refused", "replaced")] == [3, 2, 1]
    rows = live.http.get("/api/ladder/tic-tac-toe").json()["table"]
    assert [(row["name"], row["online"]) for row in rows] == [("Hare", True)]


def test_what_a_check_finds(live: Live) -> None:
    need("c++", "g++")
    silent = accepted(live, "Silent", "import sys\nfor line in sys.stdin: pass\n")
    illegal = accepted(live, "Illegal", f"{GREETED}\nfor message in turns():\n    say(type='action', action='d4 d5')\n")
    broken = accepted(live, "Broken", "int main() { return unknown; }\n", "broken.cpp")
    thief = accepted(live, "Thief", '#include "../../../silent/1/files/bot.py"\nint main() {}\n', "thief.cpp")
    assert "timeout" in becomes(live, "Silent", silent, "refused")[0]["reason"]
    found = becomes(live, "Illegal", illegal, "refused")[0]["reason"]
    assert "d4 d5" in found + log_of(live, "Illegal", illegal, 1).text
    assert "cannot be compiled" in becomes(live, "Broken", broken, "refused")[0]["reason"]
    assert "unknown" in log_of(live, "Broken", broken, 1).text
    reason = becomes(live, "Thief", thief, "refused")[0]["reason"]
    assert "No such file or directory" in reason or "Permission denied" in reason
    assert "thief/1/files" not in reason


def test_a_bot_that_loses_by_its_conduct_gives_way_to_its_version_before(live: Live) -> None:
    """Its standard error is not shown to others."""
    key = accepted(live, "Hare", FIRST)
    becomes(live, "Hare", key, "playing")
    accepted(live, "Hare", FAILS_LATER, "of_ada.py", key=key)
    becomes(live, "Hare", key, "playing", "replaced")
    accepted(live, "Snail", FIRST)
    newest, before = becomes(live, "Hare", key, "stopped", "ready")
    assert newest["number"] == 2
    assert newest["reason"].startswith("3 games in a row lost by its conduct, the latest like this: ")
    assert newest["reason"].endswith(" forfeited (crash: the program ended with exit code 1)")
    assert before["number"] == 1
    assert "strategy 42 has a bug" in log_of(live, "Hare", key, 2).text
    told = live.http.get("/api/ladder/tic-tac-toe").text + live.http.get("/ladder/tic-tac-toe").text
    assert "strategy 42" not in told
    assert "of_ada" not in told


def test_only_the_owner_sees_versions_and_logs(live: Live) -> None:
    hare, snail = accepted(live, "Hare", TALKS), accepted(live, "Snail", FIRST)
    becomes(live, "Hare", hare, "playing")
    for key in (snail, "", "wrong", "ÿ"):
        headers = {b"Ludarium-Key": key.encode("latin-1")}
        for path in ("submissions", "submissions/1/log"):
            answer = live.http.get(f"/api/ladder/tic-tac-toe/{path}", params={"name": "Hare"}, headers=headers)
            assert refusal(answer) == (400, "bad_key")
    assert refusal(live.http.get("/api/ladder/tic-tac-toe/submissions", params={"name": "Hare"})) == (400, "bad_message")
    assert refusal(log_of(live, "Nobody", hare, 1)) == (400, "bad_key")
    assert refusal(log_of(live, "Hare", hare, 2)) == (404, "no_such_page")
    assert refusal(submitted(live, "Hare", FIRST, key=snail)) == (400, "bad_key")
    assert refusal(submitted(live, "hARE", FIRST)) == (400, "bad_key")
    assert refusal(submitted(live, "Snai1", FIRST)) == (400, "bad_name")
    assert len(listed(live, "hare", hare)) == 1


def test_refused_uploads_leave_nothing_and_take_no_name(live: Live, tmp_path: Path) -> None:
    cases: dict[tuple[int, str], list[tuple[str, str, bytes | str]]] = {
        (400, "bad_file"): [
            ("Hare", "../bot.py", FIRST),
            ("Hare", "bot.xyz", FIRST),
            ("Hare", "cmd:id.py", FIRST),
            ("Hare", "x,build=id.py", FIRST),
            ("Hare", "two.zip", archive_of({"a.py": FIRST, "b.py": FIRST})),
            ("Hare", "up.zip", archive_of({"../../bot.py": FIRST})),
            ("Hare", "notes.zip", archive_of({"notes.txt": "x", "more.txt": "y"})),
            ("Hare", "bot.zip", b"PK"),
        ],
        (400, "bad_name"): [("admin", "bot.py", FIRST), ("X", "bot.py", FIRST), ("a\nb", "bot.py", FIRST)],
        (413, "too_large"): [("Hare", "bot.py", bytes((8 << 20) + 1))],
    }
    for expected, uploads in cases.items():
        for name, file, data in uploads:
            assert refusal(submitted(live, name, data, file)) == expected, (name, file)
    folder = tmp_path / "data" / "ladders" / "tic-tac-toe"
    assert list((folder / "submissions").iterdir()) == []
    assert (folder / "names.jsonl").read_text() == ""
    assert refusal(live.http.post("/api/ladder/chess/submissions", params={"name": "Hare", "file": "bot.py"})) == (404, "no_such_ladder")


def test_the_largest_upload_is_taken(live: Live) -> None:
    weights = random.Random(5).randbytes((8 << 20) - 10_000)
    key = accepted(live, "Hare", archive_of({"bot.py": FIRST, "weights.bin": weights}), "bot.zip")
    assert becomes(live, "Hare", key, "playing")[0]["bytes"] == len(weights) + len(FIRST)


def test_100_mb_are_refused_before_they_are_sent(live: Live) -> None:
    host, port = live.address.split(":")
    with socket.create_connection((host, int(port)), PATIENCE) as raw:
        raw.sendall(
            f"POST /api/ladder/tic-tac-toe/submissions?name=Hare&file=bot.py HTTP/1.1\r\nHost: {live.address}\r\nContent-Length: {100 << 20}\r\n\r\n".encode()
        )
        assert raw.recv(100).startswith(b"HTTP/1.1 413 ")


def test_uploads_are_limited(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "PER_DAY", 3)
    key = accepted(live, "Hare", FIRST)
    for state in ("playing", "replaced"):
        becomes(live, "Hare", key, "playing")
        accepted(live, "Hare", f"{FIRST}# {state}\n", key=key)
    becomes(live, "Hare", key, "playing", "replaced", "replaced")
    answer = submitted(live, "Hare", FIRST, key=key)
    assert refusal(answer) == (429, "too_many")
    assert int(answer.headers["retry-after"]) > 80_000
    monkeypatch.setattr(versions, "MAX_NAMES", 1)
    assert refusal(submitted(live, "Snail", FIRST)) == (503, "busy")


def test_another_upload_waits_for_the_check(live: Live) -> None:
    key = accepted(live, "Hare", SILENT)
    assert refusal(submitted(live, "Hare", FIRST, key=key)) == (429, "too_many")
    assert listed(live, "Hare", key)[0]["state"] in ("waiting", "building")


def test_old_versions_lose_their_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "KEPT", 3)
    monkeypatch.setattr(versions, "KEPT_BYTES", 5000)
    kept = Versions(tmp_path / "submissions")
    for number, (size, state) in enumerate(((100, "passed"), (200, "refused"), (300, "refused"), (1500, "refused"), (4000, "waiting")), 1):
        with kept.made() as files:
            (files / "bot.py").write_bytes(bytes(size))
            version = kept.add(files, "Hare", "bot.py", "bot.py")
        assert (version.number, version.size) == (number, size)
        kept.change(version, state=state)
        kept.prune("Hare")
    again = Versions(tmp_path / "submissions")
    assert [(one.number, one.has_files) for one in again.of("HARE")] == [(1, True), (2, False), (3, False), (4, False), (5, True)]
    assert [one.number for one in again.of("Hare") if again.files_of(one).exists()] == [1, 5]
    playing = again.playing("Hare")
    assert playing is not None
    assert playing.number == 1


def test_a_connected_bot_of_the_same_name_goes_first(live: Live) -> None:
    key = accepted(live, "Hare", FIRST)
    becomes(live, "Hare", key, "playing")
    with ready(live, "Hare", key):
        newest = becomes(live, "Hare", key, "ready")[0]
        assert newest["reason"] == "a connected bot plays under this name"
        accepted(live, "Hare", f"{FIRST}# second\n", key=key)
        becomes(live, "Hare", key, "ready", "replaced")
    becomes(live, "Hare", key, "playing", "replaced")


def test_a_restarted_server_takes_up_the_newest_good_version(tmp_path: Path) -> None:
    with started(tmp_path / "data") as live:
        key = accepted(live, "Hare", FIRST)
        becomes(live, "Hare", key, "playing")
        accepted(live, "Hare", "1/0", key=key)
        becomes(live, "Hare", key, "refused", "playing")
        accepted(live, "Hare", SILENT, key=key)  # is being checked when the server stops
    left = tmp_path / "data" / "ladders" / "tic-tac-toe" / "submissions" / ".new-0011223344556677" / "files"
    left.mkdir(parents=True)
    with started(tmp_path / "data", "1") as live:
        assert [one["state"] for one in listed(live, "Hare", key)[1:]] == ["refused", "playing"]
        assert not left.parent.exists()
        becomes(live, "Hare", key, "refused", "refused", "playing")
        with ready(live, "Fox") as fox:
            assert "Hare" in fox.play(1)["names"]


KILLS, FILES = 3, 400


def test_a_server_killed_during_uploads_keeps_whole_versions_alone(tmp_path: Path) -> None:
    """It is killed while it unpacks, later each time. What it has answered is there at the next start."""
    many = io.BytesIO()
    with tarfile.open(fileobj=many, mode="w:gz") as archive:
        for number in range(FILES):
            data = (FIRST if not number else f"{number}").encode()
            info = tarfile.TarInfo("bot.py" if not number else f"data/{number}.txt")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    folder = tmp_path / "ladders" / "tic-tac-toe" / "submissions"
    taken: list[str] = []
    for attempt in range(KILLS):
        with served(tmp_path, "--submit") as (process, address):
            port = int(address.rpartition(":")[2])
            for name in (f"Hare{attempt}", f"Fox{attempt}"):
                with socket.create_connection(("127.0.0.1", port), PATIENCE) as raw:
                    raw.sendall(post(address, name, many.getvalue()))
                    if name.startswith("Fox"):
                        wait_for_files(folder, attempt * 100, name)
                        process.kill()
                    with suppress(ConnectionError):
                        if raw.recv(100).startswith(b"HTTP/1.1 201 "):
                            taken.append(name)
    kept = Versions(folder)
    assert {f"Hare{attempt}" for attempt in range(KILLS)} <= set(taken) <= set(kept.names)
    assert all(len(list(kept.files_of(one).rglob("*.*"))) == FILES for name in kept.names for one in kept.of(name))
    assert not list(folder.glob(".new-*"))


def post(address: str, name: str, data: bytes) -> bytes:
    """Return the request that uploads an archive."""
    head = f"POST /api/ladder/tic-tac-toe/submissions?name={name}&file=many.tgz HTTP/1.1\r\nHost: {address}\r\nContent-Length: {len(data)}\r\n\r\n"
    return head.encode() + data


def wait_for_files(folder: Path, count: int, name: str) -> None:
    """Wait until so many files of an upload have been unpacked, or all of them."""
    assert eventually(lambda: len(list(folder.glob(".new-*/files/data/*"))) >= count or (folder / name.lower()).exists())


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, "--submit needs a ladder; add --ladder GAME"),
        ({"ladders": ["tic-tac-toe"], "conditions": Conditions(sandbox="off")}, "leave out --sandbox off"),
    ],
)
def test_a_server_that_cannot_take_submissions_does_not_start(more: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=words):
        serve(port=0, data=tmp_path, submit=True, **more)


def test_without_submissions_there_are_no_routes(tmp_path: Path) -> None:
    with Live(tmp_path, ladders=["tic-tac-toe"]) as live:
        assert submitted(live, "Hare", FIRST).status_code == 404
        assert "submissions" not in json.dumps(live.http.get("/openapi.json").json())
        assert "ludarium submit" not in live.http.get("/ladder/tic-tac-toe").text


def test_the_routes_are_described(live: Live) -> None:
    paths = live.http.get("/openapi.json").json()["paths"]
    post = paths["/api/ladder/{game}/submissions"]["post"]
    assert {"201", "400", "403", "404", "413", "429", "431", "503"} == post["responses"].keys()
    assert [(one["name"], one["in"], one["required"]) for one in post["parameters"]] == [
        ("game", "path", True),
        ("name", "query", True),
        ("file", "query", True),
        ("Ludarium-Key", "header", False),
    ]
    log = paths["/api/ladder/{game}/submissions/{number}/log"]["get"]["responses"]
    assert {"200", "400", "403", "404", "429", "431", "503"} == log.keys()
    assert set(log["200"]["content"]) == {"text/plain"}


def test_an_expelled_name_submits_nothing(live: Live) -> None:
    key = accepted(live, "Hare", FIRST)
    becomes(live, "Hare", key, "playing")
    ladder = live.ladders.rooms["tic-tac-toe"].ladder
    entrant = ladder.entrant_of("Hare")
    assert entrant is not None
    live.loop().call_soon_threadsafe(ladder.expelled.__setitem__, entrant, "lost on purpose")
    live.loop().call_soon_threadsafe(live.ladders.rooms["tic-tac-toe"].turn_out_expelled)
    assert eventually(lambda: listed(live, "Hare", key)[0]["state"] == "ready")
    assert listed(live, "Hare", key)[0]["reason"] == "the organiser has expelled this name"
    assert refusal(submitted(live, "Hare", FIRST, key=key)) == (400, "expelled")
    with bot(live, "Hare", key) as one:
        assert one.said["code"] == "expelled"


def test_a_check_whose_result_cannot_be_stored_holds_up_no_other() -> None:
    done, checker = Event(), Checker()

    def fail() -> None:
        raise StoreError("the disk is gone")

    checker.add(Version("ada", 1, "bot.py", "bot.py", 0.0), fail)
    checker.add(Version("bob", 1, "bot.py", "bot.py", 0.0), done.set)
    assert done.wait(PATIENCE)
    checker.close()
