"""``/openapi.json`` says what the server does: schemathesis makes requests from it, right and wrong ones, and compares the answers."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from http.client import HTTPResponse
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from ludarium.players.programs import Conditions
from ludarium.players.programs.sandbox import why_none
from ludarium.web.organiser import organiser
from ludarium.web.sessions import Limits
from ludarium.web.visitors.connection import HEAD_LINES
from tests.folders import ROOT
from tests.missing import lacks
from tests.web.live import PATIENCE, Live

EXAMPLES = 20
"""Random requests per route, in addition to those at the limits of its parameters."""


def configuration(token: str, known: Mapping[str, Sequence[str | int]]) -> str:
    """Return schemathesis' configuration, with values of parameters that exist on the server, so that not every request asks for nothing."""
    lines = [f'[auth.openapi.organiser]\nbearer = "{token}"']
    lines += ['[checks.positive_data_acceptance]\nexpected-statuses = ["2xx", 400, 401, 403, 404, 429]']  # 400 as described.py has it
    lines += [f'[dictionaries."{name}"]\nvalues = {json.dumps(values)}' for name, values in known.items()]
    lines += ["[parameters]", *(f'"{name}" = {{ dictionary = "{name}", probability = 0.7 }}' for name in known)]
    return "\n".join(lines)


def test_every_answer_is_described(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if find_spec("schemathesis") is None:
        lacks("schemathesis", "make .venv/installed-test")
    monkeypatch.setattr(organiser, "WRONG", 10**6)
    with Live(
        tmp_path / "data", Limits(pace=0.0, people=1000), ladders=["tic-tac-toe"], submissions=Conditions() if why_none() == "" else None
    ) as live:
        game, other = (live.make("human", "human")["id"] for _ in range(2))
        person = live.http.post("/api/people", json={"name": "Ada"}).json()
        submitter = {"name": "Hare", "file": "bot.py"}
        taken = live.http.post("/api/ladder/tic-tac-toe/submissions", params=submitter, content=b"1/0\n")
        known: dict[str, list[str | int]] = {
            "header.Ludarium-Key": [taken.json().get("key", "")],
            "query.name": ["Hare"],
            "query.file": ["bot.py"],
            "path.number": [1],
            "path.id": ["tic-tac-toe", game],
            "path.game": ["tic-tac-toe"],
            "path.name": ["Ada"],
            "query.position": ["..././...", ".../.X./..."],
            "body.code": [live.http.post("/api/people/code", json=person).json()["code"]],
            "body.name": ["Ada"],
            "body.key": [person["key"]],
            "body.game": [other],
            "body.address": ["192.0.2.7"],
        }
        described = live.http.get("/openapi.json").json()
        settings, answers = tmp_path / "schemathesis.toml", tmp_path / "answers.har"
        settings.write_text(configuration(live.token, known), encoding="utf-8")
        done = subprocess.run(
            [
                Path(sys.executable).with_name("schemathesis"),
                *("--config-file", settings, "run", f"http://{live.address}/openapi.json", "--checks", "all", "--continue-on-failure"),
                *("--generation-deterministic", "--max-examples", str(EXAMPLES), "--report-har-path", answers, "--no-color"),
            ],
            cwd=tmp_path,
            env={**os.environ, "SCHEMATHESIS_HOOKS": "tests.web.described", "PYTHONPATH": str(ROOT)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    entries = json.loads(answers.read_text(encoding="utf-8"))["log"]["entries"]
    statuses = {operation: set(statuses_of(entries, *operation)) for operation in operations(described)}
    unanswered = {operation for operation, found in statuses.items() if min(found) >= 400}
    assert unanswered <= {("post", "/api/people/code"), ("post", "/api/organiser/remove-line")}, (
        "what they need is removed by other requests"
    )


def operations(described: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the method and path of each route."""
    return [(method, path) for path, methods in described["paths"].items() for method in methods]


def statuses_of(entries: list[dict[str, Any]], method: str, path: str) -> list[int]:
    """Return the statuses of the answers to requests for a route."""
    address = re.compile("http://[^/]+" + re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path)) + r"(\?.*)?")
    asked = [one for one in entries if one["request"]["method"] == method.upper() and address.fullmatch(one["request"]["url"])]
    return [one["response"]["status"] for one in asked]


def test_refusals_are_described_for_all_routes_alike(tmp_path: Path) -> None:
    with Live(tmp_path, ladders=["tic-tac-toe"]) as live:
        described = live.http.get("/openapi.json").json()
    refusal = {"$ref": "#/components/schemas/Refusal"}
    for method, path in operations(described):
        operation = described["paths"][path][method]
        refusals = {status: answer for status, answer in operation["responses"].items() if status >= "400"}
        assert all(answer["content"] == {"application/json": {"schema": refusal}} for answer in refusals.values()), path
        assert "422" not in refusals
        assert ("401" in refusals) == (operation.get("security") == [{"organiser": []}]) == path.startswith("/api/organiser"), path
        assert ("413" in refusals) == (method == "post"), path
    assert "ValidationError" not in json.dumps(described)
    assert described["paths"]["/api/ladder"]["get"]["responses"].keys() == {"200", "400", "403", "429", "431"}
    pictures = described["paths"]["/api/games/{id}/picture.{kind}"]["get"]["responses"]["200"]["content"]
    assert set(pictures) == {"image/svg+xml", "image/png"}


def test_connections_are_refused_in_the_same_shape(tmp_path: Path) -> None:
    lines = "a: b\r\n" * (HEAD_LINES + 1)
    with Live(tmp_path, Limits(people=1)) as live, ExitStack() as opened:
        port = int(live.address.rpartition(":")[2])
        for sent, status, code in (("hello\r\n\r\n", 400, "bad_message"), (f"GET / HTTP/1.1\r\n{lines}\r\n", 431, "too_large")):
            with socket.create_connection(("127.0.0.1", port), PATIENCE) as raw:
                raw.sendall(sent.encode())
                assert refusal_of(raw) == (status, code)
        others = [
            opened.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE))
            for _ in range(live.sessions.limits.connections_of_address + 1)
        ]
        assert refusal_of(others[-1]) == (429, "too_many")


def refusal_of(connection: socket.socket) -> tuple[int, str]:
    """Return the status and the code of a refusal after which the server closes the connection."""
    answer = HTTPResponse(connection)
    answer.begin()
    body = answer.read()
    assert answer.getheader("Content-Type") == "application/json"
    assert connection.recv(1) == b""
    return answer.status, json.loads(body)["code"]
