"""Matches as CSV: a heading, then rows (see history/columns.py for what the columns are).

Numbers and days are as every reader of such tables takes them, an empty cell is no value. A cell
that a spreadsheet might take for a formula begins with an apostrophe; so does what it might take
for one behind a semicolon or a tab, where it is told to begin a cell there.

Each is written as it is made, a match after the other: what comes is pieces of the text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scorekeeper.history.columns import TABLES, entry_rows, match_rows, score_rows
from scorekeeper.store.about import day_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from scorekeeper.history.statistics import Listed

    Rows = Callable[[Listed, str], Iterator[list[object]]]

ROWS: Mapping[str, Rows] = {
    "csv": entry_rows,
    "scores-csv": score_rows,
    "matches-csv": match_rows,
}
SIGNS = "=+@＝＋－＠-"
FORMULA = frozenset(f"{SIGNS}\t\r")
# Where a cell that is a formula would begin; a quotation mark is none of it.
_WITHIN = re.compile(rf'(?<=[;\t])(?=(?:[^\S\t]|")*[{SIGNS}])')


def as_csv(table: str, matches: Iterable[Listed]) -> Iterator[str]:
    """The matches as one of the TABLES: the heading, then the rows of a match, a line each."""
    from csv import writer
    from io import StringIO

    text = StringIO()
    write = writer(text, lineterminator="\n").writerow
    write(column.name for column in TABLES[table])
    yield text.getvalue()
    for each in matches:
        text.seek(0)
        text.truncate()
        for row in ROWS[table](each, day_of(each.started)):
            write(map(cell, row))
        yield text.getvalue()


def cell(value: object) -> str:
    """A value for a cell of a spreadsheet: one line, and never a formula, nor several cells of
    which one is. Numbers stay numbers."""
    if value is None:
        return ""
    if isinstance(value, (int, float)):
        return str(value)
    text = str(value)
    if not text or (text[0].isalnum() and text.isprintable() and ";" not in text):
        return text  # as most are
    text = _WITHIN.sub("'", " ".join(text.splitlines()).replace("\0", ""))
    if (text[:1] in FORMULA or text.strip()[:1] in FORMULA) and not _is_number(text):
        return f"'{text}"
    return text


def _is_number(text: str) -> bool:
    digits = text[1:].replace(".", "", 1)
    return text[:1] in "+-" and digits.isascii() and digits.isdigit()
