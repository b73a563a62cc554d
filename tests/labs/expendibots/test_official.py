"""Ludarium as a player of the course's referee."""

from __future__ import annotations

import time

import pytest

from ludarium.games.expendibots.class_adapter import COLOURS, action_text, action_tuple
from ludarium.labs.expendibots.official import GAME, Player


@pytest.mark.parametrize("seat", [0, 1])
def test_it_plays_a_game_within_its_time(seat: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Player, "seconds", 0.3)
    state = GAME.start()
    started = time.process_time()
    player = Player(COLOURS[seat])
    while not state.is_over:
        mover = state.to_move[0]
        action = player.action() if mover == seat else action_tuple(state.actions(mover)[-1].text)
        assert type(action) is tuple
        state = state.play(action_text(action))
        player.update(COLOURS[mover], action)
    assert state.returns[seat] == 1  # the other one explodes wherever it can
    assert time.process_time() - started < 5
