"""What a study has found, kept in a journal: a line for every question that was worked on. Answers found under other rules of the game are not believed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

from ludarium.cgt import Value
from ludarium.cgt.summary import MOST_CHARACTERS
from ludarium.core.boards import board_rows
from ludarium.core.journal import Journal
from ludarium.games.expand_conquer.game import ExpandConquer
from ludarium.games.expand_conquer.values import ExpandConquerRuleset

from .questions import FACTS, KINDS, Question

HEADER = {"study": ExpandConquer.id, "format": 1}

KEYS = {"rules": int, "kind": str, "variant": str, "board": str, "minus": str, "seconds": float, "bytes": int}
"""What every line has beside ``answer`` (the question was answered) or ``stopped`` (why it was not)."""

STOPPED = ("time", "memory")

FACTS_OF_A_SEARCH: dict[str, tuple[type, ...]] = {"outcome": (str,), "searched": (int,)}
"""What an answer to ``outcome`` says."""


class Attempt(NamedTuple):
    """How far an unanswered question was pursued: the longest time in seconds after which it was given up, and the largest memory bound in bytes that was
    too small; 0 where it was not given up for that reason."""

    seconds: float
    too_small: int


class Notebook:
    """The answers known, and the attempts that led to none."""

    def __init__(self, path: Path) -> None:
        """Read the file, if there is one; nothing is written before the first answer.

        Raises:
            BadRecord: it is damaged, or no notebook.
            StoreError: it cannot be read.
        """
        self.path = path
        self.answers: dict[Question, dict[str, Any]] = {}
        self.seconds: dict[Question, float] = {}
        self.attempts: dict[Question, Attempt] = {}
        self._foreign = 0
        self._journal = Journal(path, "the study's results", HEADER)
        self._journal.read(self._believe, "a result of a study")
        self.notices = list(self._journal.notices)
        if self._foreign:
            self.notices.append(f"{path.name}: {self._foreign} results are of other rules of the game and are not used")

    def _believe(self, entry: Mapping[str, Any]) -> None:
        if type(entry["rules"]) is int and entry["rules"] != ExpandConquer.version:
            self._foreign += 1
        else:
            self._take(entry)

    def _take(self, entry: Mapping[str, Any]) -> None:
        """Believe a line, or raise ``ValueError``."""
        question = Question(entry["kind"], entry["variant"], entry["board"], entry["minus"])
        if (
            any(type(entry[key]) is not kind for key, kind in KEYS.items())
            or question.kind not in KINDS
            or question.variant not in ExpandConquerRuleset.VARIANTS
            or entry["seconds"] < 0
        ):
            raise ValueError
        board_rows(question.board, "*OX")
        if question.minus and (question.kind == "value" or str(Value(question.minus)) != question.minus):
            raise ValueError
        if ("answer" in entry) == ("stopped" in entry) or len(entry) != len(KEYS) + 1:
            raise ValueError
        if "answer" in entry:
            _check(question, entry["answer"])
            self._know(question, entry["answer"], entry["seconds"])
        elif entry["stopped"] in STOPPED:
            self._give_up(question, entry["stopped"], entry["seconds"], entry["bytes"])
        else:
            raise ValueError

    def _know(self, question: Question, answer: dict[str, Any], seconds: float) -> None:
        self.answers[question] = answer
        self.seconds[question] = seconds
        self.attempts.pop(question, None)

    def _give_up(self, question: Question, stopped: str, seconds: float, most_bytes: int) -> None:
        if question not in self.answers:
            before = self.attempts.get(question, Attempt(0.0, 0))
            if stopped == "time":
                self.attempts[question] = before._replace(seconds=max(seconds, before.seconds))
            else:
                self.attempts[question] = before._replace(too_small=max(most_bytes, before.too_small))

    def add(self, question: Question, answer: dict[str, Any], seconds: float, most_bytes: int) -> None:
        """Keep an answer.

        Raises:
            StoreError: it cannot be written.
        """
        self._write(question, seconds, most_bytes, {"answer": answer})
        self._know(question, answer, seconds)

    def add_attempt(self, question: Question, stopped: str, seconds: float, most_bytes: int) -> None:
        """Keep that a question was not answered, for want of ``time`` or ``memory``.

        Raises:
            StoreError: it cannot be written.
        """
        self._write(question, seconds, most_bytes, {"stopped": stopped})
        self._give_up(question, stopped, seconds, most_bytes)

    def _write(self, question: Question, seconds: float, most_bytes: int, rest: dict[str, Any]) -> None:
        entry = {"rules": ExpandConquer.version, **question._asdict(), "seconds": round(float(seconds), 3), "bytes": most_bytes, **rest}
        self._journal.add(entry)

    def close(self) -> None:
        """Close the file."""
        self._journal.close()


def _check(question: Question, answer: Any) -> None:
    """Raise ``ValueError`` unless an answer says what such answers say; a value's text has to have its hash."""
    facts = FACTS if question.kind == "value" else FACTS_OF_A_SEARCH
    if type(answer) is not dict or set(cast("dict[str, Any]", answer)) != set(facts):
        raise ValueError
    answer = cast("dict[str, Any]", answer)
    if any(type(answer[key]) not in kinds for key, kinds in facts.items()) or answer["outcome"] not in tuple("LRNP"):
        raise ValueError
    text = answer.get("canonical")
    if text is not None and (len(text) > MOST_CHARACTERS or Value(text).merkle64 != answer["merkle64"]):
        raise ValueError
