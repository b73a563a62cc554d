"""What one player, or somebody who only watches, may know of a game's course."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from weakref import WeakKeyDictionary

from .course import Course, Step
from .game import Action, Event, State
from .leaving import LEAVING, left_words
from .secrets import Seen
from .timeline import Event as RecordEvent
from .timeline import recorded_actions


class Sight:
    """A course as ``player`` may know it (None: somebody who only watches), as it stands when the sight is asked.

    A game without secrets, and any game that is over, is open as a whole. In others the player counts only the steps of which it sees anything, so the
    plies of a sight are its own: positions from 0, each reached by a step that this player knows of. Those up to :attr:`open_ply` have the timeline's own
    numbers.
    """

    def __init__(self, course: Course, player: int | None) -> None:
        self.course = course
        self.player = player
        self._hides = course.game.secrets is not None
        self._kept = _known_of.setdefault(course, {}).setdefault(player, _Known(player)) if self._hides else None

    @property
    def _known(self) -> _Known | None:
        """What is kept of this player's sight; None where nothing is ever hidden."""
        if self._kept is not None:
            self._kept.follow(self.course)
        return self._kept

    def _plies(self) -> Sequence[int]:
        """The timeline's number of every position that counts."""
        known = self._known
        return range(len(self.course.steps)) if known is None else known.plies

    @property
    def ply(self) -> int:
        """The number of the latest position."""
        return len(self._plies()) - 1

    @property
    def sees_latest(self) -> bool:
        """Whether the player knows that anything has happened in the latest step of all."""
        return self._plies()[-1] == self.course.ply

    @property
    def open_ply(self) -> int:
        """The latest position up to which everything is open: how it came about, and so all that there is in it; −1 where even the start hides something."""
        known = self._known
        return self.course.ply if known is None else known.first_closed - 1

    def is_open(self, ply: int) -> bool:
        """Whether the player may know all of a position and how it came about."""
        return ply <= self.open_ply

    def state(self, ply: int) -> State:
        """A position."""
        return self._state(self._plies()[ply])

    def _state(self, ply: int) -> State:
        state = self.course.steps[ply].state
        return state if ply <= self.open_ply else state.seen_by(self.player)

    @property
    def latest(self) -> State:
        """The latest position."""
        return self._state(self.course.ply)

    def _step(self, ply: int) -> tuple[int, Step]:
        """The step that led to a position, with the timeline's number of that."""
        number = self._plies()[ply]
        return number, self.course.steps[number]

    def players(self, ply: int) -> list[int]:
        """Who is known to have acted in the step that led to a position; chance is one of them."""
        number, step = self._step(ply)
        return [player for player in step.actions if self._seen(number, player) > Seen.NOTHING]

    def is_leaving(self, ply: int) -> bool:
        """Return True if players left in the step that led to a position."""
        return self._step(ply)[1].is_leaving

    def actions(self, ply: int) -> Mapping[int, Action]:
        """What is known of the actions that led to a position: nobody's for the first one."""
        number, step = self._step(ply)
        return {player: action for player, action in step.actions.items() if self._seen(number, player) == Seen.ALL}

    def _seen(self, ply: int, player: int) -> Seen:
        known = self._known
        return Seen.ALL if known is None else known.levels[ply][player]

    def action(self, ply: int) -> Action | None:
        """Return the action that led to a position if one player or chance acted alone and it is known. None after a player left."""
        actions = self.actions(ply)
        step = self._step(ply)[1]
        return next(iter(actions.values())) if len(step.actions) == len(actions) == 1 and not step.is_leaving else None

    def line(self, ply: int) -> str:
        """What a page's list says of the step that led to a position (from 1); nothing where the line of a later step tells of it."""
        number, step = self._step(ply)
        game, known = self.course.game, self.actions(ply)
        if game.show.line is None or step.is_leaving:
            return self.step_text(ply)
        return game.show.line(self._state(number - 1), known) if len(known) == len(step.actions) else ""

    def step_text(self, ply: int) -> str:
        """What a list of moves says of the step that led to a position (from 1)."""
        number, step = self._step(ply)
        known = self.actions(ply)
        if step.is_leaving:
            return left_words(self.course.game, known)
        if len(known) == len(step.actions):
            return self.course.game.show.text_of(self._state(number - 1), known)
        secrets = self.course.game.secrets
        assert secrets is not None
        before = self._state(number - 1)
        return ", ".join(known[player].text if player in known else secrets.words(before, player) for player in self.players(ply))

    def opened(self, ply: int) -> range:
        """The positions of which more is known since the step that led to this one, or which count only since then; the last of them is this one."""
        known = self._known
        first = None if known is None else known.opened.get(known.plies[ply])
        return range(0) if known is None or first is None else range(max(1, bisect_left(known.plies, first)), ply + 1)

    def recorded_step(self, ply: int) -> RecordEvent:
        """The step that led to a position (from 1), as it stands in records; null for a choice of which only is known that it was made."""
        step = self._step(ply)[1]
        if step.is_leaving:
            return {"event": "out", "players": {str(player): action.text for player, action in step.actions.items()}}
        if not self._hides:
            return recorded_actions({player: action.text for player, action in self.course.steps[ply].actions.items()})
        known = self.actions(ply)
        return recorded_actions({player: known[player].text if player in known else None for player in self.players(ply)})

    def events(self, ply: int) -> tuple[Event, ...]:
        """What happened in the step that led to a position, as far as everything about that step is known."""
        events = self.course.game.show.events
        if ply == 0 or events is None or not self.is_open(ply):
            return ()
        number, step = self._step(ply)
        return () if step.is_leaving else events(self._state(number - 1), step.actions)

    def recorded(self, events: list[RecordEvent]) -> list[RecordEvent]:
        """The course's events as the player may have them: null for a choice of which only is known that it was made, nothing where less is known."""
        known = self._known
        if known is None or known.first_closed > self.course.ply:  # the timeline's number: steps of which nothing is seen count as closed
            return events
        found: list[RecordEvent] = [{"event": "start", "position": self._state(0).text}]
        for ply in known.plies[1:]:
            event = dict(events[ply])  # nothing is taken back in games with secrets, so that every step is one event
            shown = known.levels[ply]
            if event["event"] == "chance":
                event["outcome"] = event["outcome"] if Seen.ALL in shown.values() else None
            elif event["event"] == "action":
                told = {str(player) for player, seen in shown.items() if seen == Seen.ALL}
                event["actions"] = {
                    str(player): event["actions"][str(player)] if str(player) in told else None
                    for player, seen in shown.items()
                    if seen > Seen.NOTHING
                }
                if "seconds" in event:
                    event["seconds"] = {player: seconds for player, seconds in event["seconds"].items() if player in told}
            found.append(event)
        return found


class _Known:
    """What one viewer sees of the steps of a game with secrets; brought up to date when it is asked."""

    def __init__(self, player: int | None) -> None:
        self._player = player
        self._is_start_open = True
        self._closed: list[int] = []
        """The plies that are not open as a whole; 0 is the start."""
        self.levels: list[dict[int, Seen]] = []
        """By ply, what is seen of each choice that led there."""
        self.plies: list[int] = []
        """Those that count."""
        self.opened: dict[int, int] = {}
        """By ply: the first earlier one of which more became known with it."""

    @property
    def first_closed(self) -> int:
        """The first ply that is not open as a whole; the one to come where all are."""
        return self._closed[0] if self._closed else len(self.levels)

    def follow(self, course: Course) -> None:
        """Look at the steps that have come since the last time."""
        steps = course.steps
        if len(self.levels) == len(steps) and not (self._closed and course.is_over):
            return
        if not self.levels:
            self.levels.append({})
            self.plies.append(0)
            self._is_start_open = steps[0].state.is_public
            self._closed = [] if self._is_start_open else [0]
        for ply in range(len(self.levels), len(steps)):
            self.levels.append(dict.fromkeys(steps[ply].actions, Seen.NOTHING))
            self._note(ply, [one for one in (*self._closed, ply) if self._look(steps, one, ply)])
            self._closed = [one for one in (*self._closed, ply) if self._is_closed(one)]
        if self._closed and course.is_over:
            for one in self._closed:
                self.levels[one] = dict.fromkeys(steps[one].actions, Seen.ALL)
            self._note(course.ply, self._closed)
            self.opened[course.ply] = min(self._closed[0], self.opened.get(course.ply, course.ply))
            self._closed = []

    def _look(self, steps: Sequence[Step], ply: int, now: int) -> bool:
        """Whether more is known of a step in the position of ``now`` than was before."""
        secrets = steps[0].state.game.secrets
        assert secrets is not None
        levels, more = self.levels[ply], ply == 0 and steps[now].state.is_public
        self._is_start_open = self._is_start_open or more
        for player, action in steps[ply].actions.items():
            if levels[player] < Seen.ALL:
                own = player == self._player or action.index == LEAVING
                seen = Seen.ALL if own else secrets.seen(steps[ply - 1].state, player, action, self._player, steps[now].state)
                more = more or seen > levels[player]
                levels[player] = max(levels[player], seen)
        return more

    def _is_closed(self, ply: int) -> bool:
        """Whether there is still something to know of a step. What a start hides is open with the first position that hides nothing."""
        return any(seen < Seen.ALL for seen in self.levels[ply].values()) if ply else not self._is_start_open

    def _note(self, ply: int, more: Sequence[int]) -> None:
        """Count the steps of which more is known since a ply; that one too, if there are others."""
        if more and more[0] < ply:
            self.opened[ply] = min(more[0], self.opened.get(ply, ply))
            more = [*more, ply]
        for one in more:
            at = bisect_left(self.plies, one)
            if at == len(self.plies) or self.plies[at] != one:
                self.plies.insert(at, one)


_known_of: WeakKeyDictionary[Course, dict[int | None, _Known]] = WeakKeyDictionary()
