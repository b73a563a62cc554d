"""Where in a TOML text of dice something stands. Python's TOML reader gives values without their places, and an error must name line and column.

The text is known to be TOML; it is cut into tokens, so that strings and comments are not mistaken for keys.
"""

from __future__ import annotations

import re

Place = tuple[int, int]
"""Line and column, counted from 1."""

_TOKEN = re.compile(
    r"""
    (?P<skip>\#[^\n]*|[ \t\r\n]+)
  | (?P<string>\"{3}(?:\\.|[^\\])*?\"{3}|'{3}.*?'{3}|"(?:\\.|[^"\\\n])*"|'[^'\n]*')
  | (?P<table>\[\[[ \t]*[\w-]+[ \t]*\]\])
  | (?P<mark>[\[\]{},=.])
  | (?P<word>[^\s\[\]{},=."'\#]+)
    """,
    re.VERBOSE | re.DOTALL,
)

_Token = re.Match[str]


def _tokens(text: str) -> list[_Token]:
    return [token for token in _TOKEN.finditer(text) if token.lastgroup != "skip"]


def _place(text: str, at: int) -> Place:
    return text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1


def end_of(text: str) -> Place:
    """The place after the last character that is not white."""
    return _place(text, len(text.rstrip()))


def _is_key(tokens: list[_Token], index: int) -> bool:
    return tokens[index].lastgroup in ("word", "string") and index + 1 < len(tokens) and tokens[index + 1][0] in ("=", ".")


def place_of_key(text: str, key: str, after: Place = (1, 1)) -> Place:
    """The first place, from ``after`` on, where something is given to a key or a table has its name; ``after`` itself where that cannot be told."""
    tokens = _tokens(text)
    for index, token in enumerate(tokens):
        named = token.lastgroup == "table" and token[0].strip(" \t[]") == key
        given = _is_key(tokens, index) and token[0].strip("\"'") == key
        bare = token.lastgroup == "word" and token[0] == key and index > 0 and tokens[index - 1][0] == "["
        if (named or given or bare) and _place(text, token.start()) >= after:
            return _place(text, token.start())
    return after


def place_of_table(text: str, number: int) -> Place:
    """Where the line ``[[die]]`` of a die is, counted from 0; dice written otherwise are found by their faces."""
    tables = [token for token in _tokens(text) if token.lastgroup == "table" and token[0].strip(" \t[]") == "die"]
    if number < len(tables):
        return _place(text, tables[number].start())
    lists = _face_lists(text)
    return _place(text, lists[number][0].start()) if number < len(lists) else end_of(text)


def places_of_faces(text: str, number: int) -> list[Place]:
    """Where each face of a die begins, its quote included."""
    lists = _face_lists(text)
    return [_place(text, token.start()) for token in lists[number][1:]] if number < len(lists) else [end_of(text)]


def place_of_face(text: str, number: int, position: int) -> Place:
    places = places_of_faces(text, number)
    return places[min(position, len(places) - 1)]


def _face_lists(text: str) -> list[list[_Token]]:
    """For every list of faces the token of its key, then the first token of each element."""
    tokens = _tokens(text)
    lists: list[list[_Token]] = []
    for index, token in enumerate(tokens):
        if token[0].strip("\"'") != "faces" or not _is_key(tokens, index):
            continue
        found, depth, fresh = [token], 0, True
        for one in tokens[index + 2 :]:
            if depth == 1 and one[0] == "]":
                break
            if depth == 1 and one[0] == ",":
                fresh = True
                continue
            if depth >= 1 and fresh:
                found.append(one)
                fresh = False
            depth += (one[0] in "[{" and one.lastgroup == "mark") - (one[0] in "]}" and one.lastgroup == "mark")
            if depth == 0:  # not a list after all
                break
        lists.append(found)
    return lists
