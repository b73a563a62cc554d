"""Finds the bot among the files of a submission, builds it, and checks it before it plays."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from ludarium.arena.bot_checks.candidate import Candidate, Fault
from ludarium.arena.bot_checks.sitting import Sitting
from ludarium.arena.clocks import TimeControl
from ludarium.core.game import Game
from ludarium.errors import BadNotation, BadOption, PlayerFailed, ProtocolError, store_errors
from ludarium.players.programs import Conditions
from ludarium.players.programs.building import build
from ludarium.players.programs.commands import COMPILERS, INTERPRETERS, Command, command_of

TURNS = 4
"""Turns that a bot plays at each seat before it plays on the ladder."""

STEMS = ("bot", "main")
"""File names, without ending, that mark the bot among several programs."""

_NAME = re.compile(r"\w[\w.+ -]*")


@dataclass(frozen=True)
class Submitted:
    """A bot among the files of a submission."""

    path: str
    """Path of the bot, relative to the files."""
    command: Command


def submitted_bot(files: Path) -> Submitted:
    """Find the bot among the files of a submission. Nothing is started.

    It is the only program in the uppermost folder that has files, or the one called ``bot`` or ``main``.

    Raises:
        ProtocolError: ``bad_file``: it is not clear which file it is, or it is unknown how to run it.
    """
    folder = files
    while len(inside := sorted(folder.iterdir())) == 1 and inside[0].is_dir():
        folder = inside[0]
    own = [path for path in inside if path.is_file()]
    programs = [path for path in own if path.suffix in INTERPRETERS or path.suffix in COMPILERS or path.stat().st_mode & 0o100] or own
    named = programs if len(programs) == 1 else [path for path in programs if path.stem.lower() in STEMS]
    if len(named) != 1:
        found = ", ".join(path.name for path in (named or programs)[:5]) or "no program"
        raise ProtocolError("bad_file", f"it is not clear which file is the bot ({found}); call it bot or main, such as bot.py or main.cpp")
    return Submitted(str(named[0].relative_to(files)), _command(named[0]))


def _command(bot: Path) -> Command:
    if not _NAME.fullmatch(bot.name) or ",build=" in bot.name:
        raise ProtocolError("bad_file", f"the name of the bot, '{bot.name}', may have letters, digits, spaces and _ . + - only")
    try:
        return command_of(f"./{bot.name}", bot.parent)
    except (BadOption, BadNotation) as problem:
        raise ProtocolError("bad_file", str(problem).replace(f"player './{bot.name}'", f"'{bot.name}'")) from None


def ready_command(files: Path, bot: str, program: Path) -> Command:
    """Return the command that runs a built version: its compiled program, or its source with an interpreter.

    Its text is the same for all bots, for opponents hear it in reasons.
    """
    command = replace(_command(files / bot), text="the program")
    return command if command.source is None else replace(command, words=(str(program),), source=None, reads=(program,))


def check_start(game: Game, control: TimeControl, files: Path, bot: str, program: Path, log: Path, conditions: Conditions) -> str:
    """Build a version and play a few turns with it at each seat, on the ladder's clock.

    Args:
        files: the uploaded files.
        bot: the program or source among them.
        program: where the compiled program is stored.
        log: the file for its standard error.

    Returns:
        The reason why it cannot play, in one or several lines, or '' if it can.

    Raises:
        StoreError: the disk does not take the program.
    """
    try:
        command = replace(_command(files / bot), text=Path(bot).name)
        if command.source is not None:
            with store_errors("the program cannot be kept"):
                shutil.copyfile(build(command, conditions).words[0], program)
                program.chmod(0o755)
        _play(game, control, Candidate(replace(ready_command(files, bot, program), text=Path(bot).name), conditions, log))
    except Fault as fault:
        return "\n".join(
            [fault.words, *(f"it sent: {fault.sent}" for _ in fault.sent[:1]), *(f"right: {fault.right}" for _ in fault.right[:1])]
        )
    except (PlayerFailed, BadOption, ProtocolError) as problem:
        return str(problem).removeprefix("crash: ").replace(f"{files}/", "")
    return ""


def _play(game: Game, control: TimeControl, bot: Candidate) -> None:
    """Play at each seat.

    Raises:
        Fault: it does something wrong.
    """
    try:
        bot.listen()
        for seat in range(game.players):
            sitting = Sitting(bot, game.start(), seat, seat + 1, controls=(control,) * game.players)
            sitting.play(TURNS)
            sitting.end()
    finally:
        bot.end()
