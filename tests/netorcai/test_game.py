"""Whole games: who is asked when, whose answers count where, and what is told to observers."""

from __future__ import annotations

import json

import pytest

from ludarium.errors import BadOption, ProtocolError
from ludarium.netorcai.events import Aborted, GameEnded, GameStarted, OrderRejected, PlayersChanged, TurnPlayed
from ludarium.netorcai.orchestrator import MOST_REJECTIONS, MOST_STRANGERS
from ludarium.netorcai.waiting import GRACE
from tests.netorcai.lab import Counter, Lab, Peer, seed_for_login_order


def started(**settings: object) -> tuple[Lab, Counter, list[Peer]]:
    """A game of an object of this process in which the first TURN has been sent; the first login is player 0."""
    logic = Counter()
    lab = Lab(logic=logic, seed=seed_for_login_order(int(str(settings.get("players", 2)))), **settings)
    peers = [lab.log_in(nickname=f"n{number}") for number in range(lab.orchestrator.settings.players)]
    peers += [lab.log_in("visualization") for _ in range(lab.orchestrator.settings.visualizations)]
    lab.orchestrator.start()
    lab.first_turn()
    for peer in peers:
        assert [message["message_type"] for message in peer.read()] == ["GAME_STARTS", "TURN"]
    return lab, logic, peers


def turns(peer: Peer) -> list[int]:
    """The numbers of all TURNs since the last time, and nothing else."""
    return [message["turn_number"] for message in peer.read()]


# Numbering.


def test_the_last_answer_shows_only_in_the_end() -> None:
    lab, logic, (peer, _) = started(turns=3)
    peer.ack(0, "a")
    lab.next_turn()
    assert peer.read_one() == {"message_type": "TURN", "turn_number": 1, "game_state": {"turns": 2}, "players_info": []}
    peer.ack(1, "b")
    lab.next_turn()
    assert peer.read() == [
        {"message_type": "GAME_ENDS", "winner_player_id": -1, "game_state": {"turns": 3}},
        {"message_type": "KICK", "kick_reason": "Game is finished"},
    ]
    assert logic.seen() == [[], [(0, 0)], [(0, 1)]]
    assert logic.turns[2][0].actions == ["b"]
    assert lab.codes == [0]


def test_a_game_of_one_turn_has_no_turn_message() -> None:
    logic = Counter()
    lab = Lab(logic=logic, players=1, turns=1)
    peer = lab.log_in()
    lab.orchestrator.start()
    lab.first_turn()
    assert [message["message_type"] for message in peer.read()] == ["GAME_STARTS", "GAME_ENDS", "KICK"]
    assert logic.seen() == [[]]


def test_special_players_come_first_and_in_order() -> None:
    logic = Counter()
    lab = Lab(logic=logic, players=3, special_players=2, autostart=True)
    roles = ["player", "special player", "player", "special player", "player"]
    peers = [lab.log_in(role) for role in roles]
    starts = [peer.read()[0] if peer is not peers[-1] else None for peer in peers[:-1]]
    ids = [start["player_id"] for start in starts if start is not None]
    assert (ids[1], ids[3]) == (0, 1)
    assert {ids[0], ids[2]} < {2, 3, 4}
    assert starts[0] is not None
    assert (starts[0]["nb_players"], starts[0]["nb_special_players"]) == (3, 2) == logic.begun[:2]  # type: ignore[index]


def test_the_seed_decides_who_is_who() -> None:
    def ids(seed: int) -> tuple[int, ...]:
        lab = Lab(logic=Counter(), players=4, seed=seed)
        peers = [lab.log_in() for _ in range(4)]
        lab.orchestrator.start()
        return tuple(peer.read_one()["player_id"] for peer in peers)

    assert ids(5) == ids(5)
    assert len({ids(seed) for seed in range(40)}) > 10


# Timers mode.


def test_turns_come_at_their_times() -> None:
    lab, logic, (peer, _) = started(delay_turns=200)
    lab.clock.advance(0.19)
    assert (turns(peer), len(logic.turns)) == ([], 1)
    lab.clock.advance(0.01)
    assert len(logic.turns) == 2


def test_delays_may_have_fractions_and_clients_read_them() -> None:
    lab = Lab(logic=Counter(), players=1, delay_first_turn=62.5, delay_turns=100.0)
    player = lab.log_in()
    lab.orchestrator.start()
    start = next(message for message in player.read() if message["message_type"] == "GAME_STARTS")
    assert json.dumps([start["milliseconds_before_first_turn"], start["milliseconds_between_turns"]]) == "[62.5, 100]"


def test_answers_count_in_the_order_of_their_arrival() -> None:
    lab, logic, peers = started(players=3)
    for number in (2, 0, 1):
        peers[number].ack(0)
    lab.next_turn()
    assert logic.seen()[1] == [(2, 0), (0, 0), (1, 0)]


def test_a_second_answer_replaces_the_first_and_moves_to_the_end() -> None:
    lab, logic, (late, other) = started()
    lab.next_turn()  # turn 1 waits for the late one
    late.ack(0, "old")
    assert turns(late) == [1]
    other.ack(0)
    late.ack(1, "new")
    lab.next_turn()
    assert [(one.player_id, one.turn_number, one.actions) for one in logic.turns[2]] == [(1, 0, []), (0, 1, ["new"])]


def test_a_late_player_gets_only_the_newest_turn() -> None:
    lab, logic, (late, _) = started()
    for _ in range(3):
        lab.next_turn()
    assert turns(late) == []
    late.ack(0, "late")
    assert turns(late) == [3]
    lab.next_turn()
    assert logic.seen()[4] == [(0, 0)]


def test_an_answer_while_the_logic_computes_counts_in_the_next_turn() -> None:
    """What the original loses."""
    lab = Lab(players=1)
    player, logic = lab.log_in(), lab.log_in("game logic")
    lab.orchestrator.start()
    logic.send(message_type="DO_INIT_ACK", initial_game_state={"all_clients": {}})
    lab.first_turn()
    logic.send(message_type="DO_TURN_ACK", winner_player_id=-1, game_state={"all_clients": {}})
    lab.next_turn()
    logic.read()
    player.ack(0, "in time")  # DO_TURN is out already
    logic.send(message_type="DO_TURN_ACK", winner_player_id=-1, game_state={"all_clients": {}})
    lab.next_turn()
    assert logic.read_one()["player_actions"] == [{"player_id": 0, "turn_number": 0, "actions": ["in time"]}]


def test_whoever_leaves_right_after_an_answer_is_still_heard() -> None:
    lab, logic, (leaving, _) = started()
    leaving.ack(0, "last")
    leaving.leave()
    lab.next_turn()
    lab.next_turn()
    assert logic.seen()[1:] == [[(0, 0)], []]


def test_a_game_goes_on_without_any_player() -> None:
    lab, logic, peers = started(turns=4)
    for peer in peers:
        peer.leave()
    for _ in range(3):
        lab.next_turn()
    assert lab.codes == [0]
    assert len(logic.turns) == 4


# Fast mode.


def test_fast_mode_waits_for_all_players_and_no_longer() -> None:
    lab, logic, (first, second) = started(fast=True)
    first.ack(0)
    lab.clock.advance(5)
    assert len(logic.turns) == 1
    second.ack(0)
    lab.clock.advance()
    assert logic.seen() == [[], [(0, 0), (1, 0)]]


def test_fast_mode_skips_a_silent_player_after_the_timeout() -> None:
    lab, logic, (active, silent) = started(fast=True, turn_timeout=4)
    active.ack(0)
    lab.clock.advance(3.99)
    assert turns(active) == []
    lab.clock.advance(0.01)
    assert turns(active) == [1]
    active.ack(1)
    lab.clock.advance(2)  # half as long for whoever missed a turn
    assert turns(active) == [2]
    silent.ack(0, "awake")
    assert turns(silent) == [2]
    active.ack(2)
    lab.clock.advance(3.99)  # and again the whole time for whoever answers
    assert turns(active) == []
    silent.ack(2)
    lab.clock.advance()
    assert turns(active) == turns(silent) == [3]
    assert logic.seen()[3] == [(0, 2), (1, 2)]
    active.ack(3)
    lab.clock.advance(3.99)  # in the turns that follow too
    assert turns(active) == []
    lab.clock.advance(0.01)
    assert turns(active) == [4]


def test_a_dead_player_costs_the_others_little() -> None:
    lab, _, (active, _) = started(fast=True, turns=60, turn_timeout=10)
    active.ack(0)
    while not lab.codes:
        lab.clock.advance(0.01)
        for message in active.read():
            if message["message_type"] == "TURN":
                active.ack(message["turn_number"])
    assert lab.clock.now < 21


def test_fast_mode_gives_visualizations_a_moment_and_no_more() -> None:
    lab, logic, (player, viewer) = started(fast=True, players=1, visualizations=1, turns=50)
    player.ack(0)
    lab.clock.advance()
    assert len(logic.turns) == 1
    lab.clock.advance(GRACE)
    assert turns(player) == [1]
    player.ack(1)
    lab.clock.advance()  # it has not answered turn 0 yet: nobody waits for it
    assert turns(player) == [2]
    viewer.ack(0)
    assert turns(viewer) == [2]


def test_fast_mode_ends_without_players() -> None:
    lab, logic, peers = started(fast=True, turns=30)
    for peer in peers:
        peer.leave()
    lab.clock.advance()
    assert lab.codes == [0]
    assert len(logic.turns) == 30


# Those who do not read.


@pytest.mark.parametrize("fast", [False, True])
def test_a_client_that_stops_reading_holds_nobody_up(fast: bool) -> None:
    lab, logic, (player, stalled) = started(fast=fast, players=1, visualizations=1, turns=1000)
    stalled.stall()
    stalled.ack(0)  # its TURN goes into the network as far as it takes it
    for number in range(200):
        player.ack(number)
        lab.clock.advance(GRACE) if fast else lab.next_turn()
        assert turns(player) == [number + 1]
    assert len(stalled.wire.unsent) < 300  # one TURN, whatever the game did
    stalled.catch_up()
    assert turns(stalled) == [1]
    stalled.ack(1)
    assert turns(stalled) == [200]
    assert len(logic.turns) == 201


def test_a_client_that_answers_without_reading_is_sent_one_turn_at_a_time() -> None:
    lab, _, (_, rude) = started(players=2, turns=1000)
    rude.stall()
    rude.ack(0)
    lab.next_turn()
    rude.ack(1)  # it guesses the number of what it has not read
    for _ in range(20):
        lab.next_turn()
    assert len(rude.wire.unsent) < 300
    rude.catch_up()
    assert turns(rude) == [1, 21]


# Strangers.


def test_strangers_push_each_other_out_but_nobody_who_logged_in() -> None:
    lab = Lab(players=2)
    player = lab.log_in()
    strangers = [lab.connect() for _ in range(MOST_STRANGERS + 5)]
    assert [peer.connection.is_open for peer in strangers] == [False] * 5 + [True] * MOST_STRANGERS
    assert player.connection.is_open


def test_a_visualization_may_come_after_the_start_and_gets_nothing_but_the_end() -> None:
    lab, _, _ = started(players=1, visualizations=0, turns=2)
    lab.orchestrator.settings.visualizations = 1
    late = lab.log_in("visualization")
    lab.next_turn()
    assert late.read_kick() == "Game is finished"


# The operator.


def test_a_start_by_itself_needs_everybody() -> None:
    lab = Lab(players=1, special_players=1, visualizations=1, autostart=True)
    for role in ("player", "special player", "visualization"):
        lab.log_in(role)
        assert not lab.orchestrator.has_started
    logic = lab.connect()
    logic.send(message_type="LOGIN", nickname="gl", role="game logic", metaprotocol_version="2.0.0")
    assert [message["message_type"] for message in logic.read()] == ["LOGIN_ACK", "DO_INIT"]


def test_a_game_cannot_be_started_twice() -> None:
    lab, _, _ = started()
    with pytest.raises(ProtocolError, match="already been started"):
        lab.orchestrator.start()


def test_a_game_logic_that_leaves_the_lobby_makes_room_for_another() -> None:
    lab = Lab(players=1, autostart=True)
    lab.log_in("game logic").leave()
    player = lab.log_in()
    assert not lab.orchestrator.has_started
    lab.log_in("game logic", "second")
    assert lab.orchestrator.has_started
    assert player.connection.is_open


def test_a_game_logic_that_speaks_twice_ends_the_game() -> None:
    lab = Lab(players=1)
    player, logic = lab.log_in(), lab.log_in("game logic")
    lab.orchestrator.start()
    for _ in range(2):
        logic.send(message_type="DO_INIT_ACK", initial_game_state={"all_clients": {}})
    assert "nothing was asked" in logic.read()[-1]["kick_reason"]
    assert player.read()[-1] == {"message_type": "KICK", "kick_reason": "netorcai abort"}
    assert lab.codes == [1]


class Broken(Counter):
    def turn(self, players_actions: object) -> tuple[dict[str, int], int]:
        raise BadOption("no such map")


def test_an_object_that_fails_ends_the_game_and_is_kept() -> None:
    lab = Lab(logic=Broken(), players=1)
    player = lab.log_in()
    lab.orchestrator.start()
    lab.first_turn()
    assert player.read()[-1] == {"message_type": "KICK", "kick_reason": "netorcai abort"}
    assert lab.codes == [1]
    assert str(lab.orchestrator.failure) == "no such map"
    assert lab.events[-1] == Aborted("Game logic failed: no such map")


# Observers.


def test_observers_are_told_everything() -> None:
    lab, _, (peer, other) = started(turns=2)
    peer.ack(0, "x")
    other.leave()
    lab.orchestrator.reject(0, "no such character")
    lab.next_turn()
    kinds = [type(event) for event in lab.events]
    assert kinds == [*[PlayersChanged] * 3, GameStarted, TurnPlayed, PlayersChanged, OrderRejected, TurnPlayed, GameEnded]
    changed = lab.events[5]
    assert isinstance(changed, PlayersChanged)
    assert [(one.player_id, one.nickname, one.is_connected) for one in changed.players] == [(0, "n0", True), (1, "n1", False)]
    assert lab.events[6] == OrderRejected(0, "no such character")
    played = lab.events[7]
    assert isinstance(played, TurnPlayed)
    assert (played.number, played.state, played.winner) == (1, {"turns": 2}, -1)
    assert [one.actions for one in played.players_actions] == [["x"]]
    assert lab.events[8] == GameEnded(-1, {"turns": 2})


def test_an_observer_that_fails_does_not_disturb_the_game() -> None:
    lab, logic, _ = started(turns=3)
    lab.orchestrator.observe(lambda event: 1 / 0)
    lab.next_turn()
    lab.next_turn()
    assert lab.codes == [0]
    assert len(logic.turns) == 3


def test_the_log_names_whose_orders_are_rejected_and_is_not_flooded(caplog: pytest.LogCaptureFixture) -> None:
    lab, _, _ = started()
    caplog.clear()
    with caplog.at_level("INFO", "ludarium.netorcai"):
        for number in range(1000):
            lab.orchestrator.reject(1, f"reason {number}")
        lab.next_turn()
        lab.orchestrator.reject(1, "again")
    logged = [record.__dict__["fields"] for record in caplog.records]
    assert logged[0] == {"player_id": 1, "nickname": "n1", "reason": "reason 0"}
    assert logged[-1]["reason"] == "again"
    assert len(logged) == MOST_REJECTIONS + 2
    assert len([event for event in lab.events if isinstance(event, OrderRejected)]) == 1001
