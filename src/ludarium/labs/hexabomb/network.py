"""hexabomb's players as clients of any orchestrator."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludarium.core.game import State
from ludarium.errors import LudariumError, ProtocolError
from ludarium.games.hexabomb.game import Hexabomb
from ludarium.games.hexabomb.maps import HexMap, read_map
from ludarium.games.hexabomb.notation.messages import sent_orders
from ludarium.games.hexabomb.notation.state_text import CLASSIC, SUDDEN_DEATH, write_value
from ludarium.netorcai.client import GameEnds, GameStarts, Turn
from ludarium.players import Player, parse_player

from .serving.board_game import game_on


def player_agent(spec: str, seed: int, *, special: bool) -> PlayerAgent:
    """A player of any kind that can play hexabomb, by its spec.

    Args:
        spec: such as ``bomber``.
        seed: decides what the player leaves to chance.
        special: it is to be the special player of sudden death.

    Raises:
        BadNotation, BadOption: there is no such player.
    """
    game = Hexabomb(map=REHEARSAL, mode=SUDDEN_DEATH if special else CLASSIC)
    player = parse_player(spec, game).make(game, seed)
    player.choose(game.start(), 0)  # compiles, or loads, what the player needs
    player.close()
    return PlayerAgent(spec, seed)


REHEARSAL = "tiny2"
"""The map on which a player is tried before there is a game: it has places for a special player."""


class PlayerAgent:
    """Lets a player choose in a networked game; see :class:`ludarium.netorcai.client.Agent`."""

    def __init__(self, spec: str, seed: int) -> None:
        self._spec = spec
        self._seed = seed
        self.player_id = -1
        """Once the game has begun: which player this is."""
        self._game: Hexabomb | None = None
        self._player: Player | None = None

    def start(self, start: GameStarts) -> None:
        """Make the player for the map, mode and length that the game has.

        Raises:
            ProtocolError: it is no game of hexabomb, or one that the common interface has no place for.
        """
        try:
            board = _board(start.state, start.special_players)
            self._game = game_on(board, start.players, start.special_players, start.turns, reception="random")
        except (LudariumError, KeyError, TypeError, AttributeError, ValueError, IndexError) as problem:
            raise ProtocolError("bad_message", f"the game on that server is no game of hexabomb: {_reason(problem)}") from None
        if self._game is None:
            raise ProtocolError(
                "bad_message", f"a game of {start.players + start.special_players} players is too large for a player from here"
            )
        self.player_id = start.player_id
        self._player = parse_player(self._spec, self._game).make(self._game, self._seed)

    def turn(self, turn: Turn) -> list[Any]:
        """The player's orders.

        Raises:
            ProtocolError: what was sent is no state of this game.
        """
        assert self._game is not None
        assert self._player is not None
        records = np.zeros(1, self._game.dtype)
        try:
            value = {**turn.state, "mode": self._game.options["mode"], "turn": turn.number + 1}
            write_value(self._game.tables, value, records[0], self._game.dimensions.slots)
        except LudariumError as problem:
            raise ProtocolError("bad_message", f"turn {turn.number} cannot be read: {problem}") from None
        return sent_orders(self._player.choose(State(self._game, records), self.player_id))

    def end(self, end: GameEnds) -> None:
        pass

    def close(self) -> None:
        """Give back what the player holds."""
        if self._player is not None:
            self._player.close()


def _board(state: dict[str, Any], special_players: int) -> HexMap:
    """The map of a game from the state before its first turn, in which all characters stand where they start."""
    teams: dict[int, list[dict[str, int]]] = {}
    for character in state["characters"]:
        teams.setdefault(character["color"] - 1, []).append({"q": character["q"], "r": character["r"]})
    special = teams.pop(0, []) if special_players else []
    positions = {str(player - special_players): places for player, places in teams.items()}
    cells = [{"q": cell["q"], "r": cell["r"]} for cell in state["cells"]]
    return read_map({"cells": cells, "initial_positions": positions, "special_initial_positions": special})


def _reason(problem: Exception) -> str:
    return f"the state has no {problem}" if isinstance(problem, KeyError) else str(problem)
