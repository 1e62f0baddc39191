"""The book's tables: what they are made of, and how a row vouches for itself.

Since schema 2 every row carries the checksum of all that it says, its place included. A row that
lost a bit, or is in another's place, is noticed where it is read; that a row is missing is noticed
by its match, which counts them. The checksum is no secret: it is there for disks, not for forgers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

from scorekeeper.core.tuples import NamedTuple

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping, Sequence

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


# The columns that came after the rows had checksums.
LATER = ("fingerprint", "title", "note", "identifier", "told")
# The tables of a book of version 1, and how two of them were called up to version 5: views have
# these names now.
FIRST = ("rulesets", "kept_matches", "log", "kept_rounds")
CALLED = {"kept_matches": "matches", "kept_rounds": "rounds"}
KEYS = {"rulesets": "sha", "kept_matches": "id", "log": "match, position",
        "kept_rounds": "match, number", "aliases": "spelling"}  # fmt: skip


def checksum(values: Sequence[object]) -> int:
    """What vouches for the values of a row."""
    return crc32("\0".join(map(str, values)).encode())


def select(table: str, *, but: Sequence[str] = (), called: str = "") -> str:
    """The query for whole rows of a table: what the checksum covers, then the checksum; `but` are
    columns that an older schema had not, and there it may have been `called` otherwise."""
    columns = [name for name in COLUMNS[table] if name not in but]
    return f"SELECT {', '.join(columns)}, checksum FROM {called or table}"


def is_typed(table: str, said: Mapping[str, object]) -> bool:
    """Whether what a row says is of the kinds that were written."""
    return all(isinstance(value, COLUMNS[table][name]) for name, value in said.items())


def _vouch(connection: sqlite3.Connection) -> None:
    """Give the rows of a book of version 1 their checksums. What is visibly damaged in it gets
    none, and is told when it is read."""
    connection.text_factory = bytes
    try:
        for table in FIRST:
            called = CALLED.get(table, table)
            rows = connection.execute(select(table, but=LATER, called=called)).fetchall()
            vouched = [found for row in rows if (found := _vouched(table, row[:-1]))]
            keys = " AND ".join(f"{key} = ?" for key in KEYS[table].split(", "))
            connection.executemany(f"UPDATE {called} SET checksum = ? WHERE {keys}", vouched)
    finally:
        connection.text_factory = str


def _vouched(table: str, row: Sequence[object]) -> tuple[object, ...] | None:
    """The checksum of a row and the row's key; None for a row that cannot be what was written."""
    try:
        values = [value.decode() if isinstance(value, bytes) else value for value in row]
    except UnicodeDecodeError:
        return None
    said = dict(zip((name for name in COLUMNS[table] if name not in LATER), values, strict=True))
    if not is_typed(table, said):
        return None
    if table == "rulesets" and not _is_ruleset(*map(str, values)):
        return None
    return checksum(values), *(said[key] for key in KEYS[table].split(", "))


def _cover_fingerprints(connection: sqlite3.Connection) -> None:
    _cover(connection, "matches", None)


def _cover_titles(connection: sqlite3.Connection) -> None:
    _cover(connection, "matches", "", "", "")


def _cover_told(connection: sqlite3.Connection) -> None:
    _cover(connection, "kept_rounds", "")


def _cover(connection: sqlite3.Connection, table: str, *columns: str | None) -> None:
    """Let the checksums of rows go on over columns that say nothing yet: what did not agree with
    its row before does not after."""
    said = "".join(f"\0{value}" for value in columns).encode()
    connection.create_function("covered", 1, lambda before: crc32(said, before))
    connection.execute(
        f"UPDATE {table} SET checksum = covered(checksum) WHERE typeof(checksum) = 'integer'"
    )


def _make_views(connection: sqlite3.Connection) -> None:
    """Make the views, which are as this version has them. A later one takes them away before it
    alters a table."""
    from scorekeeper.store.views import statements  # only a book that is made needs them

    for statement in statements():
        connection.execute(statement)


def _is_ruleset(sha: str, text: str, data: str) -> bool:
    """Whether a ruleset's text is the one that its SHA-256 names, and its data is the text's."""
    from hashlib import sha256
    from json import loads
    from tomllib import loads as parsed

    try:
        same = loads(data) in (None, parsed(text))
    except (ValueError, RecursionError):
        return False
    return same and sha256(text.encode()).hexdigest() == sha


_LOG_KEPT = (
    """CREATE TRIGGER log_unchanged BEFORE UPDATE ON log
       BEGIN SELECT RAISE(ABORT, 'the log is never changed'); END""",
    """CREATE TRIGGER log_kept BEFORE DELETE ON log
       BEGIN SELECT RAISE(ABORT, 'the log is never erased'); END""",
)

# One tuple of steps for each schema version; version n is reached by the first n of them.
MIGRATIONS: tuple[tuple[str | Callable[[sqlite3.Connection], None], ...], ...] = (
    (
        "CREATE TABLE rulesets (sha TEXT PRIMARY KEY, text TEXT NOT NULL, data TEXT NOT NULL)",
        """CREATE TABLE matches (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            ruleset TEXT NOT NULL,
            sha TEXT NOT NULL REFERENCES rulesets (sha),
            players TEXT NOT NULL,
            options TEXT NOT NULL,
            started TEXT NOT NULL,
            place TEXT,
            entries INTEGER NOT NULL DEFAULT 0,
            last TEXT NOT NULL,
            touched INTEGER NOT NULL UNIQUE,
            summary TEXT NOT NULL DEFAULT 'null'
        )""",
        """CREATE TABLE log (
            match INTEGER NOT NULL REFERENCES matches (id),
            position INTEGER NOT NULL CHECK (position > 0),
            kind TEXT NOT NULL CHECK (kind IN ('entry', 'undo', 'amend')),
            round INTEGER NOT NULL,
            number INTEGER NOT NULL,
            text TEXT NOT NULL,
            decision TEXT,
            time TEXT NOT NULL,
            recorder TEXT NOT NULL,
            PRIMARY KEY (match, position)
        ) WITHOUT ROWID""",
        *_LOG_KEPT,
        """CREATE TABLE rounds (
            match INTEGER NOT NULL REFERENCES matches (id),
            number INTEGER NOT NULL,
            first_position INTEGER NOT NULL,
            standing TEXT NOT NULL,
            summary TEXT NOT NULL,
            PRIMARY KEY (match, number)
        ) WITHOUT ROWID""",
    ),
    (
        "ALTER TABLE rulesets ADD COLUMN checksum INTEGER",
        "ALTER TABLE matches ADD COLUMN language TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE matches ADD COLUMN position INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE matches ADD COLUMN checksum INTEGER",
        """UPDATE matches SET position =
           (SELECT coalesce(max(position), 0) FROM log WHERE match = matches.id)""",
        "ALTER TABLE rounds ADD COLUMN checksum INTEGER",
        # The cache is made again from the log: what it keeps was made by another program.
        "DELETE FROM rounds",
        # Which kinds there are is for the program to say; a column's check cannot be altered.
        """CREATE TABLE log_2 (
            match INTEGER NOT NULL REFERENCES matches (id),
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
        "INSERT INTO log_2 SELECT *, NULL FROM log",
        "DROP TABLE log",
        "ALTER TABLE log_2 RENAME TO log",
        _vouch,
        *_LOG_KEPT,
    ),
    (
        "ALTER TABLE matches ADD COLUMN fingerprint TEXT",
        "CREATE INDEX matches_alike ON matches (players, fingerprint)",
        "CREATE INDEX matches_begun ON matches (players, started)",
        _cover_fingerprints,
        # A round may be kept although nobody can go on from it.
        """CREATE TABLE rounds_3 (
            match INTEGER NOT NULL REFERENCES matches (id),
            number INTEGER NOT NULL,
            first_position INTEGER,
            standing TEXT NOT NULL,
            summary TEXT NOT NULL,
            checksum INTEGER,
            PRIMARY KEY (match, number)
        ) WITHOUT ROWID""",
        """INSERT INTO rounds_3
           SELECT match, number, first_position, standing, summary, checksum FROM rounds""",
        "DROP TABLE rounds",
        "ALTER TABLE rounds_3 RENAME TO rounds",
    ),
    (
        "ALTER TABLE matches ADD COLUMN title TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE matches ADD COLUMN note TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE matches ADD COLUMN identifier TEXT NOT NULL DEFAULT ''",
        "CREATE INDEX matches_identified ON matches (identifier)",
        _cover_titles,
        """CREATE TABLE aliases (
            spelling TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            checksum INTEGER
        ) WITHOUT ROWID""",
        "DROP TRIGGER log_kept",
        # A match is erased whole, and first; then its log may go.
        """CREATE TRIGGER log_kept BEFORE DELETE ON log
           WHEN EXISTS (SELECT 1 FROM matches WHERE id = OLD.match)
           BEGIN SELECT RAISE(ABORT, 'the log is never erased'); END""",
    ),
    (
        # Where the table must decide about something: no part of a match, and gone with it.
        """CREATE TABLE marks (
            match INTEGER PRIMARY KEY REFERENCES matches (id) ON DELETE CASCADE,
            position INTEGER NOT NULL
        )""",
    ),
    (
        # The short names are the views', which people ask.
        "ALTER TABLE matches RENAME TO kept_matches",
        "ALTER TABLE rounds RENAME TO kept_rounds",
        "ALTER TABLE kept_rounds ADD COLUMN told TEXT NOT NULL DEFAULT ''",
        _cover_told,
        _make_views,
    ),
)
