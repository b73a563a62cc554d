"""A game that hides things, at the terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager

import pytest

from ludarium.cli import terminal
from ludarium.cli.entry import run

pytestmark = pytest.mark.usefixtures("cups")

Play = Callable[..., list[str]]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Play:
    """Play Cups with typed lines; what was printed, by line. Who is given the screen alone, and until when, stands there as ``[North`` and ``North]``."""

    @contextmanager
    def alone(name: str) -> Generator[None]:
        print(f"[{name}")
        yield
        print(f"{name}]")

    def play(*lines: str, players: tuple[str, str], seed: int = 3) -> list[str]:
        typed = iter(lines)

        def answer(prompt: str) -> str:
            print(prompt)
            line = next(typed, None)
            if line is None:
                raise EOFError
            return line

        monkeypatch.setattr("builtins.input", answer)
        monkeypatch.setattr(terminal, "alone", alone)
        assert run(["play", "test-cups", *players, "--seed", str(seed), "-o", "rounds=2"]) == 0
        return capsys.readouterr().out.splitlines()

    return play


def test_one_person_sees_its_own_die_and_not_the_programs(play: Play) -> None:
    lines = play("shake", "keep", "position", "moves", "shake", "keep", players=("human", "random"))
    text = "\n".join(lines)
    first, lifted, rest = text.partition("the cups are lifted")
    assert lifted
    assert re.search(r"N[1-6] S\?", first)
    assert not re.search(r"S[1-6]", first)
    assert len(re.findall(r"^\d.* N[1-6] S", first, re.MULTILINE)) == len(set(re.findall(r"^\d.* N[1-6] S.*", first, re.MULTILINE)))
    assert "South thinks" in first
    assert re.search(r"1\. N\d  2\. S\d  .*a cup is shaken", rest), "the first round is open, the second is not"
    assert lines[-1].endswith("all rounds are played")
    assert "undo" not in text


def test_what_cannot_be_unseen_is_not_taken_back(play: Play) -> None:
    text = "\n".join(play("?", "undo", "quit", players=("human", "random")))
    assert "  undo " not in text
    assert "There is no undo where things are hidden: what has been seen cannot be unseen." in text
    assert "The game stays unfinished" in text


def test_two_people_have_the_screen_by_turns(play: Play) -> None:
    lines = play("shake", "keep", "keep", "keep", "keep", players=("human", "human"))
    turns = [line for line in lines if line.startswith("[") or line.endswith("]")]
    assert turns == ["[North", "North]", "[South", "South]"] * 2
    looker = ""
    for line in lines:
        if line.startswith("["):
            looker = line[1:]
        elif line == f"{looker}]":
            looker = ""
        elif re.match(r"\d -?\d N", line):
            north, south = line.split()[2:4]
            assert north in ("N?", "N0") or looker == "North", line
            assert south in ("S?", "S0") or looker == "South", line
    ends = [number for number, line in enumerate(lines) if line == "South]"]
    lifted = [number for number, line in enumerate(lines) if "the cups are lifted" in line]
    assert [number - 1 in ends or number - 2 in ends for number in lifted] == [True, True], "everybody sees what is lifted"


def test_programs_play_it_by_themselves(play: Play) -> None:
    lines = play(players=("mcts:sims=20", "random"))
    assert sum("the cups are lifted" in line for line in lines) == 2
    assert lines[-1].endswith("all rounds are played")
