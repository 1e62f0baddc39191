"""The book's tables: what they are made of, and how a row vouches for itself.

Every row carries the checksum of all that it says, its place included. A row that
lost a bit, or is in another's place, is noticed where it is read; that a row is missing is noticed
by its match, which counts them. The checksum is no secret: it is there for disks, not for forgers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

from scorekeeper.core.types import NamedTuple
from scorekeeper.core.versions import Versions

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence

# The columns that a row's checksum covers, in this order, and what each holds.
COLUMNS: dict[str, dict[str, tuple[type, ...]]] = {
    "rulesets": {"sha": (str,), "text": (str,), "data": (str,)},
    "kept_matches": {
        "id": (int,), "ruleset": (str,), "sha": (str,), "players": (str,), "options": (str,),
        "started": (str,), "place": (str, type(None)), "language": (str,), "entries": (int,),
        "last": (str,), "summary": (str,), "position": (int,), "touched": (int,),
        "fingerprint": (str, type(None)), "title": (str,), "note": (str,), "identifier": (str,),
    },
    "log": {
        "match": (int,), "position": (int,), "kind": (str,), "round": (int,), "number": (int,),
        "text": (str,), "decision": (str, type(None)), "time": (str,), "recorder": (str,),
    },
    "kept_rounds": {
        "match": (int,), "number": (int,), "first_position": (int, type(None)),
        "standing": (str,), "summary": (str,), "told": (str,),
    },
    "aliases": {"spelling": (str,), "name": (str,)},
}  # fmt: skip


class MatchValues(NamedTuple):
    """A row of `kept_matches`, without its checksum; `touched` counts what was ever recorded."""

    id: int
    ruleset: str
    sha: str
    players: str
    options: str
    started: str
    place: str | None
    language: str
    entries: int
    last: str
    summary: str
    position: int
    touched: int
    fingerprint: str | None
    title: str
    note: str
    identifier: str


KEYS = {"rulesets": "sha", "kept_matches": "id", "log": "match, position",
        "kept_rounds": "match, number", "aliases": "spelling"}  # fmt: skip


def checksum(values: Sequence[object]) -> int:
    """What vouches for the values of a row."""
    return crc32("\0".join(map(str, values)).encode())


def select(table: str) -> str:
    """The query for whole rows of a table: what the checksum covers, then the checksum."""
    return f"SELECT {', '.join(COLUMNS[table])}, checksum FROM {table}"


def is_typed(table: str, said: Mapping[str, object]) -> bool:
    """Whether what a row says is of the kinds that were written."""
    return all(isinstance(value, COLUMNS[table][name]) for name, value in said.items())


# What a new book is made of; its views are made after it.
SCHEMA = (
    """CREATE TABLE rulesets (
        sha TEXT PRIMARY KEY,
        text TEXT NOT NULL,
        data TEXT NOT NULL,
        checksum INTEGER
    )""",
    """CREATE TABLE kept_matches (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        ruleset TEXT NOT NULL,
        sha TEXT NOT NULL REFERENCES rulesets (sha),
        players TEXT NOT NULL,
        options TEXT NOT NULL,
        started TEXT NOT NULL,
        place TEXT,
        language TEXT NOT NULL DEFAULT '',
        title TEXT NOT NULL DEFAULT '',
        note TEXT NOT NULL DEFAULT '',
        identifier TEXT NOT NULL DEFAULT '',
        entries INTEGER NOT NULL DEFAULT 0,
        last TEXT NOT NULL,
        position INTEGER NOT NULL DEFAULT 0,
        touched INTEGER NOT NULL UNIQUE,
        summary TEXT NOT NULL DEFAULT 'null',
        fingerprint TEXT,
        checksum INTEGER
    )""",
    "CREATE INDEX matches_alike ON kept_matches (players, fingerprint)",
    "CREATE INDEX matches_begun ON kept_matches (players, started)",
    "CREATE INDEX matches_identified ON kept_matches (identifier)",
    """CREATE TABLE log (
        match INTEGER NOT NULL REFERENCES kept_matches (id),
        position INTEGER NOT NULL CHECK (position > 0),
        kind TEXT NOT NULL,
        round INTEGER NOT NULL,
        number INTEGER NOT NULL,
        text TEXT NOT NULL,
        decision TEXT,
        time TEXT NOT NULL,
        recorder TEXT NOT NULL,
        checksum INTEGER,
        PRIMARY KEY (match, position)
    ) WITHOUT ROWID""",
    """CREATE TRIGGER log_unchanged BEFORE UPDATE ON log
       BEGIN SELECT RAISE(ABORT, 'the log is never changed'); END""",
    # A match is erased whole, and first; then its log may go.
    """CREATE TRIGGER log_kept BEFORE DELETE ON log
       WHEN EXISTS (SELECT 1 FROM kept_matches WHERE id = OLD.match)
       BEGIN SELECT RAISE(ABORT, 'the log is never erased'); END""",
    # A round may be kept although nobody can go on from it.
    """CREATE TABLE kept_rounds (
        match INTEGER NOT NULL REFERENCES kept_matches (id),
        number INTEGER NOT NULL,
        first_position INTEGER,
        standing TEXT NOT NULL,
        summary TEXT NOT NULL,
        told TEXT NOT NULL DEFAULT '',
        checksum INTEGER,
        PRIMARY KEY (match, number)
    ) WITHOUT ROWID""",
    "CREATE TABLE aliases (spelling TEXT PRIMARY KEY, name TEXT NOT NULL, checksum INTEGER)"
    " WITHOUT ROWID",
    # Where the table must decide about something: no part of a match, and gone with it.
    """CREATE TABLE marks (
        match INTEGER PRIMARY KEY REFERENCES kept_matches (id) ON DELETE CASCADE,
        position INTEGER NOT NULL
    )""",
)
# The schemas of a book. A step alters its tables, after which the views are made anew.
BOOKS: Versions[sqlite3.Connection] = Versions(6, {})


def make(connection: sqlite3.Connection) -> None:
    """Make a book of an empty file."""
    for statement in SCHEMA:
        connection.execute(statement)
    make_views(connection)


def make_views(connection: sqlite3.Connection) -> None:
    """Make the views anew, as this version has them."""
    from scorekeeper.store.views import statements  # only a book that is made needs them

    views = connection.execute("SELECT name FROM sqlite_master WHERE type = 'view'").fetchall()
    for (name,) in views:
        connection.execute(f'DROP VIEW "{name}"')
    for statement in statements():
        connection.execute(statement)
