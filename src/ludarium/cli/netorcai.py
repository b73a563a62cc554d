"""``ludarium netorcai``: networked games under the netorcai metaprotocol."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludarium.errors import BadOption, LudariumError, ProtocolError, one_of

from .common import KnownToScripts, Seed, number_option, refused, screen
from .groups import HELP
from .netorcai_options import LoginSeed, Pace, Port, variable
from .option_groups import grouped

if TYPE_CHECKING:
    from ludarium.netorcai.orchestrator import Orchestrator

BAD_ARGUMENT = 1
"""Exit code of ``orchestrate`` for arguments that it does not take, which is that of the original."""

LONGEST_NICKNAME = 10

app = typer.Typer(name="netorcai", add_completion=False, pretty_exceptions_enable=False, context_settings=HELP)


@app.callback()
def group() -> None:
    """Networked games under the netorcai metaprotocol."""


class Arguments(KnownToScripts):
    code = BAD_ARGUMENT


def _print_version(wanted: bool) -> None:
    if wanted:
        from ludarium.netorcai.messages import VERSION

        typer.echo(f"v{VERSION}")
        raise typer.Exit


@dataclass
class Limits:
    """How long a game is, and for how many."""

    nb_turns_max: Annotated[int, variable("nb-turns-max", "Turns of the game")] = 100
    nb_players_max: Annotated[int, variable("nb-players-max", "Players at most")] = 4
    nb_splayers_max: Annotated[int, variable("nb-splayers-max", "Special players at most")] = 0
    nb_visus_max: Annotated[int, variable("nb-visus-max", "Visualizations at most")] = 1


@dataclass
class Output:
    """What is said, and how."""

    simple_prompt: Annotated[bool, typer.Option("--simple-prompt", help="Do not edit lines at the prompt.")] = False
    verbose: Annotated[bool, typer.Option("--verbose", help="Log every turn.")] = False
    quiet: Annotated[bool, typer.Option("--quiet", help="Log only what goes wrong.")] = False
    debug: Annotated[bool, typer.Option("--debug", help="Log everything, also what asyncio says.")] = False
    json_logs: Annotated[bool, typer.Option("--json-logs", help="Log JSON, one object a line.")] = False

    def begin(self) -> None:
        """Log as it was wished for.

        Raises:
            BadOption: two wishes exclude each other.
        """
        from ludarium.netorcai.log import LOGGER, log_to_stderr

        if self.verbose + self.quiet + self.debug > 1:
            raise BadOption("--verbose, --quiet and --debug exclude each other")
        level = logging.DEBUG if self.verbose or self.debug else logging.WARNING if self.quiet else logging.INFO
        log_to_stderr(level, as_json=self.json_logs, name="" if self.debug else LOGGER.name)


@app.command(cls=Arguments)
@grouped
def orchestrate(
    limits: Limits,
    pace: Pace,
    output: Output,
    port: Port = 4242,
    host: Annotated[str, typer.Option(show_default="all addresses of this computer", help="The address to listen on.")] = "",
    seed: LoginSeed = None,
    version: Annotated[
        bool, typer.Option("--version", help="Print the metaprotocol's version and exit.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """Stand between a game logic and its players, as the program netorcai does.

    The game logic, players and visualizations connect by themselves. While it runs, it takes the commands start, quit, print VARIABLE, print all and
    set VARIABLE=VALUE; the variables are the limits and delays, by their options' names without the dashes in front, such as nb-turns-max.
    Exit code 0: the game is finished, or quit was typed; 1: the game logic failed, SIGTERM, or a bad argument; 130: Ctrl-C.
    """
    from ludarium.netorcai.server import run

    try:
        settings = pace.settings(*vars(limits).values())
        output.begin()
        code = run(settings, host=host, port=port, seed=seed, while_open=_operated(output.simple_prompt))
    except LudariumError as problem:
        raise refused(str(problem), BAD_ARGUMENT) from None
    raise typer.Exit(code)


def _operated(simple: bool) -> Any:
    """A prompt on standard input while the orchestrator is open."""
    from ludarium.netorcai.log import note
    from ludarium.netorcai.prompt import WORDS, Prompt

    from .console import read_lines

    @contextmanager
    def while_open(orchestrator: Orchestrator, address: str) -> Generator[None]:
        note(logging.INFO, "Listening", address=address)
        prompt = Prompt(orchestrator, lambda text: print(text, flush=True))
        with read_lines(prompt.obey, words=WORDS, simple=simple):
            yield

    return while_open


@app.command()
def join(
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="NAME or NAME:KEY=VALUE,KEY=VALUE: a player of the game.")],
    host: Annotated[str, typer.Option(help="Where the orchestrator is.")] = "127.0.0.1",
    port: Annotated[int, number_option(1, 65535, "Its port.")] = 4242,
    nickname: Annotated[
        str | None, typer.Option(show_default="the player's name", help="1 to 10 characters without spaces, for the others to see.")
    ] = None,
    special: Annotated[bool, typer.Option("--special", help="Be a special player.")] = False,
    game: Annotated[str | None, typer.Option(metavar="GAME", show_default="the only one that can be played so", help="The game.")] = None,
    seed: Seed = None,
) -> None:
    """Take part in a game on any orchestrator, as one of Ludarium's players."""
    from ludarium.netorcai import client
    from ludarium.netorcai.messages import ABORTED, NICKNAME, PLAYER, SPECIAL_PLAYER

    name = player.partition(":")[0][:LONGEST_NICKNAME] if nickname is None else nickname
    if nickname is not None and not NICKNAME.fullmatch(nickname):  # better known now than after the player has been compiled
        raise BadOption(f"--nickname {nickname[:80]!r} is not 1 to 10 characters without spaces")
    agent = _network(game).player_agent(player, secrets.randbits(64) if seed is None else seed, special=special)
    try:
        end = client.join(agent, host, port, nickname=name, role=SPECIAL_PLAYER if special else PLAYER)
    except ProtocolError as problem:
        if problem.code != "kicked":
            raise
        said = "the server ended the game before it was over" if str(problem) == ABORTED else f"the server turned {name} away: {problem}"
        raise ProtocolError(problem.code, said) from None
    finally:
        agent.close()
    winner = "nobody" if end.winner < 0 else name if end.winner == agent.player_id else f"player {end.winner}"
    screen().print(f"{name} was player {agent.player_id}, {winner} has won")


def _network(game: str | None) -> Any:
    """The module that lets a game's players take part: ``network`` in its package or its lab.

    Raises:
        BadOption: no game, or several, or the one that is named has none.
    """
    from ludarium.core.registry import game_module, list_games

    found: dict[str, Any] = {}
    for name in list_games():
        try:
            module = game_module(name, "network")
        except BadOption:  # somebody's broken package matters to whoever names it
            if name == game:
                raise
            continue
        if module is not None:
            found[name] = module
    if game is None and len(found) == 1:
        return next(iter(found.values()))
    if game not in found:
        raise BadOption(f"--game {one_of(game or '', tuple(found))}" if found else "no game's players can take part over the network")
    return found[game]
