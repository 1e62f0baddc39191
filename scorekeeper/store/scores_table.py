"""A plain table of scores, as other programs and spreadsheets write it, read as rows of points.

Two shapes: *long*, a row a player (a column of names, one of points), and *wide*, a row a round or
an evening (a column a player). What cannot be told for certain is refused with both readings.
"""

from __future__ import annotations

import re
from io import StringIO
from typing import TYPE_CHECKING

from scorekeeper.core import limits
from scorekeeper.core.failures import Damaged, Failure, Unreadable
from scorekeeper.core.messages import tr
from scorekeeper.core.suggest import shown
from scorekeeper.core.tuples import NamedTuple
from scorekeeper.notation.syntax import clean
from scorekeeper.store.table_columns import Columns, columns_of, is_total, name_of
from scorekeeper.store.table_dates import Dates, dates_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

DELIMITERS = ("\t", ";", ",")
UTF16 = (b"\xff\xfe", b"\xfe\xff")
BOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # how the files of spreadsheet programs begin
NOTHING = ("", "-", "–", "—")  # in a cell of who did not play
_WHOLE = re.compile(r"([+-]?)([0-9]{1,9})(?:[.,]0{1,2})?")


class Mapped(NamedTuple):
    """How a table is to be read: which column is what (see `columns_of`), the day of a table
    without dates, the order of the parts of dates (`ymd`, `dmy`, `mdy`; empty: as they show)."""

    columns: Mapping[str, str] = {}
    date: str = ""
    order: str = ""


class Scores(NamedTuple):
    """A row of a table: its line in the file, from 1, and the match and the round that it belongs
    to (an empty round: it is one of its own); points by name, or why they cannot be read."""

    line: int
    date: str
    title: str
    place: str
    round: str
    points: Mapping[str, int] | Failure


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
    text, encoding = _text_of(path)
    delimiter, lines = _lines_of(path, text)
    if not lines:
        raise Damaged(tr("{path} is empty", path=shown(path, 200)))
    headings = [cell.strip() for cell in lines[0][1]]
    columns = columns_of(path, headings, lines[0][0], how.columns)
    begun = lines[columns.headed :]
    told = [(line, _cell(row, columns.date)) for line, row in begun]
    dates = dates_of(path, told, how.order)
    rows: list[Scores] = []
    left_out: list[tuple[int, str]] = []
    day = how.date
    for line, row in begun:
        what = next((cell for cell in row if is_total(cell)), "")
        if what:
            left_out.append((line, shown(what)))
            continue
        date = _cell(row, columns.date)
        failure = None
        if date:
            try:
                day = dates.day(date)
            except Unreadable as unreadable:
                failure = unreadable
        if len(row) > len(headings) and any(map(str.strip, row[len(headings) :])):
            failure = Unreadable(
                tr("it has {found} cells, and there are {count} columns", found=len(row),
                   count=len(headings)),
                tr("look whether a cell is one too many"),
            )  # fmt: skip
        title, place = clean(_cell(row, columns.title)), clean(_cell(row, columns.place))
        points = failure or _points_of(row, columns)
        rows.append(Scores(line, day, title, place, _cell(row, columns.round), points))
    if not any(isinstance(row.points, Failure) or row.points for row in rows):
        raise Unreadable(tr("{path}: there is no row with points", path=shown(path, 200)))
    return Table(rows, columns, headings, encoding, delimiter, dates, left_out)


def _text_of(path: str) -> tuple[str, str]:
    """What stands in a file, and in which encoding."""
    try:
        with open(path, "rb") as file:
            raw = file.read(limits.TABLE_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Damaged(
            tr("{path} cannot be read: {reason}", path=shown(path, 200), reason=reason)
        ) from None
    if len(raw) > limits.TABLE_BYTES:
        raise Damaged(tr("{path} is larger than {size} MiB", path=shown(path, 200),
                         size=limits.TABLE_BYTES // 2**20))  # fmt: skip
    if raw.startswith(BOOKS):
        raise Damaged(
            tr("{path} is a file of a spreadsheet program, no text", path=shown(path, 200)),
            tr("save it as CSV there"),
        )
    encodings = ["utf-16"] if raw.startswith(UTF16) else ["utf-8-sig", "cp1252", "latin-1"]
    for encoding in encodings:
        try:
            return raw.decode(encoding), "utf-8" if encoding == "utf-8-sig" else encoding
        except UnicodeDecodeError:
            continue
    raise Damaged(tr("{path} is no text", path=shown(path, 200)))


def _lines_of(path: str, text: str) -> tuple[str, list[tuple[int, list[str]]]]:
    """What parts the cells, and the rows that hold something, each with its line."""
    import csv

    first = next((line for line in text.split("\n") if line.strip()), "")
    delimiter = max(DELIMITERS, key=lambda sign: (first.count(sign) > 0, -DELIMITERS.index(sign)))
    rows: list[tuple[int, list[str]]] = []
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    line = 1
    try:
        for row in reader:
            if len(row) > limits.TABLE_COLUMNS:
                raise _beyond(path, line, len(row), limits.TABLE_COLUMNS)
            if any(cell.strip() for cell in row):
                rows.append((line, row))
            if len(rows) > limits.TABLE_ROWS:
                raise _beyond(path, line, 0, limits.TABLE_ROWS)
            line = reader.line_num + 1
    except csv.Error as error:
        said = tr("{path}, line {line}: {what}", path=shown(path, 200), line=line,
                  what=tr("this is no table: {reason}", reason=error))  # fmt: skip
        raise Damaged(said) from None
    return delimiter, rows


def _beyond(path: str, line: int, found: int, most: int) -> Damaged:
    what = tr("the table has more than {most} rows", most=most)
    if found:
        what = tr("it has {found} columns; at most {most} can be read", found=found, most=most)
    return Damaged(tr("{path}, line {line}: {what}", path=shown(path, 200), line=line, what=what))


def _cell(row: Sequence[str], at: int | None) -> str:
    return row[at].strip() if at is not None and at < len(row) else ""


def _points_of(row: Sequence[str], columns: Columns) -> Mapping[str, int] | Failure:
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
            yield name, _cell(row, at)
        return
    points = _cell(row, columns.points)
    for name in _cell(row, columns.name).split("+"):
        if name.strip():
            yield name_of(name), points
        elif points not in NOTHING:
            raise Unreadable(tr("points without a name"))


def _number(cell: str, name: str, hint: str) -> int:
    """The points that stand in a cell. Raises Unreadable for what is no whole number."""
    text = cell.removeprefix("'").replace("\u2212", "-").replace("–", "-")
    found = _WHOLE.fullmatch(text.replace("\u00a0", "").replace("\u202f", "").strip())
    if found is None:
        raise Unreadable(
            tr("“{text}” of {name} is no whole number", text=shown(cell, 40), name=shown(name)),
            hint,
        )
    return int(found[1] + found[2])
