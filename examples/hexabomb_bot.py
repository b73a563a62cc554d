"""A bot for hexabomb: python hexabomb_bot.py [HOST [PORT]], after pip install netorcai. Every character goes to a free cell beside it, unpainted ones first."""

import sys

import netorcai.client

STEPS = {"x+": (1, 0), "y+": (1, -1), "z+": (0, -1), "x-": (-1, 0), "y-": (-1, 1), "z-": (0, 1)}
bot = netorcai.client.Client()
bot.connect(*sys.argv[1:2] or ["localhost"], int((sys.argv[2:] or ["4242"])[0]))
bot.send_login("painter", "player")
bot.read_login_ack()
game = bot.read_game_starts()
for _ in range(game.nb_turns_max - 1):
    turn = bot.read_turn()
    board = {(cell["q"], cell["r"]): cell["color"] == game.player_id + 1 for cell in turn.game_state["cells"]}
    for thing in turn.game_state["bombs"] + [one for one in turn.game_state["characters"] if one["alive"]]:
        board[thing["q"], thing["r"]] = 2  # nobody can go there
    orders = []
    for me in (one for one in turn.game_state["characters"] if one["color"] == game.player_id + 1):
        _, way = min((board.get((me["q"] + q, me["r"] + r), 2), way) for way, (q, r) in STEPS.items())
        orders.append({"id": me["id"], "movement": "move", "direction": way} if me["alive"] else {"id": me["id"], "movement": "revive"})
    bot.send_turn_ack(turn.turn_number, orders)
print("The winner is player", bot.read_game_ends().winner_player_id)
