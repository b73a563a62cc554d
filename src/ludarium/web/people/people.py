"""Whose name is whose on a server, and what they have played."""

from __future__ import annotations

import time
from collections.abc import Collection
from math import ceil
from pathlib import Path
from typing import cast

from ludarium.arena.ladder.names import Names
from ludarium.core.record import FORMAT
from ludarium.core.timeline import Timeline
from ludarium.errors import ProtocolError
from ludarium.players import HUMAN, strength_of
from ludarium.web.visitors.bans import Bans
from ludarium.web.visitors.rate import Rate
from ludarium.web.visitors.visitor import Visitor

from .played import Played, PlayedGames, pool_of

MOST_NAMES = 20_000

NAMES, NAMES_SECONDS = 3, 3600.0
"""How many new names one person may take at once, and how long it is then until the next one. An address may take as many as its people."""
WRONG, WRONG_SECONDS = 10, 30.0
"""The same of wrong keys."""


class People:
    """Those of one server."""

    def __init__(self, folder: Path, people: int, reserved: Collection[str] = (), bans: Bans | None = None) -> None:
        """``people`` may come from one address at once; ``reserved`` are names in small letters that nobody may take.

        Raises:
            StoreError: the folder cannot be used.
        """
        self.names = Names(folder / "names.jsonl", reserved)
        self.played = PlayedGames(folder / "games.jsonl")
        self._bans = bans
        self._new = Rate(NAMES * people, NAMES_SECONDS / people, time.monotonic)
        self._wrong = Rate(WRONG * people, WRONG_SECONDS / people, time.monotonic)

    def take(self, name: str, key: str | None, visitor: Visitor) -> tuple[str, str]:
        """A name and its key, for a visitor who has the key or takes a name that is free. Waits for the disk.

        Raises:
            ProtocolError: ``bad_name``, ``bad_key``, ``too_many``, ``banned`` or ``busy``.
            StoreError: the disk does not take the name.
        """
        if key is not None:
            return self.check(name, key, visitor), key

        def on_new(_: str) -> None:
            _wait(self._new, visitor, "new names have been taken")
            if len(self.names) >= MOST_NAMES:
                raise ProtocolError("busy", f"{MOST_NAMES:,} names are taken, which is all that this server has")
            self._new.count(visitor.address)

        return self.names.take(name, None, on_new)

    def check(self, name: str, key: str, visitor: Visitor) -> str:
        """The name of somebody who has its key.

        Raises:
            ProtocolError: ``bad_key``, ``too_many`` or ``banned``.
        """
        _wait(self._wrong, visitor, "wrong keys have come")
        try:
            found = self.names.check(name, key)
        except ProtocolError:
            self._wrong.count(visitor.address)
            raise
        if self._bans is not None and (refusal := self._bans.refusal(name=found)):
            raise ProtocolError("banned", refusal)
        return found

    def note(self, id: str, timeline: Timeline, players: list[tuple[str, str, str]], is_usual: bool) -> None:
        """A game is over. ``players`` are by seat what it is called in the game, its spec, and its name or ""."""
        if timeline.outcome is None or not any(name for _, _, name in players):
            return
        game = timeline.game
        names = tuple(name or None for _, _, name in players)
        is_bot = [spec != HUMAN for _, spec, _ in players]
        shown = tuple(called if spec == HUMAN else spec for called, spec, _ in players)
        counts = (
            is_usual
            and all(map(timeline.has_acted, range(len(players))))
            and all(spec == HUMAN or strength_of(spec, game) for _, spec, _ in players)
            and not any(event["event"] == "takeback" for event in timeline.events)
        )
        usual = {option.name: option.default for option in game.option_list}
        self.played.add(
            Played(
                id,
                game.id,
                game.title,
                {name: cast("object", value) for name, value in game.options.items() if value != usual.get(name)},
                names,
                shown,
                tuple(timeline.outcome.returns),
                timeline.outcome.reason,
                time.time(),
                pool_of(names, is_bot, shown) if counts else None,
                FORMAT,
            )
        )

    def close(self) -> None:
        self.names.close()
        self.played.close()


def _wait(rate: Rate, visitor: Visitor, what: str) -> None:
    if wait := ceil(rate.wait(visitor.address)):
        raise ProtocolError("too_many", f"many {what} from here in a short time; try again in {wait} s", wait)
