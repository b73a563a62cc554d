"""A bot for GAME TITLE. Ludarium's docs/bots.md describes what it reads and answers: hello, game, turn and result."""

import json
import random
import sys


# Your idea goes here: return one of the legal actions, turn["actions"].  # [one]
# Your idea goes here: return a list with one of the legal actions of each order in turn["orders"].  # [orders]
# turn["position"] is the board as a text (docs/notation.md), turn["events"] tells what has happened, and game["seat"] is your number.
def choose(game, turn):
    return random.choice(turn["actions"])  # [one]
    return [random.choice(order["actions"]) for order in turn["orders"]]  # [orders]


def answer(**message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer(type="ready", name="BOT NAME", send=["actions"])
    elif message["type"] == "game":
        game = message
        random.seed(game["seed"])  # the same seed, the same choices
    elif message["type"] == "turn":
        answer(type="action", action=choose(game, message))
