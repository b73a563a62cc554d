"""``ludarium play``: a game in the terminal."""

from __future__ import annotations

import shlex
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

from .common import GameName, GameOptions, Players, Seed, Start, chosen_position, path_option, say, screen
from .terms import Sandbox, check_bots


def command(
    game: GameName,
    players: Players,
    options: GameOptions = None,
    start: Start = None,
    seed: Seed = None,
    sandbox: Sandbox = "auto",
    record: Annotated[Path | None, path_option("FILE", "Write the game to this record as it goes.")] = None,
) -> None:
    """Play a game in the terminal: people ('human') and programs in any mixture.

    At the prompt, ? lists what can be typed.
    """
    from ludarium.arena import random_seed
    from ludarium.arena.play import wrong_number_of_players
    from ludarium.core.record import Header, Recorder
    from ludarium.core.sight import Sight
    from ludarium.core.stopping import done_at_a_forced_end
    from ludarium.core.timeline import Timeline
    from ludarium.players import parse_player
    from ludarium.players.programs import Conditions

    from .picture import counted, unit_of
    from .terminal import TerminalGame

    def say_where_it_is() -> None:
        """Say what stays unfinished and how to go on, and where the record is."""
        if not timeline.is_over:
            say(f"The game stays unfinished after {counted(timeline.ply, unit_of(timeline))}.")
            if (open_ply := Sight(timeline, None).open_ply) > 0 and not timeline.out:
                words = [*players, *(word for option in options or () for word in ("-o", option))]
                line = shlex.join(["ludarium", "play", game, *words, "--start", timeline.steps[open_ply].state.text])
                where = "there" if open_ply == timeline.ply else "where nothing was hidden"
                screen().print(f"To go on from {where}: {line}", style="dim", soft_wrap=True)
        if record:
            screen().print(f"Record: {record}", style="dim", soft_wrap=True)

    first = chosen_position(game, options, start)
    chosen = first.game
    if len(players) != chosen.players:
        raise wrong_number_of_players(chosen, len(players))
    conditions = Conditions(sandbox=sandbox)
    specs = [parse_player(player, chosen, conditions=conditions) for player in players]
    check_bots(players, conditions, game)
    seed = random_seed() if seed is None else seed
    timeline = Timeline(first)
    names = [spec.text for spec in specs]
    try:
        with (
            Recorder(record, Header.of(chosen, names, seed)) if record else nullcontext() as recorder,
            done_at_a_forced_end(say_where_it_is),
        ):
            if recorder is not None:
                timeline.listen(recorder.write)
            TerminalGame(timeline, specs, seed).run()
    except KeyboardInterrupt:
        screen().print()
        say_where_it_is()
        raise
    say_where_it_is()
