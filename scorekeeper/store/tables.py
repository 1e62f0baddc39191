"""The tables of a book: their schema, the checksums of rows, and functions to read and write rows.

Every row has a checksum of all its values, including its key. If a row is damaged, or has replaced
another row, reading it therefore raises `Damaged`. A missing log row is noticed because each match
stores how many rows its log has. The checksums protect against failing disks, not against forgery.
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
from scorekeeper.ruleset.tables import RENAMED_PHASES, current_code
from scorekeeper.store import errors
from scorekeeper.store.rows import (
    MAX_SIMILAR,
    Conflict,
    LogRow,
    MatchRow,
    RoundRow,
    RulesetText,
    as_json,
    day_of,
    day_to_store,
    missing_match,
    utc_now,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from scorekeeper.core.types import JsonValue
    from scorekeeper.store.rows import NewMatch

    Value: TypeAlias = int | str | None


# The columns covered by the checksum of a row, in this order, and the types of each.
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
    """A row of `kept_matches` without its checksum.

    The match that was changed most recently has the highest `changed_seq`.
    """

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
    """Return the checksum for the values of a row."""
    return crc32("\0".join(map(str, values)).encode())


def select_query(table: str) -> str:
    """Return a query for whole rows of a table: the columns in `COLUMNS`, then the checksum."""
    return f"SELECT {', '.join(COLUMNS[table])}, checksum FROM {table}"


def is_typed(table: str, values: Mapping[str, object]) -> bool:
    """Return whether every value of a row has a type that the program writes.

    The keys of `values` are the names of columns.
    """
    return all(isinstance(value, COLUMNS[table][name]) for name, value in values.items())


# The statements that create a new book. The views are created afterwards.
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
    # To erase a match, delete its row first, and then its log.
    """CREATE TRIGGER log_kept BEFORE DELETE ON log
       WHEN EXISTS (SELECT 1 FROM kept_matches WHERE id = OLD.match)
       BEGIN SELECT RAISE(ABORT, 'the log is never erased'); END""",
    # `first_position` is NULL if a match cannot be continued from this round.
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
    # The entries on which the table must decide. They are not part of a match.
    """CREATE TABLE pending_decisions (
        match INTEGER PRIMARY KEY REFERENCES kept_matches (id) ON DELETE CASCADE,
        position INTEGER NOT NULL
    )""",
)


def _add_days(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Upgrade a book from schema 6 to 7, which stores the day on which people began a match.

    For existing matches, the best guess is the day in the time zone of this computer. A wrong
    checksum is not corrected, so that the damage is still noticed.
    """
    names = """id, ruleset, sha, players, options, started, place, language, entries, last, summary,
        position, touched, fingerprint, title, note, identifier"""
    connection.execute("ALTER TABLE kept_matches ADD COLUMN day TEXT NOT NULL DEFAULT ''")
    for (number,) in connection.execute("SELECT id FROM kept_matches").fetchall():
        query = f"SELECT {names}, checksum, started FROM kept_matches WHERE id = ?"
        try:
            *values, vouched, started = connection.execute(query, (number,)).fetchone()
        except sqlite3.OperationalError as error:
            if not errors.is_undecodable(error):
                raise
            continue
        if checksum(values) == vouched and isinstance(started, str):
            day = day_of(started)
            change = "UPDATE kept_matches SET day = ?, checksum = ? WHERE id = ?"
            connection.execute(change, (day, checksum([*values, day]), number))
    return connection


# The columns that schema 8 renames, by table. The keys are the old names.
EARLIER_COLUMNS = {
    "rulesets": {"sha": "ruleset_sha"},
    "kept_matches": {"sha": "ruleset_sha", "last": "last_time", "touched": "changed_seq"},
    "kept_rounds": {"told": "entries_json"},
}
_EARLIER_PENDING = "marks"


def _rename_columns(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Upgrade a book from schema 7 to 8, which renames columns and a table. No row changes."""
    _drop_views(connection)  # SQLite does not rename a column while a view uses the old name.
    for table, names in EARLIER_COLUMNS.items():
        for before, after in names.items():
            connection.execute(f"ALTER TABLE {table} RENAME COLUMN {before} TO {after}")
    connection.execute(f"ALTER TABLE {_EARLIER_PENDING} RENAME TO pending_decisions")
    return connection


def _rename_phases(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Upgrade a book from schema 8 to 9, in which stored rounds have the current names of phases.

    A row with a wrong checksum is not changed, so that the damage is still noticed.
    """
    names, query = COLUMNS["kept_rounds"], select_query("kept_rounds")
    change = f"UPDATE kept_rounds SET {', '.join(f'{name} = ?' for name in names)}, checksum = ?"
    keys = connection.execute("SELECT match, number FROM kept_rounds").fetchall()
    for key in keys:
        where = "WHERE match = ? AND number = ?"
        try:
            *values, vouched = connection.execute(f"{query} {where}", key).fetchone()
        except sqlite3.OperationalError as error:
            if not errors.is_undecodable(error):
                raise
            continue
        row = dict(zip(names, values, strict=True))
        with suppress(TypeError, ValueError, RecursionError, LookupError):
            row["standing"] = as_json(_with_current_phases(_decode_json(row["standing"])))
            row["summary"] = as_json(_with_current_codes(_decode_json(row["summary"])))
            if row["entries_json"]:
                entries = [_with_current_entry(each) for each in _decode_json(row["entries_json"])]
                row["entries_json"] = as_json(entries)
            renamed = [row[name] for name in names]
            if checksum(values) == vouched and renamed != values:
                connection.execute(f"{change} {where}", (*renamed, checksum(renamed), *key))
    return connection


def _with_current_phases(standing: JsonValue) -> JsonValue:
    """Return a standing whose carried-over values have the current names of their phases."""
    carry = standing.get("carry") if isinstance(standing, dict) else None
    if not isinstance(standing, dict) or not isinstance(carry, dict):
        return standing
    names = {RENAMED_PHASES.get(name, name): value for name, value in carry.items()}
    return {**standing, "carry": names}


def _with_current_codes(value: JsonValue) -> JsonValue:
    """Return a summary, or a part of it, in which finding codes have current names of phases."""
    if isinstance(value, list):
        return [_with_current_codes(part) for part in value]
    if not isinstance(value, dict):
        return value
    return {
        key: current_code(part)
        if key == "code" and isinstance(part, str)
        else _with_current_codes(part)
        for key, part in value.items()
    }


def _with_current_entry(fields: list[JsonValue]) -> list[JsonValue]:
    """Return the stored form of an entry, whose last field may be codes separated by spaces."""
    *rest, codes = fields
    if len(fields) < 6 or not isinstance(codes, str):
        return fields
    return [*rest, " ".join(map(current_code, codes.split()))]


def _recast_card_points(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Leave the tables unchanged. Only the views change: their card points may contain halves."""
    return connection


# The schema versions of a book. The views are created again after an upgrade.
BOOK_VERSIONS: Versions[sqlite3.Connection] = Versions(
    10, {6: _add_days, 7: _rename_columns, 8: _rename_phases, 9: _recast_card_points}
)


def create_schema(connection: sqlite3.Connection) -> None:
    """Create the tables and views of a book in an empty file."""
    for statement in SCHEMA:
        connection.execute(statement)
    recreate_views(connection)


def recreate_views(connection: sqlite3.Connection) -> None:
    """Replace the views in the file with the views of this version."""
    from scorekeeper.store.views import statements  # needed only when a book is created or upgraded

    _drop_views(connection)
    for statement in statements():
        connection.execute(statement)


def _drop_views(connection: sqlite3.Connection) -> None:
    """Drop all views."""
    views = connection.execute("SELECT name FROM sqlite_master WHERE type = 'view'").fetchall()
    for (name,) in views:
        connection.execute(f'DROP VIEW "{name}"')


# --- reading

_LARGEST = 2**63 - 1
_ONE_MATCH = f"{select_query('kept_matches')} WHERE id = ?"
_ONE_RULESET = f"{select_query('rulesets')} WHERE ruleset_sha = ?"
_LOG = f"{select_query('log')} WHERE match = ? AND position >= ? ORDER BY position"
_ROUNDS = f"{select_query('kept_rounds')} WHERE match = ? AND number >= ? ORDER BY number"
_ROUNDS_OF = (
    f"{select_query('kept_rounds')} WHERE match IN (SELECT value FROM json_each(?))"
    " ORDER BY match, number"
)
_LAST_ROUND = (
    f"{select_query('kept_rounds')} WHERE match = ? AND first_position NOTNULL"
    " ORDER BY number DESC LIMIT 1"
)
_SOME_MATCHES = f"{select_query('kept_matches')} WHERE id > ? ORDER BY id LIMIT ?"
_DATES = "SELECT day, started FROM kept_matches ORDER BY id"
# SQLite can use an index for each of these queries. A single query with OR would scan all matches
# of the players. A plus sign before a column prevents SQLite from using its index, because the
# index of the other column selects fewer rows.
_SIMILAR = tuple(
    f"{select_query('kept_matches')} WHERE players = :players AND {how}"
    for how in (
        "fingerprint IS NULL",
        "started = :started AND +fingerprint = :fingerprint",
        f"fingerprint = :fingerprint AND +started != :started ORDER BY id LIMIT {MAX_SIMILAR}",
        "started = nullif(:started, '') AND fingerprint != :fingerprint"
        f" ORDER BY id LIMIT {MAX_SIMILAR}",
    )
)
_WITH_ID = f"{select_query('kept_matches')} WHERE identifier = ? ORDER BY id"
# Both queries read only an index, so callers must compare their results with the table.
_LAST_CHANGED = "SELECT id, changed_seq FROM kept_matches ORDER BY changed_seq DESC LIMIT 1"
_COUNT = (
    "SELECT count(*) FROM kept_matches INDEXED BY sqlite_autoindex_kept_matches_1"
    " WHERE id > ? AND id <= ?"
)


def read_match(connection: sqlite3.Connection, path: str, match_id: int) -> MatchValues:
    """Return the row of a match.

    Raises Unreadable if there is no such match. The hint lists the existing numbers.
    """
    known = abs(match_id) <= _LARGEST
    row = connection.execute(_ONE_MATCH, (match_id,)).fetchone() if known else None
    if row is None:
        raise missing_match([each.id for each in read_matches(connection, path)], match_id)
    return MatchValues._make(_check_row(path, row))


def read_matches(
    connection: sqlite3.Connection, path: str, after: int = 0, most: int | None = None
) -> list[MatchValues]:
    """Return matches with numbers above `after`, ordered by number.

    At most `most` matches are returned, or all matches if `most` is None.
    """
    rows = connection.execute(_SOME_MATCHES, (after, -1 if most is None else most)).fetchall()
    last = _LARGEST if most is None or len(rows) < most else rows[-1][0]
    if connection.execute(_COUNT, (after, last)).fetchone()[0] != len(rows):
        raise errors.damaged_book(path)
    return [MatchValues._make(_check_row(path, row)) for row in rows]


def similar_matches(
    connection: sqlite3.Connection, path: str, players: str, started: str, fingerprint: str
) -> list[MatchValues]:
    """Return the matches that are similar to a given match, as defined in
    `Store.similar_matches`."""
    arguments = {"players": players, "started": started, "fingerprint": fingerprint}
    rows = [row for question in _SIMILAR for row in connection.execute(question, arguments)]
    return sorted(MatchValues._make(_check_row(path, row)) for row in rows)


def matches_with_id(
    connection: sqlite3.Connection, path: str, identifier: str
) -> list[MatchValues]:
    """Return the matches with this identifier, ordered by number."""
    rows = connection.execute(_WITH_ID, (identifier,))
    return [MatchValues._make(_check_row(path, row)) for row in rows]


def aliases(connection: sqlite3.Connection, path: str) -> dict[str, str]:
    """Return the display name for every spelling that has an alias."""
    names: dict[str, str] = {}
    for row in connection.execute(f"{select_query('aliases')} ORDER BY spelling"):
        spelling, name = _check_row(path, row)
        names[spelling] = name
    return names


def last_changed_match(connection: sqlite3.Connection, path: str) -> int:
    """Return the number of the match that was most recently created or continued.

    Raises Unreadable if there is no match.
    """
    row = connection.execute(_LAST_CHANGED).fetchone()
    if row is None:
        raise missing_match([each.id for each in read_matches(connection, path)], None)
    match_id, changed_seq = row
    # The result was read from an index. Compare it with the row itself.
    if read_match(connection, path, match_id).changed_seq != changed_seq:
        raise errors.damaged_book(path)
    return int(match_id)


def match_row(path: str, values: MatchValues) -> MatchRow:
    """Decode the row of a match. Raises Damaged for values that the program never writes."""
    players, options = _load_json(path, values.players), _load_json(path, values.options)
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
        _load_json(path, values.summary),
        values.language,
        values.fingerprint,
        values.title,
        values.note,
        values.identifier,
        values.day,
    )


def read_ruleset(connection: sqlite3.Connection, path: str, sha: str) -> RulesetText:
    """Return the ruleset with this SHA-256. Raises Damaged if it is missing from the book."""
    sha, text, data = _ruleset_row(connection, path, sha)
    return RulesetText(sha, text, _load_json(path, data))


def read_ruleset_source(connection: sqlite3.Connection, path: str, sha: str) -> str:
    """Return the text of the ruleset with this SHA-256. Raises Damaged if it is missing."""
    _, text, _ = _ruleset_row(connection, path, sha)
    return text


def _ruleset_row(connection: sqlite3.Connection, path: str, sha: str) -> tuple[str, str, str]:
    """Return the SHA-256, text and JSON of a ruleset. Raises Damaged if the ruleset is missing."""
    row = connection.execute(_ONE_RULESET, (sha,)).fetchone()
    if row is None:
        raise Damaged(
            tr("the book {path} does not contain the ruleset {sha}", path=path, sha=sha),
            tr(errors.RESCUE_HINT),
        )
    sha, text, data = _check_row(path, row)
    return sha, text, data


def check_position(
    connection: sqlite3.Connection, path: str, match: MatchValues, seen: int
) -> None:
    """Compare `seen`, the last position that the caller has read, with the end of the log.

    If the log continues after `seen`, raises Conflict. If it ends before, raises Damaged.
    """
    if match.position > seen:
        rows = log_rows(connection, path, match.id, seen + 1, match.position)
        raise Conflict(rows, match.position)
    if match.position < seen:
        raise Damaged(
            tr(
                "the log of match {match} ends at position {position}, although it was read up to "
                "position {seen} before",
                match=match.id,
                position=match.position,
                seen=seen,
            ),
            tr("the book {path} was changed by another program; open the match again", path=path),
        )


def log_rows(
    connection: sqlite3.Connection, path: str, match_id: int, first: int, last: int
) -> list[LogRow]:
    """Return the rows of a log from position `first` to its end, which must be `last`."""
    rows: list[LogRow] = []
    for row in connection.execute(_LOG, (match_id, first)):
        if checksum(row[:-1]) != row[-1] or row[1] != first + len(rows):
            raise errors.damaged_book(path)
        _, position, kind, number, entry, text, decision, moment, recorder, _ = row
        rows.append(LogRow(kind, number, entry, text, decision, recorder, moment, position))
    if len(rows) != max(0, last + 1 - first):
        raise errors.damaged_book(path)
    return rows


def rounds(connection: sqlite3.Connection, path: str, match_id: int, first: int) -> list[RoundRow]:
    """Return the cached rounds of a match from number `first` on, in order."""
    return _read_rounds(connection, path, _ROUNDS, match_id, first)


def rounds_of(
    connection: sqlite3.Connection, path: str, match_ids: Sequence[int]
) -> dict[int, list[RoundRow]]:
    """Return the cached rounds of each of these matches, in order."""
    cached: dict[int, list[RoundRow]] = {match_id: [] for match_id in match_ids}
    try:
        for row in connection.execute(_ROUNDS_OF, (json.dumps(list(match_ids)),)):
            cached[row[0]].append(_round_row(path, row))
    except sqlite3.OperationalError as error:
        if not errors.is_undecodable(error):
            raise
        for match_id in match_ids:  # find out which match is damaged
            rounds(connection, path, match_id, 1)
        raise
    return cached


def match_dates(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return the day and the stated beginning of each match, ordered by match number."""
    return connection.execute(_DATES).fetchall()


def last_round(connection: sqlite3.Connection, path: str, match_id: int) -> RoundRow | None:
    """Return the last cached round from which the match can be continued, or None."""
    rows = _read_rounds(connection, path, _LAST_ROUND, match_id)
    return rows[0] if rows else None


def _read_rounds(
    connection: sqlite3.Connection, path: str, query: str, match_id: int, *others: int
) -> list[RoundRow]:
    """Return the cached rounds that a query selects for a match."""
    try:
        return [_round_row(path, row) for row in connection.execute(query, (match_id, *others))]
    except sqlite3.OperationalError as error:
        if not errors.is_undecodable(error):
            raise
        raise errors.damaged_rounds(path, match_id) from error


def _round_row(path: str, row: Sequence[JsonValue]) -> RoundRow:
    """Decode a row of `kept_rounds`. Raises DamagedCache if the checksum or a value is wrong."""
    match, number, first, standing, summary, entries_json = row[:-1]
    if checksum(row[:-1]) != row[-1]:
        raise errors.damaged_round(path, match, number)
    if type(number) is int and isinstance(first, int | None) and isinstance(entries_json, str):
        with suppress(TypeError, ValueError, RecursionError):
            return RoundRow(
                number, first, _decode_json(standing), _decode_json(summary), entries_json
            )
    raise errors.damaged_round(path, match, number)


def _check_row(path: str, row: Sequence[JsonValue]) -> Sequence[JsonValue]:
    """Return a row without its checksum. Raises Damaged if the checksum is wrong."""
    if checksum(row[:-1]) != row[-1]:
        raise errors.damaged_book(path)
    return row[:-1]


def _reject_constant(text: str) -> JsonValue:
    """Raise ValueError for NaN and Infinity, which Python's decoder accepts although JSON does
    not."""
    raise ValueError(text)


_decode_json = json.JSONDecoder(parse_constant=_reject_constant).decode


def _load_json(path: str, text: str) -> JsonValue:
    """Decode JSON. Raises Damaged if it is invalid."""
    try:
        return _decode_json(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise errors.damaged_book(path) from error


def is_marked(connection: sqlite3.Connection, match_id: int) -> bool:
    """Return whether the table must decide on an entry that was refused after the last log row."""
    query = """SELECT 1 FROM pending_decisions AS pending
               JOIN kept_matches ON kept_matches.id = pending.match
               WHERE pending.match = ? AND pending.position = kept_matches.position"""
    return connection.execute(query, (match_id,)).fetchone() is not None


# --- writing

_NEXT_CHANGE = "SELECT coalesce(max(changed_seq), 0) + 1 FROM kept_matches"


def add_ruleset(connection: sqlite3.Connection, rules: RulesetText, data: str) -> None:
    """Store a ruleset, unless the book contains one with the same SHA-256."""
    _insert(connection, "rulesets", [(rules.sha, rules.text, data)], "OR IGNORE")


def new_match_values(new: NewMatch) -> dict[str, Value]:
    """Return the column values of a new match. Other columns have defaults in the schema."""
    return {
        "ruleset": new.ruleset, "ruleset_sha": new.ruleset_text.sha,
        "players": as_json(list(new.players)), "options": as_json(dict(new.options)),
        "started": new.started, "place": new.place, "language": new.language, "title": new.title,
        "note": new.note, "identifier": new.identifier, "day": day_to_store(new.started, new.day),
        "last_time": utc_now(),
    }  # fmt: skip


def add_match(connection: sqlite3.Connection, values: dict[str, Value]) -> MatchValues:
    """Store a new match and return its row."""
    values = {**values, "changed_seq": _next_change(connection)}
    columns, places = ", ".join(values), ", ".join("?" * len(values))
    query = f"INSERT INTO kept_matches ({columns}) VALUES ({places})"
    cursor = connection.execute(query, (*values.values(),))
    rows = connection.execute(f"{select_query('kept_matches')} WHERE id = ?", (cursor.lastrowid,))
    match = MatchValues._make(rows.fetchone()[:-1])
    _update_match(connection, match, {})
    return match


def change_match(connection: sqlite3.Connection, before: MatchValues, after: MatchValues) -> None:
    """Store the values of a match that differ between `before` and `after`."""
    changed = {
        name: now for name, old, now in zip(after._fields, before, after, strict=True) if old != now
    }
    if changed:
        _update_match(connection, after, changed)


def _update_match(
    connection: sqlite3.Connection, match: MatchValues, changed: dict[str, Value]
) -> None:
    """Update columns of a match together with its checksum."""
    columns = "".join(f"{name} = ?, " for name in changed)
    query = f"UPDATE kept_matches SET {columns}checksum = ? WHERE id = ?"
    connection.execute(query, (*changed.values(), checksum(match), match.id))


def advance_match(
    connection: sqlite3.Connection, match: MatchValues, rows: Sequence[LogRow]
) -> MatchValues:
    """Return the row of a match after these rows have been added to its log."""
    return match._replace(
        position=rows[-1].position,
        last_time=rows[-1].time,
        entries=match.entries + sum(row.kind == "entry" for row in rows),
        changed_seq=_next_change(connection),
        fingerprint=None,
    )


def _next_change(connection: sqlite3.Connection) -> int:
    """Return a number above every `changed_seq` in the book."""
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
    """Return the column values of a cached round, without the checksum."""
    standing, summary = as_json(row.standing), as_json(row.summary)
    return match_id, row.number, row.first_position, standing, summary, row.entries_json


def put_rounds(connection: sqlite3.Connection, rows: Sequence[tuple[Value, ...]]) -> None:
    """Store cached rounds. They replace rounds with the same number."""
    _insert(connection, "kept_rounds", rows, "OR REPLACE")


def drop_rounds(connection: sqlite3.Connection, match_id: int, first: int) -> None:
    """Delete the cached rounds of a match from number `first` on."""
    query = "DELETE FROM kept_rounds WHERE match = ? AND number >= ?"
    connection.execute(query, (match_id, first))


def erase(connection: sqlite3.Connection, match_id: int) -> None:
    """Erase a match with its log and its cached rounds."""
    connection.execute("PRAGMA defer_foreign_keys = ON")
    connection.execute("DELETE FROM kept_matches WHERE id = ?", (match_id,))
    for table in ("log", "kept_rounds"):
        connection.execute(f"DELETE FROM {table} WHERE match = ?", (match_id,))


def put_aliases(connection: sqlite3.Connection, names: Mapping[str, str]) -> None:
    """Store the display names for spellings. An empty name removes the alias."""
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
    """Store the log position at which a decision is pending. None removes it."""
    connection.execute("DELETE FROM pending_decisions WHERE match = ?", (match_id,))
    if position is not None:
        connection.execute(
            "INSERT INTO pending_decisions SELECT id, ? FROM kept_matches WHERE id = ?",
            (position, match_id),
        )
