"""``ludarium hexabomb logic``: the rules as a program of its own, for any orchestrator, with the arguments and exit codes of the original game."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import typer

from ludarium.cli.common import KnownToScripts, refused, whole_number
from ludarium.errors import BadOption, LudariumError, ProtocolError
from ludarium.games.hexabomb.maps import HexMap, load_map
from ludarium.netorcai.messages import PlayerActions

from .logic import HexabombLogic

USAGE = 255
FAILED = 1
"""Exit codes of the original: for arguments that make no sense, and for everything else that goes wrong."""

NICKNAME = "hexabomb"
MOST_REJECTIONS = 16
"""Rejected orders of one player that are told in one turn."""


class Arguments(KnownToScripts):
    code = USAGE


def command(
    file: Annotated[str | None, typer.Argument(metavar="MAP", show_default=False, help="A map's name or JSON file.")] = None,
    map: Annotated[str | None, typer.Option("--map", metavar="MAP", help="The same, as an option.")] = None,
    host: Annotated[str, typer.Option("--host", "--hostname", "-h", metavar="HOST", help="Where the orchestrator is.")] = "127.0.0.1",
    port: Annotated[str, typer.Option("--port", "-p", metavar="PORT", help="Its port.")] = "4242",
) -> None:
    """Be the game logic of one game under any orchestrator of netorcai.

    Rejected orders are told on standard error. Exit code 0: the game was played; 1: something failed; 255: bad arguments.
    """
    from ludarium.netorcai.game_logic import serve_logic

    if (file is None) == (map is None):
        raise refused("one map is needed, as in: ludarium hexabomb logic MAP -h HOST -p PORT", USAGE)
    try:
        number = _port(port)
        logic = _TalkingLogic(load_map(str(file or map)))
        logic.warm_up()
        serve_logic(logic, host, number, nickname=NICKNAME)
    except ProtocolError as problem:
        raise refused(f"Unable to connect socket: {problem}" if problem.code == "unreachable" else str(problem), FAILED) from None
    except LudariumError as problem:
        raise refused(str(problem), FAILED) from None


def _port(typed: str) -> int:
    try:
        return whole_number(1, 65535)(typed)
    except typer.BadParameter as problem:
        raise BadOption(f"Invalid port: {problem.message}") from None


class _TalkingLogic(HexabombLogic):
    """Tells rejected orders on standard error, of each player a few a turn."""

    def __init__(self, board: HexMap) -> None:
        super().__init__(board)
        self.on_rejected = self._tell
        self._told: Counter[int] = Counter()

    def turn(self, players_actions: Sequence[PlayerActions]) -> tuple[bytes, int]:
        self._told.clear()
        return super().turn(players_actions)

    def _tell(self, player: int, reason: str) -> None:
        self._told[player] += 1
        if self._told[player] <= MOST_REJECTIONS:
            print(f"Ignoring a character action: {reason} (player {player})", file=sys.stderr)
        elif self._told[player] == MOST_REJECTIONS + 1:
            print(f"Ignoring more character actions in this turn (player {player})", file=sys.stderr)
