"""Everything that Ludarium raises on purpose.

::

    LudariumError
    ├── IllegalAction   (ValueError)  the rules forbid it in this state
    ├── BadNotation     (ValueError)  text that names no position, action or player
    ├── BadOption       (ValueError)  a game or a player has no such option, or not that value
    ├── BadRecord       (ValueError)  a game record that is damaged or disagrees with the rules
    ├── PlayerFailed                  a player lost by its own conduct
    │   ├── PlayerCrashed             it raised, exited, broke its pipe or took too much memory
    │   ├── PlayerTimeout             it answered too late
    │   └── PlayerIllegal             it answered with an action that the rules forbid, or with something else
    ├── NoAtomicWeight  (ValueError)  a value that is not atomic
    ├── TooLarge                      a computation that needs more memory than it may take
    ├── ProtocolError                 a message that breaks a protocol
    └── StoreError                    a folder or database that cannot be used

Messages are one line: they echo what was given and say what is accepted.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

LONGEST_MESSAGE = 2000
"""Characters that an error's message has at most."""


class LudariumError(Exception):
    """Base of every error that Ludarium raises on purpose."""

    def __init__(self, message: str = "") -> None:
        """Keep the message on one line: it may echo what somebody typed, at any length and with any characters."""
        super().__init__(_one_line(message))

    def __reduce__(self) -> Any:
        """Pickle the message and the attributes, whatever arguments a subclass's constructor takes."""
        return _restored, (type(self), self.args), self.__dict__


def _restored(kind: type[LudariumError], arguments: tuple[Any, ...]) -> LudariumError:
    return kind.__new__(kind, *arguments)


def printable(text: str) -> str:
    """The text without anything that a terminal would obey: on one line, what cannot be printed as Python writes it (``\\x1b``)."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in escaped(text))


def escaped(text: str) -> str:
    """Return a text that can be encoded as UTF-8: undecodable bytes of file names become ``\\xff``."""
    return "".join(f"\\x{ord(one) - 0xDC00:02x}" if "\udc80" <= one <= "\udcff" else one for one in text)


def _one_line(message: str) -> str:
    text = printable(message)
    return text if len(text) <= LONGEST_MESSAGE else f"{text[:LONGEST_MESSAGE]} …"


class IllegalAction(LudariumError, ValueError):
    """The action is not among the legal ones of that state."""


class BadNotation(LudariumError, ValueError):
    """A text that cannot be read as what it should be."""


class BadOption(LudariumError, ValueError):
    """An option that does not exist, or a value that it does not take."""


class BadRecord(LudariumError, ValueError):
    """A game record that is damaged or disagrees with the rules."""


class PlayerFailed(LudariumError):
    """A player lost by its own conduct."""


class PlayerCrashed(PlayerFailed):
    """A player raised an exception, exited or stopped answering."""


class PlayerTimeout(PlayerFailed):
    """A player answered too late, or not at all."""


class PlayerIllegal(PlayerFailed):
    """A player answered with an action that the rules forbid, with what is no action, or without being asked."""


class NoAtomicWeight(LudariumError, ValueError):
    """A value that has no atomic weight."""


class TooLarge(LudariumError):
    """A computation that would need more memory than it may take."""


class ProtocolError(LudariumError):
    """A message that breaks the protocol; ``code`` is the documented one, ``wait`` the seconds after which another try may be worth it (0: none may)."""

    def __init__(self, code: str, message: str, wait: float = 0.0) -> None:
        super().__init__(message)
        self.code = code
        self.wait = wait


class StoreError(LudariumError):
    """A folder or database that cannot be read or written."""


@contextmanager
def store_errors(what: str) -> Generator[None]:
    """While inside, what the system refuses becomes a :class:`StoreError`: ``what``, such as ``"games.txt cannot be read"``, and the reason."""
    try:
        yield
    except OSError as problem:
        raise StoreError(f"{what}: {problem.strerror or problem}") from None


def one_of(given: object, accepted: list[str] | tuple[str, ...]) -> str:
    """Say what was given and what is accepted, with the nearest match first if there is one."""
    from difflib import get_close_matches

    near = get_close_matches(str(given), accepted, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"'{given}' is not one of: {', '.join(accepted)}{hint}"
