"""Charts in SVG: tallies over the rounds as lines, their sources and comparisons as bars.

A chart is one `<svg>` element without scripts, styles or external files. Dashes, marks and hatching
distinguish the players, so colour is not needed. The elements carry their look on white paper as
attributes. On a page that includes CHART_STYLE they follow the page's `--ink`, `--faint`, `--line`
and `--paper`, and its dark mode.
"""

from __future__ import annotations

import re
from itertools import pairwise
from math import ceil, floor
from typing import TYPE_CHECKING

from scorekeeper.core.messages import tr
from scorekeeper.core.text import columns, escaped, plain, shortened
from scorekeeper.core.types import NamedTuple
from scorekeeper.render.layout import wide
from scorekeeper.render.sheet_model import came_from, in_all, known, over_rounds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorekeeper.render.sheet_model import Parts, Running, Sheet

    Point = tuple[float, float]


SIZE = 13  # of letters
LINE = 17  # from one line of text to the next
FONT = "system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif"
# The shortest form of a label that is too long for its place.
_LEAST_COLUMNS = 3
NARROWEST = 240
LEAST = 60  # width of the plot, however wide the labels are
EDGE = 2
HEAD = 28  # height of the heading
FOOT = 24  # height of the numbers below
LEADER = 16  # from the end of a line to its label
BESIDE = 6  # between a number and its neighbours
MOST_TICKS = 6
NAMES = 0.3  # of the width are for names at most
TALL = 0.36  # height as a fraction of the width
SHORTEST = 180
# pixels between lines with equal values, and between the first and the last of them
TIED, MOST_TIED = 2.6, 11
FEW, MARKED = 4, 5  # up to this many lines need no marks on the way; marks on each of more lines
MOST_PARTS = 8  # distinguished in one bar
# the width of a name above numbers, and of the labels before them
MOST_HEADED, LEAST_LABEL = 56, 130
BAR, SWATCH = 20, 13
THIN_BAR = 15  # for a comparison of single numbers
FEWEST = 2  # numbers at an axis, besides the first
DRAWN = 460  # keeps letters readable when two charts share a row
INK, FAINT, GRID, PAPER = "#1c1c1c", "#5a5a5a", "#d0d0d0", "#ffffff"
# Colours that colour-blind readers can distinguish (after Okabe and Ito), dark enough on white, and
# neighbours differ in brightness.
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
# Marks that reach four pixels from their centre: disc, square, triangle, diamond, triangle, plus,
# cross, bar.
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
# Hatchings: none, rising, falling, vertical, horizontal, combinations of these, and dense lines.
_HATCHINGS = ("", "/", "\\", "|", "-", "/\\", "|-", ":")
APART = 6  # pixels from one line of a hatching to the next

INK_TEXT: Mapping[str, str] = {"class": "ink", "fill": INK}
FAINT_TEXT: Mapping[str, str] = {"class": "faint", "fill": FAINT}
GRID_LINE: Mapping[str, str] = {"class": "grid", "stroke": GRID, "stroke-width": "1"}
ZERO_LINE: Mapping[str, str] = {"class": "axis", "stroke": FAINT, "stroke-width": "1"}
GAP_LINE: Mapping[str, str] = {"class": "gap", "stroke": PAPER, "fill": "none"}


def drawn(sheet: Sheet) -> list[str]:
    """Draw the charts of a sheet, each an SVG element."""
    running = lines_svg(sheet.running, DRAWN) if sheet.running else ""
    parts = parts_svg(sheet.parts, DRAWN) if sheet.parts else ""
    return [picture for picture in (running, parts) if picture]


def shape(picture: str) -> float:
    """Return the height of an SVG picture as a fraction of its width."""
    match = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', picture)
    return float(match[2]) / float(match[1]) if match else 1.0


# --- the tallies over the evening


def lines_svg(running: Running, width: int = 720) -> str:
    """Draw the tallies over the rounds as lines with names at their ends.

    Return "" with fewer than two points in time, or without players.
    """
    shown = [at for at, points in enumerate(running.points) if known(points)]
    if len(running.rounds) < 2 or not shown:
        return ""
    return _Lines(running, shown, max(width, NARROWEST)).drawn()


class _Lines:
    """The positions and elements of a line chart."""

    def __init__(self, running: Running, shown: Sequence[int], width: int) -> None:
        self.running = running
        self.names = [running.names[at] for at in shown]
        self.points = [running.points[at] for at in shown]
        self.last = [known(points)[-1] for points in self.points]
        every = [point for points in self.points for point in known(points)]
        self.least, self.most = _reach(every)
        self.ticks = ticks(self.least, self.most, MOST_TICKS)
        self.left = EDGE + BESIDE + max(width_of(str(tick)) for tick in self.ticks)
        self.sums = max(width_of(str(last)) for last in self.last)
        named = min(max(map(width_of, self.names)), NAMES * width)
        label_width = LEADER + self.sums + BESIDE + named + EDGE
        self.width = max(width, self.left + LEAST + label_width)
        self.right = self.width - label_width
        self.named = named
        tallest = tall(width, TALL, max(SHORTEST, len(self.names) * LINE))
        self.top, self.bottom = float(HEAD), float(HEAD + tallest)

    def x(self, at: int) -> float:
        """Return the x coordinate of a point in time (numbers from 0)."""
        return (
            self.left
            + BESIDE
            + (self.right - self.left - BESIDE) * at / (len(self.running.rounds) - 1)
        )

    def y(self, points: float) -> float:
        """Return the y coordinate of a tally."""
        return self.bottom - (self.bottom - self.top) * (points - self.least) / (
            self.most - self.least
        )

    def drawn(self) -> str:
        """Draw the chart."""
        title = over_rounds(self.running)
        ends = zip(self.names, self.last, strict=True)
        description = tr(
            "At the end: {standing}", standing=", ".join(f"{who} {last}" for who, last in ends)
        )
        heading = words(EDGE, SIZE, fitted(title, self.width - 2 * EDGE), FAINT_TEXT)
        pieces = [heading, *self.axes(), *self.lines(), *self.labels()]
        return picture(self.width, self.bottom + FOOT, title, description, pieces)

    def axes(self) -> Iterator[str]:
        """Draw round numbers at the left, and the rounds or days below."""
        for tick in self.ticks:
            y = self.y(tick)
            yield stroke(self.left, y, self.right, y, GRID_LINE if tick else ZERO_LINE)
            yield words(self.left - BESIDE, y + SIZE / 3, str(tick), FAINT_TEXT, "end")
        rounds = self.running.rounds
        labels = self.running.days or list(map(str, rounds))
        spacing = (self.right - self.left) / len(rounds)
        widest = max(map(width_of, labels)) + 2 * BESIDE
        if self.running.days:  # the first point is before the first day
            shown = apart_from(1, len(labels) - 1, int((self.right - self.left) / widest))
        else:
            shown = counted(rounds, int(widest / spacing) + 1)
        for at in shown:
            yield stroke(self.x(at), self.bottom + 2, self.x(at), self.bottom + 6, ZERO_LINE)
            place = self.bottom + 6 + SIZE
            yield words(self.x(at), place, labels[at], FAINT_TEXT, "middle")
        if not self.running.days:
            label_x = self.right + LEADER
            word = fitted(self.running.word or tr("Round"), self.width - label_x)
            yield words(label_x, self.bottom + 6 + SIZE, word, FAINT_TEXT)

    def lines(self) -> Iterator[str]:
        """Draw each player's line with a mark at its end."""
        moved = [self._moved(at) for at in range(len(self.running.rounds))]
        for who, points in enumerate(self.points):
            runs: list[list[Point]] = [[]]
            for at, point in enumerate(points):
                if point is None:
                    runs.append([])
                else:
                    runs[-1].append((self.x(at), self.y(point) + moved[at][who]))
            simplified = [straightened(run) for run in runs if run]
            path = "".join(path_of(run) for run in simplified if len(run) > 1)
            if path:
                yield element("path", {"d": path, "stroke-width": "2", **line_look(who)})
            alone = [run[0] for run in simplified if len(run) == 1 and run is not simplified[-1]]
            marked = [*self._between(who, runs), *alone, simplified[-1][-1]]
            shapes = "".join(mark(who, x, y) for x, y in marked)
            yield element("path", {"d": shapes, **fill_look(who)})

    def _between(self, who: int, runs: Sequence[Sequence[Point]]) -> Iterator[Point]:
        """Yield the points of a line that get marks.

        Only charts with many lines need them, because dashes no longer suffice. Each line has
        its own places.
        """
        apart = -(-len(self.running.rounds) // MARKED)
        for at, point in enumerate(point for run in runs for point in run):
            if (
                len(self.points) > FEW
                and at
                and (at - apart * who // len(self.points)) % apart == 0
            ):
                yield point

    def _moved(self, at: int) -> dict[int, float]:
        """Return how far lines with equal values at this point are shifted, so that each is
        visible."""
        equal: dict[int | None, list[int]] = {}
        for who, points in enumerate(self.points):
            equal.setdefault(points[at], []).append(who)
        moved = {}
        for tied in equal.values():
            apart = min(TIED, MOST_TIED / max(len(tied) - 1, 1))
            for place, who in enumerate(tied):
                moved[who] = apart * (place - (len(tied) - 1) / 2)
        return moved

    def labels(self) -> Iterator[str]:
        """Draw the tally and name at the end of each line, spread out where they are close."""
        final = len(self.running.rounds) - 1
        moved = self._moved(final)
        wanted = [
            self.y(last) + (moved[who] if self.points[who][final] is not None else 0)
            for who, last in enumerate(self.last)
        ]
        places = spread(wanted, LINE, self.top, self.bottom - 2)
        for who, (place, end) in enumerate(zip(places, wanted, strict=True)):
            look = line_look(who) | {"stroke-dasharray": "1 2"}
            final_at = max(at for at, point in enumerate(self.points[who]) if point is not None)
            path = path_of(
                [(self.x(final_at), end), (self.right, end), (self.right + LEADER - 3, place)]
            )
            yield element("path", {"d": path, **look})
            sums = self.right + LEADER + self.sums
            yield words(sums, place + SIZE / 3, str(self.last[who]), INK_TEXT, "end")
            name = fitted(self.names[who], self.named)
            yield words(sums + BESIDE, place + SIZE / 3, name, INK_TEXT)


def _reach(points: Sequence[int]) -> tuple[int, int]:
    """Return the lowest and highest value of the chart. Zero is included unless it is far away."""
    least, most = min(points), max(points)
    if least > 0 and least <= most - least:
        least = 0
    if most < 0 and -most <= most - least:
        most = 0
    return (least, most) if least < most else (least - 1, most + 1)


# --- what they came from


def parts_svg(parts: Parts, width: int = 720) -> str:
    """Draw the sources of each player's points as bars, with a table of the numbers below.

    Losses extend to the left, and the smallest sources are merged. Return "" if there are fewer
    than two sources.
    """
    shown = [at for at in range(len(parts.labels)) if any(row[at] for row in parts.points)]
    if len(shown) < 2:
        return ""
    labels = [parts.labels[at] for at in shown]
    whole = parts._replace(
        labels=labels, points=[[row[at] for at in shown] for row in parts.points]
    )
    return _Parts(whole, max(width, NARROWEST)).drawn()


def _gathered(parts: Parts) -> tuple[Parts, list[int]]:
    """Merge all but the largest sources. Return the result and the indexes of those merged."""
    if len(parts.labels) <= MOST_PARTS:
        return parts, []
    weights = [sum(abs(row[at]) for row in parts.points) for at, _ in enumerate(parts.labels)]
    order = sorted(range(len(weights)), key=lambda at: -weights[at])
    large, small = sorted(order[: MOST_PARTS - 1]), sorted(order[MOST_PARTS - 1 :])
    labels = [*(parts.labels[at] for at in large), tr("everything else")]
    points = [[*(row[at] for at in large), sum(row[at] for at in small)] for row in parts.points]
    return parts._replace(labels=labels, points=points), small


def _in_words(parts: Parts) -> str:
    """Describe all sources as text for readers who cannot see the chart."""
    texts = []
    for name, row in zip(parts.names, parts.points, strict=True):
        each = [f"{label} {part}" for label, part in zip(parts.labels, row, strict=True) if part]
        texts.append(f"{name} {sum(row)}: {', '.join(each)}" if each else f"{name} 0")
    return "; ".join(texts)


class _Parts:
    """The positions and elements of a chart of sources."""

    def __init__(self, whole: Parts, width: int) -> None:
        self.whole = whole
        parts, self.others = _gathered(whole)
        self.names, self.labels = parts.names, parts.labels
        self.rows = parts.points
        self.sums = [sum(row) for row in self.rows]
        self.mixed = any(min(row) < 0 < max(row) for row in self.rows)
        self.least = min(0, *(sum(each for each in row if each < 0) for row in self.rows))
        self.most = max(0, *(sum(each for each in row if each > 0) for row in self.rows))
        self.named = min(max(map(width_of, self.names)), NAMES * width)
        self.left = EDGE + self.named + 2 * BESIDE
        sum_width = BESIDE + max(width_of(str(each)) for each in self.sums) + EDGE
        numbers = [*self.sums, *(each for row in whole.points for each in row)]
        named = min(max(map(width_of, self.names)), MOST_HEADED)
        self.column = max(named, *(width_of(str(each)) for each in numbers)) + 2 * BESIDE
        table = 2 * EDGE + LEAST_LABEL + len(self.names) * self.column
        self.width = max(width, self.left + LEAST + sum_width, table)
        self.right = self.width - sum_width
        self.bottom = HEAD + len(self.rows) * (BAR + BESIDE * 2)

    def x(self, points: int) -> float:
        """Return the x coordinate of a number of points."""
        return self.left + (self.right - self.left) * (points - self.least) / (
            self.most - self.least
        )

    def drawn(self) -> str:
        """Draw the chart."""
        title = came_from()
        heading = words(EDGE, SIZE, fitted(title, self.width - 2 * EDGE), FAINT_TEXT)
        bars = [piece for at in range(len(self.rows)) for piece in self.bar(at)]
        table = [piece for at, row in enumerate(self.table()) for piece in self.line(at, *row)]
        bottom = self.line_top(sum(1 for _ in self.table()))
        pieces = [heading, *self.axis(), *bars, *table]
        return picture(self.width, bottom, title, _in_words(self.whole), pieces)

    def axis(self) -> Iterator[str]:
        """Draw round numbers below."""
        many = int((self.right - self.left) / (width_of(str(self.least - self.most)) + 2 * LINE))
        for tick in ticks(self.least, self.most, min(max(many, 1), 2 * MOST_TICKS)):
            x = self.x(tick)
            yield stroke(x, HEAD - BESIDE, x, self.bottom, GRID_LINE if tick else ZERO_LINE)
            yield words(x, self.bottom + SIZE + 2, str(tick), FAINT_TEXT, "middle")

    def bar(self, at: int) -> Iterator[str]:
        """Draw a player's bar between the name and the sum."""
        top = HEAD + BESIDE + at * (BAR + BESIDE * 2)
        base = top + BAR / 2 + SIZE / 3
        yield words(EDGE, base, fitted(self.names[at], self.named), INK_TEXT)
        gained = lost = 0
        for part, points in enumerate(self.rows[at]):
            start = gained if points > 0 else lost
            gained, lost = gained + max(points, 0), lost + min(points, 0)
            if points:
                ends = sorted((self.x(start), self.x(start + points)))
                yield from _surface(part, ends[0], top, ends[1] - ends[0], BAR)
                yield from _told(points, ends[0], ends[1], base)
        if gained and lost:
            yield _pointer(self.x(gained + lost), top + BAR + 1)
        yield words(self.width - EDGE, base, str(self.sums[at]), INK_TEXT, "end")

    def table(self) -> Iterator[tuple[str, Sequence[str], int | None]]:
        """Yield the rows of the table below the bars.

        A row is a label, a text for each player, and the number of the area that it explains, or
        None.
        """
        yield "", [fitted(name, self.column - BESIDE) for name in self.names], None
        for at, label in enumerate(self.labels):
            yield label, [_number(row[at]) for row in self.rows], at
        for at in self.others:
            yield self.whole.labels[at], [_number(row[at]) for row in self.whole.points], None
        if self.mixed:
            yield in_all(), list(map(str, self.sums)), len(self.labels)

    def line_top(self, at: int) -> float:
        """Return the y coordinate at which a row of the table begins."""
        return self.bottom + FOOT + at * LINE

    def line(self, at: int, label: str, texts: Sequence[str], surface: int | None) -> Iterator[str]:
        """Draw a row of the table. Row 0 is the heading, and rows without an area are indented."""
        top, look = self.line_top(at), INK_TEXT if at else FAINT_TEXT
        base, before = top + SIZE - 1, EDGE + SWATCH + BESIDE
        if surface == len(self.labels):
            yield _pointer(EDGE + SWATCH / 2, top + BESIDE - 1)
        elif surface is not None:
            yield from _surface(surface, EDGE, top, SWATCH, SWATCH)
        elif label:
            before += SWATCH
        room = self.width - EDGE - len(texts) * self.column - before
        yield words(before, base, fitted(label, room), look) if label else ""
        for seat, text in enumerate(texts, 1):
            right = self.width - EDGE - (len(texts) - seat) * self.column
            yield words(right, base, text, look, "end") if text else ""


def _number(points: int) -> str:
    """Return a number as text, "" for zero."""
    return str(points) if points else ""


def _surface(at: int, x: float, y: float, width: float, height: float) -> Iterator[str]:
    """Draw a coloured and hatched area, separated from its neighbour."""
    yield element("rect", {"x": x, "y": y, "width": width, "height": height, **fill_look(at)})
    lines = hatching(at, x, y, width, height)
    edge = f"M{number(x + width)} {number(y)}v{number(height)}"
    yield element("path", {"d": lines + edge, "stroke-width": "1.4", **GAP_LINE})


def _pointer(x: float, y: float) -> str:
    """Draw an arrow below a bar that points at its sum."""
    path = f"M{number(x)} {number(y)}l4.5 7h-9z"
    return element("path", {"d": path, **INK_TEXT})


def _told(points: int, left: float, right: float, base: float) -> Iterator[str]:
    """Draw the number on an area that has room for it."""
    needs = width_of(str(points)) + BESIDE
    if right - left >= needs + 2 * BESIDE:
        x = (left + right - needs) / 2
        sizes = {"x": x, "y": base - SIZE + 1, "width": needs, "height": SIZE + 2, "rx": 3}
        yield element("rect", {**sizes, "class": "under", "fill": PAPER})
        yield words((left + right) / 2, base, str(points), INK_TEXT, "middle")


# --- how players compare


class Bar(NamedTuple):
    """A player's bar with its length and the text at its end."""

    name: str
    length: float
    said: str


def bars_svg(title: str, bars: Sequence[Bar], most: float = 0, width: int = 720) -> str:
    """Draw a bar for each player with its number, negative values to the left.

    The axis reaches at least the given length. Return "" for fewer than two bars, or if all are
    zero.
    """
    if len(bars) < 2 or not any(bar.length for bar in bars):
        return ""
    return _Bars(title, bars, most, width).drawn()


class _Bars:
    """The positions and elements of a bar chart."""

    def __init__(self, title: str, bars: Sequence[Bar], most: float, width: int) -> None:
        self.title, self.bars, self.width = title, bars, width
        self.least = min(0.0, *(bar.length for bar in bars))
        self.most = max(0.0, most, *(bar.length for bar in bars))
        self.named = min(max(width_of(bar.name) for bar in bars), NAMES * width)
        self.left = EDGE + self.named + 2 * BESIDE
        self.right = width - EDGE - BESIDE - max(width_of(bar.said) for bar in bars)
        self.bottom = HEAD + len(bars) * (THIN_BAR + BESIDE)

    def x(self, length: float) -> float:
        """Return the x coordinate of a number."""
        part = (length - self.least) / (self.most - self.least)
        return self.left + (self.right - self.left) * part

    def drawn(self) -> str:
        """Draw the chart."""
        description = ", ".join(f"{bar.name} {bar.said}" for bar in self.bars)
        heading = words(EDGE, SIZE, fitted(self.title, self.width - 2 * EDGE), FAINT_TEXT)
        pieces = [heading, *self.axis(), *self.rows()]
        return picture(self.width, self.bottom + LINE + EDGE, self.title, description, pieces)

    def axis(self) -> Iterator[str]:
        """Draw round numbers below, or fractions if the bars are short."""
        parts = 1
        while (self.most - self.least) * parts < FEWEST:
            parts *= 10
        for tick in ticks(int(self.least * parts), int(self.most * parts), MOST_TICKS):
            x = self.x(tick / parts)
            yield stroke(x, HEAD - BESIDE, x, self.bottom, GRID_LINE if tick else ZERO_LINE)
            yield words(x, self.bottom + SIZE, f"{tick / parts:g}", FAINT_TEXT, "middle")

    def rows(self) -> Iterator[str]:
        """Draw each name, bar and number."""
        for at, bar in enumerate(self.bars):
            top = HEAD + at * (THIN_BAR + BESIDE)
            base = top + THIN_BAR / 2 + SIZE / 3
            ends = sorted((self.x(0), self.x(bar.length)))
            yield words(EDGE, base, fitted(bar.name, self.named), INK_TEXT)
            sizes = {"x": ends[0], "y": top, "width": ends[1] - ends[0], "height": THIN_BAR}
            yield element("rect", {**sizes, **fill_look(0)})
            yield words(self.width - EDGE, base, bar.said, INK_TEXT, "end")


# --- elements


def picture(width: float, height: float, title: str, told: str, pieces: Sequence[str]) -> str:
    """Build the SVG document with a title and a description for readers who cannot see it."""
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


def element(name: str, attributes: Mapping[str, str | float], content: str = "") -> str:
    """Build an element. `content` is SVG already."""
    text = "".join(
        f' {key}="{escaped(value) if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{text}>{content}</{name}>" if content else f"<{name}{text}/>"


def words(x: float, y: float, text: str, look: Mapping[str, str], anchor: str = "start") -> str:
    """Build a text element. `anchor` is `start`, `middle` or `end`."""
    turned = {} if anchor == "start" else {"text-anchor": anchor}
    return element("text", {"x": x, "y": y, **turned, **look}, escaped(text))


def stroke(x: float, y: float, to_x: float, to_y: float, look: Mapping[str, str]) -> str:
    """Build a straight line."""
    return element("line", {"x1": x, "y1": y, "x2": to_x, "y2": to_y, **look})


def path_of(points: Sequence[Point]) -> str:
    """Return the path of points joined by straight lines."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


def number(value: float) -> str:
    """Format a coordinate or a length to one decimal."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


# --- letters


def width_of(text: str) -> float:
    """Estimate the width of a text in pixels."""
    return SIZE * wide(plain(text))


def fitted(text: str, width: float) -> str:
    """Shorten a text to that width, keeping its beginning and its end."""
    text = plain(text)
    short, many = text, columns(text)
    while width_of(short) > width and many > _LEAST_COLUMNS:
        many -= 1
        short = shortened(text, many)
    return short


# --- numbers and places


def ticks(least: int, most: int, many: int) -> list[int]:
    """Return round numbers between two values, about as many as the given maximum."""
    step = _step((most - least) / max(many, 1))
    return list(range(-(-least // step) * step, most + 1, step))


def _step(least: float) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50 … that is at least the given number."""
    tens = 1
    while tens * 10 <= least:
        tens *= 10
    return next(tens * times for times in (1, 2, 5, 10) if tens * times >= least)


def counted(numbers: Sequence[int], apart: int) -> list[int]:
    """Return the indexes of ascending numbers that get a label, at least that far apart in the
    list."""
    step = _step(apart)
    return [at for at, each in enumerate(numbers) if each and each % step == 0]


def apart_from(first: int, last: int, most: int) -> list[int]:
    """Return evenly spread indexes including the first and the last, or the last alone."""
    gaps = min(most - 1, last - first)
    if gaps < 1:
        return [last]
    return [first + round(at * (last - first) / gaps) for at in range(gaps + 1)]


def spread(wanted: Sequence[float], apart: float, least: float, most: float) -> list[float]:
    """Return places near the wanted ones that keep a distance and the order.

    The places stay within the bounds if there is room.
    """
    order = sorted(range(len(wanted)), key=lambda at: (wanted[at], at))
    # Labels that touch form one block around the mean of their wanted places.
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
    places = [0.0] * len(wanted)
    for place, at in enumerate(order):
        places[at] = level[place] + place * apart
    return places


def straightened(points: Sequence[Point], within: float = 0.3) -> list[Point]:
    """Drop the points of a line that are on the straight line between their neighbours.

    The line runs from left to right.
    """
    simplified = list(points[:1])
    low, high = float("-inf"), float("inf")
    for before, here in pairwise(points[1:]):
        (x, y), (from_x, from_y) = before, simplified[-1]
        low = max(low, (y - within - from_y) / (x - from_x))
        high = min(high, (y + within - from_y) / (x - from_x))
        if not low <= (here[1] - from_y) / (here[0] - from_x) <= high:
            simplified.append(before)
            low, high = float("-inf"), float("inf")
    return simplified + list(points[1:][-1:])


def tall(width: float, part: float, least: float) -> int:
    """Return the height of a chart: a fraction of its width, and at least the height of its
    contents."""
    return ceil(max(width * part, least))


# --- how they look


def line_look(at: int) -> dict[str, str]:
    """Return the attributes of a player's line: a colour, then dashes."""
    colour, dashes = at % MANY, _DASHES[(at + at // MANY) % len(_DASHES)]
    look = {"class": f"s{colour}", "stroke": BY_DAY[colour], "fill": "none"}
    return look | ({"stroke-dasharray": dashes} if dashes else {})


def fill_look(at: int) -> dict[str, str]:
    """Return the attributes of a player's area: its colour."""
    return {"class": f"f{at % MANY}", "fill": BY_DAY[at % MANY]}


def mark(at: int, x: float, y: float) -> str:
    """Return the path of a player's mark around a point."""
    return f"M{number(x)} {number(y)}{_MARKS[(at + at // MANY) % len(_MARKS)]}"


def hatching(at: int, x: float, y: float, width: float, height: float) -> str:
    """Return the path of the hatching that distinguishes areas of the same colour."""
    return "".join(
        f"M{number(from_x)} {number(from_y)}L{number(to_x)} {number(to_y)}"
        for name in _HATCHINGS[(at + at // MANY) % len(_HATCHINGS)]
        for from_x, from_y, to_x, to_y in _lines(name, x, y, x + width, y + height)
    )


def _lines(
    name: str, left: float, top: float, right: float, bottom: float
) -> Iterator[tuple[float, float, float, float]]:
    """Yield the end points of the lines of one hatching within a rectangle."""
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
    """Yield the multiples of the spacing strictly between two values."""
    for times in range(floor(least / apart) + 1, ceil(most / apart)):
        yield float(times * apart)


def _colours(colours: tuple[str, ...]) -> str:
    """Return the style rules for a list of colours."""
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
