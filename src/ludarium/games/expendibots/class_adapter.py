"""Seats a ``Player`` class: a script of its own, which speaks with the judge as every bot does, and calls the class as the course's referee does.

``python class_adapter.py FOLDER MODULE CLASS [--seed N] [--time SECONDS]`` imports nothing of Ludarium, needs Python 3.8, and runs in ``FOLDER``, where the
module is found; in a sandbox with room to write, in a copy of that which ends with the game: see :func:`throwaway_copy`.
The class is made with ``"white"`` or ``"black"``; ``action()`` answers ``("MOVE", n, (xa, ya), (xb, yb))`` or ``("BOOM", (x, y))``, and ``update(colour,
action)`` is told every turn of both players. What it prints goes to the standard error; its standard input is empty.

Each game has a process that is fresh: for the next game, or when actions have been taken back, the script starts itself again. Answers tell besides how much
processor time the class has ``used`` (seconds, its import not counted) and by how much the virtual memory has ``grown`` since the import (megabytes).
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import resource
import shutil
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast

COLOURS = ("white", "black")

if TYPE_CHECKING:
    ActionTuple = tuple[Any, ...]
    """``("MOVE", n, (xa, ya), (xb, yb))`` or ``("BOOM", (x, y))``."""

INITIAL = "BB.BB.BB/BB.BB.BB/......../......../......../......../WW.WW.WW/WW.WW.WW w 0"

SHOWN = (tuple, list, str, int, float, bool, type(None))
"""Types whose values are shown; others may raise anything when they are."""

PLUMBING = (__file__, importlib.__file__, "<frozen importlib._bootstrap>", "<frozen importlib._bootstrap_external>")
"""Whose frames tell a student nothing."""

TICK = 0.1
"""Seconds between two looks at a clock that runs."""

IDLE = 60.0
"""Seconds that a call with a clock may take in which it does next to nothing."""

LATER = 2.0
"""Seconds of processor time after which the system ends what nobody here can interrupt."""

SCRATCH = "LUDARIUM_SCRATCH"
"""Environment variable that names the writable folder of a sandbox."""

MAX_COPIED_BYTES = 32 << 20
MAX_COPIED_FILES = 1_000
"""Limits of the copy of a player's folder. Files beyond them are linked, and read-only."""

LEFT_OVER = "LUDARIUM_CLASS_ADAPTER"
"""The variable with the messages that a script that starts itself again has heard already."""

_TEXT = re.compile(r"(?:(\d*)([a-h][1-8])-)?([a-h][1-8])!?")


def action_text(action: object) -> str:
    """``2a2-a4`` for ``("MOVE", 2, (0, 1), (0, 3))``, ``a2!`` for ``("BOOM", (0, 1))``. Numbers of all kinds are taken that equal whole ones.

    Raises:
        ValueError: it is none of these.
    """
    parts = cast("tuple[Any, ...]", action) if isinstance(action, tuple) else ()
    if len(parts) == 4 and parts[0] == "MOVE":
        count = _whole(parts[1], 1, 12)
        return f"{count if count > 1 else ''}{_square(parts[2])}-{_square(parts[3])}"
    if len(parts) == 2 and parts[0] == "BOOM":
        return f"{_square(parts[1])}!"
    raise ValueError


def shown(action: object) -> str:
    """What is no action, or of which type it is."""
    if type(action) in SHOWN:
        with suppress(Exception):  # what it contains may be of any class, or too large a number
            return repr(action)[:200]
    return f"a value of type {type(action).__name__}"


def _square(place: object) -> str:
    if not isinstance(place, tuple) or len(cast("tuple[Any, ...]", place)) != 2:
        raise ValueError
    x, y = cast("tuple[Any, ...]", place)
    return "abcdefgh"[_whole(x, 0, 7)] + "12345678"[_whole(y, 0, 7)]


def _whole(value: Any, least: int, most: int) -> int:
    for number in range(least, most + 1):
        if value == number:
            return number
    raise ValueError


def action_tuple(text: str) -> ActionTuple:
    """What :func:`action_text` has written."""
    found = _TEXT.fullmatch(text)
    assert found is not None
    count, origin, target = found.groups()
    place = ("abcdefgh".index(target[0]), int(target[1]) - 1)
    return ("BOOM", place) if origin is None else ("MOVE", int(count or 1), ("abcdefgh".index(origin[0]), int(origin[1]) - 1), place)


class Forfeit(Exception):
    """The player has lost, for this reason."""


def virtual_memory() -> float:
    """Megabytes, as the course's referee looks at it; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except OSError:
        return 0.0


def throwaway_copy(root: Path, module: str, room: Path) -> Path:
    """Create a folder with a copy of the player's own folder and links to the rest of the import root.

    Args:
        root: the import root.
        module: the dotted name of what is imported.
        room: where the folder is made.
    """
    copy = Path(tempfile.mkdtemp(prefix="player-", dir=str(room)))
    own = root.joinpath(*module.split("."))
    parts = (own if own.is_dir() else own.parent).relative_to(root).parts
    left = [MAX_COPIED_BYTES, MAX_COPIED_FILES]
    level, made = root, copy
    for part in (*parts, ""):
        for one in _entries(level):
            if one.name != part:
                _copy_or_link(one, made / one.name, left, copies=not part and (level != root or one.is_file()))
        if part:
            level, made = level / part, made / part
            made.mkdir()
    return copy


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _copy_or_link(path: Path, target: Path, left: list[int], *, copies: bool) -> None:
    try:
        if not copies or path.is_symlink() or not (path.is_dir() or path.is_file()):
            target.symlink_to(path)
        elif path.is_dir():
            target.mkdir()
            for one in _entries(path):
                _copy_or_link(one, target / one.name, left, copies=True)
        elif left[1] > 0 and path.stat().st_size <= left[0]:
            shutil.copyfile(str(path), str(target))
            times = path.stat()
            with suppress(OSError):  # what is compiled already belongs to a source of that time
                os.utime(str(target), ns=(times.st_atime_ns, times.st_mtime_ns))
            left[0] -= times.st_size
            left[1] -= 1
        else:
            target.symlink_to(path)
    except OSError:  # a file that cannot be read is not there
        pass


def print_problem(problem: BaseException) -> None:
    """Onto the standard error, without what this script and the import system did before."""
    frames = problem.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename in PLUMBING:
        frames = frames.tb_next
    traceback.print_exception(type(problem), problem, frames)


class Account:
    """Processor time and memory of the class, and its clock."""

    def __init__(self, limit: float | None, forfeit: Callable[[str], object]) -> None:
        """``limit``: seconds of processor time for the game; ``forfeit`` is called when they have run out in the middle of a call."""
        self.used = 0.0
        self.limit = limit
        self._forfeit = forfeit
        self._call: tuple[str, float, float] | None = None
        """What is being called, and when that began, by the processor and by the wall."""
        self._before = 0.0
        if limit is not None:
            threading.Thread(target=self._watch, daemon=True).start()

    def begin(self) -> None:
        """From now on memory counts."""
        self._before = virtual_memory()

    @property
    def grown(self) -> float:
        return virtual_memory() - self._before

    def call(self, what: str, call: Callable[[], Any]) -> Any:
        """Call the class.

        Raises:
            Forfeit: it raises, ends the program, or has no time left.
        """
        started = time.process_time()
        if self.limit is not None:
            last = int(started + self.limit - self.used + LATER) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (last, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        self._call = what, started, time.monotonic()
        try:
            answer = call()
        except BaseException as problem:  # noqa: BLE001  SystemExit too: a class may do anything, and the judge is to hear of it
            print_problem(problem)
            raise Forfeit(f"crash: {what} raised {type(problem).__name__}: {problem}") from None
        finally:
            self._call = None
            self.used += time.process_time() - started
        if self.limit is not None and self.used > self.limit:
            raise Forfeit(self._too_slow(what, self.used))
        return answer

    def _too_slow(self, what: str, used: float) -> str:
        return f"timeout: {used:.3f} s of processor time used in {what}; {self.limit:g} are allowed for the game"

    def _watch(self) -> None:
        while True:
            time.sleep(TICK)
            if (call := self._call) is None or self.limit is None:
                continue
            what, started, begun = call
            spent, waited = time.process_time() - started, time.monotonic() - begun
            if self.used + spent > self.limit:
                self._forfeit(self._too_slow(what, self.used + spent))
            if waited > IDLE and spent < waited / 20:
                self._forfeit(f"timeout: {what} does not come back after {waited:.0f} s, and has used {spent:.3f} s of processor time")


class Adapter:
    """The conversation with the judge."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self._arguments = arguments
        self._input, self._output = os.dup(0), os.dup(1)
        self._heard: list[str] = json.loads(os.environ.pop(LEFT_OVER, "[]"))
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        self._made = self._enter()
        sys.argv = [arguments.module]
        self._account = Account(arguments.time, self._give_up)
        self._class = self._imported()
        self._account.begin()
        self._game = ""
        self._player: Any = None
        self._told = 0
        self._lost = ""

    def _enter(self) -> str:
        """Change to the import root or a copy of it. Return the copy's path, or '' without a copy."""
        root, made = self._arguments.folder, ""
        if room := os.environ.get(SCRATCH):
            with suppress(OSError):  # no room is left
                root = made = str(throwaway_copy(Path(root), self._arguments.module, Path(room)))
        os.chdir(root)
        sys.path[:] = [root, *(one for one in sys.path if one and one != str(Path(__file__).parent))]
        found = Path(root, *self._arguments.module.split("."))
        for folder in (found if found.is_dir() else found.parent, found.parent):  # where plain imports of neighbours find them, too
            if str(folder) not in sys.path:
                sys.path.append(str(folder))
        top = self._arguments.module.partition(".")[0]
        for name in [one for one in sys.modules if one == top or one.startswith(top + ".")]:
            del sys.modules[name]  # a module of the standard library that this script uses, and a player is called like
        return made

    def _imported(self) -> Any:
        found: Any = importlib.import_module(self._arguments.module)
        if not hasattr(found, self._arguments.class_name):
            raise Forfeit(f"{self._arguments.module} has no class {self._arguments.class_name}")
        return getattr(found, self._arguments.class_name)

    def run(self) -> None:
        while line := self._next():
            message = json.loads(line)
            try:
                self._obey(message, line)
            except Forfeit as problem:
                self._lost = str(problem)
                if message["type"] == "turn":
                    self._give_up(self._lost)

    def _next(self) -> str:
        """The next line; nothing is read beyond it, for the script may start itself again."""
        if self._heard:
            return self._heard.pop(0)
        line = bytearray()
        while not line.endswith(b"\n"):
            data = os.read(self._input, 1)
            if not data:
                return ""
            line += data
        return line.decode()

    def _obey(self, message: dict[str, Any], line: str) -> None:
        kind = message["type"]
        if kind == "hello":
            self._say({"type": "ready", "name": self._arguments.module, "send": [], "starts": "opening"})
        elif kind == "game":
            if self._game:
                self._start_again(message, [line])
            self._game = line
            self._begin(message)
        elif kind == "turn":
            if self._lost:
                raise Forfeit(self._lost)
            if message["from"] <= self._told:
                self._start_again(json.loads(self._game), [self._game, line])
            self._update(message["events"])
            self._act()
        elif kind == "result" and not self._lost:
            self._update(message["events"])

    def _begin(self, message: dict[str, Any]) -> None:
        opening: dict[str, Any] = message.get("opening") or {"position": message["position"], "events": []}
        if opening["position"] != INITIAL:
            raise Forfeit("crash: a Player class knows no other beginning of a game than the usual one")
        colour: str = COLOURS[int(message["seat"])]
        self._player = self._account.call(f"{self._arguments.class_name}({colour!r})", lambda: self._class(colour))
        self._update(opening["events"])
        self._told = 0

    def _update(self, events: list[dict[str, Any]]) -> None:
        for event in events:
            self._told += 1
            for seat, text in event.get("actions", {}).items():
                colour, action = COLOURS[int(seat)], action_tuple(text)
                self._account.call("update()", lambda colour=colour, action=action: self._player.update(colour, action))

    def _act(self) -> None:
        action = self._account.call("action()", lambda: self._player.action())
        try:
            text = action_text(action)
        except Exception:  # noqa: BLE001  a value of any class may raise anything when it is compared
            raise Forfeit(
                f'illegal action: {shown(action)}; right are ("MOVE", n, (xa, ya), (xb, yb)) and ("BOOM", (x, y)), tuples, on the board'
            ) from None
        self._say({"type": "action", "action": text, "used": round(self._account.used, 4), "grown": round(self._account.grown, 2)})

    def _say(self, message: dict[str, Any]) -> None:
        data = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        while data:
            data = data[os.write(self._output, data) :]

    def _give_up(self, reason: str) -> None:
        """Lose this game, and have nothing run on: not the class, nor what it has started."""
        self._say({"type": "forfeit", "reason": reason})
        os._exit(1)

    def _start_again(self, game: dict[str, Any], heard: list[str]) -> NoReturn:
        if self._made:
            shutil.rmtree(self._made, ignore_errors=True)
        os.dup2(self._input, 0)
        os.dup2(self._output, 1)
        restart(self._arguments, game["seed"] % 2**32, heard)


def restart(arguments: argparse.Namespace, seed: int, heard: list[str]) -> NoReturn:
    """Become a fresh process, whose hashes are the seed's."""
    limits = () if arguments.time is None else ("--time", str(arguments.time))
    words = (arguments.folder, arguments.module, arguments.class_name, "--seed", str(seed), *limits)
    variables = {"PYTHONHASHSEED": str(seed), "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8", LEFT_OVER: json.dumps(heard)}
    safe = ["-P"] if sys.version_info >= (3, 11) else []
    os.execve(sys.executable, [sys.executable, *safe, __file__, *words], {**os.environ, **variables})


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("folder", "module", "class_name"):
        parser.add_argument(name)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--time", type=float)
    arguments = parser.parse_args()
    arguments.folder = str(Path(arguments.folder).resolve())
    if LEFT_OVER not in os.environ:
        restart(arguments, arguments.seed, [])
    try:
        Adapter(arguments).run()
    except BaseException as problem:  # noqa: BLE001
        try:
            print(problem, file=sys.stderr) if isinstance(problem, Forfeit) else print_problem(problem)
            sys.stderr.flush()
        finally:
            os._exit(1)  # whatever threads the class has started
    os._exit(0)


if __name__ == "__main__":
    main()
