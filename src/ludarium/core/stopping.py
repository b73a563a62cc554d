"""Whether this process has noticed that it is to end."""

from __future__ import annotations

import threading

noticed = threading.Event()
"""Set by whoever learns of Ctrl-C or SIGTERM and finishes. A command that has not noticed, because it compiles or is inside a kernel, is soon ended by
force (``ludarium.cli.ending``)."""
