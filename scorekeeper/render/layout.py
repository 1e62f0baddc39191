"""Layout of a sheet on paper and on a wide screen.

For paper, this module chooses the orientation, the letter size, the width of each column and the
rows at which a new page begins.

The reader's fonts and paper are unknown, so text is measured without a font, in multiples of the
letter height. The widths are those of the widest fonts in common use, DejaVu Sans and Verdana.
Arial, Segoe UI and Roboto are narrower. A page is the area that A4 and Letter have in common.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.core.text import JOINED_NAMES
from scorekeeper.core.types import NamedTuple
from scorekeeper.render.sheet_model import EMPTY, row_kinds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.render.sheet_model import Sheet, SheetColumn, SheetTable


# The line height, the vertical padding of a row and the horizontal padding of a cell, in letter
# heights. BOLD_FACTOR is the width of bold text relative to normal text.
LINE_HEIGHT = 1.25
ROW_PADDING = 0.4
CELL_PADDING = 0.46
BOLD_FACTOR = 1.16
LETTER_WIDTH = 0.6
# The width of a column for handwriting.
WRITING_WIDTH = 6.0
# The lengths above which words may be broken, in a cell and in a heading.
LONG_WORD = 9.0
LONG_HEADING = 6.0
# A string up to this length stays on one line if there is room.
SHORT_TEXT = 7.0
# A rotated heading longer than this continues on a second line.
MAX_TURNED_HEADING = 12.0
RULE_WIDTH = 0.12
# A column is widened when its heading would need more lines than this.
MAX_HEADING_LINES = 3
# Shares of a column's strings that the layout tries to fit on one line.
_TEXT_SHARES = (1.0, 0.9, 0.75, 0.5)
# The sides of a page inside margins of ten millimetres, in points.
SHORT_SIDE, LONG_SIDE = 538.0, 733.0
# The width of the wider of the two paper sizes, in portrait and in landscape. Wider paper may have
# room for more columns of notes.
WIDER_PAPER = (555.0, 785.0)
# The usable share of a page. The remaining space allows for fonts wider than estimated.
USABLE_SHARE = 0.965
# The usable share of every page but the last. If a page overflowed, its last row would be alone on
# the next page.
FULL_SHARE = 0.98
TITLE_SIZE = 15.0
GAP = 7.0
MAX_PAIRED_PICTURE = 330.0  # the maximum width of a picture that shares a row
GUIDE_HEADING_WIDTH = 9.5  # the width of the guide's headings, in letter heights
# The minimum width of a column of footnotes, the gap between columns, and the indent of a note.
NOTE_WIDTH, NOTE_GAP, NOTE_INDENT = 17.0, 2.0, 1.6
SMALL_FACTOR = 0.88  # the size of the text around the table, relative to the text in the table
# The minimum and maximum height of a row for handwriting, in points.
MIN_WRITING_ROW, MAX_WRITING_ROW = 14.0, 26.0
SIZES = (10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0)
# To avoid each of these, the layout chooses letters that are smaller by up to this many points:
# pictures on another page, smaller pictures, landscape orientation, and rotated headings.
SEPARATE_PICTURES_COST, SMALLER_PICTURES_COST, LANDSCAPE_COST, TURNED_HEADINGS_COST = (
    3.5,
    0.3,
    2.0,
    0.6,
)
# Minimum scales of pictures that share the page with the sheet: for two in a row, and for one at
# full width.
MIN_PICTURES_SCALE, MIN_PICTURE_SCALE = 0.8, 0.45
SEVERAL_PAGES_SIZES = (9.0, 8.5, 8.0, 7.0)
SCREEN_MARGIN = 34  # pixels of the screen width that the table cannot use
SCREEN_SIZES = (14.0, 13.0, 12.0, 11.0)
# Letter widths in multiples of the letter height.
_LETTERS_BY_WIDTH = {
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
_WIDTHS |= {letter: width for letters, width in _LETTERS_BY_WIDTH.items() for letter in letters}
_WIDTHS |= {"’": 0.32, "‘": 0.32, "“": 0.52, "”": 0.52, "–": 0.5, "ß": 0.64}
_OTHER_WIDTH, _DOUBLE_WIDTH = 0.8, 1.0
# A line may end after a space or a sign that joins names.
_LINE_BREAKS = re.compile(rf"(?<=\s)|{JOINED_NAMES}")


class PageFit(NamedTuple):
    """The layout of a sheet on paper: letter size in points, orientation and each table's columns.

    `breaks` are the rows of the first table that begin a new page. The height of a row for
    handwriting is given in points, and is 0 if there is no such row. Pictures are drawn at the
    given scale, from 0 to 1.
    """

    size: float
    landscape: bool
    tables: Sequence[TableLayout]
    breaks: Sequence[int]
    writing_row: float
    picture_scale: float = 1.0


def fit_sheet(sheet: Sheet, charts: Sequence[float] = ()) -> PageFit:
    """Fit the sheet on one page if possible, otherwise on as few pages as possible.

    `charts` are the height-to-width ratios of the pictures. If there is too little room, the
    pictures are the first to move to another page.
    """
    measured = [MeasuredColumns(table) for table in sheet.tables]
    empty = sum(sum(each.is_empty) for each in measured)
    papers = [_Paper(sheet, measured, charts, landscape) for landscape in (False, True)]
    for option in _page_options(charts):
        page = papers[option.landscape].lay_out_page(option.size, turned=option.turned)
        if (
            page is not None
            and page.height + page.pictures_height * option.picture_scale <= page.room
        ):
            return _fit_one_page(page, empty, _min_picture_scale(charts))
    pages = [
        papers[landscape].lay_out_page(size, turned=turned)
        for size in SEVERAL_PAGES_SIZES
        for landscape in (False, True)
        for turned in (False, True)
    ]
    several = [(page, _find_breaks(page)) for page in pages if page is not None]
    if not several:
        page = papers[True].lay_out_page(SIZES[-1], turned=True, force=True)
        assert page is not None  # a forced layout never fails
        several = [(page, _find_breaks(page))]
    page, breaks = min(several, key=lambda each: len(each[1]))
    return PageFit(
        page.size, page.landscape, page.tables, breaks, MIN_WRITING_ROW if empty else 0.0
    )


def fit_screen(sheet: Sheet, width: int) -> tuple[float, list[TableLayout]] | None:
    """Choose the largest letter size that fits a screen width in pixels.

    Return the size in pixels and the layout of each table. Return None if words or numbers would be
    broken at every size.
    """
    measured = [MeasuredColumns(each) for each in sheet.tables]
    room = width - SCREEN_MARGIN
    for turned in (False, True):
        for size in SCREEN_SIZES:
            layouts = [each.lay_out(room / size, turned, whole_headings=True) for each in measured]
            complete = [table for table in layouts if table is not None]
            if len(complete) == len(layouts):
                return size, complete
    return None


class _Page(NamedTuple):
    """The sheet at one letter size. The heights of its parts are in points."""

    size: float
    landscape: bool
    above: float
    tables: Sequence[TableLayout]
    below: float
    pictures_height: float

    @property
    def room(self) -> float:
        """The usable height in points."""
        return (SHORT_SIDE if self.landscape else LONG_SIDE) * USABLE_SHARE

    @property
    def height(self) -> float:
        """The height of everything except the pictures, in points."""
        return (
            self.above + sum(table.height * self.size + GAP for table in self.tables) + self.below
        )


class _PageOption(NamedTuple):
    """An option for fitting the sheet on one page. Its preference is the letter size minus its
    costs."""

    preference: float
    size: float
    landscape: bool
    turned: bool
    picture_scale: float  # 0 if the pictures are on another page


def _page_options(charts: Sequence[float]) -> list[_PageOption]:
    """List every option for fitting the sheet on one page, the most preferred first."""
    pictures = (
        {1.0: 0.0, _min_picture_scale(charts): SMALLER_PICTURES_COST, 0.0: SEPARATE_PICTURES_COST}
        if charts
        else {0.0: 0.0}
    )
    options = [
        _PageOption(
            size - LANDSCAPE_COST * landscape - TURNED_HEADINGS_COST * turned - lost,
            size,
            landscape,
            turned,
            drawn,
        )
        for size in SIZES
        for landscape in (False, True)
        for turned in (False, True)
        for drawn, lost in pictures.items()
    ]
    return sorted(options, reverse=True)


def _min_picture_scale(charts: Sequence[float]) -> float:
    """Return the smallest scale at which these pictures may share the page with the sheet."""
    return MIN_PICTURE_SCALE if len(charts) == 1 else MIN_PICTURES_SCALE


def _fit_one_page(page: _Page, empty: int, min_scale: float) -> PageFit:
    """Put everything on one page. Rows for handwriting share the remaining space.

    Pictures get the largest scale that fits.
    """
    high = 0.0
    if empty:
        least = max(MIN_WRITING_ROW, (LINE_HEIGHT + ROW_PADDING + RULE_WIDTH) * page.size)
        high = min(least + (page.room - page.height) / empty, MAX_WRITING_ROW)
    left = page.room - page.height
    drawn = (
        left / page.pictures_height
        if page.pictures_height > left >= page.pictures_height * min_scale
        else 1.0
    )
    return PageFit(page.size, page.landscape, page.tables, [], high, drawn)


def _find_breaks(page: _Page) -> list[int]:
    """Return the rows of the first table that begin a new page.

    Every page but the last is full. The last page has at least one row above the totals.
    """
    if not page.tables:
        return []
    table, size = page.tables[0], page.size
    # Every page repeats the headings and the carried-over tallies.
    once = (table.head_height + LINE_HEIGHT + ROW_PADDING + RULE_WIDTH) * size
    room = page.room * FULL_SHARE
    left = room - page.above - table.head_height * size
    breaks: list[int] = []
    for at, row in enumerate(table.row_heights):
        last = at + 1 == len(table.row_heights)
        need = (row + (table.totals_height if last else 0)) * size
        if need > left and at:
            breaks.append(at)
            left = room - once
        left -= need
    return breaks


class _Paper:
    """A sheet that is measured for one orientation of the paper."""

    def __init__(
        self,
        sheet: Sheet,
        measured: Sequence[MeasuredColumns],
        charts: Sequence[float],
        landscape: bool,
    ) -> None:
        self.sheet = sheet
        self.measured = measured
        self.landscape = landscape
        self.width = LONG_SIDE if landscape else SHORT_SIDE
        self.charts = charts

    def lay_out_page(self, size: float, *, turned: bool, force: bool = False) -> _Page | None:
        """Lay out the sheet at one letter size, or return None if words in a table would break."""
        tables: list[TableLayout] = []
        for made, measured in zip(self.sheet.tables, self.measured, strict=True):
            # Each table after the first is a form or a ladder. The columns of a ladder may be
            # narrow.
            broken = force or (bool(tables) and not made.is_form)
            table = measured.lay_out(self.width / size, turned, broken, MIN_WRITING_ROW / size)
            if table is None:
                return None
            tables.append(table)
        captions = sum(LINE_HEIGHT * size + 4 for each in self.sheet.tables if each.caption)
        below = sum(self._heights_below(size * SMALL_FACTOR)) + captions
        return _Page(
            size, self.landscape, self._height_above(size), tables, below, self._pictures_height()
        )

    def _height_above(self, size: float) -> float:
        """Return the height of the title and the facts, in points."""
        title = MeasuredText(self.sheet.title, BOLD_FACTOR).line_count(self.width / TITLE_SIZE)
        facts = [f"{word} {text}" for word, text in self.sheet.facts]
        return (
            title * TITLE_SIZE * 1.25
            + GAP
            + self._flow_height(facts, size * SMALL_FACTOR, size * 2)
        )

    def _heights_below(self, size: float) -> Iterator[float]:
        """Yield the heights of the parts below the tables, in points."""
        sheet = self.sheet
        yield self._flow_height([f"{sign} {text}" for sign, text in sheet.legend], size, size * 2)
        yield self._notes_height(size)
        if sheet.payments is not None:
            rows = [f"{payer} → {payee}   {amount}" for payer, payee, amount in sheet.payments.rows]
            yield self._flow_height([sheet.payments.basis], size, 0)
            yield self._flow_height(rows, size, size * 3)
        for heading, pairs in sheet.guide:
            texts = [f"{word} {text}" for word, text in pairs]
            high = (
                MeasuredText(heading, BOLD_FACTOR).line_count(GUIDE_HEADING_WIDTH)
                * size
                * LINE_HEIGHT
            )
            yield (
                max(high, self._flow_height(texts, size, size * 2, GUIDE_HEADING_WIDTH + 1) - GAP)
                + 3
            )

    def _notes_height(self, size: float) -> float:
        """Return the height of the footnotes, which are set in columns."""
        notes = [MeasuredText(note) for note in self.sheet.footnotes]
        if not notes:
            return 0.0
        lines = max(
            self._note_lines(notes, width / size)
            for width in (self.width, WIDER_PAPER[self.landscape])
        )
        return lines * size * (LINE_HEIGHT + 0.1) + GAP

    def _note_lines(self, notes: Sequence[MeasuredText], width: float) -> int:
        """Return how many lines the footnotes need if they are set in columns within this width."""
        many = max(1, int((width + NOTE_GAP) // (NOTE_WIDTH + NOTE_GAP)))
        room = (width + NOTE_GAP) / many - NOTE_GAP - NOTE_INDENT
        high = sum(note.line_count(room) for note in notes)
        longest = max(note.line_count(room) for note in notes)
        return -(-high // many) + longest - 1

    def _pictures_height(self) -> float:
        """Return the height of the pictures, which are all in one row."""
        if not self.charts:
            return 0.0
        alone = len(self.charts) == 1
        width = self.width if alone else min(self.width / 2, MAX_PAIRED_PICTURE)
        return max(self.charts) * width + GAP

    def _flow_height(
        self, texts: Sequence[str], size: float, gap: float, indent: float = 0.0
    ) -> float:
        """Return the height of short strings that share lines where they fit.

        The indent is in letter heights. Everything else is in points.
        """
        if not texts:
            return 0.0
        whole = self.width - indent * size
        many, left = 1, whole
        for text in texts:
            need = text_width(text) * BOLD_FACTOR * size
            if need > left and left < whole:
                many, left = many + 1, whole
            many += MeasuredText(text).line_count(whole / size) - 1
            left -= min(need, whole) + gap
        return many * size * (LINE_HEIGHT + 0.1) + GAP


# --- the columns of a table


class TableLayout(NamedTuple):
    """The layout of a table at one width, in letter heights.

    `turned_height` is the height of rotated player headings, or 0 if headings are horizontal.
    """

    widths: Sequence[float]
    turned_height: float
    head_height: float
    row_heights: Sequence[float]
    totals_height: float

    @property
    def height(self) -> float:
        """The height of the whole table."""
        return self.head_height + sum(self.row_heights) + self.totals_height


class MeasuredColumns:
    """The widths that the text in a table needs, in letter heights. They are measured once for all
    sizes."""

    def __init__(self, table: SheetTable) -> None:
        columns = table.columns
        self.has_owner = [bool(column.owner) for column in columns]
        self.labels = [MeasuredText(column.label, BOLD_FACTOR) for column in columns]
        self.rows = [[MeasuredText(cell) for cell in row] for row in table.rows]
        self.totals = [_measure_total_row(row, columns, BOLD_FACTOR) for row in table.totals]
        self.is_numbered = all(row[0].isdigit() for row in table.rows if row)
        self.is_empty = [kind == EMPTY for kind in row_kinds(table)]
        carried = [_measure_total_row(row, columns) for row in table.carried]
        every = [*self.rows, *self.totals]
        self.text_widths = [sorted(row[at].width for row in every) for at in range(len(columns))]
        self.word_widths = [column.width * LETTER_WIDTH for column in columns]
        for row in [*every, *carried]:
            for at, text in enumerate(row):
                # A player's points and their most recent change share one line.
                word = text.width if self.has_owner[at] else text.longest
                self.word_widths[at] = max(self.word_widths[at], min(word, LONG_WORD))

    def lay_out(
        self,
        room: float,
        turned: bool,
        force: bool = False,
        min_writing_row: float = 0.0,
        whole_headings: bool = False,
    ) -> TableLayout | None:
        """Lay out the columns in this width, or return None if words would be broken.

        `turned` rotates players' headings. `force` breaks words that do not fit. Rows for
        handwriting are at least `min_writing_row` high. `whole_headings` forbids breaking even the
        long words of headings.
        """
        headed = self._min_widths(turned, LONG_WORD)
        least = headed if whole_headings else self._min_widths(turned, LONG_HEADING)
        need = sum(least)
        if need <= room:
            # Preferably, short strings stay on one line and the words of headings stay unbroken.
            candidates = [self._widen_for_short_texts(headed), headed, least]
            floors = [floor for floor in candidates if sum(floor) <= room]
        elif force:
            floors = [[width * room / need for width in least]]
        else:
            return None
        layouts = [
            self._measure_heights(self._spread(floor, room, part, turned), turned, min_writing_row)
            for floor in floors
            for part in _TEXT_SHARES
        ]
        return min(layouts, key=lambda laid: laid.height)

    def _widen_for_short_texts(self, least: Sequence[float]) -> list[float]:
        """Widen the columns so that short strings stay on one line."""
        short = [max((text for text in texts if text <= SHORT_TEXT), default=0.0)
                 for texts in self.text_widths]  # fmt: skip
        return [
            max(width, text + 2 * CELL_PADDING) for width, text in zip(least, short, strict=True)
        ]

    def _min_widths(self, turned: bool, long_word: float) -> list[float]:
        """Return the minimum width of each column."""
        widths = []
        for at, word in enumerate(self.word_widths):
            heading = min(self.labels[at].longest, long_word)
            if turned and self.has_owner[at]:
                heading = LINE_HEIGHT * self.labels[at].line_count(MAX_TURNED_HEADING)
            widths.append(max(word, heading) + 2 * CELL_PADDING)
        return self._equalize(widths)

    def _equalize(self, widths: Sequence[float]) -> list[float]:
        """Give all players' columns the width of the widest one."""
        most = max((width for width, seated in zip(widths, self.has_owner, strict=True) if seated),
                   default=0.0)  # fmt: skip
        return [most if seated else width
                for width, seated in zip(widths, self.has_owner, strict=True)]  # fmt: skip

    def _spread(
        self, least: Sequence[float], room: float, part: float, turned: bool
    ) -> list[float]:
        """Distribute the width so that the given share of each column's strings needs as few lines
        as possible."""
        whole = self._equalize([self._full_width(at, part, turned) for at in range(len(least))])
        low, high = 0.0, 1.0
        for _ in range(12):
            share = (low + high) / 2
            if sum(map(max, least, (width * share for width in whole))) <= room:
                low = share
            else:
                high = share
        widths = list(map(max, least, (width * low for width in whole)))
        # The column of round numbers does not need a share of the remaining width.
        number_width = widths[0] if len(widths) > 1 and self.is_numbered else 0.0
        stretch = (room - number_width) / (sum(widths) - number_width)
        return [
            width * stretch if at or not number_width else width for at, width in enumerate(widths)
        ]

    def _full_width(self, at: int, part: float, turned: bool) -> float:
        """Return the width at which the given share of a column's strings fits on one line."""
        texts = self.text_widths[at]
        text = texts[min(int(part * len(texts)), len(texts) - 1)] if texts else 0.0
        if at and all(self.is_empty):
            text = max(text, WRITING_WIDTH)
        heading = (
            0.0 if turned and self.has_owner[at] else self.labels[at].width / MAX_HEADING_LINES
        )
        return max(text, heading) + 2 * CELL_PADDING

    def _measure_heights(
        self, widths: Sequence[float], turned: bool, min_writing_row: float
    ) -> TableLayout:
        """Compute the heights of headings, rows and totals for these column widths."""
        rooms = [width - 2 * CELL_PADDING for width in widths]

        def high(row: Sequence[MeasuredText]) -> float:
            return _row_height(max(map(MeasuredText.line_count, row, rooms), default=1))

        is_turned = [turned and seated for seated in self.has_owner]
        labels = list(zip(self.labels, is_turned, strict=True))
        head = high([MeasuredText("") if up else label for label, up in labels])
        turned_height = min(
            max((label.width for label, up in labels if up), default=0.0), MAX_TURNED_HEADING
        )
        if turned_height:
            head = max(head, turned_height + ROW_PADDING + RULE_WIDTH)
        rows = [
            max(high(row), min_writing_row) if empty else high(row)
            for row, empty in zip(self.rows, self.is_empty, strict=True)
        ]
        return TableLayout(widths, turned_height, head, rows, sum(map(high, self.totals)))


def _row_height(lines: int) -> float:
    """Return the height of a row with the given number of lines."""
    return lines * LINE_HEIGHT + ROW_PADDING + RULE_WIDTH


def _measure_total_row(
    row: Sequence[str], columns: Sequence[SheetColumn], bold: float = 1.0
) -> list[MeasuredText]:
    """Measure a row of totals. A label that spans several columns does not widen any of them."""
    free = label_span(row, columns) > 1
    return [
        MeasuredText("") if free and not at else MeasuredText(cell, bold)
        for at, cell in enumerate(row)
    ]


def label_span(row: Sequence[str], columns: Sequence[SheetColumn]) -> int:
    """Count the columns that a row's label spans.

    The label spans its own column and the empty columns after it, up to the first player's column.
    """
    ends = (at for at, cell in enumerate(row) if at and (cell or columns[at].owner))
    return next(ends, len(row) or 1)


# --- the width of a text


class MeasuredText:
    """A string with its width on one line and the widths of its unbreakable pieces."""

    __slots__ = ("pieces", "width")

    def __init__(self, text: str, bold: float = 1.0) -> None:
        self.width = text_width(text) * bold
        self.pieces = [text_width(piece) * bold for piece in _split_pieces(text)]

    @property
    def longest(self) -> float:
        """The width of the widest piece."""
        return max(self.pieces, default=0.0)

    def line_count(self, room: float) -> int:
        """Count the lines that the string needs in this width. A piece wider than a line is
        broken."""
        if self.width <= room:
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


def text_width(text: str) -> float:
    """Return the width of a string on one line, in letter heights."""
    return sum(_WIDTHS.get(letter) or _letter_width(letter) for letter in text)


def _letter_width(letter: str) -> float:
    """Return the width of a letter that is missing from the table of widths."""
    from unicodedata import combining, east_asian_width, normalize

    if combining(letter):
        return 0.0
    if east_asian_width(letter) in "WF":
        return _DOUBLE_WIDTH
    return _WIDTHS.get(normalize("NFD", letter)[0], _OTHER_WIDTH)  # for example, ä is as wide as a


def _split_pieces(text: str) -> list[str]:
    """Split a string wherever a line may end, which includes the gap between two double-width
    letters."""
    pieces = [piece for piece in _LINE_BREAKS.split(text) if piece]
    return (
        pieces
        if text.isascii()
        else [part for piece in pieces for part in _split_wide_letters(piece)]
    )


def _split_wide_letters(piece: str) -> list[str]:
    """Split a piece after each double-width letter."""
    from unicodedata import east_asian_width

    parts = [""]
    for letter in piece:
        parts[-1] += letter
        if east_asian_width(letter) in "WF":
            parts.append("")
    return [part for part in parts if part]
