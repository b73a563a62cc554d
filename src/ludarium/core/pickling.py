"""Refuse to pickle what belongs to its process."""

from __future__ import annotations

from typing import Any, ClassVar


class Unpicklable:
    """Base of objects that hold a process, a thread, a file or a connection. Pickling or copying one raises a TypeError that names what to send instead."""

    send_instead: ClassVar[str]
    """The end of that error's message: ``send its path``."""

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError(f"a {type(self).__name__} can't be pickled or copied, because it belongs to its process; {self.send_instead}")
