"""Compiles what most tests need, one process a core: ``python -m tests.warm_up``. Otherwise their workers would all begin by compiling the same.

Tests need not be preceded by it. What is compiled already is only loaded, which takes two seconds.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor

from ludarium.web.warmup import all_parts, warm_up


def warm_up_game(game: str) -> None:
    for part in all_parts():
        if part.game == game:
            warm_up(part)


if __name__ == "__main__":
    with ProcessPoolExecutor() as pool:
        list(pool.map(warm_up_game, sorted({part.game for part in all_parts()}, reverse=True)))  # "roboderby" first: it takes longest
