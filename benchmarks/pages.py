"""Pages in the system's Chromium: when something is to be seen on a slow line, and what a frame of an animation costs.

The line has 150 ms and 1.6 Mbit/s for files; Chromium does not slow WebSockets down, so that games come over a quicker one.
"""

from __future__ import annotations

import functools
import json
import statistics
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ViewportSize, sync_playwright

from .harness import Row, at_most
from .server import percentile, post, serving

CHROMIUM = Path("/usr/bin/chromium-headless-shell")

LATENCY = 150
"""Milliseconds."""

THROUGHPUT = 1_600_000 / 8
"""Bytes per second."""

WORK = {"FireAnimationFrame", "FunctionCall", "EventDispatch", "TimerFire", "UpdateLayoutTree", "Layout"}
"""Scripting and layout, as Chromium's tracing calls them."""

WATCHED = 10_000
"""Milliseconds."""

FRAME = 1_000_000 // 60
"""Microseconds."""

VISITS = 5

SIZE: ViewportSize = {"width": 1280, "height": 800}

GAMES = ("expendibots", "expand-conquer", "hexabomb", "roboderby")


def rows() -> Iterator[Row]:
    nothing = functools.cache(lambda: first_paint("/nothing"))
    paint = "first paint on a slow line"
    yield Row(
        f"lobby: {paint}", "ms", lambda: first_paint("/"), "a page of three lines", nothing, at_most(value=1000), rounds=1, seconds=30
    )
    for game in GAMES:
        yield Row(
            f"{game}: board on a slow line",
            "ms",
            functools.partial(board, game, "#board svg"),
            "a page of three lines",
            nothing,
            at_most(value=1500),
            rounds=1,
            seconds=20,
        )
        yield Row(
            f"{game}: board to play on, on a slow line",
            "ms",
            functools.partial(board, game, "#board [data-pick]"),
            "a page of three lines",
            nothing,
            at_most(value=1500),
            rounds=1,
            seconds=20,
        )
    for game in GAMES:
        costs = functools.cache(functools.partial(frames, game))
        name = f"{game}: scripting and layout of a frame, p95 while bots play"
        yield Row(
            name,
            "ms",
            lambda costs=costs: percentile(costs(), 95),
            "the median frame",
            lambda costs=costs: statistics.median(costs()),
            at_most(value=8),
            rounds=1,
            seconds=30,
        )


def first_paint(path: str) -> float:
    """Milliseconds, the median of some visits."""
    return median_of("performance.getEntriesByName('first-contentful-paint')[0]?.startTime", lambda address: path)


def board(game: str, selector: str) -> float:
    """Milliseconds until an element of a board is there, the median of some visits."""
    return median_of(f"document.querySelector('{selector}') && performance.now()", lambda address: made(address, game, "human", "random"))


def median_of(milliseconds: str, path: Callable[[str], str]) -> float:
    with serving() as address, chromium() as browser:
        found: list[float] = []
        for _ in range(VISITS):
            page = browser.new_context(viewport=SIZE, bypass_csp=True).new_page()
            protocol = page.context.new_cdp_session(page)
            protocol.send("Network.enable")
            protocol.send(
                "Network.emulateNetworkConditions",
                {"offline": False, "latency": LATENCY, "downloadThroughput": THROUGHPUT, "uploadThroughput": -1},
            )
            page.goto(f"http://{address}{path(address)}", wait_until="commit")
            found.append(page.wait_for_function(milliseconds, polling="raf").json_value())
            page.context.close()
        return statistics.median(found)


def frames(game: str) -> list[float]:
    """Milliseconds of scripting and layout of each frame in which there was any, while bots are watched."""
    with serving() as address, chromium() as browser:
        page = browser.new_context(viewport=SIZE, bypass_csp=True).new_page()
        page.goto(f"http://{address}{made(address, game, 'random', 'random')}")
        page.wait_for_function("document.querySelectorAll('#moves li').length > 4")
        browser.start_tracing(page=page, categories=["devtools.timeline"])
        page.wait_for_timeout(WATCHED)
        events: list[dict[str, Any]] = json.loads(browser.stop_tracing())["traceEvents"]
    thread = Counter((event["pid"], event["tid"]) for event in events if event["name"] == "UpdateLayoutTree").most_common(1)[0][0]
    worked = [event for event in events if event["name"] in WORK and event["ph"] == "X" and (event["pid"], event["tid"]) == thread]
    costs, ended = Counter[int](), 0
    for event in sorted(worked, key=lambda event: event["ts"]):
        if event["ts"] >= ended:  # what is inside another one is counted there
            costs[event["ts"] // FRAME] += event["dur"]
            ended = event["ts"] + event["dur"]
    return [cost / 1000 for cost in costs.values()]


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def made(address: str, game: str, *players: str) -> str:
    """The page of a new game."""
    return f"/game/{post(f'http://{address}/api/games', {'game': game, 'players': list(players), 'seed': 1})['id']}"
