"""What the operator can type while an orchestrator runs."""

from __future__ import annotations

import re
from collections.abc import Callable

from ludarium.errors import LudariumError, ProtocolError, one_of

from .orchestrator import Orchestrator
from .settings import VARIABLES

COMMANDS = ("start", "quit", "print", "set")
"""``start``, ``quit``, ``print VARIABLE``, ``print all`` and ``set VARIABLE=VALUE``, also written ``set VARIABLE VALUE``."""
WORDS = (*COMMANDS, "all", *VARIABLES, *(f"{name}=" for name in VARIABLES))
"""What a line can be made of."""


class Prompt:
    """Carries out lines. ``say`` is given what is to be shown."""

    def __init__(self, orchestrator: Orchestrator, say: Callable[[str], None]) -> None:
        self._orchestrator = orchestrator
        self._say = say

    def obey(self, line: str) -> None:
        """Do what a line says; whatever is wrong with it is said."""
        if not line.strip():
            return
        command, *rest = line.split(maxsplit=1)
        try:
            self._obey(command, "".join(rest).strip())
        except LudariumError as problem:
            self._say(str(problem))

    def _obey(self, command: str, rest: str) -> None:
        if command in ("start", "quit") and rest:
            raise ProtocolError("bad_command", f"{command} takes nothing, not '{rest}'")
        if command == "start":
            self._orchestrator.start()
        elif command == "quit":
            self._orchestrator.quit()
        elif command == "print":
            self._print(rest)
        elif command == "set":
            self._set(rest)
        else:
            raise ProtocolError("bad_command", f"command {one_of(command, COMMANDS)}")

    def _print(self, name: str) -> None:
        variables = self._orchestrator.settings.variables()
        if name != "all" and name not in variables:
            raise ProtocolError("bad_command", f"print {one_of(name, ('all', *variables))}")
        for one in variables if name == "all" else (name,):
            self._say(f"{one}={variables[one]}")

    def _set(self, assignment: str) -> None:
        name, *rest = re.split(r"\s*=\s*|\s+", assignment, maxsplit=1)
        if not rest:
            raise ProtocolError("bad_command", f"set VARIABLE=VALUE, not '{assignment}'")
        if self._orchestrator.has_started:
            raise ProtocolError("bad_command", "Cannot set: Game has already been started")
        self._orchestrator.settings.set(name, rest[0])
        self._orchestrator.start_if_complete()
