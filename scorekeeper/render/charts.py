"""Pictures of an evening: the tallies over the rounds, what they came from, and a line of text.

A picture is one `<svg>` element: no script, no style, nothing that is loaded. Its colours are right
on white paper; CHART_STYLE has them follow a page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import tr
from scorekeeper.render.below import came_from, in_all, known, over_rounds, sparkline
from scorekeeper.render.drawing import (
    LINE,
    SIZE,
    apart_from,
    counted,
    element,
    fitted,
    number,
    path_of,
    picture,
    spread,
    straightened,
    stroke,
    tall,
    ticks,
    width_of,
    words,
)
from scorekeeper.render.looks import (
    CHART_STYLE,
    FAINT_TEXT,
    GAP_LINE,
    GRID_LINE,
    INK_TEXT,
    PAPER,
    ZERO_LINE,
    fill_look,
    hatching,
    line_look,
    mark,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.render.drawing import Point
    from scorekeeper.render.paper import Parts, Running

__all__ = ["CHART_STYLE", "bars_svg", "lines_svg", "sparkline"]

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


def bars_svg(parts: Parts, width: int = 720) -> str:
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
    return _Bars(whole, max(width, NARROWEST)).drawn()


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


class _Bars:
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
