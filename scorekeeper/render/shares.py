"""How wide the columns of a table are: each gets what its texts need of the room there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.types import NamedTuple
from scorekeeper.render.letters import Text
from scorekeeper.render.paper import EMPTY, ROUND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.render.paper import Column, Grid

# In the letters' height: a line, what stands around a row's texts, a heading's bold letters.
LEADING = 1.25
AROUND = 0.4
BESIDE = 0.46
BOLD = 1.16
LETTER = 0.6
# How wide a column is made in which something is to be written.
TO_WRITE = 6.0
# Longer words than these may be broken, in a cell and in a heading.
LONG_WORD = 9.0
LONG_HEADING = 6.0
# What is no longer than this stands in one line, if there is room.
SHORT_TEXT = 7.0
# How long a turned heading may be before it goes on in a second line.
TURNED = 12.0
RULE = 0.12
# In how many lines a heading may stand before its column is made wider for it.
HEADING_LINES = 3
NOTHING = Text("")
# Which of a column's texts must stand in as few lines as any: all, or most of them.
_PARTS = (1.0, 0.9, 0.75, 0.5)


class Laid(NamedTuple):
    """A table's columns in the room they have, in the letters' height: the `widths`; how high
    players' headings are that stand `upright` (0: they lie); the heights of heading, rows,
    totals."""

    widths: Sequence[float]
    upright: float
    head: float
    rows: Sequence[float]
    totals: float

    @property
    def height(self) -> float:
        return self.head + sum(self.rows) + self.totals


class Measured:
    """What a table's texts ask for, in the letters' height: reckoned once for all sizes."""

    def __init__(self, grid: Grid) -> None:
        columns = grid.columns
        self.seated = [bool(column.who) for column in columns]
        self.labels = [Text(column.label, BOLD) for column in columns]
        self.rows = [[Text(cell) for cell in row] for row in grid.rows]
        self.totals = [_beneath(row, columns, BOLD) for row in grid.totals]
        self.numbered = all(row[0].isdigit() for row in grid.rows if row)
        self.empty = [kind == EMPTY for kind in kinds_of(grid)]
        over = [_beneath(row, columns) for row in grid.carried]
        every = [*self.rows, *self.totals]
        self.texts = [sorted(row[at].wide for row in every) for at in range(len(columns))]
        self.words = [column.width * LETTER for column in columns]
        for row in [*every, *over]:
            for at, text in enumerate(row):
                # What somebody has stays in one line, with what it has changed by.
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
        """The columns in that much room; None if words would be broken (`words`: those of headings
        too, however long). `forced`: they are. `to_write` is how high a row to be written on is at
        least."""
        headed = self._least(turned, LONG_WORD)
        least = headed if words else self._least(turned, LONG_HEADING)
        need = sum(least)
        if need <= room:
            # Liked best: short texts in one line, whole words in headings.
            liked = [self._roomy(headed), headed, least]
            floors = [floor for floor in liked if sum(floor) <= room]
        elif forced:
            floors = [[width * room / need for width in least]]
        else:
            return None
        found = [
            self._heights(self._filled(floor, room, part, turned), turned, to_write)
            for floor in floors
            for part in _PARTS
        ]
        return min(found, key=lambda laid: laid.height)

    def _roomy(self, least: Sequence[float]) -> list[float]:
        """Columns in which short texts stand in one line."""
        short = [max((text for text in texts if text <= SHORT_TEXT), default=0.0)
                 for texts in self.texts]  # fmt: skip
        return [max(width, text + 2 * BESIDE) for width, text in zip(least, short, strict=True)]

    def _least(self, turned: bool, long: float) -> list[float]:
        found = []
        for at, word in enumerate(self.words):
            heading = min(self.labels[at].longest, long)
            if turned and self.seated[at]:
                heading = LEADING * self.labels[at].lines(TURNED)
            found.append(max(word, heading) + 2 * BESIDE)
        return self._even(found)

    def _even(self, widths: Sequence[float]) -> list[float]:
        """Players' columns are as wide as one another."""
        most = max((width for width, seated in zip(widths, self.seated, strict=True) if seated),
                   default=0.0)  # fmt: skip
        return [most if seated else width
                for width, seated in zip(widths, self.seated, strict=True)]  # fmt: skip

    def _filled(
        self, least: Sequence[float], room: float, part: float, turned: bool
    ) -> list[float]:
        """Columns in which that part of the texts stands in as few lines as the room allows."""
        whole = self._even([self._whole(at, part, turned) for at in range(len(least))])
        low, high = 0.0, 1.0
        for _ in range(12):
            share = (low + high) / 2
            if sum(map(max, least, (width * share for width in whole))) <= room:
                low = share
            else:
                high = share
        widths = list(map(max, least, (width * low for width in whole)))
        # What is left over is for all but the numbers of the rounds.
        kept = widths[0] if len(widths) > 1 and self.numbered else 0.0
        stretch = (room - kept) / (sum(widths) - kept)
        return [width * stretch if at or not kept else width for at, width in enumerate(widths)]

    def _whole(self, at: int, part: float, turned: bool) -> float:
        texts = self.texts[at]
        text = texts[min(int(part * len(texts)), len(texts) - 1)] if texts else 0.0
        if at and all(self.empty):
            text = max(text, TO_WRITE)
        heading = 0.0 if turned and self.seated[at] else self.labels[at].wide / HEADING_LINES
        return max(text, heading) + 2 * BESIDE

    def _heights(self, widths: Sequence[float], turned: bool, to_write: float) -> Laid:
        rooms = [width - 2 * BESIDE for width in widths]

        def high(row: Sequence[Text]) -> float:
            return _high(max(map(Text.lines, row, rooms), default=1))

        turned_round = [turned and seated for seated in self.seated]
        labels = list(zip(self.labels, turned_round, strict=True))
        head = high([NOTHING if up else label for label, up in labels])
        upright = min(max((label.wide for label, up in labels if up), default=0.0), TURNED)
        if upright:
            head = max(head, upright + AROUND + RULE)
        rows = [
            max(high(row), to_write) if empty else high(row)
            for row, empty in zip(self.rows, self.empty, strict=True)
        ]
        return Laid(widths, upright, head, rows, sum(map(high, self.totals)))


def _high(many: int) -> float:
    return many * LEADING + AROUND + RULE


def spanned(row: Sequence[str], columns: Sequence[Column]) -> int:
    """Over how many columns a row's label stands: its own, and those of the round that are empty
    beside it."""
    taken = (at for at, cell in enumerate(row) if at and (cell or columns[at].who))
    return next(taken, len(row) or 1)


def _beneath(row: Sequence[str], columns: Sequence[Column], bold: float = 1.0) -> list[Text]:
    """The texts of a row of totals: a label that stands over several columns asks nothing of
    them."""
    free = spanned(row, columns) > 1
    return [NOTHING if free and not at else Text(cell, bold) for at, cell in enumerate(row)]


def kinds_of(grid: Grid) -> Sequence[str]:
    """What each row is; where nobody says, one of which no more than the number stands there is to
    be written on."""
    return grid.kinds or [ROUND if any(row[1:]) else EMPTY for row in grid.rows]
