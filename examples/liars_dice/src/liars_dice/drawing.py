"""Pictures of Liar's Dice: SVG for pages and notebooks, text for terminals. Whoever looks sits in the last row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludarium.core.drawing import Palette, svg_element
from ludarium.core.rules import CHANCE

from .notation import SEATS, bid_of, faces_of
from .rules import FACES

if TYPE_CHECKING:
    from rich.text import Text

    from ludarium.core.game import State

__all__ = ["board", "svg"]

PALETTE = Palette(
    "liars-dice",
    {
        "paper": ("#f6f3ec", "#1c1b19"),
        "row": ("#ffffff", "#272522"),
        "ink": ("#2b2a27", "#ece8df"),
        "dim": ("#6b675d", "#a8a294"),
        "line": ("#b9b4a7", "#57534a"),
        "die": ("#fffdf8", "#35322d"),
        "cup": ("#9a5b34", "#b87a4f"),
        "turn": ("#1d4ed8", "#7cb0ff"),
        "counts": ("#f7d774", "#8a6a12"),
    },
)
RULES = {
    ".paper": PALETTE.paint("fill", "paper"),
    ".row, .liars-dice .button": f"{PALETTE.paint('fill', 'row')};{PALETTE.paint('stroke', 'line')}",
    ".turn": f"{PALETTE.paint('stroke', 'turn')};stroke-width:3",
    ".arrow": PALETTE.paint("fill", "turn"),
    "text": f"{PALETTE.paint('fill', 'ink')};font:16px Figtree,system-ui,sans-serif;text-anchor:middle",
    ".name": "font-weight:600;text-anchor:start",
    ".dim": f"{PALETTE.paint('fill', 'dim')};font-size:16px;text-anchor:start",
    ".cup": PALETTE.paint("fill", "cup"),
    ".rim": f"{PALETTE.paint('stroke', 'cup')};stroke-width:5;stroke-linecap:round",
    ".die": f"{PALETTE.paint('fill', 'die')};{PALETTE.paint('stroke', 'ink')};stroke-width:1.5",
    ".counts": f"{PALETTE.paint('fill', 'counts')};stroke-width:3.5",
    ".hidden": f"fill:none;{PALETTE.paint('stroke', 'dim')};stroke-width:1.5;stroke-dasharray:4 3",
    ".pip": PALETTE.paint("fill", "ink"),
    ".off": "opacity:0.35",
}
STYLE = PALETTE.schemes + "".join(f".liars-dice {what}{{{how}}}" for what, how in RULES.items())
WIDTH, ROW = 480, 64
PIPS = ("4", "08", "048", "0268", "02468", "023568")
"""Where the pips of each face are, on a grid of 3×3."""


def svg(state: State, *, size: int, seat: int) -> str:
    """A row with a cup for each player, then what can be bid: a number of dice and a face, or ``liar``."""
    players = state.game.players
    rows = [_row(state, (seat + 1 + at) % players, 8 + ROW * at) for at in range(players)]
    buttons, height = _buttons(state, 16 + ROW * players)
    paper = f'<rect class="paper" width="{WIDTH}" height="{height}" rx="14"/>'
    content = "".join([paper, *rows, *buttons])
    return svg_element("liars-dice", size, (0, 0, WIDTH, height), "Liar's Dice", STYLE, content)


def _buttons(state: State, top: int) -> tuple[list[str], int]:
    """What can be picked, from ``top`` on, and where it ends. What is of no use now is faint."""
    record, most = state.record, state.game.players * state.game.tables.dice
    turn = len(state.to_move) == 1 and state.to_move != (CHANCE,)
    numbers = range(bid_of(int(record.bid) + 1)[0], int(record.left.sum()) + 1) if turn else range(0)
    columns = max(5, 2 * state.game.tables.dice)
    width = (WIDTH - 16) / columns
    buttons: list[str] = []
    for number in range(1, most + 1):
        x, y = 10 + width * ((number - 1) % columns), top + 2 + 42 * ((number - 1) // columns)
        text = f'<text x="{x + width / 2 - 2:g}" y="{y + 24}">{number}×</text>'
        buttons.append(_button(number in numbers, f"{number}x", f"bid {number} dice", x, y, width - 4, text, "of which face?"))
    top += 42 * -(-most // columns) + 6
    for face in range(1, FACES + 1):
        x = 58 * face - 48
        buttons.append(_button(len(numbers) > 0, f"x{face}", f"of face {face}", x, top, 54, _die(face, x + 11, top + 3, "die")))
    x, text = 58 * FACES + 10, f'<text x="{29 * FACES + WIDTH // 2}" y="{top + 24}">Liar!</text>'
    buttons.append(_button(turn and record.bid > 0, "liar", "call the last bid a lie", x, top, WIDTH - 10 - x, text))
    return buttons, top + 48


def _button(active: bool, pick: str, label: str, x: float, y: int, width: float, content: str, ask: str = "") -> str:
    corners = [f"a8 8 0 0 1 {to}" for to in ("8 8", "-8 8", "-8 -8", "8 -8")]
    outline = f"M{x + 8:g} {y}h{width - 16:g}{corners[0]}v22{corners[1]}h{16 - width:g}{corners[2]}v-22{corners[3]}z"
    shape = f'<path data-shape="" class="button" d="{outline}"/>{content}'
    asks = f' data-ask="{ask}"' if ask else ""
    return f'<g data-pick="{pick}" aria-label="{label}"{asks}>{shape}</g>' if active else f'<g class="off">{shape}</g>'


def _row(state: State, player: int, y: int) -> str:
    """The player's name, the cup with its dice, and the bid if it is this player's."""
    record = state.record
    left, faces, down = int(record.left[player]), faces_of(record.dice[player]), bool(record.rolled[player])
    turn = player in state.to_move
    number, face = bid_of(int(record.bid)) if record.bid else (0, 0)
    drawn = [f'<rect class="row{" turn" if turn else ""}" x="8" y="{y + 3}" width="{WIDTH - 16}" height="{ROW - 6}" rx="10"/>']
    drawn.append(f'<path class="arrow" d="M16 {y + 19}l10 7l-10 7z"/>' if turn else "")
    drawn.append(f'<text class="name" x="32" y="{y + 31}">{SEATS[player]}</text>')
    drawn.append(f'<text class="dim" x="32" y="{y + 49}">{_dice_left(left)}</text>')
    if down:
        drawn.append(f'<path class="cup" d="M116 {y + 12}h24l8 36h-40z"/><path class="rim" d="M107 {y + 48}h42"/>')
    for at, shown in enumerate(faces or "?" * left * down):
        x = 164 + 37 * at
        if shown == "?":
            drawn.append(
                f'<rect class="hidden" x="{x}" y="{y + 16}" width="32" height="32" rx="6"/><text x="{x + 16}" y="{y + 37}">?</text>'
            )
        else:
            counts = not down and (int(shown) == face or (state.game.tables.wild and shown == "1"))
            drawn.append(_die(int(shown), x, y + 16, "die counts" if counts else "die"))
    if number and record.bidder == player:
        drawn.append(f'<text x="386" y="{y + 38}">bids {number} ×</text>{_die(face, 424, y + 16, "die")}')
    words = [SEATS[player], _dice_left(left), *(["showing " + " ".join(faces)] if faces else []), *(["to move"] if turn else [])]
    if number and record.bidder == player:
        words.append(f"bids {number} of face {face}")
    return f'<g role="img" aria-label="{", ".join(words)}">{"".join(drawn)}</g>'


def _dice_left(left: int) -> str:
    return f"{left} {'die' if left == 1 else 'dice'}" if left else "out"


def _die(face: int, x: float, y: float, style: str) -> str:
    pips = [f'<circle class="pip" cx="{x + 8 + 8 * (int(at) % 3):g}" cy="{y + 8 + 8 * (int(at) // 3):g}" r="3"/>' for at in PIPS[face - 1]]
    return f'<rect class="{style}" x="{x:g}" y="{y:g}" width="32" height="32" rx="6"/>{"".join(pips)}'


def board(state: State, *, seat: int) -> Text:
    """A line for each player, with the dice or what hides them, and the last bid."""
    from rich.text import Text

    record, text = state.record, Text()
    for at in range(state.game.players):
        player = (seat + 1 + at) % state.game.players
        left, faces = int(record.left[player]), faces_of(record.dice[player])
        turn = player in state.to_move
        text.append(f"{'▶' if turn else ' '} {SEATS[player]:<7}", "bold" if turn else "").append(f"{_dice_left(left):<8}", "dim")
        dice = " ".join(f"[{face}]" for face in faces or "?" * left * bool(record.rolled[player]))
        text.append(f"{dice:<22}", "bold" if faces else "dim")
        if record.bid and record.bidder == player:
            text.append("bids {} × {}".format(*bid_of(int(record.bid))))
        text.append("\n")
    movers = state.to_move
    text.append(state.game.reason(state) if not movers else "dice are rolled" if movers == (CHANCE,) else f"{SEATS[movers[0]]} to move")
    return text
