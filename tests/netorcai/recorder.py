"""Records the traffic of a whole networked game: ``python -m tests.netorcai.recorder`` writes the file that test_traffic replays anew.

The orchestrator, the game logic, a bot with the client library, one of ours and a viewer are programs of their own; everything they say goes through here.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import threading
import time
from typing import Any

from ludarium.errors import ProtocolError
from ludarium.netorcai.wire import Deframer
from tests.folders import DATA, ROOT

FILE = DATA / "netorcai" / "traffic.jsonl"
BOT = ROOT / "examples" / "hexabomb_bot.py"
ORCHESTRATE = "netorcai orchestrate --port=0 --nb-turns-max=12 --nb-players-max=2 --nb-visus-max=1 --delay-first-turn=300 --delay-turns=300 --autostart"
MAP = "tiny2"
VIEWER = """
import sys, netorcai.client
viewer = netorcai.client.Client()
viewer.connect("127.0.0.1", int(sys.argv[1]))
viewer.send_login("viewer", "visualization")
viewer.read_login_ack()
for _ in range(viewer.read_game_starts().nb_turns_max - 1):
    viewer.send_turn_ack(viewer.read_turn().turn_number, [])
viewer.read_game_ends()
"""


class Recorder:
    """Stands between an orchestrator and whoever connects to :attr:`port`, and notes each message: when, on which connection, which way, and what."""

    def __init__(self, orchestrator: int) -> None:
        self.lines: list[dict[str, Any]] = []
        self._orchestrator = orchestrator
        self._began = time.monotonic()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            client, _ = self._listener.accept()
            server = socket.create_connection(("127.0.0.1", self._orchestrator))
            port: int = server.getsockname()[1]  # by which the orchestrator knows the client
            for one, other, way in ((client, server, "->netorcai"), (server, client, "netorcai->")):
                threading.Thread(target=self._copy, args=(one, other, port, way), daemon=True).start()

    def _copy(self, one: socket.socket, other: socket.socket, port: int, way: str) -> None:
        deframer = Deframer()
        try:
            while data := one.recv(65536):
                at = round(time.monotonic() - self._began, 4)
                deframer.feed(data)
                self.lines += [{"t": at, "port": port, "way": way, "content": text.decode()} for text in iter(deframer.next, None)]
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)
        except (OSError, ProtocolError):
            return


def start(*arguments: str, **more: Any) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, *arguments], text=True, **more)


def record() -> None:
    with start("-m", "ludarium", *ORCHESTRATE.split(), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as orchestrator:
        assert orchestrator.stderr is not None
        found = re.search(r"address=\S*:(\d+)", orchestrator.stderr.readline())
        assert found is not None
        recorder = Recorder(int(found[1]))
        port = str(recorder.port)
        programs = [
            start("-m", "ludarium", "hexabomb", "logic", MAP, "-p", port),
            start(str(BOT), "127.0.0.1", port),
            start("-m", "ludarium", "netorcai", "join", "random", "--nickname", "ours", "--seed", "7", "--port", port),
            start("-c", VIEWER, port),
        ]
        codes = [program.wait(300) for program in (*programs, orchestrator)]
    assert not any(codes), codes
    lines = sorted(recorder.lines, key=lambda line: line["t"])
    FILE.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    print(f"{FILE}: {len(lines)} messages, {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    record()
