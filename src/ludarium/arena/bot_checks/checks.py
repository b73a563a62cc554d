"""The checks of a bot, in the order in which they are made: what nearly every bot does wrong at first comes first."""

from __future__ import annotations

import itertools
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from ludarium.arena.clocks import TimeControl
from ludarium.core.game import Game, State
from ludarium.errors import printable
from ludarium.players.programs import messages
from ludarium.players.programs.bots import Bot
from ludarium.players.programs.conditions import USUAL, Conditions

from .candidate import TO_END, Candidate, Fault
from .report import Finding, Report
from .sitting import Message, Sitting, Start
from .situations import SITUATIONS, Found, Situation, find_situations

TURNS = 8
"""Turns after which most checks have seen enough."""

WHOLE_TURNS, WHOLE_SECONDS = 300, 15.0
"""Turns and seconds after which no whole games are begun any more; the last one is given up."""

FIRST, SAME_FAULTS = 2, 3
"""A bot that fails in one of so many first checks, or has the same fault in so many, is not checked any further: it would say nothing new."""

CLOCKS = (TimeControl(3600, 0.5), TimeControl(3600, is_per_action=True))

LATER: Message = {"later": {"words": 'as in "actions":["none"], {"type":"turn"} and \\', "numbers": [1, None, -2.5e-3], "none": None}}
"""What later versions may add to a message."""


class NotMade(Exception):
    """This check is not for this bot."""


class Examination:
    """What checks have at hand."""

    def __init__(self, game: Game, start: Callable[[], Candidate], controls: Sequence[TimeControl], found: Found) -> None:
        self.game = game
        self.found = found
        self._start = start
        self._controls = controls
        self._seeds = itertools.count(1)
        self._bot: Candidate | None = None

    @property
    def bot(self) -> Candidate:
        """The running bot: the same process as long as it does nothing wrong."""
        if self._bot is None:
            self._bot = self._start()
        return self._bot

    def end_bot(self) -> None:
        if self._bot is not None:
            self._bot.end()
            self._bot = None

    def sit(
        self,
        start: State | None = None,
        seat: int = 0,
        *,
        controls: Sequence[TimeControl] | None = None,
        alter: Callable[[Message], Message] = dict,
    ) -> Sitting:
        """Begin a game, with the clocks that were asked for if no others are given."""
        return Sitting(
            self.bot,
            start or self.game.start(),
            seat,
            next(self._seeds),
            controls=self._controls if controls is None else controls,
            alter=alter,
        )

    def begin(self, start: Start) -> Sitting:
        """Begin a game somewhere in its course.

        Raises:
            NotMade: the bot plays no such games.
        """
        if self.bot.wishes.starts:
            raise NotMade
        return self.sit(start.state, start.seat)


def _greeting(exam: Examination) -> str:
    bot = exam.bot
    bot.listen()
    name = f'it calls itself "{printable(bot.wishes.name)}"' if bot.wishes.name else "it has no name"
    return f"{name} and wants {', '.join(sorted(bot.send)) or 'nothing'}; {bot.seconds_to_start:.2f} s after its start"


def _first_turn(exam: Examination) -> str:
    sitting = exam.sit()
    exam.bot.listen()
    turn = sitting.next_turn()
    exam.bot.listen()
    sitting.end()
    return f"it chose {turn.action.text[:60]}" if turn else "the game ended before"


def _next_game(exam: Examination) -> str:
    exam.bot.listen()  # the first turn's game has had its result
    sitting = exam.sit()
    sitting.play(2)
    sitting.end()
    return "after the result, in the same process"


def _end_of_game(exam: Examination) -> str | None:
    for start in exam.found.last_turns:
        sitting = exam.begin(start)
        sitting.play(TURNS)
        is_over = sitting.timeline.is_over
        sitting.end()
        exam.bot.listen()
        if is_over:
            return str(sitting.last["reason"])
    return None


def _no_turn(exam: Examination) -> str:
    sitting = exam.sit(seat=exam.game.players - 1)
    sitting.end()
    exam.bot.listen()
    return "somebody gives up before its first turn"


def _seats(exam: Examination) -> str:
    for seat in range(exam.game.players):
        sitting = exam.sit(seat=seat)
        sitting.play(3)
        sitting.end()
    return ", ".join(exam.game.player_names)


def _situation(situation: Situation, exam: Examination) -> str | None:
    for start in exam.found.starts[situation.name]:
        sitting = exam.begin(start)
        for _ in range(TURNS):
            turn = sitting.next_turn()
            if turn is None:
                break
            if (turn.before or not situation.follows) and situation.happens(turn):
                sitting.play(1)
                sitting.end()
                return situation.words
        sitting.end()
    return None


def _most_choices(exam: Examination) -> str | None:
    if exam.found.widest is None:
        return None
    sitting = exam.begin(exam.found.widest.start)
    turn = sitting.next_turn()
    sitting.end()
    return None if turn is None else f"{sum(turn.choices)} legal actions, a line of {len(messages.encoded(turn.message)):,} bytes"


def _middle(exam: Examination) -> str | None:
    if exam.found.middle is None:
        return None
    sitting = exam.begin(exam.found.middle)
    sitting.play(1)  # what else may happen has checks of its own
    sitting.end()
    return f"as with --start: {sitting.timeline.steps[0].state.text[:60]}"


def _clocks(exam: Examination) -> str:
    for control in CLOCKS:
        sitting = exam.sit(controls=[control] * exam.game.players)
        sitting.play(2)
        sitting.end()
    return "for the game, and for each action"


def _taken_back(exam: Examination) -> str | None:
    if exam.game.secrets is not None:
        return None
    sitting = exam.sit()
    first = sitting.next_turn()
    ply = sitting.timeline.ply
    if first is None or sitting.next_turn() is None or sitting.timeline.is_over:
        return None
    sitting.timeline.take_back(sitting.timeline.ply - ply + 1)
    sitting.play(2)
    sitting.end()
    return "it was told everything from 1 on"


def _unknown(exam: Examination) -> str:
    message: Message = {"type": "later", **LATER}
    exam.bot.tell(message)
    exam.bot.listen()
    sitting = exam.sit(alter=lambda known: known | LATER)
    exam.bot.tell(message)
    sitting.play(3)
    sitting.end()
    return "messages and keys of later versions"


def _given_up(exam: Examination) -> str:
    exam.sit().play(2)
    sitting = exam.sit(seat=exam.game.players - 1)
    sitting.play(2)
    sitting.end()
    return "no result, then the next game"


def _many_games(exam: Examination) -> str:
    starts = exam.found.last_turns or [Start(exam.game.start(), 0)]
    for _, start in zip(range(10), itertools.cycle(starts), strict=False):
        sitting = exam.begin(start)
        sitting.play(TURNS)
        sitting.end()
    return "10 in one process"


def _slow_host(exam: Examination) -> str:
    process = exam.bot.process
    sitting = exam.sit(controls=())
    for process.in_pieces, process.in_jolts in ((True, False), (False, True)):
        sitting.play(1)
        exam.bot.listen()
    process.in_jolts = False
    sitting.end()
    return process.is_slow_as


def _whole_games(exam: Examination) -> str:
    until = time.monotonic() + WHOLE_SECONDS
    lengths: list[int] = []
    while sum(lengths) < WHOLE_TURNS and time.monotonic() < until:
        sitting = exam.sit(seat=len(lengths) % exam.game.players)
        lengths.append(0)
        while lengths[-1] < WHOLE_TURNS and time.monotonic() < until and sitting.next_turn() is not None:
            lengths[-1] += 1
        sitting.end()
    return f"{len(lengths)} with {sum(lengths)} turns, the longest with {max(lengths)}"


def _end_of_input(exam: Examination) -> str:
    process = exam.bot.process
    said, has_ended = process.hang_up(TO_END)
    if said:
        raise Fault("out of turn: its input was closed", sent=said, right="nothing")
    if not has_ended:
        raise Fault(process.goes_on_as, right="to end when its input ends")
    exam.end_bot()
    return process.ends_as


CHECKS: tuple[tuple[str, Callable[[Examination], str | None]], ...] = (
    ("greeting", _greeting),
    ("first turn", _first_turn),
    ("next game", _next_game),
    ("every seat", _seats),
    ("from the middle", _middle),
    *((situation.name, partial(_situation, situation)) for situation in SITUATIONS),
    ("end of the game", _end_of_game),
    ("most choices", _most_choices),
    ("game without a turn", _no_turn),
    ("game given up", _given_up),
    ("games in a row", _many_games),
    ("clocks", _clocks),
    ("moves taken back", _taken_back),
    ("unknown keys and messages", _unknown),
    ("slow host", _slow_host),
    ("whole games", _whole_games),
    ("end of input", _end_of_input),
)


def check_bot(
    game: Game,
    bot: Bot,
    *,
    controls: Sequence[TimeControl] = (),
    conditions: Conditions = USUAL,
    on_finding: Callable[[Finding], None] = lambda finding: None,
) -> Report:
    """Play a bot through edge cases. What does not happen in the game is not in the report.

    Args:
        controls: one a seat; none: a program that does nothing for some seconds is not waited for.
        on_finding: called with each finding when it is made.
    """
    report = Report(game, bot.text)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "errors.log"
        log.touch()
        exam = Examination(game, lambda: _started(bot, conditions, log, report), controls, find_situations(game))
        try:
            for finding in _findings(exam, report, log):
                report.findings.append(finding)
                on_finding(finding)
        finally:
            exam.end_bot()
        report.errors = _text(log)
    return report


def _started(bot: Bot, conditions: Conditions, log: Path, report: Report) -> Candidate:
    candidate = Candidate(bot, conditions, log)
    candidate.seconds = report.seconds
    report.name = candidate.wishes.name
    return candidate


def _text(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")


def _findings(exam: Examination, report: Report, log: Path) -> Iterator[Finding]:
    faults: Counter[str] = Counter()
    for number, (name, check) in enumerate(CHECKS):
        known = len(_text(log))
        try:
            words = check(exam)
        except NotMade:
            continue
        except Fault as fault:
            exam.end_bot()
            faults[fault.words.partition(":")[0]] += 1
            yield Finding(name, False, fault.words, fault.sent, fault.right, fault.asked, _text(log)[known:].strip())
            if number < FIRST or max(faults.values()) == SAME_FAULTS:
                report.not_made = [name for name, _ in CHECKS[number + 1 :]]
                return
        else:
            if words is not None:
                yield Finding(name, True, words)
