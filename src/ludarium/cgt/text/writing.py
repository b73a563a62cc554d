"""Texts that are put together from the texts of other values, without recursion and without keeping more of them than are still needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from ludarium.errors import TooLarge

Part = TypeVar("Part")


class Longer(TooLarge):
    """A text grew beyond its limit."""


def refuse_longer(characters: int, limit: int) -> None:
    if characters > limit:
        raise Longer(f"the text of this value has more than {limit:,} characters")


def composed(root: int, needs: Callable[[int], Sequence[int]], compose: Callable[[int, Mapping[int, Part]], Part]) -> Part:
    """What ``compose`` makes of ``root`` when it has made the same of all that ``needs`` names, and so on down.

    A value that is needed in several places is composed once, and forgotten when the last of them is done.
    """
    parts_of: dict[int, Sequence[int]] = {}
    uses: Counter[int] = Counter((root,))
    order: list[int] = []
    waiting = [(root, False)]
    while waiting:
        at, done = waiting.pop()
        if done:
            order.append(at)
        elif at not in parts_of:
            parts_of[at] = needs(at)
            uses.update(parts_of[at])
            waiting.append((at, True))
            waiting.extend((part, False) for part in parts_of[at])
    made: dict[int, Part] = {}
    for at in order:
        made[at] = compose(at, made)
        for part in parts_of[at]:
            uses[part] -= 1
            if not uses[part]:
                del made[part]
    return made[root]


def braced(
    root: int,
    word: Callable[[int], str | None],
    sides: Callable[[int], tuple[list[int], list[int]]],
    limit: int,
    arranged: Callable[[list[str]], list[str]] = list,
) -> str:
    """A value as its options in braces, and so on down to values that have a word.

    Args:
        sides: the left and the right options of a value.
        arranged: puts the texts of a side in order.

    Raises:
        Longer: it has more than ``limit`` characters.
    """

    def needs(at: int) -> Sequence[int]:
        return () if word(at) is not None else [option for side in sides(at) for option in side]

    def compose(at: int, made: Mapping[int, str]) -> str:
        known = word(at)
        if known is not None:
            return known
        texts = [arranged([made[option] for option in side]) for side in sides(at)]
        refuse_longer(sum(len(text) for side in texts for text in side), limit)
        return f"{{{'|'.join(','.join(side) for side in texts)}}}"

    text = composed(root, needs, compose)
    refuse_longer(len(text), limit)
    return text
