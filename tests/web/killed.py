"""A program that has its children killed while they keep a game: ``python -m tests.web.killed FOLDER``. It ends with an error where something is lost."""

from __future__ import annotations

import json
import os
import signal
import sys
from itertools import chain, count
from pathlib import Path
from typing import Any

import ludarium
from ludarium.core.record import Header, read_record
from ludarium.core.timeline import Event, Timeline
from ludarium.web.disk.folder import Folder, Kept

CALLS = ("open", "write", "ftruncate", "fsync", "unlink", "replace", "close")
MOVES = 3
TOKENS = {"0": "one", "1": "another"}


def new_game() -> Timeline:
    return Timeline(ludarium.game("expendibots").start())


def go_on(timeline: Timeline) -> None:
    """The next event of a game that never ends."""
    if timeline.ply == 12:
        timeline.take_back(8)
    else:
        quiet = [action for action in timeline.state.actions() if "!" not in action.text]
        timeline.act({timeline.state.to_move[0]: quiet[len(timeline.events) % len(quiet)]})


def die(at: int, share: float) -> None:
    """Be killed in the so-manieth system call from now on that is about files; before that a write does so much of its work."""
    calls = 0

    def deadly(name: str) -> Any:
        real = getattr(os, name)

        def call(*arguments: Any, **more: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == at:
                if name == "write":
                    real(arguments[0], arguments[1][: int(share * len(arguments[1]))])
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **more)

        return call

    for name in CALLS:
        setattr(os, name, deadly(name))


def keep(path: Path, id: str, answers: int) -> None:
    """Make or take up the game, go on with it, and answer by a byte when it is made and after each of its events."""
    answer = os.write
    folder = Folder(path)
    if folder.holds(id):
        kept, recorder = folder.open(id)
    else:
        kept = Kept(Header.of(new_game().game, ["human", "human"]), new_game(), {int(seat): token for seat, token in TOKENS.items()}, None)
        recorder = folder.create(id, kept)
        answer(answers, b"!")
    kept.timeline.listen(recorder.write, len(kept.timeline.events))
    for _ in range(MOVES):
        go_on(kept.timeline)
        answer(answers, b".")
    recorder.sync()
    recorder.close()


def answers_of_child(path: Path, id: str, at: int, share: float) -> tuple[int, bool]:
    """How often a child answered before it was killed, and whether it was."""
    reading, answers = os.pipe()
    child = os.fork()
    if not child:
        die(at, share)
        keep(path, id, answers)
        os.kill(os.getpid(), signal.SIGTERM)
    os.close(answers)
    with os.fdopen(reading, "rb") as answered:
        count = len(answered.read())
    return count, os.waitpid(child, 0)[1] == signal.SIGKILL


def main(path: Path) -> None:
    expected: list[Event] = []
    course = new_game()
    course.listen(expected.append)
    Folder(path)
    go_on(new_game())  # loads machine code, which is nothing to be killed in
    killed = 0

    def go_on_with_child(id: str, at: int, share: float, known: int) -> tuple[int, bool]:
        """How many of the game's events are kept, of which so many were known; and whether the child was killed."""
        answered, was_killed = answers_of_child(path, id, at, share)
        if not known and not answered:
            return 0, was_killed  # nobody knows of this game
        events = read_record(path / "games" / f"{id}.jsonl").replay().events
        while len(expected) < len(events):
            go_on(course)
        assert events == expected[: len(events)], "an event was doubled or changed"
        assert known + answered <= len(events) <= known + answered + was_killed, f"{known} + {answered} events, {len(events)} are kept"
        assert json.loads((path / "games" / f"{id}.seats.json").read_bytes())["tokens"] == TOKENS
        return len(events), was_killed

    for number, share in enumerate((0.0, 0.5, 0.995, 1.0)):
        for at in count(1):
            known, was_killed = go_on_with_child(f"made-{number}{at:05}", at, share, 0)
            killed += was_killed
            if not was_killed:
                break
        known = 0
        for at in chain([10**9], count(1)):
            known, was_killed = go_on_with_child(f"goes-on-{number:03}", at, share, known)
            killed += was_killed
            if not was_killed and at < 10**9:
                break
    print(killed)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
