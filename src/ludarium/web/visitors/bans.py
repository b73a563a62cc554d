"""Who may not come for a while, by address or by name, over all starts of a server."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from pydantic import TypeAdapter

from ludarium.arena.ladder.names import LONGEST_NAME, folded
from ludarium.core.lines import kept_lines
from ludarium.errors import ProtocolError, store_errors

from .visitor import network_of

LONGEST = 10 * 366 * 24.0
"""Hours."""


@dataclass(frozen=True)
class Ban:
    address: str | None
    name: str | None
    until: float
    """As of ``time.time``; 0 lifts the ban."""


_BAN = TypeAdapter(Ban)


class Bans:
    """Those that hold, in a file. All methods run on the event loop."""

    def __init__(self, path: Path) -> None:
        """
        Raises:
            StoreError: the file cannot be used.
        """
        self._until: dict[tuple[str | None, str | None], Ban] = {}
        self._file = kept_lines(path, "the bans", "ban", lambda line: self._know(_BAN.validate_json(line)))

    @property
    def open(self) -> list[Ban]:
        """Those that hold now."""
        now = time.time()
        return [ban for ban in self._until.values() if ban.until > now]

    def ban(self, address: str | None, name: str | None, hours: float) -> None:
        """Let nobody come from an address, or with a name, for so long; 0 hours lift the ban.

        Raises:
            ProtocolError: ``bad_message``: neither or both, no address, or a time that is none.
            StoreError: the disk does not take it. It holds all the same, until the server stops: perhaps it is who fills the disk.
        """
        if (address is None) == (name is None):
            raise ProtocolError("bad_message", "a ban is of either an 'address' or a 'name'")
        if name is not None and not 0 < len(name) <= LONGEST_NAME:  # nameless are all who have none
            raise ProtocolError("bad_message", f"a name has 1 to {LONGEST_NAME} characters, not {len(name)}")
        if not 0 <= hours <= LONGEST or math.isnan(hours):
            raise ProtocolError("bad_message", f"a ban is for 0 to {LONGEST:g} hours, not {hours:g}")
        if address is not None:
            try:
                network = network_of(str(ip_address(address.removesuffix("/64"))))
            except ValueError:
                told = f"{address[:80]!r} is not an address such as 192.0.2.7, nor a network of 64 bits such as 2001:db8::/64"
                raise ProtocolError("bad_message", told) from None
            address = network
        ban = Ban(address, name, time.time() + 3600 * hours if hours else 0.0)
        self._know(ban)
        with store_errors("this holds until the server stops, for it cannot be kept"):
            self._file.add(_BAN.dump_python(ban))
            self._file.sync()

    def _know(self, ban: Ban) -> None:
        key = ban.address, None if ban.name is None else folded(ban.name)
        self._until.pop(key, None)
        if ban.until:
            self._until[key] = ban

    def refusal(self, *, address: str | None = None, name: str | None = None) -> str | None:
        """Why somebody may not come; None if they may."""
        ban = self._until.get((address, None if name is None else folded(name)))
        if ban is None or (left := ban.until - time.time()) <= 0:
            return None
        whose = "your address" if name is None else f"the name '{ban.name}'"
        return f"the organiser has banned {whose}, for {max(1, round(left / 60)):,} more minutes"

    def close(self) -> None:
        self._file.close()
