"""The contract that two games which somebody cannot tell apart look the same to them, step by step."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ludarium.core.game import Action, Choice
from ludarium.core.random import generator_from
from ludarium.core.rules import CHANCE
from ludarium.core.secrets import Seen
from ludarium.core.sight import Sight
from ludarium.core.timeline import Timeline
from ludarium.errors import IllegalAction

from .contracts import Played, contract, has_secrets
from .random_games import random_step
from .secrets import levels, viewers

TRIES = 12
"""Choices that are tried in place of one that a viewer does not see."""

PAIRS = 4
"""Pairs of courses by course and viewer that begin alike and part at some step; half as many begin with different hidden things."""


@dataclass
class _Twins:
    """Two courses that a viewer cannot tell apart."""

    viewer: int | None
    first: Timeline
    second: Timeline
    apart: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    """Players with another choice in the one than in the other, each with the number of the step in the first and in the second."""
    waited: list[int] = field(default_factory=list[int])
    """Steps of the first that the second has not, and of which the viewer sees nothing."""
    compared: int = 0
    """The first positions, which were open to the viewer as a whole when they were compared: nothing more is ever told of them."""

    def go_on(self, actions: Mapping[int, Action], choice: random.Random, *, part: bool) -> bool:
        """Take the first's next step, and one in the second that looks the same: another one if they are to part here. Whether there is one."""
        before = self.second.state
        self.first.act(actions)
        now = self.first.state
        if now.is_over:
            return False
        seen = levels(self.first.steps, self.first.ply, self.viewer, now)
        same: dict[int, Choice] = {player: action.index for player, action in actions.items()}
        if not part and self._follows(same):
            return True
        if not any(seen.values()) and before.seen_by(self.viewer) == now.seen_by(self.viewer) and (not part or choice.random() < 0.5):
            self.waited.append(self.first.ply)
            return True
        closed = [player for player in actions if seen[player] < Seen.ALL and player in before.to_move]
        for _ in range(TRIES if closed else 0):
            step = random_step(before, choice)
            other = {**same, **{player: step[player] for player in closed}}
            if self._follows(other):
                chosen = self.second.steps[-1].actions
                others = [player for player in closed if chosen[player].index != same[player]]
                self.apart += [(player, self.first.ply, self.second.ply) for player in others]
                return True
        return False

    def _follows(self, step: Mapping[int, Choice]) -> bool:
        before = self.second.state
        try:
            chosen = before.chosen(step)
        except IllegalAction:
            return False
        after = before.after(chosen)
        if after.is_over or after.seen_by(self.viewer) != self.first.state.seen_by(self.viewer):
            return False
        self.second.act(chosen)
        return True

    def look_alike(self) -> bool:
        """Whether nothing in which they differ is open by now.

        Raises:
            AssertionError: what is seen of a step depends on what is hidden, or what opens tells more than the position shows.
        """
        one, other = self.first, self.second
        if self.waited[-1:] != [one.ply]:
            self._opened(-2, one.ply, other.ply)
        opened = [self._opened(*apart) for apart in self.apart]
        starts_differ = one.steps[0].state != other.steps[0].state
        if any(opened):
            assert not all(opened) or one.state == other.state or starts_differ or self.waited, (
                f"viewer {self.viewer} is told choices by which it knows what is hidden in {one.state.seen_by(self.viewer)!r}"
            )
            return False
        if any(max(levels(one.steps, ply, self.viewer, one.state).values()) for ply in self.waited):
            return False
        return not (starts_differ and Sight(one, self.viewer).is_open(0))

    def _opened(self, player: int, ply: int, there: int) -> bool:
        """Whether a player's choice is open by now, and as much is seen of that step here as there."""
        seen = levels(self.first.steps, ply, self.viewer, self.first.state)
        other = levels(self.second.steps, there, self.viewer, self.second.state)
        assert seen == other, (
            f"how much viewer {self.viewer} sees of a step tells what is hidden: {seen} and {other} "
            f"in {self.first.steps[ply - 1].state!r} and {self.second.steps[there - 1].state!r}"
        )
        return seen.get(player) == Seen.ALL

    def check(self) -> None:
        """See that everything that the viewer is told is the same."""
        first, second = (_told(timeline, self.viewer, self.compared) for timeline in (self.first, self.second))
        for name, told in first.items():
            assert told == second[name], (
                f"the {name} tells viewer {self.viewer} apart what is hidden: {told} and {second[name]}; {self.first.state!r}"
            )
        self.compared = 1 + Sight(self.first, self.viewer).open_ply


def _told(timeline: Timeline, viewer: int | None, compared: int) -> dict[str, Any]:
    """What a viewer is told of a course, from a position on, by name."""
    sight = Sight(timeline, viewer)
    plies = range(compared, sight.ply + 1)
    return {
        "number of steps": (sight.ply, sight.open_ply),
        "position": [sight.state(ply) for ply in plies],
        "list of who acted": [sight.players(ply) for ply in plies],
        "list of actions": [sight.actions(ply) for ply in plies],
        "list of moves": [(sight.step_text(ply), sight.line(ply)) for ply in plies if ply],
        "list of events": [sight.events(ply) for ply in plies],
        "list of what opened": [sight.opened(ply) for ply in plies],
        "record": sight.recorded(timeline.events),
        "drawing": sight.latest.svg(seat=viewer or 0),
    }


@contract(has_secrets)
def what_cannot_be_told_apart_looks_the_same(played: Played) -> None:
    """Two courses that differ only in what is hidden from a viewer tell that viewer the same: in number and words of steps, positions, records, drawings.

    Hidden choices of random games are replaced by others after which the viewer sees the same position; hidden things of positions are drawn anew.
    """
    choice, generator, compared = random.Random(1), generator_from(1), 0
    rolls = rerolls = 0
    for timeline in played.undealt:
        steps = timeline.steps
        for viewer in viewers(played.game):
            closed = [ply for ply in range(1, len(steps)) if min(levels(steps, ply, viewer, steps[ply].state).values()) < Seen.ALL]
            for at in sorted(choice.sample(closed, min(PAIRS, len(closed)))):
                twins = _Twins(viewer, Timeline(steps[0].state), Timeline(steps[0].state))
                compared += _follow(twins, [step.actions for step in steps[1:]], at, choice)
                rolls += CHANCE in steps[at].actions
                rerolls += CHANCE in [player for player, *_ in twins.apart]
            for at in sorted(choice.sample(range(len(steps)), min(PAIRS // 2, len(steps)))):
                twins = _Twins(viewer, Timeline(steps[at].state), Timeline(steps[at].state.resample(viewer, generator)))
                compared += not steps[at].state.is_over and _follow(twins, [step.actions for step in steps[at + 1 :]], 0, choice)
    assert compared, "no hidden choice could be replaced by another one after which the position looks the same"
    assert rerolls or not rolls, "the position tells what is not open of how the dice fell: after no other outcome it looks the same"


def _follow(twins: _Twins, course: Iterable[Mapping[int, Action]], at: int, choice: random.Random) -> int:
    """Take the steps of a course for as long as the twins look alike; how often they were compared."""
    compared = 0
    for ply, actions in enumerate(course, start=1):
        if not twins.go_on(actions, choice, part=ply == at) or not twins.look_alike():
            break
        if ply >= at and (compared == 0 or ply % 8 == 0):
            twins.check()
            compared += 1
    return compared
