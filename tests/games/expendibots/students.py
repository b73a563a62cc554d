"""Packages as students write them, each with a class ``Player``."""

from __future__ import annotations

from pathlib import Path

WALKS = """
class Player:
    def __init__(self, colour):
        self.place = (0, 1) if colour == "white" else (7, 6)
        self.step = 1 if colour == "white" else -1

    def action(self):
        x, y = self.place
        return ("MOVE", 1, (x, y), (x, y + self.step))

    def update(self, colour, action):
        if action[0] == "MOVE" and action[2] == self.place:
            self.place = action[3]
"""
"""One token goes straight on, until it would land on the other's."""

TIDY = {
    "__init__.py": "from .play import Player as Player",
    "notes/words.txt": "patience",
    "names.py": "FIRST = (0, 1)",
    "helpers.py": "from tidy.names import FIRST\nimport names\nassert names.FIRST == FIRST",
    "play.py": """
import random, threading, time
from . import helpers

class Player:
    def __init__(self, colour):
        self.colour, self.seen = colour, []
        self.words = open("tidy/notes/words.txt").read()
        threading.Thread(target=lambda: time.sleep(1000)).start()

    def action(self):
        print(self.colour, self.words, hash("words"), self.seen)
        if len(self.seen) < 4:
            return ("MOVE", True, (0.0, 1), (0, 2)) if not self.seen else ("BOOM", (1, 0))
        return ("BOOM", (9, 9))

    def update(self, colour, action):
        self.seen.append((colour, action))
""",
}
"""Imports its modules in both ways, reads a file from where it is run, prints, leaves a thread behind; and at last names a square that there is not."""


def write_package(folder: Path, name: str, files: dict[str, str] | str) -> Path:
    """A package; a text alone is its ``__init__.py``."""
    for path, content in ({"__init__.py": files} if isinstance(files, str) else files).items():
        file = folder / name / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    return folder / name


def answering(expression: str) -> str:
    """A player whose first action is this."""
    return f"class Player:\n    def __init__(self, colour): pass\n    def update(self, colour, action): pass\n    def action(self): {expression}\n"
