"""What clients may say: every text is a message or has a documented code."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludarium.errors import BadNotation, BadOption, IllegalAction, ProtocolError, StoreError
from ludarium.web.table.messages import (
    LIMIT,
    Accept,
    Act,
    Code,
    Decline,
    Foresee,
    Join,
    Look,
    Offer,
    Plan,
    Resign,
    Say,
    View,
    error_of,
    parse_message,
    parse_object,
)
from tests.folders import DOCS, ROOT


def code_of(text: str) -> str:
    with pytest.raises(ProtocolError) as caught:
        parse_message(text)
    return caught.value.code


def documented_codes() -> list[str]:
    table = (DOCS / "protocol.md").read_text("utf-8").split("### Codes")[1].split("\n\n")[1]
    return re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)


def test_the_documentation_has_a_line_for_every_code_and_no_others() -> None:
    rooms = (ROOT / "src/ludarium/web").rglob("*.py")
    files = [file for file in rooms if file.parent.name not in ("ladder", "competitions")]  # which have pages of their own
    files.append(ROOT / "src/ludarium/arena/ladder/names.py")  # people's names are kept as those of bots
    sources = "".join(file.read_text("utf-8") for file in files)
    said = set(re.findall(r'(?:ProtocolError\(\s*|"code": |^    [A-Z]\w+: )"(\w+)"', sources, re.MULTILINE))
    assert sorted(documented_codes()) == sorted(said)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"type":"join","version":1}', Join(1)),
        ('{"type":"join","version":1,"token":null,"more":[1]}', Join(1)),
        ('{"type":"join","version":1,"token":"abc"}', Join(1, "abc")),
        ('{"type":"act","ply":12,"action":"a2-a4"}', Act(12, "a2-a4")),
        ('{"type":"act","ply":12,"orders":[["#3","1,-2"],null]}', Act(12, None, (("#3", "1,-2"), None))),
        ('{"type":"act","ply":12,"action":null,"orders":[]}', Act(12, None, ())),
        (
            '{"type":"plan","ply":12,"orders":[null,["#4","bomb","delay 3","range 2"]]}',
            Plan(12, (None, ("#4", "bomb", "delay 3", "range 2"))),
        ),
        ('{"type":"foresee","ply":12,"actions":["3","1n"]}', Foresee(12, ("3", "1n"))),
        ('{"type":"offer","kind":"takeback"}', Offer("takeback")),
        ('{"type":"accept","kind":"takeback"}', Accept("takeback")),
        ('{"type":"decline","kind":"takeback"}', Decline("takeback")),
        ('{"type":"resign","x":' + "[" * 15 + "]" * 15 + "}", Resign()),
        ('{"type":"resign","x":"' + "[{" * 50 + '\\"' + "[{" * 50 + '"}', Resign()),
        ('{"type":"resign"}', Resign()),
        ('{"type":"code"}', Code()),
        ('{"type":"say","text":"hello"}', Say("hello")),
        ('{"type":"join","version":1,"token":"abc","new_token":"' + "a" * 22 + '"}', Join(1, "abc", "a" * 22)),
        ('{"type":"look","ply":-1}', Look(-1)),
        ('{"type":"view","seat":1}', View(1)),
    ],
)
def test_messages(text: str, message: object) -> None:
    assert parse_message(text) == message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        '"act"',
        "{}",
        '{"type":7}',
        '{"type":["act"]}',
        '{"type":"ACT","ply":0,"action":"a2-a3"}',
        '{"type":"act","ply":0}',
        '{"type":"act","ply":true,"action":"a2-a3"}',
        '{"type":"act","ply":"0","action":"a2-a3"}',
        '{"type":"act","ply":0,"action":5}',
        '{"type":"act","ply":0,"action":"[]","orders":[null]}',
        '{"type":"act","ply":0,"orders":["#3"]}',
        '{"type":"act","ply":0,"orders":[["#3",1]]}',
        '{"type":"act","ply":0,"orders":{"0":null}}',
        '{"type":"plan","ply":0}',
        '{"type":"plan","ply":0,"orders":null}',
        '{"type":"foresee","ply":0,"actions":"1"}',
        '{"type":"foresee","ply":0,"actions":["1"' + ',"1"' * 64 + "]}",
        '{"type":"look","ply":NaN}',
        '{"type":"look","ply":Infinity}',
        '{"type":"look","ply":1e999}',
        '{"type":"look","ply":' + "9" * 5000 + "}",
        '{"type":"join","version":1,"token":{}}',
        '{"type":"offer","kind":"peace"}',
        '{"type":"accept"}',
        '{"type":"resign","x":"\\ud800"}',
        '{"type":"resign","x":' + "[" * 20_000 + "]" * 20_000 + "}",
        '{"type":"resign","x":' * 2_500 + "1" + "}" * 2_500,
        '{"type":"resign","x":' + "[" * 16 + "]" * 16 + "}",
        '{"type":"resign","x":["\\"",' + "[" * 15 + "]" * 15 + "]}",
        '{"type":"resign","type":"resign"}',
    ],
)
def test_what_is_no_message(text: str) -> None:
    assert code_of(text) == "bad_message"


def test_other_versions() -> None:
    assert code_of('{"type":"join","version":2}') == "bad_version"
    assert code_of('{"type":"join","version":' + "9" * 400 + "}") == "bad_version"


def test_the_limit_counts_bytes() -> None:
    frame = '{"type":"resign","x":""}'
    assert parse_message(frame.replace('""', '"' + "x" * (LIMIT - len(frame)) + '"')) == Resign()
    assert code_of(frame.replace('""', '"' + "x" * (LIMIT - len(frame) + 1) + '"')) == "too_large"
    assert code_of(frame.replace('""', '"' + "é" * (LIMIT // 2) + '"')) == "too_large"
    with pytest.raises(ProtocolError, match="Unicode"):
        parse_object(b'{"type":"\xff"}')
    assert parse_object(b'\xef\xbb\xbf{"type":"resign"}\r\n') == {"type": "resign"}


def test_errors_have_the_code_of_their_kind() -> None:
    codes = {IllegalAction: "illegal_action", BadNotation: "bad_notation", BadOption: "bad_option", StoreError: "cannot_store"}
    for kind, code in codes.items():
        assert error_of(kind("why")) == {"code": code, "message": "why"}
    assert len(error_of(BadNotation("x" * 5000))["message"]) < 500


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
near_messages = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["join", "act", "offer", "accept", "decline", "resign", "look", "view", "plan", "code", "say", "welcome"])
        | json_values
    },
    optional={
        "ply": json_values,
        "action": json_values,
        "orders": json_values,
        "seat": json_values,
        "token": json_values,
        "version": json_values,
    },
)
texts = near_messages.map(json.dumps) | json_values.map(json.dumps) | st.text()


@given(texts)
def test_every_text_is_a_message_or_has_a_code(text: str) -> None:
    try:
        parse_message(text)
    except ProtocolError as problem:
        error = error_of(problem)
        assert error["code"] in ("bad_message", "bad_version")
        assert "\n" not in error["message"]
        json.dumps(error).encode()
