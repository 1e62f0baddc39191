"""A plain table of scores, as other programs and spreadsheets write it, read as rows of points.

Two shapes: *long*, a row a player (a column of names, one of points), and *wide*, a row a round or
an evening (a column a player). What cannot be told for certain is refused with both readings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.failures import Failure, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.suggest import shown
from scorekeeper.core.tuples import NamedTuple
from scorekeeper.store.table_columns import Columns, columns_of
from scorekeeper.store.table_dates import Dates, dates_of
from scorekeeper.store.table_lines import lines_of
from scorekeeper.store.table_rows import Reader, Scores, cell_of, label_of
from scorekeeper.store.table_running import differences

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Mapped(NamedTuple):
    """How a table is to be read: which column is what (see `columns_of`), the day of a table
    without dates, the order of the parts of dates (`ymd`, `dmy`, `mdy`; empty: as they show),
    whether points are totals that run on, and begin anew with each `match` or never (`table`)."""

    columns: Mapping[str, str] = {}
    date: str = ""
    order: str = ""
    running: str = ""


class Table(NamedTuple):
    """A table that was read: its rows, which column is what, how its signs and dates were read,
    and what was left out, each with its line."""

    rows: Sequence[Scores]
    columns: Columns
    headings: Sequence[str]
    encoding: str
    delimiter: str
    dates: Dates
    left_out: Sequence[tuple[int, str]]


def read_table(path: str, how: Mapped) -> Table:
    """Read a table. Raises Damaged for a file that is none, Unreadable for columns and dates that
    nobody can tell."""
    lines = lines_of(path)
    line, first = lines.rows[0]
    headings = [cell.strip() for cell in first]
    columns = columns_of(path, headings, line, how.columns)
    begun = lines.rows[columns.headed :]
    told = [(line, cell_of(row, columns.date)) for line, row in begun]
    dates = dates_of(path, told, how.order)
    reader = Reader(columns, len(headings), dates, how.date)
    rows: list[Scores] = []
    left_out: list[tuple[int, str]] = []
    for line, row in begun:
        what = label_of(row, columns)
        if what:
            left_out.append((line, shown(what)))
        else:
            rows.append(reader.read(line, row))
    if not any(isinstance(row.points, Failure) or row.points for row in rows):
        raise Unreadable(tr("{path}: there is no row with points", path=shown(path, 200)))
    if how.running:
        rows = [*differences(rows, how.running)]
    return Table(rows, columns, headings, lines.encoding, lines.delimiter, dates, left_out)
