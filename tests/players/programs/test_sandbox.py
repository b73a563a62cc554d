"""Hostile programs: in a sandbox they can do nothing but play, and whatever they try, the match goes on."""

from __future__ import annotations

import json
import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import psutil
import pytest

import ludarium
from ludarium.arena import Terms, TimeControl, play_game
from ludarium.cli.entry import run
from ludarium.errors import BadOption, PlayerCrashed
from ludarium.games.expendibots import class_adapter
from ludarium.players.base import never
from ludarium.players.programs import Conditions, sandbox, seccomp
from ludarium.players.programs.classes import class_command
from ludarium.players.programs.commands import Command, command_of
from ludarium.players.programs.needs import is_public, needs_of
from ludarium.players.programs.process import Process
from ludarium.players.programs.sandbox import TASKS, WAYS
from tests.games.expendibots.students import WALKS, write_package
from tests.missing import lacks
from tests.players.programs.bots import eventually, write_bot

OBEDIENT = """\
import ctypes, errno, json, os, resource, signal, socket, subprocess, sys, threading, time
from pathlib import Path

def call(name, *arguments):
    if getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

for line in sys.stdin:
    try:
        answer = eval(json.loads(line))
    except OSError as problem:
        answer = "refused: " + errno.errorcode[problem.errno]
    print(json.dumps(answer), flush=True)
"""
"""A program that does whatever it is told, and says what came of it."""

SECRET = "attack at dawn"


@pytest.fixture
def ground() -> Iterator[Path]:
    """A tournament's folder that everybody may enter: with a home, records, and a folder a bot."""
    with tempfile.TemporaryDirectory() as made:
        ground = Path(made).resolve()
        ground.chmod(0o755)
        for name in ("home", "records", "ours", "theirs"):
            (ground / name).mkdir()
            (ground / name / "secret").write_text(SECRET)
        yield ground


AS_ROOT = " as root"
ALL_WAYS = [*WAYS, *(f"{way}{AS_ROOT}" for way in WAYS if os.geteuid() == 0)]
"""Ways to confine; where root runs the tests, programs run as another user, and as root where there is no other."""


@pytest.fixture(params=ALL_WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Each way to confine, and no other."""
    use(request.param, monkeypatch)
    yield request.param
    sandbox.why_not.cache_clear()


def use(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if way.endswith(AS_ROOT):
        monkeypatch.setattr(sandbox, "_can_change_user", lambda: False)
    name = way.removesuffix(AS_ROOT)
    monkeypatch.setattr(sandbox, "WAYS", {name: WAYS[name]})
    sandbox.why_not.cache_clear()
    if why := sandbox.why_none():
        missing_sandbox(why)


def missing_sandbox(why: str) -> NoReturn:
    lacks(f"a sandbox ({why})", "apt-get install bubblewrap (Landlock needs Linux 6.12)")


@pytest.fixture
def python(way: str) -> str:
    """A Python that programs can run: where they run as another user than root, one that this user can read."""
    if way != "Landlock" or os.geteuid() or is_public(Path(sys.executable).resolve(), with_parents=True):
        return sys.executable
    if not Path("/usr/bin/python3").exists():
        lacks("a Python that other users can read", "apt-get install python3")
    return "/usr/bin/python3"


class Bot:
    """A program that does what it is told."""

    def __init__(self, python: str, folder: Path, conditions: Conditions) -> None:
        file = folder / "bot.py"
        file.write_text(OBEDIENT)
        before = set(psutil.Process().children(recursive=True))
        self._process = Process(Command(str(file), (python, str(file)), folder), conditions)
        self.rest, self.go, self.end = self._process.rest, self._process.go, self._process.end
        self.cpu_seconds = self._process.cpu_seconds
        self.ask("None")
        self.processes = [one for one in psutil.Process().children(recursive=True) if one not in before]
        """Its keeper, and whatever that has started, itself last."""

    def ask(self, what: str) -> object:
        self._process.send(json.dumps(what).encode() + b"\n", time.monotonic() + 60, never)
        return json.loads(self._process.receive(time.monotonic() + 60, never))


@pytest.fixture
def bot(python: str, ground: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bot]:
    monkeypatch.setenv("LUDARIUM_STORE", SECRET)
    bot = Bot(python, ground / "ours", Conditions(sandbox="require", memory=300, processes=20))
    yield bot
    bot.end()


@pytest.fixture
def opponent(python: str, ground: Path, bot: Bot) -> Iterator[Bot]:
    """Another one, and whoever is killed will not answer."""
    opponent = Bot(python, ground / "theirs", Conditions(sandbox="require"))
    yield opponent
    assert opponent.ask("6 * 7") == 42
    assert bot.ask("6 * 7") == 42
    opponent.end()


REFUSED = {
    "reads a home": "Path('{ground}/home/secret').read_text()",
    "reads records": "Path('{ground}/records/secret').read_text()",
    "reads another's folder": "Path('{ground}/theirs/secret').read_text()",
    "reads the judge's variables": "Path('/proc/{judge}/environ').read_bytes().decode()",
    "reads the judge's memory": "open('/proc/{judge}/mem', 'rb').read(1)",
    "reads through the judge's files": "os.listdir('/proc/{judge}/root')",
    "writes beside itself": "Path('{ground}/ours/bot.py').write_text('mine')",
    "writes a new file": "Path('{ground}/ours/new').write_text('mine')",
    "writes records": "Path('{ground}/records/secret').write_text('mine')",
    "writes into the system": "Path('/usr/bin/new').write_text('mine')",
    "writes into /": "Path('/new').write_text('mine')",
    "writes into /dev": "Path('/dev/new').write_text('mine')",
    "writes into /run": "Path('/run/new').write_text('mine')",
    "tunes the kernel": "Path('/proc/sys/kernel/core_pattern').write_text('|/bin/true')",
    "changes modes": "os.chmod('{ground}/ours/secret', 0o777)",
    "kills the other's keeper": "os.kill({keeper}, 9)",
    "kills the other": "os.kill({other}, 9)",
    "stops the other": "os.kill({other}, 19)",
    "kills the other's group": "os.killpg({group}, 9)",
    "traces the other": "call('ptrace', 16, {other}, 0, 0)",
    "makes what runs as its user": "os.open(os.environ['LUDARIUM_SCRATCH'] + '/new', os.O_CREAT | os.O_WRONLY, 0o4755)",
    "makes a file that runs as its user": "[Path(os.environ['LUDARIUM_SCRATCH'] + '/n').touch(), os.chmod(os.environ['LUDARIUM_SCRATCH'] + '/n', 0o4755)]",
    "makes what runs as its group": "os.mknod(os.environ['LUDARIUM_SCRATCH'] + '/node', 0o2755)",
    "traces": "call('ptrace', 0, 0, 0, 0)",
    "leaves its session": "os.setsid()",
    "leaves its group": "os.setpgid(0, 0)",
    "takes memory that nobody sees": "os.memfd_create('hoard')",
    "takes memory that outlives it": "call('shmget', 1, 1000, 0o1777)",
    "takes messages that outlive it": "call('msgget', 1, 0o1777)",
    "takes semaphores that outlive it": "call('semget', 1, 1, 0o1777)",
    "makes messages that outlive it": "call('mq_open', b'/ludarium-test', 0o102, 0o600, None)",
    "finds messages of others": "call('msgget', 0, 0)",
    "receives messages": "call('msgrcv', 0, ctypes.create_string_buffer(16), 8, 0, 0o4000)",
    "sends messages": "call('msgsnd', 0, ctypes.create_string_buffer(16), 8, 0o4000)",
    "counts semaphores": "call('semctl', 0, 0, 18)",
    "stores a key": "call('syscall', ctypes.c_long({add_key}), b'user', b'x', b'y', 1, -2)",
    "looks at locks with a high bit": "call('syscall', ctypes.c_long({fcntl}), 0, ctypes.c_long(5 | 1 << 40), ctypes.create_string_buffer(64))",
    "leases a file": "__import__('fcntl').fcntl(open('secret'), 1024, 0)",
    "is told what is opened": "__import__('fcntl').fcntl(os.open('.', 0), 1026, 1)",
    "watches files": "call('inotify_init')",
    "reaches the host of a virtual machine": "socket.socket(40, socket.SOCK_STREAM)",
    "uses the kernel's ciphers": "socket.socket(38, socket.SOCK_SEQPACKET)",
    "reads the other's name": "Path('/proc/{other}/comm').read_text()",
    "reads the other's command": "Path('/proc/{other}/cmdline').read_text()",
    "reads the judge's command": "Path('/proc/{judge}/cmdline').read_text()",
    "counts control groups": "Path('/sys/fs/cgroup/pids.current').read_text()",
    "sets a clock that lets it go on": "call('timer_create', 0, None, ctypes.create_string_buffer(8))",
    "lets a file tell it to go on": "__import__('fcntl').fcntl(0, 10, signal.SIGCONT)",
    "sends from a pair of sockets": "socket.socketpair(type=socket.SOCK_DGRAM)[0].sendto(b'?', '{ground}/listening')",
    "reads passwords": "Path('/etc/shadow').read_text()",
    "becomes root of its own world": "call('unshare', 0x10000000)",
    "binds the other to a core": "os.sched_setaffinity({other}, [0])",
    "leaves its core": "os.sched_setaffinity(0, [0])",
    "bounds the other's time": "resource.prlimit({other}, resource.RLIMIT_CPU, (1, 1))",
    "slows the other down": "os.setpriority(os.PRIO_PROCESS, {other}, 19)",
    "connects": "socket.create_connection(('127.0.0.1', {port}), 3)",
    "connects to an abstract name": "socket.socket(socket.AF_UNIX).connect('\\0{ground}')",
    "sends a packet": "[socket.socket(type=socket.SOCK_DGRAM).sendto(b'?', ('192.0.2.1', 9))]",
}

NUMBERS = {"x86_64": {"add_key": 248, "fcntl": 72}}.get(platform.machine(), {"add_key": 217, "fcntl": 25})
"""Numbers of system calls."""


def test_what_is_refused(bot: Bot, opponent: Bot, ground: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0{ground}")
        abstract.listen()
        facts = {
            "ground": ground,
            "judge": os.getpid(),
            "keeper": opponent.processes[0].pid,
            "other": opponent.processes[-1].pid,
            "group": opponent.processes[1].pid,
            "port": listener.getsockname()[1],
            **NUMBERS,
        }
        answers = {name: str(bot.ask(what.format(**facts))) for name, what in REFUSED.items()}
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert {name: answer for name, answer in answers.items() if not answer.startswith("refused")} == {}
    assert {path.read_text() for path in ground.glob("*/secret")} == {SECRET}


@pytest.mark.parametrize(
    "lock", ["flock(open('/usr/bin/env'), 6)", "lockf(open('/dev/null', 'w'), 6)", "fcntl(open('/dev/null', 'w'), 37, bytes(32))"]
)
def test_locks_keep_nobody_out(bot: Bot, opponent: Bot, lock: str) -> None:
    """Otherwise a program could learn from them what another does."""
    for one in (bot, opponent):
        assert not str(one.ask(f"globals().setdefault('held', []).append(__import__('fcntl').{lock})")).startswith("refused")


def test_who_it_is(bot: Bot, way: str) -> None:
    assert SECRET not in str(bot.ask("dict(os.environ)"))
    assert (bot.ask("os.getuid()") == 0) is (os.geteuid() == 0 and way.endswith(AS_ROOT))
    status = str(bot.ask("Path('/proc/self/status').read_text()"))
    assert "CapEff:\t0000000000000000" in status
    assert "NoNewPrivs:\t1" in status


def test_what_it_has(bot: Bot, ground: Path) -> None:
    assert bot.ask("Path('secret').read_text()") == SECRET
    assert bot.ask("os.getcwd()") == str(ground / "ours")
    assert bot.ask("subprocess.run(['sh', '-c', 'echo $((6 * 7))'], capture_output=True, text=True).stdout") == "42\n"
    assert bot.ask("[threading.Thread(target=print, args=(6 * 7,)).start()]") == 42


@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm"])
def test_its_own_room_is_bounded(way: str, python: str, ground: Path, folder: str) -> None:
    bot = Bot(python, ground / "ours", Conditions(sandbox="require"))
    if way.startswith("Landlock"):
        assert bot.ask("Path('/tmp/much').write_bytes(b'')") in ("refused: EACCES", "refused: EROFS")
        folder = str(bot.ask("os.environ['TMPDIR']"))
    before = set(Path(folder).iterdir())
    assert bot.ask(f"Path('{folder}/much').write_bytes(bytes(60 << 20))") == 60 << 20
    more = f"Path('{folder}/more').write_bytes(bytes(10 << 20))"
    if folder in ("/tmp", "/dev/shm"):
        assert bot.ask(more) == "refused: ENOSPC"
        assert {path.name for path in set(Path(folder).iterdir()) - before}.isdisjoint({"much", "more"})
    else:
        with pytest.raises(PlayerCrashed, match=r"\d+ MB of files; 64 are allowed"):
            bot.ask(f"[{more}, signal.pause()]")
    bot.end()


BOMBS = {
    "children": ("while True: os.fork() or signal.pause()", "refused: EAGAIN"),
    "a tree": (
        "first = os.getpid()\nwhile True:\n try: os.fork()\n except OSError:\n  if os.getpid() == first: raise\n  signal.pause()",
        "refused: EAGAIN",
    ),
    "threads": ("try:\n while True: threading.Thread(target=signal.pause, daemon=True).start()\nexcept RuntimeError: pass", None),
}
"""Start tasks that wait, until no more are allowed."""


@pytest.mark.parametrize("bomb", BOMBS)
def test_its_tasks_are_bounded(way: str, python: str, ground: Path, bomb: str) -> None:
    """However quickly they start: the keeper looks ten times a second only."""
    bot = Bot(python, ground / "ours", Conditions(sandbox="require", processes=1000))
    keeper, *around, _ = bot.processes
    code, answer = BOMBS[bomb]
    assert bot.ask(f"exec({code!r})") == answer
    tasks = sum(one.num_threads() for one in keeper.children(recursive=True)) - len(around)
    assert TASKS - 8 <= tasks <= TASKS or (bomb == "a tree" and tasks <= TASKS), way
    bot.end()


def test_without_a_listener_there_is_a_sandbox_too(ground: Path, python: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """libseccomp before 2.5 has none: tasks are counted ten times a second then."""
    monkeypatch.setattr(seccomp, "_NOTIFY", 0x7FC10000)  # an action that does not exist
    seccomp.task_filter.cache_clear()
    try:
        assert seccomp.task_filter() is None
        sandbox.why_not.cache_clear()
        bot = Bot(python, ground / "ours", Conditions(sandbox="require"))
        assert bot.ask("6 * 7") == 42
        bot.end()
    finally:
        seccomp.task_filter.cache_clear()


BUSY = """[
    [threading.Thread(target=exec, args=("while True: pass",), daemon=True).start() for _ in range(3)],
    [subprocess.Popen([sys.executable, "-c", SPINS]) for SPINS in [
        "import os, signal\\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\\ntry: os.setsid()\\nexcept OSError: pass"
        "\\nif os.fork(): os._exit(0)\\nif os.fork(): os._exit(0)\\nwhile True: pass"] * 3],
    time.sleep(0.3),
][:0]"""
"""Starts threads and orphans that compute without end."""


def test_while_the_other_is_to_move_nothing_of_it_runs(bot: Bot) -> None:
    """Also what tries to leave its session: it has not even the tenth of a second until its keeper looks."""
    bot.go()
    assert bot.ask(BUSY) == []
    bot.rest()
    before = bot.cpu_seconds()
    until = time.process_time() + 0.5
    while time.process_time() < until:
        pass
    assert before > 0.1
    assert bot.cpu_seconds() - before < 0.25, (
        "each of some ten processes is counted in hundredths; half a second is what one would have had that ran"
    )
    bot.go()
    assert bot.ask("6 * 7") == 42
    assert eventually(lambda: bot.cpu_seconds() > before)


ORPHANS = "subprocess.Popen([sys.executable, '-c', 'import os, time\\nif not os.fork() and not os.fork(): time.sleep(600)'])"

ATTACKS = {
    "bombs": ("while True: os.fork()", "too much: ", "processes; 20 are allowed"),
    "bombs with threads": (
        "def bomb():\n while True: threading.Thread(target=bomb).start()\nfor _ in turns(): bomb()",
        "",
        "",
    ),
    "takes memory": ("for _ in turns(): hoard = b'x' * 900_000_000; time.sleep(600)", "too much: ", "MB of memory; 300 are allowed"),
    "takes memory in children": (
        "for _ in turns():\n for _ in range(9):\n  if not os.fork(): hoard = b'x' * 90_000_000; time.sleep(600)",
        "too much: ",
        "",
    ),
    "writes without end": ("for _ in turns():\n while True: os.write(1, b'x' * 65536)", "bad answer: ", "more than 65,536 bytes"),
    "complains without end": ("for _ in turns():\n while True: os.write(2, b'x' * 65536)", "timeout: ", ""),
    "ignores signals": (
        f"signal.signal(signal.SIGTERM, signal.SIG_IGN)\nfor _ in turns():\n {ORPHANS}\n time.sleep(60)",
        "timeout: ",
        "",
    ),
    "kills all": ("for _ in turns(): os.killpg(0, 9)", "crash: ", "ended by signal 9"),
}


def running() -> set[psutil.Process]:
    """What this process has started, and has not ended."""
    found: set[psutil.Process] = set()
    for one in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if one.status() != psutil.STATUS_ZOMBIE:
                found.add(one)
    return found


def left_since(before: set[psutil.Process]) -> list[str]:
    """Return the state and the command of each process that runs and did not run before."""
    left: list[str] = []
    for one in running() - before:
        with suppress(psutil.NoSuchProcess):
            left.append(f"{one.pid} of {one.ppid()} ({one.status()}): {one.cmdline()}")
    return left


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_match_goes_on(python: str, ground: Path, monkeypatch: pytest.MonkeyPatch, attack: str) -> None:
    before = running()
    game = ludarium.game("expendibots")
    body, kind, words = ATTACKS[attack]
    write_bot(ground / "ours", body)
    monkeypatch.chdir(ground / "ours")
    clock = TimeControl(1 if kind in ("", "timeout: ") else 100, is_per_action=True)
    terms = Terms((clock, clock), programs=Conditions(sandbox="require", memory=300, processes=20))
    timeline = play_game(game, [f"cmd:{python} bot.py", "random"], seed=1, terms=terms)
    reason = timeline.events[-2]["reason"]
    assert reason.startswith(kind)
    assert words in reason
    assert timeline.outcome is not None
    assert timeline.outcome.winner == 1
    assert eventually(lambda: not left_since(before)), left_since(before)


PROGRAMS = {
    "bot.c": ("cc", '#include <stdio.h>\nint main() { char line[99]; while (fgets(line, 99, stdin)) { puts("42"); fflush(stdout); } }'),
    "Bot.java": (
        "java",
        "public class Bot { public static void main(String[] words) {"
        " var lines = new java.util.Scanner(System.in); while (lines.hasNextLine()) { lines.nextLine(); System.out.println(42); } } }",
    ),
    "bot.js": ("node", "require('readline').createInterface({input: process.stdin}).on('line', () => console.log(42))"),
    "bot.sh": ("sh", "while read line; do echo 42; done"),
    "bot": ("env", "#!/usr/bin/env -S sh -e\nwhile read line; do echo 42; done"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_all_languages_play_in_it(way: str, ground: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    needs, text = PROGRAMS[name]
    if shutil.which(needs) is None:
        lacks(needs, "apt-get install gcc default-jdk-headless nodejs")
    monkeypatch.setenv("XDG_CACHE_HOME", str(ground / "cache"))
    file = ground / "ours" / name
    file.write_text(text)
    file.chmod(0o644 if file.suffix else 0o755)
    process = Process(command_of(str(file), file.parent), Conditions(sandbox="require"))
    process.send(b"?\n", time.monotonic() + 60, never)
    assert process.receive(time.monotonic() + 60, never) == b"42"
    process.end()


def test_records_in_its_folder_are_hidden(python: str, ground: Path) -> None:
    """And nothing else is: it imports what lies beside them."""
    (ground / "helper.py").write_text("ANSWER = 42")
    deep = ground / "theirs" / "deep"
    deep.mkdir()
    (deep / "secret").write_text(SECRET)
    bot = Bot(python, ground, Conditions(sandbox="require", hidden=(ground / "records", deep)))
    assert bot.ask("__import__('helper').ANSWER") == 42
    assert bot.ask("Path('theirs/secret').read_text()") == SECRET
    for secret in ("records/secret", "theirs/deep/secret"):
        assert str(bot.ask(f"Path('{secret}').read_text()")).startswith("refused")
        assert str(bot.ask(f"Path('{secret}').write_text('mine')")).startswith("refused")
    bot.end()


def test_its_own_folder_is_not_hidden(python: str, ground: Path) -> None:
    with pytest.raises(
        BadOption, match=r"is in .*, which is hidden from players because records are stored there; store them in a folder of their own"
    ):
        Bot(python, ground / "ours", Conditions(sandbox="require", hidden=(ground,)))


def test_of_a_home_a_program_has_files_of_its_own_kind(python: str, ground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(ground / "home"))
    (ground / "home" / "helper.py").write_text("from package import ANSWER")
    (ground / "home" / "package").mkdir()
    (ground / "home" / "package" / "__init__.py").write_text("ANSWER = 42")
    bot = Bot(python, ground / "home", Conditions(sandbox="require"))
    assert bot.ask("Path(__file__).name") == "bot.py"
    assert bot.ask("__import__('helper').ANSWER") == 42
    assert str(bot.ask("Path('secret').read_text()")).startswith("refused")
    bot.end()


def test_a_script_in_a_command_names_no_file(ground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(ground / "home"))
    command = command_of(f"cmd:{sys.executable} -c 'pass # {'long' * 100}' secret", ground / "home")
    assert [path for path in needs_of(command, command.words).readable if path.is_relative_to(ground)] == [ground / "home" / "secret"]


def test_of_a_home_a_class_has_its_package_and_what_speaks_for_it(ground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = ground / "home"
    monkeypatch.setenv("HOME", str(home))
    package = write_package(home, "student", {"__init__.py": WALKS, "deep/book.txt": ""})
    write_package(home, "neighbour", WALKS)
    command = class_command("class:student", home, "expendibots")
    adapter = Path(class_adapter.__file__)
    found = needs_of(command, command.words, (ground / "records",))
    assert [path for path in found.readable if path.is_relative_to(ground)] == [package]
    assert any(adapter.is_relative_to(path) for path in found.readable)
    assert needs_of(command, command.words, (package / "deep",)).hidden == (package / "deep",)
    with pytest.raises(BadOption, match=r"player class:student is in .*/student, which is hidden from players"):
        needs_of(command, command.words, (package,))


@pytest.mark.parametrize(
    "line",
    [
        "#!-run {ground}/theirs/bin/x",
        "#!{ground}/ours/env {ground}/theirs/bin/tool",
        "#!/usr/bin/env {ground}/theirs/bin/tool",
        "#!{ground}/theirs/bin/tool",
        "#!{ground}/theirs/bin/python3",
    ],
)
def test_a_first_line_shows_no_folder_of_others(line: str, ground: Path) -> None:
    (ground / "theirs" / "bin").mkdir()
    (ground / "theirs" / "bin" / "tool").symlink_to("/bin/true")
    bot = ground / "ours" / "bot"
    bot.write_text(line.format(ground=ground) + "\n")
    command = Command(str(bot), (str(bot),), ground / "ours")
    assert [path for path in needs_of(command, command.words).readable if path.is_relative_to(ground)] == [ground / "ours"]


def test_a_link_beside_a_program_in_a_home_is_not_followed(ground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(ground / "home"))
    (ground / "home" / "notes.py").symlink_to(ground / "records" / "secret")
    (ground / "home" / "bot.py").write_text("")
    command = Command("bot.py", (sys.executable, str(ground / "home" / "bot.py")), ground / "home")
    assert ground / "home" / "notes.py" not in needs_of(command, command.words).readable


@pytest.fixture
def _no_way(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine without bubblewrap, on an older kernel."""

    def fails(*_: object) -> NoReturn:
        raise OSError(0, "too old")

    monkeypatch.setattr(sandbox, "WAYS", {"bubblewrap": fails, "Landlock": fails})
    sandbox.why_not.cache_clear()
    yield
    sandbox.why_not.cache_clear()


@pytest.mark.usefixtures("_no_way")
@pytest.mark.parametrize("command", ["match", "tournament"])
@pytest.mark.parametrize("choice", ["auto", "require", "off"])
def test_where_there_is_no_sandbox(ground: Path, capsys: pytest.CaptureFixture[str], command: str, choice: str) -> None:
    bot = write_bot(ground / "ours", "for message in turns(): act(message)")
    file = ground / "short.toml"
    file.write_text(
        f"game = 'expendibots'\ngames = 2\n[programs]\nsandbox = '{choice}'\n"
        f"[[players]]\nname = 'one'\nspec = '{bot}'\n[[players]]\nname = 'two'\nspec = 'random'\n"
    )
    typed = ["match", "expendibots", bot, "random", "-n", "1", "--workers", "1", "--sandbox", choice]
    code = run(typed if command == "match" else ["tournament", str(file)])
    said = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("to watch it: ")]
    why = "bubblewrap: too old; Landlock: too old"
    expected: dict[str, tuple[int, list[str]]] = {
        "auto": (0, [f"notice: sandbox: none, so programs can do whatever you can ({why})"]),
        "require": (2, [f"error: there is no sandbox here: {why}"]),
        "off": (0, []),
    }
    assert (code, said) == expected[choice]


@pytest.mark.usefixtures("_no_way")
def test_where_no_programs_play_nobody_asks_for_a_sandbox(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["match", "expendibots", "random", "random", "-n", "1", "--workers", "1", "--sandbox", "require"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(os.geteuid() != 0, reason="programs run as another user only where root starts them")
@pytest.mark.parametrize("unread", ["", "secret"])
def test_what_other_users_cannot_read_runs_as_root(way: str, python: str, ground: Path, unread: str) -> None:
    """Without privileges: it owns files that it cannot open."""
    (ground / "ours" / unread).chmod(0o700)
    bot = Bot(python, ground / "ours", Conditions(sandbox="require"))
    assert bot.ask("Path('secret').read_text()") == SECRET
    assert bot.ask("os.getuid()") == 0
    assert str(bot.ask("Path('secret').write_text('mine')")).startswith("refused")
    bot.end()
    command = command_of(str(ground / "ours" / "bot.py"), ground)
    assert "as root without privileges: " in "".join(sandbox.protection(command, "require"))


NOBODY = ("prlimit", "--nproc=3000", "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
USERS = {
    "with namespaces": (NOBODY, "not test_where"),
    "without namespaces": ((*NOBODY, "bwrap", "--unshare-user", "--disable-userns", "--dev-bind", "/", "/"), "Landlock and not test_where"),
}
"""Words that become a user, and which tests the user can run."""


@pytest.mark.skipif(os.geteuid() != 0, reason="these tests run as an ordinary user already")
@pytest.mark.parametrize("user", USERS)
def test_all_of_this_as_an_ordinary_user(user: str) -> None:
    """One who sees what they are made of, which may lie in root's home."""
    bubblewrap = shutil.which("bwrap")
    if bubblewrap is None:
        missing_sandbox("bubblewrap is not installed")
    seen = {Path(path) for path in (Path(__file__).parents[3], sys.prefix, sys.base_prefix, *sys.path) if Path(path).is_dir()}
    hidden = [path for path in sorted(seen) if path.is_relative_to(Path.home())]
    become, which = USERS[user]
    if "--disable-userns" in become and subprocess.run([bubblewrap, *become[become.index("bwrap") + 1 :], "true"], check=False).returncode:
        missing_sandbox("--disable-userns needs bubblewrap 0.8")
    words = [bubblewrap, "--dev-bind", "/", "/", "--tmpfs", str(Path.home())]
    words += [word for one in sandbox.parents(hidden) for word in ("--perms", "0755", "--dir", str(one))]
    words += [word for one in hidden for word in ("--ro-bind", str(one), str(one))]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        # Rules in plain Python: these few turns are played before anything would be compiled, and the code that is compiled already may be root's.
        environment = {**os.environ, "HOME": "/nonexistent", "TMPDIR": folder, "NUMBA_DISABLE_JIT": "1", "CI": "1"}
        tests = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", __file__, "-k", which]
        done = subprocess.run([*words, *become, *tests], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-5000:]
