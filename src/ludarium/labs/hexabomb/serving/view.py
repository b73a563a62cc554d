"""A networked game in the terminal: a live board, or a line now and then where there is no terminal."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, redirect_stderr

from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ludarium.cli.common import screen
from ludarium.cli.console import terminal_as_it_was
from ludarium.core.clock import Clock, Timer
from ludarium.core.game import State
from ludarium.games.hexabomb.drawing.terminal import grid
from ludarium.games.hexabomb.game import Hexabomb
from ludarium.netorcai.events import Aborted, Event, GameEnded, GameStarted, PlayerInfo, PlayersChanged, TurnPlayed

from .board_game import game_on
from .logic import HexabombLogic
from .scores import score_line, score_table

BOARDS_A_SECOND = 5
LINES_A_SECOND = 1
"""At most. Between two of them a fast game plays hundreds of turns."""
MOST_ABOVE = 2000
"""Characters of the log that are kept for a terminal between two boards."""


class Picture:
    """What is known of the game; call it with every event of the orchestrator."""

    def __init__(self, logic: HexabombLogic) -> None:
        self.logic = logic
        self.players: tuple[PlayerInfo, ...] = ()
        self.visualizations = 0
        self.turns = 0
        self.game: Hexabomb | None = None

    def __call__(self, event: Event) -> None:
        if isinstance(event, PlayersChanged):
            self.players, self.visualizations = event.players, event.visualizations
        elif isinstance(event, GameStarted):
            self.turns = event.turns
            self.game = game_on(self.logic.board, event.players, event.special_players, event.turns)

    @property
    def has_started(self) -> bool:
        return self.turns > 0

    def line(self) -> str:
        """How the game stands, in one line."""
        assert self.logic.simulation is not None
        return score_line(self.logic.simulation, self.players, self.turns)

    def drawing(self) -> RenderableType:
        """The board, and beside or under it the players."""
        simulation = self.logic.simulation
        assert simulation is not None
        watching = f", {self.visualizations} watching" if self.visualizations else ""
        facts = Group(
            Text(f"turn {simulation.turn} of {self.turns}{watching}", "bold"), Text(), score_table(simulation, self.players), Text()
        )
        if self.game is None:
            return facts
        board = grid(State(self.game, simulation.states.copy()))
        width = max(line.cell_len for line in board.split())
        if width + screen().measure(facts).minimum + 4 > screen().width:
            return Group(facts, board)
        beside = Table.grid(padding=(0, 4, 0, 0))
        beside.add_row(board, facts)
        return beside


class View:
    """Shows the game after its start, so many times a second at most, and how it ends for sure. Call it with every event of the orchestrator."""

    def __init__(self, picture: Picture, clock: Clock, show: Callable[[], None], times_a_second: float) -> None:
        self._picture = picture
        self._clock = clock
        self._show = show
        self._pause = 1 / times_a_second
        self._timer: Timer | None = None
        self._last = float("-inf")

    def __call__(self, event: Event) -> None:
        self._picture(event)
        if not self._picture.has_started:
            return
        if isinstance(event, GameEnded | Aborted):
            if self._timer is not None:
                self._timer.cancel()
                self._refresh()
        elif isinstance(event, TurnPlayed | GameStarted | PlayersChanged) and self._timer is None:
            wait = self._last + self._pause - self._clock.time()
            if wait > 0:
                self._timer = self._clock.call_later(wait, self._refresh)
            else:
                self._refresh()

    def _refresh(self) -> None:
        self._timer = None
        self._last = self._clock.time()
        self._show()


def plain_lines(picture: Picture, clock: Clock) -> View:
    """A line now and then."""
    return View(picture, clock, lambda: screen().print(picture.line(), soft_wrap=True), LINES_A_SECOND)


@contextmanager
def live_board(picture: Picture, clock: Clock) -> Generator[View]:
    """A board that changes in its place, from the start of the game on. What is logged to the same terminal stands above it."""
    live, above = Live(console=screen(), auto_refresh=False, redirect_stderr=False), _Above()
    with ExitStack() as started:

        def show() -> None:
            if not live.is_started:
                if sys.stderr.isatty():
                    started.callback(lambda: sys.stderr.write(above.take()))
                    started.enter_context(redirect_stderr(above))
                started.enter_context(terminal_as_it_was(echo=False))  # what is typed would push the board from its place
                started.enter_context(live)
            live.update(picture.drawing())
            if lines := above.take():
                screen().print(lines, end="", soft_wrap=True)  # draws the board anew as well
            else:
                live.refresh()

        yield View(picture, clock, show, BOARDS_A_SECOND)


class _Above(io.TextIOBase):
    """Keeps what is written until the board is drawn anew; of very many lines the last ones."""

    def __init__(self) -> None:
        self._waiting = ""

    def writable(self) -> bool:
        return True

    def write(self, s: str, /) -> int:
        self._waiting += s
        if len(self._waiting) > 2 * MOST_ABOVE:
            self._waiting = self._waiting[-MOST_ABOVE:].partition("\n")[2]
        return len(s)

    def take(self) -> str:
        taken, self._waiting = self._waiting, ""
        return taken
