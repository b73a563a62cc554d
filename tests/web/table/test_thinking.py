"""Bots think behind the pages."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable

import pytest

from ludarium.core.game import Action, State
from ludarium.players import Player, never
from ludarium.web.table.thinking import Answer, Thinker, Thinkers
from ludarium.web.visitors.visitor import HOUSE
from tests.core.test_cores import stood_back_from
from tests.tiny_games.coins import Coins


class Asked(Player):
    """Keeps the niceness of the thread in which it was asked."""

    niceness = 0

    def choose(self, state: State, player: int, interrupted: Callable[[], bool] = never) -> Action:
        self.niceness = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
        return state.legal_actions(player)[0]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux knows priorities of threads")
def test_a_thought_leaves_the_processor_to_what_sends_positions() -> None:
    bot, usual = Asked(), os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    thinkers = Thinkers(1)

    async def think() -> Answer:
        answer = asyncio.get_running_loop().create_future()
        thinkers.think(Thinker(bot, 0, HOUSE), Coins().start(), lambda found, seconds: answer.set_result(found))
        return await asyncio.wait_for(answer, 20)

    try:
        asyncio.run(think())
    finally:
        thinkers.close()
    assert bot.niceness == stood_back_from(usual)
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == usual
