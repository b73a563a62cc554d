"""A game that is played on this server: by the rules, with dice from a generator, bots, a clock for turns, and turns that are taken back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import replace
from typing import Any

import numpy as np

from ludarium.arena.clocks import TimeControl
from ludarium.core.clock import Clock
from ludarium.core.game import Action
from ludarium.core.leaving import RESIGNED, outcome_with
from ludarium.core.record import Header
from ludarium.core.rules import CHANCE
from ludarium.core.sight import Sight
from ludarium.core.timeline import Timeline
from ludarium.errors import PlayerFailed, ProtocolError

from .agreements import Agreement, Agreements
from .bots import Bots
from .choices import Choices
from .figures import Figures
from .messages import Accept, Decline, Kind, Offer, Resume
from .orders import Orders, default_action
from .play import Standing, Teller
from .seat_clocks import SeatClocks
from .seats import Seat, with_seat
from .series import Series
from .takebacks import last_turn
from .thinking import Answer, Thinker, Thinkers

log = logging.getLogger("ludarium.web")

MOST_OFFERS = 3
"""Of one kind, by one player in one position."""
MOST_TAKEBACKS = 100
"""In one game: a record only grows, and against bots nobody has to agree."""


class LocalPlay:
    """See :class:`ludarium.web.table.play.Play`. Bots think only while somebody plays or watches."""

    counts_late_choices = False
    watching_elsewhere = 0

    def __init__(
        self,
        header: Header,
        timeline: Timeline,
        seats: Iterable[Seat],
        generator: np.ndarray[Any, Any],
        thinkers: Thinkers,
        *,
        pace: float = 0.0,
        time_control: TimeControl | None = None,
        series: Series | None = None,
        next: str | None = None,
        make_rematch: Callable[[], None] | None = None,
        is_paused: bool = False,
        keep_pause: Callable[[int | None], None] = lambda ply: None,
        keep_seat: Callable[[int], None] = lambda number: None,
        clock: Clock | None = None,
    ) -> None:
        """``generator`` draws the dice. ``pace`` is how many seconds a position stands at least before a bot's answer to it is played.

        ``time_control`` is for every seat; see :class:`SeatClocks`.
        ``series`` is by default one that begins; ``next`` is the id of the rematch if there is one already, else ``make_rematch`` begins to make one.
        ``is_paused`` says whether it pauses already; ``keep_pause`` is told the position in which a pause is agreed on, and None when somebody ends it.
        ``keep_seat`` is told the number of a seat at which a bot begins to play for a person, or stops.
        ``clock`` is by default the running event loop.
        """
        clock = clock or asyncio.get_running_loop()
        self.header = header
        self.course = timeline
        self.seats: Sequence[Seat] = tuple(seats)
        self.time_control = time_control
        self._teller: Teller
        self._generator = generator
        self._bots = Bots(self.seats, thinkers, pace, clock)
        self._choices = Choices(clock)
        self._keep_seat = keep_seat
        people = [seat.number for seat in self.seats if seat.is_person and seat.number not in timeline.out]
        self._clocks = SeatClocks(time_control, len(self.seats), people, self._time_is_up, clock, timeline.events if time_control else ())
        self._agreements = Agreements(people)
        self._steps_of_leaving = 0
        """The number of steps in which players left without an end of the turn."""
        self._takebacks = sum(event["event"] == "takeback" for event in timeline.events)
        self._is_paused = is_paused
        self._keep_pause = keep_pause
        self._drawn_at: dict[int, tuple[int, int]] = {}
        """The position in which each player last offered a draw."""
        self._offered: dict[tuple[Kind, int], tuple[tuple[int, int], int]] = {}
        """What each player has offered, in which position last, and how often there."""
        self._series = series or Series(1, (0.0,) * len(self.seats))
        self._next = next
        self._make_rematch = make_rematch
        self._figures = Figures(lambda: self._teller.tell("notice"))
        self._present: Set[int | None] = frozenset()
        has_begun = any(map(timeline.has_acted, range(len(self.seats))))  # before the server was restarted
        self._absent: set[int] = set() if has_begun else set(people)

    @property
    def standing(self) -> Standing:
        return Standing(
            self._to_move,
            self._choices.made,
            self._clocks.countdown,
            self._clocks.shown,
            self._figures.found,
            self._bots.thinking,
            self._agreements.open,
            self.series,
            self._next,
            self._is_paused,
            self._choices.plans,
            sorted(self.course.out),
        )

    @property
    def series(self) -> Series:
        """With this game once it is over."""
        return self._series if self.course.outcome is None else self._series.after(self.course.outcome.returns)

    @property
    def _public(self) -> Sight:
        """What everybody may know."""
        return Sight(self.course, None)

    @property
    def _to_move(self) -> list[int]:
        if self.course.is_over:
            return []
        return [player for player in self.course.to_move if player not in self._choices.made and player != CHANCE]

    def record(self) -> list[dict[str, Any]]:
        """While the game runs, its seed is withheld, and so is what not everybody knows."""
        header = self.header.as_json()
        if not self.course.is_over:
            header["seed"] = None
            if self.course.game.secrets is not None:
                header["partial"] = True
        return [header, *self._public.recorded(self.course.events)]

    def begin(self, teller: Teller) -> None:
        self._teller = teller
        self.course.play_for_those_out()
        self._roll_dice()
        self._choices.begin(self._to_move)

    def attend(self, present: Set[int | None]) -> None:
        self._present = present
        self._absent -= present
        for seat in self.seats:
            if seat.substitute and seat.number in present:
                self.stand_down(seat.number)
        began = self._wind_clocks()
        self._wake_bots()
        self._look_at_figures()
        if began:
            self._teller.tell("notice")

    def stop(self) -> None:
        self._clocks.pause()
        self._bots.dismiss()

    # Bots in the place of people.

    def substitute(self, player: int, spec: str, bot: Thinker) -> None:
        """Let a bot play for a person who is not here."""
        self._bots.unseat(player)
        self._bots.seat(player, bot)
        self._clocks.set_person(player, False)
        self._agreements.replace(player)
        self._absent.discard(player)
        self._set_substitute(player, spec)

    def stand_down(self, player: int) -> None:
        """Let a person play again for whom a bot has played."""
        self._bots.unseat(player)
        self._clocks.set_person(player, True)
        self._agreements.come_back(player)
        self._set_substitute(player, "")

    def _set_substitute(self, player: int, spec: str) -> None:
        self.seats = with_seat(self.seats, replace(self.seats[player], substitute=spec))
        self._keep_seat(player)
        self._wind_clocks()
        self._wake_bots()
        self._teller.tell_players()
        self._teller.tell("notice")

    # Turns.

    def choose(self, player: int, action: Action, seconds: float | None = None) -> None:
        if self.seats[player].is_person:
            self._is_paused = False  # whoever plays goes on
        charged = self._clocks.charge(player, seconds)
        self._choices.make(player, action, seconds if charged is None else charged)
        if self._to_move and not self.course.game.independent:
            self._wind_clocks()
            self._teller.tell("notice")
            return
        self._play_choices()

    def _play_choices(self) -> None:
        actions, taken = self._choices.take()
        self.course.act(actions, taken)
        self._agreements.answer_by_playing(actions)
        self._roll_dice()
        self._begin_turn(actions)
        self._look_at_figures()
        self._teller.tell("action")

    def plan(self, player: int, orders: Orders) -> None:
        self._choices.plans[player] = orders

    def negotiate(self, player: int, message: Offer | Accept | Decline | Resume) -> None:
        if isinstance(message, Resume):
            self._resume()
            return
        agreements, kind = self._agreements, message.kind
        if isinstance(message, Decline):
            self._teller.tell("notice" if agreements.decline(kind).by == player else "decline")
            return
        is_new = isinstance(message, Offer) and not agreements.has(kind)
        if is_new:
            self._check(kind, player)
        if is_new or agreements.is_for(kind, player):
            self._count_offer(kind, player)
        agreed = agreements.offer(kind, player) if isinstance(message, Offer) else agreements.accept(kind, player)
        if agreed is None:
            self._teller.tell("notice")
        elif kind == "takeback":
            self._take_back(agreed)
        elif kind == "draw":
            self.course.draw("agreed by the players")
            self._end()
        elif kind == "pause":
            self._is_paused = True
            self._keep_pause(self.course.ply)
            self._clocks.pause()
            self._teller.tell("notice")
        elif self._make_rematch is not None:
            make, self._make_rematch = self._make_rematch, None
            make()
            self._teller.tell("notice")

    def _count_offer(self, kind: Kind, player: int) -> None:
        """Everybody is told of each, and asked again."""
        position = self._takebacks, self.course.ply
        before, made = self._offered.get((kind, player), (position, 0))
        if before == position and made >= MOST_OFFERS:
            raise ProtocolError("too_many", f"you have offered a {kind} {made} times in this position, which is as often as one may")
        self._offered[kind, player] = (position, made + 1 if before == position else 1)

    def _check(self, kind: Kind, player: int) -> None:
        if kind == "takeback":
            last_turn(self.course, player)
            if self._takebacks >= MOST_TAKEBACKS:
                raise ProtocolError(
                    "too_many", f"turns have been taken back {MOST_TAKEBACKS} times in this game, which is as often as they may"
                )
        elif kind == "draw":
            self._check_draw(player)
        elif kind == "pause":
            if self.time_control is None or self._is_paused:
                raise ProtocolError("no_such_offer", "a pause is offered while there are clocks that run")
        elif not self.course.is_over:
            raise ProtocolError("no_such_offer", "a rematch is offered when the game is over")
        elif self._make_rematch is None:
            raise ProtocolError("no_such_offer", "this game has its rematch already")

    def _check_draw(self, player: int) -> None:
        if not self.course.game.show.draws:
            raise ProtocolError("no_such_offer", f"{self.course.game.title} knows no draws")
        if not all(seat.is_person for seat in self.seats) or len(self.seats) < 2:
            raise ProtocolError("no_such_offer", "people agree on draws among themselves; a bot declines")
        if self._drawn_at.get(player) == (self._takebacks, self.course.ply):
            raise ProtocolError("no_such_offer", "you have offered a draw in this position; the next one can be after the next step")
        self._drawn_at[player] = (self._takebacks, self.course.ply)

    def _resume(self) -> None:
        if not self._is_paused:
            raise ProtocolError("no_such_offer", "there is no pause (any more)")
        self._is_paused = False
        self._keep_pause(None)
        self._wind_clocks()
        self._wake_bots()
        self._teller.tell("notice")

    def lead_on(self, next: str) -> None:
        """The rematch is there."""
        self._next = next
        self._teller.tell("notice")

    def stay(self, make_rematch: Callable[[], None]) -> None:
        """There is no rematch yet, and one may be offered again."""
        self._make_rematch = make_rematch

    def _take_back(self, agreed: Agreement) -> None:
        self.course.take_back(self.course.ply - last_turn(self.course, agreed.by))
        self._takebacks += 1
        self._bots.stop()
        self._choices.withdraw()
        self._begin_turn()
        self._teller.tell("takeback")

    def resign(self, player: int) -> None:
        self._lose(player, RESIGNED)

    def _lose(self, player: int, reason: str) -> None:
        """Let a player lose. With three and more, the others play on: with their choices, unless the position has become another one."""
        before, turn = self.course.state, self._turn
        if reason == RESIGNED:
            self.course.resign(player)
        else:
            self.course.forfeit(player, reason)
        people = [seat.number for seat in self.seats if seat.token is not None]
        if not self.course.is_over and player in people and self.course.out.keys() >= set(people):
            self.course.adjudicate(outcome_with(self.course.game, self.course.out, None).returns, "only bots are left")
        if self.course.is_over:
            self._end()
            return
        self._agreements.leave(player)
        self._absent.discard(player)
        if self._is_paused:
            self._keep_pause(self.course.ply)
        if self.course.state == before:
            self._choices.drop(player)
        else:
            self._bots.stop()
            self._choices.withdraw()
        self._teller.tell("action")
        if self._choices.made and not self._to_move:
            self._play_choices()
            return
        self._roll_dice()
        goes_on = self.course.state == before
        if goes_on:
            self._steps_of_leaving += self._turn - turn
        self._begin_turn([player], goes_on=goes_on)
        self._look_at_figures()
        self._teller.tell("end" if self.course.is_over else "notice")

    def _end(self) -> None:
        self._bots.dismiss()
        self._clocks.pause()
        self._choices.withdraw()
        self._agreements.withdraw("takeback", "draw", "pause")
        self._is_paused = False
        self._teller.tell("end")

    def _roll_dice(self) -> None:
        """Let all dice fall that are to fall now; every step of them is shown."""
        while not self.course.is_over and self.course.state.to_move == (CHANCE,):
            if self.course.ply:
                self._teller.tell("action")
            self.course.act({CHANCE: self.course.state.sample_chance(self._generator)})

    def _begin_turn(self, acted: Iterable[int] | None = None, *, goes_on: bool = False) -> None:
        """Let those who are to move choose; where players act independently, or the turn ``goes_on``, those who have not ``acted`` go on with their choice."""
        self._choices.begin(self._to_move, acted if self.course.game.independent or goes_on else None)
        self._bots.see()
        if self.course.is_over:
            self._bots.dismiss()
            self._agreements.withdraw("draw", "pause")
        self._wind_clocks()
        self._wake_bots()

    def _look_at_figures(self) -> None:
        if self._present:
            self._figures.look_at(self._public.state(max(0, self._public.open_ply)))

    # Bots.

    def _wake_bots(self) -> None:
        """Let every bot think that is to move and does not think yet."""
        if self._present and not self._is_paused:
            self._bots.wake(self._to_move, self.course.state, self._settle, self._clocks.time_of)

    def _settle(self, player: int, answer: Answer, seconds: float) -> None:
        """Play what a bot has answered."""
        if isinstance(answer, PlayerFailed) and self.seats[player].substitute:
            log.warning("the bot %s, which played for a person, failed: %s", self.seats[player].substitute, answer)
            self.stand_down(player)
        elif isinstance(answer, PlayerFailed):
            self._lose(player, str(answer))
        else:
            self.choose(player, answer, seconds)

    # The clocks.

    @property
    def waits_for_time(self) -> bool:
        """Whether time runs though nobody need be at the board."""
        return self._clocks.is_running and self._clocks.runs_unattended

    def _wind_clocks(self) -> bool:
        """Let the clocks run of those who are to move: of people when all have come once, of bots while they may think. Says whether they have begun to."""
        stood = not self._clocks.is_running
        here = bool(self._present)
        has_begun = not self._absent and (here or self._clocks.runs_unattended)
        players = [player for player in self._to_move if (has_begun if self.seats[player].is_person else here)]
        if players and not self._is_paused:
            self._clocks.run((self._takebacks, self._turn), players)
        else:
            self._clocks.pause()
        return stood and self._clocks.is_running

    @property
    def _turn(self) -> int:
        """The position in which the present turn began: players who act independently have one turn together. Players who leave begin no turn."""
        return (self._public.open_ply if self.course.game.independent else self.course.ply) - self._steps_of_leaving

    def _time_is_up(self) -> None:
        """Who has used up the game's time has lost. Where it was a turn's, what the slow have ordered so far is played; where doing nothing is no order, what
        the game plays for them, or they forfeit."""
        control, turn = self.time_control, self._turn
        assert control is not None
        for player in self._clocks.late:
            if not control.is_per_action:
                self._lose(player, "timeout: no time left")
                return
            while self._turn == turn and player in self._to_move:
                action = default_action(Sight(self.course, player).latest, player, self._choices.plans.get(player))
                if action is None:
                    self._lose(player, f"timeout: no action within {control.seconds:g} s")
                    return
                self.choose(player, action)
        if not self.course.is_over:
            self._wind_clocks()
