"""How a sheet is fitted to paper: which way the paper lies, how large the letters are, how wide
the columns, and which rows a page holds.

Nobody knows what paper the reader has: a page is what A4 and Letter have in common.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.types import NamedTuple
from scorekeeper.render.letters import Text, wide
from scorekeeper.render.shares import AROUND, BOLD, LEADING, RULE, Laid, Measured

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.render.paper import Sheet

# In points: what is left of the paper inside margins of ten millimetres.
SHORT, LONG = 538.0, 733.0
# The wider of the two papers, as it stands and as it lies: more columns may be narrower there.
WIDER = (555.0, 785.0)
# What an estimate leaves free of a page, for fonts that are not what was reckoned with.
SPARE = 0.965
# How full a page is made that another follows: were a row too many on it, a page would be left
# with that row alone.
FULL = 0.98
TITLE = 15.0
GAP = 7.0
BESIDE_ANOTHER = 330.0  # how wide a picture is at most that stands beside another
GUIDE = 9.5  # how wide the headings of what counts are, in the letters' height
# How wide a column of footnotes is at least, what is between two, and before a note.
NOTE, NOTE_GAP, NOTE_INDENT = 17.0, 2.0, 1.6
SMALL = 0.88  # of the letters' size: what stands around the table
# In points: how high a row to be written on is at least, and at most.
ROW_TO_WRITE, HIGHEST_TO_WRITE = 14.0, 26.0
SIZES = (10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0)
# What is given up in letters' size so that the pictures stand on the page, as large as they are,
# the paper stands, and players' headings lie.
APART, DRAWN_SMALLER, LYING, UPRIGHT = 3.5, 0.3, 2.0, 0.6
# How small pictures may be drawn so that they fit on the page: two side by side, and one that has
# the whole width.
SMALLEST_PICTURES, SMALLEST_PICTURE = 0.8, 0.45
SEVERAL = (9.0, 8.5, 8.0, 7.0)
BESIDE_SCREEN = 34  # what is beside a table on a screen
SCREEN_SIZES = (14.0, 13.0, 12.0, 11.0)


class Fitted(NamedTuple):
    """A sheet on paper: the letters' size in points, whether the paper lies on its side, each
    table's columns, before which rows of the first a page begins, how high a row to be written on
    is in points (0: there is none), and how small pictures are drawn."""

    size: float
    lies: bool
    tables: Sequence[Laid]
    breaks: Sequence[int]
    row_to_write: float
    pictures: float = 1.0


class _Page(NamedTuple):
    """The whole sheet at one size: what stands above the first table, the tables, and what stands
    below them, in points."""

    size: float
    lies: bool
    above: float
    tables: Sequence[Laid]
    below: float
    drawn: float

    @property
    def room(self) -> float:
        return (SHORT if self.lies else LONG) * SPARE

    @property
    def height(self) -> float:
        return (
            self.above + sum(table.height * self.size + GAP for table in self.tables) + self.below
        )


class _Way(NamedTuple):
    """A way to lay out a page, and how much it is liked: the letters' size less what is given up
    for it."""

    liked: float
    size: float
    lies: bool
    turned: bool
    pictures: float  # 0: on another page


def _smallest(charts: Sequence[float]) -> float:
    """How small these pictures may be drawn."""
    return SMALLEST_PICTURE if len(charts) == 1 else SMALLEST_PICTURES


def _ways(charts: Sequence[float]) -> list[_Way]:
    """Every way to lay out one page, what is liked best first."""
    pictures = {1.0: 0.0, _smallest(charts): DRAWN_SMALLER, 0.0: APART} if charts else {0.0: 0.0}
    found = [
        _Way(size - LYING * lies - UPRIGHT * turned - lost, size, lies, turned, drawn)
        for size in SIZES
        for lies in (False, True)
        for turned in (False, True)
        for drawn, lost in pictures.items()
    ]
    return sorted(found, reverse=True)


def fitted(sheet: Sheet, charts: Sequence[float] = ()) -> Fitted:
    """The sheet on one page if there is any way, else on as few as can be; `charts` are the
    pictures' heights as parts of their widths, and go to another page first."""
    measured = [Measured(grid) for grid in sheet.grids]
    empty = sum(sum(each.empty) for each in measured)
    papers = [_Paper(sheet, measured, charts, lies) for lies in (False, True)]
    for way in _ways(charts):
        page = papers[way.lies].page(way.size, turned=way.turned)
        if page is not None and page.height + page.drawn * way.pictures <= page.room:
            return _one(page, empty, _smallest(charts))
    found = [
        papers[lies].page(size, turned=turned)
        for size in SEVERAL
        for lies in (False, True)
        for turned in (False, True)
    ]
    several = [(page, _breaks(page)) for page in found if page is not None]
    if not several:
        page = papers[True].page(SIZES[-1], turned=True, forced=True)
        assert page is not None  # what is forced is laid out
        several = [(page, _breaks(page))]
    page, breaks = min(several, key=lambda each: len(each[1]))
    return Fitted(page.size, page.lies, page.tables, breaks, ROW_TO_WRITE if empty else 0.0)


def on_screen(sheet: Sheet, wide: int) -> tuple[float, list[Laid]] | None:
    """The letters' size in pixels and each table's columns, on a screen that is so wide; None if
    words or numbers would be broken."""
    measured = [Measured(grid) for grid in sheet.grids]
    room = wide - BESIDE_SCREEN
    for turned in (False, True):
        for size in SCREEN_SIZES:
            found = [each.laid(room / size, turned, words=True) for each in measured]
            whole = [table for table in found if table is not None]
            if len(whole) == len(found):
                return size, whole
    return None


def _one(page: _Page, empty: int, smallest: float) -> Fitted:
    """Everything on one page; rows to be written on share what is left of it, and pictures are
    drawn as large as fits."""
    high = 0.0
    if empty:
        least = max(ROW_TO_WRITE, (LEADING + AROUND + RULE) * page.size)
        high = min(least + (page.room - page.height) / empty, HIGHEST_TO_WRITE)
    left = page.room - page.height
    drawn = left / page.drawn if page.drawn > left >= page.drawn * smallest else 1.0
    return Fitted(page.size, page.lies, page.tables, [], high, drawn)


def _breaks(page: _Page) -> list[int]:
    """Before which rows of the first table another page begins. Each page is full; the last has a
    row at least, above the totals."""
    if not page.tables:
        return []
    table, size = page.tables[0], page.size
    once = (table.head + LEADING + AROUND + RULE) * size  # on every page: headings, what is carried
    room = page.room * FULL
    left = room - page.above - table.head * size
    found: list[int] = []
    for at, row in enumerate(table.rows):
        last = at + 1 == len(table.rows)
        need = (row + (table.totals if last else 0)) * size
        if need > left and at:
            found.append(at)
            left = room - once
        left -= need
    return found


class _Paper:
    """A sheet on paper that stands or lies."""

    def __init__(
        self, sheet: Sheet, measured: Sequence[Measured], charts: Sequence[float], lies: bool
    ) -> None:
        self.sheet = sheet
        self.measured = measured
        self.lies = lies
        self.width = LONG if lies else SHORT
        self.charts = charts

    def page(self, size: float, *, turned: bool, forced: bool = False) -> _Page | None:
        """The sheet in letters of that size; None if words of a table would be broken."""
        tables: list[Laid] = []
        for measured in self.measured:
            # What stands below the sheet proper is a ladder, and may be narrower.
            broken = forced or bool(tables)
            table = measured.laid(self.width / size, turned, broken, ROW_TO_WRITE / size)
            if table is None:
                return None
            tables.append(table)
        captions = sum(LEADING * size + 4 for grid in self.sheet.grids if grid.caption)
        below = sum(self._below(size * SMALL)) + captions
        return _Page(size, self.lies, self._above(size), tables, below, self._drawn())

    def _above(self, size: float) -> float:
        title = Text(self.sheet.title, BOLD).lines(self.width / TITLE)
        facts = [f"{word} {text}" for word, text in self.sheet.facts]
        return title * TITLE * 1.25 + GAP + self._flowing(facts, size * SMALL, size * 2)

    def _below(self, size: float) -> Iterator[float]:
        """The heights of what stands below the tables."""
        sheet = self.sheet
        yield self._flowing([f"{sign} {text}" for sign, text in sheet.legend], size, size * 2)
        yield self._notes(size)
        if sheet.payments is not None:
            rows = [f"{payer} → {payee}   {amount}" for payer, payee, amount in sheet.payments.rows]
            yield self._flowing([sheet.payments.how], size, 0)
            yield self._flowing(rows, size, size * 3)
        for heading, pairs in sheet.guide:
            said = [f"{word} {text}" for word, text in pairs]
            high = Text(heading, BOLD).lines(GUIDE) * size * LEADING
            yield max(high, self._flowing(said, size, size * 2, GUIDE + 1) - GAP) + 3

    def _notes(self, size: float) -> float:
        """The height of the footnotes, which stand in columns."""
        notes = [Text(note) for note in self.sheet.footnotes]
        if not notes:
            return 0.0
        lines = max(self._lines(notes, width / size) for width in (self.width, WIDER[self.lies]))
        return lines * size * (LEADING + 0.1) + GAP

    def _lines(self, notes: Sequence[Text], whole: float) -> int:
        """How many lines of footnotes stand below one another, in a room that is so wide."""
        many = max(1, int((whole + NOTE_GAP) // (NOTE + NOTE_GAP)))
        room = (whole + NOTE_GAP) / many - NOTE_GAP - NOTE_INDENT
        high = sum(note.lines(room) for note in notes)
        longest = max(note.lines(room) for note in notes)
        return -(-high // many) + longest - 1

    def _drawn(self) -> float:
        """The height of the pictures, which stand beside one another."""
        if not self.charts:
            return 0.0
        alone = len(self.charts) == 1
        width = self.width if alone else min(self.width / 2, BESIDE_ANOTHER)
        return max(self.charts) * width + GAP

    def _flowing(
        self, texts: Sequence[str], size: float, between: float, beside: float = 0.0
    ) -> float:
        """The height of short texts that stand in a line as long as they fit; `beside` is what
        stands to their left, in the letters' height."""
        if not texts:
            return 0.0
        whole = self.width - beside * size
        many, left = 1, whole
        for text in texts:
            need = wide(text) * BOLD * size
            if need > left and left < whole:
                many, left = many + 1, whole
            many += Text(text).lines(whole / size) - 1
            left -= min(need, whole) + between
        return many * size * (LEADING + 0.1) + GAP
