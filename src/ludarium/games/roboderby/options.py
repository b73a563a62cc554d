"""RoboDerby's options: every reading of the rules that a game can be played under, as one value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ludarium.core.options import Option, check_options
from ludarium.errors import BadOption, one_of

from .sheets.boards import RANDOM, Deal, board_names, board_titles, demonstration_board, parse_deal
from .sheets.dice import DiceSet, dice_names, load_dice
from .sheets.tile_sets import load_tiles, tile_names
from .sheets.tiles import TileSet

__all__ = ["OPTIONS", "Rules"]

STAND_IN = "stand-in"

OPTIONS = (
    Option(
        "players",
        "whole number",
        2,
        'robots in the race; one alone races against par. The rules: "Print out a second copy of the game and play with 4 players instead of 2"',
        minimum=1,
        maximum=4,
    ),
    Option(
        "variant",
        "word",
        "lap",
        'a lap around four tiles in a square, or a race along an S to a marker, where "the first player to end their turn on this marker wins"',
        choices=("lap", "s-race"),
    ),
    Option(
        "board",
        "text",
        RANDOM,
        'how the tiles lie after "shuffle and deal out the area mats into a 2x2 grid": random, '
        f"one of {', '.join(board_names())}, or a deal of your own such as 'pits walls start cross @ 0 90 180 270 S'",
        choices=(RANDOM, *board_names()),
        is_board=True,
        titles=("Shuffled: another one each time", *board_titles()),
    ),
    Option(
        "tiles",
        "text",
        None,
        f'the "4 game board tiles": one of {", ".join(tile_names())}, or the path of a file with tiles; left out, those of the board, or {STAND_IN}',
        choices=tile_names(),
        is_source=True,
    ),
    Option(
        "dice",
        "text",
        STAND_IN,
        f'each player\'s "set of 5 instruction dice": one of {", ".join(dice_names())}, or the path of a TOML file with dice',
        choices=dice_names(),
        is_source=True,
    ),
    Option(
        "rotate_tiles",
        "word",
        "random",
        'whether the tiles are turned when "shuffle and deal out" lays them: paper squares have no marked top',
        choices=("random", "none"),
    ),
    Option(
        "start_edge",
        "word",
        "random",
        'who does it when the rules say "pick an outside edge to start from": chance, or the first player',
        choices=("random", "choose"),
    ),
    Option(
        "marks",
        "word",
        "random",
        'how letters come to players, whose mats have "the A or B letter": drawn, or A for the first player, B for the second',
        choices=("random", "fixed"),
    ),
    Option(
        "respawn_progress",
        "word",
        "reset",
        'what a destroyed robot, "placed back in its starting position with full health", has left of its lap: nothing, or all',
        choices=("reset", "keep"),
    ),
    Option(
        "shutdown_declare",
        "word",
        "simultaneous",
        'how one is to "announce at the beginning of your turn" that one shuts down: all at once, unseen, or one after another',
        choices=("simultaneous", "seat-order"),
    ),
    Option(
        "reroll",
        "word",
        "all",
        'which dice roll when a player may "re-roll your remaining dice": all of them, or any that one likes',
        choices=("all", "any"),
    ),
    Option(
        "screens",
        "word",
        "on",
        'whether each player has "a screen to hide their programming mat during rolling / placing"; off, all place step by step in the open',
        choices=("on", "off"),
    ),
    Option(
        "hack_timing",
        "word",
        "priority",
        "when \"the next command of your opponent's\" is hacked: when the hack's priority comes, or before all other commands of the register",
        choices=("priority", "hacks-first"),
    ),
    Option(
        "invert_noop_executes",
        "word",
        "off",
        'the option "to add more chaos": an inverted NO-OP is executed as if it were a command',
        choices=("off", "on"),
    ),
    Option(
        "inverted_laser",
        "word",
        "fires",
        'whether a die\'s laser fires "when your robot executes this instruction" inverted',
        choices=("fires", "silent"),
    ),
    Option(
        "hack_targets",
        "word",
        "all-others",
        "with more than two players, whose command is \"your opponents' command\": everybody else's, that of one whom the hacker chooses, or the next seat's",
        choices=("all-others", "chosen-one", "next-seat"),
    ),
    Option(
        "vicious_shutdown",
        "word",
        "off",
        'the option "for a more vicious game": do not heal "until after the shut-down turn is complete"',
        choices=("off", "on"),
    ),
    Option(
        "lap_logic",
        "word",
        "winding",
        'what "touching each game tile in order" asks after back-tracking: to return "from the way that you came", or only to touch the next tile',
        choices=("winding", "checkpoints"),
    ),
    Option(
        "pit_edges",
        "word",
        "off",
        'the option "for a meaner game": "don\'t treat the edges of the boards as walls, treat them as pits"',
        choices=("off", "on"),
    ),
    Option(
        "turn_limit",
        "whole number",
        200,
        'a draw after so many turns; the rules know no such end: "play continues until all but one robot has crossed the finish line"',
        minimum=1,
        maximum=10_000,
    ),
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
        return cls(**{**options, "tiles": tiles or (board.tiles if board else STAND_IN)})

    def load_tiles(self) -> TileSet:
        """The tiles, with marks for so many players."""
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
        return parse_deal(board.deal if board else self.board, self.load_tiles(), s_race=self.variant == "s-race")

    def differences(self) -> dict[str, int | str]:
        """The options that are not the default, by name."""
        usual = Rules()
        return {option.name: value for option in OPTIONS if (value := getattr(self, option.name)) != getattr(usual, option.name)}
