"""The book's tables: what they are made of, how a row vouches for itself, is read and written.

Every row carries the checksum of all that it says, its place included. A row that lost a bit, or
is in another's place, is noticed where it is read, and is `Damaged`; that a row is missing is
noticed by its match, which counts them. The checksum is no secret: it is there for disks, not for
forgers.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING
from zlib import crc32

from scorekeeper.core.errors import Damaged
from scorekeeper.core.messages import tr
from scorekeeper.core.types import NamedTuple
from scorekeeper.core.versions import Versions
from scorekeeper.store import errors
from scorekeeper.store.rows import (
    MOST_ALIKE,
    Conflict,
    LogRow,
    MatchRow,
    RoundRow,
    Rules,
    as_json,
    day_of,
    kept_day,
    missing,
    now,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from scorekeeper.core.types import Plain
    from scorekeeper.store.rows import NewMatch

    Value: TypeAlias = int | str | None


# The columns that a row's checksum covers, in this order, and what each holds.
COLUMNS: dict[str, dict[str, tuple[type, ...]]] = {
    "rulesets": {"ruleset_sha": (str,), "text": (str,), "data": (str,)},
    "kept_matches": {
        "id": (int,), "ruleset": (str,), "ruleset_sha": (str,), "players": (str,),
        "options": (str,), "started": (str,), "place": (str, type(None)), "language": (str,),
        "entries": (int,), "last_time": (str,), "summary": (str,), "position": (int,),
        "changed_seq": (int,), "fingerprint": (str, type(None)), "title": (str,), "note": (str,),
        "identifier": (str,), "day": (str,),
    },
    "log": {
        "match": (int,), "position": (int,), "kind": (str,), "round": (int,), "number": (int,),
        "text": (str,), "decision": (str, type(None)), "time": (str,), "recorder": (str,),
    },
    "kept_rounds": {
        "match": (int,), "number": (int,), "first_position": (int, type(None)),
        "standing": (str,), "summary": (str,), "entries_json": (str,),
    },
    "aliases": {"spelling": (str,), "name": (str,)},
}  # fmt: skip


class MatchValues(NamedTuple):
    """A row of `kept_matches` without its checksum; `changed_seq` orders the last changes."""

    id: int
    ruleset: str
    ruleset_sha: str
    players: str
    options: str
    started: str
    place: str | None
    language: str
    entries: int
    last_time: str
    summary: str
    position: int
    changed_seq: int
    fingerprint: str | None
    title: str
    note: str
    identifier: str
    day: str


KEYS = {"rulesets": "ruleset_sha", "kept_matches": "id", "log": "match, position",
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
        ruleset_sha TEXT PRIMARY KEY,
        text TEXT NOT NULL,
        data TEXT NOT NULL,
        checksum INTEGER
    )""",
    """CREATE TABLE kept_matches (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        ruleset TEXT NOT NULL,
        ruleset_sha TEXT NOT NULL REFERENCES rulesets (ruleset_sha),
        players TEXT NOT NULL,
        options TEXT NOT NULL,
        started TEXT NOT NULL,
        place TEXT,
        language TEXT NOT NULL DEFAULT '',
        title TEXT NOT NULL DEFAULT '',
        note TEXT NOT NULL DEFAULT '',
        identifier TEXT NOT NULL DEFAULT '',
        entries INTEGER NOT NULL DEFAULT 0,
        last_time TEXT NOT NULL,
        position INTEGER NOT NULL DEFAULT 0,
        changed_seq INTEGER NOT NULL UNIQUE,
        summary TEXT NOT NULL DEFAULT 'null',
        fingerprint TEXT,
        day TEXT NOT NULL DEFAULT '',
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
        entries_json TEXT NOT NULL DEFAULT '',
        checksum INTEGER,
        PRIMARY KEY (match, number)
    ) WITHOUT ROWID""",
    "CREATE TABLE aliases (spelling TEXT PRIMARY KEY, name TEXT NOT NULL, checksum INTEGER)"
    " WITHOUT ROWID",
    # Where the table must decide about something: no part of a match, and gone with it.
    """CREATE TABLE pending_decisions (
        match INTEGER PRIMARY KEY REFERENCES kept_matches (id) ON DELETE CASCADE,
        position INTEGER NOT NULL
    )""",
)


def _with_days(connection: sqlite3.Connection) -> sqlite3.Connection:
    """The seventh schema keeps the day on which the people of a match began it. Of the matches that
    are there it is the day where this is done; nobody knows better. A row that does not vouch for
    itself is left as it is, so that it still does not."""
    names = """id, ruleset, sha, players, options, started, place, language, entries, last, summary,
        position, touched, fingerprint, title, note, identifier"""
    connection.execute("ALTER TABLE kept_matches ADD COLUMN day TEXT NOT NULL DEFAULT ''")
    for (number,) in connection.execute("SELECT id FROM kept_matches").fetchall():
        query = f"SELECT {names}, checksum, started FROM kept_matches WHERE id = ?"
        try:
            *said, vouched, started = connection.execute(query, (number,)).fetchone()
        except sqlite3.OperationalError as error:
            if not errors.is_no_text(error):
                raise
            continue
        if checksum(said) == vouched and isinstance(started, str):
            day = day_of(started)
            change = "UPDATE kept_matches SET day = ?, checksum = ? WHERE id = ?"
            connection.execute(change, (day, checksum([*said, day]), number))
    return connection


# The columns and the table that schema 8 renames, by their names before it.
EARLIER_COLUMNS = {
    "rulesets": {"sha": "ruleset_sha"},
    "kept_matches": {"sha": "ruleset_sha", "last": "last_time", "touched": "changed_seq"},
    "kept_rounds": {"told": "entries_json"},
}
_EARLIER_PENDING = "marks"


def _rename_columns(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Upgrade a book from schema 7 to 8: rename columns and a table. No row changes."""
    _drop_views(connection)  # SQLite refuses to rename a column that a view cannot follow
    for table, names in EARLIER_COLUMNS.items():
        for before, after in names.items():
            connection.execute(f"ALTER TABLE {table} RENAME COLUMN {before} TO {after}")
    connection.execute(f"ALTER TABLE {_EARLIER_PENDING} RENAME TO pending_decisions")
    return connection


# The schemas of a book. A step alters the tables; afterwards the views are made again.
BOOKS: Versions[sqlite3.Connection] = Versions(8, {6: _with_days, 7: _rename_columns})


def make(connection: sqlite3.Connection) -> None:
    """Make a book of an empty file."""
    for statement in SCHEMA:
        connection.execute(statement)
    make_views(connection)


def make_views(connection: sqlite3.Connection) -> None:
    """Make the views anew, as this version has them."""
    from scorekeeper.store.views import statements  # only a book that is made needs them

    _drop_views(connection)
    for statement in statements():
        connection.execute(statement)


def _drop_views(connection: sqlite3.Connection) -> None:
    views = connection.execute("SELECT name FROM sqlite_master WHERE type = 'view'").fetchall()
    for (name,) in views:
        connection.execute(f'DROP VIEW "{name}"')


# --- reading

_LARGEST = 2**63 - 1
_ONE_MATCH = f"{select('kept_matches')} WHERE id = ?"
_ONE_RULESET = f"{select('rulesets')} WHERE ruleset_sha = ?"
_LOG = f"{select('log')} WHERE match = ? AND position >= ? ORDER BY position"
_ROUNDS = f"{select('kept_rounds')} WHERE match = ? AND number >= ? ORDER BY number"
_ROUNDS_OF = (
    f"{select('kept_rounds')} WHERE match IN (SELECT value FROM json_each(?))"
    " ORDER BY match, number"
)
_LAST_ROUND = (
    f"{select('kept_rounds')} WHERE match = ? AND first_position NOTNULL"
    " ORDER BY number DESC LIMIT 1"
)
_SOME_MATCHES = f"{select('kept_matches')} WHERE id > ? ORDER BY id LIMIT ?"
_BEGUN = "SELECT day, started FROM kept_matches ORDER BY id"
# One question for each way to be alike: to an OR of them the database goes through all that these
# players have played.
# A plus keeps a column out of the choice of an index: of one evening there are few.
_ALIKE = tuple(
    f"{select('kept_matches')} WHERE players = :players AND {how}"
    for how in (
        "fingerprint IS NULL",
        "started = :started AND +fingerprint = :fingerprint",
        f"fingerprint = :fingerprint AND +started != :started ORDER BY id LIMIT {MOST_ALIKE}",
        "started = nullif(:started, '') AND fingerprint != :fingerprint"
        f" ORDER BY id LIMIT {MOST_ALIKE}",
    )
)
_IDENTIFIED = f"{select('kept_matches')} WHERE identifier = ? ORDER BY id"
# Both are answered by the index of `changed_seq`, and so are compared with the table's own answer.
_LAST_CHANGED = "SELECT id, changed_seq FROM kept_matches ORDER BY changed_seq DESC LIMIT 1"
_COUNT = (
    "SELECT count(*) FROM kept_matches INDEXED BY sqlite_autoindex_kept_matches_1"
    " WHERE id > ? AND id <= ?"
)


def match_values(connection: sqlite3.Connection, path: str, match_id: int) -> MatchValues:
    """A match as it is kept. Raises Unreadable, with the ids there are, if it is not there."""
    known = abs(match_id) <= _LARGEST
    row = connection.execute(_ONE_MATCH, (match_id,)).fetchone() if known else None
    if row is None:
        raise missing([each.id for each in some_matches(connection, path)], match_id)
    return MatchValues._make(_vouched(path, row))


def some_matches(
    connection: sqlite3.Connection, path: str, after: int = 0, most: int | None = None
) -> list[MatchValues]:
    """Matches after a number as they are kept, the oldest first."""
    found = connection.execute(_SOME_MATCHES, (after, -1 if most is None else most)).fetchall()
    last = _LARGEST if most is None or len(found) < most else found[-1][0]
    if connection.execute(_COUNT, (after, last)).fetchone()[0] != len(found):
        raise errors.damaged(path)
    return [MatchValues._make(_vouched(path, row)) for row in found]


def alike(
    connection: sqlite3.Connection, path: str, players: str, started: str, fingerprint: str
) -> list[MatchValues]:
    """The matches that look like one, see `Store.alike`."""
    told = {"players": players, "started": started, "fingerprint": fingerprint}
    found = [row for question in _ALIKE for row in connection.execute(question, told)]
    return sorted(MatchValues._make(_vouched(path, row)) for row in found)


def identified(connection: sqlite3.Connection, path: str, identifier: str) -> list[MatchValues]:
    """The matches of that identifier, the oldest first."""
    found = connection.execute(_IDENTIFIED, (identifier,))
    return [MatchValues._make(_vouched(path, row)) for row in found]


def aliases(connection: sqlite3.Connection, path: str) -> dict[str, str]:
    """How spellings of names are told."""
    told: dict[str, str] = {}
    for row in connection.execute(f"{select('aliases')} ORDER BY spelling"):
        spelling, name = _vouched(path, row)
        told[spelling] = name
    return told


def last_changed(connection: sqlite3.Connection, path: str) -> int:
    """The match last created or recorded in. Raises Unreadable if there is none."""
    found = connection.execute(_LAST_CHANGED).fetchone()
    if found is None:
        raise missing([each.id for each in some_matches(connection, path)], None)
    match_id, changed_seq = found
    # The answer is an index's: the match itself must say the same.
    if match_values(connection, path, match_id).changed_seq != changed_seq:
        raise errors.damaged(path)
    return int(match_id)


def match_row(path: str, values: MatchValues) -> MatchRow:
    """A match as it is listed. Raises Damaged for what no match is listed as."""
    players, options = _loaded(path, values.players), _loaded(path, values.options)
    named = isinstance(players, list) and all(isinstance(name, str) for name in players)
    if not named or not isinstance(options, dict):
        raise errors.damaged_match(path, values.id)
    return MatchRow(
        values.id,
        values.ruleset,
        values.ruleset_sha,
        players,
        options,
        values.started,
        values.place,
        values.entries,
        values.last_time,
        _loaded(path, values.summary),
        values.language,
        values.fingerprint,
        values.title,
        values.note,
        values.identifier,
        values.day,
    )


def rules(connection: sqlite3.Connection, path: str, sha: str) -> Rules:
    """A ruleset. Raises Damaged if the book has none such."""
    sha, text, data = _ruleset(connection, path, sha)
    return Rules(sha, text, _loaded(path, data))


def rules_text(connection: sqlite3.Connection, path: str, sha: str) -> str:
    """The text of a ruleset. Raises Damaged if the book has none such."""
    _, text, _ = _ruleset(connection, path, sha)
    return text


def _ruleset(connection: sqlite3.Connection, path: str, sha: str) -> tuple[str, str, str]:
    row = connection.execute(_ONE_RULESET, (sha,)).fetchone()
    if row is None:
        raise Damaged(
            tr("the book {path} has no ruleset {sha}", path=path, sha=sha), tr(errors.RESCUE)
        )
    sha, text, data = _vouched(path, row)
    return sha, text, data


def expect(connection: sqlite3.Connection, path: str, match: MatchValues, seen: int) -> None:
    """Raises Conflict if a match's log goes on after position `seen`, Damaged if it ends before."""
    if match.position > seen:
        rows = log_rows(connection, path, match.id, seen + 1, match.position)
        raise Conflict(rows, match.position)
    if match.position < seen:
        raise Damaged(
            tr(
                "match {match} ends at position {position}, not at {seen}",
                match=match.id,
                position=match.position,
                seen=seen,
            ),
            tr("the book {path} was changed by something else; open the match again", path=path),
        )


def log_rows(
    connection: sqlite3.Connection, path: str, match_id: int, first: int, last: int
) -> list[LogRow]:
    """The log from `first` on, which must be there up to `last`."""
    rows: list[LogRow] = []
    for row in connection.execute(_LOG, (match_id, first)):
        if checksum(row[:-1]) != row[-1] or row[1] != first + len(rows):
            raise errors.damaged(path)
        _, position, kind, number, entry, text, decision, moment, recorder, _ = row
        rows.append(LogRow(kind, number, entry, text, decision, recorder, moment, position))
    if len(rows) != max(0, last + 1 - first):
        raise errors.damaged(path)
    return rows


def rounds(connection: sqlite3.Connection, path: str, match_id: int, first: int) -> list[RoundRow]:
    """The cached rounds of a match in order, from a number on."""
    return _kept(connection, path, _ROUNDS, match_id, first)


def rounds_of(
    connection: sqlite3.Connection, path: str, match_ids: Sequence[int]
) -> dict[int, list[RoundRow]]:
    """The cached rounds of each of these matches in order."""
    found: dict[int, list[RoundRow]] = {match_id: [] for match_id in match_ids}
    try:
        for row in connection.execute(_ROUNDS_OF, (json.dumps(list(match_ids)),)):
            found[row[0]].append(_round(path, row))
    except sqlite3.OperationalError as error:
        if not errors.is_no_text(error):
            raise
        for match_id in match_ids:  # which of them it is
            rounds(connection, path, match_id, 1)
        raise
    return found


def begun(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """The day of each match, and when it was begun, as it says."""
    return connection.execute(_BEGUN).fetchall()


def last_round(connection: sqlite3.Connection, path: str, match_id: int) -> RoundRow | None:
    """The last cached round of a match that one can go on from, None if there is none."""
    found = _kept(connection, path, _LAST_ROUND, match_id)
    return found[0] if found else None


def _kept(
    connection: sqlite3.Connection, path: str, query: str, match_id: int, *others: int
) -> list[RoundRow]:
    """Cached rounds of one match."""
    try:
        return [_round(path, row) for row in connection.execute(query, (match_id, *others))]
    except sqlite3.OperationalError as error:
        if not errors.is_no_text(error):
            raise
        raise errors.damaged_rounds(path, match_id) from error


def _round(path: str, row: Sequence[Plain]) -> RoundRow:
    match, number, first, standing, summary, told = row[:-1]
    if checksum(row[:-1]) != row[-1]:
        raise errors.damaged_round(path, match, number)
    if type(number) is int and isinstance(first, int | None) and isinstance(told, str):
        with suppress(TypeError, ValueError, RecursionError):
            return RoundRow(number, first, _plain(standing), _plain(summary), told)
    raise errors.damaged_round(path, match, number)


def _vouched(path: str, row: Sequence[Plain]) -> Sequence[Plain]:
    """A row without its checksum. Raises Damaged if that says otherwise."""
    if checksum(row[:-1]) != row[-1]:
        raise errors.damaged(path)
    return row[:-1]


def _no_number(text: str) -> Plain:
    """What some take for a number, and JSON does not."""
    raise ValueError(text)


_plain = json.JSONDecoder(parse_constant=_no_number).decode


def _loaded(path: str, text: str) -> Plain:
    try:
        return _plain(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise errors.damaged(path) from error


def is_marked(connection: sqlite3.Connection, match_id: int) -> bool:
    """Whether the last position of a match's log is marked."""
    query = """SELECT 1 FROM pending_decisions AS pending
               JOIN kept_matches ON kept_matches.id = pending.match
               WHERE pending.match = ? AND pending.position = kept_matches.position"""
    return connection.execute(query, (match_id,)).fetchone() is not None


# --- writing

_NEXT_CHANGE = "SELECT coalesce(max(changed_seq), 0) + 1 FROM kept_matches"


def add_rules(connection: sqlite3.Connection, rules: Rules, data: str) -> None:
    """Store a ruleset, unless there is one of that SHA-256."""
    _insert(connection, "rulesets", [(rules.sha, rules.text, data)], "OR IGNORE")


def new_match_values(new: NewMatch) -> dict[str, Value]:
    """What a new match says of itself; the rest the schema has."""
    return {
        "ruleset": new.ruleset, "ruleset_sha": new.rules.sha,
        "players": as_json(list(new.players)), "options": as_json(dict(new.options)),
        "started": new.started, "place": new.place, "language": new.language, "title": new.title,
        "note": new.note, "identifier": new.identifier, "day": kept_day(new.started, new.day),
        "last_time": now(),
    }  # fmt: skip


def add_match(connection: sqlite3.Connection, values: dict[str, Value]) -> MatchValues:
    """Store a new match, and give it as it is kept."""
    values = {**values, "changed_seq": _next_change(connection)}
    columns, places = ", ".join(values), ", ".join("?" * len(values))
    query = f"INSERT INTO kept_matches ({columns}) VALUES ({places})"
    cursor = connection.execute(query, (*values.values(),))
    found = connection.execute(f"{select('kept_matches')} WHERE id = ?", (cursor.lastrowid,))
    match = MatchValues._make(found.fetchone()[:-1])
    _seal(connection, match, {})
    return match


def change_match(connection: sqlite3.Connection, before: MatchValues, after: MatchValues) -> None:
    """Store what a match says now, where that is something else."""
    changed = {
        name: now for name, was, now in zip(after._fields, before, after, strict=True) if was != now
    }
    if changed:
        _seal(connection, after, changed)


def _seal(connection: sqlite3.Connection, match: MatchValues, changed: dict[str, Value]) -> None:
    columns = "".join(f"{name} = ?, " for name in changed)
    query = f"UPDATE kept_matches SET {columns}checksum = ? WHERE id = ?"
    connection.execute(query, (*changed.values(), checksum(match), match.id))


def touched(
    connection: sqlite3.Connection, match: MatchValues, rows: Sequence[LogRow]
) -> MatchValues:
    """A match after these rows of its log were written."""
    return match._replace(
        position=rows[-1].position,
        last_time=rows[-1].time,
        entries=match.entries + sum(row.kind == "entry" for row in rows),
        changed_seq=_next_change(connection),
        fingerprint=None,
    )


def _next_change(connection: sqlite3.Connection) -> int:
    return int(connection.execute(_NEXT_CHANGE).fetchone()[0])


def add_log(connection: sqlite3.Connection, match_id: int, rows: Sequence[LogRow]) -> None:
    """Store rows of a match's log."""
    values = [
        (match_id, row.position, row.kind, row.round, row.number, row.text, row.decision, row.time,
         row.recorder)
        for row in rows
    ]  # fmt: skip
    _insert(connection, "log", values)


def round_values(match_id: int, row: RoundRow) -> tuple[Value, ...]:
    """A cached round as it is kept."""
    standing, summary = as_json(row.standing), as_json(row.summary)
    return match_id, row.number, row.first_position, standing, summary, row.told


def put_rounds(connection: sqlite3.Connection, rows: Sequence[tuple[Value, ...]]) -> None:
    """Cache rounds, in the place of those of the same number."""
    _insert(connection, "kept_rounds", rows, "OR REPLACE")


def drop_rounds(connection: sqlite3.Connection, match_id: int, first: int) -> None:
    """Forget the cached rounds of a match from that number on."""
    query = "DELETE FROM kept_rounds WHERE match = ? AND number >= ?"
    connection.execute(query, (match_id, first))


def erase(connection: sqlite3.Connection, match_id: int) -> None:
    """Erase a match, and then all that is kept of it."""
    connection.execute("PRAGMA defer_foreign_keys = ON")
    connection.execute("DELETE FROM kept_matches WHERE id = ?", (match_id,))
    for table in ("log", "kept_rounds"):
        connection.execute(f"DELETE FROM {table} WHERE match = ?", (match_id,))


def put_aliases(connection: sqlite3.Connection, names: Mapping[str, str]) -> None:
    """Store how spellings of names are told; as they are written where that is ""."""
    connection.executemany("DELETE FROM aliases WHERE spelling = ?", [(each,) for each in names])
    _insert(connection, "aliases", [pair for pair in names.items() if pair[1]])


def _insert(
    connection: sqlite3.Connection, table: str, rows: Sequence[Sequence[object]], how: str = ""
) -> None:
    columns = (*COLUMNS[table], "checksum")
    places = ", ".join("?" * len(columns))
    query = f"INSERT {how} INTO {table} ({', '.join(columns)}) VALUES ({places})"
    connection.executemany(query, [(*row, checksum(row)) for row in rows])


def put_mark(connection: sqlite3.Connection, match_id: int, position: int | None) -> None:
    """Mark a position of a match's log, or none, where the match is there."""
    connection.execute("DELETE FROM pending_decisions WHERE match = ?", (match_id,))
    if position is not None:
        connection.execute(
            "INSERT INTO pending_decisions SELECT id, ? FROM kept_matches WHERE id = ?",
            (position, match_id),
        )
