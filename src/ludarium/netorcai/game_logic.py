"""A game logic of this process as a program of its own: it serves any orchestrator over TCP, the original one included."""

from __future__ import annotations

from typing import Any

from ludarium.errors import ProtocolError

from .client import Channel, field, log_in
from .logic import GameLogic, State, state_text
from .messages import FINISHED, GAME_LOGIC, PlayerActions
from .wire import frame


def serve_logic(logic: GameLogic, host: str, port: int, *, nickname: str, timeout: float | None = None) -> None:
    """Play one game as the game logic, from the login to its end. The other parameters are those of :func:`.client.join`.

    Raises:
        ProtocolError: ``unreachable``, ``lost``, ``kicked`` (the text is the reason; not at the regular end of a game) or ``bad_message``.
        Exception: whatever the logic raises.
    """
    with Channel(host, port, timeout=timeout) as channel:
        log_in(channel, nickname, GAME_LOGIC)
        fields = channel.receive_message("DO_INIT")
        state = logic.initial_state(field(fields, "nb_players"), field(fields, "nb_special_players"), field(fields, "nb_turns_max"))
        channel.send(_do_init_ack(state))
        while True:
            fields = channel.receive_message("DO_TURN", "KICK")
            if fields["message_type"] == "KICK":
                if (reason := field(fields, "kick_reason")) == FINISHED:
                    return
                raise ProtocolError("kicked", str(reason))
            state, winner = logic.turn([_player_actions(one) for one in field(fields, "player_actions")])
            channel.send(_do_turn_ack(state, winner))


def _player_actions(fields: dict[str, Any]) -> PlayerActions:
    return PlayerActions(field(fields, "player_id"), field(fields, "turn_number"), field(fields, "actions"))


def _do_init_ack(state: State) -> bytes:
    return frame(b'{"message_type":"DO_INIT_ACK","initial_game_state":{"all_clients":%b}}' % state_text(state))


def _do_turn_ack(state: State, winner: int) -> bytes:
    return frame(b'{"message_type":"DO_TURN_ACK","winner_player_id":%d,"game_state":{"all_clients":%b}}' % (winner, state_text(state)))
