"""A plain table of scores, as other programs and spreadsheets write it, read as rows of points.

Two shapes: *long*, a row a player (a column of names, one of points), and *wide*, a row a round or
an evening (a column a player). What cannot be told for certain is refused with both readings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorekeeper.core.errors import Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.text import shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.store.table_columns import Columns, Texts, columns_of
from scorekeeper.store.table_dates import Dates, dates_of, is_date
from scorekeeper.store.table_lines import lines_of
from scorekeeper.store.table_numbered import by_number
from scorekeeper.store.table_rows import (
    ABOVE,
    AROUND,
    CALLED,
    COMES_TO,
    EMPTY,
    NOTHING,
    VOID,
    YES,
    LeftOut,
    Reader,
    Scores,
    cell_of,
    label_of,
)
from scorekeeper.store.table_running import differences
from scorekeeper.store.table_sums import either, repeats_among, sums_among
from scorekeeper.store.table_turned import turned
from scorekeeper.store.table_words import is_text, is_total

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Mapping, Sequence


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
    and which rows were left out; `turned`: its rows stand as columns in the file."""

    rows: Sequence[Scores]
    columns: Columns
    headings: Sequence[str]
    encoding: str
    delimiter: str
    dates: Dates
    left_out: Sequence[LeftOut]
    turned: bool


def read_table(path: str, how: Mapped) -> Table:
    """Read a table. Raises Damaged for a file that is none, Unreadable for columns and dates that
    nobody can tell."""
    lines = lines_of(path)
    days = turned(path, lines.rows)
    (line, first), *_ = table = days or lines.rows
    headings = [cell.strip() for cell in first]
    texts = _texts([row for _, row in table[1:]])
    widest = max(len(row) for _, row in table)
    headings += [""] * (min(_named(texts.all, how.columns), widest) - len(first))
    columns = columns_of(path, headings, line, how.columns, texts)
    columns = columns._replace(unnamed=[at for at in columns.unnamed if at < len(first)])
    begun = table[columns.headed :]
    columns = _dated(columns, [row for _, row in begun])
    told = [(line if days else at, cell_of(row, columns.date)) for at, row in begun]
    dates = dates_of(path, told, how.order)
    reader = Reader(columns, len(first), dates, how.date)
    rows: list[Scores] = []
    left_out = [LeftOut(at, shown(text), ABOVE) for at, text in lines.above]
    left_out += [LeftOut(at, "", AROUND) for at in lines.around]
    for line, row in begun:
        if cell_of(row, columns.void) == YES:
            left_out.append(LeftOut(line, "", VOID))
            continue
        label = label_of(row, columns)
        scores = None if label else reader.read(line, row)
        if scores is None or not (scores.points or scores.stood):
            left_out.append(LeftOut(line, shown(label), CALLED if label else EMPTY))
        else:
            rows.append(scores)
    wide = columns.name is None
    if not wide:
        rows = by_number(rows)
    if how.running:
        rows = [*differences(rows, how.running)]
    sums = repeats_among(rows, wide) if how.running else sums_among(rows, wide)
    rows, more = _without(rows, *sums)
    left_out = sorted([*left_out, *more])
    if not rows:
        raise Unreadable(tr("{path}: there is no row with points", path=shown(path, 200)))
    signs = lines.encoding, lines.delimiter
    return Table(rows, columns, headings, *signs, dates, left_out, days is not None)


def _texts(rows: Sequence[Sequence[str]]) -> Texts:
    """The columns in which texts stand alone, but for sums."""
    texts: set[int] = set()
    wordy: set[int] = set()
    others: set[int] = set()
    for row in rows:
        cells = [cell.strip() for cell in row]
        if any(map(is_total, cells)):
            continue
        for at, cell in enumerate(cells):
            if cell in NOTHING or at in others:
                continue
            if not is_text(cell):
                others.add(at)
            elif any(map(str.isdigit, cell)):
                texts.add(at)
            else:
                wordy.add(at)
    return Texts(frozenset((texts | wordy) - others), frozenset(wordy - texts - others))


def _named(texts: Iterable[int], wanted: Mapping[str, str]) -> int:
    """How many columns there are, with headings or not, up to the last one that holds texts, or is
    to be skipped by its number."""
    said = (part.strip() for part in wanted.get("skip", "").split("+"))
    skipped = (int(part[:9]) for part in said if part.isascii() and part.isdigit())
    return max([*(at + 1 for at in texts), *skipped], default=0)


def _dated(columns: Columns, rows: Sequence[Sequence[str]]) -> Columns:
    """The columns where nobody calls one the date: it may be one without a heading, all of whose
    cells are days, but for sums."""
    for at in columns.unnamed if columns.date is None else ():
        cells = [cell for row in rows if (cell := cell_of(row, at)) and not is_total(cell)]
        if cells and all(map(is_date, cells)):
            others = [[each for each in some if each != at]
                      for some in (columns.left_out, columns.unnamed)]  # fmt: skip
            return columns._replace(date=at, left_out=others[0], unnamed=others[1])
    return columns


def _without(
    rows: Sequence[Scores], sure: Collection[int], unsure: Container[int]
) -> tuple[list[Scores], list[LeftOut]]:
    """The rows without those that are sums of others, and these; what may be a sum or a round is
    refused."""
    kept = [
        row._replace(points=either()) if at in unsure else row
        for at, row in enumerate(rows)
        if at not in sure
    ]
    return kept, [LeftOut(rows[at].line, "", COMES_TO) for at in sure]
