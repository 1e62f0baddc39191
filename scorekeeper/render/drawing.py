"""What pictures are made of: elements of SVG, how wide a text is, the numbers at an axis."""

from __future__ import annotations

from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING

from scorekeeper.core.text import columns, plain, shortened
from scorekeeper.render.letters import wide

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Point = tuple[float, float]

SIZE = 13  # of letters
LINE = 17  # from one line of letters to the next
FONT = "system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif"
# Where a label ends that is longer than its place.
_LEAST_COLUMNS = 3


# --- elements


def number(value: float) -> str:
    """A place or a length, to a tenth."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def escaped(text: str) -> str:
    """Text that stands for itself in SVG, in attributes too."""
    from html import escape

    return escape(plain(text))


def element(name: str, attributes: Mapping[str, str | float], content: str = "") -> str:
    """An element; `content` is SVG already."""
    said = "".join(
        f' {key}="{escaped(value) if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{said}>{content}</{name}>" if content else f"<{name}{said}/>"


def picture(width: float, height: float, title: str, told: str, pieces: Sequence[str]) -> str:
    """The whole picture, with what it shows in words for those who do not see it."""
    attributes: dict[str, str | float] = {
        "xmlns": "http://www.w3.org/2000/svg",
        "class": "chart",
        "viewBox": f"0 0 {number(width)} {number(height)}",
        "width": width,
        "height": height,
        "role": "img",
        "direction": "ltr",
        "font-family": FONT,
        "font-size": SIZE,
    }
    words = [element("title", {}, escaped(title)), element("desc", {}, escaped(told))]
    return element("svg", attributes, "\n" + "\n".join([*words, *filter(None, pieces)]) + "\n")


def words(x: float, y: float, text: str, look: Mapping[str, str], anchor: str = "start") -> str:
    """A line of text that begins, ends or has its middle there."""
    turned = {} if anchor == "start" else {"text-anchor": anchor}
    return element("text", {"x": x, "y": y, **turned, **look}, escaped(text))


def stroke(x: float, y: float, to_x: float, to_y: float, look: Mapping[str, str]) -> str:
    """A straight line."""
    return element("line", {"x1": x, "y1": y, "x2": to_x, "y2": to_y, **look})


# --- letters


def width_of(text: str) -> float:
    """How wide a text will be, about."""
    return SIZE * wide(plain(text))


def fitted(text: str, width: float) -> str:
    """The text if it is no wider than that, else its beginning and its end."""
    text = plain(text)
    short, many = text, columns(text)
    while width_of(short) > width and many > _LEAST_COLUMNS:
        many -= 1
        short = shortened(text, many)
    return short


# --- numbers and places


def ticks(least: int, most: int, many: int) -> list[int]:
    """Round numbers from one to the other, about so many at most."""
    step = _step((most - least) / max(many, 1))
    return list(range(-(-least // step) * step, most + 1, step))


def _step(least: float) -> int:
    """The least of 1, 2, 5, 10, 20, 50 … that is no less."""
    tens = 1
    while tens * 10 <= least:
        tens *= 10
    return next(tens * times for times in (1, 2, 5, 10) if tens * times >= least)


def counted(numbers: Sequence[int], apart: int) -> list[int]:
    """At which places numbers that rise are said, so that there are so many places between."""
    step = _step(apart)
    return [at for at, each in enumerate(numbers) if each and each % step == 0]


def apart_from(first: int, last: int, most: int) -> list[int]:
    """Places from the first to the last, these two among them, as far apart as so many fit; the
    last alone where no two do."""
    gaps = min(most - 1, last - first)
    if gaps < 1:
        return [last]
    return [first + round(at * (last - first) / gaps) for at in range(gaps + 1)]


def spread(wanted: Sequence[float], apart: float, least: float, most: float) -> list[float]:
    """Places as near to these as can be that are so far apart, in the same order, and within those
    bounds if there is room."""
    order = sorted(range(len(wanted)), key=lambda at: (wanted[at], at))
    # Labels that touch stand as one block around the middle of where they ought to.
    blocks: list[tuple[float, int]] = []
    for place, at in enumerate(order):
        middle, size = wanted[at] - place * apart, 1
        while blocks and blocks[-1][0] > middle:
            other, others = blocks.pop()
            middle = (middle * size + other * others) / (size + others)
            size += others
        blocks.append((middle, size))
    first, last = least, max(least, most - (len(wanted) - 1) * apart)
    level = [min(max(middle, first), last) for middle, size in blocks for _ in range(size)]
    found = [0.0] * len(wanted)
    for place, at in enumerate(order):
        found[at] = level[place] + place * apart
    return found


def straightened(points: Sequence[Point], within: float = 0.3) -> list[Point]:
    """The points of a line that goes from left to right, without those that lie on it anyway."""
    kept = list(points[:1])
    low, high = float("-inf"), float("inf")
    for before, here in pairwise(points[1:]):
        (x, y), (from_x, from_y) = before, kept[-1]
        low = max(low, (y - within - from_y) / (x - from_x))
        high = min(high, (y + within - from_y) / (x - from_x))
        if not low <= (here[1] - from_y) / (here[0] - from_x) <= high:
            kept.append(before)
            low, high = float("-inf"), float("inf")
    return kept + list(points[1:][-1:])


def path_of(points: Sequence[Point]) -> str:
    """Points joined by straight lines."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


def tall(width: float, part: float, least: float) -> int:
    """How tall a picture is: a part of its width, and no less than what stands in it needs."""
    return ceil(max(width * part, least))
