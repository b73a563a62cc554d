"""What the games of a series show."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ludarium.games.roboderby.execution.trace import KINDS
from ludarium.games.roboderby.sheets.dice import DICE, FACES
from ludarium.games.roboderby.sheets.faces import COMMANDS
from ludarium.games.roboderby.sheets.tiles import LETTERS

from .batches import Batch, Series
from .counting import CAUSES, SINGLES, Counts, empty_counts
from .intervals import Share, mean_and_error, share
from .simulation import GAME_FACTS, SEAT_FACTS


@dataclass(frozen=True)
class Line:
    """A line of the summary: what, how much (``%``, or a game's mean), and perhaps what it means."""

    name: str
    text: str
    note: str = ""


WHEN = {
    "hacked": "by a die that was commented out or inverted, or after one was in the same turn",
    "jostled": "after others pushed it or held it up in the same turn, or a hit had a NO-OP executed",
}
"""When a robot that drove is said to have been, by the word of the cause."""


class Findings:
    """The games of some batches of a series, and what can be computed from them."""

    def __init__(self, series: Series, batches: Sequence[Batch]) -> None:
        self.series = series
        self.rules = series.game.rules
        self.games = np.concatenate([np.zeros((0, series.facts), np.int64), *(batch.games for batch in batches)])
        self.counts: Counts = empty_counts(series.game.tables.size)
        for batch in batches:
            for total, part in zip(self.counts, batch.counts, strict=True):
                total += part

    @property
    def count(self) -> int:
        return len(self.games)

    @property
    def title(self) -> str:
        """The tiles and dice, and what else is not the default."""
        rules = self.rules
        other = [f"{name}={value}" for name, value in rules.differences().items() if name not in ("tiles", "dice")]
        return ", ".join([f"tiles {rules.tiles}", f"dice {rules.dice}", *other])

    def fact(self, name: str) -> np.ndarray:
        """``int64[games]``: one of GAME_FACTS."""
        return self.games[:, GAME_FACTS.index(name)]

    def seat_facts(self, name: str) -> np.ndarray:
        """``int64[games, seats]``: one of SEAT_FACTS."""
        return self.games[:, len(GAME_FACTS) + SEAT_FACTS.index(name) :: len(SEAT_FACTS)]

    @cached_property
    def points(self) -> np.ndarray:
        """``float64[games, seats]``: against each opponent a point for being there before it, half a point for coming together or not at all; the mean."""
        ranks = self.seat_facts("rank")
        seats = ranks.shape[1]
        places = np.where(ranks == 0, seats + 1, ranks)
        if seats == 1:
            return (ranks > 0).astype(float)
        before = places[:, :, None] < places[:, None, :]
        together = places[:, :, None] == places[:, None, :]
        return (before + together / 2).sum(axis=2) / (seats - 1) - 0.5 / (seats - 1)

    def points_by(self, name: str) -> list[Share]:
        """The points by player, seat or letter, each with its interval."""
        if name == "seat":
            return [share(self.points[:, seat]) for seat in range(self.points.shape[1])]
        who = self.seat_facts(name)
        most = self.series.game.tables.letters if name == "letter" else self.points.shape[1]
        return [share(self.points[who == one]) for one in range(most)]

    def labels(self, name: str) -> list[str]:
        """What the shares of :meth:`points_by` belong to."""
        if name == "letter":
            return [f"letter {LETTERS[letter]}" for letter in range(self.series.game.tables.letters)]
        if name == "seat":
            return [f"seat {seat + 1}" for seat in range(self.points.shape[1])]
        return [f"{number + 1}. {player}" for number, player in enumerate(self.series.players)]

    @property
    def is_race(self) -> bool:
        return self.points.shape[1] > 1

    @cached_property
    def drawn(self) -> np.ndarray:
        """``bool[games]``: several shared the first place."""
        return (self.seat_facts("rank") == 1).sum(axis=1) > 1

    @cached_property
    def unfinished(self) -> np.ndarray:
        """``bool[games]``: nobody finished within the turn limit."""
        return (self.seat_facts("rank") == 0).all(axis=1)

    @cached_property
    def turns(self) -> int:
        """Turns of all games."""
        return int(self.fact("turns").sum())

    @property
    def programs(self) -> int:
        """Programs that were executed, also those of registers that are all locked."""
        return self.rows("program")

    def rows(self, kind: str) -> int:
        """How often something happened, by a name of the rules' log."""
        return int(self.counts.rows[KINDS.index(kind)])

    def single(self, name: str) -> int:
        return int(self.counts.singles[SINGLES.index(name)])

    @cached_property
    def deaths(self) -> dict[str, int]:
        """Destroyed robots by cause; only what can happen with these tiles and options."""
        sums = self.counts.deaths.sum(axis=(1, 2)).tolist()
        needs = {"off": self.rules.pit_edges == "on", "carried": self.has_belts, "board": self.has_lasers}
        missing = {word for word, is_there in needs.items() if not is_there}
        return {cause: found for cause, found in zip(CAUSES, sums, strict=True) if missing.isdisjoint(cause.split())}

    @property
    def has_belts(self) -> bool:
        """The tiles have belts."""
        return bool(self.series.game.tables.belts)

    @property
    def has_lasers(self) -> bool:
        """The tiles have lasers."""
        return len(self.series.game.tables.board_lasers) > 0

    @cached_property
    def placed(self) -> dict[str, np.ndarray]:
        """``int64[3]`` by command that the dice have: how often it stood in a program as a command, as a NO-OP, and locked."""
        commands = self.series.game.tables.commands
        found = {name: np.zeros(3, np.int64) for number, name in enumerate(COMMANDS) if number and (commands == number).any()}
        for die in range(DICE):
            for face in range(FACES):
                found[COMMANDS[commands[die, face]]] += self.counts.placed[die, face]
        return found

    def lines(self) -> list[Line]:
        """The summary."""
        return [] if self.count == 0 else [*self._length(), *self._drama(), *self._fighting(), *self._programming()]

    def _length(self) -> list[Line]:
        turns, lost = self.fact("turns"), self.fact("lost").sum() / self.points.size
        mean, error = mean_and_error(turns)
        reach = f" ± {error:.2f}" if math.isfinite(error) else ""
        low, high = np.percentile(turns, (10, 90), method="inverted_cdf")
        median = np.median(turns)
        found = [
            *(
                [Line("no way to the finish", f"{100 * lost:.1f} % of the robots", "no commands lead from their start, if they are alone")]
                if lost
                else []
            ),
            Line("turns, mean", f"{mean:.2f}{reach}"),
            Line("turns, median", f"{median:g}", "half the games take no longer"),
            Line("turns, 10 % to 90 %", f"{low:g}–{high:g}", "four games in five"),
            Line("turns, longest game", f"{turns.max()}"),
            Line("never finished", _percent(self.unfinished), f"nobody within {self.rules.turn_limit} turns"),
        ]
        if self.is_race:
            found.append(Line("shared first place", _percent(self.drawn), "in the same turn"))
            for name in ("letter", "seat", *(("player",) if len(set(self.series.players)) > 1 else ())):
                shares = zip(self.labels(name), self.points_by(name), strict=True)
                found += [Line(f"points, {label}", one.text, "95 % interval") for label, one in shares]
        return found

    def _drama(self) -> list[Line]:
        if not self.is_race:
            return []
        changes, settled, arrears, halfway = (self.fact(name) for name in ("lead changes", "settled", "arrears", "halfway"))
        won = arrears >= 0
        led = halfway[halfway >= 0]
        return [
            Line("lead changes a game", f"{changes.mean():.2f}", "by commands still to go, at the beginning of each turn"),
            Line("leader at halfway won", _percent(led == 1) if len(led) else "–", "where one robot led"),
            Line("winner never behind", _percent(settled[won] == 0) if won.any() else "–"),
            Line("winner was behind by", f"{arrears[won].mean():.1f} commands" if won.any() else "–", "at most in the game; the mean"),
            Line(
                "race settled after",
                f"{100 * (settled[won] / self.fact('turns')[won]).mean():.0f} % of the turns" if won.any() else "–",
                "then the winner was not behind any more",
            ),
        ]

    def _fighting(self) -> list[Line]:
        deaths = sum(self.deaths.values())
        found = [
            Line("pushes", self.a_game(self.rows("push")), "squares that a robot was pushed"),
            *([Line("carried by belts", self.a_game(self.rows("carry")), "squares")] if self.has_belts else []),
            Line("bumps into walls", self.a_game(self.rows("bump")), "commands that a wall cut short"),
            Line("laser hits", self.a_game(self.single("hits")), f"of {self.a_game(self.rows('fire'))} shots"),
            *([Line("hits by the board", self.a_game(self.rows("beam")), "by its lasers")] if self.has_lasers else []),
            Line("damage", self.a_game(self.single("damage")), "health lost"),
            Line("locks", self.a_game(self.rows("lock")), "registers that were locked"),
            Line("robots destroyed", self.a_game(deaths)),
        ]
        found += [Line(f"– {cause}", self.a_game(number), WHEN.get(cause.split()[1], "")) for cause, number in self.deaths.items()]
        if self.is_race:
            comments, inversions = self.single("comments"), self.single("inversions")
            late = self.single("late comments") + self.single("late inversions")
            found += [
                Line(
                    "hacks landed",
                    self.a_game(comments + inversions),
                    f"comments {self.a_game(comments)}, inversions {self.a_game(inversions)}",
                ),
                Line("hacks late", self.a_game(late), "or with nobody there to be hacked"),
            ]
        return [*found, Line("shutdowns", self.a_game(self.rows("shutdown"))), Line("restarts", self.a_game(self.rows("respawn")))]

    def _programming(self) -> list[Line]:
        programs = max(1, self.programs)
        dice = np.sum(list(self.placed.values()), axis=0)
        total = max(1, int(dice.sum()))
        return [
            Line("dice as commands", f"{100 * dice[0] / total:.1f} %", "of all dice in programs"),
            Line("dice as NO-OPs", f"{100 * dice[1] / total:.1f} %"),
            Line("dice locked", f"{100 * dice[2] / total:.1f} %"),
            Line("re-rolls a program", f"{self.single('rolls again') / programs:.2f}"),
            *(
                [Line("roll-offs", self.a_game(self.single("roll-offs")), "equal priorities where the order mattered")]
                if self.is_race
                else []
            ),
        ]

    def a_game(self, number: int) -> str:
        """A sum as a game's mean."""
        mean = number / max(1, self.count)
        return f"{mean:.2f}" if mean < 100 else f"{mean:.0f}"


def _percent(values: np.ndarray) -> str:
    return f"{100 * float(np.mean(values)):.1f} %"
