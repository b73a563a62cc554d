"""The first minutes on a computer: the server is open, and what games need is compiled beside it."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ludarium.core.compiling import NotCompiled, on_compile, only_loading
from ludarium.errors import ProtocolError
from ludarium.web.compiling.warming import Warming
from ludarium.web.compiling.warmup import Part, all_parts, warm_up
from ludarium.web.disk.folder import Folder
from ludarium.web.sessions import Sessions
from ludarium.web.table.thinking import Thinkers
from ludarium.web.visitors.visitor import Visitor
from tests.conftest import Python
from tests.web.caches import Cache, Process
from tests.web.live import PATIENCE, Live

GAME = "expendibots"


RULES, RANDOM, GREEDY, OTHER = Part(GAME), Part(GAME, "random"), Part(GAME, "greedy"), Part("tic-tac-toe")


def warmed(cache: Cache, *parts: Part) -> list[str]:
    """Load and compile all parts. Says what was said."""

    async def wait() -> list[str]:
        said: list[str] = []
        warming = cache.warming(*parts)
        assert not any(warming.is_ready(part.game) for part in parts)
        warming.start(said.append)
        for part in parts:
            await asyncio.wait_for(warming.ready(part.game, [part.bot or "human"]), PATIENCE)
        await asyncio.sleep(0)
        assert all(warming.is_ready(part.game, bots=True) for part in parts)
        return said

    return asyncio.run(wait())


def test_a_second_start_loads_and_starts_no_other_process() -> None:
    cache = Cache(RULES, RANDOM)

    def fail() -> None:
        raise AssertionError("nothing is to be compiled")

    async def wait() -> None:
        said: list[str] = []
        warming = Warming([RULES, RANDOM], cache.warm_up, fail)
        warming.start(said.append)
        await asyncio.wait_for(warming.ready(GAME, ["random"]), PATIENCE)
        assert not said

    asyncio.run(wait())
    assert cache.loaded == [RULES, RANDOM]


def test_what_no_cache_has_is_compiled_once_by_the_other_process_and_then_loaded() -> None:
    cache = Cache(RULES)
    for _ in range(2):
        cache.may.put(True)
    said = warmed(cache, RULES, RANDOM, GREEDY)
    assert cache.compiled == [RANDOM, GREEDY]
    assert cache.loaded == [RULES, RANDOM, GREEDY]
    assert said[0] == "Compiling games and players for this computer, once; what you choose comes first"
    (process,) = cache.processes
    assert process.ended.wait(PATIENCE)


def test_an_error_in_the_thread_is_not_taken_for_a_loop_that_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is ready is let go all the same."""
    raised: list[str] = []
    monkeypatch.setattr(threading, "excepthook", lambda failed: raised.append(str(failed.exc_value)))

    def fail(part: Part) -> None:
        raise RuntimeError("dictionary changed size during iteration")

    async def wait() -> None:
        warming = Warming([RULES], fail)
        warming.start(print)
        await asyncio.wait_for(warming.ready(GAME), PATIENCE)
        for thread in threading.enumerate():
            if thread.name == "warming":
                await asyncio.to_thread(thread.join)

    asyncio.run(wait())
    assert raised == ["dictionary changed size during iteration"]


def test_where_the_other_process_fails_this_one_compiles(caplog: pytest.LogCaptureFixture) -> None:
    cache = Cache()
    cache.may.put(False)
    warmed(cache, RULES)
    assert cache.compiled == []
    assert cache.loaded == [RULES]
    assert [record.message.partition(";")[0] for record in caplog.records] == ["expendibots is not compiled by another process"]


def test_where_no_other_process_can_be_started_this_one_compiles(caplog: pytest.LogCaptureFixture) -> None:
    cache = Cache()

    def fail() -> Process:
        raise PermissionError(13, "Permission denied")

    async def wait() -> None:
        warming = Warming([RULES, RANDOM], cache.warm_up, fail)
        warming.start(lambda line: None)
        await asyncio.wait_for(warming.ready(GAME, ["random"]), PATIENCE)

    asyncio.run(wait())
    assert cache.loaded == [RULES, RANDOM]
    assert caplog.records[0].message == "no process that compiles can be started: Permission denied"


def test_what_somebody_waits_for_comes_first_and_the_others_play_on(tmp_path: Path) -> None:
    cache = Cache(RULES)
    with Live(tmp_path, warming=cache.warming(RULES, OTHER, RANDOM, GREEDY)) as live, ThreadPoolExecutor(2) as pool:
        assert cache.next() == OTHER
        made = live.make("human", "human")
        waiting = pool.submit(live.make, "greedy", "human")
        assert cache.next() == GREEDY  # at once: nobody waits for the other game
        assert cache.processes[0].ended.is_set()
        also_waiting = pool.submit(live.make, "random", "human")
        while not live.sessions.warming._waited_for[RANDOM]:
            live.http.get("/")
        assert live.http.get(f"/api/lobby/{GAME}/waits").json() == {"waits": True}
        with live.join(made["id"], made["seats"][0]["token"]) as white:
            white.act("a2-a3")
            white.until(lambda position: position["ply"] == 1)
        assert live.http.get("/").status_code == 200
        assert not waiting.done()
        cache.may.put(True)
        assert waiting.result(PATIENCE)["seats"][0]["player"] == 1
        assert not also_waiting.done()
        for _ in range(2):
            cache.next()
            cache.may.put(True)
        assert also_waiting.result(PATIENCE)["seats"][0]["player"] == 1
        assert len(cache.processes) == 2
        assert cache.processes[1].ended.wait(PATIENCE)
        assert sorted(cache.compiled) == sorted([GREEDY, RANDOM, OTHER])
    assert live.said[0].startswith("Compiling ")


def test_what_somebody_waits_for_does_not_give_way() -> None:
    cache = Cache()

    async def wait() -> None:
        warming = cache.warming(RULES, RANDOM, OTHER)
        warming.start(lambda line: None)
        first = asyncio.create_task(warming.ready(GAME))
        assert await asyncio.to_thread(cache.next) == RULES
        second = asyncio.create_task(warming.ready(OTHER.game))
        await asyncio.sleep(0)
        cache.may.put(True)
        await asyncio.wait_for(first, PATIENCE)
        assert await asyncio.to_thread(cache.next) == OTHER
        cache.may.put(True)
        await asyncio.wait_for(second, PATIENCE)
        warming.close()

    asyncio.run(wait())
    assert cache.compiled == [RULES, OTHER]
    assert len(cache.processes) == 1


def test_the_lobby_opens_before_boards_can_be_dealt(tmp_path: Path) -> None:
    cache = Cache()
    rules = Part("roboderby")
    with Live(tmp_path, warming=cache.warming(OTHER, rules)) as live, ThreadPoolExecutor(2) as pool:
        assert cache.next() == OTHER
        assert 'data-undealt="roboderby"' in live.http.get("/").text
        picture = pool.submit(live.http.get, "/api/lobby/roboderby/picture")
        live.http.get("/")
        cache.may.put(True)  # pictures stop nothing else
        assert cache.next() == rules
        dealt = pool.submit(live.http.post, "/api/lobby/roboderby/deal", json={})
        assert not picture.done()
        cache.may.put(True)
        for answer in (picture, dealt):
            assert answer.result(PATIENCE).json()["picture"].startswith("<svg ")
        assert "data-undealt" not in live.http.get("/").text
    assert cache.compiled == [OTHER, rules]


def test_a_server_that_stops_lets_nobody_wait(tmp_path: Path) -> None:
    cache = Cache()
    thinkers = Thinkers(1)

    async def stop() -> None:
        sessions = Sessions(Folder(tmp_path), thinkers, warming=cache.warming(RULES))
        sessions.warming.start(lambda line: None)
        made = asyncio.create_task(sessions.create({"game": GAME, "players": ["human", "human"]}, Visitor("127.0.0.1")))
        assert await asyncio.to_thread(cache.next) == RULES
        sessions.close("the server stops")
        with pytest.raises(ProtocolError) as refused:
            await asyncio.wait_for(made, PATIENCE)
        assert refused.value.code == "busy"

    asyncio.run(stop())
    thinkers.close()
    assert cache.processes[0].ended.is_set()
    assert cache.compiled == cache.loaded == []


def test_nothing_is_compiled_where_only_loading_is_allowed() -> None:
    told: list[str] = []
    on_compile.append(told.append)
    try:
        with only_loading():
            for listener in list(on_compile):
                with pytest.raises(NotCompiled, match="a_kernel"):
                    listener("a_kernel")
                break
            with ThreadPoolExecutor(1) as pool:  # other threads compile as ever
                pool.submit(lambda: [listener("another") for listener in list(on_compile)]).result(PATIENCE)
    finally:
        on_compile.remove(told.append)
    assert told == ["another"]


def test_what_does_not_work_is_logged_and_is_no_reason_to_compile(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR), only_loading():
        warm_up(Part("nothing"))
    assert caplog.records[0].message.startswith("game nothing does not work: BadOption: ")


COMPILE = """
from ludarium.web.compiling.compiler import Compiler
from ludarium.web.compiling.warmup import Part
compiler = Compiler()
done = [compiler.compile(Part("tic-tac-toe")), compiler.compile(Part("tic-tac-toe", "random"))]
compiler.end()
print([*done, compiler.compile(Part("tic-tac-toe"))])
"""

LOAD = """
import json
from ludarium.core.compiling import NotCompiled, only_loading
from ludarium.web.compiling.warmup import Part, warm_up
found = []
for part in (Part("tic-tac-toe"), Part("tic-tac-toe", "random"), Part("tic-tac-toe", "greedy")):
    try:
        with only_loading():
            warm_up(part)
        found.append(True)
    except NotCompiled:
        found.append(False)
print(json.dumps(found))
"""


def test_the_process_that_compiles_fills_the_cache_for_others(python: Python) -> None:
    before = python(LOAD)
    assert (json.loads(before.stdout), before.stderr) == ([False, False, False], "")
    done = python(COMPILE)
    assert (done.stdout, done.stderr) == ("[True, True, False]\n", "")
    assert json.loads(python(LOAD).stdout)[:2] == [True, True]


AT_WORK = """
import signal
from ludarium.web.compiling import compiler

compiler.warm_up = lambda part: signal.pause()
compiler.main()
"""


def test_the_process_that_compiles_ends_with_the_server_in_the_middle_of_a_part() -> None:
    with subprocess.Popen([sys.executable, "-c", AT_WORK], stdin=subprocess.PIPE) as process:
        try:
            assert process.stdin is not None
            process.stdin.write(f"{json.dumps(all_parts()[0])}\n".encode())
            process.stdin.close()
            assert process.wait(60) == 0
        finally:
            process.kill()
