"""RoboDerby: Express as a :class:`ludarium.core.game.Game`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from ludarium.core.game import Action, Dimensions, Game, State
from ludarium.core.jit import plain
from ludarium.core.rules import CHANCE, copy_record
from ludarium.core.show import Overdue, Show
from ludarium.errors import BadOption, IllegalAction

from .actions import ACTION_SPACE, PLACE_NOOP, ROLL, SAY_RUN, START_AT, TARGET
from .drawing.colours import PAINTS
from .events import events_of
from .foresight import foresee
from .knowledge.observing import BOARD_PLANES, PLANES_OF_A_ROBOT
from .knowledge.screens import Screens
from .notation.action_text import action_index, action_text, outcome_index, outcome_text
from .notation.program_text import program_text
from .notation.state_reader import options_in, write_position
from .notation.state_text import STATUSES, lap_text, position_text
from .options import OPTIONS, Rules
from .phases.chance import roller as roller_of
from .phases.turn import set_up_face
from .rules import RoboDerbyTables
from .sheets.dice import DICE, FACES
from .sheets.tiles import LETTERS
from .tables import ACTIVE, DTYPE, FINISHED, FULL_HEALTH, LEFT, PHASE, RoboDerbyRecord, are_placed, make_tables
from .turn_line import line_of

if TYPE_CHECKING:
    from rich.text import Text

KEYS = (
    ("1 – 5", "put the die of that number into the next register, or take it back; dice are pressed or dragged too"),
    ("n", "makes the die placed last a NO-OP, or a command again; so does pressing its register"),
    ("r", "makes what was put down final and rolls the other dice; runs, where you might shut down"),
    ("Enter", "locks the program in"),
    ("Esc", "takes the last die back"),
    ("s", "shuts down for this turn"),
    ("p", "pauses a turn that is shown, x skips the rest, a shows it again"),
)
"""Of the page, and what each does."""


HOW_TO_TYPE = (
    "On the board a dot is floor, ### a pit, _ a wall below a square and | one beside it. A capital letter with an arrow is a robot and where it heads, "
    "a small letter a start mark, an arrow alone a belt, ! a laser.",
    "Below are the robots with their registers 1 to 4: -- is empty, ?? lies face down, NOOP(…) does nothing, […] is locked. F1 to F3 drive forward, "
    "REV one back; L, R and U turn left, right and around; SL and SR shift; CMT is // and INV is !. The number is the priority, * a laser.",
    "'run' begins your turn. '3' places die 3 of your hand into the next register, '3n' places it as a NO-OP, 'roll' rolls the rest again. "
    "The fourth die locks the program in.",
)
"""Of the terminal."""


class RoboDerby(Game[RoboDerbyRecord, RoboDerbyTables]):
    """Robots under programs of dice. The number of a player is the robot's; its letter is drawn."""

    id = "roboderby"
    title = "RoboDerby: Express"
    summary = "Program your robot with dice, race it around the board, and push, shoot and hack the others on the way."
    how_to_play = (
        "Your robot starts on its letter at an edge of the start tile, drives once around the four tiles in order, and has to end a turn on its letter "
        "at the other outer edge of the start tile.",
        "Each turn you roll five dice and place four of them in registers 1 to 4, in that order; one stays unused. Whenever you have placed one or more you "
        "may roll the rest again. Any die may be placed as a NO-OP, which does nothing.",
        "Dice: an arrow up or down drives 1 to 3 squares forward or 1 back, a bent arrow turns, a striped one shifts sideways without turning. The number in "
        "the corner is the priority; a red star is a laser.",
        "When all programs are locked in, everybody executes register 1, then 2, 3 and 4; in each register the die with the highest number goes first.",
        "Forward, reverse and shifts stop at walls and push other robots along. A robot that comes onto a pit is destroyed.",
        "// comments out the others' die in the same register, ! makes it do the opposite, if it has not been executed yet.",
        "All robots fire at the end of the turn, and those whose die shows a laser after its register too. The first robot in the line loses 1 of 6 health.",
        "Tiles may have belts, which carry robots one square along after each register, and lasers, which then hit the first robot ahead of them.",
        "At health 4 register 4 is locked: its die stays and is executed every turn; at 3 register 3 too, and so on. At 0 the robot is scrap.",
        "A destroyed robot starts again at its start with full health in the next turn. Instead of a turn you may shut down, which repairs 2.",
    )
    version = 2
    option_list = OPTIONS
    dtype: ClassVar[Any] = DTYPE

    @cached_property
    def rules(self) -> Rules:
        """The options with their types."""
        return Rules.from_options(self.options)

    def make_tables(self) -> RoboDerbyTables:
        try:
            return make_tables(self.rules)
        except BadOption as problem:
            told = str(problem)
            raise BadOption(told if told.startswith(self.id) else f"{self.id}: {told}") from None

    def make_dimensions(self) -> Dimensions:
        tables = self.tables
        return Dimensions(
            tuple(paint.name for paint in PAINTS[: tables.players]),
            max_actions=ROLL + (2**DICE - 1 if tables.reroll_any else 1),
            action_space=ACTION_SPACE,
            observation_shape=(BOARD_PLANES + PLANES_OF_A_ROBOT * tables.players, tables.height, tables.width),
            max_outcomes=FACES**DICE,
        )

    def make_secrets(self) -> Screens | None:
        return Screens() if self.tables.screens else None

    def make_show(self) -> Show:
        from .drawing.colours import THEMES

        figures = _figures if self.tables.players == 1 else None
        return Show(
            themes=THEMES,
            keys=KEYS,
            how_to_type=HOW_TO_TYPE,
            choosing=_choosing,
            board_tells=("facts",),
            step_text=_step_text,
            line=line_of,
            events=events_of,
            foresee=foresee,
            measures=_measures,
            figures=figures,
        )

    def make_overdue(self) -> Overdue:
        return Overdue("the lowest dice fill the open registers, as NO-OPs", _quiet_action)

    @classmethod
    def options_in(cls, text: str) -> Mapping[str, Any]:
        return options_in(text)

    def plays_like(self, version: int) -> bool:
        """Until version 2 robots fell at a rim with pits even where a tile has a wall there."""
        return version == 1 and not (self.tables.pit_edges and any(tile.rim_walls for tile in self.rules.tile_set.tiles))

    def write_initial(self, record: Any) -> None:
        if self.tables.fixed_deal >= 0:
            states = np.zeros(1, DTYPE)  # in the phase of the deal
            set_up_face(self.tables, states, self.tables.fixed_deal)
            copy_record(states[0], record)

    def write_parsed(self, text: str, record: Any) -> None:
        write_position(self.tables, self.rules.tile_set, self.rules, text, record)

    def state_text(self, state: State) -> str:
        return position_text(self.tables, self.rules.tile_set, self.rules, state.record)

    def action_text(self, state: State, player: int, action: Any) -> str:
        if player == CHANCE:
            return outcome_text(self.tables, self.rules.tile_set, state.record, int(action))
        return action_text(state.record, int(action))

    def action_index(self, state: State, player: int, text: str) -> int:
        if player == CHANCE:
            return outcome_index(self.tables, self.rules.tile_set, state.record, text)
        index = action_index(state, player, text)
        legal = state.actions(player)
        if all(index != action.index for action in legal):
            texts = [action.text for action in legal if not action.text.startswith("roll ")]
            rolls = ["roll with any of the dice in hand"] * (len(texts) < len(legal))
            raise IllegalAction(f"'{text}' is not legal here; {self.player_names[player]} may choose {', '.join(texts + rolls)}")
        return index

    def robot_name(self, state: State, player: int) -> str:
        """``Blue (A)``."""
        return f"{self.player_names[player]} ({LETTERS[int(state.record.letter[player])]})"

    def reason(self, state: State) -> str:
        record = state.record
        finished = [player for player in range(self.players) if int(record.status[player]) == FINISHED]
        first = [player for player in finished if int(record.rank[player]) == 1]
        if not finished:
            return f"{_turns(int(record.turn))} played and nobody has finished"
        names = " and ".join(self.robot_name(state, player) for player in first)
        goal = "on the marker" if self.tables.s_race else "at the finish"
        if self.players == 1:
            return f"{names} arrived {goal} in {int(record.turn)} turn{'s' if record.turn > 1 else ''}"
        together = " in the same turn" if len(first) > 1 else ""
        enough = 1 if self.tables.s_race else self.players - record.status.tolist().count(LEFT) - 1
        limit = f"; the race ended after turn {int(record.turn)}" if len(finished) < enough else ""
        return f"{names} arrived {goal} first{together}{limit}"

    def facts(self, state: State) -> tuple[str, ...]:
        record, tables = state.record, self.tables
        if not record.turn:
            return ("The board is being laid",)
        lines = [f"Turn {int(record.turn)} of {tables.turn_limit}"]
        for player in range(self.players):
            status = int(record.status[player])
            lap = "" if tables.s_race else f", {lap_text(int(record.lap[player]))}"
            if status == LEFT:
                lines.append(f"{self.robot_name(state, player)}: has left")
            elif status == FINISHED:
                lines.append(f"{self.robot_name(state, player)}: place {int(record.rank[player])}")
            else:
                doing = "" if status == ACTIVE else f", {STATUSES[status]}"
                if status == ACTIVE and int(record.phase) in (PHASE.HACK, PHASE.ROLL_OFF):
                    doing = f", r{int(record.register) + 1} of {program_text(tables, record, player)}"
                lines.append(f"{self.robot_name(state, player)}: health {int(record.health[player])}{lap}{doing}")
        return tuple(lines)

    def picks(self, state: State, action: Action) -> tuple[str, ...]:
        """``("d3", "command")``, ``("d3", "no-op")``, ``("roll",)``, ``("run",)``, ``("shutdown",)``, ``("robot B",)``, ``("edge S",)``.

        Where dice are chosen to roll again: ``("roll", "d1 d3")``.
        """
        if state.to_move == (CHANCE,):
            return (action.text,)
        index = cast(int, action.index)
        if index < ROLL:
            return (f"d{index % DICE + 1}", "no-op" if index >= PLACE_NOOP else "command")
        if ROLL < index < SAY_RUN:
            return ("roll", " ".join(f"d{word}" for word in action.text.split()[1:]))
        if TARGET <= index < START_AT:
            return (f"robot {LETTERS[int(state.record.letter[index - TARGET])]}",)
        return (action.text,)

    def svg(self, state: State, *, size: int = 480, last: Action | None = None, seat: int = 0) -> str:
        from .drawing.picture import svg

        return svg(state, size=size, last=last, seat=seat)

    def board(self, state: State, *, last: Action | None = None, seat: int = 0) -> Text:
        from .drawing.terminal import board

        return board(state, seat=seat)


def _choosing(state: State, player: int) -> str | None:
    from .drawing.terminal import choosing

    return choosing(state, player)


def _turns(number: int) -> str:
    return "1 turn was" if number == 1 else f"{number} turns were"


def _measures(state: State) -> Mapping[str, tuple[float, ...]]:
    game = state.game
    players = range(game.players)
    healths = state.record.health[: game.players] if are_placed(state.record) else [FULL_HEALTH] * game.players
    health = {"Health": tuple(map(float, healths))}
    lap = {} if game.tables.s_race else {"Tiles of the lap": tuple(float(state.record.lap[player]) for player in players)}
    return health | lap


def _figures(state: State) -> Mapping[str, float]:
    """``par``, the expected turns from the start mark of the only robot, and while the race lasts ``turns to go``, those from where the turn begins.

    Exact, as far as robots alone are undamaged: lasers of the board are left aside. Takes seconds on a board that is new. Empty before the robot is placed, and
    where the finish cannot be reached for certain.
    """
    from .solo.known import racer_of

    record = state.record
    if not are_placed(record):
        return {}
    racer = racer_of(state.game.tables, record, 0)
    figures = {"par": racer.par}
    if int(record.phase) in (PHASE.SHUTDOWN, PHASE.PROGRAM):  # the robot stands where the turn has begun
        figures["turns to go"] = racer.expected_turns(int(record.square[0]), int(record.heading[0]), int(record.lap[0]))
    return {name: turns for name, turns in figures.items() if math.isfinite(racer.par) and math.isfinite(turns)}


def _step_text(state: State, actions: Mapping[int, Action]) -> str:
    game = state.game
    if CHANCE not in actions:
        return ", ".join(f"{game.player_names[player]}: {action.text}" for player, action in actions.items())
    roller = plain(roller_of)(game.tables, state.record)
    return f"{game.player_names[roller]} rolls {actions[CHANCE].text}" if roller >= 0 else actions[CHANCE].text


def _quiet_action(state: State, player: int) -> Action:
    """The robot does not shut down, and the lowest die goes into the next register as a NO-OP; a hack whose target is open hits the first robot."""
    actions = state.actions(player)
    quiet = (action for action in actions if action.index == SAY_RUN or PLACE_NOOP <= cast(int, action.index) < ROLL)
    return next(quiet, actions[0])
