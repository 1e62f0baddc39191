"""Pictures: tallies over the rounds as lines, what they came from and how players compare as bars.

A picture is one `<svg>` element: no script, no style, nothing that is loaded. Colours, dashes,
marks and hatchings tell one from the other, so that nobody needs the colours. The elements bear
what they look like on white paper as attributes; a page that includes CHART_STYLE has them follow
its own `--ink`, `--faint`, `--line` and `--paper`, and the night.
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
LINE = 17  # from one line of letters to the next
FONT = "system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif"
# Where a label ends that is longer than its place.
_LEAST_COLUMNS = 3
NARROWEST = 240
LEAST = 60  # wide is what is drawn, whatever numbers stand beside it
EDGE = 2
HEAD = 28  # the picture's heading
FOOT = 24  # the numbers below
LEADER = 16  # from the end of a line to its label
BESIDE = 6  # between a number and what stands beside it
MOST_TICKS = 6
NAMES = 0.3  # of the width are for names at most
TALL = 0.36  # of the width is the height
SHORTEST = 180
TIED, MOST_TIED = 2.6, 11  # pixels between lines that are equal, and from the first to the last
FEW, MARKED = 4, 5  # so many lines need no marks on their way; marks on that of others
MOST_PARTS = 8  # told apart in one bar
MOST_HEADED, LEAST_LABEL = 56, 130  # wide is a name above numbers, and what is said before them
BAR, SWATCH = 20, 13
THIN_BAR = 15  # where one number alone is compared
FEWEST = 2  # numbers at an axis, besides the first
DRAWN = 460  # how wide a picture is drawn: letters can be read where two stand side by side
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


def drawn(sheet: Sheet) -> list[str]:
    """The pictures that there are to draw, each an element of SVG."""
    running = lines_svg(sheet.running, DRAWN) if sheet.running else ""
    parts = parts_svg(sheet.parts, DRAWN) if sheet.parts else ""
    return [picture for picture in (running, parts) if picture]


def shape(picture: str) -> float:
    """A picture's height as a part of its width."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', picture)
    return float(found[2]) / float(found[1]) if found else 1.0


# --- the tallies over the evening


def lines_svg(running: Running, width: int = 720) -> str:
    """The tallies over the rounds as lines, each with its name at its end; "" with fewer than two
    points in time, or nobody."""
    shown = [at for at, points in enumerate(running.points) if known(points)]
    if len(running.rounds) < 2 or not shown:
        return ""
    return _Lines(running, shown, max(width, NARROWEST)).drawn()


class _Lines:
    """The picture of the tallies: where what stands."""

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
        beside = LEADER + self.sums + BESIDE + named + EDGE
        self.width = max(width, self.left + LEAST + beside)
        self.right = self.width - beside
        self.named = named
        tallest = tall(width, TALL, max(SHORTEST, len(self.names) * LINE))
        self.top, self.bottom = float(HEAD), float(HEAD + tallest)

    def x(self, at: int) -> float:
        """Where a point in time stands."""
        return (
            self.left
            + BESIDE
            + (self.right - self.left - BESIDE) * at / (len(self.running.rounds) - 1)
        )

    def y(self, points: float) -> float:
        """Where a tally stands."""
        return self.bottom - (self.bottom - self.top) * (points - self.least) / (
            self.most - self.least
        )

    def drawn(self) -> str:
        """The picture."""
        title = over_rounds(self.running)
        ends = zip(self.names, self.last, strict=True)
        told = tr(
            "At the end: {standing}", standing=", ".join(f"{who} {last}" for who, last in ends)
        )
        heading = words(EDGE, SIZE, fitted(title, self.width - 2 * EDGE), FAINT_TEXT)
        pieces = [heading, *self.axes(), *self.lines(), *self.labels()]
        return picture(self.width, self.bottom + FOOT, title, told, pieces)

    def axes(self) -> Iterator[str]:
        """Round numbers at the left, the rounds or the days below."""
        for tick in self.ticks:
            y = self.y(tick)
            yield stroke(self.left, y, self.right, y, GRID_LINE if tick else ZERO_LINE)
            yield words(self.left - BESIDE, y + SIZE / 3, str(tick), FAINT_TEXT, "end")
        rounds = self.running.rounds
        said = self.running.days or list(map(str, rounds))
        apart = (self.right - self.left) / len(rounds)
        widest = max(map(width_of, said)) + 2 * BESIDE
        if self.running.days:  # the first place is before the first day
            shown = apart_from(1, len(said) - 1, int((self.right - self.left) / widest))
        else:
            shown = counted(rounds, int(widest / apart) + 1)
        for at in shown:
            yield stroke(self.x(at), self.bottom + 2, self.x(at), self.bottom + 6, ZERO_LINE)
            place = self.bottom + 6 + SIZE
            yield words(self.x(at), place, said[at], FAINT_TEXT, "middle")
        if not self.running.days:
            beside = self.right + LEADER
            word = fitted(self.running.word or tr("Round"), self.width - beside)
            yield words(beside, self.bottom + 6 + SIZE, word, FAINT_TEXT)

    def lines(self) -> Iterator[str]:
        """Each player's line, with a mark at its end."""
        moved = [self._moved(at) for at in range(len(self.running.rounds))]
        for who, points in enumerate(self.points):
            runs: list[list[Point]] = [[]]
            for at, point in enumerate(points):
                if point is None:
                    runs.append([])
                else:
                    runs[-1].append((self.x(at), self.y(point) + moved[at][who]))
            found = [straightened(run) for run in runs if run]
            path = "".join(path_of(run) for run in found if len(run) > 1)
            if path:
                yield element("path", {"d": path, "stroke-width": "2", **line_look(who)})
            alone = [run[0] for run in found if len(run) == 1 and run is not found[-1]]
            marked = [*self._between(who, runs), *alone, found[-1][-1]]
            shapes = "".join(mark(who, x, y) for x, y in marked)
            yield element("path", {"d": shapes, **fill_look(who)})

    def _between(self, who: int, runs: Sequence[Sequence[Point]]) -> Iterator[Point]:
        """Where a line has marks on its way, if there are so many that dashes alone do not tell
        them apart: each in places of its own."""
        apart = -(-len(self.running.rounds) // MARKED)
        for at, point in enumerate(point for run in runs for point in run):
            if (
                len(self.points) > FEW
                and at
                and (at - apart * who // len(self.points)) % apart == 0
            ):
                yield point

    def _moved(self, at: int) -> dict[int, float]:
        """How far lines that are equal here are moved apart, so that each can be seen."""
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
        """Tally and name of each at the end of their line, moved apart where they are close."""
        final = len(self.running.rounds) - 1
        moved = self._moved(final)
        wanted = [
            self.y(last) + (moved[who] if self.points[who][final] is not None else 0)
            for who, last in enumerate(self.last)
        ]
        places = spread(wanted, LINE, self.top, self.bottom - 2)
        for who, (place, end) in enumerate(zip(places, wanted, strict=True)):
            look = line_look(who) | {"stroke-dasharray": "1 2"}
            gone = max(at for at, point in enumerate(self.points[who]) if point is not None)
            path = path_of(
                [(self.x(gone), end), (self.right, end), (self.right + LEADER - 3, place)]
            )
            yield element("path", {"d": path, **look})
            sums = self.right + LEADER + self.sums
            yield words(sums, place + SIZE / 3, str(self.last[who]), INK_TEXT, "end")
            name = fitted(self.names[who], self.named)
            yield words(sums + BESIDE, place + SIZE / 3, name, INK_TEXT)


def _reach(points: Sequence[int]) -> tuple[int, int]:
    """From which number to which the picture goes; with 0 in it, unless that is far away."""
    least, most = min(points), max(points)
    if least > 0 and least <= most - least:
        least = 0
    if most < 0 and -most <= most - least:
        most = 0
    return (least, most) if least < most else (least - 1, most + 1)


# --- what they came from


def parts_svg(parts: Parts, width: int = 720) -> str:
    """What each player's points came from as bars, what was lost to the left, what counted least
    in one piece, and below them all of it in numbers; "" where all came from one thing, or from
    nothing."""
    shown = [at for at in range(len(parts.labels)) if any(row[at] for row in parts.points)]
    if len(shown) < 2:
        return ""
    labels = [parts.labels[at] for at in shown]
    whole = parts._replace(
        labels=labels, points=[[row[at] for at in shown] for row in parts.points]
    )
    return _Parts(whole, max(width, NARROWEST)).drawn()


def _gathered(parts: Parts) -> tuple[Parts, list[int]]:
    """The parts of which most came, and the others as one; and which of them those are."""
    if len(parts.labels) <= MOST_PARTS:
        return parts, []
    weights = [sum(abs(row[at]) for row in parts.points) for at, _ in enumerate(parts.labels)]
    order = sorted(range(len(weights)), key=lambda at: -weights[at])
    kept, others = sorted(order[: MOST_PARTS - 1]), sorted(order[MOST_PARTS - 1 :])
    labels = [*(parts.labels[at] for at in kept), tr("everything else")]
    points = [[*(row[at] for at in kept), sum(row[at] for at in others)] for row in parts.points]
    return parts._replace(labels=labels, points=points), others


def _in_words(parts: Parts) -> str:
    """All of it, for those who do not see the picture."""
    told = []
    for name, row in zip(parts.names, parts.points, strict=True):
        each = [f"{label} {part}" for label, part in zip(parts.labels, row, strict=True) if part]
        told.append(f"{name} {sum(row)}: {', '.join(each)}" if each else f"{name} 0")
    return "; ".join(told)


class _Parts:
    """The picture of what tallies came from: where what stands."""

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
        beside = BESIDE + max(width_of(str(each)) for each in self.sums) + EDGE
        numbers = [*self.sums, *(each for row in whole.points for each in row)]
        named = min(max(map(width_of, self.names)), MOST_HEADED)
        self.column = max(named, *(width_of(str(each)) for each in numbers)) + 2 * BESIDE
        table = 2 * EDGE + LEAST_LABEL + len(self.names) * self.column
        self.width = max(width, self.left + LEAST + beside, table)
        self.right = self.width - beside
        self.bottom = HEAD + len(self.rows) * (BAR + BESIDE * 2)

    def x(self, points: int) -> float:
        """Where a number stands."""
        return self.left + (self.right - self.left) * (points - self.least) / (
            self.most - self.least
        )

    def drawn(self) -> str:
        """The picture."""
        title = came_from()
        heading = words(EDGE, SIZE, fitted(title, self.width - 2 * EDGE), FAINT_TEXT)
        bars = [piece for at in range(len(self.rows)) for piece in self.bar(at)]
        table = [piece for at, row in enumerate(self.table()) for piece in self.line(at, *row)]
        bottom = self.line_top(sum(1 for _ in self.table()))
        pieces = [heading, *self.axis(), *bars, *table]
        return picture(self.width, bottom, title, _in_words(self.whole), pieces)

    def axis(self) -> Iterator[str]:
        """Round numbers below."""
        many = int((self.right - self.left) / (width_of(str(self.least - self.most)) + 2 * LINE))
        for tick in ticks(self.least, self.most, min(max(many, 1), 2 * MOST_TICKS)):
            x = self.x(tick)
            yield stroke(x, HEAD - BESIDE, x, self.bottom, GRID_LINE if tick else ZERO_LINE)
            yield words(x, self.bottom + SIZE + 2, str(tick), FAINT_TEXT, "middle")

    def bar(self, at: int) -> Iterator[str]:
        """A player's bar, with their name before it and what it comes to after it."""
        top = HEAD + BESIDE + at * (BAR + BESIDE * 2)
        base = top + BAR / 2 + SIZE / 3
        yield words(EDGE, base, fitted(self.names[at], self.named), INK_TEXT)
        over = under = 0
        for part, points in enumerate(self.rows[at]):
            start = over if points > 0 else under
            over, under = over + max(points, 0), under + min(points, 0)
            if points:
                ends = sorted((self.x(start), self.x(start + points)))
                yield from _surface(part, ends[0], top, ends[1] - ends[0], BAR)
                yield from _told(points, ends[0], ends[1], base)
        if over and under:
            yield _pointer(self.x(over + under), top + BAR + 1)
        yield words(self.width - EDGE, base, str(self.sums[at]), INK_TEXT, "end")

    def table(self) -> Iterator[tuple[str, Sequence[str], int | None]]:
        """The lines below the bars: what each is about, a text for each player, and which surface
        it explains (None: none)."""
        yield "", [fitted(name, self.column - BESIDE) for name in self.names], None
        for at, label in enumerate(self.labels):
            yield label, [_number(row[at]) for row in self.rows], at
        for at in self.others:
            yield self.whole.labels[at], [_number(row[at]) for row in self.whole.points], None
        if self.mixed:
            yield in_all(), list(map(str, self.sums)), len(self.labels)

    def line_top(self, at: int) -> float:
        """Where such a line begins."""
        return self.bottom + FOOT + at * LINE

    def line(self, at: int, label: str, texts: Sequence[str], surface: int | None) -> Iterator[str]:
        """Such a line; the first are the headings, and what has no surface stands further in."""
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
    """A number of the table; nothing for nothing."""
    return str(points) if points else ""


def _surface(at: int, x: float, y: float, width: float, height: float) -> Iterator[str]:
    """A coloured and hatched surface, apart from what lies beside it."""
    yield element("rect", {"x": x, "y": y, "width": width, "height": height, **fill_look(at)})
    lines = hatching(at, x, y, width, height)
    edge = f"M{number(x + width)} {number(y)}v{number(height)}"
    yield element("path", {"d": lines + edge, "stroke-width": "1.4", **GAP_LINE})


def _pointer(x: float, y: float) -> str:
    """What points at a bar from below, to where it comes to."""
    path = f"M{number(x)} {number(y)}l4.5 7h-9z"
    return element("path", {"d": path, **INK_TEXT})


def _told(points: int, left: float, right: float, base: float) -> Iterator[str]:
    """The number on a surface that has room for it."""
    needs = width_of(str(points)) + BESIDE
    if right - left >= needs + 2 * BESIDE:
        x = (left + right - needs) / 2
        sizes = {"x": x, "y": base - SIZE + 1, "width": needs, "height": SIZE + 2, "rx": 3}
        yield element("rect", {**sizes, "class": "under", "fill": PAPER})
        yield words((left + right) / 2, base, str(points), INK_TEXT, "middle")


# --- how players compare


class Bar(NamedTuple):
    """A player's bar: how long it is, and what is said of it."""

    name: str
    length: float
    said: str


def bars_svg(title: str, bars: Sequence[Bar], most: float = 0, width: int = 720) -> str:
    """A bar for each player, what is less than nothing to the left, with its number beside it;
    `most` is how long one may be at least. "" for fewer than two, or where all are nothing."""
    if len(bars) < 2 or not any(bar.length for bar in bars):
        return ""
    return _Bars(title, bars, most, width).drawn()


class _Bars:
    """The picture of some bars: where what stands."""

    def __init__(self, title: str, bars: Sequence[Bar], most: float, width: int) -> None:
        self.title, self.bars, self.width = title, bars, width
        self.least = min(0.0, *(bar.length for bar in bars))
        self.most = max(0.0, most, *(bar.length for bar in bars))
        self.named = min(max(width_of(bar.name) for bar in bars), NAMES * width)
        self.left = EDGE + self.named + 2 * BESIDE
        self.right = width - EDGE - BESIDE - max(width_of(bar.said) for bar in bars)
        self.bottom = HEAD + len(bars) * (THIN_BAR + BESIDE)

    def x(self, length: float) -> float:
        """Where a number stands."""
        part = (length - self.least) / (self.most - self.least)
        return self.left + (self.right - self.left) * part

    def drawn(self) -> str:
        """The picture."""
        told = ", ".join(f"{bar.name} {bar.said}" for bar in self.bars)
        heading = words(EDGE, SIZE, fitted(self.title, self.width - 2 * EDGE), FAINT_TEXT)
        pieces = [heading, *self.axis(), *self.rows()]
        return picture(self.width, self.bottom + LINE + EDGE, self.title, told, pieces)

    def axis(self) -> Iterator[str]:
        """Round numbers below, fractions where the bars are that short."""
        parts = 1
        while (self.most - self.least) * parts < FEWEST:
            parts *= 10
        for tick in ticks(int(self.least * parts), int(self.most * parts), MOST_TICKS):
            x = self.x(tick / parts)
            yield stroke(x, HEAD - BESIDE, x, self.bottom, GRID_LINE if tick else ZERO_LINE)
            yield words(x, self.bottom + SIZE, f"{tick / parts:g}", FAINT_TEXT, "middle")

    def rows(self) -> Iterator[str]:
        """Each name, its bar and its number."""
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


def element(name: str, attributes: Mapping[str, str | float], content: str = "") -> str:
    """An element; `content` is SVG already."""
    said = "".join(
        f' {key}="{escaped(value) if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{said}>{content}</{name}>" if content else f"<{name}{said}/>"


def words(x: float, y: float, text: str, look: Mapping[str, str], anchor: str = "start") -> str:
    """A line of text that begins, ends or has its middle there."""
    turned = {} if anchor == "start" else {"text-anchor": anchor}
    return element("text", {"x": x, "y": y, **turned, **look}, escaped(text))


def stroke(x: float, y: float, to_x: float, to_y: float, look: Mapping[str, str]) -> str:
    """A straight line."""
    return element("line", {"x1": x, "y1": y, "x2": to_x, "y2": to_y, **look})


def path_of(points: Sequence[Point]) -> str:
    """Points joined by straight lines."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


def number(value: float) -> str:
    """A place or a length, to a tenth."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


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


def tall(width: float, part: float, least: float) -> int:
    """How tall a picture is: a part of its width, and no less than what stands in it needs."""
    return ceil(max(width * part, least))


# --- how they look


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
