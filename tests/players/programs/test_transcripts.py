"""The games in the documentation are what a program has with the judge."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ludarium
from ludarium.arena import play_game
from tests.folders import ROOT
from tests.players.programs.bots import write_bot, written

pytestmark = pytest.mark.usefixtures("no_sandbox")

GAMES: dict[str, tuple[dict[str, Any], int]] = {
    "expand-conquer": ({"rows": 3, "columns": 3, "start": "O**|***|**X"}, 1),
    "expendibots": ({"turn_limit": 12}, 2),
    "hexabomb": ({"turns": 3}, 3),
    "roboderby": ({"turn_limit": 2}, 4),
}
"""Options and seeds of short games."""

TALKER = """
def tell(mark, line):
    with open("transcript.txt", "a", encoding="utf-8") as file:
        file.write(mark + " " + line + "\\n")

for line in sys.stdin:
    tell(">", line.rstrip("\\n"))
    message = json.loads(line)
    if message["type"] == "game":
        chance = random.Random(message["seed"])
    elif message["type"] in ("hello", "turn"):
        if message["type"] == "hello":
            answer = {"type": "ready", "name": "Random"}
        elif "orders" in message:
            answer = {"type": "action", "action": [chance.choice(order["indices"]) for order in message["orders"]]}
        else:
            answer = {"type": "action", "action": chance.choice(message["actions"])}
        tell("<", json.dumps(answer))
        print(json.dumps(answer), flush=True)
"""


def transcript(folder: Path, name: str) -> str:
    options, seed = GAMES[name]
    play_game(ludarium.game(name, **options), [write_bot(folder, TALKER), "random"], seed=seed)
    return written(folder / "transcript.txt", '"type":"result"')


@pytest.mark.parametrize("name", GAMES)
def test_the_games_in_the_documentation(name: str, tmp_path: Path) -> None:
    """They are written anew by ``python -m tests.players.programs.test_transcripts``."""
    assert transcript(tmp_path, name) == (ROOT / "docs" / "bots" / f"{name}.txt").read_text(encoding="utf-8")


def test_all_lines_in_the_documentation_are_messages() -> None:
    text = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    blocks = [block.partition("```")[0] for block in text.split("```json\n")[1:]]
    found = [json.loads(message) for block in blocks for message in block.replace("\n ", " ").strip().splitlines()]
    assert [message["type"] for message in found] == ["hello", "ready", "game", "turn", "action", "action", "action", "forfeit", "result"]


if __name__ == "__main__":
    import tempfile

    for game in GAMES:
        with tempfile.TemporaryDirectory() as scratch:
            (ROOT / "docs" / "bots" / f"{game}.txt").write_text(transcript(Path(scratch), game), encoding="utf-8")
