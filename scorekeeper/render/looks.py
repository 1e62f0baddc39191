"""How pictures look: colours, dashes, marks and hatchings, so that nobody needs the colours to tell
one from the other.

The elements bear what they look like on white paper as attributes; a page that includes
CHART_STYLE has them follow its own `--ink`, `--faint`, `--line` and `--paper`, and the night.
"""

from __future__ import annotations

from math import ceil, floor
from typing import TYPE_CHECKING

from scorekeeper.render.drawing import number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

INK, FAINT, GRID, PAPER = "#1c1c1c", "#5a5a5a", "#d0d0d0", "#ffffff"
# Told apart by those who do not see all colours (after Okabe and Ito), dark enough on white, and
# next to one another of different brightness.
BY_DAY = (
    *("#0072b2", "#d55e00", "#1c1c1c", "#009e73"),
    *("#a8457f", "#b07800", "#3d8fc4", "#6b5b00"),
)
BY_NIGHT = (
    *("#56b4e9", "#ff8a3d", "#f0f0ee", "#2fcf9f"),
    *("#e79ac8", "#f0c419", "#a9c4ff", "#b5a642"),
)
MANY = len(BY_DAY)

_DASHES = ("", "8 3", "2 3", "10 3 2 3", "16 4", "5 2", "12 3 2 3 2 3", "4 4")
# A mark of four either way around its middle: disc, square, triangles, diamond, cross, plus, bar.
_MARKS = (
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
    "m-3.6 -3.6h7.2v7.2h-7.2z",
    "m0 -4.6l4.6 8h-9.2z",
    "m0 -5l5 5l-5 5l-5 -5z",
    "m0 4.6l4.6 -8h-9.2z",
    "m-1.5 -4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
    "m-4.2 -2.1l2.1 -2.1l2.1 2.1l2.1 -2.1l2.1 2.1l-2.1 2.1l2.1 2.1l-2.1 2.1l-2.1 -2.1"
    "l-2.1 2.1l-2.1 -2.1l2.1 -2.1z",
    "m-2 -5h4v10h-4z",
)
# Lines over a surface: none, rising, falling, upright, across, and several of these; close ones.
_HATCHINGS = ("", "/", "\\", "|", "-", "/\\", "|-", ":")
APART = 6  # pixels from one line of a hatching to the next

INK_TEXT: Mapping[str, str] = {"class": "ink", "fill": INK}
FAINT_TEXT: Mapping[str, str] = {"class": "faint", "fill": FAINT}
GRID_LINE: Mapping[str, str] = {"class": "grid", "stroke": GRID, "stroke-width": "1"}
ZERO_LINE: Mapping[str, str] = {"class": "axis", "stroke": FAINT, "stroke-width": "1"}
GAP_LINE: Mapping[str, str] = {"class": "gap", "stroke": PAPER, "fill": "none"}


def _colours(colours: tuple[str, ...]) -> str:
    return "".join(
        f".chart .s{at} {{ stroke: {colour}; }} .chart .f{at} {{ fill: {colour}; }}\n"
        for at, colour in enumerate(colours)
    )


CHART_STYLE = f"""
.chart {{ display: block; max-width: 100%; height: auto; }}
.chart .ink {{ fill: var(--ink, {INK}); }}
.chart .faint {{ fill: var(--faint, {FAINT}); }}
.chart .grid {{ stroke: var(--line, {GRID}); }}
.chart .axis {{ stroke: var(--faint, {FAINT}); }}
.chart .gap {{ stroke: var(--paper, {PAPER}); }}
.chart .under {{ fill: var(--paper, {PAPER}); }}
{_colours(BY_DAY)}@media screen and (prefers-color-scheme: dark) {{
{_colours(BY_NIGHT)}}}
@media print {{
.chart {{ print-color-adjust: exact; -webkit-print-color-adjust: exact; break-inside: avoid; }}
}}
"""


def line_look(at: int) -> dict[str, str]:
    """A line's look, by whose it is: colour, then dashes."""
    colour, dashes = at % MANY, _DASHES[(at + at // MANY) % len(_DASHES)]
    look = {"class": f"s{colour}", "stroke": BY_DAY[colour], "fill": "none"}
    return look | ({"stroke-dasharray": dashes} if dashes else {})


def fill_look(at: int) -> dict[str, str]:
    """A surface's look: its colour."""
    return {"class": f"f{at % MANY}", "fill": BY_DAY[at % MANY]}


def mark(at: int, x: float, y: float) -> str:
    """The path of a mark around that place."""
    return f"M{number(x)} {number(y)}{_MARKS[(at + at // MANY) % len(_MARKS)]}"


def hatching(at: int, x: float, y: float, width: float, height: float) -> str:
    """The path of the lines over a surface that tell it from others in the same colour, and where
    there are no colours."""
    return "".join(
        f"M{number(from_x)} {number(from_y)}L{number(to_x)} {number(to_y)}"
        for name in _HATCHINGS[(at + at // MANY) % len(_HATCHINGS)]
        for from_x, from_y, to_x, to_y in _lines(name, x, y, x + width, y + height)
    )


def _lines(
    name: str, left: float, top: float, right: float, bottom: float
) -> Iterator[tuple[float, float, float, float]]:
    if name == "/":
        for at in _between(left + top, right + bottom):
            from_x, to_x = max(left, at - bottom), min(right, at - top)
            yield from_x, at - from_x, to_x, at - to_x
    elif name == "\\":
        for at in _between(left - bottom, right - top):
            from_x, to_x = max(left, at + top), min(right, at + bottom)
            yield from_x, from_x - at, to_x, to_x - at
    elif name in "|:":
        for at in _between(left, right, APART if name == "|" else APART // 2):
            yield at, top, at, bottom
    else:
        for at in _between(top, bottom):
            yield left, at, right, at


def _between(least: float, most: float, apart: int = APART) -> Iterator[float]:
    """The multiples of the distance between two lines that lie within, not on the edge."""
    for times in range(floor(least / apart) + 1, ceil(most / apart)):
        yield float(times * apart)
