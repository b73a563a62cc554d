"""RoboDerby as a game: texts of actions and positions, what is said about a state, and what is told of a turn while it is executed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import ludarium
from ludarium.arena.play import play_game
from ludarium.core.game import State
from ludarium.core.record import read_record
from ludarium.errors import BadNotation, BadOption, BadRecord, IllegalAction
from ludarium.games.roboderby.game import RoboDerby
from tests.conftest import USUAL_CACHE, Python
from tests.games.roboderby.belt_tiles import BELT_TILES
from tests.games.roboderby.case import Case, read_case
from tests.games.roboderby.play import options_at_random, phase_of, play_some, step_at_random
from tests.games.roboderby.table import Table

BOARD = "start pits walls cross @ 0 90 180 270 N"
CHANCE = ludarium.CHANCE


def start(**options: Any) -> State:
    """Robots A of Blue and B of Orange at the north edge of the start tile, at the top left."""
    return RoboDerby(**{"board": BOARD, "marks": "fixed", **options}).start()


def programming(rolls: str, **options: Any) -> State:
    """Everybody runs, and the dice show the same."""
    state = start(**options)
    state = state.play(dict.fromkeys(state.to_move, "run"))
    while state.to_move == (CHANCE,):
        state = state.play(rolls)
    return state


def until(state: State, phase: str, seed: int) -> State:
    """A state of that phase in a random game."""
    choice = random.Random(seed)
    while not state.is_over:
        if phase_of(state) == phase:
            return state
        state = state.play(step_at_random(state, choice))
    raise AssertionError(f"no {phase} in the game of seed {seed}")


@pytest.mark.parametrize("seed", range(6))
def test_positions_of_players_who_have_left_are_read(seed: int) -> None:
    """Whatever the robot was: not yet placed, a wreck, at the finish, or running."""
    choice = random.Random(seed)
    options = options_at_random(choice, players=choice.choice((3, 4)), start_edge="choose" if seed % 2 else "random")
    for state in play_some(RoboDerby(**options).start(), choice, 150)[::3]:
        positions = [state]
        fields = json.loads(state.text)
        if fields["phase"] in ("shutdown", "program"):
            fields["robots"][0] |= {"status": "finished", "rank": 1, "square": None}
            with suppress(BadNotation):  # it has chosen dice, which a robot at the finish has not
                positions.append(state.game.parse(json.dumps(fields)))
        for one in positions:
            for player in range(state.game.players) if not one.is_over else ():
                after = one.without(player)
                assert state.game.parse(after.text) == after


def test_a_turn_in_texts() -> None:
    state = programming("1:1 2:2 3:3 4:6 5:5")
    assert state.to_move == (0, 1)
    assert [action.text for action in state.actions(0)] == ["1", "2", "3", "4", "5", "1n", "2n", "3n", "4n", "5n"]
    state = state.play({1: "2"})
    assert [action.text for action in state.actions(1)][-1] == "roll"
    with pytest.raises(IllegalAction, match=r"'roll' is not legal here; Blue may choose 1, 2, 3, 4, 5, 1n, 2n, 3n, 4n, 5n$"):
        state.play({0: "roll"})
    state = state.play({1: "roll"})
    assert state.outcomes()[0][0].text == "1:1 3:1 4:1 5:1"
    assert len(state.outcomes()) == 6**4
    state = state.play("1:3 3:1 4:1 5:1")
    for player, program in ((0, ("1", "5n", "3", "4")), (1, ("1", "3n", "4"))):
        for action in program:
            state = state.play({player: action})
    assert phase_of(state) == "shutdown"
    registers = json.loads(state.text)["registers"]
    assert registers == [["1:1", "5:5n", "3:3", "4:6"], ["2:2", "1:3", "3:1n", "4:1"]]


def test_where_players_choose_which_dice_roll() -> None:
    state = programming("1:1 2:2 3:3 4:6 5:5", reroll="any").play({0: "2"})
    rolls = [action.text for action in state.actions(0) if action.text.startswith("roll")]
    assert len(rolls) == 15
    assert rolls[0] == "roll 1"
    assert rolls[-1] == "roll 1 3 4 5"
    assert state.action("roll", 0).text == "roll 1 3 4 5"
    state = state.play({0: "roll 1 5"})
    assert [action.text for action, _ in state.outcomes()][:2] == ["1:1 5:1", "1:1 5:2"]
    state = state.play("1:6 5:6")
    assert state.record.dice[0].tolist() == [6, 0, 3, 6, 6]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("6", "'6' is not an action; write 1 \\(place the die of that number as a command\\)"),
        ("roll 6", "is not an action"),
        ("roll 1 1", "is not an action"),
        ("hack C", "is not an action"),
        ("edge X", "is not an action"),
        ("go", "is not an action"),
    ],
)
def test_what_is_no_action_is_refused_with_what_is(wrong: str, said: str) -> None:
    with pytest.raises(BadNotation, match=said):
        programming("1:1 2:2 3:3 4:6 5:5").play({0: wrong})


def test_an_action_at_the_wrong_time_is_refused_with_what_is_legal() -> None:
    begin = RoboDerby(reroll="any").start(seed=1)
    with pytest.raises(IllegalAction, match=r"'1' is not legal here; Blue may choose run, shutdown$"):
        begin.action("1", 0)
    rolled = begin.play({0: "run", 1: "shutdown"}).play("1:1 2:2 3:3 4:6 5:5").play("2N")
    with pytest.raises(IllegalAction, match=r"'roll 2' .* may choose 1, 3, 4, 5, 1n, 3n, 4n, 5n, roll with any of the dice in hand$"):
        rolled.play("roll 2")


def test_actions_may_be_typed_in_capital_and_small_letters() -> None:
    state = RoboDerby(players=3, hack_targets="chosen-one", start_edge="choose", board="start pits walls cross @ 0 0 0 0").start(seed=1)
    assert state.action("Edge n").text == "edge N"
    state = state.play("edge N")
    state = state.play(state.outcomes()[0][0])
    assert state.action("RUN", 0).text == "run"


def test_letters_that_nobody_has_cannot_be_hacked() -> None:
    state = RoboDerby(players=3, hack_targets="chosen-one").start(seed=1)
    with pytest.raises(BadNotation, match="is not an action"):
        state.action("hack D", 0)
    state = RoboDerby(players=1).start(seed=1)
    other = "AB"[1 - int(state.record.letter[0])]
    with pytest.raises(BadNotation, match=f"nobody has the letter {other}"):
        state.action(f"hack {other}", 0)


@pytest.mark.parametrize(
    ("phase", "wrong", "said"),
    [
        ("deal", "pits walls start", "is not one of: random, first-lap"),
        ("deal", "pits walls start croos", "did you mean cross"),
        ("deal", "pits walls start cross @ 0 45 180 270", "rotation '45'"),
        ("deal", "pits walls start cross @ 0 90 180 270 S", "the start edge is drawn later"),
        ("edge", "S", "no start edge"),
        ("letters", "letters A A", "write one of: letters A B, letters B A"),
        ("program", "1:4 2:6", "no roll of the dice that fall now; write die:face"),
        ("program", "1:7 2:6 3:1 4:1 5:1", "no roll of the dice"),
        ("roll-off", "A:17", "no roll-off between A, B"),
        ("roll-off", "A:19 B:x", "B's die 5: priority 'x' is not one of: 19, 20, 8, 9, 1, 28"),
    ],
)
def test_what_cannot_be_drawn_is_refused(phase: str, wrong: str, said: str) -> None:
    state = RoboDerby().start()
    if phase == "roll-off":
        state = tied()
    elif phase == "program":
        state = start()
        state = state.play(dict.fromkeys(state.to_move, "run"))
    else:
        state = until(state, phase, 0)
    with pytest.raises(BadNotation) as refused:
        state.play(wrong)
    assert said in str(refused.value)


def tied() -> State:
    """Both robots' first commands are F1 of die 1: on one column, the one would push the other."""
    text = json.loads(start().text)
    for robot, square in zip(text["robots"], ([1, 2], [1, 3]), strict=True):
        robot["square"] = square
    state = RoboDerby(board=BOARD, marks="fixed").parse(json.dumps(text)).play({0: "run", 1: "run"})
    while state.to_move == (CHANCE,):
        state = state.play("1:1 2:4 3:4 4:4 5:4")
    for player in range(2):
        for action in ("1", "2n", "3n", "4n"):
            state = state.play({player: action})
    return state


def test_a_roll_off_in_either_order_of_words() -> None:
    state = tied()
    assert phase_of(state) == "roll-off"
    assert state.action("B:19 A:20").text == "A:20 B:19"
    assert sum(probability for _, probability in state.outcomes()) == pytest.approx(1)
    assert len(state.outcomes()) == 36
    first_north = state.play("A:20 B:1")
    first_south = state.play("A:1 B:20")
    assert json.loads(first_north.text)["robots"][1]["square"] == [1, 5]
    assert json.loads(first_south.text)["robots"][1]["square"] == [1, 4]
    again = state.play("A:20 B:20")
    assert phase_of(again) == "roll-off"
    assert again != state
    assert "r1 of F1 NOOP(R) NOOP(R) NOOP(SL)" in state.game.facts(state)[1]


def change(path: tuple[Any, ...], value: Any) -> Callable[[dict[str, Any]], None]:
    def apply(text: dict[str, Any]) -> None:
        place: Any = text
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return apply


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (change(("phase",), "lunch"), "phase: 'lunch' is not one of: deal"),
        (change(("phase",), "deal"), "turn is 0"),
        (change(("turn",), 0), "turn is a whole number from 1 to 200, not 0"),
        (change(("turn",), True), "not true"),
        (change(("deal",), 5), "deal is a text"),
        (change(("deal",), "pits walls start"), "deal 'pits walls start'"),
        (change(("deal",), "pits start walls cross @ 0 90 180 270"), "this game is not played on"),
        (change(("start_edge",), "E"), "start_edge: 'E' is not one of: N, W"),
        (change(("start_edge",), "W"), "start_edge is N on this board"),
        (change(("rules",), {}), "this game is played with the options"),
        (change(("robots",), []), "robots is a list of 2"),
        (change(("robots", 0, "square"), [0, 12]), "row of the square is a whole number from 0 to 11"),
        (change(("robots", 0, "square"), [6, 0]), "nobody can stand on square [6,0]"),
        (change(("robots", 0, "square"), [4, 0]), "two stand on the same square"),
        (change(("robots", 0, "square"), None), "square is a list of 2"),
        (change(("robots", 0, "letter"), "B"), "the letters B B cannot be given out"),
        (change(("robots", 0, "health"), 0), "health is a whole number from 1 to 6, not 0"),
        (change(("robots", 0, "health"), 3), "with health 3, r3 is locked"),
        (change(("robots", 0, "heading"), "north"), "heading: 'north'"),
        (change(("robots", 0, "status"), "wreck"), "destroyed robots are back"),
        (change(("robots", 0, "lap"), 40_000), "lap is a whole number"),
        (change(("robots", 0, "rank"), 1), "rank is 0"),
        (change(("robots", 0, "colour"), 1), "a robot has heading"),
        (change(("registers", 0), ["1:1", "1:2", "", ""]), "die 1 is in two registers"),
        (change(("registers", 0), ["[1:1]", "", "", ""]), "r1 is not locked"),
        (change(("registers", 0), ["1:7", "", "", ""]), '"1:7" is no register'),
        (change(("dice", 0), [0, 0, 0, 0]), "dice of A is a list of 5"),
        (change(("dice", 0), [7, 0, 0, 0, 0]), "die 1 is a whole number from 0 to 6"),
        (change(("programming",), ["run", "run"]), "somebody has to choose"),
        (change(("execution",), {}), "execution is there in the phases hack and roll-off"),
        (change(("extra",), 1), "a state has the keys"),
        (change(("roll_offs",), 3), "roll_offs is 0"),
        (change(("programming",), ["run"]), "programming is a list of 2, not of 1"),
    ],
)
def test_a_wrong_text_is_refused_with_the_place(changed: Callable[[dict[str, Any]], None], said: str) -> None:
    text = json.loads(start().text)
    changed(text)
    with pytest.raises(BadNotation) as refused:
        start().game.parse(json.dumps(text))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_nested_text_is_refused() -> None:
    with pytest.raises(BadNotation, match="is no RoboDerby state"):
        start().game.parse("[" * 50_000)
    with pytest.raises(BadNotation, match=r"not none$"):
        start().game.parse("{}")
    with pytest.raises(BadNotation, match="robots is a list of 2, not an object"):
        start().game.parse(start().text.replace('"robots":[', '"robots":{"a":[').replace('],"rules"', ']},"rules"'))


def test_options_are_checked_with_what_they_name() -> None:
    with pytest.raises(BadOption, match=r"^roboderby: .*stand-inn"):
        RoboDerby(dice="stand-inn")
    with pytest.raises(BadOption, match="roboderby: board"):
        RoboDerby(board="nowhere")


def test_what_is_said_about_a_state() -> None:
    state = start()
    assert state.game.facts(state) == (
        "Turn 1 of 200",
        "Blue (A): health 6, tile 1 of 4",
        "Orange (B): health 6, tile 1 of 4",
    )
    assert state.game.show.measures_of(state) == {"Health": (6.0, 6.0), "Tiles of the lap": (0.0, 0.0)}
    assert state.game.show.text_of(state, {0: state.action("run", 0)}) == "Blue: run"
    assert state.game.secrets.words(state, 0) == "Blue has decided whether to shut down"
    state = state.play({0: "run", 1: "run"})
    outcome = state.outcomes()[0][0]
    assert state.game.show.text_of(state, {CHANCE: outcome}) == "Blue rolls 1:1 2:1 3:1 4:1 5:1"
    assert state.game.secrets.words(state, CHANCE) == "Blue rolls behind a screen"


def test_a_race_alone_ends_at_the_finish() -> None:
    state = RoboDerby(players=1, variant="s-race", board="start pits walls cross", marks="fixed").start()
    text = json.loads(state.text)
    text["robots"][0]["square"] = [16, 1]
    text["robots"][0]["heading"] = "S"
    state = state.game.parse(json.dumps(text)).play("run").play("1:1 2:4 3:4 4:4 5:4")
    for action in ("1", "2n", "3n"):
        state = state.play(action)
        assert not state.is_over
    state = state.play("4n")
    assert state.is_over
    assert state.returns == (1.0,)
    assert state.outcome is not None
    assert state.outcome.reason == "Blue (A) arrived on the marker in 1 turn"


def told(state: State, most: int, seed: int) -> tuple[list[State], list[list[dict[str, Any]]]]:
    """A random game, and what is told of each of its steps."""
    choice = random.Random(seed)
    states, events = [state], []
    while not states[-1].is_over and len(states) <= most:
        step = step_at_random(states[-1], choice)
        actions = {player: states[-1].action(one, player) for player, one in step.items()}
        events.append([dict(event.data) | {"text": event.text} for event in states[-1].events(actions)])
        states.append(states[-1].play(actions))
    return states, events


def follow(state: State, events: list[dict[str, Any]]) -> list[list[Any]]:
    """Where robots stand, how they look and how healthy they are after what is told, by the words alone."""
    record = state.record
    robots = [[int(field[player]) for field in (record.square, record.heading, record.health)] for player in range(state.game.players)]
    for event in events:
        robot = robots[event["robot"]] if "robot" in event else []
        if event["kind"] in ("move", "push", "carry"):
            assert robot[0] == event["from"]
            robot[0] = event["to"]
        elif event["kind"] == "turn":
            assert robot[1] == event["from"]
            robot[1] = event["heading"]
        elif event["kind"] in ("fall", "finish"):
            robot[0] = -1
        elif event["kind"] in ("damage", "heal"):
            robot[2] = event["health"]
        elif event["kind"] == "respawn":
            robot[:] = [event["to"], event["heading"], 6]
        elif event["kind"] == "fire":
            assert (robot[0], robot[1]) == (event["from"], event["direction"]), "lasers fire from where robots stand"
            if "target" in event:
                assert robots[event["target"]][0] == event["squares"][-1]
        elif event["kind"] == "beam":
            assert robots[event["target"]][0] == event["squares"][-1]
            assert not {one[0] for one in robots} & set(event["squares"][:-1]), "the first robot in the line is hit"
    return robots


@pytest.mark.parametrize("tiles", ["stand-in", "belts"])
@pytest.mark.parametrize("seed", range(8))
def test_what_is_told_leads_to_the_true_position(seed: int, tiles: str) -> None:
    choice = random.Random(seed)
    state = RoboDerby(**options_at_random(choice, tiles=BELT_TILES if tiles == "belts" else tiles)).start(seed=seed)
    states, events = told(until(state, "shutdown", seed), 150, seed)
    kinds: set[str] = set()
    for before, after, things in zip(states, states[1:], events, strict=False):
        kinds |= {thing["kind"] for thing in things}
        if any(thing["kind"] == "scrap" for thing in things):
            continue  # scrap is removed between the turns, without a word
        assert follow(before, things) == [
            [int(field[player]) for field in (after.record.square, after.record.heading, after.record.health)]
            for player in range(after.game.players)
        ]
        assert all(thing["text"] for thing in things)
    assert kinds >= {"program", "register", "order", "move", "turn", "fire", "end-of-turn"}
    assert ("carry" in kinds) == (tiles == "belts")
    assert "beam" not in kinds or tiles == "belts"


def only_belts_and_lasers(*squares: list[int], **options: Any) -> list[dict[str, Any]]:
    """What is told of the first register after the programs: the robots start on these squares, and all of their dice are NO-OPs."""
    state = start(tiles=BELT_TILES, board="start rollers chutes sorter @ 0 90 0 180 N", **options)
    text = json.loads(state.text)
    for robot, square in zip(text["robots"], squares, strict=True):
        robot["square"] = square
    state = state.game.parse(json.dumps(text)).play({0: "run", 1: "run"})
    while state.to_move == (CHANCE,):
        state = state.play("1:1 2:4 3:4 4:4 5:4")
    for die in ("1n", "2n", "3n"):
        state = state.play({0: die, 1: die})
    events = [dict(event.data) | {"text": event.text} for event in state.events({0: "4n", 1: "4n"})]
    second = next(number for number, event in enumerate(events) if event.get("register") == 2)
    return [event for event in events[:second] if event["kind"] in ("carry", "fall", "beam", "damage")]


def test_belts_and_lasers_of_the_board_in_words() -> None:
    pit, edge = {"kind": "fall", "robot": 0, "from": 7 * 12 + 1, "to": 8 * 12 + 1, "direction": 2, "belt": True}, 11 * 12 + 11
    assert only_belts_and_lasers([1, 7], [6, 1]) == [
        {**pit, "text": "A belt carries Blue (A) into a pit"},
        {"kind": "carry", "robot": 1, "from": 12 + 6, "to": 6, "direction": 0, "text": "A belt carries Orange (B) north"},
        {"kind": "beam", "direction": 3, "squares": [11, 10, 9, 8, 7, 6], "target": 1, "text": "A laser of the board hits Orange (B)"},
        {"kind": "damage", "robot": 1, "health": 5, "hits": 1, "text": "Orange (B) has health 5"},
    ]
    assert only_belts_and_lasers([3, 8], [11, 11], pit_edges="on") == [
        {
            "kind": "fall",
            "robot": 1,
            "from": edge,
            "to": None,
            "direction": 1,
            "belt": True,
            "text": "A belt carries Orange (B) off the board",
        },
        {
            "kind": "beam",
            "direction": 3,
            "squares": [8 * 12 + 5, 8 * 12 + 4, 8 * 12 + 3],
            "target": 0,
            "text": "A laser of the board hits Blue (A)",
        },
        {"kind": "damage", "robot": 0, "health": 5, "hits": 1, "text": "Blue (A) has health 5"},
    ]


class ToldTable(Table):
    """Notes what is told while a case is played."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.told: list[dict[str, Any]] = []

    def play(self, choice: Any) -> None:
        actions = choice if isinstance(choice, dict) else {self.state.to_move[0]: choice}
        self.told += [dict(event.data) for event in self.state.events(actions)]
        super().play(choice)


def test_a_beam_that_meets_a_wreck_hits_nobody_and_is_not_told() -> None:
    """Nor does it go on to whoever stands behind the wreck."""
    text = "Rule 45: A beam\n\nlasers:\n(3,2) E\n\nrobots:\nA (4,2) N health 1 mat [L:8] [L:6] [L:2] [SL:13]\nB (5,2) N\n\nturn:\nB NOOP NOOP NOOP NOOP\n"
    case = read_case("beam", text)
    table = ToldTable(case)
    table.play_turn(case.events[0])
    kinds = [event["kind"] for event in table.told]
    assert kinds.count("scrap") == kinds.count("beam") == kinds.count("damage") == 1
    assert [event["target"] for event in table.told if event["kind"] == "beam"] == [0]
    assert kinds.count("register") == 4


def test_nothing_is_told_of_programs_before_all_are_locked_in() -> None:
    states, events = told(start(), 60, 3)
    for before, after, things in zip(states, states[1:], events, strict=False):
        executed = (
            phase_of(before) in ("hack", "roll-off")
            or int(after.record.turn) > int(before.record.turn)
            or phase_of(after) in ("hack", "roll-off")
        )
        if not executed:
            assert {thing["kind"] for thing in things} <= {"shutdown", "heal", "lock", "unlock"}
            assert not things or phase_of(before) == "shutdown"


def test_all_told_in_many_games_has_words() -> None:
    kinds: set[str] = set()
    for seed in range(12):
        options = options_at_random(random.Random(100 + seed), players=3 + seed % 2, tiles=BELT_TILES if seed % 3 == 0 else "stand-in")
        for state in play_some(RoboDerby(**options).start(seed=seed), random.Random(seed), 0):
            kinds |= {thing["kind"] for things in told(state, 250, seed)[1] for thing in things}
    words = "push carry bump fall hack waste skip idle beam damage lock unlock heal respawn shutdown"
    assert kinds >= set(words.split())


def test_a_race_of_one_turn_ends_in_the_singular() -> None:
    state = RoboDerby(turn_limit=1, board="furnace").start(seed=1).play({0: "shutdown", 1: "shutdown"})
    assert state.is_over
    assert state.outcome is not None
    assert state.outcome.reason == "1 turn was played and nobody has finished"


def test_records_from_before_walls_on_the_rim_stood_in_pits(tmp_path: Path) -> None:
    """Version 1 let robots fall there: its records are replayed where there is no such wall, and refused in one line where there may be."""
    for number, (tiles, edges, plays) in enumerate((("stand-in", "on", True), ("foundry", "off", True), ("foundry", "on", False))):
        path = tmp_path / f"{number}.jsonl"
        play_game(RoboDerby(tiles=tiles, pit_edges=edges, turn_limit=3), ["random", "random"], seed=number, record=path)
        path.write_text(path.read_text(encoding="utf-8").replace('"version":2', '"version":1'), encoding="utf-8")
        assert read_record(path).header.version == 1
        if plays:
            assert read_record(path).replay().state.is_over
        else:
            with pytest.raises(BadRecord, match="played by version 1 of the rules of roboderby; these are version 2"):
                read_record(path).replay()
    assert not RoboDerby().plays_like(3)


def test_a_position_is_read_without_compiling_turns_and_solving_nothing(python: Python) -> None:
    """Whichever kernel is needed would be loaded, or compiled."""
    text = programming("1:1 2:2 3:3 4:6 5:5", players=1).text
    read = f"""
import sys, ludarium
from ludarium.core.cache import Cache
load, needed = Cache.load_overload, set()
Cache.load_overload = lambda self, *signature: needed.add(self._function.__name__) or load(self, *signature)
state = ludarium.game("roboderby", players=1, board={BOARD!r}, marks="fixed").parse({text!r})
print(state.text == {text!r}, *sorted(needed), *[name for name in sys.modules if "roboderby.solo" in name])
"""
    assert python(read, NUMBA_CACHE_DIR=USUAL_CACHE).stdout.split() == ["True", "set_up_face", "to_move_face"]
