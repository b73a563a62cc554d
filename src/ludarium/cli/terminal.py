"""A game at the terminal: shows it, asks people, lets programs think."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext

from ludarium.arena import ask
from ludarium.arena.play import CHANCE_STREAM, seat_player
from ludarium.core.game import Action, State
from ludarium.core.leaving import left_words
from ludarium.core.random import generator_from
from ludarium.core.rules import CHANCE
from ludarium.core.sight import Sight
from ludarium.core.timeline import Timeline
from ludarium.errors import LudariumError, PlayerFailed
from ludarium.players import Player, PlayerSpec

from .common import say, screen
from .orders import OrderSheet, words_of
from .picture import chain_text, outcome_text, show_state
from .prompt import alone, ask_line
from .typed_actions import read_action

COMMANDS = {
    "help": "this help; so does ?",
    "board": "the board again",
    "actions": "everything that you may do now",
    "moves": "the game so far",
    "events": "what happened on the last turn, one thing after another",
    "position": "the position in one line, as --start takes it",
    "flip": "turn the board around",
    "undo": "go back to the last choice that a person made",
    "resign": "give up",
    "quit": "leave the game; so does q",
}

ALIASES = {"?": "help", "h": "help", "q": "quit", "exit": "quit"}
"""Other words for commands."""

ORDER_COMMANDS = {
    "send": "give the orders; so does an empty line when there are any",
    "clear": "take back all orders that are not sent yet",
}
"""Further words where a person gives several orders before they are sent."""


class _Left(Exception):
    """A person leaves the game unfinished."""


class TerminalGame:
    """One game, from its present state to its end or until a person leaves it.

    On the screen stands what the one person at it may know; with several people (or none) what anybody may, except while one of them is alone with it.
    """

    def __init__(self, timeline: Timeline, specs: Sequence[PlayerSpec], seed: int) -> None:
        self.timeline = timeline
        self.specs = specs
        self.seed = seed
        self.with_orders = timeline.game.orders is not None
        words = ORDER_COMMANDS | COMMANDS if self.with_orders else COMMANDS
        self.missing = {
            **({} if timeline.game.show.flips else {"flip": "The board of this game is not turned around."}),
            **({} if timeline.game.show.choosing else {"events": "What happened is told with each turn."}),
            **({"undo": "There is no undo where things are hidden: what has been seen cannot be unseen."} if timeline.game.secrets else {}),
        }
        """Commands that this game does not have, with the reasons."""
        self.commands = {word: meaning for word, meaning in words.items() if word not in self.missing}
        self.people = [seat for seat, spec in enumerate(specs) if spec.is_human]
        self.bottom = self.people[0] if self.people else 0
        self._looker = self.people[0] if len(self.people) == 1 else None
        self._said = ""
        self._events: list[str] = []
        """The events of the last turn, of which one line was printed."""
        self._shown: str | None = None
        """The drawing that stands on the screen."""
        self._programs: dict[int, Player] = {}
        self._generator = generator_from(seed, CHANCE_STREAM)

    def run(self) -> None:
        """Play until the game is over or a person leaves it. Ctrl-C passes through, with players closed."""
        with ExitStack() as open_things:
            for seat, spec in enumerate(self.specs):
                if not spec.is_human:
                    self._programs[seat] = seat_player(self.timeline, spec, seat, self.seed)
                    open_things.callback(self._programs[seat].close)
            self._greet()
            try:
                while not self.timeline.is_over:
                    self._take_turn()
            except _Left:
                return
        if self.timeline.outcome is not None:
            say(outcome_text(self.timeline.state, self.timeline.outcome))

    def _greet(self) -> None:
        names = self.timeline.game.player_names
        seats = ", ".join(f"{name}: {spec.text}" for name, spec in zip(names, self.specs, strict=True))
        say(f"{self.timeline.game.title}  {seats}", style="bold")
        if self.people:
            say(f"Type {'orders' if self.with_orders else 'an action'}, or ? for help.", style="dim")
        if not self._rolls:
            self._show()

    @property
    def _sight(self) -> Sight:
        """What stands on the screen."""
        return Sight(self.timeline, self._looker)

    @property
    def _open_ply(self) -> int:
        """Up to where nothing is secret any more."""
        return Sight(self.timeline, None).open_ply

    def _show(self) -> None:
        self._shown = self._drawing
        screen().print()
        show_state(self._sight.latest, last=self._sight.action(self._sight.ply), seat=self.bottom)
        screen().print()

    @property
    def _drawing(self) -> str:
        state = self._sight.latest
        board = state.game.board(state, last=self._sight.action(self._sight.ply), seat=self.bottom).plain
        return "\n".join([board, *state.game.facts(state)])

    def _show_news(self) -> None:
        """Show the board if it has changed; while it stands as it was, what the player who makes several choices has chosen so far."""
        state, choosing = self._sight.latest, self.timeline.game.show.choosing
        player = self._looker if self._looker in state.to_move else min(state.to_move, default=None)
        chosen = choosing(state, player) if choosing is not None and player is not None else None
        if chosen is None and self._drawing != self._shown:
            self._show()
        elif chosen is not None and chosen != self._shown:
            self._shown = chosen
            say(f"{state.game.player_names[player or 0]}  {chosen}", style="bold")

    def _take_turn(self) -> None:
        state = self.timeline.state
        if self._rolls:
            self._act({CHANCE: state.sample_chance(self._generator)}, {})
            return
        if state.game.independent:
            self._let_one_choose()
            return
        chosen: dict[int, Action] = {}
        seconds: dict[int, float] = {}
        for seat in sorted(self.timeline.to_move, key=self.people.__contains__):
            answer = self._let_think(seat, seconds) if seat in self._programs else self._ask(seat)
            if answer is None:
                if seat in self.timeline.out and not self.timeline.is_over and self.timeline.state == state:
                    continue
                return
            chosen[seat] = answer
        if chosen:
            self._act(chosen, seconds)

    def _let_one_choose(self) -> None:
        """Let one of those who act independently do so, programs first; a person until all of that person's choices are made."""
        seat = min(self.timeline.to_move, key=self.people.__contains__)
        if seat in self._programs:
            seconds: dict[int, float] = {}
            if (action := self._let_think(seat, seconds)) is not None:
                self._act({seat: action}, seconds)
            return
        before = self._open_ply
        among = len(self.people) if self.timeline.game.secrets is not None else 1
        with self._alone(seat, among):
            while self._open_ply == before and (self._rolls or seat in self.timeline.to_move):
                if self._rolls:
                    self.timeline.act({CHANCE: self.timeline.state.sample_chance(self._generator)})
                elif (answer := self._ask_alone(seat)) is not None:
                    self.timeline.act({seat: answer})
                else:
                    return
                if self._open_ply == before:
                    self._tell({})
        if among > 1 or self._open_ply != before:
            self._tell({})  # again, or at last, to all who look at the screen

    @property
    def _rolls(self) -> bool:
        return self.timeline.state.to_move == (CHANCE,)

    def _ask(self, seat: int) -> Action | None:
        """A person's action, which other people who choose at the same time do not see; None when something else was done with the game instead."""
        state = self.timeline.state
        among = sum(other in self.people for other in state.to_move) if state.is_public else len(self.people)
        with self._alone(seat, among):
            return self._ask_alone(seat)

    @contextmanager
    def _alone(self, seat: int, among: int) -> Generator[None]:
        """Give the screen to one ``among`` several people."""
        if among < 2:
            yield
            return
        with alone(self.timeline.game.player_names[seat]):
            self._looker, shown = seat, self._shown
            try:
                if screen().is_terminal or self.timeline.game.secrets is not None:
                    self._show()
                yield
            finally:
                self._looker, self._shown = None, shown

    def _act(self, chosen: dict[int, Action], seconds: dict[int, float]) -> None:
        self.timeline.act(chosen, seconds)
        self._tell(seconds)

    def _tell(self, seconds: dict[int, float]) -> None:
        """Print the last step, as far as it is known to who looks at the screen."""
        sight = self._sight
        if not sight.sees_latest:
            return
        ply, secrets = sight.ply, self.timeline.game.secrets
        before, known = sight.state(ply - 1), sight.actions(ply)
        for seat in sorted(sight.players(ply)):
            if seat not in known:
                self._say(secrets.words(before, seat) if secrets else "")
                continue
            action = known[seat]
            if seat == CHANCE or before.game.show.choosing is not None:
                self._say(sight.step_text(ply) if before.game.show.choosing is None else sight.line(ply))
                continue
            name = before.game.player_names[seat]
            time = f"  ({seconds[seat]:.1f} s)" if seconds.get(seat, 0) >= 0.05 else ""
            chain = chain_text(before, action)
            text = words_of(before, seat, action) if self.with_orders else action.text
            self._say(f"{name}  {text}{time}{f'  {chain}' if chain else ''}")
        events = [f"  {event.text}" for event in sight.events(ply) if event.data.get("kind") not in before.game.show.board_tells]
        if before.game.show.choosing is not None and sight.line(ply):
            self._events = events
        else:
            for event in events:
                say(event)
        if not self._rolls and (sight.is_open(ply) or self._looker in self.timeline.state.to_move):
            self._show_news()

    def _say(self, line: str) -> None:
        """Print what was chosen; of what is chosen in secret over and over, once."""
        if line and (line != self._said or self._sight.is_open(self._sight.ply)):
            say(line, style="bold")
        self._said = line

    def _let_think(self, seat: int, seconds: dict[int, float]) -> Action | None:
        """A program's action, with the seconds that it took put among the others; None when it has forfeited instead."""
        name = self.timeline.game.player_names[seat]
        try:
            with screen().status(f"{name} thinks …", spinner="dots") if screen().is_terminal else nullcontext():
                action, seconds[seat] = ask(self._programs[seat], self.timeline.state, seat)
        except PlayerFailed as problem:
            self.timeline.forfeit(seat, str(problem))
            self._tell_leaving()
            return None
        return action

    def _tell_leaving(self) -> None:
        """Print who has left, if the game goes on."""
        if not self.timeline.is_over:
            latest = next(step for step in reversed(self.timeline.steps) if step.is_leaving)
            say(left_words(self.timeline.game, latest.actions), style="bold")

    def _ask_alone(self, seat: int) -> Action | None:
        """A person's action; None when something else was done with the game instead."""
        state = self._seen_by(seat)
        sheet = OrderSheet(state, seat) if self.with_orders else None
        texts = [] if sheet else _action_texts(state, seat)
        while True:
            line = ask_line(f"{state.game.player_names[seat]}> ", sheet.words() if sheet else texts, list(self.commands))
            if line is None:
                raise _Left
            command = ALIASES.get(line.lower(), line.lower())
            try:
                if command in COMMANDS and line not in texts:
                    if self._obey(command, seat, texts, sheet):
                        return None
                elif sheet is None:
                    if line:
                        return read_action(state, seat, line, texts)
                elif (action := self._order(sheet, line)) is not None:
                    return action
            except LudariumError as problem:
                say(f"{problem}. Type ? for help.", style="yellow")

    def _order(self, sheet: OrderSheet, line: str) -> Action | None:
        """Take over the orders of a line; all of them when they are sent."""
        command = line.lower()
        if command == "send" or (not line and not sheet.is_empty):
            return sheet.action()
        if not line:
            say("There are no orders yet. Type some, or 'send' to do nothing on this turn.", style="yellow")
            return None
        if command == "clear":
            sheet.clear()
        else:
            sheet.read(line)
        self._show_orders(sheet)
        return None

    def _seen_by(self, seat: int) -> State:
        return Sight(self.timeline, seat).latest

    def _show_orders(self, sheet: OrderSheet) -> None:
        state, action = self._seen_by(sheet.seat), sheet.draft()
        screen().print()
        show_state(state, board=sheet.orders.board(state, sheet.seat, action, seat=self.bottom))
        screen().print()
        say(f"To be sent: {words_of(state, sheet.seat, action)}", style="bold")

    def _obey(self, command: str, seat: int, texts: Sequence[str], sheet: OrderSheet | None = None) -> bool:
        """Do what a command says; whether the turn is over with it."""
        if command in self.missing:
            say(self.missing[command], style="yellow")
            return False
        if command == "quit":
            raise _Left
        if command == "resign":
            return self._resign(seat)
        if command == "undo":
            return self._undo()
        reports: dict[str, Callable[[], None]] = {
            "help": lambda: self._help(texts, sheet),
            "board": self._show,
            "actions": lambda: self._print_actions(texts, sheet),
            "moves": self._print_moves,
            "events": lambda: say("\n".join(self._events) or "No turn has been played yet."),
            "position": lambda: screen().print(self._sight.latest.text, soft_wrap=True),
            "flip": self._flip,
        }
        reports[command]()
        return False

    def _resign(self, seat: int) -> bool:
        """Resign for a player who confirms it; whether that is so."""
        what = "leave the game to the others" if self.timeline.game.players > 2 else "lose the game"
        answer = ask_line(f"Resign and {what}? Type yes: ", ("yes", "no"))
        if answer is None:
            raise _Left
        if answer.lower() not in ("y", "yes"):
            say("The game goes on.")
            return False
        self.timeline.resign(seat)
        self._tell_leaving()
        return True

    def _undo(self) -> bool:
        steps = self.timeline.steps
        last = next((number for number in range(len(steps) - 1, 0, -1) if any(seat in steps[number].actions for seat in self.people)), None)
        if last is None:
            say("There is nothing to take back yet.", style="yellow")
            return False
        self.timeline.take_back(len(steps) - last)
        self._show()
        return True

    def _flip(self) -> None:
        self.bottom = (self.bottom + 1) % self.timeline.game.players
        self._show()

    def _help(self, texts: Sequence[str], sheet: OrderSheet | None) -> None:
        for paragraph in (*self.timeline.game.how_to_play, *self.timeline.game.show.how_to_type):
            say(paragraph)
        if sheet is None:
            examples = [texts[round(number * (len(texts) - 1) / 3)] for number in range(4)] if len(texts) > 4 else texts
            say(f"Type an action, such as {', '.join(dict.fromkeys(examples))}, or one of:")
        else:
            say(
                "Orders may be given one after another or several in a line; they are shown on the board, and a later one replaces an earlier one."
            )
            say("Words may be cut short, and those before numbers left out, as long as it is clear what is meant.")
            say(f"Type orders, such as {sheet.example()}, or one of:")
        for word, meaning in self.commands.items():
            say(f"  {word:<10}{meaning}")

    def _print_actions(self, texts: Sequence[str], sheet: OrderSheet | None) -> None:
        if sheet is None:
            say("  ".join(texts))
            return
        for name, choices in sheet.choices():
            say(f"{name}  {' | '.join(choices)}")

    def _print_moves(self) -> None:
        texts = [self._step_text(number) for number in range(1, self._sight.ply + 1)]
        say("  ".join(f"{number}. {text}" for number, text in enumerate(texts, start=1)) or "No turn has been played yet.")

    def _step_text(self, ply: int) -> str:
        before, actions = self._sight.state(ply - 1), self._sight.actions(ply)
        if not self.with_orders or CHANCE in actions or self._sight.is_leaving(ply) or len(actions) < len(self._sight.players(ply)):
            return self._sight.step_text(ply)
        return ", ".join(f"{before.game.player_names[seat]} {words_of(before, seat, action)}" for seat, action in actions.items())


def _action_texts(state: State, seat: int) -> list[str]:
    return [action.text for slot in range(state.game.dimensions.slots) for action in state.actions(seat, slot)]
