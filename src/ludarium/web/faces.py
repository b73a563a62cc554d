"""Faces of players who bring none: pieces of a board game with eyes, drawn from a text, the same one each time."""

from __future__ import annotations

import hashlib
from urllib.parse import quote

import ludarium
from ludarium.core.registry import game_class
from ludarium.players import opponents_of
from ludarium.web.addresses import at

COLOURS = (
    ("#f6d9a8", "#c9622c"),
    ("#cfe3c3", "#3f7d55"),
    ("#cfe0f2", "#3b6ea8"),
    ("#ecd3ea", "#8a4f94"),
    ("#f7cfc6", "#b8434a"),
    ("#c9e8e4", "#2a7f83"),
    ("#e9e1a9", "#8a7a1f"),
    ("#d9d6ee", "#5a55a3"),
)
"""Behind the head, and the head."""

DARK, PALE = "#20262b", "#fffaf0"

TOPS = (
    "",
    f'<path d="M32 16V7" stroke="{DARK}" stroke-width="2.5"/><circle cx="32" cy="6" r="3.5" fill="{{body}}"/>',
    '<circle cx="17" cy="18" r="6.5" fill="{body}"/><circle cx="47" cy="18" r="6.5" fill="{body}"/>',
    '<path d="M14 26L15 8L28 17zM50 26L49 8L36 17z" fill="{body}"/>',
    f'<path d="M19 19L17 7L25 13L32 5L39 13L47 7L45 19z" fill="{PALE}" stroke="{{body}}" stroke-width="2"/>',
    f'<path d="M17 20Q32 2 47 20z" fill="{DARK}"/><path d="M13 20H51" stroke="{DARK}" stroke-width="4" stroke-linecap="round"/>',
    '<path d="M32 17Q22 8 27 3Q28 10 33 8Q34 3 39 3Q36 10 36 17z" fill="{body}"/>',
)
HEADS = (
    '<circle cx="32" cy="32" r="18"/>',
    '<rect x="14" y="15" width="36" height="34" rx="9"/>',
    '<path d="M32 13L49 22.5V41.5L32 51L15 41.5V22.5z" stroke-width="4" stroke-linejoin="round" stroke="{body}"/>',
    '<ellipse cx="32" cy="32" rx="21" ry="17"/>',
    '<path d="M14 46V29a18 15 0 0 1 36 0v17q-18 9 -36 0z"/>',
)
EYES = (
    f'<circle cx="25" cy="30" r="3" fill="{DARK}"/><circle cx="39" cy="30" r="3" fill="{DARK}"/>',
    f'<g fill="{PALE}"><circle cx="24.5" cy="29" r="6"/><circle cx="39.5" cy="29" r="6"/></g>'
    f'<g fill="{DARK}"><circle cx="26" cy="30" r="2.8"/><circle cx="38" cy="30" r="2.8"/></g>',
    f'<circle cx="32" cy="28" r="8" fill="{PALE}"/><circle cx="32" cy="29" r="3.6" fill="{DARK}"/>',
    f'<rect x="17" y="24" width="30" height="10" rx="5" fill="{DARK}"/><g fill="{PALE}"><circle cx="26" cy="29" r="2.2"/>'
    '<circle cx="38" cy="29" r="2.2"/></g>',
    f'<path d="M20 29q5 4 9 0M35 29q5 4 9 0" stroke="{DARK}" stroke-width="2.6" fill="none" stroke-linecap="round"/>',
    f'<g fill="{PALE}" stroke="{DARK}" stroke-width="2"><circle cx="24" cy="29" r="6.5"/><circle cx="40" cy="29" r="6.5"/></g>'
    f'<path d="M30.5 29h3" stroke="{DARK}" stroke-width="2"/><g fill="{DARK}"><circle cx="24" cy="29" r="2.4"/><circle cx="40" cy="29" r="2.4"/></g>',
)
MOUTHS = (
    f'<path d="M25 40q7 6 14 0" stroke="{DARK}" stroke-width="2.6" fill="none" stroke-linecap="round"/>',
    f'<path d="M26 41h12" stroke="{DARK}" stroke-width="2.6" stroke-linecap="round"/>',
    f'<path d="M25 39h14q-1 7 -7 7t-7 -7z" fill="{DARK}"/>',
    f'<path d="M26 42q6 -4 13 -2" stroke="{DARK}" stroke-width="2.6" fill="none" stroke-linecap="round"/>',
    f'<rect x="24" y="38" width="16" height="6" rx="2" fill="{PALE}"/><path d="M28 38v6M32 38v6M36 38v6" stroke="{DARK}" stroke-width="1.2"/>',
)


def face_address(game: str, name: str) -> str:
    """Where the face of a game's opponent, by its id, or of anybody else, by a name, is found."""
    return at(f"/faces/{game}/{quote(name, safe='')}.svg")


def face_of(game: str, name: str) -> str:
    """The face that is found there."""
    known = opponents_of(game_class(game)) if game in ludarium.list_games() else ()
    return next((one.face for one in known if one.id == name and one.face), face(name))


def face(text: str) -> str:
    """An SVG of 64×64 units that looks the same in light and dark surroundings."""
    numbers = iter(hashlib.sha256(text.encode()).digest())
    ground, body = COLOURS[next(numbers) % len(COLOURS)]
    top, head, eyes, mouth = (parts[next(numbers) % len(parts)].replace("{body}", body) for parts in (TOPS, HEADS, EYES, MOUTHS))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64"><rect width="64" height="64" rx="14" fill="{ground}"/>'
        f'<path d="M8 64q4 -15 24 -15t24 15z" fill="{body}" opacity=".75"/>{top}<g fill="{body}">{head}</g>{eyes}{mouth}</svg>'
    )
