"""The orders that a person gives in one turn of a game in which that is more than one choice: typed, changed, shown, and sent together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ludarium.core.game import Action, State
from ludarium.core.leaving import LEAVING
from ludarium.core.orders import OrderPath
from ludarium.core.rules import CHANCE
from ludarium.errors import BadNotation, IllegalAction

Step = str | tuple[str, int, int]


def words_of(state: State, seat: int, action: Action) -> str:
    """An action as a person types it: ``#0 x+; #1 bomb delay 3 range 2``."""
    orders = state.game.orders
    assert orders is not None  # or it would be typed as it is written
    given = action.index if isinstance(action.index, tuple) else (action.index,)
    texts = [orders.words(state, seat, slot, order) for slot, order in enumerate(given) if order != orders.idle]
    return "; ".join(texts) or "no orders"


def step_text(state: State, seat: int, action: Action) -> str:
    """What a player (or chance) did in a state, as it is typed."""
    return words_of(state, seat, action) if seat != CHANCE and state.game.orders and action.index != LEAVING else action.text


class OrderSheet:
    """What one person has ordered so far. A slot without an order gets the game's idle one."""

    def __init__(self, state: State, seat: int) -> None:
        assert state.game.orders is not None
        self.orders = state.game.orders
        self.state = state
        self.seat = seat
        self._chosen: dict[int, int] = {}
        self._paths: dict[str, tuple[OrderPath, ...]] = {}
        self._slots: dict[str, int] = {}
        for slot in range(state.game.dimensions.slots):
            paths = self.orders.paths(state, seat, slot)
            if paths:
                name = str(paths[0][0])
                self._paths[name] = paths
                self._slots[name] = slot

    @property
    def is_empty(self) -> bool:
        return not self._chosen

    def clear(self) -> None:
        self._chosen.clear()

    def action(self) -> Action:
        """All orders together.

        Raises:
            IllegalAction: somebody has no order, in a game without an idle one.
        """
        missing = [name for name, slot in self._slots.items() if slot not in self._chosen]
        if self.orders.idle is None and missing:
            raise IllegalAction(f"there is no order yet for {', '.join(missing)}")
        return self.state.action(self._index(), self.seat)

    def draft(self) -> Action:
        """The same while it may still be incomplete: order 0 stands where there is none."""
        index = self._index()
        return Action(index, self.state.game.action_text(self.state, self.seat, index))

    def _index(self) -> int | tuple[int, ...]:
        orders = tuple(self._chosen.get(slot, self.orders.idle or 0) for slot in range(self.state.game.dimensions.slots))
        return orders[0] if len(orders) == 1 else orders

    def read(self, line: str) -> None:
        """Take over the orders of a line, ``#3 x+; #5 bomb 3 2``: each replaces an earlier one, and an action in the game's notation replaces all.

        Raises:
            BadNotation, IllegalAction: something in the line is wrong; then nothing has changed.
        """
        if line[:1] == self.draft().text[:1] not in {name[:1] for name in self._slots}:
            index = self.state.action(line, self.seat).index
            self._chosen = dict(enumerate(index if isinstance(index, tuple) else (index,)))
        else:
            self._chosen |= dict(self._read_order(text.split()) for text in line.split(";") if text.strip())
        self._chosen = {slot: order for slot, order in self._chosen.items() if order != self.orders.idle}

    def _read_order(self, words: list[str]) -> tuple[int, int]:
        """The slot and the order of a few words."""
        name = self._name_of(words[0])
        if name is None and (glued := re.fullmatch(r"(#?[a-z]?\d+)([^\W\d].*)", words[0], re.IGNORECASE)):
            name, words = self._name_of(glued[1]), [*glued.groups(), *words[1:]]
        if name is None:
            raise BadNotation(f"'{words[0][:40]}' gets no orders from you; these do: {', '.join(self._slots)}")
        slot = self._slots[name]
        found = [tuple(self._match(path, words)) for path in self._paths[name]]
        complete = [picks for path, picks in zip(self._paths[name], found, strict=True) if len(picks) == len(path)]
        if len(complete) > 1:
            complete = [picks for picks in complete if picks[1:] == tuple(words[1:])] or complete
        if len(complete) != 1:
            raise BadNotation(self._what_comes_next(name, words, [len(picks) for picks in found]))
        return slot, self.orders.picked(self.state, self.seat, slot, complete[0])

    def _name_of(self, word: str) -> str | None:
        """Whom a word calls, as the board or the orders do."""
        called = self.orders.pick_of(self.state, self.seat, (), word)
        return next((name for name in self._slots if called in (name, name.lstrip("#"))), None)

    def _match(self, path: OrderPath, words: Sequence[str]) -> Iterator[str]:
        """The picks of a path as far as words lead along it; none of the last one if words are left over."""
        picks, rest = [str(path[0])], list(words[1:])
        for step in path[1:]:
            pick = _take(step, rest, self.orders.pick_of(self.state, self.seat, picks, rest[0]) if rest else "")
            if pick is None:
                break
            picks.append(pick)
        yield from picks[:-1] if rest and len(picks) == len(path) else picks

    def _what_comes_next(self, name: str, words: Sequence[str], lengths: Sequence[int]) -> str:
        depth = max(lengths)
        choices = [self._choice(name, path, depth) for path, length in zip(self._paths[name], lengths, strict=True) if length == depth]
        typed = " ".join(words)[:60]
        return f"'{typed}' is no order that can be given here; {name} may {' | '.join(choices)}"

    def _choice(self, name: str, path: OrderPath, depth: int) -> str:
        """An order in words, without the name of who gets it; of numbers, between which they lie."""
        steps = [step for step in path if isinstance(step, str)]
        if len(steps) == len(path):
            slot = self._slots[name]
            order = self.orders.picked(self.state, self.seat, slot, steps)
            return self.orders.words(self.state, self.seat, slot, order).removeprefix(f"{name} ")
        return " ".join(step if isinstance(step, str) else f"{step[0]} {step[1]}–{step[2]}" for step in path[1:])

    def choices(self) -> Iterator[tuple[str, list[str]]]:
        """For everybody who gets orders the name and what may be ordered, in words."""
        for name, paths in self._paths.items():
            yield name, [self._choice(name, path, 1) for path in paths]

    def example(self) -> str:
        """A line that could be typed now."""
        last = ((name, *numbers) for name, paths in self._paths.items() for numbers in [self._shortest(name, paths[-1])])
        return "; ".join(" ".join(words) for words, _ in zip(last, range(2), strict=False))

    def _shortest(self, name: str, path: OrderPath) -> list[str]:
        if all(isinstance(step, str) for step in path):
            return [self._choice(name, path, 1)]
        return [step if isinstance(step, str) else str(step[1]) for step in path[1:]]

    def words(self) -> list[str]:
        """All words that orders consist of, for completion."""
        found = {
            word: None for name, choices in self.choices() for choice in (name, *choices) for word in choice.split() if "–" not in word
        }
        return list(found)


def _take(step: Step, rest: list[str], pick: str) -> str | None:
    """Take the words of one step of a path from the front; the pick that they name, None if it is another one.

    Args:
        pick: what the first word stands for.
    """
    if isinstance(step, str):
        if rest and (pick == step or (rest[0].isalpha() and step.startswith(rest[0].lower()))):
            del rest[0]
            return step
        numbered = re.fullmatch(r"([a-z]+) ([0-9]+)", step)
        return _take((numbered[1], int(numbered[2]), int(numbered[2])), rest, pick) if numbered else None
    word, lowest, highest = step
    used = 1 if rest and rest[0].isalpha() and word.startswith(rest[0].lower()) else 0
    number = rest[used] if len(rest) > used else ""
    if not re.fullmatch(r"[0-9]{1,5}", number, re.ASCII) or not lowest <= int(number) <= highest:
        return None
    del rest[: used + 1]
    return f"{word} {int(number)}"
