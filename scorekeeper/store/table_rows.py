"""What stands in the cells of a row of a table: whose points, of which day and round."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Failure, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.text import SIGNS, shown, signed
from scorekeeper.core.types import NamedTuple
from scorekeeper.notation.syntax import clean
from scorekeeper.store.table_columns import name_of
from scorekeeper.store.table_turned import place
from scorekeeper.store.table_words import is_total

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from scorekeeper.store.table_columns import Columns
    from scorekeeper.store.table_dates import Dates

# Why a row is left out: it stands above the headings, it is called a sum, it comes to what those
# above it do, it has no points, it counts for nothing; it is text around a table.
ABOVE, CALLED, COMES_TO, EMPTY, VOID = "above", "called", "comes to", "empty", "void"
AROUND = "around"
YES = "1"  # as the program's own tables have it
NOTHING = ("", "-", "–", "—")  # in a cell of who did not play
_WHOLE = re.compile(rf"([{re.escape(SIGNS)}]?[0-9]{{1,9}})(?:[.,]0{{1,2}})?")


class Scores(NamedTuple):
    """A row of a table: its line in the file, from 1, and the match and the round that it belongs
    to (an empty round: it is one of its own); points by name, or why they cannot be read; whether
    it is `marked` by a date or a number of its own; in a table of the program's `own` the number of
    its match, and by which ruleset that was played; there also what somebody `stood` at before the
    round, who may have sat out."""

    line: int
    date: str
    title: str
    place: str
    round: str
    points: Mapping[str, int] | Failure
    marked: bool = True
    own: tuple[str, ...] = ()
    stood: Mapping[str, int] = {}

    @property
    def match(self) -> tuple[str, ...]:
        """What tells apart the matches of a table."""
        return self.date, self.title, self.place, *self.own


class LeftOut(NamedTuple):
    """A row that was left out: its line, what stands in it, and why (one of the above)."""

    line: int
    what: str
    why: str


class NoDay(Unreadable):
    """A date cannot be read, so nobody knows to which match its row belongs."""


class Reader:
    """Reads the rows of a table one after the other, of so many columns: where a date is missing it
    is that of the row above, in the first one `day`; so are title and place then, as where cells
    are merged."""

    def __init__(self, columns: Columns, count: int, dates: Dates, day: str) -> None:
        self._columns = columns
        self._count = count
        self._dates = dates
        self._day = day
        self._undated = 0  # the line of the last date, if it cannot be read
        self._title = self._place = ""

    def read(self, line: int, row: Sequence[str]) -> Scores:
        """Read the next row. What cannot be read of it stands in place of its points."""
        columns, date, before = self._columns, cell_of(row, self._columns.date), self._day
        failure = self._dated(line, date) or self._too_long(row)
        again = bool(date) and self._day == before
        try:
            self._title = _as_above(cell_of(row, columns.title), self._title, date, again)
            self._place = _as_above(cell_of(row, columns.place), self._place, date, again)
            _check_no_label(self._title, self._place)
            number = _number_of(cell_of(row, columns.round))
        except Unreadable as unreadable:
            failure, number = failure or unreadable, ""
        points = failure or points_of(row, columns)
        marked = bool(date or number)
        found = Scores(line, self._day, self._title, self._place, number, points, marked)
        return found if columns.match is None else _own(found, row, columns)

    def _dated(self, line: int, date: str) -> Failure | None:
        """Take in the date of a row, or that of the row above; why not, if it cannot be."""
        if date:
            self._undated = 0
            try:
                self._day = self._dates.day(date)
            except Unreadable as unreadable:
                self._undated = line
                return NoDay(unreadable.message, unreadable.hint)
        if self._undated:
            above = place(self._undated)
            said = tr("its date is that of {place}, which cannot be read", place=above)
            return NoDay(said, tr("put {place} right", place=above))
        return None

    def _too_long(self, row: Sequence[str]) -> Failure | None:
        """Why a row cannot be read that has more cells than there are columns."""
        left_out = self._columns.left_out  # of which some stand under no heading
        if not any(row[at].strip() for at in range(self._count, len(row)) if at not in left_out):
            return None
        return Unreadable(
            tr("it has {found} cells, and there are {count} columns", found=len(row),
               count=self._count),
            tr("look whether a cell is one too many; else leave its column out: {option}",
               option=f"--columns skip={self._count + 1}"),
        )  # fmt: skip


def _own(found: Scores, row: Sequence[str], columns: Columns) -> Scores:
    """A row of a table of the program's own, with what else stands there."""
    own = cell_of(row, columns.match), cell_of(row, columns.ruleset)
    where = cell_of(row, columns.place).removeprefix("'")  # as `name_of`
    found = found._replace(date=cell_of(row, columns.started), place=where)
    tally, points = signed(cell_of(row, columns.tally)), found.points
    if isinstance(points, Failure) or tally is None:
        return found._replace(own=own)
    if cell_of(row, columns.out) == YES:  # whatever they got, they did not get it by playing
        return found._replace(own=own, stood=dict.fromkeys(points, tally), points={})
    stood = {name: tally - change for name, change in points.items()}
    return found._replace(own=own, stood=stood)


def label_of(row: Sequence[str], columns: Columns) -> str:
    """What says that a row is a sum of others; empty if nothing does."""
    date, round_ = cell_of(row, columns.date), cell_of(row, columns.round)
    unnamed = [cell_of(row, at) for at in columns.unnamed]
    about = [] if date else [cell_of(row, columns.title), cell_of(row, columns.place)]
    said = next((cell for cell in (date, round_, *unnamed, *about) if is_total(cell)), "")
    name = cell_of(row, columns.name)
    return said or (name if is_total(name, name=True) else "")


def _check_no_label(*said: str) -> None:
    """Raise Unreadable where a row with a date is called as sums are: it may be one, or not."""
    for text in filter(is_total, said):
        raise Unreadable(
            tr("it may be a sum, or what was played on that day is called “{text}”",
               text=shown(text)),
            tr("take the date out of a sum; else leave the column out: --columns skip=COLUMN"),
        )  # fmt: skip


def _number_of(cell: str) -> str:
    """Which round a row is of. Raises Unreadable for what has no number."""
    if cell and not any(map(str.isdigit, cell)):
        raise Unreadable(
            tr("“{text}” is no number of a round", text=shown(cell, 40)),
            tr("put its number there, or leave the column out: --columns skip=COLUMN"),
        )
    return cell


def _as_above(said: str, above: str, date: str, again: bool) -> str:
    """The title or place of a row; where its date is missing it may be the one above. Raises
    Unreadable where the date stands there `again`, and it alone is missing."""
    said = clean(said)
    if said or not above:
        return said
    if again:
        raise Unreadable(
            tr("it may belong to “{title}” above, on the same day, or be a match without that",
               title=shown(above)),
            tr("say it in the row, or leave the column out: --columns skip=COLUMN"),
        )  # fmt: skip
    return "" if date else above


def cell_of(row: Sequence[str], at: int | None) -> str:
    return row[at].strip() if at is not None and at < len(row) else ""


def points_of(row: Sequence[str], columns: Columns) -> Mapping[str, int] | Failure:
    """The points of each who has some in a row, or why that cannot be read."""
    found: dict[str, int] = {}
    try:
        for name, cell in _said(row, columns):
            if cell in NOTHING:
                continue
            if name in found:
                raise Unreadable(tr("“{names}”: somebody is named twice", names=shown(name)))
            hint = tr("put it right")
            if columns.name is None:
                hint = tr("put it right, or leave its column out: --columns skip=COLUMN")
            found[name] = _number(cell, name, hint)
    except Unreadable as unreadable:
        return unreadable
    return found


def _said(row: Sequence[str], columns: Columns) -> Iterator[tuple[str, str]]:
    """Each name with the cell of its points."""
    if columns.name is None:
        for at, name in columns.players.items():
            yield name, cell_of(row, at)
        return
    points = cell_of(row, columns.points)
    for name in cell_of(row, columns.name).split("+"):
        if name.strip():
            yield name_of(name), points
        elif points not in NOTHING:
            raise Unreadable(tr("points without a name"))


def _number(cell: str, name: str, hint: str) -> int:
    """The points that stand in a cell. Raises Unreadable for what is no whole number."""
    text = cell.removeprefix("'").replace("\u00a0", "").replace("\u202f", "").strip()
    found = _WHOLE.fullmatch(text)
    number = signed(found[1]) if found is not None else None
    if number is None:
        raise Unreadable(
            tr("“{text}” of {name} is no whole number", text=shown(cell, 40), name=shown(name)),
            hint,
        )
    return number
