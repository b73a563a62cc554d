"""``ludarium hexabomb serve``: a server to which bots and viewers connect."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludarium.cli.common import number_option, path_option, screen
from ludarium.cli.netorcai_options import LoginSeed, Pace, Port, variable
from ludarium.cli.option_groups import grouped
from ludarium.core.hosts import without_brackets
from ludarium.errors import BadOption
from ludarium.games.hexabomb.maps import check_players, load_map

if TYPE_CHECKING:
    from ludarium.games.hexabomb.maps import HexMap
    from ludarium.netorcai.orchestrator import Orchestrator
    from ludarium.netorcai.settings import Settings

    from .logic import HexabombLogic
    from .page.process import PageProcess
    from .record import GameRecord

WEB_PORT = 8000


@dataclass
class Seats:
    """How long the game is, and for how many."""

    players: Annotated[int | None, variable("nb-players-max", "Players at most", show_default="as many as the map has places for")] = None
    turns: Annotated[int, variable("nb-turns-max", "Turns of the game")] = 100
    special_players: Annotated[int, variable("nb-splayers-max", "Special players at most; with one it is sudden death")] = 0
    visualizations: Annotated[
        int | None, variable("nb-visus-max", "Visualizations at most", show_default="1; 0 with --autostart, which waits for them")
    ] = None

    def settings(self, board: HexMap, pace: Pace) -> Settings:
        """The orchestrator's settings.

        Raises:
            BadOption: the map has no places for so many.
        """
        players = len(board.teams) if self.players is None else self.players
        check_players(board, players, self.special_players)
        visualizations = (0 if pace.autostart else 1) if self.visualizations is None else self.visualizations
        return pace.settings(self.turns, players, self.special_players, visualizations)


@dataclass
class PageOptions:
    """The page in the browser."""

    web_port: Annotated[
        int | None, number_option(0, 65535, "The port of the page.", show_default="8000, or any free one where that is taken")
    ] = None
    no_page: Annotated[bool, typer.Option("--no-page", help="Do without a page in the browser.")] = False
    wait_for_people: Annotated[
        bool, typer.Option("--wait-for-people", help="Let turns wait for people at the page, however long they think.")
    ] = False
    stay: Annotated[bool, typer.Option("--stay", help="Keep the page open after the game, until Ctrl-C.")] = False


@grouped
def command(
    map: Annotated[str, typer.Option("--map", metavar="MAP", help="A name that 'ludarium hexabomb maps' lists, or a map's JSON file.")],
    seats: Seats,
    pace: Pace,
    web: PageOptions,
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 lets others in.")] = "127.0.0.1",
    port: Port = 4242,
    seed: LoginSeed = None,
    records: Annotated[
        Path | None, path_option("DIR", "Where the record is kept.", show_default="ludarium/hexabomb in the user's data folder")
    ] = None,
) -> None:
    """Serve one game to bots and viewers that connect by netorcai, and to people in the browser.

    It starts when 'start' is typed, or by itself with --autostart; 'quit' and Ctrl-C end it, and the clients are told. Rejected orders are logged with their
    reason. 'ludarium replay' shows the record. Exit code 0: the game is finished, or 'quit' was typed; 130: Ctrl-C; 1: SIGTERM.
    """
    from ludarium.core.data_folder import data_folder
    from ludarium.netorcai.events import GameEnded
    from ludarium.netorcai.log import log_to_stderr, note
    from ludarium.netorcai.server import run

    from .logic import HexabombLogic
    from .record import GameRecord

    host = without_brackets(host)
    board = load_map(map)
    settings = seats.settings(board, pace)
    logic = HexabombLogic(board)
    logic.warm_up()
    record = GameRecord(logic, records or data_folder() / "hexabomb")
    record.warm_up()
    log_to_stderr()

    ended: list[GameEnded] = []
    with nullcontext() if web.no_page else _page(host, web.web_port, board, settings, waits=web.wait_for_people) as page:

        def while_open(orchestrator: Orchestrator, address: str) -> AbstractContextManager[object]:
            logic.on_rejected = orchestrator.reject
            orchestrator.observe(record)
            orchestrator.observe(lambda event: ended.append(event) if isinstance(event, GameEnded) else None)
            return _shown(orchestrator, address, logic, record, page)

        code = run(settings, host=host, port=port, logic=logic, seed=seed, while_open=while_open)
        if web.stay and page is not None and ended:
            note(logging.INFO, "The page stays until Ctrl-C", url=page.url)
            with suppress(KeyboardInterrupt):
                page.wait()
    raise typer.Exit(code)


def _page(host: str, port: int | None, board: HexMap, settings: Settings, *, waits: bool) -> PageProcess:
    """Start the page, where it was wished for or where there is room.

    Raises:
        BadOption: the port that was named is taken.
    """
    from ludarium.netorcai.server import listen

    from .page.feed import Setup
    from .page.process import PageProcess

    try:
        listener = listen(host, WEB_PORT if port is None else port)
    except BadOption as problem:
        if port is not None:
            raise BadOption(f"{problem}; --web-port takes another one, --no-page none") from None
        listener = listen(host, 0)
    return PageProcess(listener, Setup(board, host, waits, settings))


@contextmanager
def _shown(orchestrator: Orchestrator, address: str, logic: HexabombLogic, record: GameRecord, page: PageProcess | None) -> Generator[None]:
    """The game in the terminal and at the page, and a prompt, while the server is open."""
    from ludarium.cli.console import read_lines
    from ludarium.netorcai.log import note
    from ludarium.netorcai.prompt import WORDS, Prompt

    from .view import Picture, live_board, plain_lines

    if page is not None:
        note(logging.INFO, "To watch or play in a browser", url=page.url)
        orchestrator.observe(shown := page.attach(orchestrator, logic))
        record.on_problem = shown.tell_record
    note(logging.INFO, "Listening", address=address)
    loop, picture = asyncio.get_running_loop(), Picture(logic)
    prompt = Prompt(orchestrator, lambda text: screen().print(text, soft_wrap=True))
    with (
        live_board(picture, loop) if screen().is_terminal else nullcontext(plain_lines(picture, loop)) as view,
        read_lines(prompt.obey, words=WORDS, simple=True),
    ):
        orchestrator.observe(view)
        if screen().is_terminal and not orchestrator.settings.autostart:
            screen().print("Type start when all are there.", style="dim")
        yield
