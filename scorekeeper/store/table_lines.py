"""The lines of a table of scores, as its file has them."""

from __future__ import annotations

import re
from io import StringIO
from typing import TYPE_CHECKING

from scorekeeper.core import untrusted
from scorekeeper.core.errors import Damaged
from scorekeeper.core.messages import tr
from scorekeeper.core.text import shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.store.table_dates import is_date
from scorekeeper.store.table_markdown import beyond, markdown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scorekeeper.store.table_markdown import Row

DELIMITERS = ("\t", ";", ",")
UTF16 = (b"\xff\xfe", b"\xfe\xff")
BOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # how the files of spreadsheet programs begin


_PARTED = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)  # the first line, as Excel writes it
LOOKED = 20  # lines in which is looked for what parts the cells


class Lines(NamedTuple):
    """The rows that hold something, each with its line from 1; in which signs they are written, and
    what parts their cells; what stands above the headings, each with its line; the lines around a
    table in Markdown."""

    rows: list[Row]
    encoding: str
    delimiter: str
    above: list[tuple[int, str]]
    around: list[int]


def lines_of(path: str) -> Lines:
    """Read the lines of a table. Raises Damaged for a file that is none, or an empty one."""
    text, encoding = _text_of(path)
    found = markdown(path, text)
    if found is not None:
        return Lines(found.rows, encoding, "|", [], found.around)
    said = _PARTED.fullmatch(text.partition("\n")[0])
    delimiter = said[1] if said else _delimiter_of(text)
    rows = _rows_of(path, text, delimiter)
    above = [(1, said[0].strip())] if said else []
    rows = rows[len(above) :]
    if not rows:
        raise Damaged(tr("{path} is empty", path=shown(path, 200)))
    titles = _titles(rows)
    above += [(line, "".join(cells).strip()) for line, cells in rows[:titles]]
    return Lines(rows[titles:], encoding, delimiter, above, [])


def _titles(rows: Sequence[Row]) -> int:
    """How many rows stand above the headings: those with one cell, a title, before others."""
    for titles, (_, row) in enumerate(rows):
        filled = [cell for cell in row if cell.strip()]
        if len(filled) > 1 or is_date(filled[0]):
            return titles
    return 0


def _delimiter_of(text: str) -> str:
    """What parts the cells: the first of DELIMITERS that stands in most of the first lines."""
    lines = [line for line in text.split("\n", 2 * LOOKED)[: 2 * LOOKED] if line.strip()][:LOOKED]
    often = (sign for sign in DELIMITERS if 2 * sum(sign in line for line in lines) >= len(lines))
    return next(often, DELIMITERS[-1])


def _text_of(path: str) -> tuple[str, str]:
    """What stands in a file, and in which encoding."""
    try:
        with open(path, "rb") as file:
            raw = file.read(untrusted.TABLE_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Damaged(
            tr("{path} cannot be read: {reason}", path=shown(path, 200), reason=reason)
        ) from None
    if len(raw) > untrusted.TABLE_BYTES:
        raise Damaged(tr("{path} is larger than {size} MiB", path=shown(path, 200),
                         size=untrusted.TABLE_BYTES // 2**20))  # fmt: skip
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


def _rows_of(path: str, text: str, delimiter: str) -> list[Row]:
    """The rows that hold something, each with its line."""
    import csv

    rows: list[Row] = []
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
    line = 1
    try:
        for row in reader:
            if len(row) > untrusted.TABLE_COLUMNS:
                raise beyond(path, line, len(row))
            if any(cell.strip() for cell in row):
                rows.append((line, row))
            if len(rows) > untrusted.TABLE_ROWS:
                raise beyond(path, line)
            line = reader.line_num + 1
    except csv.Error as error:
        said = tr("{path}, line {line}: {what}", path=shown(path, 200), line=line,
                  what=tr("this is no table: {reason}", reason=error))  # fmt: skip
        raise Damaged(said) from None
    return rows
