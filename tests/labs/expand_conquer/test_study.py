"""``ludarium expand-conquer study``: the notebook, the agenda, the second process, the command and the report."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ludarium.cli.entry import run
from ludarium.errors import BadRecord, LudariumError, StoreError, TooLarge
from ludarium.labs.expand_conquer.study import asking
from ludarium.labs.expand_conquer.study.agenda import estimate, name_of, next_question, questions
from ludarium.labs.expand_conquer.study.asking import Asker, Unanswered
from ludarium.labs.expand_conquer.study.conclusions import conclusions
from ludarium.labs.expand_conquer.study.course import answer_easy_questions, go_further
from ludarium.labs.expand_conquer.study.notebook import Attempt, Notebook
from ludarium.labs.expand_conquer.study.questions import Question, answer
from ludarium.labs.expand_conquer.study.report import board_svg, report
from ludarium.labs.expand_conquer.study.statement import NORMAL, Statement, Verdict
from ludarium.labs.expand_conquer.study.subjects import empty, game, start
from tests.command_line import PROGRAM, run_program
from tests.disks import room_for
from tests.tags import Tags

MB = 1 << 20
UP = game(1).value


def filled(path: Path) -> Notebook:
    """A notebook with an answer and two attempts, written to disk."""
    notebook = Notebook(path)
    notebook.add(UP, answer(UP, 100 * MB), 0.25, 100 * MB)
    notebook.add_attempt(game(30).value, "time", 12.5, 100 * MB)
    notebook.add_attempt(game(31).value, "memory", 3.0, 100 * MB)
    notebook.close()
    return notebook


def test_a_notebook_is_read_as_it_was_written(tmp_path: Path) -> None:
    before = filled(tmp_path / "new" / "study.jsonl")
    after = Notebook(before.path)
    assert after.answers == before.answers
    assert after.answers[UP]["canonical"] == "^"
    assert after.answers[UP]["atomic_weight"] == "1"
    assert after.attempts == {game(30).value: Attempt(12.5, 0), game(31).value: Attempt(0.0, 100 * MB)}
    assert after.notices == []


def test_an_answer_outweighs_attempts_whatever_their_order(tmp_path: Path) -> None:
    notebook = filled(tmp_path / "study.jsonl")
    notebook.add_attempt(UP, "time", 9.0, MB)
    notebook.add(game(30).value, answer(UP, 100 * MB), 1.0, MB)
    notebook.close()
    after = Notebook(notebook.path)
    assert set(after.answers) == {UP, game(30).value}
    assert set(after.attempts) == {game(31).value}


@pytest.mark.parametrize("kept", [-1, -20, 45, 1])
def test_a_torn_last_line_is_dropped_and_the_next_one_stands_alone(tmp_path: Path, kept: int) -> None:
    path = filled(tmp_path / "study.jsonl").path
    whole = path.read_bytes()
    path.write_bytes(whole[:kept])
    torn = Notebook(path)
    assert torn.notices == ["study.jsonl: the last line is incomplete and was dropped (the program was cut off while it wrote)"]
    torn.add_attempt(game(29).value, "time", 1.0, MB)
    torn.close()
    after = Notebook(path)
    assert after.notices == []
    assert game(29).value in after.attempts
    assert game(31).value not in after.attempts


def damaged(line: bytes) -> dict[str, bytes]:
    """Ways in which a line with an answer can be damaged."""
    return {
        "no JSON": line[1:],
        "no object": b"[]",
        "nothing": b"",
        "another value": line.replace(b'"canonical":"^"', b'"canonical":"v"'),
        "no value": line.replace(b'"canonical":"^"', b'"canonical":"{"'),
        "another kind": line.replace(b'"kind":"value"', b'"kind":"colour"'),
        "no board": line.replace(b'"board":"X*O*"', b'"board":"X*Z*"'),
        "no variant": line.replace(b'"variant":"all-small"', b'"variant":"big"'),
        "something subtracted": line.replace(b'"minus":""', b'"minus":"*"'),
        "a key too many": line.replace(b'"rules"', b'"more":1,"rules"'),
        "no bytes of text": line.replace(b"X*O*", b"X*\xff*"),
        "a text for a number": line.replace(b'"birthday":2', b'"birthday":"2"'),
        "rules of no version": line.replace(b'"rules":1', b'"rules":"one"'),
        "a time before it began": line.replace(b'"seconds":0.25', b'"seconds":-1.0'),
    }


@pytest.mark.parametrize("how", damaged(b""))
def test_other_damage_is_refused_with_its_line(tmp_path: Path, how: str) -> None:
    path = filled(tmp_path / "study.jsonl").path
    lines = path.read_bytes().split(b"\n")
    changed = damaged(lines[1])[how]
    assert changed != lines[1]
    path.write_bytes(b"\n".join([lines[0], changed, *lines[2:]]))
    with pytest.raises(BadRecord, match=r"line 2: not a result of a study: .*; move the file away to begin anew"):
        Notebook(path)


def test_a_file_that_is_no_notebook_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "study.jsonl"
    path.write_text('{"format": 1, "game": "expendibots"}\n')
    with pytest.raises(BadRecord, match="line 1: not the header of the study's results"):
        Notebook(path)
    with pytest.raises(StoreError, match="cannot be read"):
        Notebook(tmp_path)


def test_answers_under_other_rules_are_not_believed(tmp_path: Path) -> None:
    path = filled(tmp_path / "study.jsonl").path
    path.write_text(path.read_text().replace('"rules":1', '"rules":0'))
    after = Notebook(path)
    assert not after.answers
    assert not after.attempts
    assert after.notices == ["study.jsonl: 3 results are of other rules of the game and are not used"]


def test_a_notebook_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    notebook = Notebook(tmp_path / "study.jsonl")
    notebook._journal.path = tmp_path / "file" / "study.jsonl"
    with pytest.raises(StoreError, match="cannot be written"):
        notebook.add_attempt(UP, "time", 1.0, MB)


def test_questions_come_from_easy_to_hard(tmp_path: Path) -> None:
    notebook = Notebook(tmp_path / "study.jsonl")
    first = next_question(notebook, 60, MB)
    assert first == min(questions(), key=estimate)
    order = []
    while (question := next_question(notebook, 60, MB)) is not None:
        order.append(question)
        notebook.answers[question] = {"outcome": "N"}
    assert [estimate(question) for question in order] == sorted(estimate(question) for question in order)
    assert order.index(game(24).value) < order.index(game(25).value)
    assert max(map(estimate, order)) < 60 * 30  # what is out of reach is not begun


def test_what_was_tried_in_vain_is_tried_again_only_with_more(tmp_path: Path) -> None:
    notebook = Notebook(tmp_path / "study.jsonl")
    open_ = (game(24).value, game(25).value)
    notebook.answers = {question: {} for question in questions() if question.kind == "value" and question not in open_}
    notebook.answers |= {game(n).difference: {} for n in (24, 25)}
    notebook.attempts[game(24).value] = Attempt(5.0, 0)
    assert next_question(notebook, 5, MB) == game(25).value
    assert next_question(notebook, 20, MB) == game(25).value
    notebook.attempts[game(25).value] = Attempt(0.0, MB)
    assert next_question(notebook, 5, MB) is None
    assert next_question(notebook, 6, MB) == game(24).value
    assert next_question(notebook, 5, 2 * MB) == game(25).value


def test_questions_have_names() -> None:
    assert name_of(game(12).value) == "g₁₂"
    assert name_of(empty(3, 5).value) == "empty 3×5"
    assert name_of(game(8).difference) == "g₈ − ↑4*"
    assert name_of(empty(3, 7).difference) == "empty 3×7 − *"
    assert name_of(start("duel").value) == "start duel"


def test_what_follows_from_an_answer_is_not_asked(tmp_path: Path) -> None:
    notebook = Notebook(tmp_path / "study.jsonl")
    asked = {game(20).difference, empty(1, 25).outcome, empty(3, 7).outcome}
    notebook.answers = {
        question: {} for question in questions() if question not in asked and question.kind == "outcome" and not question.minus
    }
    notebook.answers |= {question: {"outcome": "N"} for question in questions() if question.minus and question not in asked}
    notebook.answers[empty(1, 25).difference] = {"outcome": "P"}
    notebook.answers[game(20).value] = {}
    order = set()
    while (question := next_question(notebook, 60, MB)) is not None:
        notebook.answers[question] = {}
        order.add(question)
    assert order & asked == {empty(3, 7).outcome}


def test_a_second_process_answers_and_can_be_given_up() -> None:
    with closing(Asker()) as asker:
        asked = asker.ask(UP, seconds=60, most_bytes=100 * MB)
        assert asked == answer(UP, 100 * MB)
        first = asker._process
        assert first is not None
        assert asker.ask(game(2).value, seconds=60, most_bytes=100 * MB)["canonical"] == "v"
        assert asker._process is first
        with pytest.raises(Unanswered):
            asker.ask(empty(5, 5).value, seconds=0.5, most_bytes=4000 * MB)
        assert first.exitcode is not None
        said: list[str] = []
        with pytest.raises(Unanswered):
            asker.ask(empty(5, 5).value, seconds=60, most_bytes=4000 * MB, stopped=lambda: len(said) > 1, progress=said.append)
        assert all(re.fullmatch(r"[\d,]+ (of [\d,]+ )?positions|compiling for this computer", one) for one in said)
        with pytest.raises(TooLarge):
            asker.ask(game(24).value, seconds=60, most_bytes=MB)
    assert asker._process is None


def test_the_second_process_dies_without_harm() -> None:
    with closing(Asker()) as asker:
        asker.ask(UP, seconds=60, most_bytes=100 * MB)
        process = asker._process
        assert process is not None
        process.terminate()
        with pytest.raises(LudariumError, match="the process that computes for the study ended with exit code -15"):
            asker.ask(empty(5, 5).value, seconds=60, most_bytes=MB)
        asker.ask(UP, seconds=60, most_bytes=100 * MB)
        process = asker._process
        assert process is not None
        process.kill()  # as the system does when memory runs out
        with pytest.raises(TooLarge, match="the system ended the computation"):
            asker.ask(empty(5, 5).value, seconds=60, most_bytes=MB)


def further(notebook: Notebook, seconds: float, most_bytes: int = 500 * MB, stopped: Callable[[], bool] = lambda: False) -> list[str]:
    said: list[str] = []
    go_further(notebook, seconds=seconds, most_bytes=most_bytes, stopped=stopped, progress=lambda what: None, say=said.append)
    notebook.close()
    return said


def compiles_first(pipe: Any) -> None:
    """Stands for a process that finds an empty cache."""
    for _ in range(3):
        pipe.send("compiling")
    pipe.send({})
    pipe.recv()
    pipe.send({"outcome": "N"})
    pipe.recv()


def test_a_questions_time_begins_when_all_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    def pass_time(said: str) -> None:
        nonlocal now
        now += 1000

    monkeypatch.setattr(asking, "answer_questions", compiles_first)
    monkeypatch.setattr(asking, "time", SimpleNamespace(monotonic=lambda: now))
    with closing(Asker()) as asker:
        assert asker.ask(UP, seconds=1, most_bytes=MB, progress=pass_time) == {"outcome": "N"}
    assert now == 3000


def test_a_study_goes_further_each_time(tmp_path: Path) -> None:
    path = tmp_path / "study.jsonl"
    first = Notebook(path)
    answer_easy_questions(first, 500 * MB, lambda: False)
    easy = len(first.answers)
    assert game(8).value in first.answers  # where the paper's program crashed
    further(first, 2)
    again = Notebook(path)
    assert again.answers == first.answers
    assert len(again.answers) > easy
    said = further(again, 3)
    after = Notebook(path)
    assert set(after.answers) > set(first.answers)
    assert any(re.fullmatch(r"(g[₀-₉]+|empty \d+×\d+|start \w+)( − .+)?: .+ \(\d+\.\d s\)", line) for line in said)
    assert conclusions(after)[0].verdict is Verdict.SO_FAR


def test_a_study_ends_when_all_is_tried_and_keeps_what_was_too_large(tmp_path: Path) -> None:
    notebook = Notebook(tmp_path / "study.jsonl")
    notebook.answers = {question: {} for question in questions() if question != game(24).value}
    assert next_question(notebook, 600, 2 * MB) == game(24).value
    said = further(notebook, 600, MB)
    assert len(said) == 1
    assert said[0].startswith("g₂₄: too large for 1 MB")
    assert Notebook(notebook.path).attempts[game(24).value].too_small == MB


@pytest.mark.filterwarnings("ignore:compiled code cannot be kept")  # where none is yet, there is no room for it either
def test_a_full_disk_takes_nothing_from_what_was_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with room_for(2000):
        assert run(["expand-conquer", "study", "--limit", "0", "--data", str(tmp_path)]) == 2
    printed, said = capsys.readouterr()
    assert (
        said.splitlines()[-1]
        == f"error: the study's results {tmp_path / 'expand-conquer' / 'study.jsonl'} cannot be written: File too large"
    )
    assert re.search(r"^1 +", printed, re.MULTILINE)
    assert re.search(r"^\d+ answers and 0 open attempts are kept in ", printed, re.MULTILINE)


@pytest.mark.parametrize("limit", ["-1", "nan", "inf", "abc", "", "1e9", "--"])
def test_bad_limits_are_refused(limit: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["expand-conquer", "study", "--limit", limit]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "--limit" in said


def test_a_report_that_cannot_be_written_is_known_before_the_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for out in (tmp_path, tmp_path / "missing" / "report.html"):
        assert run(["expand-conquer", "study", "--out", str(out), "--data", str(tmp_path)]) == 2
        assert "cannot be written" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_notebook_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "expand-conquer").mkdir()
    (tmp_path / "expand-conquer" / "study.jsonl").write_text("hello\n")
    assert run(["expand-conquer", "study", "--data", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "line 1: not the header of the study's results" in said


def test_the_study_on_the_command_line(tmp_path: Path) -> None:
    data, out = tmp_path / "data", tmp_path / "report.html"
    done = run_program("expand-conquer", "study", "--limit", "0", "--data", str(data), "--out", str(out), COLUMNS="80", NO_COLOR="1")
    assert done.returncode == 0
    assert max(map(len, done.stdout.replace(str(data), "").splitlines())) <= 80
    for words in ("Theorem 3.2", "misprint", "false", "true so far", "3×3", "±(⇑*)", "Symmetric starts"):
        assert words in done.stdout
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")
    kept = data / "expand-conquer" / "study.jsonl"
    before = kept.read_bytes()
    kept.write_bytes(before[:-5])
    again = run_program("expand-conquer", "study", "--limit", "0.02", "--data", str(data))
    assert again.returncode == 0
    assert "notice: study.jsonl: the last line is incomplete and was dropped" in again.stderr
    assert len(Notebook(kept).answers) >= before.count(b'"answer"')


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_study_that_is_interrupted_prints_what_it_has_and_leaves_the_notebook_whole(tmp_path: Path, number: int, code: int) -> None:
    out = tmp_path / "report.html"
    command = [PROGRAM, "expand-conquer", "study", "--limit", "5", "--data", tmp_path, "--out", out]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "COLUMNS": "80"}
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if re.search(r"\(\d+\.\d s\)$", line.rstrip()):  # the first result beyond the easy ones
                break
        process.send_signal(number)
        printed, said = process.communicate(timeout=30)
    assert process.returncode == code
    assert "Traceback" not in said
    assert "3×3 is" in printed
    assert "Interrupted" not in printed  # the statements were complete
    assert out.stat().st_size > 10_000
    notebook = Notebook(tmp_path / "expand-conquer" / "study.jsonl")
    assert notebook.notices == []
    assert len(notebook.answers) > 10


def test_the_report_is_one_whole_page(tmp_path: Path) -> None:
    notebook = Notebook(tmp_path / "study.jsonl")
    for question in (UP, game(2).value, empty(3, 3).value, start("duel").value, Question("value", NORMAL, "O*X")):
        notebook.add(question, answer(question, 100 * MB), 0.1, 100 * MB)
    notebook.add_attempt(game(3).value, "memory", 1.0, 100 * MB)
    odd = Statement("Nowhere <1>", "Is a < b & X*O*|O*** so?", "{0|*}", "<i>", Verdict.FALSE, "No.", ("X*O*|O***",))
    page = report([odd, *conclusions(notebook)], notebook, cut=True)
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert tags.addresses == []
    assert "url(" not in page
    assert "@import" not in page
    assert {"Nowhere <1>", "±(⇑*)", "duel"} <= set(re.findall(r"Nowhere <1>|±\(⇑\*\)|duel", tags.text))
    assert "too large (100 MB)" in tags.text
    assert "The study was interrupted" in tags.text
    assert "<code>X*O*|O***</code>" in page
    assert page.count('class="xc"') > 10
    assert page.count('class="tg"') == 3
    assert "temperature 1⅛" in re.sub(r"<[^>]+>", "", page)


def test_a_board_in_the_report() -> None:
    drawing = board_svg("X*O|***")
    assert 'aria-label="the board X*O|***"' in drawing
    assert "<style>" not in drawing
    assert "data-pick" not in drawing
    assert 'width="60"' in drawing


def test_the_notebook_is_json_lines(tmp_path: Path) -> None:
    lines = filled(tmp_path / "study.jsonl").path.read_text().splitlines()
    assert json.loads(lines[0]) == {"study": "expand-conquer", "format": 1}
    assert [sorted(set(json.loads(line)) & {"answer", "stopped"}) for line in lines[1:]] == [["answer"], ["stopped"], ["stopped"]]
