"""SVG charts: lines show the tallies over the rounds, and bars show the sources of points or
compare numbers.

A chart is one `<svg>` element without scripts, styles or external files. Dashes, marks and hatching
distinguish the players, so colour is not needed. Attributes style the elements for white paper. On
a page that includes CHART_STYLE, charts follow the page's `--ink`, `--faint`, `--line` and
`--paper`, and its dark mode.
"""

from __future__ import annotations

import re
from itertools import pairwise
from math import ceil, floor
from typing import TYPE_CHECKING

from scorekeeper.core.messages import tr
from scorekeeper.core.text import display_width, escape_html, make_printable, shorten
from scorekeeper.core.types import NamedTuple
from scorekeeper.render.layout import text_width
from scorekeeper.render.sheet_model import running_title, sources_title, sources_total, without_gaps

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorekeeper.render.sheet_model import RunningTotals, ScoreSources, Sheet

    Point = tuple[float, float]


TEXT_SIZE = 13  # font size
LINE_HEIGHT = 17  # distance between lines of text
FONT = "system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif"
# A label is never shortened below this number of columns, even if it does not fit.
_MIN_COLUMNS = 3
MIN_WIDTH = 240
MIN_PLOT_WIDTH = 60  # minimum width of the plot, even if labels are wide
EDGE = 2
HEAD_HEIGHT = 28  # height of the heading
FOOT_HEIGHT = 24  # height of the numbers below the plot
LEADER_WIDTH = 16  # distance from the end of a line to its label
TEXT_GAP = 6  # distance between a number and its neighbours
MAX_TICKS = 6
MAX_NAME_SHARE = 0.3  # maximum width of names, as a fraction of the chart's width
HEIGHT_RATIO = 0.36  # height as a fraction of the width
MIN_HEIGHT = 180
# pixels between lines with equal values, and the maximum total spread of these lines
TIE_GAP, MAX_TIE_SPREAD = 2.6, 11
# A chart with more than MAX_UNMARKED_LINES lines has MARKS_PER_LINE extra marks on each line.
MAX_UNMARKED_LINES, MARKS_PER_LINE = 4, 5
MAX_SOURCES = 8  # maximum number of sources that one bar shows separately
# The maximum width of a name above a column, and the minimum width of the labels on the left.
MAX_HEADING_WIDTH, MIN_LABEL_WIDTH = 56, 130
BAR_HEIGHT, SWATCH_SIZE = 20, 13
THIN_BAR_HEIGHT = 15  # height of a bar in a chart that shows one number for each player
MIN_TICKS = 2  # minimum number of labels on an axis, not counting the first
CHART_WIDTH = 460  # narrow enough for letters to stay legible when two charts share a row
INK, FAINT, GRID, PAPER = "#1c1c1c", "#5a5a5a", "#d0d0d0", "#ffffff"
# Colours that colour-blind readers can distinguish (after Okabe and Ito). They are dark enough to
# be read on white, and adjacent colours differ in brightness.
LIGHT_COLOURS = (
    *("#0072b2", "#d55e00", "#1c1c1c", "#009e73"),
    *("#a8457f", "#b07800", "#3d8fc4", "#6b5b00"),
)
DARK_COLOURS = (
    *("#56b4e9", "#ff8a3d", "#f0f0ee", "#2fcf9f"),
    *("#e79ac8", "#f0c419", "#a9c4ff", "#b5a642"),
)
COLOUR_COUNT = len(LIGHT_COLOURS)

_DASHES = ("", "8 3", "2 3", "10 3 2 3", "16 4", "5 2", "12 3 2 3 2 3", "4 4")
# Marks with a radius of about four pixels: disc, square, triangle pointing up, diamond, triangle
# pointing down, plus, cross, bar.
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
HATCH_SPACING = 6  # pixels between lines of a hatching

INK_TEXT: Mapping[str, str] = {"class": "ink", "fill": INK}
FAINT_TEXT: Mapping[str, str] = {"class": "faint", "fill": FAINT}
GRID_LINE: Mapping[str, str] = {"class": "grid", "stroke": GRID, "stroke-width": "1"}
ZERO_LINE: Mapping[str, str] = {"class": "axis", "stroke": FAINT, "stroke-width": "1"}
GAP_LINE: Mapping[str, str] = {"class": "gap", "stroke": PAPER, "fill": "none"}


def draw_charts(sheet: Sheet) -> list[str]:
    """Draw the charts of a sheet. Each is an SVG element."""
    running = draw_lines(sheet.running_totals, CHART_WIDTH) if sheet.running_totals else ""
    parts = draw_sources(sheet.sources, CHART_WIDTH) if sheet.sources else ""
    return [picture for picture in (running, parts) if picture]


def aspect_ratio(svg: str) -> float:
    """Return the height of an SVG picture as a fraction of its width."""
    match = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    return float(match[2]) / float(match[1]) if match else 1.0


# --- the tallies over the evening


def draw_lines(running: RunningTotals, width: int = 720) -> str:
    """Draw each player's tally over the rounds as a line with the name at its end.

    Return "" if there are fewer than two points in time or no players.
    """
    shown = [at for at, points in enumerate(running.points) if without_gaps(points)]
    if len(running.rounds) < 2 or not shown:
        return ""
    return _LineChart(running, shown, max(width, MIN_WIDTH)).draw()


class _LineChart:
    """A line chart with the positions of its elements."""

    def __init__(self, running: RunningTotals, shown: Sequence[int], width: int) -> None:
        self.running = running
        self.names = [running.names[at] for at in shown]
        self.points = [running.points[at] for at in shown]
        self.final_tallies = [without_gaps(points)[-1] for points in self.points]
        every = [point for points in self.points for point in without_gaps(points)]
        self.lowest, self.highest = _value_range(every)
        self.ticks = find_ticks(self.lowest, self.highest, MAX_TICKS)
        self.left = EDGE + TEXT_GAP + max(measure_text(str(tick)) for tick in self.ticks)
        self.tally_width = max(measure_text(str(last)) for last in self.final_tallies)
        named = min(max(map(measure_text, self.names)), MAX_NAME_SHARE * width)
        label_width = LEADER_WIDTH + self.tally_width + TEXT_GAP + named + EDGE
        self.width = max(width, self.left + MIN_PLOT_WIDTH + label_width)
        self.right = self.width - label_width
        self.name_width = named
        tallest = chart_height(width, HEIGHT_RATIO, max(MIN_HEIGHT, len(self.names) * LINE_HEIGHT))
        self.top, self.bottom = float(HEAD_HEIGHT), float(HEAD_HEIGHT + tallest)

    def x(self, at: int) -> float:
        """Return the x coordinate of a point in time. Points in time are numbered from 0."""
        return (
            self.left
            + TEXT_GAP
            + (self.right - self.left - TEXT_GAP) * at / (len(self.running.rounds) - 1)
        )

    def y(self, points: float) -> float:
        """Return the y coordinate of a tally."""
        return self.bottom - (self.bottom - self.top) * (points - self.lowest) / (
            self.highest - self.lowest
        )

    def draw(self) -> str:
        """Draw the chart."""
        title = running_title(self.running)
        ends = zip(self.names, self.final_tallies, strict=True)
        description = tr(
            "At the end: {standing}", standing=", ".join(f"{who} {last}" for who, last in ends)
        )
        heading = text_element(
            EDGE, TEXT_SIZE, shorten_to_fit(title, self.width - 2 * EDGE), FAINT_TEXT
        )
        pieces = [heading, *self.draw_axes(), *self.draw_lines(), *self.draw_labels()]
        return build_svg(self.width, self.bottom + FOOT_HEIGHT, title, description, pieces)

    def draw_axes(self) -> Iterator[str]:
        """Draw the scale on the left, and the rounds or days below."""
        for tick in self.ticks:
            y = self.y(tick)
            yield line_element(self.left, y, self.right, y, GRID_LINE if tick else ZERO_LINE)
            yield text_element(
                self.left - TEXT_GAP, y + TEXT_SIZE / 3, str(tick), FAINT_TEXT, "end"
            )
        rounds = self.running.rounds
        labels = self.running.days or list(map(str, rounds))
        spacing = (self.right - self.left) / len(rounds)
        widest = max(map(measure_text, labels)) + 2 * TEXT_GAP
        if self.running.days:  # no label for the first point in time, which is before the first day
            shown = spread_positions(1, len(labels) - 1, int((self.right - self.left) / widest))
        else:
            shown = label_positions(rounds, int(widest / spacing) + 1)
        for at in shown:
            yield line_element(self.x(at), self.bottom + 2, self.x(at), self.bottom + 6, ZERO_LINE)
            place = self.bottom + 6 + TEXT_SIZE
            yield text_element(self.x(at), place, labels[at], FAINT_TEXT, "middle")
        if not self.running.days:
            label_x = self.right + LEADER_WIDTH
            word = shorten_to_fit(self.running.word or tr("Round"), self.width - label_x)
            yield text_element(label_x, self.bottom + 6 + TEXT_SIZE, word, FAINT_TEXT)

    def draw_lines(self) -> Iterator[str]:
        """Draw each player's line with a mark at its end."""
        moved = [self._tie_offsets(at) for at in range(len(self.running.rounds))]
        for who, points in enumerate(self.points):
            runs: list[list[Point]] = [[]]
            for at, point in enumerate(points):
                if point is None:
                    runs.append([])
                else:
                    runs[-1].append((self.x(at), self.y(point) + moved[at][who]))
            simplified = [simplify_line(run) for run in runs if run]
            path = "".join(polyline(run) for run in simplified if len(run) > 1)
            if path:
                yield svg_element("path", {"d": path, "stroke-width": "2", **line_style(who)})
            alone = [run[0] for run in simplified if len(run) == 1 and run is not simplified[-1]]
            marked = [*self._marks_between(who, runs), *alone, simplified[-1][-1]]
            shapes = "".join(mark_path(who, x, y) for x, y in marked)
            yield svg_element("path", {"d": shapes, **fill_style(who)})

    def _marks_between(self, who: int, runs: Sequence[Sequence[Point]]) -> Iterator[Point]:
        """Yield the points of a line that get marks between its ends.

        Only charts with many lines need such marks. In other charts, dashes distinguish the lines.
        Different lines are marked at different points.
        """
        apart = -(-len(self.running.rounds) // MARKS_PER_LINE)
        for at, point in enumerate(point for run in runs for point in run):
            if (
                len(self.points) > MAX_UNMARKED_LINES
                and at
                and (at - apart * who // len(self.points)) % apart == 0
            ):
                yield point

    def _tie_offsets(self, at: int) -> dict[int, float]:
        """Return the vertical offset of each line at this point. The offsets separate lines with
        equal values."""
        equal: dict[int | None, list[int]] = {}
        for who, points in enumerate(self.points):
            equal.setdefault(points[at], []).append(who)
        moved = {}
        for tied in equal.values():
            apart = min(TIE_GAP, MAX_TIE_SPREAD / max(len(tied) - 1, 1))
            for place, who in enumerate(tied):
                moved[who] = apart * (place - (len(tied) - 1) / 2)
        return moved

    def draw_labels(self) -> Iterator[str]:
        """Draw the tally and name at the end of each line, and spread out labels that would
        overlap."""
        final = len(self.running.rounds) - 1
        moved = self._tie_offsets(final)
        wanted = [
            self.y(last) + (moved[who] if self.points[who][final] is not None else 0)
            for who, last in enumerate(self.final_tallies)
        ]
        places = spread_labels(wanted, LINE_HEIGHT, self.top, self.bottom - 2)
        for who, (place, end) in enumerate(zip(places, wanted, strict=True)):
            look = line_style(who) | {"stroke-dasharray": "1 2"}
            final_at = max(at for at, point in enumerate(self.points[who]) if point is not None)
            path = polyline(
                [(self.x(final_at), end), (self.right, end), (self.right + LEADER_WIDTH - 3, place)]
            )
            yield svg_element("path", {"d": path, **look})
            sums = self.right + LEADER_WIDTH + self.tally_width
            yield text_element(
                sums, place + TEXT_SIZE / 3, str(self.final_tallies[who]), INK_TEXT, "end"
            )
            name = shorten_to_fit(self.names[who], self.name_width)
            yield text_element(sums + TEXT_GAP, place + TEXT_SIZE / 3, name, INK_TEXT)


def _value_range(points: Sequence[int]) -> tuple[int, int]:
    """Return the lowest and highest value on the scale. It includes zero unless zero is far
    away."""
    least, most = min(points), max(points)
    if least > 0 and least <= most - least:
        least = 0
    if most < 0 and -most <= most - least:
        most = 0
    return (least, most) if least < most else (least - 1, most + 1)


# --- the sources of the points


def draw_sources(parts: ScoreSources, width: int = 720) -> str:
    """Draw the sources of each player's points as bars, with a table of the numbers below.

    Losses extend to the left. If there are too many sources, the smallest ones are merged into one.
    Return "" if there are fewer than two sources.
    """
    shown = [at for at in range(len(parts.labels)) if any(row[at] for row in parts.points)]
    if len(shown) < 2:
        return ""
    labels = [parts.labels[at] for at in shown]
    whole = parts._replace(
        labels=labels, points=[[row[at] for at in shown] for row in parts.points]
    )
    return _SourceChart(whole, max(width, MIN_WIDTH)).draw()


def _merge_small_sources(parts: ScoreSources) -> tuple[ScoreSources, list[int]]:
    """Merge the smallest sources into one if there are too many for a bar.

    Return the new sources and the original indexes of the merged ones.
    """
    if len(parts.labels) <= MAX_SOURCES:
        return parts, []
    weights = [sum(abs(row[at]) for row in parts.points) for at, _ in enumerate(parts.labels)]
    order = sorted(range(len(weights)), key=lambda at: -weights[at])
    large, small = sorted(order[: MAX_SOURCES - 1]), sorted(order[MAX_SOURCES - 1 :])
    labels = [*(parts.labels[at] for at in large), tr("everything else")]
    points = [[*(row[at] for at in large), sum(row[at] for at in small)] for row in parts.points]
    return parts._replace(labels=labels, points=points), small


def _describe_sources(parts: ScoreSources) -> str:
    """Describe all sources as text for blind readers."""
    texts = []
    for name, row in zip(parts.names, parts.points, strict=True):
        each = [f"{label} {part}" for label, part in zip(parts.labels, row, strict=True) if part]
        texts.append(f"{name} {sum(row)}: {', '.join(each)}" if each else f"{name} 0")
    return "; ".join(texts)


class _SourceChart:
    """A chart of sources with the positions of its elements."""

    def __init__(self, whole: ScoreSources, width: int) -> None:
        self.sources = whole
        parts, self.merged = _merge_small_sources(whole)
        self.names, self.labels = parts.names, parts.labels
        self.rows = parts.points
        self.sums = [sum(row) for row in self.rows]
        self.has_gains_and_losses = any(min(row) < 0 < max(row) for row in self.rows)
        self.lowest = min(0, *(sum(each for each in row if each < 0) for row in self.rows))
        self.highest = max(0, *(sum(each for each in row if each > 0) for row in self.rows))
        self.name_width = min(max(map(measure_text, self.names)), MAX_NAME_SHARE * width)
        self.left = EDGE + self.name_width + 2 * TEXT_GAP
        sum_width = TEXT_GAP + max(measure_text(str(each)) for each in self.sums) + EDGE
        numbers = [*self.sums, *(each for row in whole.points for each in row)]
        named = min(max(map(measure_text, self.names)), MAX_HEADING_WIDTH)
        self.column_width = (
            max(named, *(measure_text(str(each)) for each in numbers)) + 2 * TEXT_GAP
        )
        table = 2 * EDGE + MIN_LABEL_WIDTH + len(self.names) * self.column_width
        self.width = max(width, self.left + MIN_PLOT_WIDTH + sum_width, table)
        self.right = self.width - sum_width
        self.bottom = HEAD_HEIGHT + len(self.rows) * (BAR_HEIGHT + TEXT_GAP * 2)

    def x(self, points: int) -> float:
        """Return the x coordinate of a score on the axis."""
        return self.left + (self.right - self.left) * (points - self.lowest) / (
            self.highest - self.lowest
        )

    def draw(self) -> str:
        """Draw the chart."""
        title = sources_title()
        heading = text_element(
            EDGE, TEXT_SIZE, shorten_to_fit(title, self.width - 2 * EDGE), FAINT_TEXT
        )
        bars = [piece for at in range(len(self.rows)) for piece in self.draw_bar(at)]
        table = [
            piece for at, row in enumerate(self.table_rows()) for piece in self.draw_row(at, *row)
        ]
        bottom = self.row_top(sum(1 for _ in self.table_rows()))
        pieces = [heading, *self.draw_axis(), *bars, *table]
        return build_svg(self.width, bottom, title, _describe_sources(self.sources), pieces)

    def draw_axis(self) -> Iterator[str]:
        """Draw the scale below the bars."""
        many = int(
            (self.right - self.left)
            / (measure_text(str(self.lowest - self.highest)) + 2 * LINE_HEIGHT)
        )
        for tick in find_ticks(self.lowest, self.highest, min(max(many, 1), 2 * MAX_TICKS)):
            x = self.x(tick)
            yield line_element(
                x, HEAD_HEIGHT - TEXT_GAP, x, self.bottom, GRID_LINE if tick else ZERO_LINE
            )
            yield text_element(x, self.bottom + TEXT_SIZE + 2, str(tick), FAINT_TEXT, "middle")

    def draw_bar(self, at: int) -> Iterator[str]:
        """Draw a player's bar between the name and the total."""
        top = HEAD_HEIGHT + TEXT_GAP + at * (BAR_HEIGHT + TEXT_GAP * 2)
        base = top + BAR_HEIGHT / 2 + TEXT_SIZE / 3
        yield text_element(EDGE, base, shorten_to_fit(self.names[at], self.name_width), INK_TEXT)
        gained = lost = 0
        for part, points in enumerate(self.rows[at]):
            start = gained if points > 0 else lost
            gained, lost = gained + max(points, 0), lost + min(points, 0)
            if points:
                ends = sorted((self.x(start), self.x(start + points)))
                yield from _draw_surface(part, ends[0], top, ends[1] - ends[0], BAR_HEIGHT)
                yield from _draw_number(points, ends[0], ends[1], base)
        if gained and lost:
            yield _draw_pointer(self.x(gained + lost), top + BAR_HEIGHT + 1)
        yield text_element(self.width - EDGE, base, str(self.sums[at]), INK_TEXT, "end")

    def table_rows(self) -> Iterator[tuple[str, Sequence[str], int | None]]:
        """Yield the rows of the table below the bars.

        A row has a label, a string for each player, and the index of the area in the bars that it
        explains. The index is None if the row explains no area.
        """
        yield "", [shorten_to_fit(name, self.column_width - TEXT_GAP) for name in self.names], None
        for at, label in enumerate(self.labels):
            yield label, [_format_nonzero(row[at]) for row in self.rows], at
        for at in self.merged:
            yield (
                self.sources.labels[at],
                [_format_nonzero(row[at]) for row in self.sources.points],
                None,
            )
        if self.has_gains_and_losses:
            yield sources_total(), list(map(str, self.sums)), len(self.labels)

    def row_top(self, at: int) -> float:
        """Return the y coordinate at which a row of the table begins."""
        return self.bottom + FOOT_HEIGHT + at * LINE_HEIGHT

    def draw_row(
        self, at: int, label: str, texts: Sequence[str], surface: int | None
    ) -> Iterator[str]:
        """Draw a row of the table. Row 0 is the heading. Rows that explain no area are indented."""
        top, look = self.row_top(at), INK_TEXT if at else FAINT_TEXT
        base, before = top + TEXT_SIZE - 1, EDGE + SWATCH_SIZE + TEXT_GAP
        if surface == len(self.labels):
            yield _draw_pointer(EDGE + SWATCH_SIZE / 2, top + TEXT_GAP - 1)
        elif surface is not None:
            yield from _draw_surface(surface, EDGE, top, SWATCH_SIZE, SWATCH_SIZE)
        elif label:
            before += SWATCH_SIZE
        room = self.width - EDGE - len(texts) * self.column_width - before
        yield text_element(before, base, shorten_to_fit(label, room), look) if label else ""
        for seat, text in enumerate(texts, 1):
            right = self.width - EDGE - (len(texts) - seat) * self.column_width
            yield text_element(right, base, text, look, "end") if text else ""


def _format_nonzero(points: int) -> str:
    """Return a number as text, or "" for zero."""
    return str(points) if points else ""


def _draw_surface(at: int, x: float, y: float, width: float, height: float) -> Iterator[str]:
    """Draw a coloured and hatched area, separated from its neighbour."""
    yield svg_element("rect", {"x": x, "y": y, "width": width, "height": height, **fill_style(at)})
    lines = hatching_path(at, x, y, width, height)
    edge = f"M{format_length(x + width)} {format_length(y)}v{format_length(height)}"
    yield svg_element("path", {"d": lines + edge, "stroke-width": "1.4", **GAP_LINE})


def _draw_pointer(x: float, y: float) -> str:
    """Draw an arrow below a bar, pointing up at the player's total."""
    path = f"M{format_length(x)} {format_length(y)}l4.5 7h-9z"
    return svg_element("path", {"d": path, **INK_TEXT})


def _draw_number(points: int, left: float, right: float, base: float) -> Iterator[str]:
    """Draw the number on an area if there is room for it."""
    needs = measure_text(str(points)) + TEXT_GAP
    if right - left >= needs + 2 * TEXT_GAP:
        x = (left + right - needs) / 2
        sizes = {
            "x": x,
            "y": base - TEXT_SIZE + 1,
            "width": needs,
            "height": TEXT_SIZE + 2,
            "rx": 3,
        }
        yield svg_element("rect", {**sizes, "class": "under", "fill": PAPER})
        yield text_element((left + right) / 2, base, str(points), INK_TEXT, "middle")


# --- comparisons of players


class Bar(NamedTuple):
    """A player's bar with its length and the text at its end."""

    name: str
    length: float
    label: str


def draw_bars(title: str, bars: Sequence[Bar], min_reach: float = 0, width: int = 720) -> str:
    """Draw a bar and a number for each player. Negative values extend to the left.

    The axis reaches at least to `min_reach`. Return "" if there are fewer than two bars or all are
    zero.
    """
    if len(bars) < 2 or not any(bar.length for bar in bars):
        return ""
    return _BarChart(title, bars, min_reach, width).draw()


class _BarChart:
    """A bar chart with the positions of its elements."""

    def __init__(self, title: str, bars: Sequence[Bar], min_reach: float, width: int) -> None:
        self.title, self.bars, self.width = title, bars, width
        self.lowest = min(0.0, *(bar.length for bar in bars))
        self.highest = max(0.0, min_reach, *(bar.length for bar in bars))
        self.name_width = min(max(measure_text(bar.name) for bar in bars), MAX_NAME_SHARE * width)
        self.left = EDGE + self.name_width + 2 * TEXT_GAP
        self.right = width - EDGE - TEXT_GAP - max(measure_text(bar.label) for bar in bars)
        self.bottom = HEAD_HEIGHT + len(bars) * (THIN_BAR_HEIGHT + TEXT_GAP)

    def x(self, length: float) -> float:
        """Return the x coordinate of a number on the axis."""
        part = (length - self.lowest) / (self.highest - self.lowest)
        return self.left + (self.right - self.left) * part

    def draw(self) -> str:
        """Draw the chart."""
        description = ", ".join(f"{bar.name} {bar.label}" for bar in self.bars)
        heading = text_element(
            EDGE, TEXT_SIZE, shorten_to_fit(self.title, self.width - 2 * EDGE), FAINT_TEXT
        )
        pieces = [heading, *self.draw_axis(), *self.draw_rows()]
        return build_svg(
            self.width, self.bottom + LINE_HEIGHT + EDGE, self.title, description, pieces
        )

    def draw_axis(self) -> Iterator[str]:
        """Draw the scale below the bars, in fractions if the bars are short."""
        parts = 1
        while (self.highest - self.lowest) * parts < MIN_TICKS:
            parts *= 10
        for tick in find_ticks(int(self.lowest * parts), int(self.highest * parts), MAX_TICKS):
            x = self.x(tick / parts)
            yield line_element(
                x, HEAD_HEIGHT - TEXT_GAP, x, self.bottom, GRID_LINE if tick else ZERO_LINE
            )
            yield text_element(
                x, self.bottom + TEXT_SIZE, f"{tick / parts:g}", FAINT_TEXT, "middle"
            )

    def draw_rows(self) -> Iterator[str]:
        """Draw each name, bar and number."""
        for at, bar in enumerate(self.bars):
            top = HEAD_HEIGHT + at * (THIN_BAR_HEIGHT + TEXT_GAP)
            base = top + THIN_BAR_HEIGHT / 2 + TEXT_SIZE / 3
            ends = sorted((self.x(0), self.x(bar.length)))
            yield text_element(EDGE, base, shorten_to_fit(bar.name, self.name_width), INK_TEXT)
            sizes = {"x": ends[0], "y": top, "width": ends[1] - ends[0], "height": THIN_BAR_HEIGHT}
            yield svg_element("rect", {**sizes, **fill_style(0)})
            yield text_element(self.width - EDGE, base, bar.label, INK_TEXT, "end")


# --- elements


def build_svg(
    width: float, height: float, title: str, description: str, pieces: Sequence[str]
) -> str:
    """Build the SVG document with a title and a description for blind readers."""
    attributes: dict[str, str | float] = {
        "xmlns": "http://www.w3.org/2000/svg",
        "class": "chart",
        "viewBox": f"0 0 {format_length(width)} {format_length(height)}",
        "width": width,
        "height": height,
        "role": "img",
        "direction": "ltr",
        "font-family": FONT,
        "font-size": TEXT_SIZE,
    }
    words = [
        svg_element("title", {}, escape_html(title)),
        svg_element("desc", {}, escape_html(description)),
    ]
    return svg_element("svg", attributes, "\n" + "\n".join([*words, *filter(None, pieces)]) + "\n")


def svg_element(name: str, attributes: Mapping[str, str | float], content: str = "") -> str:
    """Build an SVG element. `content` must already be SVG."""
    text = "".join(
        f' {key}="{escape_html(value) if isinstance(value, str) else format_length(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{text}>{content}</{name}>" if content else f"<{name}{text}/>"


def text_element(
    x: float, y: float, text: str, style: Mapping[str, str], anchor: str = "start"
) -> str:
    """Build an SVG text element. `anchor` is `start`, `middle` or `end`."""
    turned = {} if anchor == "start" else {"text-anchor": anchor}
    return svg_element("text", {"x": x, "y": y, **turned, **style}, escape_html(text))


def line_element(x: float, y: float, to_x: float, to_y: float, style: Mapping[str, str]) -> str:
    """Build an SVG element for a straight line."""
    return svg_element("line", {"x1": x, "y1": y, "x2": to_x, "y2": to_y, **style})


def polyline(points: Sequence[Point]) -> str:
    """Return the SVG path that joins the points with straight lines."""
    return "M" + "L".join(f"{format_length(x)} {format_length(y)}" for x, y in points)


def format_length(value: float) -> str:
    """Format a coordinate or a length to one decimal."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


# --- labels


def measure_text(text: str) -> float:
    """Estimate the width of text in pixels."""
    return TEXT_SIZE * text_width(make_printable(text))


def shorten_to_fit(text: str, width: float) -> str:
    """Shorten a string in the middle until it fits a width in pixels."""
    text = make_printable(text)
    short, many = text, display_width(text)
    while measure_text(short) > width and many > _MIN_COLUMNS:
        many -= 1
        short = shorten(text, many)
    return short


# --- numbers and positions


def find_ticks(low: int, high: int, max_count: int) -> list[int]:
    """Return evenly spaced round numbers between two values, at most about `max_count`."""
    step = _round_step((high - low) / max(max_count, 1))
    return list(range(-(-low // step) * step, high + 1, step))


def _round_step(low: float) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50 … that is at least the given number."""
    tens = 1
    while tens * 10 <= low:
        tens *= 10
    return next(tens * times for times in (1, 2, 5, 10) if tens * times >= low)


def label_positions(numbers: Sequence[int], min_gap: int) -> list[int]:
    """Return the indexes of the numbers that get a label. The numbers are in ascending order.

    Labelled numbers are at least `min_gap` apart.
    """
    step = _round_step(min_gap)
    return [at for at, each in enumerate(numbers) if each and each % step == 0]


def spread_positions(first: int, last: int, max_count: int) -> list[int]:
    """Return at most `max_count` evenly spaced indexes, including the first and the last.

    If there is room for only one index, return the last.
    """
    gaps = min(max_count - 1, last - first)
    if gaps < 1:
        return [last]
    return [first + round(at * (last - first) / gaps) for at in range(gaps + 1)]


def spread_labels(wanted: Sequence[float], min_gap: float, low: float, high: float) -> list[float]:
    """Return positions near the wanted ones, in the same order and at least `min_gap` apart.

    The positions are between `low` and `high` if there is room.
    """
    order = sorted(range(len(wanted)), key=lambda at: (wanted[at], at))
    # Labels that touch form one block, centred on the mean of their wanted positions.
    blocks: list[tuple[float, int]] = []
    for place, at in enumerate(order):
        middle, size = wanted[at] - place * min_gap, 1
        while blocks and blocks[-1][0] > middle:
            other, others = blocks.pop()
            middle = (middle * size + other * others) / (size + others)
            size += others
        blocks.append((middle, size))
    first, last = low, max(low, high - (len(wanted) - 1) * min_gap)
    level = [min(max(middle, first), last) for middle, size in blocks for _ in range(size)]
    places = [0.0] * len(wanted)
    for place, at in enumerate(order):
        places[at] = level[place] + place * min_gap
    return places


def simplify_line(points: Sequence[Point], tolerance: float = 0.3) -> list[Point]:
    """Drop the points of a line that are almost on a straight line between their neighbours.

    The line must run from left to right.
    """
    simplified = list(points[:1])
    low, high = float("-inf"), float("inf")
    for before, here in pairwise(points[1:]):
        (x, y), (from_x, from_y) = before, simplified[-1]
        low = max(low, (y - tolerance - from_y) / (x - from_x))
        high = min(high, (y + tolerance - from_y) / (x - from_x))
        if not low <= (here[1] - from_y) / (here[0] - from_x) <= high:
            simplified.append(before)
            low, high = float("-inf"), float("inf")
    return simplified + list(points[1:][-1:])


def chart_height(width: float, ratio: float, min_height: float) -> int:
    """Return the height of a chart: a fraction of its width, but at least the height that its
    content needs."""
    return ceil(max(width * ratio, min_height))


# --- styles


def line_style(at: int) -> dict[str, str]:
    """Return the SVG attributes of a player's line: its colour and dashes."""
    colour, dashes = at % COLOUR_COUNT, _DASHES[(at + at // COLOUR_COUNT) % len(_DASHES)]
    look = {"class": f"s{colour}", "stroke": LIGHT_COLOURS[colour], "fill": "none"}
    return look | ({"stroke-dasharray": dashes} if dashes else {})


def fill_style(at: int) -> dict[str, str]:
    """Return the SVG attributes that fill a player's area with its colour."""
    return {"class": f"f{at % COLOUR_COUNT}", "fill": LIGHT_COLOURS[at % COLOUR_COUNT]}


def mark_path(at: int, x: float, y: float) -> str:
    """Return the SVG path of a player's mark at a point."""
    return (
        f"M{format_length(x)} {format_length(y)}{_MARKS[(at + at // COLOUR_COUNT) % len(_MARKS)]}"
    )


def hatching_path(at: int, x: float, y: float, width: float, height: float) -> str:
    """Return the SVG path of the hatching that distinguishes areas of the same colour."""
    return "".join(
        f"M{format_length(from_x)} {format_length(from_y)}"
        f"L{format_length(to_x)} {format_length(to_y)}"
        for name in _HATCHINGS[(at + at // COLOUR_COUNT) % len(_HATCHINGS)]
        for from_x, from_y, to_x, to_y in _hatch_lines(name, x, y, x + width, y + height)
    )


def _hatch_lines(
    name: str, left: float, top: float, right: float, bottom: float
) -> Iterator[tuple[float, float, float, float]]:
    """Yield the end points of a hatching's lines within a rectangle."""
    if name == "/":
        for at in _multiples_between(left + top, right + bottom):
            from_x, to_x = max(left, at - bottom), min(right, at - top)
            yield from_x, at - from_x, to_x, at - to_x
    elif name == "\\":
        for at in _multiples_between(left - bottom, right - top):
            from_x, to_x = max(left, at + top), min(right, at + bottom)
            yield from_x, from_x - at, to_x, to_x - at
    elif name in "|:":
        for at in _multiples_between(
            left, right, HATCH_SPACING if name == "|" else HATCH_SPACING // 2
        ):
            yield at, top, at, bottom
    else:
        for at in _multiples_between(top, bottom):
            yield left, at, right, at


def _multiples_between(low: float, high: float, spacing: int = HATCH_SPACING) -> Iterator[float]:
    """Yield the multiples of a spacing that are strictly between two values."""
    for times in range(floor(low / spacing) + 1, ceil(high / spacing)):
        yield float(times * spacing)


def _colour_rules(colours: tuple[str, ...]) -> str:
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
{_colour_rules(LIGHT_COLOURS)}@media screen and (prefers-color-scheme: dark) {{
{_colour_rules(DARK_COLOURS)}}}
@media print {{
.chart {{ print-color-adjust: exact; -webkit-print-color-adjust: exact; break-inside: avoid; }}
}}
"""
