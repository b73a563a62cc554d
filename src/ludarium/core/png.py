"""Drawings as PNG, for what shows no SVG: previews of links, slides, older mail, films of what an agent does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import resvg_py

FONT = Path(__file__).parents[1] / "web" / "static" / "figtree.ttf"
GROUND = "#f1ede2"
"""Of the pages in light colours, as which a picture is painted."""

_PROPERTY = re.compile(r"(--[\w-]+):([^;}]+)")
_USE = re.compile(r"var\((--[\w-]+)\)")


def png(drawing: str, size: int) -> bytes:
    """A PNG of a drawing (SVG), ``size`` pixels wide, in light colours. Any letters are the house's own, whatever this computer has.

    It is painted in a process of its own, this file as a script without the house: the library lets nothing else run meanwhile, up to half a second.
    """
    return subprocess.run([sys.executable, "-P", __file__, str(size)], input=drawing.encode(), stdout=subprocess.PIPE, check=True).stdout


def paint(drawing: str, size: int) -> bytes:
    """The same, in this process."""
    light: dict[str, str] = {}
    for name, colour in _PROPERTY.findall(drawing):
        light.setdefault(name, colour)
    painted = _USE.sub(lambda use: light.get(use[1], "currentColor"), drawing)
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=painted, width=size, background=GROUND, skip_system_fonts=True, sans_serif_family="Figtree", font_files=[str(FONT)]
        )
    )


if __name__ == "__main__":
    sys.stdout.buffer.write(paint(sys.stdin.buffer.read().decode(), int(sys.argv[1])))
