"""RoboDerby's options: every reading of the rules that a game can be played under, as one value. Each names the part of the published rules that it reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ludarium.core.options import Option, check_options
from ludarium.errors import BadOption, one_of

from .sheets.boards import RANDOM, Deal, board_names, board_titles, demonstration_board, parse_deal
from .sheets.dice import DiceSet, dice_names, load_dice
from .sheets.tile_sets import load_tiles, tile_names
from .sheets.tiles import TileSet

STAND_IN = "stand-in"

OPTIONS = (
    Option("players", "whole number", 2, "robots in the race, 4 in Variant 2; one alone races against par", minimum=1, maximum=4),
    Option.word("variant", "a lap around four tiles in a square, or a race along an S to a marker (Variant 1)", "lap", "s-race"),
    Option(
        "board",
        "text",
        RANDOM,
        "how the tiles lie (Game Setup): random, "
        f"one of {', '.join(board_names())}, or a deal of your own such as 'pits walls start cross @ 0 90 180 270 S'",
        choices=(RANDOM, *board_names()),
        is_board=True,
        titles=("Shuffled: another one each time", *board_titles()),
    ),
    Option(
        "tiles",
        "text",
        None,
        f"the tiles: one of {', '.join(tile_names())}, or a file with tiles; left out, those of the board, or {STAND_IN}",
        choices=tile_names(),
        is_source=True,
    ),
    Option(
        "dice",
        "text",
        STAND_IN,
        f"each player's five dice: one of {', '.join(dice_names())}, or a TOML file with dice",
        choices=dice_names(),
        is_source=True,
    ),
    Option.word("rotate_tiles", "whether dealing turns the tiles (Game Setup): squares of paper have no top", "random", "none"),
    Option.word("start_edge", "who chooses the edge of the start (Game Setup): chance, or the first player", "random", "choose"),
    Option.word(
        "marks", "how players come by their letters (Game Setup): drawn, or A for the first player, B for the second", "random", "fixed"
    ),
    Option.word(
        "respawn_progress", "what is left of its lap when a destroyed robot comes back (Phase 3): nothing, or all", "reset", "keep"
    ),
    Option.word(
        "shutdown_declare",
        "how shutdowns are declared (Shutting Down): all at once, unseen, or one after another",
        "simultaneous",
        "seat-order",
    ),
    Option.word("reroll", "which dice may be rolled again (Phase 1): all that are left together, or any of them", "all", "any"),
    Option.word(
        "screens", "whether programs are made out of sight (Game Setup, optional); off, all place step by step in the open", "on", "off"
    ),
    Option.word(
        "hack_timing",
        "when a hack acts (Hacking): when its priority comes, or before all other commands of the register",
        "priority",
        "hacks-first",
    ),
    Option.word(
        "invert_noop_executes", "whether an inverted NO-OP is executed as the command on its die (Hacking: Invert, optional)", "off", "on"
    ),
    Option.word("inverted_laser", "whether the laser of an inverted die fires (Secondary Laser Blasts)", "fires", "silent"),
    Option.word(
        "hack_targets",
        "whom a hack hits, of more than two players (Hacking): all others, one whom the hacker chooses, or the next seat",
        "all-others",
        "chosen-one",
        "next-seat",
    ),
    Option.word("vicious_shutdown", "whether a shutdown repairs only when its turn is over (Shutting Down, optional)", "off", "on"),
    Option.word(
        "lap_logic",
        "where a robot that has turned back makes progress again (Game Setup): where it left its way, or wherever it enters the next tile",
        "winding",
        "checkpoints",
    ),
    Option.word("pit_edges", "whether the board ends in pits instead of walls (Variant 3)", "off", "on"),
    Option("turn_limit", "whole number", 200, "a draw after so many turns; the rules know no such end", minimum=1, maximum=10_000),
)


@dataclass(frozen=True)
class Rules:
    """All options of a game, in the words of :data:`OPTIONS`; ``tiles`` names the set that is played with, even where the option was left out."""

    players: int = 2
    variant: str = "lap"
    board: str = RANDOM
    tiles: str = STAND_IN
    dice: str = STAND_IN
    rotate_tiles: str = "random"
    start_edge: str = "random"
    marks: str = "random"
    respawn_progress: str = "reset"
    shutdown_declare: str = "simultaneous"
    reroll: str = "all"
    screens: str = "on"
    hack_timing: str = "priority"
    invert_noop_executes: str = "off"
    inverted_laser: str = "fires"
    hack_targets: str = "all-others"
    vicious_shutdown: str = "off"
    lap_logic: str = "winding"
    pit_edges: str = "off"
    turn_limit: int = 200

    @classmethod
    def of(cls, **options: Any) -> Rules:
        """The rules of some options, the others by their defaults.

        Raises:
            BadOption: an option or value that does not exist, or options that contradict each other.
        """
        return cls.from_options(check_options(OPTIONS, options, "roboderby"))

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Rules:
        """The rules of checked options.

        Raises:
            BadOption: a demonstration board with other tiles than its own, or one that cannot be laid as an S.
        """
        board = demonstration_board(options["board"])
        tiles = options["tiles"]
        if board is not None and tiles not in (None, board.tiles):
            raise BadOption(f"roboderby: board={board.name} is laid with tiles={board.tiles}: leave tiles out")
        if board is not None and options["variant"] == "s-race" and not board.s_race:
            fitting = [name for name in board_names() if (one := demonstration_board(name)) is not None and one.s_race]
            raise BadOption(f"roboderby: as an S, board={one_of(board.name, fitting)}")
        chosen: dict[str, Any] = {**options, "tiles": tiles or (board.tiles if board else STAND_IN)}
        return cls(**chosen)

    @cached_property
    def tile_set(self) -> TileSet:
        """The tiles, with marks for so many players; read once.

        Raises:
            BadOption: they cannot be had; the message says why.
        """
        return load_tiles(self.tiles, self.players)

    def load_dice(self) -> DiceSet:
        return load_dice(self.dice)

    def fixed_deal(self) -> Deal | None:
        """The deal that ``board`` fixes; None where chance deals.

        Raises:
            BadOption: the text is no deal of these tiles.
        """
        if self.board == RANDOM:
            return None
        board = demonstration_board(self.board)
        return parse_deal(board.deal if board else self.board, self.tile_set, s_race=self.variant == "s-race")

    def differences(self) -> dict[str, int | str]:
        """The options that are not the default, by name."""
        usual = Rules()
        return {option.name: value for option in OPTIONS if (value := getattr(self, option.name)) != getattr(usual, option.name)}
