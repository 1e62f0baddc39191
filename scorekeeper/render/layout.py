"""Layout of a sheet on paper and on a wide screen.

For paper, this module chooses the orientation, the letter size, the width of each column and the
rows at which a new page begins.

The reader's fonts and paper are unknown. Text is therefore measured without a font, in multiples of
the letter height. The widths are those of the widest fonts in common use, DejaVu Sans and Verdana
(Arial, Segoe UI and Roboto are narrower). A page is the area that A4 and Letter share.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.core.text import JOINED
from scorekeeper.core.types import NamedTuple
from scorekeeper.render.sheet_model import EMPTY, kinds_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.render.sheet_model import Column, Grid, Sheet


# In letter heights: a line, the vertical padding of a row, the horizontal padding of a cell, and
# the factor of bold text.
LEADING = 1.25
AROUND = 0.4
BESIDE = 0.46
BOLD = 1.16
LETTER = 0.6
# The width of a column to be written in.
TO_WRITE = 6.0
# Longer words than these may be broken, in a cell and in a heading.
LONG_WORD = 9.0
LONG_HEADING = 6.0
# A text up to this length stays on one line if there is room.
SHORT_TEXT = 7.0
# A longer turned heading continues in a second line.
TURNED = 12.0
RULE = 0.12
# A column is widened when its heading would need more lines than this.
HEADING_LINES = 3
# The share of a column's texts that get as few lines as possible.
_PARTS = (1.0, 0.9, 0.75, 0.5)
# In points: the paper inside margins of ten millimetres.
SHORT, LONG = 538.0, 733.0
# The wider of the two papers, in portrait and in landscape. It may hold more columns of notes.
WIDER = (555.0, 785.0)
# The usable share of a page. The rest allows for fonts wider than the estimate.
SPARE = 0.965
# How full a page is when another follows. One row too many would leave a page with a single row.
FULL = 0.98
TITLE = 15.0
GAP = 7.0
BESIDE_ANOTHER = 330.0  # the largest width of a picture that shares the row with another
GUIDE = 9.5  # the width of the guide's headings, in letter heights
# A column of footnotes: its least width, the gap between two, and the indent of a note.
NOTE, NOTE_GAP, NOTE_INDENT = 17.0, 2.0, 1.6
SMALL = 0.88  # the size of the text around the table, relative to the table's
# In points: the least and the greatest height of a row to be written on.
ROW_TO_WRITE, HIGHEST_TO_WRITE = 14.0, 26.0
SIZES = (10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0)
# The letter size given up to keep the pictures on the page, to keep their full size, to keep the
# paper in portrait, and to keep players' headings horizontal.
STANDING_APART, DRAWN_SMALLER, LYING, UPRIGHT = 3.5, 0.3, 2.0, 0.6
# How far pictures may be shrunk to fit the page: two in one row, and one of full width.
SMALLEST_PICTURES, SMALLEST_PICTURE = 0.8, 0.45
SEVERAL = (9.0, 8.5, 8.0, 7.0)
BESIDE_SCREEN = 34  # pixels of a screen that the table cannot use
SCREEN_SIZES = (14.0, 13.0, 12.0, 11.0)
# The widths of letters, in multiples of the letter height.
_EQUAL = {
    "ijl'": 0.28,
    "I ,.": 0.32,
    "/:;\\|f-": 0.37,
    "()[]t!r": 0.42,
    '"*J`': 0.5,
    "szc": 0.55,
    "?L_k": 0.58,
    "vxy": 0.6,
    "FTaeo": 0.62,
    "EKPSY": 0.67,
    "ABVXZ": 0.69,
    "CRU": 0.74,
    "NHD": 0.77,
    "&GOQ": 0.79,
    "w#+<=>^~": 0.84,
    "M": 0.87,
    "%mW@": 0.99,
}
_WIDTHS = {chr(code): 0.64 for code in range(32, 127)}
_WIDTHS |= {letter: width for letters, width in _EQUAL.items() for letter in letters}
_WIDTHS |= {"’": 0.32, "‘": 0.32, "“": 0.52, "”": 0.52, "–": 0.5, "ß": 0.64}
_OTHER, _DOUBLE = 0.8, 1.0
# A line may end after a blank and after a sign that joins names.
_ENDS = re.compile(rf"(?<=\s)|{JOINED}")


class Fitted(NamedTuple):
    """The layout of a sheet on paper: letter size in points, orientation and each table's columns.

    A page begins before each of the rows `breaks` of the first table. The height of a row to be
    written on is in points, 0 if there is none. Pictures are drawn at the given scale, from 0 to
    1.
    """

    size: float
    lies: bool
    tables: Sequence[Laid]
    breaks: Sequence[int]
    row_to_write: float
    pictures: float = 1.0


def fitted(sheet: Sheet, charts: Sequence[float] = ()) -> Fitted:
    """Fit the sheet on one page if possible, otherwise on as few pages as possible.

    `charts` are the heights of the pictures as fractions of their widths. The pictures are the
    first to move to another page.
    """
    measured = [Measured(grid) for grid in sheet.grids]
    empty = sum(sum(each.empty) for each in measured)
    papers = [_Paper(sheet, measured, charts, lies) for lies in (False, True)]
    for way in _ways(charts):
        page = papers[way.lies].page(way.size, turned=way.turned)
        if page is not None and page.height + page.drawn * way.pictures <= page.room:
            return _one(page, empty, _smallest(charts))
    pages = [
        papers[lies].page(size, turned=turned)
        for size in SEVERAL
        for lies in (False, True)
        for turned in (False, True)
    ]
    several = [(page, _breaks(page)) for page in pages if page is not None]
    if not several:
        page = papers[True].page(SIZES[-1], turned=True, forced=True)
        assert page is not None  # a forced layout always exists
        several = [(page, _breaks(page))]
    page, breaks = min(several, key=lambda each: len(each[1]))
    return Fitted(page.size, page.lies, page.tables, breaks, ROW_TO_WRITE if empty else 0.0)


def on_screen(sheet: Sheet, wide: int) -> tuple[float, list[Laid]] | None:
    """Return the letter size in pixels and each table's columns for a screen of that width in
    pixels.

    Return None if words or numbers would be broken.
    """
    measured = [Measured(grid) for grid in sheet.grids]
    room = wide - BESIDE_SCREEN
    for turned in (False, True):
        for size in SCREEN_SIZES:
            layouts = [each.laid(room / size, turned, words=True) for each in measured]
            complete = [table for table in layouts if table is not None]
            if len(complete) == len(layouts):
                return size, complete
    return None


class _Page(NamedTuple):
    """The whole sheet at one letter size, with the heights above, below and of the pictures in
    points."""

    size: float
    lies: bool
    above: float
    tables: Sequence[Laid]
    below: float
    drawn: float

    @property
    def room(self) -> float:
        """The usable height, in points."""
        return (SHORT if self.lies else LONG) * SPARE

    @property
    def height(self) -> float:
        """The height of everything except the pictures, in points."""
        return (
            self.above + sum(table.height * self.size + GAP for table in self.tables) + self.below
        )


class _Way(NamedTuple):
    """An option for one page. Its preference is the letter size less the costs of the option."""

    liked: float
    size: float
    lies: bool
    turned: bool
    pictures: float  # 0: on another page


def _ways(charts: Sequence[float]) -> list[_Way]:
    """List every option for one page, the most preferred first."""
    pictures = (
        {1.0: 0.0, _smallest(charts): DRAWN_SMALLER, 0.0: STANDING_APART} if charts else {0.0: 0.0}
    )
    options = [
        _Way(size - LYING * lies - UPRIGHT * turned - lost, size, lies, turned, drawn)
        for size in SIZES
        for lies in (False, True)
        for turned in (False, True)
        for drawn, lost in pictures.items()
    ]
    return sorted(options, reverse=True)


def _smallest(charts: Sequence[float]) -> float:
    """Return the smallest scale at which these pictures may be drawn."""
    return SMALLEST_PICTURE if len(charts) == 1 else SMALLEST_PICTURES


def _one(page: _Page, empty: int, smallest: float) -> Fitted:
    """Put everything on one page. Rows to be written on share the rest of the page.

    Pictures get the largest scale that fits.
    """
    high = 0.0
    if empty:
        least = max(ROW_TO_WRITE, (LEADING + AROUND + RULE) * page.size)
        high = min(least + (page.room - page.height) / empty, HIGHEST_TO_WRITE)
    left = page.room - page.height
    drawn = left / page.drawn if page.drawn > left >= page.drawn * smallest else 1.0
    return Fitted(page.size, page.lies, page.tables, [], high, drawn)


def _breaks(page: _Page) -> list[int]:
    """Return the rows of the first table before which a new page begins.

    Every page but the last is full. The last has at least one row above the totals.
    """
    if not page.tables:
        return []
    table, size = page.tables[0], page.size
    # repeated on every page: headings and the tallies carried over
    once = (table.head + LEADING + AROUND + RULE) * size
    room = page.room * FULL
    left = room - page.above - table.head * size
    breaks: list[int] = []
    for at, row in enumerate(table.rows):
        last = at + 1 == len(table.rows)
        need = (row + (table.totals if last else 0)) * size
        if need > left and at:
            breaks.append(at)
            left = room - once
        left -= need
    return breaks


class _Paper:
    """A sheet measured for one orientation of the paper."""

    def __init__(
        self, sheet: Sheet, measured: Sequence[Measured], charts: Sequence[float], lies: bool
    ) -> None:
        self.sheet = sheet
        self.measured = measured
        self.lies = lies
        self.width = LONG if lies else SHORT
        self.charts = charts

    def page(self, size: float, *, turned: bool, forced: bool = False) -> _Page | None:
        """Lay out the sheet at that letter size, or return None if words of a table would break."""
        tables: list[Laid] = []
        for measured in self.measured:
            # Tables after the first are ladders and may be squeezed.
            broken = forced or bool(tables)
            table = measured.laid(self.width / size, turned, broken, ROW_TO_WRITE / size)
            if table is None:
                return None
            tables.append(table)
        captions = sum(LEADING * size + 4 for grid in self.sheet.grids if grid.caption)
        below = sum(self._below(size * SMALL)) + captions
        return _Page(size, self.lies, self._above(size), tables, below, self._drawn())

    def _above(self, size: float) -> float:
        """Return the height of the title and the facts, in points."""
        title = Text(self.sheet.title, BOLD).lines(self.width / TITLE)
        facts = [f"{word} {text}" for word, text in self.sheet.facts]
        return title * TITLE * 1.25 + GAP + self._flowing(facts, size * SMALL, size * 2)

    def _below(self, size: float) -> Iterator[float]:
        """Yield the heights of the parts below the tables, in points."""
        sheet = self.sheet
        yield self._flowing([f"{sign} {text}" for sign, text in sheet.legend], size, size * 2)
        yield self._notes(size)
        if sheet.payments is not None:
            rows = [f"{payer} → {payee}   {amount}" for payer, payee, amount in sheet.payments.rows]
            yield self._flowing([sheet.payments.how], size, 0)
            yield self._flowing(rows, size, size * 3)
        for heading, pairs in sheet.guide:
            texts = [f"{word} {text}" for word, text in pairs]
            high = Text(heading, BOLD).lines(GUIDE) * size * LEADING
            yield max(high, self._flowing(texts, size, size * 2, GUIDE + 1) - GAP) + 3

    def _notes(self, size: float) -> float:
        """Return the height of the footnotes, which are set in columns."""
        notes = [Text(note) for note in self.sheet.footnotes]
        if not notes:
            return 0.0
        lines = max(self._lines(notes, width / size) for width in (self.width, WIDER[self.lies]))
        return lines * size * (LEADING + 0.1) + GAP

    def _lines(self, notes: Sequence[Text], whole: float) -> int:
        """Return how many lines the footnotes need in columns within that width."""
        many = max(1, int((whole + NOTE_GAP) // (NOTE + NOTE_GAP)))
        room = (whole + NOTE_GAP) / many - NOTE_GAP - NOTE_INDENT
        high = sum(note.lines(room) for note in notes)
        longest = max(note.lines(room) for note in notes)
        return -(-high // many) + longest - 1

    def _drawn(self) -> float:
        """Return the height of the pictures, which share one row."""
        if not self.charts:
            return 0.0
        alone = len(self.charts) == 1
        width = self.width if alone else min(self.width / 2, BESIDE_ANOTHER)
        return max(self.charts) * width + GAP

    def _flowing(
        self, texts: Sequence[str], size: float, between: float, beside: float = 0.0
    ) -> float:
        """Return the height of short texts that share lines as long as they fit.

        The indent is in letter heights.
        """
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


# --- the columns of a table


class Laid(NamedTuple):
    """The layout of a table at one width, in letter heights.

    Players' headings have a height of their own when they are turned, 0 when they are horizontal.
    """

    widths: Sequence[float]
    upright: float
    head: float
    rows: Sequence[float]
    totals: float

    @property
    def height(self) -> float:
        """The height of the whole table."""
        return self.head + sum(self.rows) + self.totals


class Measured:
    """The widths that a table's texts need, in letter heights, measured once for all sizes."""

    def __init__(self, grid: Grid) -> None:
        columns = grid.columns
        self.seated = [bool(column.who) for column in columns]
        self.labels = [Text(column.label, BOLD) for column in columns]
        self.rows = [[Text(cell) for cell in row] for row in grid.rows]
        self.totals = [_beneath(row, columns, BOLD) for row in grid.totals]
        self.numbered = all(row[0].isdigit() for row in grid.rows if row)
        self.empty = [kind == EMPTY for kind in kinds_of(grid)]
        carried = [_beneath(row, columns) for row in grid.carried]
        every = [*self.rows, *self.totals]
        self.texts = [sorted(row[at].wide for row in every) for at in range(len(columns))]
        self.words = [column.width * LETTER for column in columns]
        for row in [*every, *carried]:
            for at, text in enumerate(row):
                # A player's points share one line with their last change.
                word = text.wide if self.seated[at] else text.longest
                self.words[at] = max(self.words[at], min(word, LONG_WORD))

    def laid(
        self,
        room: float,
        turned: bool,
        forced: bool = False,
        to_write: float = 0.0,
        words: bool = False,
    ) -> Laid | None:
        """Lay out the columns in that width, or return None if words would be broken.

        `turned` turns players' headings. The last parameter forbids breaking long words of
        headings too. A forced layout breaks what does not fit. Rows to be written on get at
        least the given height.
        """
        headed = self._least(turned, LONG_WORD)
        least = headed if words else self._least(turned, LONG_HEADING)
        need = sum(least)
        if need <= room:
            # Preferred: short texts on one line, and whole words in headings.
            candidates = [self._roomy(headed), headed, least]
            floors = [floor for floor in candidates if sum(floor) <= room]
        elif forced:
            floors = [[width * room / need for width in least]]
        else:
            return None
        layouts = [
            self._heights(self._filled(floor, room, part, turned), turned, to_write)
            for floor in floors
            for part in _PARTS
        ]
        return min(layouts, key=lambda laid: laid.height)

    def _roomy(self, least: Sequence[float]) -> list[float]:
        """Widen the columns so that short texts stay on one line."""
        short = [max((text for text in texts if text <= SHORT_TEXT), default=0.0)
                 for texts in self.texts]  # fmt: skip
        return [max(width, text + 2 * BESIDE) for width, text in zip(least, short, strict=True)]

    def _least(self, turned: bool, long: float) -> list[float]:
        """Return the width that each column needs at least."""
        widths = []
        for at, word in enumerate(self.words):
            heading = min(self.labels[at].longest, long)
            if turned and self.seated[at]:
                heading = LEADING * self.labels[at].lines(TURNED)
            widths.append(max(word, heading) + 2 * BESIDE)
        return self._even(widths)

    def _even(self, widths: Sequence[float]) -> list[float]:
        """Give all columns of players the width of the widest."""
        most = max((width for width, seated in zip(widths, self.seated, strict=True) if seated),
                   default=0.0)  # fmt: skip
        return [most if seated else width
                for width, seated in zip(widths, self.seated, strict=True)]  # fmt: skip

    def _filled(
        self, least: Sequence[float], room: float, part: float, turned: bool
    ) -> list[float]:
        """Spread the width so that this share of the texts has as few lines as possible."""
        whole = self._even([self._whole(at, part, turned) for at in range(len(least))])
        low, high = 0.0, 1.0
        for _ in range(12):
            share = (low + high) / 2
            if sum(map(max, least, (width * share for width in whole))) <= room:
                low = share
            else:
                high = share
        widths = list(map(max, least, (width * low for width in whole)))
        # The column of round numbers needs no part of the remaining width.
        number_width = widths[0] if len(widths) > 1 and self.numbered else 0.0
        stretch = (room - number_width) / (sum(widths) - number_width)
        return [
            width * stretch if at or not number_width else width for at, width in enumerate(widths)
        ]

    def _whole(self, at: int, part: float, turned: bool) -> float:
        """Return the width at which this share of a column's texts needs one line."""
        texts = self.texts[at]
        text = texts[min(int(part * len(texts)), len(texts) - 1)] if texts else 0.0
        if at and all(self.empty):
            text = max(text, TO_WRITE)
        heading = 0.0 if turned and self.seated[at] else self.labels[at].wide / HEADING_LINES
        return max(text, heading) + 2 * BESIDE

    def _heights(self, widths: Sequence[float], turned: bool, to_write: float) -> Laid:
        """Compute the heights of headings, rows and totals for these column widths."""
        rooms = [width - 2 * BESIDE for width in widths]

        def high(row: Sequence[Text]) -> float:
            return _high(max(map(Text.lines, row, rooms), default=1))

        turned_round = [turned and seated for seated in self.seated]
        labels = list(zip(self.labels, turned_round, strict=True))
        head = high([Text("") if up else label for label, up in labels])
        upright = min(max((label.wide for label, up in labels if up), default=0.0), TURNED)
        if upright:
            head = max(head, upright + AROUND + RULE)
        rows = [
            max(high(row), to_write) if empty else high(row)
            for row, empty in zip(self.rows, self.empty, strict=True)
        ]
        return Laid(widths, upright, head, rows, sum(map(high, self.totals)))


def _high(many: int) -> float:
    """Return the height of a row with that many lines."""
    return many * LEADING + AROUND + RULE


def _beneath(row: Sequence[str], columns: Sequence[Column], bold: float = 1.0) -> list[Text]:
    """Measure a row of totals. A label that spans several columns adds no width."""
    free = spanned(row, columns) > 1
    return [Text("") if free and not at else Text(cell, bold) for at, cell in enumerate(row)]


def spanned(row: Sequence[str], columns: Sequence[Column]) -> int:
    """Count the columns that a row's label spans.

    The label spans its own column and the following empty columns that belong to no player.
    """
    ends = (at for at, cell in enumerate(row) if at and (cell or columns[at].who))
    return next(ends, len(row) or 1)


# --- the width of a text


class Text:
    """A text with its width on one line and the widths of its unbreakable pieces."""

    __slots__ = ("pieces", "wide")

    def __init__(self, text: str, bold: float = 1.0) -> None:
        self.wide = wide(text) * bold
        self.pieces = [wide(piece) * bold for piece in _pieces(text)]

    @property
    def longest(self) -> float:
        """The width of the widest piece."""
        return max(self.pieces, default=0.0)

    def lines(self, room: float) -> int:
        """Count the lines of the text in that width. A piece wider than a line is broken."""
        if self.wide <= room:
            return 1
        room = max(room, 1.0)
        many, left = 1, room
        for piece in self.pieces:
            if piece > left:
                many, left = many + (left < room), room
                many += int((piece - 0.01) // room)
                piece -= int((piece - 0.01) // room) * room
            left -= piece
        return many


def wide(text: str) -> float:
    """Return the width of a text on one line, in letter heights."""
    return sum(_WIDTHS.get(letter) or _width(letter) for letter in text)


def _width(letter: str) -> float:
    """Return the width of one letter that the table of widths does not list."""
    from unicodedata import combining, east_asian_width, normalize

    if combining(letter):
        return 0.0
    if east_asian_width(letter) in "WF":
        return _DOUBLE
    return _WIDTHS.get(normalize("NFD", letter)[0], _OTHER)  # ä is as wide as a


def _pieces(text: str) -> list[str]:
    """Split a text where a line may end, also between two letters of double width."""
    pieces = [piece for piece in _ENDS.split(text) if piece]
    return pieces if text.isascii() else [part for piece in pieces for part in _parts(piece)]


def _parts(piece: str) -> list[str]:
    """Split a piece after each letter of double width."""
    from unicodedata import east_asian_width

    parts = [""]
    for letter in piece:
        parts[-1] += letter
        if east_asian_width(letter) in "WF":
            parts.append("")
    return [part for part in parts if part]
