"""What the style sheet promises: contrast in light and dark surroundings (WCAG 2.2, 1.4.3 and 1.4.11), and a page that shows its parts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ludarium
from ludarium.core.drawing import board_alone
from ludarium.web.page_files import STATIC
from tests.web.live import Live

TOKENS = re.findall(r"--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", (STATIC / "style.css").read_text())

TEXT = ["ink soft accent danger gold on ground", "ink soft accent danger gold on panel", "ink soft accent on tint", "danger on warn-tint"]
ON_FILLED = ["on-accent on accent", "on-danger on danger"]
BORDERS = ["edge accent danger gold on ground", "edge accent danger gold on panel", "p0 p1 p2 p3 p4 p5 p6 p7 on ground"]


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_keep_their_contrast(scheme: str) -> None:
    colours = {name: pair[scheme == "dark"] for name, *pair in TOKENS}
    for least, pairs in ((4.5, TEXT + ON_FILLED), (3.0, BORDERS)):
        for names, _, ground in (pair.partition(" on ") for pair in pairs):
            for name in names.split():
                assert contrast(colours[name], colours[ground]) >= least, (name, ground)


DRAWN = {
    "expendibots": [
        "ink on light",
        "ink on dark",
        "white-edge white on light",
        "white-edge white on dark",
        "black-edge black on light",
        "black-edge black on dark",
    ],
    "expand-conquer": ["ink on ground", "left on square", "right on square"],
    "hexabomb": ["ink on neutral", *(f"f{n} e{n} on neutral" for n in range(8))],
    "roboderby": [
        f"{what} on {floor}"
        for what in ("f0 e0", "f1 e1", "f2 e2", "f3 e3", "wall wall-edge", "ray", "soft")
        for floor in ("floor", "floor2")
    ],
}
"""What must be seen on what: a piece by its filling or by its edge."""


@pytest.mark.parametrize("game", DRAWN)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_boards_keep_their_contrast_in_every_theme(game: str, scheme: str) -> None:
    made = ludarium.game(game)
    drawing = made.start().svg()
    usual = dict(
        re.findall(r"--([a-z]{2}-[a-z0-9-]+):(#[0-9a-f]{6})", drawing.partition("{" if scheme == "light" else "data-theme=dark]")[2])[::-1]
    )
    prefix = next(iter(usual))[:3]
    assert len(made.show.themes) == 2
    for theme, changed in ({"Usual": {}} | dict(made.show.themes)).items():
        assert {name.removeprefix("--") for name in changed} <= set(usual)
        colours = usual | {name.removeprefix("--"): pair[scheme == "dark"] for name, pair in changed.items()}
        pick = [colour[scheme == "dark"] for name, *colour in TOKENS if name in ("pick", "pick-edge")]
        for names, _, ground in (pair.partition(" on ") for pair in DRAWN[game]):
            if all(prefix + name in colours for name in names.split()):
                best = max(contrast(colours[prefix + name], colours[prefix + ground]) for name in names.split())
                assert best >= (4.5 if names == "ink" else 3), (theme, names, ground, best)
                assert max(contrast(colour, colours[prefix + ground]) for colour in pick) >= 3, (theme, "pick", ground)


def test_a_page_shows_the_parts(tmp_path: Path) -> None:
    with Live(tmp_path) as live:
        page = live.http.get("/design").text
        for sheet in re.findall(r'<link rel="stylesheet" href="([^"]+)"', page):
            assert live.http.get(sheet).status_code == 200
        assert page.count('data-theme="dark"') == page.count('data-theme="light"') == 1


def test_a_drawing_without_what_is_beside_its_board() -> None:
    for name, width, height in (("hexabomb", 9, 8), ("roboderby", 12, 12), ("expendibots", 8, 8)):
        drawing = ludarium.game(name).start().svg(size=300)
        left, top, wide, high = (float(part) for part in re.findall(r'viewBox="([^"]+)"', board_alone(drawing))[0].split())
        assert f'viewBox="{left:g} {top:g} {wide:g} ' in drawing
        assert "data-beside" not in board_alone(drawing)
        assert wide / high == pytest.approx(width / height, rel=0.2)
