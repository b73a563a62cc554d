"""Text for Liar's Dice: bids ``3x5`` (three fives), ``liar``, rolls ``1255``, positions such as ``3:122 2:?? N1x2 E``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ludarium.errors import BadNotation

from .rules import FACES, LIAR, LiarsDiceTables

__all__ = ["SEATS", "action_index", "action_text", "bid_of", "faces_of", "position_text", "read_position", "read_roll"]

SEATS = ("North", "East", "South", "West")

_FORM = "a word for each player (3:122 or 3:??? under the cup, 2=122 lifted, out1 who was first out of dice), the last bid (N1x2 or -), who is next (E)"


def bid_of(index: int) -> tuple[int, int]:
    """The number of dice and the face, from 1, of a bid."""
    return (index - 1) // FACES + 1, (index - 1) % FACES + 1


def action_text(index: int) -> str:
    """``liar`` or ``3x5``."""
    return "liar" if index == LIAR else "{}x{}".format(*bid_of(index))


def action_index(text: str) -> int | None:
    """Return the action that a text names, None if it names none."""
    if text.strip() == "liar":
        return LIAR
    match = re.fullmatch(r"([1-9][0-9]?)x([1-6])", text.strip())
    return match and FACES * (int(match[1]) - 1) + int(match[2])


def faces_of(counts: Sequence[int]) -> str:
    """``1255`` for dice that are counted by face."""
    return "".join(str(face + 1) * int(count) for face, count in enumerate(counts))


def read_roll(tables: LiarsDiceTables, dice: int, text: str) -> int:
    """The roll of so many dice that a text names.

    Raises:
        BadNotation: it names none.
    """
    rolls = range(int(tables.first[dice]), int(tables.first[dice + 1]))
    found = [roll for roll in rolls if faces_of(tables.rolls[roll]) == "".join(sorted(text.strip()))]
    if not found:
        raise BadNotation(f"'{text[:40]}' is no roll of {dice} dice; write their faces, {'1234566'[:dice]}")
    return found[0]


def position_text(players: int, record: Any) -> str:
    """``3:122 2:?? out1 N1x2 E``"""
    words: list[str] = []
    for player in range(players):
        left, faces = int(record.left[player]), faces_of(record.dice[player])
        if record.rolled[player]:
            words.append(f"{left}:{faces or '?' * left}")
        else:
            words.append((f"{left}" if left else f"out{record.place[player]}") + (f"={faces}" if faces or left else ""))
    bid = SEATS[int(record.bidder)][0] + action_text(int(record.bid)) if record.bid else "-"
    return " ".join([*words, bid, SEATS[int(record.turn)][0]])


def read_position(tables: LiarsDiceTables, text: str, record: Any) -> None:
    """Write a position into a zeroed record.

    Raises:
        BadNotation: not of the form, or a position that cannot arise.
    """
    letters = "".join(seat[0] for seat in SEATS[: tables.players])
    form = r"[1-9]:(?:[1-6]+|\?+)|[1-9]=[1-6]*|out[1-9](?:=[1-6]+)?"
    match = re.fullmatch(rf"((?:(?:{form}) ){{{tables.players}}})(?:-|([{letters}])([1-9][0-9]?x[1-6])) ([{letters}])", text)
    if match is None:
        raise BadNotation(f"'{text[:60]}' is no position for {tables.players} players: {_FORM}")
    for player, word in enumerate(match[1].split()):
        cup = word.removeprefix("out")
        number, mark, faces = cup[0], cup[1:2], cup[2:]
        record.place[player] = int(number) if word.startswith("out") else 0
        record.left[player] = 0 if word.startswith("out") else int(number)
        record.rolled[player] = mark == ":"
        record.dice[player] = [faces.count(str(face + 1)) for face in range(FACES)]
        if faces != "".join(sorted(faces)) or (mark == ":" and len(faces) != int(number)):
            raise BadNotation(f"'{word}': as many faces as dice, in their order")
    record.bid = (action_index(match[3]) or 0) if match[3] else 0
    record.bidder = letters.index(match[2]) if match[2] else 0
    record.turn = letters.index(match[4])
    problem = _problem(tables, record)
    if problem:
        raise BadNotation(f"'{text}' cannot arise: {problem}")


def _problem(tables: LiarsDiceTables, record: Any) -> str:
    """What is wrong with a position, in words; empty: nothing."""
    players = range(tables.players)
    left, rolled = record.left.tolist(), record.rolled.tolist()
    inside = [player for player in players if left[player]]
    lying = [int(record.dice[player].sum()) for player in players]
    under = [bool(rolled[player]) for player in inside]
    if max(left) > tables.dice:
        return f"nobody has more than {tables.dice} dice"
    if not inside or sorted(record.place[player] for player in players if not left[player]) != [
        *range(1, len(left[: len(players)]) - len(inside) + 1)
    ]:
        return "somebody has dice, and those who are out of them are numbered out1, out2, …"
    if not left[record.turn] or (any(under) and record.bid and not left[record.bidder]):
        return "only players with dice bid"
    if any(under):
        if under != sorted(under, reverse=True) or len(inside) == 1 or (record.bid and not all(under)):
            return "all roll in their order before the first bid, unless the game is over"
        if any(lying[player] for player in players if not rolled[player]):
            return "what lay open is gone when the next round's first dice are rolled"
        if record.bid > FACES * sum(left):
            return f"there are only {sum(left)} dice"
    elif record.bid and (
        sorted(lying[player] - left[player] for player in players) != [0] * (len(players) - 1) + [1] or record.bid > FACES * sum(lying)
    ):
        return "when the cups have been lifted, one player has a die less than lie there"
    elif not record.bid and (any(lying) or set(left[: len(players)]) != {tables.dice}):
        return "before the first roll everybody has all dice, and none lie there"
    return ""
