"""Messages as bytes and as JSON, whatever arrives."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludarium.errors import BadOption, ProtocolError
from ludarium.netorcai.json_text import compact, read_object
from ludarium.netorcai.log import JsonLines, PlainLines
from ludarium.netorcai.messages import PlayerActions, do_turn, read_login, read_turn_ack
from ludarium.netorcai.prompt import Prompt
from ludarium.netorcai.settings import VARIABLES, Settings
from ludarium.netorcai.wire import FIRST_LIMIT, Deframer, frame
from tests.netorcai.lab import Lab

# Framing.


@given(st.lists(st.binary(max_size=40)), st.lists(st.integers(0, 60)))
def test_messages_survive_however_they_are_cut(contents: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(map(frame, contents))
    deframer, got = Deframer(), []
    for cut in [*cuts, len(stream)]:
        piece, stream = stream[:cut], stream[cut:]
        deframer.feed(piece)
        while (content := deframer.next()) is not None:
            got.append(content)
    assert got == [content + b"\n" for content in contents]


def test_only_the_first_message_is_bound_to_be_short() -> None:
    deframer = Deframer(FIRST_LIMIT)
    deframer.feed(frame(b"x" * (FIRST_LIMIT - 1)) + frame(b"y" * 5000))
    assert deframer.next() == b"x" * (FIRST_LIMIT - 1) + b"\n"
    assert deframer.next() == b"y" * 5000 + b"\n"
    deframer.feed((2**24).to_bytes(4, "little"))
    with pytest.raises(ProtocolError, match="16777216 does not fit in 24 bits"):
        deframer.next()


# JSON as the original passes it on.


@pytest.mark.parametrize(
    ("sent", "passed"),
    [
        ("2.0", "2"),
        ("2", "2"),
        ("-0.0", "0"),
        ("2.5", "2.5"),
        ("9007199254740993", "9007199254740992"),
        ("12345678901234567890", "12345678901234567000"),
        ("1e20", "100000000000000000000"),
        ("1e30", "1e+30"),
        ("1" + "0" * 21, "1e+21"),
        ("true", "true"),
        ('"\\ud83d\\ude00"', '"😀"'),
        ('"\\ud83d"', '"\ufffd"'),
        ('"\\ude00\\ud83d!"', '"\ufffd\ufffd!"'),
        ('"\\\\ud83d"', '"\\\\ud83d"'),
        ('{"b":1,"a":[]}', '{"a":[],"b":1}'),
    ],
)
def test_what_players_send_reaches_the_game_as_with_the_original(sent: str, passed: str) -> None:
    actions = read_turn_ack(f'{{"message_type":"TURN_ACK","turn_number":0,"actions":[{sent}]}}'.encode(), 0)
    assert do_turn([PlayerActions(3, 0, actions)])[4:].decode() == (
        f'{{"message_type":"DO_TURN","player_actions":[{{"player_id":3,"turn_number":0,"actions":[{passed}]}}]}}\n'
    )


@pytest.mark.parametrize(
    "content", [b"", b"[1]", b"NaN", b'{"a":NaN}', b'{"a":1e999}', b'{"a":%b}' % (b"9" * 5000), b"[" * 100_000, b'{"a":1', b"\xff"]
)
def test_what_is_no_json_object(content: bytes) -> None:
    with pytest.raises(ProtocolError, match="Non-JSON message received"):
        read_object(content)


def test_actions_nested_without_end_do_not_break_the_turn() -> None:
    for depth in range(900, 1000):
        content = b'{"message_type":"TURN_ACK","turn_number":0,"actions":%b%b}' % (b"[" * depth, b"]" * depth)
        try:
            actions = read_turn_ack(content, 0)
        except ProtocolError:
            continue
        assert do_turn([PlayerActions(0, 0, actions)])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), JSON))
def test_json_keeps_its_values(value: dict[str, Any]) -> None:
    assert read_object(json.dumps(value).encode()) == value
    assert read_object(compact(value)) == value


@given(st.binary(max_size=200) | st.dictionaries(st.text(), JSON).map(lambda value: json.dumps(value).encode()))
def test_whatever_arrives_is_a_login_or_refused(content: bytes) -> None:
    for read in (read_login, lambda content: read_turn_ack(content, 0)):
        with pytest.raises(ProtocolError):
            read(content)


@given(st.sampled_from(["message_type", "nickname", "role", "metaprotocol_version"]), JSON)
def test_a_login_with_one_odd_field(name: str, value: Any) -> None:
    fields = {"message_type": "LOGIN", "nickname": "bob", "role": "player", "metaprotocol_version": "2.0.0", name: value}
    if name == "nickname" and isinstance(value, str) and 0 < len(value) <= 10 and not set(value) & set("\t\n\f\r "):
        assert read_login(json.dumps(fields).encode()).nickname == value
    else:
        with pytest.raises(ProtocolError, match=r"^Invalid first message: "):
            read_login(json.dumps(fields).encode())


@pytest.mark.parametrize("version", ["2", "2.0", "v2.0.0", "2.0.0.0", "2.0.x", " 2.0.0", "2.0.0\n", "٢.0.0"])
def test_versions_of_another_form(version: str) -> None:
    fields = {"message_type": "LOGIN", "nickname": "bob", "role": "player", "metaprotocol_version": version}
    with pytest.raises(ProtocolError, match=r"Not MAJOR\.MINOR\.PATCH"):
        read_login(json.dumps(fields).encode())


@pytest.mark.parametrize(("text", "number"), [("0.9", 0), ("-0.9", 0), ("0", 0), ("0e5", 0), ("1.99", 1)])
def test_numbers_of_turns_lose_what_follows_the_point(text: str, number: int) -> None:
    assert read_turn_ack(f'{{"message_type":"TURN_ACK","turn_number":{text},"actions":[]}}'.encode(), number) == []


@pytest.mark.parametrize("spaces", ["", " ", "\n\t "])
def test_an_empty_answer_is_the_same_however_it_is_written(spaces: str) -> None:
    text = '{"message_type":"TURN_ACK","turn_number":7,"actions":[]}'
    for separator in ",:{}[]":
        text = text.replace(separator, f"{spaces}{separator}{spaces}")
    assert read_turn_ack(text.encode(), 7) == []
    with pytest.raises(ProtocolError, match=r"turn_number=7\): expecting 8"):
        read_turn_ack(text.encode(), 8)


# What the operator types.


def said(lab: Lab, *lines: str) -> list[str]:
    answers: list[str] = []
    prompt = Prompt(lab.orchestrator, answers.append)
    for line in lines:
        prompt.obey(line)
    return answers


def test_variables_can_be_printed_and_set() -> None:
    lab = Lab()
    assert said(lab, "print nb-turns-max", "set nb-turns-max=7", "  print   nb-turns-max ", "") == ["nb-turns-max=6", "nb-turns-max=7"]
    assert said(lab, "print all") == [
        "nb-turns-max=7",
        "nb-players-max=2",
        "nb-splayers-max=0",
        "nb-visus-max=0",
        "delay-first-turn=50",
        "delay-turns=200",
    ]


def test_delays_may_have_fractions_and_the_equals_sign_may_be_left_out() -> None:
    lab = Lab()
    lines = [
        "set delay-turns 62.5",
        "print delay-turns",
        "set  delay-turns = 1e3",
        "print delay-turns",
        "set nb-turns-max 9",
        "print nb-turns-max",
    ]
    assert said(lab, *lines) == ["delay-turns=62.5", "delay-turns=1000", "nb-turns-max=9"]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("start", "Cannot start: Game logic not connected"),
        ("strat", "command 'strat' is not one of: start, quit, print, set; did you mean start?"),
        ("start now", "start takes nothing, not 'now'"),
        ("print", "print '' is not one of: all, nb-turns-max"),
        ("print port", "print 'port' is not one of: all, nb-turns-max"),
        ("set", "set VARIABLE=VALUE, not ''"),
        ("set port=1", "variable 'port' is not one of: nb-turns-max"),
        ("set nb-turns-max=0", "nb-turns-max=0 is not a whole number, at least 1, at most 65,535"),
        ("set nb-turns-max=65536", "nb-turns-max=65536 is not"),
        ("set delay-turns=49.9", "delay-turns=49.9 is not a number, at least 50, at most 10,000"),
        ("set nb-turns-max 0.5", "nb-turns-max=0.5 is not a whole number"),
        ("set nb-players-max=a", "nb-players-max=a is not"),
        ("set nb-players-max=", "nb-players-max= is not"),
    ],
)
def test_what_cannot_be_typed(line: str, answer: str) -> None:
    (given_answer,) = said(Lab(), line)
    assert answer in given_answer


def test_nothing_is_set_in_a_running_game() -> None:
    lab = Lab(players=0, special_players=0)
    lab.log_in("game logic")
    assert said(lab, "start", "set nb-turns-max=9", "start") == [
        "Cannot set: Game has already been started",
        "Cannot start: Game has already been started",
    ]


def test_a_game_starts_when_setting_a_variable_makes_it_complete() -> None:
    lab = Lab(players=2, autostart=True)
    lab.log_in("game logic")
    lab.log_in()
    assert said(lab, "set nb-players-max=1") == []
    assert lab.orchestrator.has_started


@pytest.mark.parametrize("name", VARIABLES)
def test_settings_keep_their_bounds(name: str) -> None:
    field, option = VARIABLES[name]
    least, most = option.minimum, option.maximum
    assert least is not None
    assert most is not None
    assert Settings(**{field: least}).variables()[name] == least
    for wrong in (least - 1, most + 1):
        with pytest.raises(BadOption, match=name):
            Settings(**{field: wrong})


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf")])
def test_a_turn_timeout_is_a_time(seconds: float) -> None:
    with pytest.raises(BadOption, match="turn-timeout"):
        Settings(turn_timeout=seconds)


# Logs.


def test_entries_of_the_log() -> None:
    record = logging.makeLogRecord(
        {"levelname": "INFO", "msg": "Logged in", "created": 0.0, "fields": {"nickname": "a\x1b[2J", "role": "player"}}
    )
    assert PlainLines().format(record).endswith('INFO    Logged in  nickname="a\\u001b[2J" role=player')
    line = json.loads(JsonLines().format(record))
    assert {**line, "time": ""} == {"level": "info", "msg": "Logged in", "time": "", "nickname": "a\x1b[2J", "role": "player"}


def test_numbers_of_a_very_long_message_stay_as_they_are() -> None:
    short = b'{"a": [2.0, 12345678901234567890]}'
    assert read_object(short) == {"a": [2, 12345678901234567000]}
    assert read_object(short + b" " * 2**20) == {"a": [2.0, 12345678901234567890]}
    infinite = read_object(b'{"a": [1e999]}' + b" " * 2**20)["a"]
    assert (
        do_turn([PlayerActions(0, 0, infinite)])[4:]
        == b'{"message_type":"DO_TURN","player_actions":[{"player_id":0,"turn_number":0,"actions":[]}]}\n'
    )
