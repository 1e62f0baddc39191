"""The lines of a table of scores, as its file has them."""

from __future__ import annotations

from io import StringIO

from scorekeeper.core import limits
from scorekeeper.core.failures import Damaged
from scorekeeper.core.messages import tr
from scorekeeper.core.suggest import shown
from scorekeeper.core.tuples import NamedTuple

DELIMITERS = ("\t", ";", ",")
UTF16 = (b"\xff\xfe", b"\xfe\xff")
BOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # how the files of spreadsheet programs begin


class Lines(NamedTuple):
    """The rows that hold something, each with its line from 1; in which signs they are written, and
    what parts their cells."""

    rows: list[tuple[int, list[str]]]
    encoding: str
    delimiter: str


def lines_of(path: str) -> Lines:
    """Read the lines of a table. Raises Damaged for a file that is none, or an empty one."""
    text, encoding = _text_of(path)
    delimiter, rows = _lines_of(path, text)
    if not rows:
        raise Damaged(tr("{path} is empty", path=shown(path, 200)))
    return Lines(rows, encoding, delimiter)


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
