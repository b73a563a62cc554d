"""``ludarium serve``: the games in a browser."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from ludarium.core.options import Option

from .common import number_option, path_option, typed_number
from .option_groups import grouped
from .terms import Memory, Sandbox, check_bots

HOURS = Option("", "number", None, "", minimum=0.001, maximum=1_000_000)


@dataclass
class Address:
    """Where the server is reached."""

    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 lets others in.")] = "127.0.0.1"
    port: Annotated[int, number_option(0, 65535, "The port; 0 takes any free one.")] = 8000
    name: Annotated[list[str] | None, typer.Option(metavar="HOST", help="A further name the server is reached by; repeatable.")] = None
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="A proxy whose X-Forwarded-For says where requests come from; repeatable."),
    ] = None
    root_path: Annotated[
        str, typer.Option(metavar="PATH", help="Serve below a path such as /ludarium, which the proxy takes off.", show_default="")
    ] = ""


@dataclass
class Bounds:
    """How much there may be."""

    idle_hours: Annotated[
        float, typer.Option(metavar="HOURS", parser=typed_number(HOURS), help="Games untouched for so long leave the memory.")
    ] = 6.0
    max_games: Annotated[int, number_option(1, 1_000_000, "How many games are held at once.")] = 200
    people_per_address: Annotated[
        int, number_option(1, 100_000, "How many people may come from one address, such as a class; limits are meant for so many.")
    ] = 40


@dataclass
class Bots:
    """Who plays besides people."""

    ladder: Annotated[
        list[str] | None,
        typer.Option(metavar="GAME", help="Let bots that connect play each other without end: GAME or GAME:KEY=VALUE,…; repeatable."),
    ] = None
    ladder_time: Annotated[str, typer.Option(metavar="TIME", help="The bots' clocks there, as for --tc of matches.")] = "10+0.1"
    names: Annotated[
        Literal["after", "before"],
        typer.Option(help="When bots on ladders and spectators see the players' names: after a game or before it."),
    ] = "after"
    submit: Annotated[
        bool, typer.Option("--submit", help="Let players upload bots for the ladders; this computer builds and runs them in the sandbox.")
    ] = False
    player: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=SPEC",
            help="Offer a player by a name: a built-in one with options, a bot; GAME:NAME=SPEC for one game alone. Repeatable.",
        ),
    ] = None
    memory: Memory = 2048
    sandbox: Sandbox = "auto"


@grouped
def command(
    address: Address,
    data: Annotated[Path | None, path_option("DIR", "Where games are kept.", show_default="ludarium in the user's data folder")] = None,
    *,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the lobby in a browser.")] = False,
    bounds: Bounds,
    competitions: Annotated[
        bool, typer.Option("--competitions", help="Let others see the competitions of the store too; on loopback they are shown anyway.")
    ] = False,
    bots: Bots,
) -> None:
    """Serve the games to browsers, until Ctrl-C."""
    from ludarium.players.programs import Conditions
    from ludarium.web.server import serve
    from ludarium.web.visitors.limits import Limits

    conditions = Conditions(memory=bots.memory, sandbox=bots.sandbox)
    specs: dict[str, list[str]] = {}
    for name, _, spec in (text.partition("=") for text in bots.player or ()):
        specs.setdefault(name.partition(":")[0].strip() if ":" in name else "", []).append(spec.strip())
    for game, players in specs.items():
        check_bots(players, conditions, game)
    serve(
        address.host,
        address.port,
        data,
        open_browser=open_browser,
        limits=Limits(idle=bounds.idle_hours * 3600, games=bounds.max_games, people=bounds.people_per_address),
        names=address.name or (),
        proxies=address.trusted_proxy or (),
        root_path=address.root_path,
        competitions=competitions,
        ladders=bots.ladder or (),
        ladder_time=bots.ladder_time,
        ladder_names=bots.names,
        submit=bots.submit,
        players=bots.player or (),
        conditions=conditions,
    )
