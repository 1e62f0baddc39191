"""The check of a book file, and the rescue of matches from a damaged one.

The check reads the pages of the file and verifies the checksum of every row. It does not play the
matches, so it takes only a moment even for thousands of them.

The rescue reads one match at a time. A match that can be read normally is intact. For any other
match, every row with the right checksum is used. A note replaces each missing or damaged entry, so
that the numbers of the other entries do not change and nothing is invented.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING

from scorekeeper.core.errors import Damaged, Failure, Locked, Unreadable
from scorekeeper.core.messages import N_, plural, tr
from scorekeeper.core.text import quote
from scorekeeper.core.types import NamedTuple
from scorekeeper.engine.loading import load_ruleset
from scorekeeper.ruleset.sources import sha256
from scorekeeper.store import errors
from scorekeeper.store.book import Book
from scorekeeper.store.database import BACKUP_ID, is_read_only, open_copy
from scorekeeper.store.record import DETAIL_KEYS, RECORD_VERSIONS
from scorekeeper.store.recorder import LogState, MatchRecorder
from scorekeeper.store.round_cache import check_cache
from scorekeeper.store.rows import DamagedCache, LogRow
from scorekeeper.store.tables import (
    COLUMNS,
    EARLIER_COLUMNS,
    KEYS,
    checksum,
    is_typed,
    select_query,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scorekeeper.core.types import Json, JsonValue


MAX_WAIT = 5.0  # seconds to wait while others keep writing to a book
LOST_ENTRY = "note an entry was here that is lost"
DERIVED_TABLE = "kept_rounds"  # the table that can be rebuilt from the log
_COUNT_CONTENTS = """SELECT count(*), coalesce(sum(entries), 0), coalesce(max(last_time), '')
              FROM kept_matches"""
_COUNT_SHORT_LOGS = """SELECT count(*) FROM kept_matches
            WHERE position != (SELECT count(*) FROM log WHERE match = kept_matches.id)"""


# --- check


class BookContents(NamedTuple):
    """The contents of a book file.

    `matches` is the number of matches, and `entries` the number of entries ever made. `last` is the
    time of the last entry in UTC, or "" if there is none. `faults` describe the damage to the file.
    `repairable` is set if only cached rounds are damaged, which can be rebuilt (see
    `round_cache.py`).
    """

    matches: int
    entries: int
    last: str
    faults: list[str]
    repairable: bool = False


def file_faults(path: str) -> list[str]:
    """Return the faults in the pages of a database file with any schema version."""
    try:
        with closing(_open_to_check(path)) as connection:
            return page_faults(connection)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        return [quote(error, 120)]


def page_faults(connection: sqlite3.Connection) -> list[str]:
    """Return the faults in the pages of an open database.

    Page numbers are left out, because they do not help users and SQLite's wording varies. If the
    file cannot be accessed, SQLite's error is raised.
    """
    try:
        [(answer,)] = connection.execute("PRAGMA integrity_check(1)")
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if isinstance(error, sqlite3.Error) and errors.is_inaccessible(error):
            raise
        return [quote(error, 120)]
    return [] if answer == "ok" else [tr("the pages of the database are inconsistent")]


def book_contents(path: str) -> BookContents:
    """Check every row of a book with the current schema, and return its contents."""
    faults = file_faults(path)
    derived: list[str] = []
    matches, entries, last = 0, 0, ""
    try:
        with closing(_open_to_check(path)) as connection:
            for table in COLUMNS:
                faults += _row_faults(connection, table) if table != DERIVED_TABLE else []
            faults += _missing_rows(connection)
            derived = _row_faults(connection, DERIVED_TABLE)
            matches, entries, last = connection.execute(_COUNT_CONTENTS).fetchone()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        faults = faults or [quote(error, 120)]
    return BookContents(matches, entries, last, faults + derived, bool(derived) and not faults)


def _open_to_check(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    connection.execute("PRAGMA query_only = ON")
    return connection


def _row_faults(connection: sqlite3.Connection, table: str) -> list[str]:
    wrong = sum(not _is_sound(table, row) for row in connection.execute(select_query(table)))
    if not wrong:
        return []
    return [
        plural(
            "{count} row of {table} is damaged",
            "{count} rows of {table} are damaged",
            wrong,
            table=table,
        )
    ]


def _is_sound(table: str, row: Sequence[object]) -> bool:
    """Return whether a row has the right types and the right checksum, which is its last value."""
    values = dict(zip(COLUMNS[table], row, strict=False))
    try:
        return is_typed(table, values) and checksum(row[:-1]) == row[-1]
    except UnicodeEncodeError:
        return False


def _missing_rows(connection: sqlite3.Connection) -> list[str]:
    """Return messages about missing rows, if other rows refer to them or state their number."""
    faults: list[str] = []
    (short,) = connection.execute(_COUNT_SHORT_LOGS).fetchone()
    if short:
        faults.append(
            plural(
                "rows are missing from the log of {count} match",
                "rows are missing from the logs of {count} matches",
                short,
            )
        )
    orphans = len(connection.execute("PRAGMA foreign_key_check").fetchall())
    if orphans:
        faults.append(
            plural(
                "{count} row refers to missing data",
                "{count} rows refer to missing data",
                orphans,
            )
        )
    return faults


# --- rescue


class RescuedRow(NamedTuple):
    """A row of a damaged book.

    `values` are its values by column. `is_sound` is set if the values have the right types and the
    right checksum.
    """

    values: Json
    is_sound: bool


class ScanResult(NamedTuple):
    """The result of reading one match: its number, its faults, and its record.

    An intact match has no faults. `record` is None if too little of the match remains.
    """

    match: int
    faults: list[str]
    record: str | None


def scan_book(path: str) -> Iterator[ScanResult]:
    """Yield the result of reading each match of a book. The first result has number 0 and contains
    the faults of the file.

    Raises Unreadable if there is no file, Damaged if the file cannot be accessed, and Locked if
    another process has locked it. These errors do not mean that the contents are damaged.
    """
    if not os.path.isfile(path):
        raise Unreadable(
            tr("there is no book at {path}", path=quote(path, 200)),
            tr("name an existing book: --book FILE"),
        )
    if not os.path.getsize(path):
        yield ScanResult(0, [tr("the book is empty")], None)
        return
    try:
        with _open_to_rescue(path) as connection, Book(path, create=False) as book:
            yield ScanResult(0, [*page_faults(connection), *_alias_faults(connection)], None)
            for number in _match_numbers(connection):
                yield _scan_match(connection, book, number)
    except sqlite3.Error as error:
        raise errors.translate_error(error, path) from error
    except OSError as error:
        raise errors.cannot_open(path, error.strerror) from error


@contextmanager
def _open_to_rescue(path: str) -> Iterator[sqlite3.Connection]:
    """Open a book for reading. If SQLite cannot open the file, open a copy of it."""
    connection = None
    if not is_read_only(path):
        try:
            connection = _connect_read_only(path)
        except sqlite3.OperationalError as error:
            if errors.is_busy(error):
                raise
    if connection is not None:
        with closing(connection):
            yield connection
    else:
        with open_copy(path, time.monotonic() + MAX_WAIT) as copy:
            yield _prepare_for_rescue(copy)


def _connect_read_only(path: str) -> sqlite3.Connection:
    from urllib.parse import quote

    connection = sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True, isolation_level=None)
    try:
        return _prepare_for_rescue(connection)
    except BaseException:
        connection.close()
        raise


def _prepare_for_rescue(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Configure a connection so that rows can be read even if the schema is damaged."""
    connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    connection.execute("PRAGMA writable_schema = ON")
    list(_read_rows(connection, "SELECT 1 FROM sqlite_master LIMIT 1"))
    return connection


def _alias_faults(connection: sqlite3.Connection) -> list[str]:
    """Return messages about damaged aliases."""
    rows = _rescue_rows(connection, "aliases", "1", 1)
    wrong = [str(values["spelling"]) for values, sound in rows if not sound]
    message = N_(
        "the display name of “{name}” is damaged, but the entries still contain the name as "
        "it was written"
    )
    return [tr(message, name=quote(name)) for name in wrong]


def _match_numbers(connection: sqlite3.Connection) -> list[int]:
    """Return the number of every match with at least one readable row."""
    numbers: set[int] = set()
    matches = "kept_matches"
    for query in (f"SELECT id FROM {matches} NOT INDEXED", "SELECT DISTINCT match FROM log"):
        numbers |= {row[0] for row in _read_rows(connection, query) if isinstance(row[0], int)}
    return sorted(number for number in numbers if number > 0)


def _read_rows(connection: sqlite3.Connection, query: str, *values: object) -> Iterator[JsonValue]:
    """Yield the rows of a query up to the first row that cannot be read.

    If the file cannot be accessed, SQLite's error is raised.
    """
    try:
        yield from connection.execute(query, values)
    except UnicodeDecodeError:
        pass
    except sqlite3.Error as error:
        if errors.is_inaccessible(error):
            raise


def _scan_match(connection: sqlite3.Connection, book: Book, number: int) -> ScanResult:
    try:
        desk = MatchRecorder(book, number)
        if sha256(desk.ruleset.text) != desk.ruleset.text_sha256:
            raise Damaged(tr("the stored rules do not match their SHA-256"))
        check_cache(book, desk.row, desk.ruleset)
        return ScanResult(number, [], desk.record_text())
    except Locked:
        raise
    except Failure as failure:
        return _rescue_match(connection, number, failure)
    except Exception as error:
        return _rescue_match(connection, number, errors.internal_error(error))


# --- parts of a damaged match


def _rescue_rows(
    connection: sqlite3.Connection, table: str, key: str, value: object
) -> list[RescuedRow]:
    existing = [row[1] for row in _read_rows(connection, f"PRAGMA table_info({table})")]
    # The book may have an earlier schema that could not be upgraded because the file is damaged.
    earlier = {now: before for before, now in EARLIER_COLUMNS.get(table, {}).items()}
    stored = {name: name if name in existing else earlier.get(name) for name in COLUMNS[table]}
    names = [name for name, column in stored.items() if column in existing]
    sealed = "checksum" in existing
    columns = ", ".join(f'{stored[name]} "{name}"' for name in names)
    query = f"SELECT {columns}{', checksum' if sealed else ''} FROM {table} NOT INDEXED"
    rows = _read_rows(connection, f"{query} WHERE {key} = ? ORDER BY {KEYS[table]}", value)
    return [_rescued_row(table, names, row, sealed) for row in rows]


def _rescued_row(
    table: str, names: Sequence[str], row: Sequence[JsonValue], sealed: bool
) -> RescuedRow:
    values = dict(zip(names, row, strict=False))
    try:
        sound = is_typed(table, values) and (not sealed or checksum(row[:-1]) == row[-1])
    except UnicodeEncodeError:
        sound = False
    return RescuedRow(values, sound)


def _rescue_match(connection: sqlite3.Connection, number: int, failure: Failure) -> ScanResult:
    faults: list[str] = []
    matches = _rescue_rows(connection, "kept_matches", "id", number)
    players = _load_json(matches, "players")
    if not players:
        return ScanResult(
            number, [tr("too little of the match is left to identify its players")], None
        )
    values, sound = matches[0]
    if not sound:
        faults.append(tr("the players, rules, options, date or place of the match may be wrong"))
    rows, lost = _rescue_log(connection, number)
    written, last = values.get("position"), rows[-1].position if rows else 0
    if sound and isinstance(written, int) and written != last:
        lost.append(
            tr(
                "the log should have {rows}, but the last usable row is number {there}",
                rows=plural("{count} row", "{count} rows", written),
                there=last,
            )
        )
    faults += lost
    standing = _current_entries(rows)
    rounds = [{"entries": "".join(f"{text}\n" for text in texts)} for texts in standing]
    details = {
        key: values[key] for key in DETAIL_KEYS if values.get(key) and isinstance(values[key], str)
    }
    rules = {"ruleset": str(values["ruleset"]), **_rescue_rules(connection, matches, faults)}
    data = {"format": RECORD_VERSIONS.current, "ruleset": rules["ruleset"], "players": players}
    data |= details | rules | ({"rounds": rounds} if rounds else {})
    return ScanResult(
        number,
        faults or [_cache_fault(connection, failure)],
        _record_text(data),
    )


def _cache_fault(connection: sqlite3.Connection, failure: Failure) -> str:
    """Describe the fault of a match whose log, players and rules are intact.

    The description includes the remedy, except for a backup, because backups are never written to.
    """
    fault = tr("{fault}, but the entries are intact", fault=failure.message)
    [(application,)] = connection.execute("PRAGMA application_id")
    mends = isinstance(failure, DamagedCache) and application != BACKUP_ID
    return f"{fault}; {failure.hint}" if mends else fault


def _load_json(matches: Sequence[RescuedRow], key: str) -> JsonValue:
    from json import loads

    with suppress(LookupError, TypeError, ValueError, RecursionError):
        return loads(matches[0].values[key])
    return None


def _rescue_log(connection: sqlite3.Connection, number: int) -> tuple[list[LogRow], list[str]]:
    """Return the rows of a log with notes in place of lost entries, and messages about the
    damage."""
    rows: list[LogRow] = []
    lost: list[str] = []
    seen, last = 0, LogRow("", 0, 0, "")
    for values, sound in _rescue_rows(connection, "log", "match", number):
        row = LogRow(**{name: values[name] for name in LogRow._fields})
        if not sound:
            lost.append(
                tr(
                    "row {position} of the log is damaged; its text is “{text}”",
                    position=row.position,
                    text=quote(row.text),
                )
            )
            seen += 1
            continue
        missing = row.position - seen - 1
        if missing:
            lost.append(
                plural(
                    "{count} row is missing from the log before row {position}",
                    "{count} rows are missing from the log before row {position}",
                    missing,
                    position=row.position,
                )
            )
        if row.kind == "entry":
            rows += _lost_entry_notes(last, row)
        rows.append(row)
        seen, last = row.position, row
    return rows, lost


def _lost_entry_notes(last: LogRow, row: LogRow) -> list[LogRow]:
    """Return notes in place of the entries that were lost between two rows."""
    first = last.number + (last.kind == "entry") if row.round == last.round else 1
    notes = [LogRow("entry", row.round, number, LOST_ENTRY) for number in range(first, row.number)]
    return notes[: row.position - last.position - 1]


def _current_entries(rows: Sequence[LogRow]) -> list[list[str]]:
    """Return the entries of each round after all operations in a log.

    If a row contradicts the rows before it, this row and all later rows are ignored.
    """
    history = LogState(())
    with suppress(Damaged):
        for row in rows:
            history.add(row)
    return history.rounds


def _rescue_rules(
    connection: sqlite3.Connection, matches: Sequence[RescuedRow], faults: list[str]
) -> Json:
    """Return the record keys for the rules of a match.

    If the ruleset is still available unchanged, its name is enough, as in an export. Otherwise its
    text is included.
    """
    values, options = matches[0].values, _load_json(matches, "options") or {}
    named = {"ruleset_sha256": values["ruleset_sha"], **({"options": options} if options else {})}
    intact = [
        row
        for row, sound in _rescue_rows(connection, "rulesets", "ruleset_sha", values["ruleset_sha"])
        if sound
    ]
    with suppress(Failure):
        if load_ruleset(str(values["ruleset"]), **options).text_sha256 == values["ruleset_sha"]:
            faults += (
                []
                if intact
                else [
                    tr(
                        "the stored rules are damaged, but the current ruleset with that "
                        "name is identical"
                    )
                ]
            )
            return named
    if intact:
        return {"ruleset_sha256": values["ruleset_sha"], "ruleset_text": intact[0]["text"]}
    faults.append(tr("the rules of the match are lost, so an import would use the current rules"))
    return named


def _record_text(data: Json) -> str | None:
    from tomli_w import dumps

    try:
        return dumps(data, multiline_strings=True).encode("utf-8", "replace").decode()
    except (TypeError, ValueError):
        return None
