"""What programs do wrong has a name in the record, and whatever they do, nothing of them is left."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

import ludarium
from ludarium.arena import Terms, TimeControl, match, play_game
from ludarium.core.game import Game
from ludarium.players import never
from ludarium.players.programs import Conditions, pool
from ludarium.players.programs.commands import command_of
from ludarium.players.programs.process import Process
from ludarium.players.programs.rest import QUICK, Rest
from tests.command_line import PROGRAM
from tests.missing import need
from tests.players.programs.bots import eventually, write_bot

pytestmark = pytest.mark.usefixtures("no_sandbox")

SECOND = Terms((TimeControl(0.5, is_per_action=True), TimeControl(0.5, is_per_action=True)))

FAULTS = {
    "exits": ("for message in turns(): sys.exit(3)", "crash: ", "ended with exit code 3"),
    "raises": ("for message in turns(): raise ValueError('no idea')", "crash: ", "ValueError: no idea"),
    "is killed": ("for message in turns(): os.kill(os.getpid(), signal.SIGSEGV)", "crash: ", "ended by signal 11"),
    "closes its output": ("for message in turns(): os.close(1); time.sleep(60)", "crash: ", "has closed its standard input or output"),
    "ends half a line": (
        'for message in turns(): sys.stdout.write(\'{"type": "act\'); sys.stdout.flush(); os._exit(0)',
        "crash: ",
        "exit code 0",
    ),
    "writes half a line": ("for message in turns(): sys.stdout.write('{'); sys.stdout.flush()", "timeout: ", ""),
    "is silent": ("for message in turns(): pass", "timeout: ", ""),
    "sleeps": ("for message in turns(): time.sleep(60)", "timeout: ", ""),
    "drips": ("for message in turns():\n while True: os.write(1, b' '); time.sleep(0.01)", "timeout: ", ""),
    "drips before it greets": ("while True: os.write(1, b' '); time.sleep(0.01)", "timeout: ", "no answer to 'hello'"),
    "writes no line's end": (
        "for message in turns():\n while True: os.write(1, b'x' * 65536)",
        "bad answer: ",
        "a line of more than 65,536 bytes: xxx",
    ),
    "floods": (
        "for message in turns():\n while True: os.write(1, b'{\"type\": \"action\", \"action\": %d}\\n' % message['indices'][0] + b'x\\n' * 9999)",
        "out of turn: ",
        "x",
    ),
    "is no UTF-8": ("for message in turns(): os.write(1, b'\\xff{}\\n')", "bad answer: ", "not UTF-8: \\xff{}"),
    "is no JSON": ("for message in turns(): print('a2-a4', flush=True)", "bad answer: ", "not JSON: a2-a4"),
    "is deep JSON": ("for message in turns(): print('[' * 60000, flush=True)", "bad answer: ", "not JSON: [[["),
    "is another message": (
        "for message in turns(): say(type='ready')",
        "bad answer: ",
        'no object with "type": "action": {"type": "ready"}',
    ),
    "is no action": ("for message in turns(): say(type='action', action=None)", "bad answer: ", '"action" is a text or an index'),
    "is illegal": ("for message in turns(): say(type='action', action='a1-a8')", "illegal action: ", "a1-a8"),
    "is infinite": ("for message in turns(): say(type='action', action=1e400)", "bad answer: ", '"action" is a text or an index'),
    "is no number": ("for message in turns(): say(type='action', action=float('nan'))", "bad answer: ", '"action" is a text or an index'),
    "is half a number": ("for message in turns(): say(type='action', action=0.5)", "bad answer: ", '"action" is a text or an index'),
    "is true": ("for message in turns(): say(type='action', action=True)", "bad answer: ", '"action" is a text or an index'),
    "is an illegal number": ("for message in turns(): say(type='action', action=10**30)", "illegal action: ", ""),
    "answers twice": (
        'for message in turns(): os.write(1, b\'{"type": "action", "action": 0}\\n\' * 2)',
        "out of turn: ",
        '{"type": "action"',
    ),
    "talks before it is greeted": ("print('ready?')\nfor message in turns(): act(message)", "bad answer: ", "not JSON: ready?"),
    "does not greet": ("sys.exit(4)", "crash: ", "exit code 4"),
    "greets wrongly": ("print('hello!', flush=True)", "bad answer: ", "not JSON: hello!"),
    "takes memory": ("for message in turns(): hoard = b'x' * 400_000_000; time.sleep(60)", "too much: ", "MB of memory; 100 are allowed"),
    "takes memory in a child": (
        "for message in turns(): subprocess.run([sys.executable, '-c', 'import time; hoard = b\"x\" * 400_000_000; time.sleep(60)'])",
        "too much: ",
        "MB of memory",
    ),
    "has many processes": (
        "for message in turns():\n for _ in range(30): subprocess.Popen(['sleep', '60'])\n time.sleep(60)",
        "too much: ",
        "processes; 20 are allowed",
    ),
}


@pytest.fixture
def game() -> Game:
    return ludarium.game("expendibots")


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_has_its_reason(game: Game, tmp_path: Path, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if "greet" in fault:
        monkeypatch.setattr("ludarium.players.programs.program.LONGEST_START", 5.0)
    body, kind, words = FAULTS[fault]
    patient = fault.startswith(("takes", "has many"))
    terms = Terms(() if patient else SECOND.time, programs=Conditions(memory=100, processes=20))
    timeline = play_game(game, [write_bot(tmp_path, body), "random"], seed=1, terms=terms)
    assert timeline.events[-2]["event"] == "forfeit"
    reason = timeline.events[-2]["reason"]
    assert reason.startswith(kind)
    assert words in reason
    assert len(reason) < 700
    assert timeline.state.game.players == 2
    assert timeline.outcome is not None
    assert timeline.outcome.winner == 1


STOPS_THE_JUDGE = """
import psutil
judge = psutil.Process().parent().parent()
for message in turns():
    if judge.status() != "stopped" and message["ply"] < 3:
        judge.suspend()
        time.sleep(2)
        judge.resume()
    act(message)
"""


def test_a_judge_that_is_stopped_charges_no_player_for_it(tmp_path: Path) -> None:
    """Ctrl-Z stops the judge and not the bot, whose answer waits. It takes two seconds, which are more than the bot has."""
    bot = write_bot(tmp_path, STOPS_THE_JUDGE)
    arguments = [
        "match",
        "expendibots",
        bot,
        "random",
        "--games",
        "1",
        "--tc",
        "0.5/action",
        "--sandbox",
        "off",
        "--json",
        "-o",
        "turn_limit=4",
    ]
    with subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, text=True, start_new_session=True) as judge:
        output, _ = judge.communicate(timeout=100)
    assert json.loads(output)["players"][0]["draws"] == 1, output


def test_a_program_that_cannot_be_started(game: Game, tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    bot.write_bytes(b"\x7fELF, but no program")
    bot.chmod(0o755)
    timeline = play_game(game, [str(bot), "random"], seed=1)
    assert timeline.events[-2]["reason"] == f"crash: {bot} cannot be started: {bot}: Exec format error"


def test_a_source_that_does_not_compile(game: Game, tmp_path: Path) -> None:
    need("cc", "gcc")
    bot = tmp_path / "bot.c"
    bot.write_text("int main() { return nothing; }")
    assert "cannot be compiled" in play_game(game, [str(bot), "random"], seed=1).events[-2]["reason"]


def gone(number: int) -> bool:
    try:
        return psutil.Process(number).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


CHILDREN = """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
orphan = '''
import os, signal, time
os.setsid()
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork():
    os._exit(0)
open("orphan", "w").write(str(os.getpid()))
time.sleep(600)
'''
for message in turns():
    if not os.path.exists("orphan"):
        subprocess.run([sys.executable, "-c", orphan])
        while not (os.path.exists("orphan") and open("orphan").read()): pass
        open("own", "w").write(str(os.getpid()))
    act(message)
"""


def test_nothing_is_left_of_a_program_that_ignores_signals_and_forks_twice(game: Game, tmp_path: Path) -> None:
    play_game(game, [write_bot(tmp_path, CHILDREN), "random"], seed=1)
    numbers = [int((tmp_path / name).read_text()) for name in ("own", "orphan")]
    assert not any(map(gone, numbers))
    pool.end_all()
    assert eventually(lambda: all(map(gone, numbers)))


def test_nothing_is_left_when_the_judge_is_killed(tmp_path: Path) -> None:
    bot = write_bot(tmp_path, CHILDREN.replace("act(message)", "time.sleep(600)"))
    judge = subprocess.Popen(
        [sys.executable, "-m", "ludarium", "match", "expendibots", bot, "random", "-n", "1", "--sandbox", "off"], stdout=subprocess.PIPE
    )
    assert eventually(lambda: (tmp_path / "own").exists() and (tmp_path / "own").read_text() != "")
    judge.kill()
    judge.communicate()
    numbers = [int((tmp_path / name).read_text()) for name in ("own", "orphan")]
    assert eventually(lambda: all(map(gone, numbers)))


@pytest.mark.parametrize("ponder", [False, True])
def test_between_its_turns_a_program_is_stopped_with_its_children(game: Game, tmp_path: Path, ponder: bool) -> None:
    bot = write_bot(tmp_path, CHILDREN)
    play_game(game, [bot, "random"], seed=1, terms=Terms(programs=Conditions(ponder=ponder)))
    numbers = [int((tmp_path / name).read_text()) for name in ("own", "orphan")]

    def stopped(number: int) -> bool:
        return psutil.Process(number).status() == psutil.STATUS_STOPPED

    if ponder:
        assert not any(map(stopped, numbers))
    else:
        assert eventually(lambda: all(map(stopped, numbers)))
    pool.end_all()


LATE_CHILD = """\
import os, sys, time
for line in sys.stdin:
    if not os.fork():
        os.setsid()
        open("child", "w").write(str(os.getpid()))
        print(flush=True)
        time.sleep(600)
"""


def test_a_keeper_does_not_look_around_while_all_are_stopped_and_does_as_soon_as_they_have_run(tmp_path: Path) -> None:
    """A look goes through all processes of the computer. The program has been seen at rest when, in a short turn, it starts another process."""
    bot = tmp_path / "bot.py"
    bot.write_text(LATE_CHILD)
    others = psutil.Process().children()
    program = Process(command_of(str(bot), tmp_path), Conditions(sandbox="off"))
    program.rest()
    (keeper,) = (one for one in psutil.Process().children() if one not in others)

    def reads_in_three_looks() -> int:
        before, reads = keeper.num_ctx_switches().voluntary, keeper.io_counters().read_count
        assert eventually(lambda: keeper.num_ctx_switches().voluntary >= before + 3)
        return keeper.io_counters().read_count - reads

    assert eventually(lambda: reads_in_three_looks() < 20)
    program.go()
    program.send(b"\n", time.monotonic() + 10, never)
    program.receive(time.monotonic() + 10, never)
    program.rest()
    child = psutil.Process(int((tmp_path / "child").read_text()))
    assert eventually(lambda: child.status() == psutil.STATUS_STOPPED)
    program.end()
    assert eventually(lambda: gone(child.pid))


def test_errors_are_kept_beside_the_record_up_to_a_megabyte(game: Game, tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "for message in turns():\n act(message)\n print('thinking ' * 10000, file=sys.stderr)")
    records = tmp_path / "records"
    result = match(game, [bot, "random"], games=2, seed=1, records=records)
    assert len(result.games) == 2
    logs = sorted(path.name for path in records.glob("*.log"))
    assert logs == ["game-0001-0.log", "game-0002-1.log"]
    for name in logs:
        text = (records / name).read_text()
        assert "thinking" in text
        assert len(text) < 1_100_000


@pytest.mark.parametrize(("answer", "turns"), [("act(message)", 2), ("say(type='action', action='none')", 1)])
def test_errors_are_kept_when_the_game_is_over(game: Game, tmp_path: Path, answer: str, turns: int) -> None:
    bot = write_bot(
        tmp_path, f"for message in turns():\n for _ in range(500): os.write(2, b'thinking ')\n os.write(2, b'done.')\n {answer}"
    )
    for seed in range(5):
        play_game(game, [bot, "random"], seed=seed, log=tmp_path / f"game{seed}", terms=Terms(max_plies=3))
        assert (tmp_path / f"game{seed}-0.log").read_text() == ("thinking " * 500 + "done.") * turns


def test_a_program_that_waits_in_processor_time_does_not_lose(game: Game, tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "for message in turns():\n time.sleep(0.3)\n act(message)")
    terms = Terms((TimeControl(0.2, is_per_action=True),) * 2, by_cpu=True)
    start = game.parse("B......./......../......../......../......../......../......../W....... w 496")
    assert play_game(game, [bot, "random"], start=start, seed=1, terms=terms).events[-2]["event"] == "action"


def test_a_program_that_computes_in_processor_time_does(game: Game, tmp_path: Path) -> None:
    bot = write_bot(
        tmp_path, "for message in turns():\n until = time.process_time() + 0.4\n while time.process_time() < until: pass\n act(message)"
    )
    terms = Terms((TimeControl(0.2, is_per_action=True),) * 2, by_cpu=True)
    reason = play_game(game, [bot, "random"], seed=1, terms=terms).events[-2]["reason"]
    assert reason.startswith("timeout: ")
    assert "processor time" in reason


def test_a_clock_for_the_game_runs_out(game: Game, tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "for message in turns():\n time.sleep(0.2)\n act(message)")
    timeline = play_game(game, [bot, "random"], seed=1, terms=Terms((TimeControl(1), TimeControl(1))))
    assert timeline.events[-2]["reason"].startswith("timeout")
    assert 2 <= timeline.ply <= 10


def test_a_built_in_player_looks_at_its_clock(game: Game) -> None:
    start = game.parse("BB.BB.BB/BB.BB.BB/......../......../......../......../WW.WW.WW/WW.WW.WW w 494")
    play_game(game, ["alphabeta:nodes=10", "random"], start=start, seed=1)  # the first search of a process loads its code
    timeline = play_game(game, ["alphabeta:time=3s", "random"], start=start, seed=1, terms=Terms((TimeControl(1), TimeControl(1))))
    assert timeline.events[-2]["event"] == "action"
    assert sum(event["seconds"].get("0", 0) for event in timeline.events if "seconds" in event) < 1


def test_an_interrupted_game_waits_for_no_program(game: Game, tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "for message in turns():\n time.sleep(600)")
    asked = 0

    def interrupted() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    assert play_game(game, [bot, "random"], seed=1, interrupted=interrupted).outcome is None


def test_between_quick_turns_a_program_is_left_running_until_one_takes_longer() -> None:
    now, done = 0.0, list[str]()
    rest = Rest(lambda: done.append("stop"), lambda: done.append("go"), lambda: now)
    rest.end()
    rest.begin()
    assert done == ["stop"]  # nobody knows yet how long it will be
    now += QUICK / 2
    rest.end()
    assert done == ["stop", "go"]
    for _ in range(3):
        rest.begin()
        now += QUICK / 2
        rest.end()
    rest.begin()
    assert done == ["stop", "go"]
    now += 2 * QUICK
    assert eventually(lambda: done == ["stop", "go", "stop"])
    rest.end()
    rest.begin()
    assert done == ["stop", "go", "stop", "go", "stop"]


def test_how_a_program_ended_is_known_however_quickly_it_did(game: Game) -> None:
    reasons = {play_game(game, ["cmd:false", "random"], seed=1).events[-2]["reason"] for _ in range(10)}
    assert reasons == {"crash: cmd:false ended with exit code 1"}
