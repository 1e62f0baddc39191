"""Whether a book's file is whole: its pages, and every row by its checksum. Nothing is played.

That takes a moment for thousands of matches; `rescue` goes on from there, match by match.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from scorekeeper.core.messages import plural, tr
from scorekeeper.core.text import shown
from scorekeeper.core.types import NamedTuple
from scorekeeper.store.faults import is_withheld
from scorekeeper.store.tables import COLUMNS, checksum, is_typed, select

if TYPE_CHECKING:
    from collections.abc import Sequence

_COUNTED = "SELECT count(*), coalesce(sum(entries), 0), coalesce(max(last), '') FROM kept_matches"
DERIVED = "kept_rounds"  # what can be made again from the log
_SHORT = """SELECT count(*) FROM kept_matches
            WHERE position != (SELECT count(*) FROM log WHERE match = kept_matches.id)"""


class Held(NamedTuple):
    """What a book's file holds: its matches, the entries ever entered in them, when the last was
    (UTC, "" for none); and what is wrong with it, nothing if it is whole. `mendable`: that is
    nothing but what is kept of rounds, which can be made again (see mending.py)."""

    matches: int
    entries: int
    last: str
    faults: list[str]
    mendable: bool = False


def file_faults(path: str) -> list[str]:
    """What is wrong with the pages of a database, of whatever version."""
    try:
        with closing(_opened(path)) as connection:
            return page_faults(connection)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return [shown(error, 120)]


def page_faults(connection: sqlite3.Connection) -> list[str]:
    """The same of an open one. Which pages they are helps nobody, and each SQLite says it its own
    way. Raises SQLite's error for one that is withheld."""
    try:
        [(found,)] = connection.execute("PRAGMA integrity_check(1)")
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if isinstance(error, sqlite3.Error) and is_withheld(error):
            raise
        return [shown(error, 120)]
    return [] if found == "ok" else [tr("its pages do not belong together")]


def held_by(path: str) -> Held:
    """What a book of this version holds, looked at row by row."""
    faults = file_faults(path)
    derived: list[str] = []
    matches, entries, last = 0, 0, ""
    try:
        with closing(_opened(path)) as connection:
            for table in COLUMNS:
                faults += _row_faults(connection, table) if table != DERIVED else []
            faults += _missing(connection)
            derived = _row_faults(connection, DERIVED)
            matches, entries, last = connection.execute(_COUNTED).fetchone()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        faults = faults or [shown(error, 120)]
    return Held(matches, entries, last, faults + derived, bool(derived) and not faults)


def _opened(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    connection.execute("PRAGMA query_only = ON")
    return connection


def _row_faults(connection: sqlite3.Connection, table: str) -> list[str]:
    wrong = sum(not _is_sound(table, row) for row in connection.execute(select(table)))
    if not wrong:
        return []
    say = plural("{count} row of {table}", "{count} rows of {table}", wrong, table=table)
    return [tr("{rows}: damaged", rows=say)]


def _is_sound(table: str, row: Sequence[object]) -> bool:
    """Whether a row says what was written; its checksum stands last."""
    said = dict(zip(COLUMNS[table], row, strict=False))
    try:
        return is_typed(table, said) and checksum(row[:-1]) == row[-1]
    except UnicodeEncodeError:
        return False


def _missing(connection: sqlite3.Connection) -> list[str]:
    """What is not there although something else says so."""
    faults: list[str] = []
    (short,) = connection.execute(_SHORT).fetchone()
    if short:
        faults.append(
            plural(
                "{count} match: rows of its log are missing",
                "{count} matches: rows of their logs are missing",
                short,
            )
        )
    lost = len(connection.execute("PRAGMA foreign_key_check").fetchall())
    if lost:
        faults.append(
            plural(
                "{count} row belongs to nothing that is there",
                "{count} rows belong to nothing that is there",
                lost,
            )
        )
    return faults
