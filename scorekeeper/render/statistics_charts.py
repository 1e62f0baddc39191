"""Pictures of what players did across matches: their sums over the days, and bars to compare."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.messages import tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.render.charts import lines_svg
from scorekeeper.render.drawing import (
    LINE,
    SIZE,
    element,
    fitted,
    picture,
    stroke,
    ticks,
    width_of,
    words,
)
from scorekeeper.render.looks import FAINT_TEXT, GRID_LINE, INK_TEXT, ZERO_LINE, fill_look
from scorekeeper.render.statistics_tables import mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.types import Json
    from scorekeeper.render.paper import Running

DRAWN = 520  # how wide a picture is drawn
MOST_BARS = 24
NAMES = 0.3  # of the width are for names at most
EDGE, BESIDE, HEAD, BAR = 2, 6, 28, 15
MOST_TICKS = 6
FEWEST = 2  # numbers at an axis, besides the first
WHOLE = 100  # per cent


class Bar(NamedTuple):
    """A player's bar: how long it is, and what is said of it."""

    name: str
    length: float
    said: str


def drawn(data: Json, players: Sequence[Json], running: Running | None) -> list[str]:
    """The pictures that there are to draw of the figures of one ruleset, each an element of SVG."""
    shown = players[:MOST_BARS]
    points = [
        Bar(player["name"], player["per_round"], mean(player["per_round"]))
        for player in shown
        if player["per_round"] is not None
    ]
    shares = [
        Bar(player["name"], WHOLE * player["round_share"], f"{WHOLE * player['round_share']:.0f}%")
        for player in shown
        if player["round_share"] is not None
    ]
    label = tr("{tally} a round", tally=data["tally"])
    lines = lines_svg(running, DRAWN) if running else ""
    pictures = (lines, bars_svg(label, points), bars_svg(tr("Share of rounds won"), shares, WHOLE))
    return [each for each in pictures if each]


def bars_svg(title: str, bars: Sequence[Bar], most: float = 0, width: int = DRAWN) -> str:
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
        self.bottom = HEAD + len(bars) * (BAR + BESIDE)

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
            top = HEAD + at * (BAR + BESIDE)
            base = top + BAR / 2 + SIZE / 3
            ends = sorted((self.x(0), self.x(bar.length)))
            yield words(EDGE, base, fitted(bar.name, self.named), INK_TEXT)
            sizes = {"x": ends[0], "y": top, "width": ends[1] - ends[0], "height": BAR}
            yield element("rect", {**sizes, **fill_look(0)})
            yield words(self.width - EDGE, base, bar.said, INK_TEXT, "end")
