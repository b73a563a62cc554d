"""hexabomb as a :class:`ludarium.core.game.Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from ludarium.core.game import Action, Dimensions, Game, State
from ludarium.core.options import Option
from ludarium.core.rules import CHANCE
from ludarium.core.show import Show
from ludarium.errors import BadOption

from .choices import HexabombOrders, orders_in
from .drawing.colours import PAINTS
from .maps import check_players, load_map, map_names
from .notation.messages import message_text, order_objects, order_text, read_message, read_reception, reception_text
from .notation.state_text import CLASSIC, SUDDEN_DEATH, options_in, position_text, write_position
from .rules import COMMON_PLANES, PLANES_OF_A_PLAYER, winner_of
from .tables import BOMB, DIRECTIONS, DTYPE, MAX_RECEPTIONS, NOTHING, HexabombRecord, Tables, make_tables, place_name, place_start
from .telling import events_of, line_of

if TYPE_CHECKING:
    from rich.text import Text

DEFAULT_MAP = "glade2"
MOST_PLAYERS = 62
"""A set of players is the bits of a signed number of 64 bits, of which −1 means chance."""

KEYS = (
    ("1–9", "choose a number"),
    ("b", "drops a bomb of the character that is chosen; n gives it nothing to do, r revives it"),
    (
        "p",
        "lets the chosen character, or all without orders, paint on, on later turns too: towards the nearest cell that is not of its colour, of several "
        "in the order x+ (right), y+, z+, x-, y-, z-; without one it holds; the dead are revived when they may be",
    ),
    ("h", "lets it hold, or all without orders: it stays where it is, also on later turns"),
    ("l", "gives the orders of the last turn again"),
    ("e", "sends the chosen character to the cell that has the focus, one cell a turn, by a shortest way"),
    ("Esc", "one step back"),
    ("drag", "a character along a path of several cells: it enters one a turn until it is blocked or gets another order"),
)

TERMS = (
    ("#0 at -3,0", "the character of the number 0, on the cell whose column is -3 and whose row is 0; both are counted from the cell 0,0"),
    (
        "Paint on",
        "an order that stands: the character, or all without orders, goes on to the nearest cell that is not of its colour, around explosions",
    ),
    ("Hold", "an order that stands: to stay where it is"),
    ("As last turn", "the orders of the last turn once more"),
    ("Go by itself", "a turn's orders are sent as soon as every living character has one"),
)
"""What pages explain: how cells are called, and the buttons under the board."""

HOW_TO_TYPE = (
    "On the board a dot or a small letter is a cell and who painted it, a capital letter and a number a character, * a bomb, ! what exploded on the last "
    "turn. The number after the letter counts through the team, #3 through all: where the list below says 'characters 3 to 5', B0 is #3.",
    "Directions: x+ right, x- left, y+ up right, y- down left, z+ up left, z- down right. '#3 x+' moves character 3, '#3 bomb 2 4' drops a bomb "
    "with delay 2 and range 4, '#3 revive' revives it, '#3 none' takes its order back.",
    "Of orders that are not sent yet, an arrow is where a character goes (^ revives), o where it drops a bomb, and : what that will reach.",
)


class Hexabomb(Game[HexabombRecord, Tables]):
    """Characters that paint hexagons and drop bombs, all at once. In sudden death the special player is player 0."""

    id = "hexabomb"
    title = "hexabomb"
    summary = "Paint the most hexagons with your team, and blow the others' paint and painters away."
    how_to_play = (
        "Every cell of your colour at the end of a turn is a point. Whoever has the most points after the last turn wins.",
        "All players act at the same time, with one order for each of their characters: move to one of the six cells around it, drop a bomb, revive, or "
        "nothing.",
        "A character paints the cell that it enters. It cannot enter a cell with a living character or a bomb; where two want the same cell, the player who is "
        "received first gets it, which is drawn each turn.",
        "A bomb has a delay and a range of 2 to 4 each. It explodes along straight lines in all six directions up to its range, paints them in its "
        "owner's colour, kills every character on them, its owner's too, and sets off other bombs. Where explosions meet, the nearer bomb paints; at equal "
        "distances of different colours the cell becomes neutral.",
        "A character carries one bomb at first and gets another one every ten turns, up to two. The dead may revive where they died after three turns.",
        "In sudden death nobody revives. The special player cannot die and its bombs have delays and ranges up to 100; the others win by living longest.",
    )
    version = 1
    option_list = (
        Option(
            "map",
            "text",
            DEFAULT_MAP,
            f"one of {', '.join(map_names())}, or a map's JSON file",
            choices=map_names(),
            is_source=True,
            is_board=True,
        ),
        Option(
            "players", "whole number", None, "how many, without the special player; left out, as many as the map has places for", minimum=1
        ),
        Option.word(
            "mode", "whether the most paint wins, or whoever lives longest under the bombs of the special player", CLASSIC, SUDDEN_DEATH
        ),
        Option("turns", "whole number", 100, "the game ends after so many turns", minimum=1, maximum=65_535),
        Option.word(
            "reception", "in which order the players are received on a turn: drawn each time, or by their numbers", "random", "fixed"
        ),
    )
    dtype: ClassVar[Any] = DTYPE

    def make_tables(self) -> Tables:
        source = self.options["map"]
        special = int(self.options["mode"] == SUDDEN_DEATH)
        try:
            board = load_map(source)
        except BadOption as problem:
            raise BadOption(f"{self.id}: {problem}") from None
        players = len(board.teams) if self.options["players"] is None else self.options["players"]
        try:
            check_players(board, players, special)
        except BadOption as problem:
            raise BadOption(f"{self.id}: map {source[:80]}: {problem}") from None
        everybody = players + special
        random = self.options["reception"] == "random" and everybody > 1
        most = MAX_RECEPTIONS if random else MOST_PLAYERS
        if everybody > most:
            raise BadOption(f"{self.id}: {everybody} players are too many for reception={self.options['reception']}, which takes {most}")
        return make_tables(board, players, special, self.options["turns"], random)

    def make_dimensions(self) -> Dimensions:
        tables = self.tables
        names = tuple(PAINTS[number].name if number < len(PAINTS) else f"Player {number}" for number in range(tables.players))
        bombs = int(tables.width.max()) ** 2
        return Dimensions(
            ("Special",) * tables.special + names[tables.special :],
            max_actions=1 + 6 + bombs,
            action_space=BOMB + bombs,
            observation_shape=(COMMON_PLANES + PLANES_OF_A_PLAYER * tables.players, *tables.on_map.shape),
            max_outcomes=len(tables.reception),
            slots=int(np.diff(tables.first).max()),
        )

    def make_orders(self) -> HexabombOrders:
        return HexabombOrders()

    def make_show(self) -> Show:
        from .drawing.picture import THEMES

        return Show(
            draws=True,
            keys=KEYS,
            prompt="Choose a highlighted character",
            terms=TERMS,
            themes=THEMES,
            how_to_type=HOW_TO_TYPE,
            board_tells=("facts", "bomb"),
            step_text=_step_text,
            line=line_of,
            events=events_of,
            summary=_summary,
            measures=_measures,
            ranked_by="Score",
        )

    @classmethod
    def options_in(cls, text: str) -> Mapping[str, Any]:
        return options_in(text)

    def write_initial(self, record: Any) -> None:
        place_start(self.tables, record)

    def write_parsed(self, text: str, record: Any) -> None:
        write_position(self.tables, text, record, self.dimensions.slots)

    def state_text(self, state: State) -> str:
        return position_text(self.tables, state.copy_records())

    def action_text(self, state: State, player: int, action: Any) -> str:
        if player == CHANCE:
            return reception_text(self.tables, int(action))
        if isinstance(action, tuple):
            return message_text(self.tables, player, cast("tuple[int, ...]", action))
        return f"[{order_text(self.tables, player, 0, int(action))}]"

    def action_index(self, state: State, player: int, text: str) -> int | tuple[int, ...]:
        """The orders of a JSON list, one a slot; at dice, the number of an order of reception.

        Raises:
            BadNotation: no list of orders.
            IllegalAction: an order for another player's character.
        """
        if player == CHANCE:
            return read_reception(self.tables, text)
        orders = read_message(self.tables, player, self.dimensions.slots, text)
        return orders if self.dimensions.slots > 1 else orders[0]

    def reason(self, state: State) -> str:
        winner = winner_of(self.tables, state.record)
        turns = f"{self.options['turns']} turns were played"
        if winner < 0:
            return f"{turns} and the best have the same score"
        score = int(state.record.score[winner])
        if self.tables.special:
            return f"{turns} and {self.player_names[winner]} lived longest, to turn {score}"
        return f"{turns} and {self.player_names[winner]} has the highest score, {score:,}"

    def facts(self, state: State) -> tuple[str, ...]:
        record, tables = state.record, self.tables
        turn, turns = int(record.turn), tables.turns
        lines = [f"Turns played: {turn} of {turns}" if state.is_over else f"Turn {turn + 1} of {turns}"]
        for player, name in enumerate(self.player_names):
            team = slice(int(tables.first[player]), int(tables.first[player + 1]))
            living = int((record.revive_delay[team] < 0).sum())
            cells = int(record.cell_count[player])
            score = "" if player < tables.special else f"score {int(record.score[player]):,}, "
            lines.append(f"{name}: {score}{cells} of {tables.cells} cells, {living} of {team.stop - team.start} alive")
        return tuple(lines)

    def picks(self, state: State, action: Action) -> tuple[str, ...]:
        """``("#3", "1,-2")`` for a move of character 3, ``("#3", "bomb", "delay 3", "range 2")``, ``("#3", "revive")``, ``("#3", "none")``."""
        if state.to_move == (CHANCE,):
            return (action.text,)
        return tuple(pick for order in order_objects(action) for pick in self._picks_of(state, order))

    def _picks_of(self, state: State, order: dict[str, Any]) -> tuple[str, ...]:
        name = f"#{order['id']}"
        if order["movement"] == "move":
            tables = self.tables
            target = int(tables.neighbour[int(state.record.position[order["id"]]), DIRECTIONS.index(order["direction"])])
            return (name, place_name(tables, target))
        if order["movement"] == "bomb":
            return (name, "bomb", f"delay {order['bomb_delay']}", f"range {order['bomb_range']}")
        return (name, order["movement"])

    def svg(self, state: State, *, size: int = 480, last: Action | None = None, seat: int = 0) -> str:
        from .drawing.picture import svg

        return svg(state, size=size)

    def board(self, state: State, *, last: Action | None = None, seat: int = 0) -> Text:
        from .drawing.terminal import board

        return board(state)


def _step_text(state: State, actions: Mapping[int, Action]) -> str:
    """How many orders each player gave, ``Orders: Blue 3, Orange 2``; in which order they are received, ``Received: Orange, then Blue``."""
    game = state.game
    if CHANCE in actions:
        order: list[int] = game.tables.reception[int(cast(int, actions[CHANCE].index))].tolist()
        return f"Received: {', then '.join(game.player_names[player] for player in order)}"
    counts = {player: sum(order != NOTHING for order in orders_in(action)) for player, action in actions.items()}
    return f"Orders: {', '.join(f'{game.player_names[player]} {count}' for player, count in counts.items())}"


def _summary(states: Sequence[State], steps: Sequence[Mapping[int, Action]]) -> tuple[str, ...]:
    """The largest area that anybody ever held."""
    areas = [(int(cells), player, state) for state in states for player, cells in enumerate(state.record.cell_count[: state.game.players])]
    most, player, state = max(areas, key=lambda area: area[0])
    game = state.game
    return (f"Largest area: {game.player_names[player]} held {most} of {game.tables.cells} cells after turn {int(state.record.turn)}",)


def _measures(state: State) -> dict[str, tuple[float, ...]]:
    """The score, and how many cells there are of a player's colour."""
    tables, record = state.game.tables, state.record
    return {
        "Score": tuple(record.score[: tables.players].tolist()),
        "Cells": tuple(record.cell_count[: tables.players].tolist()),
    }
