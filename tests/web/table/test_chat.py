"""What players say at the table."""

from __future__ import annotations

from pathlib import Path

from ludarium.web.table.chat import AT_ONCE, KEPT, LONGEST, Chat
from tests.web.live import Live


def test_players_talk_and_everybody_reads_it(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        made = live.make("human", "human")
        one, two = (seat["token"] for seat in made["seats"])
        with live.join(made["id"], one) as white, live.join(made["id"], two) as black, live.join(made["id"]) as watcher:
            white.send(type="say", text=" <b>Hi</b>\n\u202eevil\0 \U0001f600 ")
            said = {"by": 0, "text": "<b>Hi</b> evil \U0001f600"}
            for client in (white, black, watcher):
                assert client.receive("said") == {"type": "said", "lines": [said]}
            assert watcher.code(type="say", text="b7!") == "not_your_turn"
            for wrong in ("", " \n", "x" * (LONGEST + 1), 7):
                assert white.code(type="say", text=wrong) == "bad_message"
            for _ in range(AT_ONCE - 1):
                white.send(type="say", text="x" * LONGEST)
                white.receive("said")
            assert white.code(type="say", text="more") == "too_many"
            black.send(type="resign")
            black.send(type="say", text="Again?")
            black.send(type="offer", kind="rematch")
            white.until(lambda position: position["offers"])
            white.send(type="accept", kind="rematch")
            following = black.until(lambda position: position["next"])["next"]
        assert "Again?" not in live.http.get(f"/api/games/{made['id']}/record").text
        with live.join(following) as late:
            lines = late.receive("said")["lines"]
            assert [lines[0], lines[-1]] == [said | {"by": 1}, {"by": 0, "text": "Again?"}]
    assert not any("Again?" in file.read_text("utf-8") for file in tmp_path.rglob("games/*"))


def test_a_table_remembers_a_bounded_number_of_lines() -> None:
    now = 0.0
    chat = Chat(lambda: now)
    for number in range(KEPT + 10):
        now += 3.0
        chat.say(number % 2, str(number))
    assert [line.text for line in chat.lines] == [str(number) for number in range(10, KEPT + 10)]
