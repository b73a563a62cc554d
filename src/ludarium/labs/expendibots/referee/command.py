"""``ludarium expendibots referee``: one game, with the options of the course's referee."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TextIO

import typer
from typer.core import TyperCommand

from ludarium.cli.common import Seed, number_option, path_option
from ludarium.cli.option_groups import grouped
from ludarium.cli.signals import stop_signal
from ludarium.cli.terms import Memory, Sandbox, check_bots
from ludarium.errors import BadOption, store_errors

if TYPE_CHECKING:
    from rich.console import Console

    from ludarium.core.timeline import Event, Timeline
    from ludarium.players.programs import Allowance

LOUDEST = 3


class Arguments(TyperCommand):
    """Options that need no value."""

    usual: ClassVar = {
        "d": ("delay", "0.5"),
        "s": ("space", "100"),
        "t": ("time", "60"),
        "v": ("verbosity", "2"),
        "l": ("logfile", "game.log"),
    }
    """What options mean without a value, with their long names."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        found: list[str] = []
        for number, word in enumerate(args):
            found.append(word)
            for short, (long, usual) in self.usual.items():
                if word in (f"-{short}", f"--{long}") and not self._is_value(short, args, number + 1):
                    found.append(usual)
        return super().parse_args(ctx, found)

    def _is_value(self, option: str, args: Sequence[str], number: int) -> bool:
        """Whether the next word belongs to an option: it is a number, or a file where there are two players besides."""
        if number == len(args) or args[number].startswith("-"):
            return False
        return len(self._bare_words(args)) > 2 if option == "l" else _is_number(args[number])

    def _bare_words(self, args: Sequence[str]) -> list[str]:
        """Those that may be players: no options, and no values of options but the log's."""
        valued = {name for param in self.params if not getattr(param, "is_flag", True) for name in param.opts} - {"-l", "--logfile"}
        optional = {name for short, (long, _) in self.usual.items() for name in (f"-{short}", f"--{long}")}
        return [
            word
            for before, word in zip(["", *args], args, strict=False)
            if not word.startswith("-") and (before not in valued or (before in optional and not _is_number(word)))
        ]


def _is_number(word: str) -> bool:
    return word.replace(".", "", 1).isdigit()


def _amount(help: str, *names: str) -> Any:
    return typer.Option(*names, min=0, metavar="[N]", help=help)


@dataclass
class Terms:
    """What each player may take."""

    space: Annotated[float | None, _amount("Megabytes that each may grow by, 100 if none are given.", "-s", "--space")] = None
    seconds: Annotated[float | None, _amount("Seconds of processor time that each has, 60 if none are given.", "-t", "--time")] = None
    official: Annotated[bool, typer.Option("--official", help="The same as -t 60 -s 100.")] = False

    def chosen(self) -> Allowance:
        """As programs are held to it."""
        from ludarium.games.expendibots.players import OFFICIAL
        from ludarium.players.programs import Allowance

        seconds, space = (OFFICIAL.seconds, OFFICIAL.megabytes) if self.official else (None, None)
        return Allowance(seconds if self.seconds is None else self.seconds, space if self.space is None else self.space)


@dataclass
class Shown:
    """What is told of a game, and how."""

    delay: Annotated[float | None, _amount("Seconds between turns, 0.5 if none are given; 0 waits for the Enter key.", "-d", "--delay")] = (
        None
    )
    debug: Annotated[bool, typer.Option("-D", "--debug", help="The same as -v 3.")] = False
    verbosity: Annotated[
        int, number_option(0, LOUDEST, "0: the result alone; 1: what happens, too; 2: boards; 3: with coordinates.", "-v", "--verbosity")
    ] = 2
    log: Annotated[
        Path | None, path_option("[FILE]", "Keep a log of all actions in a file, game.log if none is given.", "-l", "--logfile")
    ] = None
    colour: Annotated[bool, typer.Option("-c", "--colour", help="Colours, wherever the output goes.")] = False
    colourless: Annotated[bool, typer.Option("-C", "--colourless", help="No colours.")] = False
    unicode: Annotated[bool, typer.Option("-u", "--unicode", help="Draw tokens with signs that not every terminal has.")] = False
    ascii: Annotated[bool, typer.Option("-a", "--ascii", help="Draw with letters alone, which is usual.")] = False

    def check(self) -> None:
        """Refuse what cannot be together.

        Raises:
            BadOption: two options contradict each other.
        """
        contradictions = (
            ("-c and -C", self.colour, self.colourless),
            ("-u and -a", self.unicode, self.ascii),
            ("-D and -v 0", self.debug, self.verbosity == 0),
        )
        for name, one, other in contradictions:
            if one and other:
                raise BadOption(f"{name} contradict each other; give one of them")

    def screen(self) -> Console:
        from rich.console import Console

        return Console(
            highlight=False,
            markup=False,
            emoji=False,
            soft_wrap=True,
            force_terminal=self.colour or None,
            no_color=self.colourless or None,
        )


@grouped
def command(
    white: Annotated[str, typer.Argument(metavar="WHITE", help="A package, or package:ClassName; or any other player, such as greedy.")],
    black: Annotated[str, typer.Argument(metavar="BLACK", help="The same for Black.")],
    *,
    terms: Terms,
    shown: Shown,
    games: Annotated[
        int, number_option(1, 100_000, "So many games, in every other one with exchanged colours, and a score.", "--games", "-n")
    ] = 1,
    record: Annotated[
        Path | None, path_option("FILE", "Keep the game's record, which 'ludarium replay' shows; of several, FILE-1 and so on.", "--record")
    ] = None,
    seed: Seed = None,
    memory: Memory = 2048,
    sandbox: Sandbox = "auto",
) -> None:
    """Play one game between programs on the terms of the course, and print its result in the words of its referee.

    Whatever a player does wrong, a hang included, loses the game. Exit code 0: there is a result.
    """
    from ludarium.players.programs import Conditions

    from .refereeing import referee, spec_of

    shown.check()
    screen = shown.screen()
    conditions = Conditions(memory=memory, sandbox=sandbox)
    check_bots([spec_of(one) for one in (white, black)], conditions, "expendibots")
    with ExitStack() as open_things:
        stopped = open_things.enter_context(stop_signal())
        file = None
        if shown.log is not None:
            with store_errors(f"{shown.log} cannot be written"):
                file = open_things.enter_context(shown.log.open("w", encoding="utf-8"))
        teller = Teller(screen, LOUDEST if shown.debug else shown.verbosity, file, shown.unicode, shown.delay)
        score: Counter[str] = Counter()
        for number in range(games):
            players = (white, black) if number % 2 == 0 else (black, white)
            timeline = referee(
                players,
                terms.chosen(),
                seed=None if seed is None else seed + number,
                conditions=conditions,
                record=record if record is None or games == 1 else record.with_name(f"{record.stem}-{number + 1}{record.suffix}"),
                listeners=[teller.tell],
                on_begin=teller.begin,
                interrupted=stopped,
            )
            teller.end(timeline)
            if timeline.outcome is None:
                break
            score[_winner(timeline.outcome.returns, number % 2)] += 1
        if games > 1:
            screen.print(f"{white} won {score['first']}, {black} won {score['second']}, draws {score['']}")
    stopped.exit_if_stopped()


def _winner(returns: Sequence[float], turned: int) -> str:
    """The first or second player who was named; empty for a draw."""
    return "" if returns[0] == 0 else ("first", "second")[(returns[0] < 0) ^ turned]


class Teller:
    """Tells a game as it goes."""

    def __init__(self, screen: Console, verbosity: int, log: TextIO | None, unicode: bool, delay: float | None) -> None:
        self._screen = screen
        self._verbosity = verbosity
        self._log = log
        self._unicode = unicode
        self._delay = delay
        self._timeline: Timeline | None = None

    def begin(self, timeline: Timeline) -> None:
        from .telling import log_start

        self._timeline = timeline
        self._write(log_start())

    def tell(self, event: Event) -> None:
        """What has happened, and the board then."""
        from .telling import COLOURS, action_words, board, forfeit_words, log_line

        if event["event"] == "action":
            ((seat, text),) = event["actions"].items()
            who, words = COLOURS[int(seat)], action_words(text)
        elif event["event"] == "forfeit":
            who, words = forfeit_words(event)
        else:
            return
        self._write(log_line(who, words))
        if self._verbosity > 0:
            self._screen.print(f"* {who}: {words}")
        if self._verbosity > 1 and self._timeline is not None:
            self._screen.print(board(self._timeline.state, unicode=self._unicode, coordinates=self._verbosity == LOUDEST))
        if self._delay:
            time.sleep(self._delay)
        elif self._delay is not None:
            with suppress(EOFError):
                input()

    def end(self, timeline: Timeline) -> None:
        from .telling import log_line, result_line

        result = result_line(timeline)
        self._write(log_line("over", result))
        self._screen.print(result)

    def _write(self, line: str) -> None:
        if self._log is not None:
            self._log.write(f"{line}\n")
            self._log.flush()
